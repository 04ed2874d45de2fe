// collide, MIT licence (see LICENSE)
//
// How far placed shapes are apart. Layer: narrow.

#ifndef CL_NARROW_DISTANCE_H
#define CL_NARROW_DISTANCE_H

#include "geom/placed.h"
#include "narrow/results.h"

/// 0 exactly when cl_overlap with `touching` is true (where no part is smaller than
/// 1e-10 of the coordinates: rounding bends what is): then both points are one where
/// the shapes touch. Otherwise above 0, good to CL_SEPARATION_ERROR times
/// the coordinates, and the same from either side.
cl_gap cl_distance(const cl_placed *a, const cl_placed *b);

/// From a point to a shape, 0 when the closed shape holds it.
double cl_distance_point(const cl_placed *p, double x, double y);

#endif
