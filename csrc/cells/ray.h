// collide, MIT licence (see LICENSE)
//
// A segment among unit cells, 2D or 3D: which boundaries between cells it crosses,
// and which of two it reaches first. Layer: cells.
//
// A cell is named by its lowest corner. One rule covers all cases: the first cell is
// the floor of the start; on each axis every whole number that the segment reaches
// at a parameter in [0, 1] in the direction of travel is a boundary that it crosses.
// So going down from a boundary crosses it at 0, ending on one crosses it at 1, and
// an axis without movement crosses none.

#ifndef CL_CELLS_RAY_H
#define CL_CELLS_RAY_H

#include "base/config.h"
#include "base/exact.h"

/// One axis of a ray. Its crossings have numbers 0 … count - 1 in the order of
/// travel; crossing i leads out of cell + step * i.
typedef struct cl_ray_axis {
  double from, to;
  double cell;   ///< of the start
  double first;  ///< the boundary of crossing 0
  double step;   ///< 1, -1, or 0 without movement
  cl_two length; ///< |to - from|
  int64_t count;
} cl_ray_axis;

/// In 2D the third axis is there and never crosses.
typedef struct cl_ray {
  cl_ray_axis axis[3];
  int dims;
} cl_ray;

/// `from` and `to` have `dims` (2 or 3) coordinates within ±CL_MAX_CELL.
void cl_ray_set(cl_ray *ray, int dims, const double from[], const double to[]);

/// The boundary of crossing i; i may be `count`, one past the last.
static inline double cl_ray_boundary(const cl_ray_axis *axis, int64_t i) {
  return axis->first + axis->step * (double)i;
}

/// The parameter of crossing i of an axis in 0 … 1, rounded.
static inline double cl_ray_time(const cl_ray_axis *axis, int64_t i) {
  double t = fabs(cl_ray_boundary(axis, i) - axis->from) / axis->length.hi;
  return t < 1 ? t : 1;
}

/// The exact sign (-1, 0, 1) of t of crossing i of axis a minus t of crossing j
/// of axis b. i and j are at most `count` of their axis.
int cl_ray_compare(const cl_ray *ray, int a, int64_t i, int b, int64_t j);

/// How many crossings of axis a come before crossing j of axis b. Exact.
int64_t cl_ray_before(const cl_ray *ray, int a, int b, int64_t j);

/// Which axes cross next after `passed` crossings of each: a bit for each axis,
/// several when they cross together, 0 at the end. Exact.
unsigned cl_ray_next(const cl_ray *ray, const int64_t passed[3]);

#endif
