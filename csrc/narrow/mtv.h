// collide, MIT licence (see LICENSE)
//
// The minimum translation vector of two shapes of many parts: the shortest way out of the
// union of their parts' Minkowski differences. Layer: narrow.
//
// It is the shortest where no more than some thousand pairs of parts meet. Otherwise the best
// way counts that was found in a fixed number of steps (narrow/mtv_search.h), which frees as
// well.
//
// Depths up to the tolerance, 2^-42 of the largest coordinate, count as free: a shape that
// exactly fits a gap may go there, whatever rounding makes of the fit. Lines and points can
// lie on a cut between two parts, or cross a chain at a corner, where neither part alone is
// overlapped. Their differences (`thin`) therefore block a little more than they hold,
// where there are several parts: a gap for them must be wider than the tolerance.

#ifndef CL_NARROW_MTV_H
#define CL_NARROW_MTV_H

#include "geom/placed.h"

/// So many pairs of parts are looked at for the deepest.
enum { CL_MTV_MOST = 2048 };

/// Of two shapes that overlap. `deepest` is the deepest pair of parts' own shortest way, of
/// depth 0 if no pair overlaps by itself; no way out is shorter. Where `overlaps`, the number
/// of pairs that do, is CL_MTV_MOST or more, only straight ways are looked at, and the
/// deepest of so many pairs will do. Both vectors are the way B gets free. Takes no memory but the
/// stack's (150 KB).
void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_hit *deepest, int overlaps,
            cl_hit *out);

#endif
