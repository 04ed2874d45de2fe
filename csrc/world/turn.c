// collide, MIT licence (see LICENSE)
//
// Turns: an actor turns about its place, until it would overlap another. Layer: world.
//
// For each actor within reach, finds the angle at which the two first overlap. A stretch of the
// turn is free if for each pair of parts some direction separates the two on the whole stretch: the
// direction in which they are farthest apart in its middle, fixed to the part at rest or to the one
// that turns. The corners move on circles, so a value, a slope and a curvature bound the separation
// on the whole stretch. Stretches that may not be free are halved; in the end exact overlap tests
// decide, at multiples of a grain. So the answer does not depend on how far the turn would go or on
// rounding in the search, except where shapes only graze each other. Responses are found as for
// moves (move_near.c), in the order of the angles. Source: Mirtich, Impulse-based dynamic
// simulation (1996), 2.3, for the search by bounds.

#include "narrow/pairs.h"
#include "world/move.h"

// ---- the walk over pairs of parts

// The steps to make a block of cells, and those for each corner of two parts that are compared.
enum { STEPS_A_BLOCK = 64, STEPS_A_CORNER = 2 };

// Walks the pairs of parts, of the turner at some angle and of one other actor, that are within
// `reach` of each other. Parts that a turn does not change are left out.
typedef struct walk {
  const cl_placed *a, *b;
  const cl_values *passes;
  bool tiles;
  cl_bounds offset;
  cl_vec origin;
  cl_bvh_pairs at;
  cl_cell_blocks cells;
  uint32_t i, k; // the parts that are placed
  cl_convex p, q;
  long steps;
} walk;

static void begin_pairs(walk *w, const cl_placed *b) {
  cl_bvh_pairs_begin(&w->at, w->a, b, w->offset);
  w->k = UINT32_MAX;
}

static void begin_walk(walk *w, const cl_placed *a, const cl_placed *b, const cl_values *passes,
                       double reach) {
  reach += cl_placed_error(a) + cl_placed_error(b);
  w->a = a, w->b = b;
  w->passes = passes;
  w->tiles = cl_placed_is_tiles(b);
  w->offset = (cl_bounds){-reach, -reach, reach, reach};
  w->origin = cl_convex_origin(a, b);
  w->i = UINT32_MAX;
  w->steps = 0;
  w->at.a = NULL;
  if (!w->tiles) {
    begin_pairs(w, b);
    return;
  }
  cl_bounds box = cl_bounds_grown(cl_placed_bounds(a), reach);
  cl_cell_blocks_begin(&w->cells, b, cl_tiles_near(b, box), false);
}

static int32_t column_of(const walk *w) { return w->tiles ? w->cells.block.column[w->at.k] : -1; }
static int32_t row_of(const walk *w) { return w->tiles ? w->cells.block.row[w->at.k] : -1; }
static int32_t value_of(const walk *w) {
  return w->tiles ? cl_tiles_value(w->b->shape, column_of(w), row_of(w)) : -1;
}

static bool next_pair(walk *w) {
  for (;;) {
    while (!w->at.a || !cl_bvh_pairs_next(&w->at)) {
      if (w->at.a) w->steps += w->at.steps, w->at.steps = 0;
      if (!w->tiles || !cl_cell_blocks_next(&w->cells)) return false;
      w->steps += STEPS_A_BLOCK;
      begin_pairs(w, &w->cells.placed);
    }
    w->steps += w->at.steps, w->at.steps = 0;
    if (w->a->shape->parts[w->at.i].reach == 0) continue;
    if (!w->passes || !w->tiles || !cl_values_have(w->passes, (unsigned)value_of(w))) return true;
  }
}

static void place_pair(walk *w) {
  if (w->i != w->at.i) cl_convex_place(w->a, w->i = w->at.i, w->origin, &w->p);
  if (w->k != w->at.k) cl_convex_place(w->at.b, w->k = w->at.k, w->origin, &w->q);
  w->steps += STEPS_A_CORNER * (w->p.n + w->q.n);
}

// ---- two parts

// The direction in which two parts are farthest apart, or overlap least: a unit vector from p to q.
// The cores of round parts may be farthest apart between two corners.
static cl_vec widest(const cl_convex *p, const cl_convex *q, cl_axis *axis) {
  *axis = cl_convex_axis(p, q, INFINITY);
  bool points = p->n == 1 && q->n == 1;
  bool round = points || (p->r + q->r > 0 && axis->separation > 0);
  return round ? cl_convex_closest(p, q, axis).normal : axis->normal;
}

// How far corners reach along n at most: `still` as they are, `turned` while they turn about
// `pivot` by up to `w` either way. With sign -1, the least, negated.
typedef struct extent {
  double still, turned;
} extent;

static extent extent_of(const cl_convex *c, cl_vec n, cl_vec pivot, double w) {
  extent e = {-INFINITY, -INFINITY};
  for (int i = 0; i < c->n; i++) {
    cl_vec v = cl_vec_sub(cl_convex_vertex(c, i), pivot);
    double along = cl_vec_dot(n, v), across = cl_vec_dot((cl_vec){-n.y, n.x}, v);
    e.still = cl_max(e.still, along);
    e.turned = cl_max(e.turned, along + (fabs(across) * w + fabs(along) * (w * w / 2)));
  }
  return e;
}

// The least distance of two parts along n while p turns about `pivot` by up to `w` either way.
static double clearance(const cl_convex *p, const cl_convex *q, cl_vec pivot, double w) {
  cl_axis axis;
  cl_vec n = widest(p, q, &axis);
  extent one = extent_of(p, n, pivot, w), two = extent_of(q, cl_vec_mul(n, -1), pivot, w);
  // The direction stays as it is, or turns with p, so that q turns relative to it.
  return -cl_min(one.turned + two.still, one.still + two.turned) - (p->r + q->r);
}

// ---- stretches of a turn

// Angles in radians. Answers are multiples of the grain, and turns below the least count as none.
// Then the longest stretch that is tested at once, and the longest that is passed while two shapes
// only graze.
#define GRAIN 0x1p-44
#define LEAST 0x1p-40
#define LONGEST 0.25
#define GRAZED_LONGEST 0x1p-4

typedef enum room { ROOM_FREE, ROOM_GRAZED, ROOM_OPEN } room;

static cl_placed turner_at(const cl_movement *m, double turn) {
  const cl_move_def *d = &m->def;
  return cl_place(m->world->actors.shape[d->slot], d->x, d->y, d->angle + m->turn.side * turn);
}

// The other actor, or its view if it is a map with layers; see cl_layers.
static cl_placed other_of(const cl_movement *m, const cl_turn_met *e) {
  cl_placed placed = cl_actor_place(&m->world->actors, e->slot);
  return cl_placed_view(&placed, e->view);
}

static const cl_values *passed_by(const cl_turn_met *e) { return e->passes ? &e->passed : NULL; }

// Classifies a stretch of the turn: the two are apart on all of it; or they may graze each other by
// rounding; or it needs a closer look.
static room room_on(cl_movement *m, cl_turn_met *e, double from, double step) {
  double half = step / 2, turn = from + half;
  double w = half + 4 * CL_ROUND * (fabs(m->def.angle) + turn);
  cl_placed a = turner_at(m, turn), b = other_of(m, e);
  double most = cl_min(w, 2); // a chord is no longer than twice the radius
  room found = ROOM_FREE;
  walk at; // large: filled in as needed
  begin_walk(&at, &a, &b, passed_by(e), a.shape->reach * most);
  while (found != ROOM_OPEN && next_pair(&at)) {
    double spread = a.shape->parts[at.at.i].reach * most;
    double error = cl_placed_error(&a) + cl_placed_error(&b);
    if (cl_bounds_gap(at.at.one, at.at.two) > spread + error) continue;
    place_pair(&at);
    cl_vec pivot = cl_vec_sub((cl_vec){a.x, a.y}, at.origin);
    double apart = clearance(&at.p, &at.q, pivot, w);
    error = 2 * cl_convex_error(&at.p, &at.q);
    if (apart <= error) found = apart < -error ? ROOM_OPEN : ROOM_GRAZED;
    if (at.steps > CL_MOVE_WORK) found = ROOM_OPEN; // the search is given up
  }
  e->spent += at.steps;
  return found;
}

// Whether one overlap describes a contact better than another: it is deeper, or equally deep and
// its normal goes first.
static bool says_more(double depth, cl_vec n, double other, cl_vec normal) {
  return depth > other || (depth == other && cl_vec_goes_first(n, normal));
}

// Whether the two overlap at an angle, exactly; with `hit`, also where and how the other faces the
// turner. Without a pair of parts they may overlap at a seam.
static bool overlaps_at(cl_movement *m, cl_turn_met *e, double turn, cl_move_hit *hit) {
  cl_placed a = turner_at(m, turn), b = other_of(m, e);
  double deepest = -1;
  cl_hit out;
  walk at; // large: filled in as needed
  begin_walk(&at, &a, &b, passed_by(e), 0);
  while ((hit || deepest < 0) && next_pair(&at)) {
    place_pair(&at);
    if (!cl_convex_overlap(&at.p, &at.q, false, &out)) continue;
    cl_axis axis;
    cl_vec n = widest(&at.p, &at.q, &axis);
    n = (cl_vec){0.0 - n.x, 0.0 - n.y};
    if (deepest >= 0 && (!hit || !says_more(out.depth, n, deepest, hit->normal))) continue;
    deepest = out.depth;
    if (!hit) continue;
    hit->normal = n;
    hit->point = cl_convex_closest(&at.p, &at.q, &axis).b;
    hit->point = cl_vec_add(cl_vec_add(hit->point, cl_vec_mul(n, at.q.r)), at.origin);
    hit->column = column_of(&at), hit->row = row_of(&at), hit->value = value_of(&at);
  }
  e->spent += at.steps;
  bool thin = (a.shape->flags | b.shape->flags) & CL_SHAPE_THIN;
  if (deepest >= 0 || e->passes || !thin) return deepest >= 0;
  if (!hit) return cl_overlaps(&a, &b, false);
  if (!cl_overlap(&a, &b, false, &out)) return false;
  hit->normal = (cl_vec){out.nx, out.ny};
  hit->point = cl_distance(&a, &b).a;
  hit->column = hit->row = hit->value = -1;
  return true;
}

// Between a free angle and one with an overlap, less than `step` apart: finds the last free one, to
// the grain, and notes what is met there.
static void meet_at(cl_movement *m, cl_turn_met *e, double free, double taken, double step) {
  while (step > GRAIN) {
    step /= 2;
    if (free + step >= taken) continue;
    if (overlaps_at(m, e, free + step, NULL)) taken = free + step;
    else free += step;
  }
  overlaps_at(m, e, taken, &e->hit);
  e->is_met = true;
  e->at = free < LEAST ? 0 : free;
}

// Looks for the first overlap of the turner with another actor, beyond `at`, no farther than
// needed: angles beyond `bound` do not matter.
static void seek(cl_movement *m, cl_turn_met *e, double bound) {
  while (!e->is_met && e->at <= bound && e->at < m->turn.most) {
    double rest = m->turn.most - e->at, step = cl_min(e->step, rest), to = e->at + step;
    if (e->spent > CL_MOVE_WORK) {
      e->is_met = e->given_up = true;
      return;
    }
    room found = room_on(m, e, e->at, step);
    bool tested = found == ROOM_GRAZED || (found == ROOM_OPEN && step <= GRAIN);
    if (tested && overlaps_at(m, e, to, NULL)) {
      meet_at(m, e, e->at, to, e->step);
    } else if (found == ROOM_FREE || step <= GRAIN ||
               (found == ROOM_GRAZED && step <= GRAZED_LONGEST)) {
      e->at = to;
      e->step = cl_min(2 * e->step, LONGEST);
    } else {
      do e->step /= 2;
      while (e->step >= rest);
    }
  }
}

// ---- what the turner meets

static cl_foretold foretell(const cl_movement *m, const cl_turn_met *e) {
  return cl_move_foretell(m, m->def.slot, e->slot, e->hit.value);
}

static bool is_crossed(const cl_foretold *told) {
  return told->known && !cl_move_stops(told->response);
}

// The order of actors met at one angle: first those that are crossed; then those that the host is
// asked about; then those that stop the turner; then those that it pushes.
static int precedence(const cl_movement *m, const cl_turn_met *e) {
  cl_foretold told = foretell(m, e);
  if (e->given_up) return 2;
  if (e->is_sensor && !e->is_met) return 0;
  if (!told.known) return 1;
  return is_crossed(&told) ? 0 : told.response == CL_RESPONSE_PUSH ? 3 : 2;
}

static bool is_before(const cl_movement *m, const cl_turn_met *a, const cl_turn_met *b) {
  if (!b || a->at != b->at) return !b || a->at < b->at;
  int rank = precedence(m, a), other = precedence(m, b);
  if (rank != other) return rank < other;
  cl_vec n = a->hit.normal, k = b->hit.normal;
  return (n.x != k.x || n.y != k.y) && cl_vec_goes_first(n, k);
}

// What the turner meets first, NULL if it meets nothing more.
static cl_turn_met *find_first(cl_movement *m) {
  double bound = m->turn.most;
  cl_turn_met *first = NULL;
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    if (!e->gone) seek(m, e, bound);
    if (!e->gone && e->is_met) bound = cl_min(bound, e->at);
  }
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    if (!e->gone && e->is_met && is_before(m, e, first)) first = e;
  }
  return first;
}

// Begins to look for an overlap where there is none.
static void begin_search(cl_turn_met *e, double turn) {
  e->from = e->at = turn;
  e->step = LONGEST;
  e->is_met = false;
}

// Searches again in maps whose cells the host has written to.
static void renew_maps(cl_movement *m) {
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    const cl_grid *grid = m->world->actors.shape[e->slot]->grid;
    if (!grid || grid->changes == e->changes) continue;
    e->changes = grid->changes;
    begin_search(e, cl_min(e->at, m->turn.at));
  }
}

// The response to an actor that is met. The host may be asked. NULL without memory.
static cl_known *know(cl_movement *m, const cl_turn_met *e) {
  const cl_move_ask about = {m->def.slot,     e->slot,      e->hit.normal.x,
                             e->hit.normal.y, e->hit.value, false};
  cl_known *known = cl_move_know(m, &about);
  if (m->halted && m->status == CL_OK) {
    m->halted = false;
    renew_maps(m);
    known = cl_move_know(m, &about);
  }
  return m->status == CL_OK ? known : NULL;
}

static void tell(cl_movement *m, const cl_turn_met *e, cl_response response) {
  cl_move_hit hit = e->hit;
  hit.slot = e->slot;
  hit.at = (cl_vec){m->def.x, m->def.y};
  hit.t = m->turn.most > 0 ? e->at / m->turn.most : 0;
  hit.response = (uint8_t)response;
  m->mover->placed = turner_at(m, e->at);
  m->mover->reach = cl_bounds_largest(cl_placed_bounds(&m->mover->placed));
  cl_move_report(m, m->mover, &hit);
}

// Goes on through an actor, or through the cells of a value.
static void pass_through(cl_movement *m, cl_turn_met *e, cl_known *known) {
  if (known->response == CL_RESPONSE_CROSS && !known->reported) tell(m, e, CL_RESPONSE_CROSS);
  known->reported = true;
  bool whole = !m->def.responder && e->view == CL_NO_VIEW;
  if (whole || e->hit.value < 0) {
    e->gone = true;
    return;
  }
  e->passes = true;
  cl_values_add(&e->passed, (unsigned)e->hit.value);
  begin_search(e, e->at);
}

// How often an overlap may show up only where the turn would end.
enum { MOST_SURPRISES = 64 };

// Whether some actor overlaps the turner where it would end, though the search found none on the
// way there, because they only graze. Then that actor is met before.
static bool is_surprised(cl_movement *m, double turn) {
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    bool later = e->from > turn; // it was pushed out of a later piece of the turn
    if (e->gone || later || (e->is_met && e->at <= turn) || precedence(m, e) == 0) continue;
    if (!overlaps_at(m, e, turn, &e->hit)) continue;
    bool often = ++m->turn.surprises > MOST_SURPRISES;
    meet_at(m, e, e->from, often ? e->from : turn, 64);
    return true;
  }
  return false;
}

// ---- pushing

// Each push turns by little enough that nothing is jumped over: by a quarter of the smaller side of
// the pushed actor, but within these angles. More pushes than this end the turn.
#define PUSH_LONGEST 0x1p-5
#define PUSH_LEAST 0x1p-12
enum { MOST_PUSHES = 4096 };

static double push_step(const cl_placed *a, const cl_placed *b) {
  cl_bounds box = cl_placed_bounds(b);
  double side = cl_min(box.r - box.l, box.b - box.t), step = PUSH_LONGEST;
  while (step > PUSH_LEAST && step * a->shape->reach > side / 4) step /= 2;
  return step;
}

// How far the turner goes on while it pushes an actor: not beyond an actor that may stop it.
static double end_of_push(cl_movement *m, const cl_turn_met *pushed, double step) {
  double to = cl_min(pushed->at + step, m->turn.most);
  if (pushed->at < m->turn.at) return m->turn.at; // where it is for another one already
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    if (e == pushed || e->gone) continue;
    seek(m, e, to);
    int rank = e->is_met && e->at < to ? precedence(m, e) : 0;
    if (rank == 1 || rank == 2) to = e->at;
  }
  return to;
}

// Pushes an actor out of the way of the next piece of the turn. Returns whether the host has to
// move it.
static bool push_away(cl_movement *m, cl_turn_met *e) {
  cl_placed a = turner_at(m, e->at), b = other_of(m, e);
  double to = end_of_push(m, e, push_step(&a, &b));
  if (!e->pushed) tell(m, e, CL_RESPONSE_PUSH);
  e->pushed = true;
  a = turner_at(m, to);
  cl_hit out;
  if (!cl_overlap(&a, &b, false, &out)) {
    begin_search(e, to);
    return false;
  }
  if (to == m->turn.at) {
    m->turn.together++;
  } else {
    m->turn.together = 1;
    m->turn.before = e->at;
  }
  m->turn.pushes++;
  m->turn.pushed = e->slot;
  m->turn.trial = to;
  double depth = out.depth + cl_touch_distance(&a, (cl_vec){0, 0}, &b) / 4;
  m->turn.way = (cl_vec){-out.nx * depth, -out.ny * depth};
  return true;
}

// ---- the turn

// Goes on until the turn ends, or an actor has to be pushed.
static void go_round(cl_movement *m) {
  m->turn.pushed = CL_NOBODY;
  while (m->status == CL_OK) {
    cl_turn_met *first = find_first(m);
    double to = first ? first->at : m->turn.most;
    cl_known *known = first && !first->given_up ? know(m, first) : NULL;
    if (m->status != CL_OK) return;
    if (first && !first->is_met) continue; // its cells have changed
    if (known && !cl_move_stops(known->response)) {
      pass_through(m, first, known);
      continue;
    }
    if (known && foretell(m, first).response == CL_RESPONSE_PUSH && m->turn.pushes < MOST_PUSHES) {
      if (push_away(m, first)) return;
      continue;
    }
    if (is_surprised(m, to)) continue;
    m->turn.at = to;
    bool again = known && first->pushed; // it was reported as pushed
    if (known && !again) tell(m, first, CL_RESPONSE_TOUCH);
    return;
  }
}

// Adds an actor, as movers see it. One-way actors and cells do not stop a turn.
static bool add_layers(cl_movement *m, uint32_t slot, double turn) {
  const cl_actors *actors = &m->world->actors;
  cl_placed placed = cl_actor_place(&m->world->actors, slot);
  const cl_grid *grid = placed.shape->grid;
  for (cl_layer l = cl_layers(actors, slot, &placed); cl_layer_next(&l);) {
    cl_status status = CL_RESERVE(&m->world->alloc, m->met, m->met_cap, m->mets + 1);
    if (!cl_move_check(m, status)) return false;
    cl_turn_met *e = &m->met[m->mets++];
    *e = (cl_turn_met){.slot = slot,
                       .view = l.view,
                       .place = actors->place[slot],
                       .changes = grid ? grid->changes : 0,
                       .is_sensor = l.is & CL_SENSOR,
                       .gone = (l.is & (CL_ONE_WAY | CL_SENSOR)) == CL_ONE_WAY};
    e->hit.column = e->hit.row = e->hit.value = -1;
    begin_search(e, turn);
  }
  return true;
}

// Lists the actors that the turner may meet, slots ascending, and keeps those already listed.
// One-way actors do not stop it.
static void list(cl_movement *m, double turn) {
  cl_move_list(m, m->mover, m->near_box);
  const cl_found *found = &m->world->touched;
  size_t old = m->mets, next = 0;
  for (size_t i = 0; i < found->count; i++) {
    uint32_t slot = found->at[i];
    while (next < old && m->met[next].slot < slot) next++;
    if (next < old && m->met[next].slot == slot) continue;
    if (!add_layers(m, slot, turn)) return;
  }
  for (size_t i = old; i < m->mets; i++) {
    cl_turn_met one = m->met[i];
    size_t at = i;
    for (; at > 0 && m->met[at - 1].slot > one.slot; at--) m->met[at] = m->met[at - 1];
    m->met[at] = one;
  }
}

// Actors that the turner overlaps at the start do not stop it, and are reported if they are
// crossed. In a map of sensors and walls, sensors of other values may follow.
static void begin_turn(cl_movement *m) {
  cl_placed a = turner_at(m, 0);
  for (size_t i = 0; i < m->mets && m->status == CL_OK; i++) {
    cl_turn_met *e = &m->met[i];
    cl_placed b = other_of(m, e);
    if (e->gone || !cl_overlaps(&a, &b, false)) continue;
    e->gone = !e->is_sensor || e->view == CL_NO_VIEW;
    if (!e->is_sensor && m->def.response != CL_RESPONSE_CROSS) continue;
    if (e->view != CL_NO_VIEW) overlaps_at(m, e, 0, &e->hit);
    e->hit.normal = (cl_vec){0, 0};
    e->hit.point = cl_distance(&a, &b).a;
    cl_known *known = know(m, e);
    if (!known || known->response != CL_RESPONSE_CROSS) continue;
    e->hit.inside = true;
    pass_through(m, e, known);
    e->hit.inside = false;
  }
}

// The box that the turner stays in: within its circle, and as far as its corners can come.
static cl_bounds reached(const cl_movement *m) {
  cl_placed a = turner_at(m, 0);
  double error = cl_placed_error(&a), reach = a.shape->reach + error;
  cl_bounds b = cl_bounds_grown(cl_placed_bounds(&a), reach * m->turn.most + error);
  return (cl_bounds){cl_max(b.l, a.x - reach), cl_max(b.t, a.y - reach), cl_min(b.r, a.x + reach),
                     cl_min(b.b, a.y + reach)};
}

static void note_spent(cl_movement *m) {
  m->spent = 0;
  for (size_t i = 0; i < m->mets; i++) m->spent += m->met[i].spent;
  if (m->status != CL_OK) m->hits = 0;
}

// ---- the interface

cl_status cl_world_turn(cl_world *world, const cl_move_def *def, double by) {
  assert(!world->begun && cl_world_can_move(world, def->slot) && isfinite(by));
  assert(cl_place_ok((cl_vec){def->x, def->y}) && fabs(def->angle) <= CL_MAX_ANGLE);
  assert(fabs(by) <= CL_MAX_TURN && fabs(def->angle + by) <= CL_MAX_ANGLE);
  assert((unsigned)def->response < CL_RESPONSES);
  if (!world->turning) world->turning = cl_new(&world->alloc, sizeof *world->turning);
  cl_movement *m = world->turning;
  if (!m) return CL_NOMEM;
  const cl_shape *shape = world->actors.shape[def->slot];
  m->world = world;
  m->status = CL_OK;
  m->def = *def;
  m->def.instead = CL_RESPONSE_NONE;
  m->mover->slot = def->slot;
  m->movers = 0; // it stands in nobody's way but its own
  m->hits = m->knowns = m->moves = m->maps = m->mets = 0;
  m->most = 1;
  m->spent = 0;
  m->gave_up = m->halted = m->waits = false;
  m->turn = (cl_turning){.side = by < 0 ? -1 : 1, .most = fabs(by)};
  m->near_box = reached(m);
  if (!(shape->flags & CL_SHAPE_UPRIGHT)) list(m, 0);
  begin_turn(m);
  go_round(m);
  note_spent(m);
  return m->status;
}

// Whether some actor that was moved, or is new in the list, blocks the angle where the turner would
// go on.
static bool stays_blocked(cl_movement *m) {
  bool blocked = false;
  for (size_t i = 0; i < m->mets; i++) {
    cl_turn_met *e = &m->met[i];
    cl_vec place = m->world->actors.place[e->slot];
    bool is_new = e->from == m->turn.trial && e->at == e->from && !e->is_met;
    bool moved = place.x != e->place.x || place.y != e->place.y;
    if (e->gone || !(is_new || moved || e->slot == m->turn.pushed)) continue;
    begin_search(e, m->turn.trial);
    e->place = place;
    if (precedence(m, e) > 0) blocked = blocked || overlaps_at(m, e, m->turn.trial, NULL);
  }
  return blocked;
}

// Ends the turn before an actor that could not get out of the way. Actors pushed earlier for the
// same piece of the turn may be in the way there; then all of these are put back.
static void give_up_push(cl_movement *m, double before) {
  bool blocked = false;
  for (size_t i = 0; i < m->mets && !blocked; i++) {
    cl_turn_met *e = &m->met[i];
    bool matters = !e->gone && e->slot != m->turn.pushed && precedence(m, e) > 0;
    blocked = matters && overlaps_at(m, e, before, NULL);
  }
  m->turn.put_back = blocked ? m->turn.together : 1;
  m->turn.at = blocked ? m->turn.before : before;
  m->turn.pushed = CL_NOBODY;
}

cl_status cl_world_turn_on(cl_world *world, void *context) {
  cl_movement *m = world->turning;
  assert(m && m->turn.pushed != CL_NOBODY);
  m->def.context = context;
  cl_turn_met *pushed = m->met;
  while (pushed->slot != m->turn.pushed) pushed++;
  double before = pushed->at;
  list(m, m->turn.trial);
  if (stays_blocked(m)) {
    give_up_push(m, before);
  } else {
    m->turn.at = m->turn.trial;
    go_round(m);
  }
  note_spent(m);
  return m->status;
}

cl_turn_result cl_world_turn_result(const cl_world *world) {
  const cl_movement *m = world->turning;
  assert(m);
  return (cl_turn_result){.hit = m->hit,
                          .hits = m->hits,
                          .angle = m->def.angle + m->turn.side * m->turn.at,
                          .pushed = m->turn.pushed,
                          .trial = m->def.angle + m->turn.side * m->turn.trial,
                          .way = m->turn.way,
                          .put_back = m->turn.put_back};
}
