// collide, MIT licence (see LICENSE)
//
// The solid cells of tiles as convex parts: a block of cells at a time, runs of cells, or
// few large boxes. Layer: geom.

#ifndef CL_GEOM_CELL_BLOCK_H
#define CL_GEOM_CELL_BLOCK_H

#include "geom/tiles.h"

/// A few cells, as a shape of boxes that lives in a variable.
enum {
  CL_CELL_BLOCK_COLUMNS = 4,
  CL_CELL_BLOCK_ROWS = 2,
  CL_CELL_BLOCK = CL_CELL_BLOCK_COLUMNS * CL_CELL_BLOCK_ROWS
};
typedef struct cl_cell_block {
  cl_shape shape;
  cl_part parts[CL_CELL_BLOCK];
  double vx[4 * CL_CELL_BLOCK], vy[4 * CL_CELL_BLOCK], nx[4 * CL_CELL_BLOCK], ny[4 * CL_CELL_BLOCK];
  uint8_t inner[4 * CL_CELL_BLOCK];
} cl_cell_block;

/// The solid cells of a rectangle no larger than a block (local frame), their edges to
/// solid neighbours marked as inner; false when there are none.
bool cl_cell_block_fill(cl_cell_block *block, const cl_shape *tiles, cl_cell_rect cells);

/// The solid cells of a rectangle of any size, a block's fill of runs at a time:
///   cl_cell_runs runs = cl_cell_runs_begin(tiles, cells);
///   while (cl_cell_runs_next(&runs, &block)) …
/// Every part is a row's run of solid cells, as long as the rectangle lets it be, in the
/// order of rows, then columns. No edge is marked as inner.
typedef struct cl_cell_runs {
  const cl_shape *tiles;
  cl_cell_rect cells;
  int32_t column, row; ///< where the search goes on
} cl_cell_runs;
cl_cell_runs cl_cell_runs_begin(const cl_shape *tiles, cl_cell_rect cells);
bool cl_cell_runs_next(cl_cell_runs *runs, cl_cell_block *block);

/// The solid cells of a rectangle as a shape of few large boxes. `*out` is NULL when
/// there are none.
cl_status cl_tiles_cut(const cl_shape *tiles, cl_cell_rect cells, cl_shape **out);

#endif
