// collide, MIT licence (see LICENSE)
//
// Casts against tiles. Layer: narrow.

#ifndef CL_NARROW_TILES_CAST_H
#define CL_NARROW_TILES_CAST_H

#include "narrow/parts_cast.h"

/// cl_parts_cast_meet for tiles b.
bool cl_tiles_cast_meet(cl_parts_cast *m, cl_cast *best);

/// A ray from p to q, if doubles can decide: 1 is a hit, -1 none, and 0 if only exact arithmetic
/// (cl_cast_ray) can decide.
int cl_tiles_ray(cl_vec p, cl_vec q, const cl_placed *tiles, cl_cast *out);

#endif
