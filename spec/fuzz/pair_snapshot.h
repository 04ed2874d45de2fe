// collide, MIT licence (see LICENSE)
//
// Snapshots of a pair of worlds, restored directly, exchanged, or packed and unpacked: afterwards
// both worlds have their former hash again, and the bytes of both are the same.

#ifndef CL_SPEC_FUZZ_PAIR_SNAPSHOT_H
#define CL_SPEC_FUZZ_PAIR_SNAPSHOT_H

#include "game_pair.h"

#include "bullets/save.h"
#include "world/save.h"

static const uint8_t pair_groups[GROUPS] = {0, 1, 2, 3, 4};

// Numbers the actors of a snapshot, by slot; all of them where it has been read.
typedef struct pair_numbers {
  uint32_t *number;
  uint8_t *live;
  cl_pack_actors actors;
} pair_numbers;

static inline pair_numbers pair_number(const cl_snapshot *s, bool read) {
  uint32_t slots = s->roster->count;
  pair_numbers n = {calloc(slots + 1, sizeof *n.number), calloc(slots + 1, 1), {NULL, NULL, 0}};
  uint32_t count = cl_snapshot_number(s, n.number);
  for (uint32_t slot = 0; slot < slots; slot++) {
    uint32_t at = read ? slot : n.number[slot];
    if (at != CL_NOBODY) n.live[at] = cl_snapshot_entry(s, slot).state & CL_LIVE;
  }
  n.actors = (cl_pack_actors){n.number, n.live, read ? slots : count};
  return n;
}

static inline void pair_free_numbers(pair_numbers *n) {
  free(n->number);
  free(n->live);
}

static inline cl_writer pair_write(const cl_snapshot *world, cl_bullets_snapshot *bullets) {
  pair_numbers n = pair_number(world, false);
  uint64_t hash;
  size_t end[CL_PACK_PARTS];
  cl_writer w = {.alloc = cl_alloc_default(), .number = n.number};
  CHECK(cl_snapshot_write(world, GROUPS, pair_groups, &w, &hash, end) == CL_OK);
  cl_bullets_snapshot_write(bullets, hash, &n.actors, &w);
  CHECK(w.status == CL_OK);
  pair_free_numbers(&n);
  return w;
}

// Replaces a snapshot by one read from its bytes.
static inline void pair_read(twin *t, const cl_writer *w) {
  uint32_t slots = t->snapshot->roster->count, slot;
  cl_shape **shape = calloc(slots + 1, sizeof *shape);
  pair_numbers was = pair_number(t->snapshot, false);
  for (slot = 0; slot < slots; slot++) {
    if (!(cl_snapshot_entry(t->snapshot, slot).state & CL_LIVE)) continue;
    shape[was.number[slot]] = cl_shape_retain(t->snapshot->roster->shape[slot]);
  }
  pair_free_numbers(&was);
  cl_reader r = {w->at, w->count, false};
  REQUIRE(cl_snapshot_read(&r, GROUPS, t->snapshot) == CL_OK);
  pair_numbers n = pair_number(t->snapshot, true);
  REQUIRE(cl_bullets_snapshot_read(&r, &n.actors, t->bullets) == CL_OK && r.left == 0);
  pair_free_numbers(&n);
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
  cl_writer w[TWINS], again;
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
