// collide, MIT licence (see LICENSE)
//
// Provides the actors as targets. Layer: world.

#include "world/state.h"
#include "world/targets.h"

double cl_motion_slack(cl_bounds b) {
  double x = cl_max(fabs(b.l), fabs(b.r)), y = cl_max(fabs(b.t), fabs(b.b));
  return 4 * CL_CAST_ERROR * (x + y);
}

uint32_t cl_world_target_count(const cl_world *world) { return world->proxies.count; }

uint32_t cl_world_targets(const cl_world *world, uint64_t groups, cl_target *out) {
  const cl_proxies *proxies = &world->proxies;
  const cl_actors *actors = &world->actors;
  uint32_t n = 0;
  assert(world->begun);
  for (uint32_t i = 0; i < proxies->count; i++) {
    uint32_t slot = proxies->slot[i];
    if (!(groups >> actors->group[slot] & 1)) continue;
    cl_fbox f = proxies->box[i]; // rounded outward, which does no harm
    cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
    cl_vec d = cl_vec_sub(actors->next[slot], cl_actor_way_from(actors, slot, world->steps));
    b = cl_bounds_join(b, (cl_bounds){b.l - d.x, b.t - d.y, b.r - d.x, b.b - d.y});
    b = cl_bounds_grown(b, cl_motion_slack(b));
    out[n++] = (cl_target){
        b, d, cl_actor_placed(actors, slot, false), actors->shape[slot], slot, actors->group[slot]};
  }
  return n;
}
