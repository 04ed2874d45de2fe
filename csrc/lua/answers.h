// collide, MIT licence (see LICENSE)
//
// Methods of a world's core that ask about the last step. Layer: lua.

#ifndef CL_LUA_ANSWERS_H
#define CL_LUA_ANSWERS_H

#include "lua/compat.h"

/// Puts them into the table on top.
void cll_open_answers(lua_State *L);

#endif
