// collide, MIT licence (see LICENSE)
//
// Drops points of a polygon that lie in a line with their neighbours: they would only make needless
// cuts. Layer: geom.
// Source: the cone of directions is that of Williams, An Efficient Algorithm for the
// Piecewise Linear Approximation of Planar Curves (1978).

#include "geom/build.h"

// The directions in which a line from a point passes all points seen so far within a distance. It
// is only a quick test: the distance is reduced by far more than rounding adds, so what it accepts
// is certain, and what it rejects is tested point by point.
typedef struct cone {
  cl_vec low, high;
  bool open; // all directions
  bool lost; // some point lies in the opposite direction
} cone;

static const cone all_directions = {{0, 0}, {0, 0}, true, false};

static void narrow(cone *c, cl_vec d, double distance) {
  double length = cl_vec_length(d);
  if (length <= distance) return;
  double s = distance / length, k = sqrt(1 - s * s);
  cl_vec low = {d.x * k + d.y * s, d.y * k - d.x * s};
  cl_vec high = {d.x * k - d.y * s, d.y * k + d.x * s};
  if (c->open) {
    *c = (cone){low, high, false, false};
    return;
  }
  if (!(cl_vec_dot(c->low, d) > 0 && cl_vec_dot(c->high, d) > 0)) c->lost = true;
  if (cl_vec_cross(c->low, low) > 0) c->low = low;
  if (cl_vec_cross(high, c->high) > 0) c->high = high;
}

static bool holds(const cone *c, cl_vec d) {
  if (c->open || c->lost) return c->open;
  return cl_vec_dot(c->low, d) > 0 && cl_vec_cross(c->low, d) >= 0 && cl_vec_cross(d, c->high) >= 0;
}

// Whether no point after `last` up to `at` is farther than the tolerance from the line
// from `last` to c.
static bool near_line(const cl_vec *p, uint32_t count, uint32_t last, uint32_t at, cl_vec c,
                      double tolerance) {
  cl_vec a = p[last];
  double limit = tolerance * cl_vec_length(cl_vec_sub(c, a));
  for (uint32_t i = last; i != at;) {
    i = (i + 1) % count;
    if (!(fabs(cl_orient_vec(a, p[i], c)) <= limit)) return false;
  }
  return true;
}

// One pass. Without a tolerance the points dropped so far lie in a line with the last of them, so
// testing that one is enough.
static uint32_t drop_flat(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = 0, start = 0;
  while (cl_orient_vec(p[(start + count - 1) % count], p[start], p[(start + 1) % count]) <= 0)
    start++;
  uint32_t last = start; // a corner, which stays; the last point kept
  cone ways = all_directions;
  out[n++] = p[start];
  for (uint32_t k = 1; k < count; k++) {
    uint32_t at = (start + k) % count;
    cl_vec a = p[last], c = p[(at + 1) % count];
    double bend = cl_orient_vec(a, p[at], c);
    bool drop;
    if (tolerance > 0) {
      narrow(&ways, cl_vec_sub(p[at], a), tolerance * 0.875);
      drop = bend <= 0 &&
             (holds(&ways, cl_vec_sub(c, a)) || near_line(p, count, last, at, c, tolerance));
    } else {
      drop = bend == 0;
    }
    if (drop) continue;
    out[n++] = p[last = at];
    ways = all_directions;
  }
  return n;
}

// Dropping a point may leave its neighbour bent in by as little, so passes are repeated until
// nothing changes.
uint32_t cl_straighten(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = drop_flat(p, count, tolerance, out), m;
  while ((m = drop_flat(out, n, tolerance, out + count)) < n) {
    memcpy(out, out + count, m * sizeof *out);
    n = m;
  }
  return n;
}
