// collide, MIT licence (see LICENSE)
//
// Whether a circle gets through a grid of bytes, along a straight way. Layer: cells.

#ifndef CL_CELLS_SIGHT_H
#define CL_CELLS_SIGHT_H

#include "cells/grid.h"

/// Whether a circle of `radius` > 0 that moves from one point to another of a 2D grid overlaps
/// no cell other than 0 on its way: world units, the points and the radius within CL_MAX_CELL
/// cells. Touching one is no overlap, and outside of the grid nothing is in the way. Exact for
/// the doubles given, line i of an axis being the double origin + i * cell; lengths below 1e-60
/// cells count as 0, a radius as that.
bool cl_grid_is_clear(const cl_grid *grid, const double from[2], const double to[2], double radius);

#endif
