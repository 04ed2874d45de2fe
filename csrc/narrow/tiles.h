// collide, MIT licence (see LICENSE)
//
// Tiles against other shapes. Layer: narrow.
//
// Upright boxes are looked up by indices, circles outside of all cells by the nearest
// point of one. Otherwise tiles are a shape of many parts, a block of them at a time.

#ifndef CL_NARROW_TILES_H
#define CL_NARROW_TILES_H

#include "geom/tiles.h"
#include "narrow/distance.h"

/// The blocks of a rectangle in which something is solid, one after the other:
///   cl_cell_blocks_begin(&w, tiles, rect, false);
///   while (cl_cell_blocks_next(&w)) … &w.placed …
/// With `shared` they have a row and a column in common, so that all cells that meet
/// in a point are in one of them.
typedef struct cl_cell_blocks {
  cl_placed placed; ///< the block's boxes where the tiles are
  const cl_placed *tiles;
  cl_cell_rect rect;
  int32_t column, row;
  bool shared;
  cl_cell_block block;
} cl_cell_blocks;
void cl_cell_blocks_begin(cl_cell_blocks *w, const cl_placed *tiles, cl_cell_rect rect,
                          bool shared);
bool cl_cell_blocks_next(cl_cell_blocks *w);

/// cl_overlap of tiles and another shape; the vector is the way the other gets free.
bool cl_tiles_overlap(const cl_placed *tiles, const cl_placed *b, bool touching, cl_hit *out);

/// The same without a way out.
bool cl_tiles_meet(const cl_placed *tiles, const cl_placed *b, bool touching);

/// cl_tiles_overlap for an upright box by its placed edges.
bool cl_tiles_overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out);

/// cl_distance, a being the tiles; infinite, and the points the places of the two,
/// where no cell is solid.
cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b);

#endif
