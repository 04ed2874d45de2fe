// collide, MIT licence (see LICENSE)
//
// The data of a quadtree. Layer: broad.

#ifndef CL_BROAD_QUADTREE_H
#define CL_BROAD_QUADTREE_H

#include "broad/search.h"

/// A box in the order of the tree, its number in the input, and whether it is fixed.
typedef struct cl_tree_box {
  cl_lanes box;
  uint32_t id, fixed;
} cl_tree_box;

/// Boxes sorted by the cell that each belongs to, into the order of a depth-first walk, a cell
/// before those below it.
typedef struct cl_tree {
  cl_broad head;
  cl_broad_def def;
  unsigned depth; // the deepest level's number
  cl_morton_grid field;
  uint32_t count;   // of the boxes in order
  cl_keyed *order;  // their keys and their numbers in the input
  uint64_t *key;    // their keys by number
  cl_tree_box *box; // the boxes in order; behind them a stack of copies, for the walk
  size_t order_cap, key_cap, box_cap;
  cl_sorter sorter;
  cl_crowd crowd;
} cl_tree;

/// Whether each box is there once, in the order of its key.
bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in);

#endif
