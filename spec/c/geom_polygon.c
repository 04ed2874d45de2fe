// collide, MIT licence (see LICENSE)
//
// Polygons: which are refused and why, and the parts that they are cut into.

#include "random_shapes.h"

#include "base/exact.h"
#include "base/tol.h"

static cl_alloc alloc;

static cl_fault_kind fault_of(const double *xy, uint32_t n, uint32_t *i, uint32_t *j) {
  cl_fault fault;
  cl_shape *s;
  if (cl_shape_polygon(&alloc, xy, n, &fault, &s) == CL_OK) {
    cl_shape_release(s);
    return CL_FAULT_NONE;
  }
  *i = fault.i, *j = fault.j;
  return fault.kind;
}

#define FAULT(...)                                                                                 \
  fault_of((const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / 16, &i, &j)

static void refused(void) {
  uint32_t i = 0, j = 0;
  CHECK(FAULT(0, 0, 1, 0) == CL_FAULT_FEW);
  CHECK(FAULT(0, 0, 0, 0, 1, 0, 1, 0, 0, 0) == CL_FAULT_FEW);
  CHECK(FAULT(0, 0, 1, 1, 2, 2, 5, 5) == CL_FAULT_FLAT);
  CHECK(FAULT(0, 0, 4, 4, 4, 0, 0, 4) == CL_FAULT_CROSS && i == 0 && j == 2); // a bow-tie
  CHECK(FAULT(0, 0, 0, 0, 4, 4, 4, 0, 4, 0, 0, 4) == CL_FAULT_CROSS && i == 0 && j == 3);
  CHECK(FAULT(0, 0, 4, 0, 4, 4, 2, 0, 0, 4) == CL_FAULT_CROSS && i == 0); // touches its own edge
  CHECK(FAULT(0, 0, 4, 0, 8, 0, 4, 0, 4, 4) == CL_FAULT_CROSS && i == 0 && j == 2); // a spike
  CHECK(FAULT(0, 0, NAN, 0, 4, 4) == CL_FAULT_NUMBER && i == 1);
  CHECK(FAULT(0, 0, 4, 0, 4, 2e12) == CL_FAULT_NUMBER && i == 2);
  CHECK(FAULT(0, 0, 4, 0, 4, 4, 0, 4) == CL_FAULT_NONE);
  CHECK(FAULT(0, 4, 4, 4, 4, 0, 0, 0) == CL_FAULT_NONE);
}

// The parts are convex, positively ordered, and have the same area together.
static void check_parts(const cl_shape *s) {
  double sum = 0;
  for (uint32_t p = 0; p < s->part_count; p++) {
    const cl_part *part = &s->parts[p];
    const double *x = s->vx + part->first, *y = s->vy + part->first;
    for (uint32_t i = 0, n = part->count; i < n; i++) {
      uint32_t j = (i + 1) % n, k = (i + 2) % n;
      cl_vec a = {x[i], y[i]}, b = {x[j], y[j]}, c = {x[k], y[k]};
      CHECK(cl_orient(a, b, c) >= 0);
      sum += (x[i] - x[0]) * (y[j] - y[0]) - (y[i] - y[0]) * (x[j] - x[0]);
    }
  }
  CHECK_MSG(fabs(sum / 2 - s->area) <= 1e-11 * s->reach * s->reach, "%g and %g", sum / 2, s->area);
}

// Every edge of a part is either an edge of the outline or shared by two parts.
static uint32_t outline_edges(const cl_shape *s) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < s->part_count; p++)
    for (uint32_t i = 0; i < s->parts[p].count; i++) n += !s->inner[s->parts[p].first + i];
  return n;
}

static void random_outlines(void) {
  long parts = 0, reflex = 0;
  for (long i = test_rounds(3000); i > 0; i--) {
    int n = i % 100 == 0 ? 500 : test_int(4, 40);
    cl_shape *s = random_polygon(&alloc, n, 100, test_int(0, 3) ? 0.9 : 0);
    check_parts(s);
    CHECK(outline_edges(s) == s->outline_count);
    CHECK(s->part_count <= s->outline_count - 2);
    parts += s->part_count;
    for (uint32_t k = 0; k < s->outline_count; k++) {
      cl_vec a = s->outline[k], b = s->outline[(k + 1) % s->outline_count];
      cl_vec c = s->outline[(k + 2) % s->outline_count];
      reflex += cl_vec_cross(cl_vec_sub(b, a), cl_vec_sub(c, b)) * s->area < 0;
    }
    cl_shape_release(s);
  }
  printf("%ld parts for %ld corners that bend in\n", parts, reflex);
}

static cl_shape *polygon(const double *xy, uint32_t n) {
  cl_fault fault;
  cl_shape *s = NULL;
  CHECK(cl_shape_polygon(&alloc, xy, n, &fault, &s) == CL_OK);
  return s;
}

static void few_parts(void) {
  static const double ell[] = {0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3};
  static const double plus[] = {1, 0, 2, 0, 2, 1, 3, 1, 3, 2, 2, 2,
                                2, 3, 1, 3, 1, 2, 0, 2, 0, 1, 1, 1};
  static const double vee[] = {0, 0, 5, 5, 10, 0, 10, 10, 0, 10};
  cl_shape *s = polygon(ell, 6);
  CHECK(s->part_count == 2 && s->area == 5);
  cl_shape_release(s);
  s = polygon(plus, 12);
  CHECK(s->part_count == 3 && s->area == 5);
  cl_shape_release(s);
  s = polygon(vee, 5);
  CHECK(s->part_count == 2 && s->area == 75);
  cl_shape_release(s);
}

// Both windings make the same shape, which keeps the points in the given order.
static void windings(void) {
  static const double one[] = {0, 0, 10, 0, 10, 5, 0, 5}, other[] = {0, 5, 10, 5, 10, 0, 0, 0};
  cl_shape *s = polygon(one, 4), *t = polygon(other, 4);
  CHECK(s->part_count == 1 && t->part_count == 1 && s->area == 50 && t->area == 50);
  CHECK(cl_shape_point(t, 0).y == 5 && cl_shape_point(t, 3).x == 0);
  check_parts(t);
  cl_shape_release(s);
  cl_shape_release(t);
}

// Points computed to be on a straight edge may bend inward by a unit in the last place, which must
// not cause a cut. Repeated points are dropped.
static void nearly_straight(void) {
  for (long i = test_rounds(1000); i > 0; i--) {
    double ax = test_uniform(-1e4, 1e4), ay = test_uniform(-1e4, 1e4);
    double bx = ax + test_uniform(1, 100), by = ay + test_uniform(1, 100), xy[44];
    int n = 0;
    for (int k = 0; k < 20; k++) {
      double t = k / 19.0;
      xy[n++] = ax + t * (bx - ax), xy[n++] = ay + t * (by - ay);
    }
    xy[n++] = bx, xy[n++] = by; // repeats the last one
    xy[n++] = ax, xy[n++] = by;
    cl_shape *s = polygon(xy, (uint32_t)n / 2);
    CHECK_MSG(s->part_count == 1, "%u parts", s->part_count);
    CHECK(cl_shape_point_count(s) == 21);
    cl_shape_release(s);
  }
}

static void many_vertices(void) {
  double xy[1000];
  for (int i = 0; i < 500; i++) {
    double r = i % 2 ? 50 : 100;
    xy[2 * i] = r * cos(i * 6.283185307179586 / 500);
    xy[2 * i + 1] = r * sin(i * 6.283185307179586 / 500);
  }
  cl_shape *s = polygon(xy, 500);
  check_parts(s);
  CHECK(s->part_count >= 126 && s->part_count <= 253);
  cl_shape_release(s);
  for (int i = 0; i < 1000; i++) xy[i] = 100 * (i % 2 ? sin : cos)(i / 2 * 6.283185307179586 / 500);
  s = polygon(xy, 500);
  CHECK(s->part_count == 1 && s->parts[0].count == 500);
  cl_shape_release(s);
}

// A notch counts as straight up to a depth of CL_FLAT times the largest coordinate, here 2.
static void dents(void) {
  for (int i = 1; i <= 40; i++) {
    double depth = i * 0.05 * CL_FLAT * 2;
    cl_shape *s = polygon((double[]){0, 0, 0.5, depth, 1, 0, 2, 2, 0, 2}, 5);
    CHECK_MSG((s->part_count == 1) == (i <= 20), "%d", i);
    check_parts(s);
    cl_shape_release(s);
  }
}

// Needles with an aspect ratio of 1 : 10^4, at any angle and far away.
static void needles(void) {
  for (long i = test_rounds(1000); i > 0; i--) {
    double a = test_uniform(0, 7), x = test_uniform(-1e6, 1e6), y = test_uniform(-1e6, 1e6);
    double c = 100 * cos(a), s = 100 * sin(a);
    double xy[] = {x,           y, x + c, y + s, x + c - s * 1e-4, y + s + c * 1e-4, x - s * 1e-4,
                   y + c * 1e-4};
    cl_shape *needle = polygon(xy, 4);
    CHECK(needle->part_count == 1);
    CHECK_MSG(fabs(needle->area - 1) < 1e-6, "area %g", needle->area);
    cl_shape_release(needle);
  }
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(refused);
  RUN(random_outlines);
  RUN(few_parts);
  RUN(windings);
  RUN(nearly_straight);
  RUN(dents);
  RUN(many_vertices);
  RUN(needles);
  return test_end();
}
