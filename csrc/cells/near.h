// collide, MIT licence (see LICENSE)
//
// The first cell on a ray that is known only nearly. Layer: cells.
//
// Lines of tiles in the world are rounded, each on its own, so there a ray is not exactly
// one in cells. What it crosses far from any corner of cells is the same all the same, and
// near a corner it matters only where one of the cells there stops it.

#ifndef CL_CELLS_NEAR_H
#define CL_CELLS_NEAR_H

#include "cells/grid.h"

typedef enum cl_near {
  CL_NEAR_NONE,   ///< it touches no cell that stops it, nor a side of one
  CL_NEAR_INSIDE, ///< it begins inside of one
  CL_NEAR_CELL,   ///< it comes to one through a side, and touches none before
  CL_NEAR_UNSURE, ///< only the exact ray can decide
} cl_near;

/// What a ray in a 2D grid meets, between two points in cells, each off by at most `blur` cells
/// along an axis. Values other than 0 stop it, or with `stops` (256 of them) those with a nonzero
/// entry; that of 0 is 0. For CL_NEAR_CELL, `cell` is that cell.
cl_near cl_grid_near(const cl_grid *grid, const uint8_t stops[256], const double from[2],
                     const double to[2], double blur, int64_t cell[2]);

#endif
