// collide, MIT licence (see LICENSE)
//
// Shots that are not dispatched yet: from step to step, and when a bullet changes its way.
// Layer: bullets.

#include "bullets/duels.h"
#include "bullets/mets.h"
#include "bullets/pending.h"

static bool is_before(const cl_shot *a, const cl_shot *b) {
  return a->pool != b->pool ? a->pool < b->pool : a->number < b->number;
}

// For one bullet, the shots found during the dispatch come first: a bullet that bounced has no
// others, except those of bullets that have met it since.
cl_status cl_pools_fold_rest(cl_pools *pools) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  size_t more = rest->count, from = pools->cursor;
  if (more == 0) return CL_OK;
  cl_status status = CL_RESERVE(&pools->alloc, shots->at, shots->cap, shots->count + more);
  if (status == CL_OK) {
    status = CL_RESERVE(&pools->alloc, pools->back, pools->back_cap, shots->count + more);
  }
  if (status != CL_OK) return status;
  cl_shot *at = shots->at + from, *old = at + more, *end = old + (shots->count - from);
  memmove(old, at, (shots->count - from) * sizeof *at);
  shots->count += more;
  while (rest->count > 0) {
    if (old < end && is_before(old, &rest->at[0])) *at++ = *old++;
    else *at++ = *cl_rest_pop(rest);
  }
  cl_pools_link_backs(pools);
  return CL_OK;
}

// Whether the target of a shot still exists.
static bool still_stands(cl_pools *pools, const cl_shot *shot) {
  if (shot->kind == CL_SHOT_EXPIRED) return true;
  if (shot->actor != CL_SHOT_BULLET) return cl_world_has(pools->world, shot->actor);
  if (!shot->sure && !cl_bullets_alive(pools->at[shot->other_pool], shot->other)) return false;
  return cl_pools_still_meets(pools, shot);
}

bool cl_pools_is_present(cl_pools *pools, const cl_shot *shot) {
  return cl_bullets_alive(pools->at[shot->pool], shot->number) && still_stands(pools, shot);
}

static void take_shot(cl_pools *pools, const cl_shot *shot) {
  cl_shots *merged = &pools->merged;
  if (cl_pools_is_present(pools, shot)) merged->at[merged->count++] = *shot;
}

// A shot of an earlier step: bounces in this step do not change it.
static void take_pending(cl_pools *pools, cl_shot *shot) {
  shot->leg = CL_MOST_BOUNCES;
  shot->added = false;
  take_shot(pools, shot);
}

// Merges the pending and the fresh shots, by pool and bullet; for one bullet the pending ones come
// first.
void cl_pools_merge_shots(cl_pools *pools) {
  const cl_shots *pending = &pools->shots, *fresh = &pools->fresh;
  pools->merged.count = 0;
  size_t i = pools->cursor, k = 0;
  while (i < pending->count || k < fresh->count) {
    bool first = i < pending->count;
    if (first && k < fresh->count) {
      const cl_shot *a = &pending->at[i], *b = &fresh->at[k];
      first = a->pool != b->pool ? a->pool < b->pool : a->number <= b->number;
    }
    if (first) take_pending(pools, &pending->at[i++]);
    else take_shot(pools, &fresh->at[k++]);
  }
  cl_shots shots = pools->shots;
  pools->shots = pools->merged;
  pools->merged = shots;
  pools->cursor = 0;
}

// Undoes the effects of a shot that was found but will not be dispatched.
static void undo(cl_pools *pools, const cl_shot *shot) {
  cl_bullets *pool = pools->at[shot->pool];
  pool->hits -= shot->kind == CL_SHOT_HIT;
  pool->grazes -= shot->kind == CL_SHOT_GRAZE;
  if (shot->kind == CL_SHOT_GRAZE) cl_pools_forget(pools, shot, CL_GRAZED);
}

static void redo(cl_pools *pools, const cl_shot *shot) {
  cl_bullets *pool = pools->at[shot->pool];
  pool->hits += shot->kind == CL_SHOT_HIT;
  pool->grazes += shot->kind == CL_SHOT_GRAZE;
  if (shot->kind == CL_SHOT_GRAZE) cl_pools_remember(pools, shot, CL_GRAZED);
}

cl_pending cl_pools_drop_shots(cl_pools *pools, uint32_t pool, uint64_t number) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  const cl_pending before = {pools->cursor, rest->count};
  size_t *at = &pools->cursor;
  while (rest->count > 0 && rest->at[0].pool == pool && rest->at[0].number == number) {
    undo(pools, cl_rest_pop(rest));
  }
  while (*at < shots->count && shots->at[*at].pool == pool && shots->at[*at].number == number) {
    undo(pools, &shots->at[(*at)++]);
  }
  return before;
}

void cl_pools_restore_shots(cl_pools *pools, cl_pending before) {
  cl_shots *rest = &pools->rest;
  while (rest->count < before.rest) {
    redo(pools, &rest->at[rest->count]);
    cl_rest_unpop(rest);
  }
  while (pools->cursor > before.shots) redo(pools, &pools->shots.at[--pools->cursor]);
}
