// collide, MIT licence (see LICENSE)
//
// The module collide.core: the base of lua/collide/. Layer: lua.

#include "base/tol.h"
#include "base/trig.h"
#include "lua/binding.h"
#include "lua/bitmap.h"
#include "lua/bullets.h"
#include "lua/check.h"
#include "lua/constructors.h"
#include "lua/differ.h"
#include "lua/fields.h"
#include "lua/grid.h"
#include "lua/gridray.h"
#include "lua/host.h"
#include "lua/pack.h"
#include "lua/pairs.h"
#include "lua/shape.h"
#include "lua/snapshot.h"
#include "lua/world.h"

static double angle(lua_State *L, const char *fn) {
  cll_takes(L, fn, "an angle", 1, lua_gettop(L));
  return cll_angle(L, fn, "angle", 1);
}

// core.sin(angle), core.cos(angle): the same bits on every machine
static int core_sin(lua_State *L) {
  double s, c;
  cl_sincos(angle(L, "sin"), &s, &c);
  lua_pushnumber(L, s);
  return 1;
}

static int core_cos(lua_State *L) {
  double s, c;
  cl_sincos(angle(L, "cos"), &s, &c);
  lua_pushnumber(L, c);
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

static const luaL_Reg functions[] = {
    {"describe", cll_describe},
    {"ownName", cll_own_name_of},
    {"raise", cll_raise},
    {"checkDot", cll_dot_of},
    {"setModule", cll_set_module},
    {"setHome", cll_set_home},
    {"sin", core_sin},
    {"cos", core_cos},
    {"protected", core_protected},
    {"readFields", cll_read_fields},
    {"writeFields", cll_write_fields},
    {NULL, NULL},
};

CL_EXPORT int luaopen_collide_core(lua_State *L);

CL_EXPORT int luaopen_collide_core(lua_State *L) {
  lua_newtable(L);
  cll_setfuncs(L, functions);
  cll_open_binding(L);
  cll_open_host(L);
  cll_open_shape(L);
  cll_open_constructors(L);
  cll_open_pairs(L);
  cll_open_bitmap(L);
  cll_open_world(L);
  cll_open_grid(L);
  cll_open_gridray(L);
  cll_open_bullets(L);
  cll_open_snapshot(L);
  cll_open_pack(L);
  cll_open_differ(L);
  return 1;
}
