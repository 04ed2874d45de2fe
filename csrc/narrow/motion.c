// collide, MIT licence (see LICENSE)
//
// One moving convex part against another at rest. Layer: narrow.

#include "narrow/motion.h"

#include "base/exact.h"

void cl_motion_begin(cl_convex_motion *m, const cl_placed *a, cl_vec d, const cl_placed *b) {
  m->a = a;
  m->b = b;
  m->d = d;
  m->i = UINT32_MAX;
}

bool cl_motion_place_a(cl_convex_motion *m, uint32_t i) {
  if (m->i == i) return false;
  cl_convex_place_in(m->a, m->i = i, (cl_vec){m->a->x, m->a->y}, &m->room, &m->p);
  return true;
}

void cl_motion_place_b(cl_convex_motion *m, uint32_t k) {
  cl_vec origin = {m->a->x, m->a->y};
  cl_convex_place_in(m->b, m->k = k, origin, m->p.room ? NULL : &m->room, &m->q);
}

cl_closest cl_motion_closest(const cl_convex_motion *m, double t, double *separation) {
  cl_vec origin = {m->a->x, m->a->y};
  cl_convex moved;
  cl_convex_room room;
  cl_convex_place_in(m->a, m->i, cl_vec_sub(origin, cl_vec_mul(m->d, t)), &room, &moved);
  cl_axis axis = cl_convex_axis_moving(&moved, &m->q, DBL_MAX, m->d);
  *separation = axis.separation;
  return cl_convex_closest(&moved, &m->q, &axis);
}

// ---- the two methods

// A half-plane of the translations at which two parts touch: the separation at the start along n,
// an outward normal of the part at rest, and how the motion changes it. `inner` if it belongs to an
// edge made by a cut.
typedef struct plane {
  double gap, rate;
  cl_vec n;
  bool inner;
} plane;

// Takes a plane into account; false if no more are needed.
typedef bool take_plane(void *to, const cl_convex_motion *m, const plane *p);

// How far along its normal n edge i is. Casts take the farther of its placed ends, since they
// report places on them. Sweeps compare parts that touch, so they take the line that all parts
// along a surface share.
CL_INLINE double edge_along(const cl_convex *c, int i, cl_vec n, bool of_ends) {
  if (!of_ends) return c->line[i] + cl_vec_dot(n, c->from);
  cl_vec v = cl_convex_vertex(c, i), w = cl_convex_vertex(c, cl_convex_next(c, i));
  return cl_max(cl_vec_dot(n, v), cl_vec_dot(n, w));
}

// The half-planes of the edges of the part at rest, then of the moving one, against the other.
CL_INLINE bool take_planes(const cl_convex_motion *m, bool of_ends, take_plane *take, void *to) {
  for (int moves = 0; moves < 2; moves++) {
    const cl_convex *c = moves ? &m->p : &m->q, *o = moves ? &m->q : &m->p;
    double r = c->r + o->r, sign = moves ? -1 : 1;
    for (int i = 0, at = 0; i < c->n && c->n > 1; i++) {
      cl_vec n = cl_convex_normal(c, i);
      at = cl_convex_support_near(o, cl_vec_mul(n, -1), at);
      double gap = (cl_vec_dot(n, cl_convex_vertex(o, at)) - edge_along(c, i, n, of_ends)) - r;
      bool inner = c->placed->shape->inner[c->part->first + (uint32_t)i] != 0;
      plane p = {gap, sign * cl_vec_dot(n, m->d), cl_vec_mul(n, sign), inner};
      if (!take(to, m, &p)) return false;
      if (c->n > 2) continue;
      // The end of a flat part: its edges say nothing about motion along it.
      cl_vec e = {n.y, -n.x}, tip = cl_convex_vertex(c, i);
      gap = (cl_convex_least(o, e) - cl_vec_dot(tip, e)) - r;
      p = (plane){gap, sign * cl_vec_dot(e, m->d), cl_vec_mul(e, sign), false};
      if (!take(to, m, &p)) return false;
    }
  }
  return true;
}

cl_arrival cl_approach(cl_look *look, const void *motion, double r, double error, double slow,
                       cl_distance_at *at) {
  enum { MOST_STEPS = 128 };
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    double gap = at->distance - r;
    if (gap <= error) return CL_ARRIVES;
    if (at->rate <= slow) return CL_PASSES;
    at->t += gap / at->rate;
    if (at->t > 1) return CL_ENDS;
    look(motion, at);
  }
  return CL_ARRIVES;
}

// The distance of the cores, for cl_approach. Cores that overlap come no nearer.
static void look_at(const void *motion, cl_distance_at *at) {
  const cl_convex_motion *m = motion;
  double separation;
  cl_closest c = cl_motion_closest(m, at->t, &separation);
  bool deep = separation < -cl_convex_error(&m->p, &m->q) && m->p.n + m->q.n > 3;
  at->distance = c.distance;
  at->rate = deep ? 0 : cl_vec_dot(c.normal, m->d);
  at->normal = cl_vec_mul(c.normal, -1);
}

// ---- casts

// Where the motion enters and leaves the set of translations at which the parts touch; low and high
// are bounds that include the error.
typedef struct cast_interval {
  double slow; // rates below it count as none
  double enter, enter_low, enter_high, leave_low, leave_high;
  double far;     // the largest separation at the start
  double outline; // like `enter`, without edges made by cuts
  double rate;    // of `outline`, as the normal
  cl_vec normal;
  bool missed, unsure;
} cast_interval;

CL_INLINE bool clip_cast(void *to, const cl_convex_motion *m, const plane *p) {
  cast_interval *w = to;
  w->far = cl_max(w->far, p->gap);
  if (fabs(p->rate) <= w->slow) {
    if (p->gap > m->error) w->missed = true;
    if (p->gap >= -m->error) w->unsure = true;
    return !w->missed;
  }
  double t = -p->gap / p->rate, slip = m->error / fabs(p->rate);
  if (p->rate > 0) {
    w->leave_low = cl_min(w->leave_low, t - slip);
    w->leave_high = cl_min(w->leave_high, t + slip);
    return true;
  }
  w->enter = cl_max(w->enter, t);
  w->enter_low = cl_max(w->enter_low, t - slip);
  w->enter_high = cl_max(w->enter_high, t + slip);
  bool last =
      t > w->outline || (t == w->outline && cl_faces_first(p->rate, p->n, w->rate, w->normal));
  if (last && !p->inner) w->outline = t, w->rate = p->rate, w->normal = p->n;
  return true;
}

static bool decide(const cl_convex_motion *m, bool touching) {
  const cl_part *q = m->q.part;
  const cl_vec none = {0, 0};
  if (!m->ray) return cl_exact_overlap(m->a, m->p.part, m->d, m->b, q, touching);
  cl_placed ray = {&m->ray->shape, 0, 0, {1, 0}};
  return cl_exact_overlap(&ray, &m->ray->part, none, m->b, q, touching);
}

// Whether the motion touches or, if strict, enters, for cases that rounding leaves open. A flat
// part cannot be entered, only crossed from farther away.
static bool reaches(const cl_convex_motion *m) {
  bool flat = m->p.n + m->q.n <= 3 && m->p.r + m->q.r == 0;
  if (!m->strict || !flat) return decide(m, !m->strict);
  const cl_vec still = {0, 0};
  return decide(m, true) && !cl_exact_overlap(m->a, m->p.part, still, m->b, m->q.part, true);
}

// Finds the touch of round parts, from a time that is not too late. Near a graze steps get short,
// and the exact decision ends them.
static bool approach_round(const cl_convex_motion *m, double *t, cl_vec *normal) {
  double r = m->p.r + m->q.r, length = cl_vec_length(m->d);
  cl_distance_at at = {.t = *t};
  look_at(m, &at);
  cl_arrival is = cl_approach(look_at, m, r, m->error, 0, &at);
  *t = at.t;
  *normal = at.normal;
  if (is == CL_PASSES) return false;
  if (is == CL_ENDS) {
    *t = at.t = 1;
    look_at(m, &at);
    return at.distance - r <= m->error && reaches(m);
  }
  // A round front that arrives at an angle enters by about half its square.
  double share = at.rate / length;
  bool sure = at.rate > 0 && r * share * share > 8 * m->error && at.t + m->error / at.rate < 1;
  if (share > 1e-6) *t = cl_max(at.t + (at.distance - r) / at.rate, 0); // the last bits
  return sure || reaches(m);
}

// A point that moves from 0, 0 along d to a circle about v: the first root of |v - t d| = r. With a
// verdict of doubt, it is right if they touch at all.
static cl_verdict reach_circle(cl_vec v, double r, cl_vec d, double *t, cl_vec *normal) {
  double a = cl_vec_dot(d, d), b = cl_vec_dot(v, d);
  double c = cl_vec_dot(v, v) - r * r, disc = b * b - a * c;
  double slip = CL_SQUARE_ERROR * (b * b + a * (cl_vec_dot(v, v) + r * r));
  if (b <= 0 || disc < -slip) return CL_APART;
  double root = cl_max(c, 0) / (b + sqrt(cl_max(disc, 0)));
  if (root > 1 + 1e-9) return CL_APART;
  *t = cl_min(root, 1);
  *normal = cl_vec_sub(cl_vec_mul(d, *t), v);
  cl_vec_normalise(normal);
  return disc < slip || root > 1 - 1e-9 ? CL_DOUBT : CL_HIT;
}

static bool approach_circle(const cl_convex_motion *m, double *t, cl_vec *normal) {
  cl_vec v = cl_vec_sub(cl_convex_vertex(&m->q, 0), cl_convex_vertex(&m->p, 0));
  cl_verdict is = reach_circle(v, m->p.r + m->q.r, m->d, t, normal);
  return is == CL_DOUBT ? reaches(m) : is == CL_HIT;
}

// When two parts first touch within the interval, and with which normal.
static bool touch_within(const cl_convex_motion *m, const cast_interval *w, double *t,
                         cl_vec *normal) {
  *normal = w->normal;
  *t = cl_max(w->enter, 0);
  if (m->p.n + m->q.n == 2) return approach_circle(m, t, normal);
  if (m->p.r + m->q.r > 0) {
    *t = cl_max(w->enter_low, 0);
    return approach_round(m, t, normal);
  }
  return (!w->unsure && w->enter_high <= w->leave_low) || reaches(m);
}

bool cl_motion_enters(cl_convex_motion *m) {
  m->strict = true;
  bool in = reaches(m);
  m->strict = false;
  return in;
}

// False if the parts certainly do not touch.
CL_INLINE bool clip_planes(cl_convex_motion *m, cast_interval *w) {
  *w = (cast_interval){.slow = 8 * CL_ROUND * (fabs(m->d.x) + fabs(m->d.y)), .enter = -DBL_MAX};
  w->leave_low = w->leave_high = 1;
  w->far = w->outline = -DBL_MAX;
  m->error = cl_convex_error(&m->p, &m->q) + w->slow;
  return take_planes(m, true, clip_cast, w) && w->enter_low <= w->leave_high;
}

// The moving point is the origin: all is relative to the start of the motion.
static void place_point(cl_convex *p, cl_vec at) {
  p->origin = at;
  p->n = 1;
  p->r = p->x[0] = p->y[0] = 0;
  p->size = fabs(at.x) + fabs(at.y);
}

// The circle is about v.
static cl_verdict ray_circle(cl_vec v, double r, cl_vec d, cl_first_touch *out) {
  double square = cl_vec_dot(v, v), r2 = r * r;
  if (square > r2 * (1 + CL_SQUARE_ERROR)) return reach_circle(v, r, d, &out->t, &out->normal);
  return square < r2 * (1 - CL_SQUARE_ERROR) && square > CL_SQUARE_LEAST ? CL_HIT : CL_DOUBT;
}

cl_verdict cl_motion_ray(cl_vec from, cl_vec d, const cl_placed *b, cl_first_touch *out) {
  const cl_part *part = b->shape->parts;
  cl_convex_motion m; // large: filled in as needed
  cast_interval w;
  *out = (cl_first_touch){0, {0, 0}, true};
  if (part->count == 1)
    return ray_circle(cl_vec_sub(cl_placed_vertex(b, part->first), from), part->radius, d, out);
  if (part->count == 2 || part->radius > 0) return CL_DOUBT;
  m.d = d;
  place_point(&m.p, from);
  cl_convex_place_in(b, 0, from, &m.room, &m.q);
  bool may = clip_planes(&m, &w);
  if (may && w.far < -m.error) return CL_HIT;
  if (!may || w.far <= m.error) return may ? CL_DOUBT : CL_APART;
  out->t = w.enter;
  out->normal = w.normal;
  return !w.unsure && w.enter_high <= w.leave_low && w.outline == w.enter ? CL_HIT : CL_DOUBT;
}

bool cl_motion_meets(cl_convex_motion *m, cl_first_touch *out) {
  cast_interval w;
  if (!clip_planes(m, &w)) return false;
  if (!touch_within(m, &w, &out->t, &out->normal)) return false;
  out->outline = m->p.r + m->q.r > 0 || w.outline > -DBL_MAX;
  return true;
}

// ---- sweeps

// The motion is inside the set of translations at which the parts overlap by more than the skin
// from `enter` to `leave`. `outer` is where it enters the set at which they overlap at all, `far`
// the distance at the start; `inside` where it is well inside the last plane entered, and `before`
// where it is inside all others.
typedef struct sweep_interval {
  double enter, leave, outer, far, inside, before;
  plane last; // that is entered last
} sweep_interval;

CL_INLINE bool clip_sweep(void *to, const cl_convex_motion *m, const plane *p) {
  sweep_interval *w = to;
  w->far = cl_max(w->far, p->gap);
  if (fabs(p->rate) <= m->slow) return p->gap < -m->skin;
  double t = -(p->gap + m->skin) / p->rate;
  if (p->rate > 0) {
    w->leave = cl_min(w->leave, t);
    return true;
  }
  w->outer = cl_max(w->outer, -p->gap / p->rate);
  bool last =
      t > w->enter || (t == w->enter && cl_faces_first(p->rate, p->n, w->last.rate, w->last.n));
  // Deeper, so that rounding does not hide a corner.
  double inside = -(p->gap + m->touch) / p->rate;
  w->before = cl_max(w->before, last ? w->inside : inside);
  if (!last) return true;
  w->inside = inside;
  w->enter = t;
  w->last = *p;
  return true;
}

// Parts without interior have Minkowski differences without interior, or so thin that a part
// without extent fits between two of them. So such parts are kept apart by half of `touch`.
static bool is_thin(const cl_convex *p, const cl_convex *q) {
  return cl_part_is_thin(p->part) || (p->n <= 2 && q->n <= 2);
}

static bool sweep_planes(const cl_convex_motion *m, cl_sweep *out) {
  sweep_interval w = {.enter = -INFINITY, .leave = INFINITY, .outer = -INFINITY, .far = -INFINITY};
  w.inside = w.before = -INFINITY;
  if (!take_planes(m, false, clip_sweep, &w)) return false;
  if (w.enter < 0 || w.enter > 1 || w.enter >= w.leave) return false;
  double separation, t = cl_max(w.outer, 0);
  // Past a corner the planes may be nearer than the parts.
  if (w.far <= m->touch && cl_motion_closest(m, 0, &separation).distance <= m->touch) t = 0;
  double gap = w.last.gap + w.last.rate * t;
  out->t = t;
  out->nx = w.last.n.x + 0.0;
  out->ny = w.last.n.y + 0.0;
  out->lift = gap < 0 ? -gap : 0;
  out->lone = w.before < t;
  return true;
}

// Goes on to when the distance of the cores falls to r; false if it does not.
static bool falls_to(const cl_convex_motion *m, double r, cl_distance_at *at) {
  cl_arrival is = cl_approach(look_at, m, r, cl_convex_error(&m->p, &m->q), m->slow, at);
  return is == CL_ARRIVES && at->rate > m->slow;
}

// False for a plane that lies between the parts if the motion does not lead into it.
CL_INLINE bool leads_into(void *none, const cl_convex_motion *m, const plane *p) {
  (void)none;
  return p->gap < -m->skin || p->rate < -m->slow;
}

// `apart` is the distance kept between the surfaces. If thin parts touch at the start, several
// normals may be right, and rounding would choose one. So they do not meet if the motion leads
// along some plane between them, or away from it.
static bool sweep_round(const cl_convex_motion *m, double apart, cl_sweep *out) {
  double radii = m->p.r + m->q.r, r = radii + apart;
  cl_distance_at start = {.t = 0};
  look_at(m, &start);
  cl_distance_at in = start, touched = start;
  if (!falls_to(m, r - m->skin, &in)) return false;
  if (apart > 0 && in.t == 0 && !take_planes(m, false, leads_into, NULL)) return false;
  if (start.distance - radii > m->touch && !falls_to(m, r, &touched)) return false;
  out->t = touched.t;
  out->nx = in.normal.x + 0.0;
  out->ny = in.normal.y + 0.0;
  out->lift = 0;
  out->lone = apart == 0;
  return true;
}

// The order of points on one surface: the deeper first, then the one with the lower coordinates.
static bool stops_lower(const cl_sweep *a, const cl_sweep *b) {
  if (a->lift != b->lift) return a->lift > b->lift;
  return a->x < b->x || (a->x == b->x && a->y < b->y);
}

bool cl_motion_stop(const cl_convex_motion *m, cl_sweep *out) {
  double r = m->p.r + m->q.r;
  cl_sweep found = {.column = -1, .row = -1, .value = -1};
  bool stops;
  if (r <= m->touch && is_thin(&m->p, &m->q)) stops = sweep_round(m, m->touch / 2, &found);
  else if (r > m->touch) stops = sweep_round(m, 0, &found);
  else stops = sweep_planes(m, &found);
  if (!stops) return false;
  double against = found.nx * m->d.x + found.ny * m->d.y;
  double before = out->nx * m->d.x + out->ny * m->d.y;
  if (found.t > out->t || (found.t == out->t && against > before)) return false;
  bool equal = found.t == out->t && against == before;
  cl_vec n = {found.nx, found.ny}, known = {out->nx, out->ny};
  if (equal && cl_vec_goes_first(known, n)) return false;
  double separation;
  cl_closest c = cl_motion_closest(m, found.t, &separation);
  cl_vec at = cl_motion_point(m, &c);
  found.x = at.x, found.y = at.y;
  if (equal && !cl_vec_goes_first(n, known) && !stops_lower(&found, out)) return false;
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

// Takes the planes that are touched. If any plane is farther away, nothing is touched.
CL_INLINE bool add_touched(void *to, const cl_convex_motion *m, const plane *p) {
  if (p->gap > m->touch) return false;
  if (p->gap >= -m->skin) cl_touch_add(to, (cl_vec){p->n.x + 0.0, p->n.y + 0.0}, p->gap);
  return true;
}

// A round touch has one normal. Motion that passes a corner no nearer than the skin is free.
static bool touch_round(const cl_convex_motion *m, const cl_closest *c, cl_touch *out) {
  double r = m->p.r + m->q.r, gap = c->distance - r;
  if (gap > m->touch || gap < -m->skin || (c->normal.x == 0 && c->normal.y == 0)) return false;
  cl_touch_add(out, (cl_vec){-c->normal.x + 0.0, -c->normal.y + 0.0}, gap);
  if (c->corner && r > 0) out->slack = 2 * (cl_max(gap, 0) + m->skin) / r;
  return true;
}

bool cl_motion_touch(const cl_convex_motion *m, cl_touch *out) {
  double r = m->p.r + m->q.r, error = cl_convex_error(&m->p, &m->q);
  bool is_round = r > m->touch || m->p.n + m->q.n == 2;
  out->faces = 0;
  if (!is_round && (!take_planes(m, false, add_touched, out) || out->faces == 0)) return false;
  cl_axis axis = cl_convex_axis_moving(&m->p, &m->q, DBL_MAX, m->d);
  if (is_round && axis.separation < -error && m->p.n + m->q.n > 3) return false;
  cl_closest c = cl_convex_closest(&m->p, &m->q, &axis);
  if (is_round && !touch_round(m, &c, out)) return false;
  // Past a corner the planes may be nearer than the parts.
  if (!is_round && axis.separation > 0 && c.distance - r > m->touch) return false;
  if (!is_round && is_thin(&m->p, &m->q)) out->apart = m->touch / 2;
  cl_vec at = cl_motion_point(m, &c);
  out->x = at.x, out->y = at.y;
  return true;
}

// ---- ways out

CL_INLINE bool clip_exit(void *leave, const cl_convex_motion *m, const plane *p) {
  double *least = leave;
  if (p->rate > m->slow) *least = cl_min(*least, -p->gap / p->rate);
  return true;
}

double cl_motion_exit(const cl_convex_motion *m) {
  double r = m->p.r + m->q.r, leave = INFINITY;
  if (r == 0) {
    take_planes(m, false, clip_exit, &leave);
    return leave < INFINITY ? cl_max(leave, 0) : 0;
  }
  // Casts back from a place where the two cannot overlap.
  cl_bounds one = cl_placed_part_bounds(m->a, m->i), two = cl_placed_part_bounds(m->b, m->k);
  double far = ((one.r - one.l) + (one.b - one.t)) + ((two.r - two.l) + (two.b - two.t));
  cl_placed away = *m->a;
  away.x += m->d.x * far, away.y += m->d.y * far;
  cl_convex_motion back; // large: filled in as needed
  cl_motion_begin(&back, &away, cl_vec_mul(m->d, -far), m->b);
  back.slow = m->slow * far;
  cl_motion_place_a(&back, m->i);
  cl_motion_place_b(&back, m->k);
  cl_distance_at at = {.t = 0};
  look_at(&back, &at);
  return falls_to(&back, r, &at) ? far * (1 - at.t) : 0;
}
