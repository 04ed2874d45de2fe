// collide, MIT licence (see LICENSE)
//
// How far an upright box can move before it would go into another one by more than the skin. A
// special case of convex_sweep.h, in plain arithmetic. Layer: narrow.
// Source: Kay and Kajiya, Ray tracing complex scenes (1986), with the slabs moved in.

#ifndef CL_NARROW_BOX_SWEEP_H
#define CL_NARROW_BOX_SWEEP_H

#include "narrow/convex_sweep.h"

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
  // Of sides entered together, takes the one that faces the motion most directly.
  bool across = enter_x > enter_y || (enter_x == enter_y && x.way > y.way);
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

/// A point of box `b` that the box `a` touches with a side of normal n: an end of the stretch that
/// the two sides share.
static inline cl_vec cl_touch_box_point(const cl_bounds *a, const cl_bounds *b, cl_vec n) {
  double l = cl_max(a->l, b->l), r = cl_min(a->r, b->r), top = cl_max(a->t, b->t);
  return (cl_vec){n.x < 0   ? b->l
                  : n.x > 0 ? b->r
                  : n.y < 0 ? l
                            : r,
                  n.y < 0   ? b->t
                  : n.y > 0 ? b->b
                            : top};
}

/// How far box `a` has to move along the unit vector `u` to leave box `b`, which it overlaps.
static inline double cl_sweep_box_exit(const cl_bounds *a, cl_vec u, const cl_bounds *b) {
  double x = u.x > 0 ? (b->r - a->l) / u.x : u.x < 0 ? (b->l - a->r) / u.x : INFINITY;
  double y = u.y > 0 ? (b->b - a->t) / u.y : u.y < 0 ? (b->t - a->b) / u.y : INFINITY;
  return cl_min(x, y);
}

#endif
