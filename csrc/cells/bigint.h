// collide, MIT licence (see LICENSE)
//
// Comparison of products of lengths, for any doubles that a ray may have.
// Layer: cells.

#ifndef CL_CELLS_BIGINT_H
#define CL_CELLS_BIGINT_H

#include "base/config.h"

/// What lies between two doubles, in either order; its length is taken as exact.
typedef struct cl_interval {
  double a, b;
} cl_interval;

/// The sign (-1, 0, 1) of |x[0]| |y[0]| - |x[1]| |y[1]|, where |s| is the length of
/// s. Certain for all doubles within ±2^60, the denormal ones included. The
/// two of x are measured in one unit, those of y in another, so it is the
/// quicker the nearer the sizes of each pair are.
int cl_compare_products(const cl_interval x[2], const cl_interval y[2]);

#endif
