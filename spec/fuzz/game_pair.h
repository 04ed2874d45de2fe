// collide, MIT licence (see LICENSE)
//
// Two worlds with pools of bullets, to which the same operations are applied. They differ in their
// broad phase; their answers must be the same.

#ifndef CL_SPEC_FUZZ_GAME_PAIR_H
#define CL_SPEC_FUZZ_GAME_PAIR_H

#include "../c/world_play.h"

enum { TWINS = 2, POOLS = 2, CROWD = 40, BULLETS = 24, GROUPS = 5 };

typedef struct twin {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool[POOLS];
  cl_snapshot *snapshot;
  cl_bullets_snapshot *bullets;
  double told;
} twin;

typedef struct game_pair {
  play play;
  twin twin[TWINS];
  bool taken; // snapshots
} game_pair;

#define EACH_TWIN(g, t) for (twin *t = (g)->twin; t < (g)->twin + TWINS; t++)

static inline uint8_t pair_group(void) { return (uint8_t)test_int(0, GROUPS - 1); }

// An actor that is in both worlds; CL_NOBODY when there is none.
static inline uint32_t pair_anybody(const game_pair *g) {
  uint32_t slots = g->twin[0].io.slots, from = slots ? (uint32_t)test_int(0, (int)slots - 1) : 0;
  for (uint32_t i = 0; i < slots; i++) {
    uint32_t slot = (from + i) % slots;
    if (cl_world_has(g->twin[0].world, slot)) return slot;
  }
  return CL_NOBODY;
}

static inline void pair_compare(game_pair *g) {
  const twin *a = &g->twin[0], *b = &g->twin[1];
  EACH_TWIN(g, t) CHECK(cl_world_is_valid(t->world) && cl_pools_are_valid(t->pools));
  REQUIRE(a->io.slots == b->io.slots && a->io.events == b->io.events);
  CHECK(cl_pools_hash(a->pools) == cl_pools_hash(b->pools));
  cl_counts m = cl_world_counts(a->world), n = cl_world_counts(b->world);
  CHECK(m.actors == n.actors && m.hits == n.hits && m.candidates == n.candidates);
}

// ---- actors

// Tiles cannot be turned.
static inline cl_actor_def pair_actor(const game_pair *g) {
  place at = play_place();
  int flags = test_int(0, 31), shape = test_int(0, PLAY_SHAPES - 1);
  bool tiles = shape == PLAY_TILES;
  return (cl_actor_def){.shape = g->play.shape[shape],
                        .x = at.x,
                        .y = at.y,
                        .angle = tiles ? 0 : at.angle,
                        .group = pair_group(),
                        .fixed = flags % 4 == 0,
                        .sensor = flags == 5,
                        .one_way = {0, flags == 6 ? -1 : 0},
                        .swept = flags == 7};
}

static inline void pair_add(game_pair *g) {
  if (cl_world_counts(g->twin[0].world).actors == CROWD) return;
  cl_actor_def def = pair_actor(g);
  uint8_t mask = (uint8_t)(test_int(0, 255) & CL_EVENT_EVENTS);
  EACH_TWIN(g, t) {
    uint32_t slot;
    if (cl_world_reclaim(t->world)) cl_pools_follow(t->pools);
    CHECK(cl_world_add(t->world, &def, &slot) == CL_OK && slot == t->io.slots - 1);
    cl_world_set_event_mask(t->world, slot, CL_EVENT_EVENTS, mask);
  }
}

static inline void pair_remove(game_pair *g) {
  uint32_t slot = pair_anybody(g);
  if (slot == CL_NOBODY) return;
  bool named[TWINS];
  EACH_TWIN(g, t) named[t - g->twin] = cl_world_remove(t->world, slot, t->told);
  CHECK(named[0] == named[1]);
}

static inline void pair_refresh(game_pair *g) {
  uint32_t slot = pair_anybody(g);
  if (slot == CL_NOBODY) return;
  cl_actor_def def = pair_actor(g);
  EACH_TWIN(g, t) {
    if (def.angle != 0) CHECK(cl_world_use_angles(t->world) == CL_OK);
    cl_world_refresh(t->world, slot, &def);
  }
}

static inline void pair_put(game_pair *g) {
  uint32_t slot = pair_anybody(g);
  if (slot == CL_NOBODY) return;
  place to = play_place();
  bool jump = test_int(0, 1);
  if (cl_world_actor(g->twin[0].world, slot).shape->kind == CL_TILES) to.angle = 0;
  EACH_TWIN(g, t) {
    if (to.angle != 0) CHECK(cl_world_use_angles(t->world) == CL_OK);
    cl_vec at = {to.x, to.y};
    if (jump) cl_world_put(t->world, slot, at, to.angle);
    else CHECK(cl_world_move_to(t->world, slot, at, to.angle) == CL_OK);
  }
}

static inline void pair_rule(game_pair *g) {
  unsigned a = pair_group(), b = (unsigned)test_int(0, GROUPS);
  cl_hits hits = (cl_hits)test_int(CL_HITS_NONE, CL_HITS_FIRST);
  if (b == GROUPS) b = CL_MAX_GROUPS;
  EACH_TWIN(g, t) cl_world_set_rule(t->world, a, b, hits);
}

// One actor ignores a few others, or none.
static inline void pair_ignore(game_pair *g) {
  uint32_t slot = pair_anybody(g);
  size_t count = 0;
  cl_pair named[3];
  for (int tries = test_int(0, 3); tries > 0; tries--) {
    uint32_t other = pair_anybody(g);
    if (other != slot) named[count++] = (cl_pair){slot, other};
  }
  if (slot == CL_NOBODY) return;
  EACH_TWIN(g, t) {
    cl_pair pair[3];
    memcpy(pair, named, sizeof pair);
    CHECK(cl_world_set_ignored(t->world, &slot, 1, pair, count) == CL_OK);
  }
}

// ---- steps

static inline void pair_tell(game_pair *g) {
  cl_shot shot[TWINS];
  memset(shot, 0, sizeof shot);
  for (int most = test_int(0, 3) ? 1000 : test_int(0, 4); most > 0; most--) {
    bool any[TWINS];
    EACH_TWIN(g, t) any[t - g->twin] = cl_pools_next_shot(t->pools, &shot[t - g->twin]);
    REQUIRE(any[0] == any[1]);
    if (!any[0]) return;
    const cl_shot *a = &shot[0], *b = &shot[1];
    CHECK(a->number == b->number && a->pool == b->pool && a->actor == b->actor &&
          a->other == b->other && a->kind == b->kind);
    CHECK(a->t == b->t && a->nx == b->nx && a->ny == b->ny && a->x == b->x && a->y == b->y);
    int answer = a->kind == CL_SHOT_HIT ? test_int(0, 3) : 3;
    EACH_TWIN(g, t) if (answer < 2) CHECK(cl_pools_answer(t->pools, (cl_shot_answer)answer) == 0);
  }
}

static inline void pair_compare_events(const game_pair *g) {
  const cl_io *a = &g->twin[0].io, *b = &g->twin[1].io;
  REQUIRE(a->events == b->events && a->leaves == b->leaves && a->slots == b->slots);
  for (uint32_t e = 0; e < a->events; e++) {
    cl_event p = cl_event_of(a, e), q = cl_event_of(b, e);
    CHECK(p.a == q.a && p.b == q.b && p.calls == q.calls);
    CHECK(p.nx == q.nx && p.ny == q.ny && p.depth == q.depth && p.t == q.t);
  }
}

// Moves some actors elsewhere; others stay.
static inline void pair_step(game_pair *g) {
  const twin *first = g->twin;
  int moving = test_int(0, 3);
  double dt = test_int(0, 4) ? 1 / 60.0 : 0.2,
         told = test_int(0, 3) ? CL_ALL_DISPATCHED : test_int(0, 9);
  if (told > CL_CALL_NUMBERS * (double)first->io.events) told = CL_ALL_DISPATCHED;
  for (uint32_t slot = 0; slot < first->io.slots; slot++) {
    if ((first->io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    double angle;
    cl_vec at = cl_world_place(first->world, slot, &angle);
    if (moving) at = (cl_vec){at.x + test_int(-moving, moving), at.y + test_int(-1, 1)};
    EACH_TWIN(g, t) {
      t->io.place[slot] = at;
      if (t->io.angle) t->io.angle[slot] = angle;
    }
  }
  EACH_TWIN(g, t) {
    CHECK(cl_world_begin_step(t->world, told) == CL_OK);
    CHECK(cl_pools_begin_step(t->pools, dt) == CL_OK);
    cl_world_end_step(t->world);
    cl_pools_end_step(t->pools);
    t->told = t->io.events ? 0 : CL_ALL_DISPATCHED;
  }
  pair_compare_events(g);
  pair_tell(g);
}

// ---- bullets

static inline cl_plan *pair_plan(const game_pair *g) {
  cl_plan_entry entry[4];
  uint32_t count = (uint32_t)test_int(1, 4);
  double at = 0;
  for (uint32_t i = 0; i < count; i++) {
    at += test_int(0, 6) / 120.0;
    entry[i] = (cl_plan_entry){at, 40, -40, 2, 30, 9, -9, 3, 2, 7, 0};
    entry[i].sets = (uint32_t)test_int(1, 2 * CL_PLAN_CALL - 1);
  }
  cl_plan *plan = NULL;
  if (cl_plan_new(&g->play.alloc, entry, count, &plan) != CL_OK) abort();
  return plan;
}

// Gives a bullet a length, steering and a plan, or some of them.
static inline void pair_equip(game_pair *g, int k, uint64_t number) {
  int has = test_int(0, 7);
  double length = test_int(0, 9);
  uint32_t home = has & 2 ? pair_anybody(g) : CL_NOBODY;
  const cl_steering how = {test_int(0, 9), 0, has & 1 ? 50 : INFINITY, home != CL_NOBODY, home};
  cl_plan *plan = has & 4 ? pair_plan(g) : NULL;
  EACH_TWIN(g, t) {
    cl_bullets *pool = t->pool[k];
    if (cl_bullets_reserve_lengths(pool) != CL_OK) abort();
    if (cl_bullets_reserve_steering(pool) != CL_OK) abort();
    if (cl_bullets_reserve_plans(pool) != CL_OK) abort();
    if (has & 1) cl_bullets_lengthen(pool, number, length, (cl_vec){1, 0});
    if (has & 2) cl_bullets_steer(pool, number, &how);
    if (plan) cl_bullets_plan(pool, number, plan);
  }
  if (plan) cl_plan_release(plan);
}

static inline void pair_spawn(game_pair *g) {
  place at = play_place();
  int k = test_int(0, POOLS - 1), speed = test_int(0, 3) ? 60 : 3000;
  cl_vec v = {test_int(-speed, speed), test_int(-speed, speed)};
  cl_vec a = {test_int(0, 3) ? 0 : test_int(-99, 99), 0};
  uint64_t number[TWINS];
  EACH_TWIN(g, t) number[t - g->twin] = cl_bullets_spawn(t->pool[k], (cl_vec){at.x, at.y}, v, a, k);
  CHECK(number[0] == number[1]);
  if (number[0] > 0) pair_equip(g, k, number[0]);
}

static inline void pair_laser(game_pair *g) {
  double xy[8];
  for (int i = 0; i < 4; i++) {
    place at = play_place();
    xy[2 * i] = at.x, xy[2 * i + 1] = at.y;
  }
  int k = test_int(0, POOLS - 1);
  cl_laser_def def = {xy, (uint32_t)test_int(1, 4), 1.5, test_int(0, 1) * 0.1, test_int(1, 3), 7};
  uint64_t number[TWINS] = {0, 0};
  EACH_TWIN(g, t)
  CHECK(cl_bullets_spawn_laser(t->pool[k], &def, &number[t - g->twin]) == CL_OK);
  CHECK(number[0] == number[1]);
}

static inline void pair_change_bullet(game_pair *g) {
  place at = play_place();
  int k = test_int(0, POOLS - 1), what = test_int(0, 9);
  uint32_t fields = (uint32_t)test_int(0, 2 * CL_BULLET_LENGTH - 1);
  uint64_t after = (uint64_t)test_int(0, 60);
  cl_bullet to = {at.x, at.y, 5, -40, 3, 0, 2, 1, 0, 6, 0, 0};
  EACH_TWIN(g, t) {
    uint64_t number = cl_bullets_next(t->pool[k], after);
    if (cl_bullets_reserve_lengths(t->pool[k]) != CL_OK) abort();
    if (what == 0) cl_bullets_clear(t->pool[k]);
    else if (what < 3) cl_bullets_kill_circle(t->pool[k], at.x, at.y, 3);
    else if (what < 6) cl_bullets_kill(t->pool[k], number);
    else cl_bullets_set(t->pool[k], number, &to, fields);
  }
}

// ---- opening and closing

static inline void pair_open(game_pair *g) {
  *g = (game_pair){.play.alloc = cl_alloc_default()};
  if (!play_open(&g->play)) abort();
  const cl_alloc *alloc = &g->play.alloc;
  int options = test_int(0, 63);
  cl_bullets_def pool[POOLS] = {{.capacity = BULLETS,
                                 .radius = 1,
                                 .graze = options & 1 ? 3 : 0,
                                 .group = 1,
                                 .lifetime = 2,
                                 .bounds = {-50, -50, 80, 80},
                                 .bullets = true},
                                {.capacity = BULLETS,
                                 .radius = 0.5,
                                 .group = 2,
                                 .lifetime = INFINITY,
                                 .pierce = options & 2,
                                 .bounds = {-50, -50, 80, 80},
                                 .bullets = options & 4}};
  cl_world_def def = {.alloc = *alloc,
                      .broad = world_broads[test_int(0, WORLD_BROADS - 1)],
                      .depth = options & 8 ? (unsigned)test_int(1, 6) : 0,
                      .touching = options & 16,
                      .listed = options & 32};
  EACH_TWIN(g, t) {
    t->world = cl_world_new(&def, &t->io);
    t->pools = cl_pools_new(alloc, t->world);
    for (int k = 0; k < POOLS; k++) {
      if (cl_bullets_new(t->pools, &pool[k], &t->pool[k]) != CL_OK) abort();
      cl_bullets_set_event_mask(t->pool[k], CL_BULLET_EVENT_HIT | CL_BULLET_EVENT_GRAZE |
                                                CL_BULLET_EVENT_TIMER);
    }
    t->snapshot = cl_snapshot_new(alloc);
    t->bullets = cl_bullets_snapshot_new(alloc);
    t->told = CL_ALL_DISPATCHED;
    def.broad = &cl_broad_brute;
  }
}

static inline void pair_close(game_pair *g) {
  EACH_TWIN(g, t) {
    cl_snapshot_free(t->snapshot);
    cl_bullets_snapshot_free(t->bullets);
    cl_pools_free(t->pools);
    cl_world_free(t->world);
  }
  play_close(&g->play);
}

#endif
