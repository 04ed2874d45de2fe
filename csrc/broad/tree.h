// collide, MIT licence (see LICENSE)
//
// What the quadtrees share: boxes sorted by the cell that each belongs to, into
// the order of a depth-first walk, a cell before its children. Only cells that
// hold boxes exist. Layer: broad.

#ifndef CL_BROAD_TREE_H
#define CL_BROAD_TREE_H

#include "base/sort.h"
#include "broad/broad.h"
#include "broad/field.h"
#include "broad/sweep.h"

/// A cell of `level` (0 is the whole field) and its boxes, `from` to `to` (not
/// included) in sorted order. `first` is the Morton number of its top left
/// cell on the deepest level.
typedef struct cl_node {
  uint32_t first, from, to;
  unsigned level;
} cl_node;

typedef struct cl_tree {
  cl_broad head;
  cl_broad_def def;
  unsigned depth; // the deepest level's number in the last lay-out
  cl_field field;
  cl_sorter sorter;
  cl_run run; // the boxes in sorted order
  cl_node *node;
  size_t box_cap, id_cap, fixed_cap, node_cap;
  size_t nodes;
} cl_tree;

/// The cell that a box belongs to: its level and its first deepest cell, from
/// the columns and rows of the box's corners on the deepest level.
typedef cl_node (*cl_tree_home)(unsigned depth, uint32_t column0, uint32_t row0, uint32_t column1,
                                uint32_t row1);

/// Sets up a zeroed tree, and frees what it holds.
void cl_tree_open(cl_tree *tree, const cl_broad_class *class, const cl_broad_def *def);
void cl_tree_close(cl_tree *tree);

/// Sorts the boxes by their homes. On CL_NOMEM the tree can only be laid out
/// again or closed.
cl_status cl_tree_lay_out(cl_tree *tree, const cl_broad_input *in, cl_tree_home home);

size_t cl_tree_cells(const cl_broad *broad, cl_cell *out, size_t room);

/// A cell's column and row on its own level.
static inline uint32_t cl_node_morton(const cl_tree *tree, const cl_node *node) {
  return (uint32_t)((uint64_t)node->first >> (2 * (tree->depth - node->level)));
}

#endif
