// collide, MIT licence (see LICENSE)
//
// Overlap of two convex parts. Layer: narrow.

#include "narrow/convex_overlap.h"

#include "narrow/closest.h"
#include "narrow/exact_overlap.h"
#include "narrow/primitives.h"

// Two circles: as cl_overlap_circles, which is exact by itself.
static bool overlap_points(const cl_convex *a, const cl_convex *b, bool touching, cl_hit *out) {
  cl_vec p = cl_placed_vertex(a->placed, a->part->first);
  cl_vec q = cl_placed_vertex(b->placed, b->part->first);
  cl_hit h; // how a gets free
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
  if (r == 0) return cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, touching);
  cl_closest c = cl_convex_closest(a, b, &axis);
  if (c.distance > r + error) return false;
  if (c.distance >= r - error &&
      !cl_exact_overlap(a->placed, a->part, still, b->placed, b->part, touching))
    return false;
  // If nearer than the error, the edge's normal is the better one.
  if (c.distance > error) *out = (cl_hit){c.normal.x, c.normal.y, cl_max(r - c.distance, 0)};
  return true;
}
