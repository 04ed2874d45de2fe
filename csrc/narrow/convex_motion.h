// collide, MIT licence (see LICENSE)
//
// A convex part that moves along a straight line against one at rest: when they first touch (for
// casts), when one would go into the other by more than the skin (for sweeps), how they touch, and
// how far it is until they are apart. Layer: narrow.
//
// Sharp parts: the translations at which two parts touch are a convex set, their Minkowski
// difference, whose half-planes belong to the edges of both. The motion is clipped by these. Round
// parts: Newton's method on the distance, which is convex along a translation, so that no step
// overshoots.
// Source: Cyrus and Beck 1978 for the half-planes.

#ifndef CL_NARROW_CONVEX_MOTION_H
#define CL_NARROW_CONVEX_MOTION_H

#include "geom/shape.h"
#include "narrow/convex.h"

/// One part of each of two shapes, and the motion of the first. cl_motion_begin leaves out what
/// only casts or only sweeps use; their callers fill it in.
typedef struct cl_convex_motion {
  const cl_placed *a, *b;
  cl_vec d;
  uint32_t i, k;  ///< the numbers of the parts in a and b
  cl_convex p, q; ///< the parts, relative to a's place at the start
  // Casts:
  const cl_stack_shape *ray; ///< unless NULL, a point moves: decisions are made for the segment as
                             ///< given, not for its difference
  bool strict;               ///< they touch at the start: only an entry counts
  double error;              ///< of a separation during the motion: cl_motion_error
  // Sweeps: surfaces nearer than `touch` count as touched; `skin` is less. Rates of a distance up
  // to `slow` are rounding: too little to cross the skin on the whole way.
  double touch, skin, slow;
  cl_convex_room room; ///< for the larger part of the pair
} cl_convex_motion;

void cl_motion_begin(cl_convex_motion *m, const cl_placed *a, cl_vec d, const cl_placed *b);

/// Place part i of a, or part k of b after it. The first says whether it was another one before.
bool cl_motion_place_a(cl_convex_motion *m, uint32_t i);
void cl_motion_place_b(cl_convex_motion *m, uint32_t k);

/// The closest points when the moving part is at t, relative to a's place at the start moved back
/// by the motion; `separation` gets that of the best axis.
cl_closest cl_motion_closest(const cl_convex_motion *m, double t, double *separation);

/// Where, in the world, the part at rest is closest to the moving one.
static inline cl_vec cl_motion_point(const cl_convex_motion *m, const cl_closest *c) {
  return (cl_vec){c->b.x - c->normal.x * m->q.r + m->a->x, c->b.y - c->normal.y * m->q.r + m->a->y};
}

/// Of two surfaces met at one time, by how the motion changes the distance from them and by their
/// outward normals, whether the first counts: it faces the motion more directly.
static inline bool cl_faces_first(double rate, cl_vec n, double other, cl_vec m) {
  return rate < other || (rate == other && cl_vec_goes_first(n, m));
}

/// A moment of a motion, at share t of the way: the distance of the two, how much nearer they would
/// come on the whole way at this rate, and the outward normal of the one at rest.
typedef struct cl_distance_at {
  double t, distance, rate;
  cl_vec normal;
} cl_distance_at;

/// Writes all but `t` of a moment.
typedef void cl_look(const void *motion, cl_distance_at *at);

/// How the search for a distance ends: CL_ARRIVES there, CL_PASSES if they come no nearer, CL_ENDS
/// if it would be later than 1, CL_TIRES if all steps are done.
typedef enum cl_arrival { CL_ARRIVES, CL_PASSES, CL_ENDS, CL_TIRES } cl_arrival;

/// Goes on from the moment `at`, which has been looked at, to the first at which the distance is no
/// more than `r` and the error. Rates up to `slow` count as none.
cl_arrival cl_approach(cl_look *look, const void *motion, double r, double error, double slow,
                       cl_distance_at *at);

// ---- casts

/// The error bound of a separation during the motion, in world units.
double cl_motion_error(const cl_convex_motion *m);

/// When two parts first touch, and with which normal (outward of b). `outline`: the normal is not
/// that of an edge made by a cut.
typedef struct cl_first_touch {
  double t;
  cl_vec normal;
  bool outline;
} cl_first_touch;

/// Whether they touch during the motion. Touches that certainly come later than `before` may be
/// left out.
bool cl_motion_meets(cl_convex_motion *m, double before, cl_first_touch *out);

/// Whether parts that touch at the start are entered.
bool cl_motion_enters(cl_convex_motion *m);

// ---- sweeps

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

/// The skin as a share of the distance that counts as touching.
#define CL_SKIN_SHARE 0.25

/// The `slow` of a sweep along d.
static inline double cl_sweep_slow(cl_vec d) { return 32 * CL_ROUND * (fabs(d.x) + fabs(d.y)); }

/// Whether p is stopped by q, earlier than `out` or together with it by a surface that faces the
/// motion more directly.
bool cl_motion_stop(const cl_convex_motion *m, cl_sweep *out);

/// Whether p touches q where it is, from outside or by less than the skin.
bool cl_motion_touch(const cl_convex_motion *m, cl_touch *out);

/// Adds a face to a touch, which has the two outermost. A face opposite to one that it has
/// replaces that one if it is farther.
void cl_touch_add(cl_touch *touch, cl_vec n, double gap);

/// How far p has to move along d, a unit vector, to leave q, which it overlaps.
double cl_motion_exit(const cl_convex_motion *m);

#endif
