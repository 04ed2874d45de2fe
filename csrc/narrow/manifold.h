// collide, MIT licence (see LICENSE)
//
// The points where the parts of two shapes meet. Layer: narrow.

#ifndef CL_NARROW_MANIFOLD_H
#define CL_NARROW_MANIFOLD_H

#include "geom/shape.h"

/// The one or two points of two shapes that overlap by `hit`, the result of cl_overlap. Writes them
/// to `out` and returns their number. The points do not depend on the order of arguments.
int cl_manifold(const cl_placed *a, const cl_placed *b, const cl_hit *hit, cl_contact out[2]);

/// A point where two shapes that overlap or touch meet: between the surfaces of the pair of parts
/// that is deepest by itself. It needs no way out. World units.
cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b);

#endif
