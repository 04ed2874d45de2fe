// collide, MIT licence (see LICENSE)
//
// Big integers: whole numbers of as many limbs as it takes. Products of doubles can underflow, and
// no expansion of doubles survives that. A double is a whole multiple of a power of two, and
// products of whole numbers lose nothing. Layer: cells.
// Source: Knuth, The Art of Computer Programming, volume 2, 4.3.1.

#include "cells/bigint.h"

// A difference of doubles within ±2^60 has at most 61 + 1074 bits.
enum { LIMBS = 36, LEAST_EXPONENT = -1074 };

// limb[0] is the lowest; the highest is not 0.
typedef struct bigint {
  int count;
  uint32_t limb[2 * LIMBS];
} bigint;

// |v| = *bits * 2^exponent.
static int take_apart(double v, uint64_t *bits) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  int biased = (int)(u >> 52 & 0x7ff);
  *bits = u & ((UINT64_C(1) << 52) - 1);
  if (biased == 0) return LEAST_EXPONENT;
  *bits |= UINT64_C(1) << 52;
  return biased - 1 + LEAST_EXPONENT;
}

static int lower(double v, int least) {
  uint64_t bits;
  int e = take_apart(v, &bits);
  return bits != 0 && e < least ? e : least;
}

static void trim(bigint *w) {
  while (w->count > 0 && w->limb[w->count - 1] == 0) w->count--;
}

// |v| in units of 2^unit, which is not above its own exponent.
static void set(bigint *w, double v, int unit) {
  uint64_t bits;
  int shift = take_apart(v, &bits) - unit;
  w->count = 0;
  if (bits == 0) return;
  int first = shift / 32, r = shift % 32;
  for (int i = 0; i < first; i++) w->limb[i] = 0;
  uint64_t low = (bits & UINT32_MAX) << r, high = ((bits >> 32) << r) + (low >> 32);
  w->limb[first] = (uint32_t)low;
  w->limb[first + 1] = (uint32_t)high;
  w->limb[first + 2] = (uint32_t)(high >> 32);
  w->count = first + 3;
  trim(w);
}

static int compare(const bigint *a, const bigint *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--) {
    if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
  }
  return 0;
}

// a += b, or a -= b, where a >= b.
static void add(bigint *a, const bigint *b, bool subtract) {
  int n = a->count > b->count ? a->count : b->count;
  int64_t carry = 0;
  for (int i = 0; i < n || carry; i++) {
    int64_t x = i < a->count ? a->limb[i] : 0, y = i < b->count ? b->limb[i] : 0;
    int64_t sum = x + (subtract ? -y : y) + carry;
    a->limb[i] = (uint32_t)sum;
    carry = subtract ? -(sum < 0) : sum >> 32;
    if (i >= n) n = i + 1;
  }
  a->count = n;
  trim(a);
}

static void set_interval(bigint *w, cl_interval s, int unit) {
  bigint other;
  bool apart = (s.a < 0) != (s.b < 0), swap = fabs(s.a) < fabs(s.b);
  set(w, swap ? s.b : s.a, unit);
  set(&other, swap ? s.a : s.b, unit);
  add(w, &other, !apart);
}

static void multiply(const bigint *a, const bigint *b, bigint *product) {
  int n = a->count + b->count;
  memset(product->limb, 0, (size_t)n * sizeof *product->limb);
  for (int i = 0; i < a->count; i++) {
    uint64_t carry = 0;
    for (int k = 0; k < b->count; k++) {
      carry += (uint64_t)a->limb[i] * b->limb[k] + product->limb[i + k];
      product->limb[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
    product->limb[i + b->count] = (uint32_t)carry;
  }
  product->count = n;
  trim(product);
}

static int unit_of(const cl_interval s[2]) {
  return lower(s[0].a, lower(s[0].b, lower(s[1].a, lower(s[1].b, 60))));
}

int cl_compare_products(const cl_interval x[2], const cl_interval y[2]) {
  for (int i = 0; i < 2; i++) {
    assert(fabs(x[i].a) <= 0x1p60 && fabs(x[i].b) <= 0x1p60);
    assert(fabs(y[i].a) <= 0x1p60 && fabs(y[i].b) <= 0x1p60);
  }
  bigint side, other, product[2];
  int unit_x = unit_of(x), unit_y = unit_of(y);
  for (int i = 0; i < 2; i++) {
    set_interval(&side, x[i], unit_x);
    set_interval(&other, y[i], unit_y);
    multiply(&side, &other, &product[i]);
  }
  return compare(&product[0], &product[1]);
}
