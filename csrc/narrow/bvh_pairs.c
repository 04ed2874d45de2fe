// collide, MIT licence (see LICENSE)
//
// Pairs of parts that may meet. Layer: narrow.
// Source: Ericson, Real-Time Collision Detection, 6.3 (two hierarchies at once).

#include "narrow/bvh_pairs.h"

#define NONE UINT32_MAX

// Placing a node and descending into it costs as much as comparing this many boxes of parts.
enum { STEPS_TO_DESCEND = 8 };

static const cl_part_node *node_of(const cl_placed *p, uint32_t i) {
  return p->shape->part_count > CL_FEW_PARTS ? &p->shape->nodes[i] : NULL;
}

static bool is_leaf(const cl_part_node *n) { return !n || n->count > 0; }

// The distance between `offset` and the box of the differences of two boxes, along the worse axis:
// 0 if they touch, never NaN.
CL_INLINE double gap_of(cl_bounds a, cl_bounds b, cl_bounds offset) {
  double x = cl_max((b.l - a.r) - offset.r, offset.l - (b.r - a.l));
  double y = cl_max((b.t - a.b) - offset.b, offset.t - (b.b - a.t));
  return cl_max(x, y);
}

// Whether a box that moves along the way passes another at a distance: across the way they are
// apart. All lengths are doubled.
static bool pass(const cl_bvh_pairs *p, const cl_bounds *a, const cl_bounds *b) {
  cl_vec v = {(b->l + b->r) - (a->l + a->r), (b->t + b->b) - (a->t + a->b)};
  double wide = (a->r - a->l) + (b->r - b->l), high = (a->b - a->t) + (b->b - b->t);
  double x = fabs(p->way.x), y = fabs(p->way.y);
  return fabs(cl_vec_cross(p->way, v)) > x * (high + p->margin) + y * (wide + p->margin);
}

static void push(cl_bvh_pairs *p, uint32_t i, uint32_t k, double gap) {
  p->wait[p->waiting].i = i;
  p->wait[p->waiting].k = k;
  p->wait[p->waiting++].gap = gap;
}

// Copies the bounds of a leaf's parts, or of all parts if there are few, side by side.
static int load(const cl_placed *p, uint32_t leaf, uint32_t *parts, cl_bounds *bounds) {
  const cl_part_node *n = node_of(p, leaf);
  uint32_t count = n ? n->count : p->shape->part_count;
  for (uint32_t i = 0; i < count; i++) {
    parts[i] = n ? p->shape->order[n->first + i] : i;
    bounds[i] = cl_placed_part_bounds(p, parts[i]);
  }
  return (int)count;
}

static void begin_leaves(cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  if (p->leaf_a != i) p->count_a = load(p->a, p->leaf_a = i, p->parts_a, p->bounds_a);
  if (p->leaf_b != k) p->count_b = load(p->b, p->leaf_b = k, p->parts_b, p->bounds_b);
  p->at_a = 0;
  p->at_b = -1;
}

// Compares one child of a node of `a` (or of `b`) with the other's node.
static double child_gap(const cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  const cl_part_node *n = node_of(p->a, i), *m = node_of(p->b, k);
  cl_bounds a = cl_placed_box(p->a, n ? &n->bounds : &p->a->shape->bounds, p->error);
  cl_bounds b = cl_placed_box(p->b, m ? &m->bounds : &p->b->shape->bounds, p->error);
  const cl_bounds none = {0, 0, 0, 0};
  if (gap_of(a, b, p->offset) > 0 || (p->moves && pass(p, &a, &b))) return DBL_MAX;
  return p->sorted ? gap_of(a, b, none) : 0;
}

static double extent(const cl_part_node *n) {
  return (n->bounds.r - n->bounds.l) + (n->bounds.b - n->bounds.t);
}

// Splits the larger of two nodes that are not both leaves.
static void descend(cl_bvh_pairs *p, uint32_t i, uint32_t k) {
  const cl_part_node *n = node_of(p->a, i), *m = node_of(p->b, k);
  bool of_a = is_leaf(m) || (!is_leaf(n) && extent(n) >= extent(m));
  uint32_t first = (of_a ? i : k) + 1, second = (of_a ? p->a : p->b)->shape->nodes[first].skip;
  uint32_t pairs[2][2] = {{of_a ? first : i, of_a ? k : first},
                          {of_a ? second : i, of_a ? k : second}};
  double gap = child_gap(p, pairs[0][0], pairs[0][1]);
  double other = child_gap(p, pairs[1][0], pairs[1][1]);
  int near = other < gap;
  if (cl_max(gap, other) < DBL_MAX) push(p, pairs[!near][0], pairs[!near][1], cl_max(gap, other));
  if (cl_min(gap, other) < DBL_MAX) push(p, pairs[near][0], pairs[near][1], cl_min(gap, other));
}

void cl_bvh_pairs_begin(cl_bvh_pairs *p, const cl_placed *a, const cl_placed *b, cl_bounds offset,
                        bool sorted) {
  p->a = a;
  p->b = b;
  p->offset = offset;
  p->moves = false;
  p->sorted = sorted;
  p->error = cl_placed_error(a) + cl_placed_error(b);
  p->leaf_a = p->leaf_b = NONE;
  p->count_a = p->count_b = p->at_a = p->at_b = p->waiting = 0;
  p->steps = 0;
  push(p, 0, 0, 0);
}

void cl_bvh_pairs_move(cl_bvh_pairs *p, cl_vec way, double margin) {
  p->moves = true;
  p->way = way;
  p->margin = 2 * margin;
}

// The next pair of the two current leaves.
static bool next_here(cl_bvh_pairs *p) {
  while (p->at_a < p->count_a) {
    for (p->at_b++; p->at_b < p->count_b; p->at_b++) {
      p->steps++;
      if (gap_of(p->bounds_a[p->at_a], p->bounds_b[p->at_b], p->offset) > 0) continue;
      if (p->moves && pass(p, &p->bounds_a[p->at_a], &p->bounds_b[p->at_b])) continue;
      p->i = p->parts_a[p->at_a];
      p->k = p->parts_b[p->at_b];
      p->one = p->bounds_a[p->at_a];
      p->two = p->bounds_b[p->at_b];
      return true;
    }
    p->at_a++;
    p->at_b = -1;
  }
  return false;
}

bool cl_bvh_pairs_next(cl_bvh_pairs *p) {
  for (;;) {
    if (next_here(p)) return true;
    if (p->waiting == 0) return false;
    p->waiting--;
    if (p->sorted && p->wait[p->waiting].gap > cl_max(p->offset.r, p->offset.b)) continue;
    p->steps += STEPS_TO_DESCEND;
    uint32_t i = p->wait[p->waiting].i, k = p->wait[p->waiting].k;
    if (is_leaf(node_of(p->a, i)) && is_leaf(node_of(p->b, k))) begin_leaves(p, i, k);
    else descend(p, i, k);
  }
}
