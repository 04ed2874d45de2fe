// collide, MIT licence (see LICENSE)
//
// Rectangles in a bitmap. Layer: bitmap.

#include "base/tol.h"
#include "bitmap/span.h"

// A rectangle, in cells, and the columns and rows that it shares area with or, in
// a conservative bitmap, touches; none when the last is before the first.
typedef struct area {
  double x0, y0, x1, y1;
  int32_t col0, row0, col1, row1;
} area;

// The first cell of lo … hi along one side of `count` cells, and the last.
// Dividing by the cell and taking the floor keep the order of two doubles, so the
// larger of two shapes' left sides lies in a cell of both.
static int32_t first_cell(double lo, int32_t count) { return cl_floor_within(lo, 0, count); }

static int32_t last_cell(const cl_bitmap *bitmap, double hi, int32_t count) {
  int32_t last = cl_floor_within(hi, -1, count - 1);
  // A side on the line between two cells covers nothing beyond it, but touches the next cell.
  return bitmap->value && last == hi ? last - 1 : last;
}

static area place(const cl_bitmap *bitmap, double x, double y, double w, double h) {
  area a = {.x0 = x / bitmap->cell,
            .y0 = y / bitmap->cell,
            .x1 = (x + w) / bitmap->cell,
            .y1 = (y + h) / bitmap->cell};
  a.col0 = first_cell(a.x0, bitmap->w);
  a.row0 = first_cell(a.y0, bitmap->h);
  a.col1 = last_cell(bitmap, a.x1, bitmap->w);
  a.row1 = last_cell(bitmap, a.y1, bitmap->h);
  // Far out, adding a small size may change nothing; then there is no area.
  if (bitmap->value && !(a.x0 < a.x1 && a.y0 < a.y1)) a.col1 = -1;
  if (a.col1 < a.col0) a.row1 = a.row0 - 1;
  return a;
}

// How much of the cell from c to c + 1 lies between lo and hi.
static inline double share(double lo, double hi, int32_t c) {
  return (hi < c + 1 ? hi : c + 1) - (lo > c ? lo : c);
}

static cl_span span_of_row(cl_bitmap *bitmap, const area *a, int32_t row) {
  double high = share(a->y0, a->y1, row);
  bitmap->edge[a->col0] = share(a->x0, a->x1, a->col0) * high;
  bitmap->edge[a->col1] = share(a->x0, a->x1, a->col1) * high;
  cl_span span = {a->col0, a->col1, a->col0 + 1, a->col1 - 1, high};
  if (span.mid_lo > span.mid_hi) span.mid_lo = a->col1 + 1, span.mid_hi = a->col1;
  return span;
}

void cl_bitmap_add_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h) {
  assert(fabs(x) <= CL_MAX_COORD && fabs(y) <= CL_MAX_COORD);
  assert(w > 0 && w <= CL_MAX_COORD && h > 0 && h <= CL_MAX_COORD);
  area a = place(bitmap, x, y, w, h);
  for (int32_t row = a.row0; row <= a.row1; row++) {
    if (bitmap->value) {
      cl_span span = span_of_row(bitmap, &a, row);
      cl_span_paint(bitmap, row, &span);
    } else {
      cl_bits_set(bitmap, row, a.col0, a.col1);
    }
  }
}

bool cl_bitmap_test_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h,
                              double threshold) {
  assert(fabs(x) <= CL_MAX_COORD && fabs(y) <= CL_MAX_COORD);
  assert(w > 0 && w <= CL_MAX_COORD && h > 0 && h <= CL_MAX_COORD);
  area a = place(bitmap, x, y, w, h);
  bool conservative = !bitmap->value, hit = false;
  for (int32_t row = a.row0; row <= a.row1 && !hit; row++) {
    if (conservative) {
      hit = cl_bits_test(bitmap, row, a.col0, a.col1, threshold);
    } else if (threshold < 1 || cl_bits_any(bitmap, row, a.col0, a.col1)) {
      cl_span span = span_of_row(bitmap, &a, row);
      hit = cl_span_test(bitmap, row, &span, threshold);
    }
  }
  return hit;
}
