// collide, MIT licence (see LICENSE)
//
// A host of a world, by the contract of collide.h, together with the model: every operation is
// applied to both, and the world's answers are compared with the model's.

#ifndef CL_SPEC_WORLD_HOST_H
#define CL_SPEC_WORLD_HOST_H

#include "checked_alloc.h"
#include "world_model.h"

enum { NOBODY = -1, WORLD_BROADS = 6 };

static const cl_broad_class *const world_broads[WORLD_BROADS] = {
    &cl_broad_brute, &cl_broad_quadtree, &cl_broad_incremental,
    &cl_broad_loose, &cl_broad_grid,     &cl_broad_auto};

typedef struct host {
  heap heap;
  cl_io io;
  cl_world *world;
  double told;
  int id[MAX_MEMBERS];        // by slot: its member, NOBODY if the host has dropped it
  uint32_t slot[MAX_MEMBERS]; // by id, of present members
  model model;
  long moves, reclaims; // how often slots have moved, and how often outside a step
  long releases;        // how many removed actors were dropped
} host;

static inline cl_world_def random_world_def(host *h) {
  double size = test_int(0, 2) ? 20 : 0;
  return (cl_world_def){
      .alloc = heap_alloc(&h->heap),
      .width = size,
      .height = size,
      .broad = world_broads[test_int(0, WORLD_BROADS - 1)],
      .depth = test_int(0, 2) ? 0 : (unsigned)test_int(1, 6),
      .touching = test_int(0, 1),
      .listed = test_int(0, 3) == 0,
  };
}

static inline void host_open(host *h, const cl_world_def *def) {
  h->told = CL_ALL_DISPATCHED;
  h->world = cl_world_new(def, &h->io);
  h->model.members = h->model.rules = h->model.tolds = h->model.namings = 0;
  h->model.pairs = h->model.candidates = h->model.leaves = 0;
  h->model.touching = def->touching;
  h->model.listed = def->listed;
}

static inline void host_close(host *h) {
  cl_world_free(h->world);
  CHECK(!h->io.place && !h->io.state && !h->io.event && h->io.slots == 0);
  CHECK_HEAP_EMPTY(h->heap);
}

static inline cl_actor_def actor_def(const member *m) {
  return (cl_actor_def){.shape = m->shape,
                        .x = m->game.x,
                        .y = m->game.y,
                        .angle = m->game.angle,
                        .group = m->group,
                        .fixed = m->fixed,
                        .swept = m->swept};
}

// Updates the model after adding or refreshing.
static inline void host_read(host *h, int id) {
  member *it = &h->model.member[id];
  it->at = it->from = it->game;
  it->moved = false;
  it->unread = CL_EVENT_EVENTS | CL_EVENT_UPDATE;
  CHECK((h->io.state[h->slot[id]] & ~CL_MAP) ==
        (CL_LIVE | (it->fixed ? CL_STATIC : 0) | (it->swept ? CL_SWEPT : 0)));
  CHECK(cl_world_group(h->world, h->slot[id]) == it->group);
}

static inline void host_refresh(host *h, int id) {
  cl_actor_def def = actor_def(&h->model.member[id]);
  if (def.angle != 0) CHECK(cl_world_use_angles(h->world) == CL_OK);
  cl_world_refresh(h->world, h->slot[id], &def);
  host_read(h, id);
}

static inline void host_teleport(host *h, int id, place to) {
  member *it = &h->model.member[id];
  if (to.angle != 0) CHECK(cl_world_use_angles(h->world) == CL_OK);
  cl_world_put(h->world, h->slot[id], (cl_vec){to.x, to.y}, to.angle);
  it->game = it->at = it->from = to;
  it->moved = false;
}

static inline void host_move_to(host *h, int id, place to) {
  member *it = &h->model.member[id];
  if (to.angle != 0) CHECK(cl_world_use_angles(h->world) == CL_OK);
  CHECK(cl_world_move_to(h->world, h->slot[id], (cl_vec){to.x, to.y}, to.angle) == CL_OK);
  if (!it->moved) it->start = it->at;
  it->moved = true;
  it->game = it->at = it->from = to;
}

static inline bool same_place(place p, cl_vec at, double angle) {
  return p.x == at.x && p.y == at.y && p.angle == angle;
}

// Checks the places to which the last step has moved all actors, or to which they have jumped
// since.
static inline void host_check_motions(const host *h) {
  for (int id = 0; id < h->model.members; id++) {
    const member *it = &h->model.member[id];
    if (!it->present) continue;
    cl_motion motion = cl_world_motion(h->world, h->slot[id]);
    CHECK(same_place(it->from, motion.from, motion.from_angle));
    CHECK(same_place(it->at, motion.to, motion.to_angle));
  }
}

static inline void host_remove(host *h, int id) {
  member *it = &h->model.member[id];
  if (!it->present) return;
  uint32_t slot = h->slot[id];
  bool named = cl_world_remove(h->world, slot, h->told);
  CHECK(h->io.state[slot] == 0);
  CHECK(named || !model_is_in_contact(&h->model, id));
  CHECK(!named || model_names(&h->model, id));
  model_forget_names(&h->model, id, true);
  it->present = false;
  it->unread = 0;
  if (!named) h->id[slot] = NOBODY;
}

// Replaces the actors that member `id` ignores by `count` others.
static inline void host_ignore(host *h, int id, const int *other, int count) {
  cl_pair pair[8];
  model *m = &h->model;
  model_forget_names(m, id, false);
  for (int i = 0; i < count; i++) {
    pair[i] = (cl_pair){h->slot[id], h->slot[other[i]]};
    m->naming[m->namings++] = (naming){id, other[i]};
  }
  CHECK(cl_world_set_ignored(h->world, &h->slot[id], 1, pair, (size_t)count) == CL_OK);
  for (int i = 0; i < m->members; i++) {
    if (!m->member[i].present || i == id) continue;
    CHECK(cl_world_ignores(h->world, h->slot[id], h->slot[i]) == model_ignores(m, id, i));
    CHECK(cl_world_ignores(h->world, h->slot[i], h->slot[id]) == model_ignores(m, id, i));
  }
}

static inline void host_set_hits(host *h, rule r) {
  if (h->model.rules == MAX_RULES) return;
  h->model.rule[h->model.rules++] = r;
  cl_world_set_rule(h->world, r.a, r.b, r.hits);
}

// Sets the event masks of actors whose methods were not looked up since they were read.
static inline void host_set_event_masks(host *h, uint8_t mask) {
  model *m = &h->model;
  uint32_t next = 0;
  for (uint32_t slot = 0; slot < h->io.slots; slot++) {
    member *it = h->id[slot] == NOBODY ? NULL : &m->member[h->id[slot]];
    if (!it || !it->present || !(it->unread & mask)) continue;
    CHECK(cl_world_next_unread(h->world, next, mask) == slot);
    cl_world_set_event_mask(h->world, slot, mask, it->wants);
    it->event_mask = (uint8_t)((it->event_mask & ~mask) | (it->wants & mask));
    it->unread &= (uint8_t)~mask;
    next = slot + 1;
  }
  CHECK(cl_world_next_unread(h->world, 0, mask) == h->io.slots);
}

// Moves the host's data in the way that the world has moved the slots.
static inline void host_follow(host *h, uint32_t slots_before) {
  uint32_t count, to = 0;
  const int32_t *moved = cl_world_moved(h->world, &count);
  if (!moved) {
    CHECK(h->io.slots == slots_before);
    return;
  }
  CHECK(count == slots_before);
  h->moves++;
  for (uint32_t from = 0; from < count; from++) {
    int id = h->id[from];
    if (moved[from] == CL_NOWHERE) {
      CHECK(id == NOBODY || (!h->model.member[id].present && !model_is_in_contact(&h->model, id)));
      continue;
    }
    CHECK(moved[from] == (int32_t)to);
    h->id[to] = id;
    if (id != NOBODY) h->slot[id] = to;
    to++;
  }
  CHECK(h->io.slots == to);
}

static inline bool host_has_slot(const host *h, int id) {
  return h->slot[id] < h->io.slots && h->id[h->slot[id]] == id;
}

// The world may reclaim slots before it adds; that also drops candidates with a removed actor.
static inline void host_reclaim(host *h) {
  uint32_t slots = h->io.slots;
  if (!cl_world_reclaim(h->world)) return;
  host_follow(h, slots);
  h->reclaims++;
  model *m = &h->model;
  int n = 0;
  for (int i = 0; i < m->candidates; i++) {
    m->candidate[n] = m->candidate[i];
    n += host_has_slot(h, m->candidate[i].a) && host_has_slot(h, m->candidate[i].b);
  }
  m->candidates = n;
}

// Adds the actor described in `it`. Returns the member's number.
static inline int host_add(host *h, member it) {
  int id = h->model.members++;
  it.present = true;
  it.event_mask = 0;
  h->model.member[id] = it;
  cl_actor_def def = actor_def(&it);
  host_reclaim(h);
  uint32_t slots = h->io.slots;
  CHECK(cl_world_add(h->world, &def, &h->slot[id]) == CL_OK);
  CHECK(h->slot[id] == slots && h->io.slots == slots + 1);
  h->id[slots] = id;
  host_read(h, id);
  return id;
}

static inline void host_release(host *h) {
  uint32_t count;
  const uint32_t *released = cl_world_released(h->world, &count);
  h->releases += count;
  for (uint32_t i = 0; i < count; i++) {
    REQUIRE(released[i] < h->io.slots);
    int *id = &h->id[released[i]];
    REQUIRE(*id != NOBODY);
    CHECK(!h->model.member[*id].present && !model_is_in_contact(&h->model, *id));
    *id = NOBODY;
  }
}

// Slots are in the order of adding, and the host has dropped actors that are neither present nor
// due a call.
static inline void host_check_slots(const host *h) {
  int last = NOBODY;
  uint32_t live = 0;
  for (uint32_t slot = 0; slot < h->io.slots; slot++) {
    int id = h->id[slot];
    const member *it = id == NOBODY ? NULL : &h->model.member[id];
    CHECK(!(h->io.state[slot] & CL_LIVE) == !(it && it->present));
    if (!it) continue;
    CHECK(id > last && h->slot[id] == slot && (it->present || model_is_in_contact(&h->model, id)));
    last = id;
    live += it->present;
  }
  CHECK(cl_world_counts(h->world).actors == live);
  CHECK(cl_world_is_valid(h->world));
}

static inline void host_place(host *h, uint32_t slot, place at) {
  h->io.place[slot] = (cl_vec){at.x, at.y};
  if (at.angle != 0) CHECK(cl_world_use_angles(h->world) == CL_OK);
  if (h->io.angle) h->io.angle[slot] = at.angle;
}

// Steps both. The dead slots without contacts are at most about as many as the live ones.
static inline void host_step(host *h) {
  model *m = &h->model;
  host_set_event_masks(h, CL_EVENT_EVENTS);
  for (int id = 0; id < m->members; id++) {
    const member *it = &m->member[id];
    if (!it->present || it->fixed) continue;
    host_place(h, h->slot[id], it->game);
  }
  uint32_t slots = h->io.slots;
  CHECK(cl_world_step(h->world, h->told) == CL_OK);
  host_follow(h, slots);
  host_release(h);
  host_check_slots(h);
  h->told = 0;
  model_step(m);
  host_check_motions(h);
  uint32_t known = 0;
  for (uint32_t slot = 0; slot < h->io.slots; slot++) known += h->id[slot] != NOBODY;
  CHECK(h->io.slots <= 2 * known + 64);
}

static inline bool same_call(const call *a, const call *b) {
  return a->what == b->what && a->self == b->self && a->other == b->other &&
         a->hit.nx == b->hit.nx && a->hit.ny == b->hit.ny && a->hit.depth == b->hit.depth &&
         a->t == b->t;
}

// The effect of a call; true ends the dispatch.
typedef bool (*callback)(host *h, const call *it, void *user);

static inline bool host_call(host *h, const call *it, callback then, void *user) {
  call expected = {0};
  bool any = model_next(&h->model, &expected);
  CHECK_MSG(any && same_call(it, &expected),
            "%d to %d about %d, %.17g %.17g %.17g; the model: %d to %d about %d, %.17g %.17g %.17g",
            it->what, it->self, it->other, it->hit.nx, it->hit.ny, it->hit.depth, expected.what,
            expected.self, expected.other, expected.hit.nx, expected.hit.ny, expected.hit.depth);
  return !any || then(h, it, user);
}

// Makes the calls of one event, as a host does. Returns whether the dispatch has ended.
static inline bool host_tell_event(host *h, uint32_t e, callback then, void *user) {
  static const uint8_t what[] = {CL_EVENT_LEAVE, CL_EVENT_ENTER, CL_EVENT_HIT};
  static const uint32_t bits[] = {CL_CALL_LEAVE_A, CL_CALL_LEAVE_B, CL_CALL_ENTER_A,
                                  CL_CALL_ENTER_B, CL_CALL_HIT_A,   CL_CALL_HIT_B};
  cl_event event = cl_event_of(&h->io, e);
  int a = h->id[event.a], b = h->id[event.b];
  CHECK(event.a < event.b && event.b < h->io.slots && a != NOBODY && b != NOBODY);
  if (a == NOBODY || b == NOBODY) return true;
  const member *all = h->model.member;
  bool leave = event.calls & (CL_CALL_LEAVE_A | CL_CALL_LEAVE_B);
  CHECK(event.calls > 0 && event.calls < (leave ? 64 : 16) && (!leave || event.calls % 16 == 0));
  if (!leave && !(all[a].present && all[b].present)) return false;
  cl_hit hit = {event.nx, event.ny, event.depth}, back = {0 - event.nx, 0 - event.ny, event.depth};
  for (int k = 0; k < 6; k++) {
    int self = k % 2 ? b : a;
    if (!(event.calls & bits[k]) || (!leave && !all[self].present)) continue;
    h->told = (double)e * CL_CALL_NUMBERS + (leave ? k : k - 2) + 1;
    call it = {what[k / 2], self, k % 2 ? a : b, k % 2 ? back : hit, event.t};
    if (host_call(h, &it, then, user)) return true;
  }
  return false;
}

// Makes the calls of the last step until one ends it. Returns whether all were made.
static inline bool host_tell(host *h, callback then, void *user) {
  for (uint32_t e = 0; e < h->io.events; e++) {
    if (host_tell_event(h, e, then, user)) return false;
  }
  call more;
  CHECK(!model_next(&h->model, &more));
  h->told = CL_ALL_DISPATCHED;
  return true;
}

#endif
