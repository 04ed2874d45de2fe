// collide, MIT licence (see LICENSE)
//
// Bullets that bounce in random closed rooms: they never leave, are never inside anything, and keep
// their speed. Also a moving circle, compared with sampling: it enters where it first touches.

#include "tile_sets.h"

#include "geom/shape.h"
#include "narrow/motion.h"

enum { MOST_ACTORS = 12, BULLETS = 8, MOST_CORNERS = 12 };

typedef struct room {
  cl_alloc alloc;
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool;
  cl_placed actor[MOST_ACTORS];
  int actors;
  cl_shape *inside;
  double radius, speed[BULLETS];
  long bounces;
} room;

static void add(room *r, cl_shape *shape, double x, double y, double angle) {
  uint32_t slot;
  const cl_actor_def def = {.shape = shape, .x = x, .y = y, .angle = angle, .fixed = true};
  CHECK(cl_world_add(r->world, &def, &slot) == CL_OK);
  r->actor[r->actors++] = cl_place(shape, x, y, angle);
  cl_shape_release(shape); // the world keeps it
}

// Corners around the middle, near or far: as a chain, and as the area inside it.
static void add_walls(room *r, double size) {
  double xy[2 * MOST_CORNERS];
  uint32_t n = (uint32_t)test_int(3, MOST_CORNERS);
  bool whole = test_int(0, 1);
  for (uint32_t i = 0; i < n; i++) {
    double angle = 6.28 * (i + test_uniform(0, 0.6)) / n, far = size * test_uniform(0.6, 1);
    xy[2 * i] = far * cos(angle);
    xy[2 * i + 1] = far * sin(angle);
    if (whole) xy[2 * i] = round(xy[2 * i]), xy[2 * i + 1] = round(xy[2 * i + 1]);
  }
  cl_fault fault;
  cl_shape *chain;
  CHECK(cl_shape_chain(&r->alloc, xy, n, true, &fault, &chain) == CL_OK);
  CHECK(cl_shape_polygon(&r->alloc, xy, n, &fault, &r->inside) == CL_OK);
  add(r, chain, 0, 0, 0);
}

static cl_shape *random_tiles(room *r, double size) {
  const double origin[3] = {0, 0, 0};
  const int64_t sides[3] = {test_int(1, 6), test_int(1, 6), 1};
  return shaped_tiles(&r->alloc, sides, size / 20, origin, 0.7, false);
}

static cl_shape *any_shape(room *r, double size) {
  double s = size * test_uniform(0.02, 0.15);
  const double notch[] = {-s, -s, s, -s, s, s, 0, -s / 3, -s, s};
  cl_fault fault;
  cl_shape *shape = NULL, *two[2];
  switch (test_int(0, 5)) {
  case 0: CHECK(cl_shape_circle(&r->alloc, 0, 0, s, &shape) == CL_OK); break;
  case 1: CHECK(cl_shape_rectangle(&r->alloc, -s, 0, 2 * s, s, &shape) == CL_OK); break;
  case 2: CHECK(cl_shape_segment(&r->alloc, -s, 0, s, s, &shape) == CL_OK); break;
  case 3: CHECK(cl_shape_polygon(&r->alloc, notch, 5, &fault, &shape) == CL_OK); break;
  case 4:
    CHECK(cl_shape_capsule(&r->alloc, -s, 0, s, 0, s / 3, &two[0]) == CL_OK);
    CHECK(cl_shape_rectangle(&r->alloc, 0, 0, s, s, &two[1]) == CL_OK);
    CHECK(cl_shape_compound(&r->alloc, two, 2, &shape) == CL_OK);
    cl_shape_release(two[0]);
    cl_shape_release(two[1]);
    break;
  default: return random_tiles(r, size);
  }
  return shape;
}

// The depth of a circle in any actor; or infinity outside the room.
static double depth_at(const room *r, double x, double y) {
  cl_stack_shape circle;
  cl_hit hit;
  double most = 0;
  cl_stack_circle(&circle, r->radius);
  cl_placed at = {&circle.shape, x, y, {1, 0}}, inside = {r->inside, 0, 0, {1, 0}};
  if (!cl_placed_contains(&inside, x, y)) return INFINITY;
  for (int i = 0; i < r->actors; i++) {
    if (cl_overlap(&at, &r->actor[i], false, &hit)) most = fmax(most, hit.depth);
  }
  return most;
}

static bool open_room(room *r) {
  double size = exp(test_uniform(log(10), log(5000)));
  *r = (room){.alloc = cl_alloc_default(), .radius = size * test_uniform(0.002, 0.03)};
  const cl_world_def def = {.alloc = r->alloc, .broad = &cl_broad_auto};
  r->world = cl_world_new(&def, &r->io);
  r->pools = cl_pools_new(&r->alloc, r->world);
  const cl_bullets_def pool = {.capacity = BULLETS,
                               .radius = r->radius,
                               .bounds = {-1e9, -1e9, 1e9, 1e9},
                               .lifetime = INFINITY};
  CHECK(cl_bullets_new(r->pools, &pool, &r->pool) == CL_OK);
  cl_bullets_set_event_mask(r->pool, CL_BULLET_EVENT_HIT);
  add_walls(r, size);
  for (int n = test_int(0, MOST_ACTORS - 1); n > 0; n--) {
    cl_shape *shape = any_shape(r, size);
    double angle = shape->kind == CL_TILES || test_int(0, 1) ? 0 : test_uniform(-3, 3);
    add(r, shape, test_uniform(-size, size) / 2, test_uniform(-size, size) / 2, angle);
  }
  int bullets = 0;
  for (int tries = 0; tries < 1000 && bullets < BULLETS; tries++) {
    cl_vec at = {test_uniform(-size, size), test_uniform(-size, size)};
    if (depth_at(r, at.x, at.y) > 0) continue;
    double speed = size * exp(test_uniform(log(0.05), log(100))), angle = test_uniform(0, 6.28);
    cl_vec v = {speed * cos(angle), speed * sin(angle)};
    if (test_int(0, 3) == 0) v.y = 0;
    if (v.x == 0 && v.y == 0) continue;
    cl_bullets_spawn(r->pool, at, v, (cl_vec){0, 0}, bullets);
    r->speed[bullets++] = sqrt(v.x * v.x + v.y * v.y);
  }
  return bullets > 0;
}

static void close_room(room *r) {
  cl_pools_free(r->pools);
  cl_world_free(r->world);
  cl_shape_release(r->inside);
}

static void step(room *r) {
  cl_shot shot;
  CHECK(cl_world_begin_step(r->world, CL_ALL_DISPATCHED) == CL_OK);
  CHECK(cl_pools_begin_step(r->pools, 1 / 60.0) == CL_OK);
  cl_world_end_step(r->world);
  cl_pools_end_step(r->pools);
  while (cl_pools_next_shot(r->pools, &shot)) {
    cl_bullet at = {0};
    CHECK(cl_bullets_get(r->pool, shot.number, &at) && at.x == shot.x && at.y == shot.y);
    CHECK_MSG(at.vx * shot.nx + at.vy * shot.ny < 0, "told of what it leaves, at %g", shot.t);
    r->bounces++;
    CHECK(cl_pools_answer(r->pools, CL_SHOT_BOUNCE) == CL_OK);
  }
}

static bool all_is_well(const room *r, double size) {
  uint64_t number = 0;
  cl_bullet at;
  while ((number = cl_bullets_next(r->pool, number)) != 0) {
    if (!cl_bullets_get(r->pool, number, &at)) return false;
    double speed = sqrt(at.vx * at.vx + at.vy * at.vy), was = r->speed[(int)at.tag];
    CHECK_MSG(fabs(speed / was - 1) < 1e-12, "%.17g instead of %.17g", speed, was);
    if (depth_at(r, at.x, at.y) > 1e-10 * size) return false;
  }
  return true;
}

static void nothing_leaves_a_closed_room(void) {
  long bounces = 0, rooms = 0;
  for (long round = 0; round < test_rounds(60); round++) {
    uint64_t seed = test_bits();
    test_state = seed;
    room r;
    if (open_room(&r)) {
      uint32_t count = cl_bullets_count(r.pool);
      bool well = true;
      rooms++;
      for (int frame = 0; frame < 500 && well; frame++) {
        step(&r);
        well = all_is_well(&r, 5000);
        CHECK_MSG(well, "room of seed %llu, frame %d", (unsigned long long)seed, frame);
      }
      CHECK(cl_bullets_count(r.pool) == count);
      bounces += r.bounces;
    }
    close_room(&r);
    test_state = seed + 1;
  }
  printf("%ld rooms, %ld bounces\n", rooms, bounces);
  CHECK(rooms > test_rounds(30) && bounces > test_rounds(10000));
}

// One room for as long as a game may last.
static void nothing_leaves_in_ten_thousand_frames(void) {
  room r;
  while (!open_room(&r)) close_room(&r);
  uint32_t count = cl_bullets_count(r.pool);
  for (int frame = 0; frame < 10000; frame++) step(&r);
  CHECK(cl_bullets_count(r.pool) == count && all_is_well(&r, 5000));
  close_room(&r);
}

// ---- where a circle enters

static void circles_enter_where_they_touch(void) {
  long touches = 0, insides = 0;
  room r = {.alloc = cl_alloc_default()};
  for (long round = 0; round < test_rounds(20000); round++) {
    cl_shape *shape = any_shape(&r, 100);
    cl_placed b = cl_place(shape, test_uniform(-9, 9), test_uniform(-9, 9),
                           shape->kind == CL_TILES ? 0 : test_uniform(-3, 3));
    cl_vec from = {test_uniform(-40, 40), test_uniform(-40, 40)};
    cl_vec d = {test_uniform(-60, 60), test_uniform(-60, 60)};
    double radius = test_uniform(0.5, 6);
    cl_stack_shape point;
    cl_stack_circle(&point, radius / 2);
    cl_placed a = {&point.shape, from.x, from.y, {1, 0}};
    cl_cast c;
    cl_entry entry = cl_circle_entry(from, radius, d, NULL, &b, &c);
    double first = cl_distance(&a, &b).distance - radius / 2;
    insides += entry == CL_ENTRY_INSIDE;
    if (fabs(first) > 1e-9) CHECK((entry == CL_ENTRY_INSIDE) == (first < 0));
    double until = entry == CL_ENTRY_TOUCH ? c.t : entry == CL_ENTRY_NONE ? 1 : 0;
    for (int i = 1; i < 12; i++) { // nowhere before
      a.x = from.x + d.x * until * i / 12, a.y = from.y + d.y * until * i / 12;
      CHECK(until == 0 || cl_distance(&a, &b).distance > radius / 2 - 1e-9);
    }
    if (entry == CL_ENTRY_TOUCH) {
      touches++;
      a.x = from.x + d.x * c.t, a.y = from.y + d.y * c.t;
      cl_gap gap = cl_distance(&a, &b);
      CHECK(fabs(gap.distance - radius / 2) < 1e-9);
      CHECK(fabs(c.nx * c.nx + c.ny * c.ny - 1) < 1e-12 && c.nx * d.x + c.ny * d.y < 0);
    }
    cl_shape_release(shape);
  }
  CHECK(touches > test_rounds(2000) && insides > test_rounds(500));
}

// A way that ends at a wall meets it at its end. One along the wall, or that ends before it, meets
// nothing.
static void circles_enter_at_the_end_of_their_way(void) {
  cl_alloc alloc = cl_alloc_default();
  const struct {
    cl_vec d;
    double t; // 2: it meets nothing
  } cases[] = {{{8, 0}, 1}, {{16, 0}, 0.5}, {{8, 4}, 1}, {{0, 8}, 2}, {{7.5, 0}, 2}};
  cl_shape *wall;
  REQUIRE(cl_shape_rectangle(&alloc, 9, -20, 5, 40, &wall) == CL_OK);
  cl_placed b = cl_place(wall, 0, 0, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cl_cast c = {.t = 2};
    cl_entry entry = cl_circle_entry((cl_vec){0, 0}, 1, cases[i].d, NULL, &b, &c);
    CHECK_MSG(entry == (cases[i].t <= 1 ? CL_ENTRY_TOUCH : CL_ENTRY_NONE), "way %zu", i);
    CHECK_MSG(fabs(c.t - cases[i].t) < 1e-12, "at %.17g", c.t);
    if (entry == CL_ENTRY_TOUCH) CHECK(c.nx == -1 && c.ny == 0);
  }
  cl_shape_release(wall);
}

int main(void) {
  RUN(circles_enter_where_they_touch);
  RUN(circles_enter_at_the_end_of_their_way);
  RUN(nothing_leaves_a_closed_room);
  RUN(nothing_leaves_in_ten_thousand_frames);
  return test_end();
}
