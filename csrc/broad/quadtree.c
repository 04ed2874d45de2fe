// collide, MIT licence (see LICENSE)
//
// The linear quadtree, rebuilt at each find: a box belongs to the smallest cell
// that contains all of it, found from the Morton numbers of its corners, and the
// boxes are sorted into the order of a depth-first walk over the cells.
// Layer: broad.

#include "broad/tree_walk.h"

typedef struct quadtree {
  cl_tree tree;
  cl_tree_walk walk;
} quadtree;

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
  cl_tree_walk_free(&self->walk, &alloc);
  cl_free(&alloc, self, sizeof *self);
}

static cl_status search(cl_tree *tree, const cl_broad_input *in, cl_guard *guard, cl_pairs *out) {
  quadtree *self = (quadtree *)tree;
  cl_status status = cl_tree_begin(tree, in);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < in->count; i++) {
    cl_home home = cl_tree_home(tree, in->box[i]);
    cl_tree_put(tree, i, home.first, home.level);
  }
  cl_tree_arrange(tree, in);
  CL_CHECK(cl_tree_is_valid(tree, in, false));
  return cl_tree_walk_find(&self->walk, tree, guard, out);
}

static cl_status quadtree_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  return cl_tree_find((cl_tree *)broad, in, search, out);
}

const cl_broad_class cl_broad_quadtree = {"quadtree", quadtree_open, quadtree_close, NULL,
                                          NULL,       quadtree_find, cl_tree_cells};
