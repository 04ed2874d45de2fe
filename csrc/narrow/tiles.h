// collide, MIT licence (see LICENSE)
//
// Tiles against other shapes. Layer: narrow.
//
// Upright boxes are looked up by indices, circles outside of all cells by the nearest
// point of one. Otherwise tiles are a shape of many parts, a window of them at a time.

#ifndef CL_NARROW_TILES_H
#define CL_NARROW_TILES_H

#include "geom/tiles.h"
#include "narrow/distance.h"

/// The windows of a stretch in which something is solid, one after the other:
///   cl_windows_begin(&w, tiles, stretch, false);
///   while (cl_windows_next(&w)) … &w.placed …
/// With `shared` they have a row and a column in common, so that all cells that meet
/// in a point are in one of them.
typedef struct cl_windows {
  cl_placed placed; ///< the window's boxes where the tiles are
  const cl_placed *tiles;
  cl_stretch stretch;
  int32_t column, row;
  bool shared;
  cl_window window;
} cl_windows;
void cl_windows_begin(cl_windows *w, const cl_placed *tiles, cl_stretch stretch, bool shared);
bool cl_windows_next(cl_windows *w);

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
