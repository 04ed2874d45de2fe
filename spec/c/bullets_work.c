// collide, MIT licence (see LICENSE)
//
// The work of pools of bullets grows no faster than the bullets, their meetings, and the entries of
// their plans. It is counted, not timed: in steps of work, or by `make search-work` in basic
// blocks.

#include "test.h"
#include "bullets/state.h"

// Called by the core in each basic block, if it is compiled for that.
uint64_t blocks;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }

typedef struct scene {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  uint64_t shots; // dispatched so far
  bool bounces;   // the answer to each
} scene;

static void open_scene(scene *s) {
  const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
  *s = (scene){0};
  s->world = cl_world_new(&def, &s->io);
  if (s->world) s->pools = cl_pools_new(&def.alloc, s->world);
}

static cl_bullets *add_pool(scene *s, uint32_t capacity, bool pierce) {
  const cl_bullets_def def = {.capacity = capacity,
                              .radius = 5,
                              .bounds = {-1e12, -1e12, 1e12, 1e12},
                              .lifetime = INFINITY,
                              .pierce = pierce,
                              .bullets = true};
  cl_bullets *pool = NULL;
  CHECK(cl_bullets_new(s->pools, &def, &pool) == CL_OK);
  cl_bullets_set_event_mask(pool,
                            CL_BULLET_EVENT_HIT | CL_BULLET_EVENT_EXPIRED | CL_BULLET_EVENT_TIMER);
  return pool;
}

static void spawn(cl_bullets *pool, double x, double y, double vx) {
  cl_bullets_spawn(pool, (cl_vec){x, y}, (cl_vec){vx, 0}, (cl_vec){0, 0}, 0);
}

static void step(scene *s) {
  cl_shot shot;
  CHECK(cl_world_begin_step(s->world, CL_ALL_DISPATCHED) == CL_OK);
  CHECK(cl_pools_begin_step(s->pools, 1 / 60.0) == CL_OK);
  cl_world_end_step(s->world);
  cl_pools_end_step(s->pools);
  while (cl_pools_next_shot(s->pools, &shot)) {
    s->shots++;
    if (s->bounces) CHECK(cl_pools_answer(s->pools, CL_SHOT_BOUNCE) == CL_OK);
  }
}

static void add_lasers(cl_bullets *pool, uint32_t n, double lifetime) {
  for (uint32_t i = 0; i < n; i++) {
    const double xy[] = {4.0 * i, 0, 4.0 * i, 50};
    const cl_laser_def def = {xy, 2, 1, 0, lifetime, 0};
    uint64_t number;
    CHECK(cl_bullets_spawn_laser(pool, &def, &number) == CL_OK && number > 0);
  }
}

static void add_circles(scene *s, uint32_t n, double from) {
  const cl_alloc alloc = cl_alloc_default();
  cl_shape *circle;
  uint32_t slot;
  CHECK(cl_shape_circle(&alloc, 0, 0, 1, &circle) == CL_OK);
  for (uint32_t i = 0; i < n; i++) {
    const cl_actor_def def = {.shape = circle, .x = from + 4.0 * i, .y = from + 25};
    CHECK(cl_world_add(s->world, &def, &slot) == CL_OK);
  }
  cl_shape_release(circle);
}

// ---- the games: each with n of something

static void all_on_one(scene *s, uint32_t n, bool first) {
  cl_bullets *one = first ? add_pool(s, 1, true) : NULL;
  cl_bullets *all = add_pool(s, n, false);
  if (!one) one = add_pool(s, 1, true);
  spawn(one, 0, 0, 0);
  for (uint32_t i = 0; i < n; i++) spawn(all, i % 7, i % 3, i % 11);
  step(s);
  CHECK(s->shots == 2 * n);
}

static void one_is_told_last(scene *s, uint32_t n) { all_on_one(s, n, false); }
static void one_is_told_first(scene *s, uint32_t n) { all_on_one(s, n, true); }

static void one_grazes_and_meets(scene *s, uint32_t n) {
  all_on_one(s, n, true);
  add_circles(s, n, 0);
  step(s);
}

static void a_pool_for_each(scene *s, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) spawn(add_pool(s, 1, true), 8.0 * i, 0, 5);
  step(s);
  CHECK(s->shots == 2 * (n - 1));
}

static void a_pool_and_an_actor_for_each(scene *s, uint32_t n) {
  add_circles(s, 50, 0);
  for (uint32_t i = 0; i < n; i++) spawn(add_pool(s, 1, true), 8.0 * i, 99, 5);
  step(s);
}

static void crowds_that_do_not_meet(scene *s, uint32_t n) {
  cl_bullets *a = add_pool(s, 2 * n, false), *b = add_pool(s, n, false), *c = add_pool(s, n, false);
  for (uint32_t i = 0; i < n; i++) {
    spawn(a, 0, 0, 0);
    spawn(a, 0, 0, 0);
    spawn(b, 1e5, 0, 0);
    spawn(c, 0, 1e5, 0);
  }
  step(s);
  CHECK(s->shots == 0);
}

// A bug: so far away, each bullet tested all actors, since floats cannot tell their boxes apart.
static void very_far_away(scene *s, uint32_t n) {
  cl_bullets *pool = add_pool(s, n, false);
  add_circles(s, n, 5e11);
  for (uint32_t i = 0; i < n; i++) spawn(pool, 5e11 + 4.0 * i, 5e11 + 50, 5);
  step(s);
  CHECK(s->shots == 0);
}

// Each meets its neighbour, and on the way back the next one.
static void all_bounce(scene *s, uint32_t n) {
  cl_bullets *a = add_pool(s, n, false), *b = add_pool(s, n, false);
  s->bounces = true;
  for (uint32_t i = 0; i < n; i++) {
    spawn(a, 40.0 * i, 0, 3600);
    spawn(b, 40.0 * i + 20, 1, 0);
  }
  step(s);
  CHECK(s->shots > 2 * n && s->shots < 40 * n);
}

static void lasers_that_expire(scene *s, uint32_t n) {
  add_lasers(add_pool(s, n, false), n, 1 / 60.0);
  step(s);
  CHECK(s->shots == n);
}

static void lasers_that_are_killed(scene *s, uint32_t n) {
  cl_bullets *pool = add_pool(s, n, false);
  add_lasers(pool, n, INFINITY);
  for (uint32_t i = 1; i <= n; i++) CHECK(cl_bullets_kill(pool, i));
  step(s);
}

static void lasers_and_actors(scene *s, uint32_t n) {
  add_lasers(add_pool(s, n, false), n, INFINITY);
  add_circles(s, n, 0);
  step(s);
  CHECK(s->shots == n);
}

// ---- plans and lengths

// A plan whose entries are all in one step: each turns the bullet a little.
static cl_plan *new_plan(uint32_t entries) {
  const cl_alloc alloc = cl_alloc_default();
  cl_plan_entry *entry = calloc(entries, sizeof *entry);
  cl_plan *plan = NULL;
  for (uint32_t i = 0; i < entries; i++) {
    entry[i] = (cl_plan_entry){.at = (i + 0.5) / (60.0 * entries), .angle = i % 2 ? 0.1 : -0.1};
    entry[i].sets = CL_PLAN_ANGLE | (i % 3 ? 0 : CL_PLAN_CALL);
  }
  CHECK(cl_plan_new(&alloc, entry, entries, &plan) == CL_OK);
  free(entry);
  return plan;
}

// Bullets side by side, with a length.
static void add_planned(scene *s, uint32_t bullets, uint32_t entries, double y) {
  cl_bullets *pool = add_pool(s, bullets, true);
  cl_plan *plan = new_plan(entries);
  CHECK(cl_bullets_reserve_plans(pool) == CL_OK && cl_bullets_reserve_lengths(pool) == CL_OK);
  for (uint32_t i = 0; i < bullets; i++) {
    uint64_t number =
        cl_bullets_spawn(pool, (cl_vec){12.0 * i, y}, (cl_vec){6000, 0}, (cl_vec){0, 0}, 0);
    cl_bullets_lengthen(pool, number, 40, (cl_vec){1, 0});
    cl_bullets_plan(pool, number, plan);
  }
  cl_plan_release(plan);
}

static void a_long_plan(scene *s, uint32_t n) {
  add_planned(s, 1, n, 0);
  step(s);
  CHECK(s->shots >= n / 3);
}

static void a_long_plan_among_actors(scene *s, uint32_t n) {
  add_circles(s, 20, 0);
  add_planned(s, 1, n, 25);
  step(s);
  CHECK(s->shots > (s->bounces ? 0 : n / 3));
}

static void a_long_plan_that_bounces(scene *s, uint32_t n) {
  s->bounces = true;
  a_long_plan_among_actors(s, n);
}

static void long_plans_that_meet(scene *s, uint32_t n) {
  add_planned(s, 1, n, 0);
  add_planned(s, 1, n, 4);
  step(s);
}

static void long_plans_that_meet_and_bounce(scene *s, uint32_t n) {
  s->bounces = true;
  long_plans_that_meet(s, n);
}

static void a_long_plan_meets_some(scene *s, uint32_t n) {
  cl_bullets *pool = add_pool(s, 20, true);
  for (uint32_t i = 0; i < 20; i++) spawn(pool, 5.0 * i, i % 9, 0);
  add_planned(s, 1, n, 0);
  step(s);
}

static void plans_and_lengths(scene *s, uint32_t n) {
  add_circles(s, n, 0);
  add_planned(s, n, 8, 25);
  step(s);
}

static void lengths_on_one(scene *s, uint32_t n) {
  add_planned(s, n, 1, 0);
  spawn(add_pool(s, 1, true), 6.0 * n, 0, 0);
  step(s);
}

// ---- the growth

typedef void play(scene *s, uint32_t n);

static uint64_t work_of(play *f, uint32_t n) {
  scene s;
  open_scene(&s);
  CHECK(s.pools != NULL);
  if (!s.pools) return 0;
  blocks = 0;
  f(&s, n);
  uint64_t work = blocks ? blocks : cl_pools_work(s.pools);
  cl_pools_free(s.pools);
  cl_world_free(s.world);
  return work;
}

// Measured over three doublings, since maps change their cells in leaps. Each doubling about
// doubles the work, except for parts that grow by n log n; quadratic work would be 64 times as
// much.
static void grows_as(play *f, uint32_t n, const char *name) {
  uint64_t once = work_of(f, n), more = work_of(f, 8 * n);
  printf("%s: %llu for %u, %llu for %u\n", name, (unsigned long long)once, n,
         (unsigned long long)more, 8 * n);
  CHECK(once >= n);
  CHECK_MSG(more <= 12 * once, "%s", name);
}

static void work_grows_as_bullets_do(void) {
  grows_as(one_is_told_last, 3000, "all on one, which is called last");
  grows_as(one_is_told_first, 3000, "all on one, which is called first");
  grows_as(one_grazes_and_meets, 3000, "all on one, and actors");
  grows_as(crowds_that_do_not_meet, 3000, "crowds apart");
  grows_as(very_far_away, 500, "very far away");
  grows_as(all_bounce, 1000, "all bounce off each other");
  grows_as(lasers_that_expire, 1000, "lasers that expire");
  grows_as(lasers_that_are_killed, 1000, "lasers that are killed");
  grows_as(lasers_and_actors, 1000, "lasers and actors");
}

// Steps of work do not include the cost of the pieces of a way.
static void work_grows_as_plans_do(void) {
  if (blocks == 0) return;
  grows_as(a_long_plan, 1000, "a long plan");
  grows_as(a_long_plan_among_actors, 1000, "a long plan among actors");
  grows_as(a_long_plan_that_bounces, 1000, "a long plan that bounces");
  grows_as(long_plans_that_meet, 1000, "long plans that meet");
  grows_as(long_plans_that_meet_and_bounce, 1000, "long plans that meet and bounce");
  grows_as(a_long_plan_meets_some, 1000, "a long plan meets some");
  grows_as(plans_and_lengths, 1000, "plans and lengths");
  grows_as(lengths_on_one, 1000, "lengths on one");
}

static void work_grows_as_pools_do(void) {
  grows_as(a_pool_for_each, 200, "a pool for each bullet");
  grows_as(a_pool_and_an_actor_for_each, 200, "a pool for each bullet, and actors");
}

int main(void) {
  RUN(work_grows_as_bullets_do);
  RUN(work_grows_as_plans_do);
  RUN(work_grows_as_pools_do);
  return test_end();
}
