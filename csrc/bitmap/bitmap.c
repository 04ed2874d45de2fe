// collide, MIT licence (see LICENSE)
//
// Coverage of cells by shapes: the bits and values of rows, the part of a shape that lies in one
// row, then rectangles and circles. Shapes are painted and tested row by row. Layer: bitmap.

#include "bitmap/bitmap.h"

#include "base/alloc.h"
#include "base/tol.h"
#include "base/vec.h"

static size_t word_count(const cl_bitmap *bitmap) {
  return (size_t)bitmap->h * (size_t)bitmap->stride;
}

static size_t cell_count(const cl_bitmap *bitmap) { return (size_t)bitmap->h * (size_t)bitmap->w; }

cl_bitmap *cl_bitmap_new(const cl_bitmap_def *def) {
  assert(def->w >= 1 && def->w <= CL_BITMAP_MAX_SIDE && def->h >= 1 &&
         def->h <= CL_BITMAP_MAX_SIDE && (int64_t)def->w * def->h <= CL_BITMAP_MAX_CELLS);
  assert(def->cell >= CL_BITMAP_MIN_CELL && def->cell <= CL_MAX_COORD);
  assert(def->samples >= 1 && def->samples <= CL_BITMAP_MAX_SAMPLES);
  cl_bitmap *bitmap = cl_new(&def->alloc, sizeof *bitmap);
  if (!bitmap) return NULL;
  bitmap->alloc = def->alloc;
  bitmap->w = def->w;
  bitmap->h = def->h;
  bitmap->stride = (def->w + 63) / 64;
  bitmap->samples = def->samples;
  bitmap->cell = def->cell;
  bool fits = cell_count(bitmap) <= SIZE_MAX / sizeof *bitmap->value;
  if (fits) bitmap->bits = cl_new(&def->alloc, word_count(bitmap) * sizeof *bitmap->bits);
  if (fits) bitmap->dirty = cl_new(&def->alloc, word_count(bitmap) * sizeof *bitmap->dirty);
  bool complete = bitmap->bits && bitmap->dirty;
  if (complete && !def->conservative) {
    bitmap->value = cl_new(&def->alloc, cell_count(bitmap) * sizeof *bitmap->value);
    bitmap->edge = cl_new(&def->alloc, (size_t)def->w * sizeof *bitmap->edge);
    complete = bitmap->value && bitmap->edge;
  }
  if (complete) return bitmap;
  cl_bitmap_free(bitmap);
  return NULL;
}

void cl_bitmap_free(cl_bitmap *bitmap) {
  cl_alloc alloc = bitmap->alloc;
  CL_FREE(&alloc, bitmap->edge, (size_t)bitmap->w);
  CL_FREE(&alloc, bitmap->value, cell_count(bitmap));
  CL_FREE(&alloc, bitmap->dirty, word_count(bitmap));
  CL_FREE(&alloc, bitmap->bits, word_count(bitmap));
  cl_free(&alloc, bitmap, sizeof *bitmap);
}

cl_bitmap_def cl_bitmap_measures(const cl_bitmap *bitmap) {
  return (cl_bitmap_def){
      .alloc = bitmap->alloc,
      .w = bitmap->w,
      .h = bitmap->h,
      .cell = bitmap->cell,
      .samples = bitmap->samples,
      .conservative = !bitmap->value,
  };
}

void cl_bitmap_clear(cl_bitmap *bitmap) {
  for (size_t i = 0; i < bitmap->dirty_count; i++) bitmap->bits[bitmap->dirty[i]] = 0;
  bitmap->dirty_count = 0;
}

// The mask of the cells lo … hi of a row within its word `i`; 64 * i <= hi and
// lo <= 64 * i + 63.
static inline uint64_t mask_of(int32_t i, int32_t lo, int32_t hi) {
  uint64_t mask = UINT64_MAX;
  if (lo > 64 * i) mask <<= lo & 63;
  if (hi < 64 * i + 63) mask &= UINT64_MAX >> (63 - (hi & 63));
  return mask;
}

// Whether any of the cells lo … hi of a row is painted.
static bool any_painted(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  uint64_t any = 0;
  for (int32_t i = lo >> 6; i <= hi >> 6; i++) any |= words[i] & mask_of(i, lo, hi);
  return any != 0;
}

// Marks the cells lo … hi of a row as painted.
static void mark_painted(cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi) {
  size_t start = (size_t)row * (size_t)bitmap->stride;
  for (int32_t i = lo >> 6; i <= hi >> 6; i++) {
    uint64_t *word = &bitmap->bits[start + (size_t)i];
    if (*word == 0) bitmap->dirty[bitmap->dirty_count++] = (uint32_t)(start + (size_t)i);
    *word |= mask_of(i, lo, hi);
  }
}

// Whether a conservative bitmap has a hit among the cells lo … hi of a row, each
// of which counts as covered by 1.
static inline bool test_bits(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi,
                             double threshold) {
  return threshold < 1 || (threshold < 2 && any_painted(bitmap, row, lo, hi));
}

double cl_bitmap_coverage(const cl_bitmap *bitmap, int32_t col, int32_t row) {
  assert(col >= 0 && col < bitmap->w && row >= 0 && row < bitmap->h);
  if (!any_painted(bitmap, row, col, col)) return 0;
  return bitmap->value ? bitmap->value[(size_t)row * (size_t)bitmap->w + (size_t)col] : 1;
}

// The cells lo … hi of a row, at least one. The shape covers each of mid_lo …
// mid_hi, if any, by `mid`, and every other cell c by edge[c] of the bitmap.
// Without a middle, mid_lo is hi + 1 and mid_hi is hi.
typedef struct row_span {
  int32_t lo, hi, mid_lo, mid_hi;
  double mid;
} row_span;

// An element of `value` counts only where the bit is set, so clearing need not touch it.
static inline double painted(const uint64_t *words, const double *value, int32_t c) {
  return words[c >> 6] >> (c & 63) & 1 ? value[c] : 0;
}

static inline void keep_larger(const uint64_t *words, double *value, int32_t c, double v) {
  double old = painted(words, value, c);
  value[c] = v > old ? v : old;
}

// Keeps the larger coverage in each cell of a span.
static void paint_span(cl_bitmap *bitmap, int32_t row, const row_span *span) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  double *value = bitmap->value + (size_t)row * (size_t)bitmap->w;
  const double *edge = bitmap->edge;
  for (int32_t c = span->lo; c < span->mid_lo; c++) keep_larger(words, value, c, edge[c]);
  if (span->mid == 1) {
    for (int32_t c = span->mid_lo; c <= span->mid_hi; c++) value[c] = 1;
  } else {
    for (int32_t c = span->mid_lo; c <= span->mid_hi; c++) keep_larger(words, value, c, span->mid);
  }
  for (int32_t c = span->mid_hi + 1; c <= span->hi; c++) keep_larger(words, value, c, edge[c]);
  mark_painted(bitmap, row, span->lo, span->hi);
}

// Whether the coverage painted in some cell plus that of the span exceeds `threshold`.
static bool test_span(const cl_bitmap *bitmap, int32_t row, const row_span *span,
                      double threshold) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  const double *value = bitmap->value + (size_t)row * (size_t)bitmap->w;
  for (int32_t i = span->lo >> 6; i <= span->hi >> 6; i++) {
    // Below 1 the shape alone can be enough; from 1 up only painted cells count.
    uint64_t ask = mask_of(i, span->lo, span->hi);
    if (threshold >= 1) ask &= words[i];
    for (; ask; ask &= ask - 1) {
      int32_t c = 64 * i + (int32_t)cl_bit_length(ask & (~ask + 1)) - 1;
      double mine = c >= span->mid_lo && c <= span->mid_hi ? span->mid : bitmap->edge[c];
      if (mine + painted(words, value, c) > threshold) return true;
    }
  }
  return false;
}

// floor(v), brought into lo … hi.
static inline int32_t floor_within(double v, int32_t lo, int32_t hi) {
  if (!(v > lo)) return lo;
  if (v >= hi) return hi;
  int32_t i = (int32_t)v;
  return i > v ? i - 1 : i;
}

// ---- Shapes, in cells

// A rectangle from x0, y0 to x1, y1, or a circle around x0, y0 with the radius `r`; and the columns
// and rows that it shares area with or, in a conservative bitmap, touches; none when the last is
// before the first. For a circle they are those that its bounds touch.
typedef struct figure {
  bool round;
  double x0, y0, x1, y1, r;
  double more; // see margin
  int32_t col0, row0, col1, row1;
} figure;

// The last cell of a side that ends at `hi`, of `count` cells. Dividing by the cell and taking the
// floor keep the order of two doubles, so the larger of two shapes' left sides lies in a cell of
// both.
static int32_t last_cell(const cl_bitmap *bitmap, double hi, int32_t count) {
  int32_t last = floor_within(hi, -1, count - 1);
  // A side on the line between two cells covers nothing beyond it, but touches the next cell.
  return bitmap->value && last == hi ? last - 1 : last;
}

CL_INLINE figure rectangle_figure(const cl_bitmap *bitmap, double x, double y, double w, double h) {
  assert(cl_coord_ok(x) && cl_coord_ok(y));
  assert(w > 0 && cl_coord_ok(w) && h > 0 && cl_coord_ok(h));
  figure f = {.x0 = x / bitmap->cell,
              .y0 = y / bitmap->cell,
              .x1 = (x + w) / bitmap->cell,
              .y1 = (y + h) / bitmap->cell};
  f.col0 = floor_within(f.x0, 0, bitmap->w);
  f.row0 = floor_within(f.y0, 0, bitmap->h);
  f.col1 = last_cell(bitmap, f.x1, bitmap->w);
  f.row1 = last_cell(bitmap, f.y1, bitmap->h);
  // Far out, adding a small size may change nothing; then there is no area.
  if (bitmap->value && !(f.x0 < f.x1 && f.y0 < f.y1)) f.col1 = -1;
  return f;
}

// How much to add to the radius of a circle, in cells, so that rounding misses no cell that it
// touches: dividing by the cell, adding and squaring each move a value by a few parts in 2^53 of
// the largest.
static double margin(const cl_bitmap *bitmap, double x, double y, double r) {
  if (bitmap->value) return 0;
  return 16 * CL_ROUND * ((fabs(x) + fabs(y) + r) / bitmap->cell + bitmap->w + bitmap->h);
}

CL_INLINE figure circle_figure(const cl_bitmap *bitmap, double x, double y, double r) {
  assert(cl_coord_ok(x) && cl_coord_ok(y) && r > 0 && cl_coord_ok(r));
  double more = margin(bitmap, x, y, r);
  figure f = {.round = true,
              .x0 = x / bitmap->cell,
              .y0 = y / bitmap->cell,
              .r = r / bitmap->cell + more,
              .more = more};
  f.col0 = floor_within(f.x0 - f.r, 0, bitmap->w);
  f.row0 = floor_within(f.y0 - f.r, 0, bitmap->h);
  f.col1 = floor_within(f.x0 + f.r, -1, bitmap->w - 1);
  f.row1 = floor_within(f.y0 + f.r, -1, bitmap->h - 1);
  return f;
}

// ---- What a rectangle covers of a row

// How much of the cell from c to c + 1 lies between lo and hi.
static inline double share(double lo, double hi, int32_t c) {
  return (hi < c + 1 ? hi : c + 1) - (lo > c ? lo : c);
}

static row_span span_of_row(cl_bitmap *bitmap, const figure *a, int32_t row) {
  double high = share(a->y0, a->y1, row);
  bitmap->edge[a->col0] = share(a->x0, a->x1, a->col0) * high;
  bitmap->edge[a->col1] = share(a->x0, a->x1, a->col1) * high;
  row_span span = {a->col0, a->col1, a->col0 + 1, a->col1 - 1, high};
  if (span.mid_lo > span.mid_hi) span.mid_lo = a->col1 + 1, span.mid_hi = a->col1;
  return span;
}

// ---- What a circle covers of a row
//
// Half the circle's width at the height of each row of samples, one square root
// each, tells which samples of a row of cells lie in the circle. Cells whose
// samples all lie in it are the middle of the span; samples are counted only in
// the others.

// For the loops over the samples along a side of a cell: a sixth faster for the usual 4 samples.
// Other compilers unroll such short loops by themselves.
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

// Which samples of a row of cells lie in the circle: for each row of samples the
// first of them and the one after the last, counted from the bitmap's left side;
// INT32_MAX and 0 where there are none. Each range lies inside the longest.
typedef struct chords {
  int32_t from[CL_BITMAP_MAX_SAMPLES], to[CL_BITMAP_MAX_SAMPLES];
} chords;

// samples_before: how many samples of a row lie before v; samples_up_to: before or at v. In
// samples, the first of which is at 0.5. At most `most`.
static inline int32_t samples_before(double v, int32_t most) {
  v -= 0.5;
  if (!(v > 0)) return 0;
  if (v >= most) return most;
  int32_t i = (int32_t)v;
  return i + (i < v);
}

static inline int32_t samples_up_to(double v, int32_t most) {
  v += 0.5;
  if (!(v > 0)) return 0;
  return v >= most ? most : (int32_t)v;
}

static inline void cut(const cl_bitmap *bitmap, const figure *d, int32_t row, int32_t n,
                       chords *c) {
  double x = d->x0 * n, y = d->y0 * n, r = d->r * n;
  int32_t most = bitmap->w * n;
  UNROLLED for (int32_t i = 0; i < n; i++) {
    double dy = fabs((double)row * n + i + 0.5 - y);
    double square = (r - dy) * (r + dy);
    double half = sqrt(square > 0 ? square : 0);
    c->from[i] = square >= 0 ? samples_before(x - half, most) : INT32_MAX;
    c->to[i] = square >= 0 ? samples_up_to(x + half, most) : 0;
  }
}

// How many samples of the cell that begins at sample `start` lie in the circle.
static inline int32_t count_within(const chords *c, int32_t start, int32_t n) {
  int32_t sum = 0;
  UNROLLED for (int32_t i = 0; i < n; i++) {
    int32_t from = c->from[i] > start ? c->from[i] : start;
    int32_t to = c->to[i] < start + n ? c->to[i] : start + n;
    sum += to > from ? to - from : 0;
  }
  return sum;
}

// What the circle covers of a row; false when no sample of it lies in the circle.
// `n` is the bitmap's number of samples, which the compiler knows when it is 4.
static inline bool find_span_by(cl_bitmap *bitmap, const figure *d, int32_t row, int32_t n,
                                row_span *span) {
  chords c;
  cut(bitmap, d, row, n, &c);
  int32_t first = INT32_MAX, last_from = 0, first_to = INT32_MAX, last = 0;
  UNROLLED for (int32_t i = 0; i < n; i++) {
    if (c.from[i] < first) first = c.from[i];
    if (c.from[i] > last_from) last_from = c.from[i];
    if (c.to[i] < first_to) first_to = c.to[i];
    if (c.to[i] > last) last = c.to[i];
  }
  if (first >= last) return false;
  *span = (row_span){.lo = first / n, .hi = (last - 1) / n, .mid = 1};
  span->mid_hi = first_to / n - 1;
  span->mid_lo = last_from < last ? (last_from + n - 1) / n : span->mid_hi + 1;
  if (span->mid_lo > span->mid_hi) span->mid_lo = span->hi + 1, span->mid_hi = span->hi;
  double samples = (double)n * n;
  for (int32_t k = span->lo; k < span->mid_lo; k++)
    bitmap->edge[k] = count_within(&c, k * n, n) / samples;
  for (int32_t k = span->mid_hi + 1; k <= span->hi; k++)
    bitmap->edge[k] = count_within(&c, k * n, n) / samples;
  return true;
}

static bool find_span(cl_bitmap *bitmap, const figure *d, int32_t row, row_span *span) {
  if (bitmap->samples == 4) return find_span_by(bitmap, d, row, 4, span);
  return find_span_by(bitmap, d, row, bitmap->samples, span);
}

// The cells of a row that the circle may touch; false if there are none. The row is one of the
// figure's.
static bool reach(const cl_bitmap *bitmap, const figure *d, int32_t row, row_span *span) {
  double above = row - d->y0, below = d->y0 - (row + 1);
  double dy = above > below ? above : below;
  double square = dy > 0 ? (d->r - dy) * (d->r + dy) : d->r * d->r;
  double half = sqrt(square > 0 ? square : 0) + d->more;
  span->lo = floor_within(d->x0 - half, 0, bitmap->w);
  span->hi = floor_within(d->x0 + half, -1, bitmap->w - 1);
  return span->lo <= span->hi;
}

// ---- Painting and testing, row by row

// What a shape covers of a row; in a conservative bitmap only its first and last cell are known.
// False if it covers nothing.
CL_INLINE bool cover(cl_bitmap *bitmap, const figure *f, int32_t row, row_span *span) {
  if (f->round) {
    return bitmap->value ? find_span(bitmap, f, row, span) : reach(bitmap, f, row, span);
  }
  if (bitmap->value) *span = span_of_row(bitmap, f, row);
  else span->lo = f->col0, span->hi = f->col1;
  return true;
}

CL_INLINE void paint_figure(cl_bitmap *bitmap, figure f) {
  for (int32_t row = f.row0; row <= f.row1 && f.col0 <= f.col1; row++) {
    row_span span;
    if (!cover(bitmap, &f, row, &span)) continue;
    if (bitmap->value) paint_span(bitmap, row, &span);
    else mark_painted(bitmap, row, span.lo, span.hi);
  }
}

CL_INLINE bool test_figure(cl_bitmap *bitmap, figure f, double threshold) {
  for (int32_t row = f.row0; row <= f.row1 && f.col0 <= f.col1; row++) {
    // With a threshold of 1 or more, only painted cells count; this costs less than `cover`.
    if (threshold >= 1 && !any_painted(bitmap, row, f.col0, f.col1)) continue;
    row_span span;
    if (!cover(bitmap, &f, row, &span)) continue;
    bool hit = bitmap->value ? test_span(bitmap, row, &span, threshold)
                             : test_bits(bitmap, row, span.lo, span.hi, threshold);
    if (hit) return true;
  }
  return false;
}

void cl_bitmap_add_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h) {
  paint_figure(bitmap, rectangle_figure(bitmap, x, y, w, h));
}

bool cl_bitmap_test_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h,
                              double threshold) {
  return test_figure(bitmap, rectangle_figure(bitmap, x, y, w, h), threshold);
}

void cl_bitmap_add_circle(cl_bitmap *bitmap, double x, double y, double r) {
  paint_figure(bitmap, circle_figure(bitmap, x, y, r));
}

bool cl_bitmap_test_circle(cl_bitmap *bitmap, double x, double y, double r, double threshold) {
  return test_figure(bitmap, circle_figure(bitmap, x, y, r), threshold);
}
