// collide, MIT licence (see LICENSE)
//
// Which vector instructions the build and the processor have, and the vectors. Every loop gives the
// same bits in plain C, with SSE2, NEON and AVX2, so the choice shows only in time. Layer: base.
//
// SSE2 and NEON are chosen when compiling, AVX2 when running, so a build without any flags has it.
// The loops of a module X for which AVX2 pays are in X_kernels.h, which two files include after
// X.h: X.c, and X_avx2.c, which defines CL_FOR_AVX2 before it includes anything. Its functions are
// declared in X.h with CL_KERNEL_PAIR, defined with CL_KERNEL, and called with CL_BEST. Building
// with -DCL_SIMD_MOST=0 gives plain C, with 1 no more than SSE2 or NEON, so that they can be
// compared.

#ifndef CL_BASE_SIMD_H
#define CL_BASE_SIMD_H

#include "base/config.h"

#ifndef CL_SIMD_MOST
#define CL_SIMD_MOST 2
#endif

#if CL_SIMD_MOST >= 1 && (defined(__SSE2__) || defined(_M_X64))
#define CL_HAS_SSE2 1
#else
#define CL_HAS_SSE2 0
#endif

#if CL_SIMD_MOST >= 1 && defined(__aarch64__) && defined(__ARM_NEON)
#define CL_HAS_NEON 1
#else
#define CL_HAS_NEON 0
#endif

#if CL_SIMD_MOST >= 2 && CL_HAS_SSE2 && defined(__GNUC__) && defined(__x86_64__)
#define CL_HAS_AVX2 1

/// Before a function that uses AVX2, or popcnt, which every processor with AVX2 has. It does not
/// allow fused multiplication and addition.
#define CL_AVX2 CL_FOR_PROCESSOR("avx2,popcnt")
#else
#define CL_HAS_AVX2 0
#endif

/// CL_WIDE comes before a function that uses cl_f64x4. CL_KERNEL is the name of this file's
/// version of a function that is compiled twice.
#if CL_HAS_AVX2 && defined(CL_FOR_AVX2)
#define CL_WIDE CL_AVX2
#define CL_KERNEL(name) name##_avx2
#else
#define CL_WIDE
#define CL_KERNEL(name) name##_plain
#endif

/// Declares both versions of a function: its type, name, and parameters in parentheses. They give
/// the same bits.
#define CL_KERNEL_PAIR(type, name, parameters)                                                     \
  type name##_plain parameters;                                                                    \
  type name##_avx2 parameters

/// The version of a function for this processor: CL_BEST(name)(arguments).
#if CL_HAS_AVX2
#define CL_BEST(name) (CL_PROCESSOR_HAS("avx2") ? name##_avx2 : name##_plain)
#else
#define CL_BEST(name) name##_plain
#endif

// ---- Two doubles, by SSE2, NEON or plain C; and four, by AVX2 in files that define CL_FOR_AVX2
// and as two pairs elsewhere: the same operations in the same order, so the same bits. A minimum is
// `a < b ? a : b` and a maximum `a > b ? a : b`, also of zeros and NaN.

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

/// The larger lane.
CL_INLINE double cl_f64x2_most(cl_f64x2 a) {
  return cl_f64x2_first(cl_f64x2_max(a, cl_f64x2_seconds(a, a)));
}

/// One lane from each vector: {smaller of a, smaller of b}, and the same with the larger.
CL_INLINE cl_f64x2 cl_f64x2_least_of_each(cl_f64x2 a, cl_f64x2 b) {
  return cl_f64x2_min(cl_f64x2_firsts(a, b), cl_f64x2_seconds(a, b));
}
CL_INLINE cl_f64x2 cl_f64x2_most_of_each(cl_f64x2 a, cl_f64x2 b) {
  return cl_f64x2_max(cl_f64x2_firsts(a, b), cl_f64x2_seconds(a, b));
}

// ---- Four doubles

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

// ---- Four floats, likewise

/// Rounding down lowers a float that is above its double by this fraction of itself, which is 0.75
/// to 1.5 units in its last place and rounds to the float below, and by FLT_MIN, for floats near 0.
#define CL_FLOAT_STEP 8.940696716308594e-08f

#if CL_HAS_SSE2

typedef __m128 cl_f32x4;

CL_INLINE cl_f32x4 cl_f32x4_load(const float *p) { return _mm_loadu_ps(p); }
CL_INLINE void cl_f32x4_store(float *p, cl_f32x4 a) { _mm_storeu_ps(p, a); }
CL_INLINE cl_f32x4 cl_f32x4_all(float v) { return _mm_set1_ps(v); }
CL_INLINE cl_f32x4 cl_f32x4_sub(cl_f32x4 a, cl_f32x4 b) { return _mm_sub_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_mul(cl_f32x4 a, cl_f32x4 b) { return _mm_mul_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_min(cl_f32x4 a, cl_f32x4 b) { return _mm_min_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_max(cl_f32x4 a, cl_f32x4 b) { return _mm_max_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_neg(cl_f32x4 a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
CL_INLINE cl_f32x4 cl_f32x4_neg_high(cl_f32x4 a) {
  return _mm_xor_ps(a, _mm_setr_ps(0, 0, -0.0f, -0.0f));
}
CL_INLINE cl_f32x4 cl_f32x4_swapped(cl_f32x4 a) { return _mm_shuffle_ps(a, a, 0x4e); }
CL_INLINE cl_f64x2 cl_f32x4_low(cl_f32x4 a) { return _mm_cvtps_pd(a); }

CL_INLINE unsigned cl_f32x4_le(cl_f32x4 a, cl_f32x4 b) {
  return (unsigned)_mm_movemask_ps(_mm_cmple_ps(a, b));
}

CL_INLINE cl_f32x4 cl_f32x4_down(cl_f64x2 low, cl_f64x2 high) {
  __m128 l = _mm_cvtpd_ps(low), h = _mm_cvtpd_ps(high), f = _mm_movelh_ps(l, h);
  __m128d l_off = _mm_cmpgt_pd(_mm_cvtps_pd(l), low), h_off = _mm_cmpgt_pd(_mm_cvtps_pd(h), high);
  __m128 off = _mm_shuffle_ps(_mm_castpd_ps(l_off), _mm_castpd_ps(h_off), 0x88);
  __m128 size = _mm_andnot_ps(_mm_set1_ps(-0.0f), f);
  __m128 step = _mm_add_ps(_mm_mul_ps(size, _mm_set1_ps(CL_FLOAT_STEP)), _mm_set1_ps(FLT_MIN));
  return _mm_sub_ps(f, _mm_and_ps(off, step));
}

// The lanes' comparisons are 16 bits wide after the first packing, 8 after the second.
CL_INLINE unsigned cl_f32x4_each_le(const cl_f32x4 v[4], cl_f32x4 b) {
  __m128i p = _mm_castps_si128(_mm_cmple_ps(v[0], b));
  __m128i q = _mm_castps_si128(_mm_cmple_ps(v[1], b));
  __m128i r = _mm_castps_si128(_mm_cmple_ps(v[2], b));
  __m128i s = _mm_castps_si128(_mm_cmple_ps(v[3], b));
  __m128i packed = _mm_packs_epi16(_mm_packs_epi32(p, q), _mm_packs_epi32(r, s));
  __m128i all = _mm_cmpeq_epi32(packed, _mm_set1_epi32(-1));
  return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(all));
}

#elif CL_HAS_NEON

typedef float32x4_t cl_f32x4;

CL_INLINE cl_f32x4 cl_f32x4_load(const float *p) { return vld1q_f32(p); }
CL_INLINE void cl_f32x4_store(float *p, cl_f32x4 a) { vst1q_f32(p, a); }
CL_INLINE cl_f32x4 cl_f32x4_all(float v) { return vdupq_n_f32(v); }
CL_INLINE cl_f32x4 cl_f32x4_sub(cl_f32x4 a, cl_f32x4 b) { return vsubq_f32(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_mul(cl_f32x4 a, cl_f32x4 b) { return vmulq_f32(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_min(cl_f32x4 a, cl_f32x4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
CL_INLINE cl_f32x4 cl_f32x4_max(cl_f32x4 a, cl_f32x4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
CL_INLINE cl_f32x4 cl_f32x4_neg(cl_f32x4 a) { return vnegq_f32(a); }
CL_INLINE cl_f32x4 cl_f32x4_neg_high(cl_f32x4 a) {
  return vcombine_f32(vget_low_f32(a), vneg_f32(vget_high_f32(a)));
}
CL_INLINE cl_f32x4 cl_f32x4_swapped(cl_f32x4 a) { return vextq_f32(a, a, 2); }
CL_INLINE cl_f64x2 cl_f32x4_low(cl_f32x4 a) { return vcvt_f64_f32(vget_low_f32(a)); }

CL_INLINE unsigned cl_f32x4_bits(uint32x4_t m) {
  const uint32_t bit[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(m, vld1q_u32(bit)));
}

CL_INLINE unsigned cl_f32x4_le(cl_f32x4 a, cl_f32x4 b) { return cl_f32x4_bits(vcleq_f32(a, b)); }

CL_INLINE cl_f32x4 cl_f32x4_down(cl_f64x2 low, cl_f64x2 high) {
  float32x2_t l = vcvt_f32_f64(low), h = vcvt_f32_f64(high);
  uint32x2_t l_off = vmovn_u64(vcgtq_f64(vcvt_f64_f32(l), low));
  uint32x2_t h_off = vmovn_u64(vcgtq_f64(vcvt_f64_f32(h), high));
  float32x4_t f = vcombine_f32(l, h);
  float32x4_t step = vmulq_f32(vabsq_f32(f), vdupq_n_f32(CL_FLOAT_STEP));
  uint32x4_t less = vreinterpretq_u32_f32(vaddq_f32(step, vdupq_n_f32(FLT_MIN)));
  less = vandq_u32(vcombine_u32(l_off, h_off), less);
  return vsubq_f32(f, vreinterpretq_f32_u32(less));
}

// Two rounds of pairwise minima leave one lane for each of the four vectors.
CL_INLINE unsigned cl_f32x4_each_le(const cl_f32x4 v[4], cl_f32x4 b) {
  uint32x4_t p = vpminq_u32(vcleq_f32(v[0], b), vcleq_f32(v[1], b));
  uint32x4_t q = vpminq_u32(vcleq_f32(v[2], b), vcleq_f32(v[3], b));
  return cl_f32x4_bits(vpminq_u32(p, q));
}

#else

typedef struct cl_f32x4 {
  float a, b, c, d;
} cl_f32x4;

CL_INLINE cl_f32x4 cl_f32x4_load(const float *p) { return (cl_f32x4){p[0], p[1], p[2], p[3]}; }
CL_INLINE void cl_f32x4_store(float *p, cl_f32x4 v) {
  p[0] = v.a, p[1] = v.b, p[2] = v.c, p[3] = v.d;
}
CL_INLINE cl_f32x4 cl_f32x4_all(float v) { return (cl_f32x4){v, v, v, v}; }
CL_INLINE cl_f32x4 cl_f32x4_sub(cl_f32x4 p, cl_f32x4 q) {
  return (cl_f32x4){p.a - q.a, p.b - q.b, p.c - q.c, p.d - q.d};
}
CL_INLINE cl_f32x4 cl_f32x4_mul(cl_f32x4 p, cl_f32x4 q) {
  return (cl_f32x4){p.a * q.a, p.b * q.b, p.c * q.c, p.d * q.d};
}
CL_INLINE float cl_f32_min(float a, float b) { return a < b ? a : b; }
CL_INLINE float cl_f32_max(float a, float b) { return a > b ? a : b; }
CL_INLINE cl_f32x4 cl_f32x4_min(cl_f32x4 p, cl_f32x4 q) {
  return (cl_f32x4){cl_f32_min(p.a, q.a), cl_f32_min(p.b, q.b), cl_f32_min(p.c, q.c),
                    cl_f32_min(p.d, q.d)};
}
CL_INLINE cl_f32x4 cl_f32x4_max(cl_f32x4 p, cl_f32x4 q) {
  return (cl_f32x4){cl_f32_max(p.a, q.a), cl_f32_max(p.b, q.b), cl_f32_max(p.c, q.c),
                    cl_f32_max(p.d, q.d)};
}
CL_INLINE cl_f32x4 cl_f32x4_neg(cl_f32x4 v) { return (cl_f32x4){-v.a, -v.b, -v.c, -v.d}; }
CL_INLINE cl_f32x4 cl_f32x4_neg_high(cl_f32x4 v) { return (cl_f32x4){v.a, v.b, -v.c, -v.d}; }
CL_INLINE cl_f32x4 cl_f32x4_swapped(cl_f32x4 v) { return (cl_f32x4){v.c, v.d, v.a, v.b}; }
CL_INLINE cl_f64x2 cl_f32x4_low(cl_f32x4 v) { return cl_f64x2_set((double)v.a, (double)v.b); }

CL_INLINE unsigned cl_f32x4_le(cl_f32x4 p, cl_f32x4 q) {
  return (unsigned)(p.a <= q.a) | (unsigned)(p.b <= q.b) << 1 | (unsigned)(p.c <= q.c) << 2 |
         (unsigned)(p.d <= q.d) << 3;
}

CL_INLINE float cl_f32_down(double d) {
  float f = (float)d;
  return (double)f > d ? f - (fabsf(f) * CL_FLOAT_STEP + FLT_MIN) : f;
}

CL_INLINE cl_f32x4 cl_f32x4_down(cl_f64x2 low, cl_f64x2 high) {
  return (cl_f32x4){cl_f32_down(low.a), cl_f32_down(low.b), cl_f32_down(high.a),
                    cl_f32_down(high.b)};
}

CL_INLINE unsigned cl_f32x4_each_le(const cl_f32x4 v[4], cl_f32x4 b) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 4; k++) bits |= (unsigned)(cl_f32x4_le(v[k], b) == 15) << k;
  return bits;
}

#endif

// In all three versions above:
// cl_f32x4_swapped: the first two lanes and the last two exchanged.
// cl_f32x4_neg_high: the last two lanes negated.
// cl_f32x4_low: the first two lanes.
// cl_f32x4_le: bit k is set where a <= b in lane k.
// cl_f32x4_each_le: bit k is set if all lanes of vector k are <= b's.
// cl_f32x4_down: doubles within ±1e38, rounded down to floats; a double that is a float stays
//   exact. There is no branch: it would be mispredicted for every other number.

/// cl_f32x4_each_le for vectors that are one after the other in memory.
CL_INLINE unsigned cl_f32x4_rows_le(const float *row, cl_f32x4 b) {
  const cl_f32x4 v[4] = {cl_f32x4_load(row), cl_f32x4_load(row + 4), cl_f32x4_load(row + 8),
                         cl_f32x4_load(row + 12)};
  return cl_f32x4_each_le(v, b);
}

#endif
