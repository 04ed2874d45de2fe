// collide, MIT licence (see LICENSE)
//
// Whether pools are valid: a walk over all their data. Layer: bullets.

#include "bullets/state.h"

static bool are_lasers_valid(const cl_bullets *pool) {
  uint32_t live = 0;
  for (uint32_t k = 0; k < pool->laser_used; k++) {
    const cl_laser *laser = &pool->laser[k];
    if (k > 0 && laser[-1].number >= laser->number) return false;
    if ((double)laser->number > *pool->last || (!laser->shape && laser->graze)) return false;
    live += laser->shape != NULL;
  }
  return live == pool->lasers && live + pool->most == pool->def.capacity;
}

bool cl_pool_is_valid(const cl_bullets *pool) {
  uint32_t live = 0;
  if (pool->used > pool->cap || pool->live > pool->most) return false;
  for (uint32_t i = 0; i < pool->used; i++) {
    if (!(pool->number[i] > (i > 0 ? pool->number[i - 1] : 0))) return false;
    if (!(pool->number[i] <= *pool->last)) return false;
    if (pool->ages && !(pool->age[i] >= 0 && (i == 0 || pool->age[i] <= pool->age[i - 1]))) {
      return false; // bullets spawned earlier are older
    }
    if (pool->dead[i]) continue;
    if (!(pool->radius[i] > 0 && pool->radius[i] <= pool->largest)) return false;
    if (pool->x[i] != pool->x[i] || pool->y[i] != pool->y[i]) return false; // NaN
    live++;
  }
  return live == pool->live && are_lasers_valid(pool);
}

static bool is_shot_valid(const cl_pools *pools, const cl_shot *shot) {
  if (shot->pool >= pools->count || !(shot->t >= 0 && shot->t <= 1)) return false;
  if (shot->kind == CL_SHOT_EXPIRED) return true;
  if (shot->actor == CL_SHOT_BULLET) return shot->other_pool < pools->count;
  return shot->actor < cl_world_slots(pools->world);
}

// The pending shots, in the order of pools and bullets.
static bool are_shots_valid(const cl_pools *pools) {
  const cl_shots *shots = &pools->shots;
  for (size_t i = pools->cursor; i < shots->count; i++) {
    const cl_shot *shot = &shots->at[i], *last = i > pools->cursor ? shot - 1 : NULL;
    if (!is_shot_valid(pools, shot)) return false;
    if (last && last->pool > shot->pool) return false;
    if (last && last->pool == shot->pool && last->number > shot->number) return false;
  }
  return true;
}

// The memories, in the order of pools, bullets and what they have met, each once.
static bool are_mets_valid(const cl_pools *pools) {
  for (size_t i = 1; i < pools->met.count; i++) {
    const cl_met *a = &pools->met.at[i - 1], *b = &pools->met.at[i];
    if (a->pool != b->pool ? a->pool > b->pool : a->number > b->number) return false;
    if (a->pool == b->pool && a->number == b->number && a->other >= b->other) return false;
  }
  return true;
}

bool cl_pools_are_valid(const cl_pools *pools) {
  for (uint32_t i = 0; i < pools->count; i++) {
    if (pools->at[i]->index != i || !cl_pool_is_valid(pools->at[i])) return false;
  }
  return are_shots_valid(pools) && are_mets_valid(pools);
}
