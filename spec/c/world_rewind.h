// collide, MIT licence (see LICENSE)
//
// Random play with snapshots, taken and restored at any time, also during a dispatch, into the same
// world or a new one, with enough memory and without. After a restore, the world must have the
// events of the copy of the model that was made with the snapshot.

#ifndef CL_SPEC_WORLD_REWIND_H
#define CL_SPEC_WORLD_REWIND_H

#include "world_play.h"

enum { REWIND_KEPT = 4 };

// The state of the host and the model when a snapshot was taken.
typedef struct kept {
  bool used;
  cl_snapshot *snapshot;
  uint64_t hash;
  double told;
  int id[MAX_MEMBERS];
  uint32_t slot[MAX_MEMBERS];
  model model;
} kept;

typedef struct rewinder {
  play play;
  heap heap; // of the snapshots
  kept kept[REWIND_KEPT];
  long taken, restored, inside, refused, moved_worlds;
} rewinder;

static inline void rewind_without_memory(heap *h, bool on) { h->one_in = on ? 3 : 0; }

// Takes a snapshot, trying again until there is enough memory.
static inline void rewind_take(rewinder *r, host *h) {
  kept *k = &r->kept[test_int(0, REWIND_KEPT - 1)];
  bool poor = test_int(0, 1);
  cl_status status;
  do {
    rewind_without_memory(&r->heap, poor);
    rewind_without_memory(&h->heap, poor);
    status = cl_world_snapshot(h->world, h->told, k->snapshot);
    rewind_without_memory(&r->heap, false);
    rewind_without_memory(&h->heap, false);
    r->refused += status != CL_OK;
  } while (status != CL_OK);
  k->used = true;
  k->hash = cl_world_hash(h->world);
  k->told = h->told;
  memcpy(k->id, h->id, sizeof k->id);
  memcpy(k->slot, h->slot, sizeof k->slot);
  k->model = h->model;
  CHECK(cl_world_is_valid(h->world));
  r->taken++;
}

// A new world in place of the host's, made with the same settings except the broad phase.
static inline void rewind_exchange(rewinder *r, host *h) {
  cl_world_def def = random_world_def(h);
  def.touching = h->model.touching;
  cl_world_free(h->world);
  h->world = cl_world_new(&def, &h->io);
  for (int i = test_int(0, 3); i > 0; i--) { // actors that the restore removes
    cl_actor_def actor = {.shape = r->play.shape[test_int(0, 3)], .angle = test_int(0, 1)};
    uint32_t slot;
    CHECK(cl_world_add(h->world, &actor, &slot) == CL_OK);
  }
  r->moved_worlds++;
}

static inline bool rewind_to(rewinder *r, host *h) {
  const kept *k = &r->kept[test_int(0, REWIND_KEPT - 1)];
  if (!k->used) return false;
  if (test_int(0, 3) == 0) rewind_exchange(r, h);
  bool poor = test_int(0, 1);
  uint64_t before = cl_world_hash(h->world);
  cl_status status;
  double begun;
  do {
    rewind_without_memory(&h->heap, poor);
    status = cl_world_restore(h->world, k->snapshot, &begun);
    rewind_without_memory(&h->heap, false);
    r->refused += status != CL_OK;
    if (status != CL_OK) CHECK(cl_world_hash(h->world) == before && cl_world_is_valid(h->world));
  } while (status != CL_OK);
  CHECK(begun == k->told || (begun == CL_ALL_DISPATCHED && h->io.events == 0));
  memcpy(h->id, k->id, sizeof k->id);
  memcpy(h->slot, k->slot, sizeof k->slot);
  h->model = k->model;
  h->told = begun;
  CHECK(cl_world_hash(h->world) == k->hash);
  CHECK(cl_world_is_valid(h->world));
  host_check_motions(h);
  r->restored++;
  return true;
}

// A restore ends the dispatch.
static inline bool rewind_in_a_call(host *h, const call *it, void *user) {
  rewinder *r = user;
  if (test_int(0, 40) == 0) rewind_take(r, h), r->inside++;
  bool ends = play_callback(h, it, &r->play);
  if (ends || test_int(0, 150) > 0) return ends;
  return rewind_to(r, h);
}

static inline void rewind_open(rewinder *r, host *h) {
  r->heap = heap_new();
  cl_alloc alloc = heap_alloc(&r->heap);
  for (int i = 0; i < REWIND_KEPT; i++) {
    r->kept[i].snapshot = cl_snapshot_new(&alloc);
    r->kept[i].used = false;
    REQUIRE(r->kept[i].snapshot);
  }
  h->heap = heap_new();
  cl_world_def def = random_world_def(h);
  host_open(h, &def);
  r->play.crowd = test_int(2, 40);
  r->play.swept = test_int(0, 2) ? 0 : 4;
  r->play.odds = test_int(0, 1) ? 100000 : test_int(2, 60);
}

static inline void rewind_close(rewinder *r, host *h) {
  bool first = test_int(0, 1); // either may be freed first
  if (first) cl_world_free(h->world);
  for (int i = 0; i < REWIND_KEPT; i++) cl_snapshot_free(r->kept[i].snapshot);
  if (!first) cl_world_free(h->world);
  CHECK_HEAP_EMPTY(r->heap);
  CHECK_HEAP_EMPTY(h->heap);
}

// A step with the changes before and after it.
static inline void rewind_step(rewinder *r, host *h) {
  play_between(&r->play, h);
  if (test_int(0, 4) == 0) rewind_take(r, h);
  host_step(h);
  host_tell(h, rewind_in_a_call, r);
  if (test_int(0, 4) == 0) rewind_take(r, h);
  if (test_int(0, 6) == 0) rewind_to(r, h);
}

#endif
