// collide, MIT licence (see LICENSE)
//
// A step. Layer: world.

#include "base/f64x2.h"
#include "world/gaps.h"
#include "world/save.h"
#include "world/step.h"

// The next places become the present ones.
static void move(cl_actors *actors) {
  cl_vec *place = actors->place;
  double *angle = actors->angle;
  actors->place = actors->next;
  actors->next = place;
  actors->angle = actors->next_angle;
  actors->next_angle = angle;
}

#ifndef NDEBUG
static bool is_place_valid(const cl_actors *actors, uint32_t i) {
  cl_vec at = actors->next[i];
  if (!(actors->state[i] & CL_LIVE)) return true;
  if (actors->next_angle && !(fabs(actors->next_angle[i]) <= CL_MAX_ANGLE)) return false;
  return fabs(at.x) <= CL_MAX_COORD && fabs(at.y) <= CL_MAX_COORD;
}

// Whether the host has written places that a world may have, and no NaN. First a quick look, since
// removed actors may have any.
static bool are_places_valid(const cl_actors *actors) {
  const cl_vec *next = actors->next;
  const double *angle = actors->next_angle;
  const cl_f64x2 most = cl_f64x2_all(CL_MAX_COORD);
  unsigned right = 3;
  uint32_t count = actors->count;
  for (uint32_t i = 0; i < count; i++)
    right &= cl_mask64x2_bits(cl_f64x2_le(cl_f64x2_abs(cl_f64x2_load(&next[i].x)), most));
  bool valid = right == 3;
  for (uint32_t i = 0; angle && i < count; i++) valid &= fabs(angle[i]) <= CL_MAX_ANGLE;
  for (uint32_t i = 0; !valid; i++) {
    if (i == count) return true;
    if (!is_place_valid(actors, i)) return false;
  }
  return true;
}
#endif

cl_status cl_world_begin_step(cl_world *world, double dispatched) {
  assert(!world->begun && dispatched >= 0 && dispatched <= CL_ALL_DISPATCHED);
  assert(are_places_valid(&world->actors));
  world->changes++;
  world->dispatched = dispatched;
  cl_status status = cl_proxies_place_next(world);
  if (status == CL_OK) status = cl_pairs_find(world);
  if (status == CL_OK) status = cl_pairs_reserve(world);
  if (status == CL_OK) status = cl_contacts_reserve(world);
  if (status == CL_OK) status = cl_dispatch_reserve(world, dispatched);
  if (status == CL_OK) status = cl_actors_reserve_moving(world);
  cl_world_show(world); // the events are the last step's, but may have moved
  world->begun = status == CL_OK;
  return status;
}

// All memory is reserved: nothing fails.
void cl_world_end_step(cl_world *world) {
  assert(world->begun);
  world->begun = false;
  world->steps++;
  cl_pairs_sort(world);
  cl_dispatch_advance(world, world->dispatched);
  move(&world->actors);
  cl_proxies_set_current(world);
  cl_actors_close_gaps(world);
  cl_dispatch_list(world);
  cl_hash_begin_log(world);
  cl_world_show(world);
  CL_CHECK(cl_world_is_valid(world));
}

void cl_world_cancel_step(cl_world *world) { world->begun = false; }

cl_status cl_world_step(cl_world *world, double dispatched) {
  cl_status status = cl_world_begin_step(world, dispatched);
  if (status == CL_OK) cl_world_end_step(world);
  return status;
}

uint64_t cl_world_changes(const cl_world *world) { return world->changes; }

uint64_t cl_world_edits(const cl_world *world) { return world->actors.edits; }

uint32_t cl_world_slots(const cl_world *world) { return world->actors.count; }

bool cl_world_has(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->actors.state[slot] & CL_LIVE;
}

const int32_t *cl_world_moved(const cl_world *world, uint32_t *count) {
  *count = world->moves.moved_count;
  return *count ? world->moves.moved : NULL;
}

const uint32_t *cl_world_released(const cl_world *world, uint32_t *count) {
  *count = world->moves.released_count;
  return world->moves.released;
}
