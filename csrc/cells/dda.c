// collide, MIT licence (see LICENSE)
//
// Setting the times of a ray's next crossings. Layer: cells.
// Source of the arithmetic: Dekker, A floating-point technique for extending the
// available precision (1971).

#include "cells/dda.h"

// A time that is never reached: it is later than CL_DDA_STEPS crossings of the fastest axis.
#define NEVER (INT64_C(1) << 61)

// One for each axis, so that they do not seem to cross together.
static int64_t never(int axis) { return NEVER + ((int64_t)axis << 59); }

// A ray shorter than this along an axis has few crossings there, and products
// would underflow: cl_ray_next decides the order.
#define LEAST_LENGTH 0x1p-200

// A product or difference of double doubles is off by less than this share of its
// operands: the bound is 7 squares of 2^-53, the rest is margin.
#define DOUBLE_ROUND 0x1p-100

// `lo` of an exact result is 0. `hi` may have underflowed to 0.
static cl_two multiply(cl_two a, cl_two b, bool *exact) {
  cl_two p = cl_two_product(a.hi, b.hi);
  if (a.lo != 0 || b.lo != 0 || p.lo != 0 || (a.hi != 0 && fabs(p.hi) < LEAST_LENGTH)) {
    *exact = false;
    return cl_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
  }
  return p;
}

static cl_two subtract(cl_two a, cl_two b, bool *exact) {
  cl_two d = cl_two_diff(a.hi, b.hi);
  if (a.lo != 0 || b.lo != 0 || d.lo != 0) {
    *exact = false;
    return cl_two_sum(d.hi, d.lo + (a.lo - b.lo));
  }
  return d;
}

// The power of two that brings v, at least 2^-401, into [2^49, 2^50).
static double scale_for(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  u = (1023 + 49 + 1023 - (u >> 52)) << 52;
  double scale;
  memcpy(&scale, &u, sizeof scale);
  return scale;
}

// v * scale in whole units, off by less than 2; never(axis) when that is too large.
static int64_t fixed(cl_two v, double scale, int axis, bool *exact) {
  double hi = v.hi * scale, lo = v.lo * scale;
  if (fabs(hi) >= (double)NEVER) return never(axis);
  int64_t units = (int64_t)hi;
  if (lo != 0 || (double)units != hi) {
    *exact = false;
    units += (int64_t)lo;
  }
  return units;
}

static cl_two distance(const cl_ray_axis *axis, int64_t passed) {
  double at = cl_ray_boundary(axis, passed);
  return axis->step > 0 ? cl_two_diff(at, axis->from) : cl_two_diff(axis->from, at);
}

// The axes that still cross, the fastest first; how many.
static int moving_axes(const cl_ray *ray, const int64_t passed[3], int axes[3]) {
  int n = 0;
  for (int a = 0; a < ray->dims; a++) {
    if (passed[a] >= ray->axis[a].count) continue;
    axes[n++] = a;
    if (ray->axis[a].length.hi > ray->axis[axes[0]].length.hi) {
      axes[n - 1] = axes[0];
      axes[0] = a;
    }
  }
  return n;
}

void cl_dda_set(cl_dda *dda, const cl_ray *ray, const int64_t passed[3]) {
  int axes[3], n = moving_axes(ray, passed, axes);
  *dda = (cl_dda){.time = {never(0), never(1), never(2)}, .exact = true};
  if (n == 0) return;
  int fast = axes[0];
  const cl_ray_axis *f = &ray->axis[fast];
  dda->time[fast] = 0;
  if (n == 1) return;
  static const cl_two one = {1, 0};
  // others[i] is the product of the lengths of all axes but axes[i].
  cl_two length[3] = {f->length, one, one};
  for (int i = 1; i < n; i++) length[i] = ray->axis[axes[i]].length;
  if (length[1].hi < LEAST_LENGTH || length[2].hi < LEAST_LENGTH) {
    *dda = (cl_dda){.exact = false}; // all times equal, and that says nothing
    return;
  }
  bool exact = true;
  cl_two wait = n == 2 ? length[1] : multiply(length[1], length[2], &exact);
  double scale = scale_for(wait.hi), error = 0;
  dda->wait[fast] = fixed(wait, scale, fast, &exact);
  cl_two df = distance(f, passed[fast]);
  for (int i = 1; i < n; i++) {
    int a = axes[i];
    cl_two other = n == 2 ? one : length[3 - i], da = distance(&ray->axis[a], passed[a]);
    cl_two u = multiply(da, length[0], &exact), v = multiply(df, length[i], &exact);
    cl_two later = subtract(u, v, &exact), between = length[0];
    if (n == 3) {
      later = multiply(later, other, &exact);
      between = multiply(length[0], other, &exact);
    }
    dda->time[a] = fixed(later, scale, a, &exact);
    dda->wait[a] = fixed(between, scale, a, &exact);
    error += 4 * DOUBLE_ROUND * (u.hi + v.hi) * other.hi * scale;
  }
  if (exact) return;
  // Each axis adds its wait, off by less than 2, at most CL_DDA_STEPS times.
  *dda = error < 0x1p50 ? *dda : (cl_dda){.exact = false};
  dda->slack = error < 0x1p50 ? (int64_t)error + 4 * CL_DDA_STEPS + 8 : 0;
  dda->exact = false;
}

unsigned cl_dda_next(const cl_dda *dda, const cl_ray *ray, const int64_t passed[3]) {
  if (!dda->exact) return cl_ray_next(ray, passed);
  const int64_t *time = dda->time;
  int64_t least = time[0] < time[1] ? time[0] : time[1];
  if (time[2] < least) least = time[2];
  return (unsigned)((time[0] == least) | (time[1] == least) << 1 | (time[2] == least) << 2);
}
