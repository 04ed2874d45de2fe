// collide, MIT licence (see LICENSE)
//
// All pairs of a tree in which a box belongs to the smallest cell that contains it:
// if two boxes share a point, one of their cells contains the other.
// One pass over the cells, each before the cells in it, with a stack of the
// cells above: a cell's boxes are tested among themselves, and with those from
// above. Layer: broad.

#ifndef CL_BROAD_TREE_WALK_H
#define CL_BROAD_TREE_WALK_H

#include "broad/tree.h"

/// Memory of the walk; all zeros is an empty one. Boxes from cells above lie in
/// the order of the stack: each cell's own run of them starts where that of the
/// cell above ends.
typedef struct cl_tree_walk {
  cl_run above;
  size_t box_cap, id_cap, fixed_cap;
  uint32_t *parent; // by node; a node without a parent has its own number
  size_t parent_cap;
  cl_lanes *bounds; // by node: of its boxes and of those in the cells below
  size_t bounds_cap;
} cl_tree_walk;

void cl_tree_walk_free(cl_tree_walk *walk, const cl_alloc *alloc);

/// Appends the pairs of a tree whose run and nodes are laid out; or returns CL_CROWDED.
cl_status cl_tree_walk_find(cl_tree_walk *walk, const cl_tree *tree, cl_guard *guard,
                            cl_pairs *out);

#endif
