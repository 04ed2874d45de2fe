// collide, MIT licence (see LICENSE)
//
// Placed convex parts: vertices, supports, separations. Layer: narrow.

#include "narrow/convex.h"

#include "base/f64x2.h"

void cl_convex_place(const cl_placed *p, uint32_t index, cl_vec origin, cl_convex *out) {
  const cl_shape *s = p->shape;
  assert(index < s->part_count);
  const cl_part *part = &s->parts[index];
  out->placed = p;
  out->part = part;
  out->origin = origin;
  out->from = (cl_vec){p->x - origin.x, p->y - origin.y};
  out->line = s->line + part->first;
  out->n = (int)part->count;
  out->r = part->radius;
  out->size = fabs(p->x) + fabs(p->y) + part->reach + part->radius;
  if (part->count > CL_SMALL) return;
  const double *vx = s->vx + part->first, *vy = s->vy + part->first;
  const double *nx = s->nx + part->first, *ny = s->ny + part->first;
  cl_f64x4 c = cl_f64x4_all(p->rot.c), d = cl_f64x4_all(p->rot.s);
  cl_f64x4 minus_d = cl_f64x4_all(-p->rot.s);
  cl_f64x4 px = cl_f64x4_all(p->x), py = cl_f64x4_all(p->y);
  cl_f64x4 ox = cl_f64x4_all(origin.x), oy = cl_f64x4_all(origin.y);
  for (int i = 0; i < out->n; i += 4) {
    cl_f64x4 x = cl_f64x4_load(vx + i), y = cl_f64x4_load(vy + i);
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 wx = cl_f64x4_add(px, cl_f64x4_dot(c, minus_d, x, y));
    cl_f64x4 wy = cl_f64x4_add(py, cl_f64x4_dot(d, c, x, y));
    cl_f64x4_store(out->x + i, cl_f64x4_sub(wx, ox));
    cl_f64x4_store(out->y + i, cl_f64x4_sub(wy, oy));
    cl_f64x4_store(out->nx + i, cl_f64x4_dot(c, minus_d, u, v));
    cl_f64x4_store(out->ny + i, cl_f64x4_dot(d, c, u, v));
  }
}

cl_vec cl_convex_vertex_large(const cl_convex *c, int i) {
  assert(i >= 0 && i < c->n);
  return cl_vec_sub(cl_placed_vertex(c->placed, c->part->first + (uint32_t)i), c->origin);
}

cl_vec cl_convex_normal_large(const cl_convex *c, int i) {
  assert(i >= 0 && i < c->n);
  const cl_shape *s = c->placed->shape;
  uint32_t k = c->part->first + (uint32_t)i;
  return cl_rot_apply(c->placed->rot, (cl_vec){s->nx[k], s->ny[k]});
}

int cl_convex_support(const cl_convex *c, cl_vec d) {
  int best = 0;
  double most = -DBL_MAX;
  for (int i = 0; i < c->n; i++) {
    double along = cl_vec_dot(cl_convex_vertex(c, i), d);
    if (along > most) most = along, best = i;
  }
  return best;
}

// What cl_convex_axis is asked: the separation above which any will do, and a's motion.
typedef struct question {
  double enough;
  cl_vec d;
} question;

// Of two directions from a to b with the same separation, whether the first is the answer.
static bool goes_first(cl_vec n, cl_vec m, cl_vec d) {
  double rate = cl_vec_dot(n, d), other = cl_vec_dot(m, d);
  if (rate != other) return rate < other;
  return cl_vec_goes_first(cl_vec_mul(n, -1), cl_vec_mul(m, -1));
}

// The same of two edges of c, a part that is a (`sign` 1) or b (-1).
static int first_of(const cl_convex *c, int i, int k, double sign, cl_vec d) {
  cl_vec n = cl_vec_mul(cl_convex_normal(c, i), sign), m = cl_vec_mul(cl_convex_normal(c, k), sign);
  return goes_first(m, n, d) ? k : i;
}

double cl_convex_least(const cl_convex *c, cl_vec d) {
  double least = DBL_MAX;
  for (int i = 0; i < c->n; i++) least = cl_min(least, cl_vec_dot(cl_convex_vertex(c, i), d));
  return least;
}

// Four edges at a time against every vertex of b. Padding repeats the last edge,
// which changes nothing.
static double separation_small(const cl_convex *a, const cl_convex *b, const question *ask,
                               double sign, int *edge) {
  cl_f64x4 fx = cl_f64x4_all(a->from.x), fy = cl_f64x4_all(a->from.y);
  double best = -DBL_MAX;
  int at = 0, m = b->n;
  for (int i = 0; i < a->n && best <= ask->enough; i += 4) {
    cl_f64x4 nx = cl_f64x4_load(a->nx + i), ny = cl_f64x4_load(a->ny + i);
    cl_f64x4 s = cl_f64x4_dot(nx, ny, cl_f64x4_all(b->x[0]), cl_f64x4_all(b->y[0]));
    for (int k = 1; k < m; k++) {
      cl_f64x4 x = cl_f64x4_all(b->x[k]), y = cl_f64x4_all(b->y[k]);
      s = cl_f64x4_min(cl_f64x4_dot(nx, ny, x, y), s);
    }
    cl_f64x4 own = cl_f64x4_add(cl_f64x4_load(a->line + i), cl_f64x4_dot(nx, ny, fx, fy));
    cl_f64x4 v = cl_f64x4_sub(s, own);
    double most = cl_f64x4_most(v);
    if (most < best) continue;
    unsigned tied = cl_f64x4_eq_bits(v, cl_f64x4_all(most));
    if (a->n - i < 4) tied &= (1u << (a->n - i)) - 1; // without padding
    if (most > best) {
      at = i + (int)cl_first_bit(tied);
      tied &= tied - 1;
    }
    best = most;
    for (; tied; tied &= tied - 1) at = first_of(a, at, i + (int)cl_first_bit(tied), sign, ask->d);
  }
  *edge = at;
  return best;
}

// As the normals turn, b's nearest vertex only moves round with them.
static double separation_large(const cl_convex *a, const cl_convex *b, const question *ask,
                               double sign, int *edge) {
  double best = -DBL_MAX;
  cl_vec n = cl_convex_normal(a, 0);
  int at = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  for (int i = 0; i < a->n && best <= ask->enough; i++) {
    n = cl_convex_normal(a, i);
    double least = cl_vec_dot(n, cl_convex_vertex(b, at));
    for (int left = b->n; left > 0; left--) {
      int next = cl_convex_next(b, at);
      double d = cl_vec_dot(n, cl_convex_vertex(b, next));
      if (d > least) break;
      least = d, at = next;
    }
    double s = least - (a->line[i] + cl_vec_dot(n, a->from));
    if (s == best) *edge = first_of(a, *edge, i, sign, ask->d);
    if (s > best) best = s, *edge = i;
  }
  return best;
}

// The largest separation of the cores along the normals of a's edges, and the edge; -DBL_MAX if a
// has none. As soon as some separation is enough, it returns that one.
static double separation(const cl_convex *a, const cl_convex *b, const question *ask, double sign,
                         int *edge) {
  *edge = 0;
  if (a->n == 1) return -DBL_MAX;
  if (a->n <= CL_SMALL && b->n <= CL_SMALL) return separation_small(a, b, ask, sign, edge);
  return separation_large(a, b, ask, sign, edge);
}

cl_axis cl_convex_axis_moving(const cl_convex *a, const cl_convex *b, double enough, cl_vec d) {
  int i, k;
  const question ask = {enough, d};
  double s = separation(a, b, &ask, 1, &i);
  if (s <= enough) {
    double t = separation(b, a, &ask, -1, &k);
    if (t >= s && b->n > 1) {
      cl_vec n = cl_convex_normal(b, k), back = {-n.x, -n.y};
      if (t > s || goes_first(back, cl_convex_normal(a, i), d)) return (cl_axis){t, back, k, true};
    }
  }
  return (cl_axis){s, cl_convex_normal(a, i), i, false};
}
