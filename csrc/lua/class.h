// collide, MIT licence (see LICENSE)
//
// Classes of userdata, each with a metatable of its own that scripts cannot reach.
// Layer: lua.

#ifndef CL_LUA_CLASS_H
#define CL_LUA_CLASS_H

#include "lua/compat.h"

/// Makes the class `name`, whose methods are in the table on top of the stack; pops it.
/// `gc` frees what an object holds, which may be nothing yet; `tostring` may be NULL.
void cll_open_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring);

/// Pushes an object of the class, so many bytes of zeros, which its `gc` is called with
/// whatever happens next.
void *cll_push_object(lua_State *L, const char *name, size_t size);

/// The object of the class at `index`, NULL when the value is none. It lives as long as
/// the value.
static inline void *cll_to_object(lua_State *L, int index, const char *name) {
  void *object = lua_touserdata(L, index);
  if (!object || lua_islightuserdata(L, index) || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, name);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? object : NULL;
}

#endif
