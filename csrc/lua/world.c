// collide, MIT licence (see LICENSE)
//
// The core userdata that a Lua World owns. Only lua/collide/world.lua and
// jit.lua call these: what users pass has been checked there, so that a wrong
// value here is a mistake of ours and is only kept from doing harm. Slots count
// from 1. Layer: lua.

#include "lua/world.h"

#include <stdio.h>

#include "base/tol.h"
#include "lua/check.h"
#include "lua/shape.h"

#define METATABLE "collide.core.world"

// Fields of an event in the flat table that step.lua reads: as many as an event
// has call numbers, so that it counts calls by their place in the table.
enum { EVENT_FIELDS = CL_CALL_NUMBERS };

cll_world *cll_check_world(lua_State *L) {
  cll_world *c = luaL_checkudata(L, 1, METATABLE);
  if (!c->world) luaL_error(L, "attempt to use a world that has been closed");
  return c;
}

static uint32_t check_slot(lua_State *L, const cll_world *c, int index) {
  lua_Integer slot = luaL_checkinteger(L, index);
  luaL_argcheck(L, slot >= 1 && slot <= (lua_Integer)c->io.slots, index, "no such slot");
  return (uint32_t)(slot - 1);
}

static uint32_t check_live(lua_State *L, const cll_world *c, int index) {
  uint32_t slot = check_slot(L, c, index);
  luaL_argcheck(L, c->io.state[slot] & CL_LIVE, index, "dead slot");
  return slot;
}

static unsigned check_group(lua_State *L, int index, unsigned most) {
  lua_Integer group = luaL_checkinteger(L, index);
  luaL_argcheck(L, group >= 0 && group <= (lua_Integer)most, index, "no such group");
  return (unsigned)group;
}

// shape, x, y, angle, group, static from `index` on.
static cl_actor_def check_actor(lua_State *L, int index) {
  return (cl_actor_def){
      .shape = cll_check_shape(L, index),
      .x = luaL_checknumber(L, index + 1),
      .y = luaL_checknumber(L, index + 2),
      .angle = luaL_checknumber(L, index + 3),
      .group = (uint8_t)check_group(L, index + 4, CL_MAX_GROUPS - 1),
      .fixed = lua_toboolean(L, index + 5),
  };
}

static const cl_broad_class *const broad_phases[] = {
    &cl_broad_auto,
    &cl_broad_grid,
    &cl_broad_quadtree,
    &cl_broad_brute,
};

static const cl_broad_class *find_broad(lua_State *L, const char *name, bool loose) {
  const cl_broad_class *found = NULL;
  for (size_t i = 0; i < sizeof broad_phases / sizeof *broad_phases && !found; i++) {
    if (!strcmp(name, broad_phases[i]->name)) found = broad_phases[i];
  }
  if (!found) luaL_error(L, "no broad phase \"%s\"", name);
  return found == &cl_broad_quadtree && loose ? &cl_broad_loose : found;
}

// core.newWorld(width, height, broadphase, depth, loose, touching, listed)
static int world_new(lua_State *L) {
  cl_world_def def = {
      .alloc = cl_alloc_default(),
      .width = luaL_checknumber(L, 1),
      .height = luaL_checknumber(L, 2),
      .broad = find_broad(L, luaL_checkstring(L, 3), lua_toboolean(L, 5)),
      .depth = (unsigned)luaL_checkinteger(L, 4),
      .touching = lua_toboolean(L, 6),
      .listed = lua_toboolean(L, 7),
  };
  luaL_argcheck(L, def.depth <= CL_BROAD_MAX_DEPTH, 4, "too deep");
  cll_world *c = lua_newuserdata(L, sizeof *c); /* stack: … core */
  *c = (cll_world){0};
  luaL_getmetatable(L, METATABLE);
  lua_setmetatable(L, -2);
  c->world = cl_world_new(&def, &c->io);
  if (!c->world) return cll_no_memory(L);
  return 1;
}

static int world_gc(lua_State *L) {
  cll_world *c = luaL_checkudata(L, 1, METATABLE);
  if (c->world) cl_world_free(c->world);
  c->world = NULL;
  return 0;
}

// core:nextSlot() -> the slot that core:add gives next
static int world_next_slot(lua_State *L) {
  cll_world *c = cll_check_world(L);
  lua_pushinteger(L, (lua_Integer)c->io.slots + 1);
  return 1;
}

// core:add(shape, x, y, angle, group, static) -> whether there was memory
static int world_add(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_actor_def def = check_actor(L, 2);
  uint32_t slot;
  lua_pushboolean(L, cl_world_add(c->world, &def, &slot) == CL_OK);
  return 1;
}

// core:refresh(slot, shape, x, y, angle, group, static)
static int world_refresh(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  cl_actor_def def = check_actor(L, 3);
  cl_world_refresh(c->world, slot, &def);
  return 0;
}

// core:remove(slot, told) -> whether its table has to be kept for a leave
static int world_remove(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  lua_pushboolean(L, cl_world_remove(c->world, slot, luaL_checknumber(L, 3)));
  return 1;
}

// core:listen(slot, mask, hears)
static int world_listen(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  cl_world_listen(c->world, slot, (uint8_t)luaL_checkinteger(L, 3),
                  (uint8_t)luaL_checkinteger(L, 4));
  return 0;
}

// core:listeners(list, hears) -> how many slots of actors that hear any of
// `hears` it wrote to `list`
static int world_listeners(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint8_t hears = (uint8_t)luaL_checkinteger(L, 3);
  int n = 0;
  uint32_t slot = 0;
  while ((slot = cl_world_next_listener(c->world, slot, hears)) < c->io.slots) {
    lua_pushinteger(L, (lua_Integer)++slot);
    lua_rawseti(L, 2, ++n);
  }
  lua_pushinteger(L, n);
  return 1;
}

// core:unheard(list, mask) -> how many slots it wrote to `list`, of actors for
// which core:listen has not been called with `mask` since they came or were
// refreshed
static int world_unheard(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint8_t mask = (uint8_t)luaL_checkinteger(L, 3);
  int n = 0;
  uint32_t slot = 0;
  while ((slot = cl_world_next_unheard(c->world, slot, mask)) < c->io.slots) {
    lua_pushinteger(L, (lua_Integer)++slot);
    lua_rawseti(L, 2, ++n);
  }
  lua_pushinteger(L, n);
  return 1;
}

// Whether the value on top of the stack, of type `type`, is a number within
// ±most: then it is written to `to`.
static bool pulled(lua_State *L, int type, double most, double *to) {
  if (type != LUA_TNUMBER) return false;
  *to = lua_tonumber(L, -1);
  return *to >= -most && *to <= most;
}

// Pulls one actor; 0, or the stack index of the key whose value, then on top,
// will not do. May call __index.
static int pull_actor(lua_State *L, const cll_world *c, uint32_t slot, bool turns) {
  double x, y, angle = 0;
  lua_rawgeti(L, 2, (int)slot + 1); /* stack: core actors x y angle actor */
  if (!pulled(L, cll_gettable(L, 6, 3), CL_MAX_COORD, &x)) return 3;
  if (!pulled(L, cll_gettable(L, 6, 4), CL_MAX_COORD, &y)) return 4;
  if (turns) {
    int type = cll_gettable(L, 6, 5);
    if (type != LUA_TNIL && !pulled(L, type, CL_MAX_ANGLE, &angle)) return 5;
  }
  // Fetched only now: what an __index has done may have moved them.
  c->io.x[slot] = x;
  c->io.y[slot] = y;
  c->io.angle[slot] = angle;
  return 0;
}

// core:pull(actors, x, y, angle) -> nothing, or slot, key, value of the first
// bad field. `angle` false: not read.
static int world_pull(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 5);
  bool turns = lua_toboolean(L, 5);
  for (uint32_t slot = 0; slot < c->io.slots; slot++) {
    if ((c->io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    int bad = pull_actor(L, c, slot, turns);
    if (bad) { /* stack: core actors x y angle actor … value */
      lua_pushinteger(L, (lua_Integer)slot + 1);
      lua_pushvalue(L, bad);
      lua_pushvalue(L, -3);
      return 3;
    }
    lua_settop(L, 5);
  }
  return 0;
}

// t[to] = t[from] for the table at `index`.
static void move_element(lua_State *L, int index, int from, int to) {
  lua_rawgeti(L, index, from);
  lua_rawseti(L, index, to);
}

// The lists by slot that world.lua keeps, as core:step gets them: the actors,
// removed ones that are still owed a leave, the numbers of their adding. Last
// comes the map from actors to slots.
enum { ACTORS = 3, GHOSTS, IDS, SLOTS };

// Moves the lists as the step has moved the slots. Every key that is set exists
// already, so no memory is needed.
static void move_lists(lua_State *L, const cll_world *c) {
  uint32_t count;
  const int32_t *moved = cl_world_moved(c->world, &count);
  for (uint32_t from = 0; moved && from < count; from++) {
    if (moved[from] == CL_NOWHERE || moved[from] == (int32_t)from) continue;
    int to = moved[from] + 1;
    for (int list = ACTORS; list <= IDS; list++) move_element(L, list, (int)from + 1, to);
    lua_rawgeti(L, ACTORS, to);
    if (lua_istable(L, -1)) {
      lua_pushinteger(L, to);
      lua_rawset(L, SLOTS);
    } else {
      lua_pop(L, 1);
    }
  }
  for (uint32_t slot = c->io.slots; moved && slot < count; slot++) {
    for (int list = ACTORS; list <= IDS; list++) {
      lua_pushnil(L);
      lua_rawseti(L, list, (int)slot + 1);
    }
  }
}

// core:step(told, actors, ghosts, ids, slots) -> number of events, whether slots
// have moved
static int world_step(lua_State *L) {
  cll_world *c = cll_check_world(L);
  double told = luaL_checknumber(L, 2);
  for (int i = ACTORS; i <= SLOTS; i++) luaL_checktype(L, i, LUA_TTABLE);
  if (cl_world_step(c->world, told) != CL_OK) return cll_no_memory(L);
  move_lists(L, c);
  uint32_t count;
  const uint32_t *released = cl_world_released(c->world, &count);
  for (uint32_t i = 0; i < count; i++) {
    lua_pushboolean(L, false);
    lua_rawseti(L, GHOSTS, (int)released[i] + 1);
  }
  lua_pushinteger(L, (lua_Integer)c->io.events);
  lua_pushboolean(L, cl_world_moved(c->world, &count) != NULL);
  return 2;
}

// core:events(buffer, first, most) -> n: writes events first + 1 … first + n of
// the last step into the flat table `buffer` as calls, a, b, nx, ny, depth.
static int world_events(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_Integer first = luaL_checkinteger(L, 3), most = luaL_checkinteger(L, 4);
  lua_Integer left = (lua_Integer)c->io.events - first;
  lua_Integer n = left < most ? left : most;
  luaL_argcheck(L, first >= 0 && n >= 0, 3, "no such event");
  for (lua_Integer i = 0; i < n; i++) {
    const cl_event *event = &c->io.event[first + i];
    int at = (int)i * EVENT_FIELDS;
    lua_pushinteger(L, (lua_Integer)event->calls);
    lua_rawseti(L, 2, at + 1);
    lua_pushinteger(L, (lua_Integer)event->a + 1);
    lua_rawseti(L, 2, at + 2);
    lua_pushinteger(L, (lua_Integer)event->b + 1);
    lua_rawseti(L, 2, at + 3);
    lua_pushnumber(L, event->nx);
    lua_rawseti(L, 2, at + 4);
    lua_pushnumber(L, event->ny);
    lua_rawseti(L, 2, at + 5);
    lua_pushnumber(L, event->depth);
    lua_rawseti(L, 2, at + 6);
  }
  lua_pushinteger(L, n);
  return 1;
}

// core:counts() -> actors, candidates, hits of the last step, name of the broad
// phase that found them
static int world_counts(lua_State *L) {
  cl_counts counts = cl_world_counts(cll_check_world(L)->world);
  lua_pushinteger(L, (lua_Integer)counts.actors);
  lua_pushinteger(L, (lua_Integer)counts.candidates);
  lua_pushinteger(L, (lua_Integer)counts.hits);
  lua_pushstring(L, counts.broad);
  return 4;
}

// core:hit(k) -> a, b, nx, ny, depth; nothing when one of the two is gone
static int world_hit(lua_State *L) {
  cll_world *c = cll_check_world(L);
  lua_Integer k = luaL_checkinteger(L, 2);
  cl_counts counts = cl_world_counts(c->world);
  luaL_argcheck(L, k >= 1 && k <= (lua_Integer)counts.hits, 2, "no such hit");
  cl_pair pair;
  cl_hit hit;
  if (!cl_world_hit(c->world, (size_t)k - 1, &pair, &hit)) return 0;
  lua_pushinteger(L, (lua_Integer)pair.a + 1);
  lua_pushinteger(L, (lua_Integer)pair.b + 1);
  lua_pushnumber(L, hit.nx);
  lua_pushnumber(L, hit.ny);
  lua_pushnumber(L, hit.depth);
  return 5;
}

// core:hitsOf(slot) -> count
static int world_hits_of(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  size_t count;
  if (cl_world_hits_of(c->world, slot, &count) != CL_OK) return cll_no_memory(L);
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// core:hitOf(slot, k) -> the number of the slot's k-th hit, for core:hit
static int world_hit_of(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  size_t count;
  if (cl_world_hits_of(c->world, slot, &count) != CL_OK) return cll_no_memory(L);
  lua_Integer k = luaL_checkinteger(L, 3);
  luaL_argcheck(L, k >= 1 && k <= (lua_Integer)count, 3, "no such hit");
  lua_pushinteger(L, (lua_Integer)cl_world_hit_of(c->world, slot, (size_t)k - 1) + 1);
  return 1;
}

// core:candidates(actors) -> flat list of the pairs whose two actors are present.
// As in queries.c, making the list may run finalisers that change the world.
static int world_candidates(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  const cl_pair *pairs;
  size_t count;
  uint64_t changes;
  do {
    lua_settop(L, 2);
    if (cl_world_candidates(c->world, &pairs, &count) != CL_OK) return cll_no_memory(L);
    changes = cl_world_changes(c->world);
    lua_createtable(L, (int)(2 * count), 0);
  } while (cl_world_changes(c->world) != changes);
  int at = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(c->io.state[pairs[i].a] & c->io.state[pairs[i].b] & CL_LIVE)) continue;
    lua_rawgeti(L, 2, (int)pairs[i].a + 1);
    lua_rawseti(L, 3, ++at);
    lua_rawgeti(L, 2, (int)pairs[i].b + 1);
    lua_rawseti(L, 3, ++at);
  }
  return 1;
}

// core:cells() -> flat list of left, top, width, height, count
static int world_cells(lua_State *L) {
  cll_world *c = cll_check_world(L);
  size_t room, count = cl_world_cells(c->world, NULL, 0);
  cl_cell *cell;
  do {
    room = count;
    cell = lua_newuserdata(L, (room + 1) * sizeof *cell);
    count = cl_world_cells(c->world, cell, room);
  } while (count > room);
  lua_createtable(L, (int)(5 * count), 0); /* stack: core … cells list */
  int at = 0;
  for (size_t i = 0; i < count; i++) {
    double part[] = {cell[i].box.x0, cell[i].box.y0, (double)cell[i].box.x1 - cell[i].box.x0,
                     (double)cell[i].box.y1 - cell[i].box.y0, (double)cell[i].count};
    for (int k = 0; k < 5; k++) {
      lua_pushnumber(L, part[k]);
      lua_rawseti(L, -2, ++at);
    }
  }
  return 1;
}

// core:setHits(groupA, groupB, hit); CL_MAX_GROUPS stands for all groups
static int world_set_hits(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_world_set_hits(c->world, check_group(L, 2, CL_MAX_GROUPS), check_group(L, 3, CL_MAX_GROUPS),
                    lua_toboolean(L, 4));
  return 0;
}

// core:canHit(groupA, groupB) -> boolean
static int world_can_hit(lua_State *L) {
  cll_world *c = cll_check_world(L);
  lua_pushboolean(L, cl_world_can_hit(c->world, check_group(L, 2, CL_MAX_GROUPS - 1),
                                      check_group(L, 3, CL_MAX_GROUPS - 1)));
  return 1;
}

// core:group(slot) -> group number, static
static int world_group(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = check_live(L, c, 2);
  lua_pushinteger(L, cl_world_group(c->world, slot));
  lua_pushboolean(L, c->io.state[slot] & CL_STATIC);
  return 2;
}

// core:hash() -> decimal digits
static int world_hash(lua_State *L) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)cl_world_hash(cll_check_world(L)->world));
  lua_pushstring(L, text);
  return 1;
}

static const luaL_Reg methods[] = {
    {"add", world_add},         {"nextSlot", world_next_slot}, {"refresh", world_refresh},
    {"remove", world_remove},   {"listen", world_listen},      {"listeners", world_listeners},
    {"unheard", world_unheard}, {"pull", world_pull},          {"step", world_step},
    {"events", world_events},   {"counts", world_counts},      {"hit", world_hit},
    {"hitsOf", world_hits_of},  {"hitOf", world_hit_of},       {"candidates", world_candidates},
    {"cells", world_cells},     {"setHits", world_set_hits},   {"canHit", world_can_hit},
    {"group", world_group},     {"hash", world_hash},          {NULL, NULL},
};

void cll_open_world(lua_State *L) { /* stack: … core */
  luaL_newmetatable(L, METATABLE);
  lua_pushcfunction(L, world_gc);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  cll_setfuncs(L, methods);
  cll_open_queries(L);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
  lua_pushcfunction(L, world_new);
  lua_setfield(L, -2, "newWorld");
}
