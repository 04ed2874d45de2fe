// collide, MIT licence (see LICENSE)
//
// Where a moving rectangle meets another, and how it gets out of it. Two rectangles overlap if
// their Minkowski difference contains the origin. A moving one meets the other where the segment of
// its motion, which starts at the origin, enters that difference. Source of the clipping: Liang and
// Barsky (1984). Layer: bump.

#include "bump/bump.h"

// Gaps below this count as touching, in world units and as shares of the way.
static const double DELTA = 1e-10;

bool cl_rect_holds(const cl_rect *r, cl_vec p) {
  return p.x - r->x > DELTA && p.y - r->y > DELTA && r->x + r->w - p.x > DELTA &&
         r->y + r->h - p.y > DELTA;
}

bool cl_rect_overlaps(const cl_rect *a, const cl_rect *b) {
  return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static double nearer(double to, double a, double b) { return fabs(a - to) < fabs(b - to) ? a : b; }

cl_vec cl_rect_corner(const cl_rect *r, cl_vec p) {
  return (cl_vec){nearer(p.x, r->x, r->x + r->w), nearer(p.y, r->y, r->y + r->h)};
}

cl_rect cl_rect_difference(const cl_rect *a, const cl_rect *b) {
  return (cl_rect){b->x - a->x - a->w, b->y - a->y - a->h, a->w + b->w, a->h + b->h};
}

double cl_rect_distance(const cl_rect *a, const cl_rect *b) {
  double dx = a->x - b->x + (a->w - b->w) / 2, dy = a->y - b->y + (a->h - b->h) / 2;
  return dx * dx + dy * dy;
}

// Where a coordinate that moves from `from` by `way` enters the interval low … high and leaves it
// again, and the normal of the side where it enters.
typedef struct slab {
  double in, out, normal;
} slab;

// False if the way is 0 and the coordinate is not inside.
static bool cut(double low, double high, double from, double way, slab *s) {
  if (way == 0) {
    *s = (slab){-INFINITY, INFINITY, 0};
    return !(from - low <= 0 || high - from <= 0);
  }
  // Exactly bump's quotients: equivalent ones would round differently, or give -0 for 0.
  double t1 = (from - low) / -way, t2 = (high - from) / way;
  *s = way > 0 ? (slab){t1, t2, -1} : (slab){t2, t1, 1};
  return true;
}

bool cl_rect_clip(const cl_rect *r, cl_vec from, cl_vec to, cl_clip *c) {
  slab x, y;
  if (!cut(r->x, r->x + r->w, from.x, to.x - from.x, &x)) return false;
  if (!cut(r->y, r->y + r->h, from.y, to.y - from.y, &y)) return false;
  c->n1 = c->n2 = (cl_vec){0, 0};
  if (x.in > c->t1) c->t1 = x.in, c->n1.x = x.normal;
  if (y.in > c->t1) c->t1 = y.in, c->n1 = (cl_vec){0, y.normal};
  if (x.out < c->t2) c->t2 = x.out, c->n2.x = -x.normal;
  if (y.out < c->t2) c->t2 = y.out, c->n2 = (cl_vec){0, -y.normal};
  return !(c->t1 > c->t2);
}

static double sign(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

// The same for two that overlap, with their difference.
static bool get_out(const cl_rect *a, const cl_rect *difference, cl_vec way, cl_rect_meeting *m) {
  cl_vec out = cl_rect_corner(difference, (cl_vec){0, 0});
  double w = fabs(out.x) < a->w ? fabs(out.x) : a->w, h = fabs(out.y) < a->h ? fabs(out.y) : a->h;
  m->overlaps = true;
  m->ti = -w * h;
  if (way.x != 0 || way.y != 0) {
    cl_clip c = {-INFINITY, 1, {0, 0}, {0, 0}};
    if (!cl_rect_clip(difference, (cl_vec){0, 0}, way, &c)) return false;
    m->normal = c.n1;
    m->touch = (cl_vec){a->x + way.x * c.t1, a->y + way.y * c.t1};
    return true;
  }
  if (fabs(out.x) < fabs(out.y)) out.y = 0;
  else out.x = 0;
  m->normal = (cl_vec){sign(out.x), sign(out.y)};
  m->touch = (cl_vec){a->x + out.x, a->y + out.y};
  return true;
}

bool cl_rect_meet(const cl_rect *a, const cl_rect *b, cl_vec goal, cl_rect_meeting *m) {
  cl_vec way = {goal.x - a->x, goal.y - a->y};
  cl_rect difference = cl_rect_difference(a, b);
  if (cl_rect_holds(&difference, (cl_vec){0, 0})) return get_out(a, &difference, way, m);
  cl_clip c = {-INFINITY, INFINITY, {0, 0}, {0, 0}};
  if (!cl_rect_clip(&difference, (cl_vec){0, 0}, way, &c)) return false;
  // A rectangle that passes a corner only touches.
  if (!(c.t1 < 1 && c.t1 + DELTA > 0 && fabs(c.t1 - c.t2) >= DELTA)) return false;
  m->overlaps = false;
  m->ti = c.t1;
  m->normal = c.n1;
  m->touch = (cl_vec){a->x + way.x * c.t1, a->y + way.y * c.t1};
  return true;
}
