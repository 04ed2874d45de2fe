// collide, MIT licence (see LICENSE)
//
// Laying boxes out in a grid's tables: a counting sort by cell. Layer: broad.

#include "base/sort.h"
#include "base/work.h"
#include "broad/hgrid.h"
#include "geom/box.h"

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
  cl_hgrid_place place = cl_hgrid_place_of_lanes(&t->axes, cl_f32x4_load(&b->x0));
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

CL_INLINE void put_all(const cl_hgrid *grid, const cl_hgrid_source *from, bool many) {
  uint32_t count = from->count, first = from->first_id;
  const cl_fbox *box = from->box;
  const uint32_t *list = from->list;
  if (!list) {
    for (uint32_t k = 0; k < count; k++) {
      if (many) ask_ahead(grid, k, count);
      put_box(grid, &box[k], k, k);
    }
    return;
  }
  for (uint32_t k = 0; k < count; k++) {
    if (many) ask_ahead(grid, k, count);
    put_box(grid, &box[list[k]], k, first ? first + k : list[k]);
  }
}

static void put_boxes(cl_hgrid *grid, const cl_hgrid_source *from) {
  const cl_hgrid to = *grid; // a copy: no write can change it
  if (from->count >= MANY) put_all(&to, from, true);
  else put_all(&to, from, false);
  memset(grid->box + from->count, 0, CL_HGRID_PAD * sizeof *grid->box);
  memset(grid->tag + from->count, 0, CL_HGRID_PAD * sizeof *grid->tag);
}

cl_status cl_hgrid_begin(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from) {
  grid->taking = cl_hgrid_plan_may_fit(grid, from->count);
  grid->misfits = false;
  grid->taken = 0;
  if (!grid->taking) return CL_OK;
  cl_status status = reserve(grid, alloc, from->count);
  if (status == CL_OK) clear_cells(grid);
  return status;
}

void cl_hgrid_take(cl_hgrid *grid, const cl_hgrid_source *from, uint32_t first, uint32_t end) {
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
  return cl_hgrid_place_of(t, grid->box[i].x0, grid->box[i].y0);
}

static bool is_same(cl_hgrid_place a, cl_hgrid_place b) {
  return a.column == b.column && a.row == b.row;
}

static cl_fbox box_of(const cl_hgrid_table *t, cl_hgrid_place place) {
  double left = t->axes.origin[0] + (place.column - t->axes.offset) * t->width;
  double top = t->axes.origin[1] + (place.row - t->axes.offset) * t->height;
  return cl_fbox_of(left, top, left + t->width, top + t->height);
}

// In a wrapped table boxes of one cell may be from several places.
size_t cl_hgrid_cells(const cl_hgrid *grid, cl_cell *out, size_t capacity, size_t before) {
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
