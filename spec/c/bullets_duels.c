// collide, MIT licence (see LICENSE)
//
// Bullets among bullets of other pools. A bullet that would die of a hit, but passes by the answer,
// meets the same bullets as one of a piercing pool, for which they are found in a different way.
// And circles that bounce off each other meet where they touch by plain geometry.

#include "test.h"

#include "bullets/state.h"

enum { POOLS = 3, BULLETS = 40, ACTORS = 6, MOST_TOLD = 4000, SIDE = 60 };

typedef struct hit {
  uint64_t number, other;
  uint32_t actor;
  double t, nx, ny, x, y;
} hit;

typedef struct game {
  cl_alloc alloc;
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool[POOLS];
  hit told[MOST_TOLD];
  int count;
} game;

static void open_game(game *g, bool pierce, const uint8_t *asks, const double *radius) {
  *g = (game){.alloc = cl_alloc_default()};
  const cl_world_def def = {.alloc = g->alloc, .broad = &cl_broad_auto};
  g->world = cl_world_new(&def, &g->io);
  g->pools = cl_pools_new(&g->alloc, g->world);
  for (int k = 0; k < POOLS; k++) {
    const cl_bullets_def pool = {.capacity = BULLETS,
                                 .radius = radius[k],
                                 .bounds = {-1e9, -1e9, 1e9, 1e9},
                                 .lifetime = INFINITY,
                                 .pierce = pierce,
                                 .bullets = asks[k]};
    CHECK(cl_bullets_new(g->pools, &pool, &g->pool[k]) == CL_OK);
    cl_bullets_set_event_mask(g->pool[k], CL_BULLET_EVENT_HIT);
  }
}

static void close_game(game *g) {
  cl_pools_free(g->pools);
  cl_world_free(g->world);
}

static void add_actor(game *g, double x, double y, double r) {
  cl_shape *circle;
  uint32_t slot;
  CHECK(cl_shape_circle(&g->alloc, 0, 0, r, &circle) == CL_OK);
  const cl_actor_def def = {.shape = circle, .x = x, .y = y};
  CHECK(cl_world_add(g->world, &def, &slot) == CL_OK);
  cl_shape_release(circle);
}

// Makes a step, with `answer` as the answer to each hit, or none if it is below 0.
static void step(game *g, int answer) {
  cl_shot shot;
  CHECK(cl_world_begin_step(g->world, CL_ALL_DISPATCHED) == CL_OK);
  CHECK(cl_pools_begin_step(g->pools, 1) == CL_OK);
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  g->count = 0;
  while (cl_pools_next_shot(g->pools, &shot)) {
    cl_bullet at;
    REQUIRE(g->count < MOST_TOLD && cl_bullets_get(g->pool[shot.pool], shot.number, &at));
    CHECK(at.x == shot.x && at.y == shot.y);
    g->told[g->count++] =
        (hit){shot.number, shot.other, shot.actor, shot.t, shot.nx, shot.ny, shot.x, shot.y};
    if (answer >= 0) CHECK(cl_pools_answer(g->pools, (cl_shot_answer)answer) == CL_OK);
  }
}

static int by_who(const void *p, const void *q) {
  const hit *a = p, *b = q;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->actor != b->actor) return a->actor < b->actor ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return (a->t > b->t) - (a->t < b->t);
}

static double place(void) { return test_uniform(0, SIDE); }

// Whether both had the same events in a step, in any order; false if a touch is too close to
// decide.
static bool same_hits(game *a, game *b) {
  qsort(a->told, (size_t)a->count, sizeof *a->told, by_who);
  qsort(b->told, (size_t)b->count, sizeof *b->told, by_who);
  for (int i = 0; i < a->count && i < b->count; i++) {
    const hit *p = &a->told[i], *q = &b->told[i];
    if (p->number != q->number || p->other != q->other || p->actor != q->actor) return false;
    if (fabs(p->t - q->t) > 1e-9 || fabs(p->nx - q->nx) > 1e-6) return false;
  }
  return a->count == b->count;
}

static void passing_equals_piercing(void) {
  static game dies, pierces;
  long hits = 0, alike = 0, rounds = test_rounds(1500);
  for (long round = 0; round < rounds && test_errors == 0; round++) {
    uint64_t seed = test_bits();
    test_state = seed;
    uint8_t asks[POOLS];
    double radius[POOLS];
    for (int k = 0; k < POOLS; k++) {
      asks[k] = (uint8_t)test_int(0, 1);
      radius[k] = test_uniform(0.5, 2);
    }
    open_game(&dies, false, asks, radius);
    open_game(&pierces, true, asks, radius);
    for (int i = test_int(0, ACTORS); i > 0; i--) {
      double x = place(), y = place(), r = test_uniform(1, 6);
      add_actor(&dies, x, y, r);
      add_actor(&pierces, x, y, r);
    }
    for (int i = test_int(2, BULLETS); i > 0; i--) {
      int k = test_int(0, POOLS - 1);
      cl_vec at = {place(), place()}, v = {test_uniform(-50, 50), test_uniform(-50, 50)};
      cl_bullets_spawn(dies.pool[k], at, v, (cl_vec){0, 0}, 0);
      cl_bullets_spawn(pierces.pool[k], at, v, (cl_vec){0, 0}, 0);
    }
    bool well = true;
    for (int frame = 0; frame < 4 && well; frame++) {
      step(&dies, CL_SHOT_PASS);
      step(&pierces, -1);
      hits += dies.count;
      well = same_hits(&dies, &pierces);
      CHECK_MSG(well, "seed %llu, frame %d: %d and %d hits", (unsigned long long)seed, frame,
                dies.count, pierces.count);
    }
    alike += well;
    close_game(&dies);
    close_game(&pierces);
    test_state = seed + 1;
  }
  printf("%ld hits in %ld of %ld plays\n", hits, alike, rounds);
  CHECK(hits > 10 * rounds);
}

// The other side of a hit among the events of this step.
static const hit *back_of(const game *g, const hit *it) {
  for (int i = 0; i < g->count; i++) {
    const hit *back = &g->told[i];
    if (back->number == it->other && back->other == it->number && back->t == it->t) return back;
  }
  return NULL;
}

static int hits_of(const game *g, uint64_t number) {
  int n = 0;
  for (int i = 0; i < g->count; i++) n += g->told[i].number == number;
  return n;
}

// Both get an event where the two touch, each with its own way out.
static void bouncing_bullets_touch(void) {
  static game g;
  long touches = 0, most = 0;
  for (long round = 0; round < test_rounds(800) && test_errors == 0; round++) {
    uint64_t seed = test_bits();
    test_state = seed;
    const uint8_t asks[POOLS] = {1, 1, 1};
    double radius[POOLS];
    for (int k = 0; k < POOLS; k++) radius[k] = test_uniform(0.3, 1);
    open_game(&g, test_int(0, 1), asks, radius);
    for (int i = test_int(0, ACTORS); i > 0; i--) {
      double x = place(), y = place();
      add_actor(&g, x, y, 4);
    }
    uint8_t pool_of[BULLETS + 1];
    for (int i = 1; i <= BULLETS; i++) {
      pool_of[i] = (uint8_t)test_int(0, POOLS - 1);
      cl_vec at = {place(), place()}, v = {test_uniform(-40, 40), test_uniform(-40, 40)};
      cl_bullets_spawn(g.pool[pool_of[i]], at, v, (cl_vec){0, 0}, 0);
    }
    for (int frame = 0; frame < 4; frame++) {
      step(&g, CL_SHOT_BOUNCE);
      for (int i = 0; i < g.count; i++) {
        const hit *it = &g.told[i], *back = it->other ? back_of(&g, it) : NULL;
        int hits = hits_of(&g, it->number);
        most = hits > most ? hits : most;
        if (!it->other || it->t == 0) continue;
        // A bullet that has bounced away gets no event, before its turn or later on its way.
        if (!back) continue;
        touches++;
        double reach = radius[pool_of[it->number]] + radius[pool_of[it->other]];
        double dx = it->x - back->x, dy = it->y - back->y;
        CHECK_MSG(fabs(sqrt(dx * dx + dy * dy) - reach) < 1e-9, "seed %llu: %g apart, not %g",
                  (unsigned long long)seed, sqrt(dx * dx + dy * dy), reach);
        CHECK(fabs(it->nx - dx / reach) < 1e-6 && fabs(it->ny - dy / reach) < 1e-6);
        CHECK(fabs(it->nx + back->nx) < 1e-9 && fabs(it->ny + back->ny) < 1e-9);
      }
    }
    close_game(&g);
    test_state = seed + 1;
  }
  printf("%ld touches, of one in a step at most %ld\n", touches, most);
  CHECK(touches > test_rounds(2000) && most <= 2 * CL_MOST_BOUNCES + 2);
}

int main(void) {
  RUN(passing_equals_piercing);
  RUN(bouncing_bullets_touch);
  return test_end();
}
