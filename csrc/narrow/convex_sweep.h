// collide, MIT licence (see LICENSE)
//
// How far a convex part can move before it would go into one at rest by more than the skin.
// Layer: narrow.
// Source: Cyrus and Beck 1978 on the Minkowski difference with its planes moved in by the skin; for
// round parts Newton's method on the distance, which is convex along a translation.

#ifndef CL_NARROW_CONVEX_SWEEP_H
#define CL_NARROW_CONVEX_SWEEP_H

#include "narrow/convex.h"

/// Where a shape is stopped: at share t of the way (0 … 1), by a surface with the outward unit
/// normal nx, ny, at the point x, y (world units). There it is inside the surface by `lift`, at
/// most the skin. For tiles, also the cell and its value, else -1.
typedef struct cl_sweep {
  double t, nx, ny, x, y, lift;
  int32_t column, row, value;
  bool lone;     ///< there is no other face of the two shapes that they touch there
  bool given_up; ///< see cl_sweep_shape
} cl_sweep;

/// How two parts touch: the faces of b, or of a turned round, that are touched there, by their
/// outward unit normals; one, or at a corner two, the second of which is turned from the first as y
/// is from x. The motions that lead into b are those into all of its faces. `gap` is the distance
/// along each normal, below 0 for an overlap; `stops` whether the face stops motion (one-way shapes
/// have others); `slack` the square of the sine up to which a motion into the face passes it,
/// where it is round. `apart` is the distance that sweeps keep between the two if they are thin,
/// else 0. x, y is a point that they share. For tiles the cell, else -1.
typedef struct cl_touch {
  cl_vec n[2];
  double gap[2], slack, apart, x, y;
  int faces;
  bool stops[2];
  int32_t column, row, value;
} cl_touch;

/// A part of each of two shapes, relative to a's place at the start, and a's motion. Surfaces
/// nearer than `touch` count as touched; `skin` is less. Rates of a distance up to `slow` are
/// rounding: too little to cross the skin on the whole way.
typedef struct cl_convex_sweep {
  const cl_placed *a, *b;
  cl_vec d;
  double touch, skin, slow;
  cl_convex p, q;
  uint32_t i; ///< the number of part p
} cl_convex_sweep;

/// The skin as a share of the distance that counts as touching.
#define CL_SKIN_SHARE 0.25

/// The `slow` of a sweep along d.
static inline double cl_sweep_slow(cl_vec d) { return 32 * CL_ROUND * (fabs(d.x) + fabs(d.y)); }

/// Whether p is stopped by q, earlier than `out` or together with it by a surface that faces the
/// motion more directly.
bool cl_convex_sweep_stop(const cl_convex_sweep *s, cl_sweep *out);

/// Whether p touches q where it is, from outside or by less than the skin.
bool cl_convex_touch(const cl_convex_sweep *s, cl_touch *out);

/// Moves p to share t of the way. Only for cl_convex_touch.
void cl_convex_sweep_go(cl_convex_sweep *s, double t);

/// Adds a face to a touch, which has the two outermost. A face opposite to one that it has
/// replaces that one if it is farther.
void cl_touch_add(cl_touch *touch, cl_vec n, double gap);

/// How far part i of `a` has to move along the unit vector `u` to leave part k of `b`, which it
/// overlaps.
double cl_convex_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, uint32_t i,
                            uint32_t k);

#endif
