// collide, MIT licence (see LICENSE)
//
// Whether two shapes overlap at some moment of a motion. Layer: narrow.

#ifndef CL_NARROW_SWEPT_OVERLAP_H
#define CL_NARROW_SWEPT_OVERLAP_H

#include "geom/shape.h"

/// The first touch: at share t of the way (0 … 1), with the outward unit normal nx, ny of the shape
/// that was met.
typedef struct cl_first_meeting {
  double t, nx, ny;
} cl_first_meeting;

/// Whether `a` and `b` overlap, or with `touching` touch, at some moment while `a` moves along d
/// (without turning), but not at its start. Decided exactly for the placed vertices and the
/// translation. With b moved along -d the answer is the same to the bit, except that the normal is
/// a's. Two shapes of tiles do not meet. `out` is written only if true.
bool cl_swept_overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      cl_first_meeting *out);

#endif
