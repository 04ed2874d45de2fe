// collide, MIT licence (see LICENSE)
//
// How one moving convex part meets another. Layer: narrow.
// Source: Cyrus and Beck 1978 on the Minkowski difference; for round shapes Newton's method on the
// distance, which is convex along a translation.

#ifndef CL_NARROW_CONVEX_CAST_H
#define CL_NARROW_CONVEX_CAST_H

#include "geom/shape.h"
#include "narrow/convex.h"

/// One part of each of two shapes, and the motion of the first. The caller fills it in.
typedef struct cl_convex_cast {
  const cl_placed *a, *b;
  uint32_t i, k;  ///< the numbers of the parts in a and b
  cl_convex p, q; ///< the parts, relative to a's place
  cl_vec d;
  const cl_stack_shape *ray; ///< unless NULL, a point moves: decisions are made for the segment as
                             ///< given, not for its difference
  bool strict;               ///< they touch at the start: only an entry counts
  double error;              ///< of a separation during the motion: cl_convex_cast_error
} cl_convex_cast;

/// The error bound of a separation during the motion, in world units.
double cl_convex_cast_error(const cl_convex_cast *c);

/// When two parts first touch, and with which normal (outward of b). `outline`: the normal is not
/// that of an edge made by a cut.
typedef struct cl_first_touch {
  double t;
  cl_vec normal;
  bool outline;
} cl_first_touch;

/// Whether they touch during the motion. Touches that certainly come later than `before` may be
/// left out.
bool cl_convex_cast_touch(cl_convex_cast *c, double before, cl_first_touch *out);

/// Whether parts that touch at the start are entered.
bool cl_convex_cast_enters(cl_convex_cast *c);

/// The closest points when the moving part is at t, relative to a's place at the start moved back
/// by the motion; `separation` gets that of the best axis.
cl_closest cl_convex_cast_at(const cl_convex_cast *c, double t, double *separation);

#endif
