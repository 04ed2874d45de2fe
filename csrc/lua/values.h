// collide, MIT licence (see LICENSE)
//
// Lists of Lua's values as bytes, the same on every Lua, and back. Layer: lua.

#ifndef CL_LUA_VALUES_H
#define CL_LUA_VALUES_H

#include "base/bytes.h"
#include "lua/compat.h"

/// Stack indices of the values needed for writing: a list, a table of the numbers of actors, and
/// the values that stand for nil and for no value at all.
typedef struct cll_values {
  int list, numbers, nothing, left;
} cll_values;

/// Appends the first `count` values. Returns the place in the list of the first whole number beyond
/// 2^53, if the writer is not loose; else 0.
uint32_t cll_write_values(lua_State *L, const cll_values *v, uint32_t count, cl_writer *w);

/// Reads a list of values; the numbers of actors go into the table `numbers`, by their place in the
/// list, which has false there. Returns the number of values.
uint32_t cll_read_values(lua_State *L, const cll_values *v, cl_reader *r);

#endif
