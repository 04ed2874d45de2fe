// collide, MIT licence (see LICENSE)
//
// Rays against upright boxes. Layer: narrow.

#include "narrow/ray_box.h"

#include "base/tol.h"

// When a ray with start x and rate d passes the edges l and r of a box along one axis, both bounds
// rounded; false if it never does. If d = 0 the comparison is exact.
static bool pass_slab(double x, double d, double l, double r, double *in, double *out) {
  *in = -INFINITY, *out = INFINITY;
  if (d == 0) return x >= l && x <= r;
  cl_clip_slab(l - x, r - x, d, in, out);
  return true;
}

// Only for starts that are outside the box and do not touch it.
static int enter_box(cl_vec p, cl_vec d, cl_bounds b, cl_cast *out) {
  double in_x, in_y, out_x, out_y;
  if (!pass_slab(p.x, d.x, b.l, b.r, &in_x, &out_x)) return -1;
  if (!pass_slab(p.y, d.y, b.t, b.b, &in_y, &out_y)) return -1;
  double enter = cl_max(in_x, in_y), leave = cl_min(out_x, out_y);
  const double slip = 8 * CL_ROUND; // relative, of a quotient of differences
  double low = enter * (1 - slip), high = enter * (1 + slip); // enter > 0 for a possible hit
  if (low > 1 || leave < 0 || low > leave * (1 + slip)) return -1;
  if (!(enter > 0 && high <= 1 && high < leave * (1 - slip)) || in_x == in_y) return 0;
  bool across = in_x > in_y;
  *out = (cl_cast){enter, p.x + enter * d.x, p.y + enter * d.y, 0, 0};
  if (across) out->nx = d.x > 0 ? -1 : 1;
  else out->ny = d.y > 0 ? -1 : 1;
  return 1;
}

int cl_ray_inside(cl_vec p, cl_vec d, cl_cast *out) {
  *out = (cl_cast){0, p.x + 0 * d.x, p.y + 0 * d.y, 0, 0};
  return 1;
}

int cl_ray_box(cl_vec p, cl_vec d, cl_bounds b, cl_cast *out) {
  if (p.x < b.l || p.x > b.r || p.y < b.t || p.y > b.b) return enter_box(p, d, b, out);
  if (p.x > b.l && p.x < b.r && p.y > b.t && p.y < b.b) return cl_ray_inside(p, d, out);
  // From a side, outward or along it.
  bool by_x = (p.x == b.l && d.x <= 0) || (p.x == b.r && d.x >= 0);
  bool by_y = (p.y == b.t && d.y <= 0) || (p.y == b.b && d.y >= 0);
  return by_x || by_y ? -1 : 0;
}

void cl_box_pass(cl_bounds a, cl_bounds b, cl_vec d, double *in, double *out) {
  const double low[2] = {b.l - a.r, b.t - a.b}, high[2] = {b.r - a.l, b.b - a.t};
  const double way[2] = {d.x, d.y};
  *in = 0;
  *out = 1;
  for (int i = 0; i < 2; i++) {
    if (low[i] <= cl_max(way[i], 0) && high[i] >= cl_min(way[i], 0)) {
      if (way[i] != 0) cl_clip_slab(low[i], high[i], way[i], in, out);
    } else {
      *out = -1;
    }
  }
}
