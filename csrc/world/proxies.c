// collide, MIT licence (see LICENSE)
//
// Frees the proxies. Layer: world.

#include "world/proxies.h"

void cl_proxies_free(cl_proxies *proxies, const cl_alloc *alloc) {
  CL_FREE(alloc, proxies->slot, proxies->slot_cap);
  CL_FREE(alloc, proxies->fixed, proxies->fixed_cap);
  CL_FREE(alloc, proxies->box, proxies->box_cap);
  CL_FREE(alloc, proxies->way, proxies->way_cap);
  CL_FREE(alloc, proxies->block, proxies->block_cap);
  CL_FREE(alloc, proxies->few, proxies->few_cap);
  CL_FREE(alloc, proxies->many, proxies->many_cap);
  CL_FREE(alloc, proxies->listed, proxies->listed_cap);
  CL_FREE(alloc, proxies->lane, proxies->lane_cap);
  cl_bvh_free(&proxies->fixed_tree, alloc);
  cl_bvh_free(&proxies->moving_tree, alloc);
  cl_ray_grid_free(&proxies->ray_grid, alloc);
}
