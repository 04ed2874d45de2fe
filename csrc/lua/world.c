// collide, MIT licence (see LICENSE)
//
// Worlds: making the core of one, adding and removing actors, and what is known of the last step.
// Only the files of lua/collide/ call methods of cores, and they check the users' arguments, so a
// wrong value here is a mistake of the library and only must do no harm. Slots count from 1.
// Layer: lua.

#include "lua/binding.h"

#include "broad/broad.h"

static unsigned check_group(lua_State *L, int index, unsigned most) {
  lua_Integer group = luaL_checkinteger(L, index);
  luaL_argcheck(L, group >= 0 && group <= (lua_Integer)most, index, "no such group");
  return (unsigned)group;
}

// shape, x, y, angle, group, static, sensor, oneWay, swept from `index` on.
static cl_actor_def check_actor(lua_State *L, int index) {
  cl_actor_def def = {.shape = cll_check_shape(L, index)};
  def.x = luaL_checknumber(L, index + 1);
  def.y = luaL_checknumber(L, index + 2);
  def.angle = luaL_checknumber(L, index + 3);
  def.group = (uint8_t)check_group(L, index + 4, CL_MAX_GROUPS - 1);
  def.fixed = lua_toboolean(L, index + 5);
  def.sensor = lua_toboolean(L, index + 6);
  def.one_way = lua_toboolean(L, index + 7);
  def.swept = lua_toboolean(L, index + 8);
  return def;
}

static const cl_broad_class *const broad_phases[] = {
    &cl_broad_auto, &cl_broad_grid, &cl_broad_incremental, &cl_broad_quadtree, &cl_broad_brute,
};

static const cl_broad_class *find_broad(lua_State *L, const char *name, bool loose) {
  const cl_broad_class *found = NULL;
  for (size_t i = 0; i < sizeof broad_phases / sizeof *broad_phases && !found; i++) {
    if (!strcmp(name, broad_phases[i]->name)) found = broad_phases[i];
  }
  if (!found) cll_error(L, "no broad phase \"%s\"", name);
  return found == &cl_broad_quadtree && loose ? &cl_broad_loose : found;
}

// The part of a core for the accelerator, also in one that has been collected.
static void open_calls(cll_world *c) {
  c->ray_cast = cll_ray_cast;
  c->rays_ignore = c->few;
  c->move_now = cll_move_now;
  c->move_commit = cll_move_commit;
}

// core.newWorld(width, height, broadphase, depth, loose, touching, listed)
static int world_new(lua_State *L) {
  cl_world_def def = {.alloc = cll_alloc(L)};
  def.width = luaL_checknumber(L, 1);
  def.height = luaL_checknumber(L, 2);
  def.broad = find_broad(L, luaL_checkstring(L, 3), lua_toboolean(L, 5));
  def.depth = (unsigned)luaL_checkinteger(L, 4);
  def.touching = lua_toboolean(L, 6);
  def.listed = lua_toboolean(L, 7);
  luaL_argcheck(L, def.depth <= CL_BROAD_MAX_DEPTH, 4, "too deep");
  cll_world *c = cll_push_object(L, CLL_WORLD, sizeof *c); /* stack: … core */
  c->dispatched = CL_ALL_DISPATCHED;
  open_calls(c);
  c->world = cl_world_new(&def, &c->io);
  if (c->world) c->pools = cl_pools_new(&def.alloc, c->world);
  if (!c->pools) return cll_no_memory(L);
  return 1;
}

static int world_gc(lua_State *L) {
  cll_world *c = cll_collect(L, CLL_WORLD);
  cl_alloc alloc = cll_alloc(L);
  CL_FREE(&alloc, c->ignored, c->ignored_room);
  if (c->pools) cl_pools_free(c->pools);
  if (c->world) cl_world_free(c->world);
  *c = (cll_world){0}; // a dispatch that a finaliser resumes has no events left
  open_calls(c);
  return 0;
}

// core:check(): raises if it has been closed
static int world_check(lua_State *L) {
  cll_check_world(L);
  return 0;
}

// core:add(slot, shape, x, y, angle, group, static, sensor, oneWay, swept) -> whether it has been
// added: nil if the slot was taken meanwhile, false if there is no memory
static int world_add(lua_State *L) {
  cll_world *c = cll_check_world(L);
  if (luaL_checkinteger(L, 2) != (lua_Integer)c->io.slots + 1) return 0;
  cl_actor_def def = check_actor(L, 3);
  uint32_t slot;
  lua_pushboolean(L, cl_world_add(c->world, &def, &slot) == CL_OK);
  return 1;
}

// core:refresh(slot, shape, x, y, angle, group, static, sensor, oneWay, swept)
static int world_refresh(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  cl_actor_def def = check_actor(L, 3);
  if (def.angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  cl_world_refresh(c->world, slot, &def);
  return 0;
}

// core:teleport(slot, x, y, angle)
static int world_teleport(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  double x = luaL_checknumber(L, 3), y = luaL_checknumber(L, 4), angle = luaL_checknumber(L, 5);
  if (angle != 0 && cl_world_use_angles(c->world) != CL_OK) return cll_no_memory(L);
  cl_world_put(c->world, slot, (cl_vec){x, y}, angle);
  return 0;
}

// core:motion(slot) -> x, y, angle before the last step and x, y, angle after it
static int world_motion(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_motion motion = cl_world_motion(c->world, cll_check_live(L, c, 2));
  lua_pushnumber(L, motion.from.x);
  lua_pushnumber(L, motion.from.y);
  lua_pushnumber(L, motion.from_angle);
  lua_pushnumber(L, motion.to.x);
  lua_pushnumber(L, motion.to.y);
  lua_pushnumber(L, motion.to_angle);
  return 6;
}

// core:remove(slot) -> whether its table must be kept for a leave
static int world_remove(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  lua_pushboolean(L, cl_world_remove(c->world, slot, c->dispatched));
  return 1;
}

// core:setEventMask(slot, mask, events)
static int world_set_event_mask(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  uint8_t mask = (uint8_t)luaL_checkinteger(L, 3), events = (uint8_t)luaL_checkinteger(L, 4);
  cl_world_set_event_mask(c->world, slot, mask, events);
  return 0;
}

// core:withEvents(list, events) -> the number of actors with an event mask that has any of
// `events`; writes their slots to `list`
static int world_with_events(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint8_t events = (uint8_t)luaL_checkinteger(L, 3);
  int n = 0;
  uint32_t slot = 0;
  while ((slot = cl_world_next_with_event(c->world, slot, events)) < c->io.slots) {
    lua_pushinteger(L, (lua_Integer)++slot);
    lua_rawseti(L, 2, ++n);
  }
  lua_pushinteger(L, n);
  return 1;
}

// core:unread(list, mask) -> the number of actors for which core:setEventMask has not been called
// with `mask` since they were added or refreshed; writes their slots to `list`
static int world_unread(lua_State *L) {
  cll_world *c = cll_check_world(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  uint8_t mask = (uint8_t)luaL_checkinteger(L, 3);
  int n = 0;
  uint32_t slot = 0;
  while ((slot = cl_world_next_unread(c->world, slot, mask)) < c->io.slots) {
    lua_pushinteger(L, (lua_Integer)++slot);
    lua_rawseti(L, 2, ++n);
  }
  lua_pushinteger(L, n);
  return 1;
}

// core:setHits(groupA, groupB, hit, first); CL_MAX_GROUPS means all groups. With `first` only
// actors of the first group get events.
static int world_set_hits(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_hits hits = lua_toboolean(L, 5) ? CL_HITS_FIRST : CL_HITS_BOTH;
  unsigned a = check_group(L, 2, CL_MAX_GROUPS), b = check_group(L, 3, CL_MAX_GROUPS);
  cl_world_set_hits(c->world, a, b, lua_toboolean(L, 4) ? hits : CL_HITS_NONE);
  return 0;
}

// core:canHit(groupA, groupB) -> boolean
static int world_can_hit(lua_State *L) {
  cll_world *c = cll_check_world(L);
  unsigned a = check_group(L, 2, CL_MAX_GROUPS - 1), b = check_group(L, 3, CL_MAX_GROUPS - 1);
  lua_pushboolean(L, cl_world_can_hit(c->world, a, b));
  return 1;
}

// core:group(slot) -> group number, static
static int world_group(lua_State *L) {
  cll_world *c = cll_check_world(L);
  uint32_t slot = cll_check_live(L, c, 2);
  lua_pushinteger(L, cl_world_group(c->world, slot));
  lua_pushboolean(L, c->io.state[slot] & CL_STATIC);
  return 2;
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
    {"check", world_check},
    {"add", world_add},
    {"refresh", world_refresh},
    {"teleport", world_teleport},
    {"motion", world_motion},
    {"remove", world_remove},
    {"setEventMask", world_set_event_mask},
    {"withEvents", world_with_events},
    {"unread", world_unread},
    {"setHits", world_set_hits},
    {"canHit", world_can_hit},
    {"group", world_group},
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

void cll_open_world(lua_State *L) {
  cll_begin_class(L, CLL_WORLD); /* stack: … core metatable methods */
  cll_setfuncs(L, methods);
  cll_open_step_methods(L);
  cll_open_query_methods(L);
  cll_open_move_methods(L);
  cll_open_snapshot_methods(L);
  cll_end_class(L, CLL_WORLD, world_gc, NULL);
  lua_pushcfunction(L, world_new);
  lua_setfield(L, -2, "newWorld");
}
