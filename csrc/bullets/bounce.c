// collide, MIT licence (see LICENSE)
//
// Bullets that survive a hit: one that bounces has its velocity reflected, and goes the rest of
// its way anew among the targets that the step has kept; one that passes remembers whom it is in.
// Layer: bullets.

#include "base/tol.h"
#include "bullets/state.h"
#include "geom/stack_shape.h"

cl_status cl_bouncer_reserve(cl_bouncer *b, const cl_alloc *alloc, size_t count) {
  return CL_RESERVE(alloc, b->told, b->told_cap, count);
}

void cl_bouncer_free(cl_bouncer *b, const cl_alloc *alloc) { CL_FREE(alloc, b->told, b->told_cap); }

void cl_bouncer_tell(cl_bouncer *b, const cl_shot *shot) {
  if (b->number != shot->number) b->bounces = 0, b->told_count = 0;
  b->number = shot->number;
  assert(b->told_count < b->told_cap);
  b->told[b->told_count++] =
      shot->actor == CL_SHOT_BULLET ? CL_OTHER_BULLET | shot->other : shot->actor;
}

bool cl_pools_was_told(const cl_pools *pools, uint64_t number, uint64_t other) {
  const cl_bouncer *b = &pools->bouncer;
  if (b->number != number) return false;
  for (size_t i = 0; i < b->told_count; i++) {
    if (b->told[i] == other) return true;
  }
  return false;
}

// v less twice its part along n, if that leads inward; n need not be of unit length to the
// last bit. What hardly leads inward leads outward then by as much as rounding leaves sure.
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

// What the bullet meets on the rest of its way becomes what is told next.
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

static cl_status sweep_rest(cl_pools *pools, const cl_mover *m, uint32_t i) {
  cl_bullets *pool = m->pool;
  cl_status status = CL_OK;
  if (cl_is_in_world(m->to)) status = go(pools, m, pool->radius[i]);
  if (status == CL_OK && cl_bullets_ends(pool, m->to, pool->age[i])) {
    status = cl_pools_add_end(pools, pool, m->number);
  }
  if (status == CL_OK) status = cl_pools_reserve_fresh_mets(pools);
  if (status != CL_OK) return status;
  size_t told = pools->bouncer.told_count + pools->fresh.count;
  return cl_bouncer_reserve(&pools->bouncer, &pools->alloc, told);
}

static void tell_next(cl_pools *pools, cl_bullets *pool) {
  cl_shots rest = pools->rest;
  cl_shots_sort(&pools->fresh);
  for (size_t k = 0; k < pools->fresh.count; k++) {
    pool->hits += pools->fresh.at[k].kind == CL_SHOT_HIT;
    pool->grazes += pools->fresh.at[k].kind == CL_SHOT_GRAZE;
  }
  pools->rest = pools->fresh;
  pools->rest_cursor = 0;
  pools->fresh = rest;
  pools->fresh.count = 0;
}

cl_status cl_pools_bounce(cl_pools *pools) {
  const cl_shot shot = pools->telling;
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
  // One that waits has no way left: of others it meets those alone that it is in.
  if (pools->bouncer.bounces + 1 < CL_MOST_BOUNCES) {
    m.to.x += v.x * left + a.x * (left * left / 2);
    m.to.y += v.y * left + a.y * (left * left / 2);
  }
  cl_pending before = cl_pools_drop_shots(pools, shot.pool, shot.number);
  cl_status status = sweep_rest(pools, &m, i);
  if (status != CL_OK) {
    pools->fresh.count = pools->fresh_met.count = 0;
    cl_pools_restore_shots(pools, before);
    return status;
  }
  pools->bouncer.bounces++;
  pools->moment.active = false; // what was the end of the step is not
  cl_bullets_mark(pool, i, CL_BOUNCED);
  cl_pools_forget_all(pools, shot.pool, shot.number, CL_INSIDE);
  cl_pools_insert_mets(pools);
  tell_next(pools, pool);
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

// Whom it is in when the step ends, if that is who was hit.
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

// One that no hit was to end remembers already.
cl_status cl_pools_pass(cl_pools *pools) {
  const cl_shot *shot = &pools->telling;
  cl_bullets *pool = pools->at[shot->pool];
  uint32_t i = cl_bullets_index(pool, shot->number);
  if (pool->def.pierce) return CL_OK;
  bool jumped = pools->moment.set & CL_BULLET_PLACE;
  cl_status status = jumped ? CL_OK : pass_by(pools, shot, i);
  if (status == CL_OK) status = cl_pools_reserve_fresh_mets(pools);
  if (status != CL_OK) {
    pools->fresh_met.count = 0;
    return status;
  }
  cl_pools_insert_mets(pools);
  cl_bullets_mark(pool, i, CL_PASSED);
  return CL_OK;
}
