// collide, MIT licence (see LICENSE)
//
// Small convex parts at their places: vertices and normals turned once, for all the
// pairs that a part is in. Layer: narrow.

#ifndef CL_NARROW_CORNERS_H
#define CL_NARROW_CORNERS_H

#include "geom/placed.h"

/// A block of doubles holds a sharp shape of one part with 2 to CL_AXES vertices at its
/// place, with room for CL_FEW corners if those are enough, for CL_AXES otherwise: x and y
/// of the place, a bound of the coordinates that went into it (for error bounds), nothing;
/// then with room for m corners m times x, m times y, and the same of the normals. Where
/// there are fewer corners than that, some come again, which changes nothing. World units.
enum { CL_FEW = 4, CL_AXES = 8 };
enum { CL_BLOCK_X, CL_BLOCK_Y, CL_BLOCK_SIZE, CL_BLOCK_CORNERS = 4 };
#define CL_BLOCK(room) (CL_BLOCK_CORNERS + 4 * (room))

/// Whether a shape can be placed like that.
static inline bool cl_has_corners(const cl_shape *shape) {
  const cl_part *part = shape->parts;
  return shape->part_count == 1 && part->radius == 0 && part->count > 1 && part->count <= CL_AXES;
}

/// Whether one that can has few corners.
static inline bool cl_has_few(const cl_shape *shape) { return shape->parts->count <= CL_FEW; }

/// Writes blocks of CL_BLOCK(CL_FEW) and CL_BLOCK(CL_AXES) doubles, and, unless NULL,
/// cl_placed_bounds. A large block will do for few corners, too. With `wide` AVX2 is used, where
/// the build has it: ask cl_has_avx2(). The bits are the same.
void cl_corners_place_few(const cl_placed *placed, bool wide, double *block, cl_bounds *bounds);
void cl_corners_place(const cl_placed *placed, bool wide, double *block, cl_bounds *bounds);

#endif
