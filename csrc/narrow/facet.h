// collide, MIT licence (see LICENSE)
//
// Sides of convex parts that face along a normal. Layer: narrow.

#ifndef CL_NARROW_FACET_H
#define CL_NARROW_FACET_H

#include "narrow/convex.h"

/// A facing feature in the frame of a normal: from u0 to u1 across it, at height h0 and h1
/// along it. A vertex has u0 = u1.
typedef struct cl_facet {
  double u0, u1, h0, h1;
} cl_facet;

/// The side of a core that faces along the unit vector n, `across` being n turned by a right
/// angle.
cl_facet cl_facet_of(const cl_convex *c, cl_vec n, cl_vec across);

/// How high it is at u; beyond its ends as high as there.
double cl_facet_height(const cl_facet *f, double u);

#endif
