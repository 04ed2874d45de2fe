// collide, MIT licence (see LICENSE)
//
// Reading and writing the actors' tables for snapshots. Layer: lua.

#ifndef CL_LUA_FIELDS_H
#define CL_LUA_FIELDS_H

#include "lua/compat.h"

/// core.readFields and core.writeFields.
int cll_read_fields(lua_State *L);
int cll_write_fields(lua_State *L);

#endif
