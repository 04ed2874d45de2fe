// collide, MIT licence (see LICENSE)
//
// base/trig against the C library's long double functions, and the bits that every machine must
// get.

#include "test.h"

#include "base/tol.h"
#include "base/vec.h"

static uint64_t bits(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return u;
}

// Distance from the true value, in units in its last place.
static double ulps(double got, long double want) {
  int e;
  frexp((double)want, &e);
  return (double)(fabsl((long double)got - want) / ldexpl(1, e - 53 > -1074 ? e - 53 : -1074));
}

static double worst, worst_arc;

static void compare(double a) {
  double s, c, s2, c2;
  cl_sincos(a, &s, &c);
  double us = ulps(s, sinl(a)), uc = ulps(c, cosl(a));
  if (us > worst) worst = us;
  if (uc > worst) worst = uc;
  CHECK_MSG(us < 0.8 && uc < 0.8, "angle %a: %g and %g ulp", a, us, uc);
  cl_sincos(-a, &s2, &c2);
  CHECK_MSG(s2 == -s && c2 == c, "angle %a: sine is odd, cosine even", a);
}

static void random_angles(void) {
  for (long i = test_rounds(200000); i > 0; i--) {
    compare(test_uniform(-CL_MAX_ANGLE, CL_MAX_ANGLE));
    compare(test_uniform(-7, 7));
    compare(ldexp(test_uniform(1, 2), test_int(-30, 29)));
    // beside the multiples of pi/2, where the reduction cancels
    double k = floor(test_uniform(0, CL_MAX_ANGLE / 1.6));
    compare(k * 1.5707963267948966);
    compare(nextafter(k * 0.7853981633974483, 0));
  }
  compare(CL_MAX_ANGLE);
}

static void golden(void) {
  static const struct {
    double a;
    uint64_t s, c;
  } want[] = {
      {0.5, 0x3fdeaee8744b05f0, 0x3fec1528065b7d50},
      {1.0, 0x3feaed548f090cee, 0x3fe14a280fb5068c},
      {3.141592653589793, 0x3ca1a62633145c07, 0xbff0000000000000},
      {-2.0, 0xbfed18f6ead1b446, 0xbfdaa22657537205},
      {100.0, 0xbfe03425b78c4db8, 0x3feb981dbf665fdf},
      {1e6, 0xbfd6664b2568d867, 0x3fedf9df9906d32c},
      {1e9, 0x3fe1778cae83c69b, 0x3feacff8c7364233},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    double s, c;
    compare(want[i].a);
    cl_sincos(want[i].a, &s, &c);
    CHECK_MSG(bits(s) == want[i].s && bits(c) == want[i].c, "angle %.17g: %016llx %016llx",
              want[i].a, (unsigned long long)bits(s), (unsigned long long)bits(c));
  }
  double s, c;
  cl_sincos(0, &s, &c);
  CHECK(bits(s) == 0 && c == 1);
}

// Many angles at once: the same bits as for each alone.
static void all_at_once(void) {
  enum { MOST = 11 };
  for (long i = test_rounds(50000); i > 0; i--) {
    double a[MOST], s[MOST], c[MOST];
    size_t count = (size_t)test_int(0, MOST);
    for (size_t k = 0; k < count; k++) {
      double far = test_int(0, 1) ? CL_MAX_ANGLE : 7;
      a[k] = test_int(0, 9) ? test_uniform(-far, far) : test_int(-4, 4) * 1.5707963267948966;
    }
    cl_sincos_all(a, count, s, c);
    for (size_t k = 0; k < count; k++) {
      double sine, cosine;
      cl_sincos(a[k], &sine, &cosine);
      CHECK_MSG(bits(s[k]) == bits(sine) && bits(c[k]) == bits(cosine), "angle %a", a[k]);
    }
  }
}

static void compare_arc(double y, double x) {
  double got = cl_atan2(y, x), u = ulps(got, atan2l(y, x));
  if (u > worst_arc) worst_arc = u;
  CHECK_MSG(u < 0.6, "atan2(%a, %a): %g ulp", y, x, u);
  CHECK_MSG(bits(cl_atan2(-y, x)) == bits(-got), "atan2(%a, %a) is odd", y, x);
}

static void random_arcs(void) {
  for (long i = test_rounds(200000); i > 0; i--) {
    double y = test_uniform(-1, 1), x = test_uniform(-1, 1);
    compare_arc(y, x);
    compare_arc(y, x * ldexp(1, test_int(-60, 60)));
    compare_arc(y * ldexp(1, test_int(-900, 900)), x * ldexp(1, test_int(-900, 900)));
    double all = ldexp(1, test_int(-1000, 1000));
    compare_arc(y * all, x * all);
    // beside the sixteenths and half way between, where the table changes
    double q = test_int(0, 32) / 32.0;
    compare_arc(nextafter(q * x, test_int(-9, 9)), x);
    compare_arc(x, nextafter(q * x, test_int(-9, 9)));
  }
  compare_arc(DBL_MAX, DBL_MAX);
  compare_arc(DBL_MAX, -DBL_MIN);
  compare_arc(DBL_TRUE_MIN, DBL_TRUE_MIN);
  compare_arc(3 * DBL_TRUE_MIN, -7 * DBL_TRUE_MIN);
}

// On the axes, with each sign of zero, it equals C's atan2; elsewhere, golden bits.
static void axes_and_golden(void) {
  static const double zeros[] = {0.0, -0.0}, ends[] = {DBL_TRUE_MIN, 1, 1e12, DBL_MAX};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++)
      CHECK(bits(cl_atan2(zeros[i], zeros[k])) == bits(atan2(zeros[i], zeros[k])));
    for (int k = 0; k < 8; k++) {
      double end = k & 1 ? -ends[k / 2] : ends[k / 2];
      CHECK_MSG(bits(cl_atan2(zeros[i], end)) == bits(atan2(zeros[i], end)), "x = %g", end);
      CHECK_MSG(bits(cl_atan2(end, zeros[i])) == bits(atan2(end, zeros[i])), "y = %g", end);
    }
  }
  CHECK(bits(cl_atan2(1, 1)) == 0x3fe921fb54442d18 && bits(cl_atan2(-1, -1)) == 0xc002d97c7f3321d2);
  CHECK(bits(cl_atan2(3, 4)) == 0x3fe4978fa3269ee1 &&
        bits(cl_atan2(1, 1e-3)) == 0x3ff91de2c0e658bd);
}

int main(void) {
  RUN(all_at_once);
  RUN(random_angles);
  RUN(golden);
  RUN(random_arcs);
  RUN(axes_and_golden);
  printf("largest error %.4f ulp, of atan2 %.4f\n", worst, worst_arc);
  return test_end();
}
