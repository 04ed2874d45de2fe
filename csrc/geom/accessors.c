// collide, MIT licence (see LICENSE)
//
// What a host reads from a shape that is not placed. Layer: geom.

#include "geom/tiles.h"

cl_shape_kind cl_shape_kind_of(const cl_shape *shape) { return shape->kind; }

double cl_shape_area(const cl_shape *shape) {
  return shape->kind == CL_TILES ? cl_tiles_area(shape) : shape->area;
}

double cl_shape_radius(const cl_shape *shape) { return shape->radius; }

uint32_t cl_shape_part_count(const cl_shape *shape) { return shape->part_count; }
