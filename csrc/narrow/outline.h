// collide, MIT licence (see LICENSE)
//
// Shapes of several parts as one: which directions lead out of the whole, and how far it is.
// Layer: narrow.

#ifndef CL_NARROW_OUTLINE_H
#define CL_NARROW_OUTLINE_H

#include "geom/shape.h"

/// Whether nothing of the shape except `part` (which it may not have) reaches farther along the
/// unit vector `out` at a point, both in the shape's frame.
bool cl_outline_leads(const cl_shape *s, uint32_t part, cl_vec at, cl_vec out);

/// Whether `out` (a unit vector, world frame) is in the normal cone of the whole shape's outline at
/// vertex `vertex` of a part: no other part that meets this one there reaches farther along it.
bool cl_outline_vertex(const cl_placed *p, uint32_t part, int vertex, cl_vec out);

/// The same for the edge that begins at a vertex, whose normal is `out`: false if a cut made the
/// edge or other parts cover it. `near` (relative to the shape's place, world frame) is the point
/// on the edge that matters most.
bool cl_outline_edge(const cl_placed *p, uint32_t part, int edge, cl_vec out, cl_vec near);

#endif
