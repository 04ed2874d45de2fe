// collide, MIT licence (see LICENSE)
//
// The pairs of convex parts of two shapes that may meet, cells of tiles among them,
// placed as the pair tests want them. Layer: narrow.

#ifndef CL_NARROW_PART_PAIRS_H
#define CL_NARROW_PART_PAIRS_H

#include "geom/cell_block.h"
#include "narrow/convex.h"
#include "narrow/bvh_pairs.h"

/// One of the two shapes: itself, or in place of tiles a few runs of their cells.
typedef struct cl_pair_side {
  const cl_placed *whole, *now;
  cl_placed few;
  cl_cell_runs runs;
  cl_cell_block block;
  uint32_t part; ///< that `cl_part_pairs` has placed
} cl_pair_side;

/// Every pair comes whose difference (the bounds of b's part less those of a's) touches
/// `offset`: {0, 0, 0, 0} for those that meet where they stand, a box about 0, 0 for
/// those that meet when `a` is moved within it.
///   cl_part_pairs pairs;
///   cl_part_pairs_begin(&pairs, a, b, offset, origin);
///   while (cl_part_pairs_next(&pairs)) …
/// It takes no memory but its own.
typedef struct cl_part_pairs {
  cl_convex p, q;     ///< of the pair at hand, relative to `origin`, once they are placed
  cl_bounds one, two; ///< their placed bounds
  long steps;         ///< of work so far
  // Below: the walk's own.
  cl_vec origin;
  cl_bounds offset;
  cl_pair_side a, b;
  cl_bvh_pairs at;
} cl_part_pairs;

void cl_part_pairs_begin(cl_part_pairs *pairs, const cl_placed *a, const cl_placed *b,
                         cl_bounds offset, cl_vec origin);
bool cl_part_pairs_next(cl_part_pairs *pairs);

/// Places `p` and `q`; they are good until the next pair comes.
void cl_part_pairs_place(cl_part_pairs *pairs);

/// cl_convex_overlap of the pair at hand.
bool cl_part_pairs_overlap(cl_part_pairs *pairs, bool touching, cl_hit *out);

/// How many vertices the two parts have together, and whether one of them is a segment or
/// point.
int cl_part_pairs_vertices(const cl_part_pairs *pairs);
bool cl_part_pairs_thin(const cl_part_pairs *pairs);

#endif
