// collide, MIT licence (see LICENSE)
//
// Moves: sweep, stop, respond, and continue with the rest of the way. Layer: world.
// Source: iterated sweeps and projections, Fauerby, Improved collision detection and response
// (2003).

#include "world/move.h"

static bool is_moving(const cl_move_body *m) { return m->left.x != 0 || m->left.y != 0; }

static cl_vec place_at(const cl_move_body *m, double t) {
  return (cl_vec){m->placed.x + m->left.x * t, m->placed.y + m->left.y * t};
}

static cl_going report(cl_world *world, const cl_move_body *mover, const cl_surface *s, double t,
                       cl_vec at) {
  cl_move_hit hit = {.slot = s->slot,
                     .normal = s->normal,
                     .at = at,
                     .point = s->point,
                     .t = t,
                     .column = s->column,
                     .row = s->row,
                     .value = s->value,
                     .response = s->response};
  const cl_obstacle *o = &world->movement->near[s->near];
  if (o->is_box) {
    cl_bounds box = cl_bounds_moved(mover->local, at);
    hit.point = cl_touch_box_point(&box, &o->bounds, s->normal);
  }
  return cl_move_report(world, mover, &hit);
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

// Sets a new way, if the limits allow it.
static void turn(cl_move_body *m, cl_vec next) {
  m->found = false;
  m->turns += !is_slight(next, m->left);
  m->surfaces++;
  bool ends = cl_vec_length(next) < CL_TOUCH_SHARE * m->reach || m->turns > CL_MOVE_TURNS ||
              m->surfaces > CL_MOVE_SURFACES;
  cl_vec at = {m->placed.x, m->placed.y};
  m->left = ends ? (cl_vec){0, 0} : cl_move_in_range(at, next);
}

bool cl_move_can_push(const cl_world *world, uint32_t slot) {
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
static bool push(cl_world *world, cl_move_body *mover, const cl_surface *s, cl_vec rest) {
  double into = cl_vec_dot(rest, s->normal);
  if (into >= 0) return false;
  mover->left = rest;
  mover->looked = mover->found = false;
  cl_placed other = cl_move_placed(world, s->slot);
  cl_vec way = cl_move_in_range((cl_vec){other.x, other.y}, cl_vec_mul(s->normal, into));
  start(world->movement, s->slot, other, way);
  return true;
}

// Of the places within rounding from where two boxes touch, the one where their sides are flush.
static cl_vec flush(const cl_bounds *a, const cl_bounds *b, cl_vec n, cl_vec at) {
  if (n.x < 0) {
    for (at.x = b->l - a->r; at.x + a->r > b->l;) at.x = nextafter(at.x, -INFINITY);
  } else if (n.x > 0) {
    for (at.x = b->r - a->l; at.x + a->l < b->r;) at.x = nextafter(at.x, INFINITY);
  } else if (n.y < 0) {
    for (at.y = b->t - a->b; at.y + a->b > b->t;) at.y = nextafter(at.y, -INFINITY);
  } else {
    for (at.y = b->b - a->t; at.y + a->t < b->b;) at.y = nextafter(at.y, INFINITY);
  }
  return at;
}

// A place, lifted out of a surface. Where it is a box's, too, their sides are made flush.
static cl_vec lifted_off(const cl_movement *m, const cl_move_body *mover, const cl_surface *s,
                         cl_vec at) {
  cl_vec n = s->normal, to = cl_vec_add(at, cl_vec_mul(n, s->lift));
  bool boxes = false;
  for (size_t i = 0; i < m->touches; i++) {
    const cl_touch *t = &m->touched[i].touch;
    const cl_obstacle *o = &m->near[m->touched[i].near];
    bool same = (t->n[0].x == n.x && t->n[0].y == n.y) || (t->n[1].x == n.x && t->n[1].y == n.y);
    if (!o->is_box || !same) continue;
    cl_vec beside = flush(&mover->local, &o->bounds, n, at);
    if (!boxes || cl_vec_dot(beside, n) > cl_vec_dot(to, n)) to = beside;
    boxes = true;
  }
  return to;
}

static cl_vec lifted(const cl_movement *m, const cl_move_body *mover, const cl_surfaces *s,
                     cl_vec at) {
  for (int i = 0; i < s->count; i++) at = lifted_off(m, mover, &s->at[i], at);
  return at;
}

static cl_going note_reported(cl_world *world, const cl_move_ask *about) {
  cl_move_known *known;
  cl_going going = cl_move_know(world, about, &known);
  if (going == CL_GO) known->reported = true;
  return going;
}

// Reports the surfaces that stop the mover where it is, but not what it has pushed already.
static cl_going report_stop(cl_world *world, const cl_move_body *mover, const cl_surfaces *s) {
  cl_going going = CL_GO;
  cl_vec at = {mover->placed.x, mover->placed.y};
  for (int i = 0; i < s->count && going == CL_GO; i++) {
    const cl_surface *one = &s->at[i];
    if (!one->pushed) going = report(world, mover, one, mover->done, at);
    cl_move_ask about = cl_move_about(mover, one->slot);
    about.value = one->value;
    if (going == CL_GO) going = note_reported(world, &about);
  }
  return going;
}

// Responds to surfaces with the rest of the way.
static void respond(cl_world *world, cl_move_body *mover, const cl_surfaces *s, cl_vec rest) {
  cl_vec n = s->at[0].normal, next = {0, 0};
  uint8_t response = s->at[0].response;
  if (response == CL_RESPONSE_PUSH && push(world, mover, &s->at[0], rest)) return;
  if (response == CL_RESPONSE_BOUNCE) next = bounce(rest, n);
  if (response == CL_RESPONSE_SLIDE && s->slides) next = slide(rest, n);
  // From link to link of a curved chain no speed is lost.
  if (s->along && is_slight(next, rest))
    next = cl_vec_mul(next, cl_vec_length(rest) / cl_vec_length(next));
  turn(mover, next);
}

// Reports the surfaces that stop the mover where it is, and responds. One that it only grazes is
// none.
static cl_going respond_there(cl_world *world, cl_move_body *mover, const cl_surfaces *s,
                              cl_vec rest) {
  cl_going going = s->grazes ? CL_GO : report_stop(world, mover, s);
  if (going != CL_GO) return going;
  if (s->grazes) turn(mover, rest);
  else respond(world, mover, s, rest);
  return CL_GO;
}

// The mover could not go on as far as the sweep said, because of something that is there: it has
// gone a share t of its way. It responds to that where it is; beside a corner it may slide on.
static cl_going stop_short(cl_world *world, cl_move_body *mover, const cl_overlapped *blocked,
                           double t) {
  const cl_movement *m = world->movement;
  cl_placed other = cl_move_placed(world, blocked->slot);
  cl_vec at = {mover->placed.x, mover->placed.y}, rest = cl_vec_mul(mover->left, 1 - t);
  cl_vec point = cl_distance(&mover->placed, &other).a;
  cl_meeting met = {.other = blocked->slot, .touch = blocked->touch};
  // Of two ways out, the one against its way.
  cl_vec n = {blocked->hit.nx, blocked->hit.ny};
  if (cl_vec_dot(n, rest) > 0) n = (cl_vec){0.0 - n.x, 0.0 - n.y};
  met.sweep = (cl_sweep){.nx = n.x,
                         .ny = n.y,
                         .x = point.x,
                         .y = point.y,
                         .column = -1,
                         .row = -1,
                         .value = blocked->value};
  while (m->near[met.near].slot != blocked->slot) met.near++;
  cl_surfaces s;
  mover->done += (1 - mover->done) * t;
  mover->left = rest;
  cl_going going = cl_move_surfaces(world, mover, at, rest, &met, &s);
  if (going != CL_GO) return going;
  if (s.count > 0) return respond_there(world, mover, &s, rest);
  mover->left = (cl_vec){0, 0};
  return CL_GO;
}

// The share of its way that a mover has gone since it was at `from`, at most t.
static double gone(const cl_move_body *m, cl_vec from, double t) {
  cl_vec by = {m->placed.x - from.x, m->placed.y - from.y};
  return cl_min(cl_max(cl_vec_dot(by, m->left) / cl_vec_dot(m->left, m->left), 0), t);
}

// Stops at the obstacles that are met, and responds. If none of them stops it after all, it stays
// where it is.
static cl_going stop(cl_world *world, cl_move_body *mover, const cl_meeting *met) {
  double t = met->sweep.t;
  cl_vec to = place_at(mover, t), rest = cl_vec_mul(mover->left, 1 - t);
  cl_surfaces s;
  cl_going going = cl_move_surfaces(world, mover, to, rest, met, &s);
  if (going != CL_GO || s.count == 0) return going;
  cl_overlapped blocked = {.hit.depth = -1};
  if (t > 0 || s.at[0].lift > 0) {
    cl_vec from = {mover->placed.x, mover->placed.y};
    going = cl_move_settle(world, mover, lifted(world->movement, mover, &s, to), &to, &blocked);
    if (going != CL_GO) return going;
    if (blocked.hit.depth >= 0) return stop_short(world, mover, &blocked, gone(mover, from, t));
  }
  mover->done += (1 - mover->done) * t;
  mover->left = rest;
  // What a corner is, is decided where the next move would begin.
  if (s.at[0].response == CL_RESPONSE_SLIDE && !s.slides && !s.lone && !s.grazes) {
    cl_vec at = {mover->placed.x, mover->placed.y};
    going = cl_move_surfaces(world, mover, at, rest, met, &s);
    if (going != CL_GO) return going;
  }
  return respond_there(world, mover, &s, rest);
}

// Goes to the end of the way, or as far as is known to be free.
static cl_going go_on(cl_world *world, cl_move_body *mover, double t) {
  cl_vec from = {mover->placed.x, mover->placed.y};
  cl_overlapped blocked;
  cl_going going = cl_move_settle(world, mover, place_at(mover, t), NULL, &blocked);
  if (going != CL_GO) return going;
  if (blocked.hit.depth >= 0) return stop_short(world, mover, &blocked, gone(mover, from, t));
  mover->left = (cl_vec){0, 0};
  return CL_GO;
}

static cl_surface crossed(const cl_meeting *met) {
  const cl_sweep *s = &met->sweep;
  return (cl_surface){.normal = {s->nx, s->ny},
                      .point = {s->x, s->y},
                      .slot = met->other,
                      .near = met->near,
                      .column = s->column,
                      .row = s->row,
                      .value = s->value,
                      .response = CL_RESPONSE_CROSS};
}

// Moves on until the next stop.
static cl_going advance(cl_world *world, cl_move_body *mover) {
  cl_going going = cl_move_find_ahead(world, mover);
  cl_meeting met = {.sweep.t = 0};
  while (going == CL_GO) {
    bool tired = cl_move_is_tired(world->movement, 1);
    if (!tired) cl_move_find_first(world, mover, &met);
    if (world->movement->unsure.other != CL_NOBODY) {
      going = cl_move_make_sure(world);
      continue;
    }
    // All before the last crossing is free.
    if (tired || met.other == CL_NOBODY) return go_on(world, mover, cl_min(met.sweep.t, 1));
    cl_move_touch first = {.slot = met.other, .touch.value = met.sweep.value};
    cl_move_foretell(world, mover->slot, &first);
    bool sensor = world->actors.state[met.other] & CL_SENSOR;
    if (!sensor && (!first.known || cl_move_stops(first.response))) return stop(world, mover, &met);
    cl_move_ask about = {mover->slot,  met.other,       met.sweep.nx,
                         met.sweep.ny, met.sweep.value, false};
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    if (cl_move_stops(known->response)) return stop(world, mover, &met);
    if (known->response == CL_RESPONSE_NONE) continue;
    known->reported = true;
    double t = mover->done + (1 - mover->done) * met.sweep.t;
    cl_surface one = crossed(&met);
    going = report(world, mover, &one, t, place_at(mover, met.sweep.t));
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

// Whether the mover remembers the answer to this move.
static cl_going recall(cl_world *world, cl_placed placed, bool *done) {
  cl_movement *m = world->movement;
  start(m, m->def.slot, placed, (cl_vec){m->def.dx, m->def.dy});
  cl_going going = cl_move_recall(world, done);
  m->movers = 0;
  return going;
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
  m->unsure.other = CL_NOBODY;
  m->most = 0;
  m->moves = 1;
  cl_placed placed = cl_place(world->actors.shape[def->slot], def->x, def->y, def->angle);
  bool crushed = false, clear = false;
  cl_going going = m->crusheds > 0 ? recall(world, placed, &crushed) : CL_GO;
  if (going == CL_GO && !crushed) going = cl_move_is_clear(world, &placed, &clear);
  if (going != CL_GO) {
    m->moves = 0;
    return CL_NOMEM;
  }
  if (clear) m->moved[0] = (cl_moved){def->slot, {def->x + way.x, def->y + way.y}};
  if (crushed || clear) {
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
  return world->rules.hits_with[world->actors.group[slot]];
}

void cl_movement_free(cl_movement *m, const cl_alloc *alloc) {
  if (!m) return;
  cl_movement_forget_all(m, alloc);
  CL_FREE(alloc, m->known, m->known_cap);
  CL_FREE(alloc, m->hit, m->hit_cap);
  CL_FREE(alloc, m->moved, m->moved_cap);
  CL_FREE(alloc, m->near, m->near_cap);
  CL_FREE(alloc, m->inside, m->inside_cap);
  CL_FREE(alloc, m->touched, m->touched_cap);
  CL_FREE(alloc, m->pushed, m->pushed_cap);
  cl_free(alloc, m, sizeof *m);
}

// ---- carrying and pushing

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
