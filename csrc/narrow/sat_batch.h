// collide, MIT licence (see LICENSE)
//
// The separating axes of small convex parts: four axes at once, many pairs of parts one after
// another. Layer: narrow.
// Source: separating axes, Ericson, Real-Time Collision Detection, 5.2.1.

#ifndef CL_NARROW_SAT_BATCH_H
#define CL_NARROW_SAT_BATCH_H

#include "base/simd.h"
#include "base/vec.h"
#include "narrow/vertex_block.h"

/// Two placed parts.
typedef struct cl_couple {
  cl_block_at a, b;
} cl_couple;

/// Which parts of a couple have room for few vertices only.
typedef enum cl_rooms { CL_BOTH_FEW, CL_A_FEW, CL_B_FEW, CL_NONE_FEW } cl_rooms;

/// The results about couples, by their indices, in the caller's arrays. `hit[i]` is for couple
/// `which[i]`; its vector is how its `a` gets free. Each array has room for all couples that are
/// tested.
typedef struct cl_verdicts {
  cl_hit *hit;
  uint32_t *which, *doubt;
  uint32_t hits, doubts;
} cl_verdicts;

/// Tests `count` couples, none of them two upright rectangles. Appends those that overlap, with the
/// same bits as cl_overlap gives, and, as doubts, those that tie or that rounding leaves open;
/// cl_overlap decides these.
typedef void cl_sat_batch(const cl_couple *couple, uint32_t count, cl_rooms rooms,
                          cl_verdicts *out);

/// Both give the same bits; the second needs a processor with AVX2.
extern cl_sat_batch *const cl_sat_batch_plain;
#if CL_HAS_AVX2
extern cl_sat_batch *const cl_sat_batch_avx2;
#endif

static inline cl_sat_batch *cl_sat_batch_best(void) {
#if CL_HAS_AVX2
  if (CL_PROCESSOR_HAS("avx2")) return cl_sat_batch_avx2;
#endif
  return cl_sat_batch_plain;
}

/// The same for one pair of shapes that have blocks. `out` is written when they hit.
typedef enum cl_verdict { CL_APART, CL_HIT, CL_DOUBT } cl_verdict;
cl_verdict cl_sat_verdict(const cl_placed *a, const cl_placed *b, cl_hit *out);

#endif
