// collide, MIT licence (see LICENSE)
//
// Classes of userdata, each with a metatable of its own that scripts cannot reach.
// Layer: lua.

#ifndef CL_LUA_CLASS_H
#define CL_LUA_CLASS_H

#include "lua/compat.h"

/// The __name of every object that has been collected.
#define CLL_COLLECTED "collide.collected"

/// Memory from the default allocator, of which the Lua state keeps the account: see
/// cll_push_object.
cl_alloc cll_alloc(lua_State *L);

/// Makes the class `name` with the methods in the table on top of the stack, and pops it. `gc` gets
/// the object from cll_collect and frees its contents, which may be nothing yet; `tostring` may be
/// NULL.
void cll_open_class(lua_State *L, const char *name, lua_CFunction gc, lua_CFunction tostring);

/// Pushes an object of the class, `size` zeroed bytes. The class's `gc` will be called with it in
/// any case. Before that, the collector is told how many bytes cll_alloc has given since the last
/// object, less what was freed without the collector: it does not see them, and has to work for
/// them as if Lua had allocated them. A collector that the game has stopped stays stopped.
void *cll_push_object(lua_State *L, const char *name, size_t size);

/// The object with which a class's `gc` is called. Finalisers may reach it even later: from now on
/// it belongs to no class, so cll_to_object never returns it.
void *cll_collect(lua_State *L, const char *name);

/// The object of the class at `index`, NULL if the value is none. It lives as long as the value.
static inline void *cll_to_object(lua_State *L, int index, const char *name) {
  void *object = lua_touserdata(L, index);
  if (!object || lua_islightuserdata(L, index) || !lua_getmetatable(L, index)) return NULL;
  luaL_getmetatable(L, name);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same ? object : NULL;
}

#endif
