// collide, MIT licence (see LICENSE)
//
// The closest points of two convex parts. Layer: narrow.

#ifndef CL_NARROW_CLOSEST_H
#define CL_NARROW_CLOSEST_H

#include "narrow/convex.h"

/// The closest points of two disjoint cores, found from their best axis, and the unit vector from
/// a's to b's. Between two vertices `corner` is true and i, k are their numbers; otherwise the
/// normal is that of an edge.
typedef struct cl_closest {
  cl_vec a, b, normal;
  double distance;
  bool corner;
  int i, k;
} cl_closest;
cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis);

#endif
