// collide, MIT licence (see LICENSE)
//
// Bullets that hit bullets of other pools, where one of the two pools has asked for
// it. Which hits there are is settled in the order of time: who has been ended by an
// actor or another bullet meets nobody after that. Layer: world.

#include "geom/temp.h"
#include "world/state.h"

// Two pools: `a` has more bullets, the other's are the targets.
typedef struct duel {
  cl_world *world;
  cl_bullets *a, *b;
  cl_mover mover;
  cl_temp shape;
  cl_status status;
} duel;

static bool is_gone(const cl_bullets *pool, uint32_t i, uint64_t doomed) {
  if (pool->dead[i] || pool->number[i] == (double)doomed) return true;
  uint32_t low = 0, high = pool->gone_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pool->gone[middle] < i) low = middle + 1;
    else high = middle;
  }
  return low < pool->gone_count && pool->gone[low] == i;
}

static cl_status find_targets(cl_world *world, const cl_bullets *pool) {
  cl_pools *pools = &world->pools;
  cl_status status = CL_RESERVE(&world->alloc, pools->target, pools->target_cap, pool->used);
  if (status != CL_OK) return status;
  uint64_t doomed = cl_pools_doomed(world);
  uint32_t n = 0;
  for (uint32_t i = 0; i < pool->used; i++) {
    if (is_gone(pool, i, doomed) || !(fabs(pool->next_x[i]) <= CL_MAX_COORD) ||
        !(fabs(pool->next_y[i]) <= CL_MAX_COORD)) {
      continue;
    }
    double x = pool->x[i], y = pool->y[i], u = pool->next_x[i], v = pool->next_y[i];
    double r = pool->radius[i];
    cl_bounds b = {cl_min(x, u) - r, cl_min(y, v) - r, cl_max(x, u) + r, cl_max(y, v) + r};
    pools->target[n++] = (cl_target){cl_bounds_grown(b, cl_mover_slack(b)), {u - x, v - y}, i, 0};
  }
  pools->target_count = n;
  pools->stamp = 0;
  return CL_OK;
}

// A found contact: `number`, `pool` of the mover and in `other`, `other_pool` of the
// target; the vector is the mover's. In `merged` for the moment, which is free.
static bool try_all(void *user, const uint32_t *item, uint32_t count) {
  duel *d = user;
  cl_pools *pools = &d->world->pools;
  for (uint32_t k = 0; k < count && d->status == CL_OK; k++) {
    cl_target *target = &pools->target[item[k]];
    if (target->stamp == pools->stamp || !cl_bounds_touch(target->box, d->mover.box)) continue;
    target->stamp = pools->stamp;
    uint32_t i = target->number;
    cl_temp circle;
    cl_temp_circle(&circle, d->b->radius[i]);
    cl_placed at = {&circle.shape, d->b->next_x[i], d->b->next_y[i], {1, 0}};
    cl_shot shot = {.number = d->mover.number,
                    .pool = d->a->index,
                    .actor = CL_SHOT_BULLET,
                    .other = (uint64_t)d->b->number[i],
                    .other_pool = d->b->index,
                    .kind = CL_SHOT_HIT};
    if (!cl_mover_cast(&d->mover, d->mover.shape, target->motion, &at, &shot)) continue;
    shot.sure = cl_mover_inside(&d->mover, &at); // at the end, until it is settled
    d->status =
        CL_RESERVE(&d->world->alloc, pools->merged.at, pools->merged.cap, pools->merged.count + 1);
    if (d->status == CL_OK) pools->merged.at[pools->merged.count++] = shot;
  }
  return d->status == CL_OK;
}

static void aim(duel *d, uint32_t i) {
  const cl_bullets *a = d->a;
  double r = a->radius[i];
  cl_mover *m = &d->mover;
  *m = (cl_mover){.pool = d->a,
                  .number = (uint64_t)a->number[i],
                  .shape = &d->shape.shape,
                  .from = {a->x[i], a->y[i]},
                  .to = {a->next_x[i], a->next_y[i]}};
  cl_temp_circle(&d->shape, r);
  m->box = (cl_bounds){cl_min(m->from.x, m->to.x) - r, cl_min(m->from.y, m->to.y) - r,
                       cl_max(m->from.x, m->to.x) + r, cl_max(m->from.y, m->to.y) + r};
}

static cl_status find_contacts(cl_world *world, cl_bullets *a, cl_bullets *b) {
  cl_pools *pools = &world->pools;
  const cl_alloc *alloc = &world->alloc;
  cl_status status = find_targets(world, b);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->picked, pools->picked_cap, a->used);
  double pace = cl_bullets_pace(a, pools->dt);
  if (status == CL_OK) {
    status = cl_nearby_build(&pools->nearby, alloc, (const void *)pools->target,
                             sizeof *pools->target, pools->target_count, a->largest, a->live, pace);
  }
  if (status != CL_OK) return status;
  uint32_t count = cl_bullets_pick(a, &pools->nearby, pools->picked);
  uint64_t doomed = cl_pools_doomed(world);
  duel d = {.world = world, .a = a, .b = b};
  for (uint32_t k = 0; k < count && d.status == CL_OK; k++) {
    uint32_t i = pools->picked[k];
    if (is_gone(a, i, doomed)) continue;
    aim(&d, i);
    if (!(fabs(d.mover.to.x) <= CL_MAX_COORD) || !(fabs(d.mover.to.y) <= CL_MAX_COORD)) continue;
    pools->stamp++;
    cl_nearby_walk(&pools->nearby, d.mover.from, d.mover.to, try_all, &d);
  }
  return d.status;
}

// Whether an actor or a bullet ends this one before t.
static bool is_ended(const cl_world *world, cl_bullets *pool, uint64_t number, double t) {
  uint32_t i = cl_bullets_index(pool, number);
  if (i == pool->used || pool->struck[i]) return true;
  if (pool->def.pierce) return false;
  const cl_shots *fresh = &world->pools.fresh;
  size_t at = cl_shots_of(fresh, 0, pool->index, number);
  for (; at < fresh->count && fresh->at[at].number == number; at++) {
    if (fresh->at[at].pool != pool->index) break;
    if (fresh->at[at].kind == CL_SHOT_HIT && fresh->at[at].t <= t) return true;
  }
  return false;
}

// One side of a contact: the bullet `shot->number` is told of the other.
static cl_status tell(cl_world *world, cl_bullets *pool, cl_shot *shot, bool inside,
                      cl_shots *out) {
  if (!pool->def.bullets) return CL_OK;
  uint64_t other = CL_OTHER_BULLET | shot->other;
  uint32_t flags = cl_pools_met(world, pool->index, shot->number, other);
  cl_status status = CL_OK;
  if (pool->def.pierce && inside) {
    status = cl_pools_add_met(world, &(cl_met){shot->number, other, pool->index, CL_INSIDE});
  }
  if (status != CL_OK || (flags & CL_INSIDE && shot->t <= CL_STILL_INSIDE)) return status;
  shot->told = pool->tells & CL_TELLS_HIT;
  shot->sure = false;
  status = CL_RESERVE(&world->alloc, out->at, out->cap, out->count + 1);
  if (status != CL_OK) return status;
  out->at[out->count++] = *shot;
  pool->new_hits++;
  if (!pool->def.pierce) pool->struck[cl_bullets_index(pool, shot->number)] = 1;
  return CL_OK;
}

static int by_time(const void *p, const void *q) {
  const cl_shot *a = p, *b = q;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static cl_status settle(cl_world *world) {
  cl_pools *pools = &world->pools;
  cl_shots *found = &pools->merged, accepted = {0};
  if (found->count > 1) qsort(found->at, found->count, sizeof *found->at, by_time);
  cl_status status = CL_OK;
  for (size_t i = 0; i < found->count && status == CL_OK; i++) {
    cl_shot shot = found->at[i];
    cl_bullets *a = pools->at[shot.pool], *b = pools->at[shot.other_pool];
    if (is_ended(world, a, shot.number, shot.t) || is_ended(world, b, shot.other, shot.t)) continue;
    cl_shot back = {.number = shot.other,
                    .pool = shot.other_pool,
                    .actor = CL_SHOT_BULLET,
                    .other = shot.number,
                    .other_pool = shot.pool,
                    .kind = CL_SHOT_HIT,
                    .nx = 0 - shot.nx,
                    .ny = 0 - shot.ny,
                    .t = shot.t};
    bool inside = shot.sure;
    status = tell(world, a, &shot, inside, &accepted);
    if (status == CL_OK) status = tell(world, b, &back, inside, &accepted);
  }
  for (size_t i = 0; i < accepted.count && status == CL_OK; i++) {
    status = cl_pools_add_shot(world, &accepted.at[i]);
  }
  CL_FREE(&world->alloc, accepted.at, accepted.cap);
  return status;
}

static bool may_meet(const cl_world *world, const cl_bullets *a, const cl_bullets *b) {
  return (a->def.bullets || b->def.bullets) && a->live > 0 && b->live > 0 &&
         world->hits_with[a->def.group] >> b->def.group & 1;
}

cl_status cl_pools_find_pairs(cl_world *world) {
  cl_pools *pools = &world->pools;
  pools->merged.count = 0;
  bool any = false;
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < pools->count && status == CL_OK; i++) {
    for (uint32_t k = i + 1; k < pools->count && status == CL_OK; k++) {
      cl_bullets *a = pools->at[i], *b = pools->at[k];
      if (!may_meet(world, a, b)) continue;
      memset(a->struck, 0, a->used);
      memset(b->struck, 0, b->used);
      any = true;
      status = a->live >= b->live ? find_contacts(world, a, b) : find_contacts(world, b, a);
    }
  }
  if (status != CL_OK || !any) return status;
  status = settle(world);
  cl_shots_sort(&pools->fresh);
  return status;
}
