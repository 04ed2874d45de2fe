// collide, MIT licence (see LICENSE)
//
// The grid's loops with vectors of eight, for processors that have AVX2. They
// test four boxes of each of two runs at once. Layer: broad.

#include "broad/hgrid.h"

#if CL_HAS_AVX2

#include <immintrin.h>

#define SWEEP_NAME cl_hgrid_avx2
#define SWEEP_WITH CL_AVX2

enum { SWEEP_SLACK = 4 };

// Packing leaves the four boxes of a run at bits 0, 4, 1 and 5. These masks select the first n of
// them.
static const uint8_t FIRST[5] = {0, 0x01, 0x11, 0x13, 0x33};

CL_INLINE unsigned first_of_four(uint32_t n) { return FIRST[n < 4 ? n : 4]; }

// Brings the pairs with set bits, of four, to the front.
#define P(i) 2 * i, 2 * i + 1
static const _Alignas(32) uint32_t FRONT[0x34][8] = {
    [0x01] = {P(0)},
    [0x10] = {P(1)},
    [0x02] = {P(2)},
    [0x20] = {P(3)},
    [0x11] = {P(0), P(1)},
    [0x03] = {P(0), P(2)},
    [0x21] = {P(0), P(3)},
    [0x12] = {P(1), P(2)},
    [0x30] = {P(1), P(3)},
    [0x22] = {P(2), P(3)},
    [0x13] = {P(0), P(1), P(2)},
    [0x31] = {P(0), P(1), P(3)},
    [0x23] = {P(0), P(2), P(3)},
    [0x32] = {P(1), P(2), P(3)},
    [0x33] = {P(0), P(1), P(2), P(3)},
};
#undef P

CL_AVX2 CL_INLINE __m256i compare(const cl_lanes *it, __m256 reach) {
  return _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(&it->x0), reach, _CMP_LE_OQ));
}

// Writes all four; the next ones overwrite those that do not count. So no branch
// depends on the data.
CL_AVX2 CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, __m256i me,
                                      unsigned touched) {
  __m256i pair = _mm256_loadu_si256((const __m256i *)(const void *)tag);
  pair = _mm256_blend_epi32(pair, me, 0xaa);
  __m256i front = _mm256_load_si256((const __m256i *)(const void *)FRONT[touched]);
  pair = _mm256_permutevar8x32_epi32(pair, front);
  _mm256_storeu_si256((__m256i *)(void *)at, pair);
  return at + _mm_popcnt_u32(touched);
}

// Nearly always both runs are no longer than that, so the rest is a separate function.
CL_AVX2 CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id,
                                     const cl_lanes *box, const cl_hgrid_tag *tag, cl_hgrid_span a,
                                     cl_hgrid_span b) {
  __m256 lanes = _mm256_broadcast_ps((const __m128 *)(const void *)me);
  __m256 reach = _mm256_xor_ps(_mm256_permute_ps(lanes, 0x4e), _mm256_set1_ps(-0.0f));
  __m256i mine = _mm256_set1_epi32((int)id), all = _mm256_set1_epi32(-1);
  uint32_t in_run_a = a.to - a.from, in_run_b = b.to - b.from;
  for (;;) {
    const cl_lanes *in_a = &box[a.from], *in_b = &box[b.from];
    __m256i pa = _mm256_packs_epi32(compare(in_a, reach), compare(in_a + 2, reach));
    __m256i pb = _mm256_packs_epi32(compare(in_b, reach), compare(in_b + 2, reach));
    __m256i both = _mm256_cmpeq_epi32(_mm256_packs_epi16(pa, pb), all);
    unsigned touched = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(both));
    at = write_four(at, &tag[a.from], mine, touched & first_of_four(in_run_a));
    at = write_four(at, &tag[b.from], mine, touched >> 2 & first_of_four(in_run_b));
    if ((in_run_a | in_run_b) <= 4) return at;
    uint32_t done_a = in_run_a < 4 ? in_run_a : 4, done_b = in_run_b < 4 ? in_run_b : 4;
    a.from += done_a, in_run_a -= done_a;
    b.from += done_b, in_run_b -= done_b;
    if (in_run_a + in_run_b == 0) return at;
  }
}

#include "broad/hgrid_sweep.h"

#endif
