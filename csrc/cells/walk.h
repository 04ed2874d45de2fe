// collide, MIT licence (see LICENSE)
//
// The cells that a segment passes through, in order, a block at a time.
// Layer: cells.
//
// Boundaries that are reached at the same parameter are crossed together; the cells
// of such a corner share one step and t, in the order x, y, xy (3D edge: the two
// sides in the order of the axes, then the diagonal; corner: x, y, z, xy, xz, yz,
// xyz).

#ifndef CL_CELLS_WALK_H
#define CL_CELLS_WALK_H

#include "cells/dda.h"

/// The most cells of one step.
enum { CL_WALK_GROUP = 7 };

/// The cells of a corner, for each set of axes that cross together (bits 1, 2, 4). A cell is the
/// set of axes crossed to reach it; each list ends in 0.
extern const unsigned char cl_walk_groups[8][CL_WALK_GROUP + 1];

typedef struct cl_walk {
  cl_ray ray;
  cl_dda dda;
  int64_t passed[3]; ///< crossings made of each axis
  int64_t left;      ///< crossings to come
  int64_t fresh;     ///< crossings that dda is still good for
  double step, t;    ///< of the last cell
  bool diagonal;     ///< at a corner, write only the last cell
} cl_walk;

/// A walk from `from` to `to`, of `dims` coordinates within ±CL_MAX_CELL.
void cl_walk_set(cl_walk *walk, int dims, const double from[], const double to[], bool diagonal);

/// Writes the next cells into `out`, dims + 2 numbers for each: step (from 1), x, y
/// (, z), and t in 0 … 1, which never decreases. Returns how many: at most `capacity`
/// (CL_WALK_GROUP or more), and 0 only at the end.
int cl_walk_fill(cl_walk *walk, double *out, int capacity);

#endif
