// collide, MIT licence (see LICENSE)
//
// The DDA stepper: the next crossings of a ray in fixed point, by which a step from cell
// to cell costs an addition (Amanatides and Woo 1987, in whole numbers). Layer: cells.
//
// Times are scaled so that all become sums of products. With lengths X, Y, Z of the
// ray along its axes, crossings of x lie 1/X apart, which times X Y Z is Y Z; and
// from the next crossing of the fastest axis, f, to the next one of axis a it is
//   (da / La - df / Lf) X Y Z = (da Lf - df La) Lother
// where da is the distance along a from the start to that crossing. These are
// computed in double doubles, scaled by a power of two, and rounded to 64 bits once
// every CL_DDA_STEPS crossings; from there one adds.
//
// So `time` and `wait` of each axis are off by a bounded number of units, and two
// crossings whose times differ by more than `slack` are certainly in that order.
// cl_ray_next decides the others. Where nothing was rounded, as with ends on a
// lattice of a few binary digits, slack is 0, and equal times are equal.

#ifndef CL_CELLS_DDA_H
#define CL_CELLS_DDA_H

#include "cells/ray.h"

/// After so many crossings the times must be set again. The last step may cross
/// all axes at once. The fastest axis waits less than 2^50 units, so that its
/// times stay below 2^61.
enum { CL_DDA_STEPS = 1024 };

typedef struct cl_dda {
  int64_t time[3]; ///< of the next crossing; times and their differences stay within ±2^62
  int64_t wait[3]; ///< from one crossing to the next
  int64_t slack;
  bool exact; ///< equal times are equal, and slack is 0
} cl_dda;

/// Sets the times for a ray that has made `passed` crossings of each axis.
void cl_dda_set(cl_dda *dda, const cl_ray *ray, const int64_t passed[3]);

/// cl_ray_next, answered by the times where they are exact.
unsigned cl_dda_next(const cl_dda *dda, const cl_ray *ray, const int64_t passed[3]);

/// Whether two times are too near to tell which is first, given their difference.
static inline bool cl_dda_near(int64_t difference, int64_t slack) {
  return (uint64_t)difference + (uint64_t)slack <= 2 * (uint64_t)slack;
}

/// The same of any two of three, without branches.
static inline bool cl_dda_any_near(int64_t xy, int64_t xz, int64_t yz, int64_t slack) {
  uint64_t u = (uint64_t)xy + (uint64_t)slack, v = (uint64_t)xz + (uint64_t)slack;
  uint64_t w = (uint64_t)yz + (uint64_t)slack, least = u < v ? u : v;
  least = least < w ? least : w;
  return least <= 2 * (uint64_t)slack;
}

/// All bits when a difference is negative, else none.
static inline int64_t cl_dda_mask(int64_t difference) { return -(int64_t)(difference < 0); }

#endif
