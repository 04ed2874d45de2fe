// collide, MIT licence (see LICENSE)
//
// Distances from tiles. Layer: narrow.

#ifndef CL_NARROW_TILES_DISTANCE_H
#define CL_NARROW_TILES_DISTANCE_H

#include "geom/placed.h"

/// cl_distance, a being the tiles; infinite, and the points the places of the two,
/// where no cell is solid.
cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b);

#endif
