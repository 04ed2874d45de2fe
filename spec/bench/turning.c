// collide, MIT licence (see LICENSE)
//
// A whole step in C of turning, drifting polygons of 3 to 8 vertices, every hit with its
// shortest way out, in milliseconds per step; and where it is installed, Chipmunk with its
// spatial hash, with the same polygons as sensors, in the same motion. The hits are compared. Then
// the same polygons at constant angles.

#include "bench.h"

#include <math.h>
#include <string.h>

#ifdef HAVE_CHIPMUNK
#include <chipmunk/chipmunk.h>
#endif

#include "base/vec.h"

enum { MOST = 10000, WARM = 5, TURNS = 20, STEPS = 200, CORNERS = 8 };

// A polygon covers about as much area as a box of the swarm, at the same density.
static const double RADIUS = 7, ROOM = 250, DT = 1.0 / 60, TURN = 6.283185307179586;

typedef struct body {
  double x, y, angle, vx, vy, spin;
  int corners;
  double xy[2 * CORNERS];
} body;

static body bodies[MOST];

static double uniform(double a, double b) {
  static uint64_t state = 1;
  return bench_uniform(&state, a, b);
}

static void make_all(int count, double side, double spin) {
  for (int i = 0; i < count; i++) {
    body *b = &bodies[i];
    *b = (body){uniform(0, side), uniform(0, side),      uniform(0, TURN),   uniform(-60, 60),
                uniform(-60, 60), spin * uniform(-3, 3), (int)uniform(3, 9), {0}};
    for (int k = 0; k < b->corners; k++) {
      double s, c;
      cl_sincos(TURN / b->corners * (k + uniform(-0.25, 0.25)), &s, &c);
      b->xy[2 * k] = RADIUS * c, b->xy[2 * k + 1] = RADIUS * s;
    }
  }
}

static void move_all(int count, double side) {
  for (int i = 0; i < count; i++) {
    body *b = &bodies[i];
    if (b->x < 0 || b->x > side) b->vx = b->x < 0 ? 60 : -60;
    if (b->y < 0 || b->y > side) b->vy = b->y < 0 ? 60 : -60;
    b->x += b->vx * DT, b->y += b->vy * DT, b->angle += b->spin * DT;
  }
}

static struct {
  cl_world *world;
  cl_io io;
} our_world;

static bool make_ours(int count, double side) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {.alloc = alloc, .width = side, .height = side, .broad = &cl_broad_auto};
  cl_world *world = our_world.world = cl_world_new(&def, &our_world.io);
  for (int i = 0; world && i < count; i++) {
    uint32_t slot, corners = (uint32_t)bodies[i].corners;
    cl_fault fault;
    cl_actor_def actor = {.x = bodies[i].x, .y = bodies[i].y, .angle = bodies[i].angle};
    if (cl_shape_polygon(&alloc, bodies[i].xy, corners, &fault, &actor.shape) != CL_OK ||
        cl_world_add(world, &actor, &slot) != CL_OK)
      return false;
    cl_shape_release(actor.shape);
  }
  return world != NULL && cl_world_use_angles(world) == CL_OK;
}

static void step_ours(void *unused, int count) {
  (void)unused;
  cl_io *io = &our_world.io;
  for (int i = 0; i < count; i++) {
    io->place[i] = (cl_vec){bodies[i].x, bodies[i].y};
    io->angle[i] = bodies[i].angle;
  }
  if (cl_world_step(our_world.world, CL_ALL_DISPATCHED) != CL_OK) exit(EXIT_FAILURE);
}

#ifdef HAVE_CHIPMUNK
static cpBody *theirs[MOST];
static long met;

static cpBool count_one(cpArbiter *arbiter, cpSpace *space, cpDataPointer data) {
  (void)space, (void)arbiter, (void)data;
  met++;
  return cpFalse;
}

static cpSpace *make_theirs(int count) {
  cpSpace *space = cpSpaceNew();
  cpSpaceSetIterations(space, 1);
  cpSpaceUseSpatialHash(space, 2 * RADIUS, 2 * count);
  cpSpaceAddDefaultCollisionHandler(space)->preSolveFunc = count_one;
  for (int i = 0; i < count; i++) {
    cpVect v[CORNERS];
    for (int k = 0; k < bodies[i].corners; k++)
      v[k] = cpv(bodies[i].xy[2 * k], bodies[i].xy[2 * k + 1]);
    cpBody *b = theirs[i] = cpSpaceAddBody(space, cpBodyNewKinematic());
    cpShape *s = cpPolyShapeNewRaw(b, bodies[i].corners, v, 0);
    cpShapeSetSensor(s, cpTrue);
    cpSpaceAddShape(space, s);
  }
  return space;
}

static void step_theirs(void *space, int count) {
  met = 0;
  for (int i = 0; i < count; i++) {
    cpBodySetPosition(theirs[i], cpv(bodies[i].x, bodies[i].y));
    cpBodySetAngle(theirs[i], bodies[i].angle);
  }
  cpSpaceStep(space, DT);
}
#endif

// A library: the function that makes one step, and the times of its steps.
typedef struct library {
  const char *name;
  void *world;
  void (*step)(void *world, int count);
  double times[STEPS];
} library;

// Libraries take turns of some steps each, over the same motion, so that not every step finds
// its data pushed out of the caches by the other library.
static void run(library *l, int from, int count, double side) {
  for (int i = -WARM; i < TURNS; i++) {
    move_all(count, side);
    double start = bench_now();
    l->step(l->world, count);
    if (i >= 0) l->times[from + i] = bench_now() - start;
  }
}

static bool measure(int count, bool turning) {
  static body start[MOST];
  double side = sqrt(count * ROOM);
  make_all(count, side, turning ? 1 : 0);
  static library ours = {"collide", NULL, step_ours, {0}};
  if (!make_ours(count, side)) return false;
#ifdef HAVE_CHIPMUNK
  static library peer = {"Chipmunk hash", NULL, step_theirs, {0}};
  peer.world = make_theirs(count);
#endif
  for (int from = 0; from < STEPS; from += TURNS) {
    memcpy(start, bodies, sizeof start);
    run(&ours, from, count, side);
#ifdef HAVE_CHIPMUNK
    memcpy(bodies, start, sizeof start);
    run(&peer, from, count, side);
#endif
  }
  double median = bench_median(ours.times, STEPS);
  const char *name = turning ? "turning polygons" : "polygons at constant angles";
  bench_row(name, ours.name, count, median, "ms", median,
            (long)cl_world_counts(our_world.world).hits);
#ifdef HAVE_CHIPMUNK
  bench_row(name, peer.name, count, bench_median(peer.times, STEPS), "ms", median, met);
#endif
  cl_world_free(our_world.world);
  return true;
}

int main(void) {
  bench_header();
  bool done = measure(1000, true) && measure(MOST, true) && measure(MOST, false);
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
