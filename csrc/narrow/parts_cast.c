// collide, MIT licence (see LICENSE)
//
// Casts against shapes made of parts: the first touch of any two of them. Layer: narrow.

#include "narrow/parts_cast.h"

#include "narrow/bvh_pairs.h"
#include "narrow/convex_overlap.h"

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

cl_bounds cl_parts_cast_way(const cl_parts_cast *m) {
  double e = cl_placed_error(m->pair.a) + cl_placed_error(m->pair.b) +
             8 * CL_ROUND * (fabs(m->pair.d.x) + fabs(m->pair.d.y));
  return (cl_bounds){cl_min(m->pair.d.x, 0) - e, cl_min(m->pair.d.y, 0) - e,
                     cl_max(m->pair.d.x, 0) + e, cl_max(m->pair.d.y, 0) + e};
}

bool cl_parts_cast_meet(cl_parts_cast *m, cl_cast *out) {
  cl_vec origin = {m->pair.a->x, m->pair.a->y};
  cl_bvh_pairs at;
  uint32_t placed = UINT32_MAX;
  bool any = false;
  cl_bvh_pairs_begin(&at, m->pair.a, m->pair.b, cl_parts_cast_way(m), false);
  while (cl_bvh_pairs_next(&at)) {
    if (placed != at.i) cl_convex_place(m->pair.a, placed = at.i, origin, &m->pair.p);
    cl_convex_place(m->pair.b, at.k, origin, &m->pair.q);
    m->pair.i = at.i;
    m->pair.k = at.k;
    cl_hit h;
    m->pair.strict =
        m->touching && (m->any_strict || cl_convex_overlap(&m->pair.p, &m->pair.q, true, &h));
    any = meet(m, out) || any;
  }
  return any;
}
