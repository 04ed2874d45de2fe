// collide, MIT licence (see LICENSE)
//
// Code shared by the broad phases: boxes as vectors compare them; columns, rows and Morton numbers;
// a search in progress, which counts its tests; and the search for crowds. Layer: broad.
//
// When a search has made too many tests for the boxes and the pairs found, the search for crowds
// starts again. No distribution of places and sizes can slow it down: it takes time in proportion
// to n log n and the number of pairs. It uses only the order of coordinates, so it also finds the
// pairs of boxes in doubles.

#ifndef CL_BROAD_SEARCH_H
#define CL_BROAD_SEARCH_H

#include "base/alloc.h"
#include "base/simd.h"
#include "broad/broad.h"
#include "geom/box.h"

/// A box with its far corner negated: then the four comparisons that decide an
/// overlap all go the same way, and are one instruction where a vector has four
/// lanes.
typedef struct cl_lanes {
  float x0, y0, minus_x1, minus_y1;
} cl_lanes;

/// From one array to another: a load, a change of two signs, a store.
static inline void cl_lanes_put(cl_lanes *to, const cl_fbox *from) {
  cl_f32x4_store(&to->x0, cl_f32x4_neg_high(cl_f32x4_load(&from->x0)));
}

/// A box with its corners exchanged, as cl_lanes_touch takes it.
static inline cl_f32x4 cl_lanes_reach(const cl_lanes *me) {
  return cl_f32x4_neg(cl_f32x4_swapped(cl_f32x4_load(&me->x0)));
}

/// Whether `it` shares a point with another box, whose cl_lanes_reach is `reach`: on both axes,
/// each starts no later than the other ends.
static inline bool cl_lanes_touch(const cl_lanes *it, cl_f32x4 reach) {
  return cl_f32x4_le(cl_f32x4_load(&it->x0), reach) == 15;
}

/// The square grid of a quadtree's deepest level, laid over a field: from coordinates to columns
/// and rows, and on to Morton numbers. There are as many columns as rows over a box: `perx` and
/// `pery` for each unit of length.
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

/// A broad phase's memory for crowds; all zeros is an empty one. For `rest` more finds the broad
/// phase lays out its cells but does not test with them.
typedef struct cl_crowd {
  cl_sorter sorter;
  double *edge;
  uint32_t *number;
  uint32_t *list; // a stack of lists of boxes, each from left to right
  size_t edge_cap, number_cap, list_cap;
  double *left, *right, *bottom; // by box from left to right, like the next two
  uint32_t *id, *top;            // `top` is the number of its top
  double *tops;                  // all tops, ascending
  uint32_t rest;
} cl_crowd;

void cl_crowd_free(cl_crowd *crowd, const cl_alloc *alloc);

/// A find in progress: its input and output, and how many tests it may still make before it asks
/// cl_search_goes_on.
typedef struct cl_search {
  const cl_alloc *alloc;
  const cl_broad_input *in;
  cl_pairs *out;
  cl_crowd *crowd;
  size_t first; // pairs before the find
  size_t most;  // with more pairs, the search for crowds asks whether they are enough
  int64_t left;
  uint64_t allowed;
  bool spent;   // no tests are left from the start
  bool stopped; // there are enough pairs: see cl_broad_input.enough
} cl_search;

/// A status of finds: the boxes are crowded.
#define CL_CROWDED ((cl_status)(CL_INVALID + 1))

/// A find that starts with the pairs of `out`.
cl_search cl_search_begin(cl_crowd *crowd, const cl_alloc *alloc, const cl_broad_input *in,
                          cl_pairs *out);

/// Called when `left` is below 0: whether the find may go on. If not, the find returns CL_CROWDED.
bool cl_search_goes_on(cl_search *search);

/// Ends a find that has come to `status`: after CL_CROWDED it starts again with the search for
/// crowds.
cl_status cl_search_end(cl_search *search, cl_status status);

/// For checked builds. Whether the number of boxes is in range and all are finite, with l <= r and
/// t <= b. And whether the pairs from index `from` on are all pairs of these boxes, each once: with
/// many boxes, or if there are enough, it only checks that each is a pair.
bool cl_broad_input_is_valid(const cl_broad_input *in);
bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from);

#endif
