// collide, MIT licence (see LICENSE)
//
// Casts against shapes made of parts: the first touch of any two of them. Layer: narrow.

#include "narrow/parts_cast.h"

#include "base/work.h"
#include "narrow/pairs.h"
#include "narrow/convex.h"

enum { FEW_EDGES = 8 };

// Steps of work to see whether two parts pass, and for each corner of two that do not.
enum { STEPS_TO_PASS = 4, STEPS_A_CORNER = 8 };

// Whether other parts touch right before t, as when the motion runs along a surface of several
// parts: then it is still the touch of the start.
static bool slides(const cl_parts_cast *m, double t) {
  double length = cl_vec_length(m->pair.d),
         step = 1e-5 * (m->pair.a->shape->reach + m->pair.b->shape->reach);
  double margin = 8 * m->pair.error;
  cl_placed moved = *m->pair.a;
  t = cl_max(t - step / length, 0);
  moved.x += t * m->pair.d.x, moved.y += t * m->pair.d.y;
  cl_vec origin = {moved.x, moved.y};
  cl_convex p, q;
  cl_bvh_pairs at;
  cl_bvh_pairs_begin(&at, &moved, m->pair.b, (cl_bounds){-margin, -margin, margin, margin}, false);
  while (cl_bvh_pairs_next(&at)) {
    if (at.i == m->pair.i && at.k == m->pair.k) continue;
    cl_convex_place(&moved, at.i, origin, &p);
    cl_convex_place(m->pair.b, at.k, origin, &q);
    cl_axis axis = cl_convex_axis(&p, &q, DBL_MAX);
    if (cl_convex_closest(&p, &q, &axis).distance - p.r - q.r <= margin) return true;
  }
  return false;
}

// Whether a surface that is met together with another goes first: the one that faces the motion
// more directly.
static bool faces_first(cl_vec n, cl_vec m, cl_vec d) {
  double rate = cl_vec_dot(n, d), other = cl_vec_dot(m, d);
  return rate < other || (rate == other && cl_vec_goes_first(n, m));
}

// The first touch of two parts, if it comes before the best so far, or at the same time as a best
// that has met only a cut.
static bool meet(cl_parts_cast *m, cl_cast *best) {
  cl_convex_cast *pair = &m->pair;
  pair->error = cl_convex_cast_error(pair);
  double same = pair->error / (fabs(pair->d.x) + fabs(pair->d.y));
  double before = m->clean ? best->t : best->t + same;
  cl_first_touch at;
  if (!cl_convex_cast_touch(pair, before, &at)) return false;
  if (m->touching && !pair->strict && !cl_convex_cast_enters(pair) && slides(m, at.t)) return false;
  if (!at.outline && m->clean) before -= same;
  at.t = cl_min(at.t, 1);
  cl_vec normal = at.normal, known = {best->nx, best->ny};
  if (!at.outline) { // along the outline, into a cut: no edge that it meets belongs to the outline
    normal = (cl_vec){-pair->d.x, -pair->d.y};
    cl_vec_normalise(&normal);
  }
  if (m->clean && at.outline && at.t == best->t) { // of two met together as for one part
    if (!faces_first(normal, known, pair->d)) return false;
  } else if (at.t >= before || (!at.outline && at.t >= best->t)) {
    return false;
  }
  m->clean = at.outline;
  double t = at.t;
  *best = (cl_cast){t, 0, 0, normal.x + 0.0, normal.y + 0.0};
  if (pair->ray) return true; // the point follows from t
  double separation;
  cl_closest c = cl_convex_cast_at(pair, t, &separation);
  best->x = c.b.x - c.normal.x * pair->q.r + pair->a->x;
  best->y = c.b.y - c.normal.y * pair->q.r + pair->a->y;
  return true;
}

// Places part i of a, and notes how far it reaches across the motion.
static void place_part(cl_parts_cast *m, uint32_t i) {
  cl_convex *p = &m->pair.p;
  cl_vec way = m->pair.d;
  cl_vec_normalise(&way);
  m->across = (cl_vec){-way.y, way.x};
  cl_convex_place_in(m->pair.a, i, (cl_vec){m->pair.a->x, m->pair.a->y}, &m->room, p);
  m->low = INFINITY, m->high = -INFINITY;
  for (int k = 0; k < p->n; k++) {
    double at = cl_vec_dot(m->across, cl_convex_vertex(p, k));
    m->low = cl_min(m->low, at), m->high = cl_max(m->high, at);
  }
}

// Whether the current part of a certainly passes a box, up to this share of the motion: across the
// motion, or along the normal of one of its edges, it stays away from it. A few edges tell, at a
// small share of the work of comparing the parts.
static bool passes(const cl_parts_cast *m, cl_bounds box, double share) {
  const cl_convex *p = &m->pair.p;
  double u = 0.5 * (box.l + box.r) - m->pair.a->x, v = 0.5 * (box.t + box.b) - m->pair.a->y;
  double at = m->across.x * u + m->across.y * v;
  double half = 0.5 * (fabs(m->across.x) * (box.r - box.l) + fabs(m->across.y) * (box.b - box.t));
  double apart = cl_max(at - half - m->high, m->low - at - half);
  if (apart > p->r + m->margin) return true;
  int step = 1 + (p->n - 1) / FEW_EDGES;
  for (int i = 0; i < p->n && p->n > 1; i += step) {
    cl_vec n = cl_convex_normal(p, i), from = cl_convex_vertex(p, i);
    double x = (n.x > 0 ? box.l : box.r) - m->pair.a->x - from.x;
    double y = (n.y > 0 ? box.t : box.b) - m->pair.a->y - from.y;
    double gap = n.x * x + n.y * y - p->r, after = gap - share * cl_vec_dot(n, m->pair.d);
    if (cl_min(gap, after) > m->margin) return true;
  }
  return false;
}

void cl_parts_cast_begin(cl_parts_cast *m, const cl_placed *a, cl_vec d, const cl_placed *b,
                         const cl_stack_shape *ray) {
  m->pair.a = a;
  m->pair.b = b;
  m->pair.d = d;
  m->pair.ray = ray;
  m->touching = m->any_strict = false;
  m->clean = true;
  m->limit = 1;
  // More than the error of any pair of parts, which grows with their corners.
  m->margin =
      16 * (cl_placed_error(a) + cl_placed_error(b) + 8 * CL_ROUND * (fabs(d.x) + fabs(d.y)));
}

cl_bounds cl_parts_cast_way(const cl_parts_cast *m, double share) {
  double x = m->pair.d.x * share, y = m->pair.d.y * share, e = m->margin;
  return (cl_bounds){cl_min(x, 0) - e, cl_min(y, 0) - e, cl_max(x, 0) + e, cl_max(y, 0) + e};
}

bool cl_parts_cast_meet(cl_parts_cast *m, cl_cast *out) {
  cl_vec origin = {m->pair.a->x, m->pair.a->y};
  cl_bvh_pairs at;
  uint32_t placed = UINT32_MAX;
  bool any = false;
  double most = cl_min(cl_min(out->t, m->limit), 1);
  cl_bvh_pairs_begin(&at, m->pair.a, m->pair.b, cl_parts_cast_way(m, most), false);
  cl_bvh_pairs_move(&at, m->pair.d, m->margin);
  while (cl_bvh_pairs_next(&at)) {
    if (placed != at.i) place_part(m, placed = at.i);
    CL_WORK(STEPS_TO_PASS);
    if (passes(m, at.two, most)) continue;
    CL_WORK(STEPS_A_CORNER * (m->pair.p.n + (int)m->pair.b->shape->parts[at.k].count));
    cl_convex_place_in(m->pair.b, at.k, origin, m->pair.p.room ? NULL : &m->room, &m->pair.q);
    m->pair.i = at.i;
    m->pair.k = at.k;
    cl_hit h;
    m->pair.strict =
        m->touching && (m->any_strict || cl_convex_overlap(&m->pair.p, &m->pair.q, true, &h));
    if (!meet(m, out)) continue;
    any = true;
    if (out->t < most) at.offset = cl_parts_cast_way(m, most = out->t);
  }
  CL_WORK(at.steps);
  return any;
}
