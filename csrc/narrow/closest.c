// collide, MIT licence (see LICENSE)
//
// The closest points of two convex parts, and with them the overlap of round
// ones. Layer: narrow.
//
// The edges of the Minkowski difference b - a are those of both, in the order of
// their directions. The best axis is the normal of one; if 0, 0 does not lie
// beside that edge, a walk along the boundary finds the nearest point, as a rule
// at the edge's end.

#include "narrow/convex.h"
#include "narrow/ring.h"

// A corner of the difference: vertex k of b less vertex i of a.
typedef struct corner {
  const cl_convex *a, *b;
  int i, k;
} corner;

static cl_vec at(const corner *c) {
  return cl_vec_sub(cl_convex_vertex(c->b, c->k), cl_convex_vertex(c->a, c->i));
}

// The corner at the other end of an edge of a or b, ahead or back.
static corner step(const corner *c, bool of_b, bool ahead) {
  corner d = *c;
  if (of_b) d.k = ahead ? cl_convex_next(d.b, d.k) : cl_convex_before(d.b, d.k);
  else d.i = ahead ? cl_convex_next(d.a, d.i) : cl_convex_before(d.a, d.i);
  return d;
}

// The unit vector along an edge of a or b from here on, ahead or back: off its
// normal, since the difference of two corners may be all rounding.
static cl_vec along(const corner *c, bool of_b, bool ahead) {
  const cl_convex *p = of_b ? c->b : c->a;
  int at_edge = of_b ? c->k : c->i;
  cl_vec n = cl_convex_normal(p, ahead ? at_edge : cl_convex_before(p, at_edge));
  return of_b == ahead ? (cl_vec){-n.y, n.x} : (cl_vec){n.y, -n.x};
}

// Which edge comes next at a corner reached along `way`: the one that turns
// least. Those more than a right angle apart are told by the way alone, since
// edges of flat parts may lead straight back.
static bool next_is_of_b(const corner *c, cl_vec way, bool ahead) {
  if (c->a->n == 1) return true;
  if (c->b->n == 1) return false;
  cl_vec e = along(c, false, ahead), f = along(c, true, ahead);
  if (cl_vec_dot(e, f) < 0) return cl_vec_dot(f, way) > cl_vec_dot(e, way);
  double turn = cl_vec_cross(e, f);
  return ahead ? turn < 0 : turn > 0;
}

static cl_closest at_corner(const corner *c) {
  cl_closest r = {.corner = true, .i = c->i, .k = c->k};
  r.a = cl_convex_vertex(c->a, c->i);
  r.b = cl_convex_vertex(c->b, c->k);
  cl_vec v = cl_vec_sub(r.b, r.a);
  r.distance = cl_vec_normalise(&v);
  r.normal = v;
  return r;
}

// Beside an edge of a or b that begins at the corner. A flat part has two edges
// in one place: the normal used is the one that points from a to b.
static cl_closest at_edge(const corner *c, bool of_b) {
  cl_vec p = cl_convex_vertex(c->a, c->i), q = cl_convex_vertex(c->b, c->k);
  cl_vec n = of_b ? cl_convex_normal(c->b, c->k) : cl_convex_normal(c->a, c->i);
  double s = cl_vec_dot(cl_vec_sub(q, p), n);
  if (s < 0) n = (cl_vec){-n.x, -n.y}, s = -s;
  cl_vec way = cl_vec_mul(n, s);
  return (cl_closest){.a = of_b ? p : cl_vec_sub(q, way),
                      .b = of_b ? cl_vec_add(p, way) : q,
                      .normal = n,
                      .distance = s};
}

// Along the boundary from a corner reached along `way`, as long as that comes
// nearer to 0, 0.
static cl_closest walk(corner c, cl_vec way, bool ahead) {
  cl_vec v = at(&c);
  for (int left = c.a->n + c.b->n; left > 0; left--) {
    bool of_b = next_is_of_b(&c, way, ahead);
    way = along(&c, of_b, ahead);
    if (cl_vec_dot(v, way) >= 0) break;
    corner next = step(&c, of_b, ahead);
    v = at(&next);
    if (cl_vec_dot(v, way) >= 0) return at_edge(ahead ? &c : &next, of_b);
    c = next;
  }
  return at_corner(&c);
}

cl_closest cl_convex_closest(const cl_convex *a, const cl_convex *b, const cl_axis *axis) {
  cl_vec n = axis->normal;
  corner start = {a, b, 0, 0};
  if (a->n == 1 && b->n == 1) return at_corner(&start);
  if (axis->of_b) start.i = cl_convex_support(a, n), start.k = axis->edge;
  else start.i = axis->edge, start.k = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  corner end = step(&start, axis->of_b, true);
  cl_vec way = along(&start, axis->of_b, true);
  if (cl_vec_dot(at(&start), way) > 0) return walk(start, cl_vec_mul(way, -1), false);
  if (cl_vec_dot(at(&end), way) < 0) return walk(end, way, true);
  return at_edge(&start, axis->of_b);
}

int cl_ring_begin(cl_ring *ring, const cl_convex *a, const cl_convex *b) {
  corner c = {a, b, 0, 0};
  bool of_b = a->n == 1;
  int count = (a->n > 1 ? a->n : 0) + (b->n > 1 ? b->n : 0);
  // Begin along an edge of one, from the other's vertex that lies farthest out.
  if (!of_b) c.k = cl_convex_support(b, cl_vec_mul(cl_convex_normal(a, 0), -1));
  *ring = (cl_ring){a, b, at(&c), c.i, c.k, of_b};
  return count > 0 ? count : 1;
}

cl_vec cl_ring_normal(const cl_ring *r) {
  if (r->of_b) return r->b->n > 1 ? cl_convex_normal(r->b, r->k) : (cl_vec){0, 0};
  return cl_vec_mul(cl_convex_normal(r->a, r->i), -1);
}

void cl_ring_next(cl_ring *r) {
  corner c = {r->a, r->b, r->i, r->k};
  if (r->of_b && r->b->n == 1) return;
  corner next = step(&c, r->of_b, true);
  r->of_b = next_is_of_b(&next, along(&c, r->of_b, true), true);
  r->i = next.i, r->k = next.k, r->v = at(&next);
}

// Two circles: as cl_overlap_circles has it, which is exact by itself.
static bool overlap_points(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  cl_vec p = cl_placed_vertex(a->placed, a->part->first);
  cl_vec q = cl_placed_vertex(b->placed, b->part->first);
  cl_hit h; // as a gets free
  if (!cl_overlap_circles((cl_disc){p.x, p.y, a->r}, (cl_disc){q.x, q.y, b->r}, touching, &h))
    return false;
  *out = (cl_hit){-h.nx, -h.ny, h.depth};
  return true;
}

bool cl_convex_overlap(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  if (a->n == 1 && b->n == 1) return overlap_points(a, b, touching, out);
  double r = a->r + b->r, error = cl_convex_error(a, b);
  cl_axis axis = cl_convex_axis(a, b, r + error);
  if (axis.separation > r + error) return false;
  *out = (cl_hit){axis.normal.x, axis.normal.y, cl_max(r - axis.separation, 0)};
  if (axis.separation < -error) return true;
  const cl_vec still = {0, 0};
  if (r == 0) return cl_decide(a->placed, a->part, still, b->placed, b->part, touching);
  cl_closest c = cl_convex_closest(a, b, &axis);
  if (c.distance > r + error) return false;
  if (c.distance >= r - error &&
      !cl_decide(a->placed, a->part, still, b->placed, b->part, touching))
    return false;
  // Nearer than the error the edge's normal is the better one.
  if (c.distance > error) *out = (cl_hit){c.normal.x, c.normal.y, cl_max(r - c.distance, 0)};
  return true;
}
