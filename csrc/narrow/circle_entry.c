// collide, MIT licence (see LICENSE)
//
// A circle against each convex part. The distance of a point from a convex part is convex along a
// straight motion. So a part that the circle does not approach at the start is never approached,
// and Newton's method from the start never overshoots. Layer: narrow.

#include "narrow/circle_entry.h"

#include "base/tol.h"
#include "geom/shape.h"
#include "narrow/pairs.h"
#include "narrow/cell_blocks.h"
#include "narrow/convex.h"
#include "narrow/ray_box.h"

// The sine of an angle that counts as flat.
#define FLAT 1e-3

// Pieces of a motion through tiles.
#define MOST_PIECES 4096.0

// All relative to the circle's place at the start.
typedef struct search {
  cl_placed circle;
  double r;
  cl_vec d;
  const cl_vec *own;
  double error, touch; // what counts as a touch during the motion, and at the start
  double length;
  double against; // of the best so far: its rate, scaled by `length`
  bool inside, any;
  cl_cast *best;
} search;

static void take_nearer(double distance, cl_vec way, double *least, cl_vec *normal) {
  if (distance > *least || (distance == *least && !cl_vec_goes_first(way, *normal))) return;
  *least = distance, *normal = way;
}

// Measures from p to the edge that begins at vertex i; keeps it if nearer than `least`.
static void take_edge(const cl_convex *c, int i, cl_vec p, double *least, cl_vec *normal) {
  cl_vec a = cl_convex_vertex(c, i), b = cl_convex_vertex(c, cl_convex_next(c, i));
  cl_vec e = cl_vec_sub(b, a), v = cl_vec_sub(p, a), w = cl_vec_sub(p, b);
  bool past_a = cl_vec_dot(v, e) > 0, past_b = cl_vec_dot(w, e) >= 0;
  if (past_a && !past_b) { // beside the edge, the distance from its line is the most precise
    cl_vec n = cl_convex_normal(c, i);
    double off = cl_convex_outside(c, i, p);
    take_nearer(fabs(off), off < 0 ? (cl_vec){-n.x, -n.y} : n, least, normal);
    return;
  }
  if (past_a) v = w;
  double length = cl_vec_normalise(&v);
  if (length == 0) v = cl_convex_normal(c, i);
  take_nearer(length, v, least, normal);
}

// How far p is outside the core, or below 0 inside it, and the way out.
static double distance_of(const cl_convex *c, cl_vec p, cl_vec *normal) {
  double out = -DBL_MAX, least = DBL_MAX;
  if (c->n == 1) {
    *normal = cl_vec_sub(p, cl_convex_vertex(c, 0));
    double length = cl_vec_normalise(normal);
    if (length == 0) *normal = (cl_vec){1, 0};
    return length;
  }
  for (int i = 0; i < c->n && c->n > 2; i++) {
    cl_vec n = cl_convex_normal(c, i);
    double off = cl_convex_outside(c, i, p);
    if (off > out || (off == out && cl_vec_goes_first(n, *normal))) out = off, *normal = n;
  }
  if (c->n > 2 && out <= 0) return out;
  for (int i = 0; i < c->n; i++) take_edge(c, i, p, &least, normal);
  return least;
}

static void take(search *s, double t, cl_vec normal, double rate) {
  double against = rate / s->length;
  if (s->any && (t > s->best->t || (t == s->best->t && against > s->against))) return;
  bool equal = s->any && t == s->best->t && against == s->against;
  if (equal && !cl_vec_goes_first(normal, (cl_vec){s->best->nx, s->best->ny})) return;
  s->any = true;
  s->against = against;
  *s->best = (cl_cast){t, 0, 0, normal.x + 0.0, normal.y + 0.0};
}

static bool leads_in(cl_vec n, cl_vec way) {
  return cl_vec_dot(n, way) < -8 * CL_ROUND * (fabs(way.x) + fabs(way.y));
}

// Whether a surface met at a flat angle at time t is entered deeper than rounding alone explains,
// as when the circle moves along several tiles in a row.
static bool gets_deeper(const search *s, const cl_convex *c, double t) {
  enum { STEPS = 64 };
  double low = t, high = 1, deep = c->r + s->r - 4 * s->error;
  for (int i = 0; i < STEPS; i++) {
    double third = (high - low) / 3, p = low + third, q = high - third;
    cl_vec n;
    double at_p = distance_of(c, cl_vec_mul(s->d, p), &n);
    double at_q = distance_of(c, cl_vec_mul(s->d, q), &n);
    if (at_p < deep || at_q < deep) return true;
    if (at_p < at_q) high = q;
    else low = p;
  }
  return false;
}

// A touch at t after which the motion leads inward.
static void meet(search *s, const cl_convex *c, double t, cl_vec n) {
  double rate = cl_vec_dot(n, s->d);
  if (-rate > FLAT * s->length || gets_deeper(s, c, t)) take(s, t, n, rate);
}

static void try_part(search *s, const cl_convex *c) {
  enum { MOST_STEPS = 128 };
  cl_vec n = {0, 0};
  double gap = distance_of(c, (cl_vec){0, 0}, &n) - c->r - s->r, t = 0;
  if (gap < -s->touch) s->inside = true;
  if (!leads_in(n, s->d)) return; // it never comes nearer
  if (gap <= s->touch) {
    if (!s->own || leads_in(n, *s->own)) meet(s, c, 0, n);
    return;
  }
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    if (gap <= s->error) {
      meet(s, c, t, n);
      return;
    }
    double rate = cl_vec_dot(n, s->d);
    if (rate >= 0) return;
    t -= gap / rate;
    if (t > 1) return;
    gap = distance_of(c, cl_vec_mul(s->d, t), &n) - c->r - s->r;
  }
}

// Whether the circle certainly passes a box, or meets it later than the best so far.
static bool passes(const search *s, cl_bounds box) {
  cl_vec v = {(box.l + box.r) / 2 - s->circle.x, (box.t + box.b) / 2 - s->circle.y};
  double half = (fabs(s->d.x) * (box.b - box.t) + fabs(s->d.y) * (box.r - box.l)) / 2;
  double far = s->r + 2 * s->touch, in, out;
  if (fabs(cl_vec_cross(s->d, v)) > half + s->length * far) return true;
  if (!s->any) return false;
  const cl_bounds start = {s->circle.x, s->circle.y, s->circle.x, s->circle.y};
  cl_box_pass(cl_bounds_grown(start, far), box, s->d, &in, &out);
  return in > s->best->t;
}

static void try_parts(search *s, const cl_placed *b) {
  cl_bvh_pairs at;
  cl_convex part;
  cl_bounds way = {cl_min(s->d.x, 0), cl_min(s->d.y, 0), cl_max(s->d.x, 0), cl_max(s->d.y, 0)};
  cl_bvh_pairs_begin(&at, &s->circle, b, cl_bounds_grown(way, 2 * s->touch), false);
  while (cl_bvh_pairs_next(&at)) {
    if (passes(s, at.two)) continue;
    cl_convex_place(b, at.k, (cl_vec){s->circle.x, s->circle.y}, &part);
    try_part(s, &part);
  }
}

// Tiles, for one piece of the motion after another: a hit in one piece comes before all hits in
// later ones.
static void try_tiles(search *s, const cl_placed *tiles) {
  cl_bounds all = cl_placed_bounds(tiles), box = cl_placed_bounds(&s->circle);
  box = cl_bounds_grown(box, 2 * s->touch);
  double pieces = cl_min(cl_cell_blocks_pieces(tiles, box, s->d, 1), MOST_PIECES + 1);
  for (double k = 0; k < pieces && !(s->any && s->best->t <= k / pieces); k++) {
    cl_vec p = cl_vec_mul(s->d, k / pieces), q = cl_vec_mul(s->d, (k + 1) / pieces);
    cl_bounds swept = {box.l + cl_min(p.x, q.x), box.t + cl_min(p.y, q.y), box.r + cl_max(p.x, q.x),
                       box.b + cl_max(p.y, q.y)};
    if (!cl_bounds_touch(swept, all)) continue;
    cl_cell_blocks w;
    cl_cell_blocks_begin(&w, tiles, cl_tiles_under(tiles, swept, false), false);
    while (cl_cell_blocks_seek(&w)) {
      cl_bounds here = {cl_tiles_x(tiles, w.here.left), cl_tiles_y(tiles, w.here.top),
                        cl_tiles_x(tiles, w.here.right + 1), cl_tiles_y(tiles, w.here.bottom + 1)};
      if (!passes(s, here) && cl_cell_blocks_fill(&w)) try_parts(s, &w.placed);
    }
  }
}

cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out) {
  assert(r > 0 && isfinite(from.x) && isfinite(from.y));
  cl_stack_shape circle;
  cl_stack_circle(&circle, r);
  double size = (fabs(from.x) + fabs(from.y)) + (fabs(b->x) + fabs(b->y)) +
                (fabs(d.x) + fabs(d.y)) + (b->shape->reach + r);
  search s = {.circle = {&circle.shape, from.x, from.y, {1, 0}},
              .r = r,
              .d = d,
              .own = own,
              .error = CL_CAST_ERROR * size,
              .touch = CL_ENTRY_ERROR * size,
              .length = cl_vec_length(d),
              .best = out};
  if (cl_placed_is_tiles(b)) try_tiles(&s, b);
  else try_parts(&s, b);
  if (s.inside) return CL_ENTRY_INSIDE;
  return s.any ? CL_ENTRY_TOUCH : CL_ENTRY_NONE;
}
