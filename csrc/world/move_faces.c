// collide, MIT licence (see LICENSE)
//
// Which of the faces that a mover touches at one moment it responds to. Layer: world.
//
// Each part that it touches blocks the directions that lead into it: those of a half-plane or, at a
// corner, of a wedge. The union of the obstacles has only those faces along which the mover could
// go without being blocked by another part: a face that is covered by a flush neighbour is none.
// Of these the way follows the one that it leads along most. Nothing here depends on the order of
// the obstacles.

#include "world/mover.h"

// The sine up to which a direction that leads into a face counts as along it.
static const double ALIKE = 1e-9;

// Of which the response is known, and stops the mover; or that has to be asked.
static bool may_stop(const cl_move_touch *t) { return !t->known || cl_move_stops(t->response); }

// Whether a direction, a unit vector, leads into all faces of a touch.
static bool is_blocked_by(const cl_move_touch *t, cl_vec u) {
  for (int k = 0; k < t->touch.faces; k++) {
    double into = cl_vec_dot(u, t->touch.n[k]);
    if (into >= -ALIKE || into * into <= t->touch.slack) return false;
  }
  return true;
}

// The same for a way, whose obstacles are asked for their responses.
static bool is_entered(const cl_move_touch *t, cl_vec way) {
  cl_vec u = way;
  cl_vec_normalise(&u);
  return t->entered || t->forced || is_blocked_by(t, u);
}

// Where the way leads exactly between two corners, as into the crack between flush neighbours, it
// leads into both. Returns whether it does.
static bool enter_between(cl_movement *m, cl_vec way) {
  double least = ALIKE * cl_vec_length(way);
  bool any = false;
  for (size_t i = 0; i < m->touches; i++) {
    cl_move_touch *t = &m->touched[i];
    double first = cl_vec_dot(way, t->touch.n[0]), second = cl_vec_dot(way, t->touch.n[1]);
    t->entered = cl_max(first, second) <= least && cl_min(first, second) < -least;
    any |= t->entered;
  }
  return any;
}

typedef struct gathering {
  cl_world *world;
  uint32_t mover, slot;
  size_t near;
  bool failed;
} gathering;

static void add_touch(void *context, const cl_touch *touch) {
  gathering *g = context;
  cl_world *world = g->world;
  cl_movement *m = world->movement;
  if (g->failed || CL_RESERVE(&world->alloc, m->touched, m->touched_cap, m->touches + 1) != CL_OK) {
    g->failed = true;
    return;
  }
  cl_move_touch *t = &m->touched[m->touches];
  *t = (cl_move_touch){.touch = *touch, .slot = g->slot, .near = g->near};
  cl_move_foretell(world, g->mover, t);
  m->touches += may_stop(t);
}

// Finds what an obstacle of any shape touches.
static void touch_shape(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                        const cl_obstacle *o, const cl_values *passes, gathering *g) {
  cl_movement *m = world->movement;
  cl_placed other = cl_move_placed(world, o->slot);
  cl_move_rule rule;
  const cl_stopper how = {o->touch, (long)cl_move_limit(m) - m->spent, passes,
                          cl_move_one_way(world, mover, &other, o, &rule)};
  cl_sweep_touches(placed, mover->left, &other, &how, &m->spent, add_touch, g);
}

static cl_going find_touched(cl_world *world, const cl_move_body *mover, cl_vec at) {
  cl_movement *m = world->movement;
  cl_placed there = mover->placed;
  const cl_placed *placed = &there;
  there.x = at.x, there.y = at.y;
  gathering g = {.world = world, .mover = mover->slot};
  cl_bounds box = mover->is_box ? cl_bounds_moved(mover->local, (cl_vec){placed->x, placed->y})
                                : cl_placed_bounds(placed);
  m->touches = 0;
  for (size_t i = 0, end; i < m->nears; i = end) {
    end = cl_move_run_end(m, i);
    cl_bounds near = cl_bounds_grown(box, m->near[i].touch);
    cl_values values;
    const cl_values *passes;
    bool passed = false, looked = false;
    for (size_t k = i; k < end && !passed; k++) {
      const cl_obstacle *o = &m->near[k];
      if (!cl_bounds_touch(near, o->bounds)) continue;
      if (!looked) passed = cl_move_passes(world, mover, o->slot, &values, &passes);
      looked = true;
      if (passed || (passes && o->is_box && cl_values_have(passes, (unsigned)o->value))) continue;
      g.slot = o->slot;
      g.near = k;
      cl_touch touch;
      if (!o->is_box) {
        touch_shape(world, mover, placed, o, passes, &g);
      } else if (cl_touch_box(&box, &o->bounds, o->touch, &touch)) {
        touch.column = o->column, touch.row = o->row, touch.value = o->value;
        add_touch(&g, &touch);
      }
    }
    if (g.failed) return CL_STUCK;
  }
  return CL_GO;
}

cl_going cl_move_find_touched(cl_world *world, const cl_move_body *mover, cl_vec at) {
  cl_going going = CL_GO;
  do {
    world->movement->unsure.other = CL_NOBODY;
    going = find_touched(world, mover, at);
    if (going != CL_GO || world->movement->unsure.other == CL_NOBODY) return going;
    going = cl_move_make_sure(world);
  } while (going == CL_GO);
  return going;
}

// What a sweep has met, as a touch.
static cl_going add_met(cl_world *world, const cl_move_body *mover, const cl_meeting *met,
                        bool forced) {
  gathering g = {.world = world, .mover = mover->slot, .slot = met->other, .near = met->near};
  const cl_sweep *s = &met->sweep;
  cl_movement *m = world->movement;
  cl_touch touch = {.faces = 0};
  cl_touch_add(&touch, (cl_vec){s->nx, s->ny}, -s->lift);
  touch.x = s->x, touch.y = s->y;
  touch.column = s->column, touch.row = s->row, touch.value = s->value;
  size_t at = m->touches;
  add_touch(&g, &touch);
  if (m->touches > at) m->touched[at].forced = forced;
  return g.failed ? CL_STUCK : CL_GO;
}

// Whether nothing but the face that a sweep has met is near the mover there.
static bool is_lone(const cl_movement *m, const cl_move_body *mover, const cl_meeting *met,
                    cl_vec at) {
  if (!met->sweep.lone) return false;
  cl_vec by = {at.x - mover->placed.x, at.y - mover->placed.y};
  cl_bounds box = cl_move_body_bounds(mover);
  box = cl_bounds_moved(box, by);
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    // The bounds of both are off by rounding.
    if (i != met->near && cl_bounds_touch(cl_bounds_grown(box, 2 * o->touch), o->bounds))
      return false;
  }
  return true;
}

// A face among those that may be the surface: along which unit vector `along` the way leads on,
// and how far; `free` if nothing blocks that.
typedef struct candidate {
  const cl_move_touch *of;
  int k;
  bool free;
  double far;
  cl_vec along;
} candidate;

static bool is_better(const candidate *a, const candidate *b) {
  if (!b->of) return true;
  if (a->free != b->free) return a->free;
  if (a->far != b->far) return a->far > b->far;
  const cl_touch *s = &a->of->touch, *t = &b->of->touch;
  cl_vec n = s->n[a->k], m = t->n[b->k];
  if (n.x != m.x || n.y != m.y) {
    bool same = a->along.x == b->along.x && a->along.y == b->along.y;
    return same ? cl_vec_goes_first(n, m) : cl_vec_goes_first(a->along, b->along);
  }
  double gap = s->gap[a->k] - s->apart, other = t->gap[b->k] - t->apart;
  if (gap != other) return gap < other;
  if (a->of->pushed != b->of->pushed) return b->of->pushed;
  if (a->of->slot != b->of->slot) return a->of->slot < b->of->slot;
  if (s->row != t->row || s->column != t->column)
    return s->row != t->row ? s->row < t->row : s->column < t->column;
  if (s->x != t->x || s->y != t->y) return s->x != t->x ? s->x < t->x : s->y < t->y;
  return cl_vec_goes_first(a->along, b->along);
}

// Whether another part touches the mover from the other side of a direction along a face with the
// normal n: then it leads into the crack between two, or through a passage as narrow as the mover.
static bool is_crack(const cl_movement *m, cl_vec u, cl_vec n) {
  for (size_t i = 0; i < m->touches; i++) {
    const cl_touch *t = &m->touched[i].touch;
    bool beside = false, away = false;
    for (int k = 0; k < t->faces; k++) {
      double into = cl_vec_dot(u, t->n[k]);
      beside |= fabs(into) <= ALIKE && cl_vec_dot(t->n[k], n) < 0;
      away |= into > ALIKE;
    }
    if (beside && !away) return true;
  }
  return false;
}

// Whether the mover, placed at `at`, could go along a face with the normal n in the direction u.
// Thin shapes, which are kept apart from what they touch, fit into no crack.
static bool is_free_along(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec u, cl_vec n,
                          bool thin, double length) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; i < m->touches; i++)
    if (is_blocked_by(&m->touched[i], u)) return false;
  if (!is_crack(m, u, n)) return true;
  if (thin) return false;
  cl_move_body there = *mover;
  cl_meeting met;
  there.placed.x = at.x, there.placed.y = at.y;
  there.left = cl_vec_mul(u, length);
  cl_move_find_first(world, &there, &met);
  return met.other == CL_NOBODY || met.sweep.t > 0;
}

// Compares the directions along face k of a touch, for a way into it.
static void try_face(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way,
                     const cl_move_touch *t, int k, candidate *best) {
  cl_vec n = t->touch.n[k], u = {-n.y + 0.0, n.x + 0.0};
  double length = cl_vec_length(way);
  candidate c = {.of = t, .k = k};
  for (int side = 0; side < 2; side++, u = (cl_vec){-u.x + 0.0, -u.y + 0.0}) {
    if (t->touch.faces == 2 && cl_vec_dot(u, t->touch.n[!k]) > 0) continue;
    c.along = u;
    c.far = cl_vec_dot(way, u);
    c.free = true;
    // Only where it could be chosen.
    if (!is_better(&c, best)) continue;
    c.free = is_free_along(world, mover, at, u, n, t->touch.apart > 0, length);
    if (c.free) *best = c;
  }
  if (best->of && best->free) return;
  // Covered: of such, the one that the way leads into most.
  c.free = false;
  c.along = n;
  c.far = -cl_vec_dot(way, n);
  if (is_better(&c, best)) *best = c;
}

// Which of the entered touches are meant: those of one actor, and of tiles one value, that is to be
// asked or pushed; or those with a response, with `beside` only on the other side of the way.
typedef struct choice {
  const cl_move_touch *asked;
  uint32_t pushed;
  uint8_t response;
  const candidate *beside;
} choice;

static bool is_meant(const cl_move_touch *t, const choice *among) {
  const cl_move_touch *asked = among->asked;
  if (asked) return t->slot == asked->slot && t->touch.value == asked->touch.value;
  if (!t->known || t->response != among->response) return false;
  return among->response != CL_RESPONSE_PUSH || t->slot == among->pushed;
}

static bool is_same_face(const candidate *a, const candidate *b) {
  return cl_vec_dot(a->of->touch.n[a->k], b->of->touch.n[b->k]) > 1 - ALIKE;
}

// The best face of those. The mover may also slide along a part that the way does not lead into, if
// that is what another one is flush with.
static candidate best_of(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way,
                         choice among) {
  const cl_movement *m = world->movement;
  candidate best = {.of = NULL};
  double length = cl_vec_length(way);
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    bool entered = is_entered(t, way);
    if (!is_meant(t, &among) || (!entered && (among.asked || among.response != CL_RESPONSE_SLIDE)))
      continue;
    for (int k = 0; k < t->touch.faces; k++) {
      bool into = cl_vec_dot(way, t->touch.n[k]) < -ALIKE * length;
      if (!t->touch.stops[k] || !(into || t->forced)) continue;
      candidate one = {.of = NULL};
      if (entered) try_face(world, mover, at, way, t, k, among.beside ? &one : &best);
      else try_face(world, mover, at, way, t, k, &one);
      if (!entered && !among.beside && one.of && one.free && one.far > 0 && is_better(&one, &best))
        best = one;
      if (!among.beside || !one.of || !one.free || is_same_face(&one, among.beside)) continue;
      double side = cl_vec_cross(way, one.along), other = cl_vec_cross(way, among.beside->along);
      if ((side < 0) != (other < 0) && is_better(&one, &best)) best = one;
    }
  }
  return best;
}

// The first in the order of adding of those that the way leads into and that have to be asked; of
// the values of one map, that whose face the way leads into most.
static candidate first_unknown(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way) {
  const cl_movement *m = world->movement;
  candidate first = {.of = NULL};
  double most = 0;
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    if (t->known || !is_entered(t, way)) continue;
    if (first.of && t->slot > first.of->slot) continue;
    candidate c = best_of(world, mover, at, way, (choice){.asked = t});
    if (!c.of) continue;
    double into = -cl_vec_dot(way, c.of->touch.n[c.k]);
    bool before = !first.of || t->slot < first.of->slot || into > most ||
                  (into == most && t->touch.value < first.of->touch.value);
    if (!before) continue;
    first = c;
    most = into;
  }
  return first;
}

// Asks for the responses of all that the way leads into.
static cl_going ask_all(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way) {
  cl_movement *m = world->movement;
  if (!m->def.asks && !m->def.asks_sensors) return CL_GO;
  for (;;) {
    candidate c = first_unknown(world, mover, at, way);
    if (!c.of) return CL_GO;
    cl_vec n = c.of->touch.n[c.k];
    cl_move_ask about = {mover->slot, c.of->slot, n.x, n.y, c.of->touch.value, false};
    cl_move_known *known;
    cl_going going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    for (size_t i = 0; i < m->touches; i++) cl_move_foretell(world, mover->slot, &m->touched[i]);
  }
}

// Of the actors to be pushed, the first by x, then y, then adding.
static uint32_t first_pushed(cl_world *world, cl_vec way) {
  const cl_movement *m = world->movement;
  uint32_t first = CL_NOBODY;
  cl_placed at = {.x = 0};
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    if (!t->known || t->response != CL_RESPONSE_PUSH || !is_entered(t, way)) continue;
    cl_placed placed = cl_move_placed(world, t->slot);
    bool before = placed.x != at.x   ? placed.x < at.x
                  : placed.y != at.y ? placed.y < at.y
                                     : t->slot < first;
    if (first != CL_NOBODY && !before) continue;
    first = t->slot;
    at = placed;
  }
  return first;
}

// How far the mover has to be lifted off a face: thin shapes by as much as sweeps keep them apart,
// but for rounding, since otherwise a corner beside the face would stop them.
static double lift_of(const cl_touch *t, int k) {
  double gap = t->gap[k];
  return gap < 0.75 * t->apart ? t->apart - gap : cl_max(-gap, 0);
}

static cl_surface surface_of(const candidate *c) {
  const cl_touch *t = &c->of->touch;
  return (cl_surface){.normal = t->n[c->k],
                      .lift = lift_of(t, c->k),
                      .point = {t->x, t->y},
                      .slot = c->of->slot,
                      .near = c->of->near,
                      .column = t->column,
                      .row = t->row,
                      .value = t->value,
                      .response = c->of->response,
                      .pushed = c->of->pushed};
}

// Whether the mover slides along something from which the surface bends up by less than a degree.
static bool goes_along_another(const cl_movement *m, cl_vec way, cl_vec n) {
  double length = cl_vec_length(way);
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    for (int k = 0; k < t->touch.faces; k++)
      if (fabs(cl_vec_dot(t->touch.n[k], way)) <= ALIKE * length &&
          cl_vec_dot(t->touch.n[k], n) > CL_MOVE_ONE_DEGREE)
        return true;
  }
  return false;
}

// The response that goes before the others among those that the way leads into.
static uint8_t first_response(const cl_movement *m, cl_vec way) {
  static const uint8_t order[] = {CL_RESPONSE_TOUCH, CL_RESPONSE_BOUNCE, CL_RESPONSE_PUSH,
                                  CL_RESPONSE_SLIDE};
  for (size_t i = 0; i < sizeof order; i++)
    for (size_t k = 0; k < m->touches; k++)
      if (m->touched[k].known && m->touched[k].response == order[i] &&
          is_entered(&m->touched[k], way))
        return order[i];
  return CL_RESPONSE_NONE;
}

// The nearest of the faces, if all look the same way and have the same response, as in a row of
// boxes.
static candidate only_face(const cl_movement *m) {
  candidate best = {.of = NULL};
  const cl_move_touch *first = &m->touched[0];
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    bool same = t->touch.faces == 1 && t->known && t->response == first->response &&
                t->touch.n[0].x == first->touch.n[0].x && t->touch.n[0].y == first->touch.n[0].y;
    if (!same || t->response == CL_RESPONSE_PUSH) return (candidate){.of = NULL};
    candidate c = {.of = t, .free = true};
    if (is_better(&c, &best)) best = c;
  }
  return best;
}

static void choose(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way,
                   cl_surfaces *out) {
  const cl_movement *m = world->movement;
  out->count = 0;
  candidate only = only_face(m);
  if (only.of) {
    out->at[out->count++] = surface_of(&only);
    out->slides = only.of->response == CL_RESPONSE_SLIDE;
    return;
  }
  uint8_t response = first_response(m, way);
  if (response == CL_RESPONSE_NONE) return;
  choice among = {.response = response};
  if (response == CL_RESPONSE_PUSH) among.pushed = first_pushed(world, way);
  candidate best = best_of(world, mover, at, way, among);
  if (!best.of) return;
  out->at[out->count++] = surface_of(&best);
  out->slides = response == CL_RESPONSE_SLIDE && best.free && best.far > 0;
  out->along = out->slides && goes_along_another(m, way, best.of->touch.n[best.k]);
  if (response != CL_RESPONSE_SLIDE || out->slides || !best.free) return;
  among.beside = &best;
  candidate other = best_of(world, mover, at, way, among);
  if (other.of) out->at[out->count++] = surface_of(&other);
}

// Whether the way leads along a face that the mover has to be lifted off: then the corner of what
// comes next does not stop it.
static bool is_grazing(const cl_movement *m, cl_vec way, cl_surfaces *out) {
  double length = cl_vec_length(way);
  candidate best = {.of = NULL};
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    for (int k = 0; k < t->touch.faces; k++) {
      bool along = fabs(cl_vec_dot(t->touch.n[k], way)) <= ALIKE * length && t->touch.stops[k];
      candidate c = {.of = t, .k = k};
      if (along && lift_of(&t->touch, k) > 0 && is_better(&c, &best)) best = c;
    }
  }
  if (best.of) out->at[0] = surface_of(&best);
  return best.of;
}

// The surface where there is only one.
static cl_going take_lone(cl_world *world, const cl_move_body *mover, const cl_meeting *met,
                          cl_surfaces *out) {
  cl_movement *m = world->movement;
  cl_going going = add_met(world, mover, met, true);
  if (going != CL_GO || m->touches == 0) return going;
  cl_move_touch *t = &m->touched[0];
  if (!t->known) {
    const cl_sweep *s = &met->sweep;
    cl_move_ask about = {mover->slot, met->other, s->nx, s->ny, s->value, false};
    cl_move_known *known;
    going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    cl_move_foretell(world, mover->slot, t);
  }
  if (!may_stop(t)) return CL_GO;
  candidate c = {.of = t};
  out->at[out->count++] = surface_of(&c);
  out->slides = t->response == CL_RESPONSE_SLIDE;
  return CL_GO;
}

cl_going cl_move_surfaces(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way,
                          const cl_meeting *met, cl_surfaces *out) {
  cl_movement *m = world->movement;
  cl_going going = CL_GO;
  out->count = 0;
  out->lone = is_lone(m, mover, met, at);
  out->slides = out->along = out->grazes = false;
  m->touches = 0;
  if (out->lone) return take_lone(world, mover, met, out);
  going = cl_move_find_touched(world, mover, at);
  bool entered = false;
  for (size_t i = 0; i < m->touches && !entered; i++) entered = is_entered(&m->touched[i], way);
  out->grazes = going == CL_GO && !entered && is_grazing(m, way, out);
  if (out->grazes) out->count = 1;
  if (out->grazes) return CL_GO;
  if (going == CL_GO && !entered && !enter_between(m, way))
    going = add_met(world, mover, met, true);
  if (going == CL_GO) going = ask_all(world, mover, at, way);
  if (going == CL_GO) choose(world, mover, at, way, out);
  return going;
}
