// collide, MIT licence (see LICENSE)
//
// Casts: chooses the test for two shapes. Layer: narrow.

#include "geom/shape.h"

#include "narrow/overlap.h"
#include "narrow/ray_box.h"
#include "narrow/tiles_cast.h"

// Whether the two overlap at the start, which is the answer already. If they only touch, the parts
// that touch must be entered from here on.
static bool starts_inside(cl_parts_cast *m, cl_cast *out) {
  const cl_placed *a = m->pair.a, *b = m->pair.b;
  m->touching = cl_overlaps(a, b, true);
  if (!m->touching || !cl_overlaps(a, b, false)) return false;
  cl_vec at = cl_contact_point(a, b);
  *out = (cl_cast){0, at.x, at.y, 0, 0};
  return true;
}

static bool cast(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stack_shape *ray,
                 cl_cast *out) {
  cl_parts_cast m; // large: filled in as needed
  cl_parts_cast_begin(&m, a, d, b, ray);
  m.any_strict = cl_placed_is_tiles(b);
  cl_cast best = {.t = 2};
  bool (*meet_any)(cl_parts_cast *, cl_cast *) =
      cl_placed_is_tiles(b) ? cl_tiles_cast_meet : cl_parts_cast_meet;
  if (!starts_inside(&m, &best) && ((d.x == 0 && d.y == 0) || !meet_any(&m, &best))) return false;
  *out = best;
  return true;
}

bool cl_cast_shape(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *out) {
  assert(a->shape->kind != CL_TILES);
  return cast(a, d, b, NULL, out);
}

bool cl_cast_ray(double x1, double y1, double x2, double y2, const cl_placed *b, cl_cast *out) {
  cl_vec d = {x2 - x1, y2 - y1};
  int found = 0;
  if (cl_placed_is_one_box(b))
    found = cl_ray_box((cl_vec){x1, y1}, d, cl_placed_part_bounds(b, 0), out);
  else if (b->shape->kind == CL_TILES)
    found = cl_tiles_ray((cl_vec){x1, y1}, (cl_vec){x2, y2}, b, out);
  if (found != 0) return found > 0;
  cl_stack_shape point, ray;
  cl_stack_circle(&point, 0);
  cl_stack_segment(&ray, x1, y1, x2, y2);
  cl_placed a = {&point.shape, x1, y1, {1, 0}};
  if (!cast(&a, d, b, &ray, out)) return false;
  out->x = x1 + out->t * d.x;
  out->y = y1 + out->t * d.y;
  return true;
}
