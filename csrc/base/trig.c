// collide, MIT licence (see LICENSE)
//
// Sine and cosine: reduction by multiples of pi/2 kept in three doubles (Cody
// and Waite with Dekker's exact products), then Taylor's series on what is
// left, at most pi/4. Layer: base.

#include "base/trig.h"

#include <stdint.h>

#include "base/exact.h"
#include "base/simd.h"
#include "base/tol.h"

// pi/2 = HALF_PI_1 + HALF_PI_2 + HALF_PI_3, good to 2^-160.
#define HALF_PI_1 1.5707963267948966
#define HALF_PI_2 6.123233995736766e-17
#define HALF_PI_3 -1.4973849048591698e-33
#define TWO_OVER_PI 0.6366197723675814

// The angle less n * pi/2, in two doubles: an angle below 2^30 comes as near as
// 2^-60 to a multiple, so 2^-130 must be kept for a full last bit.
CL_INLINE cl_two reduce(double a, double n) {
  cl_two p1 = cl_two_product(n, HALF_PI_1), p2 = cl_two_product(n, HALF_PI_2);
  cl_two s = cl_two_diff(a - p1.hi, p1.lo); // a - p1.hi is exact: they are that near
  cl_two t = cl_two_diff(s.hi, p2.hi);
  double lo = (s.lo + t.lo) - (p2.lo + n * HALF_PI_3);
  return cl_two_sum(t.hi, lo);
}

// 1/3! … 1/17! with alternating signs; the next term is below 1e-19.
CL_INLINE double kernel_sine(cl_two r) {
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
CL_INLINE double kernel_cosine(cl_two r) {
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

CL_INLINE uint64_t bits_of(double a) {
  uint64_t bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}

// a, or b if `odd` is 1; negated if bit 1 of `quadrant` is set. Angles come in no order: a
// branch would be mispredicted.
CL_INLINE double choose(uint64_t a, uint64_t b, uint64_t odd, uint64_t quadrant) {
  uint64_t bits = (a ^ ((a ^ b) & (0 - odd))) ^ (quadrant & 2) << 62;
  double chosen;
  memcpy(&chosen, &bits, sizeof chosen);
  return chosen;
}

CL_INLINE void sincos_of(double a, double *sine, double *cosine) {
  const double round = 6755399441055744.0; // 1.5 * 2^52: adding it rounds to a whole number
  double rounded = a * TWO_OVER_PI + round, n = rounded - round;
  cl_two r = reduce(a, n);
  uint64_t s = bits_of(kernel_sine(r)), c = bits_of(kernel_cosine(r));
  uint64_t quadrant = bits_of(rounded); // that number is its last bits
  *sine = choose(s, c, quadrant & 1, quadrant);
  *cosine = choose(c, s, quadrant & 1, quadrant + 1);
}

void cl_sincos(double a, double *sine, double *cosine) {
  assert(fabs(a) <= CL_MAX_ANGLE);
  sincos_of(a, sine, cosine);
}

// One angle is a chain of operations that each wait for the one before; compilers make
// vectors of this loop, and four angles take hardly more time than one.
enum { FEW = 4 };

#if CL_HAS_AVX2
CL_AVX2 static void sincos_few(const double *restrict a, double *restrict sine,
                               double *restrict cosine) {
  for (int i = 0; i < FEW; i++) sincos_of(a[i], &sine[i], &cosine[i]);
}
#endif

void cl_sincos_all(const double *a, size_t count, double *sine, double *cosine) {
  for (size_t k = 0; CL_CHECKED && k < count; k++) assert(fabs(a[k]) <= CL_MAX_ANGLE);
  size_t i = 0;
#if CL_HAS_AVX2
  if (CL_PROCESSOR_HAS("avx2"))
    for (; i + FEW <= count; i += FEW) sincos_few(a + i, sine + i, cosine + i);
#endif
  for (; i < count; i++) sincos_of(a[i], &sine[i], &cosine[i]);
}
