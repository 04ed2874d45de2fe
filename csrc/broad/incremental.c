// collide, MIT licence (see LICENSE)
//
// The quadtree that persists: a box stays in the list of its cell from one find
// to the next, and moves to another only when its cell has changed. If a box's
// number changes between finds, it looks to the tree like a box that has moved
// far. Cells exist as long as they or those below them hold boxes. The field is
// laid out again only when boxes have outgrown it, or have become many more or
// fewer. Layer: broad.

#include "broad/tree_walk.h"
#include "geom/box.h"

#define NONE UINT32_MAX

// A cell: its children, and the first of its boxes.
typedef struct cell {
  uint32_t parent, child[4];
  uint32_t head;
  uint32_t held; // boxes in it and below
} cell;

// A box's links in its cell's list, and its cell, as a number here (NONE for
// none) and as the sort key of cl_tree_put.
typedef struct entry {
  uint32_t cell, next, before;
  cl_home home;
} entry;

typedef struct incremental {
  cl_tree tree;
  cl_tree_walk walk;
  bool laid; // there is a field, and the root is cell 0
  cell *cells;
  entry *entries; // by number of the box
  size_t cells_cap, entries_cap;
  uint32_t used, free; // cells used so far; the first free one, linked by `parent`
  uint32_t count;      // entries
} incremental;

static cl_broad *incremental_open(const cl_broad_def *def) {
  incremental *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  cl_tree_open(&self->tree, &cl_broad_incremental, def);
  return &self->tree.head;
}

static void incremental_close(cl_broad *broad) {
  incremental *self = (incremental *)broad;
  cl_alloc alloc = broad->alloc;
  cl_tree_close(&self->tree);
  cl_tree_walk_free(&self->walk, &alloc);
  CL_FREE(&alloc, self->cells, self->cells_cap);
  CL_FREE(&alloc, self->entries, self->entries_cap);
  cl_free(&alloc, self, sizeof *self);
}

static uint32_t new_cell(incremental *self, uint32_t parent) {
  uint32_t at = self->free;
  if (at != NONE) self->free = self->cells[at].parent;
  else at = self->used++;
  self->cells[at] = (cell){parent, {NONE, NONE, NONE, NONE}, NONE, 0};
  return at;
}

static bool is_inside(cl_fbox box, cl_fbox field) {
  return box.x0 >= field.x0 && box.y0 >= field.y0 && box.x1 <= field.x1 && box.y1 <= field.y1;
}

static cl_fbox widen(cl_fbox b) {
  double w = ((double)b.x1 - b.x0) / 8, h = ((double)b.y1 - b.y0) / 8;
  return cl_fbox_of(b.x0 - w, b.y0 - h, b.x1 + w, b.y1 + h);
}

// Whether the field still suits boxes with these bounds: it contains them, and is not much wider
// or higher.
static bool still_suits(const cl_tree *tree, cl_fbox bounds, unsigned depth) {
  cl_fbox field = tree->field.box;
  bool deep =
      tree->def.depth ? depth == tree->depth : depth <= tree->depth && depth + 1 >= tree->depth;
  if (!deep || tree->def.bounded) return deep;
  return is_inside(bounds, field) &&
         ((double)field.x1 - field.x0) <= 3 * ((double)bounds.x1 - bounds.x0) &&
         ((double)field.y1 - field.y0) <= 3 * ((double)bounds.y1 - bounds.y0);
}

// Takes all boxes out of the tree.
static void clear(incremental *self) {
  for (uint32_t i = 0; i < self->count; i++) self->entries[i].cell = NONE;
  self->used = 0;
  self->free = NONE;
  new_cell(self, NONE);
}

static cl_status lay_field(incremental *self, const cl_broad_input *in) {
  cl_tree *tree = &self->tree;
  cl_status status = CL_RESERVE(&tree->head.alloc, self->cells, self->cells_cap, 1);
  if (status != CL_OK) return status;
  unsigned depth = cl_morton_grid_depth(&tree->def, in->count);
  cl_broad_def def = tree->def;
  if (!def.bounded) def.field = cl_fbox_join_all(in->box, in->count);
  if (self->laid && still_suits(tree, def.field, depth)) return CL_OK;
  if (!def.bounded) def.field = widen(def.field);
  def.bounded = true;
  tree->depth = depth;
  tree->field = cl_morton_grid_of(&def, in, depth);
  self->laid = true;
  clear(self);
  return CL_OK;
}

static void remove_box(incremental *self, uint32_t i) {
  entry *me = &self->entries[i];
  cell *cells = self->cells;
  if (me->next != NONE) self->entries[me->next].before = me->before;
  if (me->before != NONE) self->entries[me->before].next = me->next;
  else cells[me->cell].head = me->next;
  for (uint32_t at = me->cell; at != NONE;) {
    uint32_t parent = cells[at].parent;
    if (--cells[at].held == 0 && parent != NONE) {
      for (int k = 0; k < 4; k++) {
        if (cells[parent].child[k] == at) cells[parent].child[k] = NONE;
      }
      cells[at].parent = self->free;
      self->free = at;
    }
    at = parent;
  }
  me->cell = NONE;
}

// Puts a box into its cell, making those on the way to it.
static void add_box(incremental *self, uint32_t i, cl_home home) {
  uint32_t at = 0;
  self->cells[at].held++;
  for (unsigned level = 0; level < home.level; level++) {
    unsigned k = home.first >> 2 * (self->tree.depth - 1 - level) & 3;
    uint32_t child = self->cells[at].child[k];
    if (child == NONE) {
      child = new_cell(self, at);
      self->cells[at].child[k] = child;
    }
    at = child;
    self->cells[at].held++;
  }
  uint32_t next = self->cells[at].head;
  if (next != NONE) self->entries[next].before = i;
  self->cells[at].head = i;
  self->entries[i] = (entry){at, next, NONE, home};
}

// Updates the cells for these boxes.
static cl_status update(incremental *self, const cl_broad_input *in) {
  cl_tree *tree = &self->tree;
  const cl_alloc *alloc = &tree->head.alloc;
  cl_status status = CL_RESERVE(alloc, self->entries, self->entries_cap, in->count);
  if (status != CL_OK) return status;
  while (self->count > in->count) {
    self->count--;
    if (self->entries[self->count].cell != NONE) remove_box(self, self->count);
  }
  while (self->count < in->count) self->entries[self->count++].cell = NONE;
  CL_WORK(3 * (uint64_t)in->count);
  for (uint32_t i = 0; i < in->count; i++) {
    entry *me = &self->entries[i];
    cl_home home = cl_tree_home(tree, in->box[i]);
    bool same = me->home.first == home.first && me->home.level == home.level;
    if (me->cell != NONE && same) continue;
    status = CL_RESERVE(alloc, self->cells, self->cells_cap, (size_t)self->used + tree->depth);
    if (status != CL_OK) return status;
    CL_WORK(tree->depth);
    if (me->cell != NONE) remove_box(self, i);
    add_box(self, i, home);
  }
  return CL_OK;
}

// A cell that is yet to be visited, and its place in the tree.
typedef struct pending {
  uint32_t cell, first;
  unsigned level;
} pending;

// Lists the cells that hold boxes, each before those below it, and their boxes.
static void gather(incremental *self, const cl_broad_input *in) {
  cl_tree *tree = &self->tree;
  pending stack[3 * CL_BROAD_MAX_DEPTH + 4] = {{0, 0, 0}};
  unsigned height = 1;
  uint32_t n = 0;
  tree->nodes = 0;
  while (height > 0) {
    pending me = stack[--height];
    const cell *at = &self->cells[me.cell];
    cl_quad_node node = {me.first, n, n, me.level};
    for (uint32_t i = at->head; i != NONE; i = self->entries[i].next) {
      cl_lanes_put(&tree->run.box[n], &in->box[i]);
      tree->run.id[n] = i;
      tree->run.fixed[n++] = in->fixed ? in->fixed[i] : 0;
    }
    node.to = n;
    if (node.to > node.from) tree->node[tree->nodes++] = node;
    for (uint32_t k = 4; k-- > 0;) {
      if (at->child[k] == NONE) continue;
      uint32_t bits = k << 2 * (tree->depth - 1 - me.level);
      stack[height++] = (pending){at->child[k], me.first | bits, me.level + 1};
    }
  }
}

#if CL_CHECKED
// Whether lists are linked both ways, cells count the boxes that they hold, and no other cells
// exist.
static bool are_cells_valid(const incremental *self) {
  uint32_t empty = 0;
  for (uint32_t at = self->free; at != NONE; at = self->cells[at].parent) {
    if (++empty > self->used) return false;
  }
  pending stack[3 * CL_BROAD_MAX_DEPTH + 4] = {{0, 0, 0}};
  unsigned height = 1;
  uint32_t seen = 0, boxes = 0;
  while (height > 0) {
    pending me = stack[--height];
    const cell *at = &self->cells[me.cell];
    uint32_t held = 0, before = NONE;
    seen++;
    for (uint32_t i = at->head; i != NONE; i = self->entries[i].next) {
      const entry *it = &self->entries[i];
      if (it->cell != me.cell || it->before != before || it->home.level != me.level) return false;
      before = i;
      held++;
    }
    boxes += held;
    for (int k = 0; k < 4; k++) {
      if (at->child[k] == NONE) continue;
      if (self->cells[at->child[k]].parent != me.cell) return false;
      held += self->cells[at->child[k]].held;
      stack[height++] = (pending){at->child[k], 0, me.level + 1};
    }
    if (held != at->held || (held == 0 && me.cell != 0)) return false;
  }
  return seen + empty == self->used && boxes == self->count;
}
#endif

static cl_status search(cl_tree *tree, const cl_broad_input *in, cl_guard *guard, cl_pairs *out) {
  incremental *self = (incremental *)tree;
  cl_status status = cl_tree_reserve(&self->tree, in->count);
  if (status == CL_OK) status = lay_field(self, in);
  if (status == CL_OK) status = update(self, in);
  if (status != CL_OK) return status;
  gather(self, in);
  CL_CHECK(are_cells_valid(self) && cl_tree_is_valid(&self->tree, in, false));
  return cl_tree_walk_find(&self->walk, &self->tree, guard, out);
}

static cl_status incremental_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  return cl_tree_find((cl_tree *)broad, in, search, out);
}

const cl_broad_class cl_broad_incremental = {
    "incremental", incremental_open, incremental_close, NULL,
    NULL,          incremental_find, cl_tree_cells};
