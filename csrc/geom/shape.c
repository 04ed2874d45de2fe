// collide, MIT licence (see LICENSE)
//
// References to shapes, and their points. Layer: geom.

#include "geom/shape.h"

#include "cells/grid.h"
#include "geom/tile_set.h"

cl_shape *cl_shape_retain(cl_shape *shape) {
  assert(shape->references > 0 && shape->references < UINT32_MAX);
  shape->references++;
  return shape;
}

void cl_shape_release(cl_shape *shape) {
  assert(shape->references > 0);
  if (--shape->references > 0) return;
  for (uint32_t i = 0; i < shape->member_count; i++) cl_shape_release(shape->members[i]);
  if (shape->grid) cl_grid_release(shape->grid);
  if (shape->set) cl_tile_set_release(shape->set);
  cl_alloc alloc = shape->alloc;
  cl_free(&alloc, shape, shape->size);
}

uint64_t cl_shape_point_count(const cl_shape *shape) {
  uint64_t n = shape->outline_count;
  for (uint32_t i = 0; i < shape->member_count; i++) n += cl_shape_point_count(shape->members[i]);
  return n;
}

cl_vec cl_shape_point(const cl_shape *shape, uint64_t index) {
  for (uint32_t i = 0; i < shape->member_count; i++) {
    uint64_t n = cl_shape_point_count(shape->members[i]);
    if (index < n) return cl_shape_point(shape->members[i], index);
    index -= n;
  }
  assert(index < shape->outline_count);
  return shape->outline[index];
}
