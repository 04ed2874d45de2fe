// collide, MIT licence (see LICENSE)
//
// The dispatch of bullets' events. The host asks for one shot after another. Shots that it has not
// asked for stay pending, and come before those that the next step finds for the same bullet. A
// bullet dies when the shot that ends it is over: when the next one is asked for, or at the next
// step. Layer: bullets.

#include "bullets/bounce.h"
#include "bullets/bouncer.h"
#include "bullets/duels.h"
#include "bullets/flights.h"
#include "bullets/hash.h"
#include "bullets/pending.h"
#include "bullets/shots.h"

static bool ends(const cl_pools *pools, const cl_shot *shot) {
  const cl_bullets *pool = pools->at[shot->pool];
  if (shot->kind != CL_SHOT_HIT) return shot->kind == CL_SHOT_EXPIRED;
  return !pool->def.pierce && !cl_bullets_laser(pool, shot->number);
}

uint64_t cl_pools_doomed(const cl_pools *pools) {
  return pools->begun && ends(pools, &pools->current) ? pools->current.number : 0;
}

static void exchange(double *p, double *q) {
  double r = *p;
  *p = *q;
  *q = r;
}

// Switches between the state at the moment of a bullet's hit and that at the end of the step: one
// is in the arrays, the other in `moment`. Fields that are set meanwhile are the same in both.
void cl_pools_exchange_moment(cl_pools *pools) {
  cl_moment *m = &pools->moment;
  cl_bullets *pool = pools->at[m->pool];
  uint32_t i = cl_bullets_index(pool, m->number);
  cl_laser *laser = i < pool->used ? NULL : cl_bullets_laser(pool, m->number);
  if (i == pool->used && !laser) return;
  if (!(m->set & CL_BULLET_PLACE)) {
    exchange(laser ? &laser->at.x : &pool->x[i], &m->x);
    exchange(laser ? &laser->at.y : &pool->y[i], &m->y);
  }
  if (!(m->set & CL_BULLET_VX)) exchange(laser ? &laser->at.vx : &pool->vx[i], &m->vx);
  if (!(m->set & CL_BULLET_VY)) exchange(laser ? &laser->at.vy : &pool->vy[i], &m->vy);
}

// While its hit is dispatched, a bullet has the state of that moment.
static void begin_moment(cl_pools *pools, const cl_shot *shot) {
  cl_bullet at;
  if (!cl_bullets_get(pools->at[shot->pool], shot->number, &at)) return;
  pools->moment = (cl_moment){.active = true,
                              .pool = shot->pool,
                              .number = shot->number,
                              .x = shot->x,
                              .y = shot->y,
                              .vx = at.vx - at.ax * shot->left,
                              .vy = at.vy - at.ay * shot->left,
                              .left = shot->left};
  cl_pools_exchange_moment(pools);
}

void cl_pools_end_moment(cl_pools *pools) {
  if (!pools->moment.active) return;
  pools->moment.active = false;
  cl_pools_exchange_moment(pools);
}

void cl_pools_finish(cl_pools *pools) {
  cl_pools_end_moment(pools);
  if (!pools->begun) return;
  pools->begun = false;
  const cl_shot *shot = &pools->current;
  if (ends(pools, shot)) cl_bullets_kill(pools->at[shot->pool], shot->number);
}

// The first remaining shot.
static const cl_shot *next_shot(cl_pools *pools) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  bool any = pools->cursor < shots->count;
  if (rest->count > 0 && !(any && cl_shot_order(&shots->at[pools->cursor], rest->at) < 0)) {
    return cl_rest_pop(rest);
  }
  return any ? &shots->at[pools->cursor++] : NULL;
}

// A hit that is not dispatched does not end its bullet.
static void pass_over(cl_pools *pools, const cl_shot *shot) {
  cl_flight *f = cl_flights_of(pools, shot->pool, shot->number);
  if (f) f->ended = cl_flights_end_of(pools, pools->at[shot->pool], shot->number);
}

static void report_hit(cl_pools *pools, const cl_shot *shot) {
  bool bullet = shot->actor == CL_SHOT_BULLET;
  if (bullet && !cl_pools_assure_back(pools, shot)) cl_pools_report_other(pools, shot);
  if (!shot->wanted) return;
  cl_bouncer_report(&pools->bouncer, shot);
  begin_moment(pools, shot);
}

bool cl_pools_next_shot(cl_pools *pools, cl_shot *out) {
  assert(!pools->stepping);
  cl_pools_finish(pools);
  for (const cl_shot *shot; cl_pools_push_echo(pools), (shot = next_shot(pools)) != NULL;) {
    if (!cl_pools_is_present(pools, shot)) {
      pass_over(pools, shot);
      continue;
    }
    pools->begun = true;
    *out = pools->current = *shot;
    if (out->kind == CL_SHOT_HIT) report_hit(pools, out);
    if (out->wanted) return true;
    cl_pools_finish(pools);
  }
  cl_pools_begin_log(pools);
  return false;
}

cl_status cl_pools_answer(cl_pools *pools, cl_shot_answer answer) {
  const cl_shot *shot = &pools->current;
  assert(!pools->stepping);
  if (!pools->begun || shot->kind != CL_SHOT_HIT) return CL_OK;
  cl_bullets *pool = pools->at[shot->pool];
  cl_status status = CL_OK;
  uint32_t i = cl_bullets_index(pool, shot->number);
  if (i < pool->used && answer == CL_SHOT_PASS) status = cl_pools_pass(pools);
  if (i < pool->used && answer == CL_SHOT_BOUNCE) status = cl_pools_bounce(pools);
  if (status != CL_OK) return status;
  pools->begun = false;
  cl_pools_end_moment(pools);
  return CL_OK;
}
