// collide, MIT licence (see LICENSE)
//
// A world's life and its step. Layer: world.

#include "world/world.h"

#include "world/state.h"

cl_world *cl_world_new(const cl_world_def *def, cl_io *io) {
  cl_world *world = cl_new(&def->alloc, sizeof *world);
  if (!world) return NULL;
  world->alloc = def->alloc;
  world->io = io;
  world->actors.order = world->actors.static_version = world->steps = 1;
  world->touching = def->touching;
  cl_broad_def broad = {
      .alloc = def->alloc,
      .field = cl_fbox_of(0, 0, def->width, def->height),
      .bounded = def->width > 0 && def->height > 0,
      .depth = def->depth,
  };
  world->broad = def->broad->open(&broad);
  if (!world->broad) {
    cl_free(&world->alloc, world, sizeof *world);
    return NULL;
  }
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) world->hits_with[g] = def->listed ? 0 : UINT64_MAX;
  *io = (cl_io){0};
  return world;
}

void cl_world_free(cl_world *world) {
  cl_alloc alloc = world->alloc;
  cl_actors_free(world);
  cl_pools_free(world);
  world->broad->class->close(world->broad);
  cl_proxies_free(world);
  cl_bvh_free(&world->bvh, &alloc);
  cl_ray_grid_free(&world->ray_grid, &alloc);
  CL_FREE(&alloc, world->found.at, world->found.cap);
  CL_FREE(&alloc, world->first, world->first_cap);
  CL_FREE(&alloc, world->candidates.at, world->candidates.cap);
  cl_contacts_free(world);
  CL_FREE(&alloc, world->moved, world->moved_cap);
  CL_FREE(&alloc, world->released, world->released_cap);
  CL_FREE(&alloc, world->touched.at, world->touched.cap);
  CL_FREE(&alloc, world->answer, world->answer_cap);
  CL_FREE(&alloc, world->by_second, world->by_second_cap);
  CL_FREE(&alloc, world->second_start, world->second_start_cap);
  *world->io = (cl_io){0};
  cl_free(&alloc, world, sizeof *world);
}

void cl_world_show(cl_world *world) {
  cl_io *io = world->io;
  const cl_contacts *contacts = &world->contacts;
  io->place = world->actors.next;
  io->angle = world->actors.next_angle;
  io->state = world->actors.state;
  io->slots = world->actors.count;
  io->event = contacts->event;
  io->contact = contacts->now.pair;
  io->hit = contacts->hit;
  io->calls = contacts->now.bits;
  io->ended = contacts->ended.pair;
  io->ended_calls = contacts->ended.bits;
}

void cl_world_set_hits(cl_world *world, unsigned a, unsigned b, bool hit) {
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
  return world->hits_with[a] >> b & 1;
}

const int32_t *cl_world_moved(const cl_world *world, uint32_t *count) {
  *count = world->moved_count;
  return world->moved_count ? world->moved : NULL;
}

const uint32_t *cl_world_released(const cl_world *world, uint32_t *count) {
  *count = world->released_count;
  return world->released;
}

uint8_t cl_world_group(const cl_world *world, uint32_t slot) { return world->actors.group[slot]; }

// The next places become the present ones.
static void move(cl_actors *actors) {
  cl_vec *place = actors->place;
  double *angle = actors->angle;
  actors->place = actors->next;
  actors->next = place;
  actors->angle = actors->next_angle;
  actors->next_angle = angle;
}

uint64_t cl_world_changes(const cl_world *world) { return world->changes; }

cl_status cl_world_step(cl_world *world, double told) {
  world->changes++;
  cl_status status = cl_proxies_place_next(world);
  if (status == CL_OK) status = cl_pairs_find(world);
  if (status == CL_OK) status = cl_pairs_reserve(world);
  if (status == CL_OK) status = cl_told_reserve(world, told);
  if (status == CL_OK) status = cl_actors_reserve_moving(world);
  if (status == CL_OK) status = cl_pools_find(world);
  if (status != CL_OK) {
    cl_world_show(world); // what there is to tell is the last step's, but may have moved
    return status;
  }
  // Memory for all of it is there: from here on nothing fails.
  world->steps++;
  cl_pairs_sort(world);
  cl_told_advance(world, told);
  move(&world->actors);
  cl_proxies_set_current(world);
  cl_actors_close_gaps(world);
  cl_told_list(world);
  cl_pools_commit(world);
  cl_world_show(world);
  return CL_OK;
}
