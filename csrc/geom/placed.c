// collide, MIT licence (see LICENSE)
//
// Parts of placed shapes: their bounds, and those near a box. Layer: geom.

#include "geom/placed.h"

cl_placed cl_place(const cl_shape *shape, double x, double y, double angle) {
  assert(fabs(angle) <= CL_MAX_ANGLE);
  cl_rot none = {1, 0};
  bool turns = !(shape->flags & CL_SHAPE_UPRIGHT) && angle != 0;
  return (cl_placed){shape, x, y, turns ? cl_rot_of(angle) : none};
}

cl_bounds cl_placed_part_bounds(const cl_placed *p, uint32_t index) {
  assert(index < p->shape->part_count);
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
  return cl_bounds_grown(b, part->radius);
}

cl_bounds cl_placed_box(const cl_placed *p, const cl_bounds *box, double error) {
  double c = fabs(p->rot.c), s = fabs(p->rot.s);
  double w = (box->r - box->l) / 2, h = (box->b - box->t) / 2;
  double u = c * w + s * h + error, v = s * w + c * h + error;
  cl_vec m = cl_placed_point(p, (cl_vec){(box->l + box->r) / 2, (box->t + box->b) / 2});
  return (cl_bounds){m.x - u, m.y - v, m.x + u, m.y + v};
}

cl_within cl_within_placed(const cl_placed *p, cl_bounds box) {
  double c = fabs(p->rot.c), s = fabs(p->rot.s), error = cl_placed_error(p);
  double w = (box.r - box.l) / 2, h = (box.b - box.t) / 2;
  double u = c * w + s * h + error, v = s * w + c * h + error;
  cl_vec m = {(box.l + box.r) / 2 - p->x, (box.t + box.b) / 2 - p->y};
  m = cl_rot_undo(p->rot, m);
  return cl_within_box(p->shape, (cl_bounds){m.x - u, m.y - v, m.x + u, m.y + v});
}
