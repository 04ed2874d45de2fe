// collide, MIT licence (see LICENSE)
//
// Shared by the files that make shapes, and included only by them. Layer: geom.

#ifndef CL_GEOM_BUILD_H
#define CL_GEOM_BUILD_H

#include "base/exact.h"
#include "base/tol.h"
#include "geom/shape.h"

/// A shape while it is being filled: the same arrays, writable.
typedef struct cl_build {
  cl_shape *shape; ///< NULL when there was no memory
  cl_part *parts;
  double *vx, *vy, *nx, *ny, *line;
  uint8_t *inner;
  cl_vec *outline;
  cl_part_node *nodes;
  uint32_t *order;
  uint32_t next_part, next_vertex;
} cl_build;

/// The most parts, vertices, outline points or members of a shape: 2^30, so that three times as
/// many still fit a uint32_t.
#define CL_SHAPE_MOST ((uint32_t)1 << 30)

/// A new shape with room for so many parts, vertices (the sum of cl_build_padded over all parts),
/// outline points and members. It has one reference; only the kind, the flags, the counts and the
/// allocator are set. `shape` is NULL when out of memory or beyond CL_SHAPE_MOST.
cl_build cl_build_new(const cl_alloc *alloc, cl_shape_kind kind, uint32_t flags, uint64_t parts,
                      uint64_t vertices, uint64_t outline, uint64_t members);

/// How many elements of the arrays a part of `count` vertices takes.
static inline uint32_t cl_build_padded(uint32_t count) { return (count + 3) & ~3u; }

/// Adds a part with these vertices (in the positive order); computes normals,
/// bounds and reach. `inner`: a flag for each edge, or NULL for none.
void cl_build_part(cl_build *build, const cl_vec *vertices, uint32_t count, double radius,
                   const uint8_t *inner);

/// Called when all parts are there: joins their bounds and reach into the shape's and makes their
/// tree.
void cl_build_finish(cl_build *build);

/// Area of a convex part.
double cl_area_convex(const cl_vec *vertices, uint32_t count, double radius);

/// Copies a part from another shape, including its computed normals and bounds.
void cl_build_copy(cl_build *build, const cl_shape *from, uint32_t part);

/// A simple polygon (`count` >= 3 points in the positive order) cut into few
/// convex parts without new points.
typedef struct cl_cut {
  cl_vec *points;  ///< `total` points, one part after the other
  uint8_t *inner;  ///< per edge: 1 when it is a cut
  uint32_t *sizes; ///< per part: how many points
  uint32_t parts, total;
  void *memory;
  size_t size;
} cl_cut;

/// CL_INVALID when the outline is not simple. Free with cl_cut_free after CL_OK.
cl_status cl_cut_polygon(const cl_alloc *alloc, const cl_vec *outline, uint32_t count, cl_cut *out);
void cl_cut_free(const cl_alloc *alloc, cl_cut *cut);

/// Looks for two edges of a closed polygon that share more than the corner between neighbours. Edge
/// k goes from point k to the next. Returns CL_INVALID when there are two: edges `i` and `j`, with
/// the smallest i, then the smallest j. May return CL_NOMEM.
cl_status cl_find_crossing(const cl_alloc *alloc, const cl_vec *points, uint32_t count, uint32_t *i,
                           uint32_t *j);

/// Drops the points of a simple polygon in the positive order that lie in a line with those kept
/// before and after them, or bend in by less than the tolerance (local units). `out` has room for 2
/// * count points. Returns how many were kept, at the start of `out`.
uint32_t cl_straighten(const cl_vec *points, uint32_t count, double tolerance, cl_vec *out);

/// Above 0 when the path a, b, c turns left, as cl_orient. The sign is exact.
static inline double cl_orient_vec(cl_vec a, cl_vec b, cl_vec c) {
  const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
  return cl_orient(p, q, r);
}

/// (b - a) . (c - b): above 0 when the path a, b, c goes on at b, below 0 when it goes back. The
/// sign is exact.
static inline double cl_dot_vec(cl_vec a, cl_vec b, cl_vec c) {
  const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
  return cl_dot(p, q, q, r);
}

/// Whether a coordinate is finite and within CL_MAX_COORD.
static inline bool cl_coord_ok(double x) { return fabs(x) <= CL_MAX_COORD; }
static inline bool cl_point_ok(cl_vec p) { return cl_coord_ok(p.x) && cl_coord_ok(p.y); }
static inline bool cl_size_ok(double size) { return size >= CL_MIN_SIZE && cl_coord_ok(size); }

/// A coordinate as shapes have it: 0 if it counts as 0.
static inline double cl_coord_kept(double x) { return fabs(x) < CL_MIN_SIZE ? 0 : x; }
static inline cl_vec cl_point_kept(cl_vec p) {
  return (cl_vec){cl_coord_kept(p.x), cl_coord_kept(p.y)};
}

#endif
