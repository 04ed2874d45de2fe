// collide, MIT licence (see LICENSE)
//
// Which members of shapes meet (cl_shape_member_count says what members are). Layer: narrow.

#ifndef CL_NARROW_MEMBERS_H
#define CL_NARROW_MEMBERS_H

#include "geom/shape.h"

/// Whether a shape has members.
static inline bool cl_shape_has_members(const cl_shape *s) { return s->kind >= CL_CHAIN; }

/// The member of `b` that was met at the point `at` of its surface, with the outward unit normal
/// `normal` there, by `a`, which is where it was then; NULL for a point. With the normal 0, 0, they
/// overlap: the member with the part that `a` is deepest in. Of several that would be met there
/// alike, the first. `way` is 0, 0, or how `a` goes on from a touch that its motion began with:
/// then a member counts that this leads into. `size` is the largest coordinate that the point was
/// computed from.
uint32_t cl_member_met(const cl_placed *a, cl_vec way, const cl_placed *b, cl_vec at, cl_vec normal,
                       double size);

#endif
