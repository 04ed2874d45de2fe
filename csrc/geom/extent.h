// collide, MIT licence (see LICENSE)
//
// The bounding box of points that are added one by one, by vectors of two. Layer: geom.

#ifndef CL_GEOM_EXTENT_H
#define CL_GEOM_EXTENT_H

#include "base/f64x2.h"
#include "base/vec.h"

typedef struct cl_extent {
  cl_f64x2 least, most; ///< x and y
} cl_extent;

/// Of no points.
static inline cl_extent cl_extent_empty(void) {
  return (cl_extent){cl_f64x2_all(DBL_MAX), cl_f64x2_all(-DBL_MAX)};
}

static inline void cl_extent_add(cl_extent *e, cl_vec point) {
  cl_f64x2 at = cl_f64x2_set(point.x, point.y);
  e->least = cl_f64x2_min(e->least, at);
  e->most = cl_f64x2_max(e->most, at);
}

static inline cl_bounds cl_extent_bounds(const cl_extent *e) {
  double least[2], most[2];
  cl_f64x2_store(least, e->least);
  cl_f64x2_store(most, e->most);
  return (cl_bounds){least[0], least[1], most[0], most[1]};
}

#endif
