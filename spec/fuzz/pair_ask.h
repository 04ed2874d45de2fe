// collide, MIT licence (see LICENSE)
//
// Queries to a pair of worlds: both answers are the same, and agree with a loop over all actors.

#ifndef CL_SPEC_FUZZ_PAIR_ASK_H
#define CL_SPEC_FUZZ_PAIR_ASK_H

#include "game_pair.h"

#include "narrow/motion.h"

static inline cl_placed pair_placed(const game_pair *g, uint32_t slot) {
  const cl_world *world = g->twin[1].world;
  double angle;
  cl_vec at = cl_world_place(world, slot, &angle);
  return cl_place(cl_world_actor(world, slot).shape, at.x, at.y, angle);
}

// A filter for some of the groups that leaves out at most one actor.
static inline cl_filter pair_filter(const game_pair *g, uint32_t *ignored) {
  uint64_t groups = test_int(0, 2) ? UINT64_MAX : (uint64_t)test_int(0, 255);
  *ignored = test_int(0, 2) ? CL_NOBODY : pair_anybody(g);
  return (cl_filter){groups, ignored, *ignored != CL_NOBODY};
}

static inline bool pair_lets(const game_pair *g, cl_filter filter, uint32_t slot) {
  const cl_world *world = g->twin[1].world;
  return cl_world_has(world, slot) && filter.groups >> cl_world_group(world, slot) & 1 &&
         (filter.count == 0 || filter.ignored[0] != slot);
}

static inline void pair_same_answers(const cl_answers answers[TWINS]) {
  REQUIRE(answers[0].count == answers[1].count);
  for (size_t i = 0; i < answers[0].count; i++) {
    const cl_answer *a = &answers[0].at[i], *b = &answers[1].at[i];
    CHECK(a->slot == b->slot);
  }
}

typedef enum question { AT_POINT, BY_SHAPE, BY_BOUNDS, QUESTIONS } question;

// Points, shapes and boxes.
static inline void pair_ask(game_pair *g) {
  uint32_t ignored;
  cl_filter filter = pair_filter(g, &ignored);
  place p = play_place();
  cl_placed with = cl_place(g->play.shape[test_int(0, PLAY_TILES - 1)], p.x, p.y, p.angle);
  cl_bounds box = cl_placed_bounds(&with);
  question what = (question)test_int(0, QUESTIONS - 1);
  cl_answers answers[TWINS];
  EACH_TWIN(g, t) {
    cl_answers *out = &answers[t - g->twin];
    cl_status status = what == AT_POINT   ? cl_world_query_point(t->world, p.x, p.y, filter, out)
                       : what == BY_SHAPE ? cl_world_query_shape(t->world, &with, filter, out)
                                          : cl_world_query_bounds(t->world, box, filter, out);
    REQUIRE(status == CL_OK);
  }
  pair_same_answers(answers);
  size_t n = 0;
  for (uint32_t slot = 0; slot < g->twin[1].io.slots && test_errors == 0; slot++) {
    if (!pair_lets(g, filter, slot)) continue;
    cl_placed it = pair_placed(g, slot);
    bool in = what == AT_POINT   ? cl_placed_contains(&it, p.x, p.y)
              : what == BY_SHAPE ? cl_overlaps(&it, &with, true)
                                 : cl_bounds_touch(cl_placed_bounds(&it), box);
    bool said = n < answers[0].count && answers[0].at[n].slot == slot;
    // Boxes are stored as floats, rounded outward.
    CHECK_MSG(in == said || (what == BY_BOUNDS && said), "question %d about slot %u", what, slot);
    n += said;
  }
  CHECK(n == answers[0].count);
}

static inline void pair_nearest(game_pair *g) {
  uint32_t ignored;
  cl_filter filter = pair_filter(g, &ignored);
  place p = play_place();
  size_t most = (size_t)test_int(1, 4);
  cl_answers answers[TWINS];
  EACH_TWIN(g, t)
  REQUIRE(cl_world_nearest(t->world, p.x, p.y, most, filter, &answers[t - g->twin]) == CL_OK);
  pair_same_answers(answers);
  double least = -1;
  uint32_t last = 0;
  for (size_t k = 0; k < most; k++) { // the next after the last one
    uint32_t best = CL_NOBODY;
    double distance = INFINITY;
    for (uint32_t slot = 0; slot < g->twin[1].io.slots; slot++) {
      if (!pair_lets(g, filter, slot)) continue;
      cl_placed it = pair_placed(g, slot);
      double d = cl_distance_point(&it, p.x, p.y);
      bool behind = d > least || (d == least && slot > last);
      if (behind && d < distance) best = slot, distance = d;
    }
    if (best == CL_NOBODY) {
      CHECK(answers[0].count == k);
      return;
    }
    REQUIRE(k < answers[0].count);
    CHECK(answers[0].at[k].slot == best && answers[0].at[k].distance == distance);
    last = best, least = distance;
  }
}

// Casts that end at the same t are ordered: first those that begin inside, then by the normal.
static inline bool pair_goes_first(const cl_cast *a, const cl_cast *b) {
  cl_vec n = {a->nx, a->ny}, m = {b->nx, b->ny};
  bool is_inside = n.x == 0 && n.y == 0, was_inside = m.x == 0 && m.y == 0;
  if (a->t != b->t) return a->t < b->t;
  if (is_inside || was_inside) return is_inside && !was_inside;
  return (n.x != m.x || n.y != m.y) && cl_vec_goes_first(n, m);
}

static inline void pair_cast(game_pair *g) {
  uint32_t ignored;
  cl_filter filter = pair_filter(g, &ignored);
  place from = play_place(), to = play_place();
  cl_placed mover = cl_place(g->play.shape[test_int(0, PLAY_TILES - 1)], from.x, from.y, to.angle);
  bool all = test_int(0, 1), ray = test_int(0, 1);
  cl_path path = {from.x, from.y, to.x, to.y, ray ? NULL : &mover};
  cl_answers answers[TWINS];
  EACH_TWIN(g, t)
  REQUIRE(cl_world_cast(t->world, &path, all, filter, &answers[t - g->twin]) == CL_OK);
  pair_same_answers(answers);
  uint32_t first = CL_NOBODY;
  size_t met = 0;
  cl_cast best = {.t = INFINITY}, c;
  for (uint32_t slot = 0; slot < g->twin[1].io.slots; slot++) {
    if (!pair_lets(g, filter, slot)) continue;
    cl_placed it = pair_placed(g, slot);
    cl_vec way = {to.x - from.x, to.y - from.y};
    bool hit = ray ? cl_cast_ray(from.x, from.y, to.x, to.y, &it, &c)
                   : cl_cast_shape(&mover, way, &it, &c);
    met += hit;
    if (hit && pair_goes_first(&c, &best)) best = c, first = slot;
  }
  CHECK(answers[0].count == (all ? met : met > 0));
  if (answers[0].count == 0) return;
  const cl_answer *a = answers[0].at;
  CHECK_MSG(a->slot == first && a->cast.t == best.t, "slot %u at %.17g, not %u at %.17g", a->slot,
            a->cast.t, first, best.t);
}

// ---- moving

// The number of actors that stop a mover and overlap it.
static inline int pair_inside(const game_pair *g, uint32_t mover, cl_filter filter) {
  cl_placed it = pair_placed(g, mover);
  int inside = 0;
  for (uint32_t slot = 0; slot < g->twin[1].io.slots; slot++) {
    if (slot == mover || !pair_lets(g, filter, slot)) continue;
    if (cl_world_ignores(g->twin[1].world, mover, slot)) continue;
    cl_actor_def other = cl_world_actor(g->twin[1].world, slot);
    cl_placed at = pair_placed(g, slot);
    inside += !other.sensor && other.one_way.y == 0 && cl_overlaps(&it, &at, false);
  }
  return inside;
}

static inline bool pair_same_moves(const game_pair *g) {
  cl_move_result a = cl_world_move_result(g->twin[0].world);
  cl_move_result b = cl_world_move_result(g->twin[1].world);
  bool same = a.hits == b.hits && a.moves == b.moves;
  for (size_t i = 0; i < a.hits && same; i++) {
    const cl_move_hit *p = &a.hit[i], *q = &b.hit[i];
    same = p->slot == q->slot && p->t == q->t && p->normal.x == q->normal.x &&
           p->normal.y == q->normal.y && p->response == q->response && p->at.x == q->at.x &&
           p->at.y == q->at.y && p->inside == q->inside && p->crushed == q->crushed;
  }
  for (size_t i = 0; i < a.moves && same; i++) {
    same = a.moved[i].slot == b.moved[i].slot && a.moved[i].to.x == b.moved[i].to.x &&
           a.moved[i].to.y == b.moved[i].to.y;
  }
  return same;
}

// The questions of a move: their number, and the last one. The answers are random, but the same for
// the same question.
typedef struct pair_questions {
  uint32_t seed, count;
  cl_move_ask last;
} pair_questions;

static inline cl_response pair_respond(void *context, const cl_move_ask *ask) {
  pair_questions *q = context;
  q->count++;
  q->last = *ask;
  uint32_t n = (q->seed ^ ask->mover) * 31 + ask->other * 7 + (uint32_t)ask->value;
  return (cl_response)(n * 2654435761U / (UINT32_MAX / CL_RESPONSES + 1));
}

static inline void pair_move(game_pair *g) {
  uint32_t ignored, slot = pair_anybody(g);
  if (slot == CL_NOBODY || !cl_world_can_move(g->twin[0].world, slot)) return;
  cl_filter filter = pair_filter(g, &ignored);
  cl_placed at = pair_placed(g, slot);
  double angle;
  cl_world_place(g->twin[0].world, slot, &angle);
  int options = test_int(0, 15);
  cl_move_def def = {.slot = slot, .x = at.x, .y = at.y, .angle = angle, .filter = filter};
  def.dx = test_int(0, 1) ? test_int(-9, 9) : test_uniform(-30, 30);
  def.dy = test_int(0, 1) ? test_int(-9, 9) : test_uniform(-30, 30);
  def.by_rules = options == 1, def.asks_sensors = options > 13;
  def.response = (cl_response)test_int(CL_RESPONSE_SLIDE, CL_RESPONSE_PUSH);
  bool stops = !def.by_rules && options <= 12 && def.response <= CL_RESPONSE_BOUNCE;
  bool was_free = pair_inside(g, slot, filter) == 0;
  pair_questions q[TWINS] = {{.seed = (uint32_t)test_int(0, 9999)}};
  q[1] = q[0];
  if (options > 12) def.responder = pair_respond;
  EACH_TWIN(g, t) {
    def.context = &q[t - g->twin];
    REQUIRE(cl_world_move(t->world, &def) == CL_OK);
  }
  const cl_move_ask *a = &q[0].last, *b = &q[1].last;
  CHECK(q[0].count == q[1].count && a->other == b->other && a->mover == b->mover &&
        a->nx == b->nx && a->ny == b->ny && a->value == b->value);
  CHECK(pair_same_moves(g));
  if (options == 2 || test_errors > 0) return; // only a check
  EACH_TWIN(g, t) CHECK(cl_world_move_commit(t->world) == CL_OK);
  CHECK(!stops || !was_free || pair_inside(g, slot, filter) == 0);
}

static inline void pair_turn(game_pair *g) {
  uint32_t ignored, slot = pair_anybody(g);
  if (slot == CL_NOBODY || !cl_world_can_move(g->twin[0].world, slot)) return;
  if (cl_world_actor(g->twin[0].world, slot).shape->kind == CL_TILES) return;
  cl_filter filter = pair_filter(g, &ignored);
  double angle, by = test_int(-12, 12) * 0.39269908169872414;
  cl_vec at = cl_world_place(g->twin[0].world, slot, &angle);
  const cl_move_def def = {.slot = slot,
                           .x = at.x,
                           .y = at.y,
                           .angle = angle,
                           .filter = filter,
                           .response = CL_RESPONSE_TOUCH};
  cl_turn_result r[TWINS];
  EACH_TWIN(g, t) {
    REQUIRE(cl_world_use_angles(t->world) == CL_OK && cl_world_turn(t->world, &def, by) == CL_OK);
    r[t - g->twin] = cl_world_turn_result(t->world);
  }
  CHECK(r[0].angle == r[1].angle && r[0].hits == r[1].hits && r[0].pushed == r[1].pushed);
  if (fabs(r[0].angle) > 50) return;
  EACH_TWIN(g, t) CHECK(cl_world_move_to(t->world, slot, at, r[0].angle) == CL_OK);
}

// The actors in the way of a moving one, those on top of it, and those at a place.
static inline void pair_ask_around(game_pair *g) {
  uint32_t ignored, slot = pair_anybody(g);
  if (slot == CL_NOBODY) return;
  cl_filter filter = pair_filter(g, &ignored);
  place p = play_place();
  cl_placed with = cl_place(g->play.shape[test_int(0, PLAY_TILES - 1)], p.x, p.y, p.angle);
  cl_answers answers[TWINS], pushed[TWINS] = {{NULL, 0}, {NULL, 0}};
  uint32_t other[TWINS], want = CL_NOBODY;
  cl_vec way = {test_int(-4, 4), test_int(-4, 4)};
  EACH_TWIN(g, t) {
    size_t i = (size_t)(t - g->twin);
    REQUIRE(cl_world_riders(t->world, slot, &answers[i]) == CL_OK);
    REQUIRE(cl_world_fits(t->world, CL_NOBODY, &with, filter, 0, &other[i]) == CL_OK);
    REQUIRE(cl_world_in_the_way(t->world, slot, way, filter, &pushed[i]) == CL_OK);
  }
  CHECK(answers[0].count == answers[1].count && other[0] == other[1] &&
        pushed[0].count == pushed[1].count);
  for (uint32_t i = g->twin[1].io.slots; i-- > 0;) {
    if (!pair_lets(g, filter, i)) continue;
    cl_actor_def actor = cl_world_actor(g->twin[1].world, i);
    cl_placed it = pair_placed(g, i);
    if (!actor.sensor && actor.one_way.y == 0 && cl_overlaps(&with, &it, false)) want = i;
  }
  CHECK(other[0] == want);
}

#endif
