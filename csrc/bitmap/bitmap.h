// collide, MIT licence (see LICENSE)
//
// What a bitmap is made of, and the bits of its rows. Layer: bitmap.
// Source: an experiment on hits in shooters: paint one group, look the other up.

#ifndef CL_BITMAP_BITMAP_H
#define CL_BITMAP_BITMAP_H

#include "base/alloc.h"

struct cl_bitmap {
  cl_alloc alloc;
  int32_t w, h;
  int32_t stride; ///< words of bits in a row
  int32_t samples;
  double cell;
  uint64_t *bits;  ///< h rows: bit c % 64 of word c / 64 says that cell c is painted
  uint32_t *dirty; ///< indices of the words that are not 0, in the order of painting; room for all
  size_t dirty_count;
  double *value; ///< h rows of w: the coverage of painted cells; NULL if conservative
  double *edge;  ///< scratch, for the rims of shapes; w
};

/// The mask of the cells lo … hi of a row within its word `i`; 64 * i <= hi and
/// lo <= 64 * i + 63.
static inline uint64_t cl_bits_mask(int32_t i, int32_t lo, int32_t hi) {
  uint64_t mask = UINT64_MAX;
  if (lo > 64 * i) mask <<= lo & 63;
  if (hi < 64 * i + 63) mask &= UINT64_MAX >> (63 - (hi & 63));
  return mask;
}

/// Whether any of the cells lo … hi of a row is painted.
bool cl_bits_any(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi);

/// Marks the cells lo … hi of a row as painted.
void cl_bits_set(cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi);

/// Whether a conservative bitmap has a hit among the cells lo … hi of a row, each
/// of which counts as covered by 1.
static inline bool cl_bits_test(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi,
                                double threshold) {
  return threshold < 1 || (threshold < 2 && cl_bits_any(bitmap, row, lo, hi));
}

/// Whether no bit lies outside the cells, every word that is not 0 is listed once, and the coverage
/// of painted cells lies in 0 … 1. For checks.
bool cl_bitmap_is_valid(const cl_bitmap *bitmap);

#endif
