// collide, MIT licence (see LICENSE)
//
// Distances of placed shapes: chooses the test for two shapes. Layer: narrow.

#include "geom/shape.h"

#include "narrow/parts_distance.h"
#include "narrow/tiles_distance.h"

cl_gap cl_distance(const cl_placed *a, const cl_placed *b) {
  if (cl_placed_is_tiles(a)) return cl_tiles_distance(a, b, INFINITY);
  if (!cl_placed_is_tiles(b)) return cl_parts_distance(a, b, INFINITY);
  cl_gap back = cl_tiles_distance(b, a, INFINITY);
  return (cl_gap){back.distance, back.b, back.a};
}

double cl_distance_point(const cl_placed *p, double x, double y) {
  if (!cl_placed_is_tiles(p)) return cl_parts_distance_point(p, x, y);
  cl_stack_shape point;
  cl_stack_circle(&point, 0);
  cl_placed at = {&point.shape, x, y, {1, 0}};
  return cl_tiles_distance(p, &at, INFINITY).distance;
}
