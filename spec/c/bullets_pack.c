// collide, MIT licence (see LICENSE)
//
// Snapshots as bytes: written again after reading they are the same bytes, and a world restored
// from them continues like the original, hash for hash. Bytes with bits flipped, cut short or made
// of noise are refused, or make a world that can be stepped.

#include "world_play.h"

#include "bullets/save.h"
#include "bullets/state.h"

enum { ACTORS = 12, POOLS = 2, BULLETS = 12, GROUPS = 5, STEPS = 6 };

typedef struct game {
  cl_io io;
  cl_world *world;
  cl_pools *pools;
  cl_bullets *pool[POOLS];
  double told;
} game;

static const cl_bullets_def pool_def[POOLS] = {
    {.capacity = BULLETS,
     .radius = 1,
     .graze = 3,
     .group = 1,
     .lifetime = 2,
     .bounds = {-50, -50, 80, 80},
     .bullets = true},
    {.capacity = BULLETS,
     .radius = 0.5,
     .group = 2,
     .lifetime = INFINITY,
     .pierce = true,
     .bounds = {-50, -50, 80, 80},
     .bullets = true},
};

static void open_game(game *g, bool touching) {
  cl_alloc alloc = cl_alloc_default();
  cl_world_def def = {
      .alloc = alloc, .broad = world_broads[test_int(0, WORLD_BROADS - 1)], .touching = touching};
  *g = (game){.told = CL_ALL_DISPATCHED};
  g->world = cl_world_new(&def, &g->io);
  g->pools = cl_pools_new(&alloc, g->world);
  for (int i = 0; i < POOLS; i++) {
    CHECK(cl_bullets_new(g->pools, &pool_def[i], &g->pool[i]) == CL_OK);
    cl_bullets_set_event_mask(g->pool[i], CL_BULLET_EVENT_HIT | CL_BULLET_EVENT_GRAZE);
  }
}

static void close_game(game *g) {
  cl_pools_free(g->pools);
  cl_world_free(g->world);
}

// Dispatches some of the shots, with effects that follow from a seed.
static void tell(game *g, uint64_t seed) {
  cl_shot shot;
  int most = (int)(seed % 5) == 0 ? (int)(seed / 5 % 4) : 1000;
  while (most-- > 0 && cl_pools_next_shot(g->pools, &shot)) {
    if (shot.kind == CL_SHOT_HIT && (shot.number + seed) % 3 == 0) {
      CHECK(cl_pools_answer(g->pools, (cl_shot_answer)((seed + shot.number) % 2)) == CL_OK);
    }
  }
  g->told = g->io.events == 0 ? CL_ALL_DISPATCHED : (double)(seed % (4 * g->io.events + 9));
}

// Each actor moves in its own way.
static void step(game *g, int at) {
  uint64_t seed = (uint64_t)at * 7919 + 13;
  for (uint32_t slot = 0; slot < g->io.slots; slot++) {
    if ((g->io.state[slot] & (CL_LIVE | CL_STATIC)) != CL_LIVE) continue;
    double angle;
    cl_vec was = cl_world_place(g->world, slot, &angle);
    bool far = fabs(was.x) > CL_MAX_COORD / 2 || fabs(was.y) > CL_MAX_COORD / 2;
    g->io.place[slot] = far ? was : (cl_vec){was.x + at % 3 - 1, was.y + at % 2};
    if (g->io.angle) g->io.angle[slot] = angle;
    uint8_t mask = CL_EVENT_EVENTS;
    if (at % 2) cl_world_set_event_mask(g->world, slot, mask, mask);
  }
  CHECK(cl_world_begin_step(g->world, g->told) == CL_OK);
  CHECK(cl_pools_begin_step(g->pools, 0.125) == CL_OK);
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  tell(g, seed);
}

static void fill(game *g, const play *p) {
  for (int i = test_int(1, ACTORS); i > 0; i--) {
    bool tiles = test_int(0, 5) == 0;
    place at = play_place();
    cl_actor_def def = {.shape = p->shape[tiles ? PLAY_TILES : test_int(0, PLAY_TILES - 1)],
                        .x = at.x,
                        .y = at.y,
                        .angle = tiles ? 0 : at.angle,
                        .group = (uint8_t)test_int(0, GROUPS - 1),
                        .fixed = tiles || test_int(0, 4) == 0};
    uint32_t slot;
    CHECK(cl_world_add(g->world, &def, &slot) == CL_OK);
    cl_world_set_event_mask(g->world, slot, CL_EVENT_EVENTS, CL_EVENT_EVENTS);
  }
  for (int i = test_int(0, 2 * BULLETS - 2); i > 0; i--) {
    place at = play_place();
    cl_vec a = {test_int(0, 3) ? 0 : 3, 0};
    cl_bullets *pool = g->pool[i % 2];
    cl_vec v = {test_int(-40, 40), 9};
    uint64_t number = cl_bullets_spawn(pool, (cl_vec){at.x, at.y}, v, a, i);
    if (number == 0 || test_int(0, 2) > 0) continue;
    CHECK(cl_bullets_reserve_lengths(pool) == CL_OK);
    cl_bullets_lengthen(pool, number, test_int(1, 9), (cl_vec){1, 0});
  }
  const double xy[] = {3, 4, 20, 10, 8, 22};
  cl_laser_def laser = {
      .xy = xy, .count = (uint32_t)test_int(1, 3), .width = 1.5, .lifetime = INFINITY};
  uint64_t number;
  CHECK(cl_bullets_spawn_laser(g->pool[test_int(0, 1)], &laser, &number) == CL_OK);
  cl_world_set_rule(g->world, 1, 3, CL_HITS_FIRST);
  if (test_int(0, 1)) cl_world_set_rule(g->world, 0, CL_MAX_GROUPS, CL_HITS_NONE);
}

// A few steps, with some actors removed or moved in between.
static void live(game *g) {
  for (int i = test_int(0, 5); i > 0; i--) {
    step(g, i);
    uint32_t slot = (uint32_t)test_int(0, (int)g->io.slots - 1);
    if (!cl_world_has(g->world, slot)) continue;
    if (test_int(0, 3) == 0) cl_world_remove(g->world, slot, g->told);
    else if (test_int(0, 1) && !(g->io.state[slot] & CL_STATIC)) {
      CHECK(cl_world_move_to(g->world, slot, (cl_vec){5, 5}, 0) == CL_OK);
    }
  }
}

typedef struct saved {
  cl_snapshot *world;
  cl_bullets_snapshot *pools;
} saved;

static saved new_saved(void) {
  cl_alloc alloc = cl_alloc_default();
  return (saved){cl_snapshot_new(&alloc), cl_bullets_snapshot_new(&alloc)};
}

static void free_saved(saved *s) {
  cl_snapshot_free(s->world);
  cl_bullets_snapshot_free(s->pools);
}

static void take(const game *g, saved *s) {
  CHECK(cl_pools_snapshot(g->pools, s->pools) == CL_OK);
  CHECK(cl_world_snapshot(g->world, g->told, s->world) == CL_OK);
}

static const uint8_t same_groups[GROUPS] = {0, 1, 2, 3, 4};

static void write(const saved *s, cl_archive *w) {
  uint32_t number[256];
  size_t end[CL_PACK_PARTS];
  cl_snapshot_number(s->world, number);
  *w = (cl_archive){.alloc = cl_alloc_default(), .number = number};
  CHECK(cl_snapshot_archive(w, s->world, GROUPS, same_groups, end) == CL_OK);
  CHECK(cl_bullets_snapshot_archive(w, s->pools, s->world) == CL_OK);
}

// Whether bytes are a snapshot; if so, reads it.
static bool read(const uint8_t *at, size_t count, saved *s) {
  cl_archive r = {.reading = true, .next = at, .left = count};
  size_t end[CL_PACK_PARTS];
  if (cl_snapshot_archive(&r, s->world, GROUPS, NULL, end) != CL_OK) return false;
  return cl_bullets_snapshot_archive(&r, s->pools, s->world) == CL_OK && r.left == 0;
}

// Gives it the shapes with the bounds in it, and the pools.
static bool complete(const play *p, saved *s) {
  uint32_t slots = s->world->roster->count, slot;
  cl_shape **shape = calloc(slots + 1, sizeof *shape);
  for (slot = 0; slot < slots; slot++) {
    cl_bounds b = s->world->bounds[slot];
    for (int i = 0; i < PLAY_SHAPES && cl_snapshot_has(s->world, slot); i++) {
      if (!memcmp(&p->shape[i]->bounds, &b, sizeof b) || !shape[slot]) shape[slot] = p->shape[i];
    }
  }
  bool right = cl_bullets_snapshot_pools(s->pools) == POOLS;
  for (uint32_t i = 0; i < POOLS && right; i++) {
    right = cl_bullets_snapshot_set_pool(s->pools, i, &pool_def[i]) == CL_OK;
  }
  right = right && cl_snapshot_set_shapes(s->world, shape, &slot) == CL_OK;
  if (right) cl_snapshot_set_groups(s->world, GROUPS, same_groups);
  free(shape);
  return right;
}

static void restore(game *g, const saved *s) {
  CHECK(cl_pools_restore_reserve(g->pools, s->pools, g->pool) == CL_OK);
  CHECK(cl_world_restore(g->world, s->world, &g->told) == CL_OK);
  cl_pools_restore(g->pools, s->pools, g->pool);
  CHECK(cl_world_is_valid(g->world) && cl_pools_are_valid(g->pools));
}

static void packs_come_back_the_same(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  for (long i = 0, n = test_rounds(400); i < n && test_errors == 0; i++) {
    bool touching = test_int(0, 1);
    game g, h;
    open_game(&g, touching);
    open_game(&h, touching);
    fill(&g, &p);
    live(&g);
    fill(&h, &p);
    saved s = new_saved(), back = new_saved(), again = new_saved();
    cl_archive w, v;
    take(&g, &s);
    write(&s, &w);
    CHECK(read(w.at, w.count, &back) && complete(&p, &back));
    if (test_errors > 0) break;
    restore(&h, &back);
    CHECK(cl_pools_hash(g.pools) == cl_pools_hash(h.pools));
    take(&h, &again);
    write(&again, &v);
    CHECK(v.count == w.count && !memcmp(v.at, w.at, v.count));
    for (int k = 0; k < STEPS; k++) {
      step(&g, k);
      step(&h, k);
      CHECK(cl_pools_hash(g.pools) == cl_pools_hash(h.pools));
    }
    cl_free(&w.alloc, w.at, w.cap);
    cl_free(&v.alloc, v.at, v.cap);
    close_game(&g);
    close_game(&h);
    free_saved(&s);
    free_saved(&back);
    free_saved(&again);
  }
  play_close(&p);
}

static void numbers_are_unique(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  const double xy[] = {3, 4, 20, 10};
  cl_laser_def laser = {.xy = xy, .count = 2, .width = 1.5, .lifetime = INFINITY};
  uint64_t number;
  for (int twice = 0; twice < 3; twice++) {
    game g;
    open_game(&g, false);
    for (int i = 0; i < POOLS; i++) {
      cl_bullets_spawn(g.pool[i], (cl_vec){9, 9}, (cl_vec){1, 0}, (cl_vec){0, 0}, 0);
    }
    CHECK(cl_bullets_spawn_laser(g.pool[0], &laser, &number) == CL_OK);
    saved s = new_saved(), back = new_saved();
    cl_archive w;
    take(&g, &s);
    cl_bullets **pool = s.pools->kept.at;
    if (twice == 1) pool[0]->laser[0].number = 1;
    if (twice == 2) pool[1]->number[0] = 1;
    write(&s, &w);
    CHECK(read(w.at, w.count, &back) == (twice == 0));
    cl_free(&w.alloc, w.at, w.cap);
    close_game(&g);
    free_saved(&s);
    free_saved(&back);
  }
  play_close(&p);
}

static void shots_are_within_the_step(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  const struct {
    double t;
    bool right;
  } cases[] = {{0, true}, {1, true}, {-0.5, false}, {1.5, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    game g;
    open_game(&g, false);
    cl_actor_def def = {.shape = p.shape[0], .x = 9, .y = 9, .group = 1};
    uint32_t slot;
    CHECK(cl_world_add(g.world, &def, &slot) == CL_OK);
    cl_bullets_spawn(g.pool[1], (cl_vec){9, 9}, (cl_vec){1, 0}, (cl_vec){0, 0}, 0);
    CHECK(cl_world_begin_step(g.world, g.told) == CL_OK);
    CHECK(cl_pools_begin_step(g.pools, 0.125) == CL_OK);
    cl_world_end_step(g.world);
    cl_pools_end_step(g.pools);
    saved s = new_saved(), back = new_saved();
    cl_archive w;
    take(&g, &s);
    REQUIRE(s.pools->kept.shots.count == 1);
    s.pools->kept.shots.at[0].t = cases[i].t;
    write(&s, &w);
    CHECK_MSG(read(w.at, w.count, &back) == cases[i].right, "at %g", cases[i].t);
    cl_free(&w.alloc, w.at, w.cap);
    close_game(&g);
    free_saved(&s);
    free_saved(&back);
  }
  play_close(&p);
}

// A game in the dispatch of a step's last hit: in the first pool two bullets home to the actor in
// slot 1, with plans that have cut the step; one of them hits the actor in slot 0. The second pool
// has a laser. The actor in slot 2 meets nothing.
static void open_plans(game *g, const play *p) {
  open_game(g, false);
  cl_alloc alloc = cl_alloc_default();
  const cl_plan_entry entry[] = {{.at = 0.03, .speed = 80, .sets = CL_PLAN_SPEED},
                                 {.at = 0.06, .speed = 40, .sets = CL_PLAN_SPEED}};
  const double y[] = {0, 40, -40};
  uint32_t slot;
  for (int i = 0; i < 3; i++) {
    cl_actor_def def = {.shape = p->shape[0], .x = 30 + 9 * i, .y = y[i], .group = 3};
    CHECK(cl_world_add(g->world, &def, &slot) == CL_OK);
  }
  cl_plan *plan;
  CHECK(cl_bullets_reserve_steering(g->pool[0]) == CL_OK);
  CHECK(cl_bullets_reserve_plans(g->pool[0]) == CL_OK);
  CHECK(cl_plan_new(&alloc, entry, 2, &plan) == CL_OK);
  const cl_steering steering = {.turn_rate = 0.5, .max_speed = 900, .home = 1, .homes = true};
  for (int i = 0; i < 2; i++) {
    cl_vec at = {30 - 4 * (i + 1), 60 * i};
    uint64_t number = cl_bullets_spawn(g->pool[0], at, (cl_vec){80, 0}, (cl_vec){0, 0}, i);
    cl_bullets_steer(g->pool[0], number, &steering);
    cl_bullets_plan(g->pool[0], number, plan);
  }
  cl_plan_release(plan);
  const double xy[] = {0, -30, 9, -30};
  const cl_laser_def laser = {.xy = xy, .count = 2, .width = 1, .lifetime = INFINITY};
  uint64_t number;
  cl_shot shot;
  CHECK(cl_bullets_spawn_laser(g->pool[1], &laser, &number) == CL_OK);
  CHECK(cl_world_begin_step(g->world, g->told) == CL_OK);
  CHECK(cl_pools_begin_step(g->pools, 0.125) == CL_OK);
  cl_world_end_step(g->world);
  cl_pools_end_step(g->pools);
  do {
    CHECK(cl_pools_next_shot(g->pools, &shot));
  } while (shot.kind != CL_SHOT_HIT && test_errors == 0);
}

// Writes it with `as` in place of the number of the actor in a slot, among the pools. Returns
// whether the pools can be written.
static bool write_as(const saved *s, uint32_t slot, uint32_t as, cl_archive *w) {
  uint32_t number[256];
  size_t end[CL_PACK_PARTS];
  cl_snapshot_number(s->world, number);
  *w = (cl_archive){.alloc = cl_alloc_default(), .number = number};
  CHECK(cl_snapshot_archive(w, s->world, GROUPS, same_groups, end) == CL_OK);
  number[slot] = as;
  return cl_bullets_snapshot_archive(w, s->pools, s->world) == CL_OK;
}

// Whether it can be written, with another number for a slot, and read.
static bool survives_as(const saved *s, uint32_t slot, uint32_t as) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  saved back = {cl_snapshot_new(&alloc), cl_bullets_snapshot_new(&alloc)};
  cl_archive w;
  bool right = write_as(s, slot, as, &w) && read(w.at, w.count, &back);
  CHECK(right || back.pools->kept.count == 0);
  cl_free(&w.alloc, w.at, w.cap);
  free_saved(&back);
  CHECK_HEAP_EMPTY(h);
  return right;
}

static bool survives(const saved *s) { return survives_as(s, 2, 2); }

static void values_out_of_range_are_refused(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  game g;
  open_plans(&g, &p);
  saved s = new_saved();
  take(&g, &s);
  cl_pools *kept = &s.pools->kept;
  REQUIRE(kept->dispatching && kept->moment.active && kept->legs.count == 6);
  cl_bullets *pool = kept->at[0], *other = kept->at[1];
  REQUIRE(pool->used == 2 && pool->plot[1].plan && other->lasers == 1 && kept->met.count > 0);
  const double odd[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    BREAKS(survives(&s), pool->x[1], odd[i]);
    BREAKS(survives(&s), pool->vy[1], odd[i]);
    BREAKS(survives(&s), pool->age[1], odd[i]);
    BREAKS(survives(&s), other->laser[0].at.x, odd[i]);
    BREAKS(survives(&s), kept->legs.at[2].to.y, odd[i]);
    BREAKS(survives(&s), kept->moment.vx, odd[i]);
  }
  BREAKS(survives(&s), pool->age[1], -1);
  BREAKS(survives(&s), pool->age[1], pool->age[0] + 1);
  BREAKS(survives(&s), pool->radius[1], 0);
  BREAKS(survives(&s), pool->tag[1], 0.5);
  BREAKS(survives(&s), pool->number[1], 0);
  BREAKS(survives(&s), other->laser[0].number, kept->last + 1);
  BREAKS(survives(&s), pool->steers[1], 4);
  BREAKS(survives(&s), pool->steers[1], 0); // though it has a home
  BREAKS(survives(&s), pool->course[1].turn_rate, -1);
  BREAKS(survives(&s), pool->course[1].turn_rate, -2 * CL_MAX_ANGLE);
  BREAKS(survives(&s), pool->course[1].min_speed, 901);
  BREAKS(survives(&s), pool->plot[1].stage, CL_MAX_PLAN + 1);
  BREAKS(survives(&s), pool->def.capacity, 1);
  BREAKS(survives(&s), other->def.capacity, 0);
  BREAKS(survives(&s), kept->current.pool, 2);
  BREAKS(survives(&s), kept->current.other_pool, 2);
  BREAKS(survives(&s), kept->current.kind, (cl_shot_kind)9);
  BREAKS(survives(&s), kept->moment.pool, 2);
  BREAKS(survives(&s), kept->legs.at[5].ends, 1.5);
  BREAKS(survives(&s), kept->legs.at[5].flying.stage, CL_MAX_PLAN + 1);
  BREAKS(survives(&s), kept->met.at[0].pool, 2);
  BREAKS(survives(&s), kept->met.at[0].flags, 0xff);
  BREAKS(survives(&s), kept->last, 1);
  close_game(&g);
  free_saved(&s);
  play_close(&p);
}

// The bytes of a number in a pack; returns how many.
static size_t bytes_of(double v, bool is_double, uint8_t out[8]) {
  uint64_t bits;
  if (is_double) memcpy(&bits, &v, sizeof v);
  else bits = (uint64_t)v;
  size_t size = is_double ? 8 : 4;
  for (size_t i = 0; i < size; i++) out[i] = (uint8_t)(bits >> 8 * i);
  return size;
}

// Entries are checked when they are written, too, so these are changed in the pack.
static void plans_out_of_range_are_refused(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  game g;
  open_plans(&g, &p);
  saved s = new_saved(), back = new_saved();
  take(&g, &s);
  cl_plan_entry *e = &s.pools->kept.at[0]->plot[0].plan->entry[1];
  *e = (cl_plan_entry){0.0612, 101, 102, 1.03, 104, 105, 106, 1.07, 1.08, 109, 2047};
  const struct {
    double was, is;
    bool right;
  } cases[] = {
      {e->at, 0.03, true},      {e->at, 0.02, false},    {e->at, NAN, false},
      {e->at, INFINITY, false}, {e->vx, NAN, false},     {e->vx, -1e300, true},
      {e->vy, INFINITY, false}, {e->speed, NAN, false},  {e->ax, -INFINITY, false},
      {e->ay, NAN, false},      {e->angle, 7, true},     {e->angle, -2 * CL_MAX_ANGLE, false},
      {e->angle, NAN, false},   {e->turn_rate, 7, true}, {e->turn_rate, 2 * CL_MAX_ANGLE, false},
      {e->radius, 9, true},     {e->radius, 0, false},   {e->radius, NAN, false},
      {e->tag, -7, true},       {e->tag, 0.5, false},    {e->tag, 2 * CL_ALL_DISPATCHED, false},
      {e->sets, 8191, true},    {e->sets, 8192, false},  {e->radius, 2 * CL_MAX_COORD, false},
  };
  cl_archive w;
  write(&s, &w);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint8_t was[8], is[8];
    bool is_double = cases[i].was != e->sets;
    size_t size = bytes_of(cases[i].was, is_double, was), at = 0, found = 0;
    bytes_of(cases[i].is, is_double, is);
    for (size_t k = 0; k + size <= w.count; k++)
      if (memcmp(w.at + k, was, size) == 0) at = k, found++;
    REQUIRE(found == 1);
    memcpy(w.at + at, is, size);
    bool right = read(w.at, w.count, &back);
    CHECK_MSG(right == cases[i].right, "%g in place of %g", cases[i].is, cases[i].was);
    memcpy(w.at + at, was, size);
  }
  CHECK(read(w.at, w.count, &back));
  cl_free(&w.alloc, w.at, w.cap);
  close_game(&g);
  free_saved(&s);
  free_saved(&back);
  play_close(&p);
}

static void actors_that_are_not_there_are_refused(void) {
  play p = {.alloc = cl_alloc_default()};
  REQUIRE(play_open(&p));
  game g;
  open_plans(&g, &p);
  saved s = new_saved();
  take(&g, &s);
  cl_pools *kept = &s.pools->kept;
  CHECK(survives_as(&s, 2, 99)); // nothing names it
  for (uint32_t slot = 0; slot < 2; slot++) {
    CHECK(survives_as(&s, slot, 2) && !survives_as(&s, slot, 3) && !survives_as(&s, slot, 99));
  }
  // Of the actors only the leg's home is left, then only the memory, then only the present shot.
  for (int i = 0; i < 2; i++) kept->at[0]->course[i].home = CL_SHOT_NOBODY;
  CHECK(survives_as(&s, 1, 2) && !survives_as(&s, 1, 3));
  for (int i = 0; i < 6; i++) kept->legs.at[i].flying.course.home = CL_SHOT_NOBODY;
  CHECK(survives_as(&s, 1, 3) && !survives_as(&s, 0, 3));
  kept->met.count = 0;
  CHECK(survives_as(&s, 0, 2) && !survives_as(&s, 0, 3));
  kept->dispatching = false;
  CHECK(survives_as(&s, 0, 3));
  close_game(&g);
  free_saved(&s);
  play_close(&p);
}

static void damage(uint8_t *at, size_t *count) {
  static const double odd[] = {0, -1, 1e300, 1e12, 2e12, 0.5, 3, -INFINITY, INFINITY, 1e-320};
  size_t where = (size_t)(test_bits() % *count);
  int how = test_int(0, 9);
  if (how < 4) {
    for (int i = test_int(1, 3); i > 0; i--) {
      at[test_bits() % *count] ^= (uint8_t)(1 << test_int(0, 7));
    }
  } else if (how < 5) {
    *count = where;
  } else if (how < 6) {
    for (size_t i = where; i < *count; i++) at[i] = (uint8_t)test_bits();
  } else if (how < 8) {
    at[where] = (uint8_t)(test_int(0, 1) ? test_int(0, 3) : 255);
  } else if (where + 8 <= *count) {
    memcpy(at + where, &odd[test_int(0, 9)], 8);
  }
}

static void damaged_packs_do_no_harm(void) {
  play p = {.alloc = cl_alloc_default()};
  long refused = 0, restored = 0;
  REQUIRE(play_open(&p));
  for (long i = 0, n = test_rounds(400); i < n && test_errors == 0; i++) {
    game g;
    open_game(&g, false);
    fill(&g, &p);
    live(&g);
    saved s = new_saved(), back = new_saved();
    cl_archive w;
    take(&g, &s);
    write(&s, &w);
    uint8_t *bytes = malloc(w.count);
    for (int k = 0; k < 25; k++) {
      size_t count = w.count;
      memcpy(bytes, w.at, count);
      damage(bytes, &count);
      if (!read(bytes, count, &back) || back.world->touching || !complete(&p, &back)) {
        refused++;
        continue;
      }
      restored++;
      restore(&g, &back);
      for (int m = 0; m < 2; m++) {
        step(&g, m);
        CHECK(cl_world_is_valid(g.world) && cl_pools_are_valid(g.pools));
      }
    }
    free(bytes);
    cl_free(&w.alloc, w.at, w.cap);
    close_game(&g);
    free_saved(&s);
    free_saved(&back);
  }
  CHECK_MSG(refused > test_rounds(1000) && restored > test_rounds(500), "%ld refused, %ld restored",
            refused, restored);
  play_close(&p);
}

int main(void) {
  RUN(packs_come_back_the_same);
  RUN(numbers_are_unique);
  RUN(shots_are_within_the_step);
  RUN(values_out_of_range_are_refused);
  RUN(plans_out_of_range_are_refused);
  RUN(actors_that_are_not_there_are_refused);
  RUN(damaged_packs_do_no_harm);
  return test_end();
}
