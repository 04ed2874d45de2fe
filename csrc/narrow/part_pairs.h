// collide, MIT licence (see LICENSE)
//
// The pairs of convex parts of two shapes that may meet, cells of tiles included, placed for the
// pair tests. Layer: narrow.

#ifndef CL_NARROW_PART_PAIRS_H
#define CL_NARROW_PART_PAIRS_H

#include "geom/tiles.h"
#include "narrow/convex.h"
#include "narrow/bvh_pairs.h"

/// One of the two shapes: itself, or for tiles a few runs of their cells.
typedef struct cl_pair_side {
  const cl_placed *whole, *now;
  cl_placed few;
  cl_cell_runs runs;
  cl_cell_block block;
  uint32_t part; ///< the part that `cl_part_pairs` has placed
} cl_pair_side;

/// Returns every pair whose difference (the bounds of b's part minus those of a's) touches
/// `offset`: with {0, 0, 0, 0} those that meet where they are, with a box about 0, 0 those that
/// meet when `a` moves within it.
///   cl_part_pairs pairs;
///   cl_part_pairs_begin(&pairs, a, b, offset, origin);
///   while (cl_part_pairs_next(&pairs)) …
/// It uses no memory except its own.
typedef struct cl_part_pairs {
  cl_convex p, q;     ///< the current pair, relative to `origin`, once placed
  cl_bounds one, two; ///< their placed bounds
  long steps;         ///< of work so far
  // Private to the walk:
  cl_vec origin;
  cl_bounds offset;
  cl_pair_side a, b;
  cl_bvh_pairs at;
  bool room_of_b; ///< the shape of fewer parts, which may be large, has the room
  cl_convex_room room;
} cl_part_pairs;

void cl_part_pairs_begin(cl_part_pairs *pairs, const cl_placed *a, const cl_placed *b,
                         cl_bounds offset, cl_vec origin);
bool cl_part_pairs_next(cl_part_pairs *pairs);

/// Places `p` and `q`; they are valid until the next pair.
void cl_part_pairs_place(cl_part_pairs *pairs);

/// cl_convex_overlap of the current pair.
bool cl_part_pairs_overlap(cl_part_pairs *pairs, bool touching, cl_hit *out);

/// How many vertices the two parts have together, and whether one of them is a segment or point.
int cl_part_pairs_vertices(const cl_part_pairs *pairs);
bool cl_part_pairs_thin(const cl_part_pairs *pairs);

#endif
