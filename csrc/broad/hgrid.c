// collide, MIT licence (see LICENSE)
//
// The grid. Boxes that move are laid out again at each find; fixed boxes have tables of their own,
// kept as long as they stay the same, and are tested only with boxes that move. Within a class of
// sizes a box is tested with half of the cells around it, since boxes in the other half are tested
// with it; boxes are also tested with those of larger classes. Layer: broad.
//
// A plan says which sizes share a table, how large its cells are, and whether it wraps around.
// Sizes are counted by their binary order of magnitude. Of all ways to divide these into classes,
// the plan is the one with the least estimated work for evenly spread boxes. If they are so uneven
// that there are too many tests, the search for crowds takes over (broad/search.h). The plan
// depends only on the boxes, so the same boxes always give the same tables.

#include "broad/hgrid_kernels.h"
#include "geom/box.h"

// ---- Measuring boxes

typedef cl_hgrid_measure measure;

// Boxes are measured two at a time, since each minimum waits for the one before it.
typedef struct extremes {
  cl_f32x4 low, high, least, most;
} extremes;

// The width and height, in the last two lanes.
static inline cl_f32x4 sizes_of(cl_f32x4 box) { return cl_f32x4_sub(box, cl_f32x4_swapped(box)); }

static inline void extend(extremes *e, const cl_fbox *b) {
  cl_f32x4 v = cl_f32x4_load(&b->x0), size = sizes_of(v);
  e->low = cl_f32x4_min(e->low, v);
  e->high = cl_f32x4_max(e->high, v);
  e->least = cl_f32x4_min(e->least, size);
  e->most = cl_f32x4_max(e->most, size);
}

static uint32_t number_at(const cl_hgrid_source *from, uint32_t k) {
  return from->list ? from->list[k] : k;
}

// Of at least one box.
static measure measure_all(const cl_hgrid_source *from) {
  uint32_t k = 1, end = from->count;
  cl_f32x4 v = cl_f32x4_load(&from->box[number_at(from, 0)].x0), size = sizes_of(v);
  extremes even = {v, v, size, size}, odd = even;
  for (; k + 1 < end; k += 2) {
    extend(&even, &from->box[number_at(from, k)]);
    extend(&odd, &from->box[number_at(from, k + 1)]);
  }
  if (k < end) extend(&even, &from->box[number_at(from, k)]);
  float low[4], high[4], least[4], most[4];
  cl_f32x4_store(low, cl_f32x4_min(even.low, odd.low));
  cl_f32x4_store(high, cl_f32x4_max(even.high, odd.high));
  cl_f32x4_store(least, cl_f32x4_min(even.least, odd.least));
  cl_f32x4_store(most, cl_f32x4_max(even.most, odd.most));
  return (measure){
      {low[0], low[1], high[0], high[1]}, {least[2], most[2]}, {least[3], most[3]}, end};
}

static float longer(float w, float h) { return w > h ? w : h; }

// The exponent of a size, and its bin: how far the exponent is below that of the largest size.
static inline int exponent_of(float size) {
  uint32_t bits;
  memcpy(&bits, &size, sizeof bits);
  return (int)(bits >> 23);
}

static inline unsigned bin_of(int top, float size) {
  int below = top - exponent_of(size);
  return below < CL_HGRID_CLASSES ? (unsigned)below : CL_HGRID_CLASSES - 1;
}

// ---- The plan

// Sizes within this factor need no classes.
enum { ALIKE = 4 };

// A table has a cell for every place if that makes at most MOST_EXACT cells for each box; else it
// wraps around, with WRAPPED to twice as many.
enum { MOST_EXACT = 8, WRAPPED = 2 };

// Cells are larger than boxes by these shares. MARGIN is more than rounding can move a box, in
// cells (cl_hgrid_place_of). SPARE lets boxes that round differently at their next place still fit.
// With WRAPPED_MARGIN, boxes at multiples of a power of two do not all share a few cells of a
// wrapped table.
static const double MARGIN = 1e-5, SPARE = 0.004, WRAPPED_MARGIN = 0.03;

// A plan of several classes is kept while the number and bounds of the boxes change by at most
// these shares, and for at most this many layouts.
static const double MORE = 0.25, SPREAD = 0.0625;
enum { KEPT = 64 };

// If an exact table has fewer boxes than FILLED per cell, its cells grow by up to ROOM: the vector
// loops take four boxes of a row anyway, and fewer cells take less time to walk.
static const double FILLED = 0.6, ROOM = 0.25;

// A cell is at most this many times longer than it is wide, or the reverse.
static const double SLENDER = 16;

// Corners of wrapped tables are counted from here, so that none is below 0. The stride is the
// golden ratio's share of the cells.
#define MIDDLE 1073741824.0
#define GOLDEN 0.3819660112501051

// Work, in nanoseconds of some processor: to lay a box out and test it with its neighbours; to look
// it up in the table of a larger class; and for each box that is tested.
static const double WORK_WITHIN = 9, WORK_ACROSS = 10, WORK_TEST = 0.5;
// How many cells a box is tested with, within its class and in another.
static const double CELLS_WITHIN = 4.5, CELLS_ACROSS = 5;
// Boxes count as evenly spread, but over at most this many times their own area: otherwise a few
// far away would make the others look sparse.
static const double SPARSE = 1024;

// The boxes of one order of magnitude, or of several.
typedef struct bin {
  double count;
  double width, height; // the greatest
  double sum;           // of sizes
} bin;

// The width and height of the bounds of all corners.
static double across(const measure *m) { return (double)m->corners.x1 - m->corners.x0; }
static double down(const measure *m) { return (double)m->corners.y1 - m->corners.y0; }

// The width and height of the cells for boxes up to a size. Boxes without width or height need
// cells, too: one for each, if they are evenly spread.
static void choose_cell(const bin *size, const measure *m, double *width, double *height) {
  double w = cl_max(size->width, size->height / SLENDER);
  double h = cl_max(size->height, size->width / SLENDER);
  if (w == 0) {
    double longest = cl_max(across(m), down(m));
    w = cl_max(sqrt(across(m) * down(m) / size->count), longest / size->count);
    w = h = w > 0 ? w : 1;
  }
  *width = w;
  *height = h;
}

static uint32_t power_of_two(uint32_t least) {
  uint32_t power = 64;
  while (power < least) power *= 2;
  return power;
}

static void lay_wrapped(cl_hgrid_table *t, uint32_t count) {
  t->cells = power_of_two(count < 0x20000000 ? WRAPPED * count : 0x40000000);
  t->mask = t->cells - 1;
  t->stride = (uint32_t)(t->cells * GOLDEN) | 1;
  t->origin[0] = t->origin[1] = 0;
  t->last[0] = t->last[1] = 2 * MIDDLE - 3;
  t->offset = MIDDLE;
}

static void lay_exact(cl_hgrid_table *t, cl_fbox corners, double columns, double rows) {
  t->stride = (uint32_t)columns + 1;
  t->cells = ((uint32_t)rows + 2) * t->stride + 1;
  t->mask = UINT32_MAX;
  t->origin[0] = corners.x0;
  t->origin[1] = corners.y0;
  t->last[0] = columns;
  t->last[1] = rows;
  t->offset = 1;
}

static void lay_table(cl_hgrid_table *t, const bin *size, const measure *m) {
  double width, height;
  choose_cell(size, m, &width, &height);
  double space = (across(m) + width) * (down(m) + height) / (size->count * width * height);
  double more = 1 + cl_max(SPARE, cl_min(sqrt(space * FILLED) - 1, ROOM));
  double columns = floor(across(m) / (width * more)) + 1;
  double rows = floor(down(m) / (height * more)) + 1;
  if ((columns + 1) * (rows + 2) <= MOST_EXACT * size->count + 64) {
    lay_exact(t, m->corners, columns, rows);
  } else {
    more = (1 + MARGIN) * (1 + WRAPPED_MARGIN);
    lay_wrapped(t, (uint32_t)size->count);
  }
  t->width = width * more;
  t->height = height * more;
  t->per[0] = 1 / t->width;
  t->per[1] = 1 / t->height;
}

static void join_bins(bin *all, const bin *more) {
  all->count += more->count;
  all->width = cl_max(all->width, more->width);
  all->height = cl_max(all->height, more->height);
  all->sum += more->sum;
}

// The fraction of a class's boxes that are in a cell, on average.
static double share_in_cell(const bin *class, const measure *m, double width, double height) {
  double mean = class->sum / class->count;
  double space = (across(m) + width) * (down(m) + height);
  space = cl_min(space, SPARSE * class->count * mean * mean);
  return space > width * height ? width * height / space : 1;
}

// The estimated work for a class, with `below` boxes in the classes of smaller sizes.
static double work_of(const bin *class, double below, const measure *m) {
  double width, height;
  choose_cell(class, m, &width, &height);
  double in_cell = class->count * share_in_cell(class, m, width, height);
  double above = WORK_ACROSS + WORK_TEST * cl_min(CELLS_ACROSS * in_cell, class->count);
  double all = WORK_TEST * class->count;
  return class->count * (WORK_WITHIN + WORK_TEST * cl_min(CELLS_WITHIN * in_cell, class->count)) +
         below * cl_min(above, all);
}

// Counts the boxes of each order of magnitude.
static void count_bins(bin bins[CL_HGRID_CLASSES], int top, const cl_hgrid_source *from) {
  float width[CL_HGRID_CLASSES] = {0}, height[CL_HGRID_CLASSES] = {0};
  float sum[CL_HGRID_CLASSES] = {0};
  uint32_t count[CL_HGRID_CLASSES] = {0};
  for (uint32_t k = 0; k < from->count; k++) {
    cl_fbox b = from->box[number_at(from, k)];
    float w = b.x1 - b.x0, h = b.y1 - b.y0, size = longer(w, h);
    unsigned n = bin_of(top, size);
    width[n] = longer(w, width[n]);
    height[n] = longer(h, height[n]);
    sum[n] += size;
    count[n]++;
  }
  for (int n = 0; n < CL_HGRID_CLASSES; n++) {
    bins[n] = (bin){count[n], width[n], height[n], sum[n]};
  }
}

// Divides the bins into classes, from the smallest sizes on: a bin begins a new class if that is
// less work than joining the class before it.
static void lay_classes(cl_hgrid *grid, const cl_hgrid_source *from, const measure *m) {
  bin bins[CL_HGRID_CLASSES], class = {0};
  double below = 0;
  count_bins(bins, grid->top, from);
  for (int n = CL_HGRID_CLASSES - 1; n >= 0; n--) {
    bin both = class;
    join_bins(&both, &bins[n]);
    bool apart = class.count > 0 && bins[n].count > 0 &&
                 work_of(&class, below, m) + work_of(&bins[n], below + class.count, m) <
                     work_of(&both, below, m);
    if (apart) {
      lay_table(&grid->table[grid->classes++], &class, m);
      below += class.count;
    }
    class = apart ? bins[n] : both;
    grid->class_of[n] = (uint8_t)grid->classes;
  }
  lay_table(&grid->table[grid->classes++], &class, m);
}

// Makes the plan and its tables, except their `from` and `to`.
static void make_plan(cl_hgrid *grid, const cl_hgrid_source *from, const measure *m) {
  float least = longer(m->wide[0], m->high[0]), most = longer(m->wide[1], m->high[1]);
  grid->planned = *m;
  grid->top = exponent_of(most);
  grid->classes = grid->kept = 0;
  if (most <= least * ALIKE) {
    bin all = {m->count, m->wide[1], m->high[1], 0}; // the sum is for an estimate alone
    lay_table(&grid->table[0], &all, m);
    grid->classes = 1;
  } else {
    lay_classes(grid, from, m);
  }
  uint32_t base = 0;
  for (uint32_t k = 0; k < grid->classes; k++) {
    grid->table[k].base = base;
    base += grid->table[k].cells;
  }
}

static bool is_like(float low, float high, float was_low, float was_high, float size) {
  double span = (double)was_high - was_low, slack = span * SPREAD + 2 * size;
  return low >= was_low - slack && high <= was_high + slack &&
         2 * ((double)high - low + size) >= span;
}

// Whether a plan of several classes still suits the boxes. Whether they fit its cells is tested
// later.
static bool is_plan_like(const cl_hgrid *grid, const measure *now) {
  const measure *was = &grid->planned;
  double count = was->count;
  float size = longer(now->wide[1], now->high[1]);
  return grid->classes > 1 && grid->kept < KEPT && now->count >= count * (1 - MORE) &&
         now->count <= count * (1 + MORE) && 2 * size >= longer(was->wide[1], was->high[1]) &&
         is_like(now->corners.x0, now->corners.x1, was->corners.x0, was->corners.x1, size) &&
         is_like(now->corners.y0, now->corners.y1, was->corners.y0, was->corners.y1, size);
}

// ---- Laying boxes out in tables: a counting sort by cell

// With MANY boxes or more, cells do not fit the processor's caches and are prefetched AHEAD boxes
// in advance.
enum { MANY = 8000, AHEAD = 32 };

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

static cl_status reserve_tables(cl_hgrid *grid, const cl_alloc *alloc, uint32_t count) {
  size_t boxes = (size_t)count + CL_HGRID_PAD, cells = cells_of(grid) + CELLS_PAST;
  cl_status status = CL_RESERVE(alloc, grid->box, grid->box_cap, boxes);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->tag, grid->tag_cap, boxes);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->cell, grid->cell_cap, count);
  if (status == CL_OK) status = CL_RESERVE(alloc, grid->start, grid->start_cap, cells);
  return status;
}

static inline uint32_t cell_of(const cl_hgrid_table *t, const cl_fbox *b) {
  cl_hgrid_place place = cl_hgrid_place_of(t, cl_f32x4_load(&b->x0));
  return cl_hgrid_cell_at(t, place.column, place.row);
}

// The class of a box by its size. Sets `misfits` if the box is larger than those the plan was made
// for, or than its cell.
static inline uint32_t class_of(const cl_hgrid *grid, const cl_fbox *b, bool *misfits) {
  float w = b->x1 - b->x0, h = b->y1 - b->y0, size = longer(w, h);
  bool larger = exponent_of(size) > grid->top;
  uint32_t class = grid->class_of[larger ? 0 : bin_of(grid->top, size)];
  const cl_hgrid_table *t = &grid->table[class];
  bool fits = ((double)b->x1 - b->x0) * (1 + MARGIN) <= t->width &&
              ((double)b->y1 - b->y0) * (1 + MARGIN) <= t->height;
  *misfits |= larger | !fits;
  return class;
}

// Chooses a box's cell, and counts the boxes of cell c at start[c + 2]. Later start[c + 1] is where
// the next box of cell c goes, and in the end where cell c + 1 begins.
CL_INLINE void choose_one(const cl_hgrid_table *t, const cl_fbox *b, uint32_t *cell,
                          uint32_t *start) {
  uint32_t c = cell_of(t, b);
  *cell = c;
  start[c + 2]++;
}

// Chooses all cells. False if some box does not fit the plan.
static bool choose_cells(const cl_hgrid *grid, const cl_hgrid_source *from) {
  uint32_t *cell = grid->cell, *start = grid->start;
  bool misfits = false;
  memset(start, 0, (cells_of(grid) + CELLS_PAST) * sizeof *start);
  if (grid->classes == 1) {
    cl_hgrid_table table = grid->table[0]; // a copy: no write can change it
    for (uint32_t k = 0; k < from->count; k++)
      choose_one(&table, &from->box[number_at(from, k)], &cell[k], start);
    return true;
  }
  for (uint32_t k = 0; k < from->count; k++) {
    const cl_fbox *b = &from->box[number_at(from, k)];
    choose_one(&grid->table[class_of(grid, b, &misfits)], b, &cell[k], start);
  }
  return !misfits;
}

CL_INLINE void put_one(const cl_hgrid *grid, const cl_fbox *box, uint32_t k, uint32_t id) {
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
    put_one(grid, &box[number], k, listed && first ? first + k : number);
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

cl_status cl_hgrid_lay_out(cl_hgrid *grid, const cl_alloc *alloc, const cl_hgrid_source *from) {
  grid->count = 0;
  if (from->count == 0) grid->classes = 0;
  if (from->count == 0) return CL_OK;
  measure m = measure_all(from);
  bool keep = is_plan_like(grid, &m), fits;
  do {
    if (!keep) make_plan(grid, from, &m);
    cl_status status = reserve_tables(grid, alloc, from->count);
    if (status != CL_OK) {
      grid->classes = 0;
      return status;
    }
    fits = choose_cells(grid, from) || !keep;
    keep = false;
  } while (!fits);
  cl_sum_up(grid->start, cells_of(grid) + CELLS_PAST);
  CL_WORK(3 * (uint64_t)from->count);
  put_boxes(grid, from);
  grid->count = from->count;
  grid->kept++;
  for (uint32_t k = 0; k < grid->classes; k++) {
    cl_hgrid_table *t = &grid->table[k];
    t->from = grid->start[t->base];
    t->to = grid->start[t->base + t->cells];
  }
  return CL_OK;
}

// ---- The cells, and whether they are valid

// The place of a box in its table.
static cl_hgrid_place place_of_box(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i) {
  return cl_hgrid_place_of(t, cl_f32x4_load(&grid->box[i].x0));
}

static bool places_equal(cl_hgrid_place a, cl_hgrid_place b) {
  return a.column == b.column && a.row == b.row;
}

static cl_fbox box_of_place(const cl_hgrid_table *t, cl_hgrid_place place) {
  double left = t->origin[0] + (place.column - t->offset) * t->width;
  double top = t->origin[1] + (place.row - t->offset) * t->height;
  return cl_fbox_of(left, top, left + t->width, top + t->height);
}

// Writes the cells that hold boxes, as cl_broad_class.cells; another grid has written the first
// `before`. In a wrapped table boxes of one cell may be from several places.
static size_t list_cells(const cl_hgrid *grid, cl_cell *out, size_t capacity, size_t before) {
  size_t n = before;
  for (uint32_t k = 0; k < grid->classes; k++) {
    const cl_hgrid_table *t = &grid->table[k];
    for (uint32_t i = t->from; i < t->to; i++) {
      uint32_t cell = grid->tag[i].cell, end = grid->start[cell + 1], j = i, same = 0;
      cl_hgrid_place place = place_of_box(grid, t, i);
      while (j > grid->start[cell] && !places_equal(place_of_box(grid, t, j - 1), place)) j--;
      if (j > grid->start[cell]) continue; // counted with an earlier box
      for (j = i; j < end; j++) same += places_equal(place_of_box(grid, t, j), place);
      if (n < capacity) out[n] = (cl_cell){box_of_place(t, place), same};
      n++;
    }
  }
  return n;
}

static bool is_in_cell(const cl_hgrid *grid, const cl_hgrid_table *t, uint32_t i, uint32_t cell) {
  const cl_lanes *b = &grid->box[i];
  cl_hgrid_place place = cl_hgrid_place_of(t, cl_f32x4_load(&b->x0));
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
  // An exact table keeps these empty: column 0, and the first and the last row.
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

// `auto` is the grid, but tests all pairs of up to this many boxes: laying out tables would take
// longer. The grid was the fastest on every scene measured, with boxes of all sizes, clusters and
// far outliers. The choice depends only on the boxes, so equal worlds choose the same.
enum { HANDFUL = 4 };

// Testing a box with this many others takes no longer than looking it up.
enum { FEW_TESTS = 16 };

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
static cl_status list_by_motion(grid *self, const cl_broad_input *in) {
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

static bool is_brute(const grid *self, const cl_broad_input *in) {
  return self->head.class == &cl_broad_auto && in->count <= HANDFUL;
}

static cl_status lay_out_fixed(grid *self, const cl_broad_input *in) {
  cl_hgrid_source from = {in->box, self->stay, self->stays, FIXED};
  if (in->static_version == 0 || in->static_version != self->static_version) {
    self->static_version = 0;
    cl_status status = cl_hgrid_lay_out(&self->fixed, &self->head.alloc, &from);
    if (status != CL_OK) return status;
    self->static_version = in->static_version;
  }
  CL_CHECK(cl_hgrid_is_valid(&self->fixed, &from));
  return CL_OK;
}

static cl_status lay_out_all(grid *self, const cl_broad_input *in) {
  cl_hgrid_source from = {in->box, NULL, in->count, 0};
  cl_status status = CL_OK;
  if (in->fixed) {
    status = list_by_motion(self, in);
    if (status == CL_OK) status = lay_out_fixed(self, in);
    from.list = self->move;
    from.count = self->moves;
  } else {
    self->order = self->static_version = 0;
    self->stays = self->fixed.classes = self->fixed.count = 0;
  }
  if (status == CL_OK) status = cl_hgrid_lay_out(&self->moving, &self->head.alloc, &from);
  CL_CHECK(status != CL_OK || cl_hgrid_is_valid(&self->moving, &from));
  return status;
}

static uint32_t count_of(const cl_hgrid_table *t) { return t->to - t->from; }

static cl_status sweep_within(const grid *self, const cl_hgrid_table *t, cl_search *search) {
  if (self->fours) return cl_hgrid_within_plain(&self->moving, t, search);
  return CL_BEST(cl_hgrid_within)(&self->moving, t, search);
}

// Finds the pairs of two tables: the boxes of the smaller one are looked up in the other, or tested
// with all of its boxes if these are few.
static cl_status sweep_between(const grid *self, const cl_hgrid *a, const cl_hgrid_table *in_a,
                               const cl_hgrid *b, const cl_hgrid_table *in_b, cl_search *search) {
  if (count_of(in_a) > count_of(in_b)) return sweep_between(self, b, in_b, a, in_a, search);
  bool all = count_of(in_b) <= FEW_TESTS;
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
  cl_status status = lay_out_all(self, in);
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

static size_t hgrid_cells(const cl_broad *broad, cl_cell *out, size_t capacity) {
  const grid *self = (const grid *)broad;
  if (self->brute) return 0;
  size_t moving = list_cells(&self->moving, out, capacity, 0);
  return list_cells(&self->fixed, out, capacity, moving);
}

const cl_broad_class cl_broad_grid = {"grid", open_grid, grid_close, grid_find, hgrid_cells};
const cl_broad_class cl_broad_auto = {"auto", open_grid, grid_close, grid_find, hgrid_cells};
