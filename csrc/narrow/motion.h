// collide, MIT licence (see LICENSE)
//
// A shape that moves along a straight line against one at rest: casts, which find when the two
// touch (cl_cast_shape and cl_cast_ray are in collide.h), sweeps, and both for two convex parts. A
// sweep finds only touches after which one would go into the other by more than `skin`: a shape
// that slides along a row of others whose surfaces differ by less than the skin does not meet their
// sides. Layer: narrow.
//
// Sharp parts: the translations at which two parts touch are a convex set, their Minkowski
// difference, whose half-planes belong to the edges of both. The motion is clipped by these. Round
// parts: Newton's method on the distance, which is convex along a translation, so that no step
// overshoots.
// Source: Cyrus and Beck 1978 for the half-planes.

#ifndef CL_NARROW_MOTION_H
#define CL_NARROW_MOTION_H

#include "narrow/convex.h"
#include "narrow/overlap.h"
#include "narrow/pairs.h"

// ---- two convex parts

/// One part of each of two shapes, and the motion of the first. cl_motion_begin leaves out what
/// only casts or only sweeps use; their callers fill it in.
typedef struct cl_convex_motion {
  const cl_placed *a, *b;
  cl_vec d;
  uint32_t i, k;  ///< the numbers of the parts in a and b
  cl_convex p, q; ///< the parts, relative to a's place at the start
  // Casts:
  const cl_stack_shape *ray; ///< unless NULL, a point moves: decisions use the segment as given,
                             ///< not the difference of its ends
  bool strict;               ///< they touch at the start: only an entry counts
  double error;              ///< bound for a separation during the motion: set by cl_motion_meets
  // Sweeps: surfaces nearer than `touch` count as touched; `skin` is less. Rates of a distance up
  // to `slow` are rounding: too little to cross the skin on the whole way.
  double touch, skin, slow;
  cl_convex_room room; ///< for the larger part of the pair
} cl_convex_motion;

void cl_motion_begin(cl_convex_motion *m, const cl_placed *a, cl_vec d, const cl_placed *b);

/// Place part i of a, then part k of b; the first returns whether the part of a has changed.
bool cl_motion_place_a(cl_convex_motion *m, uint32_t i);
void cl_motion_place_b(cl_convex_motion *m, uint32_t k);

/// The closest points when the moving part is at t, relative to a's place at the start moved back
/// by the motion; `separation` gets that of the best axis.
cl_closest cl_motion_closest(const cl_convex_motion *m, double t, double *separation);

/// Where, in the world, the part at rest is closest to the moving one.
static inline cl_vec cl_motion_point(const cl_convex_motion *m, const cl_closest *c) {
  return (cl_vec){c->b.x - c->normal.x * m->q.r + m->a->x, c->b.y - c->normal.y * m->q.r + m->a->y};
}

/// Whether the first of two surfaces met at one time counts, because it faces the motion more
/// directly. `rate` and `other` are how the motion changes the distances.
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

/// How the search for a distance ends: CL_ARRIVES at it, or so near that no step comes nearer;
/// CL_PASSES if they come no nearer; CL_ENDS if it would be later than 1.
typedef enum cl_arrival { CL_ARRIVES, CL_PASSES, CL_ENDS } cl_arrival;

/// Goes on from the moment `at`, which `look` has filled in, to the first at which the distance is
/// no more than `r` and the error. Rates up to `slow` count as 0.
cl_arrival cl_approach(cl_look *look, const void *motion, double r, double error, double slow,
                       cl_distance_at *at);

// For casts:

/// When two parts first touch, and with which normal (outward of b). `outline`: the normal is not
/// that of an edge made by a cut.
typedef struct cl_first_touch {
  double t;
  cl_vec normal;
  bool outline;
} cl_first_touch;

/// When and with which normal a point that moves from a place along d first touches a shape of one
/// part, or t = 0 and no normal if it begins inside. If rounding leaves no doubt, the bits are the
/// same as those of the general functions.
cl_verdict cl_motion_ray(cl_vec from, cl_vec d, const cl_placed *b, cl_first_touch *out);

/// Whether they touch during the motion.
bool cl_motion_meets(cl_convex_motion *m, cl_first_touch *out);

/// Whether parts that touch at the start are entered.
bool cl_motion_enters(cl_convex_motion *m);

// For sweeps:

/// Where a shape is stopped: at share t of the way (0 … 1), by a surface with the outward unit
/// normal nx, ny, at the point x, y (world units). There it is inside the surface by `lift`, at
/// most the skin. For tiles, also the cell and its value, else -1.
typedef struct cl_sweep {
  double t, nx, ny, x, y, lift;
  int32_t column, row, value;
  bool lone;     ///< there is no other face of the two shapes that they touch there
  bool given_up; ///< see cl_sweep_shape
} cl_sweep;

/// How two parts touch: the outward unit normals of the faces of b (or of a, reversed) that are
/// touched there; one, or at a corner two, the second turned from the first as y is from x. A
/// motion leads into b if it leads into all of these faces. `gap` is the distance along each
/// normal, below 0 for an overlap; `stops`: the face stops motion (not all do in one-way shapes);
/// `slack`: the square of the sine up to which a motion into a round face passes it. `apart` is the
/// distance that sweeps keep between the two if they are thin, else 0. x, y is a point that they
/// share. For tiles the cell, else -1.
typedef struct cl_touch {
  cl_vec n[2];
  double gap[2], slack, apart, x, y;
  int faces;
  bool stops[2];
  int32_t column, row, value;
} cl_touch;

/// The skin as a fraction of the distance that counts as touching.
#define CL_SKIN_SHARE 0.25

/// The `slow` of a sweep along d.
static inline double cl_sweep_slow(cl_vec d) { return 32 * CL_ROUND * (fabs(d.x) + fabs(d.y)); }

/// Whether q stops p, earlier than `out`, or at the same time with a surface that faces the motion
/// more directly.
bool cl_motion_stop(const cl_convex_motion *m, cl_sweep *out);

/// Whether p touches q where it is, from outside or by less than the skin.
bool cl_motion_touch(const cl_convex_motion *m, cl_touch *out);

/// Adds a face to a touch, which keeps the two outermost. A face opposite to a known one replaces
/// it if it is farther away.
void cl_touch_add(cl_touch *touch, cl_vec n, double gap);

/// How far p has to move along d, a unit vector, to leave q, which it overlaps.
double cl_motion_exit(const cl_convex_motion *m);

// ---- casts of shapes

/// Whether `a` and `b` overlap, or with `touching` touch, at some moment while `a` moves along d
/// (without turning), but not at its start. Decided exactly for the placed vertices and the
/// translation. With b moved along -d the answer is the same to the bit, except that the normal is
/// a's. Two shapes of tiles do not meet. Only if true, writes t and the outward normal nx, ny of
/// the shape that was met to `out`.
bool cl_swept_overlap(const cl_placed *a, cl_vec d, const cl_placed *b, bool touching,
                      cl_cast *out);

/// How a circle meets a shape. CL_ENTRY_INSIDE: it is inside some part of the shape from the start.
typedef enum cl_entry {
  CL_ENTRY_NONE,
  CL_ENTRY_TOUCH,
  CL_ENTRY_INSIDE,
} cl_entry;

/// Where a moving circle first enters a shape, for circles that have bounced off it: the touch
/// tolerates rounding. The circle of radius `r` > 0 about `from` moves along `d` (both in finite
/// world units). Surfaces within CL_ENTRY_ERROR times the coordinates at the start count as
/// touched: they are entered at t = 0 if the motion leads inward, and otherwise passed. `own` is
/// for a circle that has just bounced off: it enters there only if that vector leads inward, too.
/// `t` and the outward normal nx, ny of `out` are written for CL_ENTRY_TOUCH. At t the gap or
/// overlap of the two is at most CL_CAST_ERROR times the coordinates and the motion.
cl_entry cl_circle_entry(cl_vec from, double r, cl_vec d, const cl_vec *own, const cl_placed *b,
                         cl_cast *out);

/// 2^-40: some hundred times the rounding error between two that have touched.
#define CL_ENTRY_ERROR 9.094947017729282e-13

// ---- sweeps of shapes

/// Distances below this fraction of the largest coordinate of both shapes, at both ends of the
/// motion, count as touching.
#define CL_TOUCH_SHARE 9.094947017729282e-13 // 2^-40

/// The distance, in world units, below which `a`, moved along `d`, touches `b`.
double cl_touch_distance(const cl_placed *a, cl_vec d, const cl_placed *b);

/// The box that contains bounds along the whole way, including the distance that counts as
/// touching.
static inline cl_bounds cl_sweep_bounds(cl_bounds b, cl_vec way) {
  double length = fabs(way.x) + fabs(way.y);
  return cl_bounds_grown(cl_bounds_swept(b, way),
                         2 * CL_TOUCH_SHARE * (cl_bounds_largest(b) + length));
}

/// A set of tile values, one bit each.
typedef struct cl_values {
  uint64_t bits[4];
} cl_values;

static inline bool cl_values_have(const cl_values *values, unsigned value) {
  return values->bits[value >> 6] >> (value & 63) & 1;
}
static inline void cl_values_add(cl_values *values, unsigned value) {
  values->bits[value >> 6] |= UINT64_C(1) << (value & 63);
}

/// Whether others cover the stretch of a face of q that p touches, relative to q's origin.
typedef bool cl_is_covered(const void *context, const cl_convex *p, const cl_convex *q, cl_vec from,
                           cl_vec to);

/// A one-way shape stops only motion into faces within 60 degrees of `up`, a unit vector, where
/// these are not covered. Parts that overlap `start`, the moving shape where it began, by more than
/// the distance that counts as touching, do not stop it.
typedef struct cl_one_way {
  cl_vec up;
  const cl_placed *start;
  cl_is_covered *is_covered;
  const void *context;
} cl_one_way;

/// The cosine of 60 degrees, minus the possible rounding of a normal.
#define CL_ONE_WAY_COSINE (0.5 - 1e-9)

/// How a shape at rest stops motion. Distances below `touch` count as touching. Cells of tiles with
/// values in `passes`, unless that is NULL, are ignored; `one_way` is NULL if the shape stops
/// motion from all sides. A sweep is given up after `most` steps of work.
typedef struct cl_stopper {
  double touch;
  long most;
  const cl_values *passes;
  const cl_one_way *one_way;
} cl_stopper;

/// Whether `a` (no tiles), moved along d (without turning), would go into `b` before or at the end
/// of the way. A surface touched at the start stops it at t = 0 if it would go in. A part that it
/// overlaps by more than the skin, a quarter of the distance that counts as touching, does not stop
/// it. Adds the steps of work to `spent`. `out` counts only if true. If the sweep is given up,
/// `out->given_up` is set, and nothing stops the shape before `out->t`.
bool cl_sweep_shape(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                    long *spent, cl_sweep *out);

/// A walk over the pairs of parts of a moving shape and one at rest.
typedef struct cl_sweep_walk {
  long steps; ///< of work so far
  // Private to the walk:
  const cl_stopper *how;
  cl_convex_motion pair; // the current pair
  cl_bvh_pairs at;       // in these, of two shapes or of a block of the `tiles`, else NULL,
  const cl_placed *tiles;
  cl_way_blocks cells;
  int32_t column, row, value; // in this cell, else -1
  cl_vec way;
  cl_bounds bounds; // of the mover, unless `tiles` is NULL
  double until;     // nothing is looked for later on the way
  bool given_up;
  bool thorough, skipped; // blocks of cells that do not stop it are not skipped; some were
} cl_sweep_walk;

/// Returns how `a` (no tiles), where it is, touches the parts of `b` that would stop it, one after
/// another. Where closest points tie, the motion d decides. When the work takes more steps than
/// `how->most`, no more are returned.
void cl_touches_begin(cl_sweep_walk *s, const cl_placed *a, cl_vec d, const cl_placed *b,
                      const cl_stopper *how);
bool cl_touches_next(cl_sweep_walk *s, cl_touch *touch);

/// Whether they overlap, not only touch, and how `a` gets free, as cl_overlap_within reports it.
/// With `passes`, only out of the deepest cell; `value` gets the value of that cell, otherwise -1.
/// If no cell is found within the steps of the effort, the search is given up.
bool cl_sweep_way_out(const cl_placed *a, const cl_placed *b, const cl_values *passes,
                      cl_effort *effort, cl_hit *out, int32_t *value);

/// How far `a` has to move along the unit vector `u` to leave all parts of `b` that it overlaps; 0
/// if there are none. If the effort is used up, the distance for the parts so far.
double cl_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, const cl_values *passes,
                     cl_effort *effort);

// ---- upright boxes, in plain arithmetic
// Source: Kay and Kajiya, Ray tracing complex scenes (1986), with the slabs moved in.

/// One axis of the motion: the gaps between the two boxes, ahead and behind (below 0 for an
/// overlap), and how far the box moves; `still` if that is only rounding.
typedef struct cl_slab {
  double ahead, behind, way;
  bool still;
} cl_slab;

static inline cl_slab cl_slab_of(double low, double high, double d, double from, double to,
                                 double slow) {
  double before = from - high, after = low - to, way = fabs(d);
  return d > 0 ? (cl_slab){before, after, way, way <= slow}
               : (cl_slab){after, before, way, way <= slow};
}

/// A quick test: true only if the boxes never share more than the skin of the axis.
static inline bool cl_slab_misses(const cl_slab *s, double skin) {
  if (s->still) return s->ahead >= -skin || s->behind >= -skin;
  return s->ahead + skin > s->way || s->behind >= -skin;
}

/// Whether box `a`, moved along d, is stopped by box `b`. Writes all of `out` except the point and
/// the cell.
static inline bool cl_sweep_box(const cl_bounds *a, cl_vec d, const cl_bounds *b, double touch,
                                cl_sweep *out) {
  const double skin = touch * CL_SKIN_SHARE, slow = cl_sweep_slow(d);
  const cl_slab x = cl_slab_of(a->l, a->r, d.x, b->l, b->r, slow);
  const cl_slab y = cl_slab_of(a->t, a->b, d.y, b->t, b->b, slow);
  if (cl_slab_misses(&x, skin) || cl_slab_misses(&y, skin)) return false;
  double enter_x = x.still ? -INFINITY : (x.ahead + skin) / x.way;
  double enter_y = y.still ? -INFINITY : (y.ahead + skin) / y.way;
  double leave_x = x.still ? INFINITY : -(x.behind + skin) / x.way;
  double leave_y = y.still ? INFINITY : -(y.behind + skin) / y.way;
  double enter = cl_max(enter_x, enter_y), leave = cl_min(leave_x, leave_y);
  if (!(enter >= 0 && enter <= 1 && enter < leave)) return false;
  double touch_x = x.still ? -INFINITY : x.ahead / x.way;
  double touch_y = y.still ? -INFINITY : y.ahead / y.way;
  double t = cl_max(cl_max(touch_x, touch_y), 0);
  // Past a corner the sides may be nearer than the boxes.
  double gap_x = cl_max(cl_max(x.ahead, x.behind), 0);
  double gap_y = cl_max(cl_max(y.ahead, y.behind), 0);
  bool near = gap_x <= touch && gap_y <= touch; // despite the rounding of the squares
  if (near && gap_x * gap_x + gap_y * gap_y <= touch * touch) t = 0;
  // If two sides are entered together, takes the one that faces the motion more directly, then the
  // one along x.
  bool across = enter_x > enter_y || (enter_x == enter_y && x.way >= y.way);
  const cl_slab *s = across ? &x : &y;
  double gap = s->ahead - s->way * t;
  out->t = t;
  out->nx = across ? (d.x > 0 ? -1 : 1) : 0;
  out->ny = across ? 0 : (d.y > 0 ? -1 : 1);
  out->lift = gap < 0 ? -gap : 0;
  // Not near a corner, whatever rounding does.
  const cl_slab *other = across ? &y : &x;
  out->lone = other->still || other->ahead - other->way * t < -touch;
  return true;
}

/// How box `a` touches box `b`, as cl_motion_touch, without the cell.
static inline bool cl_touch_box(const cl_bounds *a, const cl_bounds *b, double touch,
                                cl_touch *out) {
  const double skin = touch * CL_SKIN_SHARE, l = b->l - a->r, r = a->l - b->r;
  const double top = b->t - a->b, bottom = a->t - b->b;
  double x = cl_max(l, r), y = cl_max(top, bottom), beside_x = cl_max(x, 0);
  double beside_y = cl_max(y, 0);
  out->faces = 0;
  if (x > touch || y > touch || beside_x * beside_x + beside_y * beside_y > touch * touch)
    return false;
  if (x >= -skin) cl_touch_add(out, (cl_vec){l > r ? -1 : 1, 0}, x);
  if (y >= -skin) cl_touch_add(out, (cl_vec){0, top > bottom ? -1 : 1}, y);
  return out->faces > 0;
}

/// A point where box `a` touches the side of box `b` with normal n: the end with the lower
/// coordinates of the stretch that the two sides share.
static inline cl_vec cl_touch_box_point(const cl_bounds *a, const cl_bounds *b, cl_vec n) {
  double l = cl_max(a->l, b->l), top = cl_max(a->t, b->t);
  double x = n.x < 0 ? b->l : n.x > 0 ? b->r : l, y = n.y < 0 ? b->t : n.y > 0 ? b->b : top;
  return (cl_vec){x, y};
}

/// How far box `a` has to move along the unit vector `u` to leave box `b`, which it overlaps.
static inline double cl_sweep_box_exit(const cl_bounds *a, cl_vec u, const cl_bounds *b) {
  double x = u.x > 0 ? (b->r - a->l) / u.x : u.x < 0 ? (b->l - a->r) / u.x : INFINITY;
  double y = u.y > 0 ? (b->b - a->t) / u.y : u.y < 0 ? (b->t - a->b) / u.y : INFINITY;
  return cl_min(x, y);
}

#endif
