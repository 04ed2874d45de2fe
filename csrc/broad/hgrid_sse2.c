// collide, MIT licence (see LICENSE)
//
// The grid's loops with vectors of four, which every x86 processor of 64 bits
// has. Layer: broad.

#include "broad/hgrid.h"

#if CL_HAS_SSE2

#define SWEEP_NAME cl_hgrid_sse2
#define SWEEP_WITH

enum { SWEEP_SLACK = 1 };

// The first so many of four.
static const uint8_t FIRST[5] = {0, 1, 3, 7, 15};

CL_INLINE unsigned left(cl_hgrid_span run) {
  uint32_t n = run.to - run.from;
  return FIRST[n < 4 ? n : 4];
}

CL_INLINE __m128i compare(const cl_lanes *it, __m128 reach) {
  return _mm_castps_si128(_mm_cmple_ps(_mm_loadu_ps(&it->x0), reach));
}

// Bit k is set when box k of four lies within reach: all four lanes are 16 bits
// wide after the first packing, 8 after the second.
CL_INLINE unsigned touch_four(const cl_lanes *it, __m128 reach) {
  __m128i low = _mm_packs_epi32(compare(it, reach), compare(it + 1, reach));
  __m128i high = _mm_packs_epi32(compare(it + 2, reach), compare(it + 3, reach));
  __m128i all = _mm_cmpeq_epi32(_mm_packs_epi16(low, high), _mm_set1_epi32(-1));
  return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(all));
}

// Pairs of two tags with `me`.
CL_INLINE __m128i make_pairs(const cl_hgrid_tag *tag, __m128i me) {
  const __m128i odd = _mm_setr_epi32(0, -1, 0, -1);
  __m128i ids = _mm_andnot_si128(odd, _mm_loadu_si128((const __m128i *)(const void *)tag));
  return _mm_or_si128(ids, _mm_and_si128(odd, me));
}

// All are written whether they count or not, and the next one overwrites them: no
// branch hangs on the data.
CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, __m128i me, unsigned touched) {
  __m128i low = make_pairs(tag, me), high = make_pairs(tag + 2, me);
  _mm_storel_epi64((__m128i *)(void *)at, low);
  at += touched & 1;
  _mm_storel_epi64((__m128i *)(void *)at, _mm_unpackhi_epi64(low, low));
  at += touched >> 1 & 1;
  _mm_storel_epi64((__m128i *)(void *)at, high);
  at += touched >> 2 & 1;
  _mm_storel_epi64((__m128i *)(void *)at, _mm_unpackhi_epi64(high, high));
  return at + (touched >> 3 & 1);
}

CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id, const cl_lanes *box,
                             const cl_hgrid_tag *tag, cl_hgrid_span a, cl_hgrid_span b) {
  __m128 lanes = _mm_loadu_ps(&me->x0);
  __m128 reach = _mm_xor_ps(_mm_shuffle_ps(lanes, lanes, 0x4e), _mm_set1_ps(-0.0f));
  __m128i mine = _mm_set1_epi32((int)id);
  do {
    unsigned in_a = touch_four(&box[a.from], reach) & left(a);
    unsigned in_b = touch_four(&box[b.from], reach) & left(b);
    at = write_four(at, &tag[a.from], mine, in_a);
    at = write_four(at, &tag[b.from], mine, in_b);
    a.from = a.from + 4 < a.to ? a.from + 4 : a.to;
    b.from = b.from + 4 < b.to ? b.from + 4 : b.to;
  } while (a.from < a.to || b.from < b.to);
  return at;
}

#include "broad/hgrid_sweep.h"

#else
typedef int cl_hgrid_sse2_is_empty; // a file of C must hold something
#endif
