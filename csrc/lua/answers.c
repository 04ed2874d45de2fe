// collide, MIT licence (see LICENSE)
//
// Methods of the core for the functions of world/hits.lua about the last step. Layer: lua.

#include "lua/answers.h"

#include <stdio.h>

#include "lua/check.h"
#include "lua/shape.h"
#include "lua/world_core.h"

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

// core:hit(k) -> a, b, nx, ny, depth, and t if the two have met only on their way; nothing if one
// of the two was removed
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
  double t = c->io.time ? c->io.time[k - 1] : -1;
  if (t < 0) return 5;
  lua_pushnumber(L, t);
  return 6;
}

// core:hitsOf(slot) -> count
static int world_hits_of(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  size_t count;
  if (cl_world_hits_of(c->world, slot, &count) != CL_OK) return cll_no_memory(L);
  lua_pushinteger(L, (lua_Integer)count);
  return 1;
}

// core:hitOf(slot, k) -> the number of the slot's k-th hit, for core:hit
static int world_hit_of(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
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
    cl_world_candidates(c->world, &pairs, &count);
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

// core:hash() -> decimal digits
static int world_hash(lua_State *L) {
  char text[24];
  cll_world *c = cll_check_world(L);
  uint64_t hash = cl_pools_hash(c->pools);
  snprintf(text, sizeof text, "%llu", (unsigned long long)hash);
  lua_pushstring(L, text);
  return 1;
}

// core:actor(slot, shape) -> the fields as read when it was added or refreshed: its shape, whether
// that is `shape`, x, y, angle as the world has them now, group number, static, sensor, oneWay,
// swept; and its event mask, and the bits of it that are still to be read
static int world_actor(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  lua_settop(L, 3);
  cl_shape **box = cll_push_shape(L); // which may run finalisers that refresh the actor
  cll_check_live(L, c, 2);
  cl_actor_def actor = cl_world_actor(c->world, slot);
  cl_shape_retain(actor.shape);
  *box = actor.shape;
  lua_pushboolean(L, actor.shape == cll_to_shape(L, 3));
  lua_pushnumber(L, actor.x);
  lua_pushnumber(L, actor.y);
  lua_pushnumber(L, actor.angle);
  lua_pushinteger(L, actor.group);
  lua_pushboolean(L, actor.fixed);
  lua_pushboolean(L, actor.sensor);
  lua_pushboolean(L, actor.one_way);
  lua_pushboolean(L, actor.swept);
  uint8_t unread;
  lua_pushinteger(L, cl_world_event_mask(c->world, slot, &unread));
  lua_pushinteger(L, unread);
  return 12;
}

// core:wouldMeet(slot, x, y, angle, otherSlot, x, y, angle) -> nx, ny, t for two of which one is
// swept, if they met on their way to these places; else nothing
static int world_would_meet(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t a = cll_check_live(L, c, 2), b = cll_check_live(L, c, 6);
  cl_pair pair = {a, b};
  cl_placed to[2];
  for (int i = 0; i < 2; i++) {
    cl_actor_def actor = cl_world_actor(c->world, i == 0 ? pair.a : pair.b);
    cl_vec at = cll_check_vec(L, 3 + 4 * i);
    to[i] = cl_place(actor.shape, at.x, at.y, luaL_checknumber(L, 5 + 4 * i));
  }
  cl_hit hit;
  double t;
  if (!cl_world_would_meet(c->world, pair, to, &hit, &t)) return 0;
  lua_pushnumber(L, hit.nx);
  lua_pushnumber(L, hit.ny);
  lua_pushnumber(L, t);
  return 3;
}

// core:isNotified(groupA, groupB) -> whether actors of the first group get events of hits with the
// second
static int world_is_notified(lua_State *L) {
  cll_world *c = cll_check_world(L);
  lua_Integer a = luaL_checkinteger(L, 2), b = luaL_checkinteger(L, 3);
  luaL_argcheck(L, a >= 0 && a < CL_MAX_GROUPS, 2, "no such group");
  luaL_argcheck(L, b >= 0 && b < CL_MAX_GROUPS, 3, "no such group");
  lua_pushboolean(L, (int)(cl_world_groups_notified(c->world, (unsigned)a) >> b & 1));
  return 1;
}

static const luaL_Reg methods[] = {
    {"counts", world_counts},
    {"hit", world_hit},
    {"hitsOf", world_hits_of},
    {"hitOf", world_hit_of},
    {"candidates", world_candidates},
    {"cells", world_cells},
    {"hash", world_hash},
    {"actor", world_actor},
    {"wouldMeet", world_would_meet},
    {"isNotified", world_is_notified},
    {NULL, NULL},
};

void cll_open_answers(lua_State *L) { cll_setfuncs(L, methods); }
