// collide, MIT licence (see LICENSE)
//
// Closest hit of a ray of 500 units among 10 000 boxes of 10 x 10 in 5000 x 5000,
// microseconds a ray; beside it, where it is installed, Chipmunk's. All answer about
// the same boxes and rays, and how many rays hit is compared.

#include "bench.h"

#ifdef HAVE_CHIPMUNK
#include <chipmunk/chipmunk.h>
#endif

#include "base/trig.h"
#include "world/queries.h"

enum { BOXES = 10000, RAYS = 4096, MOST = 3 };
static const double FIELD = 5000, SIZE = 10, LENGTH = 500;

typedef struct ray {
  double x1, y1, x2, y2;
} ray;

static double box_x[BOXES], box_y[BOXES];
static ray rays[RAYS];

static void make_all(void) {
  uint64_t state = 1;
  for (int i = 0; i < BOXES; i++) {
    box_x[i] = bench_uniform(&state, 0, FIELD);
    box_y[i] = bench_uniform(&state, 0, FIELD);
  }
  for (int i = 0; i < RAYS; i++) {
    double s, c, x = bench_uniform(&state, 0, FIELD), y = bench_uniform(&state, 0, FIELD);
    cl_sincos(bench_uniform(&state, 0, 6.283185307179586), &s, &c);
    rays[i] = (ray){x, y, x + LENGTH * c, y + LENGTH * s};
  }
}

typedef bool cast(void *world, const ray *r);

// Somebody who casts rays; a frame is all of them.
typedef struct caster {
  const char *name;
  void *world;
  cast *hits;
  long found;
  bench_task task;
} caster;

static void cast_all(void *self) {
  caster *c = self;
  c->found = 0;
  for (int i = 0; i < RAYS; i++) c->found += c->hits(c->world, &rays[i]);
}

static void compare(caster *all, int count) {
  bench_task *tasks[MOST];
  for (int i = 0; i < count; i++) {
    all[i].task.frame = cast_all;
    all[i].task.self = &all[i];
    tasks[i] = &all[i].task;
  }
  bench_run(tasks, count);
  for (int i = 0; i < count; i++)
    bench_row("ray", all[i].name, BOXES, all[i].task.last * 1e3 / RAYS, "us",
              all[0].task.last * 1e3 / RAYS, all[i].found);
}

static bool cast_ours(void *world, const ray *r) {
  cl_path path = {r->x1, r->y1, r->x2, r->y2, NULL};
  cl_filter everybody = {UINT64_MAX, NULL, 0};
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
  static caster all[MOST];
  int count = 0;
  cl_io io;
  make_all();
  cl_world *world = make_ours(&io);
  if (!world) return EXIT_FAILURE;
  all[count++] = (caster){.name = "collide", .world = world, .hits = cast_ours};
#ifdef HAVE_CHIPMUNK
  cpSpace *hash = cpSpaceNew(), *tree = cpSpaceNew();
  cpSpaceUseSpatialHash(hash, SIZE * 2, BOXES * 10);
  add_boxes(hash);
  add_boxes(tree);
  all[count++] = (caster){.name = "Chipmunk hash", .world = hash, .hits = cast_chipmunk};
  all[count++] = (caster){.name = "Chipmunk tree", .world = tree, .hits = cast_chipmunk};
#endif
  bench_header();
  compare(all, count);
  cl_world_free(world);
  return EXIT_SUCCESS;
}
