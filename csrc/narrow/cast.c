// collide, MIT licence (see LICENSE)
//
// Casts: over the parts, and how one convex part meets another on its way.
// Layer: narrow.

#include "narrow/cast.h"

#include "base/exact.h"
#include "geom/temp.h"
#include "narrow/contact.h"
#include "narrow/convex.h"
#include "narrow/pairing.h"
#include "narrow/ray.h"
#include "narrow/tiles.h"

// Where the way enters and leaves the set of translations at which the parts
// touch, cut out by half-planes; low and high are bounds with the error taken in.
typedef struct window {
  double error, slow; // of a separation; rates below `slow` count as none
  double enter, enter_low, enter_high, leave_low, leave_high;
  double outline; // as `enter`, by what is no cut
  cl_vec normal;  // of that
  bool missed, unsure;
} window;

// Takes one half-plane: `gap` is the separation along `n`, an outward normal of
// the part that stands still, at the start, `rate` what moving does to it.
static void take_plane(window *w, double gap, double rate, cl_vec n, bool inner) {
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
  if (!inner && t > w->outline) w->outline = t, w->normal = n;
}

static bool is_inner(const cl_convex *c, int i) {
  return c->placed->shape->inner[c->part->first + (uint32_t)i] != 0;
}

// The half-planes of the edges of `c` (the part that stands still, or with `moves`
// the one that moves) against `o`.
static void take_edges(window *w, const cl_convex *c, const cl_convex *o, cl_vec d, bool moves) {
  double r = c->r + o->r;
  for (int i = 0; i < c->n && c->n > 1 && !w->missed; i++) {
    cl_vec n = cl_convex_normal(c, i), back = {-n.x, -n.y};
    cl_vec q = cl_convex_vertex(o, cl_convex_support(o, back));
    double gap = cl_vec_dot(cl_vec_sub(q, cl_convex_vertex(c, i)), n) - r;
    double rate = cl_vec_dot(n, d);
    take_plane(w, gap, moves ? -rate : rate, moves ? back : n, is_inner(c, i));
    if (c->n > 2) continue;
    // The ends of a flat part: seen end on its edges tell nothing.
    cl_vec e = {-n.y, n.x}, f = {n.y, -n.x}, tip = cl_convex_vertex(c, 1 - i);
    q = cl_convex_vertex(o, cl_convex_support(o, f));
    gap = cl_vec_dot(cl_vec_sub(q, tip), e) - r;
    rate = cl_vec_dot(e, d);
    take_plane(w, gap, moves ? -rate : rate, moves ? f : e, false);
  }
}

// One part of each, and the way. `ray` is set when a point moves: then decisions
// are made for the segment as given, not for its difference.
typedef struct meeting {
  const cl_placed *a, *b;
  uint32_t i, k;
  cl_vec d;
  const cl_temp *ray;
  bool touching; // at the start, some parts of them
  bool strict;   // these two do: only what is entered counts
  bool tiles;    // of which all count as touching when some do
  bool clean;    // the best so far has a normal of the outline, not of a cut
  cl_convex p, q;
  double error;
} meeting;

static bool decide(const meeting *m, bool touching) {
  const cl_part *q = m->q.part;
  const cl_vec none = {0, 0};
  if (!m->ray) return cl_decide(m->a, m->p.part, m->d, m->b, q, touching);
  cl_placed ray = {&m->ray->shape, 0, 0, {1, 0}};
  return cl_decide(&ray, &m->ray->part, none, m->b, q, touching);
}

// Whether the way touches or, when strict, enters; for the cases that rounding
// leaves open. What is flat cannot be entered, only crossed from farther off.
static bool reaches(const meeting *m) {
  bool flat = m->p.n + m->q.n <= 3 && m->p.r + m->q.r == 0;
  if (!m->strict || !flat) return decide(m, !m->strict);
  const cl_vec still = {0, 0};
  return decide(m, true) && !cl_decide(m->a, m->p.part, still, m->b, m->q.part, true);
}

// The moving part where it is at t.
static cl_closest closest_at(meeting *m, double t, double *separation) {
  cl_vec origin = {m->a->x, m->a->y};
  cl_convex moved;
  cl_convex_place(m->a, m->i, cl_vec_sub(origin, cl_vec_mul(m->d, t)), &moved);
  cl_axis axis = cl_convex_axis(&moved, &m->q, DBL_MAX);
  *separation = axis.separation;
  return cl_convex_closest(&moved, &m->q, &axis);
}

// Round parts: from a time that is not too late on, by the distance and its rate.
// It is convex in t, so no step goes too far; near a graze steps get short, and
// the exact decision ends them.
static bool approach(meeting *m, double *t, cl_vec *normal) {
  double r = m->p.r + m->q.r, length = cl_vec_length(m->d), separation;
  for (int steps = 0; steps < 64; steps++) {
    cl_closest c = closest_at(m, *t, &separation);
    double gap = c.distance - r, rate = cl_vec_dot(c.normal, m->d);
    *normal = (cl_vec){-c.normal.x, -c.normal.y};
    if (gap > m->error) {
      if (rate <= 0) return false;
      *t += gap / rate;
      if (*t <= 1) continue;
      *t = 1;
      cl_closest end = closest_at(m, 1, &separation);
      return end.distance - r <= m->error && reaches(m);
    }
    // A round front met at an angle is entered by about half its square.
    double share = rate / length;
    bool sure = rate > 0 && r * share * share > 8 * m->error && *t + m->error / rate < 1;
    if (share > 1e-6) *t = cl_max(*t + gap / rate, 0); // the last bits
    return sure || reaches(m);
  }
  return reaches(m);
}

// Two circles: the first root of |q - p - t d| = r.
static bool approach_circle(meeting *m, double *t, cl_vec *normal) {
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

// When and with which normal two parts first touch, within the window.
static bool touch(meeting *m, const window *w, double *t, cl_vec *normal) {
  *normal = w->normal;
  *t = cl_max(w->enter, 0);
  if (m->p.n + m->q.n == 2) return approach_circle(m, t, normal);
  if (m->p.r + m->q.r > 0) {
    *t = cl_max(w->enter_low, 0);
    return approach(m, t, normal);
  }
  return (!w->unsure && w->enter_high <= w->leave_low) || reaches(m);
}

static bool enters(meeting *m) {
  m->strict = true;
  bool in = reaches(m);
  m->strict = false;
  return in;
}

// Whether other parts touch right before t, as where the way runs along a surface
// of several: then it is still the touch of the start.
static bool slides(const meeting *m, double t) {
  double length = cl_vec_length(m->d), step = 1e-5 * (m->a->shape->reach + m->b->shape->reach);
  double room = 8 * m->error;
  cl_placed moved = *m->a;
  t = cl_max(t - step / length, 0);
  moved.x += t * m->d.x, moved.y += t * m->d.y;
  cl_vec origin = {moved.x, moved.y};
  cl_convex p, q;
  cl_pairing at;
  cl_pairing_begin(&at, &moved, m->b, (cl_bounds){-room, -room, room, room}, false);
  while (cl_pairing_next(&at)) {
    if (at.i == m->i && at.k == m->k) continue;
    cl_convex_place(&moved, at.i, origin, &p);
    cl_convex_place(m->b, at.k, origin, &q);
    cl_axis axis = cl_convex_axis(&p, &q, DBL_MAX);
    if (cl_convex_closest(&p, &q, &axis).distance - p.r - q.r <= room) return true;
  }
  return false;
}

// The first touch of two parts, if it comes before the best so far, or together
// with one that has met nothing but a cut.
static bool meet(meeting *m, cl_cast *best) {
  double length = fabs(m->d.x) + fabs(m->d.y), t;
  m->error = cl_convex_error(&m->p, &m->q) + 8 * CL_ROUND * length;
  window w = {.error = m->error, .slow = 8 * CL_ROUND * length, .enter = -DBL_MAX};
  w.leave_low = w.leave_high = 1;
  w.outline = -DBL_MAX;
  take_edges(&w, &m->q, &m->p, m->d, false);
  take_edges(&w, &m->p, &m->q, m->d, true);
  double same = m->error / length, before = m->clean ? best->t : best->t + same;
  cl_vec normal;
  if (w.missed || w.enter_low > w.leave_high || w.enter_low >= before) return false;
  if (!touch(m, &w, &t, &normal)) return false;
  if (m->touching && !m->strict && !enters(m) && slides(m, t)) return false;
  bool clean = m->p.r + m->q.r > 0 || w.outline > -DBL_MAX;
  if (!clean && m->clean) before -= same;
  if (t >= before || (!clean && t >= best->t)) return false;
  m->clean = clean;
  t = cl_min(t, 1);
  if (!clean) { // along the outline, into a cut: no edge that it meets is one
    normal = (cl_vec){-m->d.x, -m->d.y};
    cl_vec_normalise(&normal);
  }
  *best = (cl_cast){t, 0, 0, normal.x + 0.0, normal.y + 0.0};
  if (m->ray) return true; // whose point follows from t
  double separation;
  cl_closest c = closest_at(m, t, &separation);
  best->x = c.b.x - c.normal.x * m->q.r + m->a->x;
  best->y = c.b.y - c.normal.y * m->q.r + m->a->y;
  return true;
}

// What the way adds to the bounds of a part, with room for rounding.
static cl_bounds way_of(const meeting *m) {
  double e =
      cl_placed_error(m->a) + cl_placed_error(m->b) + 8 * CL_ROUND * (fabs(m->d.x) + fabs(m->d.y));
  return (cl_bounds){cl_min(m->d.x, 0) - e, cl_min(m->d.y, 0) - e, cl_max(m->d.x, 0) + e,
                     cl_max(m->d.y, 0) + e};
}

static bool meet_parts(meeting *m, cl_cast *out) {
  cl_vec origin = {m->a->x, m->a->y};
  cl_pairing at;
  uint32_t placed = UINT32_MAX;
  bool any = false;
  cl_pairing_begin(&at, m->a, m->b, way_of(m), false);
  while (cl_pairing_next(&at)) {
    if (placed != at.i) cl_convex_place(m->a, placed = at.i, origin, &m->p);
    cl_convex_place(m->b, at.k, origin, &m->q);
    m->i = at.i;
    m->k = at.k;
    cl_hit h;
    m->strict = m->touching && (m->tiles || cl_convex_overlap(&m->p, &m->q, true, &h));
    any = meet(m, out) || any;
  }
  return any;
}

// Where on its way, in t, a box may touch another: `in` beyond `out` for never.
static void pass_box(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out) {
  const double low[2] = {b.l - a.r, b.t - a.b}, high[2] = {b.r - a.l, b.b - a.t};
  const double way[2] = {d.x, d.y};
  *in = 0;
  *out = 1;
  for (int i = 0; i < 2; i++) {
    if (low[i] <= cl_max(way[i], 0) && high[i] >= cl_min(way[i], 0)) {
      if (way[i] == 0) continue;
      double t = low[i] / way[i], u = high[i] / way[i];
      *in = cl_max(*in, cl_min(t, u));
      *out = cl_min(*out, cl_max(t, u));
    } else {
      *out = -1;
    }
  }
}

// Tiles, by pieces of the way of about a block's size: what is met in one of them
// is met before all that only later ones come to.
static bool meet_tiles(meeting *m, cl_cast *best) {
  const cl_placed *tiles = m->b;
  cl_bounds box, all;
  cl_cell_blocks w;
  bool any = false;
  double in, out, room = way_of(m).r - cl_max(m->d.x, 0);
  cl_placed_bounds(m->a, &box);
  cl_placed_bounds(tiles, &all);
  box = cl_bounds_grown(box, room);
  pass_box(box, all, m->d, &in, &out);
  double size = cl_max(fabs(m->d.x), fabs(m->d.y)) / tiles->shape->cell;
  double pieces = in > out ? 0 : ceil(size * (out - in) / CL_CELL_BLOCK_ROWS) + 1;
  for (double k = 0; k < pieces && !(any && best->t <= in + (out - in) * (k / pieces)); k++) {
    cl_vec p = cl_vec_mul(m->d, in + (out - in) * (k / pieces));
    cl_vec q = cl_vec_mul(m->d, in + (out - in) * ((k + 1) / pieces));
    cl_bounds swept = {box.l + cl_min(p.x, q.x), box.t + cl_min(p.y, q.y), box.r + cl_max(p.x, q.x),
                       box.b + cl_max(p.y, q.y)};
    cl_cell_blocks_begin(&w, tiles, cl_tiles_under(tiles, swept, false), false);
    m->b = &w.placed;
    while (cl_cell_blocks_next(&w)) any = meet_parts(m, best) || any;
    m->b = tiles;
  }
  return any;
}

// Whether they are in one another at the start, which is the answer already. If
// they only touch, parts that do must be entered from here on.
static bool starts_inside(meeting *m, cl_cast *out) {
  m->touching = cl_overlaps(m->a, m->b, true);
  if (!m->touching || !cl_overlaps(m->a, m->b, false)) return false;
  cl_vec at = cl_contact_point(m->a, m->b);
  *out = (cl_cast){0, at.x, at.y, 0, 0};
  return true;
}

static bool cast(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_temp *ray,
                 cl_cast *out) {
  meeting m; // large: filled in as needed
  m.a = a;
  m.b = b;
  m.d = d;
  m.ray = ray;
  m.tiles = b->shape->kind == CL_TILES;
  m.clean = true;
  cl_cast best = {.t = 2};
  bool (*meet_any)(meeting *, cl_cast *) = m.tiles ? meet_tiles : meet_parts;
  if (!starts_inside(&m, &best) && ((d.x == 0 && d.y == 0) || !meet_any(&m, &best))) return false;
  *out = best;
  return true;
}

bool cl_cast_shape(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *out) {
  assert(a->shape->kind != CL_TILES);
  return cast(a, d, b, NULL, out);
}

bool cl_cast_ray(double x1, double y1, double x2, double y2, const cl_placed *b, cl_cast *out) {
  cl_vec d = {x2 - x1, y2 - y1};
  int found = 0;
  if (b->shape->kind == CL_RECTANGLE && cl_rot_is_none(b->rot))
    found = cl_ray_box((cl_vec){x1, y1}, d, cl_placed_part_bounds(b, 0), out);
  else if (b->shape->kind == CL_TILES)
    found = cl_ray_tiles((cl_vec){x1, y1}, (cl_vec){x2, y2}, b, out);
  if (found != 0) return found > 0;
  cl_temp point, ray;
  cl_temp_circle(&point, 0);
  cl_temp_segment(&ray, x1, y1, x2, y2);
  cl_placed a = {&point.shape, x1, y1, {1, 0}};
  if (!cast(&a, d, b, &ray, out)) return false;
  out->x = x1 + out->t * d.x;
  out->y = y1 + out->t * d.y;
  return true;
}
