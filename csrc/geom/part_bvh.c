// collide, MIT licence (see LICENSE)
//
// A tree of boxes over the parts of a shape. Layer: geom.

#include "geom/part_bvh.h"

enum { LEAF = 4 };

static uint32_t size_below(uint32_t parts) {
  return parts <= LEAF ? 1 : 1 + size_below(parts / 2) + size_below(parts - parts / 2);
}

uint32_t cl_part_bvh_size(uint32_t parts) { return parts > CL_FEW_PARTS ? size_below(parts) : 0; }

static double middle(const cl_part *part, bool across) {
  const cl_bounds *b = &part->bounds;
  return across ? b->l + b->r : b->t + b->b;
}

// Puts the `half` parts with the smallest middles first: quickselect (Hoare 1961).
static void halve(const cl_part *parts, uint32_t *order, uint32_t count, uint32_t half,
                  bool across) {
  int64_t low = 0, high = (int64_t)count - 1, wanted = half;
  while (low < high) {
    double pivot = middle(&parts[order[low + (high - low) / 2]], across);
    int64_t i = low, k = high;
    while (i <= k) {
      while (middle(&parts[order[i]], across) < pivot) i++;
      while (middle(&parts[order[k]], across) > pivot) k--;
      if (i > k) break;
      uint32_t swap = order[i];
      order[i++] = order[k];
      order[k--] = swap;
    }
    if (wanted > k && wanted < i) return; // all between them equal the pivot
    if (wanted <= k) high = k;
    else low = i;
  }
}

typedef struct builder {
  const cl_part *parts;
  cl_part_node *nodes;
  uint32_t *order;
  uint32_t used;
} builder;

static void build(builder *t, uint32_t first, uint32_t count) {
  cl_part_node *node = &t->nodes[t->used++];
  cl_bounds b = t->parts[t->order[first]].bounds;
  for (uint32_t i = 1; i < count; i++) b = cl_bounds_join(b, t->parts[t->order[first + i]].bounds);
  *node = (cl_part_node){b, 0, first, count};
  if (count > LEAF) {
    uint32_t half = count / 2;
    halve(t->parts, t->order + first, count, half, b.r - b.l >= b.b - b.t);
    node->count = 0;
    build(t, first, half);
    build(t, first + half, count - half);
  }
  node->skip = t->used;
}

void cl_part_bvh_build(const cl_part *parts, uint32_t count, cl_part_node *nodes, uint32_t *order) {
  builder t = {parts, nodes, order, 0};
  if (count <= CL_FEW_PARTS) return;
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  build(&t, 0, count);
}

cl_within cl_within_box(const cl_shape *shape, cl_bounds box) {
  bool few = shape->part_count <= CL_FEW_PARTS;
  return (cl_within){shape, box, 0, 0, few ? shape->part_count : 0};
}

bool cl_within_next(cl_within *w, uint32_t *part) {
  const cl_shape *s = w->shape;
  bool few = s->part_count <= CL_FEW_PARTS;
  uint32_t nodes = few ? 0 : s->nodes[0].skip;
  for (;;) {
    while (w->at < w->end) {
      uint32_t k = few ? w->at : s->order[w->at];
      w->at++;
      if (!cl_bounds_touch(s->parts[k].bounds, w->box)) continue;
      *part = k;
      return true;
    }
    if (w->node >= nodes) return false;
    const cl_part_node *n = &s->nodes[w->node];
    bool touch = cl_bounds_touch(n->bounds, w->box);
    w->node = touch ? w->node + 1 : n->skip;
    w->at = n->first;
    w->end = touch ? n->first + n->count : n->first;
  }
}
