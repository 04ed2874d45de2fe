// collide, MIT licence (see LICENSE)
//
// Boxes in the order of a quadtree's cells. Layer: broad.

#include "broad/tree.h"

#include "broad/check.h"

void cl_tree_open(cl_tree *tree, const cl_broad_class *class, const cl_broad_def *def) {
  assert(def->depth <= CL_BROAD_MAX_DEPTH);
  tree->head = (cl_broad){class, class->name, def->alloc};
  tree->def = *def;
}

void cl_tree_close(cl_tree *tree) {
  const cl_alloc *alloc = &tree->head.alloc;
  cl_sorter_free(alloc, &tree->sorter);
  cl_crowd_free(&tree->crowd, alloc);
  CL_FREE(alloc, tree->run.box, tree->box_cap);
  CL_FREE(alloc, tree->run.id, tree->id_cap);
  CL_FREE(alloc, tree->run.fixed, tree->fixed_cap);
  CL_FREE(alloc, tree->node, tree->node_cap);
}

cl_status cl_tree_reserve(cl_tree *tree, uint32_t count) {
  const cl_alloc *alloc = &tree->head.alloc;
  cl_status status = CL_RESERVE(alloc, tree->run.box, tree->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->run.id, tree->id_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->run.fixed, tree->fixed_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->node, tree->node_cap, count);
  return status;
}

cl_status cl_tree_begin(cl_tree *tree, const cl_broad_input *in) {
  tree->nodes = 0;
  cl_status status = cl_sorter_reserve(&tree->head.alloc, &tree->sorter, in->count);
  if (status == CL_OK) status = cl_tree_reserve(tree, in->count);
  if (status != CL_OK) return status;
  tree->depth = cl_morton_grid_depth(&tree->def, in->count);
  tree->level_bits = cl_bit_length(tree->depth);
  tree->field = cl_morton_grid_of(&tree->def, in, tree->depth);
  return CL_OK;
}

void cl_tree_arrange(cl_tree *tree, const cl_broad_input *in) {
  CL_WORK(5 * (uint64_t)in->count);
  const cl_keyed *sorted = cl_sort(&tree->sorter, in->count, 2 * tree->depth + tree->level_bits);
  tree->nodes = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t id = sorted[i].value;
    tree->run.box[i] = cl_lanes_of(in->box[id]);
    tree->run.id[i] = id;
    tree->run.fixed[i] = in->fixed ? in->fixed[id] : 0;
    if (i == 0 || sorted[i].key != sorted[i - 1].key) {
      tree->node[tree->nodes++] = (cl_quad_node){
          .first = (uint32_t)(sorted[i].key >> tree->level_bits),
          .from = i,
          .level = (unsigned)(sorted[i].key & ((1u << tree->level_bits) - 1)),
      };
    }
    tree->node[tree->nodes - 1].to = i + 1;
  }
}

cl_status cl_tree_find(cl_tree *tree, const cl_broad_input *in, cl_tree_search *by_cells,
                       cl_pairs *out) {
  CL_CHECK(cl_broad_input_is_valid(in));
  cl_guard guard = cl_guard_of(&tree->crowd, in, out);
  cl_status status = CL_CROWDED;
  if (!in->fine) status = by_cells(tree, in, &guard, out);
  status = cl_crowd_settle(&tree->crowd, &tree->head.alloc, &guard, status, out);
  CL_CHECK(status != CL_OK || cl_pairs_are_right(in, out, guard.first));
  return status;
}

size_t cl_tree_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const cl_tree *tree = (const cl_tree *)broad;
  for (size_t n = 0; n < tree->nodes && n < capacity; n++) {
    const cl_quad_node *node = &tree->node[n];
    uint32_t morton = cl_quad_node_morton(tree, node);
    cl_fbox box =
        cl_morton_grid_cell(&tree->field, cl_gather(morton), cl_gather(morton >> 1), node->level);
    out[n] = (cl_cell){box, node->to - node->from};
  }
  return tree->nodes;
}
