// collide, MIT licence (see LICENSE)
//
// A step of 100 000 bullets against 50 actors, few of which are hit, in milliseconds, as CSV;
// for comparison, a step of the same world without bullets. Bullets that die are spawned
// again. Then a step, after which fields of 10 000 bullets are set.

#include "bench.h"

#include "base/vec.h"

enum { ACTORS = 50, WARM_UP = 60, STEPS = 600 };
static const double WIDTH = 1280, HEIGHT = 960, SPEED = 150, DT = 1 / 60.0;

static uint64_t seed = 1;

static double uniform(void) { return bench_uniform(&seed, 0, 1); }

static cl_world *make_world(cl_io *io) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {.alloc = alloc, .width = WIDTH, .height = HEIGHT, .broad = &cl_broad_auto};
  def.listed = true;
  cl_world *world = cl_world_new(&def, io);
  cl_shape *circle, *box;
  if (!world || cl_shape_circle(&alloc, 0, 0, 8, &circle) != CL_OK) return NULL;
  if (cl_shape_rectangle(&alloc, -8, -8, 16, 16, &box) != CL_OK) return NULL;
  for (int i = 0; i < ACTORS; i++) {
    cl_actor_def actor = {.shape = i % 2 ? circle : box, .x = uniform() * WIDTH};
    actor.y = uniform() * HEIGHT;
    uint32_t slot;
    if (cl_world_add(world, &actor, &slot) != CL_OK) return NULL;
  }
  cl_world_set_rule(world, 0, 1, true);
  cl_shape_release(circle);
  cl_shape_release(box);
  return world;
}

static void spawn(cl_bullets *pool) {
  double s, c;
  cl_sincos(uniform() * 6.283185307179586, &s, &c);
  double speed = SPEED * (0.5 + uniform());
  double x = uniform() * WIDTH, y = uniform() * HEIGHT;
  cl_bullets_spawn(pool, (cl_vec){x, y}, (cl_vec){c * speed, s * speed}, (cl_vec){0, 0}, 0);
}

static int measure(uint32_t bullets, double graze) {
  cl_io io;
  cl_world *world = make_world(&io);
  cl_bullets_def def = {.capacity = bullets + 1, .radius = 3, .graze = graze, .group = 1};
  def.bounds = (cl_bounds){0, 0, WIDTH, HEIGHT};
  def.lifetime = INFINITY;
  cl_bullets *pool;
  cl_alloc alloc = cl_alloc_default();
  cl_pools *pools = world ? cl_pools_new(&alloc, world) : NULL;
  if (!pools || cl_bullets_new(pools, &def, &pool) != CL_OK) return EXIT_FAILURE;
  cl_bullets_set_event_mask(pool, CL_BULLET_EVENT_HIT | CL_BULLET_EVENT_GRAZE);
  static double times[STEPS];
  long hits = 0, grazes = 0;
  for (int step = -WARM_UP; step < STEPS; step++) {
    while (cl_bullets_count(pool) < bullets) spawn(pool);
    for (uint32_t i = 0; i < io.slots; i++) io.place[i].x += (i % 3) * 0.5 - 0.5;
    double start = bench_now();
    if (cl_world_begin_step(world, CL_ALL_DISPATCHED) != CL_OK) return EXIT_FAILURE;
    if (cl_pools_begin_step(pools, DT) != CL_OK) return EXIT_FAILURE;
    cl_world_end_step(world);
    cl_pools_end_step(pools);
    if (step >= 0) times[step] = bench_now() - start;
    cl_shot shot;
    while (cl_pools_next_shot(pools, &shot)) {
      hits += step >= 0 && shot.kind == CL_SHOT_HIT;
      grazes += step >= 0 && shot.kind == CL_SHOT_GRAZE;
    }
  }
  double median = bench_median(times, STEPS);
  printf("%u,%d,%.0f,%.3f,%.3f,%.1f,%.1f\n", bullets, ACTORS, graze, median, times[0],
         (double)hits / STEPS, (double)grazes / STEPS);
  cl_pools_free(pools);
  cl_world_free(world);
  return EXIT_SUCCESS;
}

// A step after which every tenth bullet is set.
typedef struct setter {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
  uint32_t fields;
  bench_task task;
} setter;

enum { BULLETS = 100000, EACH = 10, SETTERS = 3 };

static void step_and_set(void *self) {
  setter *s = self;
  cl_shot shot;
  if (cl_world_begin_step(s->world, CL_ALL_DISPATCHED) != CL_OK) abort();
  if (cl_pools_begin_step(s->pools, DT) != CL_OK) abort();
  cl_world_end_step(s->world);
  cl_pools_end_step(s->pools);
  while (cl_pools_next_shot(s->pools, &shot)) {
  }
  for (uint64_t number = 1; s->fields && number <= BULLETS; number += EACH) {
    cl_bullet to = {.x = (double)(number % 1000), .vy = (double)(number % 100)};
    cl_bullets_set(s->pool, number, &to, s->fields);
  }
}

static int measure_sets(void) {
  static setter all[SETTERS] = {{.fields = 0}, {.fields = CL_BULLET_VY}, {.fields = CL_BULLET_X}};
  static const char *const names[SETTERS] = {"a step", "and velocities", "and places"};
  bench_task *tasks[SETTERS];
  cl_alloc alloc = cl_alloc_default();
  cl_bullets_def def = {.capacity = BULLETS, .radius = 3, .group = 1, .lifetime = INFINITY};
  def.bounds = (cl_bounds){-1e12, -1e12, 1e12, 1e12};
  for (int i = 0; i < SETTERS; i++) {
    setter *s = &all[i];
    s->world = make_world(&s->io);
    s->pools = s->world ? cl_pools_new(&alloc, s->world) : NULL;
    if (!s->pools || cl_bullets_new(s->pools, &def, &s->pool) != CL_OK) return EXIT_FAILURE;
    while (cl_bullets_count(s->pool) < BULLETS) spawn(s->pool);
    s->task = (bench_task){.frame = step_and_set, .self = s};
    tasks[i] = &s->task;
  }
  bench_run(tasks, SETTERS);
  bench_header();
  for (int i = 0; i < SETTERS; i++) {
    bench_row("setting bullets", names[i], BULLETS / EACH, all[i].task.last, "ms", all[0].task.last,
              -1);
    cl_pools_free(all[i].pools);
    cl_world_free(all[i].world);
  }
  return EXIT_SUCCESS;
}

int main(void) {
  printf("bullets,actors,graze radius,step ms,fastest ms,hits a step,grazes a step\n");
  return measure(0, 0) || measure(1000, 0) || measure(10000, 0) || measure(100000, 0) ||
         measure(100000, 12) || measure_sets();
}
