// collide, MIT licence (see LICENSE)
//
// Grids of bytes for Lua. Layer: lua.

#ifndef CL_LUA_GRID_H
#define CL_LUA_GRID_H

#include "cells/grid.h"
#include "lua/compat.h"

/// The grid at `index`, NULL if it is none. It lives as long as the value, and longer if it is
/// retained.
cl_grid *cll_to_grid(lua_State *L, int index);

/// Ends messages about a grid that is in 3D, perhaps by mistake.
#define CLL_CELL "newGrid(w, h, d) makes it 3D; a cell's size goes into options, { cell = 32 }"

/// Puts newGrid into the table on top of the stack.
void cll_open_grid(lua_State *L);

#endif
