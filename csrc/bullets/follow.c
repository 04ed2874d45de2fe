// collide, MIT licence (see LICENSE)
//
// Updates all lists when slots of actors move, or pools are removed. Layer: bullets.

#include "bullets/flights.h"
#include "bullets/follow.h"
#include "bullets/scene.h"
#include "bullets/shots.h"

// Called when slots have moved. Shots and contacts of actors without a slot are removed. The order
// of slots stays the same, and with it that of the lists.
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
  for (size_t i = 0; i < bouncer->reported_count; i++) {
    uint64_t other = bouncer->reported[i];
    bool actor = !(other & CL_OTHER_BULLET);
    if (actor && moved[other] == CL_NOWHERE) continue;
    bouncer->reported[n++] = actor ? (uint64_t)moved[other] : other;
  }
  bouncer->reported_count = n;
}

void cl_pools_follow(cl_pools *pools) {
  assert(!pools->stepping);
  uint32_t count;
  const int32_t *moved = cl_world_moved(pools->world, &count);
  if (!moved) return;
  rename_shots(moved, &pools->shots, pools->cursor);
  cl_pools_link_backs(pools);
  rename_shots(moved, &pools->rest, 0);
  cl_shots_sort(&pools->rest); // a sorted list is a heap, too
  rename_shots(moved, &pools->fresh, 0);
  rename_mets(moved, &pools->met);
  rename_mets(moved, &pools->fresh_met);
  rename_others(moved, &pools->bouncer);
  cl_scene_follow(&pools->scene, moved);
  cl_shot *current = &pools->current;
  bool actor = current->kind != CL_SHOT_EXPIRED && current->actor < CL_SHOT_NOBODY;
  if (pools->begun && actor) {
    int32_t slot = moved[current->actor];
    current->actor = slot == CL_NOWHERE ? CL_SHOT_NOBODY : (uint32_t)slot;
  }
}

// Removes shots of or with pool `gone`, and renumbers those of later pools.
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
  cl_shot *current = &pools->current;
  drop_pool(&pools->shots, pools->cursor, gone);
  drop_pool(&pools->rest, 0, gone);
  cl_shots_sort(&pools->rest); // a sorted list is a heap, too
  cl_flights_drop_pool(&pools->flights, gone);
  pools->echoes = pools->echoes && pools->echo.pool != gone && pools->echo.other_pool != gone;
  pools->echo.pool -= pools->echo.pool > gone;
  pools->echo.other_pool -= pools->echo.other_pool > gone;
  drop_mets(&pools->met, gone);
  cl_pools_link_backs(pools);
  pools->begun = pools->begun && current->pool != gone;
  current->pool -= current->pool > gone;
  current->other_pool -= current->other_pool > gone;
  pools->moment.active = pools->moment.active && pools->moment.pool != gone;
  pools->moment.pool -= pools->moment.pool > gone;
}
