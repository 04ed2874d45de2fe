// collide, MIT licence (see LICENSE)
//
// Pools of bullets: their arrays, spawning, killing, and finding by number. Layer: bullets.

#include "bullets/bouncer.h"
#include "bullets/flights.h"
#include "bullets/follow.h"
#include "bullets/hash.h"
#include "bullets/scene.h"
#include "bullets/shots.h"

// Dead bullets are kept until they are this share of a pool or no room is left: closing gaps is
// rare enough to cost little, and dead bullets cost little until then.
enum { BULLETS_PER_GAP = 8, ROOM_PER_GAP = 4, LEAST_GAPS = 64 };

static size_t block_size(size_t room) {
  size_t size = 0;
#define ADD(type, name) size += cl_padded(room * sizeof(type));
  CL_BULLET_FIELDS(ADD)
  CL_BULLET_STEP_FIELDS(ADD)
#undef ADD
  return size;
}

static void free_pool(const cl_alloc *alloc, cl_bullets *pool) {
  cl_bullets_kill_lasers(pool);
  CL_FREE(alloc, pool->laser, pool->laser_cap);
  cl_free(alloc, pool->block, block_size(pool->cap));
  cl_free(alloc, pool, sizeof *pool);
}

cl_pools *cl_pools_new(const cl_alloc *alloc, cl_world *world) {
  assert(world);
  cl_pools *pools = cl_new(alloc, sizeof *pools);
  if (!pools) return NULL;
  pools->alloc = *alloc;
  pools->world = world;
  cl_pools_begin_log(pools);
  return pools;
}

void cl_pools_free(cl_pools *pools) {
  const cl_alloc kept = pools->alloc, *alloc = &kept;
  for (uint32_t i = 0; i < pools->count; i++) free_pool(alloc, pools->at[i]);
  CL_FREE(alloc, pools->at, pools->cap);
  CL_FREE(alloc, pools->target, pools->target_cap);
  CL_FREE(alloc, pools->opponent, pools->opponent_cap);
  CL_FREE(alloc, pools->seen, pools->seen_cap);
  CL_FREE(alloc, pools->picked, pools->picked_cap);
  CL_FREE(alloc, pools->rank, pools->rank_cap);
  CL_FREE(alloc, pools->back, pools->back_cap);
  CL_FREE(alloc, pools->fresh.at, pools->fresh.cap);
  CL_FREE(alloc, pools->shots.at, pools->shots.cap);
  CL_FREE(alloc, pools->merged.at, pools->merged.cap);
  CL_FREE(alloc, pools->rest.at, pools->rest.cap);
  CL_FREE(alloc, pools->fresh_met.at, pools->fresh_met.cap);
  CL_FREE(alloc, pools->met.at, pools->met.cap);
  CL_FREE(alloc, pools->merged_met.at, pools->merged_met.cap);
  cl_nearby_free(&pools->nearby, alloc);
  cl_scene_free(&pools->scene, alloc);
  cl_bouncer_free(&pools->bouncer, alloc);
  cl_flights_free(&pools->flights, alloc);
  CL_FREE(alloc, pools->log.note, pools->log.cap);
  cl_free(alloc, pools, sizeof *pools);
}

cl_status cl_bullets_new(cl_pools *pools, const cl_bullets_def *def, cl_bullets **out) {
  assert(!pools->stepping);
  assert(def->capacity >= 1 && def->capacity <= CL_MAX_BULLETS && def->group < CL_MAX_GROUPS);
  assert(def->radius > 0 && def->radius <= CL_MAX_COORD && def->lifetime > 0);
  assert(def->graze >= 0 && def->graze <= CL_MAX_COORD);
  const cl_alloc *alloc = &pools->alloc;
  cl_status status = CL_RESERVE(alloc, pools->at, pools->cap, (size_t)pools->count + 1);
  if (status != CL_OK) return status;
  cl_bullets *pool = cl_new(alloc, sizeof *pool);
  if (!pool) return CL_NOMEM;
  uint32_t room = def->capacity + def->capacity / ROOM_PER_GAP + LEAST_GAPS;
  // Not zeroed: a pool that is never filled touches little of it.
  char *at = pool->block = alloc->resize(alloc->user, NULL, 0, block_size(room));
  if (!at) {
    cl_free(alloc, pool, sizeof *pool);
    return CL_NOMEM;
  }
#define PLACE(type, name)                                                                          \
  pool->name = (type *)(void *)at;                                                                 \
  at += cl_padded(room * sizeof(type));
  CL_BULLET_FIELDS(PLACE)
  CL_BULLET_STEP_FIELDS(PLACE)
#undef PLACE
  pool->pools = pools;
  pool->def = *def;
  pool->cap = room;
  pool->radius_new = pool->largest = def->radius;
  pool->most = def->capacity;
  pool->last = &pools->last;
  pool->ages = def->lifetime < INFINITY;
  pool->index = pools->count;
  pools->at[pools->count++] = pool;
  *out = pool;
  return CL_OK;
}

void cl_bullets_free(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  cl_pools *pools = pool->pools;
  uint32_t gone = pool->index;
  cl_pools_end_log(pools);
  cl_pools_drop_pool(pools, gone);
  pools->count--;
  for (uint32_t i = gone; i < pools->count; i++) {
    pools->at[i] = pools->at[i + 1];
    pools->at[i]->index = i;
  }
  free_pool(&pools->alloc, pool);
}

cl_bullets_def cl_bullets_def_of(const cl_bullets *pool) { return pool->def; }

void cl_bullets_set_event_mask(cl_bullets *pool, uint8_t event_mask) {
  assert(!pool->pools->stepping);
  pool->event_mask = event_mask;
}

void cl_bullets_close_gaps(cl_bullets *pool) {
  if (pool->live == pool->used) return;
  const uint8_t *first = memchr(pool->dead, 1, pool->used);
  uint32_t to = (uint32_t)(first - pool->dead);
  double largest = pool->def.radius;
  for (uint32_t i = 0; i < to; i++) largest = cl_max(largest, pool->radius[i]);
  for (uint32_t from = to; from < pool->used; from++) {
    if (pool->dead[from]) continue;
#define COPY(type, name) pool->name[to] = pool->name[from];
    CL_BULLET_FIELDS(COPY)
    if (pool->meets) {
      COPY(double, next_x)
      COPY(double, next_y)
    }
#undef COPY
    largest = cl_max(largest, pool->radius[to]);
    to++;
  }
  pool->used = to;
  pool->largest = largest;
}

void cl_bullets_mark(cl_bullets *pool, uint32_t i, uint8_t how) {
  if (!pool->survives) memset(pool->survived, 0, pool->used);
  pool->survives = true;
  pool->survived[i] |= how;
}

static void need_accelerations(cl_bullets *pool) {
  if (pool->accelerates) return;
  pool->accelerates = true;
  memset(pool->ax, 0, pool->used * sizeof *pool->ax);
  memset(pool->ay, 0, pool->used * sizeof *pool->ay);
}

uint64_t cl_bullets_spawn(cl_bullets *pool, cl_vec at, cl_vec v, cl_vec a, double tag) {
  assert(!pool->pools->stepping && isfinite(v.x) && isfinite(v.y) && isfinite(a.x) &&
         isfinite(a.y));
  if (pool->live >= pool->most) return 0;
  if (pool->used == pool->cap) cl_bullets_close_gaps(pool);
  assert(fabs(at.x) <= CL_MAX_COORD && fabs(at.y) <= CL_MAX_COORD);
  if (a.x != 0 || a.y != 0) need_accelerations(pool);
  uint32_t i = pool->used++;
  pool->live++;
  pool->x[i] = at.x;
  pool->y[i] = at.y;
  pool->vx[i] = v.x;
  pool->vy[i] = v.y;
  pool->radius[i] = pool->radius_new;
  pool->age[i] = pool->clock;
  pool->tag[i] = tag;
  pool->dead[i] = 0;
  if (pool->accelerates) pool->ax[i] = a.x, pool->ay[i] = a.y;
  if (pool->survives) pool->survived[i] = 0;
  return (uint64_t)(pool->number[i] = *pool->last += 1);
}

// The first index with a number that is at least this. The search starts where the last one ended,
// since most numbers come in ascending order.
static uint32_t lower_index(cl_bullets *pool, uint64_t number) {
  double wanted = (double)number;
  uint32_t low = pool->hint, step = 1, used = pool->used;
  if (low >= used || pool->number[low] > wanted) low = 0;
  while (step < used - low && pool->number[low + step] < wanted) {
    low += step;
    step *= 2;
  }
  uint32_t high = step < used - low ? low + step : used;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (pool->number[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return pool->hint = low;
}

uint32_t cl_bullets_index(cl_bullets *pool, uint64_t number) {
  uint32_t i = lower_index(pool, number);
  return i < pool->used && pool->number[i] == (double)number && !pool->dead[i] ? i : pool->used;
}

bool cl_bullets_alive(cl_bullets *pool, uint64_t number) {
  return cl_bullets_index(pool, number) < pool->used || cl_bullets_laser(pool, number);
}

void cl_bullets_kill_index(cl_bullets *pool, uint32_t i) {
  if (!pool->dead[i]) cl_bullets_note(pool, i);
  pool->live -= !pool->dead[i];
  pool->dead[i] = 1;
  // It stays in place, so that no step selects it again and again.
  pool->vx[i] = pool->vy[i] = 0;
  if (pool->accelerates) pool->ax[i] = pool->ay[i] = 0;
}

bool cl_bullets_has_gaps(const cl_bullets *pool) {
  uint32_t gaps = pool->used - pool->live;
  return gaps > LEAST_GAPS && gaps > pool->used / BULLETS_PER_GAP;
}

bool cl_bullets_kill(cl_bullets *pool, uint64_t number) {
  assert(!pool->pools->stepping);
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) {
    cl_bullets_kill_index(pool, i);
    return true;
  }
  cl_laser *laser = cl_bullets_laser(pool, number);
  if (laser) cl_bullets_kill_laser(pool, laser);
  return laser != NULL;
}

bool cl_bullets_get(cl_bullets *pool, uint64_t number, cl_bullet *out) {
  uint32_t i = cl_bullets_index(pool, number);
  if (i < pool->used) {
    bool a = pool->accelerates;
    *out = (cl_bullet){.x = pool->x[i], .y = pool->y[i], .vx = pool->vx[i], .vy = pool->vy[i]};
    out->ax = a ? pool->ax[i] : 0;
    out->ay = a ? pool->ay[i] : 0;
    out->radius = pool->radius[i];
    out->tag = pool->tag[i];
    out->age = pool->ages ? pool->age[i] : pool->clock - pool->age[i];
  } else {
    const cl_laser *laser = cl_bullets_laser(pool, number);
    if (!laser) return false;
    *out = laser->at;
  }
  const cl_moment *m = &pool->pools->moment;
  bool then = m->active && m->pool == pool->index && m->number == number;
  if (then) out->age = cl_max(out->age - m->left, 0);
  return true;
}

// Fields that are set during the dispatch of a hit are not put back afterwards.
static void note_set(cl_pools *pools, const cl_bullets *pool, uint64_t number, uint32_t fields) {
  cl_moment *m = &pools->moment;
  if (!m->active || m->pool != pool->index || m->number != number) return;
  m->set |= fields & CL_BULLET_PLACE ? fields | CL_BULLET_PLACE : fields;
}

static void set_fields(cl_bullet *at, const cl_bullet *to, uint32_t fields) {
  if (fields & CL_BULLET_X) at->x = to->x;
  if (fields & CL_BULLET_Y) at->y = to->y;
  if (fields & CL_BULLET_VX) at->vx = to->vx;
  if (fields & CL_BULLET_VY) at->vy = to->vy;
  if (fields & CL_BULLET_AX) at->ax = to->ax;
  if (fields & CL_BULLET_AY) at->ay = to->ay;
  if (fields & CL_BULLET_RADIUS) at->radius = to->radius;
  if (fields & CL_BULLET_TAG) at->tag = to->tag;
}

bool cl_bullets_set(cl_bullets *pool, uint64_t number, const cl_bullet *to, uint32_t fields) {
  assert(!pool->pools->stepping);
  cl_bullet at;
  if (!cl_bullets_get(pool, number, &at)) return false;
  set_fields(&at, to, fields);
  assert(at.radius > 0); // a bullet may have flown out of the range that a place is set in
  assert(!(fields & CL_BULLET_X) || fabs(to->x) <= CL_MAX_COORD);
  assert(!(fields & CL_BULLET_Y) || fabs(to->y) <= CL_MAX_COORD);
  note_set(pool->pools, pool, number, fields);
  if (fields & CL_BULLET_PLACE) cl_flights_lose(pool->pools, pool->index, number);
  cl_laser *laser = cl_bullets_laser(pool, number);
  if (laser) {
    cl_bullets_note_laser(pool, laser);
    at.radius = laser->at.radius;
    at.age = laser->at.age;
    laser->at = at;
    return true;
  }
  uint32_t i = cl_bullets_index(pool, number);
  cl_bullets_note(pool, i);
  if (fields & CL_BULLET_PLACE) pool->next_x[i] = NAN; // it is not on its way
  pool->x[i] = at.x;
  pool->y[i] = at.y;
  pool->vx[i] = at.vx;
  pool->vy[i] = at.vy;
  pool->radius[i] = at.radius;
  pool->tag[i] = at.tag;
  pool->largest = cl_max(pool->largest, at.radius);
  if (at.ax != 0 || at.ay != 0) need_accelerations(pool);
  if (pool->accelerates) pool->ax[i] = at.ax, pool->ay[i] = at.ay;
  return true;
}

uint32_t cl_bullets_kill_circle(cl_bullets *pool, double x, double y, double r) {
  assert(!pool->pools->stepping);
  assert(r >= 0);
  uint32_t before = pool->live;
  for (uint32_t i = 0; i < pool->used; i++) {
    double dx = pool->x[i] - x, dy = pool->y[i] - y, reach = pool->radius[i] + r;
    if (!pool->dead[i] && dx * dx + dy * dy <= reach * reach) cl_bullets_kill_index(pool, i);
  }
  return before - pool->live;
}

uint32_t cl_bullets_clear(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  uint32_t count = cl_bullets_count(pool);
  if (count > 0) cl_pools_end_log(pool->pools);
  cl_bullets_kill_lasers(pool);
  pool->used = pool->live = 0;
  return count;
}

void cl_pools_clear(cl_pools *pools) {
  for (uint32_t i = 0; i < pools->count; i++) cl_bullets_clear(pools->at[i]);
}

uint64_t cl_pools_work(const cl_pools *pools) { return pools->work; }

uint32_t cl_bullets_count(const cl_bullets *pool) { return pool->live + pool->lasers; }

uint64_t cl_bullets_next(cl_bullets *pool, uint64_t after) {
  uint64_t next = 0;
  for (uint32_t i = lower_index(pool, after + 1); i < pool->used; i++) {
    if (pool->dead[i]) continue;
    next = (uint64_t)pool->number[i];
    break;
  }
  uint32_t k = cl_bullets_lower_laser(pool, after + 1);
  while (k < pool->laser_used && !pool->laser[k].shape) k++;
  if (k == pool->laser_used) return next;
  uint64_t number = pool->laser[k].number;
  return next == 0 || number < next ? number : next;
}

uint64_t cl_bullets_last(const cl_bullets *pool) { return (uint64_t)*pool->last; }

cl_bullets_io cl_bullets_show(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  cl_bullets_close_gaps(pool);
  return (cl_bullets_io){pool->x, pool->y, pool->vx, pool->vy, pool->radius, pool->tag, pool->used};
}
