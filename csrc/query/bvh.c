// collide, MIT licence (see LICENSE)
//
// The tree that queries and casts walk. Layer: query.

#include "query/bvh.h"

#include "base/simd.h"
#include "broad/search.h"
#include "geom/box.h"

// Boxes are sorted by their centre, with 11 bits for each axis: two passes of the
// sort, and fine enough to put neighbours into one node. If more than FEW_IN_CELL boxes have the
// same bits, and more than the square root of their number, which a tree of ranks may visit in
// vain, then all are sorted by the first 16 bits of their ranks.
enum { SORT_BITS = 11, FEW_IN_CELL = 16, RANK_BITS = 16 };

// A node to be visited, and when the way reaches it.
typedef struct pending {
  uint32_t node; // its number within its level
  unsigned level;
  float reached;
} pending;

// On the way down every level leaves at most three nodes pending.
enum { MOST_PENDING = 3 * CL_BVH_LEVELS + 4 };

// A walk uses floats for this many nodes. If it visits more, its start may be too far away for
// floats to distinguish boxes.
enum { FLOATS_DO = 64 };

// The box of an unused lane: it touches nothing.
static const cl_fbox EMPTY = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void set_lane(cl_bvh_node *node, uint32_t lane, cl_fbox box) {
  node->x0[lane] = box.x0;
  node->y0[lane] = box.y0;
  node->minus_x1[lane] = -box.x1;
  node->minus_y1[lane] = -box.y1;
}

static float least(const float lane[4]) {
  float a = lane[0] < lane[1] ? lane[0] : lane[1];
  float b = lane[2] < lane[3] ? lane[2] : lane[3];
  return a < b ? a : b;
}

static cl_fbox node_bounds(const cl_bvh_node *node) {
  return (cl_fbox){least(node->x0), least(node->y0), -least(node->minus_x1),
                   -least(node->minus_y1)};
}

static void lay_out_levels(cl_bvh *bvh, uint32_t count) {
  uint32_t nodes = (count + 3) / 4;
  bvh->levels = 0;
  bvh->from[0] = 0;
  while (nodes > 0) {
    bvh->levels++;
    bvh->from[bvh->levels] = bvh->from[bvh->levels - 1] + nodes;
    nodes = nodes > 1 ? (nodes + 3) / 4 : 0;
  }
}

static cl_status reserve_tree(cl_bvh *bvh, const cl_alloc *alloc, uint32_t count) {
  lay_out_levels(bvh, count);
  cl_status status = CL_RESERVE(alloc, bvh->node, bvh->node_cap, bvh->from[bvh->levels]);
  if (status == CL_OK) status = CL_RESERVE(alloc, bvh->id, bvh->id_cap, count);
  size_t lanes = bvh->is_fine ? 4 * (size_t)bvh->from[bvh->levels] : 0;
  if (status == CL_OK) status = CL_RESERVE(alloc, bvh->fine, bvh->fine_cap, lanes);
  if (status == CL_OK) status = cl_sorter_reserve(alloc, &bvh->sorter, count);
  return status;
}

static cl_fbox join_listed(const cl_fbox *box, const uint32_t *list, uint32_t count) {
  if (!list) return cl_fbox_join_all(box, count);
  cl_fbox all = count > 0 ? box[list[0]] : (cl_fbox){0, 0, 0, 0};
  for (uint32_t i = 1; i < count; i++) all = cl_fbox_join(all, box[list[i]]);
  return all;
}

// The boxes to build a tree of.
typedef struct boxes {
  const cl_fbox *box;
  const cl_bounds *fine;
  const uint32_t *list; // or NULL
  uint32_t count;
} boxes;

CL_INLINE uint32_t box_number(const boxes *of, uint32_t i) { return of->list ? of->list[i] : i; }

// A coordinate as a number of 64 bits, in the same order.
static uint64_t in_order(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

// Twice the coordinate of a box's centre on an axis.
static uint64_t centre_key(const boxes *of, uint32_t i, bool vertical) {
  uint32_t number = box_number(of, i);
  if (of->fine) {
    cl_bounds b = of->fine[number];
    return in_order(vertical ? b.t + b.b : b.l + b.r);
  }
  cl_fbox f = of->box[number];
  return in_order(vertical ? (double)f.y0 + f.y1 : (double)f.x0 + f.x1);
}

// Sorts boxes along a Morton curve of their ranks from left to right and from top to bottom.
static const cl_keyed *sort_by_ranks(cl_bvh *bvh, const boxes *of) {
  cl_sorter *sorter = &bvh->sorter;
  uint32_t count = of->count;
  unsigned bits = cl_bit_length(count), fine = bits > RANK_BITS ? bits - RANK_BITS : 0;
  for (uint32_t i = 0; i < count; i++) {
    sorter->item[i] = (cl_keyed){centre_key(of, i, false), i};
  }
  const cl_keyed *sorted = cl_sort(sorter, count, 64);
  for (uint32_t rank = 0; rank < count; rank++) bvh->id[sorted[rank].value] = rank;
  for (uint32_t i = 0; i < count; i++) sorter->item[i] = (cl_keyed){centre_key(of, i, true), i};
  sorted = cl_sort(sorter, count, 64);
  for (uint32_t rank = 0; rank < count; rank++) { // sorted at the place where it is read
    uint32_t i = sorted[rank].value;
    sorter->item[rank] = (cl_keyed){cl_morton(bvh->id[i] >> fine, rank >> fine), i};
  }
  CL_WORK(12 * (uint64_t)count);
  return cl_sort(sorter, count, 2 * RANK_BITS);
}

static void sort_boxes(cl_bvh *bvh, const boxes *of) {
  bvh->bounds = join_listed(of->box, of->list, of->count);
  cl_morton_grid field = cl_morton_grid_of(bvh->bounds, SORT_BITS);
  for (uint32_t i = 0; i < of->count; i++) {
    cl_fbox b = of->box[box_number(of, i)];
    uint32_t column = cl_morton_grid_column(&field, ((double)b.x0 + b.x1) / 2);
    uint32_t row = cl_morton_grid_row(&field, ((double)b.y0 + b.y1) / 2);
    bvh->sorter.item[i] = (cl_keyed){cl_morton(column, row), i};
  }
  const cl_keyed *sorted = cl_sort(&bvh->sorter, of->count, 2 * SORT_BITS);
  uint32_t same = 0, most = 0;
  for (uint32_t i = 0; i < of->count; i++) {
    same = i > 0 && sorted[i].key == sorted[i - 1].key ? same + 1 : 0;
    most = same > most ? same : most;
  }
  bool crowded = most >= FEW_IN_CELL && (uint64_t)most * most > of->count;
  if (crowded) sorted = sort_by_ranks(bvh, of);
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t number = bvh->id[i] = box_number(of, sorted[i].value);
    set_lane(&bvh->node[i / 4], i % 4, of->box[number]);
    if (of->fine) bvh->fine[i] = of->fine[number];
  }
}

static cl_bounds *fine_of(const cl_bvh *bvh, unsigned level, uint32_t node) {
  return bvh->fine + 4 * ((size_t)bvh->from[level] + node);
}

// The bounds of a node's lanes. Those that are empty touch nothing.
static const cl_bounds NOWHERE = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static cl_bounds fine_node_bounds(const cl_bounds lane[4]) {
  return cl_bounds_join(cl_bounds_join(lane[0], lane[1]), cl_bounds_join(lane[2], lane[3]));
}

static void sum_up_fine(cl_bvh *bvh, unsigned level) {
  cl_bounds *above = fine_of(bvh, level + 1, 0);
  uint32_t nodes = bvh->from[level + 1] - bvh->from[level];
  for (uint32_t i = 0; i < nodes; i++) above[i] = fine_node_bounds(fine_of(bvh, level, i));
  for (uint32_t i = nodes; i % 4; i++) above[i] = NOWHERE;
}

// Fills the lanes of the level above with the bounds of a level's nodes.
static void sum_up(cl_bvh *bvh, unsigned level) {
  const cl_bvh_node *below = bvh->node + bvh->from[level];
  cl_bvh_node *above = bvh->node + bvh->from[level + 1];
  uint32_t nodes = bvh->from[level + 1] - bvh->from[level];
  for (uint32_t i = 0; i < nodes; i++) set_lane(&above[i / 4], i % 4, node_bounds(&below[i]));
  for (uint32_t i = nodes; i % 4; i++) set_lane(&above[i / 4], i % 4, EMPTY);
}

static cl_fbox box_in(const cl_bvh_node *node, uint32_t lane) {
  return (cl_fbox){node->x0[lane], node->y0[lane], -node->minus_x1[lane], -node->minus_y1[lane]};
}

// Whether the first box contains all of the second.
static bool covers(cl_fbox a, cl_fbox b) {
  return (a.x0 <= b.x0) & (a.y0 <= b.y0) & (a.x1 >= b.x1) & (a.y1 >= b.y1);
}

// Whether the lanes of a level are its boxes, or contain the nodes below, and all others are empty.
static bool is_level_valid(const cl_bvh *bvh, unsigned level, const cl_fbox *box) {
  const cl_bvh_node *node = bvh->node + bvh->from[level];
  const cl_bvh_node *below = level > 0 ? bvh->node + bvh->from[level - 1] : NULL;
  uint32_t used = level > 0 ? bvh->from[level] - bvh->from[level - 1] : bvh->count;
  for (uint32_t i = 0; i < 4 * ((used + 3) / 4); i++) {
    cl_fbox lane = box_in(&node[i / 4], i % 4), inner = EMPTY;
    if (i < used) inner = below ? node_bounds(&below[i]) : box[bvh->id[i]];
    bool same = !below || i >= used;
    if (!covers(lane, inner) || (same && !covers(inner, lane))) return false;
  }
  return bvh->from[level + 1] - bvh->from[level] == (used + 3) / 4;
}

bool cl_bvh_is_valid(const cl_bvh *bvh, const cl_fbox *box, const uint32_t *list, uint32_t count) {
  if (bvh->count != count || (bvh->levels == 0) != (count == 0)) return false;
  uint64_t sum = 0, want = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!list && bvh->id[i] >= count) return false;
    sum += bvh->id[i];
    want += list ? list[i] : i;
  }
  for (unsigned level = 0; level < bvh->levels; level++) {
    if (!is_level_valid(bvh, level, box)) return false;
  }
  return sum == want && (count == 0 || bvh->from[bvh->levels] - bvh->from[bvh->levels - 1] == 1);
}

cl_status cl_bvh_build(cl_bvh *bvh, const cl_alloc *alloc, const cl_fbox *box,
                       const cl_bounds *fine, const uint32_t *list, uint32_t count) {
  bvh->is_fine = fine != NULL;
  cl_status status = reserve_tree(bvh, alloc, count);
  if (status != CL_OK) {
    bvh->count = bvh->levels = 0;
    return status;
  }
  bvh->count = count;
  CL_WORK(6 * (uint64_t)count);
  sort_boxes(bvh, &(boxes){box, fine, list, count});
  for (uint32_t i = count; i % 4; i++) {
    set_lane(&bvh->node[i / 4], i % 4, EMPTY);
    if (fine) bvh->fine[i] = NOWHERE;
  }
  for (unsigned level = 0; level + 1 < bvh->levels; level++) {
    sum_up(bvh, level);
    if (fine) sum_up_fine(bvh, level);
  }
  CL_CHECK(cl_bvh_is_valid(bvh, box, list, count));
  return CL_OK;
}

static void move_fine(cl_bvh *bvh, uint32_t lane, cl_bounds box) {
  bvh->fine[lane] = box;
  for (unsigned level = 1; level < bvh->levels; level++) {
    lane /= 4;
    cl_bounds *above = fine_of(bvh, level, 0) + lane;
    if (cl_bounds_cover(*above, box)) return;
    *above = cl_bounds_join(*above, box);
  }
}

void cl_bvh_move(cl_bvh *bvh, uint32_t lane, cl_fbox box, cl_bounds fine) {
  assert(lane < bvh->count);
  if (bvh->is_fine) move_fine(bvh, lane, fine);
  set_lane(&bvh->node[lane / 4], lane % 4, box);
  bvh->bounds = cl_fbox_join(bvh->bounds, box);
  for (unsigned level = 1; level < bvh->levels; level++) {
    lane /= 4;
    cl_bvh_node *above = &bvh->node[bvh->from[level] + lane / 4];
    if (covers(box_in(above, lane % 4), box)) return;
    set_lane(above, lane % 4, cl_fbox_join(box_in(above, lane % 4), box));
  }
}

void cl_bvh_free(cl_bvh *bvh, const cl_alloc *alloc) {
  CL_FREE(alloc, bvh->node, bvh->node_cap);
  CL_FREE(alloc, bvh->id, bvh->id_cap);
  CL_FREE(alloc, bvh->fine, bvh->fine_cap);
  cl_sorter_free(alloc, &bvh->sorter);
  *bvh = (cl_bvh){0};
}

// Of the lanes in `touched`, those whose boxes in doubles touch a box.
static unsigned touch_fine(const cl_bounds lane[4], unsigned touched, cl_bounds box) {
  for (unsigned k = 0; k < 4; k++) {
    if (touched >> k & 1 && !cl_bounds_touch(lane[k], box)) touched &= ~(1u << k);
  }
  return touched;
}

cl_status cl_bvh_query(const cl_bvh *bvh, const cl_alloc *alloc, cl_bounds of, cl_found *found) {
  cl_fbox box = cl_fbox_of(of.l, of.t, of.r, of.b);
  assert(box.x0 <= box.x1 && box.y0 <= box.y1);
  if (bvh->levels == 0) return CL_OK;
  cl_f32x4 x1 = cl_f32x4_all(box.x1), minus_x0 = cl_f32x4_all(-box.x0);
  cl_f32x4 y1 = cl_f32x4_all(box.y1), minus_y0 = cl_f32x4_all(-box.y0);
  pending stack[MOST_PENDING]; // large: filled in as needed
  stack[0] = (pending){0, bvh->levels - 1, 0};
  unsigned height = 1;
  bool is_fine = bvh->is_fine;
  while (height > 0) {
    pending me = stack[--height];
    const cl_bvh_node *node = bvh->node + bvh->from[me.level] + me.node;
    unsigned touched = cl_f32x4_le(cl_f32x4_load(node->x0), x1) &
                       cl_f32x4_le(cl_f32x4_load(node->y0), y1) &
                       cl_f32x4_le(cl_f32x4_load(node->minus_x1), minus_x0) &
                       cl_f32x4_le(cl_f32x4_load(node->minus_y1), minus_y0);
    CL_WORK(1);
    if (is_fine) touched = touch_fine(fine_of(bvh, me.level, me.node), touched, of);
    if (me.level == 0) {
      cl_status status = CL_RESERVE(alloc, found->at, found->cap, found->count + 4);
      if (status != CL_OK) return status;
    }
    for (; touched; touched &= touched - 1) {
      uint32_t child = 4 * me.node + cl_first_bit(touched);
      if (me.level == 0) found->at[found->count++] = bvh->id[child];
      else stack[height++] = (pending){child, me.level - 1, 0};
    }
  }
  return CL_OK;
}

// Orders the lanes in `touched`, the one reached last first. Of lanes reached together the first
// comes last, so it is visited first: it often has the smallest number, which decides ties.
CL_INLINE unsigned order(unsigned touched, const float reached[4], uint32_t lanes[4]) {
  unsigned n = 0;
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (!(touched >> lane & 1)) continue;
    unsigned at = n++;
    for (; at > 0 && reached[lanes[at - 1]] <= reached[lane]; at--) lanes[at] = lanes[at - 1];
    lanes[at] = lane;
  }
  return n;
}

// A node's lane in doubles.
static cl_bounds lane_bounds(const cl_bvh *bvh, const pending *at, uint32_t lane) {
  if (bvh->is_fine) return fine_of(bvh, at->level, at->node)[lane];
  cl_fbox b = box_in(bvh->node + bvh->from[at->level] + at->node, lane);
  return (cl_bounds){b.x0, b.y0, b.x1, b.y1};
}

// The goal of a walk: the boxes that a way reaches, in the order in which it does; or, if there is
// no way, those near a point, by the square of their distance.
typedef struct quest {
  const cl_way *way;
  cl_slabs slabs;
  cl_vec point;
  cl_gaps gaps;
} quest;

// How far a box may be, as a float that is not below that.
CL_INLINE float limit_of(const quest *q, double most) {
  if (q->way) return cl_slabs_most(most);
  return (float)(most * most * (1 + FLT_EPSILON) + FLT_MIN);
}

// Which of a node's boxes may be found; `reached` gets how far they are, at least.
CL_INLINE unsigned test_node(const quest *q, const cl_bvh_node *node, float most,
                             float reached[4]) {
  const cl_four box = {cl_f32x4_load(node->x0), cl_f32x4_load(node->y0),
                       cl_f32x4_load(node->minus_x1), cl_f32x4_load(node->minus_y1)};
  cl_f32x4 limit = cl_f32x4_all(most), far;
  unsigned touched;
  if (q->way) {
    touched = cl_slabs_touch(&q->slabs, box, limit, &far);
  } else {
    far = cl_gaps_squared(&q->gaps, box);
    touched = cl_f32x4_le(far, limit);
  }
  cl_f32x4_store(reached, far);
  return touched & cl_f32x4_le(box.x0, cl_f32x4_all(FLT_MAX)); // empty lanes are infinite
}

// The same in doubles, of the lanes in `touched`.
static unsigned test_fine(const cl_bvh *bvh, const quest *q, const pending *at, unsigned touched,
                          double most, float reached[4]) {
  cl_bounds point = {q->point.x, q->point.y, q->point.x, q->point.y};
  for (unsigned k = 0; k < 4; k++) {
    double far;
    if (!(touched >> k & 1)) continue;
    cl_bounds box = lane_bounds(bvh, at, k);
    bool found = q->way ? cl_slabs_reach(q->way, box, most, &far)
                        : (far = cl_bounds_gap(box, point)) <= most;
    if (!found) touched &= ~(1u << k);
    reached[k] = (float)((q->way ? far : far * far) * (1 - FLT_EPSILON));
  }
  return touched;
}

CL_INLINE void walk_tree(const cl_bvh *bvh, const quest *q, double most, cl_bvh_visit *visit,
                         void *user) {
  if (bvh->levels == 0) return;
  pending stack[MOST_PENDING]; // large: filled in as needed
  stack[0] = (pending){0, bvh->levels - 1, 0};
  unsigned height = 1, floats = bvh->is_fine ? 0 : FLOATS_DO;
  float limit = limit_of(q, most);
  while (height > 0) {
    pending me = stack[--height];
    if (me.reached > limit) continue;
    float reached[4];
    uint32_t lanes[4];
    unsigned touched = test_node(q, bvh->node + bvh->from[me.level] + me.node, limit, reached);
    CL_WORK(1);
    if (floats == 0) touched = test_fine(bvh, q, &me, touched, most, reached);
    floats -= floats > 0;
    unsigned n = order(touched, reached, lanes);
    if (me.level > 0) {
      for (unsigned i = 0; i < n; i++) {
        stack[height++] = (pending){4 * me.node + lanes[i], me.level - 1, reached[lanes[i]]};
      }
      continue;
    }
    while (n-- > 0) {
      if (reached[lanes[n]] > limit) break;
      most = visit(user, bvh->id[4 * me.node + lanes[n]], most);
      limit = limit_of(q, most);
    }
  }
}

void cl_bvh_walk(const cl_bvh *bvh, const cl_way *way, double most, cl_bvh_visit *visit,
                 void *user) {
  assert(most >= 0);
  walk_tree(bvh, &(quest){.way = way, .slabs = cl_slabs_of(way)}, most, visit, user);
}

void cl_bvh_near(const cl_bvh *bvh, cl_vec point, double most, cl_bvh_visit *visit, void *user) {
  walk_tree(bvh, &(quest){.point = point, .gaps = cl_gaps_of(point)}, most, visit, user);
}

cl_bounds cl_bvh_some_near(const cl_bvh *bvh, cl_vec p) {
  assert(bvh->levels > 0);
  pending at = {0, bvh->levels - 1, 0};
  for (;;) {
    cl_bounds all = lane_bounds(bvh, &at, 0);
    double least = INFINITY;
    uint32_t nearest = 0;
    for (uint32_t k = 0; k < 4; k++) {
      cl_bounds b = lane_bounds(bvh, &at, k);
      double x = (b.l + b.r) / 2 - p.x, y = (b.t + b.b) / 2 - p.y;
      if (x * x + y * y < least) least = x * x + y * y, nearest = k;
      if (b.l <= b.r) all = cl_bounds_join(all, b);
    }
    if (at.level == 0) return all;
    at.node = 4 * at.node + nearest;
    at.level--;
  }
}

// ---- without a tree

CL_INLINE const cl_fbox *nth_of(const boxes *of, uint32_t i) { return &of->box[box_number(of, i)]; }

CL_INLINE cl_f32x4 nth_lanes(const boxes *of, uint32_t i) {
  return cl_f32x4_neg_high(cl_f32x4_load(&nth_of(of, i)->x0));
}

// Which of the boxes from place i on touch one, of four or, at the end of the list, fewer.
CL_INLINE unsigned four_touch(const boxes *of, uint32_t i, cl_f32x4 reach) {
  const cl_f32x4 four[4] = {nth_lanes(of, i), nth_lanes(of, i + 1), nth_lanes(of, i + 2),
                            nth_lanes(of, i + 3)};
  return cl_f32x4_each_le(four, reach);
}

static unsigned last_touch(const boxes *of, uint32_t i, cl_fbox box) {
  unsigned touched = 0;
  for (uint32_t k = 0; i + k < of->count; k++)
    touched |= (unsigned)cl_fbox_touch(*nth_of(of, i + k), box) << k;
  return touched;
}

CL_INLINE cl_status query_boxes(const boxes of, const cl_alloc *alloc, cl_fbox box,
                                cl_found *found) {
  cl_lanes lanes;
  cl_lanes_put(&lanes, &box);
  cl_f32x4 reach = cl_lanes_reach(&lanes);
  CL_WORK(of.count / 4);
  for (uint32_t i = 0; i < of.count; i += 4) {
    bool all = of.count - i >= 4;
    unsigned touched = all ? four_touch(&of, i, reach) : last_touch(&of, i, box);
    if (!touched) continue;
    cl_status status = CL_RESERVE(alloc, found->at, found->cap, found->count + 4);
    if (status != CL_OK) return status;
    for (; touched; touched &= touched - 1)
      found->at[found->count++] = box_number(&of, i + cl_first_bit(touched));
  }
  return CL_OK;
}

cl_status cl_boxes_query(const cl_fbox *box, const uint32_t *list, uint32_t count,
                         const cl_alloc *alloc, cl_bounds of, cl_found *found) {
  cl_fbox f = cl_fbox_of(of.l, of.t, of.r, of.b);
  if (list) return query_boxes((boxes){box, NULL, list, count}, alloc, f, found);
  return query_boxes((boxes){box, NULL, NULL, count}, alloc, f, found);
}

// A box that a way touches, and when.
typedef struct stop {
  float reached;
  uint32_t number;
} stop;

// Up to this many boxes are put in order for a walk.
enum { MOST_STOPS = 64 };

// Writes those of the found boxes that the way may touch, in its order. Returns how many there are;
// with more than MOST_STOPS it gives up.
static uint32_t list_stops(const cl_fbox *box, const cl_found *found, const quest *q, double most,
                           stop *stops) {
  float limit = limit_of(q, most), reached[4];
  uint32_t n = 0;
  for (size_t i = 0; i < found->count; i += 4) {
    cl_bvh_node node;
    for (uint32_t k = 0; k < 4; k++)
      set_lane(&node, k, i + k < found->count ? box[found->at[i + k]] : EMPTY);
    unsigned touched = test_node(q, &node, limit, reached);
    for (; touched; touched &= touched - 1) {
      unsigned k = cl_first_bit(touched);
      uint32_t at = n++;
      if (n > MOST_STOPS) return n;
      for (; at > 0 && stops[at - 1].reached > reached[k]; at--) stops[at] = stops[at - 1];
      stops[at] = (stop){reached[k], found->at[i + k]};
    }
  }
  CL_WORK(found->count / 4 + n);
  return n;
}

bool cl_boxes_walk(const cl_fbox *box, const cl_found *found, const cl_way *way, double most,
                   cl_bvh_visit *visit, void *user) {
  const quest q = {.way = way, .slabs = cl_slabs_of(way)};
  stop stops[MOST_STOPS];
  uint32_t n = list_stops(box, found, &q, most, stops);
  if (n > MOST_STOPS) return false;
  for (uint32_t i = 0; i < n && stops[i].reached <= limit_of(&q, most); i++)
    most = visit(user, stops[i].number, most);
  return true;
}
