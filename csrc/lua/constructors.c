// collide, MIT licence (see LICENSE)
//
// collide.rectangle, circle, capsule, segment, polygon, chain, compound and tiles: from
// Lua's arguments to shapes. Layer: lua.

#include "lua/constructors.h"

#include "geom/tiles.h"
#include "lua/check.h"
#include "lua/class.h"
#include "lua/grid.h"
#include "lua/shape.h"

// collide.rectangle(w, h) or (x, y, w, h) -> shape
static int rectangle(lua_State *L) {
  const char *fn = "collide.rectangle";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
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
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
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
  double x1 = cll_coordinate(L, fn, "x1", 1), y1 = cll_coordinate(L, fn, "y1", 2);
  double x2 = cll_coordinate(L, fn, "x2", 3), y2 = cll_coordinate(L, fn, "y2", 4);
  return (ends){x1, y1, x2, y2};
}

// collide.capsule(x1, y1, x2, y2, r) -> shape
static int capsule(lua_State *L) {
  const char *fn = "collide.capsule";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  cll_takes(L, fn, "x1, y1, x2, y2, r", 5, lua_gettop(L));
  ends e = check_ends(L, fn);
  double r = cll_size(L, fn, "r", 5);
  cl_shape **box = cll_push_shape(L);
  return cll_shape_made(L, fn, cl_shape_capsule(&alloc, e.x1, e.y1, e.x2, e.y2, r, box));
}

// collide.segment(x1, y1, x2, y2) -> shape
static int segment(lua_State *L) {
  const char *fn = "collide.segment";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
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

// A list that begins with a table has one table for each point.
static void refuse_nested(lua_State *L, const char *fn, int index) {
  lua_rawgeti(L, index, 1);
  if (lua_istable(L, -1)) {
    cll_error(L,
              "%s: x1 expected (finite number within ±1e12), got table; a list of points has "
              "numbers alone, {x1, y1, x2, y2, …}",
              fn);
  }
  lua_pop(L, 1);
}

// The points in the list at `index`; pushes their memory.
static points points_of_list(lua_State *L, const char *fn, int index) {
  refuse_nested(L, fn, index);
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

// The points given as the first `n` arguments themselves.
static points points_of_arguments(lua_State *L, const char *fn, int n) {
  points p = {lua_newuserdata(L, ((size_t)n + 1) * sizeof(double)), (uint32_t)n / 2};
  for (int i = 1; i <= n; i++) p.xy[i - 1] = check_point(L, fn, i, i);
  if (n % 2) cll_error(L, "%s: y%d expected (finite number within ±1e12), got nil", fn, n / 2 + 1);
  return p;
}

static const char *push_point(lua_State *L, points p, uint32_t i) {
  char text[80];
  assert(p.count > 0);
  i %= p.count;
  snprintf(text, sizeof text, "%u (%.14g, %.14g)", i + 1, p.xy[2 * i], p.xy[2 * i + 1]);
  return lua_pushstring(L, text), lua_tostring(L, -1);
}

// Too few points have at most two different ones.
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
                     "%s: points expected (not all on one line), got points %s to %s, which lie "
                     "on one line",
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
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "one list of points, or x1, y1, x2, y2, …", 1, lua_gettop(L));
  points p = list ? points_of_list(L, fn, 1) : points_of_arguments(L, fn, lua_gettop(L));
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_polygon(&alloc, p.xy, p.count, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, 3, fault);
  return cll_shape_made(L, fn, status);
}

// The number of arguments that are points of a chain: a boolean may follow.
static int end_of_points(lua_State *L) {
  int n = lua_gettop(L);
  return n % 2 == 1 && n > 1 && (lua_isboolean(L, n) || lua_isnil(L, n)) ? n - 1 : n;
}

// collide.chain(x1, y1, x2, y2, …[, closed]) or ({x1, y1, x2, y2, …}[, closed]) -> shape
static int chain(lua_State *L) {
  const char *fn = "collide.chain";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "a list of points and a boolean", 2, lua_gettop(L));
  int end = list ? 1 : end_of_points(L);
  bool closed = lua_isnoneornil(L, end + 1) ? false : cll_boolean(L, fn, "closed", end + 1);
  points p = list ? points_of_list(L, fn, 1) : points_of_arguments(L, fn, end);
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  cl_status status = cl_shape_chain(&alloc, p.xy, p.count, closed, &fault, cll_push_shape(L));
  if (status == CL_INVALID) return fail_points(L, fn, p, closed ? 3 : 2, fault);
  return cll_shape_made(L, fn, status);
}

// The i-th member of a compound, on top of the stack. If i > 1, members[0] is set.
static cl_shape *check_member(lua_State *L, const char *fn, int i, cl_shape *const *members) {
  char name[24];
  int at = lua_gettop(L);
  cl_shape *shape = cll_to_shape(L, at);
  snprintf(name, sizeof name, "shape %d", i);
  if (!shape) {
    cll_fail(L, fn, name, "shape", at);
    return NULL;
  }
  if (shape->kind == CL_TILES) {
    cll_fail(L, fn, name, "shape other than tiles; add these to an actor of their own", at);
  }
  if (i > 1 && (shape->flags ^ members[0]->flags) & CL_SHAPE_UPRIGHT) {
    cll_fail(L, fn, name, "upright if and only if shape 1 is; upright() may be called on the whole",
             at);
  }
  if (shape->levels >= CL_SHAPE_LEVELS) {
    cll_fail(L, fn, name, "at most 64 levels of compounds in compounds", at);
  }
  return shape;
}

// collide.compound(shape, shape, …) or ({shape, shape, …}) -> shape
static int compound(lua_State *L) {
  const char *fn = "collide.compound";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  bool list = lua_istable(L, 1);
  if (list) cll_takes(L, fn, "one list of shapes, or shapes", 1, lua_gettop(L));
  size_t n = list ? cll_rawlen(L, 1) : (size_t)lua_gettop(L);
  if (n == 0) cll_fail(L, fn, "shape 1", "shape", list ? 2 : 1);
  if (n > INT32_MAX) return cll_no_memory(L);
  // Allocation comes first: it may run finalisers, and these may change the list.
  cl_shape **members = lua_newuserdata(L, n * sizeof *members);
  cl_shape **box = cll_push_shape(L);
  int made = lua_gettop(L);
  for (int i = 1; i <= (int)n; i++) {
    if (list) lua_rawgeti(L, 1, i);
    else lua_pushvalue(L, i);
    members[i - 1] = check_member(L, fn, i, members);
    lua_settop(L, made);
  }
  return cll_shape_made(L, fn, cl_shape_compound(&alloc, members, (uint32_t)n, box));
}

// Raises unless all keys of the table at 2 are cell values that can have a shape of their own.
static void check_values(lua_State *L, const char *fn) {
  lua_pushnil(L);
  while (lua_next(L, 2)) { /* stack: … value look */
    lua_Number value = lua_type(L, -2) == LUA_TNUMBER ? lua_tonumber(L, -2) : 0;
    if (!(value >= 1 && value <= 255 && value == floor(value))) {
      cll_fail(L, fn, "key of shapes", "value of cells, a whole number from 1 to 255",
               lua_gettop(L) - 1);
    }
    lua_pop(L, 1);
  }
}

// The look of a value, from the value on top of the stack.
static cl_tile_look check_look(lua_State *L, const char *fn, int value) {
  char name[24];
  int at = lua_gettop(L);
  cl_tile_part part;
  cl_tile_look look = {(uint8_t)value, cll_to_shape(L, at)};
  if (lua_isboolean(L, at) && !lua_toboolean(L, at)) return look;
  snprintf(name, sizeof name, "shapes[%d]", value);
  if (!look.shape) {
    cll_fail(L, fn, name, "convex shape within a cell of side 1, or false", at);
  } else if (look.shape->part_count != 1 || look.shape->kind == CL_CHAIN) {
    cll_fail(L, fn, name, "convex shape", at);
  } else if (!(look.shape->area > 0)) {
    cll_fail(L, fn, name, "shape with an area", at);
  } else if (look.shape->parts->count > CL_TILE_CORNERS) {
    cll_fail(L, fn, name, "shape of at most 16 corners", at);
  } else if (!cl_tile_part_of(look.shape, &part)) {
    cll_fail(L, fn, name, "shape within a cell of side 1: all of it from 0, 0 to 1, 1", at);
  }
  return look;
}

// Reads the table at 2: the look of each value. Returns the number of entries.
static uint32_t check_looks(lua_State *L, const char *fn, cl_tile_look looks[255]) {
  uint32_t count = 0;
  if (!lua_istable(L, 2)) {
    cll_fail(L, fn, "shapes", "table: a shape, or false, for each value that is not a full square",
             2);
  }
  check_values(L, fn);
  for (int value = 1; value <= 255; value++) {
    lua_rawgeti(L, 2, value);
    if (!lua_isnil(L, -1)) looks[count++] = check_look(L, fn, value);
    lua_pop(L, 1);
  }
  return count;
}

// collide.tiles(grid[, shapes]) -> shape
static int tiles(lua_State *L) {
  const char *fn = "collide.tiles";
  cll_check_dot(L, fn);
  cl_alloc alloc = cll_alloc(L);
  cl_grid *grid = cll_to_grid(L, 1);
  cl_tile_look looks[255];
  cll_takes(L, fn, "a grid and shapes by value", 2, lua_gettop(L));
  if (!grid) cll_fail(L, fn, "grid", "grid", 1);
  if (grid->dims != 2) {
    return cll_error(L, "%s: grid expected (grid of two dimensions), got one of three; " CLL_CELL,
                     fn);
  }
  // Allocation by Lua comes first: it may run finalisers, and these may change the table.
  lua_settop(L, 2);
  cl_shape **box = cll_push_shape(L);
  uint32_t count = lua_isnoneornil(L, 2) ? 0 : check_looks(L, fn, looks);
  return cll_shape_made(L, fn, cl_shape_tiles(&alloc, grid, looks, count, box));
}

// core.newProbe() -> a shape object that the library sets to one shape after another. Users never
// get it, because shapes are immutable to them.
static int new_probe(lua_State *L) {
  cll_push_shape(L);
  return 1;
}

static cl_shape **check_probe(lua_State *L) {
  cl_shape **probe = cll_to_shape_object(L, 1);
  luaL_argcheck(L, probe, 1, "probe expected");
  return probe;
}

static int set_probe(lua_State *L, cl_shape **probe, const char *fn, cl_shape *made,
                     cl_status status) {
  cll_shape_made(L, fn, status);
  if (*probe) cl_shape_release(*probe);
  *probe = made;
  return 0;
}

// core.setRectangle(probe, x, y, w, h)
static int set_rectangle(lua_State *L) {
  cl_alloc alloc = cll_alloc(L);
  cl_shape **probe = check_probe(L), *made = NULL;
  double x = luaL_checknumber(L, 2), y = luaL_checknumber(L, 3);
  double w = luaL_checknumber(L, 4), h = luaL_checknumber(L, 5);
  cl_status status = cl_shape_rectangle(&alloc, x, y, w, h, &made);
  return set_probe(L, probe, "world:queryRect", made, status);
}

// core.setCircle(probe, r)
static int set_circle(lua_State *L) {
  cl_alloc alloc = cll_alloc(L);
  cl_shape **probe = check_probe(L), *made = NULL;
  cl_status status = cl_shape_circle(&alloc, 0, 0, luaL_checknumber(L, 2), &made);
  return set_probe(L, probe, "world:queryCircle", made, status);
}

static const luaL_Reg functions[] = {
    {"newProbe", new_probe},   {"setRectangle", set_rectangle},
    {"setCircle", set_circle}, {"rectangle", rectangle},
    {"circle", circle},        {"capsule", capsule},
    {"segment", segment},      {"polygon", polygon},
    {"chain", chain},          {"compound", compound},
    {"tiles", tiles},          {NULL, NULL},
};

void cll_open_constructors(lua_State *L) { cll_setfuncs(L, functions); }
