// collide, MIT licence (see LICENSE)
//
// Classes of userdata. Layer: lua.

#include "lua/class.h"

// Fills the metatable on top of the stack for objects with the name `name` in messages and the
// methods at `methods`.
static void fill_metatable(lua_State *L, const char *name, int methods) {
  lua_pushvalue(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
}

void cll_open_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring) {
  int methods = lua_gettop(L);
  luaL_newmetatable(L, name); /* stack: … methods metatable */
  fill_metatable(L, name, methods);
  lua_pushcfunction(L, gc);
  lua_setfield(L, -2, "__gc");
  if (tostring) {
    lua_pushcfunction(L, tostring);
    lua_setfield(L, -2, "__tostring");
  }
  // The metatable of an object that has been collected: its methods are still found, and refuse it.
  lua_newtable(L); /* stack: … methods metatable collected */
  fill_metatable(L, CLL_COLLECTED, methods);
  lua_rawseti(L, -2, 1);
  lua_pop(L, 2);
}

void *cll_push_object(lua_State *L, const char *name, size_t size) {
  void *object = memset(lua_newuserdata(L, size), 0, size);
  luaL_getmetatable(L, name);
  lua_setmetatable(L, -2);
  return object;
}

void *cll_collect(lua_State *L, const char *name) {
  void *object = luaL_checkudata(L, 1, name);
  lua_getmetatable(L, 1);
  lua_rawgeti(L, -1, 1);
  lua_setmetatable(L, 1);
  return object;
}
