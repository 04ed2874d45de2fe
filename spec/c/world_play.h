// collide, MIT licence (see LICENSE)
//
// The random operations of a game on a world: actors of a few shapes in a small place, which are
// added, removed and changed between steps and during the dispatch.

#ifndef CL_SPEC_WORLD_PLAY_H
#define CL_SPEC_WORLD_PLAY_H

#include "world_host.h"

enum { PLAY_SHAPES = 9, PLAY_TILES = 8, PLAY_SIDE = 24, PLAY_GROUPS = 4 };

typedef struct play {
  cl_alloc alloc;
  cl_shape *shape[PLAY_SHAPES];
  int crowd;       // the approximate number of actors
  bool loud;       // all actors ask for all events
  bool quiet;      // new actors ask for no enter and no leave
  bool calm;       // callbacks change nothing
  int swept;       // one actor in so many is swept; 0: none
  int odds;        // one call in so many ends the dispatch
  uint8_t *inside; // by self * MAX_MEMBERS + other: got enter and not leave; NULL: not checked
  long enters, leaves, hits, ended;
  long met; // calls about pairs that have met only on their way
} play;

// A bit of ground: slopes up and down to a block, half a block, and a hole.
static inline cl_status play_tiles(const cl_alloc *alloc, cl_shape **out) {
  static const double up[] = {0, 1, 1, 0, 1, 1}, down[] = {0, 0, 1, 1, 0, 1};
  static const uint8_t cells[8] = {2, 1, 3, 0, 1, 5, 1, 4};
  const int64_t size[3] = {4, 2, 1};
  const double origin[3] = {-2, 0, 0};
  cl_tile_look looks[4] = {{.value = 2}, {.value = 3}, {.value = 4}, {.value = 5}};
  cl_shape *own[3] = {NULL};
  cl_grid *grid = NULL;
  cl_fault fault;
  cl_status status = cl_shape_polygon(alloc, up, 3, &fault, &own[0]);
  if (status == CL_OK) status = cl_shape_polygon(alloc, down, 3, &fault, &own[1]);
  if (status == CL_OK) status = cl_shape_rectangle(alloc, 0, 0.5, 1, 0.5, &own[2]);
  if (status == CL_OK) status = cl_grid_new(alloc, 2, size, (double[]){2, 2}, origin, &grid);
  if (status == CL_OK) {
    for (int i = 0; i < 3; i++) looks[i].shape = own[i];
    cl_grid_load(grid, cells);
    status = cl_shape_tiles(alloc, grid, looks, 4, out);
  }
  if (grid) cl_grid_release(grid);
  for (int i = 0; i < 3; i++)
    if (own[i]) cl_shape_release(own[i]);
  return status;
}

static inline bool play_open(play *p) {
  cl_alloc *alloc = &p->alloc;
  const double triangle[] = {-2, -1, 3, 0, 0, 2};
  cl_shape **s = p->shape, *box = NULL;
  cl_fault fault;
  bool ok = cl_shape_rectangle(alloc, 0, 0, 4, 4, &s[0]) == CL_OK &&
            cl_shape_rectangle(alloc, -1, -2, 2, 4, &s[1]) == CL_OK &&
            cl_shape_circle(alloc, 0, 0, 2, &s[2]) == CL_OK &&
            cl_shape_circle(alloc, 1, 1, 1, &s[3]) == CL_OK &&
            cl_shape_polygon(alloc, triangle, 3, &fault, &s[4]) == CL_OK &&
            cl_shape_capsule(alloc, -1, 0, 2, 0, 1, &s[5]) == CL_OK &&
            cl_shape_rectangle(alloc, 0, 0, 3, 1, &box) == CL_OK &&
            cl_shape_upright(box, &s[6]) == CL_OK &&
            cl_shape_segment(alloc, 0, 0, 3, 2, &s[7]) == CL_OK &&
            play_tiles(alloc, &s[PLAY_TILES]) == CL_OK;
  if (box) cl_shape_release(box);
  return ok;
}

// No one else may still use the shapes of the play.
static inline void play_close(play *p) {
  for (int i = 0; i < PLAY_SHAPES; i++) {
    CHECK(p->shape[i]->references == 1);
    cl_shape_release(p->shape[i]);
  }
}

// Most places are integers, so that many actors touch.
static inline place play_place(void) {
  double grain = test_int(0, 4) ? 1 : 1.0 / 1024;
  int most = (int)(PLAY_SIDE / grain);
  double angle = test_int(0, 3) ? 0 : test_int(-8, 8) * 0.39269908169872414;
  return (place){test_int(0, most) * grain, test_int(0, most) * grain, angle};
}

static inline member play_member(const play *p) {
  uint8_t heard = p->quiet ? CL_EVENT_HIT | CL_EVENT_UPDATE : CL_EVENT_EVENTS | CL_EVENT_UPDATE;
  return (member){
      .shape = p->shape[test_int(0, 2) ? test_int(0, 3) : test_int(0, PLAY_SHAPES - 1)],
      .game = play_place(),
      .group = (uint8_t)(test_int(0, 30) ? test_int(0, PLAY_GROUPS - 1) : CL_MAX_GROUPS - 1),
      .fixed = test_int(0, 4) == 0,
      .swept = p->swept && test_int(1, p->swept) == 1,
      .wants = p->loud ? CL_EVENT_EVENTS : (uint8_t)(test_bits() & heard),
  };
}

// A random member that is present; NOBODY if there is none.
static inline int play_anybody(const host *h) {
  int n = h->model.members;
  if (n == 0) return NOBODY;
  for (int tries = 0; tries < 200; tries++) {
    int id = test_int(n > 200 ? n - 200 : 0, n - 1);
    if (h->model.member[id].present) return id;
  }
  return NOBODY;
}

static inline void play_add(play *p, host *h) {
  if (h->model.members < MAX_MEMBERS) host_add(h, play_member(p));
}

static inline void play_refresh(const play *p, host *h) {
  int id = play_anybody(h);
  if (id == NOBODY) return;
  member *it = &h->model.member[id], fresh = play_member(p);
  fresh.present = true;
  fresh.event_mask = it->event_mask;
  if (test_int(0, 1)) fresh.shape = it->shape;
  if (test_int(0, 1)) fresh.game = it->game;
  if (test_int(0, 1)) fresh.wants = it->wants;
  *it = fresh;
  host_refresh(h, id);
}

static inline void play_rule(host *h) {
  unsigned a = (unsigned)test_int(0, PLAY_GROUPS - 1), b = (unsigned)test_int(0, PLAY_GROUPS);
  if (b == PLAY_GROUPS) b = test_int(0, 1) ? CL_MAX_GROUPS : CL_MAX_GROUPS - 1;
  if (test_int(0, 9) == 0) a = CL_MAX_GROUPS;
  rule r = {test_int(0, 1) ? a : b, 0, (cl_hits)test_int(CL_HITS_NONE, CL_HITS_FIRST)};
  r.b = r.a == a ? b : a;
  host_set_hits(h, r);
}

static inline void play_ignore(host *h) {
  int id = play_anybody(h), other[4], count = 0;
  if (id == NOBODY || h->model.namings > MAX_NAMINGS - 4) return;
  for (int tries = test_int(0, 4); tries > 0; tries--) {
    other[count] = play_anybody(h);
    count += other[count] != id && other[count] != NOBODY;
  }
  host_ignore(h, id, other, count);
}

static inline void play_clear(host *h) {
  for (int id = 0; id < h->model.members; id++) host_remove(h, id);
}

static inline void play_move(host *h, int id) {
  if (id == NOBODY) return;
  place *at = &h->model.member[id].game;
  if (test_int(0, 9) == 0) *at = play_place();
  at->x += test_int(-1, 1);
  at->y += test_int(-1, 1);
}

static inline void play_teleport(host *h, int id) {
  if (id != NOBODY) host_teleport(h, id, play_place());
}

static inline void play_shove(host *h, int id) {
  if (id != NOBODY) host_move_to(h, id, play_place());
}

// An operation that a game might do at any time.
static inline void play_anything(play *p, host *h) {
  int id = play_anybody(h), what = test_int(0, 99);
  if (what < 5) play_shove(h, id);
  else if (what < 20) play_move(h, id);
  else if (what < 30) play_teleport(h, id);
  else if (what < 55) play_add(p, h);
  else if (what < 75 && id != NOBODY) host_remove(h, id);
  else if (what < 90) play_refresh(p, h);
  else if (what < 95) play_ignore(h);
  else if (what < 99) play_rule(h);
  else if (test_int(0, 4) == 0) play_clear(h);
}

// In each direction, enter and leave alternate.
static inline void play_watch(play *p, const call *it) {
  p->enters += it->what == CL_EVENT_ENTER;
  p->leaves += it->what == CL_EVENT_LEAVE;
  p->hits += it->what == CL_EVENT_HIT;
  p->met += it->t >= 0;
  if (!p->inside) return;
  uint8_t *inside = &p->inside[it->self * MAX_MEMBERS + it->other];
  CHECK(*inside == (it->what != CL_EVENT_ENTER));
  *inside = it->what != CL_EVENT_LEAVE;
}

static inline bool play_callback(host *h, const call *it, void *user) {
  play *p = user;
  play_watch(p, it);
  int what = p->calm ? 100 : test_int(0, 99);
  if (what < 3) host_remove(h, it->self);
  else if (what < 6) host_remove(h, it->other);
  else if (what < 20) play_anything(p, h);
  bool ends = !p->calm && test_int(1, p->odds) == 1;
  p->ended += ends;
  return ends;
}

// Changes between two steps.
static inline void play_between(play *p, host *h) {
  if (test_int(0, 3) == 0) host_set_event_masks(h, CL_EVENT_UPDATE);
  for (int i = 0; i < h->model.members; i++) {
    if (h->model.member[i].present && test_int(0, 2)) play_move(h, i);
  }
  int present = 0;
  for (int i = 0; i < h->model.members; i++) present += h->model.member[i].present;
  for (int i = test_int(0, 5); i > 0; i--) play_anything(p, h);
  CHECK(cl_world_is_valid(h->world));
  while (present++ < p->crowd) play_add(p, h);
}

#endif
