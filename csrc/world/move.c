// collide, MIT licence (see LICENSE)
//
// Moves: sweep, stop, respond, and continue with the rest of the way. Layer: world.
//
// A mover is first pushed out of any actors it starts in (move_inside.c). Then it advances: it
// sweeps to the first obstacle (move_near.c), responds to the faces that it touches there
// (move_faces.c), and goes on with the rest of its way. An actor that it pushes becomes a mover,
// too, and goes first: always the last of the movers moves. When all are done, the host may write
// their new places. Source: iterated sweeps and projections, Fauerby, Improved collision detection
// and response (2003).

#include "world/move.h"

// ---- responses

static cl_vec place_at(const cl_body *m, double t) {
  return (cl_vec){m->placed.x + m->left.x * t, m->placed.y + m->left.y * t};
}

// Reports a surface at t, with the mover at `at`.
static void report(cl_movement *m, const cl_body *mover, const cl_surface *s, double t, cl_vec at) {
  cl_move_hit hit = s->hit;
  const cl_obstacle *o = &m->near[s->near];
  hit.at = at;
  hit.t = t;
  if (o->is_box) {
    cl_bounds box = cl_bounds_moved(mover->local, at);
    hit.point = cl_touch_box_point(&box, &o->bounds, hit.normal);
  }
  cl_move_report(m, mover, &hit);
}

static cl_vec slide(cl_vec rest, cl_vec n) {
  double into = cl_vec_dot(rest, n);
  return into < 0 ? (cl_vec){rest.x - into * n.x, rest.y - into * n.y} : rest;
}

static bool is_slight(cl_vec a, cl_vec b) {
  return cl_vec_dot(a, b) > CL_MOVE_ONE_DEGREE * cl_vec_length(a) * cl_vec_length(b);
}

static cl_vec bounce(cl_vec rest, cl_vec n) {
  double into = cl_vec_dot(rest, n);
  if (into >= 0) return rest;
  return (cl_vec){rest.x - 2 * into * n.x, rest.y - 2 * into * n.y};
}

// The rest of the way after a response to a surface with the normal n.
static cl_vec go_on_by(uint8_t response, bool slides, cl_vec n, cl_vec rest) {
  if (response == CL_RESPONSE_BOUNCE) return bounce(rest, n);
  return response == CL_RESPONSE_SLIDE && slides ? slide(rest, n) : (cl_vec){0, 0};
}

// Sets a new way, if the limits allow it.
static void turn(cl_body *m, cl_vec next) {
  m->turns += !is_slight(next, m->left);
  m->surfaces++;
  bool ends = cl_vec_length(next) < CL_TOUCH_SHARE * m->reach || m->turns > CL_MOVE_TURNS ||
              m->surfaces > CL_MOVE_SURFACES;
  m->left = ends ? (cl_vec){0, 0} : cl_move_in_range(cl_body_place(m), next);
  m->is_ahead = false;
}

// Adds a mover, with its way cut to end in range.
static void start(cl_movement *m, uint32_t slot, cl_placed placed, cl_vec way) {
  cl_body *mover = &m->mover[m->movers++];
  mover->slot = slot;
  mover->placed = placed;
  mover->start = (cl_vec){placed.x, placed.y};
  mover->left = way;
  mover->done = 0;
  mover->turns = mover->surfaces = 0;
  mover->is_free = mover->is_ahead = m->is_near_known = false;
  cl_move_note_form(mover);
  mover->reach = cl_bounds_largest(cl_bounds_swept(cl_body_bounds(mover), way));
}

// Pushes the other by the component of the motion into it; afterwards the mover goes on from its
// place.
static bool push(cl_movement *m, cl_body *mover, const cl_surface *s, cl_vec rest) {
  double into = cl_vec_dot(rest, s->hit.normal);
  if (into >= 0) return false;
  mover->left = rest;
  cl_placed other = cl_move_placed(m, s->hit.slot);
  cl_vec way = cl_vec_mul(s->hit.normal, into);
  start(m, s->hit.slot, other, cl_move_in_range((cl_vec){other.x, other.y}, way));
  return true;
}

// A place, lifted out of a surface. The sides of two boxes are made flush.
static cl_vec lifted_off(const cl_movement *m, const cl_body *mover, const cl_surface *s,
                         cl_vec at) {
  cl_vec n = s->hit.normal, to = cl_vec_add(at, cl_vec_mul(n, s->lift));
  bool boxes = false;
  for (size_t i = 0; i < m->touches; i++) {
    const cl_touch *t = &m->touched[i].touch;
    const cl_obstacle *o = &m->near[m->touched[i].near];
    bool same = (t->n[0].x == n.x && t->n[0].y == n.y) || (t->n[1].x == n.x && t->n[1].y == n.y);
    if (!o->is_box || !same) continue;
    cl_vec beside = cl_move_flush(&mover->local, &o->bounds, n, at);
    if (!boxes || cl_vec_dot(beside, n) > cl_vec_dot(to, n)) to = beside;
    boxes = true;
  }
  return to;
}

static cl_vec lifted(const cl_movement *m, const cl_body *mover, const cl_surfaces *s, cl_vec at) {
  for (int i = 0; i < s->count; i++) at = lifted_off(m, mover, &s->at[i], at);
  return at;
}

// Reports the surfaces that stop the mover where it is, except actors that it has already pushed.
static void report_stop(cl_movement *m, const cl_body *mover, const cl_surfaces *s) {
  for (int i = 0; i < s->count; i++) {
    cl_surface one = s->at[i];
    cl_known *known = cl_move_know_of(m, mover, one.hit.slot, one.hit.value);
    known->reported = true;
    if (m->def.instead) one.hit.response = known->said;
    if (!one.pushed) report(m, mover, &one, mover->done, cl_body_place(mover));
  }
}

// Responds to the surfaces that stop the mover where it is: sets the rest of its way, and reports
// them. A surface that it only grazes does not count.
static void respond(cl_movement *m, cl_body *mover, const cl_surfaces *s, cl_vec rest) {
  if (s->grazes) {
    turn(mover, rest);
    return;
  }
  report_stop(m, mover, s);
  uint8_t response = s->at[0].hit.response;
  if (response == CL_RESPONSE_PUSH && push(m, mover, &s->at[0], rest)) return;
  cl_vec next = go_on_by(response, s->slides, s->at[0].hit.normal, rest);
  // The mover loses no speed from link to link of a curved chain.
  if (s->along && is_slight(next, rest))
    next = cl_vec_mul(next, cl_vec_length(rest) / cl_vec_length(next));
  turn(mover, next);
}

// ---- the way

// The mover could not go from `from` to share t of its way, because an obstacle is there. It
// responds to the obstacle where it is; beside a corner it may slide on.
static void stop_short(cl_movement *m, cl_body *mover, const cl_overlapped *blocked, cl_vec from,
                       double t) {
  cl_vec at = cl_body_place(mover), by = cl_vec_sub(at, from), left = mover->left;
  t = cl_min(cl_max(cl_vec_dot(by, left) / cl_vec_dot(left, left), 0), t);
  cl_vec rest = cl_vec_mul(left, 1 - t), n = {blocked->hit.nx, blocked->hit.ny};
  // Of two ways out, the one against its way.
  if (cl_vec_dot(n, rest) > 0) n = (cl_vec){0.0 - n.x, 0.0 - n.y};
  cl_placed other = cl_move_seen(m, blocked->slot, blocked->view);
  cl_vec point = cl_distance(&mover->placed, &other).a;
  cl_meeting met = {.other = blocked->slot};
  met.sweep = (cl_sweep){.nx = n.x,
                         .ny = n.y,
                         .x = point.x,
                         .y = point.y,
                         .column = -1,
                         .row = -1,
                         .value = blocked->value};
  while (m->near[met.near].slot != blocked->slot || m->near[met.near].view != blocked->view)
    met.near++;
  cl_surfaces s;
  mover->done += (1 - mover->done) * t;
  mover->left = rest;
  cl_move_surfaces(m, mover, at, rest, &met, &s);
  if (m->halted) return;
  if (s.count == 0) mover->left = (cl_vec){0, 0};
  else respond(m, mover, &s, rest);
}

// Stops at the obstacles met, and responds. If none of them stops it after all, it stays where it
// is.
static void stop(cl_movement *m, cl_body *mover, const cl_meeting *met) {
  double t = met->sweep.t;
  cl_vec from = cl_body_place(mover), to = place_at(mover, t);
  cl_vec rest = cl_vec_mul(mover->left, 1 - t);
  cl_surfaces s;
  cl_move_surfaces(m, mover, to, rest, met, &s);
  if (m->halted || s.count == 0) return;
  if (t > 0 || s.at[0].lift > 0) {
    cl_overlapped blocked = cl_move_settle(m, mover, lifted(m, mover, &s, to), &to);
    if (m->halted) return;
    if (blocked.hit.depth >= 0) {
      stop_short(m, mover, &blocked, from, t);
      return;
    }
  }
  mover->done += (1 - mover->done) * t;
  mover->left = rest;
  // Whether it is a corner is decided where the next move would begin.
  bool ends = s.at[0].hit.response == CL_RESPONSE_SLIDE && !s.slides && !s.lone && !s.grazes;
  if (ends) cl_move_surfaces(m, mover, cl_body_place(mover), rest, met, &s);
  if (!m->halted) respond(m, mover, &s, rest);
}

// Goes to the end of the way, or as far as is known to be free.
static void go_on(cl_movement *m, cl_body *mover, double t) {
  cl_vec from = cl_body_place(mover);
  cl_overlapped blocked = cl_move_settle(m, mover, place_at(mover, t), NULL);
  if (m->halted) return;
  if (blocked.hit.depth >= 0) stop_short(m, mover, &blocked, from, t);
  else mover->left = (cl_vec){0, 0};
}

// Reports a crossed obstacle. Returns false if the host says that it stops the mover.
static bool cross(cl_movement *m, cl_body *mover, const cl_meeting *met) {
  const cl_sweep *s = &met->sweep;
  cl_known *known =
      cl_move_know(m, &(cl_move_ask){mover->slot, met->other, s->nx, s->ny, s->value, false});
  if (cl_move_stops(known->response)) return false;
  if (known->response == CL_RESPONSE_NONE) return true;
  known->reported = true;
  cl_surface one = {.hit = {.slot = met->other,
                            .normal = {s->nx, s->ny},
                            .point = {s->x, s->y},
                            .column = s->column,
                            .row = s->row,
                            .value = s->value,
                            .response = CL_RESPONSE_CROSS},
                    .near = met->near};
  double t = mover->done + (1 - mover->done) * s->t;
  report(m, mover, &one, t, place_at(mover, s->t));
  return true;
}

// Moves a plain mover on until the next stop or question. False if advance() has to decide.
static bool advance_plainly(cl_movement *m, cl_body *mover) {
  cl_plain_stop s;
  bool in_time = m->def.responder ? !cl_move_is_over(m, 1) : m->spent == 0;
  if (!m->is_plain || !in_time || !cl_move_go_plain(m, mover, &s)) return false;
  if (s.near == CL_MOVE_ENDS) {
    mover->placed.x = s.at.x, mover->placed.y = s.at.y;
    mover->left = (cl_vec){0, 0};
    return true;
  }
  const cl_obstacle *o = &m->near[s.near];
  if (s.does == CL_MOVE_ASKS) {
    cl_move_ask_now(m, &(cl_move_ask){mover->slot, o->slot, s.n.x, s.n.y, o->value, false});
    return true;
  }
  mover->placed.x = s.at.x, mover->placed.y = s.at.y;
  uint8_t said = (uint8_t)m->def.response;
  if (m->def.responder) {
    cl_known *known = cl_move_know_of(m, mover, o->slot, o->value);
    known->reported = true;
    said = m->def.instead ? known->said : s.does;
  }
  cl_vec rest = cl_vec_mul(mover->left, 1 - s.t);
  mover->done += (1 - mover->done) * s.t;
  mover->left = rest;
  cl_move_report(m, mover,
                 &(cl_move_hit){.slot = o->slot,
                                .normal = s.n,
                                .at = s.at,
                                .point = s.point,
                                .t = mover->done,
                                .column = o->column,
                                .row = o->row,
                                .value = o->value,
                                .response = said});
  turn(mover, go_on_by(s.does, true, s.n, rest));
  return true;
}

// Moves on until the next stop.
static void advance(cl_movement *m, cl_body *mover) {
  cl_move_find_ahead(m, mover);
  if (m->halted || advance_plainly(m, mover)) return;
  cl_move_leave_plain(m, mover);
  cl_meeting met = {.sweep.t = 0};
  while (!m->halted) {
    bool over = cl_move_is_over(m, 1);
    if (!over) cl_move_find_first(m, mover, &met), cl_move_make_sure(m);
    if (m->halted) return;
    // The way before the last crossing is free.
    if (over || met.other == CL_NOBODY) {
      go_on(m, mover, cl_min(met.sweep.t, 1));
      return;
    }
    cl_foretold told = cl_move_foretell(m, mover->slot, met.other, met.sweep.value);
    bool sensor = cl_move_is_sensor(m, met.other, met.sweep.value);
    bool crosses = sensor || (told.known && !cl_move_stops(told.response));
    if (!crosses || !cross(m, mover, &met)) {
      stop(m, mover, &met);
      return;
    }
  }
}

// A mover is done: the first one, or one that was pushed.
static void finish(cl_movement *m, const cl_body *mover) {
  cl_status status = CL_RESERVE(&m->world->alloc, m->moved, m->moved_cap, m->moves + 1);
  if (!cl_move_check(m, status)) return;
  bool first = --m->movers == 0;
  m->moved[first ? 0 : m->moves] = (cl_moved){mover->slot, cl_body_place(mover)};
  m->moves += !first;
  m->is_near_known = false;
}

// Goes on until all movers are done, or the host has to answer.
static cl_status run(cl_movement *m) {
  while (m->movers > 0 && m->status == CL_OK && !m->waits) {
    cl_body *mover = &m->mover[m->movers - 1];
    m->halted = false;
    if (!mover->is_free) cl_move_begin(m, mover);
    else if (mover->left.x != 0 || mover->left.y != 0) advance(m, mover);
    else finish(m, mover);
  }
  if (m->status != CL_OK) m->movers = 0, m->moves = 0, m->hits = 0;
  return m->status;
}

// ---- the interface

cl_status cl_world_move(cl_world *world, const cl_move_def *def) {
  assert(!world->begun && cl_world_can_move(world, def->slot));
  assert(fabs(def->x) <= CL_MAX_COORD && fabs(def->y) <= CL_MAX_COORD);
  assert(fabs(def->angle) <= CL_MAX_ANGLE && isfinite(def->dx) && isfinite(def->dy));
  assert((unsigned)def->response < CL_RESPONSES && (unsigned)def->instead < CL_RESPONSES);
  if (!world->movement) world->movement = cl_new(&world->alloc, sizeof *world->movement);
  cl_movement *m = world->movement;
  if (!m) return CL_NOMEM;
  m->world = world;
  m->status = CL_RESERVE(&world->alloc, m->moved, m->moved_cap, 1);
  if (m->status != CL_OK) return m->status;
  cl_vec at = {def->x, def->y}, way = cl_move_in_range(at, (cl_vec){def->dx, def->dy});
  m->def = *def;
  m->def.dx = way.x, m->def.dy = way.y;
  m->unsure.other = CL_NOBODY;
  m->movers = 0;
  m->hits = m->knowns = m->most = m->maps = 0;
  m->spent = 0;
  m->gave_up = m->halted = m->waits = m->was_plain = false;
  m->moves = 1;
  start(m, def->slot, cl_place(world->actors.shape[def->slot], def->x, def->y, def->angle), way);
  m->moved[0] = (cl_moved){def->slot, at};
  if (m->crusheds > 0 && cl_move_recall(m)) m->movers = 0;
  else cl_move_find_ahead(m, m->mover);
  if (m->movers > 0 && m->nears == 0) m->movers = 0, m->moved[0].to = cl_vec_add(at, way);
  return run(m);
}

bool cl_world_move_waits(const cl_world *world) { return world->movement->waits; }

cl_status cl_world_move_on(cl_world *world, cl_response said) {
  cl_movement *m = world->movement;
  assert(!world->begun && m && m->waits);
  cl_move_hear(m, (uint8_t)said);
  return run(m);
}

cl_move_result cl_world_move_result(const cl_world *world) {
  const cl_movement *m = world->movement;
  assert(m && m->movers == 0); // a move is done, not abandoned
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
    // This can only fail for the first of them.
    status = cl_world_move_to(world, slot, m->moved[i].to, i == 0 ? m->def.angle : angle);
  }
  return status;
}

cl_status cl_world_fits(cl_world *world, uint32_t as, const cl_placed *placed, cl_filter filter,
                        uint32_t from, uint32_t *other) {
  cl_answers found;
  cl_bounds box = cl_placed_bounds(placed);
  cl_status status = cl_world_query_bounds(world, box, filter, &found);
  if (status != CL_OK) return status;
  *other = CL_NOBODY;
  for (size_t i = 0; i < found.count && *other == CL_NOBODY; i++) {
    uint32_t slot = found.at[i].slot;
    if (slot < from) continue;
    if (as != CL_NOBODY && cl_ignores(world, as, slot)) continue;
    cl_placed there = cl_actor_place(&world->actors, slot);
    for (cl_layer l = cl_layers(&world->actors, slot, &there); cl_layer_next(&l);)
      if (l.is == 0 && cl_overlaps(placed, &l.placed, false)) *other = slot;
  }
  return CL_OK;
}

bool cl_world_is_in_walls(cl_world *world, uint32_t slot, const cl_placed *placed) {
  assert(cl_world_has(world, slot));
  cl_placed there = cl_actor_place(&world->actors, slot);
  for (cl_layer l = cl_layers(&world->actors, slot, &there); cl_layer_next(&l);) {
    bool wall = !(l.is & CL_ONE_WAY) && l.view != CL_VIEW_SENSORS;
    if (wall && cl_overlaps(&l.placed, placed, false)) return true;
  }
  return false;
}

uint64_t cl_world_hit_groups(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->rules.hits_with[world->actors.group[slot]];
}

static void free_movement(const cl_alloc *alloc, cl_movement *m) {
  if (!m) return;
  CL_FREE(alloc, m->known, m->known_cap);
  CL_FREE(alloc, m->hit, m->hit_cap);
  CL_FREE(alloc, m->moved, m->moved_cap);
  CL_FREE(alloc, m->near, m->near_cap);
  CL_FREE(alloc, m->map, m->map_cap);
  CL_FREE(alloc, m->inside, m->inside_cap);
  CL_FREE(alloc, m->touched, m->touched_cap);
  CL_FREE(alloc, m->met, m->met_cap);
  CL_FREE(alloc, m->crushed, m->crushed_cap);
  cl_arounds_free(m, alloc);
  cl_free(alloc, m, sizeof *m);
}

void cl_movement_free(cl_world *world) {
  cl_movement_forget_all(world);
  free_movement(&world->alloc, world->movement);
  free_movement(&world->alloc, world->turning);
}

// ---- carrying and pushing

static const cl_vec UP = {0, -1};

// Whether one shape meets another on its way, within the work of a move.
static bool would_meet(const cl_placed *a, cl_vec way, const cl_placed *b, double touch,
                       cl_sweep *found) {
  const cl_stopper how = {touch, CL_MOVE_WORK, NULL, NULL};
  long spent = 0;
  return cl_sweep_shape(a, way, b, &how, &spent, found) && !found->given_up;
}

// Whether a layer of an actor stops others at a face with this normal.
static bool stops_with(const cl_world *world, uint32_t slot, const cl_layer *l, cl_vec n) {
  if (!(l->is & CL_ONE_WAY)) return l->view != CL_VIEW_SENSORS;
  cl_vec look = cl_move_looks(&world->actors, slot, l->view, &l->placed);
  return cl_vec_dot(n, look) >= CL_ONE_WAY_COSINE;
}

// Whether a rider lies on a platform: it would be stopped at once if it moved down.
static bool lies_on(const cl_world *world, uint32_t slot, const cl_placed *rider,
                    const cl_placed *platform, cl_cast *on) {
  double touch = cl_touch_distance(rider, (cl_vec){0, 0}, platform);
  cl_sweep found;
  for (cl_layer l = cl_layers(&world->actors, slot, platform); cl_layer_next(&l);) {
    if (!would_meet(rider, (cl_vec){0, 16 * touch}, &l.placed, touch, &found)) continue;
    cl_vec n = {found.nx, found.ny};
    on->nx = n.x, on->ny = n.y;
    bool up = found.t == 0 && cl_vec_dot(n, UP) >= CL_ONE_WAY_COSINE;
    if (up && stops_with(world, slot, &l, n)) return true;
  }
  return false;
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
    if (!cl_is_loose(&world->actors, other) || cl_ignores(world, slot, other)) continue;
    cl_placed rider = cl_actor_place(&world->actors, other);
    cl_answer on = out->at[i];
    if (lies_on(world, slot, &rider, &platform, &on.cast)) world->answer[n++] = on;
  }
  out->count = n;
  return CL_OK;
}

// How far a layer of a platform pushes an actor that it meets on its way: by the component of the
// rest of the way into the actor. If the platform is a map, the other is cast against it,
// backwards.
static bool push_of(const cl_world *world, uint32_t slot, const cl_layer *l, cl_vec way,
                    const cl_placed *other, double touch, cl_vec *push) {
  cl_sweep found;
  bool map = cl_placed_is_tiles(&l->placed);
  const cl_placed *moves = map ? other : &l->placed, *stays = map ? &l->placed : other;
  if (!would_meet(moves, map ? cl_vec_mul(way, -1) : way, stays, touch, &found)) return false;
  cl_vec ahead = map ? (cl_vec){found.nx, found.ny} : (cl_vec){-found.nx, -found.ny};
  if (!stops_with(world, slot, l, ahead)) return false;
  *push = cl_vec_mul(ahead, cl_vec_dot(way, ahead) * (1 - found.t));
  return true;
}

// The longest push of all its layers.
static bool find_push(const cl_world *world, uint32_t slot, const cl_placed *platform, cl_vec way,
                      const cl_placed *other, cl_vec *push) {
  double touch = cl_touch_distance(platform, way, other), most = -1;
  for (cl_layer l = cl_layers(&world->actors, slot, platform); cl_layer_next(&l);) {
    cl_vec by;
    if (!push_of(world, slot, &l, way, other, touch, &by)) continue;
    if (cl_vec_length(by) > most) *push = by;
    most = cl_max(most, cl_vec_length(by));
  }
  return most >= 0;
}

cl_status cl_world_in_the_way(cl_world *world, uint32_t slot, cl_vec way, cl_filter filter,
                              cl_answers *out) {
  assert(cl_world_has(world, slot) && isfinite(way.x) && isfinite(way.y));
  cl_placed platform = cl_actor_place(&world->actors, slot);
  cl_bounds box = cl_sweep_bounds(cl_placed_bounds(&platform), way);
  cl_status status = cl_world_query_bounds(world, box, filter, out);
  if (status != CL_OK) return status;
  size_t n = 0;
  for (size_t i = 0; i < out->count; i++) {
    uint32_t other = out->at[i].slot;
    cl_vec push = {0, 0};
    if (other == slot || !cl_is_loose(&world->actors, other)) continue;
    if (cl_ignores(world, slot, other)) continue;
    cl_placed placed = cl_actor_place(&world->actors, other);
    if (!find_push(world, slot, &platform, way, &placed, &push)) continue;
    world->answer[n++] = (cl_answer){.slot = other, .cast = {.nx = push.x, .ny = push.y}};
  }
  out->count = n;
  return CL_OK;
}
