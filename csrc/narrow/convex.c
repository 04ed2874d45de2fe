// collide, MIT licence (see LICENSE)
//
// Placed convex parts: vertices, supports, separations. Layer: narrow.

#include "narrow/convex.h"

void cl_convex_place(const cl_placed *p, uint32_t index, cl_vec origin, cl_convex *out) {
  const cl_shape *s = p->shape;
  const cl_part *part = &s->parts[index];
  out->placed = p;
  out->part = part;
  out->origin = origin;
  out->n = (int)part->count;
  out->r = part->radius;
  out->size = fabs(p->x) + fabs(p->y) + part->reach + part->radius;
  if (part->count > CL_SMALL) return;
  const double *restrict vx = s->vx + part->first, *restrict vy = s->vy + part->first;
  const double *restrict nx = s->nx + part->first, *restrict ny = s->ny + part->first;
  double c = p->rot.c, d = p->rot.s, px = p->x, py = p->y;
  for (int i = 0; i < out->n; i += 4)
    for (int k = i; k < i + 4; k++) {
      out->x[k] = (px + (c * vx[k] - d * vy[k])) - origin.x;
      out->y[k] = (py + (d * vx[k] + c * vy[k])) - origin.y;
      out->nx[k] = c * nx[k] - d * ny[k];
      out->ny[k] = d * nx[k] + c * ny[k];
    }
}

cl_vec cl_convex_vertex(const cl_convex *c, int i) {
  if (c->n <= CL_SMALL) return (cl_vec){c->x[i], c->y[i]};
  return cl_vec_sub(cl_placed_vertex(c->placed, c->part->first + (uint32_t)i), c->origin);
}

cl_vec cl_convex_normal(const cl_convex *c, int i) {
  if (c->n <= CL_SMALL) return (cl_vec){c->nx[i], c->ny[i]};
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

// Four edges at a time against every vertex of b: loops of a fixed length, which
// compilers turn into vector instructions.
static double separation_small(const cl_convex *a, const cl_convex *b, double enough, int *edge) {
  double best = -DBL_MAX;
  for (int i = 0; i < a->n; i += 4) {
    const double *restrict nx = a->nx + i, *restrict ny = a->ny + i;
    double s[4];
    for (int l = 0; l < 4; l++) s[l] = nx[l] * b->x[0] + ny[l] * b->y[0];
    for (int k = 1; k < b->n; k++) {
      double x = b->x[k], y = b->y[k];
      for (int l = 0; l < 4; l++) {
        double d = nx[l] * x + ny[l] * y;
        s[l] = d < s[l] ? d : s[l];
      }
    }
    for (int l = 0; l < 4; l++) s[l] -= nx[l] * a->x[i + l] + ny[l] * a->y[i + l];
    for (int l = 0; l < 4; l++)
      if (s[l] > best) best = s[l], *edge = i + l;
    if (best > enough) break;
  }
  // Padding repeats the last edge.
  if (*edge >= a->n) *edge = a->n - 1;
  return best;
}

// As the normals of a turn, b's nearest vertex only goes round with them.
static double separation_large(const cl_convex *a, const cl_convex *b, double enough, int *edge) {
  double best = -DBL_MAX;
  cl_vec n = cl_convex_normal(a, 0);
  int at = cl_convex_support(b, (cl_vec){-n.x, -n.y});
  for (int i = 0; i < a->n && best <= enough; i++) {
    n = cl_convex_normal(a, i);
    double least = cl_vec_dot(n, cl_convex_vertex(b, at));
    for (int left = b->n; left > 0; left--) {
      int next = cl_convex_next(b, at);
      double d = cl_vec_dot(n, cl_convex_vertex(b, next));
      if (d > least) break;
      least = d, at = next;
    }
    double s = least - cl_vec_dot(n, cl_convex_vertex(a, i));
    if (s > best) best = s, *edge = i;
  }
  return best;
}

double cl_convex_separation(const cl_convex *a, const cl_convex *b, double enough, int *edge) {
  *edge = 0;
  if (a->n == 1) return -DBL_MAX;
  bool small = a->n <= CL_SMALL && b->n <= CL_SMALL;
  return (small ? separation_small : separation_large)(a, b, enough, edge);
}

cl_axis cl_convex_axis(const cl_convex *a, const cl_convex *b, double enough) {
  int i, k;
  double s = cl_convex_separation(a, b, enough, &i);
  if (s <= enough) {
    double t = cl_convex_separation(b, a, enough, &k);
    if (t > s) {
      cl_vec n = cl_convex_normal(b, k);
      return (cl_axis){t, {-n.x, -n.y}, k, true};
    }
  }
  return (cl_axis){s, cl_convex_normal(a, i), i, false};
}
