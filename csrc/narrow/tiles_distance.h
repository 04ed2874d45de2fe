// collide, MIT licence (see LICENSE)
//
// Distances from tiles. Layer: narrow.

#ifndef CL_NARROW_TILES_DISTANCE_H
#define CL_NARROW_TILES_DISTANCE_H

#include "geom/shape.h"

/// cl_distance for tiles a, if it is less than `below`; otherwise the distance is `below`, and the
/// points are the places of the two.
cl_gap cl_tiles_distance(const cl_placed *tiles, const cl_placed *b, double below);

#endif
