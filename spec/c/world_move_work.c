// collide, MIT licence (see LICENSE)
//
// The work of moves of shapes of up to 200 corners is bounded, and if a move ends early, the mover
// still overlaps nothing that it was outside of; a mover that stays crushed does no work again.
// Work is counted, not timed.

#include "slow_inputs.h"
#include "tile_sets.h"

#include "world/move.h"

// All steps of a move between two actors, with the last sweep or way out, which may exceed the
// limit.
enum { MOST_STEPS = CL_MOVE_WORK + CL_MOVE_WAY_OUT + CL_MOVE_WORK / 4 };

static cl_alloc alloc;

typedef struct scene {
  cl_io io;
  cl_world *world;
  uint32_t mover, other;
} scene;

static uint32_t add(scene *s, cl_shape *shape, bool fixed, bool one_way) {
  uint32_t slot = 0;
  const cl_actor_def def = {.shape = shape, .fixed = fixed, .one_way = {0, one_way ? -1 : 0}};
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

// Responses of all kinds, by the value of a cell.
static cl_response by_value(void *context, const cl_move_ask *ask) {
  (void)context;
  if (ask->value < 0 || ask->value % 16 == 0) return CL_RESPONSE_SLIDE;
  return ask->value % 2 ? CL_RESPONSE_CROSS : CL_RESPONSE_NONE;
}

// Moves; returns whether it was crushed.
static bool move(scene *s, const slow_input *in, cl_vec from, cl_vec way, int how) {
  const cl_move_def def = {.slot = s->mover,
                           .x = from.x,
                           .y = from.y,
                           .angle = in->angle,
                           .dx = way.x,
                           .dy = way.y,
                           .filter = {UINT64_MAX, NULL, 0},
                           .response = (cl_response)how,
                           .responder = how == CL_RESPONSE_NONE ? by_value : NULL};
  CHECK(cl_world_move(s->world, &def) == CL_OK);
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

// A one-way corner of two lines around a map, whose bounds reach into blocks of cells, meets no
// cell.
static void cells_that_no_part_meets_are_counted(void) {
  const double corner[6] = {-1, 201, 201, 201, 201, -1};
  slow_input in = {"corner", slow_chain(&alloc, corner, 3, false), slow_tiles(&alloc, 2), 0, 0, 0};
  static const cl_vec ways[] = {{-200, 150}, {-150, 150}, {-50, 150}, {50, 150}, {150, 150}};
  for (int i = 0; i < 5; i++) {
    scene s;
    open_scene(&s, &in, true);
    move(&s, &in, (cl_vec){0, 0}, ways[i], CL_RESPONSE_SLIDE);
    long spent = s.world->movement->spent;
    CHECK_MSG(spent <= MOST_STEPS, "way %d: %ld steps", i, spent);
    cl_world_free(s.world);
  }
  slow_release(&in, 1);
}

// A star that begins inside many others.
static void steps_are_bounded_per_actor(void) {
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

// Turned boxes on top of one another over a map. They pass through all cells that they overlap; the
// cells of value 2 are within the bounds of all boxes, but overlap none.
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
  slow_check(cl_grid_new(&alloc, 2, size, (double[]){1, 1}, at, &grid));
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

// Two worlds of the same actors, which share their shapes. In the second, nothing is remembered
// about crushed movers.
enum { ACTORS = 10, SHAPES = 6, MOVERS = 2 };

typedef struct twins {
  cl_io io[2];
  cl_world *world[2];
  cl_snapshot *saved[2];
  cl_shape *shape[SHAPES]; // the last one is of tiles
  uint32_t slot[ACTORS];   // the first ones are movers
  cl_move_def def[MOVERS]; // their last moves
  cl_response answer;      // to all questions
  uint32_t ignored;        // a slot
  double middle, width, unit;
} twins;

static double snapped(const twins *t, double v) {
  return t->unit > 0 ? round(v / t->unit) * t->unit : v;
}

// A random actor among the others; a map is static and upright.
static cl_actor_def any_actor(const twins *t, bool mover) {
  int k = test_int(0, mover ? SHAPES - 2 : SHAPES - 1);
  bool tiles = k == SHAPES - 1, turned = !tiles && test_int(0, 2) == 0;
  return (cl_actor_def){.shape = t->shape[k],
                        .x = snapped(t, t->middle + test_uniform(-t->width, t->width)),
                        .y = snapped(t, t->middle + test_uniform(-t->width, t->width)),
                        .angle = turned ? test_uniform(-3, 3) : 0,
                        .group = (uint8_t)test_int(0, 2),
                        .fixed = tiles || (!mover && test_int(0, 1)),
                        .sensor = !mover && test_int(0, 7) == 0,
                        .one_way = {0, !mover && !tiles && test_int(0, 7) == 0 ? -1 : 0}};
}

static void add_to_both(twins *t, int i, cl_actor_def def) {
  uint32_t second;
  slow_check(cl_world_add(t->world[0], &def, &t->slot[i]));
  slow_check(cl_world_add(t->world[1], &def, &second));
  CHECK(second == t->slot[i]);
}

static cl_response cross_sensors(void *context, const cl_move_ask *ask) {
  const twins *t = context;
  return ask->sensor ? CL_RESPONSE_CROSS : t->answer;
}

static cl_move_def any_move(twins *t, int mover) {
  double angle, far = test_int(0, 40) == 0 ? 1e13 : t->width / 2;
  cl_vec at = cl_world_place(t->world[0], t->slot[mover], &angle);
  bool changed = test_int(0, 9) == 0, asks = test_int(0, 15) == 0;
  t->answer = (cl_response)test_int(0, CL_RESPONSES - 1);
  return (cl_move_def){.slot = t->slot[mover],
                       .x = at.x,
                       .y = at.y,
                       .angle = changed ? test_uniform(-3, 3) : angle,
                       .dx = snapped(t, test_uniform(-far, far)),
                       .dy = snapped(t, test_uniform(-far, far)),
                       .filter = {test_int(0, 5) ? UINT64_MAX : (uint64_t)test_int(0, 7),
                                  &t->ignored, (size_t)!test_int(0, 5)},
                       .by_rules = test_int(0, 3) == 0,
                       .asks_sensors = asks,
                       .response = (cl_response)test_int(0, CL_RESPONSES - 1),
                       .responder = asks ? cross_sensors : NULL,
                       .context = t};
}

static void open_twins(twins *t) {
  const int64_t size[3] = {test_int(3, 12), test_int(3, 12), 1};
  const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  *t = (twins){.width = test_uniform(4, 14), .unit = test_int(0, 1)};
  if (test_int(0, 9) == 0) t->middle = test_int(0, 1) ? 1e12 - 4 * t->width : -1e6;
  for (int i = 0; i < 2; i++) {
    t->world[i] = cl_world_new(&def, &t->io[i]);
    t->saved[i] = cl_snapshot_new(&alloc);
    slow_check(cl_world_use_angles(t->world[i]));
  }
  const double origin[3] = {-10, -10, 0};
  bool any = test_int(0, 19) == 0; // else boxes and circles, which take less time
  for (int i = 0; i < SHAPES - 1; i++)
    t->shape[i] = random_shape(&alloc, any ? test_int(0, KINDS - 1) : test_int(0, 1), 12);
  t->shape[SHAPES - 1] = shaped_tiles(&alloc, size, test_int(2, 6), origin, 0.5, false);
  for (int i = 0; i < ACTORS; i++) add_to_both(t, i, any_actor(t, i < MOVERS));
  for (int i = 0; i < 2; i++)
    slow_check(cl_world_snapshot(t->world[i], CL_ALL_DISPATCHED, t->saved[i]));
  t->ignored = t->slot[MOVERS];
  for (int i = 0; i < MOVERS; i++) t->def[i] = any_move(t, i);
}

static void close_twins(twins *t) {
  for (int i = 0; i < 2; i++) cl_world_free(t->world[i]), cl_snapshot_free(t->saved[i]);
  for (int i = 0; i < SHAPES; i++) cl_shape_release(t->shape[i]);
}

// Removes an actor and adds another, sometimes with so many more that a step closes the gaps.
static void replace(twins *t, int k) {
  uint32_t more[ACTORS * 4];
  int count = test_int(0, 3) ? 0 : ACTORS * 4;
  cl_actor_def def = any_actor(t, k < MOVERS);
  for (int w = 0; w < 2; w++) {
    for (int i = 0; i < count; i++) slow_check(cl_world_add(t->world[w], &def, &more[i]));
    cl_world_remove(t->world[w], t->slot[k], CL_ALL_DISPATCHED);
    for (int i = 0; i < count; i++) cl_world_remove(t->world[w], more[i], CL_ALL_DISPATCHED);
  }
  add_to_both(t, k, def);
}

static void step_both(twins *t) {
  uint32_t count = 0;
  for (int w = 0; w < 2; w++) slow_check(cl_world_step(t->world[w], CL_ALL_DISPATCHED));
  const int32_t *moved = cl_world_moved(t->world[0], &count);
  for (int i = 0; moved && i < ACTORS; i++) t->slot[i] = (uint32_t)moved[t->slot[i]];
  if (moved && (t->ignored >= count || moved[t->ignored] < 0)) t->ignored = t->slot[MOVERS];
  for (int i = 0; i < MOVERS; i++) t->def[i].slot = t->slot[i];
}

static bool restore_both(twins *t) {
  uint32_t n = 0;
  for (int w = 0; w < 2; w++) {
    double dispatched;
    slow_check(cl_world_restore(t->world[w], t->saved[w], &dispatched));
  }
  for (int i = 0; i < ACTORS; i++) t->slot[i] = n++; // as they were added
  t->ignored = t->slot[MOVERS];
  for (int i = 0; i < MOVERS; i++) t->def[i].slot = t->slot[i];
  return true;
}

// Changes something in both worlds.
static void change(twins *t) {
  int k = test_int(0, ACTORS - 1);
  cl_actor_def def = any_actor(t, k < MOVERS);
  const cl_grid *grid = t->shape[SHAPES - 1]->grid;
  int64_t cell[3] = {test_int(0, (int)grid->size[0] - 1), test_int(0, (int)grid->size[1] - 1), 0};
  unsigned a = (unsigned)test_int(0, 2), b = (unsigned)test_int(0, 2);
  switch (test_int(0, 8)) {
  case 0:
  case 1: def.shape = cl_world_actor(t->world[0], t->slot[k]).shape; break;
  case 2: break;
  case 3: replace(t, k); return;
  case 4: cl_grid_set(t->shape[SHAPES - 1]->grid, cell, (uint8_t)test_int(0, 5)); return;
  case 5: step_both(t); return;
  case 6: restore_both(t); return;
  case 7:
    for (int w = 0; w < 2; w++)
      cl_world_set_rule(t->world[w], a, b, def.fixed ? CL_HITS_NONE : CL_HITS_BOTH);
    return;
  default: t->def[k % MOVERS] = any_move(t, k % MOVERS); return;
  }
  if (def.shape->kind == CL_TILES) def.angle = 0, def.fixed = true;
  for (int w = 0; w < 2; w++) cl_world_refresh(t->world[w], t->slot[k], &def);
}

static bool are_equal(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }
static bool are_equal_vecs(cl_vec a, cl_vec b) {
  return are_equal(a.x, b.x) && are_equal(a.y, b.y);
}

static bool are_equal_hits(const cl_move_hit *a, const cl_move_hit *b) {
  return a->slot == b->slot && are_equal_vecs(a->normal, b->normal) &&
         are_equal_vecs(a->at, b->at) && are_equal_vecs(a->point, b->point) &&
         are_equal(a->t, b->t) && a->column == b->column && a->row == b->row &&
         a->value == b->value && a->response == b->response && a->inside == b->inside &&
         a->crushed == b->crushed;
}

static bool are_equal_results(cl_move_result a, cl_move_result b) {
  if (a.hits != b.hits || a.moves != b.moves) return false;
  for (size_t i = 0; i < a.hits; i++)
    if (!are_equal_hits(&a.hit[i], &b.hit[i])) return false;
  for (size_t i = 0; i < a.moves; i++)
    if (a.moved[i].slot != b.moved[i].slot || !are_equal_vecs(a.moved[i].to, b.moved[i].to))
      return false;
  return true;
}

static bool is_crushed(cl_move_result r) { return r.hits > 0 && r.hit[r.hits - 1].crushed; }

// Whether the result was remembered: the mover is crushed, and no response was asked for.
static bool was_remembered(const cl_world *world) {
  return is_crushed(cl_world_move_result(world)) && world->movement->knowns == 0;
}

// Moves in both worlds; returns their common result.
static cl_move_result move_both(twins *t, const cl_move_def *def) {
  cl_move_result r[2];
  for (int w = 0; w < 2; w++) {
    if (w == 1) cl_movement_forget_all(t->world[w]);
    slow_check(cl_world_move(t->world[w], def));
    r[w] = cl_world_move_result(t->world[w]);
  }
  CHECK(are_equal_results(r[0], r[1]) && !was_remembered(t->world[1]));
  return r[0];
}

static void remembered_results_are_correct(void) {
  enum { ROUNDS = 10 };
  long crushed = 0, remembered = 0, other_ways = 0;
  for (long i = 0; i < test_rounds(1000); i++) {
    twins t;
    open_twins(&t);
    for (int k = 0; k < ROUNDS; k++) {
      int mover = test_int(0, MOVERS - 1), again = test_int(0, 3);
      if (test_int(0, 2) == 0) change(&t);
      cl_move_def *def = &t.def[mover];
      double angle;
      def->slot = t.slot[mover];
      cl_vec at = cl_world_place(t.world[0], def->slot, &angle);
      def->x = at.x, def->y = at.y;
      if (again == 0) def->dx = snapped(&t, test_uniform(-9, 9));
      crushed += is_crushed(move_both(&t, def));
      remembered += was_remembered(t.world[0]);
      other_ways += again == 0 && was_remembered(t.world[0]);
      bool commits = test_int(0, 3) > 0;
      for (int w = 0; w < 2 && commits; w++) slow_check(cl_world_move_commit(t.world[w]));
      CHECK(cl_world_is_valid(t.world[0]) && t.world[0]->movement->crusheds <= MOVERS);
    }
    close_twins(&t);
  }
  printf("%ld moves are crushed, %ld remembered, %ld with another way\n", crushed, remembered,
         other_ways);
  CHECK(remembered > crushed / 8 && other_ways > 0);
}

// Each of the slow inputs that is crushed takes no steps when it moves again.
static void a_crushed_mover_searches_once(void) {
  slow_input input[SLOW_MOST];
  int n = slow_inputs(&alloc, input), crushed = 0;
  for (int i = 0; i < n; i++) {
    if (input[i].a->kind == CL_TILES) continue;
    scene s;
    open_scene(&s, &input[i], false);
    cl_vec from = {input[i].ax, input[i].ay}, way = {40, 150};
    if (move(&s, &input[i], from, way, CL_RESPONSE_SLIDE)) {
      CHECK(s.world->movement->spent > 0 && move(&s, &input[i], from, way, CL_RESPONSE_SLIDE));
      CHECK_MSG(s.world->movement->spent == 0 && was_remembered(s.world), "%s", input[i].name);
      CHECK(s.world->movement->crusheds == 1);
      move(&s, &input[i], from, way, CL_RESPONSE_CROSS);
      CHECK(s.world->movement->crusheds == 0);
      crushed++;
    }
    cl_world_free(s.world);
  }
  slow_release(input, n);
  printf("%d inputs are crushed\n", crushed);
  CHECK(crushed > 0);
}

// A mover in the middle of a box is crushed. Each of these changes frees it, or changes the
// question.
typedef enum change_of {
  OTHER_IS_SENSOR,
  OTHER_IS_SMALL,
  OTHER_IS_AWAY,
  RULES,
  GROUPS,
  OWN_SHAPE,
  OWN_PLACE,
  FAR_WAY,
  CHANGES
} change_of;

static void change_one(cl_world *world, change_of what, cl_actor_def *other, cl_actor_def *own,
                       cl_move_def *def, cl_shape *small) {
  switch (what) {
  case OTHER_IS_SENSOR: other->sensor = true; break;
  case OTHER_IS_SMALL: other->shape = small; break;
  case OTHER_IS_AWAY: other->x = 500; break;
  case RULES: cl_world_set_rule(world, 0, 1, CL_HITS_NONE); break;
  case GROUPS: def->filter.groups = 1; break;
  case OWN_SHAPE: own->shape = small; break;
  case OWN_PLACE: def->x = own->x = 1; break;
  default: def->dx = 1e9; break;
  }
  cl_world_refresh(world, 0, other);
  cl_world_refresh(world, 1, own);
}

static void a_change_is_noticed(void) {
  const cl_world_def world_def = {.alloc = alloc, .broad = &cl_broad_auto};
  for (int what = 0; what < CHANGES; what++) {
    cl_io io;
    cl_world *world = cl_world_new(&world_def, &io);
    cl_shape *large, *middle, *small;
    slow_check(cl_shape_rectangle(&alloc, -40, -40, 80, 80, &large));
    slow_check(cl_shape_rectangle(&alloc, -5, -5, 10, 10, &middle));
    slow_check(cl_shape_rectangle(&alloc, -4, -4, 8, 8, &small));
    cl_actor_def other = {.shape = large, .group = 1, .fixed = true}, own = {.shape = middle};
    uint32_t slot;
    slow_check(cl_world_add(world, &other, &slot));
    slow_check(cl_world_add(world, &own, &slot));
    cl_move_def def = {.slot = slot, .dx = 1, .filter = {UINT64_MAX, NULL, 0}, .by_rules = true};
    def.by_rules = what != GROUPS;
    def.response = CL_RESPONSE_SLIDE;
    for (int i = 0; i < 2; i++) {
      slow_check(cl_world_move(world, &def));
      CHECK(is_crushed(cl_world_move_result(world)) && was_remembered(world) == (i == 1));
    }
    change_one(world, (change_of)what, &other, &own, &def, small);
    slow_check(cl_world_move(world, &def));
    bool still = what == OWN_SHAPE || what == OWN_PLACE || what == FAR_WAY;
    cl_move_result r = cl_world_move_result(world);
    CHECK_MSG(!was_remembered(world), "change %d", what);
    CHECK_MSG(is_crushed(r) == still || what == OTHER_IS_SMALL, "change %d", what);
    cl_world_free(world);
    cl_shape_release(large), cl_shape_release(middle), cl_shape_release(small);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(no_move_takes_more_than_its_steps);
  RUN(cells_that_no_part_meets_are_counted);
  RUN(steps_are_bounded_per_actor);
  RUN(a_long_search_for_cells_is_given_up);
  RUN(remembered_results_are_correct);
  RUN(a_crushed_mover_searches_once);
  RUN(a_change_is_noticed);
  return test_end();
}
