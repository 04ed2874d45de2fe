// collide, MIT licence (see LICENSE)
//
// The tree of boxes over items in a row. Layer: geom.

#include "geom/strip.h"

uint32_t cl_strip_leaves(uint32_t count) {
  uint32_t leaves = 1;
  while ((uint64_t)leaves * CL_STRIP_LEAF < count) leaves *= 2;
  return leaves;
}

cl_bounds cl_strip_nothing(void) { return (cl_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY}; }

static void join(cl_strip *s, uint32_t node) {
  s->box[node] = cl_bounds_join(s->box[2 * node], s->box[2 * node + 1]);
}

void cl_strip_fill(cl_strip *s) {
  for (uint32_t node = s->leaves; --node > 0;) join(s, node);
}

void cl_strip_update(cl_strip *s, uint32_t leaf) {
  assert(leaf < s->leaves);
  for (uint32_t node = (s->leaves + leaf) / 2; node > 0; node /= 2) join(s, node);
}

// Goes through the nodes in the order of the row: down into a first half, or on to what follows a
// finished node.
uint32_t cl_strip_next(const cl_strip *s, uint32_t leaf, cl_bounds box) {
  if (leaf >= s->leaves) return s->leaves;
  uint32_t node = s->leaves + leaf;
  for (;;) {
    if (cl_bounds_touch(s->box[node], box)) {
      if (node >= s->leaves) return node - s->leaves;
      node *= 2;
      continue;
    }
    while (node & 1) node /= 2; // a second half: its parent is done too
    if (node == 0) return s->leaves;
    node++;
  }
}
