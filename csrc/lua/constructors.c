// collide, MIT licence (see LICENSE)
//
// collide.rectangle, circle, capsule, segment, polygon, chain, compound and tiles: from
// Lua's arguments to shapes. Layer: lua.

#include "lua/constructors.h"

#include "geom/tiles.h"
#include "lua/check.h"
#include "lua/grid.h"
#include "lua/shape.h"

// collide.rectangle(w, h) or (x, y, w, h) -> shape
static int rectangle(lua_State *L) {
  const char *fn = "collide.rectangle";
  cl_alloc alloc = cl_alloc_default();
  int n = lua_gettop(L), size = n <= 2 ? 1 : 3;
  cll_takes(L, fn, "w, h or x, y, w, h", 4, n);
  double x = n <= 2 ? 0 : cll_coordinate(L, fn, "x", 1);
  double y = n <= 2 ? 0 : cll_coordinate(L, fn, "y", 2);
  double w = cll_size(L, fn, "w", size), h = cll_size(L, fn, "h", size + 1);
  return cll_shape_made(L, fn, cl_shape_rectangle(&alloc, x, y, w, h, cll_push_shape(L)));
}

// collide.circle(r) or (x, y, r) -> shape
static int circle(lua_State *L) {
  const char *fn = "collide.circle";
  cl_alloc alloc = cl_alloc_default();
  int n = lua_gettop(L);
  cll_takes(L, fn, "r or x, y, r", 3, n);
  double x = n <= 1 ? 0 : cll_coordinate(L, fn, "x", 1);
  double y = n <= 1 ? 0 : cll_coordinate(L, fn, "y", 2);
  double r = cll_size(L, fn, "r", n <= 1 ? 1 : 3);
  return cll_shape_made(L, fn, cl_shape_circle(&alloc, x, y, r, cll_push_shape(L)));
}

// The two ends of a capsule or segment.
typedef struct ends {
  double x1, y1, x2, y2;
} ends;

static ends check_ends(lua_State *L, const char *fn) {
  return (ends){
      cll_coordinate(L, fn, "x1", 1),
      cll_coordinate(L, fn, "y1", 2),
      cll_coordinate(L, fn, "x2", 3),
      cll_coordinate(L, fn, "y2", 4),
  };
}

// collide.capsule(x1, y1, x2, y2, r) -> shape
static int capsule(lua_State *L) {
  const char *fn = "collide.capsule";
  cl_alloc alloc = cl_alloc_default();
  cll_takes(L, fn, "x1, y1, x2, y2, r", 5, lua_gettop(L));
  ends e = check_ends(L, fn);
  double r = cll_size(L, fn, "r", 5);
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, fn, cl_shape_capsule(&alloc, e.x1, e.y1, e.x2, e.y2, r, box));
}

// collide.segment(x1, y1, x2, y2) -> shape
static int segment(lua_State *L) {
  const char *fn = "collide.segment";
  cl_alloc alloc = cl_alloc_default();
  cll_takes(L, fn, "x1, y1, x2, y2", 4, lua_gettop(L));
  ends e = check_ends(L, fn);
  if (e.x1 == e.x2 && e.y1 == e.y2) {
    return cll_error(L, "%s: x2, y2 expected (point other than x1, y1), got the same", fn);
  }
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, fn, cl_shape_segment(&alloc, e.x1, e.y1, e.x2, e.y2, box));
}

// Coordinates x, y, x, y, … in memory that Lua frees.
typedef struct points {
  double *xy;
  uint32_t count;
} points;

static double check_point(lua_State *L, const char *fn, int coordinate, int index) {
  char name[16];
  snprintf(name, sizeof name, "%c%d", coordinate % 2 ? 'x' : 'y', (coordinate + 1) / 2);
  return cll_coordinate(L, fn, name, index);
}

// The points in the list at `index`; pushes their memory.
static points points_of_list(lua_State *L, const char *fn, int index) {
  size_t n = cll_rawlen(L, index);
  if (n % 2 || n > INT32_MAX) {
    cll_error(L, "%s: points expected (list {x1, y1, x2, y2, …}), got %d numbers", fn, (int)n);
  }
  points p = {lua_newuserdata(L, (n + 1) * sizeof(double)), (uint32_t)(n / 2)};
  for (int i = 1; i <= (int)n; i++) {
    lua_rawgeti(L, index, i);
    p.xy[i - 1] = check_point(L, fn, i, lua_gettop(L));
    lua_pop(L, 1);
  }
  return p;
}

// The points that are the function's arguments themselves.
static points points_of_arguments(lua_State *L, const char *fn) {
  int n = lua_gettop(L);
  points p = {lua_newuserdata(L, ((size_t)n + 1) * sizeof(double)), (uint32_t)n / 2};
  for (int i = 1; i <= n; i++) p.xy[i - 1] = check_point(L, fn, i, i);
  if (n % 2) cll_error(L, "%s: y%d expected (finite number within ±1e12), got nil", fn, n / 2 + 1);
  return p;
}

static const char *push_point(lua_State *L, points p, uint32_t i) {
  char text[80];
  i %= p.count;
  snprintf(text, sizeof text, "%u (%.14g, %.14g)", i + 1, p.xy[2 * i], p.xy[2 * i + 1]);
  return lua_pushstring(L, text), lua_tostring(L, -1);
}

// Of points that are too few there are at most two different ones.
static int count_different(points p) {
  for (uint32_t i = 1; i < p.count; i++) {
    if (p.xy[2 * i] != p.xy[0] || p.xy[2 * i + 1] != p.xy[1]) return 2;
  }
  return p.count > 0;
}

static int fail_points(lua_State *L, const char *fn, points p, uint32_t least, cl_fault fault) {
  switch (fault.kind) {
  case CL_FAULT_FEW:
    return cll_error(L, "%s: points expected (%d different ones or more), got %d", fn, (int)least,
                     count_different(p));
  case CL_FAULT_FLAT:
    return cll_error(L,
                     "%s: points expected (with an area between them), got all of %s to %s in "
                     "one line",
                     fn, push_point(L, p, 0), push_point(L, p, p.count - 1));
  case CL_FAULT_CROSS:
    return cll_error(L,
                     "%s: points expected (edges that neither cross nor touch), got the edge from "
                     "point %s to %s across the one from %s to %s",
                     fn, push_point(L, p, fault.i), push_point(L, p, fault.i + 1),
                     push_point(L, p, fault.j), push_point(L, p, fault.j + 1));
  default: return cll_shape_made(L, fn, CL_INVALID);
  }
}

// collide.polygon(x1, y1, x2, y2, …) or ({x1, y1, x2, y2, …}) -> shape
static int polygon(lua_State *L) {
  const char *fn = "collide.polygon";
  cl_alloc alloc = cl_alloc_default();
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "one list of points, or x1, y1, x2, y2, …", 1, lua_gettop(L));
  points p = list ? points_of_list(L, fn, 1) : points_of_arguments(L, fn);
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_polygon(&alloc, p.xy, p.count, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, 3, fault);
  return cll_shape_made(L, fn, status);
}

// collide.chain({x1, y1, x2, y2, …}[, closed]) -> shape
static int chain(lua_State *L) {
  const char *fn = "collide.chain";
  cl_alloc alloc = cl_alloc_default();
  cll_takes(L, fn, "a list of points and a boolean", 2, lua_gettop(L));
  if (!lua_istable(L, 1)) cll_fail(L, fn, "points", "list {x1, y1, x2, y2, …}", 1);
  bool closed = lua_isnoneornil(L, 2) ? false : cll_boolean(L, fn, "closed", 2);
  points p = points_of_list(L, fn, 1);
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_chain(&alloc, p.xy, p.count, closed, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, closed ? 3 : 2, fault);
  return cll_shape_made(L, fn, status);
}

// collide.compound(shape, shape, …) -> shape
static int compound(lua_State *L) {
  const char *fn = "collide.compound";
  cl_alloc alloc = cl_alloc_default();
  int n = lua_gettop(L);
  if (n == 0) cll_fail(L, fn, "shape 1", "shape", 1);
  cl_shape **members = lua_newuserdata(L, (size_t)n * sizeof *members);
  for (int i = 1; i <= n; i++) {
    char name[24];
    snprintf(name, sizeof name, "shape %d", i);
    members[i - 1] = cll_to_shape(L, i);
    if (!members[i - 1]) cll_fail(L, fn, name, "shape", i);
    if (members[i - 1]->kind == CL_TILES) {
      cll_fail(L, fn, name, "shape other than tiles; add these to an actor of their own", i);
    }
    if ((members[i - 1]->flags ^ members[0]->flags) & CL_SHAPE_UPRIGHT) {
      cll_fail(L, fn, name,
               "upright if and only if shape 1 is; upright() may be called on the whole", i);
    }
    if (members[i - 1]->levels >= CL_SHAPE_LEVELS) {
      cll_fail(L, fn, name, "at most 64 levels of compounds in compounds", i);
    }
  }
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, fn, cl_shape_compound(&alloc, members, (uint32_t)n, box));
}

// collide.tiles(grid) -> shape
static int tiles(lua_State *L) {
  const char *fn = "collide.tiles";
  cl_alloc alloc = cl_alloc_default();
  cl_grid *grid = cll_to_grid(L, 1);
  cll_takes(L, fn, "a grid", 1, lua_gettop(L));
  if (!grid) cll_fail(L, fn, "grid", "grid", 1);
  if (grid->dims != 2) {
    return cll_error(L, "%s: grid expected (grid of two dimensions), got one of three", fn);
  }
  return cll_shape_made(L, fn, cl_shape_tiles(&alloc, grid, cll_push_shape(L)));
}

static const luaL_Reg functions[] = {
    {"rectangle", rectangle}, {"circle", circle},   {"capsule", capsule},
    {"segment", segment},     {"polygon", polygon}, {"chain", chain},
    {"compound", compound},   {"tiles", tiles},     {NULL, NULL},
};

void cll_open_constructors(lua_State *L) { cll_setfuncs(L, functions); }
