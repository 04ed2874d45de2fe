// collide, MIT licence (see LICENSE)
//
// Whether a shape is sound, for tests and builds that check. Layer: geom.

#ifndef CL_GEOM_SHAPE_CHECK_H
#define CL_GEOM_SHAPE_CHECK_H

#include "geom/shape.h"

/// Walks a shape: vertices in the positive order and convex, normals of their edges, bounds and
/// reach that contain all parts, flags that agree with them, every part in one leaf of the tree;
/// members, or cells. True when all is as geom/shape.h says.
bool cl_shape_is_valid(const cl_shape *shape);

#endif
