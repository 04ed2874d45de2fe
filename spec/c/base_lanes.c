// collide, MIT licence (see LICENSE)
//
// Lanes of doubles and floats: each operation gives the bits of plain C in each lane, also for
// zeros, infinities and NaN.

#include "test.h"

#include "base/simd.h"

static double some_double(void) {
  static const double odd[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, DBL_MIN, -DBL_MAX};
  if (test_int(0, 3) == 0) return odd[test_int(0, 8)];
  return test_uniform(-1, 1) * ldexp(1, test_int(-60, 60));
}

static float some_float(void) { return (float)some_double(); }

// All NaN count as equal.
static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool same_f(float a, float b) { return same((double)a, (double)b); }

static void check_two(const double a[2], const double b[2]) {
  cl_f64x2 p = cl_f64x2_load(a), q = cl_f64x2_load(b);
  double sum[2], less[2], times[2], share[2], size[2], least[2], most[2], back[2], kept[2],
      turned[2];
  cl_f64x2_store(sum, cl_f64x2_add(p, q));
  cl_f64x2_store(less, cl_f64x2_sub(p, q));
  cl_f64x2_store(times, cl_f64x2_mul(p, q));
  cl_f64x2_store(share, cl_f64x2_div(p, q));
  cl_f64x2_store(size, cl_f64x2_abs(p));
  cl_f64x2_store(least, cl_f64x2_min(p, q));
  cl_f64x2_store(most, cl_f64x2_max(p, q));
  cl_f64x2_store(back, cl_f64x2_neg(p));
  cl_mask64x2 le = cl_f64x2_le(p, q);
  cl_f64x2_store(kept, cl_f64x2_where(le, p));
  cl_f64x2_store(turned, cl_f64x2_neg_where(cl_mask64x2_not_second(le), p));
  for (int k = 0; k < 2; k++) {
    bool is = a[k] <= b[k], turns = is != (k == 1);
    CHECK(same(sum[k], a[k] + b[k]) && same(less[k], a[k] - b[k]));
    CHECK(same(times[k], a[k] * b[k]) && same(back[k], -a[k]));
    CHECK(same(share[k], a[k] / b[k]) && same(size[k], fabs(a[k])));
    CHECK(same(least[k], a[k] < b[k] ? a[k] : b[k]) && same(most[k], a[k] > b[k] ? a[k] : b[k]));
    CHECK(same(kept[k], is ? a[k] : 0) && same(turned[k], turns ? -a[k] : a[k]));
    CHECK((cl_mask64x2_bits(le) >> k & 1) == is);
    CHECK((cl_mask64x2_bits(cl_f64x2_eq(p, q)) >> k & 1) == (a[k] == b[k]));
  }
  CHECK(same(cl_f64x2_most(p), a[0] > a[1] ? a[0] : a[1]));
  double each[2];
  cl_f64x2_store(each, cl_f64x2_least_of_each(p, q));
  CHECK(same(each[0], a[0] < a[1] ? a[0] : a[1]) && same(each[1], b[0] < b[1] ? b[0] : b[1]));
}

static void doubles(void) {
  for (long i = test_rounds(20000); i > 0 && test_errors == 0; i--) {
    double a[2] = {some_double(), some_double()}, b[2] = {some_double(), some_double()};
    if (test_int(0, 3) == 0) b[0] = a[0], a[1] = b[1];
    check_two(a, b);
    double place[4], least[4];
    uint32_t whole[4];
    for (int k = 0; k < 4; k++) place[k] = test_uniform(0, 2147483647);
    cl_f64x4 p = cl_f64x4_load(place), q = cl_f64x4_all(place[test_int(0, 3)]);
    cl_f64x4_to_u32(p, whole);
    cl_f64x4_store(least, cl_f64x4_min(p, q));
    for (int k = 0; k < 4; k++) {
      CHECK(whole[k] == (uint32_t)place[k]);
      CHECK((cl_f64x4_le_bits(p, q) >> k & 1) == (least[k] == place[k]));
    }
    CHECK(cl_f64x4_eq_bits(p, cl_f64x4_all(cl_f64x4_most(p))) != 0);
  }
}

static void check_four(const float a[4], const float b[4]) {
  cl_f32x4 p = cl_f32x4_load(a), q = cl_f32x4_load(b);
  float less[4], times[4], least[4], most[4], back[4], high[4], swapped[4];
  cl_f32x4_store(less, cl_f32x4_sub(p, q));
  cl_f32x4_store(times, cl_f32x4_mul(p, q));
  cl_f32x4_store(least, cl_f32x4_min(p, q));
  cl_f32x4_store(most, cl_f32x4_max(p, q));
  cl_f32x4_store(back, cl_f32x4_neg(p));
  cl_f32x4_store(high, cl_f32x4_neg_high(p));
  cl_f32x4_store(swapped, cl_f32x4_swapped(p));
  for (int k = 0; k < 4; k++) {
    CHECK(same_f(less[k], a[k] - b[k]) && same_f(times[k], a[k] * b[k]));
    CHECK(same_f(least[k], a[k] < b[k] ? a[k] : b[k]));
    CHECK(same_f(most[k], a[k] > b[k] ? a[k] : b[k]));
    CHECK(same_f(back[k], -a[k]) && same_f(high[k], k < 2 ? a[k] : -a[k]));
    CHECK(same_f(swapped[k], a[(k + 2) % 4]));
    CHECK((cl_f32x4_le(p, q) >> k & 1) == (a[k] <= b[k]));
  }
}

// Whether f is the largest float that is not above d or, for tiny numbers, the one below that.
static bool is_down(float f, double d) {
  if ((double)f > d) return false;
  if ((double)(float)d == d) return (double)f == d;
  return fabs(d) < 1e-30 || (double)nextafterf(f, INFINITY) > d;
}

static void floats(void) {
  for (long i = test_rounds(20000); i > 0 && test_errors == 0; i--) {
    float a[4], b[4], rows[16], down[4];
    double d[4];
    for (int k = 0; k < 4; k++) a[k] = some_float(), b[k] = test_int(0, 3) ? some_float() : a[k];
    check_four(a, b);
    for (int k = 0; k < 16; k++) rows[k] = (float)test_int(0, 5);
    for (int k = 0; k < 4; k++) b[k] = (float)test_int(2, 5);
    unsigned bits = cl_f32x4_rows_le(rows, cl_f32x4_load(b));
    for (int r = 0; r < 4; r++) {
      bool all = true;
      for (int k = 0; k < 4; k++) all = all && rows[4 * r + k] <= b[k];
      CHECK((bits >> r & 1) == all);
    }
    for (int k = 0; k < 4; k++) {
      d[k] = test_uniform(-1, 1) * ldexp(1, test_int(-40, 100));
      if (test_int(0, 3) == 0) d[k] = (double)(float)d[k];
    }
    cl_f32x4_store(down, cl_f32x4_down(cl_f64x2_load(d), cl_f64x2_load(d + 2)));
    for (int k = 0; k < 4; k++) CHECK(is_down(down[k], d[k]));
  }
}

int main(void) {
  RUN(doubles);
  RUN(floats);
  return test_end();
}
