// collide, MIT licence (see LICENSE)
//
// Selects, from many bullets, the few that need exact tests. Layer: bullets.

#ifndef CL_BULLETS_SIEVE_H
#define CL_BULLETS_SIEVE_H

#include "base/simd.h"
#include "bullets/nearby.h"
#include "bullets/state.h"

/// What bullets of a pool are compared with: boxes, and bounds.
typedef struct cl_sieve {
  const cl_bullets *pool;
  const cl_nearby *nearby;
  cl_bounds bounds;
} cl_sieve;

/// Of the bullets `from` to `to` (not included), writes to `out` those that are near a box, that
/// move farther than a cell's list covers, or that end outside the bounds; returns how many. `out`
/// has room for one more than all of them.
typedef uint32_t cl_sift(const cl_sieve *s, uint32_t from, uint32_t to, uint32_t *out);

/// Both give the same answers; the second needs a processor with AVX2.
extern cl_sift *const cl_sift_plain;
#if CL_HAS_AVX2
extern cl_sift *const cl_sift_avx2;
#endif

static inline cl_sift *cl_sift_best(void) {
#if CL_HAS_AVX2
  if (CL_PROCESSOR_HAS("avx2")) return cl_sift_avx2;
#endif
  return cl_sift_plain;
}

#endif
