// collide, MIT licence (see LICENSE)
//
// Of many bullets, the few of which more must be known than where they are. Layer: bullets.

#ifndef CL_BULLETS_SIEVE_H
#define CL_BULLETS_SIEVE_H

#include "base/simd.h"
#include "bullets/nearby.h"
#include "bullets/state.h"

/// What bullets of a pool are held against: boxes, and bounds.
typedef struct cl_sieve {
  const cl_bullets *pool;
  const cl_nearby *nearby;
  cl_bounds bounds;
} cl_sieve;

/// Of the bullets `from` to `to` (not included), writes to `out` who is near a box, or goes
/// farther than a cell's list tells, or ends outside of the bounds; how many those are. `out`
/// has room for one more than all of them.
typedef uint32_t cl_sift(const cl_sieve *s, uint32_t from, uint32_t to, uint32_t *out);

/// The same answers; the second only where cl_has_avx2().
extern cl_sift *const cl_sift_plain;
#if CL_HAS_AVX2
extern cl_sift *const cl_sift_avx2;
#endif

static inline cl_sift *cl_sift_best(void) {
#if CL_HAS_AVX2
  if (cl_has_avx2()) return cl_sift_avx2;
#endif
  return cl_sift_plain;
}

#endif
