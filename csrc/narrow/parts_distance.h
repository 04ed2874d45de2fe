// collide, MIT licence (see LICENSE)
//
// Distances of shapes made of parts. Layer: narrow.

#ifndef CL_NARROW_PARTS_DISTANCE_H
#define CL_NARROW_PARTS_DISTANCE_H

#include "geom/shape.h"

/// cl_distance of two shapes that are not tiles, if it is less than `below`; otherwise the distance
/// is `below`, and the points mean nothing.
cl_gap cl_parts_distance(const cl_placed *a, const cl_placed *b, double below);

/// Only the distance, and not to the last bit the same for either order; `below` if it is not less.
double cl_parts_gap(const cl_placed *a, const cl_placed *b, double below);

/// cl_distance_point of such a shape.
double cl_parts_distance_point(const cl_placed *p, double x, double y);

#endif
