// collide, MIT licence (see LICENSE)
//
// Two doubles side by side, with SSE2 where there is any and in plain C elsewhere:
// the same operations in the same order, so the same bits. Layer: narrow.

#ifndef CL_NARROW_LANES_H
#define CL_NARROW_LANES_H

#include "base/simd.h"

#if CL_HAS_SSE2
typedef __m128d pair;
static inline pair load(const double *p) { return _mm_loadu_pd(p); }
static inline void store(double *p, pair a) { _mm_storeu_pd(p, a); }
static inline pair both(double a) { return _mm_set1_pd(a); }
static inline pair add(pair a, pair b) { return _mm_add_pd(a, b); }
static inline pair sub(pair a, pair b) { return _mm_sub_pd(a, b); }
static inline pair least(pair a, pair b) { return _mm_min_pd(a, b); }
static inline pair dot(pair ax, pair ay, pair bx, pair by) {
  return _mm_add_pd(_mm_mul_pd(ax, bx), _mm_mul_pd(ay, by));
}
#else
typedef struct pair {
  double a, b;
} pair;
static inline pair load(const double *p) { return (pair){p[0], p[1]}; }
static inline void store(double *p, pair a) { p[0] = a.a, p[1] = a.b; }
static inline pair both(double a) { return (pair){a, a}; }
static inline pair add(pair a, pair b) { return (pair){a.a + b.a, a.b + b.b}; }
static inline pair sub(pair a, pair b) { return (pair){a.a - b.a, a.b - b.b}; }
static inline pair least(pair a, pair b) {
  return (pair){a.a < b.a ? a.a : b.a, a.b < b.b ? a.b : b.b};
}
static inline pair dot(pair ax, pair ay, pair bx, pair by) {
  return (pair){ax.a * bx.a + ay.a * by.a, ax.b * bx.b + ay.b * by.b};
}
#endif

#endif
