// collide, MIT licence (see LICENSE)
//
// The first cell that stops a ray whose ends are only approximately known. Layer: cells.
//
// In the world each line between tiles is rounded on its own, so a straight ray there is not
// exactly straight in cells. Away from the corners of cells it crosses the same sides all the same.
// Near a corner the order matters only if one of the cells there stops the ray.

#ifndef CL_CELLS_CAST_H
#define CL_CELLS_CAST_H

#include "cells/grid.h"

typedef enum cl_near {
  CL_NEAR_NONE,   ///< it touches no cell that stops it, nor a side of one
  CL_NEAR_INSIDE, ///< it begins inside one
  CL_NEAR_CELL,   ///< it enters one through a side, and touches none before
  CL_NEAR_UNSURE, ///< only the exact ray can decide
} cl_near;

/// What a ray meets in a 2D grid. Its ends are in cells, each off by at most `blur` cells along an
/// axis. All values but 0 stop it when `stops` is NULL; otherwise those whose entry is not 0, where
/// stops[0] is 0. `cell` gets the cell for CL_NEAR_CELL and CL_NEAR_INSIDE.
cl_near cl_grid_near(const cl_grid *grid, const uint8_t stops[256], const double from[2],
                     const double to[2], double blur, int64_t cell[2]);

#endif
