// collide, MIT licence (see LICENSE)
//
// Rays from p against boxes and tiles where doubles can tell: 1 is a hit, -1 none, and 0
// that only exact arithmetic (cl_cast_ray) can. Layer: narrow.

#ifndef CL_NARROW_RAY_H
#define CL_NARROW_RAY_H

#include "narrow/cast.h"

/// Against an upright box; `d` is the way.
int cl_ray_box(cl_vec p, cl_vec d, cl_bounds box, cl_cast *out);

/// Against tiles, to q.
int cl_ray_tiles(cl_vec p, cl_vec q, const cl_placed *tiles, cl_cast *out);

#endif
