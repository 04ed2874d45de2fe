// collide, MIT licence (see LICENSE)
//
// Three quadtrees. Each cell of a level has four below it. A box belongs to the smallest cell that
// contains it, and the boxes are sorted into the order of a depth-first walk over the cells: a
// linear quadtree. Layer: broad.
//
// `cl_broad_quadtree` sorts all boxes anew at each find. `cl_broad_incremental` keeps its field and
// the order of the last find, and sorts only boxes whose cell has changed; if a box's number
// changes between finds, it looks to the tree like a box that has moved far.
//
// In `cl_broad_loose`, cells reach one cell further right and down, so a box on a line between
// cells rises by at most one level, not to the root. A box's columns on its own level are c and
// perhaps c + 1; two boxes that share a point share its column, so the cells of any two that can
// overlap are neighbours, on the coarser one's level: nine cells to look up, in an array of all
// cells, or by hashing where these are many more than boxes.
// Source of the loose tree: Ulrich, "Loose Octrees", Game Programming Gems (2000).

#include "broad/quadtree.h"

// The loose tree has an array of all cells if there are at most this many for each box.
enum { CELLS_A_BOX = 8 };

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
  CL_FREE(&alloc, tree->box, tree->box_cap);
  CL_FREE(&alloc, tree->cell, tree->cell_cap);
  CL_FREE(&alloc, tree->order, tree->order_cap);
  CL_FREE(&alloc, tree->key, tree->key_cap);
  CL_FREE(&alloc, tree->parent, tree->parent_cap);
  CL_FREE(&alloc, tree->bounds, tree->bounds_cap);
  CL_FREE(&alloc, tree->above, tree->above_cap);
  CL_FREE(&alloc, tree->slot, tree->slot_cap);
  cl_free(&alloc, tree, sizeof *tree);
}

// ---- The field

// The depth that was asked for, or else the one at which there are about as many cells as boxes.
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

// Whether the field still suits boxes with these bounds: it contains them, and is not much wider
// or higher; and boxes have not become many more or fewer.
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
    tree->count = 0; // no key is as it was
  }
  tree->depth = depth;
  tree->field = cl_morton_grid_of(field, depth);
}

// ---- The cells of boxes

// Where a box's corners lie: columns and rows on the deepest level.
typedef struct corners {
  uint32_t column0, row0, column1, row1;
} corners;

static inline corners corners_of(const cl_tree *tree, cl_fbox box) {
  const cl_morton_grid *field = &tree->field;
  return (corners){cl_morton_grid_column(field, box.x0), cl_morton_grid_row(field, box.y0),
                   cl_morton_grid_column(field, box.x1), cl_morton_grid_row(field, box.y1)};
}

// The key by which boxes are sorted: the Morton number of the cell's first corner on the deepest
// level, with the number of its own level in the lowest bits.
static unsigned level_bits(const cl_tree *tree) { return cl_bit_length(tree->depth); }

static inline uint64_t key_of(const cl_tree *tree, uint64_t morton, unsigned climb) {
  return morton >> 2 * climb << 2 * climb << level_bits(tree) | (tree->depth - climb);
}

// The smallest cell that contains a box: each pair of bits, from the highest one on in which the
// corners differ, is a level to climb.
static inline uint64_t tight_key(const cl_tree *tree, cl_fbox box) {
  corners at = corners_of(tree, box);
  uint32_t low = cl_morton(at.column0, at.row0), high = cl_morton(at.column1, at.row1);
  return key_of(tree, low, (cl_bit_length(low ^ high) + 1) / 2);
}

// The smallest cell that holds both corners with the one cell more that it reaches right and down.
static inline uint64_t loose_key(const cl_tree *tree, cl_fbox box) {
  corners at = corners_of(tree, box);
  unsigned climb = 0;
  while ((at.column1 >> climb) - (at.column0 >> climb) > 1 ||
         (at.row1 >> climb) - (at.row0 >> climb) > 1) {
    climb++;
  }
  return key_of(tree, cl_morton(at.column0, at.row0), climb);
}

// ---- Sorting boxes into the order of their cells

static const cl_keyed *sort_all(cl_tree *tree, const cl_broad_input *in) {
  cl_keyed *item = tree->sorter.item;
  bool loose = is_loose(tree);
  for (uint32_t i = 0; i < in->count; i++) {
    item[i] = (cl_keyed){loose ? loose_key(tree, in->box[i]) : tight_key(tree, in->box[i]), i};
  }
  return cl_sort(&tree->sorter, in->count, 2 * tree->depth + level_bits(tree));
}

// Merges sorted items into a sorted list of `count`, which has room for them, from its end.
static void merge(cl_keyed *list, uint32_t count, const cl_keyed *item, uint32_t items) {
  while (items > 0) {
    bool last = count == 0 || list[count - 1].key <= item[items - 1].key;
    list[count + items - 1] = last ? item[items - 1] : list[count - 1];
    if (last) items--;
    else count--;
  }
}

// Keeps the boxes in order whose cells are the same as in the last find, and sorts the others.
static const cl_keyed *sort_changed(cl_tree *tree, const cl_broad_input *in) {
  cl_keyed *changed = tree->sorter.item;
  uint32_t kept = 0, n = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint64_t key = tight_key(tree, in->box[i]);
    changed[n] = (cl_keyed){key, i};
    n += i >= tree->count || tree->key[i] != key;
    tree->key[i] = key;
  }
  for (uint32_t k = 0; k < tree->count; k++) {
    cl_keyed it = tree->order[k];
    tree->order[kept] = it;
    kept += it.value < in->count && tree->key[it.value] == it.key;
  }
  const cl_keyed *sorted = cl_sort(&tree->sorter, n, 2 * tree->depth + level_bits(tree));
  merge(tree->order, kept, sorted, n);
  tree->count = in->count;
  return tree->order;
}

static void lay_cells(cl_tree *tree, const cl_broad_input *in, const cl_keyed *sorted) {
  unsigned bits = level_bits(tree);
  tree->cells = 0;
  for (uint32_t i = 0; i < in->count; i++) {
    uint32_t id = sorted[i].value;
    cl_lanes_put(&tree->box[i].box, &in->box[id]);
    tree->box[i].id = id;
    tree->box[i].fixed = in->fixed ? in->fixed[id] : 0;
    if (i == 0 || sorted[i].key != sorted[i - 1].key) {
      uint64_t key = sorted[i].key;
      unsigned level = (unsigned)key & ((1u << bits) - 1);
      tree->cell[tree->cells++] = (cl_tree_cell){(uint32_t)(key >> bits), i, i, level};
    }
    tree->cell[tree->cells - 1].to = i + 1;
  }
}

static cl_status arrange(cl_tree *tree, const cl_broad_input *in) {
  const cl_alloc *alloc = &tree->head.alloc;
  uint32_t count = in->count;
  tree->cells = 0;
  cl_status status = cl_sorter_reserve(alloc, &tree->sorter, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->box, tree->box_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->cell, tree->cell_cap, count);
  if (status == CL_OK && is_kept(tree)) {
    status = CL_RESERVE(alloc, tree->order, tree->order_cap, count);
    if (status == CL_OK) status = CL_RESERVE(alloc, tree->key, tree->key_cap, count);
  }
  if (status != CL_OK) return status;
  CL_WORK(5 * (uint64_t)count);
  lay_field(tree, in);
  lay_cells(tree, in, is_kept(tree) ? sort_changed(tree, in) : sort_all(tree, in));
  CL_CHECK(cl_tree_is_valid(tree, in));
  return CL_OK;
}

// A cell's column and row on its own level, as a Morton number.
static inline uint32_t morton_of(const cl_tree *tree, const cl_tree_cell *cell) {
  return (uint32_t)((uint64_t)cell->first >> 2 * (tree->depth - cell->level));
}

static bool is_held(const cl_tree *tree, const cl_tree_cell *cell, cl_fbox box) {
  unsigned climb = tree->depth - cell->level, more = is_loose(tree);
  uint32_t morton = morton_of(tree, cell);
  uint32_t column = cl_gather(morton), row = cl_gather(morton >> 1);
  corners at = corners_of(tree, box);
  return at.column0 >> climb == column && at.row0 >> climb == row &&
         (at.column1 >> climb) - column <= more && (at.row1 >> climb) - row <= more;
}

bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in) {
  uint64_t sum = 0;
  uint32_t at = 0;
  for (size_t n = 0; n < tree->cells; n++) {
    const cl_tree_cell *cell = &tree->cell[n], *last = cell - 1;
    if (cell->from != at || cell->to <= cell->from || cell->level > tree->depth) return false;
    bool after = n == 0 || last->first < cell->first ||
                 (last->first == cell->first && last->level < cell->level);
    if (!after) return false;
    for (at = cell->from; at < cell->to; at++) {
      uint32_t id = tree->box[at].id;
      if (id >= in->count || !is_held(tree, cell, in->box[id])) return false;
      if (tree->box[at].box.x0 != in->box[id].x0) return false;
      sum += id;
    }
  }
  return at == in->count && sum == (uint64_t)in->count * (in->count - (in->count > 0)) / 2;
}

// ---- Pairs

// Appends the pairs of a box with those `from` to `to` (not included) of a run. Every pair is
// written, and the next one overwrites it if it does not count: no branch depends on the data.
static inline cl_status sweep(const cl_tree *tree, const cl_tree_box *me, const cl_tree_box *run,
                              uint32_t from, uint32_t to, cl_search *search) {
  uint32_t count = to - from;
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
  for (uint32_t j = from; j < to; j++) {
    uint32_t other = run[j].id;
    *at = (cl_pair){id < other ? id : other, id < other ? other : id};
    at += cl_lanes_touch(&run[j].box, reach) & !(fixed & run[j].fixed);
  }
  out->count = (size_t)(at - out->at);
  return CL_OK;
}

// ---- Pairs of a tree whose cells contain their boxes
//
// If two boxes share a point, one of their cells contains the other. So there is one pass over the
// cells, each before those in it, with a stack of the cells above: a cell's boxes are tested among
// themselves, and with those from above. Boxes on a central line lie in a cell near the root, and
// a plain walk would test each of them with all boxes below; here a cell passes down only boxes
// that touch the bounds of all that is in and below the next.

static bool holds(const cl_tree *tree, const cl_tree_cell *above, const cl_tree_cell *below) {
  unsigned shift = 2 * (tree->depth - above->level);
  return (uint64_t)above->first >> shift == (uint64_t)below->first >> shift;
}

static void widen_to(cl_lanes *all, const cl_lanes *box) {
  cl_f32x4_store(&all->x0, cl_f32x4_min(cl_f32x4_load(&all->x0), cl_f32x4_load(&box->x0)));
}

static cl_status link_cells(cl_tree *tree) {
  const cl_alloc *alloc = &tree->head.alloc;
  cl_status status = CL_RESERVE(alloc, tree->parent, tree->parent_cap, tree->cells);
  if (status == CL_OK) status = CL_RESERVE(alloc, tree->bounds, tree->bounds_cap, tree->cells);
  if (status != CL_OK) return status;
  uint32_t *parent = tree->parent;
  for (uint32_t n = 0; n < tree->cells; n++) {
    const cl_tree_cell *me = &tree->cell[n];
    uint32_t p = n > 0 ? n - 1 : 0;
    parent[n] = n;
    while (p != parent[p] && !holds(tree, &tree->cell[p], me)) p = parent[p];
    if (n > 0 && holds(tree, &tree->cell[p], me)) parent[n] = p;
    tree->bounds[n] = tree->box[me->from].box;
    for (uint32_t i = me->from + 1; i < me->to; i++) widen_to(&tree->bounds[n], &tree->box[i].box);
  }
  for (size_t n = tree->cells; n-- > 0;) widen_to(&tree->bounds[parent[n]], &tree->bounds[n]);
  return CL_OK;
}

// A cell of the stack, and the run of boxes from above that touch it.
typedef struct visit {
  uint32_t cell, from, to;
} visit;

// Appends the boxes of a run that reach into some bounds to those from above, which end at `end`.
static uint32_t pass_down(cl_tree *tree, const cl_tree_box *run, uint32_t from, uint32_t to,
                          cl_f32x4 bounds, uint32_t end) {
  for (uint32_t i = from; i < to; i++) {
    tree->above[end] = run[i];
    end += cl_lanes_touch(&run[i].box, bounds);
  }
  return end;
}

// Enters a cell from its parent.
static cl_status enter(cl_tree *tree, const visit *holder, visit *me, cl_search *search) {
  const cl_tree_cell *cell = &tree->cell[holder->cell];
  size_t most = (size_t)(holder->to - holder->from) + (cell->to - cell->from);
  search->left -= (int64_t)most;
  CL_WORK(1 + most / 4);
  cl_status status = CL_RESERVE(&tree->head.alloc, tree->above, tree->above_cap, holder->to + most);
  if (status != CL_OK) return status;
  cl_f32x4 bounds = cl_lanes_reach(&tree->bounds[me->cell]);
  me->from = holder->to;
  me->to = pass_down(tree, tree->above, holder->from, holder->to, bounds, me->from);
  me->to = pass_down(tree, tree->box, cell->from, cell->to, bounds, me->to);
  return CL_OK;
}

// A cell's boxes among themselves, and with those from above.
static cl_status find_in(const cl_tree *tree, const visit *me, cl_search *search) {
  const cl_tree_cell *cell = &tree->cell[me->cell];
  cl_status status = CL_OK;
  for (uint32_t i = cell->from; i < cell->to && status == CL_OK; i++) {
    status = sweep(tree, &tree->box[i], tree->box, i + 1, cell->to, search);
    if (status != CL_OK) return status;
    status = sweep(tree, &tree->box[i], tree->above, me->from, me->to, search);
  }
  return status;
}

static cl_status find_down(cl_tree *tree, cl_search *search) {
  cl_status status = link_cells(tree);
  visit stack[CL_BROAD_MAX_DEPTH + 1];
  unsigned height = 0;
  for (uint32_t n = 0; n < tree->cells && status == CL_OK; n++) {
    while (height > 0 && stack[height - 1].cell != tree->parent[n]) height--;
    stack[height] = (visit){n, 0, 0};
    if (height > 0) status = enter(tree, &stack[height - 1], &stack[height], search);
    if (status == CL_OK) status = find_in(tree, &stack[height], search);
    height++;
  }
  return status;
}

// ---- Pairs of the loose tree

static size_t hash(unsigned level, uint32_t morton) {
  uint64_t h = ((uint64_t)level << 32 | morton) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(h >> 32);
}

// The cells of the levels above one.
static size_t cells_above(unsigned level) { return (((size_t)1 << level << level) - 1) / 3; }

static cl_status index_cells(cl_tree *tree, uint32_t count) {
  size_t all = cells_above(tree->depth + 1), size = 16;
  tree->by_hash = all > (size_t)CELLS_A_BOX * count + 64;
  while (size < 2 * tree->cells) size *= 2;
  if (!tree->by_hash) size = all;
  cl_status status = CL_RESERVE(&tree->head.alloc, tree->slot, tree->slot_cap, size);
  if (status != CL_OK) return status;
  memset(tree->slot, 0, size * sizeof *tree->slot);
  tree->hash_mask = size - 1;
  tree->occupied = 0;
  for (size_t n = 0; n < tree->cells; n++) {
    const cl_tree_cell *cell = &tree->cell[n];
    uint32_t morton = morton_of(tree, cell);
    size_t at = cells_above(cell->level) + morton;
    if (tree->by_hash) {
      at = hash(cell->level, morton) & tree->hash_mask;
      while (tree->slot[at]) at = (at + 1) & tree->hash_mask;
    }
    tree->slot[at] = (uint32_t)n + 1;
    tree->occupied |= 1u << cell->level;
  }
  return CL_OK;
}

static const cl_tree_cell *look_up(const cl_tree *tree, unsigned level, uint32_t morton) {
  if (!tree->by_hash) {
    uint32_t number = tree->slot[cells_above(level) + morton];
    return number ? &tree->cell[number - 1] : NULL;
  }
  size_t at = hash(level, morton) & tree->hash_mask;
  for (; tree->slot[at]; at = (at + 1) & tree->hash_mask) {
    const cl_tree_cell *cell = &tree->cell[tree->slot[at] - 1];
    if (cell->level == level && morton_of(tree, cell) == morton) return cell;
  }
  return NULL;
}

static cl_status cross(const cl_tree *tree, const cl_tree_cell *me, const cl_tree_cell *other,
                       cl_search *search) {
  cl_status status = CL_OK;
  for (uint32_t i = me->from; i < me->to && status == CL_OK; i++) {
    uint32_t from = other == me ? i + 1 : other->from;
    status = sweep(tree, &tree->box[i], tree->box, from, other->to, search);
  }
  return status;
}

// The next column or row in the bits that cl_spread leaves to it.
static uint32_t next_spread(uint32_t spread) { return ((spread | 0xaaaaaaaau) + 1) & 0x55555555u; }

// A cell's boxes against those in the cells around it on a level that is its own or coarser: a box
// reaches into the next column, and is reached from the one before. On its own level half of the
// neighbours will do: the other half finds this cell.
static cl_status find_around(const cl_tree *tree, const cl_tree_cell *me, unsigned level,
                             cl_search *search) {
  uint32_t morton = morton_of(tree, me), last = (1u << me->level) - 1;
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
      const cl_tree_cell *other = look_up(tree, level, across | down);
      search->left--;
      CL_WORK(1);
      if (other) status = cross(tree, me, other, search);
    }
  }
  return status;
}

static cl_status find_neighbours(cl_tree *tree, const cl_broad_input *in, cl_search *search) {
  cl_status status = index_cells(tree, in->count);
  for (size_t n = 0; n < tree->cells && status == CL_OK; n++) {
    const cl_tree_cell *me = &tree->cell[n];
    for (unsigned level = 0; level <= me->level && status == CL_OK; level++) {
      if (tree->occupied >> level & 1) status = find_around(tree, me, level, search);
    }
  }
  return status;
}

// ---- The interface

static cl_status find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  cl_tree *tree = (cl_tree *)broad;
  cl_search search = cl_search_begin(&tree->crowd, &broad->alloc, in, out);
  cl_status status = in->fine ? CL_CROWDED : arrange(tree, in);
  if (status == CL_OK) {
    status = is_loose(tree) ? find_neighbours(tree, in, &search) : find_down(tree, &search);
  }
  return cl_search_end(&search, status);
}

static size_t show_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const cl_tree *tree = (const cl_tree *)broad;
  const cl_morton_grid *field = &tree->field;
  for (size_t n = 0; n < tree->cells && n < capacity; n++) {
    const cl_tree_cell *cell = &tree->cell[n];
    uint32_t morton = morton_of(tree, cell);
    double cells = (double)(1u << cell->level);
    double width = ((double)field->box.x1 - field->box.x0) / cells;
    double height = ((double)field->box.y1 - field->box.y0) / cells;
    double left = field->left + cl_gather(morton) * width;
    double top = field->top + cl_gather(morton >> 1) * height;
    cl_fbox box = cl_fbox_of(left, top, left + width, top + height);
    out[n] = (cl_cell){box, cell->to - cell->from};
  }
  return tree->cells;
}

const cl_broad_class cl_broad_quadtree = {"quadtree", open_tree, close_tree, NULL,
                                          NULL,       find,      show_cells};
const cl_broad_class cl_broad_incremental = {"incremental", open_tree, close_tree, NULL,
                                             NULL,          find,      show_cells};
const cl_broad_class cl_broad_loose = {"quadtree", open_tree, close_tree, NULL,
                                       NULL,       find,      show_cells};
