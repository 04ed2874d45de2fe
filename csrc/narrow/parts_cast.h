// collide, MIT licence (see LICENSE)
//
// Casts against shapes made of parts. Layer: narrow.

#ifndef CL_NARROW_PARTS_CAST_H
#define CL_NARROW_PARTS_CAST_H

#include "narrow/convex_cast.h"

/// A moving shape against another, during the search for the first touch.
typedef struct cl_parts_cast {
  cl_convex_cast pair;
  bool touching;       ///< the caller knows that some parts touch at the start
  bool any_strict;     ///< then all pairs count as touching
  bool clean;          ///< the best so far has a normal of the outline, not of a cut
  double limit;        ///< touches later than this share of the way do not matter
  double margin;       ///< how far bounds have to be apart for what is in them to be apart
  cl_vec across;       ///< the unit vector across the motion,
  double low, high;    ///< and how far the vertices of the current part reach along it
  cl_convex_room room; ///< for the larger part of the pair
} cl_parts_cast;

/// Begins a cast of `a` along d. `ray` is that of cl_convex_cast.
void cl_parts_cast_begin(cl_parts_cast *m, const cl_placed *a, cl_vec d, const cl_placed *b,
                         const cl_stack_shape *ray);

/// What rounding and the motion, up to this share of it, add to the bounds of a part of a.
cl_bounds cl_parts_cast_way(const cl_parts_cast *m, double share);

/// Writes the first touch of any two parts to `best` and returns true, if it comes before the best
/// so far. Neither shape is tiles.
bool cl_parts_cast_meet(cl_parts_cast *m, cl_cast *best);

#endif
