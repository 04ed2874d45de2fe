// collide, MIT licence (see LICENSE)
//
// The checks that the methods of a world's core begin with. Layer: lua.

#include "lua/world_core.h"

#include "lua/check.h"
#include "lua/class.h"

cll_world *cll_check_world(lua_State *L) {
  cll_world *c = cll_to_object(L, 1, CLL_WORLD);
  if (!c || !c->world) cll_error(L, "attempt to use a world that has been closed");
  return c;
}

static uint32_t check_slot(lua_State *L, const cll_world *c, int index) {
  lua_Integer slot = luaL_checkinteger(L, index);
  luaL_argcheck(L, slot >= 1 && slot <= (lua_Integer)c->io.slots, index, "no such slot");
  return (uint32_t)(slot - 1);
}

uint32_t cll_check_live(lua_State *L, const cll_world *c, int index) {
  uint32_t slot = check_slot(L, c, index);
  luaL_argcheck(L, c->io.state[slot] & CL_LIVE, index, "dead slot");
  return slot;
}
