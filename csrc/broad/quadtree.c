// collide, MIT licence (see LICENSE)
//
// Three quadtrees. Each cell of a level has four below it. A box belongs to the smallest cell that
// contains it, and the boxes are sorted into the order of a depth-first walk over the cells: a
// linear quadtree, whose cells are runs of boxes. One walk finds the pairs. Layer: broad.
//
// `cl_broad_quadtree` sorts all boxes again at each find. `cl_broad_incremental` keeps its field
// and the order of the last find, and sorts only boxes whose cell has changed; if a box's number
// changes between finds, it looks to the tree like a box that has moved far. In `cl_broad_loose`,
// cells reach one cell further right and down, so a box on a line between cells rises by at most
// one level, not to the root.
// Source of the loose tree: Ulrich, "Loose Octrees", Game Programming Gems (2000).

#include "broad/quadtree.h"

static bool is_loose(const cl_tree *tree) { return tree->head.class == &cl_broad_loose; }
static bool is_kept(const cl_tree *tree) { return tree->head.class == &cl_broad_incremental; }

static cl_broad *open_tree(const cl_broad_class *class, const cl_broad_def *def) {
  assert(def->depth <= CL_BROAD_MAX_DEPTH);
  cl_tree *tree = cl_new(&def->alloc, sizeof *tree);
  if (!tree) return NULL;
  tree->head = (cl_broad){class, class->name, def->alloc};
  tree->def = *def;
  return &tree->head;
}

static void close_tree(cl_broad *broad) {
  cl_tree *tree = (cl_tree *)broad;
  cl_alloc alloc = broad->alloc;
  cl_sorter_free(&alloc, &tree->sorter);
  cl_crowd_free(&tree->crowd, &alloc);
  CL_FREE(&alloc, tree->order, tree->order_cap);
  CL_FREE(&alloc, tree->key, tree->key_cap);
  CL_FREE(&alloc, tree->box, tree->box_cap);
  cl_free(&alloc, tree, sizeof *tree);
}

// ---- The field

// The requested depth, or else the one with about as many cells as boxes.
static unsigned depth_for(const cl_tree *tree, uint32_t count) {
  if (tree->def.depth) return tree->def.depth;
  unsigned depth = 1;
  while (depth < CL_BROAD_MAX_DEPTH && (uint64_t)1 << (2 * depth) < count) depth++;
  return depth;
}

static cl_fbox widen(cl_fbox b) {
  double w = ((double)b.x1 - b.x0) / 8, h = ((double)b.y1 - b.y0) / 8;
  return cl_fbox_of(b.x0 - w, b.y0 - h, b.x1 + w, b.y1 + h);
}

static bool is_inside(cl_fbox box, cl_fbox field) {
  return box.x0 >= field.x0 && box.y0 >= field.y0 && box.x1 <= field.x1 && box.y1 <= field.y1;
}

// Whether the field still suits boxes with these bounds: it contains them and is not much larger,
// and the number of boxes has not changed much.
static bool still_suits(const cl_tree *tree, cl_fbox bounds, unsigned depth) {
  cl_fbox field = tree->field.box;
  bool deep =
      tree->def.depth ? depth == tree->depth : depth <= tree->depth && depth + 1 >= tree->depth;
  if (!deep || tree->def.bounded) return deep;
  return is_inside(bounds, field) &&
         ((double)field.x1 - field.x0) <= 3 * ((double)bounds.x1 - bounds.x0) &&
         ((double)field.y1 - field.y0) <= 3 * ((double)bounds.y1 - bounds.y0);
}

static void lay_field(cl_tree *tree, const cl_broad_input *in) {
  unsigned depth = depth_for(tree, in->count);
  cl_fbox field = tree->def.bounded ? tree->def.field : cl_fbox_join_all(in->box, in->count);
  if (is_kept(tree)) {
    if (tree->depth > 0 && still_suits(tree, field, depth)) return;
    if (!tree->def.bounded) field = widen(field);
  }
  tree->count = 0; // no key is as it was
  tree->depth = depth;
  tree->field = cl_morton_grid_of(field, depth);
}

// ---- Sorting boxes into the order of their cells

static unsigned level_bits(const cl_tree *tree) { return cl_bit_length(tree->depth); }

// The key by which boxes are sorted: the Morton number of the cell's first corner on the deepest
// level, with the number of its own level in the lowest bits. The cell is the smallest that holds
// both corners of the box; in a loose tree a cell also reaches one cell farther right and down.
static inline uint64_t key_of(const cl_tree *tree, cl_fbox box, bool loose) {
  const cl_morton_grid *field = &tree->field;
  uint32_t left = cl_morton_grid_column(field, box.x0), top = cl_morton_grid_row(field, box.y0);
  uint32_t right = cl_morton_grid_column(field, box.x1);
  uint32_t bottom = cl_morton_grid_row(field, box.y1);
  unsigned climb = loose ? 0 : cl_bit_length((left ^ right) | (top ^ bottom));
  while ((right >> climb) - (left >> climb) > 1 || (bottom >> climb) - (top >> climb) > 1) climb++;
  uint64_t morton = cl_morton(left >> climb, top >> climb);
  return morton << 2 * climb << level_bits(tree) | (tree->depth - climb);
}

static uint64_t morton_at(const cl_tree *tree, uint32_t i) {
  return tree->order[i].key >> level_bits(tree);
}

static unsigned level_at(const cl_tree *tree, uint32_t i) {
  return (unsigned)tree->order[i].key & ((1u << level_bits(tree)) - 1);
}

// Merges sorted items into a sorted list of `count`, which has room for them, from its end.
static void merge_items(cl_keyed *list, uint32_t count, const cl_keyed *item, uint32_t items) {
  while (items > 0) {
    bool last = count == 0 || list[count - 1].key <= item[items - 1].key;
    list[count + items - 1] = last ? item[items - 1] : list[count - 1];
    if (last) items--;
    else count--;
  }
}

// Keeps the boxes in order whose cells are the same as in the last find, and sorts the others.
static void sort_changed(cl_tree *tree, const cl_broad_input *in) {
  cl_keyed *changed = tree->sorter.item;
  uint32_t kept = 0, n = 0;
  bool loose = is_loose(tree);
  for (uint32_t i = 0; i < in->count; i++) {
    uint64_t key = key_of(tree, in->box[i], loose);
    changed[n] = (cl_keyed){key, i};
    n += i >= tree->count || tree->key[i] != key;
    tree->key[i] = key;
  }
  for (uint32_t k = 0; k < tree->count; k++) {
    cl_keyed it = tree->order[k];
    tree->order[kept] = it;
    kept += it.value < in->count && tree->key[it.value] == it.key;
  }
  merge_items(tree->order, kept, cl_sort(&tree->sorter, n, 2 * tree->depth + level_bits(tree)), n);
  tree->count = in->count;
}

static cl_status arrange(cl_tree *tree, const cl_broad_input *in) {
  const cl_alloc *alloc = &tree->head.alloc;
  uint32_t count = in->count;
  cl_status status = cl_sorter_reserve(alloc, &tree->sorter, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->order, tree->order_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->key, tree->key_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->box, tree->box_cap, count);
  if (status != CL_OK) return status;
  CL_WORK(5 * (uint64_t)count);
  lay_field(tree, in);
  sort_changed(tree, in);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t id = tree->order[i].value;
    cl_lanes_put(&tree->box[i].box, &in->box[id]);
    tree->box[i].id = id;
    tree->box[i].fixed = in->fixed ? in->fixed[id] : 0;
  }
  CL_CHECK(cl_tree_is_valid(tree, in));
  return CL_OK;
}

bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < tree->count; i++) {
    uint32_t id = tree->order[i].value;
    uint64_t key = tree->order[i].key;
    if (id >= in->count || id != tree->box[i].id || tree->box[i].box.x0 != in->box[id].x0)
      return false;
    if (key != key_of(tree, in->box[id], is_loose(tree))) return false;
    if (i > 0 && tree->order[i - 1].key > key) return false;
    sum += id;
  }
  return tree->count == in->count && sum == (uint64_t)in->count * (in->count - (in->count > 0)) / 2;
}

// ---- Pairs
//
// The walk goes down from the whole field. The boxes of a cell are a run: first its own, then those
// of the four cells below, one after the other. Its own are tested among themselves and with the
// boxes from above, which lie on the stack. Each cell below gets only those boxes that touch the
// bounds of everything in and below it: boxes from above; the cell's own, which may lie on a
// central line and touch few of those below; and in a loose tree, where cells overlap their
// neighbours, boxes of all cells before it.

// Up to this many boxes are tested among themselves, whatever their cells.
enum { FEW = 16 };

// Boxes of the order, or of the stack; `to` is not included.
typedef struct run {
  uint32_t from, to;
} run;

// Appends the pairs of box `i` with those of a run. Every pair is written, and the next one
// overwrites it if it does not count: no branch depends on the data.
static inline cl_status sweep_run(const cl_tree *tree, uint32_t i, run with, cl_search *search) {
  uint32_t count = with.to - with.from;
  const cl_tree_box *box = tree->box, *me = &box[i];
  cl_pairs *out = search->out;
  search->left -= count;
  CL_WORK(1 + count / 4);
  if (search->left < 0 && !cl_search_goes_on(search)) return CL_CROWDED;
  if (count == 0) return CL_OK;
  cl_status status = CL_RESERVE(&tree->head.alloc, out->at, out->cap, out->count + count);
  if (status != CL_OK) return status;
  cl_f32x4 reach = cl_lanes_reach(&me->box);
  uint32_t id = me->id, fixed = me->fixed;
  cl_pair *at = out->at + out->count;
  for (uint32_t k = with.from; k < with.to; k++) {
    uint32_t other = box[k].id;
    *at = (cl_pair){id < other ? id : other, id < other ? other : id};
    at += cl_lanes_touch(&box[k].box, reach) & !(fixed & box[k].fixed);
  }
  out->count = (size_t)(at - out->at);
  return CL_OK;
}

// The bounds of a run, as cl_lanes_touch takes them.
static cl_f32x4 reach_of_run(const cl_tree *tree, run of) {
  cl_lanes all;
  cl_f32x4 least = cl_f32x4_load(&tree->box[of.from].box.x0);
  for (uint32_t i = of.from + 1; i < of.to; i++) {
    least = cl_f32x4_min(least, cl_f32x4_load(&tree->box[i].box.x0));
  }
  CL_WORK(1 + (of.to - of.from) / 8);
  cl_f32x4_store(&all.x0, least);
  return cl_lanes_reach(&all);
}

// Copies the boxes of a run that reach into some bounds to the stack, which ends at `end`.
static uint32_t pass_down(cl_tree *tree, run of, cl_f32x4 bounds, uint32_t end) {
  for (uint32_t i = of.from; i < of.to; i++) {
    tree->box[end] = tree->box[i];
    end += cl_lanes_touch(&tree->box[i].box, bounds);
  }
  return end;
}

// The end of the cell below level `level` that box `from` is in; the run ends at `to`.
static uint32_t end_of_cell(const cl_tree *tree, uint32_t from, uint32_t to, unsigned level) {
  unsigned shift = 2 * (tree->depth - level - 1);
  uint64_t cell = morton_at(tree, from) >> shift;
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (morton_at(tree, middle) >> shift == cell) from = middle + 1;
    else to = middle;
  }
  return from;
}

// The level of the smallest cell that has all of a run: that of its first box, or one above it.
static unsigned level_of(const cl_tree *tree, run of) {
  uint64_t differ = morton_at(tree, of.from) ^ morton_at(tree, of.to - 1);
  unsigned level = tree->depth - (cl_bit_length(differ) + 1) / 2, first = level_at(tree, of.from);
  return first < level ? first : level;
}

// Finds the pairs of a run, which is a cell, among itself and with the boxes `above`, with which
// the stack ends.
static cl_status walk_down(cl_tree *tree, run cell, run above, cl_search *search) {
  cl_status status = CL_OK;
  run own = cell;
  unsigned level = level_of(tree, cell);
  if (cell.to - cell.from > FEW) {
    own.to = cell.from;
    while (own.to < cell.to && level_at(tree, own.to) == level) own.to++;
  }
  for (uint32_t i = own.from; i < own.to && status == CL_OK; i++) {
    status = sweep_run(tree, i, (run){i + 1, own.to}, search);
    if (status == CL_OK) status = sweep_run(tree, i, above, search);
  }
  run below = {own.to, own.to};
  for (; below.from < cell.to && status == CL_OK; below.from = below.to) {
    below.to = end_of_cell(tree, below.from, cell.to, level);
    run before = {cell.from, is_loose(tree) ? below.from : own.to};
    size_t most = (size_t)(above.to - above.from) + (before.to - before.from);
    search->left -= (int64_t)most;
    CL_WORK(1 + most / 4);
    status = CL_RESERVE(&tree->head.alloc, tree->box, tree->box_cap, above.to + most);
    if (status != CL_OK) return status;
    cl_f32x4 bounds = reach_of_run(tree, below);
    uint32_t end = pass_down(tree, above, bounds, above.to);
    end = pass_down(tree, before, bounds, end);
    status = walk_down(tree, below, (run){above.to, end}, search);
  }
  return status;
}

// ---- The interface

static cl_status tree_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  cl_tree *tree = (cl_tree *)broad;
  cl_search search = cl_search_begin(&tree->crowd, &broad->alloc, in, out);
  cl_status status = in->fine ? CL_CROWDED : arrange(tree, in);
  if (status == CL_OK && in->count > 0) {
    status = walk_down(tree, (run){0, in->count}, (run){in->count, in->count}, &search);
  }
  return cl_search_end(&search, status);
}

static cl_fbox box_of_cell(const cl_tree *tree, uint32_t i) {
  const cl_morton_grid *field = &tree->field;
  unsigned level = level_at(tree, i);
  uint32_t morton = (uint32_t)(morton_at(tree, i) >> 2 * (tree->depth - level));
  double cells = (double)(1u << level);
  double width = ((double)field->box.x1 - field->box.x0) / cells;
  double height = ((double)field->box.y1 - field->box.y0) / cells;
  double left = field->left + cl_gather(morton) * width;
  double top = field->top + cl_gather(morton >> 1) * height;
  return cl_fbox_of(left, top, left + width, top + height);
}

static size_t tree_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const cl_tree *tree = (const cl_tree *)broad;
  size_t cells = 0;
  for (uint32_t i = 0, from = 0; i < tree->count; i++) {
    if (i + 1 < tree->count && tree->order[i + 1].key == tree->order[i].key) continue;
    if (cells < capacity) out[cells] = (cl_cell){box_of_cell(tree, i), i + 1 - from};
    from = i + 1;
    cells++;
  }
  return cells;
}

const cl_broad_class cl_broad_quadtree = {"quadtree", open_tree, close_tree, tree_find, tree_cells};
const cl_broad_class cl_broad_incremental = {"incremental", open_tree, close_tree, tree_find,
                                             tree_cells};
const cl_broad_class cl_broad_loose = {"quadtree", open_tree, close_tree, tree_find, tree_cells};
