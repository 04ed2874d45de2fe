// collide, MIT licence (see LICENSE)
//
// Walks over the cells of maps: the cells of a rectangle, a block at a time, and the way of a box,
// a piece at a time. Layer: narrow.

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

/// The bounds of cells, in world units.
cl_bounds cl_cells_bounds(const cl_placed *tiles, cl_cell_rect cells);

/// When a box moving along d may touch another, as shares t: `in` greater than `out` if never.
void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out);

/// The way of a box over tiles, from share `in` to share `out` of d, one piece after another: so
/// that what is met in one piece comes before all that is met in later ones.
///   cl_way_pieces_begin(&w, tiles, box, d, in, out);
///   while (cl_way_pieces_next(&w)) … w.from, w.swept …
/// A piece is about as long as a block, or as the box if that is longer: so all pieces together
/// look at most cells a few times. There are none if `in` is greater than `out`.
typedef struct cl_way_pieces {
  double from;     ///< where the piece begins, as a share of d
  cl_bounds swept; ///< by the box during the piece
  cl_bounds box;
  cl_vec d;
  double in, out, count, next;
} cl_way_pieces;
void cl_way_pieces_begin(cl_way_pieces *w, const cl_placed *tiles, cl_bounds box, cl_vec d,
                         double in, double out);
bool cl_way_pieces_next(cl_way_pieces *w);

#endif
