// collide, MIT licence (see LICENSE)
//
// Minkowski differences b - a of convex parts: the translations of a at which the two
// overlap. Layer: narrow. Source: Ericson, Real-Time Collision Detection, 3.11.
//
// A difference is a convex core, grown by the sum of the radii. Depths and offsets are distances in
// world units: a point at depth d is d inside the boundary; at depth -d it is outside.

#ifndef CL_NARROW_DIFFERENCE_H
#define CL_NARROW_DIFFERENCE_H

#include "narrow/convex.h"

/// The core's corners in the positive order, the unit outward normal of the edge that begins at
/// each, and how far along it the edge is from 0, 0, the same from either end; a core of one point
/// has no edge. The caller owns the arrays.
typedef struct cl_difference {
  const cl_vec *v, *n;
  const double *line;
  int count;
  double r;
  cl_bounds bounds; ///< including the radius
  bool thin;        ///< one of the two is a segment or point: see cl_mtv
  bool flat;        ///< the core has no area: a point, or a line (of parallel segments)
} cl_difference;

/// How many corners the difference of two parts needs.
static inline int cl_difference_corners(const cl_convex *a, const cl_convex *b) {
  int count = (a->n > 1 ? a->n : 0) + (b->n > 1 ? b->n : 0);
  return count > 0 ? count : 1;
}

/// Makes b - a, with its corners, normals and lines in `v`, `n` and `line`.
cl_difference cl_difference_of(const cl_convex *a, const cl_convex *b, cl_vec *v, cl_vec *n,
                               double *line);

/// Whether x is inside, deeper than `depth`, which may be negative.
bool cl_difference_holds(const cl_difference *d, cl_vec x, double depth);

/// Where a line through x along the unit vector `way` leaves the depth `depth` (not above 0), as
/// the distance from x: below 0 if that is behind x, -DBL_MAX if it is nowhere. It is the same for
/// every point of the line but for rounding.
double cl_difference_exit(const cl_difference *d, cl_vec x, cl_vec way, double depth);

/// The same from a point that is inside, at least 0.
double cl_difference_leave(const cl_difference *d, cl_vec x, cl_vec way, double depth);

/// The same round a circle: from the point at the unit vector `u` from its centre c, in the
/// positive direction (winding = 1) or the negative one (-1). Returns the unit vector at which the
/// walk leaves, or `u` if the circle never leaves.
cl_vec cl_difference_leave_arc(const cl_difference *d, cl_vec c, double radius, cl_vec u,
                               int winding, double depth);

/// How far v is from u in the direction `winding`, from 0 to 4 for a full circle: grows with the
/// angle. Both are unit vectors.
double cl_pseudo_angle(cl_vec u, cl_vec v, int winding);

#endif
