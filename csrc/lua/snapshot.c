// collide, MIT licence (see LICENSE)
//
// Takes snapshots of the core's state, and restores them. Layer: lua.

#include "lua/snapshot.h"

#include "base/alloc.h"
#include "lua/check.h"
#include "lua/class.h"
#include "lua/pool.h"

#define CLASS "collide.core.snapshot"

cll_snapshot *cll_check_snapshot(lua_State *L, int index) {
  cll_snapshot *s = cll_to_object(L, index, CLASS);
  if (!s || !s->pools) cll_error(L, "attempt to use a snapshot that has been collected");
  return s;
}

// core.newSnapshot() -> userdata
static int snapshot_new(lua_State *L) {
  cl_alloc alloc = cll_alloc(L);
  cll_snapshot *s = cll_push_object(L, CLASS, sizeof *s);
  s->world = cl_snapshot_new(&alloc);
  if (s->world) s->pools = cl_bullets_snapshot_new(&alloc);
  return s->pools ? 1 : cll_no_memory(L);
}

static int snapshot_gc(lua_State *L) {
  cll_snapshot *s = cll_collect(L, CLASS);
  cl_alloc alloc = cll_alloc(L);
  if (s->world) cl_snapshot_free(s->world);
  if (s->pools) cl_bullets_snapshot_free(s->pools);
  CL_FREE(&alloc, s->flag, s->flag_cap);
  CL_FREE(&alloc, s->number, s->number_cap);
  *s = (cll_snapshot){0};
  return 0;
}

void cll_snapshot_grow(lua_State *L, cll_snapshot *s) {
  enum { MORE = 3 }; // x, y and angle
  cl_alloc alloc = cll_alloc(L);
  if (CL_RESERVE(&alloc, s->number, s->number_cap, (size_t)s->numbers + MORE) != CL_OK) {
    cll_no_memory(L);
  }
  s->number_room = (uint32_t)s->number_cap;
}

// snapshot:grow(): room for more numbers
static int snapshot_grow(lua_State *L) {
  cll_snapshot_grow(L, cll_check_snapshot(L, 1));
  return 0;
}

// core:snapshot(snapshot) -> a number that stays the same until an actor is added, removed or
// refreshed
static int world_snapshot(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cll_snapshot *s = cll_check_snapshot(L, 2);
  cl_alloc alloc = cll_alloc(L);
  if (CL_RESERVE_NEAR(&alloc, s->flag, s->flag_cap, c->io.slots) != CL_OK ||
      cl_pools_snapshot(c->pools, s->pools) != CL_OK ||
      cl_world_snapshot(c->world, c->dispatched, s->world) != CL_OK) {
    return cll_no_memory(L);
  }
  s->place = cl_snapshot_places(s->world, &s->angle, &s->slots);
  s->numbers = 0;
  lua_pushnumber(L, (double)cl_world_edits(c->world));
  return 1;
}

// The pool of the i-th table, from 1, of the list at `index`.
static cll_bullets *pool_of(lua_State *L, int index, uint32_t i) {
  lua_rawgeti(L, index, (int)i);
  lua_rawgeti(L, -1, 1);
  cll_bullets *b = lua_touserdata(L, -1);
  lua_pop(L, 2);
  return b;
}

// core:revive(snapshot, i, pool): adds a removed pool again, empty, made like the i-th of the
// snapshot
static int world_revive(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cll_snapshot *s = cll_check_snapshot(L, 2);
  uint32_t i = (uint32_t)luaL_checkinteger(L, 3) - 1;
  luaL_argcheck(L, i < cl_bullets_snapshot_pools(s->pools), 3, "no such pool");
  luaL_checktype(L, 4, LUA_TTABLE);
  lua_rawgeti(L, 4, 1);
  cll_bullets *b = lua_touserdata(L, -1);
  cl_bullets_def def = cl_bullets_snapshot_def(s->pools, i);
  luaL_argcheck(L, b && !b->pool, 4, "pool has not been removed");
  return cl_bullets_new(c->pools, &def, &b->pool) == CL_OK ? 0 : cll_no_memory(L);
}

// core.dropRevived(pool): undoes core:revive
static int drop_revived(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_rawgeti(L, 1, 1);
  cll_bullets *b = lua_touserdata(L, -1);
  if (b && b->pool) cl_bullets_free(b->pool);
  if (b) b->pool = NULL;
  return 0;
}

// core:restore(snapshot, pools, others) -> like core:snapshot. `pools` has those of the snapshot,
// in order, `others` those to remove. If it runs out of memory, nothing has changed.
static int world_restore(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cll_snapshot *s = cll_check_snapshot(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  luaL_checktype(L, 4, LUA_TTABLE);
  uint32_t count = cl_bullets_snapshot_pools(s->pools);
  luaL_argcheck(L, cll_rawlen(L, 3) == count, 3, "as many pools expected");
  cl_bullets **order = lua_newuserdata(L, (count + 1) * sizeof *order);
  for (uint32_t i = 0; i < count; i++) order[i] = pool_of(L, 3, i + 1)->pool;
  double dispatched;
  if (cl_pools_restore_reserve(c->pools, s->pools, order) != CL_OK ||
      cl_world_restore(c->world, s->world, &dispatched) != CL_OK) {
    return cll_no_memory(L);
  }
  for (uint32_t i = 1; i <= cll_rawlen(L, 4); i++) {
    cll_bullets *b = pool_of(L, 4, i);
    cl_bullets_free(b->pool);
    b->pool = NULL;
  }
  cl_pools_restore(c->pools, s->pools, order);
  c->dispatched = dispatched;
  lua_pushnumber(L, (double)cl_world_edits(c->world));
  return 1;
}

void cll_open_snapshot(lua_State *L) { /* stack: … core */
  static const luaL_Reg methods[] = {{"grow", snapshot_grow}, {NULL, NULL}};
  lua_newtable(L); /* stack: … core methods */
  cll_setfuncs(L, methods);
  cll_open_class(L, CLASS, snapshot_gc, NULL);
  lua_pushcfunction(L, snapshot_new);
  lua_setfield(L, -2, "newSnapshot");
  lua_pushcfunction(L, drop_revived);
  lua_setfield(L, -2, "dropRevived");
}

// core:edits() -> the present value of that number
static int world_edits(lua_State *L) {
  lua_pushnumber(L, (double)cl_world_edits(cll_check_world(L)->world));
  return 1;
}

void cll_open_world_snapshot(lua_State *L) { /* stack: … methods */
  static const luaL_Reg methods[] = {
      {"snapshot", world_snapshot}, {"edits", world_edits}, {"revive", world_revive},
      {"restore", world_restore},   {NULL, NULL},
  };
  cll_setfuncs(L, methods);
}
