// collide, MIT licence (see LICENSE)
//
// A straight way against four boxes at a time, by the slabs between their edges. In float:
// the start is widened by its rounding error, so that no box it touches is missed. Layer: query.
// Source: Kay and Kajiya, Ray tracing complex scenes (1986).

#ifndef CL_QUERY_SLABS_H
#define CL_QUERY_SLABS_H

#include "base/f32x4.h"
#include "geom/box.h"

/// A straight way from (x, y) to (x + dx, y + dy), world units. The rectangle
/// `mover`, relative to x, y, moves along it; all 0 for a ray.
typedef struct cl_way {
  double x, y, dx, dy;
  cl_bounds mover;
} cl_way;

/// Where edges are measured from: x0 and y0 from `near`, -x1 and -y1 from `far`. `per` and `back`
/// are the share of the way per unit of length, negated in `back`, for the far edges.
typedef struct cl_slabs {
  cl_f32x4 near_x, near_y, far_x, far_y;
  cl_f32x4 per_x, per_y, back_x, back_y;
} cl_slabs;

/// Used as the inverse of 0. It is finite, so that 0 times it is not NaN.
#define CL_STEEPEST 1e30

static inline float cl_slabs_inverse(double d) {
  double most = d < 0 ? -CL_STEEPEST : CL_STEEPEST;
  return (float)(fabs(d) > 1 / CL_STEEPEST ? 1 / d : most);
}

/// How far rounding may move a place with these coordinates.
static inline double cl_slabs_slack(double x, double y, cl_bounds mover) {
  double most = cl_max(cl_max(fabs(x), fabs(y)), cl_bounds_largest(mover));
  return most * 8 * FLT_EPSILON + FLT_MIN;
}

/// Only the start is rounded before anything is subtracted from it: what follows has errors in
/// proportion to its result, wherever the boxes are.
static inline cl_slabs cl_slabs_of(const cl_way *way) {
  cl_bounds m = way->mover;
  double slack = cl_slabs_slack(way->x, way->y, m);
  float per_x = cl_slabs_inverse(way->dx), per_y = cl_slabs_inverse(way->dy);
  return (cl_slabs){
      .near_x = cl_f32x4_all((float)(way->x + m.r + slack)),
      .near_y = cl_f32x4_all((float)(way->y + m.b + slack)),
      .far_x = cl_f32x4_all(-(float)(way->x + m.l - slack)),
      .far_y = cl_f32x4_all(-(float)(way->y + m.t - slack)),
      .per_x = cl_f32x4_all(per_x),
      .per_y = cl_f32x4_all(per_y),
      .back_x = cl_f32x4_all(-per_x),
      .back_y = cl_f32x4_all(-per_y),
  };
}

/// Which of four boxes, with finite edges, the way may touch up to its share
/// `most`: a bit for each. `reached` gets the shares at which it reaches them.
static inline unsigned cl_slabs_touch(const cl_slabs *s, cl_f32x4 x0, cl_f32x4 y0,
                                      cl_f32x4 minus_x1, cl_f32x4 minus_y1, cl_f32x4 most,
                                      cl_f32x4 *reached) {
  cl_f32x4 ax = cl_f32x4_mul(cl_f32x4_sub(x0, s->near_x), s->per_x);
  cl_f32x4 bx = cl_f32x4_mul(cl_f32x4_sub(minus_x1, s->far_x), s->back_x);
  cl_f32x4 ay = cl_f32x4_mul(cl_f32x4_sub(y0, s->near_y), s->per_y);
  cl_f32x4 by = cl_f32x4_mul(cl_f32x4_sub(minus_y1, s->far_y), s->back_y);
  cl_f32x4 in = cl_f32x4_max(cl_f32x4_min(ax, bx), cl_f32x4_min(ay, by));
  cl_f32x4 out = cl_f32x4_min(cl_f32x4_max(ax, bx), cl_f32x4_max(ay, by));
  *reached = in = cl_f32x4_max(in, cl_f32x4_all(0));
  // Covers what multiplying by a rounded inverse may have moved `in` and `out` by.
  out = cl_f32x4_mul(cl_f32x4_min(out, most), cl_f32x4_all(1 + 4 * FLT_EPSILON));
  return cl_f32x4_le(in, out);
}

/// Whether the way may touch one box of doubles up to its share `most`; `in` gets the share at
/// which it reaches the box.
static inline bool cl_slabs_reach(const cl_way *way, cl_bounds box, double most, double *in) {
  cl_bounds m = way->mover;
  double size = cl_max(cl_bounds_largest(box), cl_max(fabs(way->x), fabs(way->y)));
  cl_bounds b = cl_bounds_grown((cl_bounds){box.l - m.r, box.t - m.b, box.r - m.l, box.b - m.t},
                                (size + cl_bounds_largest(m)) * 16 * CL_ROUND);
  const double from[] = {b.l - way->x, b.t - way->y}, to[] = {b.r - way->x, b.b - way->y};
  const double along[] = {way->dx, way->dy};
  double out = most;
  *in = 0;
  for (int k = 0; k < 2; k++) {
    if (fabs(along[k]) < 1 / CL_STEEPEST) {
      if (from[k] > fabs(along[k]) || to[k] < -fabs(along[k])) return false;
      continue;
    }
    cl_clip_slab(from[k], to[k], along[k], in, &out);
  }
  *in *= 1 - 4 * CL_ROUND;
  return *in <= out * (1 + 4 * CL_ROUND);
}

/// Four lower bounds of the squared distances from a point to boxes.
typedef struct cl_gaps {
  cl_f32x4 near_x, near_y, far_x, far_y;
} cl_gaps;

static inline cl_gaps cl_gaps_of(cl_vec p) {
  double slack = cl_slabs_slack(p.x, p.y, (cl_bounds){0, 0, 0, 0});
  return (cl_gaps){cl_f32x4_all((float)(p.x + slack)), cl_f32x4_all((float)(p.y + slack)),
                   cl_f32x4_all((float)(slack - p.x)), cl_f32x4_all((float)(slack - p.y))};
}

static inline cl_f32x4 cl_gaps_squared(const cl_gaps *g, cl_f32x4 x0, cl_f32x4 y0,
                                       cl_f32x4 minus_x1, cl_f32x4 minus_y1) {
  cl_f32x4 x = cl_f32x4_max(cl_f32x4_sub(x0, g->near_x), cl_f32x4_sub(minus_x1, g->far_x));
  cl_f32x4 y = cl_f32x4_max(cl_f32x4_sub(y0, g->near_y), cl_f32x4_sub(minus_y1, g->far_y));
  x = cl_f32x4_max(x, cl_f32x4_all(0));
  y = cl_f32x4_max(y, cl_f32x4_all(0));
  // A sum of positive numbers: subtracting the negative of one adds it.
  cl_f32x4 sum = cl_f32x4_sub(cl_f32x4_mul(x, x), cl_f32x4_neg(cl_f32x4_mul(y, y)));
  return cl_f32x4_mul(sum, cl_f32x4_all(1 - 8 * FLT_EPSILON));
}

/// A share of the way as a float that is not below it.
static inline float cl_slabs_most(double most) { return (float)(most * (1 + FLT_EPSILON)); }

#endif
