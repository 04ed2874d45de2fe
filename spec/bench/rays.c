// collide, MIT licence (see LICENSE)
//
// The closest hit of a ray of 500 units among 10 000 boxes of 10 x 10 in 5000 x 5000, in
// microseconds per ray, and the same with Chipmunk where it is installed. All get the same boxes
// and rays, and the numbers of hits are compared; also among circles and triangles in the same
// places. Then rays of the same length at a map of 300 x 300 tiles, the only actor of a world, and
// through its grid. Between these, frames of the boxes, all of which move: a step and some queries
// after it.

#include "bench.h"

#ifdef HAVE_CHIPMUNK
#include <chipmunk/chipmunk.h>
#endif

#include "base/vec.h"
#include "geom/tiles.h"

enum { BOXES = 10000, RAYS = 4096, MOST = 6, TILES = 300, TILES_PER_SOLID = 50 };
static const double FIELD = 5000, SIZE = 10, LENGTH = 500, TILE = 16;

typedef struct ray {
  double x1, y1, x2, y2;
} ray;

static double box_x[BOXES], box_y[BOXES];
static ray rays[RAYS];
static void make_rays(uint64_t *state, double size) {
  for (int i = 0; i < RAYS; i++) {
    double s, c, x = bench_uniform(state, 0, size), y = bench_uniform(state, 0, size);
    cl_sincos(bench_uniform(state, 0, 6.283185307179586), &s, &c);
    rays[i] = (ray){x, y, x + LENGTH * c, y + LENGTH * s};
  }
}

static void make_all(void) {
  uint64_t state = 1;
  for (int i = 0; i < BOXES; i++) {
    box_x[i] = bench_uniform(&state, 0, FIELD);
    box_y[i] = bench_uniform(&state, 0, FIELD);
  }
  make_rays(&state, FIELD);
}

typedef bool cast(void *world, const ray *r);

// A task that casts rays; a frame is all rays.
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

static void compare(const char *name, long n, caster *all, int count) {
  bench_task *tasks[MOST];
  for (int i = 0; i < count; i++) {
    all[i].task.frame = cast_all;
    all[i].task.self = &all[i];
    tasks[i] = &all[i].task;
  }
  bench_run(tasks, count);
  for (int i = 0; i < count; i++)
    bench_row(name, all[i].name, n, all[i].task.last * 1e3 / RAYS, "us",
              all[0].task.last * 1e3 / RAYS, all[i].found);
}

static bool cast_ours(void *world, const ray *r) {
  cl_path path = {r->x1, r->y1, r->x2, r->y2, NULL};
  cl_filter everybody = {UINT64_MAX, NULL, 0};
  cl_answers answers = {NULL, 0};
  return cl_world_cast(world, &path, false, everybody, &answers) == CL_OK && answers.count > 0;
}

static cl_status make_shape(const cl_alloc *alloc, int corners, cl_shape **shape) {
  const double half = SIZE / 2, xy[6] = {0, 0, SIZE, half, 0, SIZE};
  cl_fault fault;
  if (corners == 4) return cl_shape_rectangle(alloc, 0, 0, SIZE, SIZE, shape);
  if (corners == 3) return cl_shape_polygon(alloc, xy, 3, &fault, shape);
  return cl_shape_circle(alloc, half, half, half, shape);
}

// Makes a world of boxes, triangles or, with no corners, circles.
static cl_world *make_ours(cl_io *io, bool fixed, int corners) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {.alloc = alloc, .width = FIELD, .height = FIELD, .broad = &cl_broad_quadtree};
  cl_world *world = cl_world_new(&def, io);
  cl_shape *box;
  if (!world || make_shape(&alloc, corners, &box) != CL_OK) return NULL;
  for (int i = 0; i < BOXES; i++) {
    uint32_t slot;
    cl_actor_def actor = {.shape = box, .x = box_x[i], .y = box_y[i], .fixed = fixed};
    if (cl_world_add(world, &actor, &slot) != CL_OK) return NULL;
  }
  cl_shape_release(box);
  for (int i = 0; i < BOXES; i++) {
    io->place[i] = (cl_vec){box_x[i], box_y[i]};
  }
  return cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK ? world : NULL;
}

static const bool solid[256] = {[1] = true};

static bool cast_grid(void *grid, const ray *r) {
  const double from[2] = {r->x1 / TILE, r->y1 / TILE}, to[2] = {r->x2 / TILE, r->y2 / TILE};
  cl_grid_hit hit;
  return cl_grid_cast(grid, from, to, solid, &hit);
}

static cl_grid *make_grid(void) {
  cl_alloc alloc = cl_alloc_default();
  uint64_t state = 7;
  cl_grid *grid;
  if (cl_grid_new(&alloc, 2, (int64_t[]){TILES, TILES}, (double[]){TILE, TILE}, (double[]){0, 0},
                  &grid))
    return NULL;
  for (int i = 0; i < TILES * TILES / TILES_PER_SOLID; i++) {
    int64_t x = (int64_t)bench_uniform(&state, 0, TILES),
            y = (int64_t)bench_uniform(&state, 0, TILES);
    cl_grid_set(grid, (int64_t[]){x, y, 0}, 1);
  }
  return grid;
}

static cl_world *make_map(cl_io *io, cl_grid *grid) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, io);
  cl_shape *tiles;
  uint32_t slot;
  if (!world || cl_shape_tiles(&alloc, grid, NULL, 0, &tiles) != CL_OK) return NULL;
  cl_actor_def actor = {.shape = tiles, .fixed = true};
  if (cl_world_add(world, &actor, &slot) != CL_OK) return NULL;
  cl_shape_release(tiles);
  return cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK ? world : NULL;
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

static int at_boxes(void) {
  static caster all[MOST];
  int count = 0;
  cl_io io[4];
  cl_world *moving = make_ours(&io[0], false, 4), *fixed = make_ours(&io[1], true, 4);
  cl_world *circles = make_ours(&io[2], false, 0), *triangles = make_ours(&io[3], false, 3);
  if (!moving || !fixed || !circles || !triangles) return EXIT_FAILURE;
  all[count++] = (caster){.name = "collide", .world = moving, .hits = cast_ours};
  all[count++] = (caster){.name = "collide static", .world = fixed, .hits = cast_ours};
  all[count++] = (caster){.name = "collide circles", .world = circles, .hits = cast_ours};
  all[count++] = (caster){.name = "collide triangles", .world = triangles, .hits = cast_ours};
#ifdef HAVE_CHIPMUNK
  cpSpace *hash = cpSpaceNew(), *tree = cpSpaceNew();
  cpSpaceUseSpatialHash(hash, SIZE * 2, BOXES * 10);
  add_boxes(hash);
  add_boxes(tree);
  all[count++] = (caster){.name = "Chipmunk hash", .world = hash, .hits = cast_chipmunk};
  all[count++] = (caster){.name = "Chipmunk tree", .world = tree, .hits = cast_chipmunk};
#endif
  compare("ray", BOXES, all, count);
  cl_world_free(moving);
  cl_world_free(fixed);
  cl_world_free(circles);
  cl_world_free(triangles);
  return EXIT_SUCCESS;
}

static int at_tiles(void) {
  cl_io io;
  cl_grid *grid = make_grid();
  cl_world *world = grid ? make_map(&io, grid) : NULL;
  if (!world) return EXIT_FAILURE;
  caster all[2] = {{.name = "tiles", .world = world, .hits = cast_ours},
                   {.name = "their grid", .world = grid, .hits = cast_grid}};
  compare("ray at tiles", (long)TILES * TILES, all, 2);
  cl_world_free(world);
  cl_grid_release(grid);
  return EXIT_SUCCESS;
}

// A world in which all boxes move, and the numbers of point queries and rays after each step.
typedef struct mover {
  cl_io io;
  cl_world *world;
  int points, rays;
  long found;
  bench_task task;
} mover;

static void step_and_ask(void *self) {
  mover *m = self;
  cl_answers answers = {NULL, 0};
  for (int i = 0; i < BOXES; i++)
    m->io.place[i] = (cl_vec){box_x[i] + (double)(m->found % 7), box_y[i]};
  if (cl_world_step(m->world, CL_ALL_DISPATCHED) != CL_OK) abort();
  for (int k = 0; k < m->points; k++) {
    cl_filter everybody = {UINT64_MAX, NULL, 0};
    if (cl_world_query_point(m->world, rays[k].x1, rays[k].y1, everybody, &answers) == CL_OK)
      m->found += (long)answers.count;
  }
  for (int k = 0; k < m->rays; k++) m->found += cast_ours(m->world, &rays[k]);
}

static int after_steps(void) {
  static mover all[] = {
      {.points = 0}, {.points = 1}, {.rays = 1}, {.points = 20}, {.points = 1000}};
  static const char *const names[] = {"a step", "and a point", "and a ray", "and 20 points",
                                      "and 1000 points"};
  enum { COUNT = sizeof all / sizeof *all };
  bench_task *tasks[COUNT];
  for (int i = 0; i < COUNT; i++) {
    all[i].world = make_ours(&all[i].io, false, 4);
    if (!all[i].world) return EXIT_FAILURE;
    all[i].task = (bench_task){.frame = step_and_ask, .self = &all[i]};
    tasks[i] = &all[i].task;
  }
  bench_run(tasks, COUNT);
  for (int i = 0; i < COUNT; i++) {
    bench_row("questions after a step", names[i], BOXES, all[i].task.last * 1e3, "us",
              all[0].task.last * 1e3, -1);
    cl_world_free(all[i].world);
  }
  return EXIT_SUCCESS;
}

int main(void) {
  make_all();
  bench_header();
  if (at_boxes() != EXIT_SUCCESS) return EXIT_FAILURE;
  if (after_steps() != EXIT_SUCCESS) return EXIT_FAILURE;
  uint64_t state = 3;
  make_rays(&state, TILES * TILE);
  return at_tiles();
}
