// collide, MIT licence (see LICENSE)
//
// Lists of shots, in the order of dispatch. Layer: bullets.

#include "bullets/bouncer.h"
#include "bullets/shots.h"

int cl_shot_order(const cl_shot *a, const cl_shot *b) {
  if (a->pool != b->pool) return a->pool < b->pool ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->t != b->t) return a->t < b->t ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  // Of actors met together on the way as in a cast; the earlier one only where their surfaces are
  // alike.
  cl_vec n = {a->nx, a->ny}, m = {b->nx, b->ny};
  bool actors = a->t > 0 && a->actor != CL_SHOT_BULLET && b->actor != CL_SHOT_BULLET;
  if (actors && (n.x != m.x || n.y != m.y)) return cl_vec_goes_first(n, m) ? -1 : 1;
  if (a->actor != b->actor) return a->actor < b->actor ? -1 : 1;
  return (a->other > b->other) - (a->other < b->other);
}

static int in_order(const void *a, const void *b) { return cl_shot_order(a, b); }

void cl_shots_sort(cl_shots *shots) {
  for (size_t i = 1; i < shots->count; i++) {
    if (cl_shot_order(&shots->at[i - 1], &shots->at[i]) <= 0) continue;
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
  shot.wanted = pool->event_mask & CL_BULLET_EVENT_EXPIRED;
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
