// collide, MIT licence (see LICENSE)
//
// Pools of bullets: a world that runs out of memory again and again plays like one that never does.

#include "checked_alloc.h"
#include "geom/shape.h"

enum { POOLS = 3, SHAPES = 4, SIDE = 60, LASER = 7 };

typedef struct twin {
  heap heap;
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool[POOLS];
} twin;

typedef struct game {
  twin rich, poor;
  cl_shape *shape[SHAPES];
  int pools;
  uint64_t last; // bullet
  long failed[4], shots, hits, bounces, kept;
} game;

static uint64_t hash_of(const twin *t) { return cl_pools_hash(t->pools); }

static void limit(game *g, long tries, bool one_by_one) {
  g->poor.heap.one_in = one_by_one ? 0 : 3;
  g->poor.heap.allowed = one_by_one ? tries : -1;
}

static void unlimited(game *g) {
  g->poor.heap.one_in = 0;
  g->poor.heap.allowed = -1;
}

static void compare(game *g) {
  unlimited(g);
  twin *p = &g->poor, *q = &g->rich;
  for (int k = 0; k < POOLS; k++) {
    if (!p->pool[k]) continue;
    REQUIRE(cl_bullets_count(p->pool[k]) == cl_bullets_count(q->pool[k]));
    uint64_t a = 0, b = 0;
    do {
      a = cl_bullets_next(p->pool[k], a);
      b = cl_bullets_next(q->pool[k], b);
      REQUIRE(a == b);
      cl_bullet x, y;
      bool one = cl_bullets_get(p->pool[k], a, &x), two = cl_bullets_get(q->pool[k], b, &y);
      REQUIRE(one == (a != 0) && two == one);
      CHECK(!one || memcmp(&x, &y, sizeof x) == 0);
    } while (a != 0);
  }
  CHECK(p->heap.mistakes == 0 && q->heap.mistakes == 0);
  CHECK(cl_world_is_valid(p->world) && cl_world_is_valid(q->world));
  CHECK(cl_pools_are_valid(p->pools) && cl_pools_are_valid(q->pools));
}

static bool make_shapes(game *g) {
  cl_alloc alloc = cl_alloc_default();
  return cl_shape_circle(&alloc, 0, 0, 4, &g->shape[0]) == CL_OK &&
         cl_shape_rectangle(&alloc, 0, 0, 6, 3, &g->shape[1]) == CL_OK &&
         cl_shape_segment(&alloc, 0, 0, 8, 5, &g->shape[2]) == CL_OK &&
         cl_shape_capsule(&alloc, 0, 0, 5, 0, 2, &g->shape[3]) == CL_OK;
}

static double place(void) { return test_int(0, 4) ? test_uniform(0, SIDE) : test_int(0, SIDE); }

static void add_actor(game *g, bool one_by_one) {
  cl_actor_def def = {.shape = g->shape[test_int(0, SHAPES - 1)],
                      .x = place(),
                      .y = place(),
                      .group = (uint8_t)test_int(0, 2),
                      .fixed = test_int(0, 4) == 0};
  uint32_t slot, too;
  long tries = 0;
  do {
    limit(g, tries++, one_by_one);
  } while (cl_world_add(g->poor.world, &def, &slot) != CL_OK);
  CHECK(cl_world_add(g->rich.world, &def, &too) == CL_OK && too == slot);
}

static void remove_actor(game *g) {
  uint32_t slots = g->rich.io.slots;
  if (slots == 0) return;
  uint32_t slot = (uint32_t)test_int(0, (int)slots - 1);
  if (!(g->rich.io.state[slot] & CL_LIVE)) return;
  limit(g, 0, true);
  bool named = cl_world_remove(g->poor.world, slot, CL_ALL_DISPATCHED);
  CHECK(cl_world_remove(g->rich.world, slot, CL_ALL_DISPATCHED) == named);
}

static void make_pool(game *g, int k, bool one_by_one) {
  cl_bullets_def def = {
      .capacity = (uint32_t)test_int(1, 300),
      .radius = test_uniform(0.5, 3),
      .group = (uint8_t)test_int(0, 2),
      .bounds = {-10, -10, SIDE + 10, SIDE + 10},
      .lifetime = test_int(0, 1) ? INFINITY : test_uniform(0.1, 2),
      .pierce = test_int(0, 1),
      .bullets = test_int(0, 1),
  };
  def.graze = test_int(0, 1) ? def.radius + test_uniform(1, 5) : 0;
  long tries = 0;
  do {
    limit(g, tries++, one_by_one);
    g->failed[0]++;
  } while (cl_bullets_new(g->poor.pools, &def, &g->poor.pool[k]) != CL_OK);
  CHECK(cl_bullets_new(g->rich.pools, &def, &g->rich.pool[k]) == CL_OK);
}

static void spawn(game *g, int k) {
  limit(g, 0, true); // this needs no memory
  double speed = test_int(0, 3) ? 60 : 3000;
  cl_vec at = {place(), place()}, a = {0, 0};
  cl_vec v = {test_uniform(-speed, speed), test_uniform(-speed, speed)};
  if (test_int(0, 9) == 0) a = (cl_vec){test_uniform(-99, 99), test_uniform(-99, 99)};
  g->last = cl_bullets_spawn(g->rich.pool[k], at, v, a, k);
  CHECK(cl_bullets_spawn(g->poor.pool[k], at, v, a, k) == g->last);
}

static void spawn_laser(game *g, int k, bool one_by_one) {
  double xy[8];
  for (int i = 0; i < 8; i++) xy[i] = place();
  cl_laser_def def = {xy,
                      (uint32_t)test_int(1, 4),
                      test_uniform(0.5, 3),
                      test_uniform(0, 0.5),
                      test_int(0, 2) ? test_uniform(0.5, 2) : INFINITY,
                      7};
  uint64_t number, too;
  long tries = 0;
  do {
    limit(g, tries++, one_by_one);
    g->failed[1]++;
  } while (cl_bullets_spawn_laser(g->poor.pool[k], &def, &number) != CL_OK);
  CHECK(cl_bullets_spawn_laser(g->rich.pool[k], &def, &too) == CL_OK && too == number);
  if (number) g->last = number;
}

static void reserve_lengths(game *g, int k) {
  long tries = 0;
  do limit(g, tries++, true);
  while (cl_bullets_reserve_lengths(g->poor.pool[k]) != CL_OK);
  CHECK(cl_bullets_reserve_lengths(g->rich.pool[k]) == CL_OK);
}

static void change(game *g, int k) {
  cl_bullet at = {0};
  uint64_t number = cl_bullets_next(g->rich.pool[k], g->last > 20 ? g->last - 20 : 0);
  bool alive = cl_bullets_get(g->rich.pool[k], number, &at);
  cl_bullet to = {place(), place(), test_uniform(-50, 50), 5, 1, -1, 2, at.tag, 0, 0, 0, 0};
  uint32_t fields = (uint32_t)test_int(0, 127);
  if (test_int(0, 3) == 0) fields |= CL_BULLET_LENGTH;
  to.length = test_int(0, 1) ? test_uniform(0, 9) : 0;
  if (fields & CL_BULLET_LENGTH) reserve_lengths(g, k);
  limit(g, 0, true);
  if (test_int(0, 3) == 0) {
    CHECK(cl_bullets_kill(g->poor.pool[k], number) == cl_bullets_kill(g->rich.pool[k], number));
  } else if (test_int(0, 9) == 0) {
    uint32_t n = cl_bullets_kill_circle(g->poor.pool[k], to.x, to.y, 9);
    CHECK(cl_bullets_kill_circle(g->rich.pool[k], to.x, to.y, 9) == n);
  } else if (alive) {
    if (test_int(0, 1)) fields &= ~(uint32_t)CL_BULLET_PLACE;
    CHECK(cl_bullets_set(g->poor.pool[k], number, &to, fields));
    CHECK(cl_bullets_set(g->rich.pool[k], number, &to, fields));
  }
}

static void move_actors(game *g) {
  for (uint32_t slot = 0; slot < g->rich.io.slots; slot++) {
    if ((g->rich.io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    double x = place(), y = place();
    g->poor.io.place[slot] = g->rich.io.place[slot] = (cl_vec){x, y};
  }
}

static cl_status step_twin(twin *t, double dt) {
  cl_status status = cl_world_begin_step(t->world, CL_ALL_DISPATCHED);
  if (status == CL_OK) status = cl_pools_begin_step(t->pools, dt);
  if (status != CL_OK) return status;
  cl_world_end_step(t->world);
  cl_pools_end_step(t->pools);
  return CL_OK;
}

static void step(game *g, bool one_by_one) {
  double dt = test_int(0, 4) ? 1 / 60.0 : 0.2;
  uint64_t before = hash_of(&g->poor);
  for (long tries = 0;; tries++) {
    limit(g, tries, one_by_one);
    if (step_twin(&g->poor, dt) == CL_OK) break;
    g->failed[2]++;
    CHECK(hash_of(&g->poor) == before);
    if (tries % 4 == 0) compare(g);
  }
  CHECK(step_twin(&g->rich, dt) == CL_OK);
}

static void answer(game *g, cl_shot_answer what, bool one_by_one) {
  for (long tries = 0;; tries++) {
    limit(g, tries, one_by_one);
    if (cl_pools_answer(g->poor.pools, what) == CL_OK) break;
    CHECK(cl_pools_are_valid(g->poor.pools));
    g->failed[3]++;
  }
  CHECK(cl_pools_answer(g->rich.pools, what) == CL_OK);
  g->bounces += what == CL_SHOT_BOUNCE;
}

// Removes a pool; those after it move up.
static void remove_pool(game *g) {
  int k = test_int(0, g->pools - 1);
  if (g->pools == 1) return;
  limit(g, 0, true);
  cl_bullets_free(g->poor.pool[k]);
  cl_bullets_free(g->rich.pool[k]);
  g->pools--;
  for (int i = k; i < g->pools; i++) {
    g->poor.pool[i] = g->poor.pool[i + 1];
    g->rich.pool[i] = g->rich.pool[i + 1];
  }
  g->poor.pool[g->pools] = g->rich.pool[g->pools] = NULL;
}

static void clear_pools(game *g) {
  cl_pools_clear(g->poor.pools);
  cl_pools_clear(g->rich.pools);
}

// Dispatches some of the shots, with changes in between; returns whether all were dispatched.
static bool tell(game *g, bool one_by_one) {
  int most = test_int(0, 2) ? INT32_MAX : test_int(0, 4);
  for (int n = 0; n < most; n++) {
    cl_shot a = {0}, b = {0};
    limit(g, 0, true);
    bool any = cl_pools_next_shot(g->poor.pools, &a);
    CHECK(cl_pools_next_shot(g->rich.pools, &b) == any);
    if (!any || test_errors > 0) return !any;
    CHECK(a.number == b.number && a.pool == b.pool && a.actor == b.actor && a.kind == b.kind &&
          a.other == b.other && a.t == b.t);
    // The way out of several parts may need memory, and differs if there is none.
    cl_bullet at = {0};
    bool laser = cl_bullets_get(g->rich.pool[a.pool], a.number, &at) && at.tag == LASER;
    CHECK(laser || (a.nx == b.nx && a.ny == b.ny));
    CHECK(a.t >= 0 && a.t <= 1);
    CHECK(a.kind != CL_SHOT_HIT || fabs(a.nx * a.nx + a.ny * a.ny - 1) < 1e-9);
    g->shots++;
    g->hits += a.kind == CL_SHOT_HIT;
    if (test_int(0, 9) == 0) remove_actor(g);
    if (test_int(0, 9) == 0) change(g, (int)a.pool);
    if (test_int(0, 9) == 0) spawn(g, (int)a.pool);
    if (a.kind == CL_SHOT_HIT && !laser) {
      CHECK(a.x == b.x && a.y == b.y && a.left == b.left);
      int what = test_int(0, 9);
      if (what < 4) answer(g, CL_SHOT_BOUNCE, one_by_one);
      else if (what < 6) answer(g, CL_SHOT_PASS, one_by_one);
    }
    if (test_int(0, 199) == 0) remove_pool(g);
    if (test_int(0, 199) == 0) clear_pools(g);
  }
  return false;
}

// Once a dispatch has ended, the hash stays the same, even after changes and if it is read late.
static void change_much(game *g, bool one_by_one) {
  while (test_int(0, 2) == 0) add_actor(g, one_by_one);
  while (test_int(0, 2) == 0) remove_actor(g);
  for (int n = test_int(0, 12); n > 0; n--) {
    int k = test_int(0, g->pools - 1), what = test_int(0, 9);
    if (what == 0) spawn_laser(g, k, one_by_one);
    else if (what < 3) change(g, k);
    else spawn(g, k);
  }
  if (test_int(0, 99) == 0) remove_pool(g);
  if (test_int(0, 99) == 0) clear_pools(g);
}

static bool open_twin(twin *t) {
  memset(t, 0, sizeof *t);
  t->heap = heap_new();
  cl_world_def def = {
      .alloc = heap_alloc(&t->heap), .width = SIDE, .height = SIDE, .broad = &cl_broad_auto};
  t->world = cl_world_new(&def, &t->io);
  if (t->world) t->pools = cl_pools_new(&def.alloc, t->world);
  return t->pools != NULL;
}

static void close_twin(twin *t) {
  cl_pools_free(t->pools);
  cl_world_free(t->world);
}

static void play(game *g, bool one_by_one) {
  REQUIRE(open_twin(&g->rich) && open_twin(&g->poor));
  g->pools = test_int(1, POOLS);
  for (int k = 0; k < g->pools; k++) {
    make_pool(g, k, one_by_one);
    uint8_t event_mask = (uint8_t)test_int(0, 7);
    cl_bullets_set_event_mask(g->poor.pool[k], event_mask);
    cl_bullets_set_event_mask(g->rich.pool[k], event_mask);
  }
  bool over = true;
  for (int i = 0; i < 25 && test_errors == 0; i++) {
    uint64_t hash = hash_of(&g->rich); // at once; that of the other is read later
    change_much(g, one_by_one);
    if (over) CHECK(hash_of(&g->poor) == hash && hash_of(&g->rich) == hash);
    CHECK(hash_of(&g->poor) == hash_of(&g->rich));
    g->kept += over;
    move_actors(g);
    step(g, one_by_one);
    compare(g);
    CHECK(hash_of(&g->poor) == hash_of(&g->rich));
    over = tell(g, one_by_one);
    compare(g);
  }
  close_twin(&g->rich);
  close_twin(&g->poor);
  CHECK_HEAP_EMPTY(g->rich.heap);
  CHECK_HEAP_EMPTY(g->poor.heap);
}

static void failed_requests_change_nothing(void) {
  game g = {0};
  REQUIRE(make_shapes(&g));
  for (long i = 0; i < test_rounds(600) && test_errors == 0; i++) {
    uint64_t seed = test_bits();
    test_state = seed;
    play(&g, i % 2 == 0);
    CHECK_MSG(test_errors == 0, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  CHECK(g.failed[0] > test_rounds(100) && g.failed[1] > test_rounds(100) &&
        g.failed[2] > test_rounds(1000) && g.failed[3] > test_rounds(10));
  CHECK(g.bounces > test_rounds(500) && g.kept > test_rounds(5000));
  CHECK(g.shots > test_rounds(1000) && g.hits > test_rounds(500));
  for (int i = 0; i < SHAPES; i++) {
    CHECK(g.shape[i]->references == 1);
    cl_shape_release(g.shape[i]);
  }
}

int main(void) {
  RUN(failed_requests_change_nothing);
  return test_end();
}
