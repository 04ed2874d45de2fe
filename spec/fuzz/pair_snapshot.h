// collide, MIT licence (see LICENSE)
//
// Snapshots of a pair of worlds, restored directly, exchanged, or packed and unpacked: afterwards
// both worlds must have their former hash again, and their bytes must be the same.

#ifndef CL_SPEC_FUZZ_PAIR_SNAPSHOT_H
#define CL_SPEC_FUZZ_PAIR_SNAPSHOT_H

#include "game_pair.h"

#include "bullets/save.h"
#include "world/state.h"

static const uint8_t pair_groups[GROUPS] = {0, 1, 2, 3, 4};

// The numbers of a snapshot's actors, by slot.
static inline uint32_t *pair_number(const cl_snapshot *s) {
  uint32_t *number = calloc(s->roster->count + 1, sizeof *number);
  cl_snapshot_number(s, number);
  return number;
}

static inline cl_archive pair_write(cl_snapshot *world, cl_bullets_snapshot *bullets) {
  uint32_t *number = pair_number(world);
  size_t end[CL_PACK_PARTS];
  cl_archive w = {.alloc = cl_alloc_default(), .number = number};
  CHECK(cl_snapshot_archive(&w, world, GROUPS, pair_groups, end) == CL_OK);
  CHECK(cl_bullets_snapshot_archive(&w, bullets, world) == CL_OK);
  free(number);
  return w;
}

// Replaces a snapshot by one read from its bytes.
static inline void pair_read(twin *t, const cl_archive *w) {
  uint32_t slots = t->snapshot->roster->count, slot;
  cl_shape **shape = calloc(slots + 1, sizeof *shape);
  uint32_t *was = pair_number(t->snapshot);
  for (slot = 0; slot < slots; slot++) {
    if (!cl_snapshot_has(t->snapshot, slot)) continue;
    shape[was[slot]] = cl_shape_retain(t->snapshot->roster->shape[slot]);
  }
  free(was);
  cl_archive r = {.reading = true, .next = w->at, .left = w->count};
  size_t end[CL_PACK_PARTS];
  REQUIRE(cl_snapshot_archive(&r, t->snapshot, GROUPS, NULL, end) == CL_OK);
  REQUIRE(cl_bullets_snapshot_archive(&r, t->bullets, t->snapshot) == CL_OK && r.left == 0);
  for (uint32_t k = 0; k < POOLS; k++) {
    cl_bullets_def def = cl_bullets_def_of(t->pool[k]);
    CHECK(cl_bullets_snapshot_set_pool(t->bullets, k, &def) == CL_OK);
  }
  CHECK(cl_snapshot_set_shapes(t->snapshot, shape, &slot) == CL_OK);
  cl_snapshot_set_groups(t->snapshot, GROUPS, pair_groups);
  for (slot = 0; slot < slots; slot++)
    if (shape[slot]) cl_shape_release(shape[slot]);
  free(shape);
}

static inline void pair_through_bytes(game_pair *g) {
  cl_archive w[TWINS], again;
  EACH_TWIN(g, t) w[t - g->twin] = pair_write(t->snapshot, t->bullets);
  CHECK(w[0].count == w[1].count && !memcmp(w[0].at, w[1].at, w[0].count));
  EACH_TWIN(g, t) pair_read(t, &w[0]);
  if (test_errors > 0) return;
  again = pair_write(g->twin[0].snapshot, g->twin[0].bullets);
  CHECK(again.count == w[0].count && !memcmp(again.at, w[0].at, again.count));
  cl_free(&again.alloc, again.at, again.cap);
  EACH_TWIN(g, t) cl_free(&w[t - g->twin].alloc, w[t - g->twin].at, w[t - g->twin].cap);
}

static inline void pair_take(game_pair *g) {
  EACH_TWIN(g, t) {
    CHECK(cl_pools_snapshot(t->pools, t->bullets) == CL_OK);
    CHECK(cl_world_snapshot(t->world, t->told, t->snapshot) == CL_OK);
  }
  g->taken = true;
}

static inline void pair_snapshot(game_pair *g) {
  int what = test_int(0, 5);
  if (what < 2 || !g->taken) pair_take(g);
  if (what == 0) return;
  if (what == 5) pair_through_bytes(g);
  if (test_errors > 0) return;
  for (int i = 0; i < TWINS; i++) {
    twin *t = &g->twin[i], *from = &g->twin[what == 4 ? 1 - i : i];
    CHECK(cl_pools_restore_reserve(t->pools, from->bullets, t->pool) == CL_OK);
    CHECK(cl_world_restore(t->world, from->snapshot, &t->told) == CL_OK);
    cl_pools_restore(t->pools, from->bullets, t->pool);
  }
  CHECK(g->twin[0].told == g->twin[1].told);
}

#endif
