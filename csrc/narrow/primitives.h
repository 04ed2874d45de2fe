// collide, MIT licence (see LICENSE)
//
// Overlap of upright rectangles and circles, by formulas. Layer: narrow.
//
// These are the pairs that most games have most of, without a branch where nobody can predict

#ifndef CL_NARROW_PRIMITIVES_H
#define CL_NARROW_PRIMITIVES_H

#include "base/tol.h"
#include "geom/box.h"

/// cl_overlap for two upright rectangles by their placed edges.
static inline bool cl_overlap_boxes(cl_bounds a, cl_bounds b, bool touching, cl_hit *out) {
  bool apart = touching ? (a.l > b.r) | (b.l > a.r) | (a.t > b.b) | (b.t > a.b)
                        : (a.l >= b.r) | (b.l >= a.r) | (a.t >= b.b) | (b.t >= a.b);
  if (apart) return false;
  double left = a.r - b.l, right = b.r - a.l, up = a.b - b.t, down = b.b - a.t;
  double x = left < right ? left : right, y = up < down ? up : down;
  // Which way is any of four with equal chance: sums where a branch would be
  // mispredicted.
  int across = x <= y, back_x = left <= right, back_y = up <= down;
  out->nx = across * (1 - 2 * back_x);
  out->ny = (1 - across) * (1 - 2 * back_y);
  out->depth = x < y ? x : y;
  return true;
}

/// A circle by its placed centre, world units.
typedef struct cl_disc {
  double x, y, r;
} cl_disc;

/// Rare cases of cl_overlap_circles, kept out of the hot loop.
bool cl_overlap_circles_near(cl_disc a, cl_disc b, bool touching, cl_hit *out);

/// Whether two circles overlap, where squares of doubles can tell; otherwise in `near`
/// that cl_overlap_circles_near has to. `out` is written in any case, and of use when the
/// answer is true. Without a branch: which circles meet nobody can predict.
static inline bool cl_overlap_discs(cl_disc a, cl_disc b, bool *near, cl_hit *out) {
  double x = a.x - b.x, y = a.y - b.y, r = a.r + b.r;
  double d2 = x * x + y * y, r2 = r * r;
  bool apart = d2 > r2 * (1 + CL_SQUARE_ERROR);
  bool hit = (d2 < r2 * (1 - CL_SQUARE_ERROR)) & (d2 > CL_SQUARE_LEAST);
  double d = sqrt(d2);
  *out = (cl_hit){x / d, y / d, r - d};
  *near = !(apart | hit);
  return hit;
}

/// cl_overlap for two circles.
static inline bool cl_overlap_circles(cl_disc a, cl_disc b, bool touching, cl_hit *out) {
  bool near;
  cl_hit hit;
  if (cl_overlap_discs(a, b, &near, &hit)) *out = hit;
  else return near && cl_overlap_circles_near(a, b, touching, out);
  return true;
}

/// Whether an upright rectangle and a circle overlap, and the way the rectangle gets free,
/// to the bit as separating axes have them, where rounding leaves no doubt and nothing
/// ties; otherwise in `near` that cl_overlap has to tell. The first two are placed, the
/// others where the shapes stand. `out` is written in any case, and of use when the answer
/// is true. Without a branch: on which side they meet nobody can predict.
static inline bool cl_overlap_box_disc(cl_bounds box, cl_disc disc, cl_vec box_at, cl_vec disc_at,
                                       bool *near, cl_hit *out) {
  // As seen from the one that comes first by cl_comes_first.
  bool box_first = (box_at.x < disc_at.x) | ((box_at.x == disc_at.x) & (box_at.y < disc_at.y));
  const double at_y[2] = {disc_at.y, box_at.y};
  double ox = cl_min(box_at.x, disc_at.x), oy = at_y[box_first];
  double cx = disc.x - ox, cy = disc.y - oy;
  double left = (box.l - ox) - cx, right = cx - (box.r - ox);
  double up = (box.t - oy) - cy, down = cy - (box.b - oy);
  double x = cl_max(left, right), y = cl_max(up, down), far = cl_max(x, y), less = cl_min(x, y);
  // No less than the other bounds of such errors: twice the places, since of the shapes it
  // is known only where they are placed.
  double size = 2 * (fabs(box_at.x) + fabs(box_at.y) + fabs(disc_at.x) + fabs(disc_at.y)) +
                cl_max(fabs(box.l), fabs(box.r)) + cl_max(fabs(box.t), fabs(box.b)) + fabs(disc.x) +
                fabs(disc.y) + disc.r;
  double error = 2 * CL_SEPARATION_ERROR * size;
  bool inside = far<-error, corner = less> error, side = (far > error) & (less < -error);
  bool tie = inside & ((x == y) | ((x > y ? left : up) == (x > y ? right : down)));
  // To a corner; along an edge's normal it is 1 on one axis and 0 on the other.
  double across = x > y, along = x < y, both = corner;
  double u = cl_max(across, both * (x / far)), v = cl_max(along, both * (y / far));
  double length = sqrt(u * u + v * v), distance = far * length;
  double back_x = 1 - 2 * (double)(right > left), back_y = 1 - 2 * (double)(down > up);
  *out = (cl_hit){back_x * (u / length) + 0.0, back_y * (v / length) + 0.0, disc.r - distance};
  bool hit = (inside & !tie) | ((corner | side) & (distance < disc.r - error));
  bool apart = (corner | side) & (distance > disc.r + error);
  *near = !(hit | apart);
  return hit;
}

#endif
