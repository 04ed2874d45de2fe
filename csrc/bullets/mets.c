// collide, MIT licence (see LICENSE)
//
// The memories of bullets: what they have grazed, and what they are inside. Layer: bullets.

#include "bullets/mets.h"
#include "base/sort.h"

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

// The first memory at or after a key. The search starts where the last one ended, as bullets come
// in ascending order.
static size_t lower_met(cl_pools *pools, const cl_met *key) {
  const cl_mets *met = &pools->met;
  size_t low = pools->met_hint, step = 1;
  if (low >= met->count || compare_met(&met->at[low], key) > 0) low = 0;
  while (step < met->count - low && compare_met(&met->at[low + step], key) < 0) {
    low += step;
    step *= 2;
  }
  size_t high = step < met->count - low ? low + step : met->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_met(&met->at[middle], key) < 0) low = middle + 1;
    else high = middle;
  }
  return pools->met_hint = low;
}

uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other) {
  const cl_met key = {number, other, pool, 0};
  size_t at = lower_met(pools, &key);
  bool found = at < pools->met.count && compare_met(&pools->met.at[at], &key) == 0;
  return found ? pools->met.at[at].flags : 0;
}

static cl_met *met_of(cl_pools *pools, const cl_shot *shot) {
  const cl_met key = {shot->number, shot->actor, shot->pool, 0};
  size_t at = lower_met(pools, &key);
  bool found = at < pools->met.count && compare_met(&pools->met.at[at], &key) == 0;
  return found ? &pools->met.at[at] : NULL;
}

void cl_pools_forget(cl_pools *pools, const cl_shot *shot, uint32_t flag) {
  cl_met *met = met_of(pools, shot);
  if (met) met->flags &= ~flag;
}

void cl_pools_remember(cl_pools *pools, const cl_shot *shot, uint32_t flag) {
  cl_met *met = met_of(pools, shot);
  if (met) met->flags |= flag;
}

void cl_pools_forget_all(cl_pools *pools, uint32_t pool, uint64_t number, uint32_t flag) {
  const cl_met key = {number, 0, pool, 0};
  for (size_t at = lower_met(pools, &key); at < pools->met.count; at++) {
    cl_met *met = &pools->met.at[at];
    if (met->number != number || met->pool != pool) return;
    met->flags &= ~flag;
  }
}

cl_status cl_pools_reserve_mets(cl_pools *pools) {
  size_t mets = pools->met.count + pools->fresh_met.count;
  return CL_RESERVE(&pools->alloc, pools->merged_met.at, pools->merged_met.cap, mets);
}

// Whether a memory is kept: those about removed actors end, and those of dead bullets are dropped
// from time to time.
static bool keeps(const cl_pools *pools, const cl_met *met, bool thorough) {
  if (met->flags == 0) return false;
  if (!(met->other & CL_OTHER_BULLET) && !cl_world_has(pools->world, (uint32_t)met->other)) {
    return false;
  }
  return !thorough || cl_bullets_alive(pools->at[met->pool], met->number);
}

// The flags that remain in a memory after a step.
static uint32_t faded(uint32_t flags) {
  return (flags & CL_GRAZED) | (flags & CL_INSIDE ? CL_WAS_INSIDE : 0);
}

void cl_pools_merge_mets(cl_pools *pools) {
  enum { FEW = 256 };
  cl_mets *merged = &pools->merged_met, *fresh = &pools->fresh_met;
  const cl_mets *old = &pools->met;
  cl_sort_by(fresh->at, fresh->count, sizeof *fresh->at, by_met);
  bool thorough = old->count + fresh->count > 2 * pools->met_kept + FEW;
  merged->count = 0;
  for (size_t i = 0, k = 0; i < old->count || k < fresh->count;) {
    int c = i == old->count ? 1 : -1;
    if (i < old->count && k < fresh->count) c = compare_met(&old->at[i], &fresh->at[k]);
    cl_met met = c <= 0 ? old->at[i] : fresh->at[k];
    if (c <= 0) met.flags = faded(met.flags);
    if (c == 0) met.flags |= fresh->at[k].flags;
    i += c <= 0;
    k += c >= 0;
    if (keeps(pools, &met, thorough)) merged->at[merged->count++] = met;
  }
  if (thorough) pools->met_kept = merged->count;
  cl_mets mets = pools->met;
  pools->met = pools->merged_met;
  pools->merged_met = mets;
  fresh->count = 0;
}

cl_status cl_pools_reserve_fresh_mets(cl_pools *pools) {
  size_t mets = pools->met.count + pools->fresh_met.count;
  return CL_RESERVE(&pools->alloc, pools->met.at, pools->met.cap, mets);
}

void cl_pools_insert_mets(cl_pools *pools) {
  cl_mets *met = &pools->met;
  for (size_t i = 0; i < pools->fresh_met.count; i++) {
    cl_met fresh = pools->fresh_met.at[i];
    size_t at = lower_met(pools, &fresh);
    if (at < met->count && compare_met(&met->at[at], &fresh) == 0) {
      met->at[at].flags |= fresh.flags;
      continue;
    }
    memmove(met->at + at + 1, met->at + at, (met->count - at) * sizeof *met->at);
    met->at[at] = fresh;
    met->count++;
  }
  pools->fresh_met.count = 0;
}
