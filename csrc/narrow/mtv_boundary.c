// collide, MIT licence (see LICENSE)
//
// Searches the boundary of a union of convex sets for the place nearest to 0, 0. Layer: narrow.
//
// That place is the foot of 0, 0 on a side of one set, or a corner between the sides of two. So the
// sides are tried, nearest first. On each a walk begins at the point nearest to 0, 0. While some
// other set contains the place, it goes on to where that set is left. It ends at a place that no
// set contains, or at one farther than the best so far.

#include "narrow/mtv_search.h"

// How many bounds are compared in a step of work; and how far from a free place the corner next to
// it may be, in tolerances.
enum { BOUNDS_A_STEP = 2, NEXT_TO = 64 };

// Takes a free place unless the best so far is nearer, or a simple one as near. It does not matter
// which is found first.
static void offer(cl_mtv_search *s, cl_vec x, cl_vec normal) {
  double distance = cl_vec_length(x);
  if (distance >= s->simple.depth - s->tolerance || distance > s->best.depth) return;
  cl_vec way = distance > 4 * s->tolerance ? x : normal, known = {s->best.nx, s->best.ny};
  cl_vec_normalise(&way);
  // As in cl_convex_axis, with the way of b, which is the second.
  if (distance == s->best.depth && !cl_vec_goes_first(way, known)) return;
  s->best = (cl_hit){way.x, way.y, distance};
}

// The difference that contains x, or -1. With `lenient`, thin ones are treated like others. Most
// are ruled out by their bounds, several of which are compared in a step.
static int holder_of(cl_mtv_search *s, cl_vec x, bool lenient) {
  cl_mtv_near *near = s->near;
  for (int i = -1; i < near->count; i++) {
    int k = i < 0 ? near->last : i;
    const cl_difference *d = &near->difference[k];
    if (!cl_bounds_hold(d->bounds, x)) continue;
    cl_mtv_spend(s, d->count);
    if (!cl_difference_holds(d, x, cl_mtv_held_depth(s, d->thin && !lenient))) continue;
    cl_mtv_spend(s, i / BOUNDS_A_STEP);
    return near->last = k;
  }
  cl_mtv_spend(s, near->count / BOUNDS_A_STEP);
  return -1;
}

// Takes the place `exact`, where boundaries meet, for the free one next to it, if it is free and
// not far. Boundaries that are nearly parallel, as a line beside something round, may meet farther
// away, where there is no room for thin parts, or outside the box, where it is not known what holds
// a place.
static void offer_corner(cl_mtv_search *s, cl_vec exact, cl_vec free, cl_vec normal) {
  bool is_near = cl_vec_length(cl_vec_sub(exact, free)) <= NEXT_TO * s->tolerance;
  bool is_free = is_near && cl_bounds_hold(s->near->box, exact) && holder_of(s, exact, true) < 0;
  offer(s, is_free ? exact : free, normal);
}

// An edge as a line: its foot, the point nearest to 0, 0, the direction in which the edge goes, and
// where along it the edge begins and ends.
typedef struct line {
  cl_vec foot, way;
  double from, to;
} line;

static cl_vec at_place(const line *e, double t) {
  return cl_vec_add(e->foot, cl_vec_mul(e->way, t));
}

// Walks along an edge from `t` on, in the direction `sign`. Where a set is left is measured from
// the foot, so that it does not matter which of several is left first.
static void walk_edge(cl_mtv_search *s, const cl_difference *d, int i, const line *e, double t,
                      int sign) {
  cl_vec n = d->n[i], way = cl_vec_mul(e->way, sign);
  cl_vec lift = cl_vec_mul(n, -cl_mtv_left_depth(s, d->thin));
  double exact = t, slack = s->tolerance;
  while (t >= e->from - slack && t <= e->to + slack && s->work > 0) {
    cl_vec x = at_place(e, t);
    if (cl_vec_length(x) > s->best.depth || !cl_bounds_hold(s->near->box, x)) return;
    int k = holder_of(s, cl_vec_add(x, lift), false);
    if (k < 0) {
      offer_corner(s, at_place(e, exact), cl_vec_add(x, lift), n);
      return;
    }
    const cl_difference *held = &s->near->difference[k];
    cl_mtv_spend(s, held->count);
    double left = cl_mtv_left_depth(s, held->thin);
    double to = cl_difference_exit(held, cl_vec_add(e->foot, lift), way, left);
    if (to <= sign * t) return;
    // Where the boundaries themselves meet.
    bool lifted = s->seams && (d->thin || held->thin);
    exact = sign * (lifted ? cl_difference_exit(held, e->foot, way, 0) : to);
    t = sign * to;
  }
}

// Clips the range of t to where at + t * way is in low … high.
static void clip(double at, double way, double low, double high, double *from, double *to) {
  if (way == 0) {
    if (at < low || at > high) *to = -DBL_MAX;
    return;
  }
  double t = (low - at) / way, u = (high - at) / way;
  *from = cl_max(*from, cl_min(t, u));
  *to = cl_min(*to, cl_max(t, u));
}

static line line_of(const cl_difference *d, int i) {
  cl_vec n = d->n[i], way = {-n.y, n.x}, v = d->v[i], w = d->v[i + 1 < d->count ? i + 1 : 0];
  return (line){cl_vec_mul(n, d->line[i] + d->r), way, cl_vec_dot(v, way), cl_vec_dot(w, way)};
}

// Where walks that enter the box begin: so far inside that rounding cannot put them outside.
static cl_bounds inside(const cl_mtv_search *s) {
  return cl_bounds_grown(s->near->box, -4 * s->tolerance);
}

// For the part of the edge inside the box, from the point nearest to 0, 0 on.
static void search_edge(cl_mtv_search *s, const cl_difference *d, int i) {
  line e = line_of(d, i);
  double from = e.from, to = e.to;
  cl_bounds box = inside(s);
  clip(e.foot.x, e.way.x, box.l, box.r, &from, &to);
  clip(e.foot.y, e.way.y, box.t, box.b, &from, &to);
  if (from > to) return;
  double t = cl_max(from, cl_min(0, to));
  if (t < to || from == to) walk_edge(s, d, i, &e, t, 1);
  if (t > from) walk_edge(s, d, i, &e, t, -1);
}

// Walks along the arc about corner i from u as far as `end`.
static void walk_arc(cl_mtv_search *s, const cl_difference *d, int i, cl_vec u, cl_vec end,
                     int winding) {
  double lift = -cl_mtv_left_depth(s, d->thin), gone = 0;
  double whole = end.x == 0 && end.y == 0 ? 4 : cl_pseudo_angle(u, end, winding);
  cl_vec first = u, exact = u, c = d->v[i];
  while (s->work > 0) {
    cl_vec x = cl_vec_add(c, cl_vec_mul(u, d->r));
    if (cl_vec_length(x) > s->best.depth || !cl_bounds_hold(s->near->box, x)) return;
    cl_vec lifted = cl_vec_add(x, cl_vec_mul(u, lift));
    int k = holder_of(s, lifted, false);
    if (k < 0) {
      offer_corner(s, cl_vec_add(c, cl_vec_mul(exact, d->r)), lifted, exact);
      return;
    }
    const cl_difference *held = &s->near->difference[k];
    double left = cl_mtv_left_depth(s, held->thin);
    cl_mtv_spend(s, 4 * held->count * held->count);
    cl_vec next = cl_difference_leave_arc(held, c, d->r + lift, u, winding, left);
    bool apart = s->seams && (d->thin || held->thin);
    exact = apart ? cl_difference_leave_arc(held, c, d->r, u, winding, 0) : next;
    u = next;
    double turned = cl_pseudo_angle(first, u, winding);
    if (turned <= gone || turned > whole) return;
    gone = turned;
  }
}

static bool on_arc(cl_vec from, cl_vec u, cl_vec to) {
  return cl_vec_cross(from, u) >= 0 && cl_vec_cross(u, to) >= 0;
}

// From u in both directions, if it is on the arc and in the box.
static void search_arc_from(cl_mtv_search *s, const cl_difference *d, int i, cl_vec u) {
  cl_vec from = d->n[i > 0 ? i - 1 : d->count - 1], to = d->n[i];
  if (!on_arc(from, u, to)) return; // one point has the full circle, its normal being 0, 0
  if (!cl_bounds_hold(s->near->box, cl_vec_add(d->v[i], cl_vec_mul(u, d->r)))) return;
  walk_arc(s, d, i, u, to, 1);
  walk_arc(s, d, i, u, from, -1);
}

// Where the circle about c crosses a line at `at` across an axis.
static void search_arc_at(cl_mtv_search *s, const cl_difference *d, int i, double at, bool across) {
  cl_vec c = d->v[i];
  double cosine = (at - (across ? c.x : c.y)) / d->r;
  if (fabs(cosine) > 1) return;
  double sine = sqrt(1 - cosine * cosine);
  search_arc_from(s, d, i, across ? (cl_vec){cosine, sine} : (cl_vec){sine, cosine});
  search_arc_from(s, d, i, across ? (cl_vec){cosine, -sine} : (cl_vec){-sine, cosine});
}

// The nearest point inside the box is the one nearest to 0, 0 on the circle, an end of the arc, or
// on a side of the box.
static void search_arc(cl_mtv_search *s, const cl_difference *d, int i) {
  cl_vec foot = {-d->v[i].x, -d->v[i].y};
  if (cl_vec_normalise(&foot) == 0) foot = (cl_vec){-1, 0};
  search_arc_from(s, d, i, foot);
  if (d->count > 1) {
    search_arc_from(s, d, i, d->n[i > 0 ? i - 1 : d->count - 1]);
    search_arc_from(s, d, i, d->n[i]);
  }
  cl_bounds box = inside(s);
  search_arc_at(s, d, i, box.l, true);
  search_arc_at(s, d, i, box.r, true);
  search_arc_at(s, d, i, box.t, false);
  search_arc_at(s, d, i, box.b, false);
}

// A heap of sides, the nearest on top (Williams 1964). Of each: a lower bound of its distance from
// 0, 0, and its difference, corner, and whether it is the edge that begins there or the arc about
// it. Of equal ones the first in this order comes first.
enum { ARC = 1, CORNER = 2, DIFFERENCE = 1024 };
typedef struct sides {
  int count;
  double near[2 * CL_MTV_CORNERS];
  uint16_t side[2 * CL_MTV_CORNERS];
} sides;

_Static_assert(CL_MTV_CORNERS *CORNER <= DIFFERENCE, "a corner fits in a side");
_Static_assert(CL_MTV_PAIRS *DIFFERENCE <= UINT16_MAX + 1, "a side fits in 16 bits");

static bool comes_before(const sides *h, int i, double near, unsigned side) {
  return h->near[i] != near ? h->near[i] < near : h->side[i] < side;
}

static void put_side(sides *h, int i, double near, unsigned side) {
  h->near[i] = near;
  h->side[i] = (uint16_t)side;
}

static void push_side(sides *h, double near, unsigned side) {
  int i = h->count++;
  for (int up = (i - 1) / 2; i > 0 && !comes_before(h, up, near, side); up = (i - 1) / 2) {
    put_side(h, i, h->near[up], h->side[up]);
    i = up;
  }
  put_side(h, i, near, side);
}

// Takes the top away.
static void pop_side(sides *h) {
  int last = --h->count, i = 0;
  double near = h->near[last];
  unsigned side = h->side[last];
  for (int down = 1; down < h->count; down = 2 * i + 1) {
    if (down + 1 < h->count && comes_before(h, down + 1, h->near[down], h->side[down])) down++;
    if (!comes_before(h, down, near, side)) break;
    put_side(h, i, h->near[down], h->side[down]);
    i = down;
  }
  put_side(h, i, near, side);
}

// A little less than the distance of an edge.
static double distance_of_edge(const line *e) {
  double t = cl_max(e->from, cl_min(0, e->to));
  return cl_vec_length(at_place(e, t)) * (1 - 8 * CL_ROUND);
}

static void push_sides(const cl_mtv_search *s, int k, sides *h) {
  const cl_difference *d = &s->near->difference[k];
  for (int i = 0; i < d->count; i++) {
    line e = line_of(d, i);
    unsigned side = (unsigned)(k * DIFFERENCE + i * CORNER);
    double edge = distance_of_edge(&e);
    double arc = fabs(cl_vec_length(d->v[i]) - d->r) + s->tolerance; // after an edge as near
    if (d->count > 1 && edge <= s->best.depth) push_side(h, edge, side);
    if (d->r > 0 && arc < s->best.depth) push_side(h, arc, side + ARC);
  }
}

void cl_mtv_search_boundary(cl_mtv_search *s) {
  sides h; // large: filled in as needed
  h.count = 0;
  for (int k = 0; k < s->near->count; k++) push_sides(s, k, &h);
  while (h.count > 0 && s->work > 0) {
    double near = h.near[0];
    unsigned side = h.side[0];
    pop_side(&h);
    cl_mtv_spend(s, 8);
    if (near > s->best.depth) return;
    const cl_difference *d = &s->near->difference[side / DIFFERENCE];
    int i = (int)(side % DIFFERENCE / CORNER);
    if (side & ARC) search_arc(s, d, i);
    else search_edge(s, d, i);
  }
}
