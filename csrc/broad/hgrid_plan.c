// collide, MIT licence (see LICENSE)
//
// The grid's tables: which sizes share one, how large its cells are, and whether it wraps around.
// Sizes are counted by their binary order of magnitude. Of all ways to divide these into classes,
// the plan is the one with the least estimated work. The estimate depends only on the boxes, so the
// same boxes always give the same tables. Layer: broad.

#include "broad/hgrid_table.h"

// Sizes within this factor need no classes.
enum { ALIKE = 4 };

// A table has a cell for every place if that makes at most this many for each box; else it wraps
// around, with this many and up to twice as many.
enum { MOST_EXACT = 8, WRAPPED = 2 };

// Cells are larger than boxes by these shares. MARGIN is more than rounding can move a box, in
// cells (cl_hgrid_place_of). SPARE lets boxes that round differently at their next place still fit.
// With WRAPPED_MARGIN, boxes at multiples of a power of two do not all share a few cells of a
// wrapped table.
static const double MARGIN = 1e-5, SPARE = 0.004, WRAPPED_MARGIN = 0.03;

// A plan is kept while the boxes' number and bounds have changed by at most these shares, sizes by
// at most a factor, and with several classes of sizes for this many layouts.
static const double MORE = 0.25, SPREAD = 0.0625, SMALLER = 2;
enum { KEPT = 64 };

// If an exact table has fewer boxes than this per cell, its cells grow by up to that share: a step
// of the vectors takes four boxes of a row anyway, and fewer cells take less time to walk.
static const double FILLED = 0.6, ROOM = 0.25;

// A cell is at most this many times longer than it is wide, or the reverse.
static const double SLENDER = 16;

// Corners of wrapped tables are counted from here, so that none is below 0.
#define MIDDLE 1073741824.0

// Work, in nanoseconds of some processor: to lay a box out and test it with its
// neighbours; to look it up in the table of a larger class; and for each box that
// is tested.
static const double WORK_WITHIN = 9, WORK_ACROSS = 10, WORK_TEST = 0.5;
// How many cells a box is tested with, within its class and in another.
static const double CELLS_WITHIN = 4.5, CELLS_ACROSS = 5;

// How dense boxes are is estimated from the pairs of a sample: of one box in SAMPLED, within these
// limits; but not where all pairs are FEW. Distances are counted by their binary order of
// magnitude, in MAGNITUDES of them.
enum { FEW = 256, SAMPLED = 128, LEAST_SAMPLE = 32, MOST_SAMPLE = 128, MAGNITUDES = 48 };

// How many pairs of the sample are needed to say anything.
static const double TELLING = 4;

// The boxes of one order of magnitude, or of several.
typedef struct bin {
  double count;
  double width, height; // the greatest
  double sum[2];        // of widths and heights
} bin;

typedef cl_hgrid_measure measure;

// Boxes are measured two at a time, since each minimum waits for the one before it.
typedef struct extremes {
  cl_f32x4 low, high, least, most;
} extremes;

// The width and height, in the last two lanes.
static inline cl_f32x4 size_of(cl_f32x4 box) { return cl_f32x4_sub(box, cl_f32x4_swapped(box)); }

static inline void extend(extremes *e, const cl_fbox *b) {
  cl_f32x4 v = cl_f32x4_load(&b->x0), size = size_of(v);
  e->low = cl_f32x4_min(e->low, v);
  e->high = cl_f32x4_max(e->high, v);
  e->least = cl_f32x4_min(e->least, size);
  e->most = cl_f32x4_max(e->most, size);
}

cl_hgrid_measure cl_hgrid_measure_of(const cl_hgrid_source *from, uint32_t first, uint32_t end) {
  cl_f32x4 v = cl_f32x4_load(&from->box[cl_hgrid_number(from, first)].x0), size = size_of(v);
  extremes even = {v, v, size, size}, odd = even;
  uint32_t k = first + 1;
  for (; k + 1 < end; k += 2) {
    extend(&even, &from->box[cl_hgrid_number(from, k)]);
    extend(&odd, &from->box[cl_hgrid_number(from, k + 1)]);
  }
  if (k < end) extend(&even, &from->box[cl_hgrid_number(from, k)]);
  float low[4], high[4], least[4], most[4];
  cl_f32x4_store(low, cl_f32x4_min(even.low, odd.low));
  cl_f32x4_store(high, cl_f32x4_max(even.high, odd.high));
  cl_f32x4_store(least, cl_f32x4_min(even.least, odd.least));
  cl_f32x4_store(most, cl_f32x4_max(even.most, odd.most));
  return (measure){
      {low[0], low[1], high[0], high[1]}, {least[2], most[2]}, {least[3], most[3]}, end - first};
}

static float lower(float a, float b) { return a < b ? a : b; }
static float higher(float a, float b) { return a > b ? a : b; }

cl_hgrid_measure cl_hgrid_measure_join(const cl_hgrid_measure *a, const cl_hgrid_measure *b) {
  cl_fbox p = a->corners, q = b->corners;
  return (cl_hgrid_measure){
      {lower(p.x0, q.x0), lower(p.y0, q.y0), higher(p.x1, q.x1), higher(p.y1, q.y1)},
      {lower(a->wide[0], b->wide[0]), higher(a->wide[1], b->wide[1])},
      {lower(a->high[0], b->high[0]), higher(a->high[1], b->high[1])},
      a->count + b->count};
}

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

// The measure of all boxes, and how close together they are: `below` has the number of pairs of the
// sample whose distances along x and y are below 2^(top - i) and 2^(top - k). So a few boxes that
// are far away do not make the others look sparse.
typedef struct spread {
  const measure *all;
  double across, down; // of the corners' bounds
  int top;
  uint32_t pairs; // 0 if no sample was taken
  float below[MAGNITUDES + 1][MAGNITUDES + 1];
} spread;

static int rank_of(const spread *s, double distance) {
  int rank = s->top - cl_hgrid_exponent((float)distance);
  return rank < 0 ? 0 : rank < MAGNITUDES ? rank : MAGNITUDES;
}

static void take_sample(spread *s, const cl_hgrid_source *from) {
  uint32_t count = from->count / SAMPLED;
  count = count < LEAST_SAMPLE ? LEAST_SAMPLE : count < MOST_SAMPLE ? count : MOST_SAMPLE;
  count = count < from->count ? count : from->count;
  float x[MOST_SAMPLE], y[MOST_SAMPLE];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = (uint32_t)((uint64_t)i * from->count / count);
    const cl_fbox *b = &from->box[cl_hgrid_number(from, k)];
    x[i] = b->x0;
    y[i] = b->y0;
  }
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < i; k++) {
      s->below[rank_of(s, fabs((double)x[i] - x[k]))][rank_of(s, fabs((double)y[i] - y[k]))]++;
    }
  }
  s->pairs = count * (count - 1) / 2;
}

static void measure_spread(spread *s, const cl_hgrid_source *from) {
  if (from->count < FEW) return;
  s->top = cl_hgrid_exponent((float)larger(s->across, s->down));
  memset(s->below, 0, sizeof s->below);
  take_sample(s, from);
  for (int i = MAGNITUDES; i >= 0; i--) {
    for (int k = MAGNITUDES - 1; k >= 0; k--) s->below[i][k] += s->below[i][k + 1];
  }
  for (int i = MAGNITUDES - 1; i >= 0; i--) {
    for (int k = 0; k <= MAGNITUDES; k++) s->below[i][k] += s->below[i + 1][k];
  }
}

// The share of all boxes in a cell, as a box sees it that is in there. If they are evenly spread,
// that is its share of the area.
static double share_of(const spread *s, double width, double height) {
  double even = width * height / ((s->across + width) * (s->down + height));
  if (s->pairs == 0) return even;
  double pairs = (double)s->below[rank_of(s, width)][rank_of(s, height)];
  if (pairs < TELLING) return even;
  // The order of magnitude is rounded up, by half of it on average along each axis.
  return larger(even, smaller(pairs / s->pairs / 8, 1));
}

// The side of a cell, at most `side`, in which there is about one box.
static double side_of_one(const spread *s, double side, double count) {
  for (int i = 0; i < MAGNITUDES && s->pairs > 0; i++) {
    int rank = rank_of(s, side);
    if ((double)s->below[rank][rank] / s->pairs * count < 8) break;
    side /= 2;
  }
  return side;
}

// The width and height of the cells for boxes up to a size. Boxes without width
// or height need cells, too; those follow from their distances.
static void choose_cell(const bin *size, const spread *s, double *width, double *height) {
  double w = larger(size->width, size->height / SLENDER);
  double h = larger(size->height, size->width / SLENDER);
  if (w == 0) {
    w = larger(sqrt(s->across * s->down / size->count), larger(s->across, s->down) / size->count);
    w = h = w > 0 ? side_of_one(s, w, size->count) : 1;
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
  t->stride = (uint32_t)(t->cells * CL_HGRID_GOLDEN) | 1;
  t->axes.origin[0] = t->axes.origin[1] = 0;
  t->axes.last[0] = t->axes.last[1] = 2 * MIDDLE - 3;
  t->axes.offset = MIDDLE;
}

static void lay_exact(cl_hgrid_table *t, cl_fbox corners, double columns, double rows) {
  t->stride = (uint32_t)columns + 1;
  t->cells = ((uint32_t)rows + 2) * t->stride + 1;
  t->mask = UINT32_MAX;
  t->axes.origin[0] = corners.x0;
  t->axes.origin[1] = corners.y0;
  t->axes.last[0] = columns;
  t->axes.last[1] = rows;
  t->axes.offset = 1;
}

static void lay_table(cl_hgrid_table *t, const bin *size, const spread *s) {
  double width, height;
  choose_cell(size, s, &width, &height);
  double space = (s->across + width) * (s->down + height) / (size->count * width * height);
  double more = 1 + larger(SPARE, smaller(sqrt(space * FILLED) - 1, ROOM));
  double columns = floor(s->across / (width * more)) + 1;
  double rows = floor(s->down / (height * more)) + 1;
  if ((columns + 1) * (rows + 2) <= MOST_EXACT * size->count + 64) {
    lay_exact(t, s->all->corners, columns, rows);
  } else {
    more = (1 + MARGIN) * (1 + WRAPPED_MARGIN);
    lay_wrapped(t, (uint32_t)size->count);
  }
  t->width = width * more;
  t->height = height * more;
  t->axes.per[0] = 1 / t->width;
  t->axes.per[1] = 1 / t->height;
  for (int k = 0; k < 2; k++) t->mean[k] = size->sum[k] / size->count;
}

static void join(bin *all, const bin *more) {
  all->count += more->count;
  all->width = larger(all->width, more->width);
  all->height = larger(all->height, more->height);
  for (int k = 0; k < 2; k++) all->sum[k] += more->sum[k];
}

// The estimated work for a class, with `below` boxes in the classes of smaller sizes.
static double work_of(const bin *class, double below, const spread *s) {
  double width, height;
  choose_cell(class, s, &width, &height);
  double in_cell = class->count * share_of(s, width, height);
  double across = WORK_ACROSS + WORK_TEST * smaller(CELLS_ACROSS * in_cell, class->count);
  double all = WORK_TEST * class->count;
  return class->count * (WORK_WITHIN + WORK_TEST * smaller(CELLS_WITHIN * in_cell, class->count)) +
         below * smaller(across, all);
}

// Counts the boxes of each order of magnitude.
static void count_bins(bin bins[CL_HGRID_CLASSES], int top, const cl_hgrid_source *from) {
  float width[CL_HGRID_CLASSES] = {0}, height[CL_HGRID_CLASSES] = {0};
  float across[CL_HGRID_CLASSES] = {0}, down[CL_HGRID_CLASSES] = {0};
  uint32_t count[CL_HGRID_CLASSES] = {0};
  for (uint32_t k = 0; k < from->count; k++) {
    cl_fbox b = from->box[cl_hgrid_number(from, k)];
    float w = b.x1 - b.x0, h = b.y1 - b.y0;
    unsigned n = cl_hgrid_bin(top, w > h ? w : h);
    width[n] = w > width[n] ? w : width[n];
    height[n] = h > height[n] ? h : height[n];
    across[n] += w;
    down[n] += h;
    count[n]++;
  }
  for (int n = 0; n < CL_HGRID_CLASSES; n++) {
    bins[n] = (bin){count[n], width[n], height[n], {across[n], down[n]}};
  }
}

// Divides the bins into classes by dynamic programming: best[n] is the least work
// for the bins below n, whose last class begins at first[n]. Bins are counted
// from the smallest sizes here.
static void part(const bin bins[CL_HGRID_CLASSES], const spread *s,
                 unsigned first[CL_HGRID_CLASSES + 1]) {
  double best[CL_HGRID_CLASSES + 1] = {0}, below = 0;
  first[0] = 0;
  for (unsigned to = 1; to <= CL_HGRID_CLASSES; to++) best[to] = INFINITY;
  for (unsigned from = 0; from < CL_HGRID_CLASSES; from++) {
    bin class = {0};
    for (unsigned to = from + 1; to <= CL_HGRID_CLASSES; to++) {
      const bin *more = &bins[CL_HGRID_CLASSES - to];
      join(&class, more);
      if (class.count == 0) { // no class begins here
        best[to] = best[from];
        first[to] = from;
        break;
      }
      // With an empty bin at its end it is the same class as without.
      if (more->count == 0) continue;
      double work = best[from] + work_of(&class, below, s);
      if (work >= best[to]) continue;
      best[to] = work;
      first[to] = from;
    }
    below += bins[CL_HGRID_CLASSES - 1 - from].count;
  }
}

static void lay_classes(cl_hgrid *grid, const cl_hgrid_source *from, const spread *s) {
  cl_hgrid_plan *plan = &grid->plan;
  bin bins[CL_HGRID_CLASSES];
  unsigned first[CL_HGRID_CLASSES + 1], ends[CL_HGRID_CLASSES], n = 0;
  count_bins(bins, plan->top, from);
  part(bins, s, first);
  for (unsigned to = CL_HGRID_CLASSES; to > 0; to = first[to]) ends[n++] = to;
  while (n-- > 0) {
    bin class = {0};
    for (unsigned k = first[ends[n]]; k < ends[n]; k++) {
      join(&class, &bins[CL_HGRID_CLASSES - 1 - k]);
      plan->class_of[CL_HGRID_CLASSES - 1 - k] = (uint8_t)grid->classes;
    }
    if (class.count > 0) lay_table(&grid->table[grid->classes++], &class, s);
  }
}

void cl_hgrid_make_plan(cl_hgrid *grid, const cl_hgrid_source *from) {
  cl_hgrid_plan *plan = &grid->plan;
  grid->classes = grid->kept = 0;
  if (from->count == 0) return;
  measure m = cl_hgrid_measure_of(from, 0, from->count);
  float least = m.wide[0] > m.high[0] ? m.wide[0] : m.high[0];
  float most = m.wide[1] > m.high[1] ? m.wide[1] : m.high[1];
  plan->of = m;
  plan->top = cl_hgrid_exponent(most);
  spread s; // large: filled in as needed
  s.all = &m;
  s.across = (double)m.corners.x1 - m.corners.x0;
  s.down = (double)m.corners.y1 - m.corners.y0;
  s.pairs = 0;
  if (most > least * ALIKE || most == 0) measure_spread(&s, from);
  if (most <= least * ALIKE) {
    double half = 0.5 * from->count;
    bin all = {from->count, m.wide[1], m.high[1], {0, 0}};
    all.sum[0] = half * ((double)m.wide[0] + m.wide[1]);
    all.sum[1] = half * ((double)m.high[0] + m.high[1]);
    memset(plan->class_of, 0, sizeof plan->class_of);
    lay_table(&grid->table[0], &all, &s);
    grid->classes = 1;
  } else {
    lay_classes(grid, from, &s);
  }
  uint32_t base = 0;
  for (uint32_t k = 0; k < grid->classes; k++) {
    grid->table[k].base = base;
    base += grid->table[k].cells;
  }
}

bool cl_hgrid_plan_may_fit(const cl_hgrid *grid, uint32_t count) {
  double planned = grid->plan.of.count;
  return grid->classes > 0 && (grid->classes == 1 || grid->kept < KEPT) &&
         count >= planned * (1 - MORE) && count <= planned * (1 + MORE);
}

static bool is_like(float low, float high, float was_low, float was_high, double size) {
  double span = (double)was_high - was_low, slack = span * SPREAD + SMALLER * size;
  return low >= was_low - slack && high <= was_high + slack &&
         ((double)high - low + size) * SMALLER >= span;
}

bool cl_hgrid_fits_cell(const cl_hgrid_table *t, double width, double height) {
  return width * (1 + MARGIN) <= t->width && height * (1 + MARGIN) <= t->height;
}

bool cl_hgrid_plan_fits(const cl_hgrid *grid) {
  const measure *now = &grid->found, *was = &grid->plan.of;
  float least = now->wide[0] > now->high[0] ? now->wide[0] : now->high[0];
  float most = now->wide[1] > now->high[1] ? now->wide[1] : now->high[1];
  bool sizes =
      grid->classes == 1
          ? most <= least * ALIKE && cl_hgrid_fits_cell(&grid->table[0], now->wide[1], now->high[1])
          : !grid->misfits;
  return sizes && now->wide[1] * SMALLER >= was->wide[1] &&
         now->high[1] * SMALLER >= was->high[1] &&
         is_like(now->corners.x0, now->corners.x1, was->corners.x0, was->corners.x1, most) &&
         is_like(now->corners.y0, now->corners.y1, was->corners.y0, was->corners.y1, most);
}
