// collide, MIT licence (see LICENSE)
//
// How one moving convex part meets another. Layer: narrow.

#include "narrow/convex_cast.h"

#include "base/exact.h"
#include "narrow/convex.h"

// Where the motion enters and leaves the set of translations at which the parts touch, an
// intersection of half-planes; low and high are bounds that include the error.
typedef struct interval {
  double error, slow; // of a separation; rates below `slow` count as none
  double enter, enter_low, enter_high, leave_low, leave_high;
  double outline; // like `enter`, without edges made by cuts
  double rate;    // of `outline`, as the normal
  cl_vec normal;
  bool missed, unsure;
} interval;

// Clips with one half-plane: `gap` is the separation at the start along `n`, an outward normal of
// the part at rest, and `rate` how the motion changes it.
static void take_plane(interval *w, double gap, double rate, cl_vec n, bool inner) {
  if (fabs(rate) <= w->slow) {
    if (gap > w->error) w->missed = true;
    if (gap >= -w->error) w->unsure = true;
    return;
  }
  double t = -gap / rate, slip = w->error / fabs(rate);
  if (rate > 0) {
    w->leave_low = cl_min(w->leave_low, t - slip);
    w->leave_high = cl_min(w->leave_high, t + slip);
    return;
  }
  w->enter = cl_max(w->enter, t);
  w->enter_low = cl_max(w->enter_low, t - slip);
  w->enter_high = cl_max(w->enter_high, t + slip);
  if (inner || t < w->outline) return;
  // Of edges entered together, the one that faces the motion most directly.
  bool faces = t > w->outline || rate < w->rate;
  if (faces || (rate == w->rate && cl_vec_goes_first(n, w->normal)))
    w->outline = t, w->rate = rate, w->normal = n;
}

static bool is_inner(const cl_convex *c, int i) {
  return c->placed->shape->inner[c->part->first + (uint32_t)i] != 0;
}

// The half-planes of the edges of `c` (the part at rest, or with `moves` the moving one) against
// `o`.
static void take_edges(interval *w, const cl_convex *c, const cl_convex *o, cl_vec d, bool moves) {
  double r = c->r + o->r;
  int at = 0;
  for (int i = 0; i < c->n && c->n > 1 && !w->missed; i++) {
    cl_vec n = cl_convex_normal(c, i), back = {-n.x, -n.y};
    at = cl_convex_support_near(o, back, at);
    double gap = (cl_vec_dot(n, cl_convex_vertex(o, at)) - cl_convex_end(c, i)) - r;
    double rate = cl_vec_dot(n, d);
    take_plane(w, gap, moves ? -rate : rate, moves ? back : n, is_inner(c, i));
    if (c->n > 2) continue;
    // The ends of a flat part: end-on, its edges give no information.
    cl_vec e = {-n.y, n.x}, f = {n.y, -n.x}, tip = cl_convex_vertex(c, 1 - i);
    gap = (cl_convex_least(o, e) - cl_vec_dot(tip, e)) - r;
    rate = cl_vec_dot(e, d);
    take_plane(w, gap, moves ? -rate : rate, moves ? f : e, false);
  }
}

static bool decide(const cl_convex_cast *m, bool touching) {
  const cl_part *q = m->q.part;
  const cl_vec none = {0, 0};
  if (!m->ray) return cl_exact_overlap(m->a, m->p.part, m->d, m->b, q, touching);
  cl_placed ray = {&m->ray->shape, 0, 0, {1, 0}};
  return cl_exact_overlap(&ray, &m->ray->part, none, m->b, q, touching);
}

// Whether the motion touches or, when strict, enters; for the cases that rounding leaves open. A
// flat part cannot be entered, only crossed from farther away.
static bool reaches(const cl_convex_cast *m) {
  bool flat = m->p.n + m->q.n <= 3 && m->p.r + m->q.r == 0;
  if (!m->strict || !flat) return decide(m, !m->strict);
  const cl_vec still = {0, 0};
  return decide(m, true) && !cl_exact_overlap(m->a, m->p.part, still, m->b, m->q.part, true);
}

cl_closest cl_convex_cast_at(const cl_convex_cast *m, double t, double *separation) {
  cl_vec origin = {m->a->x, m->a->y};
  cl_convex moved;
  cl_convex_room room;
  cl_convex_place_in(m->a, m->i, cl_vec_sub(origin, cl_vec_mul(m->d, t)), &room, &moved);
  cl_axis axis = cl_convex_axis_moving(&moved, &m->q, DBL_MAX, m->d);
  *separation = axis.separation;
  return cl_convex_closest(&moved, &m->q, &axis);
}

// Round parts: from a time that is not too late, by Newton's method on the distance. The distance
// is convex in t, so no step overshoots. Near a graze steps get short, and the exact decision ends
// them.
static bool approach(cl_convex_cast *m, double *t, cl_vec *normal) {
  double r = m->p.r + m->q.r, length = cl_vec_length(m->d), separation;
  for (int steps = 0; steps < 64; steps++) {
    cl_closest c = cl_convex_cast_at(m, *t, &separation);
    double gap = c.distance - r, rate = cl_vec_dot(c.normal, m->d);
    *normal = (cl_vec){-c.normal.x, -c.normal.y};
    if (gap > m->error) {
      if (rate <= 0) return false;
      *t += gap / rate;
      if (*t <= 1) continue;
      *t = 1;
      cl_closest end = cl_convex_cast_at(m, 1, &separation);
      return end.distance - r <= m->error && reaches(m);
    }
    // A round front that arrives at an angle enters by about half its square.
    double share = rate / length;
    bool sure = rate > 0 && r * share * share > 8 * m->error && *t + m->error / rate < 1;
    if (share > 1e-6) *t = cl_max(*t + gap / rate, 0); // the last bits
    return sure || reaches(m);
  }
  return reaches(m);
}

// Two circles: the first root of |q - p - t d| = r.
static bool approach_circle(cl_convex_cast *m, double *t, cl_vec *normal) {
  cl_vec v = cl_vec_sub(cl_convex_vertex(&m->q, 0), cl_convex_vertex(&m->p, 0));
  double r = m->p.r + m->q.r, a = cl_vec_dot(m->d, m->d), b = cl_vec_dot(v, m->d);
  double c = cl_vec_dot(v, v) - r * r, disc = b * b - a * c;
  double slip = CL_SQUARE_ERROR * (b * b + a * (cl_vec_dot(v, v) + r * r));
  if (b <= 0 || disc < -slip) return false;
  *t = cl_max(c, 0) / (b + sqrt(cl_max(disc, 0)));
  if (*t > 1 + 1e-9) return false;
  if ((disc < slip || *t > 1 - 1e-9) && !reaches(m)) return false;
  *t = cl_min(*t, 1);
  *normal = cl_vec_sub(cl_vec_mul(m->d, *t), v);
  cl_vec_normalise(normal);
  return true;
}

// When two parts first touch within the interval, and with which normal.
static bool touch(cl_convex_cast *m, const interval *w, double *t, cl_vec *normal) {
  *normal = w->normal;
  *t = cl_max(w->enter, 0);
  if (m->p.n + m->q.n == 2) return approach_circle(m, t, normal);
  if (m->p.r + m->q.r > 0) {
    *t = cl_max(w->enter_low, 0);
    return approach(m, t, normal);
  }
  return (!w->unsure && w->enter_high <= w->leave_low) || reaches(m);
}

bool cl_convex_cast_enters(cl_convex_cast *m) {
  m->strict = true;
  bool in = reaches(m);
  m->strict = false;
  return in;
}

double cl_convex_cast_error(const cl_convex_cast *m) {
  return cl_convex_error(&m->p, &m->q) + 8 * CL_ROUND * (fabs(m->d.x) + fabs(m->d.y));
}

bool cl_convex_cast_touch(cl_convex_cast *m, double before, cl_first_touch *out) {
  double length = fabs(m->d.x) + fabs(m->d.y);
  interval w = {.error = m->error, .slow = 8 * CL_ROUND * length, .enter = -DBL_MAX};
  w.leave_low = w.leave_high = 1;
  w.outline = -DBL_MAX;
  take_edges(&w, &m->q, &m->p, m->d, false);
  take_edges(&w, &m->p, &m->q, m->d, true);
  if (w.missed || w.enter_low > w.leave_high || w.enter_low > before) return false;
  if (!touch(m, &w, &out->t, &out->normal)) return false;
  out->outline = m->p.r + m->q.r > 0 || w.outline > -DBL_MAX;
  return true;
}
