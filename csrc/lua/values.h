// collide, MIT licence (see LICENSE)
//
// Lists of Lua's values as bytes, the same on every Lua, and back. Layer: lua.

#ifndef CL_LUA_VALUES_H
#define CL_LUA_VALUES_H

#include "base/bytes.h"
#include "lua/compat.h"

/// Where on the stack is what values are written by: a list, a table that gives the number of an
/// actor, and what stands for nil and for nothing at all.
typedef struct cll_values {
  int list, numbers, nothing, left;
} cll_values;

/// Appends the first `count` values. Returns the place in the list of the first that is a whole
/// number beyond 2^53, where the writer is not loose; else 0.
uint32_t cll_write_values(lua_State *L, const cll_values *v, uint32_t count, cl_writer *w);

/// Reads a list of values; the numbers of actors go into the table `numbers`, by the place in
/// the list, which has false there. Returns how many.
uint32_t cll_read_values(lua_State *L, const cll_values *v, cl_reader *r);

#endif
