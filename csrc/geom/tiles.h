// collide, MIT licence (see LICENSE)
//
// Tiles: the cells of a byte grid as one shape, which follows the grid: full squares, or the parts
// that a tile set has for a value. The shape stores no parts: those of some cells are made when
// needed, as a block of cells, as runs of cells, or as a few large boxes. Layer: geom.
//
// Column i lies between the lines i and i + 1, which all cells of the world share
// to the bit: neighbours leave no gap and do not overlap. Tiles are upright.

#ifndef CL_GEOM_TILES_H
#define CL_GEOM_TILES_H

#include "cells/grid.h"
#include "geom/shape.h"

/// A rectangle of cells, its last column and row included; empty when it has
/// fewer than one of either.
typedef struct cl_cell_rect {
  int32_t left, top, right, bottom;
} cl_cell_rect;

/// Whether a shape can be the look of a cell of side 1: convex, with at most CL_TILE_CORNERS
/// corners and an area, within 0 … 1. Then `out` is what a set has of it.
bool cl_tile_part_of(const cl_shape *shape, cl_tile_part *out);

/// The same grid with cells of another size at another place.
cl_status cl_tiles_moved(const cl_shape *tiles, cl_vec at, cl_vec cell, cl_shape **out);

/// A part of a map, a CL_VIEW_; the whole of one without layers.
static inline const cl_shape *cl_tiles_view(const cl_shape *tiles, uint32_t view) {
  return tiles->views && view != CL_NO_VIEW ? &tiles->views[view] : tiles;
}
static inline cl_placed cl_placed_view(const cl_placed *p, uint32_t view) {
  return (cl_placed){cl_tiles_view(p->shape, view), p->x, p->y, p->rot};
}

/// Whether cells of a value are sensors, which stop no mover, whatever their actor does.
static inline bool cl_tiles_are_sensors(const cl_shape *tiles, int32_t value) {
  return tiles->views && value >= 0 && tiles->set->layer[value] == CL_LAYER_SENSORS;
}
/// The cells of one value, without all others.
cl_status cl_tiles_of_value(const cl_shape *tiles, uint8_t value, cl_shape **out);

/// Where line i between columns, or between rows, is in the world.
static inline double cl_tiles_x(const cl_placed *p, int32_t i) {
  return p->x + (p->shape->bounds.l + i * p->shape->cell.x);
}
static inline double cl_tiles_y(const cl_placed *p, int32_t i) {
  return p->y + (p->shape->bounds.t + i * p->shape->cell.y);
}

/// All cells.
static inline cl_cell_rect cl_tiles_all(const cl_shape *tiles) {
  const int64_t *size = tiles->grid->size;
  return (cl_cell_rect){0, 0, (int32_t)size[0] - 1, (int32_t)size[1] - 1};
}

/// The part of a rectangle of cells that is in the grid.
cl_cell_rect cl_tiles_clip(const cl_shape *tiles, cl_cell_rect cells);

/// The cells that touch a box; with `inside` only those that share area with it.
cl_cell_rect cl_tiles_under(const cl_placed *p, cl_bounds box, bool inside);

/// The rectangle of cells that may touch a box: those under it and, when the set has round parts,
/// those that come within reach of rounding.
cl_cell_rect cl_tiles_near(const cl_placed *p, cl_bounds box);

/// Sets of kinds of cells, a bit for each cl_tile_kind.
enum {
  CL_TILES_FULL = 1 << CL_TILE_FULL,
  CL_TILES_PART = 1 << CL_TILE_PART,
  CL_TILES_SOLID = CL_TILES_FULL | CL_TILES_PART,
  CL_TILES_NOT_FULL = 1 << CL_TILE_EMPTY | CL_TILES_PART,
};

/// What a value looks like.
static inline unsigned cl_tiles_kind_of(const cl_shape *tiles, uint8_t value) {
  return tiles->set ? tiles->set->kind[value] : value != 0;
}

/// The value of a cell, 0 outside of the grid.
static inline uint8_t cl_tiles_value(const cl_shape *tiles, int32_t column, int32_t row) {
  const int64_t cell[3] = {column, row, 0};
  return cl_grid_has(tiles->grid, cell) ? *cl_grid_at(tiles->grid, cell) : 0;
}

/// Whether a cell is one of these kinds.
static inline bool cl_tiles_is(const cl_shape *tiles, int32_t column, int32_t row, unsigned kinds) {
  return kinds >> cl_tiles_kind_of(tiles, cl_tiles_value(tiles, column, row)) & 1;
}

/// Whether some value looks like neither an empty nor a full cell.
static inline bool cl_tiles_has_parts(const cl_shape *tiles) {
  return tiles->set && tiles->set->part_count > 0;
}

/// How many of the lines between columns (`vertical`) or rows lie before `at` in
/// the world, or on it if `with`. Lines are counted from the one before the first
/// cell to the one after the last.
int32_t cl_tiles_lines(const cl_placed *p, bool vertical, double at, bool with);

/// The first column from `from` to `to` of a row that is one of these kinds; `to` + 1 when there is
/// none. All these columns are in the grid.
int32_t cl_tiles_next(const cl_shape *tiles, int32_t row, int32_t from, int32_t to, unsigned kinds);

/// The first row from `row` to `bottom` with a solid cell anywhere in it, or bottom + 1. Rows lie
/// one after another, so that this takes no longer for many short ones.
int32_t cl_tiles_next_row(const cl_shape *tiles, int32_t row, int32_t bottom);

/// The first column of the run of full cells in a row that ends at `column`, which is full.
int32_t cl_tiles_run(const cl_shape *tiles, int32_t row, int32_t column);

/// Whether any cell of a rectangle, which may reach beyond the grid, is one of these kinds.
/// CL_TILE_EMPTY is not among them.
bool cl_tiles_any(const cl_shape *tiles, cl_cell_rect cells, unsigned kinds);

/// A few cells, as a shape that lives in a variable.
enum {
  CL_CELL_BLOCK_COLUMNS = 4,
  CL_CELL_BLOCK_ROWS = 2,
  CL_CELL_BLOCK = CL_CELL_BLOCK_COLUMNS * CL_CELL_BLOCK_ROWS,
  CL_CELL_BLOCK_VERTICES = CL_CELL_BLOCK * CL_TILE_CORNERS
};
typedef struct cl_cell_block {
  cl_shape shape;
  cl_part parts[CL_CELL_BLOCK];
  int32_t column[CL_CELL_BLOCK], row[CL_CELL_BLOCK]; ///< of each part; of a run the first column
  double arrays[5 * CL_CELL_BLOCK_VERTICES];
  uint8_t inner[CL_CELL_BLOCK_VERTICES];
  uint32_t corners; ///< of a block of runs: the corners of cells that are not full, with padding
} cl_cell_block;

/// The cells of a rectangle no larger than a block (local frame) that are not empty, one part
/// each. Edges along a cell's side that the neighbour covers are marked as inner. False when
/// all are empty.
bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells);

/// The neighbours of a cell that act alike on movers, up to eight, corners included; false when all
/// are empty.
bool cl_cell_block_around(cl_cell_block *block, const cl_shape *tiles, int32_t column, int32_t row);

/// Whether a cell is full and all four sides of it are covered by its neighbours.
bool cl_tiles_is_hidden(const cl_shape *tiles, int32_t column, int32_t row);

/// The cells of a rectangle of any size, a block's fill of runs at a time:
///   cl_cell_runs runs = cl_cell_runs_begin(tiles, cells);
///   while (cl_cell_runs_next(&runs, &block)) …
/// Every part is a run of full cells in a row, as long as the rectangle allows, or the part of one
/// cell, in the order of rows, then columns. No edge is marked as inner.
typedef struct cl_cell_runs {
  const cl_shape *tiles;
  cl_cell_rect cells;
  int32_t column, row; ///< where the search continues
} cl_cell_runs;
cl_cell_runs cl_cell_runs_begin(const cl_shape *tiles, cl_cell_rect cells);
bool cl_cell_runs_next(cl_cell_runs *runs, cl_cell_block *block);

/// The cells of a rectangle as a shape of a few large boxes and the parts of single cells. `*out`
/// is NULL when all are empty.
cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect cells, cl_shape **out);

#endif
