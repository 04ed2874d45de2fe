// collide, MIT licence (see LICENSE)
//
// Tiles against other shapes. Layer: narrow.
//
// Upright boxes are decided by indices, circles outside all cells by the nearest point of one.
// Otherwise tiles are a shape of many parts, one block at a time.

#ifndef CL_NARROW_TILES_OVERLAP_H
#define CL_NARROW_TILES_OVERLAP_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// cl_overlap of tiles and another shape; the vector is how the other gets free.
bool cl_tiles_overlap(const cl_placed *tiles, const cl_placed *b, bool touching, cl_effort *effort,
                      cl_hit *out);

/// The same without a way out.
bool cl_tiles_meet(const cl_placed *tiles, const cl_placed *b, bool touching);

#endif
