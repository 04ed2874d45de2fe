// collide, MIT licence (see LICENSE)
//
// The checks that the functions about pools begin with. Layer: lua.

#include "lua/pool.h"

#include "lua/check.h"

cll_bullets *cll_check_pool(lua_State *L, const char *function) {
  cll_bullets *b = NULL;
  if (lua_istable(L, 1)) {
    lua_rawgeti(L, 1, 1);
    b = lua_touserdata(L, -1);
    if (b && lua_getmetatable(L, -1)) {
      if (!lua_rawequal(L, -1, lua_upvalueindex(1))) b = NULL;
      lua_pop(L, 1);
    } else {
      b = NULL;
    }
    lua_pop(L, 1);
  }
  if (!b) {
    cll_push_described(L, 1, false);
    cll_error(L, "%s: self expected (pool), got %s; call it with a colon", function,
              lua_tostring(L, -1));
    return NULL;
  }
  if (!*b->world) cll_error(L, "attempt to use bullets of a world that has been closed");
  if (!b->pool) cll_error(L, "attempt to use a pool that has been removed");
  return b;
}
