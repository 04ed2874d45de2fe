// collide, MIT licence (see LICENSE)
//
// The work of moves of shapes of up to 200 corners is bounded, and where it ends early, the mover
// still ends where it overlaps nothing that it was outside of. Counted, not timed.

#include "slow_inputs.h"
#include "test.h"

#include "world/mover.h"

// All steps of a move between two actors, with the last sweep or way out, which may go beyond.
enum { MOST_STEPS = CL_MOVE_WORK + CL_MOVE_WAY_OUT + CL_MOVE_WORK / 4 };

static cl_alloc alloc;

typedef struct scene {
  cl_io io;
  cl_world *world;
  uint32_t mover, other;
} scene;

static uint32_t add(scene *s, cl_shape *shape, bool fixed, bool one_way) {
  uint32_t slot = 0;
  const cl_actor_def def = {.shape = shape, .fixed = fixed, .one_way = one_way};
  CHECK(cl_world_add(s->world, &def, &slot) == CL_OK);
  return slot;
}

static void open_scene(scene *s, const slow_input *in, bool one_way) {
  const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  *s = (scene){0};
  s->world = cl_world_new(&def, &s->io);
  s->mover = add(s, in->a, false, false);
  s->other = add(s, in->b, in->b->kind == CL_TILES || one_way, one_way);
}

// Moves, with answers of all kinds to questions about cells; returns whether it was crushed.
static bool move(scene *s, const slow_input *in, cl_vec from, cl_vec way, int how) {
  cl_move_ask ask;
  const cl_move_def def = {.slot = s->mover,
                           .x = from.x,
                           .y = from.y,
                           .angle = in->angle,
                           .dx = way.x,
                           .dy = way.y,
                           .filter = {UINT64_MAX, NULL, 0},
                           .asks = how == CL_RESPONSE_NONE,
                           .response = (cl_response)how};
  CHECK(cl_world_move(s->world, &def, &ask) == CL_OK);
  while (ask.other != CL_NOBODY) {
    cl_response answer = ask.value < 0 || ask.value % 16 == 0 ? CL_RESPONSE_SLIDE
                         : ask.value % 2                      ? CL_RESPONSE_CROSS
                                                              : CL_RESPONSE_NONE;
    CHECK(cl_world_move_answer(s->world, answer, &ask) == CL_OK);
  }
  cl_move_result r = cl_world_move_result(s->world);
  for (size_t i = 0; i < r.hits; i++)
    if (r.hit[i].crushed) return true;
  return false;
}

static void no_move_takes_more_than_its_steps(void) {
  static const int kinds[] = {CL_RESPONSE_SLIDE, CL_RESPONSE_BOUNCE, CL_RESPONSE_PUSH,
                              CL_RESPONSE_NONE};
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input), ended = 0, crushed = 0;
  for (int i = 0; i < n; i++) {
    if (input[i].a->kind == CL_TILES) continue;
    for (int k = 0; k < 5; k++) {
      int how = k < 4 ? kinds[k] : CL_RESPONSE_SLIDE;
      bool far = test_int(0, 1), one_way = k == 4;
      cl_vec from = {input[i].ax, input[i].ay}, way = {test_uniform(-200, 200), 150};
      if (far) from.x -= 300, way = (cl_vec){test_uniform(200, 400), test_uniform(-20, 20)};
      scene s;
      open_scene(&s, &input[i], one_way);
      bool is_crushed = move(&s, &input[i], from, way, how);
      CHECK_MSG(s.world->movement->spent <= MOST_STEPS, "%s, %d: %ld steps", input[i].name, k,
                s.world->movement->spent);
      cl_move_result r = cl_world_move_result(s.world);
      cl_vec to = r.moved[0].to, other = {0, 0};
      for (size_t j = 1; j < r.moves; j++) other = r.moved[j].to;
      cl_placed a = cl_place(input[i].a, to.x, to.y, input[i].angle);
      cl_placed b = cl_place(input[i].b, other.x, other.y, 0);
      crushed += is_crushed;
      if (!is_crushed && how != CL_RESPONSE_NONE && !one_way) {
        ended++;
        CHECK_MSG(!cl_overlaps(&a, &b, false), "%s, %d ends inside", input[i].name, k);
      }
      cl_world_free(s.world);
    }
  }
  slow_release(input, n);
  printf("%d moves end outside, %d are crushed\n", ended, crushed);
}

// A star that begins inside of many others.
static void many_actors_take_their_steps_each(void) {
  slow_input in = {"stars", slow_star(&alloc, 198, 60, 20), slow_star(&alloc, 198, 60, 30), 3, 2,
                   0.1};
  for (int count = 1; count <= 16; count *= 4) {
    scene s;
    open_scene(&s, &in, false);
    for (int i = 1; i < count; i++) {
      uint32_t slot = add(&s, in.b, true, false);
      cl_world_put(s.world, slot, (cl_vec){test_uniform(-9, 9), test_uniform(-9, 9)}, 0);
    }
    move(&s, &in, (cl_vec){in.ax, in.ay}, (cl_vec){100, 70}, CL_RESPONSE_SLIDE);
    long spent = s.world->movement->spent;
    CHECK_MSG(spent <= (long)count * MOST_STEPS, "%d actors: %ld steps", count, spent);
    cl_world_free(s.world);
  }
  slow_release(&in, 1);
}

// Turned boxes on top of one another over a map. They are let through all cells that they overlap;
// those of the value 2 are within the bounds of all boxes, and none overlaps one.
static slow_input boxes_between_cells(void) {
  enum { BOXES = 100, SIDE = 80, MIDDLE = SLOW_MAP / 2 };
  const int64_t size[3] = {SLOW_MAP, SLOW_MAP, 1};
  const double at[3] = {0, 0, 0};
  cl_shape *member[BOXES], *pile, *tiles;
  cl_grid *grid;
  for (int i = 0; i < BOXES; i++)
    slow_check(cl_shape_rectangle(&alloc, -SIDE / 2, -SIDE / 2, SIDE, SIDE, &member[i]));
  slow_check(cl_shape_compound(&alloc, member, BOXES, &pile));
  for (int i = 0; i < BOXES; i++) cl_shape_release(member[i]);
  slow_check(cl_grid_new(&alloc, 2, size, 1, at, &grid));
  for (int64_t y = 0; y < SLOW_MAP; y++)
    for (int64_t x = 0; x < SLOW_MAP; x++) {
      const int64_t cell[3] = {x, y, 0};
      bool far = fabs((double)x - MIDDLE) + fabs((double)y - MIDDLE) > SIDE / sqrt(2) + 2;
      cl_grid_set(grid, cell, far ? 2 : 1);
    }
  slow_check(cl_shape_tiles(&alloc, grid, NULL, 0, &tiles));
  cl_grid_release(grid);
  return (slow_input){"boxes between cells", pile, tiles, MIDDLE, MIDDLE, 0.7853981633974483};
}

static void a_long_search_for_cells_is_given_up(void) {
  slow_input in = boxes_between_cells();
  scene s;
  open_scene(&s, &in, false);
  move(&s, &in, (cl_vec){in.ax, in.ay}, (cl_vec){30, 0}, CL_RESPONSE_NONE);
  CHECK(s.world->movement->gave_up);
  CHECK_MSG(s.world->movement->spent <= MOST_STEPS, "%ld steps", s.world->movement->spent);
  cl_move_result r = cl_world_move_result(s.world);
  CHECK(r.moved[0].to.x == in.ax && r.moved[0].to.y == in.ay);
  cl_world_free(s.world);
  slow_release(&in, 1);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(no_move_takes_more_than_its_steps);
  RUN(many_actors_take_their_steps_each);
  RUN(a_long_search_for_cells_is_given_up);
  return test_end();
}
