// collide, MIT licence (see LICENSE)
//
// Circles in a bitmap. Layer: bitmap.
//
// Half the circle's width at the height of each row of samples, one square root
// each, tells which samples of a row of cells lie in the circle. Cells whose
// samples all lie in it are the middle of the span; samples are counted only in
// the others.

#include "base/tol.h"
#include "bitmap/span.h"

// For the loops over the samples along a side of a cell: a sixth faster for the usual 4 samples.
// Other compilers unroll such short loops by themselves.
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

// A circle, in cells, and the rows and columns that its bounds touch; none when
// the last is before the first.
typedef struct disc {
  double x, y, r;
  int32_t col0, row0, col1, row1;
} disc;

// `more` is added to the radius on all sides.
static disc place(const cl_bitmap *bitmap, double x, double y, double r, double more) {
  disc d = {.x = x / bitmap->cell, .y = y / bitmap->cell, .r = r / bitmap->cell + more};
  d.col0 = cl_floor_within(d.x - d.r, 0, bitmap->w);
  d.row0 = cl_floor_within(d.y - d.r, 0, bitmap->h);
  d.col1 = cl_floor_within(d.x + d.r, -1, bitmap->w - 1);
  d.row1 = cl_floor_within(d.y + d.r, -1, bitmap->h - 1);
  if (d.col1 < d.col0) d.row1 = d.row0 - 1;
  return d;
}

// Which samples of a row of cells lie in the circle: for each row of samples the
// first of them and the one after the last, counted from the bitmap's left side;
// INT32_MAX and 0 where there are none. Each range lies inside the longest.
typedef struct chords {
  int32_t from[CL_BITMAP_MAX_SAMPLES], to[CL_BITMAP_MAX_SAMPLES];
} chords;

// count_before: how many samples of a row lie before v; count_up_to: before or at
// v. In samples, the first of which is at 0.5. At most `most`.
static inline int32_t count_before(double v, int32_t most) {
  v -= 0.5;
  if (!(v > 0)) return 0;
  if (v >= most) return most;
  int32_t i = (int32_t)v;
  return i + (i < v);
}

static inline int32_t count_up_to(double v, int32_t most) {
  v += 0.5;
  if (!(v > 0)) return 0;
  return v >= most ? most : (int32_t)v;
}

static inline void cut(const cl_bitmap *bitmap, const disc *d, int32_t row, int32_t n, chords *c) {
  double x = d->x * n, y = d->y * n, r = d->r * n;
  int32_t most = bitmap->w * n;
  UNROLLED for (int32_t i = 0; i < n; i++) {
    double dy = fabs((double)row * n + i + 0.5 - y);
    double square = (r - dy) * (r + dy);
    double half = sqrt(square > 0 ? square : 0);
    c->from[i] = square >= 0 ? count_before(x - half, most) : INT32_MAX;
    c->to[i] = square >= 0 ? count_up_to(x + half, most) : 0;
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
static inline bool find_span_by(cl_bitmap *bitmap, const disc *d, int32_t row, int32_t n,
                                cl_span *span) {
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
  *span = (cl_span){.lo = first / n, .hi = (last - 1) / n, .mid = 1};
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

static bool find_span(cl_bitmap *bitmap, const disc *d, int32_t row, cl_span *span) {
  if (bitmap->samples == 4) return find_span_by(bitmap, d, row, 4, span);
  return find_span_by(bitmap, d, row, bitmap->samples, span);
}

// How much to add to the radius, in cells, so that rounding loses nothing: places
// and lengths are divided by the cell, added and squared, and each of these moves
// them by a few parts in 2^53 of the largest.
static double margin(const cl_bitmap *bitmap, double x, double y, double r) {
  return 16 * CL_ROUND * ((fabs(x) + fabs(y) + r) / bitmap->cell + bitmap->w + bitmap->h);
}

// The cells of a row that the circle may touch; the row is one of the disc's.
static void reach(const cl_bitmap *bitmap, const disc *d, double more, int32_t row, int32_t *lo,
                  int32_t *hi) {
  double above = row - d->y, below = d->y - (row + 1);
  double dy = above > below ? above : below;
  double square = dy > 0 ? (d->r - dy) * (d->r + dy) : d->r * d->r;
  double half = sqrt(square > 0 ? square : 0) + more;
  *lo = cl_floor_within(d->x - half, 0, bitmap->w);
  *hi = cl_floor_within(d->x + half, -1, bitmap->w - 1);
}

// Whether a row of the disc has nothing to hit: the threshold is 1 or more, and nothing is painted
// there. This costs less than finding what the disc covers.
static bool is_free(const cl_bitmap *bitmap, const disc *d, int32_t row, double threshold) {
  return threshold >= 1 && !cl_bits_any(bitmap, row, d->col0, d->col1);
}

static void paint_reach(cl_bitmap *bitmap, double x, double y, double r) {
  double more = margin(bitmap, x, y, r);
  disc d = place(bitmap, x, y, r, more);
  for (int32_t row = d.row0; row <= d.row1; row++) {
    int32_t lo, hi;
    reach(bitmap, &d, more, row, &lo, &hi);
    if (lo <= hi) cl_bits_set(bitmap, row, lo, hi);
  }
}

static bool test_reach(const cl_bitmap *bitmap, double x, double y, double r, double threshold) {
  double more = margin(bitmap, x, y, r);
  disc d = place(bitmap, x, y, r, more);
  for (int32_t row = d.row0; row <= d.row1; row++) {
    if (is_free(bitmap, &d, row, threshold)) continue;
    int32_t lo, hi;
    reach(bitmap, &d, more, row, &lo, &hi);
    if (lo <= hi && cl_bits_test(bitmap, row, lo, hi, threshold)) return true;
  }
  return false;
}

void cl_bitmap_add_circle(cl_bitmap *bitmap, double x, double y, double r) {
  assert(fabs(x) <= CL_MAX_COORD && fabs(y) <= CL_MAX_COORD && r > 0 && r <= CL_MAX_COORD);
  if (!bitmap->value) {
    paint_reach(bitmap, x, y, r);
    return;
  }
  disc d = place(bitmap, x, y, r, 0);
  for (int32_t row = d.row0; row <= d.row1; row++) {
    cl_span span;
    if (find_span(bitmap, &d, row, &span)) cl_span_paint(bitmap, row, &span);
  }
}

bool cl_bitmap_test_circle(cl_bitmap *bitmap, double x, double y, double r, double threshold) {
  assert(fabs(x) <= CL_MAX_COORD && fabs(y) <= CL_MAX_COORD && r > 0 && r <= CL_MAX_COORD);
  if (!bitmap->value) return test_reach(bitmap, x, y, r, threshold);
  disc d = place(bitmap, x, y, r, 0);
  for (int32_t row = d.row0; row <= d.row1; row++) {
    if (is_free(bitmap, &d, row, threshold)) continue;
    cl_span span;
    if (find_span(bitmap, &d, row, &span) && cl_span_test(bitmap, row, &span, threshold)) {
      return true;
    }
  }
  return false;
}
