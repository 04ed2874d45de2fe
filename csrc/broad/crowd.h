// collide, MIT licence (see LICENSE)
//
// For boxes that suit no cells. Every broad phase counts its tests. When there are too many for the
// boxes and the pairs found, it starts again with a search that no distribution of places and
// sizes can slow down: it takes time in proportion to n log n and the number of pairs. It uses only
// the order of coordinates, so it also finds the pairs of boxes in doubles. Layer: broad.

#ifndef CL_BROAD_CROWD_H
#define CL_BROAD_CROWD_H

#include "base/sort.h"
#include "broad/broad.h"

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
  // Of the search in progress: it stops at `most` pairs to see whether that is enough.
  const cl_alloc *alloc;
  const cl_broad_input *in;
  cl_pairs *out;
  size_t first, most;
  uint32_t rest;
} cl_crowd;

void cl_crowd_free(cl_crowd *crowd, const cl_alloc *alloc);

/// Says, as the status of a find, that the boxes are crowded.
#define CL_CROWDED ((cl_status)(CL_INVALID + 1))

/// The tests that a find may still make before it asks cl_guard_allows.
typedef struct cl_guard {
  const cl_broad_input *in;
  size_t first; // pairs before the find
  int64_t left;
  uint64_t allowed;
  bool spent;   // no tests are left from the start
  bool stopped; // there are enough pairs: see cl_broad_input.enough
} cl_guard;

/// A guard for a find that starts with the pairs of `out`.
cl_guard cl_guard_of(const cl_crowd *crowd, const cl_broad_input *in, const cl_pairs *out);

/// Called when `left` is below 0, with the number of pairs of `out` so far: whether the find may go
/// on.
bool cl_guard_allows(cl_guard *guard, size_t count);

/// Ends a find that has come to `status`: after CL_CROWDED it starts again with cl_crowd_find.
cl_status cl_crowd_settle(cl_crowd *crowd, const cl_alloc *alloc, const cl_guard *guard,
                          cl_status status, cl_pairs *out);

/// Appends every overlapping pair to `out` once, as cl_broad_class.find. It returns CL_CROWDED if
/// it stopped because there are enough.
cl_status cl_crowd_find(cl_crowd *crowd, const cl_alloc *alloc, const cl_broad_input *in,
                        cl_pairs *out);

#endif
