// collide, MIT licence (see LICENSE)
//
// The separating axes of two small convex parts at once, one axis to a lane.
// Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1.

#ifndef CL_NARROW_AXES_H
#define CL_NARROW_AXES_H

#include "base/simd.h"
#include "narrow/overlap.h"

/// As many vertices as a part may have for this.
enum { CL_AXES = 8 };

/// A sharp shape of one part with 2 to CL_AXES vertices at its place: they and its normals
/// are turned once, for all the pairs that it is in; where there are fewer than CL_AXES, some
/// come again, which changes nothing. World units.
typedef struct cl_corners {
  double x[CL_AXES], y[CL_AXES], nx[CL_AXES], ny[CL_AXES];
  double at_x, at_y;
  double size; ///< bound of the coordinates that went into it, for error bounds
} cl_corners;

/// Whether a shape can be placed like that.
static inline bool cl_has_corners(const cl_shape *shape) {
  const cl_part *part = shape->parts;
  return shape->part_count == 1 && part->radius == 0 && part->count > 1 && part->count <= CL_AXES;
}

/// Writes cl_placed_bounds too. With `wide` AVX2 is used, where the build has it: ask
/// cl_has_avx2(). The bits are the same.
void cl_corners_place(const cl_placed *placed, bool wide, cl_corners *out, cl_bounds *bounds);

/// Two indices into an array of cl_corners.
typedef struct cl_couple {
  uint32_t a, b;
} cl_couple;

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
/// or which tie; cl_overlap can tell. `wide` is as above.
void cl_corners_overlap(const cl_corners *at, const cl_couple *couple, uint32_t count, bool wide,
                        cl_verdicts *out);

/// The same for one pair of shapes that have corners. `out` is written when they hit.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;
cl_verdict cl_corners_verdict(const cl_placed *a, const cl_placed *b, bool wide, cl_hit *out);

#endif
