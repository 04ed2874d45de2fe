// collide, MIT licence (see LICENSE)
//
// The overlap of placed shapes: which order, which pair test. Layer: narrow.

#include "narrow/overlap.h"

#include "base/exact.h"
#include "narrow/axes.h"
#include "narrow/convex.h"
#include "narrow/order.h"
#include "narrow/parts.h"
#include "narrow/tiles.h"

bool cl_overlap_circles_near(cl_disc a, cl_disc b, bool touching, cl_hit *out) {
  const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y};
  int sign = cl_compare_points(p, q, a.r, b.r);
  if (sign > 0 || (sign == 0 && !touching)) return false;
  double x = a.x - b.x, y = a.y - b.y;
  if (x == 0 && y == 0) {
    *out = (cl_hit){-1, 0, a.r + b.r};
    return true;
  }
  double m = cl_max(fabs(x), fabs(y)), u = x / m, v = y / m, d = sqrt(u * u + v * v);
  *out = (cl_hit){u / d, v / d, sign == 0 ? 0 : cl_max((a.r + b.r) - m * d, 0)};
  return true;
}

static bool overlap_convex(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_vec origin = {a->x, a->y};
  cl_convex p, q;
  cl_convex_place(a, 0, origin, &p);
  cl_convex_place(b, 0, origin, &q);
  return cl_convex_overlap(&p, &q, touching, out);
}

static bool is_single(const cl_placed *p) { return p->shape->part_count == 1; }

// Of two tiles the first in order is taken for them.
static bool is_second(const cl_placed *a, const cl_placed *b) {
  return !cl_placed_is_tiles(a) || (cl_placed_is_tiles(b) && !cl_comes_first(a, b));
}

// At least one of them is tiles.
static bool overlap_tiles(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  bool back = is_second(a, b);
  cl_hit h;
  if (!cl_tiles_overlap(back ? b : a, back ? a : b, touching, &h)) return false;
  *out = back ? h : (cl_hit){0.0 - h.nx, 0.0 - h.ny, h.depth}; // as the vector is wanted
  return true;
}

bool cl_overlaps(const cl_placed *a, const cl_placed *b, bool touching) {
  cl_hit h;
  if (is_single(a) && is_single(b)) return cl_overlap(a, b, touching, &h);
  bool ordered = cl_comes_first(a, b);
  if (cl_placed_is_tiles(a) || cl_placed_is_tiles(b)) {
    bool back = is_second(a, b);
    return cl_tiles_meet(back ? b : a, back ? a : b, touching);
  }
  return cl_parts_meet(ordered ? a : b, ordered ? b : a, touching);
}

bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  const cl_part *p = a->shape->parts, *q = b->shape->parts;
  bool single = is_single(a) && is_single(b);
  if (!single && (cl_placed_is_tiles(a) || cl_placed_is_tiles(b)))
    return overlap_tiles(a, b, touching, out);
  if (single && cl_placed_part_is_box(a, 0) && cl_placed_part_is_box(b, 0))
    return cl_overlap_boxes(cl_placed_part_bounds(a, 0), cl_placed_part_bounds(b, 0), touching,
                            out);
  if (single && p->count == 1 && q->count == 1) {
    cl_vec v = cl_placed_vertex(a, p->first), w = cl_placed_vertex(b, q->first);
    return cl_overlap_circles((cl_disc){v.x, v.y, p->radius}, (cl_disc){w.x, w.y, q->radius},
                              touching, out);
  }
  if (cl_has_corners(a->shape) && cl_has_corners(b->shape)) {
    cl_verdict verdict = cl_corners_verdict(a, b, cl_has_avx2(), out);
    if (verdict != CL_DOUBT) return verdict == CL_HIT;
  }
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  cl_hit h;
  if (!(single ? overlap_convex : cl_parts_overlap)(first, second, touching, &h)) return false;
  // Rounding may give a depth to what only touches.
  double size = fabs(a->x) + fabs(a->y) + fabs(b->x) + fabs(b->y);
  double error = CL_SEPARATION_ERROR * (size + a->shape->reach + b->shape->reach);
  bool doubtful = touching && h.depth > 0 && h.depth <= error;
  if (doubtful && !cl_overlaps(a, b, false)) h.depth = 0;
  double sign = ordered ? -1 : 1;
  *out = (cl_hit){h.nx * sign + 0.0, h.ny * sign + 0.0, h.depth}; // + 0 leaves no -0
  return true;
}
