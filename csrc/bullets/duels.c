// collide, MIT licence (see LICENSE)
//
// The bullets that a bullet meets on the rest of its way after a hit that it has survived. Each
// side of such a meeting gets an event if its pool has asked for one: the other side in its turn,
// or next if its turn is over. Layer: bullets.

#include "bullets/bouncer.h"
#include "bullets/duels.h"
#include "bullets/flights.h"
#include "bullets/mets.h"
#include "bullets/mover.h"
#include "bullets/shots.h"

#include "geom/shape.h"

// A bullet on the rest of its way, from `after` on; `mover` is the same for the time that it shares
// with the last leg of another.
typedef struct duel {
  cl_pools *pools;
  const cl_duel *rest;
  cl_mover mover;
} duel;

// The place of a bullet at t of its last leg.
static cl_vec place_at(const cl_flight *f, double t) {
  if (t <= f->begins) return f->from;
  double share = (t - f->begins) / (1 - f->begins);
  return cl_vec_add(f->from, cl_vec_mul(cl_vec_sub(f->to, f->from), share));
}

static bool may_meet(const cl_pools *pools, const cl_bullets *a, const cl_bullets *b) {
  return a != b && (a->def.bullets || b->def.bullets) &&
         cl_world_can_hit(pools->world, a->def.group, b->def.group);
}

// Gives the mover the part of its way from `begins` on.
static void aim(duel *d, double begins) {
  const cl_duel *r = d->rest;
  cl_mover *m = &d->mover;
  m->begins = begins;
  m->from = r->from;
  if (begins > r->after) {
    double share = (begins - r->after) / (1 - r->after);
    m->from = cl_vec_add(r->from, cl_vec_mul(cl_vec_sub(r->to, r->from), share));
  }
  m->to = r->to;
  m->left = d->pools->dt * (1 - begins);
  cl_mover_box(m, r->radius, 0);
}

// Whether the two overlap when their common time begins. Then they met before, and have had their
// events, if any.
static bool have_met(const duel *d, const cl_flight *f) {
  const cl_mover *m = &d->mover;
  cl_vec between = cl_vec_sub(m->from, place_at(f, m->begins));
  double reach = (d->rest->radius + f->radius) * (1 - CL_STILL_INSIDE);
  return m->begins > CL_STILL_INSIDE && cl_vec_dot(between, between) < reach * reach;
}

static bool hits(const duel *d, const cl_flight *f, const cl_placed *at, uint32_t flags,
                 cl_shot *shot) {
  const cl_mover *m = &d->mover;
  bool reported =
      flags & CL_MET || cl_pools_was_reported(d->pools, m->number, CL_OTHER_BULLET | f->number);
  cl_vec motion = {0, 0};
  if (have_met(d, f)) return false;
  if (f->begins < 1) motion = cl_vec_mul(cl_vec_sub(f->to, f->from), 1 / (1 - f->begins));
  if (m->bounced) {
    bool inside;
    if (!d->rest->bounced && reported) return false;
    if (!cl_mover_enter(m, motion, at, reported, shot, &inside)) return false;
    return !inside || !(reported || flags & CL_WAS_INSIDE);
  }
  if (reported || !cl_mover_cast(m, m->shape, motion, at, shot)) return false;
  return !(flags & CL_WAS_INSIDE && shot->t <= m->begins + CL_STILL_INSIDE);
}

static cl_shot other_side(cl_pools *pools, const cl_flight *f, const cl_shot *shot) {
  cl_vec at = place_at(f, shot->t);
  const cl_flight *self = cl_flights_of(pools, shot->pool, shot->number);
  return (cl_shot){.number = shot->other,
                   .pool = shot->other_pool,
                   .actor = CL_SHOT_BULLET,
                   .other = shot->number,
                   .other_pool = shot->pool,
                   .kind = CL_SHOT_HIT,
                   .nx = 0 - shot->nx,
                   .ny = 0 - shot->ny,
                   .t = shot->t,
                   .x = at.x,
                   .y = at.y,
                   .left = shot->left,
                   .wanted = pools->at[shot->other_pool]->event_mask & CL_BULLET_EVENT_HIT,
                   .sure = true,
                   .leg = self ? self->bounces : 0};
}

// Both remember that they have met in this step and, if they still overlap at its end, that too.
static cl_status remember(cl_pools *pools, const cl_shot *shot, const cl_bullets *b, bool inside) {
  uint32_t i = cl_bullets_index(pools->at[b->index], shot->other);
  bool stays = b->def.pierce || cl_bullets_survived(b, i);
  uint32_t flags = CL_MET | (inside ? CL_INSIDE : 0);
  cl_met met = {shot->number, CL_OTHER_BULLET | shot->other, shot->pool, flags};
  cl_met back = {shot->other, CL_OTHER_BULLET | shot->number, b->index, stays ? flags : CL_MET};
  cl_status status = cl_pools_add_met(pools, &met);
  return status == CL_OK ? cl_pools_add_met(pools, &back) : status;
}

// Whether the step found this meeting itself, and will dispatch it.
static bool is_listed(cl_pools *pools, const cl_duel *r, const cl_flight *f) {
  bool asks = r->pool->def.bullets;
  uint64_t number = asks ? r->number : f->number, other = asks ? f->number : r->number;
  const cl_shot *shot = cl_pools_find_back(pools, number, other);
  return shot && cl_pools_still_meets(pools, shot);
}

static cl_status meet(void *user, const cl_flight *f) {
  duel *d = user;
  cl_pools *pools = d->pools;
  const cl_duel *r = d->rest;
  cl_bullets *b = pools->at[f->pool];
  if (f->lost || !may_meet(pools, r->pool, b) || !cl_bullets_alive(b, f->number)) return CL_OK;
  aim(d, cl_max(r->after, f->begins));
  if (!cl_bounds_touch(cl_flight_box(f), d->mover.box)) return CL_OK;
  uint64_t other = CL_OTHER_BULLET | f->number;
  uint32_t flags = cl_pools_met(pools, r->pool->index, r->number, other);
  cl_stack_shape circle;
  cl_stack_circle(&circle, f->radius);
  cl_placed at = {&circle.shape, f->to.x, f->to.y, {1, 0}};
  uint32_t i = cl_bullets_index(b, f->number);
  d->mover.bounced = r->has_bounced || cl_bullets_survived(b, i) & CL_BOUNCED;
  cl_shot shot = {.number = r->number,
                  .pool = r->pool->index,
                  .actor = CL_SHOT_BULLET,
                  .other = f->number,
                  .other_pool = f->pool,
                  .kind = CL_SHOT_HIT,
                  .leg = f->bounces,
                  .added = true};
  if (!hits(d, f, &at, flags, &shot) || !(f->ended > shot.t)) return CL_OK;
  if (!r->bounced && is_listed(pools, r, f)) return CL_OK;
  shot.wanted = r->pool->event_mask & CL_BULLET_EVENT_HIT;
  // It has bounced off this one at that place: that event has been dispatched already.
  shot.sure = f->off == (CL_OTHER_BULLET | r->number) && shot.t <= f->begins + CL_STILL_INSIDE;
  if (!r->pool->def.bullets) {
    if (shot.sure || !(r->ends > shot.t)) return CL_OK;
    cl_shot back = other_side(pools, f, &shot);
    back.leg += r->bounced; // of the way that begins now
    cl_status status = cl_pools_add_shot(pools, &back);
    if (status != CL_OK) return status;
  } else {
    cl_status status = cl_pools_add_shot(pools, &shot);
    if (status != CL_OK) return status;
  }
  return remember(pools, &shot, b, cl_mover_inside(&d->mover, &at));
}

cl_status cl_pools_find_duels(cl_pools *pools, const cl_duel *rest) {
  cl_stack_shape circle;
  cl_stack_circle(&circle, rest->radius);
  duel d = {.pools = pools,
            .rest = rest,
            .mover = {.pool = rest->pool,
                      .number = rest->number,
                      .shape = &circle.shape,
                      .stays = true,
                      .rest = true}};
  aim(&d, rest->after);
  return cl_flights_query(pools, d.mover.box, meet, &d);
}

// Counts a hit or graze that was found. It may end its bullet.
static void count(cl_pools *pools, const cl_shot *shot) {
  cl_bullets *pool = pools->at[shot->pool];
  pool->hits += shot->kind == CL_SHOT_HIT;
  pool->grazes += shot->kind == CL_SHOT_GRAZE;
  cl_flight *f = cl_flights_of(pools, shot->pool, shot->number);
  bool ends = shot->kind == CL_SHOT_HIT && !pool->def.pierce;
  if (f && ends) f->ended = cl_min(f->ended, shot->t);
}

void cl_pools_report_other(cl_pools *pools, const cl_shot *shot) {
  const cl_bullets *b = pools->at[shot->other_pool];
  const cl_flight *f = cl_flights_of(pools, shot->other_pool, shot->other);
  if (!shot->added || shot->sure || !b->def.bullets || !f) return;
  if (shot->t < f->begins) return; // it has bounced since, at a later moment
  pools->echo = other_side(pools, f, shot);
  pools->echoes = true;
  count(pools, &pools->echo);
}

void cl_pools_push_echo(cl_pools *pools) {
  if (pools->echoes) cl_rest_push(&pools->rest, &pools->echo);
  pools->echoes = false;
}

void cl_pools_push_rest(cl_pools *pools, const cl_shot *shot) {
  count(pools, shot);
  cl_rest_push(&pools->rest, shot);
}

bool cl_pools_still_meets(cl_pools *pools, const cl_shot *shot) {
  const cl_flight *f = cl_flights_of(pools, shot->other_pool, shot->other);
  if (!f) return true;
  if (shot->leg < f->bounces && shot->t > f->turn[shot->leg]) return false;
  return !shot->added || shot->sure || (!f->lost && f->ended > shot->t);
}
