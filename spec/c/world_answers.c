// collide, MIT licence (see LICENSE)
//
// The answers of a world after a step, compared with the model: hits, candidates, cells, event
// masks, groups; and the hash.

#include "base/bytes.h"
#include "world_play.h"

static cl_pair slots_of(const host *h, const meeting *met) {
  return (cl_pair){h->slot[met->a], h->slot[met->b]};
}

static bool same_pair(cl_pair p, cl_pair q) { return p.a == q.a && p.b == q.b; }

static void check_hits(const host *h) {
  const model *m = &h->model;
  cl_counts counts = cl_world_counts(h->world);
  REQUIRE(counts.hits == (size_t)m->pairs);
  for (int k = 0; k < m->pairs; k++) {
    const meeting *met = &m->pair[k];
    cl_pair pair;
    cl_hit hit;
    bool there = m->member[met->a].present && m->member[met->b].present;
    CHECK(cl_world_hit(h->world, (size_t)k, &pair, &hit) == there);
    CHECK(same_pair(pair, slots_of(h, met)));
    CHECK(hit.nx == met->hit.nx && hit.ny == met->hit.ny && hit.depth == met->hit.depth);
  }
}

// The hits of an actor are those hits that include it, in their order.
static void check_hits_of(host *h) {
  const model *m = &h->model;
  for (int id = 0; id < m->members; id++) {
    if (!m->member[id].present) continue;
    size_t count, n = 0;
    REQUIRE(cl_world_hits_of(h->world, h->slot[id], &count) == CL_OK);
    for (int k = 0; k < m->pairs; k++) {
      if (m->pair[k].a != id && m->pair[k].b != id) continue;
      CHECK(n < count && cl_world_hit_of(h->world, h->slot[id], n) == (size_t)k);
      n++;
    }
    CHECK(n == count);
  }
}

// The hash after a step that has just been made.
static uint64_t model_hash(const model *m) {
  static uint32_t rank[MAX_MEMBERS];
  uint64_t hash = CL_HASH_BEGIN;
  uint32_t n = 0;
  for (int id = 0; id < m->members; id++) {
    if (!m->member[id].present) continue;
    place at = m->member[id].at;
    rank[id] = n++;
    hash = cl_hash_number(cl_hash_number(cl_hash_number(hash, at.x), at.y), at.angle);
  }
  for (int k = 0; k < m->pairs; k++) {
    const meeting *met = &m->pair[k];
    hash = cl_hash_word(cl_hash_word(hash, rank[met->a]), rank[met->b]);
    hash = cl_hash_number(cl_hash_number(hash, met->hit.nx), met->hit.ny);
    hash = cl_hash_number(hash, met->hit.depth);
    if (met->t >= 0) hash = cl_hash_number(hash, met->t);
  }
  return cl_hash_end(hash);
}

// Candidates are in ascending order, and include all hits.
static void check_candidates(host *h) {
  const model *m = &h->model;
  const cl_pair *pair;
  size_t count, hits = 0;
  cl_world_candidates(h->world, &pair, &count);
  REQUIRE(count == (size_t)m->candidates && cl_world_counts(h->world).candidates == count);
  for (size_t i = 0; i < count; i++) {
    CHECK(same_pair(pair[i], slots_of(h, &m->candidate[i])));
    CHECK(i == 0 || pair[i - 1].a < pair[i].a ||
          (pair[i - 1].a == pair[i].a && pair[i - 1].b < pair[i].b));
    hits += hits < (size_t)m->pairs && same_pair(pair[i], slots_of(h, &m->pair[hits]));
  }
  CHECK(hits == (size_t)m->pairs);
}

static void check_next_with_event(const host *h) {
  uint8_t events = (uint8_t)(test_bits() & 15);
  uint32_t found = cl_world_next_with_event(h->world, 0, events);
  for (uint32_t slot = 0; slot < h->io.slots; slot++) {
    const member *it = h->id[slot] == NOBODY ? NULL : &h->model.member[h->id[slot]];
    if (!it || !it->present || !(it->event_mask & events)) continue;
    CHECK(found == slot);
    found = cl_world_next_with_event(h->world, slot + 1, events);
  }
  CHECK(found == h->io.slots);
}

static void check_groups(const host *h) {
  static const unsigned groups[] = {0, 1, 2, 3, 4, 31, 32, 62, 63};
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 9; j++) {
      CHECK(cl_world_can_hit(h->world, groups[i], groups[j]) ==
            model_can_hit(&h->model, groups[i], groups[j]));
    }
  }
}

static void check_answers(host *h) {
  // Their order must not matter: they share memory.
  for (int i = 0, from = test_int(0, 2); i < 3; i++) {
    switch ((from + i) % 3) {
    case 0: check_hits(h); break;
    case 1: check_hits_of(h); break;
    default: check_candidates(h); break;
    }
  }
  check_next_with_event(h);
  check_groups(h);
}

// Just after a step: each actor counts in one cell, if there are cells.
static void check_cells(const host *h) {
  cl_cell cell[200];
  size_t count = cl_world_cells(h->world, cell, 200);
  uint32_t sum = 0;
  REQUIRE(count <= 200);
  for (size_t i = 0; i < count; i++) sum += cell[i].count;
  CHECK(sum == (strcmp(cl_world_counts(h->world).broad, "brute") == 0
                    ? 0
                    : cl_world_counts(h->world).actors));
}

static bool ask_in_calls(host *h, const call *it, void *user) {
  bool ends = play_callback(h, it, user);
  if (test_int(0, 15) == 0) check_answers(h);
  return ends;
}

static void answers_match_the_model(void) {
  play p = {.alloc = cl_alloc_default(), .odds = 60};
  host *h = calloc(1, sizeof *h);
  REQUIRE(h && play_open(&p));
  for (long i = test_rounds(600); i > 0 && test_errors == 0; i--) {
    uint64_t seed = test_bits();
    test_state = seed;
    h->heap = heap_new();
    cl_world_def def = random_world_def(h);
    host_open(h, &def);
    check_answers(h);
    p.crowd = test_int(2, 60);
    p.swept = test_int(0, 3) ? 0 : test_int(2, 8);
    uint64_t hash = model_hash(&h->model);
    for (int step = 0; step < 30 && test_errors == 0; step++) {
      play_between(&p, h);
      if (test_int(0, 1)) check_answers(h);
      if (test_int(0, 1)) CHECK(cl_world_hash(h->world) == hash); // after any changes
      host_step(h);
      hash = model_hash(&h->model);
      check_cells(h);
      if (test_int(0, 1)) check_answers(h);
      if (test_int(0, 3) == 0) CHECK(cl_world_hash(h->world) == hash);
      host_tell(h, ask_in_calls, &p);
      check_answers(h);
    }
    host_close(h);
    CHECK_MSG(test_errors == 0, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  play_close(&p);
  free(h);
}

enum { SURVIVORS = 40 };

// Two worlds that have, or will have, the same actors.
typedef struct twins {
  play play;
  host *plain, *other;
  member who[SURVIVORS];
} twins;

static bool twins_open(twins *t, const cl_broad_class *broad) {
  *t = (twins){.play = {.alloc = cl_alloc_default(), .crowd = 60, .odds = 30}};
  t->plain = calloc(1, sizeof *t->plain);
  t->other = calloc(1, sizeof *t->other);
  if (!t->plain || !t->other || !play_open(&t->play)) return false;
  t->plain->heap = t->other->heap = heap_new();
  cl_world_def def = {.alloc = heap_alloc(&t->plain->heap), .broad = &cl_broad_brute};
  host_open(t->plain, &def);
  def.alloc = heap_alloc(&t->other->heap);
  def.broad = broad;
  host_open(t->other, &def);
  for (int i = 0; i < SURVIVORS; i++) t->who[i] = play_member(&t->play);
  return true;
}

static void twins_close(twins *t) {
  host_close(t->plain);
  host_close(t->other);
  play_close(&t->play);
  free(t->plain);
  free(t->other);
}

static void step_and_tell(twins *t, host *h) {
  host_step(h);
  host_tell(h, play_callback, &t->play);
}

static uint64_t hash(host *h) { return cl_world_hash(h->world); }

static bool survives(const host *h, int id) { return h->model.member[id].game.x == 500; }

// Adds the survivors, away from all others, while others come and go.
static void add_with_history(twins *t, host *h) {
  for (int i = 0; i < SURVIVORS; i++) {
    for (int n = test_int(0, 6); n > 0; n--) play_add(&t->play, h);
    for (int n = test_int(0, 6); n > 0; n--) {
      int id = play_anybody(h);
      if (id != NOBODY && !survives(h, id)) host_remove(h, id);
    }
    if (test_int(0, 3) == 0) step_and_tell(t, h);
    member waits = t->who[i];
    waits.game = (place){500, i, 0};
    host_add(h, waits);
  }
}

static void hash_forgets_the_removed(void) {
  for (long round = test_rounds(60); round > 0; round--) {
    twins t;
    REQUIRE(twins_open(&t, world_broads[test_int(0, WORLD_BROADS - 1)]));
    t.play.calm = true;
    for (int i = 0; i < SURVIVORS; i++) host_add(t.plain, t.who[i]);
    step_and_tell(&t, t.plain);
    add_with_history(&t, t.other);
    for (int id = 0, n = 0; id < t.other->model.members; id++) {
      member *it = &t.other->model.member[id];
      if (!survives(t.other, id)) {
        host_remove(t.other, id);
        continue;
      }
      it->game = t.who[n++].game;
      if (it->fixed || test_int(0, 1)) host_refresh(t.other, id);
    }
    step_and_tell(&t, t.other);
    CHECK(hash(t.plain) == hash(t.other) && t.other->model.pairs > 0);
    twins_close(&t);
  }
}

static void hash_sees_every_bit(void) {
  twins t;
  REQUIRE(twins_open(&t, &cl_broad_loose));
  t.play.calm = true;
  for (int i = 0; i < SURVIVORS; i++) {
    t.who[i].game = (place){i, 0, 0};
    t.who[i].fixed = false;
    host_add(t.plain, t.who[i]);
    t.who[i].game.y = -0.0;
    t.who[i].game.angle = -0.0;
    host_add(t.other, t.who[i]);
  }
  CHECK(hash(t.plain) == hash(t.other));
  step_and_tell(&t, t.plain);
  step_and_tell(&t, t.other);
  CHECK(hash(t.plain) == hash(t.other));
  for (int i = 0; i < 3 * SURVIVORS; i++) {
    place *at = &t.other->model.member[i % SURVIVORS].game, before = *at;
    double *v = i < SURVIVORS ? &at->x : i < 2 * SURVIVORS ? &at->y : &at->angle;
    *v = nextafter(*v, 1e9);
    step_and_tell(&t, t.other);
    CHECK(hash(t.plain) != hash(t.other));
    *at = before;
    step_and_tell(&t, t.other);
    CHECK(hash(t.plain) == hash(t.other));
  }
  twins_close(&t);
}

int main(void) {
  RUN(answers_match_the_model);
  RUN(hash_forgets_the_removed);
  RUN(hash_sees_every_bit);
  return test_end();
}
