// collide, MIT licence (see LICENSE)
//
// The module collide.core, the base of lua/collide/, with the core's constants, the layouts of the
// structs that Lua files access through pointers, and the version of this interface. Layer: lua.

#include "lua/binding.h"

#include "base/vec.h"
#include "bitmap/bitmap.h"
#include "bullets/save.h"
#include "bump/bump.h"
#include "cells/ray.h"

// Counts the changes that make older Lua files and a newer core, or the reverse, incompatible:
// changes to functions of collide.core, their arguments and results, constants or layouts. The same
// number is in lua/collide/binding.lua.
enum { BINDING = 36 };

// The Lua version that this library was built for; for LuaJIT that is Lua 5.1. If the library
// cannot be loaded, lua/collide/binding.lua finds this text in the file.
#define BUILD "collide.core for " LUA_VERSION

static void set_constants(lua_State *L) {
  static const struct {
    const char *name;
    double value;
  } constants[] = {
      {"BINDING", BINDING},
#define CONSTANT(name) {#name, (double)CL_##name}
      CONSTANT(EVENT_ENTER),
      CONSTANT(EVENT_HIT),
      CONSTANT(EVENT_LEAVE),
      CONSTANT(EVENT_UPDATE),
      CONSTANT(CALL_LEAVE_A),
      CONSTANT(CALL_LEAVE_B),
      CONSTANT(CALL_ENTER_A),
      CONSTANT(CALL_ENTER_B),
      CONSTANT(CALL_HIT_A),
      CONSTANT(CALL_HIT_B),
      CONSTANT(CALL_NUMBERS),
      CONSTANT(CALLS),
      CONSTANT(MAX_GROUPS),
      CONSTANT(LIVE),
      CONSTANT(STATIC),
      CONSTANT(ALL_DISPATCHED),
      CONSTANT(MAX_COORD),
      CONSTANT(MAX_ANGLE),
      CONSTANT(BROAD_MAX_DEPTH),
      CONSTANT(BITMAP_MAX_SIDE),
      CONSTANT(BITMAP_MAX_CELLS),
      CONSTANT(BITMAP_MAX_SAMPLES),
      CONSTANT(BITMAP_MIN_CELL),
      CONSTANT(MAX_CELL),
      CONSTANT(GRID_MOST),
      CONSTANT(TILE_FULL_SQUARE),
      CONSTANT(TILE_SENSOR),
      CONSTANT(TILE_OWN_WAY),
      CONSTANT(MAX_BULLETS),
      CONSTANT(BULLET_EVENT_HIT),
      CONSTANT(BULLET_EVENT_GRAZE),
      CONSTANT(BULLET_EVENT_EXPIRED),
      CONSTANT(BULLET_EVENT_TIMER),
      CONSTANT(SHOT_GRAZE),
      CONSTANT(SHOT_HIT),
      CONSTANT(SHOT_EXPIRED),
      CONSTANT(SHOT_TIMER),
#undef CONSTANT
      {"STATES_STATIC", CLL_STATES_STATIC},
      {"STATES_SENSOR", CLL_STATES_SENSOR},
      {"STATES_ONE_WAY", CLL_STATES_ONE_WAY},
      {"STATES_SWEPT", CLL_STATES_SWEPT},
      {"STATES_GROUP", CLL_STATES_GROUP},
      {"MOST_EXACT", CLL_MOST_EXACT},
      {"RAY_IGNORED", CLL_RAY_IGNORED},
      {"PROBE", CLL_PROBE},
      {"ALIKE", CLL_ALIKE},
      {"ASKS", CLL_ASKS},
      {"BUMP_MIN_CELL", CL_BUMP_MIN_CELL},
      {"ODD_PLACE", CLL_ODD_PLACE},
      {"HAS_ANGLE", CLL_HAS_ANGLE},
      {"ODD_ANGLE", CLL_ODD_ANGLE},
  };
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    double value = constants[i].value;
    if (value < INT32_MAX && value == floor(value)) lua_pushinteger(L, (lua_Integer)value);
    else lua_pushnumber(L, value);
    lua_setfield(L, -2, constants[i].name);
  }
}

static const cl_field world_layout[] = {
    CL_FIELD(cll_world, io.place, "place", cl_vec *),
    CL_FIELD(cll_world, io.angle, "angle", double *),
    CL_FIELD(cll_world, io.state, "state", const uint8_t *),
    CL_FIELD(cll_world, io.slots, "slots", uint32_t),
    CL_FIELD(cll_world, io.event, "event", const uint32_t *),
    CL_FIELD(cll_world, io.events, "events", uint32_t),
    CL_FIELD(cll_world, io.leaves, "leaves", uint32_t),
    CL_FIELD(cll_world, io.contact, "contact", const cl_pair *),
    CL_FIELD(cll_world, io.ended, "ended", const cl_pair *),
    CL_FIELD(cll_world, io.hit, "hit", const cl_hit *),
    CL_FIELD(cll_world, io.calls, "calls", const uint8_t *),
    CL_FIELD(cll_world, io.ended_calls, "ended_calls", const uint8_t *),
    CL_FIELD(cll_world, io.time, "time", const double *),
    CL_FIELD(cll_world, dispatched, "dispatched", double),
    CL_FIELD(cll_world, ray_cast, "ray_cast",
             int32_t (*)(cll_world *, double, double, int32_t, double, double, double, double)),
    CL_FIELD(cll_world, rays_ignore, "rays_ignore", uint32_t *),
    CL_FIELD(cll_world, cast.t, "cast_t", double),
    CL_FIELD(cll_world, cast.x, "cast_x", double),
    CL_FIELD(cll_world, cast.y, "cast_y", double),
    CL_FIELD(cll_world, cast.nx, "cast_nx", double),
    CL_FIELD(cll_world, cast.ny, "cast_ny", double),
    CL_FIELD(cll_world, cast_member, "cast_member", uint32_t),
    CL_FIELD(cll_world, move_now, "move_now",
             int32_t (*)(cll_world *, double, double, double, double, double, double, double,
                         double, double)),
    CL_FIELD(cll_world, move_on, "move_on", int32_t (*)(cll_world *, double)),
    CL_FIELD(cll_world, move_commit, "move_commit", int32_t (*)(cll_world *)),
    CL_FIELD(cll_world, stride, "stride", int32_t (*)(cll_world *)),
    CL_FIELD(cll_world, stride_in, "stride_in", double *),
    CL_FIELD(cll_world, moved.x, "moved_x", double),
    CL_FIELD(cll_world, moved.y, "moved_y", double),
    CL_FIELD(cll_world, asked.mover, "asked_mover", uint32_t),
    CL_FIELD(cll_world, asked.other, "asked_other", uint32_t),
    CL_FIELD(cll_world, asked.nx, "asked_nx", double),
    CL_FIELD(cll_world, asked.ny, "asked_ny", double),
    CL_FIELD(cll_world, asked.value, "asked_value", int32_t),
    CL_FIELD(cll_world, asked.sensor, "asked_sensor", bool),
    CL_FIELD(cll_world, move_hit, "move_hit", const cl_move_hit *),
    CL_FIELD(cll_world, along, "along", bool),
    {NULL, NULL, 0},
};

static const cl_field place_layout[] = {
    CL_FIELD(cl_vec, x, "x", double),
    CL_FIELD(cl_vec, y, "y", double),
    {NULL, NULL, 0},
};

static const cl_field pair_layout[] = {
    CL_FIELD(cl_pair, a, "a", uint32_t),
    CL_FIELD(cl_pair, b, "b", uint32_t),
    {NULL, NULL, 0},
};

static const cl_field hit_layout[] = {
    CL_FIELD(cl_hit, nx, "nx", double),
    CL_FIELD(cl_hit, ny, "ny", double),
    CL_FIELD(cl_hit, depth, "depth", double),
    {NULL, NULL, 0},
};

static const cl_field snapshot_layout[] = {
    CL_FIELD(cll_snapshot, place, "place", const cl_vec *),
    CL_FIELD(cll_snapshot, angle, "angle", const double *),
    CL_FIELD(cll_snapshot, flag, "flag", uint8_t *),
    CL_FIELD(cll_snapshot, number, "number", double *),
    CL_FIELD(cll_snapshot, slots, "slots", uint32_t),
    CL_FIELD(cll_snapshot, numbers, "numbers", uint32_t),
    CL_FIELD(cll_snapshot, number_room, "number_room", uint32_t),
    {NULL, NULL, 0},
};

static const cl_field move_hit_layout[] = {
    CL_FIELD(cl_move_hit, slot, "slot", uint32_t),
    CL_FIELD(cl_move_hit, member, "member", uint32_t),
    CL_FIELD(cl_move_hit, normal, "normal", cl_vec),
    CL_FIELD(cl_move_hit, at, "at", cl_vec),
    CL_FIELD(cl_move_hit, point, "point", cl_vec),
    CL_FIELD(cl_move_hit, t, "t", double),
    CL_FIELD(cl_move_hit, column, "column", int32_t),
    CL_FIELD(cl_move_hit, row, "row", int32_t),
    CL_FIELD(cl_move_hit, value, "value", int32_t),
    CL_FIELD(cl_move_hit, response, "response", uint8_t),
    CL_FIELD(cl_move_hit, inside, "inside", bool),
    CL_FIELD(cl_move_hit, crushed, "crushed", bool),
    {NULL, NULL, 0},
};

static const cl_field pool_layout[] = {
    CL_FIELD(cll_bullets, pool, "pool", cl_bullets *),
    CL_FIELD(cll_bullets, world, "world", cl_world *const *),
    CL_FIELD(cll_bullets, spawn, "spawn",
             double (*)(cll_bullets *, double, double, double, double, double)),
    {NULL, NULL, 0},
};

// layouts[name] = {{name =, type =, at =}, …}, in the order of offsets; for structs in arrays also
// `size`, the size of the struct.
static void set_layout(lua_State *L, const char *name, const cl_field *field, size_t size) {
  lua_newtable(L);
  for (int i = 1; field->name; i++, field++) {
    lua_newtable(L);
    lua_pushstring(L, field->name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, field->type);
    lua_setfield(L, -2, "type");
    cll_set_whole(L, "at", (double)field->at);
    lua_rawseti(L, -2, i);
  }
  if (size > 0) cll_set_whole(L, "size", (double)size);
  lua_setfield(L, -2, name);
}

static void open_binding(lua_State *L) { /* stack: … core */
  set_constants(L);
  lua_pushliteral(L, BUILD);
  lua_setfield(L, -2, "BUILD");
  lua_pushstring(L, cl_version());
  lua_setfield(L, -2, "VERSION");
  lua_newtable(L);
  set_layout(L, "world", world_layout, 0);
  set_layout(L, "place", place_layout, sizeof(cl_vec));
  set_layout(L, "pair", pair_layout, sizeof(cl_pair));
  set_layout(L, "hit", hit_layout, sizeof(cl_hit));
  set_layout(L, "snapshot", snapshot_layout, 0);
  set_layout(L, "move_hit", move_hit_layout, sizeof(cl_move_hit));
  set_layout(L, "pool", pool_layout, 0);
  set_layout(L, "bullets", cl_bullets_layout, 0);
  set_layout(L, "walk", cll_walk_layout, 0);
  set_layout(L, "bump", cll_bump_layout, 0);
  set_layout(L, "found", cll_found_layout, sizeof(cl_bump_found));
  set_layout(L, "bump_hit", cll_bump_hit_layout, sizeof(cl_bump_hit));
  lua_setfield(L, -2, "layouts");
}

// collide.sin(a), collide.cos(a), collide.atan2(y, x): the same bits on every machine
static int core_sin(lua_State *L, const cll_call *call) {
  double s, c;
  cl_sincos(call->v[0], &s, &c);
  lua_pushnumber(L, s);
  return 1;
}

static int core_cos(lua_State *L, const cll_call *call) {
  double s, c;
  cl_sincos(call->v[0], &s, &c);
  lua_pushnumber(L, c);
  return 1;
}

static int core_atan2(lua_State *L, const cll_call *call) {
  lua_pushnumber(L, cl_atan2(call->v[0], call->v[1]));
  return 1;
}

// core.protected(handler, f, …) -> true and the results of f(…), or false and what handler(error)
// returns. As xpcall, but a coroutine cannot yield across it: that raises.
static int core_protected(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 1);
  lua_pushboolean(L, status == 0);
  lua_replace(L, 1);
  return lua_gettop(L);
}

static const cll_function functions[] = {
    {core_sin, "collide.sin", "an angle", "a:angle"},
    {core_cos, "collide.cos", "an angle", "a:angle"},
    {core_atan2, "collide.atan2", "y and x", "y:finite x:finite"},
    {NULL, NULL, NULL, NULL},
};

CL_EXPORT int luaopen_collide_core(lua_State *L);

CL_EXPORT int luaopen_collide_core(lua_State *L) {
  lua_newtable(L);
  cll_set_functions(L, functions, cll_enter_dot, 0);
  lua_pushcfunction(L, core_protected);
  lua_setfield(L, -2, "protected");
  open_binding(L);
  cll_open_check(L);
  cll_open_query_front(L);
  cll_open_move_front(L);
  cll_open_host(L);
  cll_open_shape(L);
  cll_open_grid(L);
  cll_open_bitmap(L);
  cll_open_world(L);
  cll_open_bullets(L);
  cll_open_bump(L);
  cll_open_bump_front(L);
  cll_open_snapshot(L);
  cll_open_pack(L);
  return 1;
}
