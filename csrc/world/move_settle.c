// collide, MIT licence (see LICENSE)
//
// Where a mover fits between the actors nearby. Layer: world.

#include "world/mover.h"

// Steps of a search back on the way: the number of bits of a double.
enum { HALVINGS = 54 };

// A mover at some place, and its bounds there.
static cl_bounds place_mover(const cl_move_body *mover, cl_vec at, cl_placed *placed) {
  *placed = mover->placed;
  placed->x = at.x;
  placed->y = at.y;
  return mover->is_box ? cl_bounds_moved(mover->local, at) : cl_placed_bounds(placed);
}

// Whether anything stops the mover at some place.
static cl_going is_blocked(cl_world *world, const cl_move_body *mover, cl_vec at, bool *blocked) {
  const cl_movement *m = world->movement;
  cl_placed there;
  cl_bounds box = place_mover(mover, at, &there);
  cl_going going = CL_GO;
  *blocked = false;
  for (size_t i = 0, end; i < m->nears && going == CL_GO && !*blocked; i = end) {
    end = cl_move_run_end(m, i);
    if (cl_move_may_overlap(m, box, i, end))
      going = cl_move_blocks(world, mover, &there, i, blocked);
  }
  return going;
}

cl_going cl_move_overlapped(cl_world *world, const cl_move_body *mover, cl_vec at,
                            cl_overlapped *out) {
  const cl_movement *m = world->movement;
  out->hit.depth = -1;
  if (m->nears == 0) return CL_GO;
  cl_placed there;
  cl_bounds box = place_mover(mover, at, &there);
  cl_going going = CL_GO;
  for (size_t i = 0, end; i < m->nears && going == CL_GO; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    going = cl_move_overlap(world, mover, &there, i, out);
  }
  return going;
}

// The last free place on the way from the mover's place.
static cl_going search_back(cl_world *world, cl_move_body *mover, cl_vec to) {
  cl_vec from = {mover->placed.x, mover->placed.y}, best = from, way = cl_vec_sub(to, from);
  double low = 0, high = 1;
  for (int i = 0; i < HALVINGS && !cl_move_is_tired(world->movement, 1); i++) {
    double t = (low + high) / 2;
    cl_vec at = cl_vec_add(from, cl_vec_mul(way, t));
    bool blocked;
    cl_going going = is_blocked(world, mover, at, &blocked);
    if (going != CL_GO) return going;
    if (blocked || !cl_move_is_in_range(at)) high = t;
    else low = t, best = at;
  }
  mover->placed.x = best.x;
  mover->placed.y = best.y;
  return CL_GO;
}

// Rounding leaves a place within the skin of where it should be, so one or two pushes of some units
// in the last place usually free the mover.
cl_going cl_move_settle(cl_world *world, cl_move_body *mover, cl_vec to) {
  cl_vec at = to;
  for (int i = 0; i < 4 * CL_MOVE_PUSHES && !cl_move_is_tired(world->movement, 1); i++) {
    cl_overlapped found = {.hit.depth = -1};
    cl_going going = cl_move_overlapped(world, mover, at, &found);
    if (going != CL_GO) return going;
    if (found.hit.depth < 0) {
      if (world->movement->gave_up || !cl_move_is_in_range(at)) break;
      mover->placed.x = at.x;
      mover->placed.y = at.y;
      return CL_GO;
    }
    double depth = found.hit.depth + i * found.touch / 1024;
    at.x += found.hit.nx * depth;
    at.y += found.hit.ny * depth;
    if (cl_vec_length(cl_vec_sub(at, to)) > found.touch) break;
  }
  return search_back(world, mover, to);
}
