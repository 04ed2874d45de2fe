// collide, MIT licence (see LICENSE)
//
// The coverage of a bitmap, compared with fine sampling, with areas, and with itself: tests are
// sums of coverages, and clipping and clearing leave no trace.

#include <time.h>

#include "checked_alloc.h"

#include "bitmap/bitmap.h"

enum { FINE = 48 };

static cl_bitmap *bitmap_new(int w, int h, double cell, int samples, bool conservative) {
  cl_bitmap_def def = {cl_alloc_default(), w, h, cell, samples, conservative};
  cl_bitmap *bitmap = cl_bitmap_new(&def);
  if (!bitmap) printf("no memory\n"), exit(1);
  return bitmap;
}

typedef struct shape {
  bool round;
  double x, y, r, w, h;
} shape;

static void paint(cl_bitmap *bitmap, const shape *s) {
  if (s->round) cl_bitmap_add_circle(bitmap, s->x, s->y, s->r);
  else cl_bitmap_add_rectangle(bitmap, s->x, s->y, s->w, s->h);
}

static bool hits(cl_bitmap *bitmap, const shape *s, double threshold) {
  return s->round ? cl_bitmap_test_circle(bitmap, s->x, s->y, s->r, threshold)
                  : cl_bitmap_test_rectangle(bitmap, s->x, s->y, s->w, s->h, threshold);
}

// Around a bitmap of w x h units; often aligned with cells of 1.
static shape random_shape(int w, int h, double most) {
  // In separate statements, since initialisers are evaluated in no fixed order.
  shape s = {.round = test_int(0, 1)};
  s.x = test_uniform(-4, w + 4), s.y = test_uniform(-4, h + 4);
  s.r = test_uniform(0.01, most), s.w = test_uniform(0.01, most), s.h = test_uniform(0.01, most);
  if (test_int(0, 3) == 0) {
    s.x = floor(s.x), s.y = floor(s.y);
    s.r = ceil(s.r * 2) / 2, s.w = ceil(s.w), s.h = ceil(s.h);
  }
  return s;
}

// The fraction of a cell that is inside a circle, by FINE x FINE samples.
static double sampled(int col, int row, double x, double y, double r) {
  int inside = 0;
  for (int i = 0; i < FINE * FINE; i++) {
    double dx = col + (i % FINE + 0.5) / FINE - x, dy = row + ((double)(i / FINE) + 0.5) / FINE - y;
    inside += dx * dx + dy * dy < r * r;
  }
  return inside / (double)(FINE * FINE);
}

// The distances of a point from a cell's nearest and farthest points.
static void distances(int col, int row, double x, double y, double *nearest, double *farthest) {
  double ax = fabs(col + 0.5 - x), ay = fabs(row + 0.5 - y);
  double nx = ax > 0.5 ? ax - 0.5 : 0, ny = ay > 0.5 ? ay - 0.5 : 0;
  *nearest = sqrt(nx * nx + ny * ny);
  *farthest = sqrt((ax + 0.5) * (ax + 0.5) + (ay + 0.5) * (ay + 0.5));
}

// Half of them smaller than a cell, which need more samples to be precise.
static double random_radius(double most) {
  return test_int(0, 1) ? test_uniform(0.01, 1) : test_uniform(1, most);
}

static void circles_match_fine_samples(void) {
  enum { W = 24, H = 20 };
  for (long n = test_rounds(3000); n > 0; n--) {
    int samples = test_int(1, 8);
    double cell = test_uniform(0.1, 5), r = random_radius(9);
    double bound = (r < 1 ? 2.0 : 1.0) / samples + 1.0 / FINE;
    cl_bitmap *bitmap = bitmap_new(W, H, cell, samples, false);
    double x = test_uniform(-2, W + 2), y = test_uniform(-2, H + 2);
    cl_bitmap_add_circle(bitmap, x * cell, y * cell, r * cell);
    for (int i = 0; i < W * H; i++) {
      int col = i % W, row = i / W;
      double nearest, farthest, got = cl_bitmap_coverage(bitmap, col, row);
      distances(col, row, x, y, &nearest, &farthest);
      if (nearest > r + 1e-9) CHECK(got == 0);
      else if (farthest < r - 1e-9) CHECK(got == 1);
      else {
        double error = fabs(got - sampled(col, row, x, y, r));
        CHECK_MSG(error <= bound, "off by %g with %d samples, r = %g", error, samples, r);
      }
    }
    cl_bitmap_free(bitmap);
  }
}

static double sum_of(const cl_bitmap *bitmap) {
  cl_bitmap_def is = cl_bitmap_measures(bitmap);
  double sum = 0;
  for (int row = 0; row < is.h; row++)
    for (int col = 0; col < is.w; col++) sum += cl_bitmap_coverage(bitmap, col, row);
  return sum;
}

static void a_whole_circle_covers_its_area(void) {
  for (long n = test_rounds(3000); n > 0; n--) {
    int samples = test_int(1, 8);
    cl_bitmap *bitmap = bitmap_new(40, 40, 3, samples, false);
    double r = random_radius(12), x = test_uniform(r, 40 - r), y = test_uniform(r, 40 - r);
    cl_bitmap_add_circle(bitmap, x * 3, y * 3, r * 3);
    double error = fabs(sum_of(bitmap) - 3.141592653589793 * r * r);
    double bound = 2 * (r * samples + 1) / (samples * samples);
    CHECK_MSG(error <= bound, "off by %g with %d samples, r = %g", error, samples, r);
    cl_bitmap_free(bitmap);
  }
}

static double share(double from, double to, int cell) {
  return fmax(0, fmin(to, cell + 1) - fmax(from, cell));
}

static void a_rectangle_covers_exact_shares(void) {
  for (long n = test_rounds(3000); n > 0; n--) {
    cl_bitmap *bitmap = bitmap_new(70, 12, 0.5, 4, false);
    shape s = random_shape(70, 12, 9);
    cl_bitmap_add_rectangle(bitmap, s.x / 2, s.y / 2, s.w / 2, s.h / 2);
    for (int row = 0; row < 12; row++)
      for (int col = 0; col < 70; col++) {
        double want = share(s.x, s.x + s.w, col) * share(s.y, s.y + s.h, row);
        CHECK(fabs(cl_bitmap_coverage(bitmap, col, row) - want) < 1e-12);
      }
    cl_bitmap_free(bitmap);
  }
}

// The coverage of one shape, from a bitmap of its own.
static void cover(const cl_bitmap *like, const shape *s, double *cells) {
  cl_bitmap_def def = cl_bitmap_measures(like);
  cl_bitmap *own = cl_bitmap_new(&def);
  REQUIRE(own);
  paint(own, s);
  for (int i = 0; i < def.w * def.h; i++) cells[i] = cl_bitmap_coverage(own, i % def.w, i / def.w);
  cl_bitmap_free(own);
}

enum { W = 90, H = 30, SHAPES = 6 };

static void a_cell_keeps_the_largest_and_a_test_adds_to_it(void) {
  static double kept[W * H], mine[W * H];
  const double thresholds[] = {0, 0.3, 0.9, 1, 1, 1, 1.2, 1.9, 2};
  long hit = 0;
  for (long n = test_rounds(1500); n > 0; n--) {
    cl_bitmap *bitmap =
        bitmap_new(W, H, 1, test_int(0, 1) ? 4 : test_int(1, 6), test_int(0, 2) == 0);
    memset(kept, 0, sizeof kept);
    for (int k = test_int(0, SHAPES); k > 0; k--) {
      shape s = random_shape(W, H, test_int(0, 3) ? 6 : 70);
      paint(bitmap, &s);
      cover(bitmap, &s, mine);
      for (int i = 0; i < W * H; i++) kept[i] = fmax(kept[i], mine[i]);
    }
    for (int i = 0; i < W * H; i++) CHECK(cl_bitmap_coverage(bitmap, i % W, i / W) == kept[i]);
    for (int k = 0; k < 5; k++) {
      shape s = random_shape(W, H, test_int(0, 3) ? 6 : 70);
      double threshold = thresholds[test_int(0, 8)];
      bool want = false;
      cover(bitmap, &s, mine);
      for (int i = 0; i < W * H; i++) want |= mine[i] > 0 && mine[i] + kept[i] > threshold;
      CHECK_MSG(hits(bitmap, &s, threshold) == want, "threshold %g", threshold);
      hit += want;
    }
    cl_bitmap_clear(bitmap);
    CHECK(sum_of(bitmap) == 0);
    cl_bitmap_free(bitmap);
  }
  CHECK(hit > test_rounds(1500));
}

// Whether the list holds each word that is not 0, in whatever order.
static bool are_words_listed(const cl_bitmap *bitmap) {
  size_t words = (size_t)bitmap->h * (size_t)bitmap->stride, filled = 0, sum = 0;
  for (size_t i = 0; i < words; i++) {
    filled += bitmap->bits[i] != 0;
    if (bitmap->bits[i] != 0) sum += i;
  }
  for (size_t i = 0; i < bitmap->dirty_count; i++) {
    if (bitmap->dirty[i] >= words || bitmap->bits[bitmap->dirty[i]] == 0) return false;
    sum -= bitmap->dirty[i];
  }
  return filled == bitmap->dirty_count && sum == 0;
}

// Whether no bit is outside the cells, every word that is not 0 is listed once, and the coverage of
// painted cells is within 0 … 1.
static bool is_valid(const cl_bitmap *bitmap) {
  if (!are_words_listed(bitmap)) return false;
  for (int32_t row = 0; row < bitmap->h; row++) {
    const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
    if (bitmap->w & 63 && words[bitmap->stride - 1] >> (bitmap->w & 63)) return false;
    for (int32_t col = 0; col < bitmap->w; col++) {
      double v = cl_bitmap_coverage(bitmap, col, row);
      if (!(v >= 0 && v <= 1)) return false;
    }
  }
  return true;
}

// After many rounds of painting and clearing, a bitmap has the same coverages as a new one.
static void clearing_leaves_nothing(void) {
  for (int conservative = 0; conservative < 2; conservative++) {
    cl_bitmap *used = bitmap_new(W, H, 1, 4, conservative);
    for (long n = test_rounds(500); n > 0; n--) {
      cl_bitmap *fresh = bitmap_new(W, H, 1, 4, conservative);
      cl_bitmap_clear(used);
      for (int k = test_int(1, 20); k > 0; k--) {
        shape s = random_shape(W, H, 12);
        paint(used, &s), paint(fresh, &s);
      }
      for (int i = 0; i < W * H; i++)
        CHECK(cl_bitmap_coverage(used, i % W, i / W) == cl_bitmap_coverage(fresh, i % W, i / W));
      CHECK(is_valid(used));
      cl_bitmap_free(fresh);
    }
    cl_bitmap_free(used);
  }
}

// If a number is wrong, the check reports it.
static void faults_are_reported(void) {
  cl_bitmap *bitmap = bitmap_new(200, 10, 1, 4, false);
  cl_bitmap_add_rectangle(bitmap, 3, 3, 150, 4);
  CHECK(is_valid(bitmap));
  bitmap->dirty[0] = bitmap->dirty[1];
  CHECK(!is_valid(bitmap));
  cl_bitmap_clear(bitmap);
  CHECK(!is_valid(bitmap));
  cl_bitmap_free(bitmap);
  bitmap = bitmap_new(200, 10, 1, 4, false);
  cl_bitmap_add_rectangle(bitmap, 3, 3, 150, 4);
  bitmap->value[4 * 200 + 20] = 1.5;
  CHECK(!is_valid(bitmap));
  cl_bitmap_free(bitmap);
}

// Clearing takes time in proportion to the painted area. If it took time in proportion to the
// bitmap, whose 32 MB take a millisecond or more, this test would take half a minute.
static void clearing_is_quick_however_large_the_bitmap(void) {
  cl_bitmap *bitmap = bitmap_new(16384, 16384, 1, 4, true);
  clock_t start = clock();
  for (int n = 0; n < 20000; n++) {
    cl_bitmap_add_circle(bitmap, test_uniform(0, 16384), test_uniform(0, 16384), 3);
    cl_bitmap_clear(bitmap);
  }
  CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 5);
  cl_bitmap_free(bitmap);
}

// A bitmap that is cut out of a larger one shows the same coverage of every shape. Places are
// multiples of 1/64, so that moving them by whole cells rounds nothing.
static void shapes_are_clipped(void) {
  enum { LEFT = 33, TOP = 21 };
  for (long n = test_rounds(1000); n > 0; n--) {
    bool conservative = test_int(0, 1);
    cl_bitmap *part = bitmap_new(W, H, 1, 4, conservative);
    cl_bitmap *whole = bitmap_new(W + 2 * LEFT, H + 2 * TOP, 1, 4, conservative);
    shape s = random_shape(W + 10, H + 10, 60);
    s.x = floor(s.x * 64) / 64 - 5, s.y = floor(s.y * 64) / 64 - 5, s.r = ceil(s.r * 64) / 64;
    s.w = ceil(s.w * 64) / 64, s.h = ceil(s.h * 64) / 64;
    paint(part, &s);
    s.x += LEFT, s.y += TOP;
    paint(whole, &s);
    for (int i = 0; i < W * H; i++)
      CHECK(cl_bitmap_coverage(part, i % W, i / W) ==
            cl_bitmap_coverage(whole, i % W + LEFT, i / W + TOP));
    cl_bitmap_free(part), cl_bitmap_free(whole);
  }
}

static void far_and_huge_shapes_do_no_harm(void) {
  const double places[] = {-1e12, -1e6, 0, 25, 1e6, 1e12}, sizes[] = {1e-12, 1, 1e6, 1e12};
  const double cells[] = {CL_BITMAP_MIN_CELL, 1, 1e12};
  for (int i = 0; i < 6 * 6 * 4 * 3 * 2 * 2; i++) {
    shape s = {i & 1, places[i / 4 % 6], places[i / 24 % 6], sizes[i / 144 % 4], 0, 0};
    s.w = s.r, s.h = 1;
    cl_bitmap *bitmap = bitmap_new(50, 50, cells[i / 576 % 3], 4, i & 2);
    paint(bitmap, &s);
    double sum = sum_of(bitmap);
    CHECK(sum >= 0 && sum <= 50 * 50);
    // A shape with any coverage is hit by itself.
    CHECK(hits(bitmap, &s, 0) == (sum > 0));
    cl_bitmap_free(bitmap);
  }
}

// Coverages and tests of fixed shapes, which every compiler must reproduce. The number is that of
// the first version; it changes only if coverages change.
static void all_compilers_agree_to_the_bit(void) {
  uint64_t hash = TEST_HASH_BEGIN;
  test_state = 20260;
  for (int n = 0; n < 300; n++) {
    double cell = test_uniform(0.5, 2);
    cl_bitmap *bitmap = bitmap_new(W, H, cell, 1 + n % 8, n % 5 == 0);
    for (int k = 0; k < 20; k++) {
      shape s = random_shape(W, H, 15);
      bool hit = hits(bitmap, &s, test_uniform(0.9, 1.5));
      paint(bitmap, &s);
      hash = test_hash_byte(hash, hit);
    }
    for (int i = 0; i < W * H; i++) {
      hash = test_hash_double(hash, cl_bitmap_coverage(bitmap, i % W, i / W));
    }
    cl_bitmap_free(bitmap);
  }
  CHECK_MSG(hash == UINT64_C(12373996702831148421), "it is %llu", (unsigned long long)hash);
}

static void without_memory_there_is_none(void) {
  heap h = heap_new();
  for (int conservative = 0; conservative < 2; conservative++) {
    cl_bitmap *bitmap = NULL;
    for (long allowed = 0; !bitmap && allowed < 10; allowed++) {
      h.allowed = allowed;
      cl_bitmap_def def = {heap_alloc(&h), 100, 100, 1, 4, conservative};
      bitmap = cl_bitmap_new(&def);
      if (!bitmap) CHECK_HEAP_EMPTY(h);
    }
    REQUIRE(bitmap);
    CHECK(h.refused > 0);
    cl_bitmap_free(bitmap);
    CHECK_HEAP_EMPTY(h);
  }
}

int main(void) {
  RUN(circles_match_fine_samples);
  RUN(a_whole_circle_covers_its_area);
  RUN(a_rectangle_covers_exact_shares);
  RUN(a_cell_keeps_the_largest_and_a_test_adds_to_it);
  RUN(clearing_leaves_nothing);
  RUN(faults_are_reported);
  RUN(clearing_is_quick_however_large_the_bitmap);
  RUN(shapes_are_clipped);
  RUN(far_and_huge_shapes_do_no_harm);
  RUN(all_compilers_agree_to_the_bit);
  RUN(without_memory_there_is_none);
  return test_end();
}
