// collide, MIT licence (see LICENSE)
//
// Which members of shapes meet (cl_shape_member_count says what members are). Layer: narrow.

#ifndef CL_NARROW_MEMBERS_H
#define CL_NARROW_MEMBERS_H

#include "geom/shape.h"

/// Whether a shape has members.
static inline bool cl_shape_has_members(const cl_shape *s) { return s->kind >= CL_CHAIN; }

/// The member of `b` that `a` (NULL: a point), placed where it was then, met at the point `at` with
/// the outward unit normal `normal`. A normal of 0, 0 means that they overlap: the member with the
/// part that `a` is deepest in. Of several members met alike, the first. `way` is 0, 0, or the
/// motion that began with this touch: then only a member that it leads into counts. `size` is the
/// largest coordinate that the point was computed from.
uint32_t cl_member_met(const cl_placed *a, cl_vec way, const cl_placed *b, cl_vec at, cl_vec normal,
                       double size);

#endif
