// collide, MIT licence (see LICENSE)
//
// base/exact against integer arithmetic: in 128 bits, and of any size for the smallest coordinates
// together with the largest.

#include "test.h"

#include "base/exact.h"

__extension__ typedef __int128 wide;

// A point on a lattice of 2^-20, far from or near 0, 0: its doubles are exact, and so are the
// lattice numbers.
typedef struct point {
  int64_t x, y;
  cl_vec d;
} point;

static point at(int64_t x, int64_t y) {
  return (point){x, y, {ldexp((double)x, -20), ldexp((double)y, -20)}};
}

static point any(int64_t far, int64_t near) {
  int64_t fx = test_int(0, 1) ? far : 0, fy = test_int(0, 1) ? far : 0;
  return at(fx + test_int((int)-near, (int)near), fy + test_int((int)-near, (int)near));
}

static int sign_of(double d) { return (d > 0) - (d < 0); }
static int sign_wide(wide w) { return (w > 0) - (w < 0); }

static void products(void) {
  for (long i = test_rounds(100000); i > 0; i--) {
    double a = ldexp((double)(int64_t)test_bits(), test_int(-80, 20));
    double b = ldexp((double)(int64_t)test_bits(), test_int(-80, 20));
    cl_two p = cl_two_product(a, b), s = cl_two_sum(a, b);
    CHECK(p.hi == a * b && p.lo == fma(a, b, -p.hi));
    CHECK(s.hi == a + b && (long double)s.hi + s.lo == (long double)s.hi + (long double)s.lo);
    CHECK(s.lo == (fabs(a) > fabs(b) ? b - (s.hi - a) : a - (s.hi - b)));
  }
}

static void cross_and_dot(void) {
  for (long i = test_rounds(100000); i > 0; i--) {
    int64_t far = test_int(0, 1) ? INT64_C(1) << 40 : 0;
    int64_t near = test_int(0, 1) ? 3 : 1 << 20;
    point a = any(far, near), b = any(far, near), c = any(far, near), d = any(far, near);
    wide ux = b.x - a.x, uy = b.y - a.y, vx = d.x - c.x, vy = d.y - c.y;
    wide cross = ux * vy - uy * vx, dot = ux * vx + uy * vy;
    double slip = ldexp((fabs((double)(ux * vy)) + fabs((double)(uy * vx))) * 1e-15, -40);
    double got = cl_cross(a.d, b.d, c.d, d.d);
    CHECK(sign_of(got) == sign_wide(cross) && fabs(got - ldexp((double)cross, -40)) <= slip);
    slip = ldexp((fabs((double)(ux * vx)) + fabs((double)(uy * vy))) * 1e-15, -40);
    got = cl_dot(a.d, b.d, c.d, d.d);
    CHECK(sign_of(got) == sign_wide(dot) && fabs(got - ldexp((double)dot, -40)) <= slip);
  }
}

// Points on a line, off by steps of one unit in the last place: only exact arithmetic gets these
// right.
static void orient_near_lines(void) {
  long zero = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    int64_t dx = test_int(-1000, 1000), dy = test_int(-1000, 1000), k = test_int(1, 1 << 18);
    point a = any(INT64_C(1) << 36, 1000), b = at(a.x + k * dx, a.y + k * dy);
    point c = at(a.x + (k + 7) * dx + test_int(-1, 1), a.y + (k + 7) * dy + test_int(-1, 1));
    wide want = (wide)(b.x - a.x) * (c.y - a.y) - (wide)(b.y - a.y) * (c.x - a.x);
    zero += want == 0;
    CHECK(sign_of(cl_orient(a.d, b.d, c.d)) == sign_wide(want));
  }
  CHECK(zero > 1000);
}

// (distance from p to segment ab) - (r + s), in lattice units.
static int segment_sign(point p, point a, point b, int64_t r) {
  wide ex = b.x - a.x, ey = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
  wide qx = p.x - b.x, qy = p.y - b.y, rr = (wide)r * r;
  if (ex * px + ey * py <= 0) return sign_wide(px * px + py * py - rr);
  if (ex * qx + ey * qy >= 0) return sign_wide(qx * qx + qy * qy - rr);
  wide cross = ex * py - ey * px;
  return sign_wide(cross * cross - rr * (ex * ex + ey * ey));
}

static void distances(void) {
  static const int64_t triples[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {20, 21, 29}};
  long touching = 0;
  for (long i = test_rounds(100000); i > 0; i--) {
    const int64_t *t = triples[test_int(0, 3)];
    int64_t k = test_int(1, 1 << 10), far = test_int(0, 1) ? INT64_C(1) << 40 : 0;
    point a = at(far + test_int(-9, 9), test_int(-9, 9));
    // b along one leg, p off by the hypotenuse: the distances are integers
    point b = at(a.x + t[0] * 8 * k, a.y + t[1] * 8 * k);
    int64_t along = test_int(-2, 10);
    point p = at(a.x + along * t[0] * k - t[1] * k, a.y + along * t[1] * k + t[0] * k);
    int64_t r = t[2] * k + test_int(-1, 1), part = test_int(0, (int)r);
    double r1 = ldexp((double)part, -20), r2 = ldexp((double)(r - part), -20);
    int want = segment_sign(p, a, b, r);
    touching += want == 0;
    CHECK(cl_compare_segment(p.d, a.d, b.d, r1, r2) == want);
    CHECK(cl_compare_segment(p.d, b.d, a.d, r2, r1) == want);
    CHECK(cl_compare_points(p.d, a.d, r1, r2) == segment_sign(p, a, a, r));
  }
  CHECK(touching > 1000);
}

// Whole numbers of DIGITS signed digits, as multiples of a power of 2.
enum { DIGITS = 72, BASE_BITS = 24, LOWEST = 252 };
typedef struct big {
  int64_t digit[DIGITS];
} big;

static void carry(big *b) {
  for (int i = 0; i + 1 < DIGITS; i++) {
    int64_t c = b->digit[i] >> BASE_BITS;
    b->digit[i] -= c * (INT64_C(1) << BASE_BITS);
    b->digit[i + 1] += c;
  }
}

static int sign_big(const big *b) { // after carries, all digits but the last are not negative
  if (b->digit[DIGITS - 1] < 0) return -1;
  for (int i = 0; i < DIGITS; i++)
    if (b->digit[i] != 0) return 1;
  return 0;
}

// A double as a multiple of 2^-LOWEST.
static big big_of(double v) {
  big b = {{0}};
  int exponent;
  if (v == 0) return b;
  int64_t mantissa = (int64_t)ldexp(frexp(v, &exponent), 53);
  int shift = exponent - 53 + LOWEST;
  uint64_t left = (uint64_t)(mantissa < 0 ? -mantissa : mantissa);
  for (int i = shift / BASE_BITS, bit = shift % BASE_BITS; left; i++, bit = 0) {
    int64_t part = (int64_t)(left << bit & ((1 << BASE_BITS) - 1));
    b.digit[i] = mantissa < 0 ? -part : part;
    left >>= BASE_BITS - bit;
  }
  carry(&b);
  return b;
}

static big combine(big a, big b, int factor) {
  for (int i = 0; i < DIGITS; i++) a.digit[i] += factor * b.digit[i];
  carry(&a);
  return a;
}
static big minus(big a, big b) { return combine(a, b, -1); }
static big plus(big a, big b) { return combine(a, b, 1); }

static big times(big a, big b) {
  big r = {{0}};
  int sign = sign_big(&a) * sign_big(&b);
  const big none = {{0}};
  if (sign_big(&a) < 0) a = minus(none, a);
  if (sign_big(&b) < 0) b = minus(none, b);
  for (int i = 0; i < DIGITS; i++) {
    for (int k = 0; a.digit[i] && k + i < DIGITS; k++) r.digit[i + k] += a.digit[i] * b.digit[k];
    carry(&r);
  }
  return sign < 0 ? minus(none, r) : r;
}

// From 1e-60 to 1e12, or 0; with few bits, so that terms often cancel.
static double tiny(void) {
  static const double special[] = {0, 1e-60, -1e-60, 1.5e-60, 1e-59, 1e12, 1, 0x1p-150};
  if (test_int(0, 3) == 0) return special[test_int(0, 7)];
  int64_t mantissa = test_int(0, 1) ? test_int(-4, 4) : (int64_t)test_bits() / 2048;
  double v =
      ldexp((double)mantissa, test_int(0, 2) ? -199 - test_int(-3, 53) : test_int(-260, -13));
  return fabs(v) <= CL_MAX_COORD ? (fabs(v) < CL_MIN_SIZE ? 0 : v) : 1;
}

static big big_dot(const big a[2], const big b[2], const big c[2], const big d[2]) {
  return plus(times(minus(b[0], a[0]), minus(d[0], c[0])),
              times(minus(b[1], a[1]), minus(d[1], c[1])));
}

static int big_points(const big p[2], const big q[2], big r) {
  big square = minus(big_dot(p, q, p, q), times(r, r));
  return sign_big(&square);
}

static int big_segment(const big p[2], const big a[2], const big b[2], big r) {
  big before = big_dot(a, b, a, p), after = big_dot(b, a, b, p);
  if (sign_big(&before) <= 0) return big_points(p, a, r);
  if (sign_big(&after) <= 0) return big_points(p, b, r);
  big cross = minus(times(minus(b[0], a[0]), minus(p[1], a[1])),
                    times(minus(b[1], a[1]), minus(p[0], a[0])));
  big d = minus(times(cross, cross), times(times(r, r), big_dot(a, b, a, b)));
  return sign_big(&d);
}

static void smallest(void) {
  long signs[3] = {0, 0, 0};
  for (long i = test_rounds(20000); i > 0; i--) {
    cl_vec v[4] = {{0, 0}};
    double r = fabs(tiny()), s = test_int(0, 1) ? fabs(tiny()) : 0;
    big b[4][2];
    for (int k = 0; k < 8; k++) {
      double *at = k % 2 ? &v[k / 2].y : &v[k / 2].x;
      cl_vec last = v[k < 2 ? 0 : k / 2 - 1];
      *at = test_int(0, 2) || k < 2 ? tiny() : k % 2 ? last.y : last.x;
      b[k / 2][k % 2] = big_of(*at);
    }
    big dot = big_dot(b[0], b[1], b[2], b[3]), radius = plus(big_of(r), big_of(s));
    const big turned[2][2] = {{minus(big_of(0), b[2][1]), b[2][0]},
                              {minus(big_of(0), b[3][1]), b[3][0]}};
    big cross = minus(big_of(0), big_dot(b[0], b[1], turned[0], turned[1]));
    CHECK(sign_of(cl_dot(v[0], v[1], v[2], v[3])) == sign_big(&dot));
    CHECK(sign_of(cl_cross(v[0], v[1], v[2], v[3])) == sign_big(&cross));
    int points = big_points(b[0], b[1], radius), segment = big_segment(b[0], b[1], b[2], radius);
    CHECK(cl_compare_points(v[0], v[1], r, s) == points);
    CHECK(cl_compare_segment(v[0], v[1], v[2], r, s) == segment);
    signs[segment + 1]++;
  }
  CHECK(signs[0] > 0 && signs[1] > 0 && signs[2] > 0);
}

int main(void) {
  RUN(products);
  RUN(cross_and_dot);
  RUN(orient_near_lines);
  RUN(distances);
  RUN(smallest);
  return test_end();
}
