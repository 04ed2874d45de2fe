// collide, MIT licence (see LICENSE)
//
// The map of boxes near moving points misses nothing, and neither do bullets that are far faster
// than those whose speeds the map was made for, or bullets among targets that crowd the map.

#include "checked_alloc.h"
#include "bullets/state.h"

enum { MAX_BOXES = 200 };

typedef struct visits {
  bool seen[MAX_BOXES];
} visits;

static void see(void *user, const uint32_t *item, uint32_t count) {
  visits *v = user;
  for (uint32_t k = 0; k < count; k++) v->seen[item[k]] = true;
}

// Whether a segment meets a box that is shrunk so that rounding does not matter.
static bool crosses(cl_vec p, cl_vec q, cl_bounds b, double less) {
  double in = 0, out = 1;
  const double from[] = {p.x, p.y}, to[] = {q.x, q.y};
  const double low[] = {b.l + less, b.t + less}, high[] = {b.r - less, b.b - less};
  for (int axis = 0; axis < 2; axis++) {
    double d = to[axis] - from[axis];
    if (d == 0) {
      if (from[axis] < low[axis] || from[axis] > high[axis]) return false;
      continue;
    }
    double t = (low[axis] - from[axis]) / d, u = (high[axis] - from[axis]) / d;
    in = fmax(in, fmin(t, u));
    out = fmin(out, fmax(t, u));
  }
  return in <= out;
}

static double any_size(double most) { return exp(test_uniform(log(1e-3), log(most))); }

static cl_vec any_point(double side) {
  double far = test_int(0, 9) ? 1 : 1000;
  return (cl_vec){test_uniform(-far * side, far * side), test_uniform(-far * side, far * side)};
}

static void the_map_misses_nothing(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_nearby f = {0};
  long met = 0, near_none = 0, crowds = 0;
  for (long round = 0; round < test_rounds(2000); round++) {
    cl_bounds box[MAX_BOXES];
    uint32_t count = (uint32_t)test_int(0, test_int(0, 3) ? 20 : MAX_BOXES);
    double side = any_size(1e6), reach = any_size(side), offset = test_int(0, 3) ? 0 : 1e8;
    for (uint32_t i = 0; i < count; i++) {
      cl_vec p = any_point(side);
      double w = any_size(side), t = any_size(side);
      box[i] = (cl_bounds){p.x + offset, p.y, p.x + offset + w, p.y + t};
    }
    // A box very far away makes the others crowd into few cells.
    bool crowd = count > 100 && test_int(0, 1);
    if (crowd) box[test_int(0, (int)count - 1)] = (cl_bounds){8e11, -9e11, 9e11, -9e11};
    uint32_t points = test_int(0, 1) ? 10 : 100000;
    double least = test_int(0, 1) ? 0 : any_size(side);
    const cl_nearby_boxes boxes = {box, sizeof *box, count, reach, NULL};
    CHECK(cl_nearby_build(&f, &alloc, &boxes, points, least) == CL_OK);
    crowds += f.crowded;
    for (int way = 0; way < 50; way++) {
      cl_vec from = any_point(side), to = any_point(test_int(0, 1) ? side : side / 100);
      if (test_int(0, 1)) to = cl_vec_add(from, (cl_vec){to.x / 100, to.y / 100});
      from.x += offset, to.x += offset;
      visits v = {{false}};
      uint32_t cell;
      if (!f.crowded && cl_nearby_is_short(&f, from, to, &cell)) {
        see(&v, f.item + f.start[cell], f.start[cell + 1] - f.start[cell]);
        CHECK(f.occupied[cell] == (f.start[cell + 1] > f.start[cell]));
        near_none += !f.occupied[cell];
      } else {
        cl_nearby_walk(&f, from, to, see, &v);
      }
      double less = 1e-9 * (side * 2000 + offset);
      for (uint32_t i = 0; i < count; i++) {
        cl_bounds b = {box[i].l - reach, box[i].t - reach, box[i].r + reach, box[i].b + reach};
        bool thin = b.r - b.l < 3 * less || b.b - b.t < 3 * less;
        if (thin || !crosses(from, to, b, less)) continue;
        met++;
        CHECK_MSG(v.seen[i], "from %.17g, %.17g to %.17g, %.17g", from.x, from.y, to.x, to.y);
      }
    }
  }
  CHECK(met > 1000 && near_none > 1000 && crowds > 10);
  cl_nearby_free(&f, &alloc);
  CHECK_HEAP_EMPTY(h);
}

enum { BULLETS = 300, CIRCLES = 24, SIDE = 400 };

// The least distance of a bullet on its way from a circle's centre.
static double distance_on_way(cl_vec from, cl_vec way, cl_vec centre) {
  cl_vec to = cl_vec_sub(centre, from);
  double length = cl_vec_dot(way, way), along = length > 0 ? cl_vec_dot(to, way) / length : 0;
  return cl_vec_length(cl_vec_sub(to, cl_vec_mul(way, cl_min(cl_max(along, 0), 1))));
}

static const cl_bullets_def bullets = {.capacity = BULLETS,
                                       .radius = 0.5,
                                       .bounds = {-1e9, -1e9, 1e9, 1e9},
                                       .lifetime = INFINITY,
                                       .pierce = true};

// Few bullets are fast, and the map is made for the speeds of a sample of the bullets.
static void few_fast_bullets_miss_nothing(void) {
  long hits = 0, far = 0;
  for (long round = 0; round < test_rounds(40); round++) {
    cl_io io;
    const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
    cl_world *world = cl_world_new(&def, &io);
    cl_pools *pools = cl_pools_new(&def.alloc, world);
    cl_vec centre[CIRCLES], from[BULLETS], way[BULLETS];
    double radius[CIRCLES];
    cl_bullets *pool;
    static bool met[BULLETS][CIRCLES];
    for (uint32_t k = 0; k < CIRCLES; k++) {
      cl_shape *circle;
      uint32_t slot;
      centre[k] = (cl_vec){test_uniform(-SIDE, SIDE), test_uniform(-SIDE, SIDE)};
      radius[k] = test_uniform(1, 30);
      REQUIRE(cl_shape_circle(&def.alloc, 0, 0, radius[k], &circle) == CL_OK);
      const cl_actor_def actor = {.shape = circle, .x = centre[k].x, .y = centre[k].y};
      CHECK(cl_world_add(world, &actor, &slot) == CL_OK && slot == k);
      cl_shape_release(circle);
    }
    REQUIRE(cl_bullets_new(pools, &bullets, &pool) == CL_OK);
    cl_bullets_set_event_mask(pool, CL_BULLET_EVENT_HIT);
    for (int i = 0; i < BULLETS; i++) {
      double most = test_int(0, 60) ? 1 : test_uniform(10, 3 * SIDE);
      from[i] = (cl_vec){test_uniform(-SIDE, SIDE), test_uniform(-SIDE, SIDE)};
      way[i] = (cl_vec){test_uniform(-most, most), test_uniform(-most, most)};
      cl_bullets_spawn(pool, from[i], way[i], (cl_vec){0, 0}, i);
    }
    CHECK(cl_world_begin_step(world, CL_ALL_DISPATCHED) == CL_OK);
    CHECK(cl_pools_begin_step(pools, 1) == CL_OK);
    cl_world_end_step(world);
    cl_pools_end_step(pools);
    memset(met, 0, sizeof met);
    cl_shot shot;
    while (cl_pools_next_shot(pools, &shot)) {
      bool *known = &met[shot.number - 1][shot.actor];
      CHECK(shot.kind == CL_SHOT_HIT && !*known);
      *known = true;
    }
    for (int i = 0; i < BULLETS; i++)
      for (int k = 0; k < CIRCLES; k++) {
        double room = distance_on_way(from[i], way[i], centre[k]) - radius[k] - bullets.radius;
        CHECK_MSG(fabs(room) < 1e-9 || met[i][k] == (room < 0), "bullet %d, circle %d: %g", i, k,
                  room);
        hits += met[i][k];
        far += met[i][k] && cl_vec_length(cl_vec_sub(centre[k], from[i])) > radius[k] + 100;
      }
    cl_pools_free(pools);
    cl_world_free(world);
  }
  CHECK_MSG(hits > 40 && far > 4, "%ld hits, %ld of them far off", hits, far);
}

enum { CROWD = 100 };

// A bullet that flies for half a step with one velocity, and then with another.
typedef struct bent {
  cl_vec from, way[2]; // in half a step
} bent;

static cl_vec any_vec(double most) {
  return (cl_vec){test_uniform(-most, most), test_uniform(-most, most)};
}

// One like another. A bullet that leaves the world does so in its first half of the step.
static bent bent_like(const bent *like, bool bends, bool leaves) {
  bent b = {.from = cl_vec_add(like->from, any_vec(20))};
  for (int k = 0; k < 2; k++) b.way[k] = cl_vec_add(like->way[k], any_vec(20));
  if (leaves) b.way[0] = b.way[1] = (cl_vec){test_uniform(-4e12, 4e12), 4e12};
  if (!bends) b.way[1] = b.way[0];
  return b;
}

static void spawn_bent(cl_bullets *pool, const bent *b, bool bends) {
  cl_vec v[2] = {cl_vec_mul(b->way[0], 2), cl_vec_mul(b->way[1], 2)};
  uint64_t number = cl_bullets_spawn(pool, b->from, v[0], (cl_vec){0, 0}, 0);
  if (!bends) return;
  const cl_alloc alloc = cl_alloc_default();
  const cl_plan_entry turn = {
      .at = 0.5, .vx = v[1].x, .vy = v[1].y, .sets = CL_PLAN_VX | CL_PLAN_VY};
  cl_plan *plan;
  REQUIRE(cl_plan_new(&alloc, &turn, 1, &plan) == CL_OK);
  cl_bullets_plan(pool, number, plan);
  cl_plan_release(plan);
}

// A circle very far away makes the others crowd into few cells of a map of all of them. Bullets fly
// almost the same way; in a round none, half or all of them bend. Some fly out of the world, and
// meet nothing.
static void bullets_in_a_crowd_miss_nothing(void) {
  long hits = 0, near_turns = 0;
  for (long round = 0; round < test_rounds(20); round++) {
    bool all_leave = round % 5 == 4;
    int bend = (int)(round % 3); // of two bullets
    cl_io io;
    const cl_world_def def = {.alloc = cl_alloc_default(), .broad = &cl_broad_auto};
    cl_world *world = cl_world_new(&def, &io);
    cl_pools *pools = cl_pools_new(&def.alloc, world);
    cl_vec centre[CROWD];
    bent bullet[BULLETS];
    bool leaves[BULLETS];
    cl_shape *circle;
    cl_bullets *pool;
    static bool met[BULLETS][CROWD];
    const bent like = {any_vec(SIDE / 2), {any_vec(SIDE / 2), any_vec(SIDE / 2)}};
    REQUIRE(cl_shape_circle(&def.alloc, 0, 0, 3, &circle) == CL_OK);
    for (uint32_t k = 0; k < CROWD; k++) {
      uint32_t slot;
      centre[k] = k == 0 ? (cl_vec){1e11, -1e11}
                         : (cl_vec){test_uniform(-SIDE, SIDE), test_uniform(-SIDE, SIDE)};
      const cl_actor_def actor = {.shape = circle, .x = centre[k].x, .y = centre[k].y};
      CHECK(cl_world_add(world, &actor, &slot) == CL_OK && slot == k);
    }
    cl_shape_release(circle);
    REQUIRE(cl_bullets_new(pools, &bullets, &pool) == CL_OK);
    REQUIRE(cl_bullets_reserve_plans(pool) == CL_OK);
    cl_bullets_set_event_mask(pool, CL_BULLET_EVENT_HIT);
    for (int i = 0; i < BULLETS; i++) {
      leaves[i] = all_leave || test_int(0, 9) == 0;
      bullet[i] = bent_like(&like, i % 2 < bend, leaves[i]);
      spawn_bent(pool, &bullet[i], i % 2 < bend);
    }
    CHECK(cl_world_begin_step(world, CL_ALL_DISPATCHED) == CL_OK);
    CHECK(cl_pools_begin_step(pools, 1) == CL_OK);
    cl_world_end_step(world);
    cl_pools_end_step(pools);
    memset(met, 0, sizeof met);
    cl_shot shot;
    while (cl_pools_next_shot(pools, &shot)) met[shot.number - 1][shot.actor] = true;
    for (int i = 0; i < BULLETS; i++)
      for (int k = 0; k < CROWD; k++) {
        const bent *b = &bullet[i];
        double first = distance_on_way(b->from, b->way[0], centre[k]);
        double second = distance_on_way(cl_vec_add(b->from, b->way[0]), b->way[1], centre[k]);
        double room = cl_min(first, second) - 3.5;
        bool meets = room < 0 && !leaves[i];
        CHECK_MSG(fabs(room) < 1e-9 || met[i][k] == meets, "bullet %d, circle %d: %g", i, k, room);
        hits += met[i][k];
        near_turns += met[i][k] && first > 3.5;
      }
    cl_pools_free(pools);
    cl_world_free(world);
  }
  CHECK_MSG(hits > 40 && near_turns > 4, "%ld hits, %ld on second pieces", hits, near_turns);
}

int main(void) {
  RUN(the_map_misses_nothing);
  RUN(few_fast_bullets_miss_nothing);
  RUN(bullets_in_a_crowd_miss_nothing);
  return test_end();
}
