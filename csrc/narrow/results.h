// collide, MIT licence (see LICENSE)
//
// What questions about two shapes are answered with. Layer: narrow.

#ifndef CL_NARROW_RESULTS_H
#define CL_NARROW_RESULTS_H

#include "base/vec.h"

/// The way the FIRST gets free: a unit vector, and the distance >= 0, world units.
typedef struct cl_hit {
  double nx, ny, depth;
} cl_hit;

/// A distance, world units, and the points that are so far apart.
typedef struct cl_gap {
  double distance;
  cl_vec a, b;
} cl_gap;

/// The first touch: at share t of the way (0 … 1), in the point x, y (world
/// units), where the outward unit normal of the shape that was hit is nx, ny.
typedef struct cl_cast {
  double t, x, y, nx, ny;
} cl_cast;

/// A point midway between the two surfaces, world units, and how deep they lie in
/// one another there, along the vector of cl_overlap.
typedef struct cl_contact {
  double x, y, depth;
} cl_contact;

#endif
