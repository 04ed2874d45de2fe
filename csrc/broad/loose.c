// collide, MIT licence (see LICENSE)
//
// The loose quadtree: cells reach one cell further right and down, and a box belongs to the
// smallest such cell that contains it. So a box on a line between cells rises by at most one level,
// not to the root. A box's columns on its own level are c and perhaps c + 1; two boxes that share a
// point share its column, so the cells of any two that can overlap are neighbours, on the coarser
// one's level: nine cells to look up, in an array of all cells, or by hashing where these are many
// more than boxes.
// Source: Ulrich, "Loose Octrees", Game Programming Gems (2000).
// Layer: broad.

#include "broad/tree.h"

#include <string.h>

// There is an array of all cells if there are at most this many for each box.
enum { CELLS_A_BOX = 8 };

typedef struct loose {
  cl_tree tree;
  uint32_t *slot; // node numbers + 1, 0 being none: by cell, or a hash table
  size_t slot_cap;
  bool by_cell;      // level after level, each in the order of its Morton numbers
  size_t mask;       // the hash table's size, a power of two, less one
  uint32_t occupied; // bit l: some cell of level l holds boxes
} loose;

static cl_broad *loose_open(const cl_broad_def *def) {
  loose *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  cl_tree_open(&self->tree, &cl_broad_loose, def);
  return &self->tree.head;
}

static void loose_close(cl_broad *broad) {
  loose *self = (loose *)broad;
  cl_alloc alloc = broad->alloc;
  CL_FREE(&alloc, self->slot, self->slot_cap);
  cl_tree_close(&self->tree);
  cl_free(&alloc, self, sizeof *self);
}

// The smallest cell that holds both corners with the one cell more that it
// reaches right and down.
static void put_all(cl_tree *tree, const cl_broad_input *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    cl_corners at = cl_tree_corners(tree, in->box[i]);
    unsigned climb = 0;
    while ((at.column1 >> climb) - (at.column0 >> climb) > 1 ||
           (at.row1 >> climb) - (at.row0 >> climb) > 1) {
      climb++;
    }
    uint32_t low = cl_morton(at.column0 >> climb, at.row0 >> climb);
    uint64_t first = (uint64_t)low << (2 * climb);
    cl_tree_put(tree, i, (uint32_t)first, tree->depth - climb);
  }
}

static size_t hash(unsigned level, uint32_t morton) {
  uint64_t h = ((uint64_t)level << 32 | morton) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(h >> 32);
}

// The cells of the levels above one.
static size_t cells_above(unsigned level) { return (((size_t)1 << level << level) - 1) / 3; }

static cl_status index_nodes(loose *self, uint32_t count) {
  cl_tree *tree = &self->tree;
  size_t all = cells_above(tree->depth + 1), size = 16;
  self->by_cell = all <= (size_t)CELLS_A_BOX * count + 64;
  while (size < 2 * tree->nodes) size *= 2;
  if (self->by_cell) size = all;
  cl_status status = CL_RESERVE(&tree->head.alloc, self->slot, self->slot_cap, size);
  if (status != CL_OK) return status;
  memset(self->slot, 0, size * sizeof *self->slot);
  self->mask = size - 1;
  self->occupied = 0;
  for (size_t n = 0; n < tree->nodes; n++) {
    const cl_quad_node *node = &tree->node[n];
    uint32_t morton = cl_quad_node_morton(tree, node);
    size_t at = cells_above(node->level) + morton;
    if (!self->by_cell) {
      at = hash(node->level, morton) & self->mask;
      while (self->slot[at]) at = (at + 1) & self->mask;
    }
    self->slot[at] = (uint32_t)n + 1;
    self->occupied |= 1u << node->level;
  }
  return CL_OK;
}

static const cl_quad_node *look_up(const loose *self, unsigned level, uint32_t morton) {
  if (self->by_cell) {
    uint32_t number = self->slot[cells_above(level) + morton];
    return number ? &self->tree.node[number - 1] : NULL;
  }
  size_t at = hash(level, morton) & self->mask;
  for (; self->slot[at]; at = (at + 1) & self->mask) {
    const cl_quad_node *node = &self->tree.node[self->slot[at] - 1];
    if (node->level == level && cl_quad_node_morton(&self->tree, node) == morton) return node;
  }
  return NULL;
}

static cl_status cross(loose *self, const cl_quad_node *me, const cl_quad_node *other,
                       cl_guard *guard, cl_pairs *out) {
  const cl_run *run = &self->tree.run;
  cl_status status = CL_OK;
  for (uint32_t i = me->from; i < me->to && status == CL_OK; i++) {
    uint32_t from = other == me ? i + 1 : other->from;
    status = cl_sweep(&self->tree.head.alloc, run, i, run, from, other->to, guard, out);
  }
  return status;
}

// The next column or row in the bits that cl_spread leaves to it.
static uint32_t next_spread(uint32_t spread) { return ((spread | 0xaaaaaaaau) + 1) & 0x55555555u; }

// A cell's boxes against those in the cells around it on a level that is its
// own or coarser: a box reaches into the next column, and is reached from the one
// before. On its own level half of the neighbours will do: the other half finds
// this cell.
static cl_status find_around(loose *self, const cl_quad_node *me, unsigned level, cl_guard *guard,
                             cl_pairs *out) {
  uint32_t morton = cl_quad_node_morton(&self->tree, me), last = (1u << me->level) - 1;
  unsigned climb = me->level - level;
  uint32_t column = cl_gather(morton), row = cl_gather(morton >> 1);
  uint32_t right = (column < last ? column + 1 : last) >> climb;
  uint32_t bottom = (row < last ? row + 1 : last) >> climb;
  column >>= climb;
  row >>= climb;
  uint32_t left = column > 0 ? column - 1 : 0, top = climb && row > 0 ? row - 1 : row;
  cl_status status = CL_OK;
  for (uint32_t r = top; r <= bottom; r++) {
    uint32_t c = climb || r > row ? left : column, down = cl_spread(r) << 1, across = cl_spread(c);
    for (; c <= right && status == CL_OK; c++, across = next_spread(across)) {
      const cl_quad_node *other = look_up(self, level, across | down);
      guard->left--;
      CL_WORK(1);
      if (other) status = cross(self, me, other, guard, out);
    }
  }
  return status;
}

static cl_status search(cl_tree *tree, const cl_broad_input *in, cl_guard *guard, cl_pairs *out) {
  loose *self = (loose *)tree;
  cl_status status = cl_tree_begin(&self->tree, in);
  if (status != CL_OK) return status;
  put_all(&self->tree, in);
  cl_tree_arrange(&self->tree, in);
  CL_CHECK(cl_tree_is_valid(&self->tree, in, true));
  status = index_nodes(self, in->count);
  for (size_t n = 0; n < self->tree.nodes && status == CL_OK; n++) {
    const cl_quad_node *me = &self->tree.node[n];
    for (unsigned level = 0; level <= me->level && status == CL_OK; level++) {
      if (self->occupied >> level & 1) status = find_around(self, me, level, guard, out);
    }
  }
  return status;
}

static cl_status loose_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  return cl_tree_find((cl_tree *)broad, in, search, out);
}

const cl_broad_class cl_broad_loose = {"quadtree", loose_open, loose_close,  NULL,
                                       NULL,       loose_find, cl_tree_cells};
