// collide, MIT licence (see LICENSE)
//
// What the quadtrees share: boxes sorted by the cell that each belongs to, into
// the order of a depth-first walk, a cell before its children. Only cells that
// hold boxes exist. Layer: broad.

#ifndef CL_BROAD_TREE_H
#define CL_BROAD_TREE_H

#include "base/sort.h"
#include "broad/broad.h"
#include "broad/morton_grid.h"
#include "broad/sweep.h"

/// A cell of `level` (0 is the whole field) and its boxes, `from` to `to` (not
/// included) in sorted order. `first` is the Morton number of its top left
/// cell on the deepest level.
typedef struct cl_quad_node {
  uint32_t first, from, to;
  unsigned level;
} cl_quad_node;

typedef struct cl_tree {
  cl_broad head;
  cl_broad_def def;
  unsigned depth;      // the deepest level's number in the last lay-out
  unsigned level_bits; // of a sort key: the level is in its lowest bits
  cl_morton_grid field;
  cl_sorter sorter;
  cl_crowd crowd;
  cl_run run; // the boxes in sorted order
  cl_quad_node *node;
  size_t box_cap, id_cap, fixed_cap, node_cap;
  size_t nodes;
} cl_tree;

/// Where a box's corners lie: columns and rows on the deepest level.
typedef struct cl_corners {
  uint32_t column0, row0, column1, row1;
} cl_corners;

static inline cl_corners cl_tree_corners(const cl_tree *tree, cl_fbox box) {
  const cl_morton_grid *field = &tree->field;
  return (cl_corners){cl_morton_grid_column(field, box.x0), cl_morton_grid_row(field, box.y0),
                      cl_morton_grid_column(field, box.x1), cl_morton_grid_row(field, box.y1)};
}

/// The smallest cell that contains a box, as in cl_quad_node.
typedef struct cl_home {
  uint32_t first;
  unsigned level;
} cl_home;

static inline cl_home cl_tree_home(const cl_tree *tree, cl_fbox box) {
  cl_corners at = cl_tree_corners(tree, box);
  uint32_t low = cl_morton(at.column0, at.row0), high = cl_morton(at.column1, at.row1);
  // Each pair of bits from the highest differing one down is a level to climb.
  unsigned climb = (cl_bit_length(low ^ high) + 1) / 2;
  return (cl_home){(uint32_t)((uint64_t)low >> (2 * climb) << (2 * climb)), tree->depth - climb};
}

/// Puts box `i` into the cell of `level` that begins at the deepest cell `first`.
/// Called for all boxes, between cl_tree_begin and cl_tree_arrange.
static inline void cl_tree_put(cl_tree *tree, uint32_t i, uint32_t first, unsigned level) {
  tree->sorter.item[i] = (cl_keyed){(uint64_t)first << tree->level_bits | level, i};
}

/// Set up a zeroed tree, and free its memory.
void cl_tree_open(cl_tree *tree, const cl_broad_class *class, const cl_broad_def *def);
void cl_tree_close(cl_tree *tree);

/// Reserves memory for the run and the nodes of so many boxes.
cl_status cl_tree_reserve(cl_tree *tree, uint32_t count);

/// cl_tree_begin lays out the field and reserves memory for these boxes;
/// cl_tree_arrange sorts them by their cells. After CL_NOMEM the tree can only be
/// begun again or closed.
cl_status cl_tree_begin(cl_tree *tree, const cl_broad_input *in);
void cl_tree_arrange(cl_tree *tree, const cl_broad_input *in);

/// How a tree finds its pairs, after it has been laid out anew; it may return CL_CROWDED.
typedef cl_status cl_tree_search(cl_tree *tree, const cl_broad_input *in, cl_guard *guard,
                                 cl_pairs *out);

/// What cl_broad_class.find does: the search, or one without cells where boxes are crowded.
cl_status cl_tree_find(cl_tree *tree, const cl_broad_input *in, cl_tree_search *by_cells,
                       cl_pairs *out);

/// As cl_broad_class.cells.
size_t cl_tree_cells(const cl_broad *broad, cl_cell *out, size_t capacity);

/// Whether each box is there once, in a cell that contains it (the cells of a
/// loose tree reach one cell further), no cell is empty, and cells come before
/// those below them.
bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in, bool loose);

/// A cell's column and row on its own level.
static inline uint32_t cl_quad_node_morton(const cl_tree *tree, const cl_quad_node *node) {
  return (uint32_t)((uint64_t)node->first >> (2 * (tree->depth - node->level)));
}

#endif
