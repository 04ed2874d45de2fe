// collide, MIT licence (see LICENSE)
//
// Comparison of products of lengths, for any doubles that a ray may have.
// Layer: cells.

#ifndef CL_CELLS_BIGINT_H
#define CL_CELLS_BIGINT_H

#include "base/config.h"

/// What lies between two doubles, in either order. Its length is exact, not rounded.
typedef struct cl_interval {
  double a, b;
} cl_interval;

/// The sign (-1, 0, 1) of |x[0]| |y[0]| - |x[1]| |y[1]|, where |s| is the length
/// of s. Certain for all doubles within ±2^60, the denormal ones included. The
/// two intervals of x share one unit, those of y another, so it is faster the
/// closer the two of a pair are in size.
int cl_compare_products(const cl_interval x[2], const cl_interval y[2]);

#endif
