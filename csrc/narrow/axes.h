// collide, MIT licence (see LICENSE)
//
// The separating axes of two small convex parts at once, one axis to a lane.
// Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1.

#ifndef CL_NARROW_AXES_H
#define CL_NARROW_AXES_H

#include "base/simd.h"
#include "narrow/corners.h"
#include "narrow/results.h"

/// Two placed parts: blocks of corners.h.
typedef struct cl_couple {
  const double *a, *b;
} cl_couple;

/// Which of a couple have room for few corners only.
typedef enum cl_rooms { CL_BOTH_FEW, CL_A_FEW, CL_B_FEW, CL_NONE_FEW } cl_rooms;

/// What was found about couples, by their indices; the caller's arrays. `hit[i]` is for
/// couple `which[i]`, the vector being the way its `a` gets free. Each array has room for
/// all couples that are tested.
typedef struct cl_verdicts {
  cl_hit *hit;
  uint32_t *which, *doubt;
  uint32_t hits, doubts;
} cl_verdicts;

/// Tests `count` couples, none of them two upright rectangles: appends those that overlap,
/// to the bit as cl_overlap has them, and as doubts those of which rounding leaves it open,
/// or which tie; cl_overlap can tell. `wide` is as for cl_corners_place.
void cl_corners_overlap(const cl_couple *couple, uint32_t count, cl_rooms rooms, bool wide,
                        cl_verdicts *out);

/// The same for one pair of shapes that have corners. `out` is written when they hit.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;
cl_verdict cl_corners_verdict(const cl_placed *a, const cl_placed *b, bool wide, cl_hit *out);

#endif
