// collide, MIT licence (see LICENSE)
//
// Whether a quadtree's cells are valid. Layer: broad.

#include "broad/tree.h"

static bool is_held(const cl_tree *tree, const cl_quad_node *node, cl_fbox box, bool loose) {
  unsigned climb = tree->depth - node->level;
  uint32_t morton = cl_quad_node_morton(tree, node);
  uint32_t column = cl_gather(morton), row = cl_gather(morton >> 1);
  cl_corners at = cl_tree_corners(tree, box);
  return at.column0 >> climb == column && at.row0 >> climb == row &&
         (at.column1 >> climb) - column <= loose && (at.row1 >> climb) - row <= loose;
}

bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in, bool loose) {
  uint64_t sum = 0;
  uint32_t at = 0;
  for (size_t n = 0; n < tree->nodes; n++) {
    const cl_quad_node *node = &tree->node[n], *last = node - 1;
    if (node->from != at || node->to <= node->from || node->level > tree->depth) return false;
    bool after = n == 0 || last->first < node->first ||
                 (last->first == node->first && last->level < node->level);
    if (!after) return false;
    for (at = node->from; at < node->to; at++) {
      uint32_t id = tree->run.id[at];
      if (id >= in->count || !is_held(tree, node, in->box[id], loose)) return false;
      if (tree->run.box[at].x0 != in->box[id].x0) return false;
      sum += id;
    }
  }
  return at == in->count && sum == (uint64_t)in->count * (in->count - (in->count > 0)) / 2;
}
