// collide, MIT licence (see LICENSE)
//
// The grid's loops over boxes, which are compiled twice (base/simd.h): with vectors of four floats
// and of eight. The first half tests one box with two runs of others; the second, which is the same
// for both, walks over the cells. Layer: broad.

#include "broad/hgrid_table.h"

#ifdef CL_FOR_AVX2

#include <immintrin.h>

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

CL_WIDE CL_INLINE __m256i compare(const cl_lanes *it, __m256 reach) {
  return _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(&it->x0), reach, _CMP_LE_OQ));
}

// Writes all four; the next ones overwrite those that do not count. So no branch
// depends on the data.
CL_WIDE CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, __m256i me,
                                      unsigned touched) {
  __m256i pair = _mm256_loadu_si256((const __m256i *)(const void *)tag);
  pair = _mm256_blend_epi32(pair, me, 0xaa);
  __m256i front = _mm256_load_si256((const __m256i *)(const void *)FRONT[touched]);
  pair = _mm256_permutevar8x32_epi32(pair, front);
  _mm256_storeu_si256((__m256i *)(void *)at, pair);
  return at + _mm_popcnt_u32(touched);
}

// Nearly always both runs are no longer than that, so the rest is a separate function.
CL_WIDE CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id,
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

#else

enum { SWEEP_SLACK = 1 };

// Masks of the first n of four.
static const uint8_t FIRST[5] = {0, 1, 3, 7, 15};

CL_INLINE unsigned left(cl_hgrid_span run) {
  uint32_t n = run.to - run.from;
  return FIRST[n < 4 ? n : 4];
}

// Writes all four; the next ones overwrite those that do not count. So no branch
// depends on the data.
CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, uint32_t id, unsigned touched) {
  *at = (cl_pair){tag[0].id, id};
  at += touched & 1;
  *at = (cl_pair){tag[1].id, id};
  at += touched >> 1 & 1;
  *at = (cl_pair){tag[2].id, id};
  at += touched >> 2 & 1;
  *at = (cl_pair){tag[3].id, id};
  return at + (touched >> 3 & 1);
}

CL_INLINE cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id, const cl_lanes *box,
                             const cl_hgrid_tag *tag, cl_hgrid_span a, cl_hgrid_span b) {
  cl_f32x4 reach = cl_lanes_reach(me);
  do {
    unsigned in_a = cl_f32x4_rows_le(&box[a.from].x0, reach) & left(a);
    unsigned in_b = cl_f32x4_rows_le(&box[b.from].x0, reach) & left(b);
    at = write_four(at, &tag[a.from], id, in_a);
    at = write_four(at, &tag[b.from], id, in_b);
    a.from = a.from + 4 < a.to ? a.from + 4 : a.to;
    b.from = b.from + 4 < b.to ? b.from + 4 : b.to;
  } while (a.from < a.to || b.from < b.to);
  return at;
}

#endif

// Where pairs go. The place of the next pair is passed and returned by value, so
// that it stays in a register; it is NULL when out of memory. There is room up to
// `end`, and for the slack after it.
typedef struct writer {
  cl_search *search;
  cl_pair *end;
  int64_t left; // tests, as in cl_search
  cl_status status;
} writer;

// Makes room for `need` pairs, and the slack, after the first `count`.
CL_SELDOM static cl_pair *grow(writer *w, size_t count, size_t need) {
  cl_pairs *out = w->search->out;
  out->count = count;
  w->status = CL_RESERVE(w->search->alloc, out->at, out->cap, count + need + SWEEP_SLACK);
  if (w->status != CL_OK) return NULL;
  w->end = out->at + out->cap - SWEEP_SLACK;
  return out->at + count;
}

// The same, if there are not too many tests.
CL_SELDOM static cl_pair *go_on(writer *w, size_t count, size_t need) {
  cl_search *search = w->search;
  search->out->count = count;
  search->left = w->left;
  if (search->left < 0 && !cl_search_goes_on(search)) {
    w->status = CL_CROWDED;
    return NULL;
  }
  w->left = search->left;
  return grow(w, count, need);
}

static cl_pair *start_writing(writer *w, cl_search *search) {
  *w = (writer){search, NULL, search->left, CL_OK};
  return grow(w, search->out->count, 0);
}

static cl_status settle(writer *w, const cl_pair *at) {
  w->search->left = w->left;
  if (at) w->search->out->count = (size_t)(at - w->search->out->at);
  return w->status;
}

// What a box is tested with: one grid's boxes.
typedef struct field {
  const cl_lanes *box;
  const cl_hgrid_tag *tag;
  const uint32_t *start;
} field;

static field field_of(const cl_hgrid *grid) { return (field){grid->box, grid->tag, grid->start}; }

// Tests a box with two runs.
CL_WIDE CL_INLINE cl_pair *test(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id, field f,
                                cl_hgrid_span a, cl_hgrid_span b) {
  size_t need = (size_t)(a.to - a.from) + (b.to - b.from);
  w->left -= (int64_t)need + 1;
  CL_WORK(1 + need / 8);
  if (((size_t)(w->end - at) < need) | (w->left < 0)) {
    at = go_on(w, (size_t)(at - w->search->out->at), need);
    if (!at) return NULL;
  }
  return test_runs(at, me, id, f.box, f.tag, a, b);
}

CL_INLINE cl_hgrid_span span_of(const uint32_t *start, uint32_t cell, uint32_t cells) {
  return (cl_hgrid_span){start[cell], start[cell + cells]};
}

static const cl_hgrid_span NOTHING = {0, 0};

// Tests a box with the cells from `column` on in a row of a wrapped table, some of them past its
// end.
CL_WIDE CL_SELDOM static cl_pair *test_row(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id,
                                           field f, const cl_hgrid_table *t, uint32_t column,
                                           uint32_t cells, uint32_t row) {
  for (uint32_t k = 0; k < cells && at; k++) {
    uint32_t cell = cl_hgrid_cell_at(t, column + k, row);
    at = test(w, at, me, id, f, span_of(f.start, cell, 1), NOTHING);
  }
  return at;
}

// A box of a wrapped table whose neighbours are partly past its end.
CL_WIDE CL_SELDOM static cl_pair *test_round(writer *w, cl_pair *at, field f,
                                             const cl_hgrid_table *t, uint32_t i) {
  const cl_lanes *me = &f.box[i];
  uint32_t id = f.tag[i].id, cell = f.tag[i].cell, column = cell - t->base;
  at = test(w, at, me, id, f, (cl_hgrid_span){i + 1, f.start[cell + 1]}, NOTHING);
  if (at) at = test_row(w, at, me, id, f, t, column + 1, 1, 0);
  return at ? test_row(w, at, me, id, f, t, column - 1, 3, 1) : at;
}

CL_WIDE static cl_status sweep_wrapped(const cl_hgrid *grid, const cl_hgrid_table *t,
                                       cl_search *search) {
  writer w;
  cl_pair *at = start_writing(&w, search);
  field f = field_of(grid);
  uint32_t base = t->base, mask = t->mask, left_below = t->stride - 1, end = t->to;
  uint32_t edge = t->cells - 2; // from here on a row may go on at the table's beginning
  for (uint32_t i = t->from; i < end && at; i++) {
    uint32_t cell = f.tag[i].cell, below = (cell - base + left_below) & mask;
    if (cell - base >= edge || below >= edge) {
      at = test_round(&w, at, f, t, i);
      continue;
    }
    cl_hgrid_span row = {i + 1, f.start[cell + 2]}, next = span_of(f.start, base + below, 3);
    at = test(&w, at, &f.box[i], f.tag[i].id, f, row, next);
  }
  return settle(&w, at);
}

CL_WIDE static cl_status sweep_exact(const cl_hgrid *grid, const cl_hgrid_table *t,
                                     cl_search *search) {
  writer w;
  cl_pair *at = start_writing(&w, search);
  field f = field_of(grid);
  uint32_t left_below = t->stride - 1, end = t->to;
  for (uint32_t i = t->from; i < end && at; i++) {
    uint32_t cell = f.tag[i].cell;
    cl_hgrid_span row = {i + 1, f.start[cell + 2]}, next = span_of(f.start, cell + left_below, 3);
    at = test(&w, at, &f.box[i], f.tag[i].id, f, row, next);
  }
  return settle(&w, at);
}

CL_WIDE cl_status CL_KERNEL(cl_hgrid_within)(const cl_hgrid *grid, const cl_hgrid_table *t,
                                             cl_search *search) {
  return (cl_hgrid_wraps(t) ? sweep_wrapped : sweep_exact)(grid, t, search);
}

// The places at which the boxes that can touch a given box have their corners.
typedef struct area {
  uint32_t column, row, columns, rows;
} area;

CL_INLINE area area_of(const cl_hgrid_table *t, const cl_lanes *me) {
  CL_WORK(12);
  cl_hgrid_place from = cl_hgrid_place_of(&t->axes, cl_f32x4_load(&me->x0));
  cl_hgrid_place to = cl_hgrid_place_of(&t->axes, cl_lanes_reach(me));
  return (area){from.column - 1, from.row - 1, to.column - from.column + 2, to.row - from.row + 2};
}

// Whether no two places of the area share a cell of a wrapped table. Its stride
// is the golden ratio's share of its cells. By Hurwitz's theorem, d strides are
// never nearer to whole turns than cells / (2.62 d); rounding the stride to an
// odd number moves that by d.
static inline bool is_plain(const cl_hgrid_table *t, area a) {
  return 4 * (uint64_t)a.rows * ((uint64_t)a.rows + a.columns) <= t->cells;
}

CL_WIDE CL_INLINE cl_pair *test_all(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id,
                                    field f, const cl_hgrid_table *t) {
  uint32_t middle = t->from + (t->to - t->from) / 2;
  return test(w, at, me, id, f, (cl_hgrid_span){t->from, middle}, (cl_hgrid_span){middle, t->to});
}

// Tests two rows of an area at once; there may be no second.
CL_WIDE CL_INLINE cl_pair *test_rows(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id,
                                     field f, const cl_hgrid_table *t, area a, uint32_t k,
                                     bool wraps) {
  uint32_t one = ((a.row + k) * t->stride + a.column) & t->mask, two = (one + t->stride) & t->mask;
  bool both = k + 1 < a.rows;
  if (wraps && (one + a.columns > t->cells || two + a.columns > t->cells)) {
    at = test_row(w, at, me, id, f, t, a.column, a.columns, a.row + k);
    if (!at || !both) return at;
    return test_row(w, at, me, id, f, t, a.column, a.columns, a.row + k + 1);
  }
  // An exact table ends where its last row does.
  two = both ? two : one;
  return test(w, at, me, id, f, span_of(f.start, t->base + one, a.columns),
              span_of(f.start, t->base + two, both ? a.columns : 0));
}

// Whether a box reaches into a column and a row of a table's bounds that hold boxes.
CL_INLINE bool may_touch(const cl_hgrid_table *t, const cl_lanes *me) {
  cl_hgrid_slabs mine = cl_hgrid_slabs_of(&t->slabs, me);
  CL_WORK(4);
  return (mine.columns & t->held.columns) != 0 && (mine.rows & t->held.rows) != 0;
}

// Whether at least half of some of the boxes `from` are where a table's boxes leave room.
static bool leaves_room(const cl_hgrid *mine, const cl_hgrid_table *from, const cl_hgrid_table *t) {
  uint32_t tried = 0, none = 0;
  if (cl_hgrid_is_everywhere(t)) return false;
  for (uint32_t i = from->from + 7; i < from->to; i += (from->to - from->from) / 64 + 16) {
    tried++;
    none += !may_touch(t, &mine->box[i]);
  }
  return 2 * none > tried;
}

CL_WIDE cl_status CL_KERNEL(cl_hgrid_across)(const cl_hgrid *mine, const cl_hgrid_table *from,
                                             const cl_hgrid *other, const cl_hgrid_table *table,
                                             bool all, cl_search *search) {
  writer w;
  cl_pair *at = start_writing(&w, search);
  field f = field_of(other);
  cl_hgrid_table t = *table;
  bool wraps = cl_hgrid_wraps(table), looks = !all && leaves_room(mine, from, table);
  for (uint32_t i = from->from; i < from->to && at; i++) {
    const cl_lanes *me = &mine->box[i];
    uint32_t id = mine->tag[i].id;
    if (looks && !may_touch(&t, me)) continue;
    area a = {0, 0, 0, 0};
    if (!all) a = area_of(&t, me);
    if (all || (wraps && !is_plain(&t, a))) {
      at = test_all(&w, at, me, id, f, &t);
      continue;
    }
    for (uint32_t k = 0; k < a.rows && at; k += 2) {
      at = test_rows(&w, at, me, id, f, &t, a, k, wraps);
    }
  }
  return settle(&w, at);
}
