// collide, MIT licence (see LICENSE)
//
// A circle against a small convex part that has been placed. Layer: narrow.

#ifndef CL_NARROW_CIRCLE_BLOCK_H
#define CL_NARROW_CIRCLE_BLOCK_H

#include "base/f64x2.h"
#include "narrow/convex.h"
#include "narrow/primitives.h"
#include "narrow/vertex_block.h"

/// Whether a circle overlaps what a vertex block with room for so many has, to the bit as
/// cl_overlap has it, where rounding leaves no doubt and an edge is nearest; otherwise in `near`
/// that cl_overlap has to tell. `at` is the place of the circle's shape. `out` is written in any
/// case, and of use when the answer is yes: the way the circle gets free.
static inline bool cl_overlap_disc_block(cl_disc disc, cl_vec at, const double *block, int room,
                                         bool *near, cl_hit *out) {
  const double *x = block + CL_BLOCK_VERTICES, *y = x + room, *nx = y + room, *ny = nx + room;
  double bx = block[CL_BLOCK_X], by = block[CL_BLOCK_Y];
  // All is relative to the place of the one that comes first, see cl_comes_first.
  bool disc_first = (at.x < bx) | ((at.x == bx) & (at.y < by));
  bool one_place = (at.x == bx) & (at.y == by);
  cl_vec o = {disc_first ? at.x : bx, disc_first ? at.y : by};
  cl_vec c = {disc.x - o.x, disc.y - o.y};
  cl_f64x4 ox = cl_f64x4_all(o.x), oy = cl_f64x4_all(o.y);
  cl_f64x4 cx = cl_f64x4_all(c.x), cy = cl_f64x4_all(c.y), beyond[2];
  for (int i = 0; i < room; i += 4) {
    cl_f64x4 u = cl_f64x4_load(nx + i), v = cl_f64x4_load(ny + i);
    cl_f64x4 px = cl_f64x4_sub(cl_f64x4_load(x + i), ox);
    cl_f64x4 py = cl_f64x4_sub(cl_f64x4_load(y + i), oy);
    beyond[i / 4] = cl_f64x4_sub(cl_f64x4_dot(u, v, cx, cy), cl_f64x4_dot(u, v, px, py));
  }
  bool few = room == CL_BLOCK_FEW;
  double separation = cl_f64x4_most(few ? beyond[0] : cl_f64x4_max(beyond[0], beyond[1]));
  cl_f64x4 most = cl_f64x4_all(separation);
  unsigned edges = cl_f64x4_eq_bits(beyond[0], most);
  if (!few) edges |= cl_f64x4_eq_bits(beyond[1], most) << CL_BLOCK_FEW;
  int k = (int)cl_first_bit(edges), next = (k + 1) % room;
  // What fills a block up is the last vertex once more.
  next = x[next] == x[k] && y[next] == y[k] ? 0 : next;
  cl_vec n = {nx[k], ny[k]};
  cl_vec p = {(x[k] - o.x) - c.x, (y[k] - o.y) - c.y};
  cl_vec q = {(x[next] - o.x) - c.x, (y[next] - o.y) - c.y};
  cl_vec along = {-n.y, n.x};
  bool beside = cl_vec_dot(p, along) <= 0 && cl_vec_dot(q, along) >= 0;
  double distance = -cl_vec_dot(p, n);
  // More than cl_convex_error, and than what cl_overlap takes for no depth.
  double size = block[CL_BLOCK_SIZE] + fabs(at.x) + fabs(at.y) + fabs(disc.x - at.x) +
                fabs(disc.y - at.y) + 2 * disc.r;
  double error = 4 * CL_SEPARATION_ERROR * size;
  bool deep = separation < -error;
  bool apart = (separation > disc.r + error) | (beside & (distance > disc.r + error));
  bool hit = deep | (beside & (distance > error) & (distance < disc.r - error));
  *out = (cl_hit){n.x + 0.0, n.y + 0.0, disc.r - (deep ? separation : distance)};
  *near = one_place | !(apart | hit);
  return hit & !apart & !one_place;
}

#endif
