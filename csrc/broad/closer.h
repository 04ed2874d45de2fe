// collide, MIT licence (see LICENSE)
//
// Boxes that are small and far away, brought closer to each other and to 0. Along each axis the
// places without edges of boxes are left out. The order of edges stays, so boxes that overlap still
// do; there floats are fine enough for a broad phase again. The pairs that only rounding makes are
// dropped by the boxes in doubles. Layer: broad.

#ifndef CL_BROAD_CLOSER_H
#define CL_BROAD_CLOSER_H

#include "broad/broad.h"

enum { CL_CLOSER_PIECES = 256 };

/// A piece of an axis, from its first edge to its last, and where the first comes to be.
typedef struct cl_closer_piece {
  double low, high, at;
} cl_closer_piece;

/// Pieces begin at `low`, `per` of them for each unit. Those without edges have low > high.
typedef struct cl_closer_axis {
  double low, per;
  cl_closer_piece piece[CL_CLOSER_PIECES];
} cl_closer_axis;

/// The broad phase for boxes that were brought closer, and these; all zeros is an empty one. `used`
/// is set while the last find was one with them.
typedef struct cl_closer {
  bool used;
  cl_broad *broad;
  cl_fbox *box;
  cl_closer_axis *axis; // two
  size_t box_cap, axis_cap;
  uint64_t finds;
} cl_closer;

void cl_closer_free(cl_closer *closer, const cl_alloc *alloc);

/// Whether most boxes are coarse, going by a few of them: then pairs of floats are of little use.
bool cl_are_mostly_coarse(const cl_broad_input *in);

/// Appends every pair of the boxes `in->fine` to `out` once, as cl_broad_class.find does with
/// `broad`. `enough` is the number of pairs from which on they may be taken for a crowd that could
/// not be resolved, and are found in doubles.
cl_status cl_closer_find(cl_closer *closer, cl_broad *broad, const cl_broad_input *in,
                         size_t enough, cl_pairs *out);

/// As cl_broad_class.cells, of the last find with `closer`: in places as the boxes were given.
size_t cl_closer_cells(const cl_closer *closer, cl_cell *out, size_t capacity);

#endif
