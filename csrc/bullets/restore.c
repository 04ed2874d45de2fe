// collide, MIT licence (see LICENSE)
//
// Restores pools from a snapshot. Layer: bullets.

#include "bullets/scene.h"
#include "bullets/shots.h"
#include "bullets/snapshot.h"

cl_status cl_pools_restore_reserve(cl_pools *pools, const cl_bullets_snapshot *from,
                                   cl_bullets *const order[]) {
  assert(!pools->stepping);
  const cl_alloc *alloc = &pools->alloc;
  size_t shots = from->shots.count;
  cl_status status = CL_RESERVE(alloc, pools->shots.at, pools->shots.cap, shots);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->back, pools->back_cap, shots);
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, pools->rest.at, pools->rest.cap, from->rest.count);
  }
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->met.at, pools->met.cap, from->met.count);
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, pools->log.note, pools->log.cap, from->log.count);
  }
  for (uint32_t i = 0; i < from->pools && status == CL_OK; i++) {
    cl_bullets *pool = order[i];
    assert(pool->def.capacity == from->pool[i].def.capacity);
    status = CL_RESERVE(alloc, pool->laser, pool->laser_cap, from->pool[i].lasers);
  }
  return status;
}

static void put_pool(cl_bullets *pool, const cl_kept_pool *kept) {
  double *to[CL_KEPT_FIELDS];
  cl_kept_arrays(pool, to);
  size_t size = kept->count * sizeof *kept->number;
  pool->clock = kept->clock;
  pool->largest = kept->largest;
  pool->hits = kept->hits;
  pool->grazes = kept->grazes;
  pool->accelerates = kept->accelerates;
  pool->survives = kept->survives;
  pool->used = pool->live = kept->count;
  pool->hint = pool->gone_count = 0;
  for (int f = 0; f < cl_kept_fields(kept) && size > 0; f++) {
    memcpy(to[f], kept->number + (size_t)f * kept->count, size);
  }
  if (kept->count > 0) memset(pool->dead, 0, kept->count);
  if (kept->count > 0 && kept->survives) memcpy(pool->survived, kept->survived, kept->count);
}

static void put_lasers(cl_bullets *pool, const cl_kept_pool *kept) {
  cl_bullets_kill_lasers(pool);
  for (uint32_t i = 0; i < kept->lasers; i++) pool->laser[i] = cl_laser_copy(&kept->laser[i]);
  pool->laser_used = pool->lasers = kept->lasers;
  pool->most -= kept->lasers;
}

static void put_shots(cl_shots *to, const cl_shots *from) {
  to->count = from->count;
  if (to->count > 0) memcpy(to->at, from->at, to->count * sizeof *to->at);
}

void cl_pools_restore(cl_pools *pools, const cl_bullets_snapshot *from, cl_bullets *const order[]) {
  assert(!pools->stepping && pools->count == from->pools);
  pools->log.over = false; // a bullet that is killed here causes no event
  for (uint32_t i = 0; i < from->pools; i++) {
    pools->at[i] = order[i];
    pools->at[i]->index = i;
    put_pool(pools->at[i], &from->pool[i]);
    put_lasers(pools->at[i], &from->pool[i]);
  }
  put_shots(&pools->shots, &from->shots);
  put_shots(&pools->rest, &from->rest);
  pools->cursor = 0;
  pools->echoes = pools->flights.made = false;
  pools->last_moved = 0; // their places before the last step are not kept
  pools->met.count = from->met.count;
  if (from->met.count > 0) memcpy(pools->met.at, from->met.at, from->met.count * sizeof(cl_met));
  pools->met_kept = from->met_kept;
  pools->met_hint = 0;
  pools->last = from->last;
  pools->begun = from->begun;
  pools->current = from->current;
  pools->moment = from->moment;
  pools->bouncer.number = 0;
  pools->fresh.count = pools->fresh_met.count = 0;
  cl_bullets_log_copy(&pools->log, &from->log);
  cl_scene_forget(&pools->scene);
  cl_pools_link_backs(pools);
  CL_CHECK(cl_pools_are_valid(pools));
}
