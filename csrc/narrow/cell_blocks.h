// collide, MIT licence (see LICENSE)
//
// Tiles a block of cells at a time. Layer: narrow.

#ifndef CL_NARROW_CELL_BLOCKS_H
#define CL_NARROW_CELL_BLOCKS_H

#include "geom/tiles.h"

/// The blocks of a rectangle of cells that contain a solid cell, one after another:
///   cl_cell_blocks_begin(&w, tiles, cells, false);
///   while (cl_cell_blocks_next(&w)) … &w.placed …
/// With `shared`, neighbouring blocks have a row or a column in common, so that all cells that meet
/// in a point are in one of them.
typedef struct cl_cell_blocks {
  cl_placed placed; ///< the block's parts, at the place of the tiles
  const cl_placed *tiles;
  cl_cell_rect cells;
  cl_cell_rect here; ///< the cells of the block
  int32_t column, row;
  bool shared;
  cl_cell_block block;
} cl_cell_blocks;
void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect cells,
                          bool shared);
bool cl_cell_blocks_next(cl_cell_blocks *w);

/// The same in two steps: goes on to the next block, of which only `here` is known, and makes it;
/// false if it has no solid cell.
bool cl_cell_blocks_seek(cl_cell_blocks *w);
bool cl_cell_blocks_fill(cl_cell_blocks *w);

/// Into how many pieces to cut a share of the way `d` of a mover with bounds `box`, to look at the
/// cells near one piece after another. A piece is about as long as a block, or as the mover if that
/// is longer: so all pieces together look at most cells a few times.
double cl_cell_blocks_pieces(const cl_placed *tiles, cl_bounds box, cl_vec d, double share);

#endif
