// collide, MIT licence (see LICENSE)
//
// Checks of whole structures. Layer: broad.

#include "broad/check.h"

#if CL_CHECKED

enum { MOST_BOXES = 256 };

// Marks pair (a, b); false when it is marked already.
static bool mark(uint64_t marks[MOST_BOXES * MOST_BOXES / 64], cl_pair pair) {
  uint32_t bit = pair.a * MOST_BOXES + pair.b;
  bool was = marks[bit / 64] >> bit % 64 & 1;
  marks[bit / 64] |= UINT64_C(1) << bit % 64;
  return !was;
}

bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from) {
  uint64_t marks[MOST_BOXES * MOST_BOXES / 64] = {0};
  for (size_t i = from; i < out->count; i++) {
    cl_pair pair = out->at[i];
    if (in->either_way && pair.a > pair.b) pair = (cl_pair){pair.b, pair.a};
    if (pair.a >= pair.b || pair.b >= in->count) return false;
    if (!cl_fbox_touch(in->box[pair.a], in->box[pair.b])) return false;
    if (in->fixed && in->fixed[pair.a] && in->fixed[pair.b]) return false;
    if (in->count <= MOST_BOXES && !mark(marks, pair)) return false;
  }
  if (in->count > MOST_BOXES) return true;
  for (uint32_t a = 0; a < in->count; a++) {
    for (uint32_t b = a + 1; b < in->count; b++) {
      if (!cl_fbox_touch(in->box[a], in->box[b])) continue;
      if (in->fixed && in->fixed[a] && in->fixed[b]) continue;
      if (mark(marks, (cl_pair){a, b})) return false;
    }
  }
  return true;
}

static bool is_in_cell(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i, uint32_t cell) {
  const cl_lanes *b = &grid->box[i];
  cl_hgrid_place place = cl_hgrid_place_of(t, b->x0, b->y0);
  return grid->tag[i].cell == cell && cl_hgrid_cell_at(t, place.column, place.row) == cell &&
         -(double)b->minus_x1 - b->x0 <= t->width && -(double)b->minus_y1 - b->y0 <= t->height;
}

static bool is_table_valid(const cl_hgrid *grid, const cl_hgrid_table *t) {
  const uint32_t *start = grid->start;
  if (t->from > t->to || t->from != start[t->base]) return false;
  for (uint32_t cell = t->base; cell < t->base + t->cells; cell++) {
    if (start[cell] > start[cell + 1]) return false;
    for (uint32_t i = start[cell]; i < start[cell + 1]; i++) {
      if (!is_in_cell(grid, t, i, cell)) return false;
    }
  }
  // What an exact table keeps empty: column 0, and the first and the last row.
  for (uint32_t k = 0; !cl_hgrid_wraps(t) && k < t->cells; k++) {
    bool apart = k % t->stride == 0 || k < t->stride || k + t->stride + 1 >= t->cells;
    if (apart && start[t->base + k] != start[t->base + k + 1]) return false;
  }
  return start[t->base + t->cells] == t->to;
}

bool cl_hgrid_is_valid(const cl_hgrid *grid, const cl_hgrid_source *from) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < grid->classes; k++) {
    if (grid->table[k].from != at || !is_table_valid(grid, &grid->table[k])) return false;
    at = grid->table[k].to;
  }
  if (at != from->count) return false;
  for (uint32_t k = 0; k < from->count; k++) {
    uint32_t cell = grid->cell[k], number = from->list ? from->list[k] : k, found = 0;
    uint32_t id = from->first_id ? from->first_id + k : number;
    cl_fbox b = from->box[number];
    for (uint32_t i = grid->start[cell]; i < grid->start[cell + 1]; i++) {
      const cl_lanes *it = &grid->box[i];
      found += grid->tag[i].id == id && it->x0 == b.x0 && it->y0 == b.y0 && it->minus_x1 == -b.x1 &&
               it->minus_y1 == -b.y1;
    }
    if (found != 1) return false;
  }
  return true;
}

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

#else
typedef int cl_check_is_empty; // a file of C must hold something
#endif
