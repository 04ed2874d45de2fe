// collide, MIT licence (see LICENSE)
//
// A whole step of a world in C as a multiple of the broad phase alone, on the same boxes and
// motion. Each line has a figure and its aim. "alone" is the best of many runs of frames, "in
// turns" a median as in the other benchmarks. For circles and mixed shapes, the aim is half the
// time of a step before contacts were made once, in their final order; for A2 to A5, it is at most
// that time.
//   steps [N…]

#include "bench.h"
#include "ours.h"

enum { STRETCHES = 40, FORMS = 4, MOST_CORNERS = 8 };
#define STRETCH_MS 4.0

// The shapes of the actors: one shared box for all of a size, a box for each, a circle for each,
// or in turn a box, a circle and a polygon of 3 to 8 corners.
enum { SHARED, OWN, CIRCLES, MIXED };
static const char *const forms[FORMS] = {"boxes", "own boxes", "circles", "mixed forms"};

// The aims: the time of a step as a multiple of the broad phase, at 1000, 10 000, 100 000.
enum { SIZES = 3 };
static const double boxes_alone[SIZES] = {1.5, 1.5, 1.8}, boxes_in_turns[SIZES] = {2, 2, 2};
static const double circles[SIZES] = {1.4, 1.5, 2.3}, mixed[SIZES] = {2.5, 3.4, 7.5};
static const double others[SCENES][SIZES] = {
    {0}, {1.7, 1.95, 3.1}, {2.6, 2.8, 3.6}, {1.7, 1.6, 1.6}, {2, 2.05, 2.4}};

typedef struct contender {
  scene scene;
  cl_broad *broad;
  cl_pairs pairs;
  cl_world *world;
  cl_io io;
  bench_task task;
} contender;

static void find(void *self) {
  contender *c = self;
  scene_move(&c->scene);
  ours_find(&c->scene, c->broad, &c->pairs);
}

static void step(void *self) {
  contender *c = self;
  scene_move(&c->scene);
  ours_step(&c->scene, c->world, &c->io);
}

static void open_broad(contender *c) {
  c->broad = ours_broad(&c->scene, &cl_broad_auto);
  c->task = (bench_task){.frame = find, .self = c};
}

static cl_shape *polygon(double size, uint64_t *state) {
  cl_alloc alloc = cl_alloc_default();
  uint32_t corners = (uint32_t)bench_uniform(state, 3, MOST_CORNERS + 1 - 1e-9);
  double xy[2 * MOST_CORNERS], turn = 6.283185307179586;
  for (uint32_t k = 0; k < corners; k++) {
    double angle = turn / corners * (k + bench_uniform(state, -0.25, 0.25));
    xy[2 * k] = size / 2 * cos(angle), xy[2 * k + 1] = size / 2 * sin(angle);
  }
  cl_fault fault;
  cl_shape *shape;
  ours_need(cl_shape_polygon(&alloc, xy, corners, &fault, &shape) == CL_OK);
  return shape;
}

static cl_shape *shape_of(int form, uint32_t i, double size, uint64_t *state) {
  cl_alloc alloc = cl_alloc_default();
  cl_shape *circle;
  if (form == MIXED && i % 3 == 2) return polygon(size, state);
  if (form != CIRCLES && (form != MIXED || i % 3 != 1)) return ours_square(size);
  ours_need(cl_shape_circle(&alloc, 0, 0, size / 2, &circle) == CL_OK);
  return circle;
}

static void open_world(contender *c, int form) {
  const scene *s = &c->scene;
  uint64_t state = 1;
  cl_shape *shape = NULL;
  c->world = ours_world(s, &c->io);
  for (uint32_t i = 0; i < s->count; i++) {
    bool again = form == SHARED && i > 0 && s->width[i] == s->width[i - 1];
    if (!again) {
      if (shape) cl_shape_release(shape);
      shape = shape_of(form, i, (double)s->width[i], &state);
    }
    ours_add(s, i, c->world, shape);
  }
  if (shape) cl_shape_release(shape);
  c->task = (bench_task){.frame = step, .self = c};
}

static void close_all(contender *c) {
  if (c->broad) ours_close(c->broad, &c->pairs);
  if (c->world) cl_world_free(c->world);
  scene_free(&c->scene);
}

// The best of many runs of frames. The two take turns, so that other load of the machine
// affects both.
static void run_alone(contender *pair[2], double best[2]) {
  best[0] = best[1] = INFINITY;
  for (int i = 0; i < STRETCHES; i++) {
    for (int k = 0; k < 2; k++) {
      bench_task *task = &pair[k]->task;
      int frames = 2 + (int)(STRETCH_MS / task->last);
      bench_frames(task, 2);
      bench_frames(task, frames);
      if (task->last < best[k]) best[k] = task->last;
    }
  }
}

static void say(const char *name, const char *form, uint32_t count, const char *how, double ms,
                double ours, double aim) {
  char label[64], who[64];
  printf("%s of %u %s %s: %.2f times the broad phase", name, count, form, how, ms / ours);
  if (aim > 0) printf(" (aim: at most %.2f)", aim);
  printf("\n");
  snprintf(label, sizeof label, "a step %s", how);
  snprintf(who, sizeof who, "%s %s", name, form);
  bench_row(label, who, (long)count, ms, "ms", ours, -1);
}

static double aim_of(int kind, int form, int size, bool alone) {
  if (size == SIZES) return 0; // there is no aim for this number
  if (kind > 0) return others[kind][size];
  if (form == CIRCLES) return circles[size];
  if (form == MIXED) return mixed[size];
  return alone ? boxes_alone[size] : boxes_in_turns[size];
}

static void measure(int kind, int form, uint32_t count, int size) {
  contender broad = {0}, world = {0}, *both[2] = {&broad, &world};
  bench_task *tasks[2] = {&broad.task, &world.task};
  char name[] = {'A', (char)('1' + kind), 0};
  double best[2];
  scene_make(&broad.scene, kind, count);
  scene_make(&world.scene, kind, count);
  open_broad(&broad);
  open_world(&world, form);
  for (int k = 0; k < 2; k++) bench_frames(tasks[k], 3);
  run_alone(both, best);
  say(name, forms[form], count, "alone", best[1], best[0], aim_of(kind, form, size, true));
  bench_run(tasks, 2);
  say(name, forms[form], count, "in turns", world.task.last, broad.task.last,
      aim_of(kind, form, size, false));
  close_all(&broad);
  close_all(&world);
}

int main(int argc, char **argv) {
  static const uint32_t usual[SIZES] = {1000, 10000, 100000};
  int counts = argc > 1 ? argc - 1 : SIZES;
  bench_header();
  for (int i = 0; i < counts; i++) {
    uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[i + 1], NULL, 10) : usual[i];
    int size = argc > 1 ? SIZES : i;
    for (int form = 0; form < FORMS; form++) measure(0, form, count, size);
    for (int kind = 1; kind < SCENES; kind++) measure(kind, SHARED, count, size);
  }
  return EXIT_SUCCESS;
}
