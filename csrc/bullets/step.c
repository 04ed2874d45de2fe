// collide, MIT licence (see LICENSE)
//
// All pools of a world: their memory, their step in two halves, and the dispatch of their events.
// Layer: bullets.
//
// The host fetches one shot after another. Shots that it has not fetched stay pending, and come
// before those that the next step finds for the same bullet. A bullet dies when the shot that ends
// it is over: when the next one is fetched, or at the next step.

#include "bullets/state.h"
#include "narrow/members.h"
#include "world/state.h"

// Shots that have not been dispatched yet: from step to step, and when a bullet changes its way.

// For one bullet, the shots found during the dispatch come first: a bullet that bounced has no
// others, except meetings with bullets since.
static void fold_rest(cl_pools *pools) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  size_t more = rest->count, from = pools->cursor;
  if (more == 0 || !CL_ROOM(pools, shots->at, shots->cap, shots->count + more)) return;
  if (!CL_ROOM(pools, pools->back, pools->back_cap, shots->count + more)) return;
  cl_shot *at = shots->at + from, *old = at + more, *end = old + (shots->count - from);
  memmove(old, at, (shots->count - from) * sizeof *at);
  shots->count += more;
  while (rest->count > 0) {
    if (old < end && cl_shot_by_bullet(old, rest->at) < 0) *at++ = *old++;
    else *at++ = *cl_rest_pop(rest);
  }
  cl_pools_link_backs(pools);
}

// Whether the target of a shot still exists.
static bool still_stands(cl_pools *pools, const cl_shot *shot) {
  if (!cl_shot_has_target(shot)) return true;
  if (shot->actor != CL_SHOT_BULLET) return cl_world_has(pools->world, shot->actor);
  if (!shot->sure && !cl_bullets_alive(pools->at[shot->other_pool], shot->other)) return false;
  return cl_pools_still_meets(pools, shot);
}

static bool is_present(cl_pools *pools, const cl_shot *shot) {
  return cl_bullets_alive(pools->at[shot->pool], shot->number) && still_stands(pools, shot);
}

static void take_shot(cl_pools *pools, const cl_shot *shot) {
  cl_shots *merged = &pools->merged;
  if (is_present(pools, shot)) merged->at[merged->count++] = *shot;
}

// A shot of an earlier step: bounces in this step do not change it.
static void take_pending(cl_pools *pools, cl_shot *shot) {
  shot->leg = CL_MOST_BOUNCES;
  shot->added = false;
  take_shot(pools, shot);
}

// Merges the pending and the fresh shots, by pool and bullet; for one bullet the pending ones come
// first.
static void merge_shots(cl_pools *pools) {
  const cl_shots *pending = &pools->shots, *fresh = &pools->fresh;
  pools->merged.count = 0;
  size_t i = pools->cursor, k = 0;
  while (i < pending->count || k < fresh->count) {
    bool first = i < pending->count;
    if (first && k < fresh->count) first = cl_shot_by_bullet(&fresh->at[k], &pending->at[i]) >= 0;
    if (first) take_pending(pools, &pending->at[i++]);
    else take_shot(pools, &fresh->at[k++]);
  }
  cl_shots shots = pools->shots;
  pools->shots = pools->merged;
  pools->merged = shots;
  pools->cursor = 0;
}

static void swap_doubles(double *p, double *q) {
  double r = *p;
  *p = *q;
  *q = r;
}

// Switches between the state at the moment of a bullet's hit and the state at the end of the step:
// one is in the arrays, the other in `moment`. Fields that are set meanwhile are the same in both.
static void exchange_moment(cl_pools *pools) {
  cl_moment *m = &pools->moment;
  cl_bullets *pool = pools->at[m->pool];
  uint32_t i = cl_bullets_index(pool, m->number);
  cl_laser *laser = i < pool->used ? NULL : cl_bullets_laser(pool, m->number);
  if (i == pool->used && !laser) return;
  if (!(m->set & CL_BULLET_PLACE)) {
    swap_doubles(laser ? &laser->at.x : &pool->x[i], &m->x);
    swap_doubles(laser ? &laser->at.y : &pool->y[i], &m->y);
  }
  if (!(m->set & CL_BULLET_VX)) swap_doubles(laser ? &laser->at.vx : &pool->vx[i], &m->vx);
  if (!(m->set & CL_BULLET_VY)) swap_doubles(laser ? &laser->at.vy : &pool->vy[i], &m->vy);
}

// While its hit is dispatched, a bullet has the state of that moment.
static void begin_moment(cl_pools *pools, const cl_shot *shot) {
  cl_bullet at;
  cl_bullets *pool = pools->at[shot->pool];
  if (!cl_bullets_get(pool, shot->number, &at)) return;
  uint32_t i = cl_bullets_index(pool, shot->number);
  bool keeps =
      i < pool->used && cl_bullets_is_limited(pool, i); // its speed, to the end of the step
  double back = keeps ? 0 : shot->left;
  pools->moment = (cl_moment){.active = true,
                              .pool = shot->pool,
                              .number = shot->number,
                              .x = shot->x,
                              .y = shot->y,
                              .vx = at.vx - at.ax * back,
                              .vy = at.vy - at.ay * back,
                              .left = shot->left};
  size_t leg = shot->leg < CL_MOST_BOUNCES
                   ? cl_pools_leg_at(pools, shot->pool, shot->number, shot->t)
                   : pools->legs.count;
  if (leg < pools->legs.count) {
    cl_vec v = cl_leg_velocity(&pools->legs.at[leg], shot->t);
    pools->moment.vx = v.x;
    pools->moment.vy = v.y;
  }
  exchange_moment(pools);
}

static void end_moment(cl_pools *pools) {
  if (!pools->moment.active) return;
  pools->moment.active = false;
  exchange_moment(pools);
}

static void end_shot(cl_pools *pools) {
  end_moment(pools);
  if (!pools->dispatching) return;
  pools->dispatching = false;
  const cl_shot *shot = &pools->current;
  if (cl_shot_ends(pools, shot)) cl_bullets_kill(pools->at[shot->pool], shot->number);
}

// When one bullet of a meeting is dispatched, the event of the other, if it is due, comes next.
static void push_echo(cl_pools *pools) {
  if (pools->echoes) cl_rest_push(&pools->rest, &pools->echo);
  pools->echoes = false;
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

// Notes the target of this hit, until the next bullet's turn.
static void note_reported(cl_bouncer *b, const cl_shot *shot) {
  if (b->number != shot->number) b->bounces = 0, b->reported_count = 0;
  b->number = shot->number;
  assert(b->reported_count < b->reported_cap);
  b->reported[b->reported_count++] = cl_shot_target(shot);
}

static void report_hit(cl_pools *pools, const cl_shot *shot) {
  bool bullet = shot->actor == CL_SHOT_BULLET;
  if (bullet && !cl_pools_assure_back(pools, shot)) cl_pools_report_other(pools, shot);
  if (!shot->wanted) return;
  note_reported(&pools->bouncer, shot);
  begin_moment(pools, shot);
}

bool cl_pools_next_shot(cl_pools *pools, cl_shot *out) {
  assert(!pools->stepping);
  end_shot(pools);
  for (const cl_shot *shot; push_echo(pools), (shot = next_shot(pools)) != NULL;) {
    if (!is_present(pools, shot)) {
      cl_flights_update_end(pools, shot->pool, shot->number); // this one does not end it
      continue;
    }
    pools->dispatching = true;
    *out = pools->current = *shot;
    if (out->kind == CL_SHOT_HIT) report_hit(pools, out);
    if (out->kind == CL_SHOT_TIMER) begin_moment(pools, out);
    if (out->wanted) return true;
    end_shot(pools);
  }
  cl_pools_begin_log(pools);
  return false;
}

cl_status cl_pools_answer(cl_pools *pools, cl_shot_answer answer) {
  const cl_shot *shot = &pools->current;
  assert(!pools->stepping);
  if (!pools->dispatching || shot->kind != CL_SHOT_HIT) return CL_OK;
  cl_bullets *pool = pools->at[shot->pool];
  pools->status = CL_OK;
  uint32_t i = cl_bullets_index(pool, shot->number);
  if (i < pool->used && answer == CL_SHOT_PASS) cl_pools_pass(pools);
  if (i < pool->used && answer == CL_SHOT_BOUNCE) cl_pools_bounce(pools);
  if (pools->status != CL_OK) return pools->status;
  pools->dispatching = false;
  end_moment(pools);
  return CL_OK;
}

void cl_pools_follow(cl_pools *pools) {
  assert(!pools->stepping);
  uint32_t count;
  const cl_renaming r = {.moved = cl_world_moved(pools->world, &count), .gone = UINT32_MAX};
  if (!r.moved) return;
  cl_pools_rename(pools, &r);
  cl_pools_link_backs(pools);
}

void cl_pools_reshape(cl_pools *pools, uint32_t slot, const cl_shape *shape) {
  const cl_shape *old = pools->world->actors.shape[slot];
  if (old == shape || !cl_shape_has_members(old)) return;
  cl_shots *lists[2] = {&pools->shots, &pools->rest};
  for (int k = 0; k < 2; k++) {
    for (size_t i = k == 0 ? pools->cursor : 0; i < lists[k]->count; i++) {
      cl_shot *shot = &lists[k]->at[i];
      if (shot->actor == slot) shot->member = cl_shape_member_like(shape, old, shot->member);
    }
  }
}

static void drop_pool(cl_pools *pools, uint32_t gone) {
  cl_pools_rename(pools, &(cl_renaming){.gone = gone});
  cl_pools_link_backs(pools);
  cl_flights_drop_pool(&pools->flights, gone);
  pools->moment.active = pools->moment.active && pools->moment.pool != gone;
  pools->moment.pool -= pools->moment.pool > gone;
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
  for (uint32_t i = 0; i < pools->count; i++) cl_bullets_release(pools->at[i]);
  CL_FREE(alloc, pools->at, pools->cap);
  CL_FREE(alloc, pools->target, pools->target_cap);
  CL_FREE(alloc, pools->opponent, pools->opponent_cap);
  CL_FREE(alloc, pools->seen, pools->seen_cap);
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
  cl_scene_forget(&pools->scene);
  CL_FREE(alloc, pools->scene.target, pools->scene.cap);
  cl_box_finder_free(&pools->scene.finder, alloc);
  CL_FREE(alloc, pools->bouncer.reported, pools->bouncer.reported_cap);
  CL_FREE(alloc, pools->flights.at, pools->flights.cap);
  cl_box_finder_free(&pools->flights.finder, alloc);
  CL_FREE(alloc, pools->legs.at, pools->legs.cap);
  CL_FREE(alloc, pools->cut, pools->cut_cap);
  CL_FREE(alloc, pools->log.note, pools->log.cap);
  cl_free(alloc, pools, sizeof *pools);
}

void cl_bullets_free(cl_bullets *pool) {
  assert(!pool->pools->stepping);
  cl_pools *pools = pool->pools;
  uint32_t gone = pool->index;
  cl_pools_end_log(pools);
  drop_pool(pools, gone);
  pools->count--;
  for (uint32_t i = gone; i < pools->count; i++) {
    pools->at[i] = pools->at[i + 1];
    pools->at[i]->index = i;
  }
  cl_bullets_release(pool);
}

// Reserves room for the end of the step, and for the dispatch.
static void reserve_end(cl_pools *pools) {
  cl_bouncer *b = &pools->bouncer;
  cl_shots *merged = &pools->merged;
  cl_mets *mets = &pools->merged_met;
  size_t shots = pools->shots.count - pools->cursor + pools->fresh.count;
  size_t met = pools->met.count + pools->fresh_met.count;
  CL_ROOM(pools, merged->at, merged->cap, shots);
  CL_ROOM(pools, pools->back, pools->back_cap, shots);
  CL_ROOM(pools, b->reported, b->reported_cap, shots);
  CL_ROOM(pools, mets->at, mets->cap, met);
}

cl_status cl_pools_begin_step(cl_pools *pools, double dt) {
  assert(!pools->stepping && pools->world->begun && dt >= 0 && isfinite(dt));
  bool moment = pools->moment.active;
  pools->dt = dt;
  end_moment(pools);
  push_echo(pools);
  pools->status = CL_OK;
  fold_rest(pools);
  pools->fresh.count = pools->fresh_met.count = 0;
  cl_flights_note_lost(pools);
  if (pools->status == CL_OK) cl_pools_search(pools);
  reserve_end(pools);
  if (pools->status == CL_OK) cl_scene_keep(pools);
  pools->stepping = pools->status == CL_OK;
  if (pools->stepping) return CL_OK;
  pools->fresh.count = pools->fresh_met.count = 0;
  pools->last_moved = 0; // the places before the last step are gone: there are no more meetings
  pools->legs.count = 0;
  for (uint32_t i = 0; i < pools->count; i++) pools->at[i]->flown = 0;
  pools->moment.active = moment;
  if (moment) exchange_moment(pools);
  cl_world_cancel_step(pools->world);
  return pools->status;
}

static void advance_lasers(cl_bullets *pool, double dt) {
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    cl_laser *laser = &pool->laser[k];
    swap_doubles(&laser->at.x, &laser->next_x);
    swap_doubles(&laser->at.y, &laser->next_y);
    laser->at.vx += laser->at.ax * dt;
    laser->at.vy += laser->at.ay * dt;
    laser->at.age += dt;
  }
}

static void advance_pool(cl_bullets *pool, double dt) {
  pool->hits = pool->new_hits;
  pool->grazes = pool->new_grazes;
  pool->flown = *pool->last;
  if (!pool->ages) pool->clock += dt;
  if (cl_bullets_count(pool) == 0) {
    pool->used = 0;
    return;
  }
  double *x = pool->x, *y = pool->y;
  pool->x = pool->next_x;
  pool->y = pool->next_y;
  pool->next_x = x;
  pool->next_y = y;
  for (uint32_t i = 0; pool->accelerates && i < pool->used; i++) {
    pool->vx[i] += pool->ax[i] * dt;
    pool->vy[i] += pool->ay[i] * dt;
  }
  if (pool->courses) cl_bullets_end_steering(pool);
  if (pool->needles) cl_bullets_end_needles(pool);
  for (size_t c = pool->cut_from; c < pool->cut_to; c++) {
    const cl_cut *cut = &pool->pools->cut[c];
    cl_bullets_put_flying(pool, cut->index, &cut->end);
  }
  pool->cut_from = pool->cut_to = 0;
  if (pool->ages) {
    for (uint32_t i = 0; i < pool->used; i++) pool->age[i] += dt;
  }
  for (uint32_t k = 0; k < pool->gone_count; k++) cl_bullets_kill_index(pool, pool->gone[k]);
  pool->gone_count = 0;
  if (cl_bullets_has_gaps(pool)) cl_bullets_close_gaps(pool);
  advance_lasers(pool, dt);
}

void cl_pools_end_step(cl_pools *pools) {
  assert(pools->stepping && !pools->world->begun);
  pools->stepping = false;
  pools->log.over = pools->flights.made = false;
  pools->last_moved = pools->last;
  cl_pools_follow(pools);
  end_shot(pools);
  for (uint32_t i = 0; i < pools->count; i++) advance_pool(pools->at[i], pools->dt);
  merge_shots(pools);
  cl_pools_link_backs(pools);
  cl_pools_merge_mets(pools);
  pools->fresh.count = 0;
  pools->bouncer.number = 0;
  if (pools->count == 0) cl_pools_begin_log(pools); // then the host asks for no shots
  CL_CHECK(cl_pools_are_valid(pools));
}

void cl_pools_stand(cl_pools *pools) {
  assert(!pools->stepping && !pools->world->begun);
  pools->log.over = false;
  cl_pools_follow(pools);
  end_shot(pools);
  for (uint32_t i = 0; i < pools->count; i++) {
    pools->at[i]->hits = pools->at[i]->grazes = 0;
    pools->at[i]->flown = 0;
  }
  if (pools->count == 0) cl_pools_begin_log(pools); // then the host asks for no shots
}

uint64_t cl_pools_work(const cl_pools *pools) { return pools->work; }
