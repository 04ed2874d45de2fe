// collide, MIT licence (see LICENSE)
//
// An upright box in tiles. Layer: narrow.

#ifndef CL_NARROW_TILES_BOX_H
#define CL_NARROW_TILES_BOX_H

#include "geom/shape.h"

/// cl_tiles_overlap for an upright box by its placed edges.
bool cl_tiles_overlap_box(const cl_placed *tiles, cl_bounds box, bool touching, cl_hit *out);

#endif
