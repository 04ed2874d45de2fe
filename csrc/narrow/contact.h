// collide, MIT licence (see LICENSE)
//
// Where two overlapping shapes touch, for effects and stacking. Layer: narrow.

#ifndef CL_NARROW_CONTACT_H
#define CL_NARROW_CONTACT_H

#include "narrow/overlap.h"

/// A point midway between the two surfaces, world units, and how deep they lie in
/// one another there, along the vector of cl_overlap.
typedef struct cl_contact {
  double x, y, depth;
} cl_contact;

/// Writes one or two points (the ends of the common stretch where edges lie along
/// each other) and returns how many; 0 without overlap. `hit` gets what cl_overlap
/// says. The points are the same from either side.
int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *hit,
                cl_contact out[2]);

/// A point where two shapes that overlap or touch meet: between the surfaces of the pair of
/// parts that is deepest by itself. It needs no way out. World units.
cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b);

#endif
