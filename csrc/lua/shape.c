// collide, MIT licence (see LICENSE)
//
// Shapes: immutable userdata, each with a reference to a cl_shape. Layer: lua.

#include "lua/shape.h"

#include "base/tol.h"
#include "geom/tiles.h"
#include "lua/check.h"
#include "lua/class.h"

#define CLASS "collide.Shape"

cl_shape **cll_to_shape_object(lua_State *L, int index) { return cll_to_object(L, index, CLASS); }

cl_shape *cll_to_shape(lua_State *L, int index) {
  cl_shape **box = cll_to_shape_object(L, index);
  return box ? *box : NULL;
}

cl_shape *cll_check_shape(lua_State *L, int index) {
  cl_shape *shape = cll_to_shape(L, index);
  if (!shape) luaL_argerror(L, index, "shape expected");
  return shape;
}

cl_placed cll_check_placed(lua_State *L, int index) {
  const cl_shape *shape = cll_check_shape(L, index);
  cl_vec at = cll_check_vec(L, index + 1);
  return cl_place(shape, at.x, at.y, luaL_checknumber(L, index + 3));
}

// A method's first argument.
static cl_shape *self(lua_State *L, const char *function) {
  cl_shape *shape = cll_to_shape(L, 1);
  if (!shape) cll_fail(L, function, "self", "shape; call it with a colon", 1);
  return shape;
}

cl_shape **cll_push_shape(lua_State *L) { return cll_push_object(L, CLASS, sizeof(cl_shape *)); }

int cll_shape_made(lua_State *L, const char *function, cl_status status) {
  if (status == CL_NOMEM) return cll_no_memory(L);
  if (status != CL_OK) {
    return cll_error(
        L,
        "%s: shape expected (within ±1e12, sizes from 1e-60 on, and large enough for its "
        "sides to differ), got none",
        function);
  }
  return 1;
}

static int shape_gc(lua_State *L) {
  cl_shape **box = cll_collect(L, CLASS);
  if (*box) cl_shape_release(*box);
  return 0;
}

static const char *const kind_names[] = {
    [CL_RECTANGLE] = "rectangle", [CL_CIRCLE] = "circle",   [CL_CAPSULE] = "capsule",
    [CL_SEGMENT] = "segment",     [CL_POLYGON] = "polygon", [CL_CHAIN] = "chain",
    [CL_COMPOUND] = "compound",   [CL_TILES] = "tiles",
};

// shape:kind() -> "rectangle", …
static int shape_kind(lua_State *L) {
  cl_shape *shape = self(L, "shape:kind");
  cll_takes(L, "shape:kind", "no arguments", 0, lua_gettop(L) - 1);
  lua_pushstring(L, kind_names[shape->kind]);
  return 1;
}

// shape:bounds([x, y, angle]) -> left, top, width, height
static int shape_bounds(lua_State *L) {
  const char *fn = "shape:bounds";
  cl_shape *shape = self(L, fn);
  int n = lua_gettop(L) - 1;
  cll_takes(L, fn, "x, y, angle or nothing", 3, n);
  double x = n == 0 ? 0 : cll_coordinate(L, fn, "x", 2);
  double y = n == 0 ? 0 : cll_coordinate(L, fn, "y", 3);
  double angle = lua_isnoneornil(L, 4) ? 0 : cll_angle(L, fn, "angle", 4);
  cl_placed placed = cl_place(shape, x, y, angle);
  cl_bounds bounds;
  bounds = cl_placed_bounds(&placed);
  bool turned = !cl_rot_is_none(placed.rot);
  lua_pushnumber(L, bounds.l);
  lua_pushnumber(L, bounds.t);
  // As given: the difference of two rounded sums would be slightly off.
  lua_pushnumber(L, turned ? bounds.r - bounds.l : shape->w);
  lua_pushnumber(L, turned ? bounds.b - bounds.t : shape->h);
  return 4;
}

// shape:contains(px, py) -> boolean; its boundary belongs to it
static int shape_contains(lua_State *L) {
  const char *fn = "shape:contains";
  cl_shape *shape = self(L, fn);
  cll_takes(L, fn, "px, py", 2, lua_gettop(L) - 1);
  double x = cll_coordinate(L, fn, "px", 2), y = cll_coordinate(L, fn, "py", 3);
  cl_placed placed = cl_place(shape, 0, 0, 0);
  lua_pushboolean(L, cl_placed_contains(&placed, x, y));
  return 1;
}

// shape:area() -> number
static int shape_area(lua_State *L) {
  cl_shape *shape = self(L, "shape:area");
  cll_takes(L, "shape:area", "no arguments", 0, lua_gettop(L) - 1);
  lua_pushnumber(L, cl_shape_area(shape));
  return 1;
}

// Appends the points of a shape, member by member, to the list on top, which has `n` numbers;
// returns the new number.
static int add_all_points(lua_State *L, const cl_shape *shape, int n) {
  for (uint32_t i = 0; i < shape->member_count; i++) {
    n = add_all_points(L, shape->members[i], n);
  }
  for (uint32_t i = 0; i < shape->outline_count; i++) {
    lua_pushnumber(L, shape->outline[i].x);
    lua_rawseti(L, -2, ++n);
    lua_pushnumber(L, shape->outline[i].y);
    lua_rawseti(L, -2, ++n);
  }
  return n;
}

// shape:points() -> {x1, y1, x2, y2, …}
static int shape_points(lua_State *L) {
  cl_shape *shape = self(L, "shape:points");
  cll_takes(L, "shape:points", "no arguments", 0, lua_gettop(L) - 1);
  uint64_t count = cl_shape_point_count(shape);
  if (count > INT32_MAX / 2) return cll_no_memory(L); // more than a list can have
  lua_createtable(L, (int)(2 * count), 0);
  add_all_points(L, shape, 0);
  return 1;
}

// shape:radius() -> number, 0 for sharp corners
static int shape_radius(lua_State *L) {
  cl_shape *shape = self(L, "shape:radius");
  cll_takes(L, "shape:radius", "no arguments", 0, lua_gettop(L) - 1);
  lua_pushnumber(L, shape->radius);
  return 1;
}

// shape:parts() -> list of convex shapes
static int shape_parts(lua_State *L) {
  cl_shape *shape = self(L, "shape:parts");
  cll_takes(L, "shape:parts", "no arguments", 0, lua_gettop(L) - 1);
  if (shape->kind == CL_TILES) {
    cl_shape **cut = cll_push_shape(L);
    cl_status status = cl_tiles_cut(shape, cl_tiles_all(shape), cut);
    cll_shape_made(L, "shape:parts", status);
    shape = *cut;
    if (!shape) { // no solid cell
      lua_newtable(L);
      return 1;
    }
  }
  lua_createtable(L, (int)shape->part_count, 0);
  for (uint32_t i = 0; i < shape->part_count; i++) {
    cl_status status = cl_shape_part(shape, i, cll_push_shape(L));
    cll_shape_made(L, "shape:parts", status);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

// shape:translated(dx, dy) -> shape
static int shape_translated(lua_State *L) {
  const char *fn = "shape:translated";
  cl_shape *shape = self(L, fn);
  cll_takes(L, fn, "dx, dy", 2, lua_gettop(L) - 1);
  double dx = cll_coordinate(L, fn, "dx", 2), dy = cll_coordinate(L, fn, "dy", 3);
  return cll_shape_made(L, fn, cl_shape_translated(shape, dx, dy, cll_push_shape(L)));
}

// shape:rotated(angle) -> shape
static int shape_rotated(lua_State *L) {
  const char *fn = "shape:rotated";
  cl_shape *shape = self(L, fn);
  cll_takes(L, fn, "an angle", 1, lua_gettop(L) - 1);
  double angle = cll_angle(L, fn, "angle", 2);
  if (shape->kind == CL_TILES && angle != 0) {
    cll_fail(L, fn, "angle", "0, since tiles do not turn", 2);
  }
  return cll_shape_made(L, fn, cl_shape_rotated(shape, angle, cll_push_shape(L)));
}

static double scale(lua_State *L, const char *fn, const char *name, int index) {
  double s = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
  if (!(s != 0 && s >= -CL_MAX_COORD && s <= CL_MAX_COORD)) {
    cll_fail(L, fn, name, "finite number within ±1e12, not 0", index);
  }
  return s;
}

// shape:scaled(sx[, sy]) -> shape
static int shape_scaled(lua_State *L) {
  const char *fn = "shape:scaled";
  cl_shape *shape = self(L, fn);
  cll_takes(L, fn, "sx or sx, sy", 2, lua_gettop(L) - 1);
  double sx = scale(L, fn, "sx", 2);
  double sy = lua_isnoneornil(L, 3) ? sx : scale(L, fn, "sy", 3);
  if (shape->flags & CL_SHAPE_ROUND && fabs(sx) != fabs(sy)) {
    cll_fail(L, fn, "sy", "number of the size of sx, since this shape is round", 3);
  }
  if (shape->kind == CL_TILES && !(sx > 0 && sx == sy)) {
    cll_fail(L, fn, sx > 0 ? "sy" : "sx",
             sx > 0 ? "number equal to sx, since cells are square"
                    : "positive number, since tiles have no mirror image",
             sx > 0 ? 3 : 2);
  }
  return cll_shape_made(L, fn, cl_shape_scaled(shape, sx, sy, cll_push_shape(L)));
}

// shape:centered() -> shape
static int shape_centered(lua_State *L) {
  cl_shape *shape = self(L, "shape:centered");
  cll_takes(L, "shape:centered", "no arguments", 0, lua_gettop(L) - 1);
  return cll_shape_made(L, "shape:centered", cl_shape_centered(shape, cll_push_shape(L)));
}

// shape:upright() -> shape
static int shape_upright(lua_State *L) {
  cl_shape *shape = self(L, "shape:upright");
  cll_takes(L, "shape:upright", "no arguments", 0, lua_gettop(L) - 1);
  return cll_shape_made(L, "shape:upright", cl_shape_upright(shape, cll_push_shape(L)));
}

static void add_number(luaL_Buffer *buffer, const char *before, double v) {
  char text[40];
  snprintf(text, sizeof text, "%s%.14g", before, v);
  luaL_addstring(buffer, text);
}

static void add_grid(luaL_Buffer *buffer, const cl_shape *shape) {
  char text[64];
  snprintf(text, sizeof text, "grid %d x %d, ", (int)shape->grid->size[0],
           (int)shape->grid->size[1]);
  luaL_addstring(buffer, text);
  add_number(buffer, "cell ", shape->cell);
  add_number(buffer, " at ", shape->bounds.l);
  add_number(buffer, ", ", shape->bounds.t);
  if (!shape->set) return;
  int own = 0;
  for (int value = 1; value <= 255; value++) own += shape->set->kind[value] != CL_TILE_FULL;
  snprintf(text, sizeof text, ", %d value%s with a look of %s own", own, own == 1 ? "" : "s",
           own == 1 ? "its" : "their");
  luaL_addstring(buffer, text);
}

// A list of points; a long one is cut short.
static void add_points(luaL_Buffer *buffer, const cl_shape *shape) {
  enum { MOST = 8 };
  const char *before = "";
  uint32_t count = shape->kind == CL_RECTANGLE ? 1 : shape->outline_count;
  for (uint32_t i = 0; i < count && i < MOST; i++) {
    cl_vec v = shape->outline[i];
    add_number(buffer, before, v.x);
    add_number(buffer, ", ", v.y);
    before = ", ";
  }
  if (count > MOST) luaL_addstring(buffer, ", …");
}

// At most this many members of compounds, nested ones included, are written; a compound with more
// is cut short.
enum { MOST_MEMBERS = 8 };

// `count` counts the members so far.
static void add_shape(luaL_Buffer *buffer, const cl_shape *shape, int *count) {
  luaL_addstring(buffer, kind_names[shape->kind]);
  luaL_addstring(buffer, shape->kind == CL_CHAIN ? "({" : "(");
  for (uint32_t i = 0; i < shape->member_count; i++) {
    if (i > 0) luaL_addstring(buffer, ", ");
    if ((*count)++ >= MOST_MEMBERS) {
      luaL_addstring(buffer, "…");
      break;
    }
    add_shape(buffer, shape->members[i], count);
  }
  if (shape->kind == CL_TILES) {
    add_grid(buffer, shape);
    luaL_addstring(buffer, ")"); // upright is the default
    return;
  }
  if (shape->member_count == 0) add_points(buffer, shape);
  if (shape->kind == CL_RECTANGLE) {
    add_number(buffer, ", ", shape->w);
    add_number(buffer, ", ", shape->h);
  }
  if (shape->radius > 0) add_number(buffer, ", ", shape->radius);
  if (shape->kind == CL_CHAIN) luaL_addstring(buffer, shape->closed ? "}, true" : "}");
  luaL_addstring(buffer, shape->flags & CL_SHAPE_UPRIGHT ? "):upright()" : ")");
}

// tostring(shape): the call that makes an equal one.
static int shape_tostring(lua_State *L) {
  cl_shape *shape = self(L, "tostring");
  luaL_Buffer buffer;
  int count = 0;
  luaL_buffinit(L, &buffer);
  add_shape(&buffer, shape, &count);
  luaL_pushresult(&buffer);
  return 1;
}

// core.isShape(value) -> boolean
static int is_shape(lua_State *L) {
  lua_pushboolean(L, cll_to_shape(L, 1) != NULL);
  return 1;
}

static const luaL_Reg methods[] = {
    {"kind", shape_kind},
    {"bounds", shape_bounds},
    {"contains", shape_contains},
    {"area", shape_area},
    {"points", shape_points},
    {"radius", shape_radius},
    {"parts", shape_parts},
    {"translated", shape_translated},
    {"rotated", shape_rotated},
    {"scaled", shape_scaled},
    {"centered", shape_centered},
    {"upright", shape_upright},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"isShape", is_shape},
    {NULL, NULL},
};

void cll_open_shape(lua_State *L) { /* stack: … core */
  lua_newtable(L);
  cll_setfuncs(L, methods);
  cll_open_class(L, CLASS, shape_gc, shape_tostring);
  cll_setfuncs(L, functions);
}
