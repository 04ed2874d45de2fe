// collide, MIT licence (see LICENSE)
//
// collide's part in the benchmarks of boxes: a broad phase and a world with the boxes of a scene.

#ifndef CL_BENCH_OURS_H
#define CL_BENCH_OURS_H

#include "bench.h"
#include "collide.h"
#include "scenes.h"
#include "broad/broad.h"

static inline void ours_need(bool good) {
  if (good) return;
  fprintf(stderr, "no memory\n");
  exit(EXIT_FAILURE);
}

static inline cl_broad *ours_broad(const scene *s, const cl_broad_class *class) {
  cl_broad_def def = {
      .alloc = cl_alloc_default(), .field = {0, 0, s->side, s->side}, .bounded = true};
  cl_broad *broad = class->open(class, &def);
  ours_need(broad);
  return broad;
}

// The set of fixed boxes and their places never change.
static inline void ours_find(const scene *s, cl_broad *broad, cl_pairs *out) {
  cl_broad_input in = {s->box, s->fixed, s->count, .order = 1, .static_version = 1};
  out->count = 0;
  ours_need(broad->class->find(broad, &in, out) == CL_OK);
}

static inline void ours_close(cl_broad *broad, cl_pairs *found) {
  cl_alloc alloc = cl_alloc_default();
  broad->class->close(broad);
  cl_free(&alloc, found->at, found->cap * sizeof *found->at);
}

static inline cl_world *ours_world(const scene *s, cl_io *io) {
  cl_world_def def = {.alloc = cl_alloc_default(),
                      .width = (double)s->side,
                      .height = (double)s->side,
                      .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, io);
  ours_need(world);
  return world;
}

// Adds box i with a shape, at its place.
static inline void ours_add(const scene *s, uint32_t i, cl_world *world, cl_shape *shape) {
  uint32_t slot;
  cl_actor_def def = {
      .shape = shape, .x = (double)s->box[i].x0, .y = (double)s->box[i].y0, .fixed = s->fixed[i]};
  ours_need(cl_world_add(world, &def, &slot) == CL_OK);
  cl_world_set_event_mask(world, slot, CL_EVENT_EVENTS, CL_EVENT_HIT);
}

static inline cl_shape *ours_square(double width) {
  cl_alloc alloc = cl_alloc_default();
  cl_shape *shape;
  ours_need(cl_shape_rectangle(&alloc, 0, 0, width, width, &shape) == CL_OK);
  return shape;
}

static inline void ours_step(const scene *s, cl_world *world, const cl_io *io) {
  for (uint32_t i = s->fixed_count; i < s->count; i++) {
    io->place[i] = (cl_vec){(double)s->box[i].x0, (double)s->box[i].y0};
  }
  ours_need(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
}

#endif
