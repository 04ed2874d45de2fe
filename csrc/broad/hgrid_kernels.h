// collide, MIT licence (see LICENSE)
//
// The grid's loops over boxes, which are compiled twice (base/simd.h): with vectors of four floats
// and of eight. The first half tests one box with two runs of others; the second, which is the same
// for both, walks over the cells. Layer: broad.

#include "broad/hgrid_table.h"

#ifdef CL_FOR_AVX2

#include <immintrin.h>

enum { SWEEP_SLACK = 4 };

// Brings the pairs with set bits, of four, to the front.
#define P(i) 2 * i, 2 * i + 1
static const _Alignas(32) uint32_t FRONT[16][8] = {
    {0},
    {P(0)},
    {P(1)},
    {P(0), P(1)},
    {P(2)},
    {P(0), P(2)},
    {P(1), P(2)},
    {P(0), P(1), P(2)},
    {P(3)},
    {P(0), P(3)},
    {P(1), P(3)},
    {P(0), P(1), P(3)},
    {P(2), P(3)},
    {P(0), P(2), P(3)},
    {P(1), P(2), P(3)},
    {P(0), P(1), P(2), P(3)},
};
#undef P

typedef __m256 reach;

CL_WIDE CL_INLINE reach my_reach(const cl_lanes *me) {
  __m256 lanes = _mm256_broadcast_ps((const __m128 *)(const void *)me);
  return _mm256_xor_ps(_mm256_permute_ps(lanes, 0x4e), _mm256_set1_ps(-0.0f));
}

CL_WIDE CL_INLINE __m256i compare_two(const cl_lanes *it, reach me) {
  return _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(&it->x0), me, _CMP_LE_OQ));
}

// Packing brings the boxes into the order 0 2 4 6 1 3 5 7.
CL_WIDE CL_INLINE unsigned eight_touch(const cl_lanes *a, const cl_lanes *b, reach me) {
  __m256i in_a = _mm256_packs_epi32(compare_two(a, me), compare_two(a + 2, me));
  __m256i in_b = _mm256_packs_epi32(compare_two(b, me), compare_two(b + 2, me));
  __m256i all = _mm256_cmpeq_epi32(_mm256_packs_epi16(in_a, in_b), _mm256_set1_epi32(-1));
  all = _mm256_permutevar8x32_epi32(all, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(all));
}

CL_WIDE CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, uint32_t id,
                                      unsigned touched) {
  __m256i pair = _mm256_loadu_si256((const __m256i *)(const void *)tag);
  pair = _mm256_blend_epi32(pair, _mm256_set1_epi32((int)id), 0xaa);
  __m256i front = _mm256_load_si256((const __m256i *)(const void *)FRONT[touched]);
  pair = _mm256_permutevar8x32_epi32(pair, front);
  _mm256_storeu_si256((__m256i *)(void *)at, pair);
  return at + _mm_popcnt_u32(touched);
}

#else

enum { SWEEP_SLACK = 1 };

typedef cl_f32x4 reach;

CL_INLINE reach my_reach(const cl_lanes *me) { return cl_lanes_reach(me); }

CL_INLINE unsigned eight_touch(const cl_lanes *a, const cl_lanes *b, reach me) {
  return cl_f32x4_rows_le(&a->x0, me) | cl_f32x4_rows_le(&b->x0, me) << 4;
}

CL_INLINE cl_pair *write_four(cl_pair *at, const cl_hgrid_tag *tag, uint32_t id, unsigned touched) {
  for (unsigned k = 0; k < 4; k++) {
    *at = (cl_pair){tag[k].id, id};
    at += touched >> k & 1;
  }
  return at;
}

#endif

// In both versions: eight_touch tests a box with four of a run and four of another; bit k is set
// for the k-th of the eight. write_four writes all four pairs, and the next ones overwrite those
// that do not count, so no branch depends on the data.

// Masks of the first n of four.
CL_INLINE unsigned first_of_four(uint32_t n) {
  static const uint8_t mask[5] = {0, 1, 3, 7, 15};
  return mask[n < 4 ? n : 4];
}

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
CL_SELDOM static cl_pair *make_room(writer *w, size_t count, size_t need) {
  cl_pairs *out = w->search->out;
  out->count = count;
  w->status = CL_RESERVE(w->search->alloc, out->at, out->cap, count + need + SWEEP_SLACK);
  if (w->status != CL_OK) return NULL;
  w->end = out->at + out->cap - SWEEP_SLACK;
  return out->at + count;
}

// The same, if there are not too many tests.
CL_SELDOM static cl_pair *go_on_writing(writer *w, size_t count, size_t need) {
  cl_search *search = w->search;
  search->out->count = count;
  search->left = w->left;
  if (search->left < 0 && !cl_search_goes_on(search)) {
    w->status = CL_CROWDED;
    return NULL;
  }
  w->left = search->left;
  return make_room(w, count, need);
}

static cl_pair *start_writing(writer *w, cl_search *search) {
  *w = (writer){search, NULL, search->left, CL_OK};
  return make_room(w, search->out->count, 0);
}

static cl_status stop_writing(writer *w, const cl_pair *at) {
  w->search->left = w->left;
  if (at) w->search->out->count = (size_t)(at - w->search->out->at);
  return w->status;
}

// A box and its number, and the boxes of one grid that it is tested with.
typedef struct probe {
  const cl_lanes *me;
  uint32_t id;
  const cl_lanes *box;
  const cl_hgrid_tag *tag;
  const uint32_t *start;
} probe;

static probe probe_of(const cl_hgrid *grid) {
  return (probe){NULL, 0, grid->box, grid->tag, grid->start};
}

// Tests a box with two runs, which are nearly always no longer than four.
CL_WIDE CL_INLINE cl_pair *test_runs(cl_pair *at, probe p, cl_hgrid_span a, cl_hgrid_span b) {
  reach mine = my_reach(p.me);
  uint32_t in_a = a.to - a.from, in_b = b.to - b.from;
  for (;;) {
    unsigned touched = eight_touch(&p.box[a.from], &p.box[b.from], mine);
    at = write_four(at, &p.tag[a.from], p.id, touched & first_of_four(in_a));
    at = write_four(at, &p.tag[b.from], p.id, touched >> 4 & first_of_four(in_b));
    if ((in_a | in_b) <= 4) return at;
    uint32_t done_a = in_a < 4 ? in_a : 4, done_b = in_b < 4 ? in_b : 4;
    a.from += done_a, in_a -= done_a;
    b.from += done_b, in_b -= done_b;
    if (in_a + in_b == 0) return at;
  }
}

// The same, if there is room for the pairs and there are not too many tests.
CL_WIDE CL_INLINE cl_pair *test_spans(writer *w, cl_pair *at, probe p, cl_hgrid_span a,
                                      cl_hgrid_span b) {
  size_t need = (size_t)(a.to - a.from) + (b.to - b.from);
  w->left -= (int64_t)need + 1;
  CL_WORK(1 + need / 8);
  if (((size_t)(w->end - at) < need) | (w->left < 0)) {
    at = go_on_writing(w, (size_t)(at - w->search->out->at), need);
    if (!at) return NULL;
  }
  return test_runs(at, p, a, b);
}

CL_INLINE cl_hgrid_span cells_from(const uint32_t *start, uint32_t cell, uint32_t cells) {
  return (cl_hgrid_span){start[cell], start[cell + cells]};
}

static const cl_hgrid_span NOTHING = {0, 0};

// Columns and rows of a table.
typedef struct area {
  uint32_t column, row, columns, rows;
} area;

// Tests a box with the cells of an area of a wrapped table, some of them past its end.
CL_WIDE CL_SELDOM static cl_pair *test_cells(writer *w, cl_pair *at, probe p,
                                             const cl_hgrid_table *t, area a) {
  for (uint32_t k = 0; k < a.columns * a.rows && at; k++) {
    uint32_t cell = cl_hgrid_cell_at(t, a.column + k % a.columns, a.row + k / a.columns);
    at = test_spans(w, at, p, cells_from(p.start, cell, 1), NOTHING);
  }
  return at;
}

// Box i of a wrapped table, whose neighbours are partly past its end.
CL_WIDE CL_SELDOM static cl_pair *test_round(writer *w, cl_pair *at, probe p,
                                             const cl_hgrid_table *t, uint32_t i) {
  uint32_t cell = p.tag[i].cell, column = cell - t->base;
  at = test_spans(w, at, p, (cl_hgrid_span){i + 1, p.start[cell + 1]}, NOTHING);
  if (at) at = test_cells(w, at, p, t, (area){column + 1, 0, 1, 1});
  return at ? test_cells(w, at, p, t, (area){column - 1, 1, 3, 1}) : at;
}

CL_WIDE CL_INLINE cl_status walk_table(const cl_hgrid *grid, const cl_hgrid_table *t, bool wraps,
                                       cl_search *search) {
  writer w;
  cl_pair *at = start_writing(&w, search);
  probe p = probe_of(grid);
  uint32_t base = t->base, mask = t->mask, left_below = t->stride - 1, end = t->to;
  uint32_t edge = t->cells - 2; // from here on a row may go on at the table's beginning
  for (uint32_t i = t->from; i < end && at; i++) {
    uint32_t cell = p.tag[i].cell, below = cell + left_below;
    p.me = &p.box[i], p.id = p.tag[i].id;
    if (wraps) {
      below = base + ((below - base) & mask);
      if (cell - base >= edge || below - base >= edge) {
        at = test_round(&w, at, p, t, i);
        continue;
      }
    }
    cl_hgrid_span row = {i + 1, p.start[cell + 2]}, next = cells_from(p.start, below, 3);
    at = test_spans(&w, at, p, row, next);
  }
  return stop_writing(&w, at);
}

CL_WIDE cl_status CL_KERNEL(cl_hgrid_within)(const cl_hgrid *grid, const cl_hgrid_table *t,
                                             cl_search *search) {
  return cl_hgrid_wraps(t) ? walk_table(grid, t, true, search) : walk_table(grid, t, false, search);
}

// The places where boxes that can touch a given box may have their corners.
CL_INLINE area area_of(const cl_hgrid_table *t, const cl_lanes *me) {
  CL_WORK(12);
  cl_hgrid_place from = cl_hgrid_place_of(t, cl_f32x4_load(&me->x0));
  cl_hgrid_place to = cl_hgrid_place_of(t, cl_lanes_reach(me));
  return (area){from.column - 1, from.row - 1, to.column - from.column + 2, to.row - from.row + 2};
}

// Whether no two places of the area share a cell of a wrapped table. Its stride
// is the golden ratio's share of its cells. By Hurwitz's theorem, d strides are
// never nearer to whole turns than cells / (2.62 d); rounding the stride to an
// odd number moves that by d.
static inline bool is_plain(const cl_hgrid_table *t, area a) {
  return 4 * (uint64_t)a.rows * ((uint64_t)a.rows + a.columns) <= t->cells;
}

CL_WIDE CL_INLINE cl_pair *test_all(writer *w, cl_pair *at, probe p, const cl_hgrid_table *t) {
  uint32_t middle = t->from + (t->to - t->from) / 2;
  return test_spans(w, at, p, (cl_hgrid_span){t->from, middle}, (cl_hgrid_span){middle, t->to});
}

// Tests two rows of an area at once; it may have only one.
CL_WIDE CL_INLINE cl_pair *test_rows(writer *w, cl_pair *at, probe p, const cl_hgrid_table *t,
                                     area a, bool wraps) {
  uint32_t one = (a.row * t->stride + a.column) & t->mask, two = (one + t->stride) & t->mask;
  if (wraps && (one + a.columns > t->cells || two + a.columns > t->cells))
    return test_cells(w, at, p, t, a);
  bool both = a.rows > 1;
  two = both ? two : one; // an exact table ends where its last row does
  return test_spans(w, at, p, cells_from(p.start, t->base + one, a.columns),
                    cells_from(p.start, t->base + two, both ? a.columns : 0));
}

CL_WIDE cl_status CL_KERNEL(cl_hgrid_across)(const cl_hgrid *mine, const cl_hgrid_table *from,
                                             const cl_hgrid *other, const cl_hgrid_table *table,
                                             bool all, cl_search *search) {
  writer w;
  cl_pair *at = start_writing(&w, search);
  probe p = probe_of(other);
  cl_hgrid_table t = *table;
  bool wraps = cl_hgrid_wraps(table);
  for (uint32_t i = from->from; i < from->to && at; i++) {
    area a = {0, 0, 0, 0};
    p.me = &mine->box[i], p.id = mine->tag[i].id;
    if (!all) a = area_of(&t, p.me);
    if (all || (wraps && !is_plain(&t, a))) {
      at = test_all(&w, at, p, &t);
      continue;
    }
    for (uint32_t k = 0; k < a.rows && at; k += 2) {
      area two = {a.column, a.row + k, a.columns, k + 1 < a.rows ? 2 : 1};
      at = test_rows(&w, at, p, &t, two, wraps);
    }
  }
  return stop_writing(&w, at);
}
