// collide, MIT licence (see LICENSE)
//
// The bullets of a step, each on the last leg of its way, which others may meet on the rest of
// theirs. Made when the first bullet that may meet others has survived a hit. Layer: bullets.

#include "bullets/flights.h"
#include "bullets/shots.h"
#include "geom/box.h"

// Up to this many are tested one by one.
enum { FEW = 32 };

void cl_flights_free(cl_flights *flights, const cl_alloc *alloc) {
  CL_FREE(alloc, flights->at, flights->cap);
  CL_FREE(alloc, flights->box, flights->box_cap);
  CL_FREE(alloc, flights->found.at, flights->found.cap);
  cl_bvh_free(&flights->bvh, alloc);
}

cl_flight *cl_flights_of(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_flights *flights = &pools->flights;
  uint32_t low = 0, high = flights->made ? flights->count : 0, end = high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const cl_flight *f = &flights->at[middle];
    bool before = f->pool != pool ? f->pool < pool : f->number < number;
    if (before) low = middle + 1;
    else high = middle;
  }
  if (low == end) return NULL;
  cl_flight *f = &flights->at[low];
  return f->pool == pool && f->number == number ? f : NULL;
}

double cl_flights_end_of(const cl_pools *pools, const cl_bullets *pool, uint64_t number) {
  const cl_shots *shots = &pools->shots, *rest = &pools->rest;
  double end = INFINITY;
  if (pool->def.pierce) return end;
  size_t at = cl_shots_of(shots, pools->cursor, pool->index, number);
  for (; at < shots->count; at++) {
    const cl_shot *shot = &shots->at[at];
    if (shot->pool != pool->index || shot->number != number) break;
    if (shot->kind == CL_SHOT_HIT) end = cl_min(end, shot->t);
  }
  const cl_shot *top = rest->at;
  bool own = rest->count > 0 && top->pool == pool->index && top->number == number;
  return own && top->kind == CL_SHOT_HIT ? cl_min(end, top->t) : end;
}

static void add_all(cl_pools *pools, cl_bullets *pool) {
  const cl_moment *moment = &pools->moment;
  for (uint32_t i = 0; i < pool->used && pool->number[i] <= pools->last_moved; i++) {
    if (pool->dead[i]) continue;
    uint64_t number = (uint64_t)pool->number[i];
    cl_flight f = {.number = number, .pool = pool->index, .radius = pool->radius[i]};
    f.from = (cl_vec){pool->next_x[i], pool->next_y[i]}; // the places before, since the step has
                                                         // ended
    f.to = (cl_vec){pool->x[i], pool->y[i]};
    bool current = moment->active && moment->pool == pool->index && moment->number == number;
    if (current) f.to = (cl_vec){moment->x, moment->y};
    f.lost = isnan(f.from.x) || !cl_is_in_world(f.to);
    f.ended = cl_flights_end_of(pools, pool, number);
    pools->flights.at[pools->flights.count++] = f;
  }
  pools->work += pool->used;
}

cl_status cl_flights_need(cl_pools *pools) {
  cl_flights *flights = &pools->flights;
  size_t most = 0;
  if (flights->made) return CL_OK;
  for (uint32_t p = 0; p < pools->count; p++) most += pools->at[p]->meets ? pools->at[p]->live : 0;
  cl_status status = CL_RESERVE(&pools->alloc, flights->at, flights->cap, most);
  if (status != CL_OK) return status;
  flights->count = 0;
  for (uint32_t p = 0; p < pools->count; p++) {
    if (pools->at[p]->meets) add_all(pools, pools->at[p]);
  }
  flights->made = true;
  flights->bvh_made = false;
  return CL_OK;
}

cl_bounds cl_flight_box(const cl_flight *f) {
  cl_bounds way = {cl_min(f->from.x, f->to.x), cl_min(f->from.y, f->to.y),
                   cl_max(f->from.x, f->to.x), cl_max(f->from.y, f->to.y)};
  return cl_bounds_grown(way, f->radius + cl_motion_slack(way));
}

// How far a bouncing bullet may get, at up to twice its speed.
static cl_bounds reach_of(cl_pools *pools, const cl_flight *f) {
  cl_bullets *pool = pools->at[f->pool];
  uint32_t i = cl_bullets_index(pool, f->number);
  cl_bounds box = cl_flight_box(f);
  if (i == pool->used || f->lost) return box;
  double speed = fabs(pool->vx[i]) + fabs(pool->vy[i]), dt = pools->dt;
  if (pool->accelerates) speed += (fabs(pool->ax[i]) + fabs(pool->ay[i])) * dt;
  return cl_bounds_grown(box, 2 * speed * dt);
}

static cl_fbox fbox(cl_bounds b) { return cl_fbox_of(b.l, b.t, b.r, b.b); }

static cl_status need_bvh(cl_pools *pools) {
  cl_flights *flights = &pools->flights;
  if (flights->bvh_made) return CL_OK;
  cl_status status = CL_RESERVE(&pools->alloc, flights->box, flights->box_cap, flights->count);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < flights->count; i++) {
    flights->box[i] = fbox(reach_of(pools, &flights->at[i]));
  }
  status = cl_bvh_build(&flights->bvh, &pools->alloc, flights->box, flights->count);
  flights->bvh_made = status == CL_OK;
  pools->work += flights->count;
  return status;
}

void cl_flights_turn(cl_pools *pools, cl_flight *f, const cl_shot *shot, cl_vec from, cl_vec to) {
  cl_flights *flights = &pools->flights;
  bool bullet = shot->actor == CL_SHOT_BULLET;
  if (f->bounces < CL_MOST_BOUNCES) f->turn[f->bounces++] = shot->t;
  f->begins = shot->t;
  f->off = bullet ? CL_OTHER_BULLET | shot->other : shot->actor;
  f->from = from;
  f->to = to;
  f->lost = !cl_is_in_world(to);
  if (!flights->bvh_made || f->lost) return;
  cl_fbox box = fbox(cl_flight_box(f)), *known = &flights->box[f - flights->at];
  bool within =
      box.x0 >= known->x0 && box.y0 >= known->y0 && box.x1 <= known->x1 && box.y1 <= known->y1;
  if (!within) flights->bvh_made = false; // it has become faster
}

void cl_flights_lose(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_flight *f = cl_flights_of(pools, pool, number);
  if (f) f->lost = true;
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
  flights->bvh_made = false;
}

cl_status cl_flights_query(cl_pools *pools, cl_bounds box, cl_flight_visit *visit, void *user) {
  cl_flights *flights = &pools->flights;
  cl_status status = CL_OK;
  if (flights->count <= FEW) {
    pools->work += flights->count;
    for (uint32_t i = 0; i < flights->count && status == CL_OK; i++) {
      status = visit(user, &flights->at[i]);
    }
    return status;
  }
  status = need_bvh(pools);
  if (status != CL_OK) return status;
  flights->found.count = 0;
  status = cl_bvh_query(&flights->bvh, &pools->alloc, box, &flights->found);
  pools->work += flights->found.count;
  for (size_t k = 0; k < flights->found.count && status == CL_OK; k++) {
    status = visit(user, &flights->at[flights->found.at[k]]);
  }
  return status;
}
