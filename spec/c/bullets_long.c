// collide, MIT licence (see LICENSE)
//
// Constant memory: the memory of a world does not grow with the number of steps, of actors that
// come and go in it, or of earlier worlds. With COLLIDE_ROUNDS=20 (make test-long) that is 10^6 of
// each, 10^5 worlds, and one world of 10^6 actors.

#include "checked_alloc.h"

#include "geom/shape.h"

enum { CROWD = 12 };

typedef struct room {
  heap heap;
  cl_alloc alloc;
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
  cl_shape *shape;
  int side; // of the square in which actors begin
} room;

static void open_room(room *r) {
  cl_bullets_def bullets = {
      .capacity = 20, .radius = 1, .group = 1, .lifetime = 0.5, .bounds = {0, 0, 100, 100}};
  r->alloc = heap_alloc(&r->heap);
  r->side = 60;
  cl_world_def def = {.alloc = r->alloc, .broad = &cl_broad_auto};
  r->world = cl_world_new(&def, &r->io);
  r->pools = cl_pools_new(&r->alloc, r->world);
  REQUIRE(cl_bullets_new(r->pools, &bullets, &r->pool) == CL_OK);
  REQUIRE(cl_shape_rectangle(&r->alloc, 0, 0, 10, 10, &r->shape) == CL_OK);
}

static void close_room(room *r) {
  cl_pools_free(r->pools);
  cl_world_free(r->world);
  cl_shape_release(r->shape);
  CHECK_HEAP_EMPTY(r->heap);
}

static void add(room *r) {
  uint32_t slot;
  cl_actor_def def = {.shape = r->shape, .x = test_int(0, r->side), .y = test_int(0, r->side)};
  if (cl_world_reclaim(r->world)) cl_pools_follow(r->pools);
  REQUIRE(cl_world_add(r->world, &def, &slot) == CL_OK);
  cl_world_set_event_mask(r->world, slot, CL_EVENT_EVENTS, CL_EVENT_EVENTS);
}

static void step(room *r) {
  cl_shot shot;
  for (uint32_t slot = 0; slot < r->io.slots; slot++) {
    if (!(r->io.state[slot] & CL_LIVE)) continue;
    cl_vec at = cl_world_place(r->world, slot, &(double){0});
    r->io.place[slot] = (cl_vec){at.x + test_int(-1, 1), at.y + test_int(-1, 1)};
  }
  cl_bullets_spawn(r->pool, (cl_vec){test_int(0, 60), 0}, (cl_vec){0, 90}, (cl_vec){0, 0}, 0);
  REQUIRE(cl_world_begin_step(r->world, CL_ALL_DISPATCHED) == CL_OK);
  REQUIRE(cl_pools_begin_step(r->pools, 1 / 60.0) == CL_OK);
  cl_world_end_step(r->world);
  cl_pools_end_step(r->pools);
  while (cl_pools_next_shot(r->pools, &shot)) {
  }
}

// Removes the oldest actor; slots move down over the removed ones.
static void remove_oldest(room *r) {
  uint32_t slot = 0;
  while (slot < r->io.slots && !(r->io.state[slot] & CL_LIVE)) slot++;
  if (slot < r->io.slots) cl_world_remove(r->world, slot, CL_ALL_DISPATCHED);
}

// Compares the memory in use after the first tenth, when everything has its final size, and at the
// end.
static void check_growth(const room *r, size_t before, long n) {
  CHECK_MSG(r->heap.bytes <= before + before / 4, "%zu bytes after %ld, %zu after a tenth",
            r->heap.bytes, n, before);
}

static void steps_take_no_memory(void) {
  room r = {.heap = heap_new()};
  long n = test_rounds(50000);
  size_t before = 0;
  open_room(&r);
  for (int i = 0; i < CROWD; i++) add(&r);
  for (long i = 0; i < n && test_errors == 0; i++) {
    step(&r);
    if (i == n / 10) before = r.heap.bytes;
  }
  check_growth(&r, before, n);
  close_room(&r);
}

static void actors_leave_no_memory(void) {
  room r = {.heap = heap_new()};
  long n = test_rounds(50000);
  size_t before = 0;
  open_room(&r);
  for (int i = 0; i < CROWD; i++) add(&r);
  for (long i = 0; i < n && test_errors == 0; i++) {
    remove_oldest(&r);
    add(&r);
    if (i % 7 == 0) step(&r);
    if (i == n / 10) before = r.heap.bytes;
  }
  check_growth(&r, before, n);
  CHECK(r.io.slots < 200);
  close_room(&r);
}

// There are about as many pairs as actors, and an actor moves by at most 1: all steps need about
// the same memory.
static void a_crowd_needs_constant_memory(void) {
  room r = {.heap = heap_new()};
  long n = test_rounds(50000);
  size_t before = 0;
  open_room(&r);
  r.side = (int)(14 * sqrt((double)n));
  for (long i = 0; i < n && test_errors == 0; i++) add(&r);
  for (int i = 0; i < 10 && test_errors == 0; i++) {
    step(&r);
    if (i == 1) before = r.heap.bytes;
  }
  check_growth(&r, before, n);
  CHECK_MSG(r.heap.bytes < 500 * (size_t)n, "%zu bytes for %ld actors", r.heap.bytes, n);
  close_room(&r);
}

static void worlds_leave_no_memory(void) {
  room r = {.heap = heap_new()};
  for (long i = test_rounds(5000); i > 0 && test_errors == 0; i--) {
    open_room(&r);
    for (int k = 0; k < 3; k++) add(&r);
    step(&r);
    close_room(&r);
  }
}

int main(void) {
  RUN(steps_take_no_memory);
  RUN(actors_leave_no_memory);
  RUN(a_crowd_needs_constant_memory);
  RUN(worlds_leave_no_memory);
  return test_end();
}
