// collide, MIT licence (see LICENSE)
//
// The closest points of two convex parts, and with them the overlap of round
// ones. Layer: narrow.
//
// The best axis belongs to an edge next to the closest point of the Minkowski
// difference, so a walk from that edge is over after a step or two.

#include "narrow/convex.h"

// The closest point of one edge to a point, and at which end of it (-1, 1), or 0
// in between.
typedef struct foot {
  cl_vec point;
  double square; // of the distance
  int end;
} foot;

static foot find_foot(const cl_convex *c, int i, cl_vec p) {
  cl_vec a = cl_convex_vertex(c, i), b = cl_convex_vertex(c, cl_convex_next(c, i));
  cl_vec e = cl_vec_sub(b, a), v = cl_vec_sub(p, a), w = cl_vec_sub(p, b);
  if (cl_vec_dot(v, e) <= 0) return (foot){a, cl_vec_dot(v, v), -1};
  if (cl_vec_dot(w, e) >= 0) return (foot){b, cl_vec_dot(w, w), 1};
  cl_vec n = cl_convex_normal(c, i);
  double s = cl_vec_dot(v, n);
  return (foot){cl_vec_sub(p, cl_vec_mul(n, s)), s * s, 0};
}

// Where the walk stands: a vertex of each, and the best found so far.
typedef struct walk {
  const cl_convex *a, *b;
  int i, k;
  double square;
  cl_closest best;
} walk;

// Tries vertex k of b against edge i of a (or the other way round with `swapped`).
// True when that is closer and lies at an end, so that it may go on from there.
static bool try_edge(walk *w, int edge, bool swapped) {
  const cl_convex *c = swapped ? w->b : w->a;
  cl_vec p = swapped ? cl_convex_vertex(w->a, w->i) : cl_convex_vertex(w->b, w->k);
  foot f = find_foot(c, edge, p);
  if (!(f.square < w->square)) return false;
  w->square = f.square;
  w->best.a = swapped ? p : f.point;
  w->best.b = swapped ? f.point : p;
  if (f.end == 0) {
    cl_vec n = cl_convex_normal(c, edge);
    w->best.normal = swapped ? (cl_vec){-n.x, -n.y} : n;
    w->best.distance = sqrt(f.square);
    return false;
  }
  w->best.distance = -1; // vertex to vertex: worked out at the end
  int at = f.end < 0 ? edge : cl_convex_next(c, edge);
  *(swapped ? &w->k : &w->i) = at;
  return true;
}

// The unit vector of v, whose square may have lost its bits, and its length.
static double normalise(cl_vec *v) {
  double m = fmax(fabs(v->x), fabs(v->y));
  if (m == 0) return 0;
  cl_vec u = {v->x / m, v->y / m};
  double length = cl_vec_length(u);
  *v = (cl_vec){u.x / length, u.y / length};
  return m * length;
}

cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis) {
  walk w = {a, b, 0, 0, INFINITY, {.normal = axis->normal}};
  cl_vec n = axis->normal;
  if (axis->of_b) {
    w.k = axis->edge;
    w.i = cl_convex_support(a, n);
  } else {
    w.i = axis->edge;
    w.k = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  }
  for (int left = a->n + b->n; left > 0; left--) {
    int i = w.i, k = w.k;
    bool moved = try_edge(&w, i, false);
    moved = try_edge(&w, cl_convex_before(a, i), false) || moved;
    moved = try_edge(&w, k, true) || moved;
    moved = try_edge(&w, cl_convex_before(b, k), true) || moved;
    if (!moved) break;
  }
  if (w.best.distance < 0) {
    cl_vec v = cl_vec_sub(w.best.b, w.best.a);
    w.best.distance = normalise(&v);
    if (w.best.distance > 0) w.best.normal = v;
  }
  return w.best;
}

// Two circles: as cl_overlap_circles has it, which is exact by itself.
static bool overlap_points(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  cl_vec p = cl_placed_vertex(a->placed, a->part->first);
  cl_vec q = cl_placed_vertex(b->placed, b->part->first);
  return cl_overlap_circles(q.x, q.y, b->r, p.x, p.y, a->r, touching, out);
}

bool cl_convex_overlap(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  if (a->n == 1 && b->n == 1) return overlap_points(a, b, touching, out);
  double r = a->r + b->r, error = cl_convex_error(a, b);
  cl_axis axis = cl_convex_axis(a, b, r + error);
  if (axis.separation > r + error) return false;
  *out = (cl_hit){axis.normal.x, axis.normal.y, fmax(r - axis.separation, 0)};
  if (axis.separation < -error) return true;
  const cl_vec still = {0, 0};
  if (r == 0) return cl_decide(a->placed, a->part, still, b->placed, b->part, touching);
  cl_closest c = cl_convex_closest(a, b, &axis);
  if (c.distance > r + error) return false;
  if (c.distance >= r - error &&
      !cl_decide(a->placed, a->part, still, b->placed, b->part, touching))
    return false;
  if (c.distance > error) *out = (cl_hit){c.normal.x, c.normal.y, fmax(r - c.distance, 0)};
  return true;
}
