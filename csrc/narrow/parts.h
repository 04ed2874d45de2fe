// collide, MIT licence (see LICENSE)
//
// Overlap of shapes of several parts. Layer: narrow.

#ifndef CL_NARROW_PARTS_H
#define CL_NARROW_PARTS_H

#include "narrow/overlap.h"

/// cl_overlap when at least one of the shapes has several parts; the vector is
/// the way B gets free. Where one of them is tiles, `a` is.
bool cl_parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out);

/// The same without a way out.
bool cl_parts_meet(const cl_placed *a, const cl_placed *b, bool touching);

#endif
