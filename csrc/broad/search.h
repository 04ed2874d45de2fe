// collide, MIT licence (see LICENSE)
//
// What the broad phases share: boxes as vectors compare them; a search in progress, which counts
// its tests; and the search for crowds. Layer: broad.
//
// When a search has made too many tests for the boxes and the pairs found, it starts again with one
// that no distribution of places and sizes can slow down: it takes time in proportion to n log n
// and the number of pairs. It uses only the order of coordinates, so it also finds the pairs of
// boxes in doubles.

#ifndef CL_BROAD_SEARCH_H
#define CL_BROAD_SEARCH_H

#include "base/f32x4.h"
#include "base/sort.h"
#include "base/work.h"
#include "broad/broad.h"

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

/// Whether `it` shares a point with another box, whose cl_lanes_reach is `reach`: on both axes it
/// starts no later than the other ends, and ends no sooner than the other starts.
static inline bool cl_lanes_touch(const cl_lanes *it, cl_f32x4 reach) {
  return cl_f32x4_le(cl_f32x4_load(&it->x0), reach) == 15;
}

/// A broad phase's memory for crowds; all zeros is an empty one. For `rest` more finds it lays its
/// cells out, but makes no test by them.
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

/// A find in progress: what it looks for, and how many tests it may still make before it asks
/// cl_search_goes_on.
typedef struct cl_search {
  const cl_alloc *alloc;
  const cl_broad_input *in;
  cl_pairs *out;
  cl_crowd *crowd;
  size_t first; // pairs before the find
  size_t most;  // with more, the search for crowds asks whether they are enough
  int64_t left;
  uint64_t allowed;
  bool spent;   // no tests are left from the start
  bool stopped; // there are enough pairs: see cl_broad_input.enough
} cl_search;

/// Says, as the status of a find, that the boxes are crowded.
#define CL_CROWDED ((cl_status)(CL_INVALID + 1))

/// A find that starts with the pairs of `out`.
cl_search cl_search_begin(cl_crowd *crowd, const cl_alloc *alloc, const cl_broad_input *in,
                          cl_pairs *out);

/// Called when `left` is below 0: whether the find may go on. If not, it returns CL_CROWDED.
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
