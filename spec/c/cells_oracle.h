// collide, MIT licence (see LICENSE)
//
// The cells of a segment by the definition, in exact arithmetic, and random segments that are hard
// to get right.
//
// A coordinate is a / 2^bits + b * tiny, where tiny is the smallest double above 0, or one whose
// square is close to that. Products of two are polynomials in tiny, which is so small that the
// first coefficient that differs decides a comparison.

#ifndef CL_SPEC_CELLS_ORACLE_H
#define CL_SPEC_CELLS_ORACLE_H

#include "test.h"

#include "cells/ray.h"

__extension__ typedef __int128 wide;

typedef struct coord {
  wide a;
  int b;
} coord;

typedef struct segment {
  int dims, bits, tiny; // a is in units of 2^-bits, b of 2^-tiny
  coord from[3], to[3];
  double f[3], t[3];
} segment;

typedef struct polynomial {
  wide c[3];
} polynomial;

static inline coord minus(coord p, coord q) { return (coord){p.a - q.a, p.b - q.b}; }

static inline coord absolute(coord p) {
  return p.a < 0 || (p.a == 0 && p.b < 0) ? (coord){-p.a, -p.b} : p;
}

static inline int sign(coord p) { return p.a != 0 ? (p.a > 0) - (p.a < 0) : (p.b > 0) - (p.b < 0); }

static inline polynomial times(coord p, coord q) {
  return (polynomial){{p.a * q.a, p.a * q.b + q.a * p.b, (wide)p.b * q.b}};
}

static inline int compare_polynomials(polynomial p, polynomial q) {
  for (int i = 0; i < 3; i++) {
    if (p.c[i] != q.c[i]) return p.c[i] < q.c[i] ? -1 : 1;
  }
  return 0;
}

static inline int64_t floor_coord(coord p, int bits) {
  wide one = (wide)1 << bits, whole = p.a / one;
  if (whole * one > p.a || (whole * one == p.a && p.b < 0)) whole--;
  return (int64_t)whole;
}

typedef struct oracle {
  const segment *s;
  int64_t cell[3];
  long step;
  long double t;
  // The constants of a segment:
  int direction[3];
  coord length[3];
  long double tiny;
} oracle;

static inline oracle oracle_of(const segment *s) {
  oracle o = {.s = s, .step = 1, .tiny = ldexpl(1, s->bits - s->tiny)};
  for (int a = 0; a < s->dims; a++) {
    coord way = minus(s->to[a], s->from[a]);
    o.cell[a] = floor_coord(s->from[a], s->bits);
    o.direction[a] = sign(way);
    o.length[a] = absolute(way);
  }
  return o;
}

// The way along an axis to the next boundary; false if the segment crosses no further one.
static inline bool oracle_boundary(const oracle *o, int a, coord *way) {
  const segment *s = o->s;
  int direction = o->direction[a];
  if (direction == 0) return false;
  coord at = {(wide)(o->cell[a] + (direction > 0)) * ((wide)1 << s->bits), 0};
  *way = absolute(minus(at, s->from[a]));
  return sign(minus(s->to[a], at)) * direction >= 0;
}

// The axes whose boundaries are crossed next, as bits; 0 at the end. Advances the oracle, and
// writes the previous cell to `old`.
static inline unsigned oracle_next(oracle *o, int64_t old[3]) {
  const segment *s = o->s;
  coord best = {0, 0}, best_length = {0, 0};
  unsigned axes = 0;
  for (int a = 0; a < s->dims; a++) {
    coord way, length = o->length[a];
    if (!oracle_boundary(o, a, &way)) continue;
    int sign = axes ? compare_polynomials(times(way, best_length), times(best, length)) : -1;
    if (sign < 0) {
      axes = 0;
      best = way;
      best_length = length;
    }
    if (sign <= 0) axes |= 1u << a;
  }
  memcpy(old, o->cell, sizeof o->cell);
  if (axes) {
    o->step++;
    o->t = ((long double)best.a + best.b * o->tiny) /
           ((long double)best_length.a + best_length.b * o->tiny);
  }
  for (int a = 0; a < s->dims; a++) {
    if (axes >> a & 1) o->cell[a] += o->direction[a];
  }
  return axes;
}

// Random segments ---------------------------------------------------------------------

static inline double to_double(coord p, const segment *s) {
  return p.a != 0 ? ldexp((double)p.a, -s->bits) : ldexp(p.b, -s->tiny);
}

static inline void finish(segment *s) {
  for (int a = 0; a < s->dims; a++) {
    s->f[a] = to_double(s->from[a], s);
    s->t[a] = to_double(s->to[a], s);
  }
}

static inline coord exact_of(double v, int bits) { return (coord){(wide)ldexp(v, bits), 0}; }

// Ends on a lattice of halves, quarters, …; often on boundaries and corners.
static inline void lattice_ends(segment *s) {
  int fine = test_int(0, 4), reach = test_int(1, 24) << fine;
  s->bits = 4;
  for (int a = 0; a < s->dims; a++) {
    s->from[a].a = (wide)test_int(-reach, reach) * (1 << (4 - fine));
    s->to[a].a = (wide)test_int(-reach, reach) * (1 << (4 - fine));
  }
}

// Any doubles, with at most 52 binary digits after the point.
static inline void any_ends(segment *s) {
  double reach = test_int(0, 3) ? 20 : 500;
  bool decimal = test_int(0, 1);
  s->bits = 52;
  for (int a = 0; a < s->dims; a++) {
    double f = test_uniform(-reach, reach), t = test_uniform(-reach, reach);
    if (decimal) f = floor(f * 10) / 10, t = floor(t * 10) / 10;
    // Numbers below 1 may have more digits, which are cut off.
    s->from[a] = exact_of(floor(ldexp(f, 52)), 0);
    s->to[a] = exact_of(floor(ldexp(t, 52)), 0);
  }
}

// Through a corner, up to one unit of 2^-30 beside it, or beside the cells' diagonal.
static inline void aimed_ends(segment *s) {
  s->bits = 30;
  int fine = test_int(0, 30), steps = test_int(1, 9), more = test_int(0, 9);
  bool beside = test_int(0, 3) == 0, edge = test_int(0, 2) == 0;
  wide shared = test_int(1, 1 << (fine / 2 + 2));
  for (int a = 0; a < s->dims; a++) {
    wide corner = (wide)test_int(-9, 9) * (1 << 30);
    wide way =
        edge ? (test_int(0, 1) ? shared : -shared) : test_int(-(8 << fine / 2), 8 << fine / 2);
    way *= (wide)1 << (30 - fine);
    s->from[a].a = corner - way * steps + (beside ? test_int(-1, 1) : 0);
    s->to[a].a = corner + way * more + (beside ? test_int(-1, 1) : 0);
  }
}

// From or to the farthest cells possible, or both.
static inline void far_ends(segment *s) {
  const wide most = (wide)1 << 52;
  bool through = test_int(0, 1);
  s->bits = 2;
  for (int a = 0; a < s->dims; a++) {
    wide base = test_int(0, 2) ? most - 400 : (wide)test_bits() % (most - 800);
    if (test_int(0, 1)) base = -base;
    s->from[a].a = base + test_int(-400, 400);
    s->to[a].a = through ? (wide)(int64_t)test_bits() % most : base + test_int(-400, 400);
  }
}

// Some coordinates as small as doubles are.
static inline void tiny_ends(segment *s) {
  s->bits = 3;
  s->tiny = test_int(0, 1) ? 1074 : test_int(535, 545);
  for (int a = 0; a < s->dims; a++) {
    coord *ends[2] = {&s->from[a], &s->to[a]};
    for (int i = 0; i < 2; i++) {
      if (test_int(0, 1)) ends[i]->a = test_int(-20, 20);
      else ends[i]->b = test_int(-4, 4);
    }
  }
}

static inline segment random_segment(int dims) {
  static void (*const kinds[])(segment *) = {lattice_ends, any_ends,  aimed_ends,  aimed_ends,
                                             far_ends,     tiny_ends, lattice_ends};
  segment s = {.dims = dims};
  kinds[test_int(0, 6)](&s);
  finish(&s);
  return s;
}

#define SEGMENT_FORMAT "(%a, %a, %a) to (%a, %a, %a), %dD"
#define SEGMENT_ARGS(s) (s).f[0], (s).f[1], (s).f[2], (s).t[0], (s).t[1], (s).t[2], (s).dims

#endif
