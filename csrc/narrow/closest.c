// collide, MIT licence (see LICENSE)
//
// The closest points of two convex parts. Layer: narrow.
//
// The best axis is the normal of an edge of their Minkowski difference; if 0, 0 is not beside that
// edge, a walk along the boundary finds the nearest point, usually at the edge's end.

#include "narrow/closest.h"

#include "narrow/minkowski.h"

static cl_closest at_corner(const cl_corner *c) {
  cl_closest r = {.corner = true, .i = c->i, .k = c->k};
  r.a = cl_convex_vertex(c->a, c->i);
  r.b = cl_convex_vertex(c->b, c->k);
  cl_vec v = cl_vec_sub(r.b, r.a);
  r.distance = cl_vec_normalise(&v);
  r.normal = v;
  return r;
}

// Beside an edge of a or b that begins at the corner. A flat part has two edges in one place: uses
// the normal that points from a to b.
static cl_closest at_edge(const cl_corner *c, bool of_b) {
  cl_vec p = cl_convex_vertex(c->a, c->i), q = cl_convex_vertex(c->b, c->k);
  cl_vec n = of_b ? cl_convex_normal(c->b, c->k) : cl_convex_normal(c->a, c->i);
  double s = of_b ? cl_convex_outside(c->b, c->k, p) : cl_convex_outside(c->a, c->i, q);
  if (of_b) n = (cl_vec){-n.x, -n.y};
  if (s < 0) n = (cl_vec){-n.x, -n.y}, s = -s;
  cl_vec way = cl_vec_mul(n, s);
  return (cl_closest){.a = of_b ? p : cl_vec_sub(q, way),
                      .b = of_b ? cl_vec_add(p, way) : q,
                      .normal = n,
                      .distance = s};
}

// Walks the boundary from a corner reached along `way`, as long as that comes nearer to 0, 0.
static cl_closest walk(cl_corner c, cl_vec way, bool ahead) {
  cl_vec v = cl_corner_at(&c);
  for (int left = c.a->n + c.b->n; left > 0; left--) {
    bool of_b = cl_corner_next_is_of_b(&c, way, ahead);
    way = cl_corner_along(&c, of_b, ahead);
    if (cl_vec_dot(v, way) >= 0) break;
    cl_corner next = cl_corner_step(&c, of_b, ahead);
    v = cl_corner_at(&next);
    if (cl_vec_dot(v, way) >= 0) return at_edge(ahead ? &c : &next, of_b);
    c = next;
  }
  return at_corner(&c);
}

cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis) {
  cl_vec n = axis->normal;
  cl_corner start = {a, b, 0, 0};
  if (a->n == 1 && b->n == 1) return at_corner(&start);
  if (axis->of_b) start.i = cl_convex_support(a, n), start.k = axis->edge;
  else start.i = axis->edge, start.k = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  cl_corner end = cl_corner_step(&start, axis->of_b, true);
  cl_vec way = cl_corner_along(&start, axis->of_b, true);
  if (cl_vec_dot(cl_corner_at(&start), way) > 0) return walk(start, cl_vec_mul(way, -1), false);
  if (cl_vec_dot(cl_corner_at(&end), way) < 0) return walk(end, way, true);
  return at_edge(&start, axis->of_b);
}
