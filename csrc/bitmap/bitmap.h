// collide, MIT licence (see LICENSE)
//
// A bitmap into which many shapes are painted, to ask of others whether they
// overlap any of them: time for each shape in place of time for each pair. A cell
// keeps how much of it is covered, or, in a conservative bitmap, one bit.
// Layer: bitmap.
// Source: an experiment on hits in shooters: paint one group, look the other up.
//
// The bitmap's w x h square cells cover 0 <= x < w * cell, 0 <= y < h * cell in
// world units. Of a shape only what lies there is painted and tested.
//
// Coverage: a rectangle covers of a cell the share that it overlaps, up to
// rounding. A circle covers 1 of a cell inside it, 0 of one outside, and of one on
// its rim the share of samples x samples points, evenly spread, that lie in it.
// That is off by at most 1 / samples, or 2 / samples when the circle is smaller than
// a cell; summed over a whole circle, by 2 (r samples + 1) / samples^2 cells, with r
// in cells. A circle smaller than the distance of two samples may fall between them.
//
// Conservative: a shape paints every cell that it may touch. If two shapes (circles
// as the doubles given have them, rectangles from x to the double nearest x + w)
// share a point inside the bitmap, boundaries included, they share a painted cell.

#ifndef CL_BITMAP_BITMAP_H
#define CL_BITMAP_BITMAP_H

#include "base/alloc.h"

/// The most cells on a side and in all, 2 GB of coverages; samples on a side of a
/// cell; the smallest cell in world units, below which places mean little.
#define CL_BITMAP_MAX_SIDE 65536
#define CL_BITMAP_MAX_CELLS (INT64_C(1) << 28)
#define CL_BITMAP_MAX_SAMPLES 64
#define CL_BITMAP_MIN_CELL 1e-12

typedef struct cl_bitmap_def {
  cl_alloc alloc;
  int32_t w, h;    ///< cells, 1 to CL_BITMAP_MAX_SIDE, in all to CL_BITMAP_MAX_CELLS
  double cell;     ///< side of a cell in world units, CL_BITMAP_MIN_CELL to CL_MAX_COORD
  int32_t samples; ///< on each side of a cell, 1 to CL_BITMAP_MAX_SAMPLES
  bool conservative;
} cl_bitmap_def;

typedef struct cl_bitmap cl_bitmap;

/// An empty bitmap, or NULL: no memory. It takes 1 bit a cell, and 8 bytes more
/// unless it is conservative; nothing below needs more.
cl_bitmap *cl_bitmap_new(const cl_bitmap_def *def);
void cl_bitmap_free(cl_bitmap *bitmap);

/// The bitmap's measures, as it was made.
cl_bitmap_def cl_bitmap_measures(const cl_bitmap *bitmap);

/// Removes what was painted, in time of that, however large the bitmap is.
void cl_bitmap_clear(cl_bitmap *bitmap);

/// Paint a shape: coordinates and sizes in world units, within CL_MAX_COORD; sizes
/// above 0. A cell keeps the largest coverage painted.
void cl_bitmap_add_circle(cl_bitmap *bitmap, double x, double y, double r);
void cl_bitmap_add_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h);

/// How much of a cell is covered, 0 to 1; of a conservative bitmap 0 or 1.
/// 0 <= col < w, 0 <= row < h.
double cl_bitmap_coverage(const cl_bitmap *bitmap, int32_t col, int32_t row);

/// Whether in some cell of those that the shape covers, its coverage plus the
/// cell's is above `threshold`. From 1 up, the two overlap in that cell.
bool cl_bitmap_test_circle(cl_bitmap *bitmap, double x, double y, double r, double threshold);
bool cl_bitmap_test_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h,
                              double threshold);

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
  double *edge;  ///< scratch, for the rims of shapes; w
};

/// A word with the bits lo … hi of a row that lie in word `i` of it; 64 * i <= hi
/// and lo <= 64 * i + 63.
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

/// Whether a conservative bitmap has a hit among the cells lo … hi of a row: each
/// of them the shape covers by 1.
static inline bool cl_bits_test(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi,
                                double threshold) {
  return threshold < 1 || (threshold < 2 && cl_bits_any(bitmap, row, lo, hi));
}

/// Whether the bits are those of cells, all words that are not 0 are listed once, and
/// coverages of painted cells lie in 0 … 1.
bool cl_bitmap_is_valid(const cl_bitmap *bitmap);

#endif
