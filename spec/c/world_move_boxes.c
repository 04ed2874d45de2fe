// collide, MIT licence (see LICENSE)
//
// Moves of boxes among boxes and tiles agree with plain arithmetic; in pockets, a move slides as
// far as it can; and queries find moved actors at their new places.

#include "random_shapes.h"

#include "narrow/motion.h"

enum { BOXES = 12, COLUMNS = 8, ROWS = 6, MOST = BOXES + COLUMNS * ROWS };

static cl_alloc alloc;

// Lengths below this are rounding errors; no scene has real ones that small.
static const double NOTHING = 1e-7;

// A world of boxes and tiles, and all of their boxes.
typedef struct scene {
  cl_world *world;
  cl_io io;
  cl_bounds box[MOST];
  int boxes;
  cl_shape *shape[BOXES + 2];
  int shapes;
  uint32_t mover;
} scene;

static void need(bool good) {
  if (!good) abort();
}

static double snap(double v, double unit) { return unit > 0 ? round(v / unit) * unit : v; }

static uint32_t add(scene *s, cl_shape *shape, double x, double y, bool fixed) {
  uint32_t slot;
  cl_actor_def def = {.shape = shape, .x = x, .y = y, .fixed = fixed};
  need(cl_world_add(s->world, &def, &slot) == CL_OK);
  s->shape[s->shapes++] = shape;
  return slot;
}

static cl_shape *box_of(double w, double h) {
  cl_shape *shape;
  need(cl_shape_rectangle(&alloc, 0, 0, w, h, &shape) == CL_OK);
  return shape;
}

static void add_tiles(scene *s, double unit) {
  double cell = unit > 0 ? 10 * unit : test_uniform(5, 12);
  double x = snap(test_uniform(-60, 0), unit), y = snap(test_uniform(-60, 0), unit);
  cl_grid *grid;
  cl_shape *shape;
  need(cl_grid_new(&alloc, 2, (int64_t[]){COLUMNS, ROWS}, (double[]){cell, cell}, (double[]){x, y},
                   &grid) == CL_OK);
  for (int i = 0; i < COLUMNS * ROWS; i++) {
    int column = i % COLUMNS, row = i / COLUMNS;
    if (test_int(0, 2)) continue;
    cl_grid_set(grid, (int64_t[]){column, row, 0}, 1);
    s->box[s->boxes++] = (cl_bounds){x + column * cell, y + row * cell, x + (column + 1) * cell,
                                     y + (row + 1) * cell};
  }
  need(cl_shape_tiles(&alloc, grid, NULL, 0, &shape) == CL_OK);
  cl_grid_release(grid);
  add(s, shape, 0, 0, true);
}

static cl_bounds placed(const scene *s, cl_vec at) {
  cl_bounds b = s->shape[s->shapes - 1]->bounds;
  return (cl_bounds){b.l + at.x, b.t + at.y, b.r + at.x, b.b + at.y};
}

static bool is_free(const scene *s, cl_bounds a) {
  for (int i = 0; i < s->boxes; i++) {
    const cl_bounds *b = &s->box[i];
    if (a.l < b->r && b->l < a.r && a.t < b->b && b->t < a.b) return false;
  }
  return true;
}

static void open(scene *s, double unit, cl_vec *at) {
  cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  s->world = cl_world_new(&def, &s->io);
  s->boxes = s->shapes = 0;
  if (test_int(0, 1)) add_tiles(s, unit);
  for (int i = test_int(0, BOXES); i > 0; i--) {
    double w = snap(test_uniform(2, 30), unit), h = snap(test_uniform(2, 30), unit);
    double x = snap(test_uniform(-60, 60), unit), y = snap(test_uniform(-60, 60), unit);
    s->box[s->boxes++] = (cl_bounds){x, y, x + w, y + h};
    add(s, box_of(w, h), x, y, test_int(0, 1));
  }
  cl_shape *mine = box_of(snap(test_uniform(2, 15), unit), snap(test_uniform(2, 15), unit));
  *at = (cl_vec){snap(test_uniform(-60, 60), unit), snap(test_uniform(-60, 60), unit)};
  s->mover = add(s, mine, at->x, at->y, false);
}

static void close(scene *s) {
  cl_world_free(s->world);
  while (s->shapes > 0) cl_shape_release(s->shape[--s->shapes]);
}

static cl_move_result move(scene *s, cl_vec at, cl_vec d) {
  cl_move_def def = {.slot = s->mover, .x = at.x, .y = at.y, .dx = d.x, .dy = d.y};
  def.filter.groups = UINT64_MAX;
  def.response = CL_RESPONSE_SLIDE;
  need(cl_world_move(s->world, &def) == CL_OK);
  cl_move_result r = cl_world_move_result(s->world);
  need(cl_world_move_commit(s->world) == CL_OK);
  return r;
}

// When an interval from a to b that moves by d overlaps the one from c to e; never if it only
// touches.
static bool pass(double a, double b, double d, double c, double e, double *in, double *out) {
  c += NOTHING, e -= NOTHING;
  *in = -INFINITY, *out = INFINITY;
  if (d == 0) return b > c && a < e;
  *in = d > 0 ? (c - b) / d : (e - a) / d;
  *out = d > 0 ? (e - a) / d : (c - b) / d;
  return *out > 0;
}

// The first box that is met, the axis that it stops, and whether two of them may matter.
typedef struct stop {
  double t;
  int box;
  bool across, unsure;
} stop;

static stop first_stop(const scene *s, cl_bounds a, cl_vec d) {
  stop first = {.t = 1, .box = -1};
  for (int i = 0; i < s->boxes; i++) {
    const cl_bounds *b = &s->box[i];
    double in_x, in_y, out_x, out_y;
    if (!pass(a.l, a.r, d.x, b->l, b->r, &in_x, &out_x)) continue;
    if (!pass(a.t, a.b, d.y, b->t, b->b, &in_y, &out_y)) continue;
    double in = fmax(in_x, in_y), out = fmin(out_x, out_y);
    bool corner = fabs(in_x - in_y) < 1e-4 || fabs(out - in) < 1e-4;
    if (in < -1e-3 || in > 1 + 1e-4 || in > out + 1e-4) continue;
    bool across = in_x > in_y, other = across != first.across;
    bool tie = first.box >= 0 && other && fabs(in - first.t) < 1e-4;
    first.unsure |= tie || ((corner || in > 1) && in < first.t + 1e-4);
    if (in >= first.t || in >= out) continue;
    first = (stop){in, i, across, first.unsure};
  }
  return first;
}

// Where a slide ends, by plain arithmetic: it is stopped at most once on each axis. False if
// corners meet, so that there is more than one answer.
static bool slide(const scene *s, cl_vec *at, cl_vec d) {
  for (int stops = 0; stops < 2; stops++) {
    cl_bounds a = placed(s, *at);
    stop met = first_stop(s, a, d);
    if (met.unsure) return false;
    if (met.box < 0) break;
    const cl_bounds *b = &s->box[met.box];
    double t = fmax(met.t, 0);
    *at = (cl_vec){at->x + d.x * t, at->y + d.y * t};
    if (met.across) at->x += d.x > 0 ? b->l - (a.r + d.x * t) : b->r - (a.l + d.x * t);
    else at->y += d.y > 0 ? b->t - (a.b + d.y * t) : b->b - (a.t + d.y * t);
    d = met.across ? (cl_vec){0, d.y * (1 - t)} : (cl_vec){d.x * (1 - t), 0};
  }
  *at = (cl_vec){at->x + d.x, at->y + d.y};
  return true;
}

static bool is_same(double a, double b) { return fabs(a - b) < NOTHING; }

// Whether boxes on both sides touch a box: then rounding decides whether it fits between them.
static bool is_tight(const scene *s, cl_bounds a) {
  unsigned sides = 0;
  for (int i = 0; i < s->boxes; i++) {
    const cl_bounds *b = &s->box[i];
    sides |= (unsigned)is_same(a.l, b->r) | (unsigned)is_same(a.r, b->l) << 1 |
             (unsigned)is_same(a.t, b->b) << 2 | (unsigned)is_same(a.b, b->t) << 3;
  }
  return (sides & 3) == 3 || (sides & 12) == 12;
}

static void boxes_slide_as_arithmetic_says(void) {
  long moves = 0, met = 0;
  for (long round = 0; round < test_rounds(4000); round++) {
    scene s;
    cl_vec at;
    double unit = test_int(0, 2) == 0 ? 0 : test_int(0, 1) ? 1 : 0.1;
    open(&s, unit, &at);
    for (int i = 0; i < 8 && is_free(&s, placed(&s, at)); i++) {
      double far = test_int(0, 1) ? 80 : 8;
      cl_vec d = {snap(test_uniform(-far, far), unit), snap(test_uniform(-far, far), unit)};
      if (test_int(0, 3) == 0) d.x = 0;
      if (test_int(0, 3) == 0) d.y = 0;
      cl_vec want = at;
      bool sure = slide(&s, &want, d);
      cl_move_result r = move(&s, at, d);
      cl_vec to = r.moved[0].to, from = at;
      at = to;
      CHECK_MSG(is_free(&s, placed(&s, to)), "round %ld ends inside", round);
      if (!sure || is_tight(&s, placed(&s, want))) continue;
      moves++;
      met += r.hits > 0;
      // The reference shrinks boxes by NOTHING, which changes when they are met.
      CHECK_MSG(fabs(to.x - want.x) <= 100 * NOTHING && fabs(to.y - want.y) <= 100 * NOTHING,
                "round %ld: from %.17g, %.17g by %g, %g to %.17g, %.17g, not %.17g, %.17g", round,
                from.x, from.y, d.x, d.y, to.x, to.y, want.x, want.y);
    }
    close(&s);
  }
  printf("%ld moves of boxes, %ld met something\n", moves, met);
  CHECK(met > moves / 10 && moves > test_rounds(8000));
}

// A move straight into a side ends flush to the bit if doubles allow it, and a second one is no
// nearer.
static void ends_are_flush(void) {
  long flush = 0, ends = 0;
  for (long round = 0; round < test_rounds(2000); round++) {
    scene s;
    cl_vec at;
    open(&s, test_int(0, 1) ? 0.1 : 0, &at);
    if (is_free(&s, placed(&s, at))) {
      cl_vec d =
          test_int(0, 1) ? (cl_vec){test_uniform(-90, 90), 0} : (cl_vec){0, test_uniform(-90, 90)};
      cl_move_result r = move(&s, at, d);
      cl_vec to = r.moved[0].to;
      if (r.hits == 1) {
        cl_bounds a = placed(&s, to);
        ends++;
        for (int i = 0; i < s.boxes; i++) {
          const cl_bounds *b = &s.box[i];
          if (a.r == b->l || a.l == b->r || a.b == b->t || a.t == b->b) {
            flush++;
            break;
          }
        }
        cl_vec again = move(&s, to, d).moved[0].to;
        CHECK(again.x == to.x && again.y == to.y);
      }
    }
    close(&s);
  }
  CHECK_MSG(ends > test_rounds(300) && flush > ends * 3 / 4, "%ld of %ld ends are flush", flush,
            ends);
}

// A pocket: a chain that surrounds the mover, except for a gap, with corners inward and outward.
static cl_shape *random_pocket(void) {
  enum { CORNERS = 9 };
  double xy[2 * CORNERS], sine, cosine;
  for (int i = 0; i < CORNERS; i++) {
    double far = test_uniform(20, 60);
    cl_sincos(0.6 * i + test_uniform(-0.1, 0.1), &sine, &cosine);
    xy[2 * i] = far * cosine, xy[2 * i + 1] = far * sine;
  }
  cl_fault fault;
  cl_shape *shape;
  need(cl_shape_chain(&alloc, xy, CORNERS, false, &fault, &shape) == CL_OK);
  return shape;
}

static cl_vec slide_along(cl_vec way, cl_vec n) {
  double into = cl_vec_dot(way, n);
  return into < 0 ? cl_vec_sub(way, cl_vec_mul(n, into)) : way;
}

// In 1 of 5000 cases, the mover meets a corner where it only just fits.
static void pockets_leave_no_slide(void) {
  long stuck = 0, capped = 0, moves = 0;
  for (long round = 0; round < test_rounds(15000); round++) {
    scene s = {.boxes = 0};
    cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
    s.world = cl_world_new(&def, &s.io);
    cl_shape *mine = random_shape(&alloc, test_int(0, KINDS - 1), 3);
    cl_shape *pocket = random_pocket();
    add(&s, pocket, 0, 0, true);
    s.mover = add(&s, mine, 0, 0, false);
    cl_placed chain = cl_place(pocket, 0, 0, 0), me = cl_place(mine, 0, 0, 0);
    cl_vec at = {0, 0};
    if (!cl_overlaps(&me, &chain, false)) {
      double angle = test_uniform(0, 5);
      cl_rot rot = cl_rot_of(angle);
      cl_vec d = {rot.c * 300, rot.s * 300};
      cl_move_result r = move(&s, at, d);
      cl_vec to = r.moved[0].to;
      moves++;
      // It ends where it met the last surface: the rest of the way leads nowhere.
      if (r.hits > 0 && r.hit[r.hits - 1].at.x == to.x && r.hit[r.hits - 1].at.y == to.y) {
        size_t hits = r.hits;
        cl_vec left = d;
        for (size_t i = 0; i < hits; i++) left = slide_along(left, r.hit[i].normal);
        cl_vec again = move(&s, to, left).moved[0].to;
        double far = cl_vec_length(cl_vec_sub(again, to));
        bool ends = far <= 4 * CL_TOUCH_SHARE * 400;
        stuck++;
        capped += !ends;
        CHECK_MSG(ends || hits >= CL_MOVE_TURNS, "round %ld: %g more after %zu hits", round, far,
                  hits);
      }
    }
    close(&s);
  }
  printf("%ld moves into pockets, %ld end in a corner, %ld at the cap\n", moves, stuck, capped);
  CHECK(stuck > moves / 20 && capped * 100 <= moves);
}

// Among boxes met at once, those that contain the ray's start come first, then sides across x.
static int rank_of(const cl_cast *c) { return c->nx != 0 ? 1 : c->ny != 0 ? 2 : 0; }

// Queries by each group after moves, puts, changes and additions, against a loop over all actors.
static void queries_see_moved_actors(void) {
  enum { ACTORS = 90, GROUPS = 3 };
  long found = 0;
  for (long round = 0; round < test_rounds(60); round++) {
    cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
    cl_io io;
    cl_world *world = cl_world_new(&def, &io);
    cl_shape *shape[2] = {box_of(3, 5), NULL};
    need(cl_shape_circle(&alloc, 0, 0, 3, &shape[1]) == CL_OK);
    cl_actor_def actor[2 * ACTORS];
    uint32_t count = 0, slot;
    for (int step = 0; step < 400; step++) {
      int what = test_int(0, 9);
      uint32_t i = (uint32_t)test_int(0, count > 0 ? (int)count - 1 : 0);
      double x = test_uniform(0, 150), y = test_uniform(0, 150);
      if (count < ACTORS || (what == 0 && count < 2 * ACTORS)) {
        actor[count] = (cl_actor_def){.shape = shape[test_int(0, 1)], .x = x, .y = y};
        actor[count].group = (uint8_t)test_int(0, GROUPS - 1);
        actor[count].fixed = actor[count].group == 0 || test_int(0, 5) == 0;
        need(cl_world_add(world, &actor[count++], &slot) == CL_OK);
      } else if (what == 1) {
        actor[i].group = (uint8_t)test_int(0, GROUPS - 1);
        actor[i].x = x, actor[i].y = y;
        cl_world_refresh(world, i, &actor[i]);
      } else if (what == 2 && test_int(0, 3) == 0) {
        for (uint32_t k = 0; k < count; k++)
          if (!actor[k].fixed) io.place[k] = (cl_vec){actor[k].x, actor[k].y};
        need(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
      } else {
        actor[i].x += test_uniform(-9, 9), actor[i].y += test_uniform(-9, 9);
        cl_vec at = {actor[i].x, actor[i].y};
        if (what < 5) cl_world_put(world, i, at, 0);
        else need(cl_world_move_to(world, i, at, 0) == CL_OK);
      }
      cl_filter filter = {(uint64_t)test_int(1, (1 << GROUPS) - 1), NULL, 0};
      cl_answers answers;
      cl_placed probe = cl_place(shape[test_int(0, 1)], x, y, 0);
      need(cl_world_query_shape(world, &probe, filter, &answers) == CL_OK);
      size_t n = 0;
      for (uint32_t k = 0; k < count; k++) {
        cl_placed other = cl_place(actor[k].shape, actor[k].x, actor[k].y, 0);
        if (!(filter.groups >> actor[k].group & 1) || !cl_overlaps(&probe, &other, true)) continue;
        CHECK_MSG(n < answers.count && answers.at[n].slot == k, "round %ld, step %d", round, step);
        n++;
      }
      CHECK(n == answers.count);
      found += (long)n;
      cl_path path = {x, y, test_uniform(0, 150), test_uniform(0, 150), NULL};
      need(cl_world_cast(world, &path, false, filter, &answers) == CL_OK);
      cl_answer best = {.slot = CL_NOBODY, .cast.t = INFINITY};
      for (uint32_t k = 0; k < count; k++) {
        cl_placed other = cl_place(actor[k].shape, actor[k].x, actor[k].y, 0);
        cl_cast cast;
        if (!(filter.groups >> actor[k].group & 1)) continue;
        if (!cl_cast_ray(path.x1, path.y1, path.x2, path.y2, &other, &cast)) continue;
        int rank = rank_of(&cast), known = rank_of(&best.cast);
        bool first = cast.t < best.cast.t || (cast.t == best.cast.t && rank < known);
        if (first) best = (cl_answer){.slot = k, .cast = cast};
      }
      CHECK((answers.count > 0) == (best.slot != CL_NOBODY));
      if (answers.count > 0) CHECK(answers.at[0].slot == best.slot);
    }
    CHECK(cl_world_is_valid(world));
    cl_world_free(world);
    cl_shape_release(shape[0]);
    cl_shape_release(shape[1]);
  }
  CHECK(found > test_rounds(1000));
}

// A multiple of ten, or off by about the distance at which a mover touches.
static double about_ten(int low, int high) {
  double unit = CL_TOUCH_SHARE * 25 / 4;
  return 10 * test_int(low, high) + (test_int(0, 1) ? unit * test_int(-12, 12) : 0);
}

enum { FEW = 5 };

// A box or a circle among a few boxes that are almost flush, or almost touch it. `slow`: with a
// sensor, which the quick way of moves among plain boxes does not know.
static cl_world *open_almost_flush(cl_io *io, cl_shape *const *shape, const cl_vec *at, int count,
                                   bool slow) {
  const cl_world_def def = {.alloc = alloc, .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, io);
  uint32_t slot;
  for (int i = 0; i < count; i++) {
    const cl_actor_def actor = {.shape = shape[i], .x = at[i].x, .y = at[i].y, .fixed = i > 0};
    need(cl_world_add(world, &actor, &slot) == CL_OK);
  }
  if (!slow) return world;
  cl_shape *all = box_of(400, 400);
  const cl_actor_def sensor = {.shape = all, .x = -200, .y = -200, .fixed = true, .sensor = true};
  need(cl_world_add(world, &sensor, &slot) == CL_OK);
  cl_shape_release(all);
  return world;
}

static cl_vec end_of_move(cl_world *world, cl_vec at, cl_vec d, long *hits) {
  const cl_move_def def = {.x = at.x,
                           .y = at.y,
                           .dx = d.x,
                           .dy = d.y,
                           .filter = {.groups = UINT64_MAX},
                           .response = CL_RESPONSE_SLIDE};
  need(cl_world_move(world, &def) == CL_OK);
  cl_move_result r = cl_world_move_result(world);
  *hits += (long)r.hits;
  cl_vec to = r.moved[0].to;
  need(cl_world_move_commit(world) == CL_OK);
  return to;
}

// A circle that grazes a corner turns by up to the root of a rounding error.
static bool is_same_end(cl_vec a, cl_vec b) {
  return fabs(a.x - b.x) <= 0.001 && fabs(a.y - b.y) <= 0.001;
}

// Whether the first shape, put at a place, overlaps none of the others. Exact.
static bool is_free_of_others(cl_shape *const *shape, const cl_vec *at, int count, cl_vec to) {
  cl_placed mover = cl_place(shape[0], to.x, to.y, 0);
  for (int i = 1; i < count; i++) {
    cl_placed other = cl_place(shape[i], at[i].x, at[i].y, 0);
    if (cl_overlaps(&mover, &other, false)) return false;
  }
  return true;
}

// Almost: past a corner that a mover comes just as near to as it may, either answer is right.
static void almost_flush_boxes_give_one_answer(void) {
  long hits = 0, all = 0, differ = 0;
  for (long round = 0; round < test_rounds(20000); round++) {
    cl_io io[2];
    cl_world *world[2];
    cl_shape *shape[FEW];
    cl_vec at[FEW];
    int count = test_int(2, FEW);
    for (int i = 0; i < count; i++) {
      at[i] = (cl_vec){about_ten(-3, 2), about_ten(-3, 2)};
      double w = about_ten(1, 3), h = about_ten(1, 3);
      bool round_one = i == 0 && test_int(0, 2) == 0;
      if (round_one) need(cl_shape_circle(&alloc, 5, 5, 5, &shape[i]) == CL_OK);
      else shape[i] = box_of(i == 0 ? 10 : w, i == 0 ? 10 : h);
    }
    for (int k = 0; k < 2; k++) world[k] = open_almost_flush(&io[k], shape, at, count, k == 1);
    cl_vec from = at[0];
    for (int n = 0; n < 4; n++) {
      cl_vec d = {10 * test_int(-4, 4), 10 * test_int(-4, 4)};
      cl_vec quick = end_of_move(world[0], from, d, &hits);
      cl_vec slow = end_of_move(world[1], from, d, &all);
      bool same = is_same_end(quick, slow), was_free = is_free_of_others(shape, at, count, from);
      CHECK(!was_free || is_free_of_others(shape, at, count, quick));
      CHECK(!was_free || is_free_of_others(shape, at, count, slow));
      differ += !same;
      if (!same) break;
      from = quick;
    }
    for (int k = 0; k < 2; k++) cl_world_free(world[k]);
    for (int i = 0; i < count; i++) cl_shape_release(shape[i]);
  }
  CHECK(hits > test_rounds(20000));
  CHECK_MSG(differ <= test_rounds(4), "%ld moves differ", differ);
}

// A circle in a corridor meets the corner of a box so large that what counts as a touch there is
// more than the room that the corridor leaves: lifted off the corner, the circle would overlap the
// ceiling.
static void a_circle_in_a_corridor_ends_free_at_a_corner(void) {
  long stops = 0;
  for (long round = 0; round < test_rounds(2000); round++) {
    cl_io io;
    double room = test_uniform(1, 3) * CL_TOUCH_SHARE * 25, up = test_uniform(0.05, 2);
    cl_shape *shape[3] = {NULL, box_of(50, 5), box_of(3e6, 3e6)};
    need(cl_shape_circle(&alloc, 0, 0, 5, &shape[0]) == CL_OK);
    const cl_vec at[3] = {{0, 5 + room}, {-25, -5}, {20 + test_uniform(-1, 1), 10 - up}};
    cl_world *world = open_almost_flush(&io, shape, at, 3, false);
    long hits = 0;
    REQUIRE(is_free_of_others(shape, at, 3, at[0]));
    cl_vec to = end_of_move(world, at[0], (cl_vec){40, 0}, &hits);
    double dy = at[2].y - to.y, x = at[2].x - sqrt(25 - dy * dy);
    CHECK_MSG(is_free_of_others(shape, at, 3, to), "%g of room: at %.17g, %.17g", room, to.x, to.y);
    CHECK_MSG(fabs(to.x - x) < 1e-4 && fabs(to.y - at[0].y) < 1e-4, "%g of room: at %g, %g", room,
              to.x, to.y);
    stops += hits > 0;
    cl_world_free(world);
    for (int i = 0; i < 3; i++) cl_shape_release(shape[i]);
  }
  CHECK(stops > test_rounds(1000));
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(boxes_slide_as_arithmetic_says);
  RUN(ends_are_flush);
  RUN(almost_flush_boxes_give_one_answer);
  RUN(a_circle_in_a_corridor_ends_free_at_a_corner);
  RUN(pockets_leave_no_slide);
  RUN(queries_see_moved_actors);
  return test_end();
}
