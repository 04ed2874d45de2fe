// collide, MIT licence (see LICENSE)
//
// A step's hits, which are found for many pairs at once, equal those of cl_overlap for each pair,
// to the bit: crowds of one kind of shape, and of all kinds together.

#include "random_shapes.h"

// In the first steps no actor has an angle.
enum { CROWD = 600, STEPS = 4, UPRIGHT = 2 };

static cl_alloc alloc;
static cl_shape *shapes[CROWD];
static cl_placed placed[CROWD];
static double last_angle[CROWD];

enum { BOXES_AND_CIRCLES = -2, HALF_SQUARES = -3 };

// A square without one of its corners: four shapes with the same bounds.
static cl_shape *half_square(void) {
  static const double corner[8] = {0, 0, 10, 0, 10, 10, 0, 10};
  double xy[6];
  cl_fault fault;
  cl_shape *s = NULL;
  int missing = test_int(0, 3);
  for (int i = 0; i < 6; i++) xy[i] = corner[(2 * missing + 2 + i) % 8];
  if (cl_shape_polygon(&alloc, xy, 3, &fault, &s) != CL_OK) abort();
  return s;
}

// A shape of a kind, or of any kind for -1; shapes with many corners are rare.
static cl_shape *some_shape(int kind) {
  if (kind == HALF_SQUARES) return half_square();
  if (kind == BOXES_AND_CIRCLES) kind = test_int(0, 1);
  if (kind < 0) kind = test_int(0, KINDS + 1);
  if (kind >= KINDS) return random_polygon(&alloc, test_int(3, 8), 10, 0);
  return random_shape(&alloc, kind, 10);
}

// Integer places and quarter turns make some shapes touch, and stack in columns. Half of them keep
// their angle.
static void place(int i, bool whole, bool upright, cl_io *io) {
  double x = test_uniform(0, 200), y = test_uniform(0, 200), angle = test_uniform(-9, 9);
  if (whole) x = floor(x), y = floor(y), angle = test_int(0, 1) * 1.5707963267948966;
  if (upright) angle = 0;
  else if (test_int(0, 1)) angle = last_angle[i];
  last_angle[i] = angle;
  io->place[i] = (cl_vec){x, y};
  if (io->angle) io->angle[i] = angle;
  placed[i] = cl_place(shapes[i], x, y, angle);
}

// Whether the circles around the places, which contain the shapes, are apart, as for most pairs.
static bool far_apart(const cl_placed *a, const cl_placed *b) {
  double x = a->x - b->x, y = a->y - b->y, reach = 1.001 * (a->shape->reach + b->shape->reach);
  return x * x + y * y > reach * reach;
}

static void check_hits(cl_world *world, bool touching, long *hits) {
  size_t k = 0, count = cl_world_counts(world).hits;
  for (uint32_t a = 0; a < CROWD; a++)
    for (uint32_t b = a + 1; b < CROWD; b++) {
      cl_hit want, hit;
      cl_pair pair;
      if (far_apart(&placed[a], &placed[b])) continue;
      if (!cl_overlap(&placed[a], &placed[b], touching, &want)) continue;
      REQUIRE(k < count && cl_world_hit(world, k++, &pair, &hit));
      REQUIRE(pair.a == a && pair.b == b);
      CHECK_MSG(memcmp(&want, &hit, sizeof hit) == 0, "(%.17g, %.17g) %.17g, as a pair %.17g",
                hit.nx, hit.ny, hit.depth, want.depth);
      (*hits)++;
    }
  CHECK(k == count);
}

static void crowd(int kind, bool touching) {
  long hits = 0;
  cl_io io;
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto, .touching = touching};
  cl_world *world = cl_world_new(&def, &io);
  for (int i = 0; i < CROWD; i++) {
    uint32_t slot;
    shapes[i] = some_shape(kind);
    cl_actor_def actor = {.shape = shapes[i]};
    REQUIRE(cl_world_add(world, &actor, &slot) == CL_OK && slot == (uint32_t)i);
  }
  for (int step = 0; step < STEPS; step++) {
    if (step == UPRIGHT) REQUIRE(cl_world_use_angles(world) == CL_OK);
    for (int i = 0; i < CROWD; i++) place(i, step % 2, step < UPRIGHT, &io);
    REQUIRE(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
    check_hits(world, touching, &hits);
  }
  CHECK(hits > 1000);
  cl_world_free(world);
  for (int i = 0; i < CROWD; i++) cl_shape_release(shapes[i]);
}

static void both(int kind) {
  for (long i = test_rounds(1); i > 0; i--) {
    crowd(kind, false);
    crowd(kind, true);
  }
}

// Floors under all actors, and columns of boxes at one place: some actors have very many contacts
// with later ones.
static void long_runs(void) {
  enum { FLOORS = 3 };
  long hits = 0;
  cl_io io;
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, &io);
  for (int i = 0; i < CROWD; i++) {
    uint32_t slot;
    double size = i % (CROWD / FLOORS) == 7 ? 300 : 10;
    REQUIRE(cl_shape_rectangle(&alloc, 0, 0, size, size, &shapes[i]) == CL_OK);
    cl_actor_def actor = {.shape = shapes[i]};
    REQUIRE(cl_world_add(world, &actor, &slot) == CL_OK);
  }
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < CROWD; i++) {
      place(i, step % 2, true, &io);
      if (i % 4 == 0 && i > 0) io.place[i] = io.place[0];
      placed[i] = cl_place(shapes[i], io.place[i].x, io.place[i].y, 0);
    }
    REQUIRE(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
    check_hits(world, false, &hits);
  }
  CHECK(hits > 1000);
  cl_world_free(world);
  for (int i = 0; i < CROWD; i++) cl_shape_release(shapes[i]);
}

// Shapes are replaced from step to step, by shapes of another size or kind at the same place.
static void shapes_change(void) {
  long hits = 0;
  cl_io io;
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, &io);
  for (int i = 0; i < CROWD; i++) {
    uint32_t slot;
    shapes[i] = some_shape(BOXES_AND_CIRCLES);
    cl_actor_def actor = {.shape = shapes[i]};
    REQUIRE(cl_world_add(world, &actor, &slot) == CL_OK);
  }
  for (int step = 0; step < 10 * STEPS; step++) {
    for (int i = 0; i < CROWD; i++) {
      place(i, false, true, &io);
      if (test_int(0, 3)) continue;
      cl_shape_release(shapes[i]);
      shapes[i] = some_shape(step < 5 * STEPS ? BOXES_AND_CIRCLES : -1);
      cl_actor_def actor = {.shape = shapes[i], .x = placed[i].x, .y = placed[i].y};
      cl_world_refresh(world, (uint32_t)i, &actor);
      placed[i].shape = shapes[i];
    }
    REQUIRE(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
    check_hits(world, false, &hits);
  }
  CHECK(hits > 1000);
  cl_world_free(world);
  for (int i = 0; i < CROWD; i++) cl_shape_release(shapes[i]);
}

static void boxes(void) { both(0); }
static void circles(void) { both(1); }
static void boxes_and_circles(void) { both(BOXES_AND_CIRCLES); }
static void capsules(void) { both(2); }
static void polygons(void) { both(KINDS); }
static void all_together(void) { both(-1); }
static void same_bounds(void) { both(HALF_SQUARES); }

// ---- crowds so far away that all places round to the same float

enum { FAR_BROADS = 5, QUERIES = 300 };
static const cl_broad_class *const far_broads[FAR_BROADS] = {
    &cl_broad_brute, &cl_broad_quadtree, &cl_broad_incremental, &cl_broad_loose, &cl_broad_grid};

typedef struct far_world {
  cl_io io;
  cl_world *world;
} far_world;

// Shapes of all kinds, some of them static or swept, with angles or without.
static void far_open(far_world *f, const cl_broad_class *broad, const uint8_t *how, bool angles) {
  const cl_world_def def = {.alloc = alloc, .broad = broad};
  f->world = cl_world_new(&def, &f->io);
  REQUIRE(f->world);
  if (angles) CHECK(cl_world_use_angles(f->world) == CL_OK);
  for (uint32_t i = 0; i < CROWD; i++) {
    uint32_t slot;
    const cl_actor_def actor = {.shape = shapes[i],
                                .x = placed[i].x,
                                .y = placed[i].y,
                                .fixed = how[i] == 1,
                                .swept = how[i] == 2};
    CHECK(cl_world_add(f->world, &actor, &slot) == CL_OK && slot == i);
  }
}

static void far_step(far_world *f, const double *angle) {
  for (uint32_t i = 0; i < CROWD; i++) {
    if (!(f->io.state[i] & CL_STATIC)) f->io.place[i] = (cl_vec){placed[i].x, placed[i].y};
    if (f->io.angle && !(f->io.state[i] & CL_STATIC)) f->io.angle[i] = angle[i];
  }
  CHECK(cl_world_step(f->world, CL_ALL_DISPATCHED) == CL_OK);
}

static bool same_candidates(const cl_world *a, const cl_world *b) {
  const cl_pair *p, *q;
  size_t count, other;
  cl_world_candidates(a, &p, &count);
  cl_world_candidates(b, &q, &other);
  return count == other && (count == 0 || memcmp(p, q, count * sizeof *p) == 0);
}

// Each answer against a loop over all actors.
static void far_queries(cl_world *world, double far) {
  const cl_filter all = {UINT64_MAX, NULL, 0};
  for (int q = 0; q < QUERIES; q++) {
    cl_vec at = {far + test_uniform(0, 200), -far + test_uniform(0, 200)};
    cl_answers found;
    cl_path path = {at.x, at.y, far + test_uniform(0, 200), -far + test_uniform(0, 200), NULL};
    double nearest = INFINITY, first = 2;
    uint32_t holds = 0;
    for (uint32_t i = 0; i < CROWD; i++) {
      cl_cast cast;
      holds += cl_placed_contains(&placed[i], at.x, at.y);
      nearest = fmin(nearest, cl_distance_point(&placed[i], at.x, at.y));
      if (cl_cast_ray(at.x, at.y, path.x2, path.y2, &placed[i], &cast)) first = fmin(first, cast.t);
    }
    CHECK(cl_world_query_point(world, at.x, at.y, all, &found) == CL_OK && found.count == holds);
    CHECK(cl_world_nearest(world, at.x, at.y, 1, all, &found) == CL_OK && found.count == 1);
    CHECK(found.at->distance == nearest);
    CHECK(cl_world_cast(world, &path, false, all, &found) == CL_OK);
    CHECK(first > 1 ? found.count == 0 : found.count == 1 && found.at->cast.t == first);
  }
}

static void far_crowds(void) {
  for (long round = test_rounds(6); round > 0; round--) {
    far_world f[FAR_BROADS] = {0};
    uint8_t how[CROWD];
    double angle[CROWD], far = test_int(0, 1) ? 1e11 : 9e11;
    bool turned = test_int(0, 1), some = test_int(0, 1), dense = round % 2;
    double side = dense ? 60 : 200;
    for (uint32_t i = 0; i < CROWD; i++) {
      shapes[i] = some_shape(-1);
      how[i] = some ? (uint8_t)test_int(0, 5) : 0;
      angle[i] = turned && how[i] != 1 ? test_uniform(-9, 9) : 0;
      placed[i] = cl_place(shapes[i], far + test_uniform(0, side), -far + test_uniform(0, side), 0);
    }
    for (int b = 0; b < FAR_BROADS; b++) far_open(&f[b], far_broads[b], how, turned);
    for (int step = 0; step < STEPS; step++) {
      for (uint32_t i = 0; i < CROWD; i++) {
        if (how[i] == 1) continue;
        placed[i] = cl_place(shapes[i], placed[i].x + test_uniform(-3, 3), placed[i].y, angle[i]);
      }
      for (int b = 0; b < FAR_BROADS; b++) far_step(&f[b], angle);
      for (int b = 1; b < FAR_BROADS; b++) {
        CHECK(same_candidates(f[0].world, f[b].world));
        CHECK(cl_world_hash(f[0].world) == cl_world_hash(f[b].world));
      }
      cl_counts counts = cl_world_counts(f[0].world);
      CHECK(counts.hits > 0);
      if (dense) CHECK(counts.candidates > 12 * CROWD);
      else CHECK(counts.candidates < 30 * CROWD); // of 300 each, by floats
    }
    if (!some) { // each pair of the world, and all others
      long hits = 0;
      check_hits(f[0].world, false, &hits);
      CHECK(hits > 0);
    }
    far_queries(f[FAR_BROADS - 1].world, far);
    for (int b = 0; b < FAR_BROADS; b++) cl_world_free(f[b].world);
    for (uint32_t i = 0; i < CROWD; i++) cl_shape_release(shapes[i]);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(boxes);
  RUN(circles);
  RUN(boxes_and_circles);
  RUN(capsules);
  RUN(polygons);
  RUN(all_together);
  RUN(same_bounds);
  RUN(long_runs);
  RUN(shapes_change);
  RUN(far_crowds);
  return test_end();
}
