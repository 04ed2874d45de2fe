// collide, MIT licence (see LICENSE)
//
// Methods of the core by which queries.lua asks what lies where. All begin with
//   core, actors, low, high, ignored, ignored2
// where low and high have a bit for each group that is meant, of groups 0 to 31
// and 32 to 63; slots that are ignored count from 1, 0 being none. Layer: lua.

#include "lua/check.h"
#include "lua/shape.h"
#include "lua/world.h"
#include "world/queries.h"

// The first argument of a method's own.
enum { ACTORS = 2, OWN = 7 };

static cl_filter check_filter(lua_State *L) {
  luaL_checktype(L, ACTORS, LUA_TTABLE);
  uint64_t low = (uint64_t)luaL_checknumber(L, 3), high = (uint64_t)luaL_checknumber(L, 4);
  // 0, no actor, becomes CL_NOBODY.
  uint32_t first = (uint32_t)luaL_checkinteger(L, 5) - 1;
  uint32_t second = (uint32_t)luaL_checkinteger(L, 6) - 1;
  return (cl_filter){high << 32 | low, {first, second}};
}

static cl_placed check_placed(lua_State *L, int index) {
  return cl_place(cll_check_shape(L, index), luaL_checknumber(L, index + 1),
                  luaL_checknumber(L, index + 2), luaL_checknumber(L, index + 3));
}

static void push_actor(lua_State *L, const cl_answer *answer) {
  lua_rawgeti(L, ACTORS, (int)answer->slot + 1);
}

static int push_list(lua_State *L, cl_status status, cl_answers answers) {
  if (status != CL_OK) return cll_no_memory(L);
  lua_createtable(L, (int)answers.count, 0);
  for (size_t i = 0; i < answers.count; i++) {
    push_actor(L, &answers.at[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pushinteger(L, (lua_Integer)answers.count);
  return 2;
}

// core:queryPoint(…, x, y) -> list, n
static int query_point(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_answers answers = {NULL, 0};
  double x = luaL_checknumber(L, OWN), y = luaL_checknumber(L, OWN + 1);
  cl_status status = cl_world_query_point(c->world, x, y, check_filter(L), &answers);
  return push_list(L, status, answers);
}

// core:queryShape(…, shape, x, y, angle) -> list, n
static int query_shape(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_answers answers = {NULL, 0};
  cl_placed with = check_placed(L, OWN);
  cl_status status = cl_world_query_shape(c->world, &with, check_filter(L), &answers);
  return push_list(L, status, answers);
}

// core:nearest(…, x, y, most) -> list, n, distances
static int nearest(lua_State *L) {
  cll_world *c = cll_check_world(L);
  cl_answers answers = {NULL, 0};
  double x = luaL_checknumber(L, OWN), y = luaL_checknumber(L, OWN + 1);
  double most = luaL_checknumber(L, OWN + 2);
  size_t limit = most < UINT32_MAX ? (size_t)most : UINT32_MAX;
  cl_status status = cl_world_nearest(c->world, x, y, limit, check_filter(L), &answers);
  push_list(L, status, answers);
  lua_createtable(L, (int)answers.count, 0);
  for (size_t i = 0; i < answers.count; i++) {
    lua_pushnumber(L, answers.at[i].distance);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 3;
}

static void set_number(lua_State *L, const char *name, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}

static int push_casts(lua_State *L, cl_answers answers) {
  lua_createtable(L, (int)answers.count, 0);
  for (size_t i = 0; i < answers.count; i++) {
    const cl_cast *cast = &answers.at[i].cast;
    lua_createtable(L, 0, 6);
    push_actor(L, &answers.at[i]);
    lua_setfield(L, -2, "actor");
    set_number(L, "x", cast->x);
    set_number(L, "y", cast->y);
    set_number(L, "nx", cast->nx);
    set_number(L, "ny", cast->ny);
    set_number(L, "t", cast->t);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pushinteger(L, (lua_Integer)answers.count);
  return 2;
}

static int push_cast(lua_State *L, cl_answers answers) {
  if (answers.count == 0) {
    lua_pushnil(L);
    return 1;
  }
  const cl_cast *cast = &answers.at[0].cast;
  push_actor(L, &answers.at[0]);
  lua_pushnumber(L, cast->x);
  lua_pushnumber(L, cast->y);
  lua_pushnumber(L, cast->nx);
  lua_pushnumber(L, cast->ny);
  lua_pushnumber(L, cast->t);
  return 6;
}

static int cast(lua_State *L, const cl_path *path, bool all) {
  cll_world *c = cll_check_world(L);
  cl_answers answers = {NULL, 0};
  cl_status status = cl_world_cast(c->world, path, all, check_filter(L), &answers);
  if (status != CL_OK) return cll_no_memory(L);
  return all ? push_casts(L, answers) : push_cast(L, answers);
}

// core:rayCast(…, all, x1, y1, x2, y2) -> actor, x, y, nx, ny, t, or nil; with
// `all` list, n
static int ray_cast(lua_State *L) {
  cl_path path = {luaL_checknumber(L, OWN + 1), luaL_checknumber(L, OWN + 2),
                  luaL_checknumber(L, OWN + 3), luaL_checknumber(L, OWN + 4), NULL};
  return cast(L, &path, lua_toboolean(L, OWN));
}

// core:shapeCast(…, all, dx, dy, shape, x, y, angle) -> the same
static int shape_cast(lua_State *L) {
  cl_placed mover = check_placed(L, OWN + 3);
  cl_path path = {0, 0, luaL_checknumber(L, OWN + 1), luaL_checknumber(L, OWN + 2), &mover};
  return cast(L, &path, lua_toboolean(L, OWN));
}

static const luaL_Reg methods[] = {
    {"queryPoint", query_point}, {"queryShape", query_shape}, {"nearest", nearest},
    {"rayCast", ray_cast},       {"shapeCast", shape_cast},   {NULL, NULL},
};

void cll_open_queries(lua_State *L) { cll_setfuncs(L, methods); }
