// collide, MIT licence (see LICENSE)
//
// The square grid of a quadtree's deepest level, laid over a field: from
// coordinates to columns and rows, and on to Morton numbers. Layer: broad.

#ifndef CL_BROAD_MORTON_H
#define CL_BROAD_MORTON_H

#include "geom/fbox.h"

/// As many columns as rows over a box: `perx` and `pery` for each unit of length.
typedef struct cl_morton_grid {
  double left, top, perx, pery;
  double last; // the last column's and row's number
  cl_fbox box;
} cl_morton_grid;

/// The bounds of `count` boxes; a box at 0, 0 when there are none.
static inline cl_fbox cl_fbox_join_all(const cl_fbox *box, uint32_t count) {
  cl_fbox all = count > 0 ? box[0] : (cl_fbox){0, 0, 0, 0};
  for (uint32_t i = 1; i < count; i++) all = cl_fbox_join(all, box[i]);
  return all;
}

/// Lays 2^depth columns and rows over a box.
static inline cl_morton_grid cl_morton_grid_of(cl_fbox box, unsigned depth) {
  double cells = (double)(1u << depth);
  double width = (double)box.x1 - box.x0, height = (double)box.y1 - box.y0;
  double perx = width > 0 ? cells / width : 0, pery = height > 0 ? cells / height : 0;
  return (cl_morton_grid){box.x0, box.y0, perx, pery, cells - 1, box};
}

/// Column or row of a coordinate. What lies outside the field belongs to the
/// cells at its border. That no pair is missed depends on one thing alone: this
/// never falls when the coordinate rises. Rounding preserves that, so no
/// tolerance is needed.
static inline uint32_t cl_morton_grid_cut(double v, double start, double per, double last) {
  double cell = (v - start) * per;
  cell = cell < last ? cell : last;
  return cell > 0 ? (uint32_t)cell : 0;
}

static inline uint32_t cl_morton_grid_column(const cl_morton_grid *field, double x) {
  return cl_morton_grid_cut(x, field->left, field->perx, field->last);
}

static inline uint32_t cl_morton_grid_row(const cl_morton_grid *field, double y) {
  return cl_morton_grid_cut(y, field->top, field->pery, field->last);
}

/// The bits of a 16-bit number at the even places of a 32-bit one, and back.
/// Source: "Interleave bits by binary magic numbers", Anderson, Bit Twiddling
/// Hacks.
static inline uint32_t cl_spread(uint32_t v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

static inline uint32_t cl_gather(uint32_t v) {
  v &= 0x55555555u;
  v = (v | v >> 1) & 0x33333333u;
  v = (v | v >> 2) & 0x0f0f0f0fu;
  v = (v | v >> 4) & 0x00ff00ffu;
  return (v | v >> 8) & 0x0000ffffu;
}

/// The Morton number of a column and row below 2^16.
static inline uint32_t cl_morton(uint32_t column, uint32_t row) {
  return cl_spread(column) | cl_spread(row) << 1;
}

#endif
