// collide, MIT licence (see LICENSE)
//
// Tiles a block of cells at a time. Layer: narrow.

#ifndef CL_NARROW_CELL_BLOCKS_H
#define CL_NARROW_CELL_BLOCKS_H

#include "geom/cell_block.h"

/// The blocks of a rectangle of cells in which something is solid, one after the other:
///   cl_cell_blocks_begin(&w, tiles, cells, false);
///   while (cl_cell_blocks_next(&w)) … &w.placed …
/// With `shared` they have a row and a column in common, so that all cells that meet
/// in a point are in one of them.
typedef struct cl_cell_blocks {
  cl_placed placed; ///< the block's parts where the tiles are
  const cl_placed *tiles;
  cl_cell_rect cells;
  int32_t column, row;
  bool shared;
  cl_cell_block block;
} cl_cell_blocks;
void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect cells,
                          bool shared);
bool cl_cell_blocks_next(cl_cell_blocks *w);

#endif
