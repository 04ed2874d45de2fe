// collide, MIT licence (see LICENSE)
//
// Functions about two placed shapes, each given as shape, x, y, angle. The Lua side reads these
// from tables and checks them. Layer: lua.

#include "lua/pairs.h"

#include "lua/check.h"
#include "lua/shape.h"

// core.overlap(shapeA, xA, yA, angleA, shapeB, xB, yB, angleB, touching)
//   -> nil, or nx, ny, depth
static int overlap(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_hit hit;
  if (!cl_overlap(&a, &b, lua_toboolean(L, 9), &hit)) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushnumber(L, hit.nx);
  lua_pushnumber(L, hit.ny);
  lua_pushnumber(L, hit.depth);
  return 3;
}

// core.overlaps(…, touching), the same without a way out -> boolean
static int overlaps(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  lua_pushboolean(L, cl_overlaps(&a, &b, lua_toboolean(L, 9)));
  return 1;
}

static void set_number(lua_State *L, const char *name, double v) {
  lua_pushnumber(L, v);
  lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, int v) {
  lua_pushinteger(L, v);
  lua_setfield(L, -2, name);
}

// core.contact(…, touching)
//   -> list of {x =, y =, depth =, nx =, ny =}, against tiles also col =, row =, value =
static int contact(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_contact points[CL_CONTACTS_MOST];
  int n = cl_contacts(&a, &b, lua_toboolean(L, 9), points);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    const cl_contact *c = &points[i];
    lua_createtable(L, 0, c->is_tile ? 8 : 5);
    set_number(L, "x", c->x);
    set_number(L, "y", c->y);
    set_number(L, "depth", c->depth);
    set_number(L, "nx", c->nx);
    set_number(L, "ny", c->ny);
    if (c->is_tile) {
      set_integer(L, "col", c->column);
      set_integer(L, "row", c->row);
      set_integer(L, "value", c->value);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// core.distance(…) -> distance, xA, yA, xB, yB
static int distance(lua_State *L) {
  cl_placed a = cll_check_placed(L, 1), b = cll_check_placed(L, 5);
  cl_gap gap = cl_distance(&a, &b);
  lua_pushnumber(L, gap.distance);
  lua_pushnumber(L, gap.a.x);
  lua_pushnumber(L, gap.a.y);
  lua_pushnumber(L, gap.b.x);
  lua_pushnumber(L, gap.b.y);
  return 5;
}

static const luaL_Reg functions[] = {
    {"overlap", overlap},   {"overlaps", overlaps}, {"contact", contact},
    {"distance", distance}, {NULL, NULL},
};

void cll_open_pairs(lua_State *L) { cll_setfuncs(L, functions); }
