// collide, MIT licence (see LICENSE)
//
// Messages about arguments. Layer: lua.

#include "lua/check.h"

#include <stdio.h>
#include <string.h>

#include "base/tol.h"
#include "lua/bitmap.h"
#include "lua/grid.h"
#include "lua/shape.h"

// Longer strings are cut, so that a message stays a line.
enum { LONGEST = 40 };

static void push_number(lua_State *L, int index) {
  lua_Number v = lua_tonumber(L, index);
  char text[32];
  // Not left to printf, since C libraries differ in how they write these.
  if (v != v) strcpy(text, "nan");
  else if (v > DBL_MAX) strcpy(text, "inf");
  else if (v < -DBL_MAX) strcpy(text, "-inf");
  else snprintf(text, sizeof text, "%.14g", v);
  lua_pushstring(L, text);
}

static const char *own_name(lua_State *L, int index) {
  if (cll_to_shape(L, index)) return "shape";
  if (cll_to_grid(L, index)) return "grid";
  if (cll_is_bitmap(L, index)) return "bitmap";
  if (luaL_getmetafield(L, index, "__name")) {
    bool world = lua_type(L, -1) == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "collide.World");
    lua_pop(L, 1);
    if (world) return "world";
  }
  return luaL_typename(L, index);
}

void cll_push_described(lua_State *L, int index, bool number_wanted) {
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL: lua_pushliteral(L, "nil"); break;
  case LUA_TBOOLEAN:
    lua_pushfstring(L, "boolean %s", lua_toboolean(L, index) ? "true" : "false");
    break;
  case LUA_TNUMBER:
    push_number(L, index);
    if (number_wanted) break;
    lua_pushfstring(L, "number %s", lua_tostring(L, -1));
    lua_remove(L, -2);
    break;
  case LUA_TSTRING: {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (length > LONGEST) {
      lua_pushlstring(L, text, LONGEST);
      lua_pushfstring(L, "string \"%s…\"", lua_tostring(L, -1));
      lua_remove(L, -2);
    } else {
      lua_pushfstring(L, "string \"%s\"", text);
    }
    break;
  }
  default: lua_pushstring(L, own_name(L, index));
  }
}

int cll_fail(lua_State *L, const char *function, const char *name, const char *expected,
             int index) {
  // First, since what is pushed would stand where a missing argument is looked for.
  cll_push_described(L, index, strstr(expected, "number") != NULL);
  return luaL_error(L, "%s: %s expected (%s), got %s", function, name, expected,
                    lua_tostring(L, -1));
}

void cll_takes(lua_State *L, const char *function, const char *takes, int most, int given) {
  if (given <= most) return;
  luaL_error(L, "%s takes %s, got %d argument%s", function, takes, given, given == 1 ? "" : "s");
}

static bool within(lua_State *L, int index, double most, double *v) {
  if (lua_type(L, index) != LUA_TNUMBER) return false;
  *v = lua_tonumber(L, index);
  return *v >= -most && *v <= most; // false for nan
}

double cll_coordinate(lua_State *L, const char *function, const char *name, int index) {
  double v = 0;
  if (!within(L, index, CL_MAX_COORD, &v)) {
    cll_fail(L, function, name, "finite number within ±1e12", index);
  }
  return v;
}

double cll_size(lua_State *L, const char *function, const char *name, int index) {
  double v = 0;
  if (!within(L, index, CL_MAX_COORD, &v) || v <= 0) {
    cll_fail(L, function, name, "positive number up to 1e12", index);
  }
  return v;
}

double cll_angle(lua_State *L, const char *function, const char *name, int index) {
  double v = 0;
  if (!within(L, index, CL_MAX_ANGLE, &v)) {
    cll_fail(L, function, name, "number of radians within ±2^30", index);
  }
  return v;
}

bool cll_boolean(lua_State *L, const char *function, const char *name, int index) {
  if (!lua_isboolean(L, index)) cll_fail(L, function, name, "boolean", index);
  return lua_toboolean(L, index);
}

int cll_no_memory(lua_State *L) { return luaL_error(L, "not enough memory"); }

int cll_describe(lua_State *L) {
  cll_push_described(L, 1, lua_toboolean(L, 2));
  return 1;
}
