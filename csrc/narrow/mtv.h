// collide, MIT licence (see LICENSE)
//
// The minimum translation vector of two shapes of many parts: the shortest way out of the
// union of their parts' Minkowski differences. Layer: narrow.
//
// It is the shortest if the effort suffices, by default for some thousand pairs of parts. Else it
// is the best one found in that number of steps (narrow/mtv_search.h), which also frees the shape.
//
// Depths up to the tolerance, 2^-42 of the largest coordinate, count as free: a shape that exactly
// fits a gap may go there, despite rounding. Lines and points can lie on a cut between two parts,
// or cross a chain at a corner, where they overlap neither part alone. Their differences (`thin`)
// therefore block a little more than their area if there are several parts: a gap for them must be
// wider than the tolerance.

#ifndef CL_NARROW_MTV_H
#define CL_NARROW_MTV_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// The own shortest ways out of the deepest pairs of parts, as how B gets free: all of one depth,
/// none the reverse of another, that which goes first first.
enum { CL_DEEPEST = 8 };
typedef struct cl_deepest {
  cl_hit way[CL_DEEPEST];
  uint8_t images[CL_DEEPEST]; ///< a bit for each cl_mtv_image of it that is as short for its pair
  int count;
} cl_deepest;

/// The k-th of the eight images of a direction, in the order of cl_vec_goes_first.
static inline cl_vec cl_mtv_image(cl_vec v, int k) {
  double p = cl_max(fabs(v.x), fabs(v.y)), q = cl_min(fabs(v.x), fabs(v.y));
  if (k >= 4) return (cl_vec){k & 2 ? q : -q, k & 1 ? p : -p};
  return (cl_vec){k & 2 ? p : -p, k & 1 ? q : -q};
}

/// For two shapes that overlap. `deepest` is empty if no pair overlaps by itself; no way out is
/// shorter. `overlaps` is the number of pairs that overlap. If it is `effort->pairs` or more, only
/// straight ways are tried, and the deepest of the first pairs is enough. It takes `work` steps at
/// most. `out` is how B gets free. Uses no memory except the stack.
void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_deepest *deepest, int overlaps,
            long work, cl_effort *effort, cl_hit *out);

#endif
