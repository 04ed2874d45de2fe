// collide, MIT licence (see LICENSE)
//
// The way out of the union of all differences of parts. Layer: narrow.
//
// Straight ways give the first bounds: the deepest pair's, and along the axes. Then the plane
// within the bounds is cut into boxes, and the boundary is searched in each.

#include "narrow/mtv.h"

#include "narrow/mtv_search.h"

// The most times that a box is cut.
enum { LEVELS = 12 };

// Outside the bounds is outside the shapes.
static void leave_bounds(cl_mtv_search *s, cl_bounds a, cl_bounds b) {
  const cl_hit ways[4] = {
      {-1, 0, a.r - b.l}, {1, 0, b.r - a.l}, {0, -1, a.b - b.t}, {0, 1, b.b - a.t}};
  for (int i = 0; i < 4; i++)
    if (ways[i].depth < s->best.depth) s->best = ways[i];
}

static void go_along_axes(cl_mtv_search *s) {
  static const cl_vec ways[4] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (int i = 0; i < 4; i++) cl_mtv_go_straight(s, ways[i], 0);
}

static double distance_of_box(cl_bounds b) {
  double x = cl_max(cl_max(b.l, -b.r), 0), y = cl_max(cl_max(b.t, -b.b), 0);
  return sqrt(x * x + y * y);
}

typedef enum region { REGION_FEW, REGION_MANY, REGION_HELD } region;

// Whether a difference contains a whole box: it is convex, so testing the corners is enough.
static bool holds_box(cl_mtv_search *s, const cl_difference *d, cl_bounds box) {
  const cl_vec corner[4] = {{box.l, box.t}, {box.r, box.t}, {box.r, box.b}, {box.l, box.b}};
  for (int i = 0; i < 4; i++) {
    if (!cl_bounds_hold(d->bounds, corner[i])) return false;
    cl_mtv_spend(s, d->count);
    if (!cl_difference_holds(d, corner[i], cl_mtv_held_depth(s, d->thin))) return false;
  }
  return true;
}

// An order by what all images of a difference have in common: by its middle, then its size.
static bool comes_first(const cl_difference *d, const cl_difference *e) {
  const cl_bounds *b = &d->bounds, *c = &e->bounds;
  double x = fabs(b->l + b->r), y = fabs(b->t + b->b), u = fabs(c->l + c->r), v = fabs(c->t + c->b);
  double most = cl_max(x, y), other = cl_max(u, v), less = cl_min(x, y), least = cl_min(u, v);
  if (most != other || less != least) return most < other || (most == other && less < least);
  double size = (b->r - b->l) + (b->b - b->t), sum = (c->r - c->l) + (c->b - c->t);
  return size != sum ? size < sum : d->r < e->r;
}

// Shell 1959.
static void sort(cl_difference *d, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++) {
      cl_difference moved = d[i];
      int k = i;
      for (; k >= gap && comes_first(&moved, &d[k - gap]); k -= gap) d[k] = d[k - gap];
      d[k] = moved;
    }
}

// Whether an edge separates a difference from a box by more than the tolerances of the search: the
// bounds of long, slanting ones touch many boxes that they do not reach into.
static bool misses_box(cl_mtv_search *s, const cl_difference *d, cl_bounds box) {
  cl_vec centre = {(box.l + box.r) / 2, (box.t + box.b) / 2};
  double w = (box.r - box.l) / 2, h = (box.b - box.t) / 2, reach = d->r + 4 * s->tolerance;
  cl_mtv_spend(s, d->count / 2);
  for (int i = 0; i < d->count; i++) {
    double away = cl_vec_dot(d->n[i], centre) - d->line[i];
    if (away - (fabs(d->n[i].x) * w + fabs(d->n[i].y) * h) > reach) return true;
  }
  return false;
}

// Collects the differences that reach into the box, until there is no room, unless one contains the
// whole box.
static CL_SELDOM region collect(cl_mtv_search *s) {
  cl_mtv_near *near = s->near;
  cl_part_pairs at;
  near->count = near->corners = near->last = 0;
  cl_part_pairs_begin(&at, s->a, s->b, near->box, s->origin);
  while (cl_part_pairs_next(&at)) {
    cl_mtv_spend_pairs(s, &at);
    cl_part_pairs_place(&at);
    int corners = cl_difference_corners(&at.p, &at.q), from = near->corners;
    if (corners < 3 && at.p.r + at.q.r == 0) continue; // without interior
    if (near->count == CL_MTV_PAIRS || from + corners > CL_MTV_CORNERS) return REGION_MANY;
    cl_mtv_spend(s, CL_MTV_STEPS_A_CORNER * corners);
    cl_difference *d = &near->difference[near->count];
    *d = cl_difference_of(&at.p, &at.q, near->v + from, near->n + from, near->line + from);
    if (!cl_bounds_touch(d->bounds, near->box) || misses_box(s, d, near->box)) continue;
    if (holds_box(s, d, near->box)) return REGION_HELD;
    near->count++;
    near->corners += corners;
  }
  cl_mtv_spend(s, at.steps); // those after the last pair
  sort(near->difference, near->count);
  return REGION_FEW;
}

// Cuts the box into quarters, nearer ones first, until the differences in one fit.
static void search_box(cl_mtv_search *s, cl_bounds box, int level) {
  if (distance_of_box(box) >= s->best.depth || s->work <= 0) return;
  s->near->box = cl_bounds_grown(box, 8 * s->tolerance);
  region is = collect(s);
  if (is == REGION_FEW) cl_mtv_search_boundary(s);
  if (is != REGION_MANY || level == LEVELS) return;
  double x = level == 0 ? 0 : (box.l + box.r) / 2, y = level == 0 ? 0 : (box.t + box.b) / 2;
  bool left = x > 0, above = y > 0; // where 0, 0 is
  for (int i = 0; i < 4; i++) {
    bool l = left != (i & 1), t = above != (i >> 1);
    search_box(s, (cl_bounds){l ? box.l : x, t ? box.t : y, l ? x : box.r, t ? y : box.b},
               level + 1);
  }
}

// In a frame of its own, so that what went before needs no room beside it.
static CL_SELDOM void search(cl_mtv_search *s) {
  cl_mtv_near near; // large: filled in as needed
  double far = s->best.depth;
  s->near = &near;
  search_box(s, (cl_bounds){-far, -far, far, far}, 0);
  s->near = NULL;
}

static double largest(cl_bounds b) {
  return cl_max(cl_max(fabs(b.l), fabs(b.r)), cl_max(fabs(b.t), fabs(b.b)));
}

// Whether a part of one can lie between parts of the other that touch. Cells of tiles are several
// parts.
static bool has_seams(const cl_placed *a, const cl_placed *b) {
  bool many_a = a->shape->part_count != 1, many_b = b->shape->part_count != 1;
  return ((a->shape->flags & CL_SHAPE_THIN) && many_b) ||
         ((b->shape->flags & CL_SHAPE_THIN) && many_a);
}

// A deepest pair's own way out is the shortest if it leaves everything. Where a part is in the
// middle of another or at its corner, other images of that way are as short, so these are tried
// too. Returns whether a way leaves everything, farther on perhaps.
static bool go_own_ways(cl_mtv_search *s, const cl_deepest *deepest) {
  bool out_so = false;
  for (int i = 0; i < deepest->count; i++) {
    const cl_hit *h = &deepest->way[i];
    cl_vec way = {-h->nx, -h->ny};
    out_so = cl_mtv_go_straight(s, way, h->depth) || out_so;
    if (out_so && s->best.depth == h->depth) return true;
    for (int k = 0; k < 8; k++)
      if (deepest->images[i] >> k & 1 && cl_mtv_take_place(s, cl_mtv_image(way, k), h->depth))
        return true;
  }
  return out_so;
}

void cl_mtv(const cl_placed *a, const cl_placed *b, const cl_deepest *deepest, int overlaps,
            long work, cl_effort *effort, cl_hit *out) {
  assert(overlaps >= 0 && deepest->count >= 0);
  cl_mtv_search s;
  cl_bounds box_a, box_b;
  box_a = cl_placed_bounds(a);
  box_b = cl_placed_bounds(b);
  s.a = a;
  s.b = b;
  s.origin = cl_convex_origin(a, b);
  s.seams = has_seams(a, b);
  s.work = work;
  s.straight = work / 4;
  s.tolerance = cl_max((s.seams ? 0x1p-45 : 0x1p-42) * cl_max(largest(box_a), largest(box_b)),
                       2 * (cl_placed_error(a) + cl_placed_error(b)));
  s.best = (cl_hit){0, 0, DBL_MAX};
  double depth = deepest->count > 0 ? deepest->way[0].depth : 0;
  bool out_so = go_own_ways(&s, deepest), shortest = out_so && s.best.depth == depth;
  if (!out_so || s.best.depth > 2 * depth) {
    leave_bounds(&s, box_a, box_b);
    go_along_axes(&s);
  }
  s.simple = s.best;
  if (!shortest && overlaps < effort->pairs) search(&s);
  effort->spent += work - s.work;
  *out = (cl_hit){-s.best.nx, -s.best.ny, s.best.depth}; // b moves against its difference
}
