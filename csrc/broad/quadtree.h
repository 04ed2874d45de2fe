// collide, MIT licence (see LICENSE)
//
// What a quadtree is made of. Layer: broad.

#ifndef CL_BROAD_QUADTREE_H
#define CL_BROAD_QUADTREE_H

#include "broad/search.h"

/// A box in the order of the tree, its number in the input, and whether it is fixed.
typedef struct cl_tree_box {
  cl_lanes box;
  uint32_t id, fixed;
} cl_tree_box;

/// A cell of `level` (0 is the whole field) and its boxes, `from` to `to` (not included). `first`
/// is the Morton number of its top left cell on the deepest level.
typedef struct cl_tree_cell {
  uint32_t first, from, to;
  unsigned level;
} cl_tree_cell;

/// Boxes sorted by the cell that each belongs to, into the order of a depth-first walk, a cell
/// before those below it. Only cells that hold boxes exist.
typedef struct cl_tree {
  cl_broad head;
  cl_broad_def def;
  unsigned depth; // the deepest level's number
  cl_morton_grid field;
  cl_sorter sorter;
  cl_tree_box *box;
  cl_tree_cell *cell;
  size_t box_cap, cell_cap;
  size_t cells;
  cl_crowd crowd;

  // Of the incremental tree: the boxes of the last find, in order; and their keys, by number.
  cl_keyed *order;
  uint64_t *key;
  size_t order_cap, key_cap;
  uint32_t count;

  // For the pairs of a tree whose cells contain their boxes: of each cell, its parent (itself
  // without one) and the bounds of all boxes in and below it; and boxes from above, a run for each
  // cell of the way down, one after the other.
  uint32_t *parent;
  cl_lanes *bounds;
  cl_tree_box *above;
  size_t parent_cap, bounds_cap, above_cap;

  // For those of the loose tree: numbers of cells + 1, 0 being none, by level and Morton number or,
  // where cells are few among all that there could be, in a hash table. Bit l of `occupied` is set
  // if some cell of level l holds boxes.
  uint32_t *slot;
  size_t slot_cap, hash_mask;
  bool by_hash;
  uint32_t occupied;
} cl_tree;

/// Whether each box is there once, in a cell that contains it (the cells of a loose tree reach one
/// cell further), no cell is empty, and cells come before those below them.
bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in);

#endif
