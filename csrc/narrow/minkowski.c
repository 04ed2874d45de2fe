// collide, MIT licence (see LICENSE)
//
// Walks round Minkowski differences. Layer: narrow.

#include "narrow/minkowski.h"

cl_vec cl_corner_at(const cl_corner *c) {
  return cl_vec_sub(cl_convex_vertex(c->b, c->k), cl_convex_vertex(c->a, c->i));
}

cl_corner cl_corner_step(const cl_corner *c, bool of_b, bool ahead) {
  cl_corner d = *c;
  if (of_b) d.k = ahead ? cl_convex_next(d.b, d.k) : cl_convex_before(d.b, d.k);
  else d.i = ahead ? cl_convex_next(d.a, d.i) : cl_convex_before(d.a, d.i);
  return d;
}

// From the edge's normal, since the difference of two corners may be all rounding.
cl_vec cl_corner_along(const cl_corner *c, bool of_b, bool ahead) {
  const cl_convex *p = of_b ? c->b : c->a;
  int at_edge = of_b ? c->k : c->i;
  cl_vec n = cl_convex_normal(p, ahead ? at_edge : cl_convex_before(p, at_edge));
  return of_b == ahead ? (cl_vec){-n.y, n.x} : (cl_vec){n.y, -n.x};
}

// The edge that turns least comes next. Edges more than a right angle apart are ordered by `way`
// alone, since edges of flat parts may lead straight back.
bool cl_corner_next_is_of_b(const cl_corner *c, cl_vec way, bool ahead) {
  if (c->a->n == 1) return true;
  if (c->b->n == 1) return false;
  cl_vec e = cl_corner_along(c, false, ahead), f = cl_corner_along(c, true, ahead);
  if (cl_vec_dot(e, f) < 0) return cl_vec_dot(f, way) > cl_vec_dot(e, way);
  double side = cl_vec_cross(e, f);
  return ahead ? side < 0 : side > 0;
}

int cl_boundary_begin(cl_boundary *walk, const cl_convex *a, const cl_convex *b) {
  cl_corner c = {a, b, 0, 0};
  bool of_b = a->n == 1;
  int count = (a->n > 1 ? a->n : 0) + (b->n > 1 ? b->n : 0);
  // Begins along an edge of one, at the other's vertex that is farthest out.
  if (!of_b) c.k = cl_convex_support(b, cl_vec_mul(cl_convex_normal(a, 0), -1));
  *walk = (cl_boundary){a, b, cl_corner_at(&c), c.i, c.k, of_b};
  return count > 0 ? count : 1;
}

cl_vec cl_boundary_normal(const cl_boundary *r) {
  if (r->of_b) return r->b->n > 1 ? cl_convex_normal(r->b, r->k) : (cl_vec){0, 0};
  return cl_vec_mul(cl_convex_normal(r->a, r->i), -1);
}

void cl_boundary_next(cl_boundary *r) {
  cl_corner c = {r->a, r->b, r->i, r->k};
  if (r->of_b && r->b->n == 1) return;
  cl_corner next = cl_corner_step(&c, r->of_b, true);
  r->of_b = cl_corner_next_is_of_b(&next, cl_corner_along(&c, r->of_b, true), true);
  r->i = next.i, r->k = next.k, r->v = cl_corner_at(&next);
}
