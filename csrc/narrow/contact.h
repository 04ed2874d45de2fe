// collide, MIT licence (see LICENSE)
//
// Where two overlapping shapes touch, for effects and stacking. Layer: narrow.

#ifndef CL_NARROW_CONTACT_H
#define CL_NARROW_CONTACT_H

#include "geom/placed.h"
#include "narrow/results.h"

/// Writes one or two points (the ends of the common stretch where edges lie along
/// each other) and returns how many; 0 without overlap. `hit` gets what cl_overlap
/// says. The points are the same from either side.
int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *hit,
                cl_contact out[2]);

#endif
