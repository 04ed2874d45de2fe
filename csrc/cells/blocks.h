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

/// Brings a ray that has made `passed` crossings of each axis, into a cell of the grid,
/// to before it crosses into the next block that is not empty, or into the cell `end`,
/// which it comes to. At most `most` crossings, CL_BLOCKS_LEAST or more, as many as the times are
/// good for. Returns how many there were; 0 where it is not in an empty block, or order is
/// uncertain.
int64_t cl_blocks_pass(const cl_grid *grid, const cl_ray *ray, const int64_t end[3], int64_t most,
                       cl_dda *dda, int64_t passed[3]);

#endif
