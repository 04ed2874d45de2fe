// collide, MIT licence (see LICENSE)
//
// Minkowski differences of convex parts. Layer: narrow.

#include "narrow/difference.h"

#include "geom/box.h"
#include "narrow/minkowski.h"

// Whether the difference of the cores lies on a line.
static bool is_flat(const cl_convex *a, const cl_convex *b) {
  if (a->n > 2 || b->n > 2) return false;
  if (a->n == 1 || b->n == 1) return true;
  return fabs(cl_vec_cross(cl_convex_normal(a, 0), cl_convex_normal(b, 0))) <= CL_MEET;
}

// Two edges in one direction are on one line.
static void join_lines(double *one, double *other) { *one = *other = cl_max(*one, *other); }

static bool same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

cl_difference cl_difference_of(const cl_convex *a, const cl_convex *b, cl_vec *v, cl_vec *n,
                               double *line) {
  cl_difference d = {.v = v, .n = n, .line = line, .r = a->r + b->r};
  d.thin = cl_part_is_thin(a->part) || cl_part_is_thin(b->part);
  d.flat = is_flat(a, b);
  cl_boundary at;
  d.count = cl_boundary_begin(&at, a, b);
  cl_extent extent = cl_extent_empty();
  for (int i = 0; i < d.count; i++, cl_boundary_next(&at)) {
    v[i] = cl_boundary_at(&at);
    n[i] = cl_boundary_normal(&at);
    line[i] = cl_boundary_line(&at);
    if (i > 0 && same(n[i], n[i - 1])) join_lines(&line[i], &line[i - 1]);
    cl_extent_add(&extent, v[i]);
  }
  if (d.count > 1 && same(n[0], n[d.count - 1])) join_lines(&line[0], &line[d.count - 1]);
  d.bounds = cl_bounds_grown(cl_extent_bounds(&extent), d.r);
  return d;
}

static int after(const cl_difference *d, int i) { return i + 1 < d->count ? i + 1 : 0; }

// How far x is outside the line through the edge that begins at corner i.
static double beyond_line(const cl_difference *d, int i, cl_vec x) {
  return cl_vec_dot(x, d->n[i]) - d->line[i];
}

// Whether x is beside the edge that begins at corner i, not past its ends.
static bool beside_edge(const cl_difference *d, int i, cl_vec x) {
  cl_vec v = d->v[i], w = d->v[after(d, i)], e = cl_vec_sub(w, v);
  return cl_vec_dot(cl_vec_sub(x, v), e) >= 0 && cl_vec_dot(cl_vec_sub(x, w), e) <= 0;
}

// Whether x is nearer than `reach` to the corner i or the edge that begins there.
static bool is_near(const cl_difference *d, int i, cl_vec x, double reach) {
  cl_vec p = cl_vec_sub(x, d->v[i]);
  if (cl_vec_dot(p, p) < reach * reach) return true;
  return d->count > 1 && fabs(beyond_line(d, i, x)) < reach && beside_edge(d, i, x);
}

bool cl_difference_holds(const cl_difference *d, cl_vec x, double depth) {
  const cl_bounds *b = &d->bounds;
  if (x.x <= b->l + depth || x.x >= b->r - depth || x.y <= b->t + depth || x.y >= b->b - depth)
    return false;
  double reach = d->r - depth, most = -DBL_MAX;
  if (d->count > 1) {
    for (int i = 0; i < d->count; i++) {
      most = cl_max(most, beyond_line(d, i, x));
      if (most >= reach) return false;
    }
    if (d->r == 0 || (!d->flat && most <= 0)) return true;
  }
  for (int i = 0; i < d->count; i++)
    if (is_near(d, i, x, reach)) return true;
  return false;
}

// How far from x along `way` the circle of radius r about v is left; -DBL_MAX if it is not met.
static double leave_circle(cl_vec x, cl_vec way, cl_vec v, double r) {
  cl_vec p = cl_vec_sub(v, x);
  double along = cl_vec_dot(p, way), across = cl_vec_cross(p, way), half = r * r - across * across;
  return half < 0 ? -DBL_MAX : along + sqrt(half);
}

double cl_difference_exit(const cl_difference *d, cl_vec x, cl_vec way, double depth) {
  assert(depth <= 0 && (way.x != 0 || way.y != 0));
  double reach = d->r - depth;
  if (d->r == 0) { // out of the first of its half-planes
    double least = DBL_MAX;
    for (int i = 0; i < d->count; i++) {
      double rate = cl_vec_dot(d->n[i], way);
      if (rate > 0) least = cl_min(least, (reach - beyond_line(d, i, x)) / rate);
    }
    return least < DBL_MAX ? least : -DBL_MAX;
  }
  // The difference is the union of circles about the corners and bands beside the edges, and
  // convex: the answer is the last of them that is left.
  double most = -DBL_MAX;
  for (int i = 0; i < d->count; i++) {
    most = cl_max(most, leave_circle(x, way, d->v[i], reach));
    double rate = cl_vec_dot(d->n[i], way);
    if (rate <= 0) continue;
    double t = (reach - beyond_line(d, i, x)) / rate;
    if (t > most && beside_edge(d, i, cl_vec_add(x, cl_vec_mul(way, t)))) most = t;
  }
  return most;
}

double cl_difference_leave(const cl_difference *d, cl_vec x, cl_vec way, double depth) {
  return cl_max(cl_difference_exit(d, x, way, depth), 0);
}

double cl_pseudo_angle(cl_vec u, cl_vec v, int winding) {
  double along = cl_vec_dot(u, v), across = winding * cl_vec_cross(u, v);
  double size = fabs(along) + fabs(across);
  double share = size > 0 ? across / size : 0;
  if (along < 0) return 2 - share;
  return across < 0 ? 4 + share : share;
}

// A walk round a circle, and the nearest place so far where it leaves the difference.
typedef struct round_walk {
  cl_vec c, u, best;
  double radius, least;
  int winding;
} round_walk;

static cl_vec at_turn(const round_walk *w, cl_vec u) {
  return cl_vec_add(w->c, cl_vec_mul(u, w->radius));
}

// The end, in the direction of the walk, of the arc about the unit vector `middle` with this cosine
// of half its angle; with `entering` the end that a walk from outside reaches first.
static cl_vec arc_end(const round_walk *w, cl_vec middle, double cosine, bool entering) {
  double sine = sqrt(cl_max(1 - cosine * cosine, 0)) * (entering ? -w->winding : w->winding);
  cl_vec up = {-middle.y, middle.x};
  return cl_vec_add(cl_vec_mul(middle, cosine), cl_vec_mul(up, sine));
}

static void take_end(round_walk *w, cl_vec u) {
  double turned = cl_pseudo_angle(w->u, u, w->winding);
  bool equal = turned == w->least && cl_vec_goes_first(u, w->best);
  if (turned < w->least || equal) w->least = turned, w->best = u;
}

cl_vec cl_difference_leave_arc(const cl_difference *d, cl_vec c, double radius, cl_vec u,
                               int winding, double depth) {
  round_walk w = {c, u, u, radius, 4, winding};
  double reach = d->r - depth;
  for (int i = 0; i < d->count; i++) {
    // Out through the line beside an edge, if that is the boundary there.
    double cosine = d->count > 1 ? (reach - beyond_line(d, i, c)) / radius : 2;
    if (fabs(cosine) < 1) {
      cl_vec end = arc_end(&w, d->n[i], cosine, true);
      if (d->r == 0 || beside_edge(d, i, at_turn(&w, end))) take_end(&w, end);
    }
    if (d->r == 0) continue;
    // Out of the circle about a corner, if nothing else contains it.
    cl_vec way = cl_vec_sub(d->v[i], c);
    double gap = cl_vec_normalise(&way);
    if (gap == 0) continue;
    cosine = (radius * radius + gap * gap - reach * reach) / (2 * radius * gap);
    if (fabs(cosine) >= 1) continue;
    cl_vec end = arc_end(&w, way, cosine, false);
    double slack = CL_MEET * (radius + reach);
    if (!cl_difference_holds(d, at_turn(&w, end), depth + slack)) take_end(&w, end);
  }
  return w.best;
}
