// collide, MIT licence (see LICENSE)
//
// Painting and testing one row of a shape. Layer: bitmap.

#include "bitmap/span.h"

#include "base/sort.h"

// An element of `value` counts only where the bit is set, so clearing need not touch it.
static inline double painted(const uint64_t *words, const double *value, int32_t c) {
  return words[c >> 6] >> (c & 63) & 1 ? value[c] : 0;
}

static inline void keep_larger(const uint64_t *words, double *value, int32_t c, double v) {
  double old = painted(words, value, c);
  value[c] = v > old ? v : old;
}

void cl_span_paint(cl_bitmap *bitmap, int32_t row, const cl_span *span) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  double *value = bitmap->value + (size_t)row * (size_t)bitmap->w;
  const double *edge = bitmap->edge;
  for (int32_t c = span->lo; c < span->mid_lo; c++) keep_larger(words, value, c, edge[c]);
  if (span->mid == 1) {
    for (int32_t c = span->mid_lo; c <= span->mid_hi; c++) value[c] = 1;
  } else {
    for (int32_t c = span->mid_lo; c <= span->mid_hi; c++) keep_larger(words, value, c, span->mid);
  }
  for (int32_t c = span->mid_hi + 1; c <= span->hi; c++) keep_larger(words, value, c, edge[c]);
  cl_bits_set(bitmap, row, span->lo, span->hi);
}

bool cl_span_test(const cl_bitmap *bitmap, int32_t row, const cl_span *span, double threshold) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  const double *value = bitmap->value + (size_t)row * (size_t)bitmap->w;
  for (int32_t i = span->lo >> 6; i <= span->hi >> 6; i++) {
    // Below 1 the shape alone can be enough; from 1 up only painted cells count.
    uint64_t ask = cl_bits_mask(i, span->lo, span->hi);
    if (threshold >= 1) ask &= words[i];
    for (; ask; ask &= ask - 1) {
      int32_t c = 64 * i + (int32_t)cl_bit_length(ask & (~ask + 1)) - 1;
      double mine = c >= span->mid_lo && c <= span->mid_hi ? span->mid : bitmap->edge[c];
      if (mine + painted(words, value, c) > threshold) return true;
    }
  }
  return false;
}
