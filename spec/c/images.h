// collide, MIT licence (see LICENSE)
//
// Shapes and their images under the eight symmetries of the square, for the tests that compare a
// scene with its images. A shape is kept as the points that it is made of, so that its image is
// made as a user would make it: from mapped points, and for a polygon from another first corner and
// in the other direction.

#ifndef CL_SPEC_IMAGES_H
#define CL_SPEC_IMAGES_H

#include "test.h"

#include "geom/shape.h"

/// A symmetry: 1 mirrors x, 2 mirrors y, 4 swaps the axes after that.
enum { IMAGES = 8 };

static inline cl_vec image_of(int image, cl_vec v) {
  if (image & 1) v.x = 0.0 - v.x;
  if (image & 2) v.y = 0.0 - v.y;
  return image & 4 ? (cl_vec){v.y, v.x} : v;
}

/// Whether it reverses angles.
static inline bool image_mirrors(int image) { return (image ^ image >> 1 ^ image >> 2) & 1; }

static inline double image_angle(int image, double angle) {
  return image_mirrors(image) ? 0.0 - angle : angle;
}

/// What a shape is made of. A rectangle's points are two opposite corners.
enum {
  MADE_RECTANGLE,
  MADE_CIRCLE,
  MADE_CAPSULE,
  MADE_SEGMENT,
  MADE_POLYGON,
  MADE_CHAIN,
  MADE_COMPOUND,
  MADE_KINDS
};
enum { MADE_POINTS = 12, MADE_MEMBERS = 3 };

typedef struct made {
  int kind, n, members;
  bool closed;
  double r;
  cl_vec p[MADE_POINTS];
  struct made *member[MADE_MEMBERS];
} made;

// A coordinate on a coarse lattice, where sides are flush and answers tie, or on one so fine that
// ties do not occur. All of its numbers are exact in every image.
static inline double made_number(bool coarse, int a, int b) {
  return coarse ? test_int(2 * a, 2 * b) * 0.5 : test_int(a * 65536, b * 65536) * (1 / 65536.0);
}

static inline cl_vec made_point(bool coarse, int size) {
  double x = made_number(coarse, -size, size);
  return (cl_vec){x, made_number(coarse, -size, size)};
}

static inline bool same_points(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

// The corners of a convex polygon, in order: the hull of random points (Andrew 1979).
static inline int made_hull(cl_vec *p, int n, cl_vec *out) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && (p[k].x < p[k - 1].x || (p[k].x == p[k - 1].x && p[k].y < p[k - 1].y));
         k--) {
      cl_vec v = p[k];
      p[k] = p[k - 1], p[k - 1] = v;
    }
  int count = 0;
  for (int pass = 0; pass < 2; pass++) {
    count -= pass;
    int from = count;
    for (int i = 0; i < n; i++) {
      cl_vec v = p[pass ? n - 1 - i : i];
      while (count >= from + 2 && cl_vec_cross(cl_vec_sub(out[count - 1], out[count - 2]),
                                               cl_vec_sub(v, out[count - 2])) <= 0)
        count--;
      if (count == 0 || !same_points(out[count - 1], v)) out[count++] = v;
    }
  }
  return count > 1 && same_points(out[count - 1], out[0]) ? count - 1 : count;
}

static inline void make_polygon(made *m, bool coarse) {
  cl_vec p[8], hull[20];
  do {
    for (int i = 0; i < 8; i++) p[i] = made_point(coarse, 3);
    m->n = made_hull(p, test_int(3, 8), hull);
  } while (m->n < 3);
  memcpy(m->p, hull, (size_t)m->n * sizeof *hull);
}

static inline made *made_free(made *m) {
  for (int i = 0; i < m->members; i++) made_free(m->member[i]);
  free(m);
  return NULL;
}

static inline made *make_one(int kind, bool coarse) {
  made *m = calloc(1, sizeof *m);
  if (!m) abort();
  m->kind = kind;
  m->r = made_number(coarse, 0, 1) + 0.5;
  m->n = kind == MADE_CIRCLE ? 1 : kind == MADE_CHAIN ? test_int(3, 10) : 2;
  do
    for (int i = 0; i < m->n; i++) do
        m->p[i] = made_point(coarse, 3);
      while (i > 0 && same_points(m->p[i], m->p[i - 1]));
  while (kind == MADE_RECTANGLE && (m->p[0].x == m->p[1].x || m->p[0].y == m->p[1].y));
  m->closed = kind == MADE_CHAIN && !same_points(m->p[0], m->p[m->n - 1]) && test_int(0, 1);
  if (kind == MADE_POLYGON) make_polygon(m, coarse);
  if (kind != MADE_COMPOUND) return m;
  m->members = test_int(1, MADE_MEMBERS);
  for (int i = 0; i < m->members; i++) m->member[i] = make_one(test_int(0, MADE_CHAIN), coarse);
  return m;
}

// The image's shape. `other`: which of its points comes first, and in which direction they go.
static inline cl_shape *made_shape(const cl_alloc *alloc, const made *m, int image, int other) {
  cl_vec p[MADE_POINTS];
  cl_shape *s = NULL, *members[MADE_MEMBERS];
  cl_fault fault;
  cl_status status = CL_INVALID;
  int n = m->n, from = m->kind == MADE_CHAIN ? 0 : other % n;
  bool back = m->kind != MADE_CHAIN && other / MADE_POINTS % 2;
  for (int i = 0; i < n; i++) p[i] = image_of(image, m->p[((back ? n - i : i) + from) % n]);
  cl_vec least = {cl_min(p[0].x, p[n - 1].x), cl_min(p[0].y, p[n - 1].y)};
  switch (m->kind) {
  case MADE_RECTANGLE:
    status = cl_shape_rectangle(alloc, least.x, least.y, fabs(p[1].x - p[0].x),
                                fabs(p[1].y - p[0].y), &s);
    break;
  case MADE_CIRCLE: status = cl_shape_circle(alloc, p[0].x, p[0].y, m->r, &s); break;
  case MADE_CAPSULE:
    status = cl_shape_capsule(alloc, p[0].x, p[0].y, p[1].x, p[1].y, m->r, &s);
    break;
  case MADE_SEGMENT: status = cl_shape_segment(alloc, p[0].x, p[0].y, p[1].x, p[1].y, &s); break;
  case MADE_POLYGON: status = cl_shape_polygon(alloc, &p->x, (uint32_t)n, &fault, &s); break;
  case MADE_CHAIN: status = cl_shape_chain(alloc, &p->x, (uint32_t)n, m->closed, &fault, &s); break;
  default:
    for (int i = 0; i < m->members; i++) members[i] = made_shape(alloc, m->member[i], image, other);
    status = cl_shape_compound(alloc, members, (uint32_t)m->members, &s);
    for (int i = 0; i < m->members; i++) cl_shape_release(members[i]);
  }
  if (status != CL_OK) abort();
  return s;
}

/// Equal to the bit; neither may be a negative 0.
static inline bool same_number(double a, double b) {
  return a == b && !(a == 0 && signbit(a)) && !(b == 0 && signbit(b));
}
static inline bool same_vec(cl_vec a, cl_vec b) {
  return same_number(a.x, b.x) && same_number(a.y, b.y);
}

/// Whether one of two directions is an image of the other: then both answers are equally good.
static inline bool are_images(cl_vec a, cl_vec b) {
  double p = fabs(a.x), q = fabs(a.y), r = fabs(b.x), s = fabs(b.y);
  return (p == r && q == s) || (p == s && q == r);
}

/// Whether two ways out of the same depth are two equally good answers, and not one answer with
/// different last bits.
static inline bool are_equal_ways(cl_vec a, cl_vec b) {
  return are_images(a, b) || fabs(a.x - b.x) + fabs(a.y - b.y) > 1e-6;
}

#endif
