// collide, MIT licence (see LICENSE)
//
// Contact points: the features that face each other along the way out are projected across it, and
// the ends of the stretch that they share are the points. Layer: narrow.
// Source: the clipping of Catto, Contact Manifolds (GDC 2007), in the frame of the normal, where it
// is the same for both shapes.

#include "narrow/manifold.h"

#include "base/work.h"
#include "narrow/canonical_order.h"
#include "narrow/convex_overlap.h"
#include "narrow/facet.h"
#include "narrow/part_pairs.h"

// This many overlapping pairs are measured to find the deepest.
enum { MOST_DEPTHS = 2048 };

// The result so far: the outermost points of all pairs.
typedef struct patch {
  cl_vec normal, across, origin;
  double low, high;     // places across the normal
  double depth, margin; // of the whole; what counts as equal
  double deepest;       // of the pairs by their own depth
  cl_contact at_low, at_high;
  bool any;
} patch;

// Of two points at one place across the normal the deeper counts, of equally deep ones the lower.
static bool is_deeper(const cl_contact *a, const cl_contact *b) {
  if (a->depth != b->depth) return a->depth > b->depth;
  return a->x < b->x || (a->x == b->x && a->y < b->y);
}

static void add_point(patch *p, double u, double h, double depth) {
  cl_vec at = cl_vec_add(cl_vec_mul(p->across, u), cl_vec_mul(p->normal, h));
  cl_contact c = {.x = at.x + p->origin.x, .y = at.y + p->origin.y, .depth = cl_max(depth, 0)};
  if (!p->any || u < p->low || (u == p->low && is_deeper(&c, &p->at_low)))
    p->low = u, p->at_low = c;
  if (!p->any || u > p->high || (u == p->high && is_deeper(&c, &p->at_high)))
    p->high = u, p->at_high = c;
  p->any = true;
}

// The ends of the stretch that two facets share, if they overlap there; always the deeper end. With
// `always` something is added in any case.
static void add_pair(patch *p, const cl_convex *a, const cl_convex *b, bool always) {
  cl_vec back = {-p->normal.x, -p->normal.y};
  cl_facet f = cl_facet_of(a, p->normal, p->across), g = cl_facet_of(b, back, p->across);
  g.h0 = -g.h0, g.h1 = -g.h1;
  double low = cl_max(f.u0, g.u0), high = cl_min(f.u1, g.u1), r = a->r + b->r;
  if (low > high + p->margin && !always) return; // their own way out is beside the facing features
  double error = cl_convex_error(a, b);
  if (high - low <= error) low = high = (low + high) / 2;
  double u[2] = {low, high}, top[2], depth[2];
  for (int i = 0; i < 2; i++) {
    double under = cl_facet_height(&g, u[i]);
    top[i] = cl_facet_height(&f, u[i]);
    depth[i] = r + top[i] - under;
    top[i] = ((top[i] + a->r) + (under - b->r)) / 2;
  }
  int deeper = depth[1] > depth[0];
  if (depth[deeper] < p->depth - p->margin && !always) return; // likewise
  add_point(p, u[deeper], top[deeper], depth[deeper]);
  if (high > low && depth[!deeper] >= -error)
    add_point(p, u[!deeper], top[!deeper], depth[!deeper]);
}

// How far b would have to move along n to leave a.
static double depth_along(const cl_convex *a, const cl_convex *b, cl_vec n) {
  cl_vec p = cl_convex_vertex(a, cl_convex_support(a, n));
  cl_vec q = cl_convex_vertex(b, cl_convex_support(b, (cl_vec){-n.x, -n.y}));
  return a->r + b->r - (cl_vec_dot(q, n) - cl_vec_dot(p, n));
}

// More than depth_along can be for parts within these bounds.
static double most_along(cl_bounds a, cl_bounds b, cl_vec n) {
  double x = n.x > 0 ? a.r - b.l : a.l - b.r, y = n.y > 0 ? a.b - b.t : a.t - b.b;
  return n.x * x + n.y * y;
}

// The deepest pair so far by its own depth, along its own normal.
static void take_deepest(patch *p, const cl_convex *a, const cl_convex *b, const cl_hit *h) {
  cl_vec n = {h->nx, h->ny}, way = {-n.x, -n.y}, known = {-p->normal.x, -p->normal.y};
  bool same = n.x == p->normal.x && n.y == p->normal.y && p->any;
  if (h->depth < p->deepest) return;
  if (h->depth == p->deepest && !same && !cl_vec_goes_first(way, known)) return;
  p->any = same && h->depth == p->deepest;
  p->deepest = h->depth;
  p->depth = h->depth;
  p->normal = (cl_vec){h->nx, h->ny};
  p->across = (cl_vec){-h->ny, h->nx};
  add_pair(p, a, b, true);
}

// Adds every pair of parts that overlaps and is as deep along the normal as the whole; with `own`
// only the pair that is deepest by itself, of the first MOST_DEPTHS that overlap.
static void add_parts(patch *p, const cl_placed *a, const cl_placed *b, bool own) {
  cl_hit h;
  cl_part_pairs at;
  cl_part_pairs_begin(&at, a, b, (cl_bounds){0, 0, 0, 0}, p->origin);
  for (int overlaps = 0; overlaps < MOST_DEPTHS && cl_part_pairs_next(&at);) {
    CL_WORK(at.steps + 1);
    at.steps = 0;
    if (!own && most_along(at.one, at.two, p->normal) < p->depth - p->margin) continue;
    CL_WORK(2 * cl_part_pairs_vertices(&at));
    cl_part_pairs_place(&at);
    if (!cl_convex_overlap(&at.p, &at.q, true, &h)) continue;
    overlaps += own;
    if (own) take_deepest(p, &at.p, &at.q, &h);
    else if (fabs(depth_along(&at.p, &at.q, p->normal) - p->depth) <= p->margin)
      add_pair(p, &at.p, &at.q, false);
  }
}

// The two in canonical order, so that the result does not depend on the order of arguments.
static patch begin(const cl_placed *first, const cl_placed *second) {
  double size = (fabs(first->x) + fabs(first->y)) + (fabs(second->x) + fabs(second->y));
  double reach = first->shape->reach + second->shape->reach;
  return (patch){.origin = cl_convex_origin(first, second),
                 .margin = CL_MEET * reach + CL_SEPARATION_ERROR * size,
                 .deepest = -1};
}

int cl_manifold(const cl_placed *a, const cl_placed *b, const cl_hit *hit, cl_contact out[2]) {
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  double sign = ordered ? -1 : 1; // the normal points from the first to the second
  patch p = begin(first, second);
  p.normal = (cl_vec){hit->nx * sign, hit->ny * sign};
  p.across = (cl_vec){-p.normal.y, p.normal.x};
  p.depth = hit->depth;
  add_parts(&p, first, second, false);
  // The way out of the whole may differ from that of every pair.
  if (!p.any) add_parts(&p, first, second, true);
  out[0] = p.at_low;
  out[1] = p.at_high;
  for (int i = 0; i < 2; i++) {
    out[i].depth = cl_min(out[i].depth, hit->depth);
    out[i].nx = p.normal.x * sign + 0.0, out[i].ny = p.normal.y * sign + 0.0; // + 0 turns -0 into 0
  }
  return p.high > p.low ? 2 : 1;
}

cl_vec cl_contact_point(const cl_placed *a, const cl_placed *b) {
  bool ordered = cl_comes_first(a, b);
  const cl_placed *first = ordered ? a : b, *second = ordered ? b : a;
  patch p = begin(first, second);
  add_parts(&p, first, second, true);
  bool deeper = p.high > p.low && is_deeper(&p.at_high, &p.at_low);
  const cl_contact *at = deeper ? &p.at_high : &p.at_low;
  return p.any ? (cl_vec){at->x, at->y} : (cl_vec){first->x, first->y};
}
