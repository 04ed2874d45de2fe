// collide, MIT licence (see LICENSE)
//
// Two groups of circles in 480 x 640, half of N each, and how to find who of the
// second hits any of the first: milliseconds a frame against N, as CSV, and beside
// them the share of hits that a method misses, of those there are, and of those that
// it makes up, of those it tells. Last, from which N on each is faster than testing
// all pairs. All see the same circles, and take turns frame by frame.
//   bitmap [FRAMES]: so many frames for each N; without it, what takes a second or two
//
// The bitmaps say who hits, as does a look at all that ends with the first hit, by
// which the conservative bitmap's answers are made exact; all pairs and the world say
// whom, too.

#include "bench.h"

#include <string.h>

#include "bitmap/bitmap.h"
#include "world/world.h"

static const int counts[] = {100, 200, 500, 1000, 2000, 5000, 10000, 20000};

enum { COUNTS = sizeof counts / sizeof *counts, MOST = 20000 };
enum { WIDTH = 480, HEIGHT = 640, MOST_FRAMES = 1000, LEAST_FRAMES = 5 };
static const double RADIUS = 4, SPEED = 2, BUDGET = 1000; // pixels; ms for each N

typedef struct circles {
  int n; // in each of the two groups: first 0 … n - 1, second n … 2 n - 1
  double x[MOST], y[MOST], vx[MOST], vy[MOST];
} circles;

static circles all;
static bool hit[MOST]; // what a method found, by number in the second group

static void make_circles(int n) {
  static uint64_t state = 1;
  all.n = n / 2;
  for (int i = 0; i < n; i++) {
    all.x[i] = bench_uniform(&state, RADIUS, WIDTH - RADIUS),
    all.y[i] = bench_uniform(&state, RADIUS, HEIGHT - RADIUS);
    all.vx[i] = bench_uniform(&state, -SPEED, SPEED),
    all.vy[i] = bench_uniform(&state, -SPEED, SPEED);
  }
}

static void move(void) {
  for (int i = 0; i < 2 * all.n; i++) {
    all.x[i] += all.vx[i], all.y[i] += all.vy[i];
    if (all.x[i] < RADIUS || all.x[i] > WIDTH - RADIUS) all.vx[i] = -all.vx[i];
    if (all.y[i] < RADIUS || all.y[i] > HEIGHT - RADIUS) all.vy[i] = -all.vy[i];
  }
}

static void need(bool good) {
  if (good) return;
  fprintf(stderr, "no memory\n");
  exit(EXIT_FAILURE);
}

// Pairs with the k-th of the second group, which is hit if there is one.
static long test_all(int k) {
  double x = all.x[all.n + k], y = all.y[all.n + k], reach = 2 * RADIUS;
  long pairs = 0;
  for (int i = 0; i < all.n; i++) {
    double dx = all.x[i] - x, dy = all.y[i] - y;
    pairs += dx * dx + dy * dy < reach * reach;
  }
  hit[k] = pairs > 0;
  return pairs;
}

static void naive(void *self) {
  long *pairs = self;
  *pairs = 0;
  for (int k = 0; k < all.n; k++) *pairs += test_all(k);
}

// Whether the k-th of the second group hits any.
static bool test_to_first(int k) {
  double x = all.x[all.n + k], y = all.y[all.n + k], reach = 2 * RADIUS;
  for (int i = 0; i < all.n; i++) {
    double dx = all.x[i] - x, dy = all.y[i] - y;
    if (dx * dx + dy * dy < reach * reach) return true;
  }
  return false;
}

static void to_first(void *self) {
  (void)self;
  for (int k = 0; k < all.n; k++) hit[k] = test_to_first(k);
}

static void paint_circles(cl_bitmap *bitmap) {
  cl_bitmap_clear(bitmap);
  for (int i = 0; i < all.n; i++) cl_bitmap_add_circle(bitmap, all.x[i], all.y[i], RADIUS);
}

static void by_circles(void *bitmap) {
  paint_circles(bitmap);
  for (int k = 0; k < all.n; k++)
    hit[k] = cl_bitmap_test_circle(bitmap, all.x[all.n + k], all.y[all.n + k], RADIUS, 1);
}

// The squares around the circles.
static void by_rectangles(void *bitmap) {
  const double size = 2 * RADIUS;
  cl_bitmap_clear(bitmap);
  for (int i = 0; i < all.n; i++)
    cl_bitmap_add_rectangle(bitmap, all.x[i] - RADIUS, all.y[i] - RADIUS, size, size);
  for (int k = 0; k < all.n; k++)
    hit[k] = cl_bitmap_test_rectangle(bitmap, all.x[all.n + k] - RADIUS, all.y[all.n + k] - RADIUS,
                                      size, size, 1);
}

static void by_filter(void *bitmap) {
  paint_circles(bitmap);
  for (int k = 0; k < all.n; k++)
    hit[k] = cl_bitmap_test_circle(bitmap, all.x[all.n + k], all.y[all.n + k], RADIUS, 1) &&
             test_to_first(k);
}

typedef struct own_world {
  cl_world *world;
  cl_io io;
} own_world;

static void by_world(void *self) {
  own_world *own = self;
  for (int i = 0; i < 2 * all.n; i++) {
    own->io.x[i] = all.x[i];
    own->io.y[i] = all.y[i];
  }
  need(cl_world_step(own->world, CL_ALL_TOLD) == CL_OK);
  memset(hit, 0, sizeof *hit * (size_t)all.n);
  size_t hits = cl_world_counts(own->world).hits;
  for (size_t i = 0; i < hits; i++) {
    cl_pair pair;
    cl_hit how;
    if (cl_world_hit(own->world, i, &pair, &how)) hit[pair.b - (uint32_t)all.n] = true;
  }
}

static void open_world(own_world *own) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {
      .alloc = alloc, .width = WIDTH, .height = HEIGHT, .broad = &cl_broad_auto, .listed = true};
  cl_shape *shape;
  own->world = cl_world_new(&def, &own->io);
  need(own->world && cl_shape_circle(&alloc, 0, 0, RADIUS, &shape) == CL_OK);
  cl_world_set_hits(own->world, 0, 1, true);
  for (int i = 0; i < 2 * all.n; i++) {
    uint32_t slot;
    cl_actor_def actor = {
        .shape = shape, .x = all.x[i], .y = all.y[i], .group = (uint8_t)(i >= all.n)};
    need(cl_world_add(own->world, &actor, &slot) == CL_OK);
  }
  cl_shape_release(shape);
}

static cl_bitmap *open_bitmap(double cell, bool conservative) {
  cl_bitmap_def def = {
      cl_alloc_default(), (int32_t)(WIDTH / cell), (int32_t)(HEIGHT / cell), cell, 4, conservative};
  cl_bitmap *bitmap = cl_bitmap_new(&def);
  need(bitmap != NULL);
  return bitmap;
}

// Who takes part. The first is the yardstick of hits, the last that of time.
enum { NAIVE, FIRST, CIRCLES, RECTANGLES, FILTER, WORLD, METHODS };

typedef struct method {
  const char *name;
  void (*frame)(void *self);
  void *self;
  double times[MOST_FRAMES];
  double ms[COUNTS];        // medians
  long said, missed, wrong; // over all frames of an N
} method;

static method methods[METHODS] = {
    [NAIVE] = {.name = "all pairs", .frame = naive},
    [FIRST] = {.name = "to the first hit", .frame = to_first},
    [CIRCLES] = {.name = "circle bitmap", .frame = by_circles},
    [RECTANGLES] = {.name = "rectangle bitmap", .frame = by_rectangles},
    [FILTER] = {.name = "conservative bitmap + exact test", .frame = by_filter},
    [WORLD] = {.name = "world", .frame = by_world},
};

// One frame of everybody; how many there are that hit.
static long frame(int f) {
  static bool truth[MOST];
  long there = 0;
  move();
  for (int m = 0; m < METHODS; m++) {
    double start = bench_now();
    methods[m].frame(methods[m].self);
    methods[m].times[f] = bench_now() - start;
    if (m == NAIVE) memcpy(truth, hit, sizeof *hit * (size_t)all.n);
    for (int k = 0; k < all.n; k++) {
      if (m == NAIVE) there += hit[k];
      methods[m].said += hit[k];
      methods[m].missed += truth[k] && !hit[k];
      methods[m].wrong += hit[k] && !truth[k];
    }
  }
  return there;
}

static void measure(int c, int frames) {
  double end = bench_now() + BUDGET;
  long there = 0;
  int f = 0;
  for (; f < MOST_FRAMES && (frames ? f < frames : f < LEAST_FRAMES || bench_now() < end); f++)
    there += frame(f);
  for (int m = 0; m < METHODS; m++) methods[m].ms[c] = bench_median(methods[m].times, f);
  for (int m = 0; m < METHODS; m++) {
    const method *is = &methods[m];
    bench_row("two groups of circles", is->name, counts[c], is->ms[c], "ms", methods[WORLD].ms[c],
              is->said / f);
  }
  for (int m = 0; m < METHODS; m++) {
    const method *is = &methods[m];
    double missed = there ? 100.0 * (double)is->missed / (double)there : 0;
    double wrong = is->said ? 100.0 * (double)is->wrong / (double)is->said : 0;
    bench_row("two groups of circles: missed hits", is->name, counts[c], missed, "%", 0,
              is->missed / f);
    bench_row("two groups of circles: false hits", is->name, counts[c], wrong, "%", 0,
              is->wrong / f);
  }
}

// Where two curves cross, taken as straight between the numbers measured.
static void print_break_even(int m) {
  for (int c = 0; c < COUNTS; c++) {
    double after = methods[NAIVE].ms[c] - methods[m].ms[c];
    if (after < 0) continue;
    double n = counts[c], ms = methods[m].ms[c];
    if (c > 0) {
      double before = methods[m].ms[c - 1] - methods[NAIVE].ms[c - 1];
      double part = before / (before + after);
      n = counts[c - 1] + part * (counts[c] - counts[c - 1]);
      ms = methods[m].ms[c - 1] + part * (methods[m].ms[c] - methods[m].ms[c - 1]);
    }
    bench_row("two groups of circles: faster than all pairs from N on", methods[m].name, (int)n, ms,
              "ms", 0, 0);
    return;
  }
}

int main(int argc, char **argv) {
  int frames = argc > 1 ? atoi(argv[1]) : 0;
  long pairs;
  own_world own = {0};
  methods[NAIVE].self = &pairs;
  methods[CIRCLES].self = open_bitmap(1, false);
  methods[RECTANGLES].self = open_bitmap(1, false);
  methods[FILTER].self = open_bitmap(1, true);
  methods[WORLD].self = &own;
  bench_header();
  for (int c = 0; c < COUNTS; c++) {
    make_circles(counts[c]);
    open_world(&own);
    for (int m = 0; m < METHODS; m++) methods[m].said = methods[m].missed = methods[m].wrong = 0;
    measure(c, frames < MOST_FRAMES ? frames : MOST_FRAMES);
    cl_world_free(own.world);
  }
  for (int m = NAIVE + 1; m < METHODS; m++) print_break_even(m);
  for (int m = CIRCLES; m <= FILTER; m++) cl_bitmap_free(methods[m].self);
  return EXIT_SUCCESS;
}
