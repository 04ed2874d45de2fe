// collide, MIT licence (see LICENSE)
//
// The search for crowds. Boxes are numbered from left to right, and their tops from top to bottom.
// Of two boxes that overlap, one has its top within the other's height: so each
// box is an interval of tops, and a point, its own top. The range of tops is halved again and
// again. Where an interval spans the whole range, all points in it are within its height, and a
// walk from left to right finds those that overlap and hardly any others. Layer: broad.
// Source: Zomorodian and Edelsbrunner, Fast software for box intersections (2000).

#include "broad/crowd.h"

#include <string.h>

#include "base/work.h"
#include "geom/box.h"

// A find may make so many tests for each box, as many as take about as long as this search, and so
// many more for each pair; it asks after TESTS_AT_ONCE. After a crowd, cells are tried again after
// REST finds.
enum { TESTS_A_BOX = 128, TESTS_AT_ONCE = 16, TESTS_A_PAIR = 16, FREE_TESTS = 4096, REST = 31 };

// With so few points, or so few intervals, halving the range takes longer than testing them.
enum { FEW_POINTS = 128, FEW_INTERVALS = 4 };

void cl_crowd_free(cl_crowd *crowd, const cl_alloc *alloc) {
  cl_sorter_free(alloc, &crowd->sorter);
  CL_FREE(alloc, crowd->edge, crowd->edge_cap);
  CL_FREE(alloc, crowd->number, crowd->number_cap);
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

static cl_bounds bounds_of(const cl_broad_input *in, uint32_t i) {
  cl_fbox b = in->box[i];
  return in->fine ? in->fine[i] : (cl_bounds){b.x0, b.y0, b.x1, b.y1};
}

// The boxes in the order of their left or top edges.
static const cl_keyed *sort_by_edge(cl_crowd *c, const cl_broad_input *in, bool top) {
  cl_keyed *item = c->sorter.item;
  uint64_t least = UINT64_MAX, most = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint64_t key;
    if (in->fine) key = order_of_double(top ? in->fine[i].t : in->fine[i].l);
    else key = order_of_float(top ? in->box[i].y0 : in->box[i].x0);
    item[i] = (cl_keyed){key, i};
    least = key < least ? key : least;
    most = key > most ? key : most;
  }
  for (uint32_t i = 0; i < in->count; i++) item[i].key -= least;
  unsigned bits = most - least > UINT32_MAX ? 32 + cl_bit_length((uint32_t)((most - least) >> 32))
                                            : cl_bit_length((uint32_t)(most - least));
  CL_WORK((uint64_t)in->count * (1 + bits / 16));
  return cl_sort(&c->sorter, in->count, bits);
}

// Numbers the boxes from left to right, and their tops from top to bottom. `place` is scratch.
static void rank(cl_crowd *c, const cl_broad_input *in, uint32_t *place) {
  const cl_keyed *sorted = sort_by_edge(c, in, false);
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t id = sorted[i].value;
    cl_bounds b = bounds_of(in, id);
    place[id] = i;
    c->id[i] = id;
    c->left[i] = b.l;
    c->right[i] = b.r;
    c->bottom[i] = b.b;
  }
  sorted = sort_by_edge(c, in, true);
  for (uint32_t i = 0; i < in->count; i++) {
    c->tops[i] = bounds_of(in, sorted[i].value).t;
    c->top[place[sorted[i].value]] = i;
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
  double right = c->right[me], bottom = c->bottom[me], upper = c->tops[c->top[me]];
  uint32_t top = c->top[me], id = c->id[me], first = k;
  for (; k < count && c->left[list[k]] <= right; k++) {
    uint32_t it = list[k], other = c->id[it], its = c->top[it];
    bool touch =
        points ? (top < its) & (c->tops[its] <= bottom) : (its < top) & (upper <= c->bottom[it]);
    *at = (cl_pair){id < other ? id : other, id < other ? other : id};
    at += touch;
  }
  (void)first;
  CL_WORK(1 + (k - first) / 4);
  return at;
}

// Pairs of an interval and a point, by one walk over both lists from left to right.
static cl_status sweep(cl_crowd *c, run intervals, run points) {
  uint32_t i = 0, p = 0;
  size_t most = (size_t)intervals.count + points.count + 1;
  cl_pairs *out = c->out;
  while (i < intervals.count && p < points.count) {
    cl_status status = CL_RESERVE(c->alloc, out->at, out->cap, out->count + most);
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

// The intervals of a range: those that span all of it, and those that reach into either half.
typedef struct parts {
  run span, half[2];
} parts;

// Copies them to the stack from `at` on, where there is room for each of them three times.
static parts divide_intervals(cl_crowd *c, run of, size_t at, uint32_t from, uint32_t middle,
                              uint32_t to) {
  const uint32_t *all = c->list + of.from;
  uint32_t *span = c->list + at, *low = span + of.count, *high = low + of.count;
  double halfway = c->tops[middle], lower = c->tops[to - 1];
  uint32_t spans = 0, lows = 0, highs = 0;
  for (uint32_t k = 0; k < of.count; k++) {
    uint32_t it = all[k], top = c->top[it];
    double bottom = c->bottom[it];
    bool is = (top < from) & (bottom >= lower);
    span[spans] = low[lows] = high[highs] = it;
    spans += is;
    lows += !is & (top + 1 < middle); // all reach into the range: so down to its first top
    highs += !is & (bottom >= halfway);
  }
  return (parts){{at, spans}, {{at + of.count, lows}, {at + 2 * (size_t)of.count, highs}}};
}

static void divide_points(cl_crowd *c, run of, size_t at, uint32_t middle, run half[2]) {
  const uint32_t *all = c->list + of.from;
  uint32_t *low = c->list + at, *high = low + of.count, lows = 0, highs = 0;
  for (uint32_t k = 0; k < of.count; k++) {
    uint32_t it = all[k];
    bool is_low = c->top[it] < middle;
    low[lows] = high[highs] = it;
    lows += is_low;
    highs += !is_low;
  }
  half[0] = (run){at, lows};
  half[1] = (run){at + of.count, highs};
}

// Pairs of the intervals with points of the range `from` to `to` (not included), into which all
// of them reach. The stack's lists end at `end`.
static cl_status search(cl_crowd *c, run intervals, run points, uint32_t from, uint32_t to,
                        size_t end) {
  if (intervals.count == 0 || points.count == 0) return CL_OK;
  if (points.count <= FEW_POINTS || intervals.count <= FEW_INTERVALS) {
    return sweep(c, intervals, points);
  }
  size_t most = end + 3 * (size_t)intervals.count + 2 * (size_t)points.count;
  cl_status status = CL_RESERVE(c->alloc, c->list, c->list_cap, most);
  if (status != CL_OK) return status;
  CL_WORK((intervals.count + points.count) / 2 + 2);
  uint32_t middle = from + (to - from) / 2;
  parts i = divide_intervals(c, intervals, end, from, middle, to);
  run p[2];
  divide_points(c, points, end + 3 * (size_t)intervals.count, middle, p);
  status = sweep(c, i.span, points);
  if (status == CL_OK) status = search(c, i.half[0], p[0], from, middle, most);
  return status == CL_OK ? search(c, i.half[1], p[1], middle, to, most) : status;
}

// Lists boxes from left to right: all, or only those that are fixed or not; as intervals only those
// that reach down to another's top.
static run list_boxes(cl_crowd *c, size_t at, int fixed, bool intervals) {
  const cl_broad_input *in = c->in;
  uint32_t n = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t next = c->top[i] + 1;
    bool is = fixed < 0 || (in->fixed && in->fixed[c->id[i]] != 0) == (fixed != 0);
    c->list[at + n] = i;
    n += is && (!intervals || (next < in->count && c->bottom[i] >= c->tops[next]));
  }
  return (run){at, n};
}

static cl_status reserve(cl_crowd *c, const cl_alloc *alloc, uint32_t count) {
  cl_status status = cl_sorter_reserve(alloc, &c->sorter, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->edge, c->edge_cap, 4 * (size_t)count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->number, c->number_cap, 2 * (size_t)count);
  if (status == CL_OK) status = CL_RESERVE(alloc, c->list, c->list_cap, 2 * (size_t)count);
  if (status != CL_OK) return status;
  c->left = c->edge;
  c->right = c->left + count;
  c->bottom = c->right + count;
  c->tops = c->bottom + count;
  c->id = c->number;
  c->top = c->id + count;
  return CL_OK;
}

cl_status cl_crowd_find(cl_crowd *c, const cl_alloc *alloc, const cl_broad_input *in,
                        cl_pairs *out) {
  uint32_t count = in->count;
  if (count < 2) return CL_OK;
  cl_status status = reserve(c, alloc, count);
  if (status != CL_OK) return status;
  c->alloc = alloc;
  c->in = in;
  c->out = out;
  c->first = out->count;
  c->most = in->enough ? in->enough : SIZE_MAX;
  rank(c, in, c->list);
  run moving = list_boxes(c, 0, 0, true), all = list_boxes(c, count, -1, false);
  status = search(c, moving, all, 0, count, 2 * (size_t)count);
  if (status != CL_OK || !in->fixed) return status;
  run fixed = list_boxes(c, 0, 1, true), movers = list_boxes(c, count, 0, false);
  return search(c, fixed, movers, 0, count, 2 * (size_t)count);
}
