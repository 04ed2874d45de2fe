// collide, MIT licence (see LICENSE)
//
// Sides of convex parts that face along a normal. Layer: narrow.

#ifndef CL_NARROW_FACET_H
#define CL_NARROW_FACET_H

#include "narrow/convex.h"

/// A facing feature in the frame of a normal: it reaches from u0 to u1 across the normal, at
/// heights h0 and h1 along it. A vertex has u0 = u1.
typedef struct cl_facet {
  double u0, u1, h0, h1;
} cl_facet;

/// The side of a core that faces along the unit vector n; `across` is n turned by a right angle.
cl_facet cl_facet_of(const cl_convex *c, cl_vec n, cl_vec across);

/// Its height at u; past its ends, the height of the end.
double cl_facet_height(const cl_facet *f, double u);

#endif
