// collide, MIT licence (see LICENSE)
//
// The grid. Boxes that move are laid out again at each find; fixed boxes have tables of their own,
// kept as long as they stay the same, and are tested only with boxes that move. Within a class of
// sizes a box is tested with half of the cells around it, since the other half finds it; the boxes
// of a class find the boxes of larger classes. Which tables there are: broad/hgrid_plan.c.
// Layer: broad.

#include "broad/hgrid_kernels.h"
#include "geom/box.h"

// ---- Laying boxes out in tables: a counting sort by cell

// With MANY boxes or more, cells do not fit the processor's caches and are prefetched AHEAD boxes
// in advance.
enum { MANY = 8000, AHEAD = 32 };

// How many columns and rows cl_hgrid_slabs has bits for.
enum { SLABS = 63 };

// How many cells past a table's last are read.
enum { CELLS_PAST = 4 };

void cl_hgrid_free(cl_hgrid *grid, const cl_alloc *alloc) {
  CL_FREE(alloc, grid->box, grid->box_cap);
  CL_FREE(alloc, grid->tag, grid->tag_cap);
  CL_FREE(alloc, grid->cell, grid->cell_cap);
  CL_FREE(alloc, grid->start, grid->start_cap);
  *grid = (cl_hgrid){0};
}

static size_t cells_of(const cl_hgrid *grid) {
  const cl_hgrid_table *last = &grid->table[grid->classes - 1];
  return (size_t)last->base + last->cells;
}

static cl_status reserve(cl_hgrid *grid, const cl_alloc *alloc, uint32_t count) {
  size_t boxes = (size_t)count + CL_HGRID_PAD, cells = cells_of(grid) + CELLS_PAST;
  cl_status status = CL_RESERVE(alloc, grid->box, grid->box_cap, boxes);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->tag, grid->tag_cap, boxes);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->cell, grid->cell_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->start, grid->start_cap, cells);
  return status;
}

static inline uint32_t cell_of(const cl_hgrid_table *t, const cl_fbox *b) {
  cl_hgrid_place place = cl_hgrid_place_of(&t->axes, cl_f32x4_load(&b->x0));
  return cl_hgrid_cell_at(t, place.column, place.row);
}

// The class of a box by its size. A box larger than the plan's largest is a misfit.
static inline uint32_t class_of(cl_hgrid *grid, const cl_fbox *b) {
  const cl_hgrid_plan *plan = &grid->plan;
  float size = cl_hgrid_size(*b);
  bool larger = cl_hgrid_exponent(size) > plan->top;
  uint32_t class = plan->class_of[larger ? 0 : cl_hgrid_bin(plan->top, size)];
  const cl_hgrid_table *t = &grid->table[class];
  bool fits = cl_hgrid_fits_cell(t, (double)b->x1 - b->x0, (double)b->y1 - b->y0);
  grid->misfits |= larger | !fits;
  return class;
}

// Chooses a box's cell, and counts the boxes of cell c at start[c + 2]. Later start[c + 1] is where
// the next box of cell c goes, and in the end where cell c + 1 begins.
CL_INLINE void choose_one(cl_hgrid_table *t, const cl_fbox *b, uint32_t *cell, uint32_t *start) {
  uint32_t c = cell_of(t, b);
  *cell = c;
  start[c + 2]++;
}

static void choose_cells(cl_hgrid *grid, const cl_hgrid_source *from, uint32_t k, uint32_t end) {
  uint32_t *cell = grid->cell, *start = grid->start;
  if (grid->classes == 1) {
    cl_hgrid_table table = grid->table[0]; // a copy: no write can change it
    for (; k < end; k++) choose_one(&table, &from->box[cl_hgrid_number(from, k)], &cell[k], start);
    return;
  }
  for (; k < end; k++) {
    const cl_fbox *b = &from->box[cl_hgrid_number(from, k)];
    choose_one(&grid->table[class_of(grid, b)], b, &cell[k], start);
  }
}

static void clear_cells(cl_hgrid *grid) {
  memset(grid->start, 0, (cells_of(grid) + CELLS_PAST) * sizeof *grid->start);
}

CL_INLINE void put_box(const cl_hgrid *grid, const cl_fbox *box, uint32_t k, uint32_t id) {
  uint32_t cell = grid->cell[k], at = grid->start[cell + 1]++;
  cl_lanes_put(&grid->box[at], box);
  grid->tag[at] = (cl_hgrid_tag){id, cell};
}

// Prefetches the memory to which a box ahead will be written, and the counter of
// one still further ahead.
CL_INLINE void ask_ahead(const cl_hgrid *grid, uint32_t k, uint32_t count) {
  if (k + 2 * AHEAD >= count) return;
  uint32_t at = grid->start[grid->cell[k + AHEAD] + 1];
  CL_WILL_WRITE(&grid->start[grid->cell[k + 2 * AHEAD] + 1]);
  CL_WILL_WRITE(&grid->box[at]);
  CL_WILL_WRITE(&grid->tag[at]);
}

CL_INLINE void put_all(const cl_hgrid *grid, const cl_hgrid_source *from, bool many, bool listed) {
  uint32_t count = from->count, first = from->first_id;
  const cl_fbox *box = from->box;
  const uint32_t *list = from->list;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t number = listed ? list[k] : k;
    if (many) ask_ahead(grid, k, count);
    put_box(grid, &box[number], k, listed && first ? first + k : number);
  }
}

static void put_boxes(cl_hgrid *grid, const cl_hgrid_source *from) {
  const cl_hgrid to = *grid; // a copy: no write can change it
  bool many = from->count >= MANY;
  if (from->list) put_all(&to, from, many, true);
  else if (many) put_all(&to, from, true, false);
  else put_all(&to, from, false, false);
  memset(grid->box + from->count, 0, CL_HGRID_PAD * sizeof *grid->box);
  memset(grid->tag + from->count, 0, CL_HGRID_PAD * sizeof *grid->tag);
}

// Begins to lay a grid out with the last plan, if that may fit; it reads only `from->count`.
static cl_status begin_layout(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from) {
  grid->taking = cl_hgrid_plan_may_fit(grid, from->count);
  grid->misfits = false;
  grid->taken = 0;
  if (!grid->taking) return CL_OK;
  cl_status status = reserve(grid, alloc, from->count);
  if (status == CL_OK) clear_cells(grid);
  return status;
}

// Chooses the cells of boxes as they become known: those at the positions `first` to `end` (not
// included) of the list. It ignores `from->count`.
static void take_boxes(cl_hgrid *grid, const cl_hgrid_source *from, uint32_t first, uint32_t end) {
  if (!grid->taking) return;
  cl_hgrid_measure some = cl_hgrid_measure_of(from, first, end);
  grid->found = grid->taken > 0 ? cl_hgrid_measure_join(&grid->found, &some) : some;
  choose_cells(grid, from, first, end);
  grid->taken = end;
}

static cl_status choose_anew(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from) {
  cl_hgrid_make_plan(grid, from);
  if (grid->classes == 0) return CL_OK;
  cl_status status = reserve(grid, alloc, from->count);
  if (status != CL_OK) {
    grid->classes = 0;
    return status;
  }
  clear_cells(grid);
  choose_cells(grid, from, 0, from->count);
  return CL_OK;
}

// Notes which columns and rows of its bounds a table's boxes are in, unless they are in all.
static void mark_slabs(const cl_hgrid *grid, cl_hgrid_table *t) {
  t->held = (cl_hgrid_slabs){UINT64_MAX - 1, UINT64_MAX - 1};
  if (grid->classes == 1 || t->from == t->to || !cl_hgrid_wraps(t)) return;
  cl_f32x4 least = cl_f32x4_load(&grid->box[t->from].x0);
  for (uint32_t i = t->from; i < t->to; i++) {
    least = cl_f32x4_min(least, cl_f32x4_load(&grid->box[i].x0));
  }
  float low[4];
  cl_f32x4_store(low, least);
  for (int k = 0; k < 2; k++) {
    double size = -(double)low[2 + k] - low[k];
    t->slabs.origin[k] = low[k];
    t->slabs.per[k] = size > 0 ? SLABS / size : 0;
    t->slabs.last[k] = SLABS;
  }
  t->slabs.offset = 1;
  t->held = (cl_hgrid_slabs){0, 0};
  for (uint32_t i = t->from; i < t->to && !cl_hgrid_is_everywhere(t); i++) {
    cl_hgrid_slabs its = cl_hgrid_slabs_of(&t->slabs, &grid->box[i]);
    t->held.columns |= its.columns;
    t->held.rows |= its.rows;
  }
}

cl_status cl_hgrid_lay_out(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from) {
  bool done = grid->taking && grid->taken == from->count && cl_hgrid_plan_fits(grid);
  grid->count = 0;
  grid->taking = false;
  grid->kept++;
  cl_status status = done ? CL_OK : choose_anew(grid, alloc, from);
  if (status != CL_OK || grid->classes == 0) return status;
  cl_sum_up(grid->start, cells_of(grid) + CELLS_PAST);
  CL_WORK(3 * (uint64_t)from->count);
  put_boxes(grid, from);
  grid->count = from->count;
  for (uint32_t k = 0; k < grid->classes; k++) {
    cl_hgrid_table *t = &grid->table[k];
    t->from = grid->start[t->base];
    t->to = grid->start[t->base + t->cells];
    mark_slabs(grid, t);
  }
  return CL_OK;
}

// The place of a box in its table.
static cl_hgrid_place place_of(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i) {
  return cl_hgrid_place_of(&t->axes, cl_f32x4_load(&grid->box[i].x0));
}

static bool is_same(cl_hgrid_place a, cl_hgrid_place b) {
  return a.column == b.column && a.row == b.row;
}

static cl_fbox box_of(const cl_hgrid_table *t, cl_hgrid_place place) {
  double left = t->axes.origin[0] + (place.column - t->axes.offset) * t->width;
  double top = t->axes.origin[1] + (place.row - t->axes.offset) * t->height;
  return cl_fbox_of(left, top, left + t->width, top + t->height);
}

// Writes the cells that hold boxes, as cl_broad_class.cells; another grid has written the first
// `before`. In a wrapped table boxes of one cell may be from several places.
static size_t list_cells(const cl_hgrid *grid, cl_cell *out, size_t capacity, size_t before) {
  size_t n = before;
  if (grid->taking) return n; // the layout that was begun was never finished
  for (uint32_t k = 0; k < grid->classes; k++) {
    const cl_hgrid_table *t = &grid->table[k];
    for (uint32_t i = t->from; i < t->to; i++) {
      uint32_t cell = grid->tag[i].cell, end = grid->start[cell + 1], j = i, same = 0;
      cl_hgrid_place place = place_of(grid, t, i);
      while (j > grid->start[cell] && !is_same(place_of(grid, t, j - 1), place)) j--;
      if (j > grid->start[cell]) continue; // counted with an earlier box
      for (j = i; j < end; j++) same += is_same(place_of(grid, t, j), place);
      if (n < capacity) out[n] = (cl_cell){box_of(t, place), same};
      n++;
    }
  }
  return n;
}

// ---- Whether tables are valid

static bool is_in_cell(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i, uint32_t cell) {
  const cl_lanes *b = &grid->box[i];
  cl_hgrid_place place = cl_hgrid_place_of(&t->axes, cl_f32x4_load(&b->x0));
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

// ---- The broad phase

// The ids of fixed boxes: their number among the fixed with this bit, so that
// they need not be laid out again when others are added before them.
#define FIXED 0x80000000u

// `auto` is the grid, but up to this many boxes it tests all pairs: laying out tables takes longer.
// The grid was the fastest on every scene measured, with boxes of all sizes, clusters and far
// outliers. The choice depends only on the boxes, so equal worlds choose the same.
enum { HANDFUL = 4 };

typedef struct grid {
  cl_broad head;
  bool brute; // the last find was by testing all pairs
  bool fours; // as in cl_broad_def
  cl_hgrid moving, fixed;
  uint64_t order, static_version; // of the input that the lists and `fixed` are from
  uint32_t *move, *stay;          // the numbers of boxes that move, and of those that do not
  size_t move_cap, stay_cap;
  uint32_t moves, stays;
  cl_crowd crowd;
} grid;

static cl_broad *open_grid(const cl_broad_class *class, const cl_broad_def *def) {
  grid *self = cl_new(&def->alloc, sizeof *self);
  if (!self) return NULL;
  self->head = (cl_broad){class, cl_broad_grid.name, def->alloc};
  self->fours = def->fours;
  return &self->head;
}

static cl_broad *grid_open(const cl_broad_def *def) { return open_grid(&cl_broad_grid, def); }
static cl_broad *auto_open(const cl_broad_def *def) { return open_grid(&cl_broad_auto, def); }

static void grid_close(cl_broad *broad) {
  grid *self = (grid *)broad;
  cl_alloc alloc = broad->alloc;
  cl_hgrid_free(&self->moving, &alloc);
  cl_hgrid_free(&self->fixed, &alloc);
  CL_FREE(&alloc, self->move, self->move_cap);
  CL_FREE(&alloc, self->stay, self->stay_cap);
  cl_crowd_free(&self->crowd, &alloc);
  cl_free(&alloc, self, sizeof *self);
}

// Writes the two lists, each number to both of them: no branch depends on the data.
static cl_status list_boxes(grid *self, const cl_broad_input *in) {
  if (in->order != 0 && in->order == self->order) return CL_OK;
  self->order = 0;
  self->moves = self->stays = 0;
  const cl_alloc *alloc = &self->head.alloc;
  size_t capacity = (size_t)in->count + 1;
  cl_status status = CL_RESERVE(alloc, self->move, self->move_cap, capacity);
  if (status == CL_OK) status = CL_RESERVE(alloc, self->stay, self->stay_cap, capacity);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < in->count; i++) {
    self->move[self->moves] = self->stay[self->stays] = i;
    self->moves += !in->fixed[i];
    self->stays += !!in->fixed[i];
  }
  self->order = in->order;
  return CL_OK;
}

static cl_status lay_out_fixed(grid *self, const cl_broad_input *in) {
  if (in->static_version != 0 && in->static_version == self->static_version) return CL_OK;
  self->static_version = 0;
  cl_hgrid_source from = {in->box, self->stay, self->stays, FIXED};
  cl_status status = cl_hgrid_lay_out(&self->fixed, &self->head.alloc, &from);
  if (status == CL_OK) self->static_version = in->static_version;
  return status;
}

// Lists the boxes that move, after laying out the fixed ones.
static cl_status list_moving(grid *self, const cl_broad_input *in, cl_hgrid_source *from) {
  *from = (cl_hgrid_source){in->box, NULL, in->count, 0};
  if (!in->fixed) {
    self->order = self->static_version = 0;
    self->stays = self->fixed.classes = self->fixed.count = 0;
    return CL_OK;
  }
  cl_status status = list_boxes(self, in);
  if (status == CL_OK) status = lay_out_fixed(self, in);
  CL_CHECK(
      status != CL_OK ||
      cl_hgrid_is_valid(&self->fixed, &(cl_hgrid_source){in->box, self->stay, self->stays, FIXED}));
  from->list = self->move;
  from->count = self->moves;
  return status;
}

static bool is_brute(const grid *self, const cl_broad_input *in) {
  return self->head.class == &cl_broad_auto && in->count <= HANDFUL;
}

static cl_status grid_begin(cl_broad *broad, const cl_broad_input *in) {
  grid *self = (grid *)broad;
  if (is_brute(self, in)) return CL_OK;
  cl_hgrid_source from;
  cl_status status = list_moving(self, in, &from);
  return status == CL_OK ? begin_layout(&self->moving, &broad->alloc, &from) : status;
}

static void grid_take(cl_broad *broad, const cl_broad_input *in, uint32_t from, uint32_t to) {
  grid *self = (grid *)broad;
  if (is_brute(self, in)) return;
  cl_hgrid_source all = {in->box, in->fixed ? self->move : NULL, 0, 0};
  take_boxes(&self->moving, &all, from, to);
}

static cl_status lay_out(grid *self, const cl_broad_input *in) {
  cl_hgrid_source from;
  cl_status status = list_moving(self, in, &from);
  if (status == CL_OK) status = cl_hgrid_lay_out(&self->moving, &self->head.alloc, &from);
  CL_CHECK(status != CL_OK || cl_hgrid_is_valid(&self->moving, &from));
  return status;
}

static uint32_t count_of(const cl_hgrid_table *t) { return t->to - t->from; }

// Work, in nanoseconds of some processor: to look for a box in a table, for each row (more if rows
// are in pieces, because the table wraps), and for each box that is tested.
static const double WORK_LOOK = 2, WORK_ROW = 4, WORK_WRAPPED_ROW = 6, WORK_TEST = 0.6;

// The estimated work of looking up all boxes of one table in another.
static double work_of_looking(const cl_hgrid_table *mine, const cl_hgrid_table *other) {
  double columns = mine->mean[0] / other->width + 2, rows = mine->mean[1] / other->height + 2;
  double density = (double)count_of(other) / other->cells, row = WORK_ROW;
  if (cl_hgrid_wraps(other)) {
    if (4 * rows * (rows + columns) > other->cells) return INFINITY;
    row = WORK_WRAPPED_ROW;
  }
  return count_of(mine) * (WORK_LOOK + rows * row + columns * rows * density * WORK_TEST);
}

static cl_status sweep_within(const grid *self, const cl_hgrid_table *t, cl_search *search) {
  if (self->fours) return cl_hgrid_within_plain(&self->moving, t, search);
  return CL_BEST(cl_hgrid_within)(&self->moving, t, search);
}

// Pairs of two tables: the boxes of one are looked up in the other, in the direction with less
// work, or all are tested if one table has very few boxes.
static cl_status sweep_between(const grid *self, const cl_hgrid *a, const cl_hgrid_table *in_a,
                               const cl_hgrid *b, const cl_hgrid_table *in_b, cl_search *search) {
  double ab = work_of_looking(in_a, in_b), ba = work_of_looking(in_b, in_a);
  bool all = (double)count_of(in_a) * count_of(in_b) * WORK_TEST <= (ab < ba ? ab : ba);
  bool turn = all ? count_of(in_a) > count_of(in_b) : ab > ba;
  if (turn) return sweep_between(self, b, in_b, a, in_a, search);
  if (self->fours) return cl_hgrid_across_plain(a, in_a, b, in_b, all, search);
  return CL_BEST(cl_hgrid_across)(a, in_a, b, in_b, all, search);
}

static cl_status find_moving(const grid *self, cl_search *search) {
  const cl_hgrid *moving = &self->moving;
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < moving->classes; k++) {
    const cl_hgrid_table *large = &moving->table[k];
    if (status == CL_OK) status = sweep_within(self, large, search);
    for (uint32_t j = 0; j < k && status == CL_OK; j++) {
      status = sweep_between(self, moving, &moving->table[j], moving, large, search);
    }
  }
  return status;
}

static cl_status find_fixed(const grid *self, cl_search *search) {
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < self->moving.classes; k++) {
    for (uint32_t j = 0; j < self->fixed.classes && status == CL_OK; j++) {
      status = sweep_between(self, &self->moving, &self->moving.table[k], &self->fixed,
                             &self->fixed.table[j], search);
    }
  }
  return status;
}

// Gives the fixed boxes of pairs their numbers in the input.
static void number_fixed(const grid *self, cl_pairs *out, size_t from) {
  for (size_t i = from; i < out->count; i++) {
    uint32_t a = out->at[i].a, b = out->at[i].b;
    out->at[i] =
        a & FIXED ? (cl_pair){self->stay[a - FIXED], b} : (cl_pair){a, self->stay[b - FIXED]};
  }
}

// Puts the smaller number of each pair first.
static void order_pairs(cl_pairs *out, size_t from) {
  for (size_t i = from; i < out->count; i++) {
    uint32_t a = out->at[i].a, b = out->at[i].b;
    out->at[i] = (cl_pair){a < b ? a : b, a < b ? b : a};
  }
}

static cl_status find_by_cells(grid *self, const cl_broad_input *in, cl_search *search) {
  cl_pairs *out = search->out;
  size_t first = out->count;
  cl_status status = lay_out(self, in);
  if (status == CL_OK) status = find_moving(self, search);
  size_t from = out->count;
  if (status == CL_OK) status = find_fixed(self, search);
  number_fixed(self, out, from);
  if (!in->either_way) order_pairs(out, first);
  return status;
}

static cl_status grid_find(cl_broad *broad, const cl_broad_input *in, cl_pairs *out) {
  grid *self = (grid *)broad;
  self->brute = is_brute(self, in);
  self->head.name = self->brute ? cl_broad_brute.name : cl_broad_grid.name;
  if (self->brute) return cl_broad_brute.find(broad, in, out);
  cl_search search = cl_search_begin(&self->crowd, &broad->alloc, in, out);
  return cl_search_end(&search, in->fine ? CL_CROWDED : find_by_cells(self, in, &search));
}

static size_t grid_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const grid *self = (const grid *)broad;
  if (self->brute) return 0;
  size_t moving = list_cells(&self->moving, out, capacity, 0);
  return list_cells(&self->fixed, out, capacity, moving);
}

const cl_broad_class cl_broad_grid = {"grid",    grid_open, grid_close, grid_begin,
                                      grid_take, grid_find, grid_cells};
const cl_broad_class cl_broad_auto = {"auto",    auto_open, grid_close, grid_begin,
                                      grid_take, grid_find, grid_cells};
