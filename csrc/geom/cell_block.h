// collide, MIT licence (see LICENSE)
//
// The cells of tiles as convex parts: a block of cells at a time, runs of cells, or
// few large boxes. Layer: geom.

#ifndef CL_GEOM_CELL_BLOCK_H
#define CL_GEOM_CELL_BLOCK_H

#include "geom/tiles.h"

/// A few cells, as a shape that lives in a variable.
enum {
  CL_CELL_BLOCK_COLUMNS = 4,
  CL_CELL_BLOCK_ROWS = 2,
  CL_CELL_BLOCK = CL_CELL_BLOCK_COLUMNS * CL_CELL_BLOCK_ROWS
};
enum { CL_CELL_BLOCK_VERTICES = CL_CELL_BLOCK * CL_TILE_CORNERS };
typedef struct cl_cell_block {
  cl_shape shape;
  cl_part parts[CL_CELL_BLOCK];
  int32_t column[CL_CELL_BLOCK], row[CL_CELL_BLOCK]; ///< of each part; of a run the first column
  double vx[CL_CELL_BLOCK_VERTICES], vy[CL_CELL_BLOCK_VERTICES];
  double nx[CL_CELL_BLOCK_VERTICES], ny[CL_CELL_BLOCK_VERTICES];
  double line[CL_CELL_BLOCK_VERTICES];
  uint8_t inner[CL_CELL_BLOCK_VERTICES];
  uint32_t corners; ///< of a block of runs: the corners of cells that are not full, with padding
} cl_cell_block;

/// The cells of a rectangle no larger than a block (local frame) that are not empty, one part
/// each. Edges along a cell's side that the neighbour covers are marked as inner. False when
/// all are empty.
bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells);

/// The neighbours of a cell, up to eight, corners included; false when all are empty.
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
