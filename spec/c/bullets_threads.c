// collide, MIT licence (see LICENSE)
//
// Worlds in separate threads share nothing: games that are played at the same time end like those
// played one after another. `make tsan` runs them.

#include <pthread.h> // before config.h, which hides later declarations

#include "test.h"

enum { THREADS = 2, ACTORS = 80, SHAPES = 5, STEPS = 60 };

typedef struct game {
  uint64_t seed, state, hash;
  cl_alloc alloc;
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
  cl_shape *shape[SHAPES];
  bool ok;
} game;

// A number below `count`, from the game's own random source.
static unsigned pick(game *g, unsigned count) {
  g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(g->state >> 33) % count;
}

static bool open_game(game *g) {
  static const double corners[] = {0, 0, 9, 0, 9, 4, 4, 4, 4, 9, 0, 9};
  static const double origin[] = {-20, 180};
  const cl_bullets_def bullets = {
      .capacity = 50, .radius = 1, .group = 1, .lifetime = 2, .bounds = {-50, -50, 250, 250}};
  const int64_t size[] = {24, 3};
  cl_fault fault;
  cl_grid *grid;
  g->alloc = cl_alloc_default();
  g->state = g->seed;
  cl_world_def def = {.alloc = g->alloc, .broad = &cl_broad_auto};
  g->world = cl_world_new(&def, &g->io);
  g->pools = g->world ? cl_pools_new(&g->alloc, g->world) : NULL;
  if (!g->pools || cl_grid_new(&g->alloc, 2, size, (double[]){10, 10}, origin, &grid) != CL_OK)
    return false;
  for (int64_t x = 0; x < size[0]; x++) cl_grid_set(grid, (int64_t[3]){x, x % 3, 0}, 1);
  bool ok = cl_bullets_new(g->pools, &bullets, &g->pool) == CL_OK &&
            cl_shape_rectangle(&g->alloc, 0, 0, 8, 6, &g->shape[0]) == CL_OK &&
            cl_shape_circle(&g->alloc, 0, 0, 5, &g->shape[1]) == CL_OK &&
            cl_shape_capsule(&g->alloc, 0, 0, 6, 2, 2, &g->shape[2]) == CL_OK &&
            cl_shape_polygon(&g->alloc, corners, 6, &fault, &g->shape[3]) == CL_OK &&
            cl_shape_tiles(&g->alloc, grid, NULL, 0, &g->shape[4]) == CL_OK;
  cl_grid_release(grid);
  for (uint32_t i = 0; ok && i < ACTORS; i++) {
    cl_actor_def actor = {.shape = g->shape[i == 0 ? 4 : pick(g, 4)],
                          .x = i == 0 ? 0 : pick(g, 200),
                          .y = i == 0 ? 0 : pick(g, 200),
                          .angle = i % 3 == 1 ? 0.25 * pick(g, 8) : 0,
                          .group = (uint8_t)pick(g, 3),
                          .fixed = i == 0 || pick(g, 5) == 0};
    uint32_t slot;
    ok = cl_world_add(g->world, &actor, &slot) == CL_OK;
    if (ok) cl_world_set_event_mask(g->world, slot, CL_EVENT_EVENTS, CL_EVENT_EVENTS);
  }
  return ok;
}

static bool move_one(game *g) {
  cl_move_def def = {.slot = 1 + pick(g, ACTORS - 1), .dx = 9, .dy = (int)pick(g, 19) - 9};
  cl_vec at = cl_world_place(g->world, def.slot, &def.angle);
  def.x = at.x, def.y = at.y;
  def.filter.groups = UINT64_MAX;
  def.response = CL_RESPONSE_SLIDE;
  return cl_world_move(g->world, &def) == CL_OK && cl_world_move_commit(g->world) == CL_OK;
}

static bool step(game *g) {
  for (uint32_t slot = 0; slot < g->io.slots; slot++) {
    if ((g->io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    cl_vec at = cl_world_place(g->world, slot, &g->io.angle[slot]);
    g->io.place[slot] = (cl_vec){at.x + (int)pick(g, 5) - 2, at.y + (int)pick(g, 5) - 2};
  }
  cl_bullets_spawn(g->pool, (cl_vec){pick(g, 200), 0}, (cl_vec){0, 300}, (cl_vec){0, 0}, 0);
  bool ok = cl_world_begin_step(g->world, CL_ALL_DISPATCHED) == CL_OK &&
            cl_pools_begin_step(g->pools, 1 / 60.0) == CL_OK;
  if (!ok) return false;
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  cl_shot shot;
  while (cl_pools_next_shot(g->pools, &shot)) g->hash = g->hash * 31 + shot.number;
  g->hash = g->hash * 31 + cl_pools_hash(g->pools);
  return true;
}

static bool ask(game *g) {
  cl_answers found;
  double x = pick(g, 200), y = pick(g, 200);
  cl_filter all = {UINT64_MAX, NULL, 0};
  cl_path path = {x, y, 200 - x, 200 - y, NULL};
  bool ok = cl_world_nearest(g->world, x, y, 3, all, &found) == CL_OK;
  for (size_t i = 0; ok && i < found.count; i++) g->hash = g->hash * 31 + found.at[i].slot;
  return ok && cl_world_cast(g->world, &path, true, all, &found) == CL_OK;
}

static void *play(void *user) {
  game *g = user;
  cl_snapshot *snapshot = NULL;
  double dispatched;
  g->hash = 0;
  g->ok = open_game(g) && (snapshot = cl_snapshot_new(&g->alloc));
  for (int i = 0; i < STEPS && g->ok; i++) {
    g->ok = step(g) && move_one(g) && ask(g);
    if (g->ok && i % 10 == 0)
      g->ok = cl_world_snapshot(g->world, CL_ALL_DISPATCHED, snapshot) == CL_OK;
    if (g->ok && i % 15 == 14) g->ok = cl_world_restore(g->world, snapshot, &dispatched) == CL_OK;
  }
  cl_snapshot_free(snapshot);
  cl_pools_free(g->pools);
  cl_world_free(g->world);
  for (int i = 0; i < SHAPES; i++) cl_shape_release(g->shape[i]);
  return NULL;
}

static void worlds_share_nothing(void) {
  for (long i = test_rounds(4); i > 0; i--) {
    game alone[THREADS], beside[THREADS];
    pthread_t thread[THREADS];
    memset(beside, 0, sizeof beside);
    for (int k = 0; k < THREADS; k++) beside[k].seed = test_bits();
    memcpy(alone, beside, sizeof alone);
    for (int k = 0; k < THREADS; k++) {
      REQUIRE(pthread_create(&thread[k], NULL, play, &beside[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++) CHECK(pthread_join(thread[k], NULL) == 0);
    for (int k = 0; k < THREADS; k++) {
      play(&alone[k]);
      CHECK(alone[k].ok && beside[k].ok && alone[k].hash == beside[k].hash);
    }
    CHECK(alone[0].hash != alone[1].hash);
  }
}

int main(void) {
  RUN(worlds_share_nothing);
  return test_end();
}
