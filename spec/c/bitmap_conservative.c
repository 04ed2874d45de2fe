// collide, MIT licence (see LICENSE)
//
// A conservative bitmap misses nothing: if two shapes have a common point in the bitmap, the one is
// hit when the other is painted. Two million random pairs, most of which have only that point in
// common, or little more.

#include "test.h"

#include "base/exact.h"
#include "bitmap/bitmap.h"

enum { W = 100, H = 40, BITMAPS = 6, PAIRS = 2 * 1000 * 1000 };

static const double cells[BITMAPS] = {1, 4, 0.1, 7.3, 1e-3, 1e5 / 3};

typedef struct shape {
  bool round;
  double x, y, r, w, h;
} shape;

// A number of any magnitude.
static double any_size(double least, double most) {
  int steps = test_int(0, 30);
  double size = test_uniform(0.5, 1) * least;
  for (int i = 0; i < steps; i++) size *= 2;
  return size < most ? size : most;
}

static bool circle_has(const shape *s, const double p[2]) {
  return cl_compare_points((cl_vec){p[0], p[1]}, (cl_vec){s->x, s->y}, s->r, 0) <= 0;
}

static double next_larger(double v) { return v + v * 0x1p-52; }

// A circle around p, barely large enough to contain it, or somewhat larger.
static shape circle_about(const double p[2], double cell) {
  double reach = any_size(1e-4, test_int(0, 15) ? 1000 : 1e9) * cell;
  shape s = {.round = true};
  s.x = test_int(0, 7) ? p[0] + test_uniform(-reach, reach) : p[0];
  s.y = test_int(0, 7) ? p[1] + test_uniform(-reach, reach) : p[1];
  double dx = s.x - p[0], dy = s.y - p[1];
  s.r = sqrt(dx * dx + dy * dy);
  if (s.r == 0) s.r = reach * 0x1p-60;
  if (test_int(0, 7) == 0) s.r -= s.r * 0x1p-52;
  while (!circle_has(&s, p)) s.r = next_larger(s.r);
  if (test_int(0, 3) == 0) s.r *= test_uniform(1, 2);
  return s;
}

// One side of a rectangle that contains `p`: where it begins, and its width.
static void side_about(double p, double reach, double *x, double *w) {
  *x = test_int(0, 2) ? p - test_uniform(0, reach) : p;
  *w = test_int(0, 2) ? p - *x : test_uniform(0, reach);
  if (!(*w > 0)) *w = reach * 0x1p-40;
  while (*x + *w < p) *w = next_larger(*w + (p - (*x + *w)));
}

static shape rectangle_about(const double p[2], double cell) {
  double reach = any_size(1e-4, test_int(0, 15) ? 1000 : 1e9) * cell;
  shape s = {.round = false};
  side_about(p[0], reach, &s.x, &s.w);
  side_about(p[1], reach, &s.y, &s.h);
  return s;
}

// Anywhere in the bitmap, often where cells meet.
static double any_place(int count, double cell) {
  double last = count * cell * (1 - 1e-12);
  double p = test_int(0, 2) ? test_uniform(0, last) : test_int(0, count - 1) * cell;
  return p < last ? p : last;
}

static void paint(cl_bitmap *bitmap, const shape *s) {
  if (s->round) cl_bitmap_add_circle(bitmap, s->x, s->y, s->r);
  else cl_bitmap_add_rectangle(bitmap, s->x, s->y, s->w, s->h);
}

static bool hits(cl_bitmap *bitmap, const shape *s) {
  return s->round ? cl_bitmap_test_circle(bitmap, s->x, s->y, s->r, 1)
                  : cl_bitmap_test_rectangle(bitmap, s->x, s->y, s->w, s->h, 1);
}

static void report(const char *what, const shape *s) {
  printf("    %s: %s %.17g, %.17g, %.17g, %.17g\n", what, s->round ? "circle" : "rectangle", s->x,
         s->y, s->round ? s->r : s->w, s->h);
}

static void misses_none_of_two_million(void) {
  cl_bitmap *bitmaps[BITMAPS];
  for (int i = 0; i < BITMAPS; i++) {
    cl_bitmap_def def = {cl_alloc_default(), W, H, cells[i], 4, true};
    bitmaps[i] = cl_bitmap_new(&def);
    REQUIRE(bitmaps[i]);
  }
  for (long n = test_rounds(PAIRS); n > 0; n--) {
    int i = test_int(0, BITMAPS - 1);
    double cell = cells[i], p[2] = {any_place(W, cell), any_place(H, cell)};
    shape a = test_int(0, 2) ? circle_about(p, cell) : rectangle_about(p, cell);
    shape b = test_int(0, 2) ? circle_about(p, cell) : rectangle_about(p, cell);
    paint(bitmaps[i], &a);
    bool hit = hits(bitmaps[i], &b);
    CHECK_MSG(hit, "at %.17g, %.17g with cells of %g", p[0], p[1], cell);
    if (!hit) report("painted", &a), report("tested", &b);
    cl_bitmap_clear(bitmaps[i]);
  }
  for (int i = 0; i < BITMAPS; i++) cl_bitmap_free(bitmaps[i]);
}

// It does not hit everything: shapes farther apart than the diagonal of two cells do not hit.
static void ends_near_the_shapes(void) {
  cl_bitmap_def def = {cl_alloc_default(), W, H, 1, 4, true};
  cl_bitmap *bitmap = cl_bitmap_new(&def);
  REQUIRE(bitmap);
  for (long n = test_rounds(200000); n > 0; n--) {
    shape a = {true, test_uniform(0, W), test_uniform(0, H), test_uniform(0.1, 9), 0, 0};
    shape b = {true, test_uniform(0, W), test_uniform(0, H), test_uniform(0.1, 9), 0, 0};
    double dx = a.x - b.x, dy = a.y - b.y, apart = sqrt(dx * dx + dy * dy) - a.r - b.r;
    paint(bitmap, &a);
    if (apart > 2 * 1.4143) CHECK(!hits(bitmap, &b));
    cl_bitmap_clear(bitmap);
  }
  cl_bitmap_free(bitmap);
}

int main(void) {
  RUN(misses_none_of_two_million);
  RUN(ends_near_the_shapes);
  return test_end();
}
