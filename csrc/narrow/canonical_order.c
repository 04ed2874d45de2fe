// collide, MIT licence (see LICENSE)
//
// The order that makes answers the same for either order of arguments. Layer: narrow.

#include "narrow/canonical_order.h"

#include "geom/tiles.h"

// The sign of the difference of two arrays at the first element that differs.
static int compare(const double *p, const double *q, int n) {
  for (int i = 0; i < n; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

// For tiles: by their cells, then by the shapes of the cells.
static int compare_tiles(const cl_shape *s, const cl_shape *t) {
  int sign = compare(&s->cell, &t->cell, 1);
  if (sign != 0) return sign;
  sign = memcmp(s->grid->bytes, t->grid->bytes, cl_grid_count(s->grid)); // as many in both
  return sign != 0 ? sign : cl_tile_set_compare(s->set, t->set);
}

// For shapes at one place with the same bounds: by everything that they consist of.
static int compare_shapes(const cl_shape *s, const cl_shape *t) {
  if (s->kind == CL_TILES && t->kind == CL_TILES) return compare_tiles(s, t);
  if (s->part_count != t->part_count) return s->part_count < t->part_count ? -1 : 1;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *p = &s->parts[i], *q = &t->parts[i];
    if (p->count != q->count) return p->count < q->count ? -1 : 1;
    int sign = compare(&p->radius, &q->radius, 1);
    if (sign == 0) sign = compare(s->vx + p->first, t->vx + q->first, (int)p->count);
    if (sign == 0) sign = compare(s->vy + p->first, t->vy + q->first, (int)p->count);
    if (sign != 0) return sign;
  }
  return 0;
}

enum { FEATURES = 10 };

// What every image of a placed shape has in common.
static void features_of(const cl_placed *p, double out[FEATURES]) {
  const cl_shape *s = p->shape;
  double w = s->bounds.r - s->bounds.l, h = s->bounds.b - s->bounds.t;
  double x = fabs(s->bounds.l + s->bounds.r), y = fabs(s->bounds.t + s->bounds.b);
  const double all[FEATURES] = {cl_max(w, h),   cl_min(w, h),          s->reach,  cl_max(x, y),
                                cl_min(x, y),   (double)s->part_count, s->radius, p->rot.c,
                                fabs(p->rot.s), (double)s->kind};
  memcpy(out, all, sizeof all);
}

// By the place, then the shape, as far as all images agree on it.
static int compare_images(const cl_placed *a, const cl_placed *b) {
  double p = fabs(a->x), q = fabs(a->y), r = fabs(b->x), s = fabs(b->y), one[FEATURES],
         two[FEATURES];
  double most = cl_max(p, q), other = cl_max(r, s), less = cl_min(p, q), least = cl_min(r, s);
  if (most != other) return most < other ? -1 : 1;
  if (less != least) return less < least ? -1 : 1;
  features_of(a, one);
  features_of(b, two);
  return compare(one, two, FEATURES);
}

bool cl_comes_first(const cl_placed *a, const cl_placed *b) {
  int order = compare_images(a, b);
  if (order != 0) return order < 0;
  if (a->x != b->x) return a->x < b->x;
  if (a->y != b->y) return a->y < b->y;
  int sign = compare(&a->shape->bounds.l, &b->shape->bounds.l, 4);
  if (sign == 0) sign = compare(&a->rot.c, &b->rot.c, 2);
  return (sign != 0 ? sign : compare_shapes(a->shape, b->shape)) <= 0;
}
