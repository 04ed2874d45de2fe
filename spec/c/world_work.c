// collide, MIT licence (see LICENSE)
//
// No distribution of places and sizes makes a step or a query slow: the work of each is at most
// four times that of boxes that are evenly spread and overlap as often, and grows by n log n. It is
// counted in steps of work, which only a checked build does (`make test-work`). VERBOSE=1 prints
// the ratios.

#include "test.h"

#include "world/state.h"

#if CL_CHECKED

enum { LEAST = 1000, DOUBLINGS = 2, FRAMES = 4, ASKED = 100 };

static const cl_broad_class *const broads[] = {&cl_broad_grid, &cl_broad_quadtree,
                                               &cl_broad_incremental, &cl_broad_loose};

typedef enum kind {
  UNIFORM,
  ONE_POINT,
  LINE,
  DIAGONAL,
  ALIGNED,      // a grid of squares that touch
  POWER_SIZES,  // nine decades of sizes
  POWER_PLACES, // and of places, all around one point
  POWER_BOTH,
  CLUSTERS,     // two, 1e12 apart
  OUTLIER_NEAR, // one at 1e3
  OUTLIER_FAR,  // at 1e7
  OUTLIER_EDGE, // at 9e11
  GIANT,        // and dust
  SLENDER,      // lying and standing, none of which touch
  POINTS,       // without a size, and one at 9e11
  FAR_POINTS,   // evenly spread at 9e11
  KINDS
} kind;

static const char *const names[KINDS] = {
    "uniform",        "one point",       "line",           "diagonal",     "aligned",
    "power of sizes", "power of places", "power of both",  "two clusters", "outlier at 1e3",
    "outlier at 1e7", "outlier at 9e11", "giant and dust", "slender",      "points",
    "far points"};

typedef struct box {
  double x, y, w, h;
} box;

static double decades(double low, double high) { return exp(test_uniform(log(low), log(high))); }

static double either_sign(double v) { return test_int(0, 1) ? v : -v; }

static box outlier(uint32_t i, box b, double at) { return i == 7 ? (box){at, at, 8, 8} : b; }

// Box i of n.
static box box_of(kind k, uint32_t i, uint32_t n) {
  double side = 20 * sqrt(n), x = test_uniform(0, side), y = test_uniform(0, side);
  box b = {x, y, 8, 8};
  uint32_t root = (uint32_t)sqrt(n);
  switch (k) {
  case ONE_POINT: return (box){5, 5, 8, 8};
  case LINE: return (box){test_uniform(0, 20.0 * n), 5, 8, 8};
  case DIAGONAL: x = test_uniform(0, 20.0 * n); return (box){x, x, 8, 8};
  case ALIGNED: return (box){8.0 * (i % root), 8.0 * (i / root), 8, 8};
  case POWER_SIZES: {
    double w = decades(1e-6, 1e3) * side / 1e4;
    return (box){x, y, w, w};
  }
  case POWER_PLACES:
    return (box){either_sign(decades(1e-3, 1e6)), either_sign(decades(1e-3, 1e6)), 1e-3, 1e-3};
  case POWER_BOTH: {
    double far = decades(1e-3, 1e6), w = far * 0.1 / sqrt(n);
    return (box){either_sign(far), either_sign(decades(1e-3, 1e6)), w, w};
  }
  case CLUSTERS: {
    double at = i % 2 ? 5e11 : -5e11;
    return (box){at + x / sqrt(2), at + y / sqrt(2), 8, 8};
  }
  case OUTLIER_NEAR: return outlier(i, b, 1e3);
  case OUTLIER_FAR: return outlier(i, b, 1e7);
  case OUTLIER_EDGE: return outlier(i, b, 9e11);
  case GIANT: return i == 7 ? (box){0, 0, side, side} : (box){x, y, 0.01, 0.01};
  case SLENDER:
    if (i % 2) return (box){0, i, 1000, 0.1};
    return (box){2000 + i, 0, 0.1, 1000};
  case POINTS: return i == 7 ? (box){9e11, 9e11, 0, 0} : (box){x, y, 0, 0};
  case FAR_POINTS: return (box){9e11 - x, y - 9e11, 0.25, 0.25};
  default: return b;
  }
}

typedef struct scene {
  cl_io io;
  cl_world *world;
  uint32_t count;
  box *box;
} scene;

static const cl_shape *shape_of(const cl_alloc *alloc, double w, double h, cl_shape **made) {
  CHECK(w > 0 ? cl_shape_rectangle(alloc, 0, 0, w, h, made) == CL_OK
              : cl_shape_circle(alloc, 0, 0, 1e-9, made) == CL_OK);
  return *made;
}

static void open_scene(scene *s, const cl_broad_class *broad, uint32_t n) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = broad};
  *s = (scene){.count = n, .box = malloc(n * sizeof *s->box)};
  s->world = cl_world_new(&def, &s->io);
  CHECK(s->world && s->box);
}

static void add_all(scene *s) {
  const cl_alloc alloc = cl_alloc_default();
  cl_shape *shape = NULL;
  for (uint32_t i = 0; i < s->count; i++) {
    box b = s->box[i];
    uint32_t slot;
    bool same = i > 0 && b.w == s->box[i - 1].w && b.h == s->box[i - 1].h;
    if (!same) {
      if (shape) cl_shape_release(shape);
      shape_of(&alloc, b.w, b.h, &shape);
    }
    const cl_actor_def def = {.shape = shape, .x = b.x, .y = b.y};
    CHECK(cl_world_add(s->world, &def, &slot) == CL_OK);
  }
  cl_shape_release(shape);
}

static void close_scene(scene *s) {
  cl_world_free(s->world);
  free(s->box);
}

// The most work of any step except the first, in which everything is new.
static double work_of_steps(scene *s) {
  double most = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    for (uint32_t i = 0; i < s->count; i++) {
      const box *b = &s->box[i];
      s->io.place[i] = (cl_vec){b->x + (frame % 2 ? 0.01 * b->w : 0), b->y};
    }
    cl_work_done = 0;
    CHECK(cl_world_step(s->world, CL_ALL_DISPATCHED) == CL_OK);
    if (frame > 0) most = fmax(most, (double)cl_work_done);
  }
  return most;
}

enum { RECTS, POINT_QUERIES, NEAREST, RAYS, SHAPES, QUERIES };
static const char *const asked[QUERIES] = {"rects", "points", "nearest", "rays", "shape casts"};

static void ask(scene *s, int what, box at, box to, const cl_placed *mover, double *answers) {
  cl_answers found = {NULL, 0};
  const cl_filter all = {UINT64_MAX, NULL, 0};
  cl_bounds b = {at.x - at.w, at.y - at.h, at.x + at.w, at.y + at.h};
  cl_path path = {at.x, at.y, to.x, to.y, what == SHAPES ? mover : NULL};
  switch (what) {
  case RECTS: CHECK(cl_world_query_bounds(s->world, b, all, &found) == CL_OK); break;
  case POINT_QUERIES:
    CHECK(cl_world_query_point(s->world, at.x, at.y, all, &found) == CL_OK);
    break;
  case NEAREST: CHECK(cl_world_nearest(s->world, at.x, at.y, 3, all, &found) == CL_OK); break;
  default: CHECK(cl_world_cast(s->world, &path, false, all, &found) == CL_OK);
  }
  *answers += (double)found.count;
}

// The mean work of queries near actors, after some from which the world may choose a method; and
// their mean number of answers.
static double work_of_queries(scene *s, int what, double *answers) {
  const cl_alloc alloc = cl_alloc_default();
  cl_shape *shape = NULL;
  uint64_t work = 0;
  const cl_filter all = {UINT64_MAX, NULL, 0};
  cl_answers found;
  *answers = 0;
  // A query that finds very many lets the world compare the sizes of boxes with their distances.
  CHECK(cl_world_query_bounds(s->world, (cl_bounds){-1e12, -1e12, 1e12, 1e12}, all, &found) ==
        CL_OK);
  for (int i = -ASKED; i < ASKED; i++) {
    box a = s->box[test_int(0, (int)s->count - 1)], b = a;
    a.x += test_uniform(-2, 2) * a.w, a.y += 2 * a.h;
    b.x = a.x + test_uniform(-100, 100) * a.w, b.y = a.y + test_uniform(-100, 100) * a.h;
    shape_of(&alloc, a.w, a.h, &shape);
    cl_placed mover = cl_place(shape, a.x, a.y, 0);
    if (i == 0) *answers = 0;
    cl_work_done = 0;
    ask(s, what, a, b, &mover, answers);
    if (i >= 0) work += cl_work_done;
    cl_shape_release(shape);
  }
  *answers /= ASKED;
  return (double)work / ASKED;
}

typedef struct work {
  double step, query[QUERIES];
} work;

static work measure(scene *s, double answers[QUERIES]) {
  work w;
  add_all(s);
  w.step = work_of_steps(s);
  for (int q = 0; q < QUERIES; q++) w.query[q] = work_of_queries(s, q, &answers[q]);
  return w;
}

// The work for evenly spread squares that overlap as often.
static work evenly(const cl_broad_class *broad, uint32_t n, double pairs) {
  scene s;
  double answers[QUERIES];
  open_scene(&s, broad, n);
  double side = 8.0 * n * sqrt(2 / fmax(pairs, 0.1 * n));
  for (uint32_t i = 0; i < n; i++) {
    s.box[i] = (box){test_uniform(0, side), test_uniform(0, side), 8, 8};
  }
  work w = measure(&s, answers);
  close_scene(&s);
  return w;
}

enum { STEPS_TO_LOOK = 32 };

static void compare(const cl_broad_class *broad, kind k) {
  work first = {0};
  double most_pairs = 0;
  for (int d = 0; d <= DOUBLINGS; d++) {
    uint32_t n = LEAST << d;
    scene s;
    double answers[QUERIES];
    open_scene(&s, broad, n);
    for (uint32_t i = 0; i < n; i++) s.box[i] = box_of(k, i, n);
    work is = measure(&s, answers);
    double pairs = (double)cl_world_counts(s.world).candidates;
    close_scene(&s);
    work even = evenly(broad, n, pairs);
    double grown = (1 << d) * log(n) / log(LEAST);
    if (d == 0) most_pairs = 1.5 * pairs;
    bool many = pairs > (1 << d) * most_pairs; // then the step grows with the pairs
    CHECK_MSG(is.step <= 4 * even.step, "%s, %s, %u boxes: step %.0f, not %.0f", broad->name,
              names[k], n, is.step, even.step);
    CHECK_MSG(d == 0 || many || is.step <= 1.25 * grown * first.step,
              "%s, %s, %u boxes: step %.0f after %.0f", broad->name, names[k], n, is.step,
              first.step);
    for (int q = 0; q < QUERIES; q++) {
      // Boxes that overlap there are tested, though they are no answers of some queries. Each takes
      // a visit in the tree and one test of two boxes, whose corners the narrow phase counts, too.
      double most = 4 * even.query[q] + STEPS_TO_LOOK * (answers[q] + 2 * pairs / n);
      CHECK_MSG(is.query[q] <= most, "%s, %s, %u boxes: %s %.0f, not %.0f (%.1f answers)",
                broad->name, names[k], n, asked[q], is.query[q], even.query[q], answers[q]);
    }
    if (getenv("VERBOSE")) {
      printf("%-12s %-16s %6u %8.0f pairs: step %5.2f;", broad->name, names[k], n, pairs,
             is.step / even.step);
      for (int q = 0; q < QUERIES; q++) printf(" %s %.2f", asked[q], is.query[q] / even.query[q]);
      printf("\n");
    }
    if (d == 0) first = is;
  }
}

static void any_distribution(void) {
  for (size_t b = 0; b < sizeof broads / sizeof *broads; b++) {
    for (int k = 0; k < KINDS; k++) compare(broads[b], (kind)k);
  }
}

// With so many boxes of all scales, each small one might be tested with the large ones of every
// order of magnitude.
static void many_of_all_scales(void) {
  enum { MANY = 16000 };
  scene all, even;
  open_scene(&all, &cl_broad_grid, MANY);
  for (uint32_t i = 0; i < MANY; i++) all.box[i] = box_of(POWER_BOTH, i, MANY);
  add_all(&all);
  open_scene(&even, &cl_broad_grid, MANY);
  for (uint32_t i = 0; i < MANY; i++) even.box[i] = box_of(UNIFORM, i, MANY);
  add_all(&even);
  double is = work_of_steps(&all), most = 4 * work_of_steps(&even);
  CHECK_MSG(is <= most, "%.0f, not %.0f", is, most);
  close_scene(&all);
  close_scene(&even);
}

#else

static void any_distribution(void) { printf("steps are counted only by checked builds\n"); }
static void many_of_all_scales(void) {}

#endif

int main(void) {
  RUN(any_distribution);
  RUN(many_of_all_scales);
  return test_end();
}
