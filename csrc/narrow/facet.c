// collide, MIT licence (see LICENSE)
//
// Sides of convex parts that face along a normal. Layer: narrow.

#include "narrow/facet.h"

// Whether two edges are collinear, as edges of a cut part can be.
static bool in_line(cl_vec n, cl_vec m) {
  return fabs(cl_vec_cross(n, m)) <= CL_MEET && cl_vec_dot(n, m) > 0;
}

// The edge at the farthest vertex that faces along n more, extended by the edges collinear with it;
// the vertex alone if both face it equally.
cl_facet cl_facet_of(const cl_convex *c, cl_vec n, cl_vec across) {
  int from = cl_convex_support(c, n), to = from, before = cl_convex_before(c, from);
  double ahead = c->n > 1 ? cl_vec_dot(cl_convex_normal(c, from), n) : 0;
  double behind = c->n > 1 ? cl_vec_dot(cl_convex_normal(c, before), n) : 0;
  if (ahead != behind) {
    if (ahead < behind) from = before;
    cl_vec side = cl_convex_normal(c, from);
    to = cl_convex_next(c, from);
    for (int i = 2; i < c->n && in_line(side, cl_convex_normal(c, to)); i++) {
      to = cl_convex_next(c, to);
    }
    before = cl_convex_before(c, from);
    for (int i = 2; i < c->n && in_line(side, cl_convex_normal(c, before)); i++) {
      from = before;
      before = cl_convex_before(c, from);
    }
  }
  cl_vec p = cl_convex_vertex(c, from), q = cl_convex_vertex(c, to);
  cl_facet f = {cl_vec_dot(p, across), cl_vec_dot(q, across), cl_vec_dot(p, n), cl_vec_dot(q, n)};
  if (f.u0 > f.u1) f = (cl_facet){f.u1, f.u0, f.h1, f.h0};
  if (f.u0 == f.u1) f.h0 = f.h1 = cl_max(f.h0, f.h1); // end-on, only the tip counts
  return f;
}

double cl_facet_height(const cl_facet *f, double u) {
  if (u <= f->u0) return f->h0;
  if (u >= f->u1) return f->h1;
  // From the nearer end, so that it does not matter which end comes first.
  double past = u - f->u0, left = f->u1 - u, rise = f->h1 - f->h0, length = f->u1 - f->u0;
  if (past == left) return (f->h0 + f->h1) / 2;
  return past < left ? f->h0 + rise * (past / length) : f->h1 - rise * (left / length);
}
