// collide, MIT licence (see LICENSE)
//
// Hits between bullets of different pools, where one of the two pools has `hitBullets`. Hits are
// decided in the order of time: a bullet that an actor or another bullet has ended meets nothing
// after that. Layer: bullets.

#include "geom/shape.h"
#include "base/sort.h"
#include "bullets/mets.h"
#include "bullets/mover.h"
#include "bullets/shots.h"

// The bullets of pool `a` on their way among the opponents, which are bullets of pools with no more
// bullets.
typedef struct duel {
  cl_pools *pools;
  cl_bullets *a;
  cl_mover mover;
  cl_stack_shape shape;
  uint8_t survived;
  cl_status status;
} duel;

static bool is_gone(const cl_bullets *pool, uint32_t i, uint64_t doomed) {
  return pool->dead[i] || pool->number[i] == (double)doomed;
}

static cl_status add_opponents(cl_pools *pools, const cl_bullets *pool) {
  uint32_t n = pools->opponent_count;
  cl_status status =
      CL_RESERVE(&pools->alloc, pools->opponent, pools->opponent_cap, (size_t)n + pool->used);
  if (status != CL_OK) return status;
  uint64_t doomed = cl_pools_doomed(pools);
  for (uint32_t i = 0; i < pool->used; i++) {
    if (is_gone(pool, i, doomed) || !(fabs(pool->next_x[i]) <= CL_MAX_COORD) ||
        !(fabs(pool->next_y[i]) <= CL_MAX_COORD)) {
      continue;
    }
    double x = pool->x[i], y = pool->y[i], u = pool->next_x[i], v = pool->next_y[i];
    double r = pool->radius[i];
    cl_bounds b = {cl_min(x, u) - r, cl_min(y, v) - r, cl_max(x, u) + r, cl_max(y, v) + r};
    b = cl_bounds_grown(b, cl_motion_slack(b));
    pools->opponent[n++] = (cl_opponent){b, {u - x, v - y}, i, pool->index};
  }
  pools->work += pool->used;
  pools->opponent_count = n;
  return CL_OK;
}

static bool meet(const cl_mover *m, cl_vec motion, const cl_placed *at, cl_shot *shot) {
  bool inside;
  if (m->bounced) {
    if (!cl_mover_enter(m, motion, at, false, shot, &inside)) return false;
    shot->wanted = inside;
    return true;
  }
  if (!cl_mover_cast(m, m->shape, motion, at, shot)) return false;
  shot->wanted = shot->t <= CL_STILL_INSIDE;
  return true;
}

// A found contact: `number` and `pool` are the mover's, `other` and `other_pool` the opponent's;
// the vector is the mover's. It goes to `merged`, which is free at that time.
static bool try_all(void *user, const uint32_t *item, uint32_t count) {
  duel *d = user;
  cl_pools *pools = d->pools;
  pools->work += count;
  for (uint32_t k = 0; k < count && d->status == CL_OK; k++) {
    const cl_opponent *opponent = &pools->opponent[item[k]];
    if (!cl_bounds_touch(opponent->box, d->mover.box) || !cl_pools_see(pools, item[k])) continue;
    const cl_bullets *b = pools->at[opponent->pool];
    uint32_t i = opponent->index;
    cl_stack_shape circle;
    cl_stack_circle(&circle, b->radius[i]);
    cl_placed at = {&circle.shape, b->next_x[i], b->next_y[i], {1, 0}};
    cl_shot shot = {.number = d->mover.number,
                    .pool = d->a->index,
                    .actor = CL_SHOT_BULLET,
                    .other = (uint64_t)b->number[i],
                    .other_pool = b->index,
                    .kind = CL_SHOT_HIT};
    // Until `settle` decides, `sure` means that one is inside the other at the end of the step, and
    // `wanted` that it may have been inside since before.
    d->mover.bounced = (d->survived | cl_bullets_survived(b, i)) & CL_BOUNCED;
    if (!meet(&d->mover, opponent->motion, &at, &shot)) continue;
    shot.sure = cl_mover_inside(&d->mover, &at);
    d->status =
        CL_RESERVE(&d->pools->alloc, pools->merged.at, pools->merged.cap, pools->merged.count + 1);
    if (d->status == CL_OK) pools->merged.at[pools->merged.count++] = shot;
  }
  return d->status == CL_OK;
}

static void aim(duel *d, uint32_t i) {
  const cl_bullets *a = d->a;
  double r = a->radius[i];
  cl_mover *m = &d->mover;
  d->survived = cl_bullets_survived(a, i);
  *m = (cl_mover){.pool = d->a,
                  .left = d->pools->dt,
                  .number = (uint64_t)a->number[i],
                  .shape = &d->shape.shape,
                  .from = {a->x[i], a->y[i]},
                  .to = {a->next_x[i], a->next_y[i]}};
  cl_stack_circle(&d->shape, r);
  m->box = (cl_bounds){cl_min(m->from.x, m->to.x) - r, cl_min(m->from.y, m->to.y) - r,
                       cl_max(m->from.x, m->to.x) + r, cl_max(m->from.y, m->to.y) + r};
}

static cl_status find_contacts_of(cl_pools *pools, cl_bullets *a) {
  cl_status status = CL_RESERVE(&pools->alloc, pools->picked, pools->picked_cap, a->used);
  if (status != CL_OK) return status;
  uint32_t count = cl_bullets_pick(a, &pools->nearby, pools->picked);
  uint64_t doomed = cl_pools_doomed(pools);
  duel d = {.pools = pools, .a = a};
  pools->work += a->used;
  for (uint32_t k = 0; k < count && d.status == CL_OK; k++) {
    uint32_t i = pools->picked[k];
    if (is_gone(a, i, doomed)) continue;
    aim(&d, i);
    if (!(fabs(d.mover.to.x) <= CL_MAX_COORD) || !(fabs(d.mover.to.y) <= CL_MAX_COORD)) continue;
    pools->look++;
    cl_nearby_walk(&pools->nearby, d.mover.from, d.mover.to, try_all, &d);
  }
  return d.status;
}

static bool may_meet(const cl_pools *pools, const cl_bullets *a, const cl_bullets *b) {
  return (a->def.bullets || b->def.bullets) &&
         cl_world_can_hit(pools->world, a->def.group, b->def.group);
}

// A pool that may meet one of these may meet all that are alike.
static bool is_alike(const cl_bullets *a, const cl_bullets *b) {
  return a->def.group == b->def.group && a->def.bullets == b->def.bullets;
}

// Contacts between the larger pools and those of the smaller ones that are like the first.
static cl_status find_contacts(cl_pools *pools, cl_bullets **larger, uint32_t count,
                               cl_bullets **smaller, uint32_t others) {
  double reach = 0, ways = 0;
  uint32_t bullets = 0;
  for (uint32_t k = 0; k < count; k++) {
    const cl_bullets *a = larger[k];
    if (!may_meet(pools, a, smaller[0])) continue;
    reach = cl_max(reach, a->largest);
    ways += cl_bullets_pace(a, pools->dt) * a->live;
    bullets += a->live;
  }
  if (bullets == 0) return CL_OK;
  cl_status status = CL_OK;
  pools->opponent_count = 0;
  for (uint32_t k = 0; k < others && status == CL_OK; k++) {
    if (is_alike(smaller[k], smaller[0])) status = add_opponents(pools, smaller[k]);
  }
  if (status == CL_OK) {
    cl_nearby_boxes boxes = {(const void *)pools->opponent, sizeof *pools->opponent,
                             pools->opponent_count, reach, NULL};
    status = cl_pools_map(pools, &boxes, bullets, ways / bullets);
  }
  for (uint32_t k = 0; k < count && status == CL_OK; k++) {
    if (may_meet(pools, larger[k], smaller[0])) status = find_contacts_of(pools, larger[k]);
  }
  return status;
}

// Contacts between all these pools, which are sorted by size: the larger half against the smaller
// one, each set of pools that are alike at once; then those within the halves. So each bullet is
// visited a few times, with any number of pools.
static cl_status find_between(cl_pools *pools, cl_bullets **pool, uint32_t count) {
  if (count < 2) return CL_OK;
  uint32_t half = count / 2;
  uint64_t seen[2] = {0, 0};
  cl_status status = CL_OK;
  for (uint32_t k = half; k < count && status == CL_OK; k++) {
    uint64_t *groups = &seen[pool[k]->def.bullets], group = (uint64_t)1 << pool[k]->def.group;
    if (!(*groups & group)) status = find_contacts(pools, pool, half, pool + k, count - k);
    *groups |= group;
  }
  if (status == CL_OK) status = find_between(pools, pool, half);
  return status == CL_OK ? find_between(pools, pool + half, count - half) : status;
}

static void note_end(cl_bullets *pool, uint64_t number, double t) {
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) pool->ended[i] = cl_min(pool->ended[i], t);
}

// Notes when actors end bullets of a pool, from the sorted shots.
static void note_ends(cl_pools *pools, cl_bullets *pool) {
  const cl_shots *fresh = &pools->fresh;
  for (uint32_t i = 0; i < pool->used; i++) pool->ended[i] = INFINITY;
  if (pool->def.pierce) return;
  for (size_t at = cl_shots_of(fresh, 0, pool->index, 0); at < fresh->count; at++) {
    const cl_shot *shot = &fresh->at[at];
    if (shot->pool != pool->index) return;
    if (shot->kind == CL_SHOT_HIT) note_end(pool, shot->number, shot->t);
  }
}

// Whether an actor or a bullet ends this one before t.
static bool is_ended(cl_bullets *pool, uint64_t number, double t) {
  uint32_t i = cl_bullets_index(pool, number);
  return i == pool->used || pool->ended[i] <= t;
}

// One side of a contact: makes the event of bullet `shot->number` about the other.
static cl_status tell(cl_pools *pools, cl_bullets *pool, cl_shot *shot, bool inside,
                      cl_shots *out) {
  if (!pool->def.bullets) return CL_OK;
  uint64_t other = CL_OTHER_BULLET | shot->other;
  uint32_t flags = cl_pools_met(pools, pool->index, shot->number, other);
  cl_status status = CL_OK;
  bool stays = pool->def.pierce || cl_bullets_survived(pool, cl_bullets_index(pool, shot->number));
  if (stays && inside) {
    status = cl_pools_add_met(pools, &(cl_met){shot->number, other, pool->index, CL_INSIDE});
  }
  if (status != CL_OK || (stays && flags & CL_INSIDE && shot->wanted)) return status;
  shot->wanted = pool->event_mask & CL_BULLET_EVENT_HIT;
  // A bullet without the event may be dead by then, from a later hit.
  shot->sure = !pools->at[shot->other_pool]->def.bullets;
  status = CL_RESERVE(&pools->alloc, out->at, out->cap, out->count + 1);
  if (status != CL_OK) return status;
  out->at[out->count++] = *shot;
  pool->new_hits++;
  if (!pool->def.pierce) note_end(pool, shot->number, shot->t);
  return CL_OK;
}

static int by_time(const void *p, const void *q) {
  const cl_shot *a = p, *b = q;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static cl_status settle(cl_pools *pools) {
  cl_shots *found = &pools->merged, accepted = {0};
  cl_sort_by(found->at, found->count, sizeof *found->at, by_time);
  pools->work += found->count;
  cl_status status = CL_OK;
  for (size_t i = 0; i < found->count && status == CL_OK; i++) {
    cl_shot shot = found->at[i];
    cl_bullets *a = pools->at[shot.pool], *b = pools->at[shot.other_pool];
    if (is_ended(a, shot.number, shot.t) || is_ended(b, shot.other, shot.t)) continue;
    cl_shot back = {.number = shot.other,
                    .pool = shot.other_pool,
                    .actor = CL_SHOT_BULLET,
                    .other = shot.number,
                    .other_pool = shot.pool,
                    .kind = CL_SHOT_HIT,
                    .nx = 0 - shot.nx,
                    .ny = 0 - shot.ny,
                    .t = shot.t,
                    .left = shot.left,
                    .wanted = shot.wanted};
    uint32_t k = cl_bullets_index(b, shot.other);
    back.x = b->x[k] + (b->next_x[k] - b->x[k]) * shot.t;
    back.y = b->y[k] + (b->next_y[k] - b->y[k]) * shot.t;
    bool inside = shot.sure;
    status = tell(pools, a, &shot, inside, &accepted);
    if (status == CL_OK) status = tell(pools, b, &back, inside, &accepted);
  }
  for (size_t i = 0; i < accepted.count && status == CL_OK; i++) {
    status = cl_pools_add_shot(pools, &accepted.at[i]);
  }
  CL_FREE(&pools->alloc, accepted.at, accepted.cap);
  return status;
}

static int by_size(const void *p, const void *q) {
  const cl_bullets *a = *(cl_bullets *const *)p, *b = *(cl_bullets *const *)q;
  if (a->live != b->live) return a->live > b->live ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

// The pools that may hit another's bullets, or that others may hit, the largest first.
cl_status cl_pools_rank(cl_pools *pools) {
  uint64_t groups[2] = {0, 0}; // of the pools that have not asked for it, and that have
  uint32_t n = 0;
  for (uint32_t i = 0; i < pools->count; i++) {
    cl_bullets *pool = pools->at[i];
    pool->meets = false;
    if (pool->live > 0) groups[pool->def.bullets] |= (uint64_t)1 << pool->def.group;
  }
  pools->rank_count = 0;
  if (groups[1] == 0) return CL_OK;
  cl_status status = CL_RESERVE(&pools->alloc, pools->rank, pools->rank_cap, pools->count);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < pools->count; i++) {
    cl_bullets *pool = pools->at[i];
    uint64_t others = pool->def.bullets ? groups[0] | groups[1] : groups[1];
    uint64_t hit = cl_world_groups_hit(pools->world, pool->def.group);
    pool->meets = pool->live > 0 && hit & others;
    if (pool->meets) pools->rank[n++] = pool;
  }
  cl_sort_by(pools->rank, n, sizeof *pools->rank, by_size);
  pools->rank_count = n;
  return CL_OK;
}

cl_status cl_pools_find_pairs(cl_pools *pools) {
  uint32_t count = pools->rank_count;
  pools->merged.count = 0;
  cl_status status = find_between(pools, pools->rank, count);
  if (status != CL_OK || pools->merged.count == 0) return status;
  for (uint32_t k = 0; k < count; k++) note_ends(pools, pools->rank[k]);
  status = settle(pools);
  cl_shots_sort(&pools->fresh);
  return status;
}
