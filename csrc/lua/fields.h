// collide, MIT licence (see LICENSE)
//
// Reading and writing the actors' tables for snapshots. Layer: lua.

#ifndef CL_LUA_FIELDS_H
#define CL_LUA_FIELDS_H

#include "lua/compat.h"

/// Which fields of an actor say what they would mean without it: flags that are false, and the
/// group "default". A restore leaves nil where a field was nil.
enum {
  CLL_STATES_STATIC = 1,
  CLL_STATES_SENSOR = 2,
  CLL_STATES_ONE_WAY = 4,
  CLL_STATES_SWEPT = 8,
  CLL_STATES_GROUP = 16,
};

/// core.readFields and core.writeFields.
int cll_read_fields(lua_State *L);
int cll_write_fields(lua_State *L);

#endif
