// collide, MIT licence (see LICENSE)
//
// Random shapes that have vertex blocks: anywhere, or on a small lattice, where they often touch
// and tie.

#ifndef CL_SPEC_BLOCK_SHAPES_H
#define CL_SPEC_BLOCK_SHAPES_H

#include "random_shapes.h"

#include "narrow/primitives.h"

static inline cl_shape *lattice_shape(const cl_alloc *alloc) {
  cl_shape *s = NULL;
  cl_fault fault;
  if (test_int(0, 1)) {
    double xy[8];
    for (int k = 0; k < 8; k++) xy[k] = test_int(0, 4);
    if (cl_shape_polygon(alloc, xy, (uint32_t)test_int(3, 4), &fault, &s) != CL_OK) s = NULL;
  } else {
    double x = test_int(0, 4), y = test_int(0, 4);
    cl_shape_rectangle(alloc, x, y, test_int(1, 4), test_int(1, 4), &s);
  }
  return s;
}

static inline cl_shape *block_shape(const cl_alloc *alloc, bool lattice) {
  cl_shape *s = NULL;
  while (!s) {
    if (lattice) s = lattice_shape(alloc);
    else if (test_int(0, 3)) s = random_polygon(alloc, test_int(3, 8), 10, 0);
    else s = random_shape(alloc, test_int(0, 1) ? 0 : 3, 10);
    if (s && !cl_has_block(s)) cl_shape_release(s), s = NULL;
  }
  return s;
}

// A shape's block, with room for few vertices or for many, and its place.
static inline cl_block_at block_at(const cl_placed *p, const double *block) {
  return cl_block_placed(block, (cl_vec){p->x, p->y}, p->shape->parts->reach);
}

static inline bool same_hit(const cl_hit *a, const cl_hit *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

#endif
