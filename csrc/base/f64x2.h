// collide, MIT licence (see LICENSE)
//
// Vectors of two doubles, by SSE2, NEON or plain C, and of four, by AVX2 in files that define
// CL_FOR_AVX2 and as two pairs elsewhere: the same operations in the same order, so the same bits.
// Layer: base.
//
// A minimum is `a < b ? a : b` and a maximum `a > b ? a : b`, also of zeros and NaN.

#ifndef CL_BASE_F64X2_H
#define CL_BASE_F64X2_H

#include "base/simd.h"

#if CL_HAS_SSE2
#include <emmintrin.h>

typedef __m128d cl_f64x2;
typedef __m128d cl_mask64x2; ///< each lane has all bits set, or none

CL_INLINE cl_f64x2 cl_f64x2_load(const double *p) { return _mm_loadu_pd(p); }
CL_INLINE void cl_f64x2_store(double *p, cl_f64x2 a) { _mm_storeu_pd(p, a); }
CL_INLINE cl_f64x2 cl_f64x2_set(double a, double b) { return _mm_setr_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_all(double a) { return _mm_set1_pd(a); }
CL_INLINE cl_f64x2 cl_f64x2_neg(cl_f64x2 a) { return _mm_xor_pd(a, _mm_set1_pd(-0.0)); }
CL_INLINE cl_f64x2 cl_f64x2_add(cl_f64x2 a, cl_f64x2 b) { return _mm_add_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_sub(cl_f64x2 a, cl_f64x2 b) { return _mm_sub_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_mul(cl_f64x2 a, cl_f64x2 b) { return _mm_mul_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_div(cl_f64x2 a, cl_f64x2 b) { return _mm_div_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_abs(cl_f64x2 a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
CL_INLINE cl_f64x2 cl_f64x2_min(cl_f64x2 a, cl_f64x2 b) { return _mm_min_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_max(cl_f64x2 a, cl_f64x2 b) { return _mm_max_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_first_twice(cl_f64x2 a) { return _mm_unpacklo_pd(a, a); }
CL_INLINE cl_f64x2 cl_f64x2_second_twice(cl_f64x2 a) { return _mm_unpackhi_pd(a, a); }
CL_INLINE cl_f64x2 cl_f64x2_firsts(cl_f64x2 a, cl_f64x2 b) { return _mm_unpacklo_pd(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_seconds(cl_f64x2 a, cl_f64x2 b) { return _mm_unpackhi_pd(a, b); }
CL_INLINE double cl_f64x2_first(cl_f64x2 a) { return _mm_cvtsd_f64(a); }

CL_INLINE cl_mask64x2 cl_f64x2_le(cl_f64x2 a, cl_f64x2 b) { return _mm_cmple_pd(a, b); }
CL_INLINE cl_mask64x2 cl_f64x2_eq(cl_f64x2 a, cl_f64x2 b) { return _mm_cmpeq_pd(a, b); }
CL_INLINE unsigned cl_mask64x2_bits(cl_mask64x2 m) { return (unsigned)_mm_movemask_pd(m); }
CL_INLINE cl_mask64x2 cl_mask64x2_not_second(cl_mask64x2 m) {
  return _mm_xor_pd(m, _mm_castsi128_pd(_mm_setr_epi32(0, 0, -1, -1)));
}
CL_INLINE cl_f64x2 cl_f64x2_where(cl_mask64x2 m, cl_f64x2 a) { return _mm_and_pd(m, a); }
CL_INLINE cl_f64x2 cl_f64x2_neg_where(cl_mask64x2 m, cl_f64x2 a) {
  return _mm_xor_pd(a, _mm_and_pd(m, _mm_set1_pd(-0.0)));
}

CL_INLINE void cl_f64x2_to_u32(cl_f64x2 a, uint32_t out[2]) {
  _mm_storel_epi64((__m128i *)(void *)out, _mm_cvttpd_epi32(a));
}

#elif CL_HAS_NEON
#include <arm_neon.h>

typedef float64x2_t cl_f64x2;
typedef uint64x2_t cl_mask64x2;

CL_INLINE cl_f64x2 cl_f64x2_load(const double *p) { return vld1q_f64(p); }
CL_INLINE void cl_f64x2_store(double *p, cl_f64x2 a) { vst1q_f64(p, a); }
CL_INLINE cl_f64x2 cl_f64x2_set(double a, double b) { return vsetq_lane_f64(b, vdupq_n_f64(a), 1); }
CL_INLINE cl_f64x2 cl_f64x2_all(double a) { return vdupq_n_f64(a); }
CL_INLINE cl_f64x2 cl_f64x2_neg(cl_f64x2 a) { return vnegq_f64(a); }
CL_INLINE cl_f64x2 cl_f64x2_add(cl_f64x2 a, cl_f64x2 b) { return vaddq_f64(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_sub(cl_f64x2 a, cl_f64x2 b) { return vsubq_f64(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_mul(cl_f64x2 a, cl_f64x2 b) { return vmulq_f64(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_div(cl_f64x2 a, cl_f64x2 b) { return vdivq_f64(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_abs(cl_f64x2 a) { return vabsq_f64(a); }
CL_INLINE cl_f64x2 cl_f64x2_min(cl_f64x2 a, cl_f64x2 b) { return vbslq_f64(vcltq_f64(a, b), a, b); }
CL_INLINE cl_f64x2 cl_f64x2_max(cl_f64x2 a, cl_f64x2 b) { return vbslq_f64(vcgtq_f64(a, b), a, b); }
CL_INLINE cl_f64x2 cl_f64x2_first_twice(cl_f64x2 a) { return vdupq_laneq_f64(a, 0); }
CL_INLINE cl_f64x2 cl_f64x2_second_twice(cl_f64x2 a) { return vdupq_laneq_f64(a, 1); }
CL_INLINE cl_f64x2 cl_f64x2_firsts(cl_f64x2 a, cl_f64x2 b) { return vzip1q_f64(a, b); }
CL_INLINE cl_f64x2 cl_f64x2_seconds(cl_f64x2 a, cl_f64x2 b) { return vzip2q_f64(a, b); }
CL_INLINE double cl_f64x2_first(cl_f64x2 a) { return vgetq_lane_f64(a, 0); }

CL_INLINE cl_mask64x2 cl_f64x2_le(cl_f64x2 a, cl_f64x2 b) { return vcleq_f64(a, b); }
CL_INLINE cl_mask64x2 cl_f64x2_eq(cl_f64x2 a, cl_f64x2 b) { return vceqq_f64(a, b); }
CL_INLINE unsigned cl_mask64x2_bits(cl_mask64x2 m) {
  return (unsigned)(vgetq_lane_u64(m, 0) & 1) | (unsigned)(vgetq_lane_u64(m, 1) & 2);
}
CL_INLINE cl_mask64x2 cl_mask64x2_not_second(cl_mask64x2 m) {
  return veorq_u64(m, vsetq_lane_u64(UINT64_MAX, vdupq_n_u64(0), 1));
}
CL_INLINE cl_f64x2 cl_f64x2_where(cl_mask64x2 m, cl_f64x2 a) {
  return vreinterpretq_f64_u64(vandq_u64(m, vreinterpretq_u64_f64(a)));
}
CL_INLINE cl_f64x2 cl_f64x2_neg_where(cl_mask64x2 m, cl_f64x2 a) {
  return vbslq_f64(m, vnegq_f64(a), a);
}

CL_INLINE void cl_f64x2_to_u32(cl_f64x2 a, uint32_t out[2]) {
  vst1_u32(out, vmovn_u64(vcvtq_u64_f64(a)));
}

#else

typedef struct cl_f64x2 {
  double a, b;
} cl_f64x2;
typedef struct cl_mask64x2 {
  bool a, b;
} cl_mask64x2;

CL_INLINE cl_f64x2 cl_f64x2_load(const double *p) { return (cl_f64x2){p[0], p[1]}; }
CL_INLINE void cl_f64x2_store(double *p, cl_f64x2 a) { p[0] = a.a, p[1] = a.b; }
CL_INLINE cl_f64x2 cl_f64x2_set(double a, double b) { return (cl_f64x2){a, b}; }
CL_INLINE cl_f64x2 cl_f64x2_all(double a) { return (cl_f64x2){a, a}; }
CL_INLINE cl_f64x2 cl_f64x2_neg(cl_f64x2 a) { return (cl_f64x2){-a.a, -a.b}; }
CL_INLINE cl_f64x2 cl_f64x2_add(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.a + b.a, a.b + b.b}; }
CL_INLINE cl_f64x2 cl_f64x2_sub(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.a - b.a, a.b - b.b}; }
CL_INLINE cl_f64x2 cl_f64x2_mul(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.a * b.a, a.b * b.b}; }
CL_INLINE cl_f64x2 cl_f64x2_div(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.a / b.a, a.b / b.b}; }
CL_INLINE cl_f64x2 cl_f64x2_abs(cl_f64x2 a) { return (cl_f64x2){fabs(a.a), fabs(a.b)}; }
CL_INLINE cl_f64x2 cl_f64x2_min(cl_f64x2 a, cl_f64x2 b) {
  return (cl_f64x2){a.a < b.a ? a.a : b.a, a.b < b.b ? a.b : b.b};
}
CL_INLINE cl_f64x2 cl_f64x2_max(cl_f64x2 a, cl_f64x2 b) {
  return (cl_f64x2){a.a > b.a ? a.a : b.a, a.b > b.b ? a.b : b.b};
}
CL_INLINE cl_f64x2 cl_f64x2_first_twice(cl_f64x2 a) { return (cl_f64x2){a.a, a.a}; }
CL_INLINE cl_f64x2 cl_f64x2_second_twice(cl_f64x2 a) { return (cl_f64x2){a.b, a.b}; }
CL_INLINE cl_f64x2 cl_f64x2_firsts(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.a, b.a}; }
CL_INLINE cl_f64x2 cl_f64x2_seconds(cl_f64x2 a, cl_f64x2 b) { return (cl_f64x2){a.b, b.b}; }
CL_INLINE double cl_f64x2_first(cl_f64x2 a) { return a.a; }

CL_INLINE cl_mask64x2 cl_f64x2_le(cl_f64x2 a, cl_f64x2 b) {
  return (cl_mask64x2){a.a <= b.a, a.b <= b.b};
}
CL_INLINE cl_mask64x2 cl_f64x2_eq(cl_f64x2 a, cl_f64x2 b) {
  return (cl_mask64x2){a.a == b.a, a.b == b.b};
}
CL_INLINE unsigned cl_mask64x2_bits(cl_mask64x2 m) { return (unsigned)m.a | (unsigned)m.b << 1; }
CL_INLINE cl_mask64x2 cl_mask64x2_not_second(cl_mask64x2 m) { return (cl_mask64x2){m.a, !m.b}; }
CL_INLINE cl_f64x2 cl_f64x2_where(cl_mask64x2 m, cl_f64x2 a) {
  return (cl_f64x2){m.a ? a.a : 0, m.b ? a.b : 0};
}
CL_INLINE cl_f64x2 cl_f64x2_neg_where(cl_mask64x2 m, cl_f64x2 a) {
  return (cl_f64x2){m.a ? -a.a : a.a, m.b ? -a.b : a.b};
}

CL_INLINE void cl_f64x2_to_u32(cl_f64x2 a, uint32_t out[2]) {
  out[0] = (uint32_t)a.a, out[1] = (uint32_t)a.b;
}

#endif

// In all three versions above:
// cl_f64x2_where: a's lanes where the mask is set, 0 elsewhere.
// cl_f64x2_neg_where: a's lanes, negated where the mask is set.
// cl_f64x2_to_u32: rounded toward 0; lanes lie in [0, 2^31).
// cl_mask64x2_bits: bit k is set where lane k is.

CL_INLINE cl_f64x2 cl_f64x2_dot(cl_f64x2 ax, cl_f64x2 ay, cl_f64x2 bx, cl_f64x2 by) {
  return cl_f64x2_add(cl_f64x2_mul(ax, bx), cl_f64x2_mul(ay, by));
}

/// The smaller and the larger lane.
CL_INLINE double cl_f64x2_least(cl_f64x2 a) {
  return cl_f64x2_first(cl_f64x2_min(a, cl_f64x2_second_twice(a)));
}
CL_INLINE double cl_f64x2_most(cl_f64x2 a) {
  return cl_f64x2_first(cl_f64x2_max(a, cl_f64x2_second_twice(a)));
}

/// One lane from each vector: {smaller of a, smaller of b}, and the same with the larger.
CL_INLINE cl_f64x2 cl_f64x2_least_of_each(cl_f64x2 a, cl_f64x2 b) {
  return cl_f64x2_min(cl_f64x2_firsts(a, b), cl_f64x2_seconds(a, b));
}
CL_INLINE cl_f64x2 cl_f64x2_most_of_each(cl_f64x2 a, cl_f64x2 b) {
  return cl_f64x2_max(cl_f64x2_firsts(a, b), cl_f64x2_seconds(a, b));
}

// ---- four

#if CL_HAS_AVX2 && defined(CL_FOR_AVX2)
#include <immintrin.h>

typedef __m256d cl_f64x4;

CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_load(const double *p) { return _mm256_loadu_pd(p); }
CL_WIDE CL_INLINE void cl_f64x4_store(double *p, cl_f64x4 a) { _mm256_storeu_pd(p, a); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_all(double a) { return _mm256_set1_pd(a); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_add(cl_f64x4 a, cl_f64x4 b) { return _mm256_add_pd(a, b); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_sub(cl_f64x4 a, cl_f64x4 b) { return _mm256_sub_pd(a, b); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_mul(cl_f64x4 a, cl_f64x4 b) { return _mm256_mul_pd(a, b); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_min(cl_f64x4 a, cl_f64x4 b) { return _mm256_min_pd(a, b); }
CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_max(cl_f64x4 a, cl_f64x4 b) { return _mm256_max_pd(a, b); }
CL_WIDE CL_INLINE cl_f64x2 cl_f64x4_low(cl_f64x4 a) { return _mm256_castpd256_pd128(a); }
CL_WIDE CL_INLINE cl_f64x2 cl_f64x4_high(cl_f64x4 a) { return _mm256_extractf128_pd(a, 1); }
CL_WIDE CL_INLINE unsigned cl_f64x4_eq_bits(cl_f64x4 a, cl_f64x4 b) {
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ));
}
CL_WIDE CL_INLINE unsigned cl_f64x4_le_bits(cl_f64x4 a, cl_f64x4 b) {
  return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ));
}
CL_WIDE CL_INLINE void cl_f64x4_to_u32(cl_f64x4 a, uint32_t out[4]) {
  _mm_storeu_si128((__m128i *)(void *)out, _mm256_cvttpd_epi32(a));
}

#else

typedef struct cl_f64x4 {
  cl_f64x2 low, high;
} cl_f64x4;

CL_INLINE cl_f64x4 cl_f64x4_load(const double *p) {
  return (cl_f64x4){cl_f64x2_load(p), cl_f64x2_load(p + 2)};
}
CL_INLINE void cl_f64x4_store(double *p, cl_f64x4 a) {
  cl_f64x2_store(p, a.low), cl_f64x2_store(p + 2, a.high);
}
CL_INLINE cl_f64x4 cl_f64x4_all(double a) { return (cl_f64x4){cl_f64x2_all(a), cl_f64x2_all(a)}; }
CL_INLINE cl_f64x4 cl_f64x4_add(cl_f64x4 a, cl_f64x4 b) {
  return (cl_f64x4){cl_f64x2_add(a.low, b.low), cl_f64x2_add(a.high, b.high)};
}
CL_INLINE cl_f64x4 cl_f64x4_sub(cl_f64x4 a, cl_f64x4 b) {
  return (cl_f64x4){cl_f64x2_sub(a.low, b.low), cl_f64x2_sub(a.high, b.high)};
}
CL_INLINE cl_f64x4 cl_f64x4_mul(cl_f64x4 a, cl_f64x4 b) {
  return (cl_f64x4){cl_f64x2_mul(a.low, b.low), cl_f64x2_mul(a.high, b.high)};
}
CL_INLINE cl_f64x4 cl_f64x4_min(cl_f64x4 a, cl_f64x4 b) {
  return (cl_f64x4){cl_f64x2_min(a.low, b.low), cl_f64x2_min(a.high, b.high)};
}
CL_INLINE cl_f64x4 cl_f64x4_max(cl_f64x4 a, cl_f64x4 b) {
  return (cl_f64x4){cl_f64x2_max(a.low, b.low), cl_f64x2_max(a.high, b.high)};
}
CL_INLINE cl_f64x2 cl_f64x4_low(cl_f64x4 a) { return a.low; }
CL_INLINE cl_f64x2 cl_f64x4_high(cl_f64x4 a) { return a.high; }
CL_INLINE unsigned cl_f64x4_bits(cl_mask64x2 low, cl_mask64x2 high) {
  return cl_mask64x2_bits(low) | cl_mask64x2_bits(high) << 2;
}
CL_INLINE unsigned cl_f64x4_eq_bits(cl_f64x4 a, cl_f64x4 b) {
  return cl_f64x4_bits(cl_f64x2_eq(a.low, b.low), cl_f64x2_eq(a.high, b.high));
}
CL_INLINE unsigned cl_f64x4_le_bits(cl_f64x4 a, cl_f64x4 b) {
  return cl_f64x4_bits(cl_f64x2_le(a.low, b.low), cl_f64x2_le(a.high, b.high));
}
CL_INLINE void cl_f64x4_to_u32(cl_f64x4 a, uint32_t out[4]) {
  cl_f64x2_to_u32(a.low, out), cl_f64x2_to_u32(a.high, out + 2);
}

#endif

CL_WIDE CL_INLINE cl_f64x4 cl_f64x4_dot(cl_f64x4 ax, cl_f64x4 ay, cl_f64x4 bx, cl_f64x4 by) {
  return cl_f64x4_add(cl_f64x4_mul(ax, bx), cl_f64x4_mul(ay, by));
}

CL_WIDE CL_INLINE double cl_f64x4_most(cl_f64x4 a) {
  return cl_f64x2_most(cl_f64x2_max(cl_f64x4_low(a), cl_f64x4_high(a)));
}

#endif
