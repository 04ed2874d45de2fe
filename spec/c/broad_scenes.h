// collide, MIT licence (see LICENSE)
//
// Scenes for the tests of the broad phases, and their overlapping pairs, found by a loop over all.

#ifndef CL_SPEC_BROAD_SCENES_H
#define CL_SPEC_BROAD_SCENES_H

#include "checked_alloc.h"

#include "broad/broad.h"
#include "geom/box.h"

enum { BROADS = 7, TREES = 4, MAX_BOXES = 4097, SIDE = 512 };

// The first TREES report cells of a quadtree; brute force has none. The grid is also tested without
// wider vectors.
static const cl_broad_class *const broads[BROADS] = {
    &cl_broad_brute, &cl_broad_quadtree, &cl_broad_incremental, &cl_broad_loose,
    &cl_broad_grid,  &cl_broad_auto,     &cl_broad_grid};
static const char *const broad_names[BROADS] = {
    "brute", "quadtree", "incremental", "loose quadtree", "grid", "auto", "grid of fours"};

static inline cl_broad *open_broad(int b, cl_broad_def def) {
  def.fours = b == BROADS - 1;
  return broads[b]->open(broads[b], &def);
}

// Most kinds fit into the field from 0, 0 to SIDE, SIDE.
typedef enum kind {
  UNIFORM,
  SIZES,      // 1e-3 … 1e6 together
  SCALES,     // sizes and places, the larger the farther from 0
  POINTS,     // no width, no height
  LINES,      // no width or no height
  ROW,        // in a line along an axis or a diagonal
  FAR,        // up to 1e7 in whole numbers
  FURTHEST,   // as far away and as large as coordinates can be, and as small
  OUTSIDE,    // of the field
  EDGE,       // at the field's far edge
  ASTRIDE,    // centre lines of the field and of its quarters
  LATTICE,    // touching their neighbours
  CLUSTERS,   // around 25 points
  MIXED,      // 2 … 200, many of each order of magnitude
  CROWDED,    // four of five in a hundredth of the field
  SPARSE,     // far more room than boxes
  OUTLIERS,   // a few very far away, and a few very large
  NEIGHBOURS, // a few floats apart
  EQUAL,      // from here on nearly all pairs overlap
  SPOT,       // all at one point
  KINDS
} kind;

static inline double coin(double a, double b) { return test_int(0, 1) ? a : b; }

static inline double size_between(double low, double high) {
  return exp(test_uniform(log(low), log(high)));
}

static inline cl_fbox box_at(double x, double y, double w, double h) {
  return (cl_fbox){(float)x, (float)y, (float)(x + w), (float)(y + h)};
}

// A line of the tree over 0 … SIDE.
static inline double tree_line(void) {
  int cells = 1 << test_int(1, 9);
  return (double)SIDE / cells * test_int(0, cells);
}

static inline cl_fbox box_in_row(uint32_t seed, double size) {
  double along = test_uniform(0, SIDE);
  return box_at(seed & 1 ? along : 99, seed & 2 ? along : 99, size, size);
}

static inline cl_fbox box_furthest(void) {
  double x = coin(-1e12, 1e12), y = coin(-1e12, 1e12), w = test_int(0, 1) ? 1e12 : 1e-37;
  if (test_int(0, 1)) x = y = 0;
  return box_at(x, y, w, coin(w, 0));
}

static inline cl_fbox box_outside(void) {
  double x = test_uniform(-2 * SIDE, 2 * SIDE), y = coin(-300, SIDE + 300) + test_uniform(-50, 50);
  bool turn = test_int(0, 1);
  return box_at(turn ? y : x, turn ? x : y, test_uniform(0, 40), test_uniform(0, 40));
}

static inline cl_fbox box_at_edge(void) {
  double along = test_uniform(0, SIDE), before = coin(0, test_uniform(0, 9));
  double past = coin(0, test_uniform(0, 9)), length = test_uniform(0, 9);
  return test_int(0, 1) ? box_at(SIDE - before, along, before + past, length)
                        : box_at(along, SIDE - before, length, before + past);
}

static inline cl_fbox box_astride(void) {
  double x = coin(tree_line(), test_uniform(0, SIDE)), y = coin(tree_line(), SIDE / 2.0);
  double w = test_uniform(0, 6), h = coin(0, test_uniform(0, 6));
  return box_at(x - w * test_int(0, 2) / 2, y - h * test_int(0, 2) / 2, w, h);
}

static inline cl_fbox box_in_cluster(uint32_t seed) {
  double x = (double)((seed * 37 + (uint32_t)test_int(0, 4) * 101) % SIDE);
  double y = (double)((seed * 53 + (uint32_t)test_int(0, 4) * 29) % SIDE);
  return box_at(x + test_uniform(-3, 3), y + test_uniform(-3, 3), test_uniform(0, 1), 0.5);
}

static inline cl_fbox box_in_crowd(double x, double y) {
  bool in = test_int(0, 4) > 0;
  return box_at(in ? 200 + x / 10 : x, in ? 300 + y / 10 : y, 1, 1);
}

static inline cl_fbox box_of_outliers(double x, double y) {
  int what = test_int(0, 40);
  if (what == 0) x *= coin(-1e5, 1e9);
  if (what == 1) y *= coin(-1e6, 1e4);
  double size = what == 2 ? test_uniform(0, 5000) : test_uniform(4, 9);
  return box_at(x, y, size, size);
}

static inline float few_floats_on(float v) {
  for (int i = test_int(0, 3); i > 0; i--) v = nextafterf(v, INFINITY);
  return v;
}

static inline cl_fbox box_of_neighbours(void) {
  float x = few_floats_on((float)tree_line()), y = few_floats_on((float)(SIDE / 2));
  return (cl_fbox){x, y, few_floats_on(x), few_floats_on(y)};
}

static inline cl_fbox random_box(kind k, uint32_t seed) {
  double x = test_uniform(0, SIDE), y = test_uniform(0, SIDE);
  switch (k) {
  case SIZES: {
    double w = size_between(1e-3, 1e6), h = w * size_between(0.1, 10);
    return box_at(test_uniform(-2e6, 2e6), test_uniform(-2e6, 2e6), w, h);
  }
  case SCALES: {
    double far = size_between(1e-3, 1e6), w = far * size_between(1e-3, 1e-2);
    return box_at(coin(-far, far), coin(-1, 1) * size_between(1e-3, 1e6), w, w);
  }
  case POINTS: return box_at(test_int(0, 40), test_int(0, 40), 0, 0);
  case LINES: return test_int(0, 1) ? box_at(x, floor(y), 20, 0) : box_at(floor(x), y, 0, 20);
  case ROW: return box_in_row(seed, size_between(0.01, 5));
  case FAR: return box_at(test_int(-10, 10) * 1e6, test_int(-10, 10) * 1e6, test_int(0, 2), 1);
  case FURTHEST: return box_furthest();
  case OUTSIDE: return box_outside();
  case EDGE: return box_at_edge();
  case ASTRIDE: return box_astride();
  case LATTICE: return box_at(8 * test_int(0, 63), 8 * test_int(0, 63), 8, 8);
  case CLUSTERS: return box_in_cluster(seed);
  case MIXED: return box_at(8 * x, 8 * y, size_between(2, 200), size_between(2, 200));
  case CROWDED: return box_in_crowd(x, y);
  case SPARSE: return box_at(floor(x * 1000), floor(y * 1000), 800, test_uniform(1, 1000));
  case OUTLIERS: return box_of_outliers(x, y);
  case NEIGHBOURS: return box_of_neighbours();
  case EQUAL: return box_at(100.25, 200.5, seed % 400, seed % 300);
  case SPOT: return box_at(seed % 1000, seed % 700, 0, 0);
  default: return box_at(x, y, test_uniform(0, 12), test_uniform(0, 12));
  }
}

typedef struct scene {
  kind kind;
  uint32_t count, seed;
  bool some_fixed;
  cl_fbox box[MAX_BOXES];
  bool in_doubles; // the broad phase also gets the boxes in doubles, and decides by these
  cl_bounds fine[MAX_BOXES];
  uint8_t fixed[MAX_BOXES];
  size_t pairs;                                                 // the number of pairs to find
  uint64_t overlaps[((size_t)MAX_BOXES * MAX_BOXES + 63) / 64]; // bit a * count + b, a < b
  uint64_t found[((size_t)MAX_BOXES * MAX_BOXES + 63) / 64];
} scene;

static inline size_t scene_words(const scene *s) { return ((size_t)s->count * s->count + 63) / 64; }

static inline void scene_find(scene *s) {
  memset(s->overlaps, 0, scene_words(s) * sizeof *s->overlaps);
  s->pairs = 0;
  for (uint32_t a = 0; a < s->count; a++) {
    cl_fbox p = s->box[a];
    for (uint32_t b = a + 1; b < s->count; b++) {
      cl_fbox q = s->box[b];
      bool touch = (p.x0 <= q.x1) & (q.x0 <= p.x1) & (p.y0 <= q.y1) & (q.y0 <= p.y1);
      if (s->in_doubles) touch = cl_bounds_touch(s->fine[a], s->fine[b]);
      if (!touch) continue;
      if (s->some_fixed && s->fixed[a] && s->fixed[b]) continue;
      size_t bit = (size_t)a * s->count + b;
      s->overlaps[bit / 64] |= UINT64_C(1) << bit % 64;
      s->pairs++;
    }
  }
}

static inline void scene_make(scene *s, kind k, uint32_t count) {
  s->kind = k;
  s->count = count;
  s->seed = (uint32_t)test_bits();
  int fixed_of_ten = test_int(0, 1) ? test_int(1, 10) : 0;
  s->some_fixed = fixed_of_ten > 0;
  s->in_doubles = false;
  for (uint32_t i = 0; i < count; i++) {
    s->box[i] = random_box(k, s->seed);
    s->fixed[i] = (uint8_t)(test_int(1, 10) <= fixed_of_ten);
  }
  scene_find(s);
}

static inline cl_broad_input scene_input(const scene *s) {
  return (cl_broad_input){.box = s->box,
                          .fixed = s->some_fixed ? s->fixed : NULL,
                          .count = s->count,
                          .fine = s->in_doubles ? s->fine : NULL};
}

// Moves the boxes far away: the doubles are exact, and the floats are rounded there.
static inline void scene_move_far(scene *s, double by) {
  s->in_doubles = true;
  for (uint32_t i = 0; i < s->count; i++) {
    cl_fbox b = s->box[i];
    s->fine[i] = (cl_bounds){b.x0 + by, b.y0 - by, b.x1 + by, b.y1 - by};
    s->box[i] = cl_fbox_of(b.x0 + by, b.y0 - by, b.x1 + by, b.y1 - by);
  }
}

// NULL if all of these pairs are to be found, and none is there twice; otherwise what is wrong.
static inline const char *scene_wrong(scene *s, const cl_pair *pair, size_t count) {
  memset(s->found, 0, scene_words(s) * sizeof *s->found);
  for (size_t i = 0; i < count; i++) {
    if (pair[i].a >= pair[i].b || pair[i].b >= s->count) return "not a pair";
    size_t bit = (size_t)pair[i].a * s->count + pair[i].b;
    uint64_t mask = UINT64_C(1) << bit % 64;
    if (!(s->overlaps[bit / 64] & mask)) return "a pair too many";
    if (s->found[bit / 64] & mask) return "a pair twice";
    s->found[bit / 64] |= mask;
  }
  return NULL;
}

// The same, and all pairs have to be there.
static inline const char *scene_differs(scene *s, const cl_pair *pair, size_t count) {
  const char *wrong = scene_wrong(s, pair, count);
  return !wrong && count < s->pairs ? "a pair missing" : wrong;
}

// Fields for trees: fitting, odd, off, flat, tiny, huge.
enum { FIELDS = 9 };
static inline cl_broad_def field_def(cl_alloc alloc, int field, unsigned depth) {
  static const cl_fbox boxes[FIELDS] = {
      {0, 0, SIDE, SIDE},    {0, 0, 333.3f, 7.7f},
      {-1000, -3, 17, 1e6f}, {0, 0, 500, 500},
      {0, 0, 0, SIDE},       {7, 7, 7, 7},
      {0, 0, 1e-30f, 1},     {-1e12f, -1e12f, 1e12f, 5e11f},
  };
  return (cl_broad_def){
      .alloc = alloc, .field = boxes[field], .bounded = field < FIELDS - 1, .depth = depth};
}

#endif
