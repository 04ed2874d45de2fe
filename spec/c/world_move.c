// collide, MIT licence (see LICENSE)
//
// Moves of every kind of shape among every kind: at the end they overlap nothing that stopped them,
// touch what stopped them last, and were never deeper in anything on the way. With
// COLLIDE_ROUNDS=20 that is a million moves, with COLLIDE_ROUNDS=200 there are 100 000 that start
// inside a shape.

#include "tile_sets.h"

#include "narrow/motion.h"
#include "world/move.h"

enum { OTHERS = 10, SAMPLES = 6 };

static cl_alloc alloc;

// A world of some solids, and one mover.
typedef struct scene {
  cl_world *world;
  cl_io io;
  int count; // solids: slots 0 to count - 1
  cl_placed solid[OTHERS];
  cl_bounds bounds[OTHERS];
  cl_shape *shapes[OTHERS + 1];
  uint32_t mover;
  cl_placed at;
  double angle;
  double unit; // coordinates are multiples of it; 0: any
} scene;

static double snap(double v, double unit) { return unit > 0 ? round(v / unit) * unit : v; }

static cl_shape *random_tiles(double unit) {
  cl_grid *grid;
  const int64_t size[3] = {test_int(2, 10), test_int(2, 10), 1};
  double x = snap(test_uniform(-60, 20), unit), y = snap(test_uniform(-60, 20), unit);
  double origin[3] = {x, y, 0};
  if (test_int(0, 1))
    return shaped_tiles(&alloc, size, test_int(3, 12), origin, 1 / 3.0, test_int(0, 1));
  double width = test_int(3, 12), height = test_int(0, 1) ? width : test_int(3, 12);
  if (cl_grid_new(&alloc, 2, size, (double[]){width, height}, origin, &grid) != CL_OK) abort();
  for (int64_t i = 0; i < size[0] * size[1]; i++) {
    cl_grid_set(grid, (int64_t[3]){i % size[0], i / size[0], 0}, test_int(0, 2) == 0);
  }
  cl_shape *shape;
  if (cl_shape_tiles(&alloc, grid, NULL, 0, &shape) != CL_OK) abort();
  cl_grid_release(grid);
  return shape;
}

static uint32_t add(scene *s, cl_shape *shape, double x, double y, double angle, bool fixed) {
  uint32_t slot;
  cl_actor_def def = {.shape = shape, .x = x, .y = y, .angle = angle, .fixed = fixed};
  if (cl_world_add(s->world, &def, &slot) != CL_OK) abort();
  return slot;
}

// `kind` of the mover, `others` of the solids, KINDS for tiles; -1 for any.
static void open(scene *s, int kind, int others) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  s->unit = test_int(0, 2) == 0 ? 0 : test_int(0, 1) ? 1 : 0.1;
  s->world = cl_world_new(&def, &s->io);
  s->count = test_int(OTHERS / 2, OTHERS);
  for (int i = 0; i < s->count; i++) {
    int k = others < 0 ? test_int(0, KINDS) : others;
    double x = snap(test_uniform(-40, 40), s->unit), y = snap(test_uniform(-40, 40), s->unit);
    double angle = test_int(0, 1) ? test_uniform(-4, 4) : 0;
    s->shapes[i] = k == KINDS ? random_tiles(s->unit) : random_shape(&alloc, k, 30);
    if (k == KINDS) angle = 0;
    add(s, s->shapes[i], x, y, angle, true);
    s->solid[i] = cl_place(s->shapes[i], x, y, angle);
    s->bounds[i] = cl_placed_bounds(&s->solid[i]);
  }
  cl_shape *mine = random_shape(&alloc, kind < 0 ? test_int(0, KINDS - 1) : kind, 8);
  double angle = test_int(0, 1) ? test_uniform(-4, 4) : 0;
  double x = snap(test_uniform(-40, 40), s->unit), y = snap(test_uniform(-40, 40), s->unit);
  s->shapes[OTHERS] = mine;
  s->mover = add(s, mine, x, y, angle, false);
  s->at = cl_place(mine, x, y, angle);
  s->angle = angle;
}

static void close(scene *s) {
  cl_world_free(s->world);
  for (int i = 0; i < s->count; i++) cl_shape_release(s->shapes[i]);
  cl_shape_release(s->shapes[OTHERS]);
}

static cl_move_result move(scene *s, double dx, double dy, cl_response response) {
  cl_move_def def = {.slot = s->mover,
                     .x = s->at.x,
                     .y = s->at.y,
                     .angle = s->angle,
                     .dx = dx,
                     .dy = dy,
                     .filter = {UINT64_MAX, NULL, 0},
                     .response = response};
  if (cl_world_move(s->world, &def) != CL_OK) abort();
  cl_move_result r = cl_world_move_result(s->world);
  if (cl_world_move_commit(s->world) != CL_OK) abort();
  return r;
}

static bool is_free(const scene *s, const cl_placed *at) {
  cl_bounds box = cl_placed_bounds(at);
  for (int i = 0; i < s->count; i++)
    if (cl_bounds_touch(box, s->bounds[i]) && cl_overlaps(at, &s->solid[i], false)) return false;
  return true;
}

// How deep the mover would be in the solids at a place, minus the distance that counts as touching.
static double depth_at(const scene *s, cl_vec p) {
  cl_placed at = s->at;
  double most = -1;
  cl_vec none = {0, 0};
  at.x = p.x, at.y = p.y;
  for (int i = 0; i < s->count; i++) {
    cl_hit hit;
    if (!cl_overlap(&at, &s->solid[i], false, &hit)) continue;
    most = fmax(most, hit.depth - cl_touch_distance(&at, none, &s->solid[i]) * 2);
  }
  return most;
}

static long met, ended;

static void check_way(const scene *s, cl_vec from, cl_move_result r, cl_vec to) {
  for (size_t i = 0; i <= r.hits; i++) {
    cl_vec next = i < r.hits ? r.hit[i].at : to;
    for (int k = 1; k < SAMPLES; k++) {
      double t = (double)k / SAMPLES;
      cl_vec p = {from.x + (next.x - from.x) * t, from.y + (next.y - from.y) * t};
      double depth = depth_at(s, p);
      CHECK_MSG(depth <= 0, "deeper by %g on the way to hit %zu of %zu", depth, i, r.hits);
    }
    from = next;
  }
}

static cl_vec slide_along(cl_vec way, cl_vec n) {
  double into = cl_vec_dot(way, n);
  return into < 0 ? cl_vec_sub(way, cl_vec_mul(n, into)) : way;
}

// The rest of a way after its first `hits` hits.
static cl_vec left_after(cl_vec way, const cl_move_hit *hit, size_t hits) {
  double t = 0;
  for (size_t i = 0; i < hits; i++) {
    way = slide_along(cl_vec_mul(way, t < 1 ? (1 - hit[i].t) / (1 - t) : 0), hit[i].normal);
    t = hit[i].t;
  }
  return way;
}

// Whether another move along the rest of the way moves by no more than counts as touching. In a
// corner, the last two hits may have stopped the first move.
static bool ends_there(scene *s, cl_vec way, const cl_move_hit *hit, size_t hits) {
  double least = INFINITY;
  cl_move_hit before[CL_MOVE_SURFACES + 2];
  if (hits > CL_MOVE_SURFACES) return true;
  memcpy(before, hit, hits * sizeof *hit);
  for (size_t last = 1; last <= 2 && last <= hits; last++) {
    cl_vec left = left_after(way, before, hits - last);
    if (last == 2 && before[hits - 2].t != before[hits - 1].t) break;
    left = cl_vec_mul(left, 1 - before[hits - 1].t);
    cl_vec to = move(s, left.x, left.y, CL_RESPONSE_SLIDE).moved[0].to;
    least = fmin(least, hypot(to.x - s->at.x, to.y - s->at.y));
    // Moves it back.
    if (cl_world_move_to(s->world, s->mover, (cl_vec){s->at.x, s->at.y}, s->angle) != CL_OK)
      abort();
  }
  return least <= 4 * CL_TOUCH_SHARE * 400;
}

static long stopped, repeated, goes_on;

static void check_move(scene *s, double dx, double dy) {
  cl_vec from = {s->at.x, s->at.y};
  cl_placed start = s->at;
  cl_move_result r = move(s, dx, dy, CL_RESPONSE_SLIDE);
  cl_vec to = r.moved[0].to;
  s->at.x = to.x, s->at.y = to.y;
  met += (long)r.hits;
  ended++;
  CHECK_MSG(is_free(s, &s->at), "ends inside by %g", depth_at(s, to));
  check_way(s, from, r, to);
  if (r.hits == 0) return;
  cl_move_hit last = r.hit[r.hits - 1];
  if (last.at.x == to.x && last.at.y == to.y) {
    const cl_placed *other = &s->solid[last.slot];
    double far = cl_distance(&s->at, other).distance;
    double touch = cl_touch_distance(&start, (cl_vec){dx, dy}, other);
    CHECK_MSG(far <= touch, "ends %g from what stopped it, touching is %g", far, touch);
    stopped++;
    bool capped = r.hits >= CL_MOVE_TURNS;
    if (!capped) {
      repeated++;
      goes_on += !ends_there(s, (cl_vec){dx, dy}, r.hit, r.hits);
    }
  } else if (r.hits < CL_MOVE_TURNS) {
    double left = cl_vec_length(left_after((cl_vec){dx, dy}, r.hit, r.hits));
    double gone = hypot(to.x - last.at.x, to.y - last.at.y);
    CHECK_MSG(gone >= left - 1e-9 * (1 + left), "ends with %g left, %g from the last hit",
              left - gone, gone);
  }
}

static void moves_of(int kind, int others, long rounds) {
  for (long round = 0; round < rounds; round++) {
    scene s;
    open(&s, kind, others);
    if (is_free(&s, &s.at)) {
      for (int i = 0; i < 10; i++) {
        double far = test_int(0, 1) == 0 ? 100 : 10;
        double dx = snap(test_uniform(-far, far), s.unit),
               dy = snap(test_uniform(-far, far), s.unit);
        if (test_int(0, 3) == 0) dx = 0;
        if (test_int(0, 3) == 0) dy = 0;
        check_move(&s, dx, dy);
      }
    }
    close(&s);
  }
}

static void every_kind_against_every_kind(void) {
  met = ended = 0;
  for (int kind = 0; kind < KINDS; kind++)
    for (int others = 0; others <= KINDS; others++) moves_of(kind, others, test_rounds(150));
  printf("%ld moves, %ld surfaces met, %ld end at one, %ld of them twice, %ld go on\n", ended, met,
         stopped, repeated, goes_on);
  CHECK(met > ended / 4);
  // The distance that counts as touching is smaller for a shorter way, so the second move may pass.
  CHECK_MSG((goes_on - 1) * 10000 <= repeated, "%ld of %ld second moves go on", goes_on, repeated);
}

// Whether the mover is free somewhere within `limit`, sampled in straight lines.
static bool has_way_out(const scene *s, double limit) {
  for (int i = 0; i < 360; i++) {
    double sine, cosine;
    cl_sincos(6.283185307179586 * i / 360, &sine, &cosine);
    for (int k = 1; k <= 64; k++) {
      cl_placed at = s->at;
      at.x += cosine * limit * k / 64, at.y += sine * limit * k / 64;
      if (is_free(s, &at)) return true;
    }
  }
  return false;
}

// Whether the last move's search for a way out reached its limit of work, so that it may have
// missed one.
static bool reached_limit(const scene *s) {
  return cl_move_is_over(s->world->movement, CL_MOVE_INSIDE_SHARE);
}

static void movers_that_start_inside_end_free(void) {
  long inside = 0, crushed = 0, limited = 0;
  for (long round = 0; round < test_rounds(1200); round++) {
    scene s;
    open(&s, -1, -1);
    if (!is_free(&s, &s.at)) {
      cl_vec from = {s.at.x, s.at.y};
      cl_bounds box = cl_placed_bounds(&s.at);
      double limit = cl_min(box.r - box.l, box.b - box.t);
      cl_move_result r = move(&s, 0, 0, CL_RESPONSE_SLIDE);
      cl_vec to = r.moved[0].to;
      inside++;
      CHECK(r.hits > 0 && r.hit[0].inside && r.hit[0].t == 0);
      if (r.hits > 0 && r.hit[0].crushed) {
        crushed++;
        CHECK(to.x == from.x && to.y == from.y);
        limited += reached_limit(&s);
        CHECK_MSG(reached_limit(&s) || !has_way_out(&s, limit / 2), "crushed, round %ld", round);
      } else {
        s.at.x = to.x, s.at.y = to.y;
        CHECK_MSG(is_free(&s, &s.at), "still inside by %g", depth_at(&s, to));
        CHECK(cl_vec_length(cl_vec_sub(to, from)) <= limit * (1 + 1e-9));
      }
    }
    close(&s);
  }
  printf("%ld start inside, %ld of them are crushed, %ld searches reached their limit\n", inside,
         crushed, limited);
  CHECK((limited - 1) * 40 <= inside);
  CHECK(inside > test_rounds(500));
}

// A floor of pieces that are flush as exactly as doubles allow: boxes, tiles, links of a chain,
// quadrilaterals of a slope, or a mix. It begins at x, y and rises by `slope`.
enum { PIECES = 12 };
typedef struct row {
  cl_world *world;
  cl_io io;
  cl_shape *shapes[PIECES];
  int pieces;
  double x, y, width, slope;
} row;

static void add_piece(row *r, int kind, int i) {
  double x0 = r->x + i * r->width, x1 = r->x + (i + 1) * r->width;
  double y0 = r->y + (x0 - r->x) * r->slope, y1 = r->y + (x1 - r->x) * r->slope;
  double at_x = 0, at_y = 0;
  cl_fault fault;
  cl_status status;
  if (r->slope != 0 && kind < 2) kind = 3;
  if (kind == 0) {
    at_x = x0, at_y = r->y;
    status = cl_shape_rectangle(&alloc, 0, 0, r->width, 5, &r->shapes[i]);
  } else if (kind == 1) {
    cl_grid *grid;
    at_x = x0, at_y = r->y;
    if (cl_grid_new(&alloc, 2, (int64_t[2]){2, 2}, (double[]){r->width / 2, r->width / 2},
                    (double[2]){0, 0}, &grid) != CL_OK)
      abort();
    cl_grid_fill(grid, (int64_t[3]){0, 0, 0}, (int64_t[3]){2, 2, 1}, 1);
    status = cl_shape_tiles(&alloc, grid, NULL, 0, &r->shapes[i]);
    cl_grid_release(grid);
  } else if (kind == 2) {
    status = cl_shape_chain(&alloc, (double[4]){x0, y0, x1, y1}, 2, false, &fault, &r->shapes[i]);
  } else {
    double xy[8] = {x0, y0, x1, y1, x1, y1 + 5, x0, y0 + 5};
    status = cl_shape_polygon(&alloc, xy, 4, &fault, &r->shapes[i]);
  }
  if (status != CL_OK) abort();
  uint32_t slot;
  cl_actor_def def = {.shape = r->shapes[i], .x = at_x, .y = at_y, .fixed = true};
  if (cl_world_add(r->world, &def, &slot) != CL_OK) abort();
}

static cl_shape *some_mover(double most, double *bottom) {
  cl_shape *shape;
  double size = test_int(0, 1) ? test_int(1, 8) : test_int(1, 80) * 0.1;
  while (size > most) size /= 2;
  double xy[8] = {-size, 0, 0, size, size, 0, 0, -size};
  cl_fault fault;
  cl_status status;
  *bottom = size;
  switch (test_int(0, 3)) {
  case 0: status = cl_shape_rectangle(&alloc, -size, -size, 2 * size, 2 * size, &shape); break;
  case 1: status = cl_shape_circle(&alloc, 0, 0, size, &shape); break;
  case 2: status = cl_shape_polygon(&alloc, xy, 4, &fault, &shape); break;
  default: status = cl_shape_capsule(&alloc, 0, -size / 2, 0, size / 2, size / 2, &shape);
  }
  if (status != CL_OK) abort();
  return shape;
}

static void flush_rows_are_one_floor(void) {
  long crossed = 0;
  for (long round = 0; round < test_rounds(10000); round++) {
    double bottom, unit = test_int(0, 1) ? 1 : 0.1;
    row r = {.pieces = PIECES,
             .x = test_int(-300, 300) * unit,
             .y = test_int(-300, 300) * unit,
             .width = test_int(2, 40) * unit};
    if (test_int(0, 2) == 0) r.slope = test_int(-20, 20) * 0.05;
    cl_world_def world = {.alloc = alloc, .broad = &cl_broad_auto};
    r.world = cl_world_new(&world, &r.io);
    int kind = test_int(0, 4);
    for (int i = 0; i < r.pieces; i++) add_piece(&r, kind == 4 ? test_int(0, 3) : kind, i);
    cl_shape *mover = some_mover(1.5 * r.width, &bottom);
    // Moves onto the floor from above at a sub-pixel offset, then along it.
    double length = sqrt(1 + r.slope * r.slope), from = r.width * test_uniform(2, 4);
    cl_vec along = {1 / length, r.slope / length};
    cl_vec start = {r.x + from, r.y + from * r.slope - 2 * (bottom + 1) * length};
    cl_actor_def def = {.shape = mover, .x = start.x, .y = start.y};
    uint32_t slot;
    if (cl_world_add(r.world, &def, &slot) != CL_OK) abort();
    scene s = {.world = r.world, .mover = slot, .at = {mover, start.x, start.y, {1, 0}}};
    cl_vec at = move(&s, 0, 4 * (bottom + 1) * length, CL_RESPONSE_TOUCH).moved[0].to;
    s.at.x = at.x, s.at.y = at.y;
    double far = r.width * test_uniform(1, r.pieces - 7),
           down = test_int(0, 1) * test_uniform(0, 9);
    cl_vec way = {along.x * far, along.y * far + down};
    cl_move_result result = move(&s, way.x, way.y, CL_RESPONSE_SLIDE);
    cl_vec to = result.moved[0].to;
    double slid = cl_vec_dot(way, along);
    cl_vec want = {at.x + along.x * slid, at.y + along.y * slid};
    double off = cl_vec_length(cl_vec_sub(to, want));
    double size = fabs(r.x) + fabs(r.y) + r.pieces * r.width * (1 + fabs(r.slope)) + 200;
    CHECK_MSG(off <= CL_TOUCH_SHARE * size * (PIECES + 2),
              "off by %g of %g after %zu hits, kind %d, slope %g, unit %g", off, slid, result.hits,
              kind, r.slope, unit);
    crossed++;
    cl_world_free(r.world);
    cl_shape_release(mover);
    for (int i = 0; i < r.pieces; i++) cl_shape_release(r.shapes[i]);
  }
  printf("%ld rows\n", crossed);
}

// A bowl of 64 links, each of which turns by less than a degree.
static void a_curved_chain_costs_no_speed(void) {
  enum { LINKS = 64 };
  double xy[2 * (LINKS + 1)], sine, cosine;
  for (int i = 0; i <= LINKS; i++) {
    cl_sincos(1.5707963267948966 + (LINKS / 2 - i) * 0.0157, &sine, &cosine);
    xy[2 * i] = 500 * cosine, xy[2 * i + 1] = 500 * sine;
  }
  cl_fault fault;
  cl_shape *chain, *circle;
  if (cl_shape_chain(&alloc, xy, LINKS + 1, false, &fault, &chain) != CL_OK) abort();
  if (cl_shape_circle(&alloc, 0, 0, 3, &circle) != CL_OK) abort();
  scene s = {.count = 0};
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  s.world = cl_world_new(&def, &s.io);
  add(&s, chain, 0, 0, 0, true);
  cl_vec first = {xy[2] - xy[0], xy[3] - xy[1]};
  cl_vec_normalise(&first);
  cl_vec inward = {first.y, -first.x};
  cl_vec at = {xy[0] + first.x + 3 * inward.x, xy[1] + first.y + 3 * inward.y};
  s.mover = add(&s, circle, at.x, at.y, 0, false);
  s.at = (cl_placed){circle, at.x, at.y, {1, 0}};
  at = move(&s, -inward.x, -inward.y, CL_RESPONSE_TOUCH).moved[0].to;
  s.at.x = at.x, s.at.y = at.y;
  double way = 480, length = 0;
  cl_move_result r = move(&s, first.x * way, first.y * way, CL_RESPONSE_SLIDE);
  for (size_t i = 0; i + 1 < r.hits; i++)
    length += cl_vec_length(cl_vec_sub(r.hit[i + 1].at, r.hit[i].at));
  if (r.hits > 0) length += cl_vec_length(cl_vec_sub(r.moved[0].to, r.hit[r.hits - 1].at));
  if (r.hits > 0) length += cl_vec_length(cl_vec_sub(r.hit[0].at, at));
  CHECK_MSG(r.hits >= 56, "%zu links met", r.hits);
  CHECK_MSG(fabs(length - way) < 1e-6 * way, "went %.9g of %g", length, way);
  cl_world_free(s.world);
  cl_shape_release(chain);
  cl_shape_release(circle);
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(every_kind_against_every_kind);
  RUN(movers_that_start_inside_end_free);
  RUN(flush_rows_are_one_floor);
  RUN(a_curved_chain_costs_no_speed);
  return test_end();
}
