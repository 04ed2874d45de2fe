// collide, MIT licence (see LICENSE)
//
// base/exact against whole-number arithmetic in 128 bits.

#include "test.h"

#include "base/exact.h"

__extension__ typedef __int128 wide;

// A point on a lattice of 2^-20, far from or near 0, 0: its doubles are exact and
// so is the lattice number.
typedef struct point {
  int64_t x, y;
  double d[2];
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

// Points on a line with steps of one unit in the last place: only exact arithmetic gets these
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
    // b along one leg, p off by the hypotenuse: the distances are whole
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

int main(void) {
  RUN(products);
  RUN(cross_and_dot);
  RUN(orient_near_lines);
  RUN(distances);
  return test_end();
}
