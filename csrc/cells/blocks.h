// collide, MIT licence (see LICENSE)
//
// Skips the empty blocks of a grid in three dimensions. Layer: cells.
//
// A ray crosses the sides of blocks where it crosses those of cells, so the times of its next
// crossings (dda.h) give their order: there are eight waits between two sides of an axis. If two of
// these times are too close to decide, no block is skipped.

#ifndef CL_CELLS_BLOCKS_H
#define CL_CELLS_BLOCKS_H

#include "cells/grid.h"
#include "cells/dda.h"

/// The fewest crossings for which the times must be exact enough.
enum { CL_BLOCKS_LEAST = 64 };

/// Advances a ray through empty blocks. It has made `passed` crossings of each axis and is in a
/// cell of the grid. It stops before it crosses into a block that is not empty, or in the cell
/// `end`, which lies on its way. It makes at most `most` crossings (CL_BLOCKS_LEAST or more), as
/// many as the times are good for. Returns how many it made; 0 when it is not in an empty block, or
/// when the order is uncertain.
int64_t cl_blocks_pass(const cl_grid *grid, const cl_ray *ray, const int64_t end[3], int64_t most,
                       cl_dda *dda, int64_t passed[3]);

#endif
