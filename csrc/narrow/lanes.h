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
static inline pair most(pair a, pair b) { return _mm_max_pd(a, b); }
static inline double most_of(pair a) { return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a))); }
/// The least and the most of a's lanes, and of b's.
static inline pair least_of_each(pair a, pair b) {
  return _mm_min_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b));
}
static inline pair most_of_each(pair a, pair b) {
  return _mm_max_pd(_mm_unpacklo_pd(a, b), _mm_unpackhi_pd(a, b));
}
/// Bit k is set where lane k is equal.
static inline unsigned equal(pair a, pair b) {
  return (unsigned)_mm_movemask_pd(_mm_cmpeq_pd(a, b));
}
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
static inline pair most(pair a, pair b) {
  return (pair){a.a > b.a ? a.a : b.a, a.b > b.b ? a.b : b.b};
}
static inline pair least_of_each(pair a, pair b) {
  return (pair){a.a < a.b ? a.a : a.b, b.a < b.b ? b.a : b.b};
}
static inline pair most_of_each(pair a, pair b) {
  return (pair){a.a > a.b ? a.a : a.b, b.a > b.b ? b.a : b.b};
}
static inline double most_of(pair a) { return a.a > a.b ? a.a : a.b; }
static inline unsigned equal(pair a, pair b) {
  return (unsigned)(a.a == b.a) | (unsigned)(a.b == b.b) << 1;
}
static inline pair dot(pair ax, pair ay, pair bx, pair by) {
  return (pair){ax.a * bx.a + ay.a * by.a, ax.b * bx.b + ay.b * by.b};
}
#endif

#endif
