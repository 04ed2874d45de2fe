// collide, MIT licence (see LICENSE)
//
// The overlap of placed shapes: which order, which pair test. Layer: narrow.

#include "narrow/overlap.h"

#include "base/exact.h"
#include "narrow/convex.h"

bool cl_overlap_circles_near(double ax, double ay, double ar, double bx, double by, double br,
                             bool touching, cl_hit *out) {
  const double p[2] = {ax, ay}, q[2] = {bx, by};
  int sign = cl_compare_points(p, q, ar, br);
  if (sign > 0 || (sign == 0 && !touching)) return false;
  double x = ax - bx, y = ay - by;
  if (x == 0 && y == 0) {
    *out = (cl_hit){-1, 0, ar + br};
    return true;
  }
  double m = fmax(fabs(x), fabs(y)), u = x / m, v = y / m, d = sqrt(u * u + v * v);
  *out = (cl_hit){u / d, v / d, fmax((ar + br) - m * d, 0)};
  return true;
}

// Whether `a` comes first in the order that ties are broken by, which hangs on
// the shapes and places alone.
static bool comes_first(const cl_placed *a, const cl_placed *b) {
  if (a->x != b->x) return a->x < b->x;
  if (a->y != b->y) return a->y < b->y;
  const cl_bounds *p = &a->shape->bounds, *q = &b->shape->bounds;
  if (p->l != q->l) return p->l < q->l;
  if (p->t != q->t) return p->t < q->t;
  if (p->r != q->r) return p->r < q->r;
  if (p->b != q->b) return p->b < q->b;
  if (a->rot.c != b->rot.c) return a->rot.c < b->rot.c;
  return a->rot.s <= b->rot.s;
}

static void reverse(cl_hit *h) { h->nx = 0 - h->nx, h->ny = 0 - h->ny; }

static bool overlap_convex(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_vec origin = {a->x, a->y};
  cl_convex p, q;
  cl_convex_place(a, 0, origin, &p);
  cl_convex_place(b, 0, origin, &q);
  return cl_convex_overlap(&p, &q, touching, out);
}

bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  const cl_part *p = a->shape->parts, *q = b->shape->parts;
  if ((p->flags & q->flags & CL_PART_BOX) && cl_rot_is_none(a->rot) && cl_rot_is_none(b->rot))
    return cl_overlap_boxes(cl_placed_part_bounds(a, 0), cl_placed_part_bounds(b, 0), touching,
                            out);
  cl_hit h;
  bool ordered = comes_first(a, b);
  if (!overlap_convex(ordered ? a : b, ordered ? b : a, touching, &h)) return false;
  if (ordered) reverse(&h);
  *out = h;
  return true;
}
