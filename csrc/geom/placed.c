// collide, MIT licence (see LICENSE)
//
// Bounds of placed shapes, and whether they hold a point. Layer: geom.

#include "geom/placed.h"

#include "base/exact.h"

cl_bounds cl_placed_part_bounds(const cl_placed *p, uint32_t index) {
  const cl_part *part = &p->shape->parts[index];
  if (cl_rot_is_none(p->rot) && part->radius == 0) {
    const cl_bounds *b = &part->bounds; // rounding keeps order: the extreme vertices stay extreme
    return (cl_bounds){p->x + b->l, p->y + b->t, p->x + b->r, p->y + b->b};
  }
  cl_vec v = cl_placed_vertex(p, part->first);
  cl_bounds b = {v.x, v.y, v.x, v.y};
  for (uint32_t i = 1; i < part->count; i++) {
    v = cl_placed_vertex(p, part->first + i);
    b = cl_bounds_join(b, (cl_bounds){v.x, v.y, v.x, v.y});
  }
  double r = part->radius;
  return (cl_bounds){b.l - r, b.t - r, b.r + r, b.b + r};
}

void cl_placed_bounds(const cl_placed *p, cl_bounds *out) {
  cl_bounds b = cl_placed_part_bounds(p, 0);
  for (uint32_t i = 1; i < p->shape->part_count; i++)
    b = cl_bounds_join(b, cl_placed_part_bounds(p, i));
  *out = b;
}

// A polygon holds the point when no edge has it on the outer side; a round or
// flat part when some edge or vertex is within the radius.
static bool part_contains(const cl_placed *p, const cl_part *part, double x, double y) {
  const double q[2] = {x, y};
  bool inside = part->count > 2;
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec v = cl_placed_vertex(p, part->first + i);
    cl_vec w = cl_placed_vertex(p, part->first + (i + 1) % part->count);
    const double a[2] = {v.x, v.y}, b[2] = {w.x, w.y};
    if (inside && cl_orient(a, b, q) < 0) inside = false;
    if (!inside && part->count > 2 && part->radius == 0) return false;
    if (!inside && cl_compare_segment(q, a, b, part->radius, 0) <= 0) return true;
  }
  return inside;
}

bool cl_placed_contains(const cl_placed *p, double x, double y) {
  for (uint32_t i = 0; i < p->shape->part_count; i++) {
    cl_bounds b = cl_placed_part_bounds(p, i);
    const cl_part *part = &p->shape->parts[i];
    if (!(x >= b.l && x <= b.r && y >= b.t && y <= b.b)) continue;
    if ((part->flags & CL_PART_BOX) && cl_rot_is_none(p->rot)) return true;
    if (part_contains(p, part, x, y)) return true;
  }
  return false;
}
