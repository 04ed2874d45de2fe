// collide, MIT licence (see LICENSE)
//
// The actors as of the last step. Layer: bullets.

#ifndef CL_BULLETS_SCENE_H
#define CL_BULLETS_SCENE_H

#include "bullets/state.h"

/// Keeps the targets of all pools that may bounce, if anything was found. Call it between the
/// halves of the world's step.
cl_status cl_scene_keep(cl_pools *pools);
/// Drops the targets.
void cl_scene_forget(cl_scene *scene);
void cl_scene_follow(cl_scene *scene, const int32_t *moved);
void cl_scene_free(cl_scene *scene, const cl_alloc *alloc);
/// Calls `visit` for the targets of some groups that touch a box; on CL_NOMEM, for some or none.
typedef cl_status cl_scene_visit(void *user, const cl_target *target);
cl_status cl_scene_query(cl_pools *pools, uint64_t groups, cl_bounds box, cl_scene_visit *visit,
                         void *user);

#endif
