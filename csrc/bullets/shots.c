// collide, MIT licence (see LICENSE)
//
// Lists of shots: their order, and what becomes of them when slots move or pools go.
// Layer: bullets.

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

cl_status cl_pools_add_end(cl_pools *pools, const cl_bullets *pool, uint64_t number) {
  cl_shot shot = {.number = number, .pool = pool->index, .kind = CL_SHOT_EXPIRED, .t = 1};
  shot.told = pool->event_mask & CL_BULLET_EVENT_EXPIRED;
  return cl_pools_add_shot(pools, &shot);
}

cl_status cl_pools_reserve_shots(cl_pools *pools) {
  const cl_alloc *alloc = &pools->alloc;
  size_t shots = pools->shots.count - pools->cursor + pools->fresh.count;
  cl_status status = CL_RESERVE(alloc, pools->merged.at, pools->merged.cap, shots);
  if (status == CL_OK) status = CL_RESERVE(alloc, pools->back, pools->back_cap, shots);
  if (status != CL_OK) return status;
  return cl_bouncer_reserve(&pools->bouncer, alloc, shots);
}

static bool is_before(const cl_shot *a, const cl_shot *b) {
  return a->pool != b->pool ? a->pool < b->pool : a->number < b->number;
}

// Each to its place, behind those of the same bullet that come first anyway.
cl_status cl_pools_fold_rest(cl_pools *pools) {
  cl_shots *shots = &pools->shots, *rest = &pools->rest;
  size_t more = rest->count - pools->rest_cursor, from = pools->cursor;
  if (more == 0) return CL_OK;
  cl_status status = CL_RESERVE(&pools->alloc, shots->at, shots->cap, shots->count + more);
  if (status == CL_OK) {
    status = CL_RESERVE(&pools->alloc, pools->back, pools->back_cap, shots->count + more);
  }
  if (status != CL_OK) return status;
  cl_shot *at = shots->at + from;
  memmove(at + more, at, (shots->count - from) * sizeof *at);
  memcpy(at, rest->at + pools->rest_cursor, more * sizeof *at);
  shots->count += more;
  for (size_t i = 1; i < shots->count - from; i++) {
    cl_shot shot = at[i];
    size_t k = i;
    for (; k > 0 && is_before(&shot, &at[k - 1]); k--) at[k] = at[k - 1];
    at[k] = shot;
  }
  rest->count = pools->rest_cursor = 0;
  cl_pools_link_backs(pools);
  return CL_OK;
}

// Whether what a shot is about is still there.
static bool still_stands(const cl_pools *pools, const cl_shot *shot) {
  if (shot->kind == CL_SHOT_EXPIRED || shot->sure) return true;
  if (shot->actor != CL_SHOT_BULLET) return cl_world_has(pools->world, shot->actor);
  return cl_bullets_alive(pools->at[shot->other_pool], shot->other);
}

bool cl_pools_is_present(const cl_pools *pools, const cl_shot *shot) {
  return cl_bullets_alive(pools->at[shot->pool], shot->number) && still_stands(pools, shot);
}

static void take_shot(cl_pools *pools, const cl_shot *shot) {
  cl_shots *merged = &pools->merged;
  if (cl_pools_is_present(pools, shot)) merged->at[merged->count++] = *shot;
}

// What is pending and what is fresh, by pool and bullet; of one bullet what is pending
// comes first.
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
    take_shot(pools, first ? &pending->at[i++] : &fresh->at[k++]);
  }
  cl_shots shots = pools->shots;
  pools->shots = pools->merged;
  pools->merged = shots;
  pools->cursor = 0;
}

// A shot that is not told after all: what follows from its having been found is undone.
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
  const cl_pending before = {pools->cursor, pools->rest_cursor};
  const cl_shots *shots = &pools->shots, *rest = &pools->rest;
  size_t *at = &pools->cursor;
  while (pools->rest_cursor < rest->count) undo(pools, &rest->at[pools->rest_cursor++]);
  while (*at < shots->count && shots->at[*at].pool == pool && shots->at[*at].number == number) {
    undo(pools, &shots->at[(*at)++]);
  }
  return before;
}

void cl_pools_restore_shots(cl_pools *pools, cl_pending before) {
  while (pools->rest_cursor > before.rest) redo(pools, &pools->rest.at[--pools->rest_cursor]);
  while (pools->cursor > before.shots) redo(pools, &pools->shots.at[--pools->cursor]);
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

static void rename_others(const int32_t *moved, cl_bouncer *bouncer) {
  size_t n = 0;
  for (size_t i = 0; i < bouncer->told_count; i++) {
    uint64_t other = bouncer->told[i];
    bool actor = !(other & CL_OTHER_BULLET);
    if (actor && moved[other] == CL_NOWHERE) continue;
    bouncer->told[n++] = actor ? (uint64_t)moved[other] : other;
  }
  bouncer->told_count = n;
}

void cl_pools_follow(cl_pools *pools) {
  uint32_t count;
  const int32_t *moved = cl_world_moved(pools->world, &count);
  if (!moved) return;
  rename_shots(moved, &pools->shots, pools->cursor);
  cl_pools_link_backs(pools);
  rename_shots(moved, &pools->rest, pools->rest_cursor);
  rename_shots(moved, &pools->fresh, 0);
  rename_mets(moved, &pools->met);
  rename_mets(moved, &pools->fresh_met);
  rename_others(moved, &pools->bouncer);
  cl_scene_follow(&pools->scene, moved);
  cl_shot *telling = &pools->telling;
  if (pools->begun && telling->kind != CL_SHOT_EXPIRED && telling->actor != CL_SHOT_BULLET) {
    int32_t slot = moved[telling->actor];
    telling->actor = slot == CL_NOWHERE ? CL_SHOT_NOBODY : (uint32_t)slot;
  }
}

// Shots of or with pool `gone` go, and those of later ones are renamed.
static void drop_pool(cl_shots *shots, size_t from, uint32_t gone) {
  size_t n = from;
  for (size_t i = from; i < shots->count; i++) {
    cl_shot shot = shots->at[i];
    bool bullet = shot.kind == CL_SHOT_HIT && shot.actor == CL_SHOT_BULLET;
    if (shot.pool == gone || (bullet && shot.other_pool == gone)) continue;
    shot.pool -= shot.pool > gone;
    shot.other_pool -= bullet && shot.other_pool > gone;
    shots->at[n++] = shot;
  }
  shots->count = n;
}

static void drop_mets(cl_mets *mets, uint32_t gone) {
  size_t n = 0;
  for (size_t i = 0; i < mets->count; i++) {
    cl_met met = mets->at[i];
    if (met.pool == gone) continue;
    met.pool -= met.pool > gone;
    mets->at[n++] = met;
  }
  mets->count = n;
}

void cl_pools_drop_pool(cl_pools *pools, uint32_t gone) {
  cl_shot *telling = &pools->telling;
  drop_pool(&pools->shots, pools->cursor, gone);
  drop_pool(&pools->rest, pools->rest_cursor, gone);
  drop_mets(&pools->met, gone);
  cl_pools_link_backs(pools);
  pools->begun = pools->begun && telling->pool != gone;
  telling->pool -= telling->pool > gone;
  telling->other_pool -= telling->other_pool > gone;
  pools->moment.active = pools->moment.active && pools->moment.pool != gone;
  pools->moment.pool -= pools->moment.pool > gone;
}
