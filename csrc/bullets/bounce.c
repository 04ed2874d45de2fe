// collide, MIT licence (see LICENSE)
//
// Bullets that survive a hit. One that bounces has its velocity reflected, and goes the rest of its
// way among the actors as they were in the step, even if callbacks have changed them since. One
// that passes remembers the target that it is inside. Layer: bullets.
//
// Both may meet other bullets on the rest of their ways. Each side of such a meeting gets an event
// if its pool has asked for one: the other side in its turn, or next if its turn is over. A list of
// flights serves for this: the bullets of the step, each on its way since its last bounce, which a
// plan may have cut into legs. It is made when the first bullet that may meet others has survived a
// hit.

#include "bullets/state.h"
#include "geom/box.h"
#include "geom/shape.h"

// The actors as of a step, kept until the next one.

void cl_scene_forget(cl_scene *scene) {
  for (uint32_t i = 0; i < scene->count; i++) cl_shape_release(scene->target[i].shape);
  scene->count = 0;
  scene->finder.made = false;
}

// The groups that pools with hit events may hit.
static uint64_t groups_told(const cl_pools *pools) {
  uint64_t groups = 0;
  for (uint32_t i = 0; i < pools->count; i++) {
    const cl_bullets *pool = pools->at[i];
    bool wanted = pool->live > 0 && pool->event_mask & CL_BULLET_EVENT_HIT;
    if (wanted) groups |= cl_world_groups_hit(pools->world, pool->def.group);
  }
  return groups;
}

void cl_scene_keep(cl_pools *pools) {
  cl_scene *scene = &pools->scene;
  size_t pending = pools->shots.count - pools->cursor;
  cl_scene_forget(scene);
  uint64_t groups = pools->fresh.count + pending > 0 ? groups_told(pools) : 0;
  uint32_t most = cl_world_target_count(pools->world);
  if (groups == 0 || !CL_ROOM(pools, scene->target, scene->cap, most)) return;
  scene->count = cl_world_targets(pools->world, groups, scene->target);
  pools->work += most;
  for (uint32_t i = 0; i < scene->count; i++) cl_shape_retain(scene->target[i].shape);
}

static cl_bounds target_box(const void *user, uint32_t i) {
  const cl_target *target = user;
  return target[i].box;
}

static void find_kept(cl_pools *pools, cl_bounds box) {
  cl_scene *scene = &pools->scene;
  cl_pools_check(pools, cl_box_finder_find(&scene->finder, &pools->alloc, scene->count, target_box,
                                           scene->target, box));
  pools->work += scene->finder.found.count;
}

// The target found as number `k`; NULL if it is not in the box, not in one of the groups, or
// removed.
static const cl_target *found_target(const cl_pools *pools, size_t k, uint64_t groups,
                                     cl_bounds box) {
  const cl_target *target = &pools->scene.target[pools->scene.finder.found.at[k]];
  bool meant = groups >> target->group & 1 && target->slot != CL_SHOT_NOBODY;
  if (!meant || !cl_bounds_touch(target->box, box)) return NULL;
  return cl_world_has(pools->world, target->slot) ? target : NULL;
}

// The flights.

static int by_bullet(const void *p, const void *q) {
  const cl_flight *a = p, *b = q;
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static cl_flight *flight_of(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_flights *flights = &pools->flights;
  const cl_flight key = {.number = number, .pool = pool};
  uint32_t count = flights->made ? flights->count : 0;
  size_t at = cl_lower_bound(flights->at, count, sizeof key, &key, by_bullet, 0);
  if (at == count || by_bullet(&flights->at[at], &key) != 0) return NULL;
  return &flights->at[at];
}

// When the first remaining hit will end a bullet, unless a callback's answer saves it; INFINITY:
// none.
static double end_of(const cl_pools *pools, uint32_t pool, uint64_t number) {
  const cl_shots *shots = &pools->shots, *rest = &pools->rest;
  double end = INFINITY;
  if (pools->at[pool]->def.pierce) return end;
  for (size_t at = cl_shots_of(shots, pools->cursor, pool, number); at < shots->count; at++) {
    const cl_shot *shot = &shots->at[at];
    if (shot->pool != pool || shot->number != number) break;
    if (shot->kind == CL_SHOT_HIT) end = cl_min(end, shot->t);
  }
  const cl_shot *top = rest->at;
  bool own = rest->count > 0 && top->pool == pool && top->number == number;
  return own && top->kind == CL_SHOT_HIT ? cl_min(end, top->t) : end;
}

void cl_flights_update_end(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_flight *f = flight_of(pools, pool, number);
  if (f) f->ended = end_of(pools, pool, number);
}

static void add_flights(cl_pools *pools, const cl_bullets *pool) {
  const cl_moment *moment = &pools->moment;
  for (uint32_t i = 0; i < pool->used && pool->number[i] <= pools->last_moved; i++) {
    if (pool->dead[i]) continue;
    uint64_t number = (uint64_t)pool->number[i];
    cl_flight f = {.number = number, .pool = pool->index, .ends = 1};
    f.body = cl_bullets_body(pool, i, (cl_vec){0, 0});
    if (f.body.tail > 0) f.body.tail = pool->needle[i].was;
    f.from = (cl_vec){pool->next_x[i], pool->next_y[i]}; // the places before, since the step has
                                                         // ended
    f.to = (cl_vec){pool->x[i], pool->y[i]};
    bool current = moment->active && moment->pool == pool->index && moment->number == number;
    if (current) f.to = (cl_vec){moment->x, moment->y};
    f.before = f.body;
    f.cut = cl_pools_leg_at(pools, pool->index, number, 0) < pools->legs.count;
    f.ended = end_of(pools, pool->index, number);
    pools->flights.at[pools->flights.count++] = f;
  }
  pools->work += pool->used;
}

// Makes the list, if this step has none yet. Without memory there is none.
static void make_flights(cl_pools *pools) {
  cl_flights *flights = &pools->flights;
  size_t most = 0;
  if (flights->made) return;
  for (uint32_t p = 0; p < pools->count; p++) most += pools->at[p]->meets ? pools->at[p]->live : 0;
  if (!CL_ROOM(pools, flights->at, flights->cap, most)) return;
  flights->count = 0;
  for (uint32_t p = 0; p < pools->count; p++) {
    if (pools->at[p]->meets) add_flights(pools, pools->at[p]);
  }
  flights->made = true;
  flights->finder.made = false;
}

// The index of its bullet; the end of the arrays if no other can meet it: if it is dead, outside
// the world, or set elsewhere.
static uint32_t index_of(const cl_pools *pools, const cl_flight *f) {
  cl_bullets *pool = pools->at[f->pool];
  uint32_t i = cl_bullets_index(pool, f->number);
  bool lost = i == pool->used || isnan(pool->next_x[i]) || !cl_place_ok(f->to);
  return lost ? pool->used : i;
}

static bool is_lost(cl_pools *pools, const cl_flight *f) {
  return index_of(pools, f) == pools->at[f->pool]->used;
}

void cl_flights_note_lost(cl_pools *pools) {
  cl_flights *flights = &pools->flights;
  for (uint32_t i = 0; flights->made && i < flights->count; i++) {
    if (is_lost(pools, &flights->at[i])) flights->at[i].to.x = NAN;
  }
}

// The box of a straight way.
static cl_bounds straight_box(const cl_flight *f) {
  cl_bounds way = cl_way_box(f->from, f->to);
  return cl_bounds_grown(way, cl_bullet_body_reach(&f->body) + cl_motion_slack(way));
}

// The next leg of a flight that is cut, from number `*at` on, as a flight of its own. Returns false
// after the last.
static bool next_leg(const cl_pools *pools, const cl_flight *f, size_t *at, cl_flight *out) {
  const cl_legs *legs = &pools->legs;
  size_t count = legs->count - legs->fresh;
  while (*at < count && legs->at[*at].number == f->number && legs->at[*at].pool == f->pool) {
    const cl_leg *leg = &legs->at[(*at)++];
    if (leg->begins < f->begins || leg->begins == leg->ends) continue;
    if (!cl_place_ok(leg->to)) return false;
    *out = *f;
    out->from = leg->flying.at;
    out->to = leg->to;
    out->begins = leg->begins;
    out->ends = leg->ends;
    out->body = leg->flying.body;
    out->before = leg->before;
    return true;
  }
  return false;
}

// The box of a flight's way, which may be a leg.
static cl_bounds leg_box(const cl_pools *pools, const cl_flight *f) {
  cl_bounds box = straight_box(f);
  size_t at = cl_pools_leg_at(pools, f->pool, f->number, 0);
  cl_flight leg;
  while (f->cut && next_leg(pools, f, &at, &leg)) box = cl_bounds_join(box, straight_box(&leg));
  return box;
}

// How far a bouncing bullet may get, at up to twice its speed.
static cl_bounds flight_reach(const void *user, uint32_t k) {
  const cl_pools *pools = user;
  const cl_flight *f = &pools->flights.at[k];
  cl_bullets *pool = pools->at[f->pool];
  cl_bounds box = leg_box(pools, f);
  uint32_t i = index_of(pools, f);
  if (i == pool->used) return box;
  double speed = fabs(pool->vx[i]) + fabs(pool->vy[i]), dt = pools->dt;
  if (pool->accelerates) speed += (fabs(pool->ax[i]) + fabs(pool->ay[i])) * dt;
  return cl_bounds_grown(box, 2 * speed * dt);
}

// The flight of a bullet that has bounced off the target of a shot, and goes on its `way`.
static void turn_flight(cl_pools *pools, const cl_shot *shot, const cl_mover *way) {
  cl_flights *flights = &pools->flights;
  cl_flight *f = flight_of(pools, shot->pool, shot->number);
  if (!f) return;
  if (f->bounces < CL_MOST_BOUNCES) f->turn[f->bounces++] = shot->t;
  f->begins = shot->t;
  f->off = cl_shot_target(shot);
  f->from = way->from;
  f->to = way->to;
  f->body = f->before = way->body;
  f->cut = way->cut;
  f->ended = INFINITY;
  f->searched = true;
  if (!flights->finder.made || !cl_place_ok(f->to)) return;
  cl_bounds leg = leg_box(pools, f);
  cl_fbox box = cl_fbox_of(leg.l, leg.t, leg.r, leg.b),
          known = flights->finder.box[f - flights->at];
  bool within =
      box.x0 >= known.x0 && box.y0 >= known.y0 && box.x1 <= known.x1 && box.y1 <= known.y1;
  if (!within) flights->finder.made = false; // it has become faster
}

void cl_flights_drop_pool(cl_flights *flights, uint32_t gone) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < flights->count; i++) {
    cl_flight f = flights->at[i];
    if (f.pool == gone) continue;
    f.pool -= f.pool > gone;
    flights->at[n++] = f;
  }
  flights->count = n;
  flights->finder.made = false;
}

// The place of a bullet at t of a straight way.
static cl_vec flight_place(const cl_flight *f, double t) {
  if (t <= f->begins) return f->from;
  double share = (t - f->begins) / (f->ends - f->begins);
  return cl_vec_add(f->from, cl_vec_mul(cl_vec_sub(f->to, f->from), share));
}

// A bullet that has survived a hit, on the rest of its way from the time `since`; `way->rest`: it
// bounced, which began a new way. If that is cut, `way` is one leg of it. `end`: where it ends,
// with the body `last`. `ends`: when its next known hit ends it, unless a callback's answer saves
// it. `has_bounced`: at some time. `mover` is `way` for the time that it shares with a leg of
// another bullet.
typedef struct meeting {
  cl_pools *pools;
  const cl_mover *way;
  cl_vec end;
  cl_bullet_body last;
  double since, ends;
  bool has_bounced;
  cl_mover mover;
} meeting;

static double end_of_way(const cl_mover *way) { return way->cut ? way->ends : 1; }

static cl_vec place_on(const cl_mover *way, double t) {
  double share = (t - way->begins) / (end_of_way(way) - way->begins);
  return cl_vec_add(way->from, cl_vec_mul(cl_vec_sub(way->to, way->from), share));
}

// Sets the mover to the part of its way from `begins` to `ends`.
static void share_way(meeting *d, double begins, double ends) {
  const cl_mover *way = d->way;
  cl_mover *m = &d->mover;
  m->begins = begins;
  m->ends = ends;
  m->cut = ends < 1;
  m->from = begins > way->begins ? place_on(way, begins) : way->from;
  m->to = ends < end_of_way(way) ? place_on(way, ends) : way->to;
  m->left = d->pools->dt * (1 - begins);
  cl_mover_box(m);
}

// Whether the two overlap when their common time begins, or touch at the end of a leg. Then they
// met before, and have already had their events, if any.
static bool have_met(const meeting *d, const cl_flight *f, bool later) {
  const cl_mover *m = &d->mover, *way = d->way;
  const cl_bullet_body *own = m->begins > way->begins ? &m->body : &way->before;
  const cl_bullet_body *body = m->begins > f->begins ? &f->body : &f->before;
  double reach = (own->radius + body->radius) * (later ? 1 : 1 - CL_STILL_INSIDE);
  double apart = cl_bullet_bodies_apart(body, flight_place(f, m->begins), own, m->from);
  if (later) return apart <= reach * reach;
  return m->begins > CL_STILL_INSIDE && apart < reach * reach;
}

// How far a flight would go in a whole step.
static cl_vec motion_of(const cl_flight *f) {
  if (!(f->begins < f->ends)) return (cl_vec){0, 0};
  return cl_vec_mul(cl_vec_sub(f->to, f->from), 1 / (f->ends - f->begins));
}

static bool hits_flight(const meeting *d, const cl_flight *f, bool later, const cl_placed *at,
                        cl_shot *shot) {
  const cl_mover *m = &d->mover;
  uint64_t other = CL_OTHER_BULLET | f->number;
  uint32_t flags = cl_pools_met(d->pools, m->pool->index, m->number, other);
  bool reported = flags & CL_MET || cl_pools_was_reported(d->pools, m->number, other);
  if (have_met(d, f, later)) return false;
  if (reported && !(m->bounced && d->way->rest)) return false;
  bool inside, hits = cl_mover_hits(m, motion_of(f), at, reported, shot, &inside);
  return hits && !(inside && (reported || flags & CL_WAS_INSIDE));
}

// The shot of the other bullet, on its flight `f`.
static cl_shot other_side(cl_pools *pools, const cl_flight *f, const cl_shot *shot) {
  const cl_flight *self = flight_of(pools, shot->pool, shot->number);
  size_t leg = f->cut ? cl_pools_leg_at(pools, f->pool, f->number, shot->t) : pools->legs.count;
  bool cut = leg < pools->legs.count;
  cl_vec at = cut ? cl_leg_place(&pools->legs.at[leg], shot->t) : flight_place(f, shot->t);
  cl_shot back = cl_shot_mirrored(shot, at);
  back.wanted = pools->at[shot->other_pool]->event_mask & CL_BULLET_EVENT_HIT;
  back.sure = true;
  back.leg = self ? self->bounces : 0;
  return back;
}

// Both remember that they have met in this step, and whether they still overlap at its end.
static void remember_both(cl_pools *pools, const cl_shot *shot, bool inside) {
  cl_bullets *b = pools->at[shot->other_pool];
  bool stays = b->def.pierce || cl_bullets_survived(b, cl_bullets_index(b, shot->other));
  uint32_t flags = CL_MET | (inside ? CL_INSIDE : 0);
  cl_met met = {shot->number, CL_OTHER_BULLET | shot->other, shot->pool, flags};
  cl_met back = {shot->other, CL_OTHER_BULLET | shot->number, b->index, stays ? flags : CL_MET};
  cl_pools_add_met(pools, &met);
  cl_pools_add_met(pools, &back);
}

bool cl_pools_still_meets(cl_pools *pools, const cl_shot *shot) {
  const cl_flight *f = flight_of(pools, shot->other_pool, shot->other);
  if (!f) return true;
  if (shot->leg < f->bounces && shot->t > f->turn[shot->leg]) return false;
  return !shot->added || shot->sure || (!is_lost(pools, f) && f->ended > shot->t);
}

// Whether the step found this meeting itself, and will dispatch it.
static bool is_listed(cl_pools *pools, const cl_mover *way, const cl_flight *f) {
  bool asks = way->pool->def.bullets;
  uint64_t number = asks ? way->number : f->number, other = asks ? f->number : way->number;
  const cl_shot *shot = cl_pools_find_back(pools, number, other);
  return shot && cl_pools_still_meets(pools, shot);
}

// Whether the two touch at the end of the step, if one of their ways is cut.
static bool meet_at_end(const meeting *d, const cl_flight *f, const cl_bullets *b, uint32_t i) {
  cl_bullet_body body = cl_bullets_body(b, i, (cl_vec){0, 0});
  double reach = d->last.radius + body.radius;
  return cl_bullet_bodies_apart(&d->last, d->end, &body, f->to) <= reach * reach;
}

// Appends the meeting with a flight on one straight way, its own or one leg, to the fresh shots and
// memories, if the two meet.
static void meet_straight(meeting *d, const cl_flight *f, const cl_flight *leg, uint32_t i) {
  cl_pools *pools = d->pools;
  const cl_mover *way = d->way;
  cl_bullets *a = way->pool, *b = pools->at[f->pool];
  double begins = cl_max(way->begins, leg->begins), ends = cl_min(end_of_way(way), leg->ends);
  bool cut = way->cut || f->cut;
  if (cut && !(begins < ends)) return;
  share_way(d, begins, ends);
  if (!cl_bounds_touch(straight_box(leg), d->mover.box)) return;
  cl_stack_shape shape;
  cl_bullet_body_shape(&shape, &leg->body);
  cl_vec to = leg->to;
  if (leg->ends < 1) to = cl_vec_add(to, cl_vec_mul(motion_of(leg), 1 - leg->ends));
  cl_placed at = {&shape.shape, to.x, to.y, {1, 0}};
  d->mover.bounced = d->has_bounced || cl_bullets_survived(b, i) & CL_BOUNCED;
  cl_shot shot = {.number = way->number,
                  .pool = a->index,
                  .actor = CL_SHOT_BULLET,
                  .other = f->number,
                  .other_pool = f->pool,
                  .kind = CL_SHOT_HIT,
                  .wanted = a->event_mask & CL_BULLET_EVENT_HIT,
                  .leg = f->bounces,
                  .added = true};
  bool later = begins > cl_max(d->since, f->begins);
  if (!hits_flight(d, leg, later, &at, &shot) || !(f->ended > shot.t)) return;
  if (!way->rest && is_listed(pools, way, f)) return;
  // It has bounced off this bullet at that place: that event has already been dispatched.
  shot.sure = f->off == (CL_OTHER_BULLET | way->number) && shot.t <= f->begins + CL_STILL_INSIDE;
  cl_shot told = shot;
  if (!a->def.bullets) {
    if (shot.sure || !(d->ends > shot.t)) return;
    told = other_side(pools, f, &shot);
    told.leg += way->rest; // of the way that begins now
  }
  cl_shots_add(pools, &pools->fresh, &told);
  bool inside = cut ? meet_at_end(d, f, b, i) : cl_mover_inside(&d->mover, &at);
  remember_both(pools, &shot, inside);
}

// The meetings with one flight.
static void meet_flight(meeting *d, const cl_flight *f) {
  cl_pools *pools = d->pools;
  const cl_bullets *b = pools->at[f->pool];
  uint32_t i = cl_bullets_may_meet(d->way->pool, b) ? index_of(pools, f) : b->used;
  if (i == b->used) return;
  if (!f->cut) {
    meet_straight(d, f, f, i);
    return;
  }
  size_t at = cl_pools_leg_at(pools, f->pool, f->number, d->way->begins);
  double ends = end_of_way(d->way);
  cl_flight leg;
  while (next_leg(pools, f, &at, &leg) && leg.begins < ends) meet_straight(d, f, &leg, i);
}

// Finds the meetings of a bullet with others on a straight way.
static void find_straight(meeting *d, const cl_mover *way) {
  cl_pools *pools = d->pools;
  cl_bullets *pool = way->pool;
  cl_flights *flights = &pools->flights;
  uint32_t i = cl_bullets_index(pool, way->number);
  cl_stack_shape shape;
  cl_bullet_body_shape(&shape, &way->body);
  d->way = way;
  d->has_bounced = way->rest || cl_bullets_survived(pool, i) & CL_BOUNCED;
  d->mover = (cl_mover){.pool = pool, .number = way->number, .body = way->body};
  d->mover.shape = &shape.shape;
  share_way(d, way->begins, end_of_way(way));
  cl_pools_check(pools, cl_box_finder_find(&flights->finder, &pools->alloc, flights->count,
                                           flight_reach, pools, d->mover.box));
  pools->work += flights->finder.found.count;
  for (size_t k = 0; k < flights->finder.found.count; k++) {
    meet_flight(d, &flights->at[flights->finder.found.at[k]]);
  }
}

// Finds the meetings of a bullet with others on the rest of its way, which is straight, or cut into
// legs from number `leg` on. There is a list of flights.
static void find_meetings(cl_pools *pools, const cl_mover *way, double ends, size_t leg) {
  const cl_legs *legs = &pools->legs;
  meeting d = {.pools = pools, .end = way->to, .since = way->begins, .ends = ends};
  d.last = way->body;
  if (leg == legs->count) {
    find_straight(&d, way);
    return;
  }
  cl_mover m = *way;
  size_t last = leg;
  while (last + 1 < legs->count && legs->at[last + 1].number == way->number) last++;
  m.cut = true;
  d.last = legs->at[last].flying.body;
  for (size_t k = leg; k <= last; k++) {
    const cl_leg *l = &legs->at[k];
    if (!cl_place_ok(l->to)) break;
    if (l->begins == l->ends || l->ends <= way->begins) continue;
    bool whole = way->begins <= l->begins;
    m.begins = whole ? l->begins : way->begins;
    m.ends = l->ends;
    m.from = whole ? l->flying.at : cl_leg_place(l, way->begins);
    m.to = l->to;
    m.body = l->flying.body;
    m.before = whole ? l->before : m.body;
    find_straight(&d, &m);
  }
}

// Counts a hit or graze that was found, or no longer counts it.
static void count(const cl_pools *pools, const cl_shot *shot, int by) {
  cl_bullets *pool = pools->at[shot->pool];
  if (shot->kind == CL_SHOT_HIT) pool->hits += (uint64_t)by;
  if (shot->kind == CL_SHOT_GRAZE) pool->grazes += (uint64_t)by;
}

// Counts a shot that is added to those of the step. It may end its bullet.
static void count_added(cl_pools *pools, const cl_shot *shot) {
  cl_flight *f = flight_of(pools, shot->pool, shot->number);
  bool ends = shot->kind == CL_SHOT_HIT && !pools->at[shot->pool]->def.pierce;
  if (f && ends) f->ended = cl_min(f->ended, shot->t);
  count(pools, shot, 1);
}

void cl_pools_report_other(cl_pools *pools, const cl_shot *shot) {
  const cl_bullets *b = pools->at[shot->other_pool];
  const cl_flight *f = flight_of(pools, shot->other_pool, shot->other);
  if (!shot->added || shot->sure || !b->def.bullets || !f) return;
  if (shot->t < f->begins) return; // it has bounced since, at a later moment
  pools->echo = other_side(pools, f, shot);
  pools->echoes = true;
  count_added(pools, &pools->echo);
}

// Drops the remaining shots of the present bullet, as if they had not been found.
typedef struct dropped {
  size_t cursor, rest; // before that
} dropped;

static void recount(cl_pools *pools, const cl_shot *shot, int by) {
  count(pools, shot, by);
  if (shot->kind == CL_SHOT_GRAZE) cl_pools_set_grazed(pools, shot, by > 0);
}

static dropped drop_shots(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  const dropped before = {pools->cursor, rest->count};
  size_t *at = &pools->cursor;
  while (rest->count > 0 && rest->at[0].pool == pool && rest->at[0].number == number) {
    recount(pools, cl_rest_pop(rest), -1);
  }
  while (*at < shots->count && shots->at[*at].pool == pool && shots->at[*at].number == number) {
    recount(pools, &shots->at[(*at)++], -1);
  }
  return before;
}

static void restore_shots(cl_pools *pools, dropped before) {
  cl_shots *rest = &pools->rest;
  while (rest->count < before.rest) {
    recount(pools, &rest->at[rest->count], 1);
    cl_rest_unpop(rest);
  }
  while (pools->cursor > before.cursor) recount(pools, &pools->shots.at[--pools->cursor], 1);
}

// The bounce.

// v minus twice its component along n, if that leads inward; n may be slightly off unit length. If
// v hardly leads inward, the result leads outward by at least the rounding error.
static cl_vec reflected(cl_vec v, cl_vec n) {
  double inward = cl_vec_dot(v, n), least = 16 * CL_ROUND * (fabs(v.x) + fabs(v.y));
  if (inward >= 0) return v;
  cl_vec to = cl_vec_sub(v, cl_vec_mul(n, 2 * inward / cl_vec_dot(n, n)));
  double outward = cl_vec_dot(to, n);
  return outward < least ? cl_vec_add(to, cl_vec_mul(n, least - outward)) : to;
}

// Finds the actors that the bullet meets on the rest of its way.
static void meet_actors(cl_pools *pools, const cl_mover *way, cl_bullet_body body) {
  const cl_bullets *pool = way->pool;
  double graze = pool->event_mask & CL_BULLET_EVENT_GRAZE ? pool->def.graze : 0;
  cl_stack_shape shape, grazing;
  cl_mover m = *way;
  m.body = body;
  cl_bullet_body_shape(&shape, &body);
  body.radius = graze;
  if (graze > 0) cl_bullet_body_shape(&grazing, &body);
  m.shape = &shape.shape;
  m.graze = graze > 0 ? &grazing.shape : NULL;
  cl_mover_box(&m);
  uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
  cl_bounds box = cl_bounds_join(m.box, m.graze_box);
  find_kept(pools, box);
  for (size_t k = 0; k < pools->scene.finder.found.count; k++) {
    const cl_target *target = found_target(pools, k, groups, box);
    if (target) cl_mover_meet(pools, &m, target);
  }
}

// Reserves room for the shots found and for their dispatch, and one more place for the other side
// of the present hit.
static void reserve_rest(cl_pools *pools) {
  cl_bouncer *b = &pools->bouncer;
  size_t rest = pools->rest.count + pools->fresh.count + 1;
  size_t reported = b->reported_count + pools->shots.count - pools->cursor + rest;
  cl_mets *met = &pools->met;
  CL_ROOM(pools, met->at, met->cap, met->count + pools->fresh_met.count);
  CL_ROOM(pools, pools->rest.at, pools->rest.cap, rest);
  CL_ROOM(pools, b->reported, b->reported_cap, reported);
}

static void forget_rest(cl_pools *pools) { pools->fresh.count = pools->fresh_met.count = 0; }

// Queues the shots found to be dispatched next, and their other sides in their turn.
static void tell_rest(cl_pools *pools) {
  cl_pools_insert_mets(pools);
  for (size_t k = 0; k < pools->fresh.count; k++) {
    count_added(pools, &pools->fresh.at[k]);
    cl_rest_push(&pools->rest, &pools->fresh.at[k]);
  }
  pools->fresh.count = 0;
}

// When the first shot that was found ends the bullet, unless a callback's answer saves it.
static double first_end(const cl_pools *pools, const cl_bullets *pool) {
  double end = INFINITY;
  for (size_t k = 0; k < pools->fresh.count && !pool->def.pierce; k++) {
    const cl_shot *shot = &pools->fresh.at[k];
    if (shot->kind == CL_SHOT_HIT) end = cl_min(end, shot->t);
  }
  return end;
}

// Finds the actors met on the rest of a cut way: the legs from number `first` on.
static void meet_on_legs(cl_pools *pools, const cl_mover *way, size_t first) {
  cl_mover m = *way;
  m.first_met = pools->fresh_met.count;
  m.cut = true;
  for (size_t k = first; k < pools->legs.count; k++) {
    const cl_leg *leg = &pools->legs.at[k];
    if (!cl_place_ok(leg->to)) break;
    if (leg->begins == leg->ends) continue;
    m.from = leg->flying.at;
    m.to = leg->to;
    m.begins = leg->begins;
    m.ends = leg->ends;
    m.before = leg->before;
    meet_actors(pools, &m, leg->flying.body);
    m.later = true;
  }
}

static void find_rest(cl_pools *pools, const cl_mover *way, uint32_t i, size_t legs) {
  cl_bullets *pool = way->pool;
  bool here = cl_place_ok(way->to), cut = legs < pools->legs.count;
  if (cut) meet_on_legs(pools, way, legs);
  else if (here) meet_actors(pools, way, way->body);
  if (pool->meets) make_flights(pools);
  if (pool->meets && here && pools->flights.made) {
    find_meetings(pools, way, first_end(pools, pool), legs);
  }
  if (cl_bullets_ends(pool, way->to, pool->age[i])) cl_pools_add_end(pools, pool, way->number);
  reserve_rest(pools);
}

// Fields that the callback has set override the state of that moment.
static void keep_set(const cl_pools *pools, const cl_bullets *pool, uint32_t i, cl_flying *s) {
  uint32_t set = pools->moment.set;
  if (set & CL_BULLET_AX && pool->accelerates) s->a.x = pool->ax[i];
  if (set & CL_BULLET_AY && pool->accelerates) s->a.y = pool->ay[i];
  if (set & CL_BULLET_RADIUS) s->body.radius = pool->radius[i];
  if (set & CL_BULLET_TAG) s->tag = pool->tag[i];
}

// Flies the rest of a cut way, from leg number `leg` with velocity v: appends its legs, and writes
// the end of the way and the state there. A waiting bullet gets this state in the next step.
static void fly_rest(cl_pools *pools, cl_mover *way, uint32_t i, size_t leg, cl_vec v,
                     cl_flying *end, bool flies) {
  cl_leg like = pools->legs.at[leg];
  like.bounced = false;
  *end = like.flying;
  end->at = way->from;
  end->v = v;
  keep_set(pools, way->pool, i, end);
  end->body.tail = 0 - end->body.radius;
  if (!flies) return;
  size_t first = pools->legs.count;
  cl_bullets_fly(way->pool, i, end, &like, way->begins, false);
  size_t most = 2 * pools->legs.count - first;
  pools->legs.fresh = pools->legs.count - first;
  if (CL_ROOM(pools, pools->legs.at, pools->legs.cap, most)) pools->legs.at[first].bounced = true;
  way->to = end->at;
}

// Replaces the legs of a bullet behind leg number `leg`, which ends where it has bounced, by those
// from number `fresh` on. There is room for twice as many.
static void keep_legs(cl_legs *legs, size_t leg, size_t fresh, const cl_mover *way) {
  size_t after = leg + 1, n = legs->count - fresh, size = sizeof *legs->at;
  cl_leg *at = legs->at;
  at[leg].to = way->from;
  at[leg].ends = way->begins;
  while (after < fresh && at[after].number == way->number) after++;
  memcpy(at + legs->count, at + fresh, n * size);
  memmove(at + leg + 1 + n, at + after, (fresh - after) * size);
  memmove(at + leg + 1, at + legs->count, n * size);
  legs->count = leg + 1 + n + (fresh - after);
  legs->fresh = 0;
}

// A bullet that has bounced draws its tail behind it on the rest of its way.
static void drop_tail(cl_bullets *pool, uint32_t i, cl_vec v, cl_vec way) {
  cl_needle *needle = &pool->needle[i];
  if (needle->length == 0) return;
  needle->heading = cl_heading(v, needle->heading);
  needle->tail = cl_tail_grown(0 - pool->radius[i], needle->length, way);
}

// The rest of the way of a bullet that has bounced, before it is known where it ends.
static cl_mover rest_of_way(cl_bullets *pool, uint32_t i, const cl_shot *shot) {
  cl_vec at = {pool->x[i], pool->y[i]};
  const cl_bullet_body body = {.radius = pool->radius[i]};
  return (cl_mover){.pool = pool,
                    .number = shot->number,
                    .from = at,
                    .to = at,
                    .begins = shot->t,
                    .left = shot->left,
                    .body = body,
                    .before = body,
                    .stays = true,
                    .bounced = true,
                    .rest = true};
}

// Puts the bullet of a shot where its way ends, with velocity v, and queues what it meets. If its
// way is cut, its legs and the state at the end are already stored.
static void go_on(cl_pools *pools, const cl_shot *shot, uint32_t i, const cl_mover *way, cl_vec v) {
  cl_bullets *pool = way->pool;
  pools->bouncer.bounces++;
  pools->moment.active = false; // the state at the end of the step no longer applies
  cl_bullets_mark(pool, i, CL_BOUNCED);
  cl_pools_forget_all(pools, shot->pool, shot->number, CL_INSIDE);
  turn_flight(pools, shot, way);
  if (pool->needles && !way->cut) drop_tail(pool, i, v, cl_vec_sub(way->to, way->from));
  tell_rest(pools);
  pool->next_x[i] = way->from.x; // where its last leg begins, even if it has been set elsewhere
  pool->next_y[i] = NAN;         // but it is drawn where it is
  pool->x[i] = way->to.x;
  pool->y[i] = way->to.y;
  pool->vx[i] = v.x;
  pool->vy[i] = v.y;
}

void cl_pools_bounce(cl_pools *pools) {
  const cl_shot shot = pools->current;
  cl_bullets *pool = pools->at[shot.pool];
  uint32_t i = cl_bullets_index(pool, shot.number);
  cl_vec after, v = reflected((cl_vec){pool->vx[i], pool->vy[i]}, (cl_vec){shot.nx, shot.ny});
  cl_vec rest = cl_bullets_way(pool, i, v, shot.left, &after);
  cl_mover way = rest_of_way(pool, i, &shot);
  const cl_flight *known = flight_of(pools, shot.pool, shot.number);
  // A waiting bullet has no way left: it only meets others that it is inside.
  bool flies = (known ? known->bounces : pools->bouncer.bounces) + 1 < CL_MOST_BOUNCES;
  if (flies) way.to = cl_vec_add(way.to, rest);
  dropped before = drop_shots(pools, shot.pool, shot.number);
  size_t legs = pools->legs.count, leg = legs;
  if (shot.leg < CL_MOST_BOUNCES) leg = cl_pools_leg_at(pools, shot.pool, shot.number, shot.t);
  cl_flying end;
  bool cut = leg < legs;
  if (cut) fly_rest(pools, &way, i, leg, v, &end, flies);
  if (cut) after = end.v;
  find_rest(pools, &way, i, legs);
  if (pools->status != CL_OK) {
    pools->legs.count = legs;
    pools->legs.fresh = 0;
    forget_rest(pools);
    restore_shots(pools, before);
    return;
  }
  if (cut) cl_bullets_put_flying(pool, i, &end);
  if (cut) keep_legs(&pools->legs, leg, legs, &way);
  way.cut = cut;
  go_on(pools, &shot, i, &way, after);
}

// A bullet that passes flies on. If it is still inside the target when the step ends, it remembers
// the target.
static void remember_target(cl_pools *pools, const cl_shot *shot, uint32_t i) {
  cl_bullets *pool = pools->at[shot->pool];
  cl_vec end = {pools->moment.x, pools->moment.y};
  cl_stack_shape shape, shape_of_other;
  cl_placed at = {NULL, 0, 0, {1, 0}};
  if (!cl_place_ok(end)) return;
  cl_bullet_body body = cl_bullets_body(pool, i, (cl_vec){0, 0});
  cl_bullet_body_shape(&shape, &body);
  cl_mover m = {.shape = &shape.shape, .from = end, .to = end};
  m.bounced = cl_bullets_survived(pool, i) & CL_BOUNCED;
  if (shot->actor != CL_SHOT_BULLET) {
    uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
    cl_mover_box(&m);
    find_kept(pools, m.box);
    for (size_t k = 0; k < pools->scene.finder.found.count; k++) {
      const cl_target *target = found_target(pools, k, groups, m.box);
      if (target && target->slot == shot->actor) at = target->at;
    }
  } else {
    cl_bullets *b = pools->at[shot->other_pool];
    uint32_t k = cl_bullets_index(b, shot->other);
    if (k < b->used) {
      cl_bullet_body other = cl_bullets_body(b, k, (cl_vec){0, 0});
      cl_bullet_body_shape(&shape_of_other, &other);
      at = (cl_placed){&shape_of_other.shape, b->x[k], b->y[k], {1, 0}};
    }
  }
  if (!at.shape || !cl_mover_inside(&m, &at)) return;
  cl_pools_add_met(pools, &(cl_met){shot->number, cl_shot_target(shot), pool->index, CL_INSIDE});
}

// Finds the bullets that it would have met if it had not been expected to end here. If only the
// others' pools have asked for events, these get events up to the next hit that may end it, so the
// search is repeated each time.
static void search_on(cl_pools *pools, const cl_shot *shot, uint32_t i) {
  cl_bullets *pool = pools->at[shot->pool];
  if (!pool->meets) return;
  make_flights(pools);
  const cl_flight *f = flight_of(pools, shot->pool, shot->number);
  if (!f || is_lost(pools, f) || (f->searched && pool->def.bullets)) return;
  const cl_mover way = {.pool = pool,
                        .number = shot->number,
                        .begins = shot->t,
                        .body = f->body,
                        .before = f->body,
                        .from = {pool->x[i], pool->y[i]},
                        .to = f->to};
  size_t leg =
      f->cut ? cl_pools_leg_at(pools, shot->pool, shot->number, shot->t) : pools->legs.count;
  find_meetings(pools, &way, end_of(pools, shot->pool, shot->number), leg);
}

// A bullet that no hit ends already has its memories and its meetings.
void cl_pools_pass(cl_pools *pools) {
  const cl_shot *shot = &pools->current;
  cl_bullets *pool = pools->at[shot->pool];
  uint32_t i = cl_bullets_index(pool, shot->number);
  if (pool->def.pierce) return;
  bool jumped = pools->moment.set & CL_BULLET_PLACE;
  if (!jumped) remember_target(pools, shot, i);
  if (!jumped) search_on(pools, shot, i);
  reserve_rest(pools);
  if (pools->status != CL_OK) {
    forget_rest(pools);
    return;
  }
  cl_flight *f = flight_of(pools, shot->pool, shot->number);
  if (f) f->searched = true;
  cl_flights_update_end(pools, shot->pool, shot->number);
  tell_rest(pools);
  cl_bullets_mark(pool, i, CL_PASSED);
}
