// collide, MIT licence (see LICENSE)
//
// How far a shape can move before it would overlap one at rest. Layer: narrow.
//
// A cast finds when two shapes touch. A sweep finds only a touch after which one would go into the
// other by more than `skin`: a shape that slides along a row of others whose surfaces differ by
// less than the skin does not meet their sides.

#ifndef CL_NARROW_SWEEP_H
#define CL_NARROW_SWEEP_H

#include "narrow/convex_motion.h"
#include "narrow/overlap.h"

/// Distances below this share of the largest coordinate of both shapes, at both ends of the motion,
/// count as touching.
#define CL_TOUCH_SHARE 9.094947017729282e-13 // 2^-40

/// The distance, in world units, below which `a`, moved along `d`, touches `b`.
double cl_touch_distance(const cl_placed *a, cl_vec d, const cl_placed *b);

/// The box that contains bounds on the whole way, including the distance that counts as touching.
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

/// Whether the stretch of a face of q that p touches, relative to q's origin, as both are placed,
/// is covered by others.
typedef bool cl_is_covered(const void *context, const cl_convex *p, const cl_convex *q, cl_vec from,
                           cl_vec to);

/// A one-way shape stops only motion into faces within 60 degrees of `up`, a unit vector, where
/// these are not covered, and does not stop with parts that `start`, the moving shape where it
/// began, overlaps by more than the distance that counts as touching.
typedef struct cl_one_way {
  cl_vec up;
  const cl_placed *start;
  cl_is_covered *is_covered;
  const void *context;
} cl_one_way;

/// The cosine of 60 degrees, minus the possible rounding of a normal.
#define CL_ONE_WAY_COSINE (0.5 - 1e-9)

/// How a shape at rest stops motion. Distances below `touch` count as touching. Cells of tiles with
/// values in `passes`, which may be NULL, are ignored; `one_way` is NULL if it stops motion from
/// all sides. A sweep is given up after `most` steps of work.
typedef struct cl_stopper {
  double touch;
  long most;
  const cl_values *passes;
  const cl_one_way *one_way;
} cl_stopper;

/// Whether `a` (no tiles), moved along d (without turning), would go into `b` before or at the end
/// of the way. A surface touched at the start stops it at t = 0 if it would go in. A part that it
/// overlaps by more than the skin, a quarter of the distance that counts as touching, does not stop
/// it. Adds the steps of work to `spent`. `out` is written only if true. If the sweep is given up,
/// `out->given_up` is set, and nothing stops the shape before `out->t`.
bool cl_sweep_shape(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                    long *spent, cl_sweep *out);

/// Told of a touch.
typedef void cl_on_touch(void *context, const cl_touch *touch);

/// Tells how `a` (no tiles), where it is, touches the parts of `b` that would stop it. Where
/// closest points tie, the motion d decides. Adds the steps of work to `spent`; when there are more
/// than `how->most`, no more are told.
void cl_sweep_touches(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_stopper *how,
                      long *spent, cl_on_touch *tell, void *context);

/// Whether they overlap, by more than touching, and how `a` gets free, as cl_overlap_within reports
/// it. With `passes`, only out of the deepest cell; `value` gets the value of that cell, otherwise
/// -1. If none is found within the steps of the effort, it is given up.
bool cl_sweep_way_out(const cl_placed *a, const cl_placed *b, const cl_values *passes,
                      cl_effort *effort, cl_hit *out, int32_t *value);

/// How far `a` has to move along the unit vector `u` to leave all parts of `b` that it overlaps; 0
/// if there are none. If the work that the effort allows is done earlier, the part known so far.
double cl_sweep_exit(const cl_placed *a, cl_vec u, const cl_placed *b, const cl_values *passes,
                     cl_effort *effort);

// ---- upright boxes, in plain arithmetic
// Source: Kay and Kajiya, Ray tracing complex scenes (1986), with the slabs moved in.

/// One axis of the way: the gaps between the two, ahead and on the other side (below 0 for an
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
  // Of sides entered together, takes the one that faces the motion most directly, then along x.
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

/// How box `a` touches box `b`, as cl_convex_touch, without the cell.
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

/// A point of box `b` that the box `a` touches with a side of normal n: of the stretch that the two
/// sides share the end with the lower coordinates.
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
