// collide, MIT licence (see LICENSE)
//
// Walking a tree for its pairs. Boxes on a central line lie in a cell near the root, and the plain
// walk tests each of them with all boxes below. Here a cell passes down only boxes that touch the
// bounds of its own boxes and of the cells below it. Layer: broad.

#include "broad/tree_walk.h"

// A cell of the stack, and the run of boxes from above that touch it.
typedef struct visit {
  uint32_t node, from, to;
} visit;

void cl_tree_walk_free(cl_tree_walk *walk, const cl_alloc *alloc) {
  CL_FREE(alloc, walk->above.box, walk->box_cap);
  CL_FREE(alloc, walk->above.id, walk->id_cap);
  CL_FREE(alloc, walk->above.fixed, walk->fixed_cap);
  CL_FREE(alloc, walk->parent, walk->parent_cap);
  CL_FREE(alloc, walk->bounds, walk->bounds_cap);
  *walk = (cl_tree_walk){0};
}

static bool holds(const cl_tree *tree, const cl_quad_node *above, const cl_quad_node *below) {
  unsigned shift = 2 * (tree->depth - above->level);
  return (uint64_t)above->first >> shift == (uint64_t)below->first >> shift;
}

static void join(cl_lanes *all, const cl_lanes *box) {
  all->x0 = box->x0 < all->x0 ? box->x0 : all->x0;
  all->y0 = box->y0 < all->y0 ? box->y0 : all->y0;
  all->minus_x1 = box->minus_x1 < all->minus_x1 ? box->minus_x1 : all->minus_x1;
  all->minus_y1 = box->minus_y1 < all->minus_y1 ? box->minus_y1 : all->minus_y1;
}

// The parents of cells, and the bounds of all boxes in and below a cell.
static cl_status link_nodes(cl_tree_walk *walk, const cl_tree *tree) {
  const cl_alloc *alloc = &tree->head.alloc;
  cl_status status = CL_RESERVE(alloc, walk->parent, walk->parent_cap, tree->nodes);
  if (status == CL_OK) status = CL_RESERVE(alloc, walk->bounds, walk->bounds_cap, tree->nodes);
  if (status != CL_OK) return status;
  uint32_t *parent = walk->parent;
  for (uint32_t n = 0; n < tree->nodes; n++) {
    const cl_quad_node *me = &tree->node[n];
    uint32_t p = n > 0 ? n - 1 : 0;
    parent[n] = n;
    while (p != parent[p] && !holds(tree, &tree->node[p], me)) p = parent[p];
    if (n > 0 && holds(tree, &tree->node[p], me)) parent[n] = p;
    walk->bounds[n] = tree->run.box[me->from];
    for (uint32_t i = me->from + 1; i < me->to; i++) join(&walk->bounds[n], &tree->run.box[i]);
  }
  for (size_t n = tree->nodes; n-- > 0;) join(&walk->bounds[parent[n]], &walk->bounds[n]);
  return CL_OK;
}

static cl_status reserve_above(cl_tree_walk *walk, const cl_alloc *alloc, size_t count) {
  cl_status status = CL_RESERVE(alloc, walk->above.box, walk->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, walk->above.id, walk->id_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, walk->above.fixed, walk->fixed_cap, count);
  return status;
}

// Appends the boxes of `run` that reach into `bounds` to the run from above.
static uint32_t take_down(cl_tree_walk *walk, const cl_run *run, uint32_t from, uint32_t to,
                          cl_f32x4 bounds, uint32_t end) {
  cl_run *above = &walk->above;
  for (uint32_t i = from; i < to; i++) {
    above->box[end] = run->box[i];
    above->id[end] = run->id[i];
    above->fixed[end] = run->fixed[i];
    end += cl_lanes_touch(&run->box[i], bounds);
  }
  return end;
}

// Enters a cell from its parent.
static cl_status enter(cl_tree_walk *walk, const cl_tree *tree, const visit *holder, visit *me,
                       cl_guard *guard) {
  const cl_quad_node *node = &tree->node[holder->node];
  size_t most = (size_t)(holder->to - holder->from) + (node->to - node->from);
  guard->left -= (int64_t)most;
  CL_WORK(1 + most / 4);
  cl_status status = reserve_above(walk, &tree->head.alloc, holder->to + most);
  if (status != CL_OK) return status;
  cl_f32x4 bounds = cl_lanes_reach(&walk->bounds[me->node]);
  me->from = me->to = holder->to;
  me->to = take_down(walk, &walk->above, holder->from, holder->to, bounds, me->to);
  me->to = take_down(walk, &tree->run, node->from, node->to, bounds, me->to);
  return CL_OK;
}

// A cell's boxes among themselves, and with those from above.
static cl_status find_in(cl_tree_walk *walk, const cl_tree *tree, const visit *me, cl_guard *guard,
                         cl_pairs *out) {
  const cl_alloc *alloc = &tree->head.alloc;
  const cl_quad_node *node = &tree->node[me->node];
  cl_status status = CL_OK;
  for (uint32_t i = node->from; i < node->to && status == CL_OK; i++) {
    status = cl_sweep(alloc, &tree->run, i, &tree->run, i + 1, node->to, guard, out);
    if (status != CL_OK) return status;
    status = cl_sweep(alloc, &tree->run, i, &walk->above, me->from, me->to, guard, out);
  }
  return status;
}

cl_status cl_tree_walk_find(cl_tree_walk *walk, const cl_tree *tree, cl_guard *guard,
                            cl_pairs *out) {
  cl_status status = link_nodes(walk, tree);
  visit stack[CL_BROAD_MAX_DEPTH + 1];
  unsigned height = 0;
  for (uint32_t n = 0; n < tree->nodes && status == CL_OK; n++) {
    while (height > 0 && stack[height - 1].node != walk->parent[n]) height--;
    stack[height] = (visit){n, 0, 0};
    if (height > 0) status = enter(walk, tree, &stack[height - 1], &stack[height], guard);
    if (status == CL_OK) status = find_in(walk, tree, &stack[height], guard, out);
    height++;
  }
  return status;
}
