// collide, MIT licence (see LICENSE)
//
// Classes of userdata. Layer: lua.

#include "lua/class.h"

void cll_open_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring) {
  luaL_newmetatable(L, name); /* stack: … methods metatable */
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  if (tostring) {
    lua_pushcfunction(L, tostring);
    lua_setfield(L, -2, "__tostring");
  }
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void *cll_push_object(lua_State *L, const char *name, size_t size) {
  void *object = memset(lua_newuserdata(L, size), 0, size);
  luaL_getmetatable(L, name);
  lua_setmetatable(L, -2);
  return object;
}
