// collide, MIT licence (see LICENSE)
//
// The core as a library: the stack that its calls take, and the preconditions of collide.h, each of
// which must be an assertion.

#if !defined(_WIN32)
#define _GNU_SOURCE // before config.h, which hides later declarations
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "random_shapes.h"

static cl_alloc alloc;

// --- a world with shapes of every kind -----------------------------------------------

enum { SHAPES = 24, TILES = SHAPES - 1 };

typedef struct game {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
  cl_shape *shape[SHAPES];
} game;

// A comb or star of many parts, or a large polygon.
static cl_shape *large_shape(int i) {
  if (i % 3 == 0) return random_polygon(&alloc, 190, 40, 0);
  return random_polygon(&alloc, 60, 40, i % 3 == 1 ? 0.9 : 0.5);
}

static cl_shape *tiles(void) {
  const int64_t size[] = {12, 12};
  const double origin[] = {-60, -60};
  cl_grid *grid;
  cl_shape *s = NULL, *triangle = NULL;
  const double xy[] = {0, 1, 1, 0, 1, 1};
  cl_fault fault;
  if (cl_grid_new(&alloc, 2, size, (double[]){10, 10}, origin, &grid) != CL_OK) abort();
  if (cl_shape_polygon(&alloc, xy, 3, &fault, &triangle) != CL_OK) abort();
  for (int64_t y = 0; y < size[1]; y++)
    for (int64_t x = 0; x < size[0]; x++)
      cl_grid_set(grid, (int64_t[3]){x, y, 0}, (uint8_t)test_int(0, 2));
  const cl_tile_look look = {.value = 2, .shape = triangle};
  if (cl_shape_tiles(&alloc, grid, &look, 1, &s) != CL_OK) abort();
  cl_shape_release(triangle);
  cl_grid_release(grid);
  return s;
}

static void open_game(game *g) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto, .touching = true};
  const cl_bullets_def bullets = {.capacity = 200,
                                  .radius = 1,
                                  .graze = 3,
                                  .bounds = {-1e3, -1e3, 1e3, 1e3},
                                  .lifetime = INFINITY,
                                  .bullets = true};
  g->world = cl_world_new(&def, &g->io);
  g->pools = cl_pools_new(&alloc, g->world);
  if (cl_bullets_new(g->pools, &bullets, &g->pool) != CL_OK) abort();
  for (int i = 0; i < TILES; i++)
    g->shape[i] = i < 12 ? random_shape(&alloc, i % KINDS, 30) : large_shape(i);
  g->shape[TILES] = tiles();
}

static void close_game(game *g) {
  cl_pools_free(g->pools);
  cl_world_free(g->world);
  for (int i = 0; i < SHAPES; i++) cl_shape_release(g->shape[i]);
}

static uint32_t add(game *g, int shape, double x, double y, double angle) {
  uint32_t slot = 0;
  cl_actor_def def = {.shape = g->shape[shape], .x = x, .y = y, .angle = angle};
  def.fixed = shape == TILES;
  def.swept = shape % 4 == 1;
  if (cl_world_add(g->world, &def, &slot) != CL_OK) abort();
  return slot;
}

static bool step(game *g) {
  cl_shot shot;
  if (cl_world_begin_step(g->world, CL_ALL_DISPATCHED) != CL_OK) return false;
  if (cl_pools_begin_step(g->pools, 0.1) != CL_OK) return false;
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  while (cl_pools_next_shot(g->pools, &shot))
    if (cl_pools_answer(g->pools, shot.number % 2 ? CL_SHOT_BOUNCE : CL_SHOT_PASS) != CL_OK)
      abort();
  return true;
}

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__)

// --- the stack -----------------------------------------------------------------------

#define STACK (1 << 18)
#define PAINT 0xA5

// The bytes of stack that a call takes in a thread of its own, whose stack is painted before. They
// include those that the thread itself takes.
static size_t stack_of(void *(*call)(void *), void *argument) {
  static char *stack;
  pthread_attr_t attributes;
  pthread_t thread;
  if (!stack) stack = malloc(STACK);
  memset(stack, PAINT, STACK);
  char *aligned = stack + (64 - (uintptr_t)stack % 64) % 64;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstack(&attributes, aligned, STACK - 64) != 0) abort();
  if (pthread_create(&thread, &attributes, call, argument) != 0) abort();
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  size_t free = 0;
  while (free < STACK && (unsigned char)stack[free] == PAINT) free++;
  return STACK - free;
}

static void *nothing(void *argument) { return argument; }

static void compare(const cl_placed *a, const cl_placed *b) {
  static cl_contact contacts[CL_CONTACTS_MOST];
  cl_hit hit;
  cl_cast cast;
  cl_overlap(a, b, true, &hit);
  cl_overlaps(a, b, true);
  cl_contacts(a, b, true, contacts);
  cl_distance(a, b);
  cl_distance_point(a, b->x, b->y);
  cl_placed_contains(a, b->x, b->y);
  cl_cast_ray(b->x, b->y, b->x + 90, b->y + 9, a, &cast);
  if (cl_shape_kind_of(a->shape) != CL_TILES) cl_cast_shape(a, (cl_vec){50, 20}, b, &cast);
}

static void *compare_shapes(void *argument) {
  const game *g = argument;
  for (int k = 0; k < 150; k++) {
    cl_placed p[2];
    for (int n = 0; n < 2; n++) {
      int shape = test_int(0, SHAPES - 1);
      p[n] = cl_place(g->shape[shape], test_uniform(-40, 40), test_uniform(-40, 40),
                      shape == TILES ? 0 : test_uniform(-3, 3));
    }
    compare(&p[0], &p[1]);
  }
  return NULL;
}

static void *make_shapes(void *argument) {
  game *g = argument;
  cl_shape *out;
  for (int i = 0; i < TILES; i++) {
    if (cl_shape_rotated(g->shape[i], 1, &out) == CL_OK) cl_shape_release(out);
    if (cl_shape_scaled(g->shape[i], 2, 2, &out) == CL_OK) cl_shape_release(out);
    if (cl_shape_compound(&alloc, &g->shape[i], 1, &out) == CL_OK) cl_shape_release(out);
  }
  cl_shape_release(random_polygon(&alloc, 200, 30, 0.9));
  return NULL;
}

static void *take_steps(void *argument) {
  for (int i = 0; i < 4; i++) {
    game *g = argument;
    for (uint32_t k = 0; k < g->io.slots; k++)
      g->io.place[k].x += g->io.state[k] & CL_STATIC ? 0 : 4;
    if (!step(g)) abort();
  }
  return NULL;
}

static cl_response any_response(void *context, const cl_move_ask *ask) {
  (void)context;
  return (cl_response)(1 + ask->other % 5);
}

static void *move_actors(void *argument) {
  game *g = argument;
  for (uint32_t slot = 0; slot < g->io.slots; slot++) {
    if (!cl_world_can_move(g->world, slot)) continue;
    cl_move_def def = {.slot = slot, .dx = 50, .dy = 30, .filter = {.groups = UINT64_MAX}};
    cl_vec at = cl_world_place(g->world, slot, &def.angle);
    def.x = at.x, def.y = at.y;
    if (slot % 2) def.responder = any_response;
    def.response = (cl_response)(CL_RESPONSE_SLIDE + slot % 5);
    if (cl_world_move(g->world, &def) != CL_OK || cl_world_move_commit(g->world) != CL_OK) abort();
  }
  return NULL;
}

static void *ask_world(void *argument) {
  game *g = argument;
  cl_filter all = {.groups = UINT64_MAX};
  cl_answers out;
  for (uint32_t slot = 0; slot < g->io.slots; slot++) {
    double angle;
    uint32_t other;
    cl_vec at = cl_world_place(g->world, slot, &angle);
    cl_placed placed = cl_place(cl_world_actor(g->world, slot).shape, at.x, at.y, angle);
    cl_path path = {at.x, at.y, at.x + 60, at.y + 20, slot % 2 ? &placed : NULL};
    if (!cl_world_can_move(g->world, slot)) path.mover = NULL;
    cl_world_query_point(g->world, at.x, at.y, all, &out);
    cl_world_query_shape(g->world, &placed, all, &out);
    cl_world_nearest(g->world, at.x, at.y, 5, all, &out);
    cl_world_cast(g->world, &path, true, all, &out);
    cl_world_fits(g->world, CL_NOBODY, &placed, all, 0, &other);
    cl_world_riders(g->world, slot, &out);
    if (cl_world_can_move(g->world, slot))
      cl_world_in_the_way(g->world, slot, (cl_vec){30, 10}, all, &out);
  }
  return NULL;
}

static void *take_snapshots(void *argument) {
  game *g = argument;
  double dispatched;
  cl_snapshot *s = cl_snapshot_new(&alloc);
  cl_bullets_snapshot *b = cl_bullets_snapshot_new(&alloc);
  if (cl_world_snapshot(g->world, CL_ALL_DISPATCHED, s) != CL_OK) abort();
  if (cl_pools_snapshot(g->pools, b) != CL_OK) abort();
  if (cl_pools_restore_reserve(g->pools, b, &g->pool) != CL_OK) abort();
  if (cl_world_restore(g->world, s, &dispatched) != CL_OK) abort();
  cl_pools_restore(g->pools, b, &g->pool);
  cl_pools_hash(g->pools);
  cl_bullets_snapshot_free(b);
  cl_snapshot_free(s);
  return NULL;
}

static size_t most;
static void measure(const char *name, void *(*call)(void *), void *argument, size_t idle) {
  size_t taken = stack_of(call, argument) - idle;
  if (taken > most) most = taken;
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
  CHECK_MSG(taken <= 64 * 1024, "%s: %zu bytes", name, taken);
#else
  (void)name;
#endif
}

static void stacks(void) {
  most = 0;
  size_t idle = stack_of(nothing, NULL);
  for (long i = test_rounds(4); i > 0; i--) {
    game g;
    open_game(&g);
    measure("two shapes", compare_shapes, &g, idle);
    measure("shapes", make_shapes, &g, idle);
    for (int n = 0; n < 40; n++) {
      int shape = n == 0 ? TILES : test_int(0, TILES - 1);
      add(&g, shape, n == 0 ? 0 : test_uniform(-90, 90), n == 0 ? 0 : test_uniform(-90, 90),
          n == 0 ? 0 : test_uniform(-3, 3));
      cl_vec at = {test_uniform(-90, 90), test_uniform(-90, 90)},
             v = {test_uniform(-900, 900), 500};
      cl_bullets_spawn(g.pool, at, v, (cl_vec){0, 9}, 0);
    }
    measure("steps", take_steps, &g, idle);
    measure("queries", ask_world, &g, idle);
    measure("moves", move_actors, &g, idle);
    measure("snapshots", take_snapshots, &g, idle);
    close_game(&g);
  }
  printf("stack: at most %zu bytes\n", most);
}

// --- preconditions -------------------------------------------------------------------

static game at_fault;

// Whether a call ends the process by an assertion.
static bool aborts(void (*misuse)(void)) {
  int status;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    misuse();
    _exit(0);
  }
  return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#define G (&at_fault)
#define W (at_fault.world)
#define ALL ((cl_filter){.groups = UINT64_MAX})
static const cl_vec here = {0, 0}, nowhere = {NAN, 0}, far_away = {2e12, 0};

static void begin(void) {
  if (cl_world_begin_step(W, CL_ALL_DISPATCHED) != CL_OK) _exit(2);
}
static void begin_both(void) {
  begin();
  if (cl_pools_begin_step(G->pools, 0.1) != CL_OK) _exit(2);
}
static void move_one(cl_vec by) {
  cl_move_def def = {.slot = 0, .dx = by.x, .dy = by.y, .filter = ALL, .response = 1};
  cl_world_move(W, &def);
}

// Slot 0 is an actor, 1 tiles, 2 was removed, 3 does not exist; nothing has an angle.
#define MISUSES(MISUSE)                                                                            \
  MISUSE(cl_world_put(W, 3, here, 0))                                                              \
  MISUSE(cl_world_put(W, 2, here, 0))                                                              \
  MISUSE(cl_world_put(W, 0, far_away, 0))                                                          \
  MISUSE(cl_world_put(W, 0, nowhere, 0))                                                           \
  MISUSE(cl_world_put(W, 0, here, 1))                                                              \
  MISUSE(begin(); cl_world_put(W, 0, here, 0))                                                     \
  MISUSE(cl_world_move_to(W, 3, here, 0))                                                          \
  MISUSE(cl_world_move_to(W, 2, here, 0))                                                          \
  MISUSE(cl_world_move_to(W, 0, far_away, 0))                                                      \
  MISUSE(cl_world_move_to(W, 0, here, 1))                                                          \
  MISUSE(begin(); cl_world_move_to(W, 0, here, 0))                                                 \
  MISUSE(begin(); cl_world_use_angles(W))                                                          \
  MISUSE(cl_world_set_event_mask(W, 2, CL_EVENT_HIT, 0))                                           \
  MISUSE(cl_world_set_event_mask(W, 0, 1, 0))                                                      \
  MISUSE(begin(); cl_world_set_event_mask(W, 0, CL_EVENT_HIT, 0))                                  \
  MISUSE(begin(); cl_world_set_rule(W, 0, 0, CL_HITS_NONE))                                        \
  MISUSE(cl_world_set_rule(W, 65, 0, CL_HITS_NONE))                                                \
  MISUSE(begin(); cl_world_remove(W, 0, 0))                                                        \
  MISUSE(cl_world_remove(W, 2, 0))                                                                 \
  MISUSE(begin(); add(G, 0, 0, 0, 0))                                                              \
  MISUSE(add(G, 0, 2e12, 0, 0))                                                                    \
  MISUSE(begin(); begin())                                                                         \
  MISUSE(cl_world_begin_step(W, -1))                                                               \
  MISUSE(cl_world_end_step(W))                                                                     \
  MISUSE(G->io.place[0] = nowhere; begin())                                                        \
  MISUSE(G->io.place[0] = far_away; begin())                                                       \
  MISUSE(begin(); cl_world_reclaim(W))                                                             \
  MISUSE(double angle; cl_world_place(W, 2, &angle))                                               \
  MISUSE(double angle; cl_world_place(W, 3, &angle))                                               \
  MISUSE(cl_world_motion(W, 3))                                                                    \
  MISUSE(cl_world_actor(W, 2))                                                                     \
  MISUSE(cl_world_group(W, 3))                                                                     \
  MISUSE(cl_world_hit_groups(W, 3))                                                                \
  MISUSE(cl_world_has(W, 3))                                                                       \
  MISUSE(size_t n; cl_world_hits_of(W, 3, &n))                                                     \
  MISUSE(cl_world_hit_of(W, 3, 0))                                                                 \
  MISUSE(cl_pair p; cl_hit h; cl_world_hit(W, 99, &p, &h))                                         \
  MISUSE(cl_answers out; begin(); cl_world_query_point(W, 0, 0, ALL, &out))                        \
  MISUSE(cl_answers out; cl_world_riders(W, 3, &out))                                              \
  MISUSE(cl_answers out; cl_world_in_the_way(W, 0, nowhere, ALL, &out))                            \
  MISUSE(cl_world_move_result(W))                                                                  \
  MISUSE(cl_world_move_commit(W))                                                                  \
  MISUSE(move_one(nowhere))                                                                        \
  MISUSE(begin(); move_one(here))                                                                  \
  MISUSE(cl_move_def def = {.slot = 1}; cl_world_move(W, &def))                                    \
  MISUSE(cl_move_def def = {.slot = 3}; cl_world_move(W, &def))                                    \
  MISUSE(cl_move_def def = {.slot = 0, .x = 2e12}; cl_world_move(W, &def))                         \
  MISUSE(cl_move_def def = {.slot = 0, .response = 9}; cl_world_move(W, &def))                     \
  MISUSE(cl_snapshot *s = cl_snapshot_new(&alloc); begin(); cl_world_snapshot(W, 0, s))            \
  MISUSE(cl_pools_begin_step(G->pools, 0.1))                                                       \
  MISUSE(begin(); cl_pools_begin_step(G->pools, -1))                                               \
  MISUSE(begin(); cl_pools_begin_step(G->pools, INFINITY))                                         \
  MISUSE(cl_pools_end_step(G->pools))                                                              \
  MISUSE(begin_both(); cl_pools_end_step(G->pools))                                                \
  MISUSE(begin_both(); cl_bullets_spawn(G->pool, here, here, here, 0))                             \
  MISUSE(begin_both(); cl_world_end_step(W); cl_bullets_spawn(G->pool, here, here, here, 0))       \
  MISUSE(cl_bullets_spawn(G->pool, far_away, here, here, 0))                                       \
  MISUSE(cl_bullets_spawn(G->pool, here, nowhere, here, 0))                                        \
  MISUSE(cl_bullets_lengthen(G->pool, 1, 5, here))                                                 \
  MISUSE(if (cl_bullets_reserve_lengths(G->pool) == CL_OK)                                         \
             cl_bullets_lengthen(G->pool, 1, -1, here))                                            \
  MISUSE(begin_both(); cl_bullets_kill(G->pool, 1))                                                \
  MISUSE(cl_bullet b; begin_both(); cl_bullets_set(G->pool, 1, &b, 0))                             \
  MISUSE(cl_bullet b = {.radius = 0}; cl_bullets_set(G->pool, 1, &b, CL_BULLET_RADIUS))            \
  MISUSE(begin_both(); cl_bullets_kill_circle(G->pool, 0, 0, 1))                                   \
  MISUSE(begin_both(); cl_bullets_clear(G->pool))                                                  \
  MISUSE(begin_both(); cl_pools_clear(G->pools))                                                   \
  MISUSE(begin_both(); cl_bullets_free(G->pool))                                                   \
  MISUSE(begin_both(); cl_bullets_show(G->pool))                                                   \
  MISUSE(begin_both(); cl_bullets_set_event_mask(G->pool, 0))                                      \
  MISUSE(begin_both(); cl_pools_hash(G->pools))                                                    \
  MISUSE(begin_both(); cl_pools_follow(G->pools))                                                  \
  MISUSE(cl_shot shot; begin_both(); cl_pools_next_shot(G->pools, &shot))                          \
  MISUSE(begin_both(); cl_pools_answer(G->pools, CL_SHOT_PASS))                                    \
  MISUSE(cl_bullets_snapshot *s = cl_bullets_snapshot_new(&alloc); begin_both();                   \
         cl_pools_snapshot(G->pools, s))                                                           \
  MISUSE(cl_bullets_def def = cl_bullets_def_of(G->pool); def.radius = 0;                          \
         cl_bullets_new(G->pools, &def, &G->pool))                                                 \
  MISUSE(cl_place(NULL, 0, 0, 0))                                                                  \
  MISUSE(cl_place(G->shape[0], 0, 0, 2e9))                                                         \
  MISUSE(cl_placed p = cl_place(G->shape[TILES], 0, 0, 0); cl_cast c;                              \
         cl_cast_shape(&p, here, &p, &c))                                                          \
  MISUSE(cl_shape_point(G->shape[0], 99))

static const char *const misuses[] = {
#define NAME(...) #__VA_ARGS__,
    MISUSES(NAME)
#undef NAME
};

static int misuse_at;

static void do_misuse(void) {
  int at = 0;
#define DO(...)                                                                                    \
  if (at++ == misuse_at) {                                                                         \
    __VA_ARGS__;                                                                                   \
  }
  MISUSES(DO)
#undef DO
}

static void do_nothing(void) {
  begin_both();
  cl_world_end_step(W);
  cl_pools_end_step(G->pools);
}

static void preconditions(void) {
#ifndef NDEBUG
  open_game(&at_fault);
  add(G, 0, 0, 0, 0);
  add(G, TILES, 0, 0, 0);
  cl_world_remove(W, add(G, 0, 200, 0, 0), CL_ALL_DISPATCHED);
  cl_bullets_spawn(G->pool, here, here, here, 0);
  CHECK(!aborts(do_nothing));
  for (misuse_at = 0; misuse_at < (int)(sizeof misuses / sizeof *misuses); misuse_at++)
    CHECK_MSG(aborts(do_misuse), "%s", misuses[misuse_at]);
  close_game(&at_fault);
#endif
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(stacks);
  RUN(preconditions);
  return test_end();
}

#else

int main(void) { return test_end(); } // without threads and processes

#endif
