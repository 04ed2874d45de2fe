// collide, MIT licence (see LICENSE)
//
// A shape at a place. All its vertices come from cl_placed_vertex, so that boxes, decisions and
// depths use the same doubles. Layer: geom.

#ifndef CL_GEOM_PLACED_H
#define CL_GEOM_PLACED_H

#include "base/tol.h"
#include "geom/shape.h"
#include "geom/part_bvh.h"

static inline bool cl_placed_is_tiles(const cl_placed *p) { return p->shape->kind == CL_TILES; }

/// A local point, in world units. Without rotation it is exactly the rounded sum of the two
/// doubles.
static inline cl_vec cl_placed_point(const cl_placed *p, cl_vec v) {
  cl_vec turned = cl_rot_apply(p->rot, v);
  return (cl_vec){p->x + turned.x, p->y + turned.y};
}

/// Vertex `i` of the shape's arrays in world units.
static inline cl_vec cl_placed_vertex(const cl_placed *p, uint32_t i) {
  return cl_placed_point(p, (cl_vec){p->shape->vx[i], p->shape->vy[i]});
}

/// Bounds of one part in world units. They contain every placed vertex to the bit, as the bounds of
/// the whole do; adding the radius rounds but keeps the order, so shapes that overlap or touch
/// always have bounds that do.
cl_bounds cl_placed_part_bounds(const cl_placed *p, uint32_t part);

/// Whether a part is an upright rectangle, which its bounds then describe exactly.
static inline bool cl_placed_part_is_box(const cl_placed *p, uint32_t part) {
  return (p->shape->parts[part].flags & CL_PART_BOX) && cl_rot_is_none(p->rot);
}

/// Whether the whole shape is one such rectangle.
static inline bool cl_placed_is_one_box(const cl_placed *p) {
  return cl_shape_is_box(p->shape) && cl_rot_is_none(p->rot);
}

/// The bounds, in world units, of a box in the shape's frame, grown by `error`.
cl_bounds cl_placed_box(const cl_placed *p, const cl_bounds *box, double error);

/// A bound on how far rounding moves a point of the shape when it is placed, or
/// brought back into the shape's frame; world units.
static inline double cl_placed_error(const cl_placed *p) {
  return CL_SEPARATION_ERROR * (fabs(p->x) + fabs(p->y) + p->shape->reach);
}

/// Goes through the parts whose placed bounds may touch a box in world units. It misses none of
/// those that do.
cl_within cl_within_placed(const cl_placed *p, cl_bounds box);

#endif
