// collide, MIT licence (see LICENSE)
//
// A circle against a small convex part. Layer: narrow.

#ifndef CL_NARROW_CIRCLE_BLOCK_H
#define CL_NARROW_CIRCLE_BLOCK_H

#include "base/f64x2.h"
#include "narrow/convex.h"
#include "narrow/primitives.h"
#include "narrow/sat.h"

/// A placed circle, and the place of its shape.
typedef struct cl_disc_at {
  cl_disc disc;
  cl_vec at;
} cl_disc_at;

/// A circle and a block, relative to cl_convex_origin: the circle's centre, the edge that it is
/// farthest outside of, and how far.
typedef struct cl_disc_edge {
  cl_vec origin, centre;
  double separation, error;
  int edge;
  bool tie; ///< it is as far outside of another edge, which leads another way
} cl_disc_edge;

/// A vertex minus the circle's centre.
CL_INLINE cl_vec cl_disc_to_vertex(const cl_disc_edge *e, const cl_block_at *b, int room, int i) {
  return (cl_vec){((b->at.x + b->block[i]) - e->origin.x) - e->centre.x,
                  ((b->at.y + b->block[room + i]) - e->origin.y) - e->centre.y};
}

/// Repeats the last vertex to fill a block.
CL_INLINE int cl_block_next(const double *block, int room, int i) {
  int next = (i + 1) & (room - 1);
  return block[next] == block[i] && block[room + next] == block[room + i] ? 0 : next;
}

/// Whether a circle overlaps the part in a vertex block, with the same bits as cl_overlap gives, if
/// rounding leaves no doubt and an edge is nearest. Otherwise sets `near`: cl_overlap_disc_corner
/// or cl_overlap decides. `out` and `edge` are always written. `out` is valid if the answer is yes:
/// how the circle gets free.
CL_INLINE bool cl_overlap_disc_block(const cl_disc_at *c, const cl_block_at *b, int room,
                                     bool *near, cl_disc_edge *edge, cl_hit *out) {
  const double *x = b->block, *nx = x + 2 * room, *ny = nx + room, *line = ny + room;
  cl_disc disc = c->disc;
  cl_vec at = c->at;
  cl_disc_edge e = {.origin = cl_vec_between(at, b->at)};
  cl_vec from = cl_vec_sub(b->at, e.origin);
  e.centre = (cl_vec){disc.x - e.origin.x, disc.y - e.origin.y};
  cl_f64x4 cx = cl_f64x4_all(e.centre.x), cy = cl_f64x4_all(e.centre.y);
  cl_f64x4 bx = cl_f64x4_all(from.x), by = cl_f64x4_all(from.y), beyond[2];
  for (int i = 0; i < room; i += 4) {
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 own = cl_f64x4_add(cl_f64x4_load(line + i), cl_f64x4_dot(u, v, bx, by));
    beyond[i / 4] = cl_f64x4_sub(cl_f64x4_dot(u, v, cx, cy), own);
  }
  bool few = room == CL_BLOCK_FEW;
  e.separation = cl_f64x4_most(few ? beyond[0] : cl_f64x4_max(beyond[0], beyond[1]));
  cl_f64x4 most = cl_f64x4_all(e.separation);
  unsigned edges = cl_f64x4_eq_bits(beyond[0], most);
  if (!few) edges |= cl_f64x4_eq_bits(beyond[1], most) << CL_BLOCK_FEW;
  int k = e.edge = (int)cl_first_bit(edges);
  cl_vec n = {nx[k], ny[k]}, along = {-n.y, n.x};
  for (unsigned left = edges & (edges - 1); left; left &= left - 1) {
    int other = (int)cl_first_bit(left);
    e.tie |= (nx[other] != n.x) | (ny[other] != n.y);
  }
  cl_vec p = cl_disc_to_vertex(&e, b, room, k);
  cl_vec q = cl_disc_to_vertex(&e, b, room, cl_block_next(x, room, k));
  double begins = cl_vec_dot(p, along), ends = cl_vec_dot(q, along);
  double distance = e.separation;
  bool beside = (begins <= 0) & (ends >= 0);
  // More than cl_convex_error, and more than the depth that cl_overlap treats as 0.
  double size = b->size + (fabs(at.x) + fabs(at.y)) + (fabs(disc.x - at.x) + fabs(disc.y - at.y)) +
                2 * disc.r;
  double error = e.error = 4 * CL_SEPARATION_ERROR * size;
  bool deep = e.separation < -error;
  bool apart = distance > disc.r + error;
  bool hit = deep | (beside & (distance > error) & (distance < disc.r - error));
  *out = (cl_hit){n.x + 0.0, n.y + 0.0, disc.r - distance};
  *near = e.tie | !(apart | hit);
  *edge = e;
  return hit & !apart & !e.tie;
}

/// The same for a circle that cl_overlap_disc_block leaves open, when a vertex is nearest.
CL_INLINE bool cl_overlap_disc_corner(double r, const cl_block_at *b, int room,
                                      const cl_disc_edge *e, bool *near, cl_hit *out) {
  const double *nx = b->block + 2 * room, *ny = nx + room;
  int k = e->edge, next = cl_block_next(b->block, room, k);
  cl_vec p = cl_disc_to_vertex(e, b, room, k), q = cl_disc_to_vertex(e, b, room, next);
  cl_vec along = {-ny[k], nx[k]};
  double begins = cl_vec_dot(p, along), ends = cl_vec_dot(q, along);
  bool back = begins > 0, ahead = !back & (ends < 0);
  // The edge on the other side of the vertex leads away from the circle.
  int other = back ? (k - 1) & (room - 1) : next;
  cl_vec v = back ? p : q, way = {-ny[other], nx[other]};
  double leads = cl_vec_dot(v, way);
  bool at_vertex = (back & (leads <= 0)) | (ahead & (leads >= 0));
  double distance = cl_vec_normalise(&v);
  *out = (cl_hit){0.0 - v.x, 0.0 - v.y, r - distance};
  bool known = at_vertex & (e->separation > e->error) & !e->tie;
  bool hit = known & (distance > e->error) & (distance < r - e->error);
  *near = !hit & !(known & (distance > r + e->error));
  return hit;
}

#endif
