// collide, MIT licence (see LICENSE)
//
// Exact arithmetic on doubles: error-free sums and products, and predicates
// whose sign is certain. Layer: base.
// Source: Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast
// Robust Geometric Predicates (1997); Dekker 1971 for the product.
//
// Exact for coordinates and radii up to 1e60 that are 0 or at least CL_MIN_SIZE. A double from
// 1e-60 > 2^-200 on has 53 bits, so all are multiples of 2^-252, and with them their sums and
// differences. Products of four are multiples of 2^-1008. The smallest double is 2^-1074, so
// nothing of a product is lost. Coordinates nearer to 0 count as 0 where plain doubles cannot tell.

#ifndef CL_BASE_EXACT_H
#define CL_BASE_EXACT_H

#include "base/config.h"

/// A rounded result and what the rounding left out: their sum is exact.
typedef struct cl_two {
  double hi, lo;
} cl_two;

/// a + b, a - b and a * b without error. Source of the sum: Knuth, TAOCP 2, 4.2.2.
static inline cl_two cl_two_sum(double a, double b) {
  double s = a + b, bv = s - a, av = s - bv;
  return (cl_two){s, (a - av) + (b - bv)};
}

static inline cl_two cl_two_diff(double a, double b) { return cl_two_sum(a, -b); }

static inline cl_two cl_two_product(double a, double b) {
  const double splitter = 134217729.0; // 2^27 + 1 cuts 53 bits into 26 and 26
  double p = a * b;
  double ca = splitter * a, ah = ca - (ca - a), al = a - ah;
  double cb = splitter * b, bh = cb - (cb - b), bl = b - bh;
  return (cl_two){p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)};
}

/// (b - a) x (d - c): above 0 when c → d points to the left of a → b in axes where
/// y points up. The sign is exact; the value is good to 8 CL_ROUND of the largest
/// of the two products, however much they cancel.
double cl_cross(cl_vec a, cl_vec b, cl_vec c, cl_vec d);

/// (b - a) . (d - c), as exact as cl_cross.
double cl_dot(cl_vec a, cl_vec b, cl_vec c, cl_vec d);

/// (b - a) x (c - a): above 0 when c lies to the left of the way from a to b.
static inline double cl_orient(cl_vec a, cl_vec b, cl_vec c) { return cl_cross(a, b, a, c); }

/// The exact sign (-1, 0, 1) of |q - p| - (r + s), for radii r, s >= 0.
int cl_compare_points(cl_vec p, cl_vec q, double r, double s);

/// The same for the distance between p and the segment from a to b, which may be
/// equal.
int cl_compare_segment(cl_vec p, cl_vec a, cl_vec b, double r, double s);

#endif
