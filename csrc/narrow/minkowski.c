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

// The direction of an edge by its normal, since the difference of two corners may be all rounding.
static cl_vec along(cl_vec n, bool of_b, bool ahead) {
  return of_b == ahead ? (cl_vec){-n.y, n.x} : (cl_vec){n.y, -n.x};
}

cl_vec cl_corner_along(const cl_corner *c, bool of_b, bool ahead) {
  const cl_convex *p = of_b ? c->b : c->a;
  int at_edge = of_b ? c->k : c->i;
  return along(cl_convex_normal(p, ahead ? at_edge : cl_convex_before(p, at_edge)), of_b, ahead);
}

// Whether b's next edge, along f, turns less than a's, along e. Edges more than a right angle apart
// are ordered by `way` alone, since edges of flat parts may lead straight back.
static bool b_turns_less(cl_vec e, cl_vec f, cl_vec way, bool ahead) {
  if (cl_vec_dot(e, f) < 0) return cl_vec_dot(f, way) > cl_vec_dot(e, way);
  double side = cl_vec_cross(e, f);
  return ahead ? side < 0 : side > 0;
}

// The edge that turns least comes next.
bool cl_corner_next_is_of_b(const cl_corner *c, cl_vec way, bool ahead) {
  if (c->a->n == 1) return true;
  if (c->b->n == 1) return false;
  return b_turns_less(cl_corner_along(c, false, ahead), cl_corner_along(c, true, ahead), way,
                      ahead);
}

int cl_boundary_begin(cl_boundary *walk, const cl_convex *a, const cl_convex *b) {
  cl_vec none = {0, 0}, first = a->n > 1 ? cl_convex_normal(a, 0) : none;
  // Begins along an edge of one, at the other's vertex that is farthest out.
  int k = a->n > 1 ? cl_convex_support(b, cl_vec_mul(first, -1)) : 0;
  *walk = (cl_boundary){.a = a,
                        .b = b,
                        .k = k,
                        .of_b = a->n == 1,
                        .vertex_a = cl_convex_vertex(a, 0),
                        .vertex_b = cl_convex_vertex(b, k),
                        .normal_a = first,
                        .normal_b = b->n > 1 ? cl_convex_normal(b, k) : none};
  int count = (a->n > 1 ? a->n : 0) + (b->n > 1 ? b->n : 0);
  return count > 0 ? count : 1;
}

double cl_boundary_line(const cl_boundary *r) {
  return r->of_b ? -cl_convex_outside(r->b, r->k, r->vertex_a)
                 : -cl_convex_outside(r->a, r->i, r->vertex_b);
}

// As cl_corner_step and cl_corner_next_is_of_b do, but what is known of the part that stays is
// kept.
void cl_boundary_next(cl_boundary *r) {
  cl_vec way = along(r->of_b ? r->normal_b : r->normal_a, r->of_b, true);
  if (r->of_b) {
    if (r->b->n == 1) return;
    r->k = cl_convex_next(r->b, r->k);
    r->vertex_b = cl_convex_vertex(r->b, r->k), r->normal_b = cl_convex_normal(r->b, r->k);
  } else {
    r->i = cl_convex_next(r->a, r->i);
    r->vertex_a = cl_convex_vertex(r->a, r->i), r->normal_a = cl_convex_normal(r->a, r->i);
  }
  if (r->a->n == 1 || r->b->n == 1) return;
  r->of_b =
      b_turns_less(along(r->normal_a, false, true), along(r->normal_b, true, true), way, true);
}
