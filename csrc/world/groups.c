// collide, MIT licence (see LICENSE)
//
// Which groups hit each other. Layer: world.

#include "world/state.h"

void cl_world_set_hits(cl_world *world, unsigned a, unsigned b, bool hit) {
  assert(a <= CL_MAX_GROUPS && b <= CL_MAX_GROUPS);
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    for (unsigned h = 0; h < CL_MAX_GROUPS; h++) {
      bool meant = (a == CL_MAX_GROUPS || a == g) && (b == CL_MAX_GROUPS || b == h);
      if (!meant) continue;
      uint64_t with = (uint64_t)1 << h, back = (uint64_t)1 << g;
      world->hits_with[g] = hit ? world->hits_with[g] | with : world->hits_with[g] & ~with;
      world->hits_with[h] = hit ? world->hits_with[h] | back : world->hits_with[h] & ~back;
    }
  }
}

bool cl_world_can_hit(const cl_world *world, unsigned a, unsigned b) {
  assert(a < CL_MAX_GROUPS && b < CL_MAX_GROUPS);
  return world->hits_with[a] >> b & 1;
}

uint64_t cl_world_groups_hit(const cl_world *world, unsigned group) {
  assert(group < CL_MAX_GROUPS);
  return world->hits_with[group];
}

uint8_t cl_world_group(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->actors.group[slot];
}
