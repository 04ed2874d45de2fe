// collide, MIT licence (see LICENSE)
//
// Which of the faces that a mover touches at one moment it responds to. Layer: world.
//
// Each part that it touches blocks the directions that lead into it: those of a half-plane or, at a
// corner, of a wedge. The union of the obstacles has only those faces along which the mover could
// go without being blocked by another part: a face that is covered by a flush neighbour is none.
// Of these the way follows the one that it leads along most. Nothing here depends on the order of
// the obstacles.

#include "world/move.h"

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

// ---- where the mover fits

// Steps of a search back on the way: the number of bits of a double.
enum { HALVINGS = 54 };

// A mover at some place, and its bounds there.
static cl_bounds place_mover(const cl_move_body *mover, cl_vec at, cl_placed *placed) {
  *placed = mover->placed;
  placed->x = at.x;
  placed->y = at.y;
  return mover->is_box ? cl_bounds_moved(mover->local, at) : cl_placed_bounds(placed);
}

// Whether anything stops the mover at some place. Where the host is asked, it is asked about all
// that the mover overlaps there, whatever their order.
static cl_going is_blocked(cl_world *world, const cl_move_body *mover, cl_vec at, bool *blocked) {
  const cl_movement *m = world->movement;
  cl_placed there;
  cl_bounds box = place_mover(mover, at, &there);
  cl_going going = CL_GO;
  *blocked = false;
  for (size_t i = 0, end; i < m->nears && going == CL_GO; i = end) {
    if (*blocked && !m->def.asks) break;
    bool one = false;
    end = cl_move_run_end(m, i);
    if (cl_move_may_overlap(m, box, i, end)) going = cl_move_blocks(world, mover, &there, i, &one);
    *blocked = *blocked || one;
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

// Whether the mover fits at a place. None does when the steps are used up.
static cl_going try_exactly(cl_world *world, const cl_move_body *mover, cl_vec at, bool *fits) {
  bool blocked = false;
  *fits = false;
  if (cl_move_is_tired(world->movement, 1) || !cl_move_is_in_range(at)) return CL_GO;
  cl_going going = is_blocked(world, mover, at, &blocked);
  *fits = going == CL_GO && !blocked && !world->movement->gave_up;
  return going;
}

// What a place has to be pushed by to be free: at least `by` along the unit vector n.
typedef struct pressure {
  cl_vec n;
  double by;
} pressure;

// Normals closer to each other than this are of one surface, which may be round.
static const double SAME = 1e-12;

// In a wedge the way out of both sides is longer than that out of each: up to so many times the
// distance that counts as touching, for wedges of one degree and more.
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

// The face of a corner off which the mover is lifted: the one that it is farther outside of; else
// the one that its way leads along.
static int outer_face(const cl_touch *t, cl_vec way) {
  if (t->gap[0] != t->gap[1]) return t->gap[1] > t->gap[0];
  double first = cl_vec_dot(t->n[0], way), second = cl_vec_dot(t->n[1], way);
  return first != second ? second > first : cl_vec_goes_first(t->n[1], t->n[0]);
}

// Lifts the mover off all faces that it touches at `from`, as they were found there, by a little
// more each time. At a corner one face is enough.
static cl_going lift(cl_world *world, const cl_move_body *mover, cl_vec from, cl_vec *to,
                     bool *fits) {
  const cl_movement *m = world->movement;
  pressure p[MOST_PRESSURES];
  cl_going going = CL_GO;
  double touch = 0;
  for (size_t i = 0; i < m->touches; i++)
    if (m->touched[i].known) touch = cl_max(touch, m->near[m->touched[i].near].touch);
  for (double share = 0x1p-10; going == CL_GO && share < 1 && !*fits; share *= 8) {
    int count = 0;
    cl_vec push = {0, 0};
    for (size_t i = 0; i < m->touches; i++) {
      const cl_touch *t = &m->touched[i].touch;
      if (!m->touched[i].known) continue;
      int k = outer_face(t, mover->left);
      double by = cl_max(share * touch - t->gap[k], 0);
      if (!add_pressure(p, &count, t->n[k], by)) break;
    }
    if (!relieve(p, count, &push) || cl_vec_length(push) > LONGEST * touch) break;
    *to = cl_vec_add(from, push);
    going = try_exactly(world, mover, *to, fits);
  }
  return going;
}

// Whether the mover fits at `to`, or beside it: then `to` is there.
static cl_going try_place(cl_world *world, const cl_move_body *mover, cl_vec *to, bool *fits) {
  cl_going going = try_exactly(world, mover, *to, fits);
  if (going != CL_GO || *fits || cl_move_is_tired(world->movement, 1)) return going;
  going = cl_move_find_touched(world, mover, *to);
  return going == CL_GO ? lift(world, mover, *to, to, fits) : going;
}

// The last free place on the way from the mover's place, and what it would overlap beyond.
static cl_going search_back(cl_world *world, cl_move_body *mover, cl_vec to,
                            cl_overlapped *blocked) {
  cl_vec from = {mover->placed.x, mover->placed.y}, best = from, way = cl_vec_sub(to, from);
  double low = 0, high = 1;
  for (int i = 0; i < HALVINGS && !cl_move_is_tired(world->movement, 1); i++) {
    double t = (low + high) / 2;
    cl_vec at = cl_vec_add(from, cl_vec_mul(way, t));
    bool fits;
    cl_going going = try_place(world, mover, &at, &fits);
    if (going != CL_GO) return going;
    if (fits) low = t, best = at;
    else high = t;
  }
  cl_going going = CL_GO;
  if (!cl_move_is_tired(world->movement, 1))
    going = cl_move_overlapped(world, mover, cl_vec_add(from, cl_vec_mul(way, high)), blocked);
  if (going != CL_GO) return going;
  mover->placed.x = best.x;
  mover->placed.y = best.y;
  return CL_GO;
}

// Rounding leaves a place within the skin of where it should be.
cl_going cl_move_settle(cl_world *world, cl_move_body *mover, cl_vec to, const cl_vec *touched,
                        cl_overlapped *blocked) {
  cl_vec at = to;
  bool fits;
  blocked->hit.depth = -1;
  cl_going going = CL_GO;
  if (touched) {
    going = try_exactly(world, mover, to, &fits);
    if (going == CL_GO && !fits) going = lift(world, mover, *touched, &at, &fits);
  } else {
    going = try_place(world, mover, &at, &fits);
  }
  if (going != CL_GO) return going;
  if (!fits) return search_back(world, mover, to, blocked);
  mover->placed.x = at.x;
  mover->placed.y = at.y;
  return CL_GO;
}
