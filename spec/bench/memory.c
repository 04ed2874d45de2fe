// collide, MIT licence (see LICENSE)
//
// Bytes that a world takes for each actor, counted at its allocator: after a second of
// the swarm, and the most at any time. All actors share one shape, which is not
// counted.

#include "bench.h"
#include "scenes.h"
#include "tally.h"

static void need(bool good) {
  if (!good) exit(EXIT_FAILURE);
}

static void measure(const char *name, int kind, uint32_t count, double aim) {
  cl_alloc usual = cl_alloc_default();
  tally t = {.alloc = usual};
  scene s;
  scene_make(&s, kind, count);
  cl_io io;
  cl_world_def def = {.alloc = {tally_resize, &t},
                      .width = (double)s.side,
                      .height = (double)s.side,
                      .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, &io);
  cl_shape *box;
  need(world && cl_shape_rectangle(&usual, 0, 0, 10, 10, &box) == CL_OK);
  for (uint32_t i = 0; i < count; i++) {
    cl_actor_def actor = {.shape = box, .x = (double)s.box[i].x0, .y = (double)s.box[i].y0};
    uint32_t slot;
    need(cl_world_add(world, &actor, &slot) == CL_OK);
    cl_world_set_event_mask(world, slot, CL_EVENT_EVENTS, CL_EVENT_HIT);
  }
  for (int frame = 0; frame < 60; frame++) {
    scene_move(&s);
    for (uint32_t i = 0; i < count; i++) {
      io.place[i] = (cl_vec){(double)s.box[i].x0, (double)s.box[i].y0};
    }
    need(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
  }
  long hits = (long)cl_world_counts(world).hits;
  bench_row(name, "afterwards", (long)count, (double)t.now / count, "bytes an actor", 0, hits);
  bench_row(name, "at most", (long)count, (double)t.most / count, "bytes an actor", 0, hits);
  printf("%s: %.0f bytes an actor of %u (aim: at most %.0f)\n", name, (double)t.now / count, count,
         aim);
  cl_world_free(world);
  cl_shape_release(box);
  scene_free(&s);
}

int main(void) {
  bench_header();
  for (uint32_t count = 1000; count <= 100000; count *= 10) {
    measure("memory of the swarm", 0, count, 190);
    measure("memory where few hit", 3, count, 150);
  }
  return EXIT_SUCCESS;
}
