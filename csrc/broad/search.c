// collide, MIT licence (see LICENSE)
//
// Searches for pairs: brute force, the oracle of the others; how the others count their tests; the
// search for crowds, which takes over from them; and the search where floats are too coarse.
// Layer: broad.

#include "broad/search.h"
#include "geom/box.h"

// ---- What a pair is, and checks of answers

bool cl_broad_input_is_valid(const cl_broad_input *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    cl_fbox b = in->box[i];
    if (!(b.x0 >= -FLT_MAX && b.x0 <= b.x1 && b.x1 <= FLT_MAX)) return false;
    if (!(b.y0 >= -FLT_MAX && b.y0 <= b.y1 && b.y1 <= FLT_MAX)) return false;
  }
  return in->count <= INT32_MAX;
}

static bool is_pair(const cl_broad_input *in, uint32_t a, uint32_t b) {
  if (in->fixed && in->fixed[a] && in->fixed[b]) return false;
  if (in->fine) return cl_bounds_touch(in->fine[a], in->fine[b]);
  return cl_fbox_touch(in->box[a], in->box[b]);
}

enum { MOST_BOXES = 256 };

// Marks pair (a, b); false if it was marked already.
static bool mark_pair(uint64_t marks[MOST_BOXES * MOST_BOXES / 64], cl_pair pair) {
  uint32_t bit = pair.a * MOST_BOXES + pair.b;
  bool was = marks[bit / 64] >> bit % 64 & 1;
  marks[bit / 64] |= UINT64_C(1) << bit % 64;
  return !was;
}

bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from) {
  uint64_t marks[MOST_BOXES * MOST_BOXES / 64] = {0};
  for (size_t i = from; i < out->count; i++) {
    cl_pair pair = out->at[i];
    if (in->either_way && pair.a > pair.b) pair = (cl_pair){pair.b, pair.a};
    if (pair.a >= pair.b || pair.b >= in->count) return false;
    if (!is_pair(in, pair.a, pair.b)) return false;
    if (in->count <= MOST_BOXES && !mark_pair(marks, pair)) return false;
  }
  if (in->count > MOST_BOXES || cl_broad_has_enough(in, out->count - from)) return true;
  for (uint32_t a = 0; a < in->count; a++) {
    for (uint32_t b = a + 1; b < in->count; b++) {
      if (!is_pair(in, a, b)) continue;
      if (mark_pair(marks, (cl_pair){a, b})) return false;
    }
  }
  return true;
}

// ---- Brute force
//
// Every box against every other: slow, but obviously right.

static cl_broad *brute_open(const cl_broad_class *class, const cl_broad_def *def) {
  cl_broad *brute = cl_new(&def->alloc, sizeof *brute);
  if (!brute) return NULL;
  *brute = (cl_broad){class, class->name, def->alloc};
  return brute;
}

static void brute_close(cl_broad *brute) {
  cl_alloc alloc = brute->alloc;
  cl_free(&alloc, brute, sizeof *brute);
}

static cl_status brute_find(cl_broad *brute, const cl_broad_input *in, cl_pairs *out) {
  CL_CHECK(cl_broad_input_is_valid(in));
  for (uint32_t a = 0; a < in->count; a++) {
    for (uint32_t b = a + 1; b < in->count; b++) {
      if (!is_pair(in, a, b)) continue;
      cl_status status = CL_RESERVE(&brute->alloc, out->at, out->cap, out->count + 1);
      if (status != CL_OK) return status;
      out->at[out->count++] = (cl_pair){a, b};
    }
  }
  return CL_OK;
}

static size_t brute_cells(const cl_broad *brute, cl_cell *out, size_t capacity) {
  (void)brute, (void)out, (void)capacity;
  return 0;
}

const cl_broad_class cl_broad_brute = {"brute", brute_open, brute_close, brute_find, brute_cells};

// ---- How tests are counted

enum { TESTS_A_BOX = 128, TESTS_AT_ONCE = 16, TESTS_A_PAIR = 16, FREE_TESTS = 4096, REST = 31 };

bool cl_broad_has_enough(const cl_broad_input *in, size_t pairs) {
  if (in->enough == 0 || pairs <= in->enough) return false;
  uint32_t coarse = 0;
  for (uint32_t i = 0; i < in->count && coarse == 0; i++) {
    coarse += cl_fbox_is_coarse(in->box[i]);
  }
  return coarse > 0;
}

cl_search cl_search_begin(cl_crowd *crowd, const cl_alloc *alloc, const cl_broad_input *in,
                          cl_pairs *out) {
  bool spent = crowd->rest > 0;
  int64_t left = spent ? -1 : FREE_TESTS + (int64_t)TESTS_AT_ONCE * in->count;
  CL_CHECK(cl_broad_input_is_valid(in));
  return (cl_search){.alloc = alloc,
                     .in = in,
                     .out = out,
                     .crowd = crowd,
                     .first = out->count,
                     .most = in->enough ? in->enough : SIZE_MAX,
                     .left = left,
                     .allowed = spent ? 0 : (uint64_t)left,
                     .spent = spent};
}

bool cl_search_goes_on(cl_search *search) {
  const cl_broad_input *in = search->in;
  size_t pairs = search->out->count - search->first;
  uint64_t made = search->allowed - (uint64_t)search->left;
  uint64_t most = FREE_TESTS + (uint64_t)TESTS_A_BOX * in->count + (uint64_t)TESTS_A_PAIR * pairs;
  search->stopped = search->stopped || cl_broad_has_enough(in, pairs);
  if (search->stopped || search->spent || made >= most) return false;
  uint64_t more = FREE_TESTS + (uint64_t)TESTS_AT_ONCE * in->count;
  search->left += (int64_t)more;
  search->allowed += more;
  return true;
}

// ---- The search for crowds
//
// Boxes are numbered from left to right, and their tops from top to bottom. Of two boxes that
// overlap, one has its top within the other's height: so each box is an interval of tops, and a
// point, its own top. The range of tops is halved again and again. Where an interval spans the
// whole range, all points in it are within its height, and a walk from left to right finds those
// that overlap and hardly any others.
// Source: Zomorodian and Edelsbrunner, Fast software for box intersections (2000).

// With no more points, or no more intervals, than this, halving the range takes longer than testing
// them.
enum { FEW_POINTS = 128, FEW_INTERVALS = 4 };

void cl_crowd_free(cl_crowd *crowd, const cl_alloc *alloc) {
  cl_sorter_free(alloc, &crowd->sorter);
  CL_FREE(alloc, crowd->edge, crowd->edge_cap);
  CL_FREE(alloc, crowd->number, crowd->number_cap);
  CL_FREE(alloc, crowd->list, crowd->list_cap);
  *crowd = (cl_crowd){0};
}

// Maps numbers to integers in the same order.
static uint64_t ordered_bits(double v) {
  uint64_t bits;
  v += 0.0; // -0 would come before 0
  memcpy(&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static cl_bounds bounds_in(const cl_broad_input *in, uint32_t i) {
  cl_fbox b = in->box[i];
  return in->fine ? in->fine[i] : (cl_bounds){b.x0, b.y0, b.x1, b.y1};
}

// The boxes in the order of their left or top edges.
static const cl_keyed *sort_by_edge(cl_crowd *c, const cl_broad_input *in, bool top) {
  cl_keyed *item = c->sorter.item;
  uint64_t least = UINT64_MAX, most = 0;
  unsigned none = in->fine ? 0 : 29; // bits that are the same in all doubles made of floats
  for (uint32_t i = 0; i < in->count; i++) {
    cl_bounds b = bounds_in(in, i);
    uint64_t key = ordered_bits(top ? b.t : b.l) >> none;
    item[i] = (cl_keyed){key, i};
    least = key < least ? key : least;
    most = key > most ? key : most;
  }
  for (uint32_t i = 0; i < in->count; i++) item[i].key -= least;
  unsigned bits = cl_bit_length(most - least);
  CL_WORK((uint64_t)in->count * (1 + bits / 16));
  return cl_sort(&c->sorter, in->count, bits);
}

// Numbers the boxes from left to right, and their tops from top to bottom. `place` is scratch.
static void rank(cl_crowd *c, const cl_broad_input *in, uint32_t *place) {
  const cl_keyed *sorted = sort_by_edge(c, in, false);
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t id = sorted[i].value;
    cl_bounds b = bounds_in(in, id);
    place[id] = i;
    c->id[i] = id;
    c->left[i] = b.l;
    c->right[i] = b.r;
    c->bottom[i] = b.b;
  }
  sorted = sort_by_edge(c, in, true);
  for (uint32_t i = 0; i < in->count; i++) {
    c->tops[i] = bounds_in(in, sorted[i].value).t;
    c->top[place[sorted[i].value]] = i;
  }
}

// A list of boxes on the stack.
typedef struct run {
  size_t from;
  uint32_t count;
} run;

// Tests a box with those of a list, as far as it reaches to the right. Room for all pairs is
// reserved.
CL_INLINE cl_pair *test_on(const cl_crowd *c, cl_pair *at, uint32_t me, run with, bool points) {
  double right = c->right[me], bottom = c->bottom[me], upper = c->tops[c->top[me]];
  uint32_t top = c->top[me], id = c->id[me], k = 0;
  const uint32_t *list = c->list + with.from;
  for (; k < with.count && c->left[list[k]] <= right; k++) {
    uint32_t it = list[k], other = c->id[it], its = c->top[it];
    bool touch =
        points ? (top < its) & (c->tops[its] <= bottom) : (its < top) & (upper <= c->bottom[it]);
    *at = (cl_pair){id < other ? id : other, id < other ? other : id};
    at += touch;
  }
  CL_WORK(1 + k / 4);
  return at;
}

// The next box of a list.
CL_INLINE uint32_t next_of(const cl_crowd *c, run *list) {
  list->count--;
  return c->list[list->from++];
}

// Finds the pairs of an interval and a point, in one walk over both lists from left to right.
static cl_status sweep_lists(cl_search *s, run intervals, run points) {
  const cl_crowd *c = s->crowd;
  size_t most = (size_t)intervals.count + points.count + 1;
  cl_pairs *out = s->out;
  while (intervals.count > 0 && points.count > 0) {
    cl_status status = CL_RESERVE(s->alloc, out->at, out->cap, out->count + most);
    if (status != CL_OK) return status;
    cl_pair *at = out->at + out->count;
    // A box that is in both lists is taken first as an interval; it makes no pair with itself.
    if (c->list[intervals.from] <= c->list[points.from])
      at = test_on(c, at, next_of(c, &intervals), points, true);
    else at = test_on(c, at, next_of(c, &points), intervals, false);
    out->count = (size_t)(at - out->at);
    if (out->count - s->first <= s->most) continue;
    if (cl_broad_has_enough(s->in, out->count - s->first)) return CL_CROWDED;
    s->most = SIZE_MAX;
  }
  return CL_OK;
}

// The intervals of a range: those that span all of it, and those that reach into either half.
typedef struct parts {
  run span, half[2];
} parts;

// Copies intervals to the stack from `at` on, where there is room for each three times.
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

// Finds the pairs of intervals with points of the range `from` to `to` (not included), into which
// all intervals reach. The stack's lists end at `end`.
static cl_status halve_range(cl_search *s, run intervals, run points, uint32_t from, uint32_t to,
                             size_t end) {
  cl_crowd *c = s->crowd;
  if (intervals.count == 0 || points.count == 0) return CL_OK;
  if (points.count <= FEW_POINTS || intervals.count <= FEW_INTERVALS) {
    return sweep_lists(s, intervals, points);
  }
  size_t most = end + 3 * (size_t)intervals.count + 2 * (size_t)points.count;
  cl_status status = CL_RESERVE(s->alloc, c->list, c->list_cap, most);
  if (status != CL_OK) return status;
  CL_WORK((intervals.count + points.count) / 2 + 2);
  uint32_t middle = from + (to - from) / 2;
  parts i = divide_intervals(c, intervals, end, from, middle, to);
  run p[2];
  divide_points(c, points, end + 3 * (size_t)intervals.count, middle, p);
  status = sweep_lists(s, i.span, points);
  if (status == CL_OK) status = halve_range(s, i.half[0], p[0], from, middle, most);
  return status == CL_OK ? halve_range(s, i.half[1], p[1], middle, to, most) : status;
}

// Lists boxes from left to right: all, only fixed ones, or only others; as intervals, only those
// that reach down to another's top.
static run list_crowd(cl_crowd *c, const cl_broad_input *in, size_t at, int fixed, bool intervals) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t next = c->top[i] + 1;
    bool is = fixed < 0 || (in->fixed && in->fixed[c->id[i]] != 0) == (fixed != 0);
    c->list[at + n] = i;
    n += is && (!intervals || (next < in->count && c->bottom[i] >= c->tops[next]));
  }
  return (run){at, n};
}

static cl_status reserve_crowd(cl_crowd *c, const cl_alloc *alloc, uint32_t count) {
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

// Appends every overlapping pair once, or stops because there are enough.
static cl_status find_in_crowd(cl_search *s) {
  cl_crowd *c = s->crowd;
  const cl_broad_input *in = s->in;
  uint32_t count = in->count;
  if (count < 2) return CL_OK;
  cl_status status = reserve_crowd(c, s->alloc, count);
  if (status != CL_OK) return status;
  rank(c, in, c->list);
  run moving = list_crowd(c, in, 0, 0, true), all = list_crowd(c, in, count, -1, false);
  status = halve_range(s, moving, all, 0, count, 2 * (size_t)count);
  if (status != CL_OK || !in->fixed) return status;
  run fixed = list_crowd(c, in, 0, 1, true), movers = list_crowd(c, in, count, 0, false);
  return halve_range(s, fixed, movers, 0, count, 2 * (size_t)count);
}

cl_status cl_search_end(cl_search *s, cl_status status) {
  if (status == CL_CROWDED && !s->stopped) {
    cl_crowd *c = s->crowd;
    if (!s->in->fine) c->rest = c->rest > 0 ? c->rest - 1 : REST;
    s->out->count = s->first;
    status = find_in_crowd(s);
  }
  if (status == CL_CROWDED) status = CL_OK; // there are enough
  CL_CHECK(status != CL_OK || cl_pairs_are_right(s->in, s->out, s->first));
  return status;
}

// ---- Boxes for which floats are too coarse

enum { SAMPLED = 16, MOSTLY = 14 };

bool cl_are_mostly_coarse(const cl_broad_input *in) {
  uint32_t coarse = 0;
  if (in->count < SAMPLED) return false;
  for (uint32_t i = 0; i < SAMPLED; i++) {
    coarse += cl_fbox_is_coarse(in->box[(uint64_t)i * in->count / SAMPLED]);
  }
  return coarse >= MOSTLY;
}

// Moves the boxes so that their common middle is at 0. Rounding keeps the order of edges, or makes
// two equal, so boxes that overlap still do.
static void bring_near(const cl_broad_input *in, cl_fbox *near) {
  cl_bounds all = in->fine[0];
  for (uint32_t i = 1; i < in->count; i++) all = cl_bounds_join(all, in->fine[i]);
  double x = (all.l + all.r) / 2, y = (all.t + all.b) / 2;
  for (uint32_t i = 0; i < in->count; i++) {
    cl_bounds b = in->fine[i];
    near[i] = cl_fbox_of(b.l - x, b.t - y, b.r - x, b.b - y);
  }
  CL_WORK(2 * (uint64_t)in->count);
}

cl_status cl_broad_find_fine(cl_broad *broad, const cl_broad_input *in, cl_fbox *near,
                             cl_pairs *out) {
  size_t from = out->count, n = from;
  cl_broad_input by_near = *in, by_fine = *in;
  if (in->count == 0) return CL_OK;
  by_near.box = near;
  by_near.fine = NULL;
  by_near.static_version = 0; // the middle may have moved
  by_fine.enough = 0;         // these are all that there are
  bring_near(in, near);
  if (cl_are_mostly_coarse(&by_near)) return broad->class->find(broad, &by_fine, out);
  cl_status status = broad->class->find(broad, &by_near, out);
  if (status != CL_OK) return status;
  if (cl_broad_has_enough(&by_near, out->count - from)) {
    out->count = from;
    return broad->class->find(broad, &by_fine, out);
  }
  for (size_t i = from; i < out->count; i++) {
    cl_pair pair = out->at[i];
    out->at[n] = pair;
    n += cl_bounds_touch(in->fine[pair.a], in->fine[pair.b]);
  }
  out->count = n;
  return CL_OK;
}
