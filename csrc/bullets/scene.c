// collide, MIT licence (see LICENSE)
//
// The actors as of a step, kept until the next one: a bullet that bounces goes the rest of its way
// among them, even if callbacks have changed them since. Layer: bullets.

#include "bullets/scene.h"
#include "geom/box.h"

// Up to this many are tested one by one.
enum { FEW = 32 };

void cl_scene_forget(cl_scene *scene) {
  for (uint32_t i = 0; i < scene->count; i++) {
    cl_shape_release(scene->target[i].shape);
  }
  scene->count = 0;
  scene->bvh_made = false;
}

void cl_scene_free(cl_scene *scene, const cl_alloc *alloc) {
  cl_scene_forget(scene);
  CL_FREE(alloc, scene->target, scene->cap);
  CL_FREE(alloc, scene->box, scene->box_cap);
  CL_FREE(alloc, scene->found.at, scene->found.cap);
  cl_bvh_free(&scene->bvh, alloc);
}

// The groups that pools with hit events may hit.
static uint64_t groups_of(const cl_pools *pools) {
  uint64_t groups = 0;
  for (uint32_t i = 0; i < pools->count; i++) {
    const cl_bullets *pool = pools->at[i];
    bool wanted = pool->live > 0 && pool->event_mask & CL_BULLET_EVENT_HIT;
    if (wanted) groups |= cl_world_groups_hit(pools->world, pool->def.group);
  }
  return groups;
}

cl_status cl_scene_keep(cl_pools *pools) {
  cl_scene *scene = &pools->scene;
  size_t pending = pools->shots.count - pools->cursor;
  cl_scene_forget(scene);
  uint64_t groups = pools->fresh.count + pending > 0 ? groups_of(pools) : 0;
  if (groups == 0) return CL_OK;
  uint32_t most = cl_world_target_count(pools->world);
  cl_status status = CL_RESERVE(&pools->alloc, scene->target, scene->cap, most);
  if (status != CL_OK) return status;
  scene->count = cl_world_targets(pools->world, groups, scene->target);
  pools->work += most;
  for (uint32_t i = 0; i < scene->count; i++) {
    cl_shape_retain(scene->target[i].shape);
  }
  return CL_OK;
}

void cl_scene_follow(cl_scene *scene, const int32_t *moved) {
  for (uint32_t i = 0; i < scene->count; i++) {
    cl_target *target = &scene->target[i];
    if (target->slot == CL_SHOT_NOBODY) continue;
    int32_t slot = moved[target->slot];
    target->slot = slot == CL_NOWHERE ? CL_SHOT_NOBODY : (uint32_t)slot;
  }
}

static cl_status need_bvh(cl_scene *scene, const cl_alloc *alloc) {
  if (scene->bvh_made) return CL_OK;
  cl_status status = CL_RESERVE(alloc, scene->box, scene->box_cap, scene->count);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < scene->count; i++) {
    cl_bounds b = scene->target[i].box;
    scene->box[i] = cl_fbox_of(b.l, b.t, b.r, b.b);
  }
  status = cl_bvh_build(&scene->bvh, alloc, scene->box, scene->count);
  scene->bvh_made = status == CL_OK;
  return status;
}

static cl_status try_target(cl_pools *pools, uint32_t i, uint64_t groups, cl_bounds box,
                            cl_scene_visit *visit, void *user) {
  const cl_target *target = &pools->scene.target[i];
  bool meant = groups >> target->group & 1 && target->slot != CL_SHOT_NOBODY;
  if (!meant || !cl_bounds_touch(target->box, box)) return CL_OK;
  return cl_world_has(pools->world, target->slot) ? visit(user, target) : CL_OK;
}

cl_status cl_scene_query(cl_pools *pools, uint64_t groups, cl_bounds box, cl_scene_visit *visit,
                         void *user) {
  cl_scene *scene = &pools->scene;
  cl_status status = CL_OK;
  if (scene->count <= FEW) {
    pools->work += scene->count;
    for (uint32_t i = 0; i < scene->count && status == CL_OK; i++) {
      status = try_target(pools, i, groups, box, visit, user);
    }
    return status;
  }
  status = need_bvh(scene, &pools->alloc);
  if (status != CL_OK) return status;
  scene->found.count = 0;
  status = cl_bvh_query(&scene->bvh, &pools->alloc, box, &scene->found);
  pools->work += scene->found.count;
  for (size_t k = 0; k < scene->found.count && status == CL_OK; k++) {
    status = try_target(pools, scene->found.at[k], groups, box, visit, user);
  }
  return status;
}
