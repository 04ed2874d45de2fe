// collide, MIT licence (see LICENSE)
//
// What bullets have to tell. The host asks for one shot after the other; what it has
// not asked for stays pending, and comes before what the next step finds of the same
// bullet. A bullet dies when the shot that ends it is over: when the next one is
// asked for, or at the next step. Layer: bullets.

#include "bullets/state.h"

static int order(const cl_shot *a, const cl_shot *b) {
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->actor != b->actor) return a->actor < b->actor ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static int in_order(const void *a, const void *b) { return order(a, b); }

void cl_shots_sort(cl_shots *shots) {
  for (size_t i = 1; i < shots->count; i++) {
    if (order(&shots->at[i - 1], &shots->at[i]) <= 0) continue;
    qsort(shots->at, shots->count, sizeof *shots->at, in_order);
    return;
  }
}

size_t cl_shots_of(const cl_shots *shots, size_t from, uint32_t pool, uint64_t number) {
  size_t high = shots->count;
  while (from < high) {
    size_t middle = from + (high - from) / 2;
    const cl_shot *s = &shots->at[middle];
    bool before = s->pool != pool ? s->pool < pool : s->number < number;
    if (before) from = middle + 1;
    else high = middle;
  }
  return from;
}

cl_status cl_pools_add_shot(cl_pools *pools, const cl_shot *shot) {
  cl_shots *fresh = &pools->fresh;
  cl_status status = CL_RESERVE(&pools->alloc, fresh->at, fresh->cap, fresh->count + 1);
  if (status == CL_OK) fresh->at[fresh->count++] = *shot;
  return status;
}

static int compare_met(const cl_met *a, const cl_met *b) {
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static int by_met(const void *a, const void *b) { return compare_met(a, b); }

cl_status cl_pools_add_met(cl_pools *pools, const cl_met *met) {
  cl_mets *fresh = &pools->fresh_met;
  cl_status status = CL_RESERVE(&pools->alloc, fresh->at, fresh->cap, fresh->count + 1);
  if (status == CL_OK) fresh->at[fresh->count++] = *met;
  return status;
}

// Looked for from where the last one was, as bullets are asked about in ascending order.
uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other) {
  const cl_mets *met = &pools->met;
  cl_met key = {number, other, pool, 0};
  size_t low = pools->met_hint, step = 1;
  if (low >= met->count || compare_met(&met->at[low], &key) > 0) low = 0;
  while (step < met->count - low && compare_met(&met->at[low + step], &key) < 0) {
    low += step;
    step *= 2;
  }
  size_t high = step < met->count - low ? low + step : met->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_met(&met->at[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  pools->met_hint = low;
  bool found = low < met->count && compare_met(&met->at[low], &key) == 0;
  return found ? met->at[low].flags : 0;
}

cl_status cl_pools_reserve(cl_pools *pools) {
  const cl_alloc *alloc = &pools->alloc;
  size_t shots = pools->shots.count - pools->cursor + pools->fresh.count;
  size_t mets = pools->met.count + pools->fresh_met.count;
  cl_status status = CL_RESERVE(alloc, pools->merged.at, pools->merged.cap, shots);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->back, pools->back_cap, shots);
  if (status != CL_OK) return status;
  return CL_RESERVE(alloc, pools->merged_met.at, pools->merged_met.cap, mets);
}

// Slots have moved: shots and contacts of actors that have none any more go. The order
// of slots stays, and with it that of the lists.
static void rename_shots(const int32_t *moved, cl_shots *shots, size_t from) {
  size_t n = from;
  for (size_t i = from; i < shots->count; i++) {
    cl_shot shot = shots->at[i];
    bool actor = shot.kind != CL_SHOT_EXPIRED && shot.actor != CL_SHOT_BULLET;
    if (actor && moved[shot.actor] == CL_NOWHERE) continue;
    if (actor) shot.actor = (uint32_t)moved[shot.actor];
    shots->at[n++] = shot;
  }
  shots->count = n;
}

static void rename_mets(const int32_t *moved, cl_mets *mets) {
  size_t n = 0;
  for (size_t i = 0; i < mets->count; i++) {
    cl_met met = mets->at[i];
    bool actor = !(met.other & CL_OTHER_BULLET);
    if (actor && moved[met.other] == CL_NOWHERE) continue;
    if (actor) met.other = (uint64_t)moved[met.other];
    mets->at[n++] = met;
  }
  mets->count = n;
}

void cl_pools_follow(cl_pools *pools) {
  uint32_t count;
  const int32_t *moved = cl_world_moved(pools->world, &count);
  if (!moved) return;
  rename_shots(moved, &pools->shots, pools->cursor);
  cl_pools_link_backs(pools);
  rename_shots(moved, &pools->fresh, 0);
  rename_mets(moved, &pools->met);
  rename_mets(moved, &pools->fresh_met);
}

// Whether what a shot is about is still there.
static bool still_stands(const cl_pools *pools, const cl_shot *shot) {
  if (shot->kind == CL_SHOT_EXPIRED || shot->sure) return true;
  if (shot->actor != CL_SHOT_BULLET) return cl_world_has(pools->world, shot->actor);
  return cl_bullets_alive(pools->at[shot->other_pool], shot->other);
}

static bool is_present(const cl_pools *pools, const cl_shot *shot) {
  return cl_bullets_alive(pools->at[shot->pool], shot->number) && still_stands(pools, shot);
}

static void take_shot(cl_pools *pools, const cl_shot *shot) {
  cl_shots *merged = &pools->merged;
  if (is_present(pools, shot)) merged->at[merged->count++] = *shot;
}

// What is pending and what is fresh, by pool and bullet; of one bullet what is pending
// comes first.
static void merge_shots(cl_pools *pools) {
  const cl_shots *pending = &pools->shots, *fresh = &pools->fresh;
  pools->merged.count = 0;
  size_t i = pools->cursor, k = 0;
  while (i < pending->count || k < fresh->count) {
    bool first = i < pending->count;
    if (first && k < fresh->count) {
      const cl_shot *a = &pending->at[i], *b = &fresh->at[k];
      first = a->pool != b->pool ? a->pool < b->pool : a->number <= b->number;
    }
    take_shot(pools, first ? &pending->at[i++] : &fresh->at[k++]);
  }
  cl_shots shots = pools->shots;
  pools->shots = pools->merged;
  pools->merged = shots;
  pools->cursor = 0;
}

// Contacts of actors that are gone end; those of dead bullets are left out from time
// to time.
static bool keeps(const cl_pools *pools, const cl_met *met, bool thorough) {
  if (met->flags == 0) return false;
  if (!(met->other & CL_OTHER_BULLET) && !cl_world_has(pools->world, (uint32_t)met->other))
    return false;
  return !thorough || cl_bullets_alive(pools->at[met->pool], met->number);
}

static void merge_mets(cl_pools *pools) {
  enum { FEW = 256 };
  cl_mets *merged = &pools->merged_met, *fresh = &pools->fresh_met;
  const cl_mets *old = &pools->met;
  if (fresh->count > 1) qsort(fresh->at, fresh->count, sizeof *fresh->at, by_met);
  bool thorough = old->count + fresh->count > 2 * pools->met_kept + FEW;
  merged->count = 0;
  for (size_t i = 0, k = 0; i < old->count || k < fresh->count;) {
    int c = i == old->count ? 1 : -1;
    if (i < old->count && k < fresh->count) c = compare_met(&old->at[i], &fresh->at[k]);
    cl_met met = c <= 0 ? old->at[i] : fresh->at[k];
    if (c <= 0) met.flags &= CL_GRAZED;
    if (c == 0) met.flags |= fresh->at[k].flags;
    i += c <= 0;
    k += c >= 0;
    if (keeps(pools, &met, thorough)) merged->at[merged->count++] = met;
  }
  if (thorough) pools->met_kept = merged->count;
  cl_mets mets = pools->met;
  pools->met = pools->merged_met;
  pools->merged_met = mets;
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
    laser->age += dt;
  }
}

static void advance(cl_bullets *pool, double dt) {
  pool->hits = pool->new_hits;
  pool->grazes = pool->new_grazes;
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
  for (uint32_t i = 0; pool->ages && i < pool->used; i++) pool->age[i] += dt;
  for (uint32_t k = 0; k < pool->gone_count; k++) cl_bullets_kill_index(pool, pool->gone[k]);
  pool->gone_count = 0;
  if (cl_bullets_has_gaps(pool)) cl_bullets_close_gaps(pool);
  advance_lasers(pool, dt);
}

static bool ends(const cl_pools *pools, const cl_shot *shot) {
  const cl_bullets *pool = pools->at[shot->pool];
  if (shot->kind != CL_SHOT_HIT) return shot->kind == CL_SHOT_EXPIRED;
  return !pool->def.pierce && !cl_bullets_laser(pool, shot->number);
}

// The shot that is being told.
static const cl_shot *begun(const cl_pools *pools) {
  return pools->begun ? &pools->shots.at[pools->cursor - 1] : NULL;
}

uint64_t cl_pools_doomed(const cl_pools *pools) {
  const cl_shot *shot = begun(pools);
  return shot && ends(pools, shot) ? shot->number : 0;
}

static void finish(cl_pools *pools) {
  const cl_shot *shot = begun(pools);
  pools->begun = false;
  if (shot && ends(pools, shot)) cl_bullets_kill(pools->at[shot->pool], shot->number);
}

void cl_pools_end_step(cl_pools *pools) {
  cl_pools_follow(pools);
  finish(pools);
  for (uint32_t i = 0; i < pools->count; i++) advance(pools->at[i], pools->dt);
  merge_shots(pools);
  cl_pools_link_backs(pools);
  merge_mets(pools);
  pools->fresh.count = pools->fresh_met.count = 0;
  pools->dt = 0;
  CL_CHECK(cl_pools_are_valid(pools));
}

bool cl_pools_next_shot(cl_pools *pools, cl_shot *out) {
  finish(pools);
  while (pools->cursor < pools->shots.count) {
    const cl_shot *shot = &pools->shots.at[pools->cursor++];
    if (!is_present(pools, shot)) continue;
    pools->begun = true;
    if (shot->kind == CL_SHOT_HIT && shot->actor == CL_SHOT_BULLET)
      cl_pools_assure_back(pools, shot);
    *out = *shot;
    if (shot->told) return true;
    finish(pools);
  }
  return false;
}
