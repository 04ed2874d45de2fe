// collide, MIT licence (see LICENSE)
//
// Two groups of N / 2 circles each in 480 x 640: methods to find the circles of the second
// group that hit a circle of the first. Prints, as CSV, milliseconds per frame against N; the
// share of all hits that a method misses; the share of its reported hits that are wrong; and
// the N from which each method is faster than testing all pairs. All methods get the same
// circles, and take turns frame by frame.
//   bitmap [FRAMES]: frames for each N; by default as many as take a second or two
//
// Source: an experiment with coverage bitmaps for shooters, with N from 100 to 5000, 1000
// frames each, for all pairs, painted circles, and painted squares. As there, a hit is where
// two coverages add up to more than a cell, rims are sampled 4 x 4, and the bitmap is painted
// again in every frame. Unlike there, one bitmap holds the largest coverage of all circles of
// the group, instead of one bitmap for each circle; N goes up to 20 000; times are medians;
// there are more methods; and the answers are compared with geometry.
//
// The bitmaps tell which circles hit, and so does a scan of all circles that stops at the first
// hit; that scan also makes the conservative bitmap's answers exact. All pairs, the world and the
// pool also tell which circles they hit. All except the pool test the places at the end of a frame.
// The pool sweeps its bullets to these places and reports hits on the way. So it also moves the
// bullets, which is done for the other methods, and it is judged by the distance of the circles on
// their way.

#include "bench.h"

#include <string.h>

#include "bitmap/bitmap.h"

static const int counts[] = {100, 200, 500, 1000, 2000, 5000, 10000, 20000};

enum { COUNTS = sizeof counts / sizeof *counts, MOST = 20000 };
enum { WIDTH = 480, HEIGHT = 640, MOST_FRAMES = 1000, LEAST_FRAMES = 5 };
static const double RADIUS = 4, SPEED = 2, BUDGET = 1000; // pixels; ms for each N

// A circle has moved to (x, y) by (vx, vy).
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
    double x = all.x[i] + all.vx[i], y = all.y[i] + all.vy[i];
    if (x < RADIUS || x > WIDTH - RADIUS) all.vx[i] = -all.vx[i];
    if (y < RADIUS || y > HEIGHT - RADIUS) all.vy[i] = -all.vy[i];
    all.x[i] += all.vx[i], all.y[i] += all.vy[i];
  }
}

static void need(bool good) {
  if (good) return;
  fprintf(stderr, "no memory\n");
  exit(EXIT_FAILURE);
}

// How many circles of the first group overlap the k-th of the second.
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

// Whether the k-th of the second group hits any circle; stops at the first.
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

// Whether the k-th of the second group touches any circle on its way through the frame:
// relative to the other circle it moves along the line from e to d.
static bool test_way(int k) {
  int other = all.n + k;
  double reach = 2 * RADIUS;
  for (int i = 0; i < all.n; i++) {
    double dx = all.x[other] - all.x[i], dy = all.y[other] - all.y[i];
    double vx = all.vx[other] - all.vx[i], vy = all.vy[other] - all.vy[i];
    double along = dx * vx + dy * vy, vv = vx * vx + vy * vy; // nearest at 1 - along / vv
    double back = along <= 0 ? 0 : along >= vv ? 1 : along / vv;
    dx -= back * vx, dy -= back * vy;
    if (dx * dx + dy * dy <= reach * reach) return true;
  }
  return false;
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

// A world of both groups, or of the first and a pool for the second.
typedef struct own_world {
  cl_world *world;
  cl_io io;
  cl_pools *pools;
  cl_bullets *pool;
} own_world;

static void move_actors(own_world *own, int actors) {
  for (int i = 0; i < actors; i++) own->io.place[i] = (cl_vec){all.x[i], all.y[i]};
}

static void by_world(void *self) {
  own_world *own = self;
  move_actors(own, 2 * all.n);
  need(cl_world_step(own->world, CL_ALL_DISPATCHED) == CL_OK);
  memset(hit, 0, sizeof *hit * (size_t)all.n);
  size_t hits = cl_world_counts(own->world).hits;
  for (size_t i = 0; i < hits; i++) {
    cl_pair pair;
    cl_hit how;
    if (cl_world_hit(own->world, i, &pair, &how)) hit[pair.b - (uint32_t)all.n] = true;
  }
}

// Bullets that hit are gone, and others may have turned at the edge, so all are spawned again
// in every frame.
static void by_pool(void *self) {
  own_world *own = self;
  cl_bullets_clear(own->pool);
  for (int i = all.n; i < 2 * all.n; i++) {
    cl_vec at = {all.x[i] - all.vx[i], all.y[i] - all.vy[i]}, v = {all.vx[i], all.vy[i]};
    cl_bullets_spawn(own->pool, at, v, (cl_vec){0, 0}, i - all.n);
  }
  move_actors(own, all.n);
  need(cl_world_begin_step(own->world, CL_ALL_DISPATCHED) == CL_OK);
  need(cl_pools_begin_step(own->pools, 1) == CL_OK);
  cl_world_end_step(own->world);
  cl_pools_end_step(own->pools);
  memset(hit, 0, sizeof *hit * (size_t)all.n);
  cl_shot shot;
  while (cl_pools_next_shot(own->pools, &shot)) {
    cl_bullet bullet;
    if (cl_bullets_get(own->pool, shot.number, &bullet)) hit[(int)bullet.tag] = true;
  }
}

static void open_world(own_world *own, int actors) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {
      .alloc = alloc, .width = WIDTH, .height = HEIGHT, .broad = &cl_broad_auto, .listed = true};
  cl_shape *shape;
  own->world = cl_world_new(&def, &own->io);
  need(own->world && cl_shape_circle(&alloc, 0, 0, RADIUS, &shape) == CL_OK);
  cl_world_set_rule(own->world, 0, 1, true);
  for (int i = 0; i < actors; i++) {
    uint32_t slot;
    cl_actor_def actor = {
        .shape = shape, .x = all.x[i], .y = all.y[i], .group = (uint8_t)(i >= all.n)};
    need(cl_world_add(own->world, &actor, &slot) == CL_OK);
  }
  cl_shape_release(shape);
}

static void open_pool(own_world *own) {
  open_world(own, all.n);
  cl_bullets_def def = {.capacity = (uint32_t)all.n,
                        .radius = RADIUS,
                        .group = 1,
                        .bounds = {0, 0, WIDTH, HEIGHT},
                        .lifetime = INFINITY};
  cl_alloc alloc = cl_alloc_default();
  own->pools = cl_pools_new(&alloc, own->world);
  need(own->pools && cl_bullets_new(own->pools, &def, &own->pool) == CL_OK);
  cl_bullets_set_event_mask(own->pool, CL_BULLET_EVENT_HIT);
}

static cl_bitmap *open_bitmap(double cell, bool conservative) {
  cl_bitmap_def def = {
      cl_alloc_default(), (int32_t)(WIDTH / cell), (int32_t)(HEIGHT / cell), cell, 4, conservative};
  cl_bitmap *bitmap = cl_bitmap_new(&def);
  need(bitmap != NULL);
  return bitmap;
}

// The methods. The first is the reference for hits at the end of a frame, and the world is the
// reference for time.
enum { NAIVE, FIRST, CIRCLES, RECTANGLES, FILTER, WORLD, POOL, METHODS };

typedef struct method {
  const char *name;
  void (*frame)(void *self);
  void *self;
  double times[MOST_FRAMES];
  double ms[COUNTS];               // medians
  long there, said, missed, wrong; // over all frames of an N
} method;

static method methods[METHODS] = {
    [NAIVE] = {.name = "all pairs", .frame = naive},
    [FIRST] = {.name = "to the first hit", .frame = to_first},
    [CIRCLES] = {.name = "circle bitmap", .frame = by_circles},
    [RECTANGLES] = {.name = "rectangle bitmap", .frame = by_rectangles},
    [FILTER] = {.name = "conservative + exact test", .frame = by_filter},
    [WORLD] = {.name = "world", .frame = by_world},
    [POOL] = {.name = "pool of bullets", .frame = by_pool},
};

// Counts the misses and the wrong hits of a method.
static void judge(method *m, const bool *truth) {
  for (int k = 0; k < all.n; k++) {
    m->there += truth[k];
    m->said += hit[k];
    m->missed += truth[k] && !hit[k];
    m->wrong += hit[k] && !truth[k];
  }
}

// One frame of all methods.
static void frame(int f) {
  static bool at_end[MOST], on_way[MOST];
  move();
  for (int m = 0; m < METHODS; m++) {
    double start = bench_now();
    methods[m].frame(methods[m].self);
    methods[m].times[f] = bench_now() - start;
    if (m == NAIVE) {
      memcpy(at_end, hit, sizeof *hit * (size_t)all.n);
      for (int k = 0; k < all.n; k++) on_way[k] = at_end[k] || test_way(k);
    }
    judge(&methods[m], m == POOL ? on_way : at_end);
  }
}

static double percent(long part, long of) { return of ? 100.0 * (double)part / (double)of : 0; }

static void measure(int c, int frames) {
  double end = bench_now() + BUDGET;
  int f = 0;
  for (int m = 0; m < METHODS; m++) {
    method *is = &methods[m];
    is->there = is->said = is->missed = is->wrong = 0;
  }
  for (; f < MOST_FRAMES && (frames ? f < frames : f < LEAST_FRAMES || bench_now() < end); f++)
    frame(f);
  for (int m = 0; m < METHODS; m++) methods[m].ms[c] = bench_median(methods[m].times, f);
  for (int m = 0; m < METHODS; m++) {
    const method *is = &methods[m];
    bench_row("two groups of circles", is->name, counts[c], is->ms[c], "ms", methods[WORLD].ms[c],
              is->said / f);
  }
  for (int m = 0; m < METHODS; m++) {
    const method *is = &methods[m];
    bench_row("two groups of circles: missed hits", is->name, counts[c],
              percent(is->missed, is->there), "%", 0, is->missed / f);
    bench_row("two groups of circles: false hits", is->name, counts[c],
              percent(is->wrong, is->said), "%", 0, is->wrong / f);
  }
  // Hits that all other methods miss, exact or not.
  long between = methods[POOL].there - methods[NAIVE].there;
  bench_row("two groups of circles: hits on the way that the end does not show", "all pairs",
            counts[c], percent(between, methods[POOL].there), "%", 0, between / f);
}

// Where two curves cross, interpolated linearly between the measured numbers.
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
  own_world both = {0}, first = {0};
  methods[NAIVE].self = &pairs;
  methods[CIRCLES].self = open_bitmap(1, false);
  methods[RECTANGLES].self = open_bitmap(1, false);
  methods[FILTER].self = open_bitmap(1, true);
  methods[WORLD].self = &both;
  methods[POOL].self = &first;
  bench_header();
  for (int c = 0; c < COUNTS; c++) {
    make_circles(counts[c]);
    open_world(&both, 2 * all.n);
    open_pool(&first);
    measure(c, frames < MOST_FRAMES ? frames : MOST_FRAMES);
    cl_world_free(both.world);
    cl_world_free(first.world);
  }
  for (int m = NAIVE + 1; m < METHODS; m++) print_break_even(m);
  for (int m = CIRCLES; m <= FILTER; m++) cl_bitmap_free(methods[m].self);
  return EXIT_SUCCESS;
}
