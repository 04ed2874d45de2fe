// collide, MIT licence (see LICENSE)
//
// Distances: the smallest over pairs of parts; skips pairs whose bounds are farther apart than the
// best so far. Layer: narrow.

#include "narrow/parts_distance.h"

#include "base/work.h"
#include "geom/shape.h"
#include "narrow/bvh_pairs.h"
#include "narrow/canonical_order.h"
#include "narrow/closest.h"
#include "narrow/exact_overlap.h"
#include "narrow/manifold.h"

// The distance of two parts, relative to their origin, if it is less than `below`; 0 if they touch.
static cl_gap part_gap(const cl_convex *a, const cl_convex *b, double below) {
  double r = a->r + b->r, error = cl_convex_error(a, b);
  double enough = below + r + 4 * error; // beyond rounding
  cl_axis axis = cl_convex_axis(a, b, enough);
  cl_gap gap = {0, {0, 0}, {0, 0}};
  if (axis.separation > enough) {
    gap.distance = below;
    return gap;
  }
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

// Bounds of parts that are no farther apart than a distance, with room for rounding.
static cl_bounds within(double distance) {
  double most = distance * (1 + 4 * CL_ROUND);
  return (cl_bounds){-most, -most, most, most};
}

// If it is not less than `below`, the answer is `below`.
static cl_gap least_gap(const cl_placed *a, const cl_placed *b, cl_vec origin, double below) {
  cl_gap best = {below, {0, 0}, {0, 0}};
  cl_convex p, q;
  cl_convex_room room;
  cl_bvh_pairs at;
  uint32_t placed = UINT32_MAX;
  cl_bvh_pairs_begin(&at, a, b, within(below), true);
  while (best.distance > 0 && cl_bvh_pairs_next(&at)) {
    if (cl_bounds_gap(at.one, at.two) > best.distance) continue;
    assert(at.i != UINT32_MAX);
    if (placed != at.i) cl_convex_place_in(a, placed = at.i, origin, &room, &p);
    cl_convex_place_in(b, at.k, origin, p.room ? NULL : &room, &q);
    CL_WORK(p.n + q.n);
    cl_gap gap = part_gap(&p, &q, best.distance);
    if (!(gap.distance < best.distance)) continue;
    best = gap;
    at.offset = within(gap.distance);
  }
  CL_WORK(at.steps);
  return best;
}

cl_gap cl_parts_distance(const cl_placed *a, const cl_placed *b, double below) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  bool ordered = cl_comes_first(a, b);
  cl_vec origin = ordered ? (cl_vec){a->x, a->y} : (cl_vec){b->x, b->y};
  cl_gap gap = ordered ? least_gap(a, b, origin, below) : least_gap(b, a, origin, below);
  if (gap.distance >= below) return gap;
  if (gap.distance == 0) {
    gap.a = gap.b = cl_contact_point(a, b);
    return gap;
  }
  cl_vec p = cl_vec_add(gap.a, origin), q = cl_vec_add(gap.b, origin);
  gap.a = ordered ? p : q;
  gap.b = ordered ? q : p;
  return gap;
}

double cl_parts_gap(const cl_placed *a, const cl_placed *b, double below) {
  return least_gap(a, b, (cl_vec){a->x, a->y}, below).distance;
}

double cl_parts_distance_point(const cl_placed *p, double x, double y) {
  cl_stack_shape point;
  cl_stack_circle(&point, 0);
  cl_placed at = {&point.shape, x, y, {1, 0}};
  return least_gap(p, &at, (cl_vec){x, y}, INFINITY).distance;
}
