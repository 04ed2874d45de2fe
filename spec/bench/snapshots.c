// collide, MIT licence (see LICENSE)
//
// Snapshots of the swarm: the time to take one, in a ring of eight that are refilled, as in
// a game with rollback, and the time to restore one, in microseconds; and the bytes per actor of
// a further snapshot while no actor is added or removed.

#include "bench.h"
#include "ours.h"
#include "tally.h"

enum { RING = 8 };

typedef struct rewinder {
  scene scene;
  cl_world *world;
  cl_io io;
  tally tally;
  cl_snapshot *ring[RING];
  int last;
  bench_task take, restore;
} rewinder;

static void take(void *self) {
  rewinder *r = self;
  r->last = (r->last + 1) % RING;
  ours_need(cl_world_snapshot(r->world, CL_ALL_DISPATCHED, r->ring[r->last]) == CL_OK);
}

static void go_back(void *self) {
  rewinder *r = self;
  double told;
  r->last = (r->last + 1) % RING;
  ours_need(cl_world_restore(r->world, r->ring[r->last], &told) == CL_OK);
}

// Fills the ring over eight frames; returns the bytes of all snapshots except the first.
static size_t fill(rewinder *r) {
  size_t first = 0;
  for (int i = 0; i < RING; i++) {
    scene_move(&r->scene);
    ours_step(&r->scene, r->world, &r->io);
    take(r);
    if (i == 0) first = r->tally.now;
  }
  return r->tally.now - first;
}

static void measure(uint32_t count, cl_shape *box) {
  rewinder r = {.tally = {.alloc = cl_alloc_default()}};
  cl_alloc counted = {tally_resize, &r.tally};
  scene_make(&r.scene, 0, count);
  r.world = ours_world(&r.scene, &r.io);
  for (uint32_t i = 0; i < count; i++) ours_add(&r.scene, i, r.world, box);
  for (int i = 0; i < RING; i++) {
    r.ring[i] = cl_snapshot_new(&counted);
    ours_need(r.ring[i]);
  }
  double bytes = (double)fill(&r) / (RING - 1) / count;
  r.take = (bench_task){.frame = take, .self = &r};
  r.restore = (bench_task){.frame = go_back, .self = &r};
  bench_run((bench_task *[]){&r.take, &r.restore}, 2);
  long hits = (long)cl_world_counts(r.world).hits;
  double taken = r.take.last * 1e3, restored = r.restore.last * 1e3;
  bench_row("snapshots", "taken", (long)count, taken, "us", taken, hits);
  bench_row("snapshots", "restored", (long)count, restored, "us", taken, hits);
  bench_row("memory of a snapshot", "collide", (long)count, bytes, "bytes an actor", 0, hits);
  if (count == 1000) {
    printf("a snapshot of 1000: %.4f ms (aim: at most 0.02) and %.0f bytes an actor "
           "(aim: at most 64)\n",
           r.take.last, bytes);
  }
  for (int i = 0; i < RING; i++) cl_snapshot_free(r.ring[i]);
  cl_world_free(r.world);
  scene_free(&r.scene);
}

int main(void) {
  cl_shape *box = ours_square(10);
  bench_header();
  for (uint32_t count = 1000; count <= 100000; count *= 10) measure(count, box);
  cl_shape_release(box);
  return EXIT_SUCCESS;
}
