// collide, MIT licence (see LICENSE)
//
// Tiles: the solid cells of a byte grid as one shape, seen as they are at the
// moment. It has no parts: those of some cells are made when they are asked for.
// Layer: geom.
//
// Column i lies between the lines i and i + 1, which all cells of the world share
// to the bit: neighbours leave no gap and do not overlap. Tiles are upright.

#ifndef CL_GEOM_TILES_H
#define CL_GEOM_TILES_H

#include "cells/grid.h"
#include "geom/placed.h"

/// A rectangle of cells, its last column and row included; empty when it has
/// fewer than one of either.
typedef struct cl_cell_rect {
  int32_t left, top, right, bottom;
} cl_cell_rect;

/// The same grid with cells of another size at another place.
cl_status cl_tiles_moved(const cl_shape *tiles, double x, double y, double cell, cl_shape **out);

/// The sum of the solid cells' areas.
double cl_tiles_area(const cl_shape *tiles);

/// Where line i between columns, or between rows, is in the world.
static inline double cl_tiles_x(const cl_placed *p, int32_t i) {
  return p->x + (p->shape->bounds.l + i * p->shape->cell);
}
static inline double cl_tiles_y(const cl_placed *p, int32_t i) {
  return p->y + (p->shape->bounds.t + i * p->shape->cell);
}

/// All cells.
static inline cl_cell_rect cl_tiles_all(const cl_shape *tiles) {
  const int64_t *size = tiles->grid->size;
  return (cl_cell_rect){0, 0, (int32_t)size[0] - 1, (int32_t)size[1] - 1};
}

/// What of a rectangle of cells is in the grid.
cl_cell_rect cl_tiles_clip(const cl_shape *tiles, cl_cell_rect cells);

/// The cells that touch a box; with `inside` only those that share area with it.
cl_cell_rect cl_tiles_under(const cl_placed *p, cl_bounds box, bool inside);

static inline bool cl_tiles_solid(const cl_shape *tiles, int32_t column, int32_t row) {
  const int64_t cell[3] = {column, row, 0};
  return cl_grid_has(tiles->grid, cell) && *cl_grid_at(tiles->grid, cell) != 0;
}

/// The number of lines between columns (`vertical`) or rows, of the one before the
/// first cell to the one after the last, that lie before `at`, those on it included
/// where `with`.
int32_t cl_tiles_lines(const cl_placed *p, bool vertical, double at, bool with);

/// The first column from `from` to `to` of a row that is solid, or is not; `to` + 1
/// when there is none. All of them are in the grid.
int32_t cl_tiles_next(const cl_shape *tiles, int32_t row, int32_t from, int32_t to, bool solid);

/// The first of the solid columns in a row that end with a solid one.
int32_t cl_tiles_run(const cl_shape *tiles, int32_t row, int32_t column);

/// Whether any of these cells, which may reach beyond the grid, is solid.
bool cl_tiles_any(const cl_shape *tiles, cl_cell_rect cells);

#endif
