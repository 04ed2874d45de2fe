// collide, MIT licence (see LICENSE)
//
// Overlap of shapes of several parts, tiles among them. Layer: narrow.

#ifndef CL_NARROW_UNION_OVERLAP_H
#define CL_NARROW_UNION_OVERLAP_H

#include "geom/shape.h"
#include "narrow/effort.h"

/// Whether two shapes overlap, of which at least one has several parts, and how B gets free. If one
/// of them is tiles, it is `a`.
bool cl_union_overlap(const cl_placed *a, const cl_placed *b, cl_effort *effort, cl_hit *out);

/// Whether two such shapes, none of them tiles, touch without overlapping: the normal is one of a
/// pair of parts that touch, as how b gets free, the first that leads out of both wholes if there
/// is one.
bool cl_union_touch(const cl_placed *a, const cl_placed *b, cl_hit *out);

/// Whether two shapes as in cl_union_overlap overlap, or with `touching` touch.
bool cl_union_meets(const cl_placed *a, const cl_placed *b, bool touching);

#endif
