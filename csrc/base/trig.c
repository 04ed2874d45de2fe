// collide, MIT licence (see LICENSE)
//
// Sine and cosine: reduction by multiples of pi/2 kept in three doubles (Cody
// and Waite with Dekker's exact products), then Taylor's series on what is
// left, at most pi/4. Layer: base.

#include "base/trig.h"

#include <stdint.h>

#include "base/exact.h"

// pi/2 = HALF_PI_1 + HALF_PI_2 + HALF_PI_3, good to 2^-160.
#define HALF_PI_1 1.5707963267948966
#define HALF_PI_2 6.123233995736766e-17
#define HALF_PI_3 -1.4973849048591698e-33
#define TWO_OVER_PI 0.6366197723675814

// The angle less n * pi/2, in two doubles: an angle below 2^30 comes as near as
// 2^-60 to a multiple, so 2^-130 must be kept for a full last bit.
static cl_two reduce(double a, double n) {
  cl_two p1 = cl_two_product(n, HALF_PI_1), p2 = cl_two_product(n, HALF_PI_2);
  cl_two s = cl_two_diff(a - p1.hi, p1.lo); // a - p1.hi is exact: they are that near
  cl_two t = cl_two_diff(s.hi, p2.hi);
  double lo = (s.lo + t.lo) - (p2.lo + n * HALF_PI_3);
  return cl_two_sum(t.hi, lo);
}

// 1/3! … 1/17! with alternating signs; the next term is below 1e-19.
static double kernel_sine(cl_two r) {
  double x = r.hi, z = x * x;
  double p = 2.8114572543455206e-15;
  p = -7.647163731819816e-13 + z * p;
  p = 1.6059043836821613e-10 + z * p;
  p = -2.505210838544172e-08 + z * p;
  p = 2.7557319223985893e-06 + z * p;
  p = -0.0001984126984126984 + z * p;
  p = 0.008333333333333333 + z * p;
  p = -0.16666666666666666 + z * p;
  return x + (z * x * p + r.lo * (1 - 0.5 * z));
}

// 1/4! … 1/18!; the first two terms are added with their rounding kept.
static double kernel_cosine(cl_two r) {
  double z = r.hi * r.hi;
  double p = -1.5619206968586225e-16;
  p = 4.779477332387385e-14 + z * p;
  p = -1.1470745597729725e-11 + z * p;
  p = 2.08767569878681e-09 + z * p;
  p = -2.755731922398589e-07 + z * p;
  p = 2.48015873015873e-05 + z * p;
  p = -0.001388888888888889 + z * p;
  p = 0.041666666666666664 + z * p;
  double half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (z * z * p - r.hi * r.lo));
}

void cl_sincos(double a, double *sine, double *cosine) {
  const double round = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to a whole number
  double n = (a * TWO_OVER_PI + round) - round;
  cl_two r = reduce(a, n);
  double s = kernel_sine(r), c = kernel_cosine(r);
  switch ((uint32_t)(int32_t)n & 3u) {
  case 0: *sine = s, *cosine = c; break;
  case 1: *sine = c, *cosine = -s; break;
  case 2: *sine = -s, *cosine = -c; break;
  default: *sine = -c, *cosine = s; break;
  }
}
