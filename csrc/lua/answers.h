// collide, MIT licence (see LICENSE)
//
// Methods of a world's core about the last step. Layer: lua.

#ifndef CL_LUA_ANSWERS_H
#define CL_LUA_ANSWERS_H

#include "lua/compat.h"

/// Adds the methods to the table on top of the stack.
void cll_open_answers(lua_State *L);

#endif
