// collide, MIT licence (see LICENSE)
//
// Four floats at a time: one instruction each where the processor has vectors
// of four, a loop that gives the same floats elsewhere. Layer: base.

#ifndef CL_BASE_FOUR_H
#define CL_BASE_FOUR_H

#include "base/simd.h"

#if CL_HAS_SSE2

typedef __m128 cl_four;

static inline cl_four cl_four_load(const float *p) { return _mm_loadu_ps(p); }
static inline void cl_four_store(float *p, cl_four a) { _mm_storeu_ps(p, a); }
static inline cl_four cl_four_all(float v) { return _mm_set1_ps(v); }
static inline cl_four cl_four_sub(cl_four a, cl_four b) { return _mm_sub_ps(a, b); }
static inline cl_four cl_four_mul(cl_four a, cl_four b) { return _mm_mul_ps(a, b); }
static inline cl_four cl_four_min(cl_four a, cl_four b) { return _mm_min_ps(a, b); }
static inline cl_four cl_four_max(cl_four a, cl_four b) { return _mm_max_ps(a, b); }

/// Bit k is set where a <= b in lane k.
static inline unsigned cl_four_le(cl_four a, cl_four b) {
  return (unsigned)_mm_movemask_ps(_mm_cmple_ps(a, b));
}

#else

typedef struct cl_four {
  float v[4];
} cl_four;

static inline cl_four cl_four_load(const float *p) { return (cl_four){{p[0], p[1], p[2], p[3]}}; }
static inline void cl_four_store(float *p, cl_four a) {
  for (int k = 0; k < 4; k++) p[k] = a.v[k];
}
static inline cl_four cl_four_all(float v) { return (cl_four){{v, v, v, v}}; }

#define CL_FOUR_LANES(name, expression)                                                            \
  static inline cl_four name(cl_four a, cl_four b) {                                               \
    cl_four c;                                                                                     \
    for (int k = 0; k < 4; k++) c.v[k] = (expression);                                             \
    return c;                                                                                      \
  }
CL_FOUR_LANES(cl_four_sub, a.v[k] - b.v[k])
CL_FOUR_LANES(cl_four_mul, a.v[k] * b.v[k])
CL_FOUR_LANES(cl_four_min, a.v[k] < b.v[k] ? a.v[k] : b.v[k])
CL_FOUR_LANES(cl_four_max, a.v[k] > b.v[k] ? a.v[k] : b.v[k])
#undef CL_FOUR_LANES

static inline unsigned cl_four_le(cl_four a, cl_four b) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 4; k++) bits |= (unsigned)(a.v[k] <= b.v[k]) << k;
  return bits;
}

#endif

#endif
