// collide, MIT licence (see LICENSE)
//
// A mover that starts inside others is first pushed out of all of them, if a way no longer than the
// smaller side of its bounds does that. Layer: world.

#include "world/mover.h"

// The straight ways that are tried if repeated pushing out of the deepest does not help; how often
// each may go on from one overlap to the next; and the most steps for all of them together. A step
// is the work for two boxes.
enum { EIGHTH = 45, DIRECTIONS = 8 * (EIGHTH + 1), MOST_EXITS = 64, MOST_STEPS = 1 << 18 };

// The steps for any other shape, and in addition for each of its parts.
enum { STEPS_A_SHAPE = 16, STEPS_A_PART = 2 };

// The steps to find a point of another actor, for each part of the mover.
enum { STEPS_A_POINT = 128 };

static const double TURN = 6.283185307179586;

// Finds all that stop the mover and that it overlaps where it is, and the deepest of them.
static cl_going find_inside(cl_world *world, const cl_move_body *mover, cl_overlapped *deepest) {
  cl_movement *m = world->movement;
  cl_bounds box = cl_move_body_bounds(mover);
  deepest->hit.depth = -1;
  m->insides = 0;
  for (size_t i = 0, end; i < m->nears; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, box, i, end)) continue;
    if (CL_RESERVE(&world->alloc, m->inside, m->inside_cap, m->insides + 1) != CL_OK)
      return CL_STUCK;
    cl_overlapped found = {.hit.depth = -1};
    cl_going going = cl_move_overlap(world, mover, &mover->placed, i, &found);
    if (going != CL_GO) return going;
    if (found.hit.depth < 0) continue;
    m->inside[m->insides++] = found;
    if (cl_move_is_deeper(&found, deepest)) *deepest = found;
  }
  return CL_GO;
}

// Pushes out of the deepest overlap, `found` at first, until none is left; at least once.
static cl_going push_out(cl_world *world, const cl_move_body *mover, cl_overlapped found,
                         cl_vec *at, bool *free) {
  const cl_movement *m = world->movement;
  for (int i = 0; i <= CL_MOVE_PUSHES; i++) {
    if (i > 1 && cl_move_is_tired(m, m->def.asks ? CL_MOVE_INSIDE_SHARE : 1)) break;
    cl_going going = i > 0 ? cl_move_overlapped(world, mover, *at, &found) : CL_GO;
    *free = going == CL_GO && found.hit.depth < 0 && !m->gave_up && cl_move_is_in_range(*at);
    if (going != CL_GO || found.hit.depth < 0) return going;
    double depth = found.hit.depth + i * found.touch / 1024;
    at->x += found.hit.nx * depth;
    at->y += found.hit.ny * depth;
  }
  return CL_GO;
}

// A mover that leaves the shapes where it starts: the obstacles nearby, the direction, and the
// steps of work that are left.
typedef struct leaver {
  cl_world *world;
  const cl_move_body *mover;
  cl_placed placed;
  cl_bounds box; // the bounds there
  int32_t steps;
  bool begun;   // what is_blocked finds where the mover starts is known: it is blocked
  int32_t cost; // the steps that this took
} leaver;

static void go_to(leaver *l, cl_vec at) {
  l->placed.x = at.x;
  l->placed.y = at.y;
  l->box = l->mover->is_box ? cl_bounds_moved(l->mover->local, at) : cl_placed_bounds(&l->placed);
}

static int32_t steps_of(const leaver *l, const cl_obstacle *o) {
  if (o->is_box) return 1;
  const cl_shape *shape = l->world->actors.shape[o->slot];
  uint32_t parts = shape->part_count < CL_FEW_PARTS ? shape->part_count : CL_FEW_PARTS;
  return STEPS_A_SHAPE + STEPS_A_PART * (int32_t)parts;
}

// Whether any obstacle there stops the mover.
static cl_going is_blocked(leaver *l, bool *blocked) {
  const cl_movement *m = l->world->movement;
  *blocked = false;
  for (size_t i = 0, end; i < m->nears && !*blocked; i = end) {
    end = cl_move_run_end(m, i);
    l->steps -= (int32_t)(end - i);
    if (!cl_move_may_overlap(m, l->box, i, end)) continue;
    l->steps -= steps_of(l, &m->near[i]);
    cl_going going = cl_move_blocks(l->world, l->mover, &l->placed, i, blocked);
    if (going != CL_GO) return going;
  }
  return CL_GO;
}

// The same where the mover starts: each straight way begins there.
static cl_going is_blocked_first(leaver *l, bool *blocked) {
  if (l->begun) {
    *blocked = true;
    l->steps -= l->cost;
    return CL_GO;
  }
  int32_t before = l->steps;
  cl_going going = is_blocked(l, blocked);
  l->begun = going == CL_GO && *blocked;
  l->cost = before - l->steps;
  return going;
}

// How far the mover has to go along `u` to leave one other actor.
static double exit_from(leaver *l, cl_vec u, size_t from, size_t to) {
  const cl_movement *m = l->world->movement;
  const cl_obstacle *o = &m->near[from];
  cl_values values;
  const cl_values *passes;
  if (cl_move_passes(l->world, l->mover, o->slot, &values, &passes)) return 0;
  if (!o->is_box) {
    l->steps -= steps_of(l, o);
    cl_placed other = cl_move_placed(l->world, o->slot);
    cl_effort effort = {.work = CL_MOVE_WAY_OUT};
    double far = cl_sweep_exit(&l->placed, u, &other, passes, &effort);
    l->world->movement->spent += effort.spent;
    return far;
  }
  double most = 0;
  for (size_t i = from; i < to; i++) {
    if (passes && cl_values_have(passes, (unsigned)m->near[i].value)) continue;
    if (!cl_move_may_overlap(m, l->box, i, i + 1)) continue;
    most = cl_max(most, cl_sweep_box_exit(&l->box, u, &m->near[i].bounds));
  }
  return most;
}

// The same for all that it overlaps, and the largest distance that counts as touching one.
static double exit_along(leaver *l, cl_vec u, double *touch) {
  const cl_movement *m = l->world->movement;
  double most = 0;
  *touch = 0;
  for (size_t i = 0, end; i < m->nears; i = end) {
    end = cl_move_run_end(m, i);
    if (!cl_move_may_overlap(m, l->box, i, end)) continue;
    most = cl_max(most, exit_from(l, u, i, end));
    *touch = cl_max(*touch, m->near[i].touch);
  }
  return most;
}

// Goes straight along `u`, from one overlap to the next.
static cl_going leave_along(leaver *l, cl_vec u, double limit, double *way) {
  cl_vec from = {l->mover->placed.x, l->mover->placed.y};
  *way = 0;
  for (int i = 0; i < MOST_EXITS && *way <= limit && l->steps > 0; i++) {
    if (cl_move_is_tired(l->world->movement, CL_MOVE_INSIDE_SHARE)) break;
    bool blocked;
    double touch;
    go_to(l, cl_vec_add(from, cl_vec_mul(u, *way)));
    cl_going going = i > 0 ? is_blocked(l, &blocked) : is_blocked_first(l, &blocked);
    if (going != CL_GO || !blocked) return going;
    *way += exit_along(l, u, &touch) + touch / 1024;
  }
  *way = INFINITY;
  return CL_GO;
}

// The i-th of the directions, one for each degree: those of an eighth of the circle, and their
// images.
static cl_vec direction(int i) {
  int degree = i % (EIGHTH + 1), image = i / (EIGHTH + 1);
  cl_rot rot = cl_rot_of(TURN * degree / 360);
  cl_vec u = {rot.c, degree == EIGHTH ? rot.c : rot.s};
  if (image & 1) u.x = -u.x;
  if (image & 2) u.y = -u.y;
  return image & 4 ? (cl_vec){u.y, u.x} : u;
}

static cl_going search_straight(cl_world *world, const cl_move_body *mover, double limit,
                                cl_vec *at, bool *free) {
  cl_vec from = {mover->placed.x, mover->placed.y}, along = {0, 0};
  double best = limit, way;
  leaver l = {.world = world, .mover = mover, .placed = mover->placed, .steps = MOST_STEPS};
  *free = false;
  for (int i = 0; i < DIRECTIONS; i++) {
    cl_vec u = direction(i);
    cl_going going = leave_along(&l, u, best, &way);
    if (going != CL_GO) return going;
    cl_vec to = cl_vec_add(from, cl_vec_mul(u, way));
    if (way > best || !cl_move_is_in_range(to)) continue;
    if (*free && way == best && !cl_vec_goes_first(u, along)) continue;
    best = way;
    along = u;
    *free = true;
    *at = to;
  }
  return CL_GO;
}

// Reports one actor that the mover overlaps at its start.
static cl_going report_inside(cl_world *world, const cl_move_body *mover, cl_move_hit hit) {
  cl_placed other = cl_move_placed(world, hit.slot);
  world->movement->spent += STEPS_A_POINT * (long)mover->placed.shape->part_count;
  hit.point = cl_distance(&mover->placed, &other).a;
  hit.column = hit.row = -1;
  hit.inside = true;
  return cl_move_report(world, mover, &hit);
}

// Reports all actors that find_inside has found; afterwards the mover is at `to`. What each of them
// does is known already.
static cl_going report_all(cl_world *world, const cl_move_body *mover, cl_vec to, bool crushed) {
  const cl_movement *m = world->movement;
  cl_going going = CL_GO;
  for (size_t i = 0; i < m->insides && going == CL_GO; i++) {
    cl_overlapped found = m->inside[i];
    cl_move_ask about = cl_move_about(mover, found.slot);
    about.value = found.value;
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) continue;
    going = report_inside(world, mover,
                          (cl_move_hit){.slot = found.slot,
                                        .normal = {found.hit.nx, found.hit.ny},
                                        .at = to,
                                        .value = found.value,
                                        .response = known->response,
                                        .crushed = crushed});
  }
  return going;
}

// Whether the mover overlaps another actor where it is, and the value of its deepest cell if cells
// matter one by one.
static bool overlaps_cell(cl_world *world, const cl_move_body *mover, const cl_placed *other,
                          const cl_values *passes, int32_t *value) {
  cl_hit hit;
  *value = -1;
  if (!passes) return cl_move_touches(world, &mover->placed, other);
  return cl_move_way_out(world, &mover->placed, other, passes, INFINITY, &hit, value);
}

// Reports sensors, and others that are crossed, that the mover overlaps at its start, or where it
// was pushed out to.
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
    int32_t value;
    while (!cl_move_is_tired(m, CL_MOVE_INSIDE_SHARE) &&
           overlaps_cell(world, mover, &other, passes, &value)) {
      cl_move_ask about = cl_move_about(mover, slot);
      about.value = value;
      cl_move_known *known;
      cl_going going = cl_move_know(world, &about, &known);
      if (going != CL_GO) return going;
      if (cl_move_stops(known->response)) break;
      if (known->response == CL_RESPONSE_CROSS && !known->reported) {
        known->reported = true;
        going = report_inside(world, mover,
                              (cl_move_hit){.slot = slot,
                                            .at = {mover->placed.x, mover->placed.y},
                                            .value = value,
                                            .response = CL_RESPONSE_CROSS});
        if (going != CL_GO) return going;
      }
      if (!passes || value < 0) break;
      cl_values_add(&values, (unsigned)value);
    }
  }
  return CL_GO;
}

// Whether the shortest way out of one of them alone is longer than `limit`. Only that out of a
// single convex part is known to be the shortest.
static bool is_too_deep(const cl_world *world, const cl_move_body *mover, double limit) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; i < m->insides; i++) {
    const cl_shape *other = world->actors.shape[m->inside[i].slot];
    bool convex = other->kind != CL_TILES && other->part_count == 1;
    if (convex && mover->placed.shape->part_count == 1 &&
        m->inside[i].hit.depth > limit + m->inside[i].touch)
      return true;
  }
  return false;
}

static double smaller_side(cl_bounds b) { return cl_min(b.r - b.l, b.b - b.t); }

cl_going cl_move_begin(cl_world *world, cl_move_body *mover) {
  cl_vec from = {mover->placed.x, mover->placed.y}, to = from;
  cl_overlapped found = {.hit.depth = -1};
  cl_going going = cl_move_find_ahead(world, mover);
  if (going == CL_GO) going = report_crossed(world, mover);
  if (going == CL_GO) going = find_inside(world, mover, &found);
  if (going != CL_GO) return going;
  mover->begun = found.hit.depth < 0;
  if (mover->begun) return CL_GO;
  cl_bounds box = cl_move_body_bounds(mover);
  double limit = smaller_side(box);
  bool free = false, slight = found.hit.depth <= found.touch;
  // No search then; but where the host is asked, it is asked about all that a search meets.
  bool stuck = !world->movement->def.asks && is_too_deep(world, mover, limit);
  mover->looked = mover->found = false;
  if (!stuck) box = cl_bounds_grown(box, 2 * limit), going = cl_move_find(world, mover, box);
  if (going == CL_GO && !stuck) going = push_out(world, mover, found, &to, &free);
  double far = cl_vec_length(cl_vec_sub(to, from));
  // Overlaps within the distance that counts as touching are resolved without a report.
  bool silent = free && slight && far <= found.touch;
  if (going == CL_GO && !silent) {
    if (!stuck && (!free || far > limit)) going = search_straight(world, mover, limit, &to, &free);
    if (going == CL_GO) going = report_all(world, mover, free ? to : from, !free);
  }
  if (going != CL_GO) return going;
  if (!free) cl_move_remember(world, mover, box);
  mover->left = free ? cl_move_in_range(to, mover->left) : (cl_vec){0, 0};
  if (free) mover->placed.x = to.x, mover->placed.y = to.y;
  // A question about what is crossed there is followed by a new beginning, at this place.
  if (free && !silent) going = report_crossed(world, mover);
  mover->begun = going == CL_GO;
  return going;
}
