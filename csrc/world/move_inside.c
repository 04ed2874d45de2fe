// collide, MIT licence (see LICENSE)
//
// A mover that starts in others is pushed out of all of them first, if a way no longer than
// the smaller side of its bounds does that. Layer: world.

#include "world/mover.h"

// Straight ways that are tried where pushing out of the deepest, over and over, does not help.
enum { DIRECTIONS = 360, MOST_EXITS = 64 };

static const double TURN = 6.283185307179586;

// Pushes out of the deepest until nothing is left.
static cl_going push_out(cl_world *world, const cl_move_body *mover, cl_vec *at, bool *free) {
  cl_overlapped found;
  for (int i = 0; i <= CL_MOVE_PUSHES; i++) {
    cl_going going = cl_move_overlapped(world, mover, *at, &found);
    *free = going == CL_GO && found.hit.depth < 0;
    if (going != CL_GO || *free) return going;
    double depth = found.hit.depth + i * found.touch / 1024;
    at->x += found.hit.nx * depth;
    at->y += found.hit.ny * depth;
  }
  return CL_GO;
}

// How far a mover at `at` has to go along `u` to leave all that it overlaps there.
static double exit_along(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec u,
                         double *touch) {
  const cl_movement *m = world->movement;
  cl_placed placed = mover->placed;
  placed.x = at.x;
  placed.y = at.y;
  double most = 0;
  for (size_t i = 0; i < m->nears; i = cl_move_run_end(m, i)) {
    const cl_obstacle *o = &m->near[i];
    cl_values values;
    const cl_values *passes;
    if (cl_move_passes(world, mover, o->slot, &values, &passes)) continue;
    cl_placed other = cl_move_placed(world, o->slot);
    double far = cl_sweep_exit(&placed, u, &other, passes);
    if (far <= most) continue;
    most = far;
    *touch = o->touch;
  }
  return most;
}

// Goes straight along `u`, from what it overlaps to what it overlaps then.
static cl_going leave_along(cl_world *world, const cl_move_body *mover, cl_vec u, double limit,
                            double *way) {
  cl_vec from = {mover->placed.x, mover->placed.y};
  *way = 0;
  for (int i = 0; i < MOST_EXITS && *way <= limit; i++) {
    cl_vec at = cl_vec_add(from, cl_vec_mul(u, *way));
    cl_overlapped found;
    cl_going going = cl_move_overlapped(world, mover, at, &found);
    if (going != CL_GO || found.hit.depth < 0) return going;
    double touch = found.touch;
    *way += exit_along(world, mover, at, u, &touch) + touch / 1024;
  }
  *way = INFINITY;
  return CL_GO;
}

static cl_going search_straight(cl_world *world, const cl_move_body *mover, double limit,
                                cl_vec *at, bool *free) {
  cl_vec from = {mover->placed.x, mover->placed.y};
  double best = limit, way;
  *free = false;
  for (int i = 0; i < DIRECTIONS; i++) {
    cl_rot rot = cl_rot_of(TURN * i / DIRECTIONS);
    cl_vec u = {rot.c, rot.s};
    cl_going going = leave_along(world, mover, u, best, &way);
    if (going != CL_GO) return going;
    if (way > best) continue;
    best = way;
    *free = true;
    *at = cl_vec_add(from, cl_vec_mul(u, way));
  }
  return CL_GO;
}

// Reports all that stops the mover and that it overlaps where it starts; it is at `to`
// afterwards. Of all of them it is known what they do.
static cl_going report_all(cl_world *world, const cl_move_body *mover, cl_vec to, bool crushed) {
  const cl_movement *m = world->movement;
  cl_going going = CL_GO;
  for (size_t i = 0; i < m->nears && going == CL_GO; i = cl_move_run_end(m, i)) {
    cl_overlapped found = {.hit.depth = -1};
    going = cl_move_overlap(world, mover, &mover->placed, i, &found);
    if (going != CL_GO || found.hit.depth < 0) continue;
    cl_move_ask about = cl_move_about(mover, found.slot);
    about.value = found.value;
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) continue;
    cl_placed other = cl_move_placed(world, found.slot);
    cl_move_hit hit = {.slot = found.slot,
                       .normal = {found.hit.nx, found.hit.ny},
                       .at = to,
                       .point = cl_distance(&mover->placed, &other).a,
                       .column = -1,
                       .row = -1,
                       .value = found.value,
                       .response = known->response,
                       .inside = true,
                       .crushed = crushed};
    going = cl_move_report(world, mover, &hit);
  }
  return going;
}

// Reports sensors, and others that are crossed, in which the mover starts.
static cl_going report_crossed(cl_world *world, const cl_move_body *mover) {
  const cl_movement *m = world->movement;
  cl_bounds box = cl_move_body_bounds(mover);
  for (size_t i = 0, end; i < m->nears; i = end) {
    uint32_t slot = m->near[i].slot;
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    cl_values values;
    const cl_values *passes;
    if (cl_move_passes(world, mover, slot, &values, &passes)) continue;
    cl_placed other = cl_move_placed(world, slot);
    cl_hit hit;
    int32_t value;
    while (cl_sweep_way_out(&mover->placed, &other, passes, &hit, &value)) {
      cl_move_ask about = cl_move_about(mover, slot);
      about.value = value;
      cl_move_known *known;
      cl_going going = cl_move_know(world, &about, &known);
      if (going != CL_GO) return going;
      if (cl_move_stops(known->response)) break;
      if (known->response == CL_RESPONSE_CROSS && !known->reported) {
        cl_move_hit report = {.slot = slot,
                              .at = {mover->placed.x, mover->placed.y},
                              .point = cl_distance(&mover->placed, &other).a,
                              .column = -1,
                              .row = -1,
                              .value = value,
                              .response = CL_RESPONSE_CROSS,
                              .inside = true};
        known->reported = true;
        going = cl_move_report(world, mover, &report);
        if (going != CL_GO) return going;
      }
      if (!passes || value < 0) break;
      cl_values_add(&values, (unsigned)value);
    }
  }
  return CL_GO;
}

static double smaller_side(cl_bounds b) { return cl_min(b.r - b.l, b.b - b.t); }

cl_going cl_move_begin(cl_world *world, cl_move_body *mover) {
  cl_vec from = {mover->placed.x, mover->placed.y}, to = from;
  cl_overlapped found;
  cl_going going = cl_move_find_ahead(world, mover);
  if (going == CL_GO) going = report_crossed(world, mover);
  if (going == CL_GO) going = cl_move_overlapped(world, mover, from, &found);
  if (going != CL_GO) return going;
  mover->begun = found.hit.depth < 0;
  if (mover->begun) return CL_GO;
  cl_bounds box = cl_move_body_bounds(mover);
  double limit = smaller_side(box);
  bool free = false, slight = found.hit.depth <= found.touch;
  mover->looked = mover->found = false;
  going = cl_move_find(world, mover, cl_bounds_grown(box, 2 * limit));
  if (going == CL_GO) going = push_out(world, mover, &to, &free);
  double far = cl_vec_length(cl_vec_sub(to, from));
  // What is within the distance of touching is freed and not spoken of.
  if (going == CL_GO && !(free && slight && far <= found.touch)) {
    if (!free || far > limit) going = search_straight(world, mover, limit, &to, &free);
    if (going == CL_GO) going = report_all(world, mover, free ? to : from, !free);
  }
  if (going != CL_GO) return going;
  mover->begun = true;
  if (free) mover->placed.x = to.x, mover->placed.y = to.y;
  else mover->left = (cl_vec){0, 0};
  return CL_GO;
}
