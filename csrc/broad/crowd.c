// collide, MIT licence (see LICENSE)
//
// The search for crowds. Boxes are numbered from left to right, and their top and bottom edges are
// replaced by ranks. Of two boxes that overlap, one has its top within the other's height: so each
// box is an interval of tops, and a point, its own top. The range of tops is halved again and
// again. Where an interval spans the whole range, all points in it are within its height, and a
// walk from left to right finds those that overlap and hardly any others. Layer: broad.
// Source: Zomorodian and Edelsbrunner, Fast software for box intersections (2000).

#include "broad/crowd.h"

#include <string.h>

#include "base/work.h"
#include "geom/fbox.h"

// A find may make so many tests for each box, as many as take about as long as this search, and so
// many more for each pair; it asks after TESTS_AT_ONCE. After a crowd, cells are tried again after
// REST finds.
enum { TESTS_A_BOX = 128, TESTS_AT_ONCE = 16, TESTS_A_PAIR = 16, FREE_TESTS = 4096, REST = 31 };

// With so few points, or so few intervals, halving the range takes longer than testing them.
enum { FEW_POINTS = 64, FEW_INTERVALS = 4 };

void cl_crowd_free(cl_crowd *crowd, const cl_alloc *alloc) {
  cl_sorter_free(alloc, &crowd->sorter);
  CL_FREE(alloc, crowd->box, crowd->box_cap);
  CL_FREE(alloc, crowd->key, crowd->key_cap);
  CL_FREE(alloc, crowd->list, crowd->list_cap);
  *crowd = (cl_crowd){0};
}

bool cl_broad_has_enough(const cl_broad_input *in, size_t pairs) {
  if (in->enough == 0 || pairs <= in->enough) return false;
  uint32_t coarse = 0;
  for (uint32_t i = 0; i < in->count && coarse == 0; i++) {
    coarse += cl_fbox_is_coarse(in->box[i]);
  }
  return coarse > 0;
}

cl_guard cl_guard_of(const cl_crowd *crowd, const cl_broad_input *in, const cl_pairs *out) {
  bool spent = crowd->rest > 0;
  int64_t left = spent ? -1 : FREE_TESTS + (int64_t)TESTS_AT_ONCE * in->count;
  return (cl_guard){in, out->count, left, spent ? 0 : (uint64_t)left, spent, false};
}

bool cl_guard_allows(cl_guard *guard, size_t count) {
  const cl_broad_input *in = guard->in;
  size_t pairs = count - guard->first;
  uint64_t made = guard->allowed - (uint64_t)guard->left;
  uint64_t most = FREE_TESTS + (uint64_t)TESTS_A_BOX * in->count + (uint64_t)TESTS_A_PAIR * pairs;
  guard->stopped = guard->stopped || cl_broad_has_enough(in, pairs);
  if (guard->stopped || guard->spent || made >= most) return false;
  uint64_t more = FREE_TESTS + (uint64_t)TESTS_AT_ONCE * in->count;
  guard->left += (int64_t)more;
  guard->allowed += more;
  return true;
}

cl_status cl_crowd_settle(cl_crowd *crowd, const cl_alloc *alloc, const cl_guard *guard,
                          cl_status status, cl_pairs *out) {
  if (status != CL_CROWDED || guard->stopped) return status == CL_CROWDED ? CL_OK : status;
  if (!guard->in->fine) crowd->rest = crowd->rest > 0 ? crowd->rest - 1 : REST;
  out->count = guard->first;
  status = cl_crowd_find(crowd, alloc, guard->in, out);
  return status == CL_CROWDED ? CL_OK : status;
}

// Maps numbers to integers in the same order.
static uint64_t order_of_float(float v) {
  uint32_t bits;
  v += 0.0f; // -0 would come before 0
  memcpy(&bits, &v, sizeof bits);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static uint64_t order_of_double(double v) {
  uint64_t bits;
  v += 0.0;
  memcpy(&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

// An edge of a box: left, top, right, bottom.
static uint64_t edge_of(const cl_broad_input *in, uint32_t i, unsigned side) {
  if (in->fine) {
    cl_bounds b = in->fine[i];
    const double edge[] = {b.l, b.t, b.r, b.b};
    return order_of_double(edge[side]);
  }
  cl_fbox b = in->box[i];
  const float edge[] = {b.x0, b.y0, b.x1, b.y1};
  return order_of_float(edge[side]);
}

// The boxes in the order of an edge.
static const cl_keyed *sort_by_edge(cl_crowd *c, const cl_broad_input *in, unsigned side) {
  for (uint32_t i = 0; i < in->count; i++) {
    c->sorter.item[i] = (cl_keyed){edge_of(in, i, side), i};
  }
  CL_WORK(2 * (uint64_t)in->count);
  return cl_sort(&c->sorter, in->count, in->fine ? 64 : 32);
}

static void note_keys(cl_crowd *c, const cl_keyed *sorted, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) c->key[i] = sorted[i].key;
}

// Replaces the edges by ranks. `place` gets the number of each box from left to right.
static void rank(cl_crowd *c, const cl_broad_input *in, uint32_t *place) {
  uint32_t count = in->count, at = 0;
  const cl_keyed *sorted = sort_by_edge(c, in, 0);
  note_keys(c, sorted, count);
  for (uint32_t i = 0; i < count; i++) {
    place[sorted[i].value] = i;
    c->box[i].id = sorted[i].value;
  }
  sorted = sort_by_edge(c, in, 2);
  for (uint32_t i = 0; i < count; i++) {
    while (at < count && c->key[at] <= sorted[i].key) at++;
    c->box[place[sorted[i].value]].right = at;
  }
  sorted = sort_by_edge(c, in, 1);
  note_keys(c, sorted, count);
  for (uint32_t i = 0; i < count; i++) c->box[place[sorted[i].value]].top = i;
  sorted = sort_by_edge(c, in, 3);
  at = 0;
  for (uint32_t i = 0; i < count; i++) {
    while (at < count && c->key[at] <= sorted[i].key) at++;
    c->box[place[sorted[i].value]].bottom = at;
  }
}

// A list of boxes on the stack.
typedef struct run {
  size_t from;
  uint32_t count;
} run;

// Tests a box with those of a list from `k` on, as far as it reaches to the right. Room for all of
// them is reserved.
CL_INLINE cl_pair *test_on(const cl_crowd *c, cl_pair *at, uint32_t me, const uint32_t *list,
                           uint32_t k, uint32_t count, bool points) {
  const cl_crowd_box a = c->box[me];
  uint32_t first = k;
  for (; k < count && list[k] < a.right; k++) {
    const cl_crowd_box *b = &c->box[list[k]];
    bool touch =
        points ? (a.top < b->top) & (b->top < a.bottom) : (b->top < a.top) & (a.top < b->bottom);
    *at = (cl_pair){a.id < b->id ? a.id : b->id, a.id < b->id ? b->id : a.id};
    at += touch;
  }
  (void)first;
  CL_WORK(1 + (k - first) / 4);
  return at;
}

// Pairs of an interval and a point, by one walk over both lists from left to right.
static cl_status sweep(cl_crowd *c, run intervals, run points) {
  uint32_t i = 0, p = 0;
  while (i < intervals.count && p < points.count) {
    size_t most = (size_t)intervals.count + points.count;
    cl_pairs *out = c->out;
    cl_status status = CL_RESERVE(c->alloc, out->at, out->cap, out->count + most + 1);
    if (status != CL_OK) return status;
    const uint32_t *in_i = c->list + intervals.from, *in_p = c->list + points.from;
    cl_pair *at = out->at + out->count;
    // A box that is in both lists is first an interval; it is no pair with itself.
    if (in_i[i] <= in_p[p]) at = test_on(c, at, in_i[i++], in_p, p, points.count, true);
    else at = test_on(c, at, in_p[p++], in_i, i, intervals.count, false);
    out->count = (size_t)(at - out->at);
    if (out->count - c->first <= c->most) continue;
    if (cl_broad_has_enough(c->in, out->count - c->first)) return CL_CROWDED;
    c->most = SIZE_MAX;
  }
  return CL_OK;
}

// Copies the intervals that reach into the range `from` to `to` (not included), either those that
// span all of it or those that do not.
static run take_intervals(cl_crowd *c, run of, size_t at, uint32_t from, uint32_t to,
                          uint32_t least, uint32_t most) {
  uint32_t *list = c->list + at, n = 0;
  const uint32_t *all = c->list + of.from;
  for (uint32_t k = 0; k < of.count; k++) {
    const cl_crowd_box *b = &c->box[all[k]];
    bool spans = (b->top < least) & (b->bottom >= most);
    bool reaches = (b->top + 1 < to) & (b->bottom > from) & (b->bottom > b->top + 1);
    list[n] = all[k];
    n += reaches & !spans;
  }
  return (run){at, n};
}

static run take_spanning(cl_crowd *c, run of, size_t at, uint32_t least, uint32_t most) {
  uint32_t *list = c->list + at, n = 0;
  const uint32_t *all = c->list + of.from;
  for (uint32_t k = 0; k < of.count; k++) {
    const cl_crowd_box *b = &c->box[all[k]];
    list[n] = all[k];
    n += (b->top < least) & (b->bottom >= most);
  }
  return (run){at, n};
}

static run take_points(cl_crowd *c, run of, size_t at, uint32_t from, uint32_t to) {
  uint32_t *list = c->list + at, n = 0;
  const uint32_t *all = c->list + of.from;
  for (uint32_t k = 0; k < of.count; k++) {
    uint32_t top = c->box[all[k]].top;
    list[n] = all[k];
    n += (top >= from) & (top < to);
  }
  return (run){at, n};
}

// Pairs of the intervals with points of the range `from` to `to` (not included). The stack's lists
// end at `end`.
static cl_status search(cl_crowd *c, run intervals, run points, uint32_t from, uint32_t to,
                        size_t end) {
  if (intervals.count == 0 || points.count == 0) return CL_OK;
  if (points.count <= FEW_POINTS || intervals.count <= FEW_INTERVALS) {
    return sweep(c, intervals, points);
  }
  size_t most = end + intervals.count + points.count;
  cl_status status = CL_RESERVE(c->alloc, c->list, c->list_cap, most);
  if (status != CL_OK) return status;
  CL_WORK((intervals.count + points.count) / 2 + 2);
  status = sweep(c, take_spanning(c, intervals, end, from, to), points);
  uint32_t middle = from + (to - from) / 2;
  const uint32_t edge[] = {from, middle, to};
  for (int half = 0; half < 2 && status == CL_OK; half++) {
    run i = take_intervals(c, intervals, end, edge[half], edge[half + 1], from, to);
    run p = take_points(c, points, end + i.count, edge[half], edge[half + 1]);
    status = search(c, i, p, edge[half], edge[half + 1], end + i.count + p.count);
  }
  return status;
}

// Lists the boxes that are fixed, or those that are not, from left to right.
static run list_boxes(cl_crowd *c, const cl_broad_input *in, size_t at, bool fixed) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    c->list[at + n] = i;
    n += in->fixed ? (in->fixed[c->box[i].id] != 0) == fixed : !fixed;
  }
  return (run){at, n};
}

static run list_all(cl_crowd *c, size_t at, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) c->list[at + i] = i;
  return (run){at, count};
}

cl_status cl_crowd_find(cl_crowd *c, const cl_alloc *alloc, const cl_broad_input *in,
                        cl_pairs *out) {
  uint32_t count = in->count;
  cl_status status = cl_sorter_reserve(alloc, &c->sorter, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->box, c->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->key, c->key_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->list, c->list_cap, 3 * (size_t)count);
  if (status != CL_OK || count == 0) return status;
  c->alloc = alloc;
  c->in = in;
  c->out = out;
  c->first = out->count;
  c->most = in->enough ? in->enough : SIZE_MAX;
  rank(c, in, c->list);
  run moving = list_boxes(c, in, 0, false), fixed = list_boxes(c, in, moving.count, true);
  run all = list_all(c, count, count);
  status = search(c, moving, all, 0, count, 2 * (size_t)count);
  if (status == CL_OK) status = search(c, fixed, moving, 0, count, 2 * (size_t)count);
  return status;
}
