// collide, MIT licence (see LICENSE)
//
// Pairs of parts of two placed shapes that may meet, found without comparing all pairs: both trees
// are walked at once. Layer: narrow.

#ifndef CL_NARROW_BVH_PAIRS_H
#define CL_NARROW_BVH_PAIRS_H

#include "geom/shape.h"

/// How many pairs of nodes can wait: each step down either tree, of at most 32 levels, leaves one
/// behind.
enum { CL_BVH_PAIRS_DEPTH = 72 };

/// The pair of part i of a and part k of b is returned if `offset` touches the box of the
/// differences of their bounds, b's minus a's. With {0, 0, 0, 0} these are the pairs whose bounds
/// touch, with the box of a motion those that touch somewhere on it, with a square those within
/// half its side of each other. The caller may make `offset` smaller between two calls. `one` and
/// `two` are the placed bounds of the two parts.
typedef struct cl_bvh_pairs {
  const cl_placed *a, *b;
  cl_bounds offset, one, two;
  uint32_t i, k;
  long steps; ///< work so far: pairs of boxes compared
  // Private to the walk:
  double error;
  cl_vec way;
  double margin;
  bool moves, sorted;
  int waiting;
  struct {
    uint32_t i, k;
    double gap;
  } wait[CL_BVH_PAIRS_DEPTH];
  uint32_t leaf_a, leaf_b;
  int count_a, count_b, at_a, at_b;
  uint32_t parts_a[CL_FEW_PARTS], parts_b[CL_FEW_PARTS];
  cl_bounds bounds_a[CL_FEW_PARTS], bounds_b[CL_FEW_PARTS];
} cl_bvh_pairs;

/// With `sorted`, near pairs tend to come before far ones.
void cl_bvh_pairs_begin(cl_bvh_pairs *p, const cl_placed *a, const cl_placed *b, cl_bounds offset,
                        bool sorted);
/// After the beginning: leaves out pairs that only pass each other, farther apart than the margin,
/// when a moves along a way.
void cl_bvh_pairs_move(cl_bvh_pairs *p, cl_vec way, double margin);
/// Goes on to the next pair; false at the end.
bool cl_bvh_pairs_next(cl_bvh_pairs *p);

#endif
