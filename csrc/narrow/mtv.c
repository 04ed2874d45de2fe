// collide, MIT licence (see LICENSE)
//
// The minimum translation vector of two shapes of many parts: the shortest way out of the union of
// their parts' Minkowski differences b - a, the translations of a at which two parts overlap.
// Layer: narrow.
// Source: differences, Ericson, Real-Time Collision Detection, 3.11.
//
// Straight ways give the first bounds: the deepest pair's, and along the axes. Then the plane
// within the bounds is split into boxes, until at most MOST_PAIRS differences with MOST_CORNERS
// corners in all reach into each. In each box the boundary of the union is searched for the place
// nearest to 0, 0. That place is the foot of 0, 0 on a side of one difference, or a corner between
// the sides of two. So the sides are tried, nearest first. On each side a walk begins at the point
// nearest to 0, 0. While some other difference contains the place, the walk goes on to where it
// leaves that difference. It ends at a place that no difference contains, or farther away than the
// best so far.
//
// The answer is the shortest if the search takes no more steps than the effort allows; the default
// is enough for some thousand pairs of parts. If the steps run out, the answer is the best way so
// far, which also frees the shape: a straight way along the deepest pair's way or an axis, or a
// shorter one.
//
// Depths up to the tolerance, 2^-42 of the largest coordinate, count as free: a shape that exactly
// fits a gap may go there, despite rounding. Lines and points can lie on a cut between two parts,
// or cross a chain at a corner, where they overlap neither part alone. Their differences (`thin`)
// therefore block a little more than their area if there are several parts: a gap for them must be
// wider than the tolerance.

#include "narrow/overlap.h"
#include "narrow/pairs.h"

// --- differences ---

// A difference is a convex core, grown by the sum of the radii. Depths and offsets are distances in
// world units: a point at depth d is d inside the boundary; at depth -d it is outside.

// Has the core's corners in the positive order, the unit outward normal of the edge that begins at
// each, and the edge's distance from 0, 0 along it, which is the same from either end; a core of
// one point has no edge. The caller owns the arrays.
typedef struct difference {
  const cl_vec *v, *n;
  const double *line;
  int count;
  double r;
  cl_bounds bounds; // including the radius
  bool thin;        // one of the two is a segment or point
  bool flat;        // the core has no area: a point, or a line (of parallel segments)
} difference;

// How many corners the difference of two parts has; edges of both in one direction have a corner
// between them.
static int corners_of(const cl_convex *a, const cl_convex *b) {
  int count = (a->n > 1 ? a->n : 0) + (b->n > 1 ? b->n : 0);
  return count > 0 ? count : 1;
}

// Whether the difference of the cores lies on a line.
static bool is_flat(const cl_convex *a, const cl_convex *b) {
  if (a->n > 2 || b->n > 2) return false;
  if (a->n == 1 || b->n == 1) return true;
  return fabs(cl_vec_cross(cl_convex_normal(a, 0), cl_convex_normal(b, 0))) <= CL_MEET;
}

// Edges of both parts in the same direction are on one line: gives them the same distance.
static void join_lines(double *one, double *other) { *one = *other = cl_max(*one, *other); }

static bool same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

// As cl_convex_outside, with the normal n of edge i.
static double beyond_edge(const cl_convex *c, int i, cl_vec n, cl_vec p) {
  return cl_vec_dot(n, p) - (c->line[i] + cl_vec_dot(n, c->from));
}

// Makes b - a, with its corners, normals and lines in `v`, `n` and `line`. Begins along an edge of
// one, at the other's vertex that is farthest out.
static difference difference_of(const cl_convex *a, const cl_convex *b, cl_vec *v, cl_vec *n,
                                double *line) {
  difference d = {.v = v, .n = n, .line = line, .count = corners_of(a, b), .r = a->r + b->r};
  d.thin = cl_part_is_thin(a->part) || cl_part_is_thin(b->part);
  d.flat = is_flat(a, b);
  // The edge that begins here is b's, or a's reversed. Points have none.
  bool of_b = a->n == 1, both = a->n > 1 && b->n > 1;
  cl_vec m = cl_convex_normal(a, 0);
  int k = 0, l = of_b ? 0 : cl_convex_support(b, cl_vec_mul(m, -1));
  cl_vec p = cl_convex_vertex(a, k), q = cl_convex_vertex(b, l), e = cl_convex_normal(b, l);
  cl_extent extent = cl_extent_empty();
  for (int i = 0; i < d.count; i++) {
    v[i] = cl_vec_sub(q, p);
    n[i] = of_b ? e : cl_vec_mul(m, -1);
    line[i] = of_b ? -beyond_edge(b, l, e, p) : -beyond_edge(a, k, m, q);
    if (i > 0 && same(n[i], n[i - 1])) join_lines(&line[i], &line[i - 1]);
    cl_extent_add(&extent, v[i]);
    cl_vec way = cl_edge_way(of_b ? e : m, of_b, true);
    if (of_b) l = cl_convex_next(b, l), q = cl_convex_vertex(b, l), e = cl_convex_normal(b, l);
    else k = cl_convex_next(a, k), p = cl_convex_vertex(a, k), m = cl_convex_normal(a, k);
    if (both)
      of_b = cl_edge_turns_less(cl_edge_way(m, false, true), cl_edge_way(e, true, true), way, true);
  }
  if (d.count > 1 && same(n[0], n[d.count - 1])) join_lines(&line[0], &line[d.count - 1]);
  d.bounds = cl_bounds_grown(cl_extent_bounds(&extent), d.r);
  return d;
}

static int corner_after(const difference *d, int i) { return i + 1 < d->count ? i + 1 : 0; }

// How far x is outside the line through the edge that begins at corner i.
static double beyond_line(const difference *d, int i, cl_vec x) {
  return cl_vec_dot(x, d->n[i]) - d->line[i];
}

// Whether x is beside the edge that begins at corner i, not past its ends.
static bool beside_edge(const difference *d, int i, cl_vec x) {
  cl_vec v = d->v[i], w = d->v[corner_after(d, i)], e = cl_vec_sub(w, v);
  return cl_vec_dot(cl_vec_sub(x, v), e) >= 0 && cl_vec_dot(cl_vec_sub(x, w), e) <= 0;
}

// Whether x is nearer than `reach` to the corner i or the edge that begins there.
static bool is_near(const difference *d, int i, cl_vec x, double reach) {
  cl_vec p = cl_vec_sub(x, d->v[i]);
  if (cl_vec_dot(p, p) < reach * reach) return true;
  return d->count > 1 && fabs(beyond_line(d, i, x)) < reach && beside_edge(d, i, x);
}

// Whether x is inside, deeper than `depth`, which may be negative.
static bool difference_holds(const difference *d, cl_vec x, double depth) {
  const cl_bounds *b = &d->bounds;
  if (x.x <= b->l + depth || x.x >= b->r - depth || x.y <= b->t + depth || x.y >= b->b - depth)
    return false;
  double reach = d->r - depth, most = -DBL_MAX;
  if (d->count > 1) {
    for (int i = 0; i < d->count; i++) {
      most = cl_max(most, beyond_line(d, i, x));
      if (most >= reach) return false;
    }
    if (d->r == 0 || (!d->flat && most <= 0)) return true;
  }
  for (int i = 0; i < d->count; i++)
    if (is_near(d, i, x, reach)) return true;
  return false;
}

// How far from x along `way` the line leaves the circle of radius r about v; -DBL_MAX if it does
// not meet it.
static double leave_circle(cl_vec x, cl_vec way, cl_vec v, double r) {
  cl_vec p = cl_vec_sub(v, x);
  double along = cl_vec_dot(p, way), across = cl_vec_cross(p, way), half = r * r - across * across;
  return half < 0 ? -DBL_MAX : along + sqrt(half);
}

// Where a line through x along the unit vector `way` leaves the depth `depth` (not above 0), as the
// distance from x: below 0 if that is behind x, -DBL_MAX if it does nowhere. All points of the line
// give the same place, except for rounding.
static double exit_along(const difference *d, cl_vec x, cl_vec way, double depth) {
  assert(depth <= 0 && (way.x != 0 || way.y != 0));
  double reach = d->r - depth;
  if (d->r == 0) { // out of the first of its half-planes
    double least = DBL_MAX;
    for (int i = 0; i < d->count; i++) {
      double rate = cl_vec_dot(d->n[i], way);
      if (rate > 0) least = cl_min(least, (reach - beyond_line(d, i, x)) / rate);
    }
    return least < DBL_MAX ? least : -DBL_MAX;
  }
  // The difference is convex, and the union of circles about the corners and bands beside the
  // edges: the answer is where the line leaves the last of them.
  double most = -DBL_MAX;
  for (int i = 0; i < d->count; i++) {
    most = cl_max(most, leave_circle(x, way, d->v[i], reach));
    double rate = cl_vec_dot(d->n[i], way);
    if (rate <= 0) continue;
    double t = (reach - beyond_line(d, i, x)) / rate;
    if (t > most && beside_edge(d, i, cl_vec_add(x, cl_vec_mul(way, t)))) most = t;
  }
  return most;
}

// How far v is from u in the direction `winding`, from 0 to 4 for a full circle: grows with the
// angle. Both are unit vectors.
static double pseudo_angle(cl_vec u, cl_vec v, int winding) {
  double along = cl_vec_dot(u, v), across = winding * cl_vec_cross(u, v);
  double size = fabs(along) + fabs(across);
  double share = size > 0 ? across / size : 0;
  if (along < 0) return 2 - share;
  return across < 0 ? 4 + share : share;
}

// A walk round a circle, and the nearest place so far where it leaves the difference.
typedef struct round_walk {
  cl_vec c, u, best;
  double radius, least;
  int winding;
} round_walk;

static cl_vec at_turn(const round_walk *w, cl_vec u) {
  return cl_vec_add(w->c, cl_vec_mul(u, w->radius));
}

// The end, in the direction of the walk, of the arc about the unit vector `middle` with this cosine
// of half its angle; with `entering` the end that a walk from outside reaches first.
static cl_vec arc_end(const round_walk *w, cl_vec middle, double cosine, bool entering) {
  double sine = sqrt(cl_max(1 - cosine * cosine, 0)) * (entering ? -w->winding : w->winding);
  cl_vec up = {-middle.y, middle.x};
  return cl_vec_add(cl_vec_mul(middle, cosine), cl_vec_mul(up, sine));
}

static void take_end(round_walk *w, cl_vec u) {
  double turned = pseudo_angle(w->u, u, w->winding);
  bool equal = turned == w->least && cl_vec_goes_first(u, w->best);
  if (turned < w->least || equal) w->least = turned, w->best = u;
}

// As exit_along, round a circle: from the point at the unit vector `u` from its centre c, in the
// positive direction (winding = 1) or the negative one (-1). Returns the unit vector at which the
// walk leaves the difference, or `u` if it never does.
static cl_vec exit_round(const difference *d, cl_vec c, double radius, cl_vec u, int winding,
                         double depth) {
  round_walk w = {c, u, u, radius, 4, winding};
  double reach = d->r - depth;
  for (int i = 0; i < d->count; i++) {
    // The exit through the line beside an edge, if that is the boundary there.
    double cosine = d->count > 1 ? (reach - beyond_line(d, i, c)) / radius : 2;
    if (fabs(cosine) < 1) {
      cl_vec end = arc_end(&w, d->n[i], cosine, true);
      if (d->r == 0 || beside_edge(d, i, at_turn(&w, end))) take_end(&w, end);
    }
    if (d->r == 0) continue;
    // The exit from the circle about a corner, if nothing else contains it.
    cl_vec way = cl_vec_sub(d->v[i], c);
    double gap = cl_vec_normalise(&way);
    if (gap == 0) continue;
    cosine = (radius * radius + gap * gap - reach * reach) / (2 * radius * gap);
    if (fabs(cosine) >= 1) continue;
    cl_vec end = arc_end(&w, way, cosine, false);
    double slack = CL_MEET * (radius + reach);
    if (!difference_holds(d, at_turn(&w, end), depth + slack)) take_end(&w, end);
  }
  return w.best;
}

// --- the search ---

// The most differences in a box, and their corners. A straight way leaves a part with more than
// FEW_CORNERS corners by its extents alone, and is given up after STOPS stops.
enum { MOST_PAIRS = 64, MOST_CORNERS = 384, FEW_CORNERS = 64, STOPS = 16 };

// Making one corner of a difference takes STEPS_A_CORNER steps of work; BOUNDS_A_STEP bounds are
// compared in one step.
enum { STEPS_A_CORNER = 4, BOUNDS_A_STEP = 2 };

// The differences that reach into the box being searched, slightly enlarged. They take much of the
// stack that a call may need, so they live only while boxes are searched, and the order of their
// sides only while one box is.
typedef struct nearby {
  cl_bounds box;
  int last; // the difference that contained the last place
  int count, corners;
  difference difference[MOST_PAIRS];
  cl_vec v[MOST_CORNERS], n[MOST_CORNERS];
  double line[MOST_CORNERS];
} nearby;

// Coordinates are translations of a. `best` points from 0, 0 to the best place so far, and
// `simple` to the best along a straight way.
typedef struct search {
  const cl_placed *a, *b;
  cl_vec origin;
  cl_hit best, simple;
  double tolerance;
  bool seams;      // thin parts may lie on seams
  long work, kept; // steps left, and of these kept for boxes
  nearby *near;    // while boxes are searched
} search;

// Takes steps from the remaining ones.
static void spend(search *s, long steps) {
  s->work -= steps;
  CL_WORK(steps);
}

// The depth from which a difference contains a place, and the depth at which a walk leaves it.
static double held_depth(const search *s, bool thin) {
  return thin && s->seams ? -s->tolerance : s->tolerance;
}
static double left_depth(const search *s, bool thin) {
  return thin && s->seams ? -2 * s->tolerance : 0;
}

// --- straight ways ---

// Whether the two parts of the current pair overlap deeper than `depth`.
static bool are_deeper(cl_part_pairs *at, double depth) {
  cl_part_pairs_place(at);
  const cl_convex *p = &at->p, *q = &at->q;
  double reach = p->r + q->r - depth;
  if (p->n + q->n == 2)
    return cl_vec_length(cl_vec_sub(cl_convex_vertex(q, 0), cl_convex_vertex(p, 0))) < reach;
  cl_axis axis = cl_convex_axis(p, q, reach);
  if (axis.separation >= reach) return false;
  // Collinear segments have no separation, however far apart they are on the line.
  bool flat = p->n <= 2 && q->n <= 2;
  if (p->r + q->r == 0 || axis.separation < (flat ? -cl_convex_error(p, q) : 0)) return true;
  return cl_convex_closest(p, q, &axis).distance < reach;
}

// How far the first part has to move along `way` to leave the second.
static double straight_out(search *s, cl_part_pairs *at, cl_vec way) {
  const cl_convex *p = &at->p, *q = &at->q;
  int corners = corners_of(p, q);
  spend(s, STEPS_A_CORNER * corners);
  double depth = left_depth(s, cl_part_pairs_thin(at));
  if (corners > FEW_CORNERS) {
    cl_vec last = cl_convex_vertex(p, cl_convex_support(p, (cl_vec){-way.x, -way.y}));
    cl_vec first = cl_convex_vertex(q, cl_convex_support(q, way));
    return (cl_vec_dot(first, way) - cl_vec_dot(last, way)) + (p->r + q->r) - depth;
  }
  cl_vec v[FEW_CORNERS], n[FEW_CORNERS];
  double line[FEW_CORNERS];
  difference d = difference_of(p, q, v, n, line);
  return cl_max(exit_along(&d, (cl_vec){0, 0}, way, depth), 0);
}

// The farthest that any pair still has to move along `way` from x; 0 if x is free. Returns early
// once it is more than `enough`. -1 if the steps run out.
static CL_SELDOM double blocked(search *s, cl_vec x, cl_vec way, double enough) {
  cl_placed moved = *s->a;
  moved.x += x.x, moved.y += x.y;
  double most = 0;
  cl_part_pairs at;
  cl_part_pairs_begin(&at, &moved, s->b, (cl_bounds){0, 0, 0, 0}, s->origin);
  while (most < enough && cl_part_pairs_next(&at)) {
    spend(s, cl_part_pairs_spent(&at));
    if (s->work <= s->kept) return -1;
    if (!are_deeper(&at, held_depth(s, cl_part_pairs_thin(&at)))) continue;
    double out = straight_out(s, &at, way);
    most = cl_max(most, cl_max(out, s->tolerance));
  }
  spend(s, at.at.steps); // those after the last pair
  return most;
}

// Goes from 0, 0 along a unit vector, beginning at `from`, until no difference contains the place.
// If it is nearer than the best so far, makes it the best and returns true. If parts may lie on
// seams, the place has to stay free a little farther on.
static bool go_straight(search *s, cl_vec way, double from) {
  double t = from, lift = s->seams ? 2 * s->tolerance : 0;
  for (int i = 0; i < STOPS && t < s->best.depth; i++) {
    double on = blocked(s, cl_vec_mul(way, t + lift), way, s->best.depth - t);
    if (on < 0) return false;
    if (on == 0) {
      s->best = (cl_hit){way.x, way.y, t};
      return true;
    }
    t += on;
  }
  return false;
}

// Takes the place at this distance along a way if nothing contains it.
static bool take_place(search *s, cl_vec way, double distance) {
  double lift = s->seams ? 2 * s->tolerance : 0;
  if (blocked(s, cl_vec_mul(way, distance + lift), way, DBL_MIN) != 0) return false;
  s->best = (cl_hit){way.x, way.y, distance};
  return true;
}

// --- the boundary in a box ---

// How far from a free place the corner next to it may be, in tolerances.
enum { NEXT_TO = 64 };

// Takes a free place unless the best so far is nearer, or a simple one is as near. The order in
// which places are found does not matter.
static void offer(search *s, cl_vec x, cl_vec normal) {
  double distance = cl_vec_length(x);
  if (distance >= s->simple.depth - s->tolerance || distance > s->best.depth) return;
  cl_vec way = distance > 4 * s->tolerance ? x : normal, known = {s->best.nx, s->best.ny};
  cl_vec_normalise(&way);
  // As in cl_convex_axis, for the way out of b.
  if (distance == s->best.depth && !cl_vec_goes_first(way, known)) return;
  s->best = (cl_hit){way.x, way.y, distance};
}

// A difference that contains x, or -1. With `lenient`, thin ones are treated like others. Bounds
// rule out most of them; several are compared in a step.
static int holder_of(search *s, cl_vec x, bool lenient) {
  nearby *near = s->near;
  for (int i = -1; i < near->count; i++) {
    int k = i < 0 ? near->last : i;
    const difference *d = &near->difference[k];
    if (!cl_bounds_hold(d->bounds, x)) continue;
    spend(s, d->count);
    if (!difference_holds(d, x, held_depth(s, d->thin && !lenient))) continue;
    spend(s, i / BOUNDS_A_STEP);
    return near->last = k;
  }
  spend(s, near->count / BOUNDS_A_STEP);
  return -1;
}

// Takes the place `exact`, where boundaries meet, in place of the free place next to it, if it is
// free and not far. Nearly parallel boundaries, such as a line beside a round part, may meet
// farther away, where there is no room for thin parts, or outside the box, where the differences
// are not known.
static void offer_corner(search *s, cl_vec exact, cl_vec free, cl_vec normal) {
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

// Walks along an edge from `t` on, in the direction `sign`. Exits are measured from the foot, so
// that their order does not matter.
static void walk_edge(search *s, const difference *d, int i, const line *e, double t, int sign) {
  cl_vec n = d->n[i], way = cl_vec_mul(e->way, sign);
  cl_vec lift = cl_vec_mul(n, -left_depth(s, d->thin));
  double exact = t, slack = s->tolerance;
  while (t >= e->from - slack && t <= e->to + slack && s->work > 0) {
    cl_vec x = at_place(e, t);
    if (cl_vec_length(x) > s->best.depth || !cl_bounds_hold(s->near->box, x)) return;
    int k = holder_of(s, cl_vec_add(x, lift), false);
    if (k < 0) {
      offer_corner(s, at_place(e, exact), cl_vec_add(x, lift), n);
      return;
    }
    const difference *held = &s->near->difference[k];
    spend(s, held->count);
    double left = left_depth(s, held->thin);
    double to = exit_along(held, cl_vec_add(e->foot, lift), way, left);
    if (to <= sign * t) return;
    // Where the boundaries themselves meet.
    bool lifted = s->seams && (d->thin || held->thin);
    exact = sign * (lifted ? exit_along(held, e->foot, way, 0) : to);
    t = sign * to;
  }
}

static line line_of(const difference *d, int i) {
  cl_vec n = d->n[i], way = {-n.y, n.x}, v = d->v[i], w = d->v[i + 1 < d->count ? i + 1 : 0];
  return (line){cl_vec_mul(n, d->line[i] + d->r), way, cl_vec_dot(v, way), cl_vec_dot(w, way)};
}

// The box in which walks begin: smaller, so that rounding cannot put them outside.
static cl_bounds inside(const search *s) {
  return cl_bounds_grown(s->near->box, -4 * s->tolerance);
}

// Searches the part of the edge inside the box, from the point nearest to 0, 0 on.
static void search_edge(search *s, const difference *d, int i) {
  line e = line_of(d, i);
  double from = e.from, to = e.to;
  cl_bounds box = inside(s);
  cl_clip_slab(box.l - e.foot.x, box.r - e.foot.x, e.way.x, &from, &to);
  cl_clip_slab(box.t - e.foot.y, box.b - e.foot.y, e.way.y, &from, &to);
  if (from > to) return;
  double t = cl_max(from, cl_min(0, to));
  if (t < to || from == to) walk_edge(s, d, i, &e, t, 1);
  if (t > from) walk_edge(s, d, i, &e, t, -1);
}

// Walks along the arc about corner i from u as far as `end`.
static void walk_arc(search *s, const difference *d, int i, cl_vec u, cl_vec end, int winding) {
  double lift = -left_depth(s, d->thin), gone = 0;
  double whole = end.x == 0 && end.y == 0 ? 4 : pseudo_angle(u, end, winding);
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
    const difference *held = &s->near->difference[k];
    double left = left_depth(s, held->thin);
    spend(s, 4 * held->count * held->count);
    cl_vec next = exit_round(held, c, d->r + lift, u, winding, left);
    bool apart = s->seams && (d->thin || held->thin);
    exact = apart ? exit_round(held, c, d->r, u, winding, 0) : next;
    u = next;
    double turned = pseudo_angle(first, u, winding);
    if (turned <= gone || turned > whole) return;
    gone = turned;
  }
}

static bool on_arc(cl_vec from, cl_vec u, cl_vec to) {
  return cl_vec_cross(from, u) >= 0 && cl_vec_cross(u, to) >= 0;
}

// Walks from u in both directions, if it is on the arc and in the box.
static void search_arc_from(search *s, const difference *d, int i, cl_vec u) {
  cl_vec from = d->n[i > 0 ? i - 1 : d->count - 1], to = d->n[i];
  if (!on_arc(from, u, to)) return; // one point has the full circle, its normal being 0, 0
  if (!cl_bounds_hold(s->near->box, cl_vec_add(d->v[i], cl_vec_mul(u, d->r)))) return;
  walk_arc(s, d, i, u, to, 1);
  walk_arc(s, d, i, u, from, -1);
}

// Walks from where the circle about corner i crosses the line at `at` across an axis.
static void search_arc_at(search *s, const difference *d, int i, double at, bool across) {
  cl_vec c = d->v[i];
  double cosine = (at - (across ? c.x : c.y)) / d->r;
  if (fabs(cosine) > 1) return;
  double sine = sqrt(1 - cosine * cosine);
  search_arc_from(s, d, i, across ? (cl_vec){cosine, sine} : (cl_vec){sine, cosine});
  search_arc_from(s, d, i, across ? (cl_vec){cosine, -sine} : (cl_vec){-sine, cosine});
}

// The nearest point inside the box is the one nearest to 0, 0 on the circle, an end of the arc, or
// on a side of the box.
static void search_arc(search *s, const difference *d, int i) {
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

// A heap of sides, the nearest on top (Williams 1964). Each has a lower bound of its distance from
// 0, 0, its difference, its corner, and whether it is the edge that begins there or the arc about
// it. This is also the order of equally near sides.
enum { ARC = 1, CORNER = 2, DIFFERENCE = 1024 };
typedef struct sides {
  int count;
  double near[2 * MOST_CORNERS];
  uint16_t side[2 * MOST_CORNERS];
} sides;

_Static_assert(MOST_CORNERS *CORNER <= DIFFERENCE, "a corner fits in a side");
_Static_assert(MOST_PAIRS *DIFFERENCE <= UINT16_MAX + 1, "a side fits in 16 bits");

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

static void push_sides(const search *s, int k, sides *h) {
  const difference *d = &s->near->difference[k];
  for (int i = 0; i < d->count; i++) {
    line e = line_of(d, i);
    unsigned side = (unsigned)(k * DIFFERENCE + i * CORNER);
    double edge = distance_of_edge(&e);
    double arc = fabs(cl_vec_length(d->v[i]) - d->r) + s->tolerance; // after an edge as near
    if (d->count > 1 && edge <= s->best.depth) push_side(h, edge, side);
    if (d->r > 0 && arc < s->best.depth) push_side(h, arc, side + ARC);
  }
}

// Searches the boundary of the collected differences within the box.
static void search_boundary(search *s) {
  sides h; // large: filled in as needed
  h.count = 0;
  for (int k = 0; k < s->near->count; k++) push_sides(s, k, &h);
  while (h.count > 0 && s->work > 0) {
    double near = h.near[0];
    unsigned side = h.side[0];
    pop_side(&h);
    spend(s, 8);
    if (near > s->best.depth) return;
    const difference *d = &s->near->difference[side / DIFFERENCE];
    int i = (int)(side % DIFFERENCE / CORNER);
    if (side & ARC) search_arc(s, d, i);
    else search_edge(s, d, i);
  }
}

// --- boxes ---

// How often a box is split at most.
enum { LEVELS = 12 };

// Takes straight ways out of the bounds along the axes.
static void leave_bounds(search *s, cl_bounds a, cl_bounds b) {
  const cl_hit ways[4] = {
      {-1, 0, a.r - b.l}, {1, 0, b.r - a.l}, {0, -1, a.b - b.t}, {0, 1, b.b - a.t}};
  for (int i = 0; i < 4; i++)
    if (ways[i].depth < s->best.depth) s->best = ways[i];
}

static void go_along_axes(search *s) {
  static const cl_vec ways[4] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (int i = 0; i < 4; i++) go_straight(s, ways[i], 0);
}

static double distance_of_box(cl_bounds b) {
  double x = cl_max(cl_max(b.l, -b.r), 0), y = cl_max(cl_max(b.t, -b.b), 0);
  return sqrt(x * x + y * y);
}

typedef enum region { REGION_FEW, REGION_MANY, REGION_HELD } region;

// Whether a difference contains a whole box: it is convex, so testing the corners is enough.
static bool holds_box(search *s, const difference *d, cl_bounds box) {
  const cl_vec corner[4] = {{box.l, box.t}, {box.r, box.t}, {box.r, box.b}, {box.l, box.b}};
  for (int i = 0; i < 4; i++) {
    if (!cl_bounds_hold(d->bounds, corner[i])) return false;
    spend(s, d->count);
    if (!difference_holds(d, corner[i], held_depth(s, d->thin))) return false;
  }
  return true;
}

// An order by properties that all images of a difference share: its middle, then its size.
static bool comes_first(const difference *d, const difference *e) {
  const cl_bounds *b = &d->bounds, *c = &e->bounds;
  double x = fabs(b->l + b->r), y = fabs(b->t + b->b), u = fabs(c->l + c->r), v = fabs(c->t + c->b);
  double most = cl_max(x, y), other = cl_max(u, v), less = cl_min(x, y), least = cl_min(u, v);
  if (most != other || less != least) return most < other || (most == other && less < least);
  double size = (b->r - b->l) + (b->b - b->t), sum = (c->r - c->l) + (c->b - c->t);
  return size != sum ? size < sum : d->r < e->r;
}

// Shell 1959.
static void sort_differences(difference *d, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++) {
      difference moved = d[i];
      int k = i;
      for (; k >= gap && comes_first(&moved, &d[k - gap]); k -= gap) d[k] = d[k - gap];
      d[k] = moved;
    }
}

// Whether an edge separates a difference from a box by more than the tolerances of the search: the
// bounds of long, slanting differences touch many boxes that they do not reach into.
static bool misses_box(search *s, const difference *d, cl_bounds box) {
  cl_vec centre = {(box.l + box.r) / 2, (box.t + box.b) / 2};
  double w = (box.r - box.l) / 2, h = (box.b - box.t) / 2, reach = d->r + 4 * s->tolerance;
  spend(s, d->count / 2);
  for (int i = 0; i < d->count; i++) {
    double away = cl_vec_dot(d->n[i], centre) - d->line[i];
    if (away - (fabs(d->n[i].x) * w + fabs(d->n[i].y) * h) > reach) return true;
  }
  return false;
}

// Collects the differences that reach into the box, until there is no room, unless one contains the
// whole box.
static CL_SELDOM region collect(search *s) {
  nearby *near = s->near;
  cl_part_pairs at;
  near->count = near->corners = near->last = 0;
  cl_part_pairs_begin(&at, s->a, s->b, near->box, s->origin);
  while (cl_part_pairs_next(&at)) {
    spend(s, cl_part_pairs_spent(&at));
    cl_part_pairs_place(&at);
    int corners = corners_of(&at.p, &at.q), from = near->corners;
    if (corners < 3 && at.p.r + at.q.r == 0) continue; // without interior
    if (near->count == MOST_PAIRS || from + corners > MOST_CORNERS) return REGION_MANY;
    spend(s, STEPS_A_CORNER * corners);
    difference *d = &near->difference[near->count];
    *d = difference_of(&at.p, &at.q, near->v + from, near->n + from, near->line + from);
    if (!cl_bounds_touch(d->bounds, near->box) || misses_box(s, d, near->box)) continue;
    if (holds_box(s, d, near->box)) return REGION_HELD;
    near->count++;
    near->corners += corners;
  }
  spend(s, at.at.steps); // those after the last pair
  sort_differences(near->difference, near->count);
  return REGION_FEW;
}

// Splits the box into quarters, nearer ones first, until the differences in one fit.
static void search_box(search *s, cl_bounds box, int level) {
  if (distance_of_box(box) >= s->best.depth || s->work <= 0) return;
  s->near->box = cl_bounds_grown(box, 8 * s->tolerance);
  region is = collect(s);
  if (is == REGION_FEW) search_boundary(s);
  if (is != REGION_MANY || level == LEVELS) return;
  double x = level == 0 ? 0 : (box.l + box.r) / 2, y = level == 0 ? 0 : (box.t + box.b) / 2;
  bool left = x > 0, above = y > 0; // where 0, 0 is
  for (int i = 0; i < 4; i++) {
    bool l = left != (i & 1), t = above != (i >> 1);
    search_box(s, (cl_bounds){l ? box.l : x, t ? box.t : y, l ? x : box.r, t ? y : box.b},
               level + 1);
  }
}

// Not inlined, so that its large stack frame does not add to that of earlier stages.
static CL_SELDOM void search_boxes(search *s) {
  nearby near; // large: filled in as needed
  double far = s->best.depth;
  s->near = &near;
  search_box(s, (cl_bounds){-far, -far, far, far}, 0);
  s->near = NULL;
}

// Whether a part of one can lie between parts of the other that touch. Cells of tiles are several
// parts.
static bool has_seams(const cl_placed *a, const cl_placed *b) {
  bool many_a = a->shape->part_count != 1, many_b = b->shape->part_count != 1;
  return ((a->shape->flags & CL_SHAPE_THIN) && many_b) ||
         ((b->shape->flags & CL_SHAPE_THIN) && many_a);
}

// A deepest pair's own way out is the shortest if it leaves everything. If a part is in the middle
// of another or at its corner, other images of that way are as short, so these are tried, too.
// Returns whether a way leaves everything, perhaps farther on.
static bool go_own_ways(search *s, const cl_deepest *deepest) {
  bool out_so = false;
  for (int i = 0; i < deepest->count; i++) {
    const cl_hit *h = &deepest->way[i].out;
    cl_vec way = {-h->nx, -h->ny};
    out_so = go_straight(s, way, h->depth) || out_so;
    if (out_so && s->best.depth == h->depth) return true;
    for (int k = 0; k < 8; k++)
      if (deepest->way[i].images >> k & 1 && take_place(s, cl_mtv_image(way, k), h->depth))
        return true;
  }
  return out_so;
}

void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_deepest *deepest, long work,
            cl_effort *effort, cl_hit *out) {
  assert(deepest->overlaps >= 0 && deepest->count >= 0);
  search s;
  cl_bounds box_a = cl_placed_bounds(a), box_b = cl_placed_bounds(b);
  s.a = a;
  s.b = b;
  s.origin = cl_convex_origin(a, b);
  s.seams = has_seams(a, b);
  s.work = work;
  s.kept = work - work / 4;
  s.tolerance = cl_max((s.seams ? 0x1p-45 : 0x1p-42) *
                           cl_max(cl_bounds_largest(box_a), cl_bounds_largest(box_b)),
                       2 * (cl_placed_error(a) + cl_placed_error(b)));
  s.best = (cl_hit){0, 0, DBL_MAX};
  double depth = deepest->count > 0 ? deepest->way[0].out.depth : 0;
  bool out_so = go_own_ways(&s, deepest), shortest = out_so && s.best.depth == depth;
  if (!out_so || s.best.depth > 2 * depth) {
    leave_bounds(&s, box_a, box_b);
    go_along_axes(&s);
  }
  s.simple = s.best;
  if (!shortest && deepest->overlaps < effort->pairs) search_boxes(&s);
  effort->spent += work - s.work;
  *out = (cl_hit){-s.best.nx, -s.best.ny, s.best.depth}; // b moves against its difference
}
