// collide, MIT licence (see LICENSE)
//
// Movers that start inside others. Such a mover is first pushed out of all of them, if a way out is
// no longer than the smaller side of its bounds. If there is none, it is crushed, and remembers
// that, so that its next move needs no search. Layer: world.

#include "cells/grid.h"
#include "geom/tiles.h"
#include "narrow/primitives.h"
#include "world/move.h"

// ---- crushed movers
//
// An answer depends only on the values compared here, so it is the same whether it is remembered or
// found again.

// Another actor near the mover, with everything that the answer depends on.
typedef struct seen {
  cl_shape *shape;  // a reference
  double at[6];     // its place and rotation, and where it looks
  uint64_t changes; // of the grid, for tiles
  uint32_t slot;
  uint8_t state;
} seen;

// `limited`: limits of work may have decided; they follow from `most`, which depends on the way.
// Otherwise only the reach of the way matters, and only beyond `least`.
struct cl_crushed {
  cl_move_def def; // with the groups that the mover may meet
  cl_shape *shape; // a reference
  double reach, least;
  bool limited;
  size_t most;
  cl_bounds box; // everything that matters is in here
  size_t count, hits;
  cl_move_hit *hit; // behind `near`
  seen near[];
};

static size_t size_of_crushed(size_t count, size_t hits) {
  return sizeof(cl_crushed) + count * sizeof(seen) + hits * sizeof(cl_move_hit);
}

static void release_crushed(cl_crushed *c, const cl_alloc *alloc) {
  cl_shape_release(c->shape);
  for (size_t i = 0; i < c->count; i++) cl_shape_release(c->near[i].shape);
  cl_free(alloc, c, size_of_crushed(c->count, c->hits));
}

// The index of the first memory with this slot or a later one.
static size_t find_crushed(const cl_movement *m, uint32_t slot) {
  size_t low = 0, high = m->crusheds;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (m->crushed[middle]->def.slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_at(const cl_movement *m, size_t at, uint32_t slot) {
  return at < m->crusheds && m->crushed[at]->def.slot == slot;
}

void cl_movement_forget_all(cl_world *world) {
  cl_movement *m = world->movement;
  const cl_alloc *alloc = &world->alloc;
  if (!m) return;
  for (size_t i = 0; i < m->crusheds; i++) release_crushed(m->crushed[i], alloc);
  m->crusheds = 0;
  cl_arounds_forget(m);
}

void cl_movement_forget(cl_world *world, uint32_t slot) {
  cl_movement *m = world->movement;
  size_t at = m ? find_crushed(m, slot) : 0;
  if (!m || !is_at(m, at, slot)) return;
  release_crushed(m->crushed[at], &world->alloc);
  m->crusheds--;
  memmove(&m->crushed[at], &m->crushed[at + 1], (m->crusheds - at) * sizeof *m->crushed);
}

// An actor as it is now, without a reference to its shape.
static seen see(cl_actors *actors, uint32_t slot) {
  cl_placed p = cl_actor_place(actors, slot);
  cl_shape *shape = actors->shape[slot];
  return (seen){.shape = shape,
                .at = {p.x, p.y, p.rot.c, p.rot.s, actors->aim[slot].x, actors->aim[slot].y},
                .changes = shape->grid ? shape->grid->changes : 0,
                .slot = slot,
                .state = actors->state[slot]};
}

static bool is_unchanged(const seen *a, const seen *b) {
  return a->slot == b->slot && a->state == b->state && a->shape == b->shape &&
         a->changes == b->changes && memcmp(a->at, b->at, sizeof a->at) == 0;
}

// Whether the mover, and what it asks for, are the same.
static bool is_same_move(const cl_movement *m, const cl_crushed *c) {
  const cl_move_def *now = &m->def, *then = &c->def;
  const double at[] = {now->x, now->y, now->angle}, was[] = {then->x, then->y, then->angle};
  double reach = m->mover->reach;
  bool same_way = then->dx == now->dx && then->dy == now->dy;
  bool same_reach = reach == c->reach || (reach < c->least && c->reach < c->least);
  return !now->responder && now->response == then->response && now->instead == then->instead &&
         now->by_rules == then->by_rules && now->through == then->through &&
         cl_move_filter(m, now->slot).groups == then->filter.groups && same_reach &&
         m->world->actors.shape[now->slot] == c->shape && memcmp(at, was, sizeof at) == 0 &&
         (same_way || !c->limited);
}

// Whether everything near it is the same.
static bool are_same_near(cl_movement *m, const cl_crushed *c) {
  const cl_found *found = &m->world->touched;
  size_t most = 0;
  if (c->limited) {
    cl_move_list(m, m->mover, cl_move_ahead(m->mover));
    most = found->count;
  }
  cl_move_list(m, m->mover, c->box);
  if (found->count > most) most = found->count;
  if (found->count != c->count || (c->limited && most != c->most)) return false;
  for (size_t i = 0; i < c->count; i++) {
    seen now = see(&m->world->actors, found->at[i]);
    if (!is_unchanged(&now, &c->near[i])) return false;
  }
  return true;
}

bool cl_move_recall(cl_movement *m) {
  size_t at = find_crushed(m, m->def.slot);
  if (!is_at(m, at, m->def.slot)) return false;
  const cl_crushed *c = m->crushed[at];
  if (!is_same_move(m, c) || !are_same_near(m, c)) {
    if (!m->halted) cl_movement_forget(m->world, m->def.slot);
    return false;
  }
  if (!cl_move_check(m, CL_RESERVE(&m->world->alloc, m->hit, m->hit_cap, c->hits))) return false;
  memcpy(m->hit, c->hit, c->hits * sizeof *m->hit);
  m->hits = c->hits;
  return true;
}

// The smallest reach among the obstacles found, without rounding: a mover with a smaller reach does
// not affect what counts as touching.
static double least_of(const cl_movement *m) {
  double least = INFINITY;
  for (size_t i = 0; i < m->nears; i++) least = cl_min(least, cl_bounds_largest(m->near[i].bounds));
  return least * (1 - 0x1p-40);
}

// The mover could not be freed: it remembers the hits so far, until something in `box` changes. If
// there is no memory, nothing is remembered.
static void remember(cl_movement *m, const cl_body *mover, cl_bounds box) {
  const cl_move_def *def = &m->def;
  cl_world *world = m->world;
  const cl_alloc *alloc = &world->alloc;
  if (mover != m->mover || def->responder) return;
  cl_movement_forget(world, mover->slot);
  if (CL_RESERVE(alloc, m->crushed, m->crushed_cap, m->crusheds + 1) != CL_OK) return;
  cl_move_list(m, mover, box);
  if (m->halted) return;
  const cl_found *found = &world->touched;
  cl_crushed *c = cl_new(alloc, size_of_crushed(found->count, m->hits));
  if (!c) return;
  *c = (cl_crushed){
      .def = *def,
      .shape = cl_shape_retain(world->actors.shape[mover->slot]),
      .reach = mover->reach,
      .least = least_of(m),
      .limited = m->gave_up || (double)m->spent > CL_MOVE_INSIDE_SHARE * CL_MOVE_WORK,
      .most = m->most,
      .box = box,
      .count = found->count,
      .hits = m->hits,
  };
  c->def.filter = cl_move_filter(m, mover->slot);
  for (size_t i = 0; i < c->count; i++) {
    c->near[i] = see(&world->actors, found->at[i]);
    cl_shape_retain(c->near[i].shape);
  }
  c->hit = (cl_move_hit *)(void *)&c->near[c->count];
  memcpy(c->hit, m->hit, m->hits * sizeof *m->hit);
  size_t at = find_crushed(m, mover->slot);
  memmove(&m->crushed[at + 1], &m->crushed[at], (m->crusheds - at) * sizeof *m->crushed);
  m->crushed[at] = c;
  m->crusheds++;
}

bool cl_movement_is_valid(const cl_world *world) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; m && i < m->crusheds; i++) {
    const cl_crushed *c = m->crushed[i];
    bool ascends = i == 0 || m->crushed[i - 1]->def.slot < c->def.slot;
    if (!ascends || !cl_world_can_move(world, c->def.slot)) return false;
    if (c->hits == 0 || c->shape->references == 0) return false;
  }
  return true;
}

// ---- overlaps

// The steps that it takes to compare two shapes: about one for eight cells.
static long steps_to_compare(const cl_placed *a, const cl_placed *b) {
  if (!cl_placed_is_tiles(b)) return (long)a->shape->part_count + (long)b->shape->part_count;
  cl_bounds one = cl_placed_bounds(a), two = cl_placed_bounds(b);
  double w = cl_min(one.r, two.r) - cl_max(one.l, two.l);
  double h = cl_min(one.b, two.b) - cl_max(one.t, two.t);
  cl_vec cell = b->shape->cell;
  double cells = (cl_max(w, 0) / cell.x + 1) * (cl_max(h, 0) / cell.y + 1);
  return (long)a->shape->part_count + (long)(cells / 8);
}

// Whether a mover that is placed somewhere overlaps the whole of another actor.
static bool overlaps(cl_movement *m, const cl_placed *placed, const cl_placed *other) {
  m->spent += steps_to_compare(placed, other);
  return cl_overlaps(placed, other, false);
}

// As cl_sweep_way_out, within the steps that are left. Ways out from `enough` on need not be the
// shortest.
static bool way_out(cl_movement *m, const cl_placed *placed, const cl_placed *other,
                    const cl_values *passes, double enough, cl_overlapped *out) {
  double left = cl_max(cl_move_limit(m) - (double)m->spent, CL_MOVE_WAY_OUT);
  cl_effort effort = {.pairs = CL_MOVE_PAIRS,
                      .work = CL_MOVE_WAY_OUT,
                      .enough = enough,
                      .search = m->gave_up ? 0 : (long)left};
  bool inside = cl_sweep_way_out(placed, other, passes, &effort, &out->hit, &out->value);
  m->spent += effort.spent;
  m->gave_up = m->gave_up || effort.given_up;
  return inside;
}

// Whether a mover at some place overlaps another actor, and its way out. Out of a one-way actor
// only short ways matter.
static bool find_way_out(cl_movement *m, const cl_obstacle *o, const cl_placed *placed,
                         const cl_placed *other, const cl_values *passes, cl_overlapped *out) {
  out->value = -1;
  if (o->is_box && o->column < 0)
    return cl_overlap_boxes(cl_placed_part_bounds(placed, 0), o->bounds, false, &out->hit);
  // Cells are compared one by one for the way out, too.
  if (!passes && !overlaps(m, placed, other)) return false;
  double enough = o->is & CL_ONE_WAY ? 2 * o->touch : INFINITY;
  return way_out(m, placed, other, passes, enough, out);
}

// A one-way actor pushes a mover out only in the direction in which it looks, and only by up to the
// distance that counts as touching.
static bool is_in_the_way(const cl_movement *m, const cl_placed *other,
                          const cl_overlapped *found) {
  if (!(found->is & CL_ONE_WAY)) return true;
  cl_vec n = {found->hit.nx, found->hit.ny};
  return found->hit.depth <= found->touch &&
         cl_vec_dot(n, cl_move_looks(&m->world->actors, found->slot, found->view, other)) >=
             CL_ONE_WAY_COSINE;
}

// How a mover that is placed somewhere overlaps one other actor that stops it; the depth is below 0
// if it does not. Crossed values count as passed here, reported or not.
static cl_overlapped overlap_with(cl_movement *m, const cl_body *mover, const cl_placed *placed,
                                  size_t near) {
  const cl_obstacle *o = &m->near[near];
  const cl_overlapped none = {.hit.depth = -1};
  cl_passed passed;
  if (o->is & CL_SENSOR && !m->def.responder) return none;
  if (cl_move_passes(m, mover, o, &passed)) return none;
  cl_placed other = cl_move_seen(m, o->slot, o->view);
  cl_overlapped found = {.slot = o->slot, .is = o->is, .view = o->view, .touch = o->touch};
  while (!m->halted && find_way_out(m, o, placed, &other, passed.values, &found)) {
    if (cl_move_stops(cl_move_know_of(m, mover, o->slot, found.value)->response))
      return is_in_the_way(m, &other, &found) ? found : none;
    if (!passed.values || found.value < 0) return none;
    cl_values_add(&passed.room, (unsigned)found.value);
  }
  return none;
}

// Whether an overlap is deeper than another; equal ones are ordered by the direction out.
static bool is_deeper(const cl_overlapped *a, const cl_overlapped *b) {
  if (a->hit.depth != b->hit.depth) return a->hit.depth > b->hit.depth;
  if (a->hit.nx == b->hit.nx && a->hit.ny == b->hit.ny) return a->touch > b->touch;
  return cl_vec_goes_first((cl_vec){a->hit.nx, a->hit.ny}, (cl_vec){b->hit.nx, b->hit.ny});
}

cl_overlapped cl_move_overlapped(cl_movement *m, const cl_body *mover, cl_vec at, bool list) {
  cl_overlapped deepest = {.hit.depth = -1};
  cl_placed there;
  if (list) m->insides = 0;
  if (m->nears == 0) return deepest;
  cl_bounds box = cl_body_at(mover, at, &there);
  for (cl_move_run r = {0}; cl_move_next_at(m, box, &r);) {
    cl_overlapped found = overlap_with(m, mover, &there, r.from);
    if (found.hit.depth < 0) continue;
    if (is_deeper(&found, &deepest)) deepest = found;
    if (!list) continue;
    cl_status status = CL_RESERVE(&m->world->alloc, m->inside, m->inside_cap, m->insides + 1);
    if (cl_move_check(m, status)) m->inside[m->insides++] = found;
  }
  return deepest;
}

// The depth matters only to responses that use the way out.
bool cl_move_blocks(cl_movement *m, const cl_body *mover, const cl_placed *placed, size_t near) {
  const cl_obstacle *o = &m->near[near];
  if (o->is & CL_SENSOR && !m->def.responder) return false;
  if (m->def.responder || o->is & CL_ONE_WAY) {
    cl_overlapped found = overlap_with(m, mover, placed, near);
    return found.hit.depth >= 0 || m->gave_up;
  }
  if (!o->is_box) {
    cl_placed other = cl_move_seen(m, o->slot, o->view);
    if (!overlaps(m, placed, &other)) return false;
  }
  return cl_move_stops(cl_move_know_of(m, mover, o->slot, -1)->response);
}

// ---- pushing out

// The straight ways out that are tried if repeatedly pushing out of the deepest does not help; how
// often each may go on from one overlap to the next; and the most steps for all of them together. A
// step is the work for two boxes.
enum { EIGHTH = 45, DIRECTIONS = 8 * (EIGHTH + 1), MOST_EXITS = 64, MOST_STEPS = 1 << 18 };

// The steps for any other shape, and the additional ones for each of its parts.
enum { STEPS_A_SHAPE = 16, STEPS_A_PART = 2 };

// The steps to find a point of another actor, for each part of the mover.
enum { STEPS_A_POINT = 128 };

static const double TURN = 6.283185307179586;

// Pushes out of the deepest overlap, first of `found`, until none is left; at least once. Returns
// whether the mover is free then.
static bool push_out(cl_movement *m, const cl_body *mover, cl_overlapped found, cl_vec *at) {
  bool free = false;
  for (int i = 0; i <= CL_MOVE_PUSHES; i++) {
    if (i > 1 && cl_move_is_over(m, m->def.responder ? CL_MOVE_INSIDE_SHARE : 1)) break;
    if (i > 0) found = cl_move_overlapped(m, mover, *at, false);
    free = found.hit.depth < 0 && !m->gave_up && cl_place_ok(*at);
    if (found.hit.depth < 0) break;
    double depth = found.hit.depth + i * found.touch / 1024;
    at->x += found.hit.nx * depth;
    at->y += found.hit.ny * depth;
  }
  return free;
}

// A mover that leaves the shapes in which it starts: where it is placed, its bounds there, and the
// steps of work that are left.
typedef struct leaver {
  cl_movement *m;
  const cl_body *mover;
  cl_placed placed;
  cl_bounds box;
  int32_t steps;
} leaver;

static int32_t steps_of(const leaver *l, const cl_obstacle *o) {
  if (o->is_box) return 1;
  const cl_shape *shape = l->m->world->actors.shape[o->slot];
  uint32_t parts = shape->part_count < CL_FEW_PARTS ? shape->part_count : CL_FEW_PARTS;
  return STEPS_A_SHAPE + STEPS_A_PART * (int32_t)parts;
}

// Whether any obstacle there stops the mover.
static bool is_blocked(leaver *l) {
  cl_movement *m = l->m;
  bool blocked = false;
  for (cl_move_run r = {0}; !blocked && cl_move_next(m, &r);) {
    l->steps -= (int32_t)(r.to - r.from);
    if (!cl_move_may_overlap(m, l->box, r)) continue;
    l->steps -= steps_of(l, &m->near[r.from]);
    blocked = cl_move_blocks(m, l->mover, &l->placed, r.from);
  }
  return blocked;
}

// How far the mover has to go along `u` to leave one other actor.
static double exit_from(leaver *l, cl_vec u, cl_move_run run) {
  cl_movement *m = l->m;
  const cl_obstacle *o = &m->near[run.from];
  cl_passed passed;
  if (o->is & CL_SENSOR && !m->def.responder) return 0;
  if (cl_move_passes(m, l->mover, o, &passed)) return 0;
  if (!o->is_box) {
    l->steps -= steps_of(l, o);
    cl_placed other = cl_move_seen(m, o->slot, o->view);
    cl_effort effort = {.work = CL_MOVE_WAY_OUT};
    double far = cl_sweep_exit(&l->placed, u, &other, passed.values, &effort);
    m->spent += effort.spent;
    return far;
  }
  double most = 0;
  for (size_t i = run.from; i < run.to; i++) {
    if (passed.values && cl_values_have(passed.values, (unsigned)m->near[i].value)) continue;
    if (!cl_move_may_overlap(m, l->box, (cl_move_run){i, i + 1})) continue;
    most = cl_max(most, cl_sweep_box_exit(&l->box, u, &m->near[i].bounds));
  }
  return most;
}

// The same for all that it overlaps, and the largest distance that counts as touching one.
static double exit_along(leaver *l, cl_vec u, double *touch) {
  double most = 0;
  *touch = 0;
  for (cl_move_run r = {0}; cl_move_next_at(l->m, l->box, &r);) {
    most = cl_max(most, exit_from(l, u, r));
    *touch = cl_max(*touch, l->m->near[r.from].touch);
  }
  return most;
}

// How far the mover, which overlaps something, has to go along `u`, from one overlap to the next,
// until none is left; infinite if that is farther than `limit`.
static double leave_along(leaver *l, cl_vec u, double limit) {
  cl_vec from = cl_body_place(l->mover);
  double way = 0;
  for (int i = 0; i < MOST_EXITS && way <= limit && l->steps > 0; i++) {
    if (cl_move_is_over(l->m, CL_MOVE_INSIDE_SHARE)) break;
    double touch;
    l->box = cl_body_at(l->mover, cl_vec_add(from, cl_vec_mul(u, way)), &l->placed);
    if (i > 0 && !is_blocked(l)) return way;
    way += exit_along(l, u, &touch) + touch / 1024;
  }
  return INFINITY;
}

// The i-th of the directions, one for each degree: those of an eighth of the circle, and their
// images.
static cl_vec direction(const cl_rot *eighth, int i) {
  int degree = i % (EIGHTH + 1), image = i / (EIGHTH + 1);
  cl_rot rot = eighth[degree];
  cl_vec u = {rot.c, degree == EIGHTH ? rot.c : rot.s};
  if (image & 1) u.x = -u.x;
  if (image & 2) u.y = -u.y;
  return image & 4 ? (cl_vec){u.y, u.x} : u;
}

// Whether a straight way of at most `limit` frees the mover; the shortest leads to `at`.
static bool search_straight(cl_movement *m, const cl_body *mover, double limit, cl_vec *at) {
  cl_vec from = cl_body_place(mover), along = {0, 0};
  double best = limit;
  bool free = false;
  leaver l = {.m = m, .mover = mover, .steps = MOST_STEPS};
  cl_rot eighth[EIGHTH + 1];
  for (int i = 0; i <= EIGHTH; i++) eighth[i] = cl_rot_of(TURN * i / 360);
  for (int i = 0; i < DIRECTIONS; i++) {
    cl_vec u = direction(eighth, i);
    double way = leave_along(&l, u, best);
    cl_vec to = cl_vec_add(from, cl_vec_mul(u, way));
    if (way > best || !cl_place_ok(to)) continue;
    if (free && way == best && !cl_vec_goes_first(u, along)) continue;
    best = way;
    along = u;
    free = true;
    *at = to;
  }
  return free;
}

// Reports one actor that the mover overlaps at its start.
static void report_inside(cl_movement *m, const cl_body *mover, uint32_t view, cl_move_hit hit) {
  cl_placed other = cl_move_seen(m, hit.slot, view);
  m->spent += STEPS_A_POINT * (long)mover->placed.shape->part_count;
  hit.point = cl_distance(&mover->placed, &other).a;
  hit.column = hit.row = -1;
  hit.inside = true;
  cl_move_report(m, mover, &hit);
}

// Reports all actors that the mover was inside; afterwards the mover is at `to`. The responses to
// all of them are known already.
static void report_all(cl_movement *m, const cl_body *mover, cl_vec to, bool crushed) {
  for (size_t i = 0; i < m->insides; i++) {
    const cl_overlapped *found = &m->inside[i];
    cl_move_hit hit = {.slot = found->slot,
                       .normal = {found->hit.nx, found->hit.ny},
                       .at = to,
                       .value = found->value,
                       .crushed = crushed};
    hit.response = cl_move_know_of(m, mover, found->slot, found->value)->said;
    report_inside(m, mover, found->view, hit);
  }
}

// Whether the mover overlaps another actor where it is, and the value of its deepest cell if cells
// matter one by one.
static bool overlaps_cell(cl_movement *m, const cl_body *mover, const cl_placed *other,
                          const cl_values *passes, int32_t *value) {
  cl_overlapped found = {.value = -1};
  bool inside = passes ? way_out(m, &mover->placed, other, passes, INFINITY, &found)
                       : overlaps(m, &mover->placed, other);
  *value = found.value;
  return inside;
}

// Reports the sensors and other crossed actors that the mover overlaps where it begins, or was
// pushed out to.
static void report_crossed(cl_movement *m, const cl_body *mover, bool begins) {
  cl_bounds box = cl_body_bounds(mover);
  for (cl_move_run r = {0}; cl_move_next_at(m, box, &r);) {
    const cl_obstacle *o = &m->near[r.from];
    uint32_t slot = o->slot;
    cl_foretold told = cl_move_foretell(m, mover->slot, slot, -1);
    cl_passed passed;
    if (told.known && cl_move_stops(told.response) && !(o->is & CL_SENSOR)) continue;
    if (cl_move_passes(m, mover, o, &passed)) continue;
    cl_placed other = cl_move_seen(m, slot, o->view);
    int32_t value;
    while (!cl_move_is_over(m, CL_MOVE_INSIDE_SHARE) &&
           overlaps_cell(m, mover, &other, passed.values, &value)) {
      cl_known *known = cl_move_know_of(m, mover, slot, value);
      if (begins && cl_move_resume(m)) known = cl_move_know_of(m, mover, slot, value);
      if (cl_move_stops(known->response)) break;
      cl_move_hit hit = {
          .slot = slot, .at = cl_body_place(mover), .value = value, .response = CL_RESPONSE_CROSS};
      bool news = known->response == CL_RESPONSE_CROSS && !known->reported;
      known->reported |= news;
      if (news) report_inside(m, mover, o->view, hit);
      if (!passed.values || value < 0) break;
      cl_values_add(&passed.room, (unsigned)value);
    }
  }
}

// Whether the shortest way out of one of them alone is longer than `limit`. Only a way out of a
// single convex part is known to be the shortest.
static bool is_too_deep(const cl_movement *m, const cl_body *mover, double limit) {
  for (size_t i = 0; i < m->insides; i++) {
    const cl_shape *other = m->world->actors.shape[m->inside[i].slot];
    bool convex = other->kind != CL_TILES && other->part_count == 1;
    if (convex && mover->placed.shape->part_count == 1 &&
        m->inside[i].hit.depth > limit + m->inside[i].touch)
      return true;
  }
  return false;
}

void cl_move_begin(cl_movement *m, cl_body *mover) {
  cl_vec from = cl_body_place(mover), to = from;
  cl_move_find_ahead(m, mover);
  cl_move_run first = {0};
  mover->is_free =
      m->is_plain ? cl_move_is_clear(m, mover) : !cl_move_next_at(m, cl_body_bounds(mover), &first);
  mover->is_free = mover->is_free && !m->halted;
  if (mover->is_free) return;
  cl_move_leave_plain(m, mover);
  report_crossed(m, mover, true);
  cl_overlapped found = cl_move_overlapped(m, mover, from, true);
  mover->is_free = found.hit.depth < 0 && !m->halted;
  if (mover->is_free || m->halted) return;
  cl_bounds box = cl_body_bounds(mover);
  double limit = cl_min(box.r - box.l, box.b - box.t);
  bool free = false, slight = found.hit.depth <= found.touch;
  // No search then; but a responder is asked about everything that a search meets.
  bool stuck = !m->def.responder && is_too_deep(m, mover, limit);
  m->is_near_known = false;
  if (!stuck) {
    box = cl_bounds_grown(box, 2 * limit);
    cl_move_find(m, mover, box);
    free = push_out(m, mover, found, &to);
  }
  double far = cl_vec_length(cl_vec_sub(to, from));
  // Overlaps within the distance that counts as touching are resolved without a report.
  bool silent = free && slight && far <= found.touch;
  bool straight = !silent && !stuck && (!free || far > limit);
  if (straight) free = search_straight(m, mover, limit, &to);
  if (m->halted) return;
  if (!silent) report_all(m, mover, free ? to : from, !free);
  if (!free) remember(m, mover, box);
  mover->left = free ? cl_move_in_range(to, mover->left) : (cl_vec){0, 0};
  if (free) mover->placed.x = to.x, mover->placed.y = to.y;
  // If the host is asked about a crossing, the move begins again at this place.
  if (free && !silent) report_crossed(m, mover, false);
  mover->is_free = !m->halted;
}
