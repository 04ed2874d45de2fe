// collide, MIT licence (see LICENSE)
//
// Placed convex parts: vertices, supports, separations. Layer: narrow.

#include "narrow/convex.h"

#include "base/f64x2.h"

// Places the vertices and normals of a part, four at a time.
CL_INLINE void place_corners(const cl_placed *p, const cl_part *part, cl_vec origin, double *x_out,
                             double *y_out, double *nx_out, double *ny_out) {
  const cl_shape *s = p->shape;
  const double *vx = s->vx + part->first, *vy = s->vy + part->first;
  const double *nx = s->nx + part->first, *ny = s->ny + part->first;
  cl_f64x4 c = cl_f64x4_all(p->rot.c), d = cl_f64x4_all(p->rot.s);
  cl_f64x4 minus_d = cl_f64x4_all(-p->rot.s);
  cl_f64x4 px = cl_f64x4_all(p->x), py = cl_f64x4_all(p->y);
  cl_f64x4 ox = cl_f64x4_all(origin.x), oy = cl_f64x4_all(origin.y);
  for (int i = 0, n = (int)part->count; i < n; i += 4) {
    cl_f64x4 x = cl_f64x4_load(vx + i), y = cl_f64x4_load(vy + i);
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 wx = cl_f64x4_add(px, cl_f64x4_dot(c, minus_d, x, y));
    cl_f64x4 wy = cl_f64x4_add(py, cl_f64x4_dot(d, c, x, y));
    cl_f64x4_store(x_out + i, cl_f64x4_sub(wx, ox));
    cl_f64x4_store(y_out + i, cl_f64x4_sub(wy, oy));
    cl_f64x4_store(nx_out + i, cl_f64x4_dot(c, minus_d, u, v));
    cl_f64x4_store(ny_out + i, cl_f64x4_dot(d, c, u, v));
  }
}

void cl_convex_place(const cl_placed *p, uint32_t index, cl_vec origin, cl_convex *out) {
  assert(index < p->shape->part_count);
  const cl_part *part = &p->shape->parts[index];
  out->placed = p;
  out->part = part;
  out->origin = origin;
  out->n = (int)part->count;
  out->r = part->radius;
  out->size = fabs(p->x) + fabs(p->y) + part->reach + part->radius;
  out->room = NULL;
  if (part->count <= CL_SMALL) place_corners(p, part, origin, out->x, out->y, out->nx, out->ny);
}

void cl_convex_fill(cl_convex *c, cl_convex_room *room) {
  place_corners(c->placed, c->part, c->origin, room->x, room->y, room->nx, room->ny);
  c->room = room;
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

static int support_of_all(const cl_convex *c, cl_vec d) {
  int best = 0;
  double most = -DBL_MAX;
  for (int i = 0; i < c->n; i++) {
    double along = cl_vec_dot(cl_convex_vertex(c, i), d);
    if (along > most) most = along, best = i;
  }
  return best;
}

// Parts of fewer vertices are searched as a whole.
enum { FEW = 8 };

// Along a convex outline the vertices only rise to the farthest one, except for rounding: where
// they have fallen by more than that from the best so far, in both directions, nothing better
// follows.
int cl_convex_support_near(const cl_convex *c, cl_vec d, int from) {
  if (c->n <= FEW) return support_of_all(c, d);
  const double fall = 0x1p-30 * c->size * (fabs(d.x) + fabs(d.y));
  double most = cl_vec_dot(cl_convex_vertex(c, from), d);
  int best = from, left = c->n - 1;
  for (int back = 0; back < 2; back++) {
    for (int i = from; left > 0; left--) {
      i = back ? cl_convex_before(c, i) : cl_convex_next(c, i);
      double along = cl_vec_dot(cl_convex_vertex(c, i), d);
      if (along < most - fall) break;
      if (along > most || (along == most && i < best)) most = along, best = i;
    }
  }
  return best;
}

// Whether v is more than half a turn past u.
static bool is_late(cl_vec u, cl_vec v) {
  double side = cl_vec_cross(u, v);
  return side < 0 || (side == 0 && cl_vec_dot(u, v) < 0);
}

// The normals of the edges go round once, so the one before `d` is found by bisection: the farthest
// vertex is at the end of its edge, or near it.
static int guess_support(const cl_convex *c, cl_vec d) {
  cl_vec first = cl_convex_normal(c, 0);
  bool late = is_late(first, d);
  int low = 0, high = c->n - 1;
  while (low < high) {
    int mid = (low + high + 1) / 2;
    cl_vec n = cl_convex_normal(c, mid);
    bool n_late = is_late(first, n), before = late != n_late ? late : cl_vec_cross(n, d) >= 0;
    if (before) low = mid;
    else high = mid - 1;
  }
  return cl_convex_next(c, low);
}

int cl_convex_support(const cl_convex *c, cl_vec d) {
  if (c->n <= CL_SMALL) return support_of_all(c, d);
  return cl_convex_support_near(c, d, guess_support(c, d));
}

// Four edges at a time against every vertex of b. Padding repeats the last edge,
// which changes nothing.
static double separation_small(const cl_convex *a, const cl_convex *b, double enough, int *edge) {
  double best = -DBL_MAX;
  int at = 0, m = b->n;
  for (int i = 0; i < a->n; i += 4) {
    cl_f64x4 nx = cl_f64x4_load(a->nx + i), ny = cl_f64x4_load(a->ny + i);
    cl_f64x4 s = cl_f64x4_dot(nx, ny, cl_f64x4_all(b->x[0]), cl_f64x4_all(b->y[0]));
    for (int k = 1; k < m; k++) {
      cl_f64x4 x = cl_f64x4_all(b->x[k]), y = cl_f64x4_all(b->y[k]);
      s = cl_f64x4_min(cl_f64x4_dot(nx, ny, x, y), s);
    }
    double v[4];
    cl_f64x4 own = cl_f64x4_dot(nx, ny, cl_f64x4_load(a->x + i), cl_f64x4_load(a->y + i));
    cl_f64x4_store(v, cl_f64x4_sub(s, own));
    int p = v[1] > v[0], q = 2 + (v[3] > v[2]);
    int r = v[q] > v[p] ? q : p;
    bool more = v[r] > best;
    best = more ? v[r] : best;
    at = more ? i + r : at;
    if (best > enough) break;
  }
  *edge = at;
  return best;
}

// As the normals turn, b's nearest vertex only moves round with them.
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
  if (a->n <= CL_SMALL && b->n <= CL_SMALL) return separation_small(a, b, enough, edge);
  return separation_large(a, b, enough, edge);
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
