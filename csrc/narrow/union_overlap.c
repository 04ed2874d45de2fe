// collide, MIT licence (see LICENSE)
//
// Overlap of shapes of several parts: whether they overlap, and which pair of parts is the deepest.
// The way out is that of narrow/mtv.h. If shapes only touch there is no way out: the normal is then
// one of a pair that touches, if possible one that leads out of both wholes (narrow/outline.h).
// Layer: narrow.

#include "narrow/union_overlap.h"

#include "base/work.h"
#include "narrow/cell_blocks.h"
#include "narrow/closest.h"
#include "narrow/convex_overlap.h"
#include "narrow/mtv.h"
#include "narrow/outline.h"
#include "narrow/part_pairs.h"
#include "narrow/seams.h"

// The best direction found for a pair of parts, as how b gets free.
typedef struct search {
  const cl_convex *a, *b;
  uint32_t i, k;
  cl_hit best;
} search;

// Whether a direction leads out at a part's farthest vertex along it, or at an equally far one.
static bool vertex_leads(const cl_convex *c, uint32_t part, cl_vec out) {
  if (c->placed->shape->part_count == 1) return true;
  int far = cl_convex_support(c, out);
  double along = cl_vec_dot(cl_convex_vertex(c, far), out) - CL_MEET * c->placed->shape->reach;
  for (int i = 0; i < c->n; i++)
    if ((i == far || cl_vec_dot(cl_convex_vertex(c, i), out) >= along) &&
        cl_outline_vertex(c->placed, part, i, out))
      return true;
  return false;
}

// Whether b gets free by a shorter way, or by one as long that goes first.
static bool is_shorter(const cl_hit *h, const cl_hit *than) {
  if (h->depth != than->depth) return h->depth < than->depth;
  return cl_vec_goes_first((cl_vec){-h->nx, -h->ny}, (cl_vec){-than->nx, -than->ny});
}

// Tries the normals of the edges of one part (a's, or b's with `of_b`).
static void search_edges(search *s, bool of_b) {
  const cl_convex *c = of_b ? s->b : s->a, *d = of_b ? s->a : s->b;
  uint32_t part = of_b ? s->k : s->i, other = of_b ? s->i : s->k;
  for (int i = 0; i < c->n && c->n > 1; i++) {
    cl_vec n = cl_convex_normal(c, i), back = {-n.x, -n.y};
    cl_vec q = cl_convex_vertex(d, cl_convex_support(d, back));
    double depth = c->r + d->r - cl_convex_outside(c, i, q);
    cl_hit found = {of_b ? back.x : n.x, of_b ? back.y : n.y, depth};
    if (!is_shorter(&found, &s->best)) continue;
    cl_vec near = {(q.x + c->origin.x) - c->placed->x, (q.y + c->origin.y) - c->placed->y};
    if (!cl_outline_edge(c->placed, part, i, n, near) || !vertex_leads(d, other, back)) continue;
    s->best = found;
  }
}

// The direction between two vertices, if those are the closest of round parts.
static void search_corner(search *s) {
  double r = s->a->r + s->b->r;
  if (r == 0) return;
  cl_axis axis = cl_convex_axis(s->a, s->b, r);
  if (axis.separation <= 0 && s->a->n + s->b->n > 2) return;
  cl_closest c = cl_convex_closest(s->a, s->b, &axis);
  // They touch, so the distance is r; rounding may have left nothing of it.
  if (!c.corner || c.distance == 0 || !(r - c.distance < s->best.depth)) return;
  cl_vec back = {-c.normal.x, -c.normal.y};
  if (!cl_outline_vertex(s->a->placed, s->i, c.i, c.normal)) return;
  if (!cl_outline_vertex(s->b->placed, s->k, c.k, back)) return;
  s->best = (cl_hit){c.normal.x, c.normal.y, r - c.distance};
}

static void begin(cl_part_pairs *at, const cl_placed *a, const cl_placed *b) {
  cl_part_pairs_begin(at, a, b, (cl_bounds){0, 0, 0, 0}, cl_convex_origin(a, b));
}

// Whether a way out leads along the normal of an edge. Parts of sharp edges have no other.
static bool leads_along_edge(cl_part_pairs *at, const cl_hit *h) {
  cl_part_pairs_place(at);
  for (int of_b = 0; of_b < 2; of_b++) {
    const cl_convex *c = of_b ? &at->q : &at->p;
    for (int i = 0; i < c->n && c->n > 1; i++) {
      cl_vec n = cl_convex_normal(c, i);
      if (fabs(n.x) == fabs(h->nx) && fabs(n.y) == fabs(h->ny)) return true;
    }
  }
  return false;
}

// Whether the first gets free by one way out before another.
static bool goes_first(const cl_hit *h, const cl_hit *k) {
  return cl_vec_goes_first((cl_vec){-h->nx, -h->ny}, (cl_vec){-k->nx, -k->ny});
}

static bool is_same_line(const cl_hit *h, const cl_hit *k) {
  return (h->nx == k->nx && h->ny == k->ny) || (h->nx == -k->nx && h->ny == -k->ny);
}

// Whether a way out is as deep as those in the list, or deeper, and not one of them.
static bool is_new(const cl_deepest *list, const cl_hit *h) {
  if (list->count > 0 && h->depth != list->way[0].depth) return h->depth > list->way[0].depth;
  for (int i = 0; i < list->count; i++)
    if (is_same_line(h, &list->way[i])) return goes_first(h, &list->way[i]);
  return true;
}

static void insert(cl_deepest *list, cl_hit h) {
  if (list->count > 0 && h.depth > list->way[0].depth) list->count = 0;
  int n = 0;
  for (int i = 0; i < list->count; i++)
    if (!is_same_line(&h, &list->way[i])) list->way[n++] = list->way[i];
  if (n == CL_DEEPEST) n--;
  for (list->count = n + 1; n > 0 && goes_first(&h, &list->way[n - 1]); n--)
    list->way[n] = list->way[n - 1];
  list->way[n] = h;
}

// The deepest pairs by their own shortest ways out, of those that overlap. Over a seam the corner
// of one part and the edge of the next are equally deep except for rounding: the edge counts.
// Returns how many pairs overlap; examines as many of them as the effort allows.
static int find_deepest(const cl_placed *a, const cl_placed *b, cl_effort *effort,
                        cl_deepest *deepest) {
  cl_part_pairs at;
  cl_hit h;
  cl_deepest edges;
  int overlaps = 0;
  double margin = CL_SEPARATION_ERROR * (((fabs(a->x) + fabs(a->y)) + (fabs(b->x) + fabs(b->y))) +
                                         (a->shape->reach + b->shape->reach));
  deepest->count = edges.count = 0;
  begin(&at, a, b);
  while (cl_part_pairs_next(&at) && overlaps < effort->pairs) {
    CL_WORK(at.steps + cl_part_pairs_vertices(&at));
    effort->spent += at.steps + cl_part_pairs_vertices(&at);
    at.steps = 0;
    if (!cl_part_pairs_overlap(&at, false, &h)) continue;
    overlaps++;
    if (is_new(deepest, &h)) insert(deepest, h);
    if (h.depth < deepest->way[0].depth - margin || !is_new(&edges, &h)) continue;
    if (leads_along_edge(&at, &h)) insert(&edges, h);
  }
  bool by_edge = edges.count > 0 && edges.way[0].depth >= deepest->way[0].depth - margin;
  if (by_edge) *deepest = edges;
  return overlaps;
}

// Whether any two parts overlap, or with `touching` touch.
static bool any_meet(const cl_placed *a, const cl_placed *b, bool touching) {
  cl_part_pairs at;
  cl_hit h;
  begin(&at, a, b);
  while (cl_part_pairs_next(&at)) {
    CL_WORK(at.steps + cl_part_pairs_vertices(&at));
    at.steps = 0;
    if (cl_part_pairs_overlap(&at, touching, &h)) return true;
  }
  return false;
}

// cl_seams_overlap, for tiles in blocks that share their borders: all cells that meet in a point
// are in one of them.
static bool crosses(const cl_placed *a, const cl_placed *b) {
  if (!cl_placed_is_tiles(a)) return cl_seams_overlap(a, b);
  cl_bounds box;
  cl_cell_blocks w;
  box = cl_placed_bounds(b);
  cl_cell_blocks_begin(&w, a, cl_tiles_near(a, box), true);
  while (cl_cell_blocks_next(&w))
    if (cl_seams_overlap(&w.placed, b)) return true;
  return false;
}

// Whether there is an overlap that no pair of parts has. Only shapes that touch can have one.
static bool overlap_at_seam(const cl_placed *a, const cl_placed *b) {
  bool thin = (a->shape->flags | b->shape->flags) & CL_SHAPE_THIN;
  return thin && any_meet(a, b, true) && crosses(a, b);
}

bool cl_union_overlap(const cl_placed *a, const cl_placed *b, cl_effort *effort, cl_hit *out) {
  assert(cl_placed_is_tiles(a) || !cl_placed_is_tiles(b));
  cl_deepest deepest;
  int overlaps = find_deepest(a, b, effort, &deepest);
  if (overlaps == 0 && !overlap_at_seam(a, b)) return false;
  bool far = deepest.count > 0 && deepest.way[0].depth > effort->enough;
  if (far) *out = deepest.way[0]; // no way out is shorter
  else cl_mtv(a, b, &deepest, overlaps, effort, out);
  return true;
}

bool cl_union_touch(const cl_placed *a, const cl_placed *b, cl_hit *out) {
  assert(!cl_placed_is_tiles(a) && !cl_placed_is_tiles(b));
  cl_vec origin = cl_convex_origin(a, b);
  cl_convex p, q;
  cl_hit least;
  cl_bvh_pairs at;
  uint32_t placed = UINT32_MAX;
  bool any = false, led = false;
  cl_bvh_pairs_begin(&at, a, b, (cl_bounds){0, 0, 0, 0}, false);
  while (cl_bvh_pairs_next(&at)) {
    assert(at.i != UINT32_MAX);
    if (placed != at.i) cl_convex_place(a, placed = at.i, origin, &p);
    cl_convex_place(b, at.k, origin, &q);
    if (!cl_convex_overlap(&p, &q, true, &least)) continue;
    search s = {&p, &q, at.i, at.k, {0, 0, DBL_MAX}};
    search_edges(&s, false);
    search_edges(&s, true);
    search_corner(&s);
    double margin = CL_MEET * (least.depth + p.r + q.r) + cl_convex_error(&p, &q);
    bool leads = s.best.depth <= least.depth + margin;
    cl_hit found = leads ? s.best : least;
    found.depth = 0;
    if (!any || (leads && !led) || (leads == led && is_shorter(&found, out))) *out = found;
    led = led || leads;
    any = true;
  }
  return any;
}

bool cl_union_meets(const cl_placed *a, const cl_placed *b, bool touching) {
  return any_meet(a, b, touching) || (!touching && overlap_at_seam(a, b));
}
