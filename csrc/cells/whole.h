// collide, MIT licence (see LICENSE)
//
// Comparison of products of differences, for any doubles that a ray may have.
// Layer: cells.

#ifndef CL_CELLS_WHOLE_H
#define CL_CELLS_WHOLE_H

#include "base/config.h"

/// The distance between two doubles, as exact.
typedef struct cl_span {
  double a, b;
} cl_span;

/// The sign (-1, 0, 1) of |x[0]| |y[0]| - |x[1]| |y[1]|, where |s| is the length of
/// span s. Certain for all doubles within ±2^60, the denormal ones included. The
/// two spans of x are measured in one unit, those of y in another, so it is the
/// quicker the nearer the sizes of each pair are.
int cl_compare_spans(const cl_span x[2], const cl_span y[2]);

#endif
