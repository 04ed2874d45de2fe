// collide, MIT licence (see LICENSE)
//
// A ball and a paddle in a room of tiles, with collide.h and the library alone:
//
//   make lib
//   cc -std=c11 -Ibuild/include examples/c/bounce.c build/libcollide.a -lm -o bounce && ./bounce
//
// `make test` builds it like that and compares its output with the comments that begin with //>.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collide.h"

enum { COLUMNS = 20, ROWS = 12, CELL = 16 };

// Who an actor is, where, and how fast it moves. Its slot is its place in the list, since
// nobody is removed here.
typedef struct body {
  const char *name;
  double x, y, vx, vy;
} body;

static void check(cl_status status) {
  if (status == CL_OK) return;
  fprintf(stderr, "%s\n", status == CL_NOMEM ? "not enough memory" : "not a valid shape");
  exit(1);
}

// A room whose walls are the outermost cells.
static cl_shape *make_room(const cl_alloc *alloc) {
  const int64_t size[2] = {COLUMNS, ROWS};
  const int64_t all[3] = {COLUMNS, ROWS, 1}, inner[3] = {COLUMNS - 2, ROWS - 2, 1};
  const int64_t outer_low[3] = {0, 0, 0}, inner_low[3] = {1, 1, 0};
  const double origin[2] = {0, 0};
  cl_grid *grid;
  cl_shape *room;
  check(cl_grid_new(alloc, 2, size, (double[]){CELL, CELL}, origin, &grid));
  cl_grid_fill(grid, outer_low, all, 1);
  cl_grid_fill(grid, inner_low, inner, 0);
  check(cl_shape_tiles(alloc, grid, NULL, 0, &room));
  cl_grid_release(grid); // the shape has a reference of its own
  return room;
}

// Adds an actor that gets an event when it hits something. The world keeps the shape.
static void add(cl_world *world, const body *it, cl_shape *shape, bool fixed) {
  const cl_actor_def def = {.shape = shape, .x = it->x, .y = it->y, .fixed = fixed};
  uint32_t slot;
  check(cl_world_add(world, &def, &slot));
  cl_world_set_event_mask(world, slot, CL_EVENT_EVENTS, CL_EVENT_ENTER | CL_EVENT_HIT);
  cl_shape_release(shape);
}

// Moves the body out of the other, and reflects its velocity.
static void bounce(body *it, double nx, double ny, double depth) {
  it->x += nx * depth;
  it->y += ny * depth;
  double v = it->vx * nx + it->vy * ny;
  if (v >= 0) return;
  it->vx -= 2 * v * nx;
  it->vy -= 2 * v * ny;
}

// The events of the last step: prints who met whom, and bounces those that overlap.
static void tell(const cl_io *io, body *bodies, int frame) {
  for (uint32_t e = 0; e < io->events; e++) {
    cl_event it = cl_event_of(io, e);
    body *a = &bodies[it.a], *b = &bodies[it.b];
    if (it.calls & CL_CALL_ENTER_A) printf("%3d: %s meets %s\n", frame, b->name, a->name);
    if (!(io->state[it.a] & CL_STATIC)) bounce(a, it.nx, it.ny, it.depth);
    if (!(io->state[it.b] & CL_STATIC)) bounce(b, -it.nx, -it.ny, it.depth);
  }
}

static void play(cl_world *world, const cl_io *io, body *bodies) {
  for (int frame = 1; frame <= 120; frame++) {
    for (uint32_t slot = 0; slot < io->slots; slot++) {
      if (io->state[slot] & CL_STATIC) continue;
      body *it = &bodies[slot];
      it->x += it->vx;
      it->y += it->vy;
      io->place[slot] = (cl_vec){it->x, it->y};
    }
    check(cl_world_step(world, CL_ALL_DISPATCHED));
    tell(io, bodies, frame);
  }
}

// Prints what a ray meets, and how far the ball is from the paddle.
static void ask(cl_world *world, const body *bodies, const cl_shape *ball, const cl_shape *paddle) {
  const cl_path ray = {.x1 = 100, .y1 = 120, .x2 = 400, .y2 = 120};
  const cl_filter all = {.groups = UINT64_MAX};
  cl_answers found;
  check(cl_world_cast(world, &ray, false, all, &found));
  for (size_t i = 0; i < found.count; i++) {
    printf("the ray meets %s at %.0f, %.0f\n", bodies[found.at[i].slot].name, found.at[i].cast.x,
           found.at[i].cast.y);
  }
  cl_placed a = cl_place(ball, bodies[1].x, bodies[1].y, 0);
  cl_placed b = cl_place(paddle, bodies[2].x, bodies[2].y, 0);
  printf("the ball is %.1f from the paddle\n", cl_distance(&a, &b).distance);
}

int main(void) {
  cl_alloc alloc = cl_alloc_default();
  const cl_world_def def = {
      .alloc = alloc, .width = COLUMNS * CELL, .height = ROWS * CELL, .broad = &cl_broad_auto};
  body bodies[] = {
      {"the room", 0, 0, 0, 0}, {"the ball", 60, 60, 5, 1}, {"the paddle", 250, 60, 0, 1}};
  cl_io io;
  cl_world *world = cl_world_new(&def, &io);
  cl_shape *ball, *paddle;
  if (!world) check(CL_NOMEM);
  check(cl_shape_circle(&alloc, 0, 0, 6, &ball));
  check(cl_shape_rectangle(&alloc, -4, -20, 8, 40, &paddle));
  add(world, &bodies[0], make_room(&alloc), true);
  add(world, &bodies[1], cl_shape_retain(ball), false);
  add(world, &bodies[2], cl_shape_retain(paddle), false);
  play(world, &io, bodies);
  //>  37: the paddle meets the ball
  //>  81: the ball meets the room
  //>  97: the paddle meets the room
  //> 111: the ball meets the room
  ask(world, bodies, ball, paddle);
  //> the ray meets the paddle at 251, 120
  //> the ball is 28.9 from the paddle
  cl_shape_release(ball);
  cl_shape_release(paddle);
  cl_world_free(world);
  return 0;
}
