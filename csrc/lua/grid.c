// collide, MIT licence (see LICENSE)
//
// Grids of bytes: userdata, each with a reference to a cl_grid; and walks along cells, for
// lua/collide/grids.lua, which checks the users' arguments. Layer: lua.

#include "lua/binding.h"

#include "cells/ray.h"

// A method. It takes at most `most` arguments, in words `takes`, each for two and for three
// dimensions.
typedef struct method {
  int (*call)(lua_State *L, cl_grid *grid, const char *fn);
  const char *name, *takes[2];
  int most[2];
} method;

// Calls the method in upvalue 1. A call on a 3D grid with no more arguments than a 2D grid takes
// was perhaps meant for a 2D grid.
static int enter_grid(lua_State *L) {
  const method *m = *(const method **)lua_touserdata(L, lua_upvalueindex(2));
  cl_grid **box = cll_self(L), *grid = box ? *box : NULL;
  if (!grid) cll_fail(L, m->name, "self", "grid; call it with a colon", 1);
  assert(grid->dims == 2 || grid->dims == 3);
  int n = lua_gettop(L) - 1, deep = grid->dims == 3;
  if (deep && m->most[1] > m->most[0] && n <= m->most[0]) {
    cll_error(
        L,
        "%s takes %s in a grid of three dimensions, got %d argument%s; newGrid(w, h, d) makes "
        "it 3D; a cell's size goes into options, { cell = 32 }",
        m->name, m->takes[1], n, n == 1 ? "" : "s");
  }
  cll_takes(L, m->name, m->takes[deep], m->most[deep], n);
  return m->call(L, grid, m->name);
}

static uint8_t check_value(lua_State *L, const char *function, const char *name, int index) {
  return (uint8_t)cll_whole(L, function, name, index, 0, UINT8_MAX);
}

static const char *const axis_names[3] = {"x", "y", "z"};

// The cell with the numbers in arguments 2, 3 (, 4).
static void check_cell(lua_State *L, const cl_grid *grid, const char *function, int64_t cell[3]) {
  cell[2] = 0;
  for (int a = 0; a < grid->dims; a++) {
    cell[a] = cll_whole(L, function, axis_names[a], 2 + a, 0, grid->size[a] - 1);
  }
}

// core.newGrid(cellWidth, cellHeight, x, y, z, w, h, d) -> grid, or nil when out of memory; d is
// nil in 2D, and in 3D cells are cubes
static int grid_new(lua_State *L) {
  int dims = lua_isnoneornil(L, 8) ? 2 : 3;
  cl_alloc alloc = cll_alloc(L);
  double origin[3];
  int64_t size[3];
  for (int a = 0; a < 3; a++) origin[a] = luaL_checknumber(L, 3 + a);
  for (int a = 0; a < dims; a++) size[a] = (int64_t)luaL_checknumber(L, 6 + a);
  double width = luaL_checknumber(L, 1), height;
  height = luaL_checknumber(L, 2);
  const double cell[3] = {width, height, width};
  cl_grid **box = cll_push_object(L, CLL_GRID, sizeof *box);
  cl_status status = cl_grid_new(&alloc, dims, size, cell, origin, box);
  luaL_argcheck(L, status != CL_INVALID, 6, "no such size");
  if (status != CL_OK) return 0;
  return 1;
}

static int grid_gc(lua_State *L) {
  cl_grid **box = cll_collect(L, CLL_GRID);
  if (*box) cl_grid_release(*box);
  return 0;
}

// grid:size() -> w, h(, d)
static int grid_size(lua_State *L, cl_grid *grid, const char *fn) {
  (void)fn;
  for (int a = 0; a < grid->dims; a++) cll_pushwhole(L, (double)grid->size[a]);
  return grid->dims;
}

// grid:set(x, y[, z], v)
static int grid_set(lua_State *L, cl_grid *grid, const char *fn) {
  int64_t cell[3];
  check_cell(L, grid, fn, cell);
  cl_grid_set(grid, cell, check_value(L, fn, "v", grid->dims + 2));
  return 0;
}

// Reads the number of a cell along one axis, which may be any whole number, into `*cell`. Returns
// whether it is inside the grid.
static bool check_inside(lua_State *L, const cl_grid *grid, const char *function, int axis,
                         int64_t *cell) {
  double v = cll_to_number(L, 2 + axis);
  if (!(v == floor(v) && v - v == 0)) {
    cll_fail(L, function, axis_names[axis], "whole number", 2 + axis);
  }
  bool inside = v >= 0 && v < (double)grid->size[axis];
  *cell = inside ? (int64_t)v : 0;
  return inside;
}

// grid:get(x, y[, z]) -> v, or nil outside the grid
static int grid_get(lua_State *L, cl_grid *grid, const char *fn) {
  int64_t cell[3] = {0, 0, 0};
  bool inside = true;
  for (int a = 0; a < grid->dims; a++) inside &= check_inside(L, grid, fn, a, &cell[a]);
  if (inside) cll_pushwhole(L, *cl_grid_at(grid, cell));
  else lua_pushnil(L);
  return 1;
}

// grid:fill(x, y[, z], w, h[, d], v)
static int grid_fill(lua_State *L, cl_grid *grid, const char *fn) {
  static const char *const size_names[3] = {"w", "h", "d"};
  int dims = grid->dims;
  int64_t low[3], size[3] = {1, 1, 1};
  check_cell(L, grid, fn, low);
  for (int a = 0; a < dims; a++) {
    size[a] = cll_whole(L, fn, size_names[a], 2 + dims + a, 1, grid->size[a] - low[a]);
  }
  cl_grid_fill(grid, low, size, check_value(L, fn, "v", 2 + 2 * dims));
  return 0;
}

// grid:load(bytes)
static int grid_load(lua_State *L, cl_grid *grid, const char *fn) {
  size_t length, count = cl_grid_count(grid);
  if (lua_type(L, 2) != LUA_TSTRING) cll_fail(L, fn, "bytes", "string, a byte for each cell", 2);
  const char *bytes = lua_tolstring(L, 2, &length);
  if (length != count) {
    char text[100];
    snprintf(text, sizeof text, "string of %llu bytes, one for each cell), got %llu",
             (unsigned long long)count, (unsigned long long)length);
    return cll_error(L, "%s: bytes expected (%s", fn, text);
  }
  cl_grid_load(grid, bytes);
  return 0;
}

// grid:dump() -> bytes
static int grid_dump(lua_State *L, cl_grid *grid, const char *fn) {
  (void)fn;
  lua_pushlstring(L, (const char *)grid->bytes, cl_grid_count(grid));
  return 1;
}

// Reads arguments 2 … as the two ends of a ray, in cells.
static void check_ends(lua_State *L, const cl_grid *grid, const char *fn, double from[3],
                       double to[3]) {
  for (int i = 0; i < 2 * grid->dims; i++) {
    int a = i % grid->dims;
    char name[3] = {axis_names[a][0], i < grid->dims ? '1' : '2', 0};
    double v = cll_to_number(L, 2 + i);
    double cells = fabs(v) <= DBL_MAX / 4 ? cl_grid_to_cells(grid, a, v) : NAN;
    if (!(fabs(cells) <= CL_MAX_CELL)) {
      cll_fail(L, fn, name, "finite number within 2^50 cells of the grid's corner", 2 + i);
    }
    *(i < grid->dims ? &from[a] : &to[a]) = cells;
  }
}

// The values that stop a ray: one value or a list of them at `index`; for nil all except 0.
static void check_mask(lua_State *L, const char *fn, int index, bool stops[256]) {
  memset(stops, lua_isnoneornil(L, index), 256);
  if (lua_isnoneornil(L, index)) {
    stops[0] = false;
  } else if (lua_type(L, index) == LUA_TNUMBER) {
    stops[check_value(L, fn, "mask", index)] = true;
  } else if (lua_type(L, index) == LUA_TTABLE) {
    size_t n = cll_rawlen(L, index);
    for (size_t i = 1; i <= n; i++) {
      char name[40];
      snprintf(name, sizeof name, "mask[%lld]", (long long)i);
      lua_rawgeti(L, index, (int)i);
      stops[check_value(L, fn, name, lua_gettop(L))] = true;
      lua_pop(L, 1);
    }
  } else {
    cll_fail(L, fn, "mask", "value from 0 to 255, or list of values", index);
  }
}

// grid:rayCast(x1, y1[, z1], x2, y2[, z2][, mask]) -> nil,
//   or value, x, y(, z), nx, ny(, nz), t
static int grid_ray_cast(lua_State *L, cl_grid *grid, const char *fn) {
  int dims = grid->dims;
  double from[3], to[3];
  bool stops[256];
  cl_grid_hit hit;
  check_ends(L, grid, fn, from, to);
  check_mask(L, fn, 2 + 2 * dims, stops);
  if (!cl_grid_cast(grid, from, to, stops, &hit)) {
    lua_pushnil(L);
    return 1;
  }
  cll_pushwhole(L, hit.value);
  for (int a = 0; a < dims; a++) cll_pushwhole(L, (double)hit.cell[a]);
  for (int a = 0; a < dims; a++) lua_pushnumber(L, hit.normal[a]);
  lua_pushnumber(L, hit.t);
  return 2 + 2 * dims;
}

// The radius of a line of sight; 0 without one.
static double check_radius(lua_State *L, const cl_grid *grid, const char *fn, int index) {
  if (lua_isnoneornil(L, index)) return 0;
  double r = cll_to_number(L, index);
  if (grid->cell[0] != grid->cell[1])
    cll_fail(L, fn, "radius", "nil where cells are not square", index);
  if (!(r >= 0 && r <= CL_MAX_COORD && r <= CL_MAX_CELL * grid->cell[0])) {
    cll_fail(L, fn, "radius", "number from 0 to 1e12, of 2^50 cells at most", index);
  }
  return r;
}

// grid:lineOfSight(x1, y1, x2, y2[, radius]), (x1, y1, z1, x2, y2, z2) -> whether all cells on the
// way are 0 or, with a radius, whether a circle fits through
static int grid_line_of_sight(lua_State *L, cl_grid *grid, const char *fn) {
  double from[3], to[3];
  bool stops[256];
  cl_grid_hit hit;
  check_ends(L, grid, fn, from, to);
  double radius = grid->dims == 2 ? check_radius(L, grid, fn, 6) : 0;
  if (radius > 0) {
    const double start[2] = {lua_tonumber(L, 2), lua_tonumber(L, 3)};
    const double end[2] = {lua_tonumber(L, 4), lua_tonumber(L, 5)};
    lua_pushboolean(L, cl_grid_is_clear(grid, start, end, radius));
    return 1;
  }
  memset(stops, true, sizeof stops);
  stops[0] = false;
  lua_pushboolean(L, !cl_grid_cast(grid, from, to, stops, &hit));
  return 1;
}

static int grid_tostring(lua_State *L) {
  cl_grid *grid = cll_to_grid(L, 1);
  if (!grid) cll_fail(L, "tostring", "self", "grid; call it with a colon", 1);
  char text[100];
  int n = snprintf(text, sizeof text, "grid(%lld, %lld", (long long)grid->size[0],
                   (long long)grid->size[1]);
  if (grid->dims == 3) {
    snprintf(text + n, sizeof text - (size_t)n, ", %lld)", (long long)grid->size[2]);
  } else {
    snprintf(text + n, sizeof text - (size_t)n, ")");
  }
  lua_pushstring(L, text);
  return 1;
}

// The most cells in a block; a ray with fewer cells may have a smaller block.
enum { BLOCK = 64 };

typedef struct cll_walk cll_walk;

// The part for the accelerator, which casts the userdata's address to this struct: it calls the
// functions and reads the block.
typedef struct walk_io {
  int32_t (*set)(cll_walk *, int diagonal, int dims, double x1, double y1, double z1, double x2,
                 double y2, double z2); // checked coordinates; -> 0
  int32_t (*fill)(cll_walk *);          // -> whether there were more cells
  const double *cells;
  int32_t at, stop; // the index of the next number in the block, and their count
} walk_io;

struct cll_walk {
  walk_io io;
  int room;
  cl_walk walk;
  double block[];
};

const cl_field cll_walk_layout[] = {
    CL_FIELD(walk_io, set, "set",
             int32_t (*)(cll_walk *, int, int, double, double, double, double, double, double)),
    CL_FIELD(walk_io, fill, "fill", int32_t (*)(cll_walk *)),
    CL_FIELD(walk_io, cells, "cells", const double *),
    CL_FIELD(walk_io, at, "at", int32_t),
    CL_FIELD(walk_io, stop, "stop", int32_t),
    {NULL, NULL, 0},
};

static int32_t set(cll_walk *w, int diagonal, int dims, double x1, double y1, double z1, double x2,
                   double y2, double z2) {
  const double from[3] = {x1, y1, z1}, to[3] = {x2, y2, z2};
  cl_walk_set(&w->walk, dims, from, to, diagonal);
  w->io.at = w->io.stop = 0;
  return 0;
}

static int32_t fill(cll_walk *w) {
  int count = cl_walk_fill(&w->walk, w->block, w->room);
  w->io.at = 0;
  w->io.stop = count * (w->walk.ray.dims + 2);
  return count > 0;
}

// Pushes a walk with room for blocks of `room` cells, not set yet.
static cll_walk *push_walk(lua_State *L, int room) {
  size_t block = (size_t)(room * 5) * sizeof(double);
  cll_walk *w = lua_newuserdata(L, sizeof *w + block);
  w->io = (walk_io){.set = set, .fill = fill, .cells = w->block};
  w->room = room;
  return w;
}

// core.gridWalk() -> walk, for the accelerator to set
static int grid_walk(lua_State *L) {
  set(push_walk(L, BLOCK), false, 2, 0, 0, 0, 0, 0, 0);
  return 1;
}

// The iterator: -> step, x, y(, z), t
static int next_cell(lua_State *L) {
  cll_walk *w = lua_touserdata(L, lua_upvalueindex(1));
  if (w->io.at == w->io.stop && !fill(w)) return 0;
  int dims = w->walk.ray.dims;
  const double *cell = &w->block[w->io.at];
  w->io.at += dims + 2;
  for (int i = 0; i <= dims; i++) cll_pushwhole(L, cell[i]);
  lua_pushnumber(L, cell[dims + 1]);
  return dims + 2;
}

// core.gridCells(diagonal, dims, x1, y1, z1, x2, y2, z2) -> iterator; in 2D both z are 0
static int grid_cells(lua_State *L) {
  lua_Integer dims = luaL_checkinteger(L, 2);
  double at[6];
  cl_walk start;
  luaL_argcheck(L, dims == 2 || dims == 3, 2, "two or three expected");
  for (int i = 0; i < 6; i++) {
    at[i] = luaL_checknumber(L, 3 + i);
    luaL_argcheck(L, fabs(at[i]) <= CL_MAX_CELL, 3 + i, "too large");
  }
  cl_walk_set(&start, (int)dims, at, at + 3, lua_toboolean(L, 1));
  // A corner of 7 cells takes 3 crossings.
  int room = start.left < BLOCK / 3 ? CL_WALK_GROUP + 1 + 3 * (int)start.left : BLOCK;
  cll_walk *w = push_walk(L, room < BLOCK ? room : BLOCK);
  w->walk = start;
  lua_pushcclosure(L, next_cell, 1);
  return 1;
}

static const method methods[] = {
    {grid_size, "grid:size", {"no arguments", "no arguments"}, {0, 0}},
    {grid_set, "grid:set", {"x, y, v", "x, y, z, v"}, {3, 4}},
    {grid_get, "grid:get", {"x, y", "x, y, z"}, {2, 3}},
    {grid_fill, "grid:fill", {"x, y, w, h, v", "x, y, z, w, h, d, v"}, {5, 7}},
    {grid_load, "grid:load", {"one string", "one string"}, {1, 1}},
    {grid_dump, "grid:dump", {"no arguments", "no arguments"}, {0, 0}},
    {grid_ray_cast,
     "grid:rayCast",
     {"x1, y1, x2, y2 and a mask", "x1, y1, z1, x2, y2, z2 and a mask"},
     {5, 7}},
    {grid_line_of_sight,
     "grid:lineOfSight",
     {"x1, y1, x2, y2 and a radius", "x1, y1, z1, x2, y2, z2"},
     {5, 6}},
};

static const luaL_Reg functions[] = {
    {"newGrid", grid_new},
    {"gridWalk", grid_walk},
    {"gridCells", grid_cells},
    {NULL, NULL},
};

void cll_open_grid(lua_State *L) {
  cll_begin_class(L, CLL_GRID); /* stack: … core metatable methods */
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    lua_pushvalue(L, -2);
    *(const method **)lua_newuserdata(L, sizeof(method *)) = &methods[i];
    lua_pushcclosure(L, enter_grid, 2);
    lua_setfield(L, -2, strchr(methods[i].name, ':') + 1);
  }
  cll_end_class(L, CLL_GRID, grid_gc, grid_tostring);
  cll_setfuncs(L, functions);
}
