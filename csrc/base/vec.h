// collide, MIT licence (see LICENSE)
//
// Points, vectors and rotations of the plane. Layer: base.
//
// x grows to the right and y downwards, as on LÖVE's screen; a positive angle
// turns from x towards y. Nothing in the engine depends on where y points.

#ifndef CL_BASE_VEC_H
#define CL_BASE_VEC_H

#include "base/config.h"

static inline cl_vec cl_vec_add(cl_vec a, cl_vec b) { return (cl_vec){a.x + b.x, a.y + b.y}; }
static inline cl_vec cl_vec_sub(cl_vec a, cl_vec b) { return (cl_vec){a.x - b.x, a.y - b.y}; }
static inline cl_vec cl_vec_mul(cl_vec a, double k) { return (cl_vec){a.x * k, a.y * k}; }
static inline double cl_vec_dot(cl_vec a, cl_vec b) { return a.x * b.x + a.y * b.y; }
static inline double cl_vec_cross(cl_vec a, cl_vec b) { return a.x * b.y - a.y * b.x; }
static inline double cl_vec_length(cl_vec a) { return sqrt(a.x * a.x + a.y * a.y); }

/// fmax and fmin without their handling of NaN: one instruction each.
static inline double cl_max(double a, double b) { return a > b ? a : b; }
static inline double cl_min(double a, double b) { return a < b ? a : b; }

/// Whether a coordinate is finite and within CL_MAX_COORD; whether both of a place are.
static inline bool cl_coord_ok(double x) { return fabs(x) <= CL_MAX_COORD; }
static inline bool cl_place_ok(cl_vec p) { return cl_coord_ok(p.x) && cl_coord_ok(p.y); }

/// A coordinate as shapes have it: 0 if it counts as 0.
static inline double cl_coord_kept(double x) { return fabs(x) < CL_MIN_SIZE ? 0 : x; }

/// Clips the shares `in` to `out` of a straight way to the part inside a slab: along one axis the
/// way goes by `way`, and the slab is from `low` to `high`, relative to the start. A way parallel
/// to the slab is inside all the way, or nowhere. Source: Kay and Kajiya, Ray tracing complex
/// scenes (1986).
static inline void cl_clip_slab(double low, double high, double way, double *in, double *out) {
  if (way == 0) {
    if (low > 0 || high < 0) *out = -INFINITY;
    return;
  }
  double t = low / way, u = high / way;
  *in = cl_max(*in, cl_min(t, u));
  *out = cl_min(*out, cl_max(t, u));
}

/// The fixed order of equally good directions. First comes the one nearer to an axis, which is the
/// same in every image; of two images of each other, the one along x before y, then towards lower
/// coordinates.
static inline bool cl_vec_goes_first(cl_vec a, cl_vec b) {
  double p = fabs(a.x), q = fabs(a.y), r = fabs(b.x), s = fabs(b.y);
  double most = cl_max(p, q), other = cl_max(r, s), less = cl_min(p, q), least = cl_min(r, s);
  if (most != other || less != least) return most > other || (most == other && less < least);
  if (p != r) return p > r;
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/// The point half way between two: the same for either order of them.
static inline cl_vec cl_vec_between(cl_vec a, cl_vec b) {
  return (cl_vec){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

/// Makes `v` a unit vector and returns its former length; 0, 0 stays as it is.
/// Scaled first, so that the squares of very small components keep their bits.
static inline double cl_vec_normalise(cl_vec *v) {
  double m = cl_max(fabs(v->x), fabs(v->y));
  if (m == 0) return 0;
  cl_vec u = {v->x / m, v->y / m};
  double length = cl_vec_length(u);
  *v = (cl_vec){u.x / length, u.y / length};
  return m * length;
}

/// Sine and cosine of `a` (radians, |a| <= CL_MAX_ANGLE), each within 0.8 units
/// in the last place of the true value, even next to the multiples of pi/2. Only
/// + - * are used, so compilers, C libraries and processors all agree to the last
/// bit. cl_sincos(0) is exactly 0 and 1; sine is odd, cosine even.
void cl_sincos(double a, double *sine, double *cosine);

/// The same for `count` angles at once.
void cl_sincos_all(const double *a, size_t count, double *sine, double *cosine);

/// The angle of (x, y) from the x axis, within ±pi, in radians: within 0.6 units in the last place
/// of the true value. Signed zeros and axes are as C's atan2 has them; y and x are finite. Only
/// + - * / are used, as in cl_sincos.
double cl_atan2(double y, double x);

/// The rotation by an angle in radians, |angle| <= CL_MAX_ANGLE; 0 gives exactly {1, 0}.
static inline cl_rot cl_rot_of(double angle) {
  cl_rot r;
  cl_sincos(angle, &r.s, &r.c);
  return r;
}

/// Whether it is the rotation by 0, under which upright rectangles stay exactly upright.
static inline bool cl_rot_is_none(cl_rot r) { return r.s == 0 && r.c == 1; }

/// The vector turned by the rotation.
static inline cl_vec cl_rot_apply(cl_rot r, cl_vec v) {
  // Written as two sums: from a difference next to a sum, gcc 12 makes a fused instruction, if
  // the processor has one, even with contraction off.
  double minus_s = -r.s;
  return (cl_vec){r.c * v.x + minus_s * v.y, r.s * v.x + r.c * v.y};
}

/// The inverse rotation.
static inline cl_vec cl_rot_undo(cl_rot r, cl_vec v) {
  return cl_rot_apply((cl_rot){r.c, -r.s}, v);
}

#endif
