// collide, MIT licence (see LICENSE)
//
// One source for Lua 5.1 to 5.5 and LuaJIT: functions that differ between versions, under our own
// names (LuaJIT says 5.1 and has some of 5.2). Layer: lua.

#ifndef CL_LUA_COMPAT_H
#define CL_LUA_COMPAT_H

#include "base/config.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default) // these functions are Lua's, not ours
#endif
#include <lauxlib.h>
#include <lua.h>
// What raises does not return: Lua's headers, which are C89, cannot say so.
LUA_API _Noreturn int(lua_error)(lua_State *L);
LUALIB_API _Noreturn int(luaL_argerror)(lua_State *L, int index, const char *message);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/// Whole numbers up to this are exact as doubles: 2^53.
#define CLL_MOST_EXACT 9007199254740992.0

/// Adds functions from a list that ends in {NULL, NULL} to the table on top.
static inline void cll_setfuncs(lua_State *L, const luaL_Reg *reg) {
  for (; reg->name; reg++) {
    lua_pushcfunction(L, reg->func);
    lua_setfield(L, -2, reg->name);
  }
}

/// The number of elements of a table, without metamethods.
static inline size_t cll_rawlen(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 502
  return (size_t)lua_rawlen(L, index);
#else
  return lua_objlen(L, index);
#endif
}

/// Pushes a whole number within ±2^53: as an integer if Lua has them.
static inline void cll_pushwhole(lua_State *L, double v) {
#if LUA_VERSION_NUM >= 503
  lua_pushinteger(L, (lua_Integer)v);
#else
  lua_pushnumber(L, v);
#endif
}

/// Replaces the key on top by its value in the table at index `t`, without metamethods;
/// returns its type.
static inline int cll_rawget(lua_State *L, int t) {
#if LUA_VERSION_NUM >= 503
  return lua_rawget(L, t);
#else
  lua_rawget(L, t);
  return lua_type(L, -1);
#endif
}

/// Pushes t[k] for the table at index `t` and the key at index `k`, with metamethods; returns its
/// type. Most fields are present, and are read raw, which avoids Lua's preparations for a
/// metamethod call.
static inline int cll_gettable(lua_State *L, int t, int k) {
  lua_pushvalue(L, k);
  int type = cll_rawget(L, t);
  if (type != LUA_TNIL || !lua_getmetatable(L, t)) return type;
  lua_pop(L, 2);
  lua_pushvalue(L, k);
  lua_gettable(L, t);
  return lua_type(L, -1);
}

#endif
