// collide, MIT licence (see LICENSE)
//
// Walks along cells, for lua/collide/grids.lua, which checks the users' arguments. A walk is one
// userdata with room for a block of cells, so that cells make no garbage. Layer: lua.

#include "lua/gridray.h"

#include "cells/ray.h"

// Most cells of a block: a ray with fewer may have a smaller one.
enum { BLOCK = 64 };

typedef struct cll_walk cll_walk;

// The part for the accelerator, which casts the userdata's address to this struct: it calls the
// functions and reads the block.
typedef struct walk_io {
  int32_t (*set)(cll_walk *, int diagonal, int dims, double x1, double y1, double z1, double x2,
                 double y2, double z2); // checked coordinates; -> 0
  int32_t (*fill)(cll_walk *);          // -> whether there were more cells
  const double *cells;
  int32_t at, stop; // of the numbers in the block: the next one to return, and their count
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

// core.gridCells(diagonal, x1, y1(, z1), x2, y2(, z2)) -> iterator
static int grid_cells(lua_State *L) {
  int dims = (lua_gettop(L) - 1) / 2;
  double from[3], to[3];
  cl_walk start;
  luaL_argcheck(L, dims == 2 || dims == 3, 1, "two points expected");
  for (int a = 0; a < dims; a++) {
    from[a] = luaL_checknumber(L, 2 + a);
    to[a] = luaL_checknumber(L, 2 + dims + a);
    luaL_argcheck(L, fabs(from[a]) <= CL_MAX_CELL, 2 + a, "too large");
    luaL_argcheck(L, fabs(to[a]) <= CL_MAX_CELL, 2 + dims + a, "too large");
  }
  cl_walk_set(&start, dims, from, to, lua_toboolean(L, 1));
  // A corner of 7 cells takes 3 crossings.
  int room = start.left < BLOCK / 3 ? CL_WALK_GROUP + 1 + 3 * (int)start.left : BLOCK;
  cll_walk *w = push_walk(L, room < BLOCK ? room : BLOCK);
  w->walk = start;
  lua_pushcclosure(L, next_cell, 1);
  return 1;
}

static const luaL_Reg functions[] = {
    {"gridWalk", grid_walk},
    {"gridCells", grid_cells},
    {NULL, NULL},
};

void cll_open_gridray(lua_State *L) { cll_setfuncs(L, functions); }
