// collide, MIT licence (see LICENSE)
//
// The grid's loops over boxes. A file that includes it must define
//   SWEEP_NAME   the cl_hgrid_sweeps to define
//   SWEEP_WITH   the attributes of functions that use the vectors
// and the function
//   static cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id,
//                             const cl_lanes *box, const cl_hgrid_tag *tag,
//                             cl_hgrid_span a, cl_hgrid_span b)
// which writes the pairs of a box with those of two runs to `at`, and returns
// where they end; it may write SWEEP_SLACK pairs more. Layer: broad.

#include "base/work.h"
#include "broad/hgrid.h"

// Where pairs go. The place of the next pair is passed and returned by value, so
// that it stays in a register; it is NULL when out of memory. There is room up to
// `end`, and for the slack after it.
typedef struct writer {
  cl_hgrid_to *to;
  cl_pair *end;
  int64_t left; // tests, as in cl_guard
  cl_status status;
} writer;

// Makes room for `need` pairs, and the slack, after the first `count`.
CL_SELDOM static cl_pair *grow(writer *w, size_t count, size_t need) {
  cl_pairs *out = w->to->out;
  out->count = count;
  w->status = CL_RESERVE(w->to->alloc, out->at, out->cap, count + need + SWEEP_SLACK);
  if (w->status != CL_OK) return NULL;
  w->end = out->at + out->cap - SWEEP_SLACK;
  return out->at + count;
}

// The same, if there are not too many tests.
CL_SELDOM static cl_pair *go_on(writer *w, size_t count, size_t need) {
  cl_guard *guard = &w->to->guard;
  w->to->out->count = count;
  guard->left = w->left;
  if (guard->left < 0 && !cl_guard_allows(guard, count)) {
    w->status = CL_CROWDED;
    return NULL;
  }
  w->left = guard->left;
  return grow(w, count, need);
}

static cl_pair *start_writing(writer *w, cl_hgrid_to *to) {
  *w = (writer){to, NULL, to->guard.left, CL_OK};
  return grow(w, to->out->count, 0);
}

static cl_status settle(writer *w, const cl_pair *at) {
  w->to->guard.left = w->left;
  if (at) w->to->out->count = (size_t)(at - w->to->out->at);
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
SWEEP_WITH CL_INLINE cl_pair *test(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id, field f,
                                   cl_hgrid_span a, cl_hgrid_span b) {
  size_t need = (size_t)(a.to - a.from) + (b.to - b.from);
  w->left -= (int64_t)need + 1;
  CL_WORK(1 + need / 8);
  if (((size_t)(w->end - at) < need) | (w->left < 0)) {
    at = go_on(w, (size_t)(at - w->to->out->at), need);
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
SWEEP_WITH CL_SELDOM static cl_pair *test_row(writer *w, cl_pair *at, const cl_lanes *me,
                                              uint32_t id, field f, const cl_hgrid_table *t,
                                              uint32_t column, uint32_t cells, uint32_t row) {
  for (uint32_t k = 0; k < cells && at; k++) {
    uint32_t cell = cl_hgrid_cell_at(t, column + k, row);
    at = test(w, at, me, id, f, span_of(f.start, cell, 1), NOTHING);
  }
  return at;
}

// A box of a wrapped table whose neighbours are partly past its end.
SWEEP_WITH CL_SELDOM static cl_pair *test_round(writer *w, cl_pair *at, field f,
                                                const cl_hgrid_table *t, uint32_t i) {
  const cl_lanes *me = &f.box[i];
  uint32_t id = f.tag[i].id, cell = f.tag[i].cell, column = cell - t->base;
  at = test(w, at, me, id, f, (cl_hgrid_span){i + 1, f.start[cell + 1]}, NOTHING);
  if (at) at = test_row(w, at, me, id, f, t, column + 1, 1, 0);
  return at ? test_row(w, at, me, id, f, t, column - 1, 3, 1) : at;
}

SWEEP_WITH static cl_status sweep_wrapped(const cl_hgrid *grid, const cl_hgrid_table *t,
                                          cl_hgrid_to *to) {
  writer w;
  cl_pair *at = start_writing(&w, to);
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

SWEEP_WITH static cl_status sweep_exact(const cl_hgrid *grid, const cl_hgrid_table *t,
                                        cl_hgrid_to *to) {
  writer w;
  cl_pair *at = start_writing(&w, to);
  field f = field_of(grid);
  uint32_t left_below = t->stride - 1, end = t->to;
  for (uint32_t i = t->from; i < end && at; i++) {
    uint32_t cell = f.tag[i].cell;
    cl_hgrid_span row = {i + 1, f.start[cell + 2]}, next = span_of(f.start, cell + left_below, 3);
    at = test(&w, at, &f.box[i], f.tag[i].id, f, row, next);
  }
  return settle(&w, at);
}

SWEEP_WITH static cl_status sweep_within(const cl_hgrid *grid, const cl_hgrid_table *t,
                                         cl_hgrid_to *to) {
  return (cl_hgrid_wraps(t) ? sweep_wrapped : sweep_exact)(grid, t, to);
}

// The places at which the boxes that can touch a given box have their corners.
typedef struct area {
  uint32_t column, row, columns, rows;
} area;

CL_INLINE area area_of(const cl_hgrid_table *t, const cl_lanes *me) {
  cl_hgrid_place from = cl_hgrid_place_of_lanes(&t->axes, cl_f32x4_load(&me->x0));
  cl_hgrid_place to = cl_hgrid_place_of_lanes(&t->axes, cl_lanes_reach(me));
  return (area){from.column - 1, from.row - 1, to.column - from.column + 2, to.row - from.row + 2};
}

// Whether no two places of the area share a cell of a wrapped table. Its stride
// is the golden ratio's share of its cells. By Hurwitz's theorem, d strides are
// never nearer to whole turns than cells / (2.62 d); rounding the stride to an
// odd number moves that by d.
static inline bool is_plain(const cl_hgrid_table *t, area a) {
  return 4 * (uint64_t)a.rows * ((uint64_t)a.rows + a.columns) <= t->cells;
}

SWEEP_WITH CL_INLINE cl_pair *test_all(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id,
                                       field f, const cl_hgrid_table *t) {
  uint32_t middle = t->from + (t->to - t->from) / 2;
  return test(w, at, me, id, f, (cl_hgrid_span){t->from, middle}, (cl_hgrid_span){middle, t->to});
}

// Tests two rows of an area at once; there may be no second.
SWEEP_WITH CL_INLINE cl_pair *test_rows(writer *w, cl_pair *at, const cl_lanes *me, uint32_t id,
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

SWEEP_WITH static cl_status sweep_across(const cl_hgrid *mine, const cl_hgrid_table *from,
                                         const cl_hgrid *other, const cl_hgrid_table *table,
                                         cl_hgrid_to *to) {
  writer w;
  cl_pair *at = start_writing(&w, to);
  field f = field_of(other);
  cl_hgrid_table t = *table;
  bool wraps = cl_hgrid_wraps(table), looks = leaves_room(mine, from, table);
  for (uint32_t i = from->from; i < from->to && at; i++) {
    const cl_lanes *me = &mine->box[i];
    uint32_t id = mine->tag[i].id;
    if (looks && !may_touch(&t, me)) continue;
    CL_WORK(12);
    area a = area_of(&t, me);
    if (wraps && !is_plain(&t, a)) {
      at = test_all(&w, at, me, id, f, &t);
      continue;
    }
    for (uint32_t k = 0; k < a.rows && at; k += 2) {
      at = test_rows(&w, at, me, id, f, &t, a, k, wraps);
    }
  }
  return settle(&w, at);
}

SWEEP_WITH static cl_status sweep_all(const cl_hgrid *mine, const cl_hgrid_table *from,
                                      const cl_hgrid *other, const cl_hgrid_table *t,
                                      cl_hgrid_to *to) {
  writer w;
  cl_pair *at = start_writing(&w, to);
  field f = field_of(other);
  for (uint32_t i = from->from; i < from->to && at; i++) {
    at = test_all(&w, at, &mine->box[i], mine->tag[i].id, f, t);
  }
  return settle(&w, at);
}

const cl_hgrid_sweeps SWEEP_NAME = {sweep_within, sweep_across, sweep_all};
