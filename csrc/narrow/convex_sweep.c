// collide, MIT licence (see LICENSE)
//
// Sweeps of two convex parts. Layer: narrow.

#include "narrow/convex_sweep.h"

#include "narrow/convex.h"

// The set of translations at which the parts overlap by more than the skin, an intersection of
// half-planes: the motion is inside it from `enter` to `leave`. `outer` is where it enters the set
// at which they overlap at all, `far` the distance at the start; `inside` where it is well inside
// the plane that is entered last, and `before` where it is inside all others.
typedef struct interval {
  double enter, leave, outer, far, inside, before;
  double gap, rate; // of the plane that is entered last
  cl_vec normal;
  bool missed;
  bool exits; // only `leave` is asked for: the two overlap
} interval;

// Clips with one half-plane: `gap` is the separation at the start along `n`, an outward normal of
// the part at rest, and `rate` how the motion changes it.
static void take_plane(interval *w, const cl_convex_sweep *s, double gap, double rate, cl_vec n) {
  w->far = cl_max(w->far, gap);
  if (fabs(rate) <= s->slow) {
    w->missed |= !w->exits && gap >= -s->skin;
    return;
  }
  double t = -(gap + s->skin) / rate;
  if (rate > 0) {
    w->leave = cl_min(w->leave, t);
    return;
  }
  w->outer = cl_max(w->outer, -gap / rate);
  // Of planes entered together, the one that faces the motion most directly.
  bool last = t > w->enter || (t == w->enter && rate < w->rate) ||
              (t == w->enter && rate == w->rate && cl_vec_goes_first(n, w->normal));
  // Deeper, so that rounding does not hide a corner.
  double inside = -(gap + s->touch) / rate;
  w->before = cl_max(w->before, last ? w->inside : inside);
  if (!last) return;
  w->inside = inside;
  w->enter = t;
  w->gap = gap;
  w->rate = rate;
  w->normal = n;
}

// The half-planes of the edges of `c`, the part at rest, or with `moves` the moving one, against
// `o`.
static void take_edges(interval *w, const cl_convex_sweep *s, const cl_convex *c,
                       const cl_convex *o, bool moves) {
  double r = c->r + o->r, sign = moves ? -1 : 1;
  int at = 0;
  for (int i = 0; i < c->n && c->n > 1 && !w->missed; i++) {
    cl_vec n = cl_convex_normal(c, i);
    at = cl_convex_support_near(o, cl_vec_mul(n, -1), at);
    double line = c->line[i] + cl_vec_dot(n, c->from);
    double gap = (cl_vec_dot(n, cl_convex_vertex(o, at)) - line) - r;
    take_plane(w, s, gap, sign * cl_vec_dot(n, s->d), cl_vec_mul(n, sign));
    if (c->n > 2) continue;
    cl_vec e = {n.y, -n.x}, tip = cl_convex_vertex(c, i); // past the end
    gap = (cl_convex_least(o, e) - cl_vec_dot(tip, e)) - r;
    take_plane(w, s, gap, sign * cl_vec_dot(e, s->d), cl_vec_mul(e, sign));
  }
}

// Parts without interior have differences without interior, or differences so thin that a part
// without extent fits between two of them: they are kept apart by half of `touch`.
static bool is_thin(const cl_convex *p, const cl_convex *q) {
  return cl_part_is_thin(p->part) || (p->n <= 2 && q->n <= 2);
}

static cl_closest closest_at(const cl_convex_sweep *s, double t, double *separation) {
  cl_convex moved;
  cl_convex_room room;
  cl_vec origin = {s->a->x, s->a->y};
  cl_convex_place_in(s->a, s->i, cl_vec_sub(origin, cl_vec_mul(s->d, t)), &room, &moved);
  cl_axis axis = cl_convex_axis_moving(&moved, &s->q, DBL_MAX, s->d);
  *separation = axis.separation;
  return cl_convex_closest(&moved, &s->q, &axis);
}

static bool sweep_planes(const cl_convex_sweep *s, cl_sweep *out) {
  interval w = {.enter = -INFINITY, .leave = INFINITY, .outer = -INFINITY, .far = -INFINITY};
  w.inside = w.before = -INFINITY;
  take_edges(&w, s, &s->q, &s->p, false);
  take_edges(&w, s, &s->p, &s->q, true);
  if (w.missed || w.enter < 0 || w.enter > 1 || w.enter >= w.leave) return false;
  double separation, t = cl_max(w.outer, 0);
  // Past a corner the planes may be nearer than the parts.
  if (w.far <= s->touch && closest_at(s, 0, &separation).distance <= s->touch) t = 0;
  double gap = w.gap + w.rate * t;
  out->t = t;
  out->nx = w.normal.x + 0.0;
  out->ny = w.normal.y + 0.0;
  out->lift = gap < 0 ? -gap : 0;
  out->lone = w.before < t;
  return true;
}

// When the distance of the cores falls to r. It is convex in t, so no step overshoots.
static double approach(const cl_convex_sweep *s, double r, cl_vec *normal) {
  double t = 0, error = cl_convex_error(&s->p, &s->q), separation;
  for (int steps = 0; steps < 64; steps++) {
    cl_closest c = closest_at(s, t, &separation);
    double gap = c.distance - r, rate = cl_vec_dot(c.normal, s->d);
    *normal = cl_vec_mul(c.normal, -1);
    if (rate <= s->slow || (separation < -error && s->p.n + s->q.n > 3)) return INFINITY;
    if (gap <= error) return t;
    t += gap / rate;
    if (t > 1) return INFINITY;
  }
  return t;
}

// `apart` is the distance kept between the surfaces.
static bool sweep_round(const cl_convex_sweep *s, double apart, cl_sweep *out) {
  cl_vec normal, other;
  double separation, radii = s->p.r + s->q.r, r = radii + apart;
  if (approach(s, r - s->skin, &normal) > 1) return false;
  bool touched = closest_at(s, 0, &separation).distance - radii <= s->touch;
  double t = touched ? 0 : approach(s, r, &other);
  if (t > 1) return false;
  out->t = t;
  out->nx = normal.x + 0.0;
  out->ny = normal.y + 0.0;
  out->lift = 0;
  out->lone = apart == 0;
  return true;
}

// Of points on one surface the one that is deeper in it, then the one with the lower coordinates.
static bool is_lower(const cl_sweep *a, const cl_sweep *b) {
  if (a->lift != b->lift) return a->lift > b->lift;
  return a->x < b->x || (a->x == b->x && a->y < b->y);
}

bool cl_convex_sweep_stop(const cl_convex_sweep *s, cl_sweep *out) {
  double r = s->p.r + s->q.r;
  cl_sweep found = {.column = -1, .row = -1, .value = -1};
  bool stops;
  if (r <= s->touch && is_thin(&s->p, &s->q)) stops = sweep_round(s, s->touch / 2, &found);
  else if (r > s->touch) stops = sweep_round(s, 0, &found);
  else stops = sweep_planes(s, &found);
  if (!stops) return false;
  double against = found.nx * s->d.x + found.ny * s->d.y;
  double before = out->nx * s->d.x + out->ny * s->d.y;
  if (found.t > out->t || (found.t == out->t && against > before)) return false;
  bool equal = found.t == out->t && against == before;
  cl_vec n = {found.nx, found.ny}, known = {out->nx, out->ny};
  if (equal && cl_vec_goes_first(known, n)) return false;
  double separation;
  cl_closest c = closest_at(s, found.t, &separation);
  found.x = c.b.x - c.normal.x * s->q.r + s->a->x;
  found.y = c.b.y - c.normal.y * s->q.r + s->a->y;
  if (equal && !cl_vec_goes_first(n, known) && !is_lower(&found, out)) return false;
  *out = found;
  return true;
}

void cl_touch_add(cl_touch *w, cl_vec n, double gap) {
  if (w->faces == 0) {
    *w = (cl_touch){.n = {n, n}, .gap = {gap, gap}, .faces = 1, .stops = {true, true}};
    return;
  }
  double first = cl_vec_cross(w->n[0], n), second = cl_vec_cross(w->n[1], n);
  // Across a part that is thinner than the skin.
  for (int k = 0; k < w->faces; k++) {
    if ((k ? second : first) != 0 || cl_vec_dot(w->n[k], n) > 0) continue;
    if (gap > w->gap[k]) w->n[k] = n, w->gap[k] = gap;
    if (w->faces == 1) w->n[1] = w->n[0], w->gap[1] = w->gap[0];
    return;
  }
  int k = second > 0 && first >= 0 ? 1 : first < 0 && second <= 0 ? 0 : -1;
  if (k < 0) return;
  w->faces = 2;
  w->n[k] = n;
  w->gap[k] = gap;
}

// Takes the planes of the edges of `c` that are touched. False if they are farther apart.
static bool touch_edges(cl_touch *w, const cl_convex_sweep *s, const cl_convex *c,
                        const cl_convex *o, double sign) {
  double r = c->r + o->r;
  for (int i = 0; i < c->n && c->n > 1; i++) {
    cl_vec n = cl_convex_normal(c, i);
    cl_vec along = {n.y, -n.x}; // past the end of a segment
    double line = c->line[i] + cl_vec_dot(n, c->from);
    for (int k = 0; k < (c->n > 2 ? 1 : 2); k++) {
      if (k) n = along, line = cl_vec_dot(cl_convex_vertex(c, i), n);
      double gap = (cl_convex_least(o, n) - line) - r;
      if (gap > s->touch) return false;
      if (gap >= -s->skin) cl_touch_add(w, (cl_vec){sign * n.x + 0.0, sign * n.y + 0.0}, gap);
    }
  }
  return true;
}

void cl_convex_sweep_go(cl_convex_sweep *s, double t) {
  cl_vec origin = {s->a->x, s->a->y};
  cl_convex_place(s->a, s->i, cl_vec_sub(origin, cl_vec_mul(s->d, t)), &s->p);
}

// A round touch is at one normal. Motion that passes a corner no nearer than the skin is free.
static bool touch_round(const cl_convex_sweep *s, double r, cl_touch *out) {
  cl_axis axis = cl_convex_axis_moving(&s->p, &s->q, DBL_MAX, s->d);
  if (axis.separation < -cl_convex_error(&s->p, &s->q) && s->p.n + s->q.n > 3) return false;
  cl_closest c = cl_convex_closest(&s->p, &s->q, &axis);
  double gap = c.distance - r;
  if (gap > s->touch || gap < -s->skin || (c.normal.x == 0 && c.normal.y == 0)) return false;
  cl_touch_add(out, (cl_vec){-c.normal.x + 0.0, -c.normal.y + 0.0}, gap);
  if (c.corner && r > 0) out->slack = 2 * (cl_max(gap, 0) + s->skin) / r;
  out->x = c.b.x - c.normal.x * s->q.r + s->a->x;
  out->y = c.b.y - c.normal.y * s->q.r + s->a->y;
  return true;
}

bool cl_convex_touch(const cl_convex_sweep *s, cl_touch *out) {
  double r = s->p.r + s->q.r;
  out->faces = 0;
  if (r > s->touch || s->p.n + s->q.n == 2) return touch_round(s, r, out);
  if (!touch_edges(out, s, &s->q, &s->p, 1) || !touch_edges(out, s, &s->p, &s->q, -1)) return false;
  if (out->faces == 0) return false;
  cl_axis axis = cl_convex_axis_moving(&s->p, &s->q, DBL_MAX, s->d);
  cl_closest c = cl_convex_closest(&s->p, &s->q, &axis);
  // Past a corner the planes may be nearer than the parts.
  if (axis.separation > 0 && c.distance - r > s->touch) return false;
  if (is_thin(&s->p, &s->q)) out->apart = s->touch / 2;
  out->x = c.b.x - c.normal.x * s->q.r + s->a->x;
  out->y = c.b.y - c.normal.y * s->q.r + s->a->y;
  return true;
}

// How far two parts that overlap have to move apart along `u`.
double cl_convex_sweep_exit(const cl_convex *p, cl_vec u, const cl_convex *q, uint32_t i,
                            uint32_t k) {
  const cl_placed *a = p->placed, *b = q->placed;
  cl_convex_sweep s;
  cl_convex_room room;
  s.a = a;
  s.b = b;
  s.d = u;
  s.i = i;
  s.touch = s.skin = 0;
  s.slow = 32 * CL_ROUND;
  s.p = *p;
  s.q = *q;
  interval w = {.leave = INFINITY, .exits = true};
  take_edges(&w, &s, &s.q, &s.p, false);
  take_edges(&w, &s, &s.p, &s.q, true);
  double r = s.p.r + s.q.r;
  if (r == 0) return w.leave < INFINITY ? cl_max(w.leave, 0) : 0;
  // From where the two cannot overlap, back.
  cl_bounds one = cl_placed_part_bounds(a, i), two = cl_placed_part_bounds(b, k);
  double far = ((one.r - one.l) + (one.b - one.t)) + ((two.r - two.l) + (two.b - two.t));
  cl_placed away = *a;
  away.x += u.x * far, away.y += u.y * far;
  s.a = &away;
  s.d = cl_vec_mul(u, -far);
  s.slow *= far;
  cl_vec at = {away.x, away.y}, normal;
  cl_convex_place_in(&away, i, at, &room, &s.p);
  cl_convex_place_in(b, k, at, s.p.room ? NULL : &room, &s.q);
  double t = approach(&s, r, &normal);
  return t <= 1 ? far * (1 - t) : 0;
}
