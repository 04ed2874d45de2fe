// collide, MIT licence (see LICENSE)
//
// Which of the faces that a mover touches at one moment it responds to, and where it fits beside
// them. Layer: world.
//
// Each part that it touches blocks the directions that lead into the part: those of a half-plane
// or, at a corner, of a wedge. A face belongs to the union of the obstacles only if the mover could
// go along it without being blocked by another part: a face that a flush neighbour covers does not.
// Of the faces of the union, the mover follows the one that its way leads along most. Nothing here
// depends on the order of the obstacles.

#include "world/move.h"

// ---- what is touched

// The sine up to which a direction that leads into a face counts as along it.
static const double ALIKE = 1e-9;

// A mover where it is stopped: placed at `at`, with `way` left, which has a length and a direction.
typedef struct stopped {
  cl_movement *m;
  const cl_body *mover;
  cl_vec at, way, ahead;
  double length;
} stopped;

// Whether the response is known and stops the mover, or has to be asked.
static bool may_stop(const cl_foretold *told) {
  return !told->known || cl_move_stops(told->response);
}

// Whether a direction, a unit vector, leads into all faces of a touch.
static bool is_blocked_by(const cl_move_touch *t, cl_vec u) {
  for (int k = 0; k < t->touch.faces; k++) {
    double into = cl_vec_dot(u, t->touch.n[k]);
    if (into >= -ALIKE || into * into <= t->touch.slack) return false;
  }
  return true;
}

// The same for the way of the mover; forced touches are always entered.
static bool is_entered(const stopped *s, const cl_move_touch *t) {
  return t->entered || t->forced || is_blocked_by(t, s->ahead);
}

// Whether the way leads along a face.
static bool leads_along(const stopped *s, cl_vec n) {
  return fabs(cl_vec_dot(n, s->way)) <= ALIKE * s->length;
}

// If the way leads exactly between two corners, as into the crack between flush neighbours, it
// enters both. Returns whether it enters any.
static bool enter_between(const stopped *s) {
  double least = ALIKE * s->length;
  bool any = false;
  for (size_t i = 0; i < s->m->touches; i++) {
    cl_move_touch *t = &s->m->touched[i];
    double first = cl_vec_dot(s->way, t->touch.n[0]), second = cl_vec_dot(s->way, t->touch.n[1]);
    t->entered = cl_max(first, second) <= least && cl_min(first, second) < -least;
    any |= t->entered;
  }
  return any;
}

// Adds a touch of a mover with an obstacle to the list, if it may stop the mover.
static void add_touch(cl_movement *m, uint32_t mover, size_t near, const cl_touch *touch) {
  cl_status status = CL_RESERVE(&m->world->alloc, m->touched, m->touched_cap, m->touches + 1);
  if (!cl_move_check(m, status)) return;
  uint32_t slot = m->near[near].slot;
  cl_foretold told = cl_move_foretell(m, mover, slot, touch->value);
  if (may_stop(&told))
    m->touched[m->touches++] =
        (cl_move_touch){.touch = *touch, .told = told, .slot = slot, .near = near};
}

// Adds how the mover, with the bounds `box` where it is placed, touches an obstacle.
static void touch_obstacle(cl_movement *m, const cl_body *mover, const cl_placed *placed,
                           cl_bounds box, size_t near, const cl_values *passes) {
  const cl_obstacle *o = &m->near[near];
  cl_touch touch;
  if (!o->is_box) {
    cl_stopping s;
    cl_move_stopping(m, mover, o, passes, &s);
    cl_sweep_walk w; // large: filled in as needed
    cl_touches_begin(&w, placed, mover->left, &s.other, &s.how);
    while (cl_touches_next(&w, &touch)) add_touch(m, mover->slot, near, &touch);
    m->spent += w.steps;
  } else if (cl_touch_box(&box, &o->bounds, o->touch, &touch)) {
    touch.column = o->column, touch.row = o->row, touch.value = o->value;
    add_touch(m, mover->slot, near, &touch);
  }
}

// Finds everything that the mover touches at `at` and that may stop it, as far as responses are
// known.
static void find_touched(cl_movement *m, const cl_body *mover, cl_vec at) {
  cl_placed placed;
  cl_bounds box = cl_body_at(mover, at, &placed);
  m->touches = 0;
  m->unsure.other = CL_NOBODY;
  for (cl_move_run r = {0}; cl_move_next(m, &r);) {
    cl_bounds near = cl_bounds_grown(box, m->near[r.from].touch);
    cl_passed passed;
    if (cl_move_passes(m, mover, &m->near[r.from], &passed)) continue;
    for (size_t k = r.from; k < r.to; k++) {
      const cl_obstacle *o = &m->near[k];
      if (!cl_bounds_touch(near, o->bounds)) continue;
      if (passed.values && o->is_box && cl_values_have(passed.values, (unsigned)o->value)) continue;
      touch_obstacle(m, mover, &placed, box, k, passed.values);
    }
  }
  cl_move_make_sure(m);
}

// Adds what a sweep has met as a touch that stops the mover, whatever its faces say.
static void add_met(cl_movement *m, const cl_body *mover, const cl_meeting *met) {
  const cl_sweep *s = &met->sweep;
  cl_touch touch = {.faces = 0};
  cl_touch_add(&touch, (cl_vec){s->nx, s->ny}, -s->lift);
  touch.x = s->x, touch.y = s->y;
  touch.column = s->column, touch.row = s->row, touch.value = s->value;
  size_t at = m->touches;
  add_touch(m, mover->slot, met->near, &touch);
  if (m->touches > at) m->touched[at].forced = true;
}

// Whether nothing but the face that a sweep has met is near the mover there.
static bool is_lone(const cl_movement *m, const cl_body *mover, const cl_meeting *met, cl_vec at) {
  if (!met->sweep.lone) return false;
  cl_vec by = {at.x - mover->placed.x, at.y - mover->placed.y};
  cl_bounds box = cl_bounds_moved(cl_body_bounds(mover), by);
  for (size_t i = 0; i < m->nears; i++) {
    const cl_obstacle *o = &m->near[i];
    // The bounds of both are off by rounding.
    if (i != met->near && cl_bounds_touch(cl_bounds_grown(box, 2 * o->touch), o->bounds))
      return false;
  }
  return true;
}

// ---- the surface

// A face that may be the surface. The way goes on along the unit vector `along`, by `far`; `free`
// if nothing blocks that direction.
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
  if (a->of->told.pushed != b->of->told.pushed) return b->of->told.pushed;
  if (a->of->slot != b->of->slot) return a->of->slot < b->of->slot;
  if (s->row != t->row || s->column != t->column)
    return s->row != t->row ? s->row < t->row : s->column < t->column;
  if (s->x != t->x || s->y != t->y) return s->x != t->x ? s->x < t->x : s->y < t->y;
  return cl_vec_goes_first(a->along, b->along);
}

// Whether another part touches the mover from the other side of the direction u along a face with
// the normal n: then u leads into a crack, or through a passage as narrow as the mover.
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

// Whether the mover could go along face k of a touch in the direction u. Thin shapes, which are
// kept apart from what they touch, fit into no crack.
static bool is_free_along(const stopped *s, const cl_move_touch *t, int k, cl_vec u) {
  cl_movement *m = s->m;
  for (size_t i = 0; i < m->touches; i++)
    if (is_blocked_by(&m->touched[i], u)) return false;
  if (!is_crack(m, u, t->touch.n[k])) return true;
  if (t->touch.apart > 0) return false;
  cl_body there = *s->mover;
  cl_meeting met;
  there.placed.x = s->at.x, there.placed.y = s->at.y;
  there.left = cl_vec_mul(u, s->length);
  cl_move_find_first(m, &there, &met);
  return met.other == CL_NOBODY || met.sweep.t > 0;
}

// Compares the directions along face k of a touch, for a way into it.
static void try_face(const stopped *s, const cl_move_touch *t, int k, candidate *best) {
  cl_vec n = t->touch.n[k], u = {-n.y, n.x};
  candidate c = {.of = t, .k = k};
  for (int side = 0; side < 2; side++, u = (cl_vec){-u.x, -u.y}) {
    if (t->touch.faces == 2 && cl_vec_dot(u, t->touch.n[!k]) > 0) continue;
    c.along = u;
    c.far = cl_vec_dot(s->way, u);
    c.free = true;
    // The test is slow: only if the face could be chosen.
    if (!is_better(&c, best)) continue;
    c.free = is_free_along(s, t, k, u);
    if (c.free) *best = c;
  }
  if (best->of && best->free) return;
  // Covered. Of covered faces, the one that the way leads into most counts.
  c.free = false;
  c.along = n;
  c.far = -cl_vec_dot(s->way, n);
  if (is_better(&c, best)) *best = c;
}

// Which touches may give the surface: those of the one actor, and value of tiles, to ask about
// (`asked`); or those with a response, for a push those of one actor. With `beside`, only faces on
// the other side of the way. With `entered`, only parts that the way enters.
typedef struct choice {
  const cl_move_touch *asked;
  uint32_t pushed;
  uint8_t response;
  bool entered;
  const candidate *beside;
} choice;

static bool is_chosen(const cl_move_touch *t, const choice *among) {
  const cl_move_touch *asked = among->asked;
  if (asked) return t->slot == asked->slot && t->touch.value == asked->touch.value;
  if (!t->told.known || t->told.response != among->response) return false;
  return among->response != CL_RESPONSE_PUSH || t->slot == among->pushed;
}

static bool is_same_face(const candidate *a, const candidate *b) {
  return cl_vec_dot(a->of->touch.n[a->k], b->of->touch.n[b->k]) > 1 - ALIKE;
}

// The best face of those. The mover may also slide along a part that the way does not enter, if a
// part that it enters is flush with it.
static candidate best_of(const stopped *s, choice among) {
  const cl_movement *m = s->m;
  candidate best = {.of = NULL};
  bool slides = !among.asked && !among.entered && among.response == CL_RESPONSE_SLIDE;
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    bool entered = is_entered(s, t);
    if (!is_chosen(t, &among) || !(entered || slides)) continue;
    for (int k = 0; k < t->touch.faces; k++) {
      bool into = cl_vec_dot(s->way, t->touch.n[k]) < -ALIKE * s->length;
      if (!t->touch.stops[k] || !(into || t->forced)) continue;
      if (entered && !among.beside) {
        try_face(s, t, k, &best);
        continue;
      }
      candidate one = {.of = NULL};
      try_face(s, t, k, &one);
      bool fits = one.of && one.free;
      if (!among.beside) {
        fits = fits && one.far > 0;
      } else if (fits) {
        double side = cl_vec_cross(s->way, one.along);
        double other = cl_vec_cross(s->way, among.beside->along);
        fits = !is_same_face(&one, among.beside) && (side < 0) != (other < 0);
      }
      if (fits && is_better(&one, &best)) best = one;
    }
  }
  return best;
}

// The first obstacle to ask about, in the order of adding, among those that the way enters; of the
// values of one map, the one whose face the way leads into most.
static candidate first_unknown(const stopped *s) {
  const cl_movement *m = s->m;
  candidate first = {.of = NULL};
  double most = 0;
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    if (t->told.known || !is_entered(s, t)) continue;
    if (first.of && t->slot > first.of->slot) continue;
    candidate c = best_of(s, (choice){.asked = t});
    if (!c.of) continue;
    double into = -cl_vec_dot(s->way, c.of->touch.n[c.k]);
    bool before = !first.of || t->slot < first.of->slot || into > most ||
                  (into == most && t->touch.value < first.of->touch.value);
    if (!before) continue;
    first = c;
    most = into;
  }
  return first;
}

// Asks for the response to a face of something touched.
static void ask(const stopped *s, const candidate *c) {
  cl_vec n = c->of->touch.n[c->k];
  cl_move_ask about = {s->mover->slot, c->of->slot, n.x, n.y, c->of->touch.value, false};
  cl_move_ask_now(s->m, &about);
}

// Of the actors to be pushed, the first by x, then y, then adding.
static uint32_t first_pushed(const stopped *s) {
  const cl_movement *m = s->m;
  uint32_t first = CL_NOBODY;
  cl_placed at = {.x = 0};
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    if (!t->told.known || t->told.response != CL_RESPONSE_PUSH || !is_entered(s, t)) continue;
    cl_placed placed = cl_move_placed(m, t->slot);
    bool before = placed.x != at.x   ? placed.x < at.x
                  : placed.y != at.y ? placed.y < at.y
                                     : t->slot < first;
    if (first != CL_NOBODY && !before) continue;
    first = t->slot;
    at = placed;
  }
  return first;
}

// How far the mover has to be lifted off a face. Sweeps keep thin shapes apart from it by a gap; a
// smaller gap, beyond rounding, is restored, since otherwise a corner beside the face would stop
// them.
static double lift_of(const cl_touch *t, int k) {
  double gap = t->gap[k];
  return gap < 0.75 * t->apart ? t->apart - gap : cl_max(-gap, 0);
}

static void take(const candidate *c, cl_surfaces *out) {
  const cl_move_touch *of = c->of;
  const cl_touch *t = &of->touch;
  out->at[out->count++] = (cl_surface){.hit = {.slot = of->slot,
                                               .normal = t->n[c->k],
                                               .point = {t->x, t->y},
                                               .column = t->column,
                                               .row = t->row,
                                               .value = t->value,
                                               .response = of->told.response},
                                       .lift = lift_of(t, c->k),
                                       .near = of->near,
                                       .pushed = of->told.pushed};
}

// Whether the mover slides along a face from which the surface bends up by less than a degree.
static bool goes_along_another(const stopped *s, cl_vec n) {
  for (size_t i = 0; i < s->m->touches; i++) {
    const cl_touch *t = &s->m->touched[i].touch;
    for (int k = 0; k < t->faces; k++)
      if (leads_along(s, t->n[k]) && cl_vec_dot(t->n[k], n) > CL_MOVE_ONE_DEGREE) return true;
  }
  return false;
}

// The response that takes precedence among the touches that the way enters.
static uint8_t first_response(const stopped *s) {
  static const uint8_t order[] = {CL_RESPONSE_TOUCH, CL_RESPONSE_BOUNCE, CL_RESPONSE_PUSH,
                                  CL_RESPONSE_SLIDE};
  for (size_t i = 0; i < sizeof order; i++)
    for (size_t k = 0; k < s->m->touches; k++) {
      const cl_move_touch *t = &s->m->touched[k];
      if (t->told.known && t->told.response == order[i] && is_entered(s, t)) return order[i];
    }
  return CL_RESPONSE_NONE;
}

// The nearest of the faces, if all look the same way and have the same response, as in a row of
// boxes.
static candidate only_face(const cl_movement *m) {
  candidate best = {.of = NULL};
  const cl_move_touch *first = &m->touched[0];
  for (size_t i = 0; i < m->touches; i++) {
    const cl_move_touch *t = &m->touched[i];
    bool same = t->touch.faces == 1 && t->told.known && t->told.response == first->told.response &&
                t->touch.n[0].x == first->touch.n[0].x && t->touch.n[0].y == first->touch.n[0].y;
    if (!same || t->told.response == CL_RESPONSE_PUSH) return (candidate){.of = NULL};
    candidate c = {.of = t, .free = true};
    if (is_better(&c, &best)) best = c;
  }
  return best;
}

static void choose(const stopped *s, cl_surfaces *out) {
  candidate only = only_face(s->m);
  if (only.of) {
    take(&only, out);
    out->slides = only.of->told.response == CL_RESPONSE_SLIDE;
    return;
  }
  choice among = {.response = first_response(s)};
  bool slides = among.response == CL_RESPONSE_SLIDE;
  if (among.response == CL_RESPONSE_NONE) return;
  if (among.response == CL_RESPONSE_PUSH) among.pushed = first_pushed(s);
  candidate best = best_of(s, among);
  if (!best.of) return;
  take(&best, out);
  out->slides = slides && best.free && best.far > 0;
  out->along = out->slides && goes_along_another(s, best.of->touch.n[best.k]);
  if (!slides || out->slides || !best.free) return;
  // A part that is only flush with the one that stops the mover is named only if it has to be.
  among.beside = &best;
  among.entered = true;
  candidate other = best_of(s, among);
  among.entered = false;
  if (!other.of) other = best_of(s, among);
  if (other.of) take(&other, out);
}

// Takes the face that the way leads along and that the mover has to be lifted off, if there is one.
// Lifted off it, the mover is not stopped by the corner of the next face.
static bool graze(const stopped *s, cl_surfaces *out) {
  candidate best = {.of = NULL};
  for (size_t i = 0; i < s->m->touches; i++) {
    const cl_move_touch *t = &s->m->touched[i];
    for (int k = 0; k < t->touch.faces; k++) {
      candidate c = {.of = t, .k = k};
      bool along = leads_along(s, t->touch.n[k]) && t->touch.stops[k];
      if (along && lift_of(&t->touch, k) > 0 && is_better(&c, &best)) best = c;
    }
  }
  if (best.of) take(&best, out);
  return best.of;
}

// The surface where there is only one.
static void take_lone(const stopped *s, const cl_meeting *met, cl_surfaces *out) {
  cl_movement *m = s->m;
  add_met(m, s->mover, met);
  if (m->touches == 0) return;
  candidate c = {.of = &m->touched[0]};
  if (!c.of->told.known) ask(s, &c);
  take(&c, out);
  out->slides = c.of->told.response == CL_RESPONSE_SLIDE;
}

void cl_move_surfaces(cl_movement *m, const cl_body *mover, cl_vec at, cl_vec way,
                      const cl_meeting *met, cl_surfaces *out) {
  stopped s = {m, mover, at, way, way, cl_vec_length(way)};
  cl_vec_normalise(&s.ahead);
  out->count = 0;
  out->lone = is_lone(m, mover, met, at);
  out->slides = out->along = out->grazes = false;
  m->touches = 0;
  if (out->lone) {
    take_lone(&s, met, out);
    return;
  }
  find_touched(m, mover, at);
  bool entered = false;
  for (size_t i = 0; i < m->touches && !entered; i++) entered = is_entered(&s, &m->touched[i]);
  out->grazes = !entered && graze(&s, out);
  if (out->grazes) return;
  if (!entered && !enter_between(&s)) add_met(m, mover, met);
  candidate unknown = first_unknown(&s);
  if (unknown.of) ask(&s, &unknown);
  else choose(&s, out);
}

// ---- where the mover fits

// Steps of a search back on the way: the number of bits of a double.
enum { HALVINGS = 54 };

// Whether the mover fits at a place; never when the steps are used up. The host, if there is a
// responder, is asked about everything that the mover overlaps there, in any order.
static bool fits_exactly(cl_movement *m, const cl_body *mover, cl_vec at) {
  if (cl_move_is_over(m, 1) || !cl_place_ok(at)) return false;
  bool blocked = false;
  cl_placed there;
  cl_bounds box = cl_body_at(mover, at, &there);
  for (cl_move_run r = {0}; (!blocked || m->def.responder) && cl_move_next_at(m, box, &r);)
    blocked |= cl_move_blocks(m, mover, &there, r.from);
  return !blocked && !m->gave_up && !m->halted;
}

// A constraint: a place has to be pushed by at least `by` along the unit vector n to be free.
typedef struct pressure {
  cl_vec n;
  double by;
} pressure;

// Normals closer to each other than this are of one surface, which may be round.
static const double SAME = 1e-12;

// In a wedge the way out of both sides is longer than the way out of each. LONGEST: by up to this
// factor of the distance that counts as touching, for wedges of one degree and more.
enum { MOST_PRESSURES = 8, LONGEST = 128 };

static bool obeys(cl_vec push, const pressure *p, int count) {
  double rounding = 1e-9 * cl_vec_length(push);
  for (int i = 0; i < count; i++)
    if (cl_vec_dot(push, p[i].n) < p[i].by - rounding) return false;
  return true;
}

// The shortest push that obeys all pressures. False if there is none.
static bool relieve(const pressure *p, int count, cl_vec *push) {
  double best = INFINITY;
  for (int i = 0; i < count; i++) {
    for (int k = i; k < count; k++) {
      cl_vec a = p[i].n, b = p[k].n, v = cl_vec_mul(a, p[i].by);
      double det = cl_vec_cross(a, b);
      if (i != k && det == 0) continue;
      if (i != k)
        v = (cl_vec){(p[i].by * b.y - p[k].by * a.y) / det, (a.x * p[k].by - b.x * p[i].by) / det};
      double length = cl_vec_length(v);
      if (length > best || !obeys(v, p, count)) continue;
      if (length == best && !cl_vec_goes_first(v, *push)) continue;
      best = length;
      *push = v;
    }
  }
  return best < INFINITY;
}

// False if there are too many.
static bool add_pressure(pressure *p, int *count, cl_vec n, double by) {
  for (int i = 0; i < *count; i++) {
    if (cl_vec_dot(p[i].n, n) < 1 - SAME) continue;
    if (by > p[i].by || (by == p[i].by && cl_vec_goes_first(n, p[i].n))) p[i] = (pressure){n, by};
    return true;
  }
  if (*count == MOST_PRESSURES) return false;
  p[(*count)++] = (pressure){n, by};
  return true;
}

// The face of a corner that the mover is lifted off: the one that it is farther outside of; else
// the one that its way leads along.
static int outer_face(const cl_touch *t, cl_vec way) {
  if (t->gap[0] != t->gap[1]) return t->gap[1] > t->gap[0];
  double first = cl_vec_dot(t->n[0], way), second = cl_vec_dot(t->n[1], way);
  return first != second ? second > first : cl_vec_goes_first(t->n[1], t->n[0]);
}

// Lifts the mover off all faces that it touches at `from`, by a little more each time, until it
// fits. At a corner one face is enough. Returns whether it fits.
static bool lift(cl_movement *m, const cl_body *mover, cl_vec from, cl_vec *to) {
  pressure p[MOST_PRESSURES];
  double touch = 0;
  for (size_t i = 0; i < m->touches; i++)
    if (m->touched[i].told.known) touch = cl_max(touch, m->near[m->touched[i].near].touch);
  for (double share = 0x1p-10; share < 1; share *= 8) {
    int count = 0;
    cl_vec push = {0, 0};
    for (size_t i = 0; i < m->touches; i++) {
      const cl_touch *t = &m->touched[i].touch;
      if (!m->touched[i].told.known) continue;
      int k = outer_face(t, mover->left);
      double by = cl_max(share * touch - t->gap[k], 0);
      if (!add_pressure(p, &count, t->n[k], by)) break;
    }
    if (!relieve(p, count, &push) || cl_vec_length(push) > LONGEST * touch) return false;
    *to = cl_vec_add(from, push);
    if (fits_exactly(m, mover, *to)) return true;
  }
  return false;
}

// Whether the mover fits at `to`, or beside it: then `to` is there.
static bool fits_beside(cl_movement *m, const cl_body *mover, cl_vec *to) {
  if (fits_exactly(m, mover, *to)) return true;
  if (cl_move_is_over(m, 1)) return false;
  find_touched(m, mover, *to);
  return lift(m, mover, *to, to);
}

// The last free place on the way from the mover's place. Returns what it would overlap beyond.
static cl_overlapped search_back(cl_movement *m, cl_body *mover, cl_vec to) {
  cl_vec from = cl_body_place(mover), best = from, way = cl_vec_sub(to, from);
  double low = 0, high = 1;
  for (int i = 0; i < HALVINGS && !cl_move_is_over(m, 1); i++) {
    double t = (low + high) / 2;
    cl_vec at = cl_vec_add(from, cl_vec_mul(way, t));
    if (fits_beside(m, mover, &at)) low = t, best = at;
    else high = t;
  }
  cl_vec beyond = cl_vec_add(from, cl_vec_mul(way, high));
  cl_overlapped blocked = {.hit.depth = -1};
  if (!cl_move_is_over(m, 1)) blocked = cl_move_overlapped(m, mover, beyond, false);
  if (!m->halted) mover->placed.x = best.x, mover->placed.y = best.y;
  return blocked;
}

// Rounding leaves a place within the skin of where it should be.
cl_overlapped cl_move_settle(cl_movement *m, cl_body *mover, cl_vec to, const cl_vec *touched) {
  cl_vec at = to;
  bool fits = touched ? fits_exactly(m, mover, to) || lift(m, mover, *touched, &at)
                      : fits_beside(m, mover, &at);
  if (!fits) return search_back(m, mover, to);
  mover->placed.x = at.x, mover->placed.y = at.y;
  return (cl_overlapped){.hit.depth = -1};
}
