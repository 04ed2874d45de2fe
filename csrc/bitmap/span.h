// collide, MIT licence (see LICENSE)
//
// The part of a shape that lies in one of a bitmap's rows: shapes are painted and
// tested row by row. Layer: bitmap.

#ifndef CL_BITMAP_SPAN_H
#define CL_BITMAP_SPAN_H

#include "bitmap/bitmap.h"

/// The cells lo … hi of a row, at least one. The shape covers each of mid_lo …
/// mid_hi, if any, by `mid`, and every other cell c by edge[c] of the bitmap.
/// Without a middle, mid_lo is hi + 1 and mid_hi is hi.
typedef struct cl_span {
  int32_t lo, hi, mid_lo, mid_hi;
  double mid;
} cl_span;

/// cl_span_paint keeps the larger coverage in each cell of a span. cl_span_test tells whether the
/// coverage painted in some cell plus that of the span exceeds `threshold`.
void cl_span_paint(cl_bitmap *bitmap, int32_t row, const cl_span *span);
bool cl_span_test(const cl_bitmap *bitmap, int32_t row, const cl_span *span, double threshold);

/// floor(v), brought into lo … hi.
static inline int32_t cl_floor_within(double v, int32_t lo, int32_t hi) {
  if (!(v > lo)) return lo;
  if (v >= hi) return hi;
  int32_t i = (int32_t)v;
  return i > v ? i - 1 : i;
}

#endif
