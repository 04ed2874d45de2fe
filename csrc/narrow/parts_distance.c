// collide, MIT licence (see LICENSE)
//
// Distances: the smallest over pairs of parts; skips pairs whose bounds are farther apart than the
// best so far. Layer: narrow.

#include "narrow/parts_distance.h"

#include "geom/stack_shape.h"
#include "narrow/bvh_pairs.h"
#include "narrow/canonical_order.h"
#include "narrow/closest.h"
#include "narrow/exact_overlap.h"
#include "narrow/manifold.h"

// The distance of two parts, relative to their origin; 0 if they touch.
static cl_gap part_gap(const cl_convex *a, const cl_convex *b) {
  double r = a->r + b->r, error = cl_convex_error(a, b);
  cl_axis axis = cl_convex_axis(a, b, DBL_MAX);
  cl_gap gap = {0, {0, 0}, {0, 0}};
  if (axis.separation < -error && a->n + b->n > 2) return gap;
  cl_closest c = cl_convex_closest(a, b, &axis);
  double d = c.distance - r;
  if (d < -error) return gap;
  if (d <= error) {
    const cl_vec still = {0, 0};
    if (cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, true)) return gap;
    d = cl_max(d, DBL_MIN); // apart by less than doubles can represent
  }
  gap.distance = d;
  gap.a = cl_vec_add(c.a, cl_vec_mul(c.normal, a->r));
  gap.b = cl_vec_sub(c.b, cl_vec_mul(c.normal, b->r));
  return gap;
}

static cl_gap least_gap(const cl_placed *a, const cl_placed *b, cl_vec origin) {
  cl_gap best = {INFINITY, {0, 0}, {0, 0}};
  cl_convex p, q;
  cl_bvh_pairs at;
  uint32_t placed = UINT32_MAX;
  cl_bvh_pairs_begin(&at, a, b, (cl_bounds){-INFINITY, -INFINITY, INFINITY, INFINITY}, true);
  while (best.distance > 0 && cl_bvh_pairs_next(&at)) {
    if (cl_bounds_gap(at.one, at.two) > best.distance) continue;
    if (placed != at.i) cl_convex_place(a, placed = at.i, origin, &p);
    cl_convex_place(b, at.k, origin, &q);
    cl_gap gap = part_gap(&p, &q);
    if (!(gap.distance < best.distance)) continue;
    best = gap;
    double most = gap.distance * (1 + 4 * CL_ROUND);
    at.offset = (cl_bounds){-most, -most, most, most};
  }
  return best;
}

cl_gap cl_parts_distance(const cl_placed *a, const cl_placed *b) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  bool ordered = cl_comes_first(a, b);
  cl_vec origin = ordered ? (cl_vec){a->x, a->y} : (cl_vec){b->x, b->y};
  cl_gap gap = ordered ? least_gap(a, b, origin) : least_gap(b, a, origin);
  if (gap.distance == 0) {
    gap.a = gap.b = cl_contact_point(a, b);
    return gap;
  }
  cl_vec p = cl_vec_add(gap.a, origin), q = cl_vec_add(gap.b, origin);
  gap.a = ordered ? p : q;
  gap.b = ordered ? q : p;
  return gap;
}

double cl_parts_distance_point(const cl_placed *p, double x, double y) {
  cl_stack_shape point;
  cl_stack_circle(&point, 0);
  cl_placed at = {&point.shape, x, y, {1, 0}};
  return least_gap(p, &at, (cl_vec){x, y}).distance;
}
