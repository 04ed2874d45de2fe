// collide, MIT licence (see LICENSE)
//
// The tree of boxes, four to a node, that queries and casts walk, whichever broad
// phase finds the pairs. Boxes are sorted along a Morton curve. Every four
// neighbours share a node and every four nodes a parent, so children are found by
// index arithmetic, and a node is one cache line. If many boxes lie in one cell of the curve, the
// curve uses their ranks along each axis instead, so the tree does well on any distribution. If
// floats are too coarse, a tree also gets the boxes in doubles, and tests those after the floats.
// Source: packed trees by a space-filling curve, Kamel and Faloutsos (1993); ranks, Qi,
// Tao, Chang and Zhang, Theoretically optimal and empirically efficient R-trees (2018); four boxes
// a test, Dammertz, Hanika and Keller (2008). Layer: query.

#ifndef CL_QUERY_BVH_H
#define CL_QUERY_BVH_H

#include "base/alloc.h"
#include "base/simd.h"
#include "geom/box.h"

// ---- A straight way against four boxes at a time, by the slabs between their edges. In float: the
// start is widened by its rounding error, so that no box it touches is missed.
// Source: Kay and Kajiya, Ray tracing complex scenes (1986).

/// A straight way from (x, y) to (x + dx, y + dy), world units. The rectangle
/// `mover`, relative to x, y, moves along it; all 0 for a ray.
typedef struct cl_way {
  double x, y, dx, dy;
  cl_bounds mover;
} cl_way;

/// Where edges are measured from: x0 and y0 from `near`, -x1 and -y1 from `far`. `per` and `back`
/// are the fraction of the way per unit of length, negated in `back`, for the far edges.
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

/// Four boxes.
typedef struct cl_four {
  cl_f32x4 x0, y0, minus_x1, minus_y1;
} cl_four;

/// Which of four boxes, with finite edges, the way may touch up to its share
/// `most`: a bit for each. `reached` gets the shares at which it reaches them.
static inline unsigned cl_slabs_touch(const cl_slabs *s, cl_four box, cl_f32x4 most,
                                      cl_f32x4 *reached) {
  cl_f32x4 ax = cl_f32x4_mul(cl_f32x4_sub(box.x0, s->near_x), s->per_x);
  cl_f32x4 bx = cl_f32x4_mul(cl_f32x4_sub(box.minus_x1, s->far_x), s->back_x);
  cl_f32x4 ay = cl_f32x4_mul(cl_f32x4_sub(box.y0, s->near_y), s->per_y);
  cl_f32x4 by = cl_f32x4_mul(cl_f32x4_sub(box.minus_y1, s->far_y), s->back_y);
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

static inline cl_f32x4 cl_gaps_squared(const cl_gaps *g, cl_four box) {
  cl_f32x4 x = cl_f32x4_max(cl_f32x4_sub(box.x0, g->near_x), cl_f32x4_sub(box.minus_x1, g->far_x));
  cl_f32x4 y = cl_f32x4_max(cl_f32x4_sub(box.y0, g->near_y), cl_f32x4_sub(box.minus_y1, g->far_y));
  x = cl_f32x4_max(x, cl_f32x4_all(0));
  y = cl_f32x4_max(y, cl_f32x4_all(0));
  // A sum of positive numbers: subtracting the negative of one adds it.
  cl_f32x4 sum = cl_f32x4_sub(cl_f32x4_mul(x, x), cl_f32x4_neg(cl_f32x4_mul(y, y)));
  return cl_f32x4_mul(sum, cl_f32x4_all(1 - 8 * FLT_EPSILON));
}

/// A fraction of the way as a float that is not below it.
static inline float cl_slabs_most(double most) { return (float)(most * (1 + FLT_EPSILON)); }

// ---- The tree

/// Four boxes, lane by lane; the far corners negated, so that a test for
/// touching compares four times the same way. Empty lanes touch nothing.
typedef struct cl_bvh_node {
  float x0[4], y0[4], minus_x1[4], minus_y1[4];
} cl_bvh_node;

/// 4^16 boxes are more than there are slots.
enum { CL_BVH_LEVELS = 17 };

/// All zeros is an empty tree. Level l begins at node[from[l]]. The lanes of
/// level 0 are the boxes themselves; `id` has their numbers.
typedef struct cl_bvh {
  cl_bvh_node *node;
  uint32_t *id;
  cl_bounds *fine; ///< by lane of any level, if `is_fine`
  bool is_fine;
  size_t node_cap, id_cap, fine_cap;
  cl_sorter sorter;
  uint32_t from[CL_BVH_LEVELS + 1];
  unsigned levels;
  uint32_t count;
  cl_fbox bounds;
} cl_bvh;

/// Builds the tree of the `count` boxes whose numbers are in `list`, or, when it is NULL, the first
/// `count`. `fine`, if not NULL, has the same boxes in doubles. The arrays are not kept. On
/// CL_NOMEM the tree is empty.
cl_status cl_bvh_build(cl_bvh *bvh, const cl_alloc *alloc, const cl_fbox *box,
                       const cl_bounds *fine, const uint32_t *list, uint32_t count);

/// Replaces the box in a lane of level 0. The nodes above grow with it, and never shrink: if many
/// boxes have moved far, a new tree is faster. Trees without doubles ignore `fine`.
void cl_bvh_move(cl_bvh *bvh, uint32_t lane, cl_fbox box, cl_bounds fine);
void cl_bvh_free(cl_bvh *bvh, const cl_alloc *alloc);

/// Whether it is a tree of these boxes: each box is in one lane, the other lanes are empty, and a
/// node's bounds are within its lane of the level above.
bool cl_bvh_is_valid(const cl_bvh *bvh, const cl_fbox *box, const uint32_t *list, uint32_t count);

/// Numbers of boxes, owned by the caller.
typedef struct cl_found {
  uint32_t *at;
  size_t count, cap;
} cl_found;

/// Appends the numbers of all boxes that share a point with `box`, in no particular order.
cl_status cl_bvh_query(const cl_bvh *bvh, const cl_alloc *alloc, cl_bounds box, cl_found *found);

/// Calls visit(user, number, most) for the boxes that the mover may touch at a fraction of the way
/// between 0 and `most`, near ones before far ones, except within a node. It returns the new
/// `most`, no larger than the old one. Rounding never leaves out a box that is touched.
typedef double cl_bvh_visit(void *user, uint32_t number, double most);
void cl_bvh_walk(const cl_bvh *bvh, const cl_way *way, double most, cl_bvh_visit *visit,
                 void *user);

/// The same for the boxes that are no farther than `most` from a point, in world units.
void cl_bvh_near(const cl_bvh *bvh, cl_vec point, double most, cl_bvh_visit *visit, void *user);

/// The bounds of a few boxes that lie near a point; the tree is not empty.
cl_bounds cl_bvh_some_near(const cl_bvh *bvh, cl_vec point);

// ---- Without a tree, all boxes are looked at: for a few queries that is faster than building one.

/// As cl_bvh_query, for the boxes whose numbers are in `list`, or, when it is NULL, the first
/// `count`.
cl_status cl_boxes_query(const cl_fbox *box, const uint32_t *list, uint32_t count,
                         const cl_alloc *alloc, cl_bounds of, cl_found *found);

/// As cl_bvh_walk, for the boxes in `found`. False, without a visit, if the way may touch more than
/// a few of them: then a tree is faster.
bool cl_boxes_walk(const cl_fbox *box, const cl_found *found, const cl_way *way, double most,
                   cl_bvh_visit *visit, void *user);

// ---- A grid of equal cells, each with the boxes that reach into it: the fastest structure for
// rays as long as boxes are of similar size and evenly spread. When they are not, `fits` is false,
// and the tree takes the ray.
//
// A box is listed in every cell that it reaches into after its edges are moved out by a small share
// of a cell. The walk of a ray from cell to cell is rounded, but strays by less than that share. So
// it finds all boxes that the ray touches. Boxes of a cell are tested four at a time.

/// All zeros is an empty grid, which does not fit. The boxes of cell k are the entries from
/// start[k] up to, not including, start[k + 1]. `number` has their numbers. `edge` has their edges
/// in four arrays, `stride` apart: x0, y0, -x1 and -y1.
typedef struct cl_ray_grid {
  uint32_t columns, rows;
  double left, top, per_x, per_y; ///< the grid's corner; cells per unit of length
  double size;                    ///< how far from 0 the boxes reach
  uint32_t *start, *number;
  float *edge;
  size_t stride;
  size_t start_cap, number_cap, edge_cap;
  bool fits;
} cl_ray_grid;

/// Lays the cells over `count` boxes; the array is not kept. On CL_NOMEM the grid
/// does not fit.
cl_status cl_ray_grid_build(cl_ray_grid *grid, const cl_alloc *alloc, const cl_fbox *box,
                            uint32_t count);
void cl_ray_grid_free(cl_ray_grid *grid, const cl_alloc *alloc);

/// Whether each of these boxes is an entry of every cell that it reaches into, once, and
/// of no other.
bool cl_ray_grid_is_valid(const cl_ray_grid *grid, const cl_fbox *box, uint32_t count);

/// Whether the grid can take a ray: it fits, and the ray does not start so far away that rounding
/// would move it by cells. `way->mover` is ignored.
bool cl_ray_grid_takes(const cl_ray_grid *grid, const cl_way *way);

/// As cl_bvh_walk, for a ray that cl_ray_grid_takes. A box may be visited more than once.
void cl_ray_grid_walk(const cl_ray_grid *grid, const cl_way *way, double most, cl_bvh_visit *visit,
                      void *user);

#endif
