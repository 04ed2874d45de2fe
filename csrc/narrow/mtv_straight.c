// collide, MIT licence (see LICENSE)
//
// Straight ways out of shapes of many parts. Layer: narrow.

#include "narrow/closest.h"
#include "narrow/mtv_search.h"

// A straight way is given up after this many stops. A difference with more corners than this is
// left by the extent of its parts alone.
enum { STOPS = 16, FEW_CORNERS = 64 };

// Whether the two parts of the current pair overlap deeper than `depth`. No pair does unless its
// bounds do.
static bool are_deeper(cl_part_pairs *at, double depth) {
  const cl_bounds *a = &at->one, *b = &at->two;
  if (a->r - b->l <= depth || b->r - a->l <= depth || a->b - b->t <= depth || b->b - a->t <= depth)
    return false;
  cl_part_pairs_place(at);
  const cl_convex *p = &at->p, *q = &at->q;
  double reach = p->r + q->r - depth;
  if (p->n + q->n == 2)
    return cl_vec_length(cl_vec_sub(cl_convex_vertex(q, 0), cl_convex_vertex(p, 0))) < reach;
  cl_axis axis = cl_convex_axis(p, q, reach);
  if (axis.separation >= reach) return false;
  // Collinear segments have no separation, however far apart they are on the line.
  bool flat = p->n <= 2 && q->n <= 2;
  if (p->r + q->r == 0 || axis.separation < (flat ? -cl_convex_error(p, q) : 0)) return true;
  return cl_convex_closest(p, q, &axis).distance < reach;
}

// How far the first part has to move along `way` to leave the second.
static double straight_out(cl_mtv_search *s, cl_part_pairs *at, cl_vec way) {
  const cl_convex *p = &at->p, *q = &at->q;
  int corners = cl_difference_corners(p, q);
  cl_mtv_spend(s, CL_MTV_STEPS_A_CORNER * corners);
  double depth = cl_mtv_left_depth(s, cl_part_pairs_thin(at));
  if (corners > FEW_CORNERS) {
    cl_vec last = cl_convex_vertex(p, cl_convex_support(p, (cl_vec){-way.x, -way.y}));
    cl_vec first = cl_convex_vertex(q, cl_convex_support(q, way));
    return (cl_vec_dot(first, way) - cl_vec_dot(last, way)) + (p->r + q->r) - depth;
  }
  cl_vec v[FEW_CORNERS], n[FEW_CORNERS];
  double line[FEW_CORNERS];
  cl_difference d = cl_difference_of(p, q, v, n, line);
  return cl_difference_leave(&d, (cl_vec){0, 0}, way, depth);
}

// The farthest that any pair still has to move along `way` from x; 0 if x is free. Returns early
// once it is more than `enough`. -1 if the steps run out.
static double blocked(cl_mtv_search *s, cl_vec x, cl_vec way, double enough) {
  cl_placed moved = *s->a;
  moved.x += x.x, moved.y += x.y;
  double most = 0;
  cl_part_pairs at;
  cl_part_pairs_begin(&at, &moved, s->b, (cl_bounds){0, 0, 0, 0}, s->origin);
  while (most < enough && cl_part_pairs_next(&at)) {
    cl_mtv_spend_pairs(s, &at);
    if (s->straight <= 0) return -1;
    if (!are_deeper(&at, cl_mtv_held_depth(s, cl_part_pairs_thin(&at)))) continue;
    double out = straight_out(s, &at, way);
    most = cl_max(most, cl_max(out, s->tolerance));
  }
  return most;
}

bool cl_mtv_go_straight(cl_mtv_search *s, cl_vec way, double from) {
  double t = from, lift = s->seams ? 2 * s->tolerance : 0;
  for (int i = 0; i < STOPS && t < s->best.depth; i++) {
    double on = blocked(s, cl_vec_mul(way, t + lift), way, s->best.depth - t);
    if (on < 0) return false;
    if (on == 0) {
      s->best = (cl_hit){way.x, way.y, t};
      return true;
    }
    t += on;
  }
  return false;
}

bool cl_mtv_take_place(cl_mtv_search *s, cl_vec way, double distance) {
  double lift = s->seams ? 2 * s->tolerance : 0;
  if (blocked(s, cl_vec_mul(way, distance + lift), way, DBL_MIN) != 0) return false;
  s->best = (cl_hit){way.x, way.y, distance};
  return true;
}
