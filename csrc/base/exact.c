// collide, MIT licence (see LICENSE)
//
// Predicates by expansions, and below them sine, cosine and arc tangent. Expansions are sums of
// doubles whose bits do not overlap, smallest first, so that the last one has the sign of the sum.
// Every predicate first tries plain doubles against an error bound and expands only when that
// cannot tell. Layer: base.

#include "base/exact.h"

#include "base/simd.h"
#include "base/tol.h"
#include "base/vec.h"

// Room for a cross product (16 terms), and the squares of a length (16) and of a sum (8).
enum { TERMS = 16 };

typedef struct expansion {
  int n;
  double term[TERMS];
} expansion;

// Adds one double to an expansion of n terms; zeros are left out. Returns how many terms it has
// now. (Shewchuk's Grow-Expansion.)
static int add_term(double *term, int n, double b) {
  int k = 0;
  double q = b;
  for (int i = 0; i < n; i++) {
    cl_two t = cl_two_sum(q, term[i]);
    q = t.hi;
    if (t.lo != 0) term[k++] = t.lo;
  }
  if (q != 0) term[k++] = q;
  return k;
}

static int add_product(double *term, int n, double a, double b) {
  cl_two p = cl_two_product(a, b);
  return add_term(term, add_term(term, n, p.lo), p.hi);
}

// e += sign * a * b for two sums of two doubles.
static void add_twos(expansion *e, cl_two a, cl_two b, double sign) {
  e->n = add_product(e->term, e->n, a.lo, sign * b.lo);
  e->n = add_product(e->term, e->n, a.hi, sign * b.lo);
  e->n = add_product(e->term, e->n, a.lo, sign * b.hi);
  e->n = add_product(e->term, e->n, a.hi, sign * b.hi);
}

// The value, rounded: the terms are added from the smallest.
static double value(const expansion *e) {
  double sum = 0;
  for (int i = 0; i < e->n; i++) sum += e->term[i];
  return sum;
}

// The sign of a * b - c * d, of at most 16, 16, 8 and 16 terms. Each product of two makes two.
static int sign_of_products(const expansion *a, const expansion *b, const expansion *c,
                            const expansion *d) {
  double e[2 * TERMS * TERMS + 2 * 8 * TERMS];
  int n = 0;
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++) n = add_product(e, n, a->term[i], b->term[j]);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < d->n; j++) n = add_product(e, n, -c->term[i], d->term[j]);
  return n == 0 ? 0 : e[n - 1] > 0 ? 1 : -1;
}

// What counts as 0 only does where plain doubles cannot tell: they are right beside the smallest.
static cl_two difference(double a, double b) {
  return cl_two_diff(cl_coord_kept(a), cl_coord_kept(b));
}

// Added to the error of a difference of two products: half of the smallest double is what either
// may lose where it underflows, unless it is 0.
#define LEAST_DOUBLE 0x1p-1074

double cl_cross(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  double ux = b.x - a.x, uy = b.y - a.y, vx = d.x - c.x, vy = d.y - c.y;
  double p = ux * vy, q = uy * vx, det = p - q;
  bool only = ux == 0 || vy == 0 || uy == 0 || vx == 0; // one product at most
  if (fabs(det) > 8 * CL_ROUND * (fabs(p) + fabs(q)) + (only ? 0 : LEAST_DOUBLE)) return det;
  expansion e;
  e.n = 0;
  add_twos(&e, difference(b.x, a.x), difference(d.y, c.y), 1);
  add_twos(&e, difference(b.y, a.y), difference(d.x, c.x), -1);
  return value(&e);
}

double cl_dot(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  // u . v is the cross product of u with v turned by a right angle.
  return cl_cross(a, b, (cl_vec){-c.y, c.x}, (cl_vec){-d.y, d.x});
}

// |b - a|^2.
static void square_length(cl_vec a, cl_vec b, expansion *e) {
  cl_two x = difference(b.x, a.x), y = difference(b.y, a.y);
  e->n = 0;
  add_twos(e, x, x, 1);
  add_twos(e, y, y, 1);
}

static void square_sum(double r, double s, expansion *e) {
  cl_two t = cl_two_sum(cl_coord_kept(r), cl_coord_kept(s));
  e->n = 0;
  add_twos(e, t, t, 1);
}

// The sign of |b - a| - (r + s).
static int compare_along(double a, double b, double r, double s) {
  cl_two d = a < b ? difference(b, a) : difference(a, b);
  cl_two t = cl_two_sum(cl_coord_kept(r), cl_coord_kept(s));
  double e[4] = {d.lo, d.hi};
  int n = add_term(e, add_term(e, 2, -t.lo), -t.hi);
  return n == 0 ? 0 : e[n - 1] > 0 ? 1 : -1;
}

int cl_compare_points(cl_vec p, cl_vec q, double r, double s) {
  assert(r >= 0 && s >= 0);
  double x = q.x - p.x, y = q.y - p.y, d = x * x + y * y, rr = (r + s) * (r + s);
  if (fabs(d - rr) > CL_SQUARE_ERROR * (d + rr) + LEAST_DOUBLE) return d > rr ? 1 : -1;
  if (x == 0 || y == 0)
    return x == 0 ? compare_along(p.y, q.y, r, s) : compare_along(p.x, q.x, r, s);
  static const expansion one = {1, {1}};
  expansion distance, radius;
  square_length(p, q, &distance);
  square_sum(r, s, &radius);
  return sign_of_products(&distance, &one, &radius, &one);
}

int cl_compare_segment(cl_vec p, cl_vec a, cl_vec b, double r, double s) {
  assert(r >= 0 && s >= 0);
  if (cl_dot(a, b, a, p) <= 0) return cl_compare_points(p, a, r, s);
  if (cl_dot(b, a, b, p) <= 0) return cl_compare_points(p, b, r, s);
  double x = b.x - a.x, y = b.y - a.y;
  double u = x * (p.y - a.y), v = y * (p.x - a.x), cross = u - v;
  double length = x * x + y * y, rr = (r + s) * (r + s) * length;
  double slip = 8 * CL_ROUND * (fabs(u) + fabs(v)) + LEAST_DOUBLE; // error bound of cross
  double low = fabs(cross) - slip, high = fabs(cross) + slip;
  if (low > 0 && low * low > rr * (1 + CL_SQUARE_ERROR) + LEAST_DOUBLE) return 1;
  if (high * high + LEAST_DOUBLE < rr * (1 - CL_SQUARE_ERROR)) return -1;
  expansion c, radius, square;
  c.n = 0;
  add_twos(&c, difference(b.x, a.x), difference(p.y, a.y), 1);
  add_twos(&c, difference(b.y, a.y), difference(p.x, a.x), -1);
  square_sum(r, s, &radius);
  square_length(a, b, &square);
  return sign_of_products(&c, &c, &radius, &square);
}

// ---- Sine and cosine: reduction by multiples of pi/2 kept in three doubles (Cody and Waite with
// Dekker's exact products), then Taylor's series on what is left, at most pi/4.

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
CL_INLINE double choose_bits(uint64_t a, uint64_t b, uint64_t odd, uint64_t quadrant) {
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
  *sine = choose_bits(s, c, quadrant & 1, quadrant);
  *cosine = choose_bits(c, s, quadrant & 1, quadrant + 1);
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

// ---- Arc tangent: atan(b / a) = atan(c) + atan((b - c * a) / (a + c * b)), where c is the
// multiple of 1/16 nearest to b / a. The second argument is at most 1/32. Its arc tangent is a
// Taylor series; the sums are kept in two doubles.

enum { SIXTEENTHS = 16 };

// atan(k / 16), in two doubles.
static const cl_two arc[SIXTEENTHS + 1] = {
    {0.0, 0.0},
    {0.06241880999595735, -1.5490756308295046e-18},
    {0.12435499454676144, -3.1253241424539383e-18},
    {0.18534794999569476, 4.180692268843079e-18},
    {0.24497866312686414, 1.0698755618734451e-17},
    {0.3028848683749714, -1.1010827903001369e-17},
    {0.35877067027057225, -2.4623815582638635e-17},
    {0.4124104415973873, -1.587652227770689e-17},
    {0.4636476090008061, 2.2698777452961687e-17},
    {0.5123894603107377, -2.5462781472855804e-17},
    {0.5585993153435624, -5.4556305485916264e-18},
    {0.6022873461349642, 2.950430737228402e-17},
    {0.6435011087932844, 1.5834785051444286e-17},
    {0.6823165548747481, 6.943223671560008e-18},
    {0.7188299996216245, -2.1478388444456983e-17},
    {0.7531512809621944, -2.4256934659182068e-17},
    {0.7853981633974483, 3.061616997868383e-17},
};

// 1/3 to 1/13 with alternating signs; the next term is below 1e-22 of the sum.
static double kernel_arc(double t) {
  double z = t * t, p = 0.07692307692307693;
  p = -0.09090909090909091 + z * p;
  p = 0.1111111111111111 + z * p;
  p = -0.14285714285714285 + z * p;
  p = 0.2 + z * p;
  p = -0.3333333333333333 + z * p;
  return z * t * p;
}

// atan(b / a) for 0 <= b <= a, a > 0, in two doubles.
static cl_two arc_of(double b, double a) {
  double q = b / a;
  if (q < 0x1p-28) return (cl_two){q, 0}; // the second term is below 2^-56 of this one
  // Products of these neither overflow nor lose what is below the smallest double.
  double scale = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
  a *= scale;
  b *= scale;
  int k = (int)(q * SIXTEENTHS + 0.5);
  double c = k / (double)SIXTEENTHS;
  cl_two ca = cl_two_product(c, a), cb = cl_two_product(c, b);
  cl_two n = cl_two_diff(b, ca.hi), d = cl_two_sum(a, cb.hi);
  n.lo -= ca.lo;
  d.lo += cb.lo;
  double t = (n.hi + n.lo) / d.hi;
  cl_two back = cl_two_product(t, d.hi);
  double rest = (((n.hi - back.hi) - back.lo) + n.lo - t * d.lo) / d.hi;
  cl_two sum = cl_two_sum(arc[k].hi, t);
  return (cl_two){sum.hi, sum.lo + (arc[k].lo + (rest + kernel_arc(t)))};
}

double cl_atan2(double y, double x) {
  assert(y - y == 0 && x - x == 0);
  bool left = bits_of(x) >> 63, steep = fabs(y) > fabs(x);
  double most = steep ? fabs(y) : fabs(x), least = steep ? fabs(x) : fabs(y);
  cl_two r = most > 0 ? arc_of(least, most) : (cl_two){0, 0};
  if (steep || left) { // a multiple of pi/2, less r or, from pi/2 on to the left, with r
    double n = steep ? 1 : 2, sign = steep && left ? 1 : -1;
    cl_two sum = cl_two_sum(n * HALF_PI_1, sign * r.hi);
    r = (cl_two){sum.hi, sum.lo + (n * HALF_PI_2 + sign * r.lo)};
  }
  double angle = r.hi + r.lo;
  return choose_bits(bits_of(angle), 0, 0, bits_of(y) >> 63 << 1);
}
