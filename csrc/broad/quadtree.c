// collide, MIT licence (see LICENSE)
//
// The linear quadtree: a box belongs to the smallest cell that
// holds all of it, found from the Morton numbers of its corners. With the cells
// in the order of a depth-first walk, one pass with a stack of the cells above
// finds every pair. Two boxes that share a point lie in cells of which one
// holds the other, since both hold that point's deepest cell.
//
// Boxes astride a central line lie in a cell near the root, and the plain
// walk tests each of them with all that is below. Here a cell takes down with it
// only those that touch the bounds of what it and the cells below it hold.
// Layer: broad.

#include "broad/tree.h"

// Boxes from cells above, in the order of the stack: each cell's own run of
// them starts where that of the cell above ends.
typedef struct quadtree {
  cl_tree tree;
  cl_run above;
  size_t box_cap, id_cap, fixed_cap;
  uint32_t *parent; // by node; its own number for one without
  size_t parent_cap;
  cl_lanes *bounds; // by node: of its boxes and of those in the cells below
  size_t bounds_cap;
} quadtree;

// A cell of the stack, and the run of boxes from above that touch it.
typedef struct visit {
  uint32_t node, from, to;
} visit;

static cl_broad *quadtree_open(const cl_broad_def *def) {
  quadtree *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  cl_tree_open(&self->tree, &cl_broad_quadtree, def);
  return &self->tree.head;
}

static void quadtree_close(cl_broad *broad) {
  quadtree *self = (quadtree *)broad;
  cl_alloc alloc = broad->alloc;
  cl_tree_close(&self->tree);
  cl_free(&alloc, self->above.box, self->box_cap * sizeof *self->above.box);
  cl_free(&alloc, self->above.id, self->id_cap * sizeof *self->above.id);
  cl_free(&alloc, self->above.fixed, self->fixed_cap * sizeof *self->above.fixed);
  cl_free(&alloc, self->parent, self->parent_cap * sizeof *self->parent);
  cl_free(&alloc, self->bounds, self->bounds_cap * sizeof *self->bounds);
  cl_free(&alloc, self, sizeof *self);
}

// The smallest cell that holds both corners.
static void put_all(cl_tree *tree, const cl_broad_input *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    cl_corners at = cl_tree_corners(tree, in->box[i]);
    uint32_t low = cl_morton(at.column0, at.row0), high = cl_morton(at.column1, at.row1);
    // Each pair of bits from the highest differing one down is a level to climb.
    unsigned climb = (cl_bit_length(low ^ high) + 1) / 2;
    uint64_t first = (uint64_t)low >> (2 * climb) << (2 * climb);
    cl_tree_put(tree, i, (uint32_t)first, tree->depth - climb);
  }
}

static bool holds(const cl_tree *tree, const cl_node *above, const cl_node *below) {
  unsigned shift = 2 * (tree->depth - above->level);
  return (uint64_t)above->first >> shift == (uint64_t)below->first >> shift;
}

static void join(cl_lanes *all, const cl_lanes *box) {
  all->x0 = box->x0 < all->x0 ? box->x0 : all->x0;
  all->y0 = box->y0 < all->y0 ? box->y0 : all->y0;
  all->minus_x1 = box->minus_x1 < all->minus_x1 ? box->minus_x1 : all->minus_x1;
  all->minus_y1 = box->minus_y1 < all->minus_y1 ? box->minus_y1 : all->minus_y1;
}

// Who holds whom, and how far all that a cell holds reaches.
static cl_status link_nodes(quadtree *self) {
  cl_tree *tree = &self->tree;
  const cl_alloc *alloc = &tree->head.alloc;
  cl_status status = CL_RESERVE(alloc, self->parent, self->parent_cap, tree->nodes);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->bounds, self->bounds_cap, tree->nodes);
  if (status != CL_OK) return status;
  uint32_t *parent = self->parent;
  for (uint32_t n = 0; n < tree->nodes; n++) {
    const cl_node *me = &tree->node[n];
    uint32_t p = n > 0 ? n - 1 : 0;
    parent[n] = n;
    while (p != parent[p] && !holds(tree, &tree->node[p], me)) p = parent[p];
    if (n > 0 && holds(tree, &tree->node[p], me)) parent[n] = p;
    self->bounds[n] = tree->run.box[me->from];
    for (uint32_t i = me->from + 1; i < me->to; i++) join(&self->bounds[n], &tree->run.box[i]);
  }
  for (size_t n = tree->nodes; n-- > 0;) join(&self->bounds[parent[n]], &self->bounds[n]);
  return CL_OK;
}

static cl_status reserve_above(quadtree *self, size_t count) {
  const cl_alloc *alloc = &self->tree.head.alloc;
  cl_status status = CL_RESERVE(alloc, self->above.box, self->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->above.id, self->id_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->above.fixed, self->fixed_cap, count);
  return status;
}

// Appends the boxes of `run` that reach into `bounds` to the run from above.
static uint32_t take_down(quadtree *self, const cl_run *run, uint32_t from, uint32_t to,
                          cl_reach bounds, uint32_t end) {
  cl_run *above = &self->above;
  for (uint32_t i = from; i < to; i++) {
    above->box[end] = run->box[i];
    above->id[end] = run->id[i];
    above->fixed[end] = run->fixed[i];
    end += cl_lanes_touch(&run->box[i], bounds);
  }
  return end;
}

// Comes to a cell from the one that holds it.
static cl_status enter(quadtree *self, const visit *holder, visit *me) {
  const cl_node *node = &self->tree.node[holder->node];
  size_t most = (size_t)(holder->to - holder->from) + (node->to - node->from);
  cl_status status = reserve_above(self, holder->to + most);
  if (status != CL_OK) return status;
  cl_reach bounds = cl_lanes_reach(self->bounds[me->node]);
  me->from = me->to = holder->to;
  me->to = take_down(self, &self->above, holder->from, holder->to, bounds, me->to);
  me->to = take_down(self, &self->tree.run, node->from, node->to, bounds, me->to);
  return CL_OK;
}

// A cell's boxes among themselves, and with those from above.
static cl_status find_in(quadtree *self, const visit *me, cl_pairs *out) {
  const cl_alloc *alloc = &self->tree.head.alloc;
  const cl_run *run = &self->tree.run;
  const cl_node *node = &self->tree.node[me->node];
  cl_status status = CL_OK;
  for (uint32_t i = node->from; i < node->to && status == CL_OK; i++) {
    status = cl_sweep(alloc, run, i, run, i + 1, node->to, out);
    if (status == CL_OK) status = cl_sweep(alloc, run, i, &self->above, me->from, me->to, out);
  }
  return status;
}

static cl_status quadtree_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  quadtree *self = (quadtree *)broad;
  cl_status status = cl_tree_begin(&self->tree, in);
  if (status != CL_OK) return status;
  put_all(&self->tree, in);
  cl_tree_arrange(&self->tree, in);
  status = link_nodes(self);
  visit stack[CL_BROAD_MAX_DEPTH + 1];
  unsigned height = 0;
  for (uint32_t n = 0; n < self->tree.nodes && status == CL_OK; n++) {
    while (height > 0 && stack[height - 1].node != self->parent[n]) height--;
    stack[height] = (visit){n, 0, 0};
    if (height > 0) status = enter(self, &stack[height - 1], &stack[height]);
    if (status == CL_OK) status = find_in(self, &stack[height], out);
    height++;
  }
  return status;
}

const cl_broad_class cl_broad_quadtree = {"quadtree", quadtree_open, quadtree_close, quadtree_find,
                                          cl_tree_cells};
