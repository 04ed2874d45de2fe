// collide, MIT licence (see LICENSE)
//
// Random shapes of every kind, for the tests of geom and narrow.

#ifndef CL_SPEC_RANDOM_SHAPES_H
#define CL_SPEC_RANDOM_SHAPES_H

#include "test.h"

#include "geom/shape.h"

enum { KINDS = 8 };
static const char *const kind_names[KINDS] = {"rectangle", "circle",  "capsule", "segment",
                                              "convex",    "concave", "chain",   "compound"};

// Sorted angles, at which points make a convex or star-shaped outline.
static inline void sorted_angles(double *angles, int n) {
  for (int i = 0; i < n; i++) {
    double a = test_uniform(0, 6.283185307179586);
    int k = i;
    for (; k > 0 && angles[k - 1] > a; k--) angles[k] = angles[k - 1];
    angles[k] = a;
  }
}

// The points of an ellipse are convex; with `rough` each is moved towards the middle by a random
// fraction, which leaves a star-shaped outline that is usually not convex.
static inline cl_shape *random_polygon(const cl_alloc *alloc, int n, double size, double rough) {
  double angles[512], xy[1024];
  cl_fault fault;
  cl_shape *s = NULL;
  while (!s) {
    double w = size * test_uniform(0.1, 1), h = size * test_uniform(0.1, 1);
    double x = test_uniform(-size, size), y = test_uniform(-size, size);
    sorted_angles(angles, n);
    bool around = angles[0] + 6.283185307179586 - angles[n - 1] < 3;
    for (int i = 1; i < n; i++) around = around && angles[i] - angles[i - 1] < 3;
    if (rough > 0 && !around) continue; // with a gap of half a turn it may cross itself
    for (int i = 0; i < n; i++) {
      double k = test_uniform(1 - rough, 1), sine, cosine;
      cl_sincos(angles[i], &sine, &cosine); // not libm's: the shapes are the same on every machine
      xy[2 * i] = x + k * w * cosine;
      xy[2 * i + 1] = y + k * h * sine;
    }
    if (cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s) != CL_OK) s = NULL;
  }
  return s;
}

static inline cl_shape *random_chain(const cl_alloc *alloc, double size) {
  double xy[20];
  int n = test_int(3, 10);
  cl_fault fault;
  cl_shape *s = NULL;
  for (int i = 0; i < 2 * n; i++) xy[i] = test_uniform(-size, size);
  if (cl_shape_chain(alloc, xy, (uint32_t)n, test_int(0, 1), &fault, &s) != CL_OK) abort();
  return s;
}

// A shape of about `size`, not far from 0, 0. The caller releases it.
static inline cl_shape *random_shape(const cl_alloc *alloc, int kind, double size) {
  double x = test_uniform(-size, size), y = test_uniform(-size, size);
  double w = size * test_uniform(0.05, 1), h = size * test_uniform(0.05, 1);
  cl_shape *s = NULL, *members[3];
  cl_status status = CL_OK;
  switch (kind) {
  case 0: status = cl_shape_rectangle(alloc, x, y, w, h, &s); break;
  case 1: status = cl_shape_circle(alloc, x, y, w, &s); break;
  case 2: status = cl_shape_capsule(alloc, x, y, x + w, y - h, h, &s); break;
  case 3: status = cl_shape_segment(alloc, x, y, x + w, y - h, &s); break;
  case 4: return random_polygon(alloc, test_int(3, 12), size, 0);
  case 5: return random_polygon(alloc, test_int(5, 14), size, 0.8);
  case 6: return random_chain(alloc, size);
  default: {
    int n = test_int(1, 3);
    for (int i = 0; i < n; i++) members[i] = random_shape(alloc, test_int(0, 6), size);
    status = cl_shape_compound(alloc, members, (uint32_t)n, &s);
    for (int i = 0; i < n; i++) cl_shape_release(members[i]);
  }
  }
  if (status != CL_OK) abort();
  return s;
}

#endif
