// collide, MIT licence (see LICENSE)
//
// The exact decision behind the floating-point one, for the few pairs within its error.
// Layer: narrow.
//
// Placing rounds vertices, so a placed part is defined as the convex hull of its placed vertices.
// Almost always these are its corners, in order; otherwise gift wrapping (Jarvis 1973) finds its
// edges without memory.

#include "narrow/exact_overlap.h"

#include "base/exact.h"

// The placed vertices of a part as a set of points; if n is twice their number, also the same
// points moved by `sweep`.
typedef struct cloud {
  const cl_placed *placed;
  uint32_t first, count, n;
  cl_vec sweep;
  bool convex; // the points are the corners of their hull, in the positive order
} cloud;

static void point(const cloud *c, uint32_t i, double out[2]) {
  bool moved = i >= c->count;
  cl_vec v = cl_placed_vertex(c->placed, c->first + (moved ? i - c->count : i));
  out[0] = moved ? v.x + c->sweep.x : v.x;
  out[1] = moved ? v.y + c->sweep.y : v.y;
}

static uint32_t after(const cloud *c, uint32_t i) { return i + 1 < c->n ? i + 1 : 0; }

// Whether the way from p to q leads to the right, or straight up.
static bool leads_right(const double p[2], const double q[2]) {
  return q[0] > p[0] || (q[0] == p[0] && q[1] > p[1]);
}

// Whether the points in their order turn left at each of them, and go round once: then they lead to
// the right along one chain, and to the left along the other.
static bool is_convex(const cloud *c) {
  double p[2], q[2], v[2];
  int turns = 0;
  point(c, c->n - 1, p);
  point(c, 0, q);
  for (uint32_t i = 0; i < c->n; i++) {
    point(c, after(c, i), v);
    if (cl_orient(p, q, v) <= 0) return false;
    turns += leads_right(p, q) != leads_right(q, v);
    p[0] = q[0], p[1] = q[1];
    q[0] = v[0], q[1] = v[1];
  }
  return turns == 2;
}

static cloud cloud_of(const cl_placed *placed, const cl_part *part, cl_vec sweep) {
  bool moves = sweep.x != 0 || sweep.y != 0;
  uint32_t n = moves ? 2 * part->count : part->count;
  cloud c = {placed, part->first, part->count, n, sweep, false};
  c.convex = n > 2 && !moves && is_convex(&c);
  return c;
}

// The leftmost point, the lowest y first: a corner of the hull.
static uint32_t corner(const cloud *c) {
  uint32_t best = 0;
  double p[2], q[2];
  point(c, 0, p);
  for (uint32_t i = 1; i < c->n; i++) {
    point(c, i, q);
    if (q[0] < p[0] || (q[0] == p[0] && q[1] < p[1])) best = i, p[0] = q[0], p[1] = q[1];
  }
  return best;
}

// The hull's corner after p: nothing lies to the right of the line there, and of several points on
// it this is the farthest. False if all points equal p.
static bool next_corner(const cloud *c, const double p[2], double out[2]) {
  bool found = false;
  for (uint32_t i = 0; i < c->n; i++) {
    double q[2];
    point(c, i, q);
    if (q[0] == p[0] && q[1] == p[1]) continue;
    double side = found ? cl_orient(p, out, q) : 0;
    bool farther = found && side == 0 && cl_dot(out, q, p, out) > 0;
    if (!found || side < 0 || farther) out[0] = q[0], out[1] = q[1];
    found = true;
  }
  return found;
}

// Whether all of `c` lies to the right of the line from p to q, or on it too
// when `weak`.
static bool right_of(const cloud *c, const double p[2], const double q[2], bool weak) {
  for (uint32_t i = 0; i < c->n; i++) {
    double v[2];
    point(c, i, v);
    double side = cl_orient(p, q, v);
    if (side > 0 || (side == 0 && !weak)) return false;
  }
  return true;
}

// Whether all of `c` lies past q (seen from p) or before p, along p → q.
static bool beyond(const cloud *c, const double p[2], const double q[2]) {
  bool after = true, before = true;
  for (uint32_t i = 0; i < c->n; i++) {
    double v[2];
    point(c, i, v);
    after = after && cl_dot(p, q, q, v) > 0;
    before = before && cl_dot(p, q, p, v) < 0;
  }
  return after || before;
}

static bool same(const double p[2], const double q[2]) { return p[0] == q[0] && p[1] == q[1]; }

// Walks round a's hull. An edge separates it from b if all of b is to its right, or also on it when
// `weak`: then they may share boundary points. A flat hull has an edge in each direction; its ends
// can separate as well.
static bool edge_separates(const cloud *a, const cloud *b, bool weak) {
  double start[2], p[2], q[2], next[2];
  for (uint32_t i = 0; a->convex && i < a->n; i++) {
    point(a, i, p);
    point(a, after(a, i), q);
    if (right_of(b, p, q, weak)) return true;
  }
  if (a->convex) return false;
  point(a, corner(a), start);
  p[0] = start[0], p[1] = start[1];
  for (uint32_t left = a->n; left > 0 && next_corner(a, p, q); left--) {
    if (right_of(b, p, q, weak)) return true;
    if (next_corner(a, q, next) && same(next, p)) // flat: both its edges are this line
      return right_of(b, q, p, weak) || (!weak && beyond(b, p, q));
    if (same(q, start)) break;
    p[0] = q[0], p[1] = q[1];
  }
  return false;
}

// Whether the hulls are apart; `weak`: whether their interiors are (the interior of their
// difference does not contain 0, 0).
static bool separated(const cloud *a, const cloud *b, bool weak) {
  double p[2], q[2], next[2];
  point(a, 0, p);
  point(b, 0, q);
  bool points = !a->convex && !b->convex && !next_corner(a, p, next) && !next_corner(b, q, next);
  if (points) return weak || !same(p, q);
  return edge_separates(a, b, weak) || edge_separates(b, a, weak);
}

// The smallest sign of (distance from b's points to a's hull's edges) - (r + s).
static int nearest(const cloud *a, const cloud *b, double r, double s) {
  double start[2], p[2], q[2], v[2];
  int least = 1;
  uint32_t left = a->n, at = a->convex ? 0 : corner(a);
  point(a, at, start);
  p[0] = start[0], p[1] = start[1];
  do {
    if (a->convex) point(a, at = after(a, at), q);
    else if (!next_corner(a, p, q)) q[0] = p[0], q[1] = p[1];
    for (uint32_t i = 0; i < b->n && least >= 0; i++) {
      point(b, i, v);
      int sign = cl_compare_segment(v, p, q, r, s);
      if (sign < least) least = sign;
    }
    p[0] = q[0], p[1] = q[1];
  } while (!same(p, start) && least >= 0 && --left > 0);
  return least;
}

bool cl_exact_overlap(const cl_placed *a, const cl_part *part_a, cl_vec sweep, const cl_placed *b,
                      const cl_part *part_b, bool touching) {
  cloud ca = cloud_of(a, part_a, sweep), cb = cloud_of(b, part_b, (cl_vec){0, 0});
  double r = part_a->radius, s = part_b->radius;
  if (r == 0 && s == 0) return !separated(&ca, &cb, !touching);
  if (!separated(&ca, &cb, false)) return true;
  int sign = nearest(&ca, &cb, r, s), back = nearest(&cb, &ca, r, s);
  if (back < sign) sign = back;
  return sign < 0 || (sign == 0 && touching);
}
