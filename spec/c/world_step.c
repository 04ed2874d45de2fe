// collide, MIT licence (see LICENSE)
//
// A world's step, compared with the model: the calls and their order, the events if a dispatch is
// cut short, slots, and the release of removed actors.

#include "world_play.h"

static void random_play(play *p, host *h, int steps) {
  h->heap = heap_new();
  cl_world_def def = random_world_def(h);
  host_open(h, &def);
  REQUIRE(h->world);
  p->crowd = test_int(2, 40);
  p->swept = test_int(0, 2) ? 0 : test_int(1, 8);
  p->odds = test_int(0, 1) ? 100000 : test_int(2, 60);
  int quiet = test_int(0, 1) ? test_int(1, steps) : 0;
  for (int step = 0; step < steps && test_errors == 0; step++) {
    p->quiet = step < quiet;
    play_between(p, h);
    host_step(h);
    host_tell(h, play_callback, p);
  }
  p->quiet = false;
}

// Removes all actors: every pending end is dispatched at last, even if dispatches were cut short.
static void see_everybody_off(play *p, host *h) {
  play_clear(h);
  p->crowd = 0;
  p->calm = true;
  for (int step = 0; step < 3; step++) {
    host_step(h);
    host_tell(h, play_callback, p);
    CHECK(h->model.pairs == 0);
  }
  CHECK(h->model.tolds == 0 && h->io.events == 0 && cl_world_counts(h->world).actors == 0);
  p->calm = false;
}

static void many_plays(play *p, long plays, int steps) {
  p->alloc = cl_alloc_default();
  host *h = calloc(1, sizeof *h);
  REQUIRE(h && play_open(p));
  for (long i = 0; i < plays && test_errors == 0; i++) {
    uint64_t seed = test_bits();
    test_state = seed;
    if (p->inside) memset(p->inside, 0, (size_t)MAX_MEMBERS * MAX_MEMBERS);
    random_play(p, h, steps);
    see_everybody_off(p, h);
    if (p->inside) CHECK(!memchr(p->inside, 1, (size_t)MAX_MEMBERS * MAX_MEMBERS));
    host_close(h);
    CHECK_MSG(test_errors == 0, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  CHECK(h->moves > plays / 4 && h->releases > plays / 4);
  play_close(p);
  free(h);
}

static void calls_match_the_model(void) {
  play p = {0};
  many_plays(&p, test_rounds(1000), 60);
  CHECK(p.enters > 1000 && p.leaves > 1000 && p.hits > 1000 && p.ended > 100 && p.met > 1000);
}

// Without a model: enter and leave alternate, and in the end every enter has its leave.
static void every_enter_has_one_leave(void) {
  play p = {.loud = true, .inside = malloc((size_t)MAX_MEMBERS * MAX_MEMBERS)};
  REQUIRE(p.inside);
  many_plays(&p, test_rounds(300), 60);
  CHECK(p.enters == p.leaves && p.enters > 1000);
  free(p.inside);
}

static void long_plays(void) {
  play p = {0};
  many_plays(&p, test_rounds(10), 600);
}

// Ends the dispatch at each call. With a step after each, all calls are made in the end, each enter
// and leave once.
static bool stop(host *h, const call *it, void *user) {
  (void)h;
  play_watch(user, it);
  return true;
}

static void a_step_in_every_call(void) {
  play p = {.alloc = cl_alloc_default(), .loud = true, .inside = calloc(MAX_MEMBERS, MAX_MEMBERS)};
  host *h = calloc(1, sizeof *h);
  REQUIRE(h && p.inside && play_open(&p));
  h->heap = heap_new();
  cl_world_def def = {.alloc = heap_alloc(&h->heap), .broad = &cl_broad_quadtree};
  host_open(h, &def);
  for (int i = 0; i < 30; i++) {
    member m = play_member(&p);
    m.game = (place){i % 5, i % 3, 0};
    m.fixed = false;
    host_add(h, m);
  }
  // Each step makes one enter, and no hit, since an enter comes before it.
  host_step(h);
  int ways = 2 * h->model.pairs;
  for (int i = 0; i < ways; i++) {
    CHECK(!host_tell(h, stop, &p) && p.enters + p.hits == i + 1);
    host_step(h);
  }
  for (int id = 0; id < 30; id++) h->model.member[id].game.x = 100 * id;
  host_step(h);
  for (long due = p.enters; due > 0; due--) {
    CHECK(h->io.events > 0 && h->model.leaves == due && !host_tell(h, stop, &p));
    host_step(h);
  }
  CHECK(host_tell(h, stop, &p) && p.enters == p.leaves && h->io.events == 0);
  host_close(h);
  play_close(&p);
  free(p.inside);
  free(h);
}

// All but a few of a crowd are removed: slots move down over the gaps, in order.
static void gaps_are_closed_in_order(void) {
  play p = {.alloc = cl_alloc_default(), .calm = true};
  host *h = calloc(1, sizeof *h);
  REQUIRE(h && play_open(&p));
  h->heap = heap_new();
  cl_world_def def = {.alloc = heap_alloc(&h->heap), .broad = &cl_broad_brute};
  for (int kept = 0; kept <= 40; kept += 8) {
    host_open(h, &def);
    for (int i = 0; i < 300; i++) {
      member m = play_member(&p);
      m.game.x *= 4;
      host_add(h, m);
    }
    host_step(h);
    host_tell(h, play_callback, &p);
    for (int i = 0; i < 300; i++) {
      if (i % 41 >= kept) host_remove(h, i);
    }
    // An actor with a pending end stays until that is dispatched.
    for (int i = 0; i < 2; i++) {
      host_step(h);
      host_tell(h, play_callback, &p);
    }
    uint32_t live = cl_world_counts(h->world).actors;
    CHECK_MSG(h->io.slots <= live * 4 / 3 + 32, "%u slots for %u", h->io.slots, live);
    int before = h->model.members;
    host_add(h, play_member(&p));
    host_step(h);
    host_tell(h, play_callback, &p);
    CHECK(h->slot[before] == h->io.slots - 1);
    host_close(h);
  }
  play_close(&p);
  free(h);
}

// Actors come and go without a step in between, also during a dispatch.
static void slots_are_reclaimed_without_steps(void) {
  play p = {.alloc = cl_alloc_default(), .calm = true};
  host *h = calloc(1, sizeof *h);
  REQUIRE(h && play_open(&p));
  for (long i = 0; i < test_rounds(100) && test_errors == 0; i++) {
    h->heap = heap_new();
    cl_world_def def = random_world_def(h);
    host_open(h, &def);
    p.quiet = test_int(0, 1);
    for (int n = test_int(0, 60); n > 0; n--) host_add(h, play_member(&p));
    if (test_int(0, 3)) host_step(h);
    if (test_int(0, 1)) host_tell(h, test_int(0, 1) ? stop : play_callback, &p);
    while (h->model.members < 500) {
      host_add(h, play_member(&p));
      if (test_int(0, 20)) host_remove(h, play_anybody(h));
    }
    CHECK_MSG(h->io.slots < 300, "%u slots", h->io.slots);
    p.quiet = false;
    for (int n = 0; n < 3; n++) {
      host_step(h);
      host_tell(h, play_callback, &p);
    }
    host_close(h);
  }
  CHECK(h->reclaims > 100);
  play_close(&p);
  free(h);
}

int main(void) {
  RUN(calls_match_the_model);
  RUN(every_enter_has_one_leave);
  RUN(long_plays);
  RUN(a_step_in_every_call);
  RUN(gaps_are_closed_in_order);
  RUN(slots_are_reclaimed_without_steps);
  return test_end();
}
