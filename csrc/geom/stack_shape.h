// collide, MIT licence (see LICENSE)
//
// Shapes that live in a variable: for queries, which need one for a moment and
// must not fail. Layer: geom.

#ifndef CL_GEOM_STACK_SHAPE_H
#define CL_GEOM_STACK_SHAPE_H

#include "geom/shape.h"

/// `shape` points into the struct: it must not be copied, retained or released.
typedef struct cl_stack_shape {
  cl_shape shape;
  cl_part part;
  double vx[4], vy[4], nx[4], ny[4], line[4];
  uint8_t inner[4];
} cl_stack_shape;

/// A circle about 0, 0; with r = 0 a point.
void cl_stack_circle(cl_stack_shape *temp, double r);
/// From one point to another, which may be equal.
void cl_stack_segment(cl_stack_shape *temp, double x1, double y1, double x2, double y2);
/// A box with an area.
void cl_stack_box(cl_stack_shape *temp, cl_bounds box);

#endif
