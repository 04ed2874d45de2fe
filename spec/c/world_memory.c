// collide, MIT licence (see LICENSE)
//
// A world that runs out of memory: every call that can fail succeeds or changes nothing. Two worlds
// with the same play, one of which fails again and again, are equal at every comparison.

#include "world_play.h"

typedef struct twin {
  heap heap;
  cl_io io;
  cl_world *world;
} twin;

// `poor` runs out of memory: one request in three fails, or with `one_by_one` each request of a
// call fails once, beginning with the first.
typedef struct pair_of_worlds {
  twin rich, poor;
  bool one_by_one;
  long allowed;
  uint8_t heard; // CL_EVENT_ bits that actors may have
  play play;
  double told;
  long steps_failed, adds_failed, turns_failed, answers_failed, queries_failed, moves, reclaims;
  long namings_failed;
} pair_of_worlds;

// Called before each try of a call in the poor world; tries are counted from 0.
static void limit(pair_of_worlds *w, long tries) {
  w->poor.heap.one_in = w->one_by_one ? 0 : 3;
  w->poor.heap.allowed = w->one_by_one ? tries : -1;
}

static void unlimited(pair_of_worlds *w) {
  w->poor.heap.one_in = 0;
  w->poor.heap.allowed = -1;
}

static bool same_hits(const twin *p, const twin *q, size_t count) {
  for (size_t k = 0; k < count; k++) {
    cl_pair a, b;
    cl_hit x, y;
    if (cl_world_hit(p->world, k, &a, &x) != cl_world_hit(q->world, k, &b, &y)) return false;
    if (a.a != b.a || a.b != b.b || memcmp(&x, &y, sizeof x) != 0) return false;
  }
  return true;
}

static bool same_events(const twin *p, const twin *q) {
  if (p->io.events != q->io.events) return false;
  for (uint32_t i = 0; i < p->io.events; i++) {
    cl_event a = cl_event_of(&p->io, i), b = cl_event_of(&q->io, i);
    if (a.a != b.a || a.b != b.b || a.calls != b.calls) return false;
    if (a.nx != b.nx || a.ny != b.ny || a.depth != b.depth || a.t != b.t) return false;
  }
  return true;
}

static bool same_actors(const twin *p, const twin *q) {
  if (p->io.slots != q->io.slots) return false;
  for (uint32_t slot = 0; slot < p->io.slots; slot++) {
    if (p->io.state[slot] != q->io.state[slot]) return false;
    if (cl_world_group(p->world, slot) != cl_world_group(q->world, slot)) return false;
  }
  uint32_t a, b;
  const int32_t *moved = cl_world_moved(p->world, &a), *too = cl_world_moved(q->world, &b);
  if (a != b || (a > 0 && memcmp(moved, too, a * sizeof *moved) != 0)) return false;
  const uint32_t *released = cl_world_released(p->world, &a);
  const uint32_t *also = cl_world_released(q->world, &b);
  if (a != b || (a > 0 && memcmp(released, also, a * sizeof *released) != 0)) return false;
  const cl_pairs *named = &p->world->ignored, *names = &q->world->ignored;
  size_t size = names->count * sizeof *names->at;
  return named->count == names->count && (size == 0 || memcmp(named->at, names->at, size) == 0);
}

static bool same_hits_of(const twin *p, const twin *q) {
  for (uint32_t slot = 0; slot < p->io.slots; slot++) {
    size_t a, b;
    if (!(p->io.state[slot] & CL_LIVE)) continue;
    if (cl_world_hits_of(p->world, slot, &a) || cl_world_hits_of(q->world, slot, &b)) return false;
    for (size_t k = 0; k < a && a == b; k++) {
      if (cl_world_hit_of(p->world, slot, k) != cl_world_hit_of(q->world, slot, k)) return false;
    }
    if (a != b) return false;
  }
  return true;
}

static bool same_candidates(const twin *p, const twin *q) {
  const cl_pair *x, *y;
  size_t a, b;
  cl_world_candidates(p->world, &x, &a);
  cl_world_candidates(q->world, &y, &b);
  return a == b && (a == 0 || memcmp(x, y, a * sizeof *x) == 0);
}

typedef struct question {
  enum { AT_POINT, AT_SHAPE, NEAREST, FIRST_ON_RAY, ALL_ON_RAY, CAST } what;
  place at, to;
  cl_placed with;
  uint64_t groups;
  uint32_t ignored[2];
  size_t ignored_count;
} question;

static question any_question(const pair_of_worlds *w) {
  place at = play_place(), to = play_place();
  const cl_shape *shape = w->play.shape[test_int(0, PLAY_TILES - 1)]; // tiles are not cast
  uint64_t groups = test_int(0, 3) ? UINT64_MAX : test_bits();
  uint32_t first = (uint32_t)test_int(0, 20), second = first + (uint32_t)test_int(0, 20);
  return (question){test_int(AT_POINT, CAST),
                    at,
                    to,
                    cl_place(shape, at.x, at.y, at.angle),
                    groups,
                    {first, second},
                    (size_t)(test_int(0, 3) ? 0 : test_int(1, 2))};
}

static cl_status query(const twin *t, const question *q, cl_answers *out) {
  bool all = q->what == ALL_ON_RAY;
  cl_path way = {q->at.x, q->at.y, q->to.x, q->to.y, q->what == CAST ? &q->with : NULL};
  cl_filter filter = {q->groups, q->ignored, q->ignored_count};
  switch (q->what) {
  case AT_POINT: return cl_world_query_point(t->world, q->at.x, q->at.y, filter, out);
  case AT_SHAPE: return cl_world_query_shape(t->world, &q->with, filter, out);
  case NEAREST: return cl_world_nearest(t->world, q->at.x, q->at.y, 3, filter, out);
  default: return cl_world_cast(t->world, &way, all, filter, out);
  }
}

static bool same_answers(const twin *p, const twin *q, const question *what) {
  cl_answers a, b;
  if (query(p, what, &a) != CL_OK || query(q, what, &b) != CL_OK) return false;
  bool same = a.count == b.count;
  for (size_t i = 0; same && i < a.count; i++) {
    const cl_answer *x = &a.at[i], *y = &b.at[i];
    same = x->slot == y->slot && (what->what != NEAREST || x->distance == y->distance) &&
           (what->what < FIRST_ON_RAY || memcmp(&x->cast, &y->cast, sizeof x->cast) == 0);
  }
  return same;
}

static void compare(pair_of_worlds *w) {
  twin *p = &w->poor, *q = &w->rich;
  unlimited(w);
  cl_counts a = cl_world_counts(p->world), b = cl_world_counts(q->world);
  CHECK(a.actors == b.actors && a.hits == b.hits);
  CHECK(a.candidates == b.candidates);
  CHECK(a.hits == b.hits && same_hits(p, q, a.hits));
  CHECK(same_events(p, q));
  CHECK(same_actors(p, q));
  CHECK(cl_world_hash(p->world) == cl_world_hash(q->world));
  CHECK(cl_world_is_valid(p->world) && cl_world_is_valid(q->world));
  if (test_int(0, 3) == 0) CHECK(same_hits_of(p, q));
  if (test_int(0, 3) == 0) CHECK(same_candidates(p, q));
  question what = any_question(w);
  CHECK_MSG(same_answers(p, q, &what), "question %d", (int)what.what);
  CHECK(p->heap.mistakes == 0 && q->heap.mistakes == 0);
}

static void add(pair_of_worlds *w) {
  member m = play_member(&w->play);
  cl_actor_def def = actor_def(&m);
  uint32_t slot, references = def.shape->references;
  bool moved = cl_world_reclaim(w->rich.world);
  for (long tries = 0; cl_world_reclaim(w->poor.world) != moved; tries++) limit(w, tries);
  w->reclaims += moved;
  for (long tries = 0;; tries++) {
    limit(w, tries);
    slot = 12345;
    if (cl_world_add(w->poor.world, &def, &slot) == CL_OK) break;
    w->adds_failed++;
    CHECK(def.shape->references == references && slot == 12345);
    compare(w);
  }
  uint32_t too = 0;
  CHECK(cl_world_add(w->rich.world, &def, &too) == CL_OK && too == slot);
  CHECK(def.shape->references == references + 2);
}

// A live slot, or the number of slots.
static uint32_t any_slot(const pair_of_worlds *w) {
  const cl_io *io = &w->rich.io;
  if (io->slots == 0) return 0;
  uint32_t from = (uint32_t)test_int(0, (int)io->slots - 1);
  for (uint32_t n = 0; n < io->slots; n++) {
    uint32_t slot = (from + n) % io->slots;
    if (io->state[slot] & CL_LIVE) return slot;
  }
  return io->slots;
}

static void remove_one(pair_of_worlds *w) {
  uint32_t slot = any_slot(w);
  if (slot == w->rich.io.slots) return;
  limit(w, 0); // neither of these needs memory
  bool named = cl_world_remove(w->poor.world, slot, w->told);
  CHECK(cl_world_remove(w->rich.world, slot, w->told) == named);
}

static void refresh_one(pair_of_worlds *w) {
  uint32_t slot = any_slot(w);
  if (slot == w->rich.io.slots) return;
  member m = play_member(&w->play);
  cl_actor_def def = actor_def(&m);
  if (!w->rich.io.angle) def.angle = 0;
  limit(w, 0);
  cl_world_refresh(w->poor.world, slot, &def);
  cl_world_refresh(w->rich.world, slot, &def);
}

// Two actors get new lists of ignored ones, some of which are in them twice.
static void ignore_some(pair_of_worlds *w) {
  uint32_t slot[2] = {any_slot(w), any_slot(w)};
  cl_pair pair[8], same[8];
  size_t count = 0, namers = slot[0] < slot[1] ? 2 : 1;
  if (slot[0] == w->rich.io.slots) return;
  for (int i = test_int(0, 8); i > 0; i--) {
    pair[count] = (cl_pair){slot[test_int(0, 1)], any_slot(w)};
    count += pair[count].a != pair[count].b;
  }
  memcpy(same, pair, sizeof same);
  for (long tries = 0;; tries++) {
    limit(w, tries);
    if (cl_world_set_ignored(w->poor.world, slot, namers, pair, count) == CL_OK) break;
    w->namings_failed++;
    compare(w);
  }
  CHECK(cl_world_set_ignored(w->rich.world, slot, namers, same, count) == CL_OK);
}

static void set_masks_and_move(pair_of_worlds *w) {
  const cl_io *p = &w->poor.io, *q = &w->rich.io;
  for (uint32_t slot = 0; slot < q->slots; slot++) {
    if (!(q->state[slot] & CL_LIVE)) continue;
    uint8_t events = (uint8_t)(test_bits() & w->heard);
    if (cl_world_next_unread(w->rich.world, slot, CL_EVENT_EVENTS) == slot) {
      cl_world_set_event_mask(w->poor.world, slot, CL_EVENT_EVENTS, events);
      cl_world_set_event_mask(w->rich.world, slot, CL_EVENT_EVENTS, events);
    }
    if (q->state[slot] & CL_STATIC) continue;
    place at = play_place();
    p->place[slot] = q->place[slot] = (cl_vec){at.x, at.y};
    if (q->angle) p->angle[slot] = q->angle[slot] = at.angle;
  }
}

// The dispatch reaches some call, actors may be removed there, and it continues to a later call or
// to the end.
static void tell(pair_of_worlds *w) {
  double all = (double)w->rich.io.events * CL_CALL_NUMBERS;
  for (int i = test_int(0, 3); i > 0 && all > w->told; i--) {
    uint32_t e = (uint32_t)test_int((int)(w->told / CL_CALL_NUMBERS), (int)w->rich.io.events - 1);
    bool leave = e < w->rich.io.leaves;
    w->told = fmax(w->told, e * (double)CL_CALL_NUMBERS + test_int(1, leave ? 2 : 4));
    if (test_int(0, 1)) remove_one(w);
  }
  if (test_int(0, 1)) w->told = CL_ALL_DISPATCHED;
}

static void step(pair_of_worlds *w) {
  set_masks_and_move(w);
  for (long tries = 0;; tries++) {
    limit(w, tries);
    cl_status status = cl_world_step(w->poor.world, w->told);
    if (status == CL_OK) break;
    CHECK(status == CL_NOMEM);
    w->steps_failed++;
    compare(w);
    // Between two tries, other calls may be made.
    if (test_int(0, 5) == 0) refresh_one(w);
    if (test_int(0, 5) == 0) remove_one(w);
  }
  CHECK(cl_world_step(w->rich.world, w->told) == CL_OK);
  w->told = 0;
  uint32_t count;
  w->moves += cl_world_moved(w->rich.world, &count) != NULL;
  compare(w);
}

// A query without memory gives no answer.
static void ask(pair_of_worlds *w) {
  uint32_t slot = any_slot(w);
  size_t count = 4711;
  limit(w, 0);
  if (slot < w->poor.io.slots && cl_world_hits_of(w->poor.world, slot, &count) != CL_OK) {
    w->answers_failed++;
    CHECK(count == 4711);
  }
  question what = any_question(w);
  cl_answers none = {NULL, 4711};
  limit(w, test_int(0, 4));
  if (query(&w->poor, &what, &none) != CL_OK) {
    w->queries_failed++;
    CHECK(none.count == 4711 && !none.at);
  }
  compare(w);
}

static bool open_twins(pair_of_worlds *w) {
  host like = {0};
  cl_world_def def = random_world_def(&like);
  w->rich.heap = heap_new();
  w->poor.heap = heap_new();
  w->told = CL_ALL_DISPATCHED;
  def.alloc = heap_alloc(&w->rich.heap);
  w->rich.world = cl_world_new(&def, &w->rich.io);
  def.alloc = heap_alloc(&w->poor.heap);
  for (long tries = 0; tries < 1000; tries++) {
    limit(w, tries);
    w->poor.world = cl_world_new(&def, &w->poor.io);
    if (w->poor.world) return true;
    CHECK(w->poor.heap.blocks == 0 && w->poor.heap.bytes == 0);
  }
  return false;
}

// Angles begin with the first actor that has one; here at any time.
static void turn(pair_of_worlds *w) {
  for (long tries = 0;; tries++) {
    limit(w, tries);
    if (cl_world_use_angles(w->poor.world) == CL_OK) break;
    CHECK(!w->poor.io.angle);
    w->turns_failed++;
    compare(w);
  }
  CHECK(cl_world_use_angles(w->rich.world) == CL_OK && w->rich.io.angle);
  compare(w);
}

static void play_twins(pair_of_worlds *w, int steps) {
  REQUIRE(open_twins(w));
  compare(w);
  int crowd = test_int(1, 80);
  w->play.swept = test_int(0, 4) ? 0 : 8;
  if (test_int(0, 9) == 0) turn(w);
  int quiet = test_int(0, 1) ? test_int(1, steps) : 0;
  for (int i = 0; i < steps && test_errors == 0; i++) {
    w->heard = i < quiet ? CL_EVENT_HIT | CL_EVENT_UPDATE : CL_EVENT_EVENTS | CL_EVENT_UPDATE;
    for (int n = 0; n < 4; n++) {
      int what = test_int(0, 9);
      if (what < 3) remove_one(w);
      else if (what < 5) refresh_one(w);
      else if (what < 6) ignore_some(w);
      else ask(w);
    }
    while (cl_world_counts(w->rich.world).actors < (uint32_t)crowd) add(w);
    if (test_int(0, 9) == 0) crowd = test_int(1, 80);
    while (cl_world_counts(w->rich.world).actors > (uint32_t)crowd) remove_one(w);
    compare(w);
    if (test_int(0, 4) == 0) turn(w);
    step(w);
    tell(w);
  }
  cl_world_free(w->rich.world);
  cl_world_free(w->poor.world);
  CHECK_HEAP_EMPTY(w->rich.heap);
  CHECK_HEAP_EMPTY(w->poor.heap);
}

static void many_twins(bool one_by_one, long plays, int steps) {
  pair_of_worlds *w = calloc(1, sizeof *w);
  REQUIRE(w);
  w->one_by_one = one_by_one;
  w->play.alloc = cl_alloc_default();
  REQUIRE(play_open(&w->play));
  for (long i = 0; i < plays && test_errors == 0; i++) {
    uint64_t seed = test_bits();
    test_state = seed;
    play_twins(w, steps);
    CHECK_MSG(test_errors == 0, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  CHECK(w->steps_failed > plays && w->adds_failed > 0 && w->turns_failed > 0 &&
        w->answers_failed > 0 && w->queries_failed > 0 && w->moves > 0 && w->namings_failed > 0);
  play_close(&w->play);
  free(w);
}

static void one_request_in_three_fails(void) { many_twins(false, test_rounds(500), 30); }

static void each_request_fails_once(void) { many_twins(true, test_rounds(500), 30); }

// A world of `count` actors in a row that overlap their neighbours, without those whose number is
// not a multiple of `every`.
static cl_world *row_world(cl_io *io, cl_shape *shape, int count, int every) {
  cl_world *world =
      cl_world_new(&(cl_world_def){.alloc = cl_alloc_default(), .broad = &cl_broad_grid}, io);
  for (int i = 0; world && i < count; i += every) {
    cl_actor_def def = {.shape = shape, .x = i, .y = i % 3, .fixed = i % 5 == 0};
    uint32_t slot;
    CHECK(cl_world_add(world, &def, &slot) == CL_OK);
    io->place[slot] = (cl_vec){def.x, def.y};
  }
  return world;
}

static size_t count_at(cl_world *world, double x, double y) {
  cl_filter all = {UINT64_MAX, NULL, 0};
  cl_answers found = {0};
  CHECK(cl_world_query_point(world, x, y, all, &found) == CL_OK);
  return found.count;
}

// After slots were reclaimed, a host may run out of memory before it adds an actor: then slots have
// moved, and nothing else has changed.
static void reclaiming_changes_nothing_else(void) {
  enum { EVERY = 4, MOST = 120 };
  cl_alloc alloc = cl_alloc_default();
  cl_shape *shape = NULL;
  REQUIRE(cl_shape_circle(&alloc, 0, 0, 3, &shape) == CL_OK);
  int reclaims = 0;
  for (int n = 1; n <= MOST; n++) {
    cl_io io, like;
    cl_world *world = row_world(&io, shape, n, 1);
    REQUIRE(world);
    for (int i = 0; i < n; i++) {
      if (i % EVERY) cl_world_remove(world, (uint32_t)i, CL_ALL_DISPATCHED);
    }
    size_t found = count_at(world, n / 2, 1);
    if (cl_world_reclaim(world)) {
      reclaims++;
      cl_world *fresh = row_world(&like, shape, n, EVERY);
      REQUIRE(fresh);
      CHECK(io.slots == like.slots);
      if (n % 2) CHECK(count_at(world, n / 2, 1) == found);
      CHECK(cl_world_step(world, CL_ALL_DISPATCHED) == CL_OK);
      CHECK(cl_world_step(fresh, CL_ALL_DISPATCHED) == CL_OK);
      CHECK(cl_world_hash(world) == cl_world_hash(fresh));
      CHECK(cl_world_counts(world).hits == cl_world_counts(fresh).hits);
      cl_world_free(fresh);
    }
    cl_world_free(world);
  }
  CHECK(reclaims > 1);
  cl_shape_release(shape);
}

// Without memory to note where actors were, the hash of the step is computed before they change.
static void changes_keep_the_hash_of_the_step(void) {
  enum { ACTORS = 40 };
  cl_shape *box;
  const cl_alloc plain = cl_alloc_default();
  REQUIRE(cl_shape_rectangle(&plain, 0, 0, 10, 10, &box) == CL_OK);
  for (int noted = 0; noted <= ACTORS; noted++) {
    twin w[2] = {{.heap = heap_new()}, {.heap = heap_new()}};
    for (int k = 0; k < 2; k++) {
      const cl_world_def def = {.alloc = heap_alloc(&w[k].heap), .broad = &cl_broad_auto};
      w[k].world = cl_world_new(&def, &w[k].io);
      for (int i = 0; i < ACTORS; i++) {
        const cl_actor_def actor = {.shape = box, .x = 9 * i, .y = i};
        uint32_t slot;
        CHECK(cl_world_add(w[k].world, &actor, &slot) == CL_OK);
      }
      CHECK(cl_world_step(w[k].world, CL_ALL_DISPATCHED) == CL_OK);
    }
    for (uint32_t i = 0; i < ACTORS; i++) {
      if ((int)i == noted) w[1].heap.allowed = 0;
      cl_world_put(w[1].world, i, (cl_vec){1000, -9.0 * i}, 0);
    }
    CHECK(noted == ACTORS || w[1].heap.refused > 0 || noted > 16);
    w[1].heap.allowed = -1;
    CHECK_MSG(cl_world_hash(w[1].world) == cl_world_hash(w[0].world), "after %d notes", noted);
    CHECK(cl_world_step(w[1].world, CL_ALL_DISPATCHED) == CL_OK);
    CHECK(cl_world_hash(w[1].world) != cl_world_hash(w[0].world));
    for (int k = 0; k < 2; k++) {
      cl_world_free(w[k].world);
      CHECK_HEAP_EMPTY(w[k].heap);
    }
  }
  cl_shape_release(box);
}

// A circle that rolls down a triangle onto a map, and pushes a box.
static cl_world *open_slope(cl_io *io, heap *h) {
  const cl_alloc plain = cl_alloc_default();
  const cl_world_def def = {.alloc = heap_alloc(h), .broad = &cl_broad_auto};
  cl_world *world = cl_world_new(&def, io);
  cl_shape *shape[4];
  cl_grid *grid;
  cl_fault fault;
  const double slope[] = {-20, 10, 20, 30, -20, 30};
  const int64_t size[] = {20, 2};
  const double cell[] = {10, 10}, origin[] = {10, 20};
  CHECK(cl_shape_circle(&plain, 0, 0, 5, &shape[0]) == CL_OK);
  CHECK(cl_shape_polygon(&plain, slope, 3, &fault, &shape[1]) == CL_OK);
  CHECK(cl_grid_new(&plain, 2, size, cell, origin, &grid) == CL_OK);
  for (int64_t column = 0; column < 20; column++) cl_grid_set(grid, (int64_t[]){column, 1, 0}, 1);
  CHECK(cl_shape_tiles(&plain, grid, NULL, 0, &shape[2]) == CL_OK);
  CHECK(cl_shape_rectangle(&plain, 0, 0, 8, 8, &shape[3]) == CL_OK);
  for (int i = 0; i < 4; i++) {
    uint32_t slot;
    cl_actor_def actor = {.shape = shape[i], .fixed = i == 1 || i == 2};
    if (i == 3) actor.x = 50, actor.y = 22;
    CHECK(cl_world_add(world, &actor, &slot) == CL_OK);
    cl_shape_release(shape[i]);
  }
  cl_grid_release(grid);
  return world;
}

static cl_response push_boxes(void *context, const cl_move_ask *ask) {
  (void)context;
  return ask->other == 3 ? CL_RESPONSE_PUSH : CL_RESPONSE_SLIDE;
}

static cl_status move_down(cl_world *world, bool asks) {
  const cl_move_def def = {.slot = 0,
                           .dx = 80,
                           .dy = 60,
                           .filter = {.groups = UINT64_MAX},
                           .response = CL_RESPONSE_SLIDE,
                           .responder = asks ? push_boxes : NULL};
  return cl_world_move(world, &def);
}

static bool same_moves(const cl_world *a, const cl_world *b) {
  cl_move_result x = cl_world_move_result(a), y = cl_world_move_result(b);
  if (x.hits != y.hits || x.moves != y.moves) return false;
  for (size_t i = 0; i < x.moves; i++) {
    cl_vec p = x.moved[i].to, q = y.moved[i].to;
    if (x.moved[i].slot != y.moved[i].slot || p.x != q.x || p.y != q.y) return false;
  }
  for (size_t i = 0; i < x.hits; i++) {
    const cl_move_hit *p = &x.hit[i], *q = &y.hit[i];
    if (p->slot != q->slot || p->t != q->t || p->at.x != q->at.x || p->at.y != q->at.y)
      return false;
  }
  return true;
}

// The first move in a world needs memory for all of its lists.
static void moves_without_memory_change_nothing(void) {
  for (int asks = 0; asks < 2; asks++) {
    heap rich = heap_new();
    cl_io io, other;
    cl_world *like = open_slope(&other, &rich);
    CHECK(move_down(like, asks) == CL_OK);
    CHECK(cl_world_move_result(like).hits > 1);
    CHECK(cl_world_move_result(like).moves == (asks ? 2 : 1));
    cl_status status = CL_NOMEM;
    for (long allowed = 0; status != CL_OK; allowed++) {
      heap h = heap_new();
      cl_world *world = open_slope(&io, &h);
      h.allowed = allowed;
      status = move_down(world, asks);
      CHECK((status == CL_OK || status == CL_NOMEM) && allowed < 100);
      h.allowed = -1;
      CHECK(cl_world_is_valid(world));
      CHECK(io.place[0].x == 0 && io.place[0].y == 0 && io.place[3].x == 50);
      if (status != CL_OK) CHECK(move_down(world, asks) == CL_OK);
      CHECK_MSG(same_moves(world, like), "after %ld requests", allowed);
      cl_world_free(world);
      CHECK_HEAP_EMPTY(h);
      if (test_errors > 0) break;
    }
    cl_world_free(like);
    CHECK_HEAP_EMPTY(rich);
  }
}

int main(void) {
  RUN(reclaiming_changes_nothing_else);
  RUN(one_request_in_three_fails);
  RUN(each_request_fails_once);
  RUN(changes_keep_the_hash_of_the_step);
  RUN(moves_without_memory_change_nothing);
  return test_end();
}
