// collide, MIT licence (see LICENSE)
//
// Closest hit of a ray of 500 units among 10 000 boxes of 10 x 10 in 5000 x 5000, in
// microseconds, as CSV; beside it, where it is installed, Chipmunk's. All answer
// about the same boxes and rays, and how many rays hit is compared.

#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef HAVE_CHIPMUNK
#include <chipmunk/chipmunk.h>
#endif

#include "base/trig.h"
#include "world/queries.h"

enum { BOXES = 10000, RAYS = 4096, ROUNDS = 15 };
static const double FIELD = 5000, SIZE = 10, LENGTH = 500;

typedef struct ray {
  double x1, y1, x2, y2;
} ray;

static double box_x[BOXES], box_y[BOXES];
static ray rays[RAYS];

// A generator of Park and Miller: the same numbers everywhere.
static double uniform(void) {
  static uint64_t state = 1;
  state = state * 48271 % 2147483647;
  return (double)state / 2147483647.0;
}

static void make_all(void) {
  for (int i = 0; i < BOXES; i++) {
    box_x[i] = uniform() * FIELD;
    box_y[i] = uniform() * FIELD;
  }
  for (int i = 0; i < RAYS; i++) {
    double s, c, x = uniform() * FIELD, y = uniform() * FIELD;
    cl_sincos(uniform() * 6.283185307179586, &s, &c);
    rays[i] = (ray){x, y, x + LENGTH * c, y + LENGTH * s};
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef bool cast(void *world, const ray *r);

// The median of several rounds over all rays.
static void measure(const char *name, void *world, cast *hits) {
  double times[ROUNDS];
  int hit = 0;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    hit = 0;
    for (int i = 0; i < RAYS; i++) hit += hits(world, &rays[i]);
    times[round] = (now() - start) / RAYS;
  }
  qsort(times, ROUNDS, sizeof *times, by_value);
  printf("%s,%.3f,%d\n", name, times[ROUNDS / 2], hit);
}

static bool cast_ours(void *world, const ray *r) {
  cl_path path = {r->x1, r->y1, r->x2, r->y2, NULL};
  cl_filter everybody = {UINT64_MAX, {CL_NOBODY, CL_NOBODY}};
  cl_answers answers = {NULL, 0};
  return cl_world_cast(world, &path, false, everybody, &answers) == CL_OK && answers.count > 0;
}

static cl_world *make_ours(cl_io *io) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {.alloc = alloc, .width = FIELD, .height = FIELD, .broad = &cl_broad_quadtree};
  cl_world *world = cl_world_new(&def, io);
  cl_shape *box;
  if (!world || cl_shape_rectangle(&alloc, 0, 0, SIZE, SIZE, &box) != CL_OK) return NULL;
  for (int i = 0; i < BOXES; i++) {
    uint32_t slot;
    cl_actor_def actor = {.shape = box, .x = box_x[i], .y = box_y[i]};
    if (cl_world_add(world, &actor, &slot) != CL_OK) return NULL;
  }
  cl_shape_release(box);
  for (int i = 0; i < BOXES; i++) {
    io->x[i] = box_x[i];
    io->y[i] = box_y[i];
  }
  return cl_world_step(world, CL_ALL_TOLD) == CL_OK ? world : NULL;
}

#ifdef HAVE_CHIPMUNK
static bool cast_chipmunk(void *space, const ray *r) {
  cpSegmentQueryInfo info;
  return cpSpaceSegmentQueryFirst(space, cpv(r->x1, r->y1), cpv(r->x2, r->y2), 0,
                                  CP_SHAPE_FILTER_ALL, &info) != NULL;
}

static void add_boxes(cpSpace *space) {
  for (int i = 0; i < BOXES; i++) {
    cpBB bb = cpBBNew(box_x[i], box_y[i], box_x[i] + SIZE, box_y[i] + SIZE);
    cpSpaceAddShape(space, cpBoxShapeNew2(cpSpaceGetStaticBody(space), bb, 0));
  }
}
#endif

int main(void) {
  make_all();
  printf("ray of 500 among 10000 boxes,us,rays that hit of %d\n", RAYS);
  cl_io io;
  cl_world *world = make_ours(&io);
  if (!world) return EXIT_FAILURE;
  measure("collide", world, cast_ours);
  cl_world_free(world);
#ifdef HAVE_CHIPMUNK
  cpSpace *tree = cpSpaceNew();
  add_boxes(tree);
  measure("Chipmunk tree", tree, cast_chipmunk);
  cpSpace *hash = cpSpaceNew();
  cpSpaceUseSpatialHash(hash, SIZE * 2, BOXES * 2);
  add_boxes(hash);
  measure("Chipmunk hash", hash, cast_chipmunk);
#endif
  return EXIT_SUCCESS;
}
