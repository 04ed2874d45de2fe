// collide, MIT licence (see LICENSE)
//
// Exact order of the crossings of a ray. Layer: cells.
//
// Crossing i of axis a is reached at t = |boundary - from| / |to - from|, so two
// crossings are compared by cross-multiplying four differences of doubles.

#include "cells/ray.h"

#include "base/tol.h"
#include "cells/bigint.h"

// By conversion, since floor is a function call on many machines; |v| < 2^63.
static double floor_of(double v) {
  double whole = (double)(int64_t)v;
  return whole > v ? whole - 1 : whole;
}

static void set_axis(cl_ray_axis *axis, double from, double to) {
  double cell = floor_of(from);
  *axis = (cl_ray_axis){.from = from, .to = to, .cell = cell, .first = cell};
  if (to > from) {
    axis->first = cell + 1;
    axis->step = 1;
    axis->length = cl_two_diff(to, from);
    axis->count = (int64_t)(floor_of(to) - cell);
  } else if (to < from) {
    axis->step = -1;
    axis->length = cl_two_diff(from, to);
    axis->count = (int64_t)(cell + floor_of(-to) + 1);
  }
}

void cl_ray_set(cl_ray *ray, int dims, const double from[], const double to[]) {
  assert(dims == 2 || dims == 3);
  for (int i = 0; i < dims; i++) assert(fabs(from[i]) <= CL_MAX_CELL && fabs(to[i]) <= CL_MAX_CELL);
  ray->dims = dims;
  for (int i = 0; i < dims; i++) set_axis(&ray->axis[i], from[i], to[i]);
  if (dims < 3) set_axis(&ray->axis[2], 0, 0);
}

int cl_ray_compare(const cl_ray *ray, int a, int64_t i, int b, int64_t j) {
  const cl_ray_axis *x = &ray->axis[a], *y = &ray->axis[b];
  assert(i >= 0 && i <= x->count && j >= 0 && j <= y->count);
  double at_x = cl_ray_boundary(x, i), at_y = cl_ray_boundary(y, j);
  double p = fabs(at_x - x->from) * y->length.hi, q = fabs(at_y - y->from) * x->length.hi;
  // Each product has three roundings, so their difference is off by less than
  // 3.01 CL_ROUND of their sum and one rounding of its own; a product that
  // underflows by less than the smallest normal double.
  if (fabs(p - q) > 8 * CL_ROUND * (p + q) + DBL_MIN) return p < q ? -1 : 1;
  const cl_interval along_x[2] = {{at_x, x->from}, {x->to, x->from}};
  const cl_interval along_y[2] = {{y->to, y->from}, {at_y, y->from}};
  return cl_compare_products(along_x, along_y);
}

int64_t cl_ray_before(const cl_ray *ray, int a, int b, int64_t j) {
  const cl_ray_axis *x = &ray->axis[a];
  if (x->count == 0) return 0;
  // The guess has four roundings, of no more than the length of the axis in cells:
  // it is wrong by a few at most.
  double guess = cl_ray_time(&ray->axis[b], j) * x->length.hi - fabs(x->first - x->from);
  int64_t i = guess < 0 ? 0 : (int64_t)guess + 1;
  if (i > x->count) i = x->count;
  while (i > 0 && cl_ray_compare(ray, a, i - 1, b, j) >= 0) i--;
  while (i < x->count && cl_ray_compare(ray, a, i, b, j) < 0) i++;
  return i;
}

unsigned cl_ray_next(const cl_ray *ray, const int64_t passed[3]) {
  unsigned axes = 0;
  int best = -1;
  for (int a = 0; a < ray->dims; a++) {
    if (passed[a] >= ray->axis[a].count) continue;
    int sign = best < 0 ? -1 : cl_ray_compare(ray, a, passed[a], best, passed[best]);
    if (sign < 0) axes = 0;
    if (sign <= 0) axes |= 1u << a;
    if (sign < 0) best = a;
  }
  return axes;
}
