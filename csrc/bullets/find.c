// collide, MIT licence (see LICENSE)
//
// Finds which actors the bullets and lasers of a pool may meet: for bullets by the map of nearby
// boxes, for lasers by the cells under them. Layer: bullets.

#include "bullets/mover.h"
#include "bullets/shots.h"
#include "geom/shape.h"

cl_status cl_pools_map(cl_pools *pools, const cl_nearby_boxes *boxes, uint32_t points,
                       double pace) {
  const cl_alloc *alloc = &pools->alloc;
  uint32_t count = boxes->count;
  cl_status status = CL_RESERVE(alloc, pools->seen, pools->seen_cap, count);
  if (status != CL_OK) return status;
  if (count > 0) memset(pools->seen, 0, count * sizeof *pools->seen);
  pools->look = 0;
  status = cl_nearby_build(&pools->nearby, alloc, boxes, points, pace);
  if (status == CL_OK) pools->work += cl_nearby_work(&pools->nearby);
  return status;
}

// The actors that a pool may hit. They are the same for the next pool that hits the same groups.
static cl_status find_targets(cl_pools *pools, const cl_bullets *pool) {
  uint64_t groups = cl_world_groups_hit(pools->world, pool->def.group);
  if (groups == pools->aimed_at) return CL_OK;
  uint32_t most = cl_world_target_count(pools->world);
  cl_status status = CL_RESERVE(&pools->alloc, pools->target, pools->target_cap, most);
  if (status != CL_OK) return status;
  pools->target_count = cl_world_targets(pools->world, groups, pools->target);
  pools->work += most;
  pools->aimed_at = groups;
  return CL_OK;
}

// The circle of a radius; rebuilt only when the radius changes.
typedef struct circle {
  cl_stack_shape temp;
  double radius;
} circle;

static const cl_shape *circle_of(circle *c, double radius) {
  if (c->radius != radius) cl_stack_circle(&c->temp, radius);
  c->radius = radius;
  return &c->temp.shape;
}

// A pool's bullets, one after another. The mover is the present one; its circles are made when the
// first target is near.
typedef struct search {
  cl_pools *pools;
  cl_bullets *pool;
  uint64_t doomed;
  double graze; // 0: no grazes
  cl_mover mover;
  uint32_t index;
  double radius;
  cl_bounds reach; // the larger of the mover's boxes
  bool ready;
  circle hit, grazing;
  cl_status status;
} search;

static void make_ready(search *s) {
  cl_mover *m = &s->mover;
  m->shape = circle_of(&s->hit, s->radius);
  m->graze = s->graze > 0 ? circle_of(&s->grazing, s->graze) : NULL;
  cl_mover_box(m, s->radius, s->graze);
  uint8_t survived = cl_bullets_survived(s->pool, s->index);
  m->stays = s->pool->def.pierce || survived;
  m->bounced = survived & CL_BOUNCED;
  s->ready = true;
}

static bool try_all(void *user, const uint32_t *item, uint32_t count) {
  search *s = user;
  cl_pools *pools = s->pools;
  pools->work += count;
  for (uint32_t k = 0; k < count && s->status == CL_OK; k++) {
    const cl_target *target = &pools->target[item[k]];
    if (!cl_bounds_touch(target->box, s->reach) || !cl_pools_see(pools, item[k])) continue;
    if (!s->ready) make_ready(s);
    s->status = cl_mover_meet(s->pools, &s->mover, target);
  }
  return s->status == CL_OK;
}

// Tests all targets near bullet i on its way.
static void look_around(search *s, uint32_t i) {
  cl_bullets *pool = s->pool;
  cl_pools *pools = s->pools;
  cl_nearby *f = &pools->nearby;
  cl_vec from = {pool->x[i], pool->y[i]}, to = {pool->next_x[i], pool->next_y[i]};
  double r = cl_max(pool->radius[i], s->graze);
  s->radius = pool->radius[i];
  cl_bounds way = {cl_min(from.x, to.x), cl_min(from.y, to.y), cl_max(from.x, to.x),
                   cl_max(from.y, to.y)};
  s->reach = cl_bounds_grown(way, r + cl_motion_slack(way));
  s->mover.number = (uint64_t)pool->number[i];
  s->mover.from = from;
  s->mover.to = to;
  s->index = i;
  s->ready = false;
  pools->look++;
  uint32_t cell;
  if (!f->crowded && cl_nearby_is_short(f, from, to, &cell)) {
    try_all(s, CL_AT(f->item, f->start[cell]), f->start[cell + 1] - f->start[cell]);
  } else {
    cl_nearby_walk(f, from, to, try_all, s);
  }
}

// Whether a bullet has pending shots.
static bool is_pending(const cl_pools *pools, uint32_t pool, uint64_t number) {
  size_t at = cl_shots_of(&pools->shots, pools->cursor, pool, number);
  return at < pools->shots.count && pools->shots.at[at].number == number &&
         pools->shots.at[at].pool == pool;
}

// Handles the fresh shots from `first` on, all of one bullet. If no event is wanted, their effects
// happen at once, and it returns true if the bullet dies; except if others may meet it before that.
static bool conclude(cl_pools *pools, cl_bullets *pool, size_t first, uint64_t number,
                     bool expires) {
  cl_shots *fresh = &pools->fresh;
  bool wanted = false, ends = expires;
  for (size_t i = first; i < fresh->count; i++) {
    bool hit = fresh->at[i].kind == CL_SHOT_HIT;
    pool->new_hits += hit;
    pool->new_grazes += fresh->at[i].kind == CL_SHOT_GRAZE;
    ends = ends || (hit && !pool->def.pierce);
    wanted = wanted || fresh->at[i].wanted;
  }
  if (wanted || pool->meets || is_pending(pools, pool->index, number)) return false;
  fresh->count = first;
  return ends;
}

static void search_one(search *s, uint32_t i) {
  cl_pools *pools = s->pools;
  cl_bullets *pool = s->pool;
  size_t first = pools->fresh.count;
  if (cl_is_in_world((cl_vec){pool->next_x[i], pool->next_y[i]})) look_around(s, i);
  cl_vec end = {pool->next_x[i], pool->next_y[i]};
  bool expires = cl_bullets_ends(pool, end, pool->ages ? pool->age[i] + pools->dt : 0);
  if (!expires && pools->fresh.count == first) return;
  uint64_t number = (uint64_t)pool->number[i];
  if (s->status == CL_OK && expires) s->status = cl_pools_add_end(s->pools, pool, number);
  if (s->status != CL_OK) return;
  if (conclude(s->pools, pool, first, number, expires)) pool->gone[pool->gone_count++] = i;
}

static cl_status search_bullets(cl_pools *pools, cl_bullets *pool) {
  search s; // large: filled in as needed
  s.pools = pools;
  s.pool = pool;
  s.doomed = cl_pools_doomed(pools);
  s.graze = pool->event_mask & CL_BULLET_EVENT_GRAZE ? pool->def.graze : 0;
  s.mover = (cl_mover){.pool = pool, .left = pools->dt};
  s.hit.radius = s.grazing.radius = -1;
  s.status = CL_OK;
  uint32_t old = cl_bullets_too_old(pool, pools->dt);
  for (uint32_t from = 0; from < pool->used && s.status == CL_OK; from += CL_BULLETS_BLOCK) {
    uint32_t chosen[CL_BULLETS_BLOCK];
    uint32_t left = pool->used - from,
             to = from + (left < CL_BULLETS_BLOCK ? left : CL_BULLETS_BLOCK);
    uint32_t count = cl_bullets_move(pool, pools->dt, &pools->nearby, from, to, old, chosen);
    for (uint32_t k = 0; k < count && s.status == CL_OK; k++) {
      uint32_t i = chosen[k];
      if (!pool->dead[i] && pool->number[i] != (double)s.doomed) search_one(&s, i);
    }
  }
  return s.status;
}

static cl_bounds way_of(const cl_shape *shape, cl_vec from, cl_vec to) {
  cl_bounds b = shape->bounds;
  b = (cl_bounds){b.l + cl_min(from.x, to.x), b.t + cl_min(from.y, to.y),
                  b.r + cl_max(from.x, to.x), b.b + cl_max(from.y, to.y)};
  return cl_bounds_grown(b, cl_motion_slack(b));
}

// A laser in search of targets.
typedef struct sweep {
  cl_pools *pools;
  const cl_mover *mover;
  cl_status status;
} sweep;

static cl_status sweep_target(sweep *s, uint32_t item) {
  const cl_target *target = &s->pools->target[item];
  const cl_mover *m = s->mover;
  if (!cl_bounds_touch(target->box, m->graze_box) && !cl_bounds_touch(target->box, m->box)) {
    return CL_OK;
  }
  return cl_pools_see(s->pools, item) ? cl_mover_meet(s->pools, m, target) : CL_OK;
}

static bool sweep_all(void *user, const uint32_t *item, uint32_t count) {
  sweep *s = user;
  cl_pools *pools = s->pools;
  pools->work += count;
  for (uint32_t k = 0; k < count && s->status == CL_OK; k++) {
    s->status = sweep_target(s, item[k]);
  }
  return s->status == CL_OK;
}

// All targets that a laser may meet: by the cells under its way, or one by one if there are more
// cells than targets.
static cl_status sweep_around(cl_pools *pools, const cl_mover *m) {
  cl_bounds box = cl_bounds_join(m->box, m->graze_box);
  uint64_t cells = cl_nearby_count_under(&pools->nearby, box);
  sweep s = {pools, m, CL_OK};
  pools->look++;
  if (cells < pools->target_count) {
    pools->work += cells;
    cl_nearby_under(&pools->nearby, box, sweep_all, &s);
    return s.status;
  }
  pools->work += pools->target_count;
  for (uint32_t k = 0; k < pools->target_count && s.status == CL_OK; k++) {
    s.status = sweep_target(&s, k);
  }
  return s.status;
}

static cl_status search_laser(cl_pools *pools, cl_bullets *pool, const cl_laser *laser) {
  double age = laser->at.age + pools->dt;
  bool grazes = laser->graze && pool->event_mask & CL_BULLET_EVENT_GRAZE;
  cl_mover m = {
      .pool = pool,
      .number = laser->number,
      .shape = laser->shape,
      .graze = grazes ? laser->graze : NULL,
      .from = {laser->at.x, laser->at.y},
      .to = {laser->next_x, laser->next_y},
      .left = pools->dt,
      .stays = true,
      .late = laser->at.age < laser->warmup,
  };
  m.box = way_of(m.shape, m.from, m.to);
  m.graze_box = way_of(grazes ? m.graze : m.shape, m.from, m.to);
  cl_status status = CL_OK;
  bool hot = age >= laser->warmup && cl_is_in_world(m.to);
  if (hot) status = sweep_around(pools, &m);
  bool expires = age >= laser->lifetime * (1 - CL_LIFETIME_ERROR) || !cl_is_in_world(m.to);
  if (status == CL_OK && expires) status = cl_pools_add_end(pools, pool, laser->number);
  return status;
}

static void count_shots(cl_bullets *pool, const cl_shots *shots, size_t first) {
  for (size_t i = first; i < shots->count; i++) {
    pool->new_hits += shots->at[i].kind == CL_SHOT_HIT;
    pool->new_grazes += shots->at[i].kind == CL_SHOT_GRAZE;
  }
}

// A laser's deaths are shots, with an event or without: there are few.
static cl_status search_lasers(cl_pools *pools, cl_bullets *pool) {
  size_t first = pools->fresh.count;
  uint64_t doomed = cl_pools_doomed(pools);
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < pool->laser_used && status == CL_OK; k++) {
    if (!pool->laser[k].shape || pool->laser[k].number == doomed) continue;
    status = search_laser(pools, pool, &pool->laser[k]);
  }
  count_shots(pool, &pools->fresh, first);
  return status;
}

// The bounds of all ways of bullets that end in the world; others meet nothing.
static cl_bounds bounds_of(const cl_bullets *pool, double dt) {
  cl_bounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < pool->used; i++) {
    cl_vec p = {pool->x[i], pool->y[i]}, a = {0, 0};
    if (pool->accelerates) a = (cl_vec){pool->ax[i], pool->ay[i]};
    cl_vec q = {p.x + (pool->vx[i] * dt + a.x * (dt * dt / 2)),
                p.y + (pool->vy[i] * dt + a.y * (dt * dt / 2))};
    if (!cl_is_in_world(q)) continue;
    all = cl_bounds_join(
        all, (cl_bounds){cl_min(p.x, q.x), cl_min(p.y, q.y), cl_max(p.x, q.x), cl_max(p.y, q.y)});
  }
  return all.l <= all.r ? cl_bounds_grown(all, cl_motion_slack(all)) : all;
}

// The map of all targets; if they crowd in it, of those that the bullets can reach.
static cl_status map_targets(cl_pools *pools, const cl_bullets *pool, double reach, double pace) {
  cl_nearby_boxes boxes = {(const void *)pools->target, sizeof *pools->target, pools->target_count,
                           reach, NULL};
  cl_status status = cl_pools_map(pools, &boxes, cl_bullets_count(pool), pace);
  if (status != CL_OK || !pools->nearby.crowded || pool->laser_used > 0) return status;
  cl_bounds within = bounds_of(pool, pools->dt);
  boxes.within = &within;
  return cl_pools_map(pools, &boxes, cl_bullets_count(pool), pace);
}

cl_status cl_pools_search(cl_pools *pools, cl_bullets *pool) {
  pool->gone_count = 0;
  pool->new_hits = pool->new_grazes = 0;
  if (cl_bullets_count(pool) == 0) return CL_OK;
  cl_status status = find_targets(pools, pool);
  double reach = cl_max(pool->largest, pool->def.graze);
  double pace = cl_bullets_pace(pool, pools->dt);
  if (status == CL_OK) status = map_targets(pools, pool, reach, pace);
  if (status != CL_OK) return status;
  cl_bullets_move_lasers(pool, pools->dt);
  status = search_bullets(pools, pool);
  return status == CL_OK ? search_lasers(pools, pool) : status;
}
