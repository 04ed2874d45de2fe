// collide, MIT licence (see LICENSE)
//
// Four floats side by side, by SSE2, NEON or plain C: the same operations in the same order,
// so the same bits. Layer: base.
//
// A minimum is `a < b ? a : b` and a maximum `a > b ? a : b`, also of zeros and NaN.

#ifndef CL_BASE_F32X4_H
#define CL_BASE_F32X4_H

#include "base/f64x2.h"

/// Rounding down lowers a float that is above its double by this share of itself, which is 0.75 to
/// 1.5 units in its last place and rounds to the float below, and by FLT_MIN, for floats near 0.
#define CL_FLOAT_STEP 8.940696716308594e-08f

#if CL_HAS_SSE2

typedef __m128 cl_f32x4;

CL_INLINE cl_f32x4 cl_f32x4_load(const float *p) { return _mm_loadu_ps(p); }
CL_INLINE void cl_f32x4_store(float *p, cl_f32x4 a) { _mm_storeu_ps(p, a); }
CL_INLINE cl_f32x4 cl_f32x4_set(float a, float b, float c, float d) {
  return _mm_setr_ps(a, b, c, d);
}
CL_INLINE cl_f32x4 cl_f32x4_all(float v) { return _mm_set1_ps(v); }
CL_INLINE cl_f32x4 cl_f32x4_sub(cl_f32x4 a, cl_f32x4 b) { return _mm_sub_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_mul(cl_f32x4 a, cl_f32x4 b) { return _mm_mul_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_min(cl_f32x4 a, cl_f32x4 b) { return _mm_min_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_max(cl_f32x4 a, cl_f32x4 b) { return _mm_max_ps(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_neg(cl_f32x4 a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
CL_INLINE cl_f32x4 cl_f32x4_neg_high(cl_f32x4 a) {
  return _mm_xor_ps(a, _mm_setr_ps(0, 0, -0.0f, -0.0f));
}
CL_INLINE cl_f32x4 cl_f32x4_low_twice(cl_f32x4 a) { return _mm_movelh_ps(a, a); }
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
CL_INLINE unsigned cl_f32x4_rows_le(const float *row, cl_f32x4 b) {
  __m128i p = _mm_castps_si128(_mm_cmple_ps(_mm_loadu_ps(row), b));
  __m128i q = _mm_castps_si128(_mm_cmple_ps(_mm_loadu_ps(row + 4), b));
  __m128i r = _mm_castps_si128(_mm_cmple_ps(_mm_loadu_ps(row + 8), b));
  __m128i s = _mm_castps_si128(_mm_cmple_ps(_mm_loadu_ps(row + 12), b));
  __m128i packed = _mm_packs_epi16(_mm_packs_epi32(p, q), _mm_packs_epi32(r, s));
  __m128i all = _mm_cmpeq_epi32(packed, _mm_set1_epi32(-1));
  return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(all));
}

#elif CL_HAS_NEON

typedef float32x4_t cl_f32x4;

CL_INLINE cl_f32x4 cl_f32x4_load(const float *p) { return vld1q_f32(p); }
CL_INLINE void cl_f32x4_store(float *p, cl_f32x4 a) { vst1q_f32(p, a); }
CL_INLINE cl_f32x4 cl_f32x4_set(float a, float b, float c, float d) {
  const float v[4] = {a, b, c, d};
  return vld1q_f32(v);
}
CL_INLINE cl_f32x4 cl_f32x4_all(float v) { return vdupq_n_f32(v); }
CL_INLINE cl_f32x4 cl_f32x4_sub(cl_f32x4 a, cl_f32x4 b) { return vsubq_f32(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_mul(cl_f32x4 a, cl_f32x4 b) { return vmulq_f32(a, b); }
CL_INLINE cl_f32x4 cl_f32x4_min(cl_f32x4 a, cl_f32x4 b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
CL_INLINE cl_f32x4 cl_f32x4_max(cl_f32x4 a, cl_f32x4 b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
CL_INLINE cl_f32x4 cl_f32x4_neg(cl_f32x4 a) { return vnegq_f32(a); }
CL_INLINE cl_f32x4 cl_f32x4_neg_high(cl_f32x4 a) {
  return vcombine_f32(vget_low_f32(a), vneg_f32(vget_high_f32(a)));
}
CL_INLINE cl_f32x4 cl_f32x4_low_twice(cl_f32x4 a) {
  return vcombine_f32(vget_low_f32(a), vget_low_f32(a));
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
CL_INLINE unsigned cl_f32x4_rows_le(const float *row, cl_f32x4 b) {
  uint32x4_t p = vpminq_u32(vcleq_f32(vld1q_f32(row), b), vcleq_f32(vld1q_f32(row + 4), b));
  uint32x4_t q = vpminq_u32(vcleq_f32(vld1q_f32(row + 8), b), vcleq_f32(vld1q_f32(row + 12), b));
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
CL_INLINE cl_f32x4 cl_f32x4_set(float a, float b, float c, float d) {
  return (cl_f32x4){a, b, c, d};
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
CL_INLINE cl_f32x4 cl_f32x4_low_twice(cl_f32x4 v) { return (cl_f32x4){v.a, v.b, v.a, v.b}; }
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

CL_INLINE unsigned cl_f32x4_rows_le(const float *row, cl_f32x4 b) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 4; k++)
    bits |= (unsigned)(cl_f32x4_le(cl_f32x4_load(row + 4 * k), b) == 15) << k;
  return bits;
}

#endif

// In all three versions above:
// cl_f32x4_low_twice: the first two lanes, twice.
// cl_f32x4_swapped: the first two lanes and the last two exchanged.
// cl_f32x4_neg_high: the last two lanes negated.
// cl_f32x4_low: the first two lanes.
// cl_f32x4_le: bit k is set where a <= b in lane k.
// cl_f32x4_rows_le: for four vectors, one after the other in memory, bit k is set if all lanes
//   of vector k are <= b's.
// cl_f32x4_down: doubles within ±1e38, rounded down to floats; a double that is a float stays
//   exact. There is no branch: it would be mispredicted for every other number.

#endif
