// collide, MIT licence (see LICENSE)
//
// The grid's loops over boxes, for whoever includes it once it has defined
//   SWEEP_NAME   the cl_grid_sweeps to define
//   SWEEP_WITH   what stands before functions that use the vectors
// and the function
//   static cl_pair *test_runs(cl_pair *at, const cl_lanes *me, uint32_t id,
//                             const cl_grid *grid, cl_grid_span a, cl_grid_span b)
// which writes the pairs of a box with those of two runs to `at`, and returns
// where they end; it may write SWEEP_SLACK more. Layer: broad.

#include "broad/grid.h"

// Where pairs go: from `at` to `end` there is room, and for the slack after it.
typedef struct writer {
  const cl_alloc *alloc;
  cl_pairs *out;
  cl_pair *at, *end;
} writer;

// Makes room for `need` pairs and the slack.
static cl_status grow(writer *w, size_t need) {
  cl_pairs *out = w->out;
  if (w->at) out->count = (size_t)(w->at - out->at);
  cl_status status = CL_RESERVE(w->alloc, out->at, out->cap, out->count + need + SWEEP_SLACK);
  if (status != CL_OK) return status;
  w->at = out->at + out->count;
  w->end = out->at + out->cap - SWEEP_SLACK;
  return CL_OK;
}

static cl_status settle(writer *w, cl_status status) {
  if (w->at) w->out->count = (size_t)(w->at - w->out->at);
  return status;
}

// Tests a box with two runs of a grid.
SWEEP_WITH static inline cl_status test(writer *w, const cl_lanes *me, uint32_t id,
                                        const cl_grid *grid, cl_grid_span a, cl_grid_span b) {
  size_t need = (size_t)(a.to - a.from) + (b.to - b.from);
  if ((size_t)(w->end - w->at) < need) {
    cl_status status = grow(w, need);
    if (status != CL_OK) return status;
  }
  w->at = test_runs(w->at, me, id, grid, a, b);
  return CL_OK;
}

static inline cl_grid_span span_of(const cl_grid *grid, uint32_t cell, uint32_t cells) {
  return (cl_grid_span){grid->start[cell], grid->start[cell + cells]};
}

static const cl_grid_span NOTHING = {0, 0};

// Tests a box with what is in the cells from `column` on in a row of a wrapped
// table, some of them past its end.
SWEEP_WITH static cl_status test_row(writer *w, const cl_lanes *me, uint32_t id,
                                     const cl_grid *grid, const cl_grid_table *t, uint32_t column,
                                     uint32_t cells, uint32_t row) {
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < cells && status == CL_OK; k++) {
    uint32_t cell = cl_grid_cell_at(t, column + k, row);
    status = test(w, me, id, grid, span_of(grid, cell, 1), NOTHING);
  }
  return status;
}

// A box of a wrapped table whose neighbours are partly past its end.
SWEEP_WITH static cl_status test_round(writer *w, const cl_grid *grid, const cl_grid_table *t,
                                       uint32_t i) {
  const cl_lanes *me = &grid->box[i];
  uint32_t id = grid->tag[i].id, cell = grid->tag[i].cell, column = cell - t->base;
  cl_grid_span rest = {i + 1, grid->start[cell + 1]};
  cl_status status = test(w, me, id, grid, rest, NOTHING);
  if (status == CL_OK) status = test_row(w, me, id, grid, t, column + 1, 1, 0);
  return status == CL_OK ? test_row(w, me, id, grid, t, column - 1, 3, 1) : status;
}

SWEEP_WITH static cl_status sweep_within(const cl_grid *grid, const cl_grid_table *t,
                                         const cl_alloc *alloc, cl_pairs *out) {
  writer w = {alloc, out, NULL, NULL};
  cl_status status = grow(&w, 0);
  const uint32_t *start = grid->start;
  uint32_t base = t->base, mask = t->mask, left_below = t->stride - 1;
  // From here on a wrapped table's row may go on at its beginning.
  uint32_t edge = cl_grid_wraps(t) ? t->cells - 2 : UINT32_MAX;
  for (uint32_t i = t->from; i < t->to && status == CL_OK; i++) {
    uint32_t cell = grid->tag[i].cell, below = (cell - base + left_below) & mask;
    if (cell - base >= edge || below >= edge) {
      status = test_round(&w, grid, t, i);
      continue;
    }
    cl_grid_span row = {i + 1, start[cell + 2]}, next = span_of(grid, base + below, 3);
    status = test(&w, &grid->box[i], grid->tag[i].id, grid, row, next);
  }
  return settle(&w, status);
}

// The places among which those that can touch a box have their corners.
typedef struct area {
  uint32_t column, row, columns, rows;
} area;

static inline area area_of(const cl_grid_table *t, const cl_lanes *me) {
#if CL_HAS_SSE2
  __m128 lanes = _mm_loadu_ps(&me->x0);
  __m128 far = _mm_xor_ps(_mm_movehl_ps(lanes, lanes), _mm_set1_ps(-0.0f));
  cl_grid_place from = cl_grid_place_of_lanes(t, lanes), to = cl_grid_place_of_lanes(t, far);
#else
  cl_grid_place from = cl_grid_place_of(t, me->x0, me->y0);
  cl_grid_place to = cl_grid_place_of(t, -me->minus_x1, -me->minus_y1);
#endif
  return (area){from.column - 1, from.row - 1, to.column - from.column + 2, to.row - from.row + 2};
}

// Whether no two places of the area share a cell of a wrapped table. Its stride
// is the golden ratio's share of its cells, of which d times are never nearer to
// whole turns than cells / (2.62 d): Hurwitz' theorem; and rounding it to an odd
// number moves that by d.
static inline bool is_plain(const cl_grid_table *t, area a) {
  return 4 * (uint64_t)a.rows * ((uint64_t)a.rows + a.columns) <= t->cells;
}

SWEEP_WITH static inline cl_status test_all(writer *w, const cl_lanes *me, uint32_t id,
                                            const cl_grid *grid, const cl_grid_table *t) {
  uint32_t middle = t->from + (t->to - t->from) / 2;
  return test(w, me, id, grid, (cl_grid_span){t->from, middle}, (cl_grid_span){middle, t->to});
}

// Two rows of an area at once; the second may be none.
SWEEP_WITH static inline cl_status test_rows(writer *w, const cl_lanes *me, uint32_t id,
                                             const cl_grid *grid, const cl_grid_table *t, area a,
                                             uint32_t row, bool wraps) {
  bool both = row + 1 < a.row + a.rows;
  uint32_t one = cl_grid_cell_at(t, a.column, row) - t->base;
  uint32_t two = both ? (one + t->stride) & t->mask : one;
  if (wraps && (one + a.columns > t->cells || two + a.columns > t->cells)) {
    cl_status status = test_row(w, me, id, grid, t, a.column, a.columns, row);
    if (status != CL_OK || !both) return status;
    return test_row(w, me, id, grid, t, a.column, a.columns, row + 1);
  }
  return test(w, me, id, grid, span_of(grid, t->base + one, a.columns),
              span_of(grid, t->base + two, both ? a.columns : 0));
}

SWEEP_WITH static cl_status sweep_across(const cl_grid *mine, const cl_grid_table *from,
                                         const cl_grid *other, const cl_grid_table *t,
                                         const cl_alloc *alloc, cl_pairs *out) {
  writer w = {alloc, out, NULL, NULL};
  cl_status status = grow(&w, 0);
  bool wraps = cl_grid_wraps(t);
  for (uint32_t i = from->from; i < from->to && status == CL_OK; i++) {
    const cl_lanes *me = &mine->box[i];
    uint32_t id = mine->tag[i].id;
    area a = area_of(t, me);
    if (wraps && !is_plain(t, a)) {
      status = test_all(&w, me, id, other, t);
      continue;
    }
    for (uint32_t k = 0; k < a.rows && status == CL_OK; k += 2) {
      status = test_rows(&w, me, id, other, t, a, a.row + k, wraps);
    }
  }
  return settle(&w, status);
}

SWEEP_WITH static cl_status sweep_all(const cl_grid *mine, const cl_grid_table *from,
                                      const cl_grid *other, const cl_grid_table *t,
                                      const cl_alloc *alloc, cl_pairs *out) {
  writer w = {alloc, out, NULL, NULL};
  cl_status status = grow(&w, 0);
  for (uint32_t i = from->from; i < from->to && status == CL_OK; i++) {
    status = test_all(&w, &mine->box[i], mine->tag[i].id, other, t);
  }
  return settle(&w, status);
}

const cl_grid_sweeps SWEEP_NAME = {sweep_within, sweep_across, sweep_all};
