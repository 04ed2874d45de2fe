// collide, MIT licence (see LICENSE)
//
// Overlap of shapes made of parts, one or many: chooses the quickest test that decides.
// Layer: narrow.

#ifndef CL_NARROW_PARTS_OVERLAP_H
#define CL_NARROW_PARTS_OVERLAP_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// cl_overlap of two shapes that are not tiles.
bool cl_parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                      cl_hit *out);

/// cl_overlaps of two shapes that are not tiles.
bool cl_parts_meet(const cl_placed *a, const cl_placed *b, bool touching);

#endif
