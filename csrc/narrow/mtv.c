// collide, MIT licence (see LICENSE)
//
// The way out of a union of convex sets. Layer: narrow.
//
// The nearest free point lies on the boundary of a difference: it is the foot of 0, 0 on a
// side of one, or the corner between the sides of two. So the sides are gone through, the
// nearest first. On each a walk begins at the point nearest to 0, 0: as long as some other
// difference holds the place, it goes on to where that one is left, and ends where none
// does, or where it is farther than the best so far.
//
// The first bounds come from straight ways: the deepest pair's, and along the axes.

#include "narrow/mtv.h"

#include "base/work.h"
#include "narrow/difference.h"
#include "narrow/part_pairs.h"

// A straight way is given up after so many stops. Beyond so many corners a difference is
// left by the extent of its parts alone. A corner that is made takes so many steps of work.
enum { STOPS = 16, FEW_CORNERS = 64, STEPS_A_CORNER = 4, BOUNDS_A_STEP = 4 };

// No box is cut more often.
enum { LEVELS = 12 };

// Side `corner` of a difference: the edge that begins there, or the arc about it.
typedef struct side {
  double near; // a lower bound of its distance from 0, 0
  uint16_t difference, corner;
  bool arc;
} side;

// Coordinates are translations of a. `best` points from 0, 0 to the best place so far.
typedef struct search {
  const cl_placed *a, *b;
  cl_vec origin;
  cl_hit best;
  double tolerance;
  bool seams;          // where thin parts may lie on
  long work, straight; // steps that are left, in all and for straight ways
  cl_bounds box;       // that is searched, and a little more; what follows is of it
  int last;            // the difference that held the last place
  int count, corners, sides;
  cl_difference difference[CL_MTV_PAIRS];
  cl_vec v[CL_MTV_CORNERS], n[CL_MTV_CORNERS];
  side heap[2 * CL_MTV_CORNERS];
} search;

static void spend(search *s, long steps) {
  s->work -= steps;
  s->straight -= steps;
  CL_WORK(steps);
}

// What it took to come to a pair, and to place it.
static void spend_pairs(search *s, cl_part_pairs *at) {
  spend(s, at->steps + cl_part_pairs_vertices(at));
  at->steps = 0;
}

// At which depth a difference begins to hold a place, and at which it is left.
static double held_depth(const search *s, bool thin) {
  return thin && s->seams ? -s->tolerance : s->tolerance;
}
static double left_depth(const search *s, bool thin) {
  return thin && s->seams ? -2 * s->tolerance : 0;
}

// Takes a free place unless the best so far is as near: what came earlier is simpler.
static void offer(search *s, cl_vec x, cl_vec normal) {
  double distance = cl_vec_length(x);
  if (distance >= s->best.depth - s->tolerance) return;
  cl_vec way = distance > 4 * s->tolerance ? x : normal;
  cl_vec_normalise(&way);
  s->best = (cl_hit){way.x, way.y, distance};
}

// --- straight ways -------------------------------------------------------------------

// Whether the pair at hand is deeper in one another than `depth`, which no pair is whose
// bounds are not.
static bool are_deeper(cl_part_pairs *at, double depth) {
  const cl_bounds *a = &at->one, *b = &at->two;
  if (a->r - b->l <= depth || b->r - a->l <= depth || a->b - b->t <= depth || b->b - a->t <= depth)
    return false;
  cl_part_pairs_place(at);
  const cl_convex *p = &at->p, *q = &at->q;
  double reach = p->r + q->r - depth;
  if (p->n + q->n == 2)
    return cl_vec_length(cl_vec_sub(cl_convex_vertex(q, 0), cl_convex_vertex(p, 0))) < reach;
  cl_axis axis = cl_convex_axis(p, q, reach);
  if (axis.separation >= reach) return false;
  if (p->r + q->r == 0 || (axis.separation <= 0 && p->n + q->n > 3)) return true;
  return cl_convex_closest(p, q, &axis).distance < reach;
}

// How far the first part has to go along `way` to leave the second.
static double straight_out(search *s, cl_part_pairs *at, cl_vec way) {
  const cl_convex *p = &at->p, *q = &at->q;
  int corners = cl_difference_corners(p, q);
  spend(s, STEPS_A_CORNER * corners);
  double depth = left_depth(s, cl_part_pairs_thin(at));
  if (corners > FEW_CORNERS) {
    cl_vec last = cl_convex_vertex(p, cl_convex_support(p, (cl_vec){-way.x, -way.y}));
    cl_vec first = cl_convex_vertex(q, cl_convex_support(q, way));
    return cl_vec_dot(cl_vec_sub(first, last), way) + p->r + q->r - depth;
  }
  cl_vec v[FEW_CORNERS], n[FEW_CORNERS];
  cl_difference d = cl_difference_of(p, q, v, n);
  return cl_difference_leave(&d, (cl_vec){0, 0}, way, depth);
}

// The farthest that any pair has to go on along `way` from x, 0 when x is free, and as soon
// as it is more than `enough` that; -1 where there is no time to tell.
static double blocked(search *s, cl_vec x, cl_vec way, double enough) {
  cl_placed moved = *s->a;
  moved.x += x.x, moved.y += x.y;
  double most = 0;
  cl_part_pairs at;
  cl_part_pairs_begin(&at, &moved, s->b, (cl_bounds){0, 0, 0, 0}, s->origin);
  while (most < enough && cl_part_pairs_next(&at)) {
    spend_pairs(s, &at);
    if (s->straight <= 0) return -1;
    if (!are_deeper(&at, held_depth(s, cl_part_pairs_thin(&at)))) continue;
    double out = straight_out(s, &at, way);
    most = cl_max(most, cl_max(out, s->tolerance));
  }
  return most;
}

// From 0, 0 along a unit vector, beginning at `from`, until nothing holds the place; whether
// that is nearer than the best so far, which it then is. Where parts may lie on seams the
// place has to be free a little farther on.
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

// Out of the bounds is out of the shapes.
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

// --- the boundary of the union -------------------------------------------------------

static double distance_of_box(cl_bounds b) {
  double x = cl_max(cl_max(b.l, -b.r), 0), y = cl_max(cl_max(b.t, -b.b), 0);
  return sqrt(x * x + y * y);
}

typedef enum region { REGION_FEW, REGION_MANY, REGION_HELD } region;

static bool box_holds(cl_bounds b, cl_vec x) {
  return x.x >= b.l && x.x <= b.r && x.y >= b.t && x.y <= b.b;
}

// Whether a difference holds a whole box: it is convex, so its corners will do.
static bool holds_box(search *s, const cl_difference *d, cl_bounds box) {
  const cl_vec corner[4] = {{box.l, box.t}, {box.r, box.t}, {box.r, box.b}, {box.l, box.b}};
  for (int i = 0; i < 4; i++) {
    if (!box_holds(d->bounds, corner[i])) return false;
    spend(s, d->count);
    if (!cl_difference_holds(d, corner[i], held_depth(s, d->thin))) return false;
  }
  return true;
}

// Collects the differences that come into the box, up to what there is room for, unless one
// holds all of it.
static region collect(search *s) {
  cl_part_pairs at;
  s->count = s->corners = s->last = 0;
  cl_part_pairs_begin(&at, s->a, s->b, s->box, s->origin);
  while (cl_part_pairs_next(&at)) {
    spend_pairs(s, &at);
    cl_part_pairs_place(&at);
    int corners = cl_difference_corners(&at.p, &at.q);
    if (corners < 3 && at.p.r + at.q.r == 0) continue; // without inside
    if (s->count == CL_MTV_PAIRS || s->corners + corners > CL_MTV_CORNERS) return REGION_MANY;
    spend(s, STEPS_A_CORNER * corners);
    cl_difference *d = &s->difference[s->count];
    *d = cl_difference_of(&at.p, &at.q, s->v + s->corners, s->n + s->corners);
    if (!cl_bounds_touch(d->bounds, s->box)) continue;
    if (holds_box(s, d, s->box)) return REGION_HELD;
    s->count++;
    s->corners += corners;
  }
  return REGION_FEW;
}

// The difference that holds x, or -1. With `lenient` thin ones do as others do. Most are out
// of the question by their bounds, several of which are compared in a step.
static int holder_of(search *s, cl_vec x, bool lenient) {
  for (int i = -1; i < s->count; i++) {
    int k = i < 0 ? s->last : i;
    const cl_difference *d = &s->difference[k];
    if (x.x < d->bounds.l || x.x > d->bounds.r || x.y < d->bounds.t || x.y > d->bounds.b) continue;
    spend(s, d->count);
    if (!cl_difference_holds(d, x, held_depth(s, d->thin && !lenient))) continue;
    spend(s, i / BOUNDS_A_STEP);
    return s->last = k;
  }
  spend(s, s->count / BOUNDS_A_STEP);
  return -1;
}

// Takes the place `exact`, where boundaries meet, for the free one next to it, if it is.
static void offer_corner(search *s, cl_vec exact, cl_vec free, cl_vec normal) {
  offer(s, holder_of(s, exact, true) < 0 ? exact : free, normal);
}

// Along an edge from `t` on, in the direction `sign`.
static void walk_edge(search *s, const cl_difference *d, int i, double t, double length, int sign) {
  cl_vec n = d->n[i], way = {-n.y * sign, n.x * sign};
  cl_vec start = cl_vec_add(d->v[i], cl_vec_mul(n, d->r));
  cl_vec lift = cl_vec_mul(n, -left_depth(s, d->thin));
  double exact = t, slack = s->tolerance;
  while (t >= -slack && t <= length + slack && s->work > 0) {
    cl_vec x = cl_vec_add(start, cl_vec_mul(way, sign * t));
    if (cl_vec_length(x) >= s->best.depth || !box_holds(s->box, x)) return;
    int k = holder_of(s, cl_vec_add(x, lift), false);
    if (k < 0) {
      cl_vec corner = cl_vec_add(start, cl_vec_mul(way, sign * exact));
      offer_corner(s, corner, cl_vec_add(x, lift), n);
      return;
    }
    const cl_difference *held = &s->difference[k];
    spend(s, held->count);
    double left = left_depth(s, held->thin);
    double on = cl_difference_leave(held, cl_vec_add(x, lift), way, left);
    if (on <= 0) return;
    // Where the boundaries themselves meet.
    bool lifted = s->seams && (d->thin || held->thin);
    exact = t + sign * (lifted ? cl_difference_leave(held, x, way, 0) : on);
    t += sign * on;
  }
}

// Cuts the range of t in which at + t * way is in low … high.
static void clip(double at, double way, double low, double high, double *from, double *to) {
  if (way == 0) {
    if (at < low || at > high) *to = -DBL_MAX;
    return;
  }
  double t = (low - at) / way, u = (high - at) / way;
  *from = cl_max(*from, cl_min(t, u));
  *to = cl_min(*to, cl_max(t, u));
}

// Of the part that lies in the box, from the point nearest to 0, 0 on.
static void search_edge(search *s, const cl_difference *d, int i) {
  cl_vec n = d->n[i], way = {-n.y, n.x};
  cl_vec start = cl_vec_add(d->v[i], cl_vec_mul(n, d->r));
  cl_vec w = d->v[i + 1 < d->count ? i + 1 : 0];
  double length = cl_vec_dot(cl_vec_sub(w, d->v[i]), way), from = 0, to = length;
  clip(start.x, way.x, s->box.l, s->box.r, &from, &to);
  clip(start.y, way.y, s->box.t, s->box.b, &from, &to);
  if (from > to) return;
  double t = cl_max(from, cl_min(-cl_vec_dot(start, way), to));
  walk_edge(s, d, i, t, length, 1);
  if (t > from) walk_edge(s, d, i, t, length, -1);
}

// Along the arc about corner i from u on, as far as `end`.
static void walk_arc(search *s, const cl_difference *d, int i, cl_vec u, cl_vec end, int turn) {
  double lift = -left_depth(s, d->thin), gone = 0;
  double whole = end.x == 0 && end.y == 0 ? 4 : cl_turn_between(u, end, turn);
  cl_vec first = u, exact = u, c = d->v[i];
  while (s->work > 0) {
    cl_vec x = cl_vec_add(c, cl_vec_mul(u, d->r));
    if (cl_vec_length(x) >= s->best.depth || !box_holds(s->box, x)) return;
    cl_vec lifted = cl_vec_add(x, cl_vec_mul(u, lift));
    int k = holder_of(s, lifted, false);
    if (k < 0) {
      offer_corner(s, cl_vec_add(c, cl_vec_mul(exact, d->r)), lifted, exact);
      return;
    }
    const cl_difference *held = &s->difference[k];
    double left = left_depth(s, held->thin);
    spend(s, 4 * held->count * held->count);
    cl_vec next = cl_difference_leave_arc(held, c, d->r + lift, u, turn, left);
    bool apart = s->seams && (d->thin || held->thin);
    exact = apart ? cl_difference_leave_arc(held, c, d->r, u, turn, 0) : next;
    u = next;
    double turned = cl_turn_between(first, u, turn);
    if (turned <= gone || turned > whole) return;
    gone = turned;
  }
}

static bool on_arc(cl_vec from, cl_vec u, cl_vec to) {
  return cl_vec_cross(from, u) >= 0 && cl_vec_cross(u, to) >= 0;
}

// From u on both ways round, if it is on the arc and in the box.
static void search_arc_from(search *s, const cl_difference *d, int i, cl_vec u) {
  cl_vec from = d->n[i > 0 ? i - 1 : d->count - 1], to = d->n[i];
  if (!on_arc(from, u, to)) return; // a core of one point has all round, its normal being 0, 0
  if (!box_holds(s->box, cl_vec_add(d->v[i], cl_vec_mul(u, d->r)))) return;
  walk_arc(s, d, i, u, to, 1);
  walk_arc(s, d, i, u, from, -1);
}

// Where the circle about c crosses a line at `at` across an axis.
static void search_arc_at(search *s, const cl_difference *d, int i, double at, bool across) {
  cl_vec c = d->v[i];
  double cosine = (at - (across ? c.x : c.y)) / d->r;
  if (fabs(cosine) > 1) return;
  double sine = sqrt(1 - cosine * cosine);
  search_arc_from(s, d, i, across ? (cl_vec){cosine, sine} : (cl_vec){sine, cosine});
  search_arc_from(s, d, i, across ? (cl_vec){cosine, -sine} : (cl_vec){-sine, cosine});
}

// The nearest point of what lies in the box is the one nearest to 0, 0 on the circle, an end
// of the arc, or on a side of the box.
static void search_arc(search *s, const cl_difference *d, int i) {
  cl_vec foot = {-d->v[i].x, -d->v[i].y};
  if (cl_vec_normalise(&foot) == 0) foot = (cl_vec){-1, 0};
  search_arc_from(s, d, i, foot);
  if (d->count > 1) {
    search_arc_from(s, d, i, d->n[i > 0 ? i - 1 : d->count - 1]);
    search_arc_from(s, d, i, d->n[i]);
  }
  search_arc_at(s, d, i, s->box.l, true);
  search_arc_at(s, d, i, s->box.r, true);
  search_arc_at(s, d, i, s->box.t, false);
  search_arc_at(s, d, i, s->box.b, false);
}

// A heap of sides, the nearest on top (Williams 1964); of equals the one first in order.
static bool comes_before(const side *p, const side *q) {
  if (p->near != q->near) return p->near < q->near;
  if (p->difference != q->difference) return p->difference < q->difference;
  return p->corner != q->corner ? p->corner < q->corner : p->arc < q->arc;
}

static void push_side(search *s, side new) {
  int i = s->sides++;
  for (int up = (i - 1) / 2; i > 0 && comes_before(&new, &s->heap[up]); up = (i - 1) / 2) {
    s->heap[i] = s->heap[up];
    i = up;
  }
  s->heap[i] = new;
}

static side pop_side(search *s) {
  side top = s->heap[0], last = s->heap[--s->sides];
  int i = 0;
  for (int down = 1; down < s->sides; down = 2 * i + 1) {
    if (down + 1 < s->sides && comes_before(&s->heap[down + 1], &s->heap[down])) down++;
    if (!comes_before(&s->heap[down], &last)) break;
    s->heap[i] = s->heap[down];
    i = down;
  }
  s->heap[i] = last;
  return top;
}

static double distance_of_edge(cl_vec v, cl_vec w) {
  cl_vec e = cl_vec_sub(w, v);
  double n = cl_vec_dot(e, e), t = n > 0 ? -cl_vec_dot(v, e) / n : 0;
  return cl_vec_length(cl_vec_add(v, cl_vec_mul(e, cl_max(0, cl_min(1, t)))));
}

static void push_sides(search *s, uint16_t k) {
  const cl_difference *d = &s->difference[k];
  for (int i = 0; i < d->count; i++) {
    cl_vec grow = cl_vec_mul(d->n[i], d->r), w = d->v[i + 1 < d->count ? i + 1 : 0];
    side edge = {0, k, (uint16_t)i, false}, arc = {0, k, (uint16_t)i, true};
    edge.near = distance_of_edge(cl_vec_add(d->v[i], grow), cl_vec_add(w, grow));
    arc.near = fabs(cl_vec_length(d->v[i]) - d->r) + s->tolerance; // after an edge as near
    if (d->count > 1 && edge.near < s->best.depth) push_side(s, edge);
    if (d->r > 0 && arc.near < s->best.depth) push_side(s, arc);
  }
}

static void search_boundary(search *s) {
  s->sides = 0;
  for (int k = 0; k < s->count; k++) push_sides(s, (uint16_t)k);
  while (s->sides > 0 && s->work > 0) {
    side next = pop_side(s);
    spend(s, 8);
    if (next.near >= s->best.depth) return;
    if (next.arc) search_arc(s, &s->difference[next.difference], next.corner);
    else search_edge(s, &s->difference[next.difference], next.corner);
  }
}

// Cuts the box into quarters, the nearer ones first, until what comes into one can be
// collected.
static void search_box(search *s, cl_bounds box, int level) {
  if (distance_of_box(box) >= s->best.depth || s->work <= 0) return;
  s->box = cl_bounds_grown(box, 8 * s->tolerance);
  region is = collect(s);
  if (is == REGION_FEW) search_boundary(s);
  if (is != REGION_MANY || level == LEVELS) return;
  double x = level == 0 ? 0 : (box.l + box.r) / 2, y = level == 0 ? 0 : (box.t + box.b) / 2;
  bool left = x > 0, above = y > 0; // where 0, 0 lies
  for (int i = 0; i < 4; i++) {
    bool l = left != (i & 1), t = above != (i >> 1);
    search_box(s, (cl_bounds){l ? box.l : x, t ? box.t : y, l ? x : box.r, t ? y : box.b},
               level + 1);
  }
}

// -------------------------------------------------------------------------------------

static double largest(cl_bounds b) {
  return cl_max(cl_max(fabs(b.l), fabs(b.r)), cl_max(fabs(b.t), fabs(b.b)));
}

// Whether a part of one can lie between parts of the other that touch. Cells of tiles are
// several parts.
static bool has_seams(const cl_placed *a, const cl_placed *b) {
  bool many_a = a->shape->part_count != 1, many_b = b->shape->part_count != 1;
  return ((a->shape->flags & CL_SHAPE_THIN) && many_b) ||
         ((b->shape->flags & CL_SHAPE_THIN) && many_a);
}

void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_hit *deepest, int overlaps,
            cl_hit *out) {
  search s; // large: filled in as needed
  cl_bounds box_a, box_b;
  cl_placed_bounds(a, &box_a);
  cl_placed_bounds(b, &box_b);
  s.a = a;
  s.b = b;
  s.origin = (cl_vec){a->x, a->y};
  s.seams = has_seams(a, b);
  s.work = CL_MTV_WORK;
  s.straight = CL_MTV_WORK / 4;
  s.tolerance = cl_max((s.seams ? 0x1p-45 : 0x1p-42) * cl_max(largest(box_a), largest(box_b)),
                       2 * (cl_placed_error(a) + cl_placed_error(b)));
  // The deepest pair's own way is the shortest if it leads out of everything.
  cl_vec way = {-deepest->nx, -deepest->ny};
  s.best = (cl_hit){0, 0, DBL_MAX};
  bool out_so = deepest->depth > 0 && go_straight(&s, way, deepest->depth);
  if (out_so && s.best.depth == deepest->depth) {
    *out = *deepest;
    return;
  }
  if (!out_so || s.best.depth > 2 * deepest->depth) {
    leave_bounds(&s, box_a, box_b);
    go_along_axes(&s);
  }
  double far = s.best.depth;
  if (overlaps < CL_MTV_MOST) search_box(&s, (cl_bounds){-far, -far, far, far}, 0);
  *out = (cl_hit){-s.best.nx, -s.best.ny, s.best.depth}; // b moves against its difference
}
