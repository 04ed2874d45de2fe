// collide, MIT licence (see LICENSE)
//
// Moves: sweep, stop, respond, and continue with the rest of the way. Layer: world.
// Source: iterated sweeps and projections, Fauerby, Improved collision detection and response
// (2003); the corner rule of Quake's SV_FlyMove.

#include "world/mover.h"

// The cosine of one degree; the difference up to which two directions count as one.
static const double ONE_DEGREE = 0.9998476951563913;
static const double ALIKE = 1e-9;

// The first obstacle that a mover meets on the rest of its way. Without one, `other` is CL_NOBODY,
// and the way is free as far as `sweep.t`, or as a whole.
typedef struct meeting {
  cl_sweep sweep;
  uint32_t other;
  double touch;
  bool is_box;
  cl_bounds bounds; // of a box
} meeting;

static bool is_moving(const cl_move_body *m) { return m->left.x != 0 || m->left.y != 0; }

static bool is_sooner(const cl_sweep *a, const cl_sweep *b, cl_vec way) {
  if (a->t != b->t) return a->t < b->t;
  return a->nx * way.x + a->ny * way.y < b->nx * way.x + b->ny * way.y;
}

// Tests the boxes from `from` to `to`, all of one other actor.
static void meet_boxes(const cl_movement *m, const cl_move_body *mover, cl_bounds box, size_t from,
                       size_t to, const cl_values *passes, meeting *first) {
  cl_sweep best = {.t = INFINITY}, found;
  size_t at = to;
  for (size_t i = from; i < to; i++) {
    const cl_obstacle *o = &m->near[i];
    if (passes && cl_values_have(passes, (unsigned)o->value)) continue;
    if (!cl_sweep_box(&box, mover->left, &o->bounds, o->touch, &found)) continue;
    if (at < to && !is_sooner(&found, &best, mover->left)) continue;
    best = found;
    at = i;
  }
  if (at == to || best.t >= first->sweep.t) return;
  const cl_obstacle *o = &m->near[at];
  best.column = o->column, best.row = o->row, best.value = o->value;
  *first = (meeting){best, o->slot, o->touch, true, o->bounds};
}

static void meet_shape(cl_world *world, const cl_move_body *mover, const cl_obstacle *o,
                       const cl_values *passes, meeting *first) {
  cl_placed start = mover->placed, other = cl_move_placed(world, o->slot);
  start.x = mover->start.x;
  start.y = mover->start.y;
  cl_one_way rule;
  const cl_movement *m = world->movement;
  const cl_stopper how = {o->touch, (long)cl_move_limit(m) - m->spent, passes,
                          cl_move_one_way(world, &start, &other, o->slot, &rule)};
  cl_sweep found;
  long *spent = &world->movement->spent;
  if (!cl_sweep_shape(&mover->placed, mover->left, &other, &how, spent, &found)) return;
  if (found.t >= first->sweep.t) return;
  *first = (meeting){.sweep = found, found.given_up ? CL_NOBODY : o->slot, o->touch};
}

static void find_first(cl_world *world, const cl_move_body *mover, meeting *first) {
  const cl_movement *m = world->movement;
  first->other = CL_NOBODY;
  first->sweep.t = INFINITY;
  if (m->nears == 0) return;
  cl_bounds box = cl_move_body_bounds(mover), reach = cl_sweep_bounds(box, mover->left);
  for (size_t i = 0, end; i < m->nears; i = end) {
    const cl_obstacle *o = &m->near[i];
    end = cl_move_run_end(m, i);
    cl_values values;
    const cl_values *passes;
    if (cl_move_passes(world, mover, o->slot, &values, &passes)) continue;
    if (o->is_box) meet_boxes(m, mover, box, i, end, passes, first);
    else if (cl_bounds_touch(o->bounds, reach)) meet_shape(world, mover, o, passes, first);
  }
  if (first->other != CL_NOBODY && first->is_box)
    cl_sweep_box_point(&box, mover->left, &first->bounds, &first->sweep);
}

static cl_vec place_at(const cl_move_body *m, double t) {
  return (cl_vec){m->placed.x + m->left.x * t, m->placed.y + m->left.y * t};
}

static cl_going report(cl_world *world, const cl_move_body *mover, const meeting *met, double t,
                       cl_vec at, uint8_t response) {
  const cl_sweep *s = &met->sweep;
  cl_move_hit hit = {.slot = met->other,
                     .normal = {s->nx, s->ny},
                     .at = at,
                     .point = {s->x, s->y},
                     .t = t,
                     .column = s->column,
                     .row = s->row,
                     .value = s->value,
                     .response = response};
  return cl_move_report(world, mover, &hit);
}

// Whether a mover that is about to be turned by a surface with the normal n slides along another
// one: it would be stopped at once if it moved a little towards that side.
static bool is_sliding(cl_world *world, const cl_move_body *m, cl_vec n) {
  if (m->surface.x != 0 || m->surface.y != 0) return true;
  cl_move_body aside = *m;
  double length = cl_vec_length(m->left);
  aside.left = cl_vec_sub(m->left, cl_vec_mul(n, length / 64));
  meeting met;
  find_first(world, &aside, &met);
  cl_vec other = {met.sweep.nx, met.sweep.ny};
  return met.other != CL_NOBODY && met.sweep.t == 0 &&
         cl_vec_dot(other, m->left) >= -ALIKE * length;
}

static cl_vec slide(cl_vec rest, cl_vec n) {
  double into = cl_vec_dot(rest, n);
  return into < 0 ? (cl_vec){rest.x - into * n.x, rest.y - into * n.y} : rest;
}

// In a corner the slide along each of two surfaces leads into the other.
static bool is_corner(const cl_move_body *m, cl_vec next, cl_vec n) {
  return cl_vec_dot(m->surface, n) < 1 - ALIKE &&
         cl_vec_dot(next, m->surface) < -ALIKE * cl_vec_length(next);
}

static bool is_slight(cl_vec a, cl_vec b) {
  return cl_vec_dot(a, b) > ONE_DEGREE * cl_vec_length(a) * cl_vec_length(b);
}

static cl_vec bounce(cl_vec rest, cl_vec n) {
  double into = cl_vec_dot(rest, n);
  if (into >= 0) return rest;
  return (cl_vec){rest.x - 2 * into * n.x, rest.y - 2 * into * n.y};
}

// Sets a new way, if the limits allow it.
static void turn(cl_move_body *m, cl_vec next, const meeting *met) {
  m->found = false;
  m->turns += !is_slight(next, m->left);
  m->surfaces++;
  bool ends = cl_vec_length(next) < met->touch || m->turns > CL_MOVE_TURNS ||
              m->surfaces > CL_MOVE_SURFACES;
  cl_vec at = {m->placed.x, m->placed.y};
  m->left = ends ? (cl_vec){0, 0} : cl_move_in_range(at, next);
  m->surface = (cl_vec){met->sweep.nx, met->sweep.ny};
}

static bool can_be_pushed(const cl_world *world, uint32_t slot) {
  const cl_movement *m = world->movement;
  return !(world->actors.state[slot] & (CL_STATIC | CL_SENSOR)) && !cl_move_has_moved(m, slot) &&
         world->actors.shape[slot]->kind != CL_TILES && m->movers < CL_MOVE_CHAIN;
}

// Adds a mover, whose way ends in range.
static void start(cl_movement *m, uint32_t slot, cl_placed placed, cl_vec way) {
  cl_move_body *body = &m->mover[m->movers++];
  body->slot = slot;
  body->placed = placed;
  body->start = (cl_vec){placed.x, placed.y};
  body->way = body->left = way;
  body->surface = (cl_vec){0, 0};
  body->done = 0;
  body->turns = body->surfaces = 0;
  body->begun = body->looked = body->found = false;
  body->is_box = cl_placed_is_one_box(&placed);
  if (body->is_box) body->local = placed.shape->parts->bounds;
  cl_bounds box = cl_move_body_bounds(body);
  body->reach = cl_bounds_largest(cl_bounds_swept(box, body->way));
}

// Pushes the other by the part of the motion that leads into it, and continues from the mover's
// place then.
static bool push(cl_world *world, cl_move_body *mover, const meeting *met, cl_vec rest) {
  cl_vec n = {met->sweep.nx, met->sweep.ny};
  double into = cl_vec_dot(rest, n);
  if (into >= 0) return false;
  mover->left = rest;
  mover->looked = mover->found = false;
  mover->surface = (cl_vec){0, 0};
  cl_placed other = cl_move_placed(world, met->other);
  cl_vec way = cl_move_in_range((cl_vec){other.x, other.y}, cl_vec_mul(n, into));
  start(world->movement, met->other, other, way);
  return true;
}

// Of the places within rounding from where two boxes touch, the one where their sides are flush.
static cl_vec flush(const cl_move_body *m, const meeting *met, cl_vec at) {
  const cl_bounds *a = &m->local, *b = &met->bounds;
  if (met->sweep.nx < 0) {
    for (at.x = b->l - a->r; at.x + a->r > b->l;) at.x = nextafter(at.x, -INFINITY);
  } else if (met->sweep.nx > 0) {
    for (at.x = b->r - a->l; at.x + a->l < b->r;) at.x = nextafter(at.x, INFINITY);
  } else if (met->sweep.ny < 0) {
    for (at.y = b->t - a->b; at.y + a->b > b->t;) at.y = nextafter(at.y, -INFINITY);
  } else {
    for (at.y = b->b - a->t; at.y + a->t < b->b;) at.y = nextafter(at.y, INFINITY);
  }
  return at;
}

// Stops at the obstacle and responds.
static cl_going stop(cl_world *world, cl_move_body *mover, const meeting *met, uint8_t response,
                     bool pushed) {
  const cl_sweep *s = &met->sweep;
  cl_vec n = {s->nx, s->ny}, to = place_at(mover, s->t);
  cl_vec rest = cl_vec_mul(mover->left, 1 - s->t);
  bool still = s->t * cl_vec_length(mover->left) <= met->touch;
  cl_going going = CL_GO;
  bool pushes = response == CL_RESPONSE_PUSH && can_be_pushed(world, met->other);
  if (response == CL_RESPONSE_PUSH && !pushes) response = CL_RESPONSE_SLIDE;
  bool along = response == CL_RESPONSE_SLIDE && is_slight(slide(rest, n), rest) &&
               is_sliding(world, mover, n);
  if (s->t > 0 || s->lift > 0) {
    to = met->is_box ? flush(mover, met, to) : cl_vec_add(to, cl_vec_mul(n, s->lift));
    going = cl_move_settle(world, mover, to);
    if (going != CL_GO) return going;
  }
  mover->done += (1 - mover->done) * s->t;
  cl_vec at = {mover->placed.x, mover->placed.y};
  if (!pushed) going = report(world, mover, met, mover->done, at, response);
  if (going != CL_GO) return going;
  if (pushes && push(world, mover, met, rest)) return CL_GO;
  cl_vec next = {0, 0};
  if (response == CL_RESPONSE_BOUNCE) next = bounce(rest, n);
  else if (response != CL_RESPONSE_TOUCH) next = slide(rest, n);
  // From link to link of a curved chain no speed is lost.
  if (along) next = cl_vec_mul(next, cl_vec_length(rest) / cl_vec_length(next));
  if (response != CL_RESPONSE_BOUNCE && still && is_corner(mover, next, n)) next = (cl_vec){0, 0};
  turn(mover, next, met);
  return CL_GO;
}

static cl_going note_reported(cl_world *world, const cl_move_ask *about) {
  cl_move_known *known;
  cl_going going = cl_move_know(world, about, &known);
  if (going == CL_GO) known->reported = true;
  return going;
}

// Moves on until the next stop.
static cl_going advance(cl_world *world, cl_move_body *mover) {
  cl_going going = cl_move_find_ahead(world, mover);
  meeting met = {.sweep.t = 0};
  while (going == CL_GO) {
    bool tired = cl_move_is_tired(world->movement, 1);
    if (!tired) find_first(world, mover, &met);
    if (tired || met.other == CL_NOBODY) {
      // All before the last crossing is free.
      going = cl_move_settle(world, mover, place_at(mover, cl_min(met.sweep.t, 1)));
      if (going == CL_GO) mover->left = (cl_vec){0, 0};
      return going;
    }
    cl_move_ask about = {mover->slot,  met.other,       met.sweep.nx,
                         met.sweep.ny, met.sweep.value, false};
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    if (cl_move_stops(known->response)) {
      bool pushed = known->response == CL_RESPONSE_PUSH && known->reported;
      going = stop(world, mover, &met, known->response, pushed);
      // Settling may have added known answers.
      return going == CL_GO ? note_reported(world, &about) : going;
    }
    if (known->response == CL_RESPONSE_NONE) continue;
    known->reported = true;
    double t = mover->done + (1 - mover->done) * met.sweep.t;
    going = report(world, mover, &met, t, place_at(mover, met.sweep.t), CL_RESPONSE_CROSS);
  }
  return going;
}

// A mover is done: the first one, or one that was pushed.
static cl_going finish(cl_world *world, const cl_move_body *mover) {
  cl_movement *m = world->movement;
  cl_moved to = {mover->slot, {mover->placed.x, mover->placed.y}};
  bool first = m->movers == 1;
  if (CL_RESERVE(&world->alloc, m->moved, m->moved_cap, m->moves + 1) != CL_OK) return CL_STUCK;
  m->movers--;
  m->moved[first ? 0 : m->moves] = to;
  m->moves += !first;
  return CL_GO;
}

static cl_status run(cl_world *world, cl_move_ask *ask) {
  cl_movement *m = world->movement;
  cl_going going = CL_GO;
  m->ask = ask;
  ask->other = CL_NOBODY;
  while (m->movers > 0 && going == CL_GO) {
    cl_move_body *mover = &m->mover[m->movers - 1];
    if (!mover->begun) going = cl_move_begin(world, mover);
    else if (is_moving(mover)) going = advance(world, mover);
    else going = finish(world, mover);
  }
  if (going == CL_STUCK) m->movers = 0, m->moves = 0, m->hits = 0;
  return going == CL_STUCK ? CL_NOMEM : CL_OK;
}

cl_movement *cl_movement_of(cl_world *world) {
  if (!world->movement) world->movement = cl_new(&world->alloc, sizeof *world->movement);
  return world->movement;
}

bool cl_world_can_move(const cl_world *world, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  return slot < actors->count && actors->state[slot] & CL_LIVE &&
         actors->shape[slot]->kind != CL_TILES;
}

cl_status cl_world_move(cl_world *world, const cl_move_def *def, cl_move_ask *ask) {
  assert(!world->begun && cl_world_can_move(world, def->slot));
  assert(fabs(def->x) <= CL_MAX_COORD && fabs(def->y) <= CL_MAX_COORD);
  assert(fabs(def->angle) <= CL_MAX_ANGLE && isfinite(def->dx) && isfinite(def->dy));
  assert((unsigned)def->response < CL_RESPONSES);
  cl_movement *m = cl_movement_of(world);
  if (!m) return CL_NOMEM;
  cl_status status = CL_RESERVE(&world->alloc, m->moved, m->moved_cap, 1);
  if (status != CL_OK) return status;
  m->def = *def;
  cl_vec way = cl_move_in_range((cl_vec){def->x, def->y}, (cl_vec){def->dx, def->dy});
  m->def.dx = way.x, m->def.dy = way.y;
  m->movers = 0;
  m->hits = m->knowns = 0;
  m->spent = 0;
  m->gave_up = false;
  m->most = 0;
  m->moves = 1;
  cl_placed placed = cl_place(world->actors.shape[def->slot], def->x, def->y, def->angle);
  bool clear = false;
  if (cl_move_is_clear(world, &placed, &clear) != CL_GO) {
    m->moves = 0;
    return CL_NOMEM;
  }
  if (clear) {
    m->moved[0] = (cl_moved){def->slot, {def->x + way.x, def->y + way.y}};
    ask->other = CL_NOBODY;
    return CL_OK;
  }
  start(m, def->slot, placed, way);
  return run(world, ask);
}

cl_status cl_world_move_answer(cl_world *world, cl_response response, cl_move_ask *ask) {
  cl_movement *m = world->movement;
  assert(m && m->movers > 0 && (unsigned)response < CL_RESPONSES); // a question was put
  // cl_move_know has reserved the entry.
  m->known[m->knowns++] =
      (cl_move_known){ask->mover, ask->other, ask->value, (uint8_t)response, false};
  // The filter function may have written to the cells of tiles.
  cl_move_body *mover = &m->mover[m->movers - 1];
  mover->looked = mover->found = false;
  return run(world, ask);
}

cl_move_result cl_world_move_result(const cl_world *world) {
  const cl_movement *m = world->movement;
  assert(m && m->movers == 0); // a move is done
  return (cl_move_result){m->hit, m->moved, m->hits, m->moves};
}

cl_status cl_world_move_commit(cl_world *world) {
  const cl_movement *m = world->movement;
  assert(!world->begun && m && m->movers == 0);
  const cl_actors *actors = &world->actors;
  cl_status status = m->def.angle != 0 ? cl_world_use_angles(world) : CL_OK;
  for (size_t i = 0; i < m->moves && status == CL_OK; i++) {
    uint32_t slot = m->moved[i].slot;
    double angle = actors->angle ? actors->angle[slot] : 0;
    // If at all, this fails for the first of them.
    status = cl_world_move_to(world, slot, m->moved[i].to, i == 0 ? m->def.angle : angle);
  }
  return status;
}

cl_status cl_world_fits(cl_world *world, const cl_placed *placed, cl_filter filter, uint32_t from,
                        uint32_t *other) {
  cl_answers found;
  cl_bounds box = cl_placed_bounds(placed);
  cl_status status = cl_world_query_bounds(world, box, filter, &found);
  if (status != CL_OK) return status;
  *other = CL_NOBODY;
  for (size_t i = 0; i < found.count && *other == CL_NOBODY; i++) {
    uint32_t slot = found.at[i].slot;
    if (slot < from || world->actors.state[slot] & (CL_SENSOR | CL_ONE_WAY)) continue;
    cl_placed there = cl_actor_place(&world->actors, slot);
    if (cl_overlaps(placed, &there, false)) *other = slot;
  }
  return CL_OK;
}

uint64_t cl_world_hit_groups(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->hits_with[world->actors.group[slot]];
}

void cl_movement_free(cl_movement *m, const cl_alloc *alloc) {
  if (!m) return;
  CL_FREE(alloc, m->known, m->known_cap);
  CL_FREE(alloc, m->hit, m->hit_cap);
  CL_FREE(alloc, m->moved, m->moved_cap);
  CL_FREE(alloc, m->near, m->near_cap);
  CL_FREE(alloc, m->inside, m->inside_cap);
  CL_FREE(alloc, m->pushed, m->pushed_cap);
  cl_free(alloc, m, sizeof *m);
}
