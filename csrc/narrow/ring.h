// collide, MIT licence (see LICENSE)
//
// The corners of the Minkowski difference of two convex parts, one after the
// other. Layer: narrow.

#ifndef CL_NARROW_RING_H
#define CL_NARROW_RING_H

#include "narrow/convex.h"

/// At corner v of the difference b - a of the cores, vertex k of b less vertex i of
/// a; the edge that begins there is b's, or a's turned round.
typedef struct cl_ring {
  const cl_convex *a, *b;
  cl_vec v;
  int i, k;
  bool of_b;
} cl_ring;

/// Returns how many corners there are until they come again, in the positive
/// order; edges of both in one direction have a corner between them.
int cl_ring_begin(cl_ring *ring, const cl_convex *a, const cl_convex *b);

/// The outward unit normal of the edge that begins at v; 0, 0 if v is all there is.
cl_vec cl_ring_normal(const cl_ring *ring);

/// On to the next corner.
void cl_ring_next(cl_ring *ring);

#endif
