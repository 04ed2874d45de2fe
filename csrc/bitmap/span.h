// collide, MIT licence (see LICENSE)
//
// What a bitmap is made of, and the part of a shape that lies in one of its rows:
// shapes are painted and tested row by row. Layer: bitmap.

#ifndef CL_BITMAP_SPAN_H
#define CL_BITMAP_SPAN_H

#include "bitmap/bitmap.h"

struct cl_bitmap {
  cl_alloc alloc;
  int32_t w, h;
  int32_t stride; ///< words of bits in a row
  int32_t samples;
  double cell;
  uint64_t *bits;  ///< h rows: bit c % 64 of word c / 64 says that cell c is painted
  uint32_t *dirty; ///< which words are not 0, in the order of painting; room for all
  size_t dirty_count;
  double *value; ///< h rows of w: the coverage of painted cells; NULL if conservative
  double *edge;  ///< scratch, for cl_span; w
};

/// The cells lo … hi of a row, at least one. Those of mid_lo … mid_hi, if any, the
/// shape covers by `mid`, the others c by edge[c] of the bitmap. Without a middle,
/// mid_lo is hi + 1 and mid_hi is hi.
typedef struct cl_span {
  int32_t lo, hi, mid_lo, mid_hi;
  double mid;
} cl_span;

/// Whether any of the cells lo … hi of a row is painted.
bool cl_bits_any(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi);

/// Marks the cells lo … hi of a row as painted.
void cl_bits_set(cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi);

/// Paint a span, and whether a cell of it adds up with it to more than `threshold`.
void cl_span_paint(cl_bitmap *bitmap, int32_t row, const cl_span *span);
bool cl_span_test(const cl_bitmap *bitmap, int32_t row, const cl_span *span, double threshold);

/// Whether a conservative bitmap has a hit among the cells lo … hi of a row: each
/// of them the shape covers by 1.
static inline bool cl_bits_test(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi,
                                double threshold) {
  return threshold < 1 || (threshold < 2 && cl_bits_any(bitmap, row, lo, hi));
}

/// floor(v), brought into lo … hi.
static inline int32_t cl_floor_within(double v, int32_t lo, int32_t hi) {
  if (!(v > lo)) return lo;
  if (v >= hi) return hi;
  int32_t i = (int32_t)v;
  return i > v ? i - 1 : i;
}

/// A word with the bits lo … hi of a row that lie in word `i` of it; 64 * i <= hi
/// and lo <= 64 * i + 63.
static inline uint64_t cl_span_mask(int32_t i, int32_t lo, int32_t hi) {
  uint64_t mask = UINT64_MAX;
  if (lo > 64 * i) mask <<= lo & 63;
  if (hi < 64 * i + 63) mask &= UINT64_MAX >> (63 - (hi & 63));
  return mask;
}

#endif
