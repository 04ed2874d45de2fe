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

static bool is_lower(cl_vec a, cl_vec b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// A side, from its low end across a direction to its high one.
typedef struct side {
  cl_vec low, high;
  double from, to;
} side;

static side side_of(const cl_convex *c, int i, int k, cl_vec across) {
  cl_vec p = cl_convex_vertex(c, i), q = cl_convex_vertex(c, k);
  double from = cl_vec_dot(p, across), to = cl_vec_dot(q, across);
  return from <= to ? (side){p, q, from, to} : (side){q, p, to, from};
}

// Two sides that face each other along the best axis: of the ends of the stretch that they share
// the one with the lower coordinates. False if they share none.
static bool face_each_other(const cl_axis *axis, const side *a, const side *b, cl_closest *out) {
  if (cl_max(a->from, b->from) > cl_min(a->to, b->to)) return false;
  cl_vec lift = cl_vec_mul(axis->normal, axis->separation);
  bool inside = axis->separation < 0; // as at_edge has it
  cl_closest low = {.normal = inside ? cl_vec_mul(axis->normal, -1) : axis->normal,
                    .distance = fabs(axis->separation)};
  cl_closest high = low;
  low.a = a->from >= b->from ? a->low : cl_vec_sub(b->low, lift);
  low.b = b->from >= a->from ? b->low : cl_vec_add(a->low, lift);
  high.a = a->to <= b->to ? a->high : cl_vec_sub(b->high, lift);
  high.b = b->to <= a->to ? b->high : cl_vec_add(a->high, lift);
  *out = is_lower(high.a, low.a) ? high : low;
  return true;
}

// The vertex next to the farthest one of the part that does not have the best axis, if it is as
// far. Of equally far ones the first is known.
static bool has_facing_side(const cl_corner *start, const cl_axis *axis, int *other) {
  const cl_convex *c = axis->of_b ? start->a : start->b;
  int far = axis->of_b ? start->i : start->k;
  if (c->n == 1) return false;
  double along = cl_vec_dot(cl_convex_vertex(c, far), axis->normal);
  *other = cl_convex_next(c, far);
  if (cl_vec_dot(cl_convex_vertex(c, *other), axis->normal) == along) return true;
  *other = c->n - 1;
  return far == 0 && cl_vec_dot(cl_convex_vertex(c, *other), axis->normal) == along;
}

// How far 0, 0 is past the ends of the edge that has the best axis.
static double past_ends(const cl_corner *start, const cl_axis *axis) {
  cl_corner end = cl_corner_step(start, axis->of_b, true);
  cl_vec way = cl_corner_along(start, axis->of_b, true);
  return cl_max(cl_vec_dot(cl_corner_at(start), way), -cl_vec_dot(cl_corner_at(&end), way));
}

cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis) {
  cl_vec n = axis->normal;
  cl_corner start = {a, b, 0, 0};
  cl_closest found;
  int other;
  if (a->n == 1 && b->n == 1) return at_corner(&start);
  if (axis->of_b) start.i = cl_convex_support(a, n), start.k = axis->edge;
  else start.i = axis->edge, start.k = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  if (has_facing_side(&start, axis, &other)) {
    cl_vec across = {-n.y, n.x};
    int i = axis->of_b ? other : cl_convex_next(a, start.i);
    int k = axis->of_b ? cl_convex_next(b, start.k) : other;
    side one = side_of(a, start.i, i, across), two = side_of(b, start.k, k, across);
    if (face_each_other(axis, &one, &two, &found)) return found;
    cl_corner second =
        axis->of_b ? (cl_corner){a, b, other, start.k} : (cl_corner){a, b, start.i, other};
    if (past_ends(&second, axis) < past_ends(&start, axis)) start = second;
  }
  cl_corner end = cl_corner_step(&start, axis->of_b, true);
  cl_vec way = cl_corner_along(&start, axis->of_b, true);
  if (cl_vec_dot(cl_corner_at(&start), way) > 0) return walk(start, cl_vec_mul(way, -1), false);
  if (cl_vec_dot(cl_corner_at(&end), way) < 0) return walk(end, way, true);
  return at_edge(&start, axis->of_b);
}
