// collide, MIT licence (see LICENSE)
//
// Bullets that survive a hit. One that bounces has its velocity reflected, and goes the rest of its
// way among the targets that the step has kept. One that passes remembers the target that it is
// inside. Layer: bullets.

#include "base/tol.h"
#include "bullets/bounce.h"
#include "bullets/bouncer.h"
#include "bullets/duels.h"
#include "bullets/mets.h"
#include "bullets/mover.h"
#include "bullets/scene.h"
#include "bullets/pending.h"
#include "bullets/shots.h"
#include "geom/shape.h"

// v minus twice its part along n, if that leads inward; n may be slightly off unit length. If v
// hardly leads inward, the result leads outward by at least as much as rounding can hide.
static cl_vec reflected(cl_vec v, cl_vec n) {
  double inward = cl_vec_dot(v, n), least = 16 * CL_ROUND * (fabs(v.x) + fabs(v.y));
  if (inward >= 0) return v;
  cl_vec to = cl_vec_sub(v, cl_vec_mul(n, 2 * inward / cl_vec_dot(n, n)));
  double outward = cl_vec_dot(to, n);
  return outward < least ? cl_vec_add(to, cl_vec_mul(n, least - outward)) : to;
}

typedef struct sweep {
  cl_pools *pools;
  cl_mover mover;
} sweep;

static cl_status meet(void *user, const cl_target *target) {
  const sweep *s = user;
  return cl_mover_meet(s->pools, &s->mover, target);
}

// The meetings of the bullet on the rest of its way become the next shots.
static cl_status go(cl_pools *pools, const cl_mover *m, double radius) {
  const cl_bullets *pool = m->pool;
  bool grazes = pool->event_mask & CL_BULLET_EVENT_GRAZE && pool->def.graze > 0;
  cl_stack_shape circle, grazing;
  cl_stack_circle(&circle, radius);
  if (grazes) cl_stack_circle(&grazing, pool->def.graze);
  sweep s = {pools, *m};
  s.mover.shape = &circle.shape;
  s.mover.graze = grazes ? &grazing.shape : NULL;
  cl_mover_box(&s.mover, radius, grazes ? pool->def.graze : 0);
  uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
  cl_bounds box = grazes ? cl_bounds_join(s.mover.box, s.mover.graze_box) : s.mover.box;
  return cl_scene_query(pools, groups, box, meet, &s);
}

// Reserves room for the shots that were found, and for their dispatch. One more place is for the
// other side of the present hit.
static cl_status reserve_rest(cl_pools *pools) {
  const cl_alloc *alloc = &pools->alloc;
  size_t rest = pools->rest.count + pools->fresh.count + 1;
  size_t reported = pools->bouncer.reported_count + pools->shots.count - pools->cursor + rest;
  cl_status status = cl_pools_reserve_fresh_mets(pools);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->rest.at, pools->rest.cap, rest);
  return status == CL_OK ? cl_bouncer_reserve(&pools->bouncer, alloc, reported) : status;
}

static void forget_rest(cl_pools *pools) { pools->fresh.count = pools->fresh_met.count = 0; }

// The shots that were found are dispatched next, and their other sides in their turn.
static void tell_rest(cl_pools *pools) {
  cl_pools_insert_mets(pools);
  for (size_t k = 0; k < pools->fresh.count; k++) cl_pools_push_rest(pools, &pools->fresh.at[k]);
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

static cl_status find_duels(cl_pools *pools, const cl_mover *m, double ends) {
  cl_bullets *pool = m->pool;
  uint32_t i = cl_bullets_index(pool, m->number);
  bool has_bounced = m->rest || cl_bullets_survived(pool, i) & CL_BOUNCED;
  const cl_duel rest = {pool,    m->number, m->begins, pool->radius[i], ends,
                        m->from, m->to,     m->rest,   has_bounced};
  return cl_pools_find_duels(pools, &rest);
}

static cl_status sweep_rest(cl_pools *pools, const cl_mover *m, uint32_t i) {
  cl_bullets *pool = m->pool;
  cl_status status = CL_OK;
  bool here = cl_is_in_world(m->to);
  if (here) status = go(pools, m, pool->radius[i]);
  if (status == CL_OK && pool->meets) status = cl_flights_need(pools);
  if (status == CL_OK && pool->meets && here) {
    status = find_duels(pools, m, first_end(pools, pool));
  }
  if (status == CL_OK && cl_bullets_ends(pool, m->to, pool->age[i])) {
    status = cl_pools_add_end(pools, pool, m->number);
  }
  return status == CL_OK ? reserve_rest(pools) : status;
}

static uint32_t bounces_of(cl_pools *pools, const cl_shot *shot) {
  const cl_flight *f = cl_flights_of(pools, shot->pool, shot->number);
  return f ? f->bounces : pools->bouncer.bounces;
}

cl_status cl_pools_bounce(cl_pools *pools) {
  const cl_shot shot = pools->current;
  cl_bullets *pool = pools->at[shot.pool];
  uint32_t i = cl_bullets_index(pool, shot.number);
  cl_vec at = {pool->x[i], pool->y[i]}, a = {0, 0};
  cl_vec v = reflected((cl_vec){pool->vx[i], pool->vy[i]}, (cl_vec){shot.nx, shot.ny});
  if (pool->accelerates) a = (cl_vec){pool->ax[i], pool->ay[i]};
  double left = shot.left;
  cl_mover m = {.pool = pool,
                .number = shot.number,
                .from = at,
                .to = at,
                .begins = shot.t,
                .left = left,
                .stays = true,
                .bounced = true,
                .rest = true};
  // A waiting bullet has no way left: it only meets others that it is inside.
  if (bounces_of(pools, &shot) + 1 < CL_MOST_BOUNCES) {
    m.to.x += v.x * left + a.x * (left * left / 2);
    m.to.y += v.y * left + a.y * (left * left / 2);
  }
  cl_pending before = cl_pools_drop_shots(pools, shot.pool, shot.number);
  cl_status status = sweep_rest(pools, &m, i);
  if (status != CL_OK) {
    forget_rest(pools);
    cl_pools_restore_shots(pools, before);
    return status;
  }
  pools->bouncer.bounces++;
  pools->moment.active = false; // the state at the end of the step no longer applies
  cl_bullets_mark(pool, i, CL_BOUNCED);
  cl_pools_forget_all(pools, shot.pool, shot.number, CL_INSIDE);
  cl_flight *f = cl_flights_of(pools, shot.pool, shot.number);
  if (f) {
    f->radius = pool->radius[i];
    f->ended = INFINITY;
    f->searched = true;
    cl_flights_turn(pools, f, &shot, m.from, m.to);
  }
  tell_rest(pools);
  pool->x[i] = m.to.x;
  pool->y[i] = m.to.y;
  pool->vx[i] = v.x + a.x * left;
  pool->vy[i] = v.y + a.y * left;
  return CL_OK;
}

typedef struct passage {
  cl_pools *pools;
  cl_mover mover;
  uint32_t slot;
} passage;

static cl_status remember(const passage *p, uint64_t other) {
  const cl_met met = {p->mover.number, other, p->mover.pool->index, CL_INSIDE};
  return cl_pools_add_met(p->pools, &met);
}

static cl_status pass(void *user, const cl_target *target) {
  const passage *p = user;
  if (target->slot != p->slot || !cl_mover_inside(&p->mover, &target->at)) return CL_OK;
  return remember(p, target->slot);
}

static cl_status pass_bullet(const passage *p, const cl_shot *shot) {
  cl_bullet other;
  cl_stack_shape circle;
  if (!cl_bullets_get(p->pools->at[shot->other_pool], shot->other, &other)) return CL_OK;
  cl_stack_circle(&circle, other.radius);
  cl_placed at = {&circle.shape, other.x, other.y, {1, 0}};
  return cl_mover_inside(&p->mover, &at) ? remember(p, CL_OTHER_BULLET | shot->other) : CL_OK;
}

// If it is inside the target that it hit when the step ends, it remembers that.
static cl_status pass_by(cl_pools *pools, const cl_shot *shot, uint32_t i) {
  cl_bullets *pool = pools->at[shot->pool];
  cl_vec end = {pools->moment.x, pools->moment.y};
  cl_stack_shape circle;
  cl_stack_circle(&circle, pool->radius[i]);
  passage p = {pools, {.pool = pool, .number = shot->number, .shape = &circle.shape}, shot->actor};
  p.mover.from = p.mover.to = end;
  p.mover.bounced = cl_bullets_survived(pool, i) & CL_BOUNCED;
  cl_mover_box(&p.mover, pool->radius[i], 0);
  if (!cl_is_in_world(end)) return CL_OK;
  if (shot->actor == CL_SHOT_BULLET) return pass_bullet(&p, shot);
  uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
  return cl_scene_query(pools, groups, p.mover.box, pass, &p);
}

// The bullets that it would have met if it had not been expected to end here. If only the others'
// pools have asked for events, these get events up to the next hit that may end it, so the search
// is repeated each time.
static cl_status search_on(cl_pools *pools, const cl_shot *shot, uint32_t i) {
  cl_bullets *pool = pools->at[shot->pool];
  if (!pool->meets) return CL_OK;
  cl_status status = cl_flights_need(pools);
  const cl_flight *f = cl_flights_of(pools, shot->pool, shot->number);
  if (status != CL_OK || !f || f->lost || (f->searched && pool->def.bullets)) return status;
  cl_mover m = {.pool = pool, .number = shot->number, .begins = shot->t, .to = f->to};
  m.from = (cl_vec){pool->x[i], pool->y[i]};
  return find_duels(pools, &m, cl_flights_end_of(pools, pool, shot->number));
}

// A bullet that no hit ends has its memories already, and has met others.
cl_status cl_pools_pass(cl_pools *pools) {
  const cl_shot *shot = &pools->current;
  cl_bullets *pool = pools->at[shot->pool];
  uint32_t i = cl_bullets_index(pool, shot->number);
  if (pool->def.pierce) return CL_OK;
  bool jumped = pools->moment.set & CL_BULLET_PLACE;
  cl_status status = jumped ? CL_OK : pass_by(pools, shot, i);
  if (status == CL_OK && !jumped) status = search_on(pools, shot, i);
  if (status == CL_OK) status = reserve_rest(pools);
  if (status != CL_OK) {
    forget_rest(pools);
    return status;
  }
  cl_flight *f = cl_flights_of(pools, shot->pool, shot->number);
  if (f) f->searched = true;
  if (f) f->ended = cl_flights_end_of(pools, pool, shot->number);
  tell_rest(pools);
  cl_bullets_mark(pool, i, CL_PASSED);
  return CL_OK;
}
