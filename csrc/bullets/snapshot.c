// collide, MIT licence (see LICENSE)
//
// Snapshots of pools: the live bullets, their memories, and the remaining events of the last step.
// Layer: bullets.

#include "bullets/shots.h"
#include "bullets/snapshot.h"

#include <string.h>

cl_bullets_snapshot *cl_bullets_snapshot_new(const cl_alloc *alloc) {
  cl_bullets_snapshot *snapshot = cl_new(alloc, sizeof *snapshot);
  if (snapshot) snapshot->alloc = *alloc;
  return snapshot;
}

static void release_lasers(cl_kept_pool *kept) {
  for (uint32_t i = 0; i < kept->lasers; i++) cl_laser_release_shapes(&kept->laser[i]);
  kept->lasers = 0;
}

void cl_bullets_snapshot_clear(cl_bullets_snapshot *s) {
  for (uint32_t i = 0; i < s->pools_used; i++) release_lasers(&s->pool[i]);
  s->pools = 0;
  s->shots.count = s->rest.count = s->met.count = 0;
}

void cl_bullets_snapshot_free(cl_bullets_snapshot *s) {
  cl_alloc alloc = s->alloc;
  cl_bullets_snapshot_clear(s);
  for (uint32_t i = 0; i < s->pools_used; i++) {
    cl_kept_pool *kept = &s->pool[i];
    CL_FREE(&alloc, kept->number, kept->number_cap);
    CL_FREE(&alloc, kept->survived, kept->survived_cap);
    CL_FREE(&alloc, kept->laser, kept->laser_cap);
  }
  CL_FREE(&alloc, s->pool, s->pool_cap);
  CL_FREE(&alloc, s->shots.at, s->shots.cap);
  CL_FREE(&alloc, s->rest.at, s->rest.cap);
  CL_FREE(&alloc, s->met.at, s->met.cap);
  CL_FREE(&alloc, s->log.note, s->log.cap);
  cl_free(&alloc, s, sizeof *s);
}

uint32_t cl_bullets_snapshot_pools(const cl_bullets_snapshot *s) { return s->pools; }

cl_bullets_def cl_bullets_snapshot_def(const cl_bullets_snapshot *s, uint32_t i) {
  assert(i < s->pools);
  return s->pool[i].def;
}

cl_status cl_bullets_snapshot_reserve_pools(cl_bullets_snapshot *s, uint32_t pools) {
  cl_status status = CL_RESERVE(&s->alloc, s->pool, s->pool_cap, pools);
  if (status != CL_OK) return status;
  for (; s->pools_used < pools; s->pools_used++) s->pool[s->pools_used] = (cl_kept_pool){0};
  return CL_OK;
}

static cl_status reserve_pool(const cl_alloc *alloc, cl_kept_pool *kept, const cl_bullets *pool) {
  size_t numbers = (size_t)pool->live * (pool->accelerates ? CL_KEPT_FIELDS : CL_KEPT_AX);
  cl_status status = CL_RESERVE_NEAR(alloc, kept->number, kept->number_cap, numbers);
  if (status == CL_OK && pool->survives) {
    status = CL_RESERVE_NEAR(alloc, kept->survived, kept->survived_cap, pool->live);
  }
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, kept->laser, kept->laser_cap, pool->lasers);
}

static cl_status reserve(cl_bullets_snapshot *s, const cl_pools *pools) {
  const cl_alloc *alloc = &s->alloc;
  size_t shots = pools->shots.count - pools->cursor;
  size_t rest = pools->rest.count + pools->echoes;
  cl_status status = cl_bullets_snapshot_reserve_pools(s, pools->count);
  for (uint32_t i = 0; i < pools->count && status == CL_OK; i++) {
    status = reserve_pool(alloc, &s->pool[i], pools->at[i]);
  }
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->shots.at, s->shots.cap, shots);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->rest.at, s->rest.cap, rest);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->met.at, s->met.cap, pools->met.count);
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, s->log.note, s->log.cap, pools->log.count);
}

// Copies the live bullets' numbers of an array.
static void take(const cl_bullets *pool, const double *from, double *to) {
  if (pool->live == pool->used) {
    if (pool->used > 0) memcpy(to, from, pool->used * sizeof *to);
    return;
  }
  for (uint32_t i = 0, n = 0; n < pool->live; i++) {
    if (!pool->dead[i]) to[n++] = from[i];
  }
}

static void take_lasers(cl_kept_pool *kept, const cl_bullets *pool) {
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    if (pool->laser[k].shape) kept->laser[kept->lasers++] = cl_laser_copy(&pool->laser[k]);
  }
}

static void take_pool(cl_kept_pool *kept, const cl_bullets *pool) {
  double *from[CL_KEPT_FIELDS];
  cl_kept_arrays(pool, from);
  kept->def = pool->def;
  kept->clock = pool->clock;
  kept->largest = pool->largest;
  kept->hits = pool->hits;
  kept->grazes = pool->grazes;
  kept->accelerates = pool->accelerates;
  kept->survives = pool->survives;
  kept->count = pool->live;
  for (int f = 0; f < cl_kept_fields(kept); f++) {
    take(pool, from[f], CL_AT(kept->number, (size_t)f * kept->count));
  }
  for (uint32_t i = 0, n = 0; pool->survives && i < pool->used; i++) {
    if (!pool->dead[i]) kept->survived[n++] = pool->survived[i];
  }
  take_lasers(kept, pool);
}

static void take_shots(cl_shots *to, const cl_shots *from, size_t cursor) {
  to->count = from->count - cursor;
  if (to->count > 0) memcpy(to->at, from->at + cursor, to->count * sizeof *to->at);
}

void cl_bullets_log_copy(cl_bullets_log *to, const cl_bullets_log *from) {
  cl_bullet_note *note = to->note;
  size_t cap = to->cap;
  *to = *from;
  to->note = note;
  to->cap = cap;
  if (to->count > 0) memcpy(note, from->note, to->count * sizeof *note);
}

cl_status cl_pools_snapshot(const cl_pools *pools, cl_bullets_snapshot *into) {
  assert(!pools->stepping);
  cl_status status = reserve(into, pools);
  if (status != CL_OK) return status;
  cl_bullets_snapshot_clear(into);
  into->pools = pools->count;
  for (uint32_t i = 0; i < pools->count; i++) take_pool(&into->pool[i], pools->at[i]);
  take_shots(&into->shots, &pools->shots, pools->cursor);
  take_shots(&into->rest, &pools->rest, 0);
  if (pools->echoes) cl_rest_push(&into->rest, &pools->echo);
  cl_shots_sort(&into->rest); // packs are in the order of dispatch; a sorted list is a heap, too
  into->met.count = pools->met.count;
  if (into->met.count > 0) {
    memcpy(into->met.at, pools->met.at, into->met.count * sizeof *into->met.at);
  }
  into->met_kept = pools->met_kept;
  into->last = pools->last;
  into->begun = pools->begun;
  into->current = pools->current;
  into->moment = pools->moment;
  cl_bullets_log_copy(&into->log, &pools->log);
  return CL_OK;
}
