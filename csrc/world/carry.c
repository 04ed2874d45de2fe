// collide, MIT licence (see LICENSE)
//
// Which actors a moving actor carries, and which it pushes. Each question has the limit of work of
// a move; where that is not enough, the answer is no. Layer: world.

#include "world/mover.h"

static const cl_vec UP = {0, -1};

// An actor that can be carried or pushed.
static bool is_loose(const cl_world *world, uint32_t slot) {
  return !(world->actors.state[slot] & (CL_STATIC | CL_SENSOR)) &&
         world->actors.shape[slot]->kind != CL_TILES;
}

// Whether a rider lies on a platform: it would be stopped at once if it moved down.
static bool lies_on(const cl_placed *rider, const cl_placed *platform, cl_cast *on) {
  cl_vec none = {0, 0};
  double touch = cl_touch_distance(rider, none, platform);
  cl_sweep found;
  cl_vec down = {0, 16 * touch};
  long spent = 0;
  const cl_stopper how = {touch, CL_MOVE_WORK, NULL, NULL};
  if (!cl_sweep_shape(rider, down, platform, &how, &spent, &found) || found.given_up) return false;
  on->nx = found.nx, on->ny = found.ny;
  return found.t == 0 && found.nx * UP.x + found.ny * UP.y >= CL_ONE_WAY_COSINE;
}

cl_status cl_world_riders(cl_world *world, uint32_t slot, cl_answers *out) {
  assert(cl_world_has(world, slot));
  cl_placed platform = cl_actor_place(&world->actors, slot);
  cl_filter all = {UINT64_MAX, &slot, 1};
  const cl_vec still = {0, 0};
  cl_bounds box = cl_sweep_bounds(cl_placed_bounds(&platform), still);
  cl_status status = cl_world_query_bounds(world, box, all, out);
  if (status != CL_OK) return status;
  size_t n = 0;
  for (size_t i = 0; i < out->count; i++) {
    uint32_t other = out->at[i].slot;
    if (!is_loose(world, other)) continue;
    cl_placed rider = cl_actor_place(&world->actors, other);
    cl_answer on = out->at[i];
    if (lies_on(&rider, &platform, &on.cast)) world->answer[n++] = on;
  }
  out->count = n;
  return CL_OK;
}

// How far a platform pushes an actor that it meets on its way: by the component of the rest of the
// way that leads into it.
static bool push_of(const cl_world *world, uint32_t slot, const cl_placed *platform, cl_vec way,
                    const cl_placed *other, cl_vec *push) {
  cl_sweep found;
  long spent = 0;
  const cl_stopper how = {cl_touch_distance(platform, way, other), CL_MOVE_WORK, NULL, NULL};
  if (!cl_sweep_shape(platform, way, other, &how, &spent, &found) || found.given_up) return false;
  cl_vec ahead = {-found.nx, -found.ny}, up = cl_rot_apply(platform->rot, UP);
  bool one_way = world->actors.state[slot] & CL_ONE_WAY;
  if (one_way && cl_vec_dot(ahead, up) < CL_ONE_WAY_COSINE) return false;
  *push = cl_vec_mul(ahead, cl_vec_dot(way, ahead) * (1 - found.t));
  return true;
}

cl_status cl_world_in_the_way(cl_world *world, uint32_t slot, cl_vec way, cl_filter filter,
                              const cl_pushed **list, size_t *count) {
  assert(cl_world_can_move(world, slot) && isfinite(way.x) && isfinite(way.y));
  cl_movement *m = cl_movement_of(world);
  if (!m) return CL_NOMEM;
  cl_placed platform = cl_actor_place(&world->actors, slot);
  cl_answers found;
  cl_bounds box = cl_sweep_bounds(cl_placed_bounds(&platform), way);
  cl_status status = cl_world_query_bounds(world, box, filter, &found);
  if (status == CL_OK)
    status = CL_RESERVE(&world->alloc, m->pushed, m->pushed_cap, found.count + 1);
  if (status != CL_OK) return status;
  *count = 0;
  *list = m->pushed;
  for (size_t i = 0; i < found.count; i++) {
    uint32_t other = found.at[i].slot;
    cl_vec push;
    if (other == slot || !is_loose(world, other)) continue;
    cl_placed placed = cl_actor_place(&world->actors, other);
    if (!push_of(world, slot, &platform, way, &placed, &push)) continue;
    m->pushed[(*count)++] = (cl_pushed){other, push};
  }
  return CL_OK;
}
