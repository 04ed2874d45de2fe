// collide, MIT licence (see LICENSE)
//
// A step of all pools, in two halves. Layer: bullets.

#include "bullets/duels.h"
#include "bullets/hash.h"
#include "bullets/mets.h"
#include "bullets/pending.h"
#include "bullets/scene.h"
#include "bullets/shots.h"
#include "world/state.h"

cl_status cl_pools_begin_step(cl_pools *pools, double dt) {
  assert(!pools->stepping && pools->world->begun && dt >= 0 && isfinite(dt));
  bool moment = pools->moment.active;
  pools->dt = dt;
  cl_pools_end_moment(pools);
  cl_pools_push_echo(pools);
  cl_status status = cl_pools_fold_rest(pools);
  pools->fresh.count = pools->fresh_met.count = 0;
  pools->aimed_at = 0; // no targets
  pools->target_count = 0;
  if (status == CL_OK) status = cl_pools_rank(pools);
  for (uint32_t i = 0; i < pools->count && status == CL_OK; i++) {
    status = cl_pools_search(pools, pools->at[i]);
  }
  if (status == CL_OK) {
    cl_shots_sort(&pools->fresh);
    status = cl_pools_find_pairs(pools);
  }
  if (status == CL_OK) status = cl_pools_reserve_shots(pools);
  if (status == CL_OK) status = cl_pools_reserve_mets(pools);
  if (status == CL_OK) status = cl_scene_keep(pools);
  pools->stepping = status == CL_OK;
  if (pools->stepping) return CL_OK;
  pools->fresh.count = pools->fresh_met.count = 0;
  pools->last_moved = 0; // the places before the last step are gone: there are no more meetings
  pools->moment.active = moment;
  if (moment) cl_pools_exchange_moment(pools);
  cl_world_cancel_step(pools->world);
  return status;
}

static void swap(double **p, double **q) {
  double *r = *p;
  *p = *q;
  *q = r;
}

static void advance_lasers(cl_bullets *pool, double dt) {
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    cl_laser *laser = &pool->laser[k];
    laser->at.x = laser->next_x;
    laser->at.y = laser->next_y;
    laser->at.vx += laser->at.ax * dt;
    laser->at.vy += laser->at.ay * dt;
    laser->at.age += dt;
  }
}

static void advance(cl_bullets *pool, double dt) {
  pool->hits = pool->new_hits;
  pool->grazes = pool->new_grazes;
  if (!pool->ages) pool->clock += dt;
  if (cl_bullets_count(pool) == 0) {
    pool->used = 0;
    return;
  }
  swap(&pool->x, &pool->next_x);
  swap(&pool->y, &pool->next_y);
  for (uint32_t i = 0; pool->accelerates && i < pool->used; i++) {
    pool->vx[i] += pool->ax[i] * dt;
    pool->vy[i] += pool->ay[i] * dt;
  }
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
  cl_pools_finish(pools);
  for (uint32_t i = 0; i < pools->count; i++) advance(pools->at[i], pools->dt);
  cl_pools_merge_shots(pools);
  cl_pools_link_backs(pools);
  cl_pools_merge_mets(pools);
  pools->fresh.count = 0;
  pools->bouncer.number = 0;
  if (pools->count == 0) cl_pools_begin_log(pools); // then the host asks for no shots
  CL_CHECK(cl_pools_are_valid(pools));
}
