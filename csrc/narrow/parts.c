// collide, MIT licence (see LICENSE)
//
// Overlap of shapes of several parts. Each pair of parts that overlap has a least
// depth among the directions that lead out of both wholes; the deepest pair's is
// the answer. Layer: narrow.
//
// Cuts leave parts with few such directions, some of them far: the answer is
// therefore never deeper than the shortest way out of the whole, which is worked
// out when the deepest pair's way is not that pair's own shortest.

#include "narrow/parts.h"

#include "narrow/outline.h"

// The best direction found for a pair of parts, as the way b gets free.
typedef struct search {
  const cl_convex *a, *b;
  uint32_t i, k;
  cl_hit best;
} search;

// Whether a direction leads out at a part's farthest vertex along it, or at one
// that lies as far.
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

// Takes the normals of the edges of one part (a's, or b's with `of_b`).
static void search_edges(search *s, bool of_b) {
  const cl_convex *c = of_b ? s->b : s->a, *d = of_b ? s->a : s->b;
  uint32_t part = of_b ? s->k : s->i, other = of_b ? s->i : s->k;
  for (int i = 0; i < c->n && c->n > 1; i++) {
    cl_vec n = cl_convex_normal(c, i), back = {-n.x, -n.y};
    cl_vec q = cl_convex_vertex(d, cl_convex_support(d, back));
    double depth = c->r + d->r - cl_vec_dot(cl_vec_sub(q, cl_convex_vertex(c, i)), n);
    if (!(depth < s->best.depth)) continue;
    cl_vec near = {(q.x + c->origin.x) - c->placed->x, (q.y + c->origin.y) - c->placed->y};
    if (!cl_outline_edge(c->placed, part, i, n, near) || !vertex_leads(d, other, back)) continue;
    s->best = (cl_hit){of_b ? back.x : n.x, of_b ? back.y : n.y, depth};
  }
}

// The direction between two vertices, when those are the closest of round parts.
static void search_corner(search *s) {
  double r = s->a->r + s->b->r;
  if (r == 0) return;
  cl_axis axis = cl_convex_axis(s->a, s->b, r);
  if (axis.separation <= 0 && s->a->n + s->b->n > 2) return;
  cl_closest c = cl_convex_closest(s->a, s->b, &axis);
  cl_vec back = {-c.normal.x, -c.normal.y};
  if (!c.corner || !(r - c.distance < s->best.depth)) return;
  if (!cl_outline_vertex(s->a->placed, s->i, c.i, c.normal)) return;
  if (!cl_outline_vertex(s->b->placed, s->k, c.k, back)) return;
  s->best = (cl_hit){c.normal.x, c.normal.y, r - c.distance};
}

// What has been found over all pairs: the deepest, and whether its way is also
// the shortest of its pair; whether any pair has no way of its own.
typedef struct found {
  cl_hit best;
  double least; // the greatest of the pairs' own depths: no way out is shorter
  bool any, shortest, stuck;
} found;

static void take_pair(found *f, const cl_convex *a, const cl_convex *b, uint32_t i, uint32_t k,
                      const cl_hit *least) {
  search s = {a, b, i, k, {0, 0, DBL_MAX}};
  search_edges(&s, false);
  search_edges(&s, true);
  search_corner(&s);
  f->any = true;
  f->least = cl_max(f->least, least->depth);
  if (s.best.depth == DBL_MAX) {
    f->stuck = true;
    s.best = *least; // kept only if there is no memory to find better
  }
  s.best.depth = cl_max(s.best.depth, 0);
  double room = CL_MEET * (least->depth + a->r + b->r) + cl_convex_error(a, b);
  bool shortest = s.best.depth <= least->depth + room;
  bool deeper = s.best.depth > f->best.depth + room;
  // Of equals one that is its pair's shortest way is certain to be no detour.
  if (deeper || (s.best.depth > f->best.depth - room && shortest && !f->shortest)) {
    f->best = s.best;
    f->shortest = shortest;
  }
}

static void find_pairs(const cl_placed *a, const cl_placed *b, bool touching, found *f) {
  cl_vec origin = {a->x, a->y};
  cl_bounds whole;
  cl_convex p, q;
  cl_hit h;
  cl_placed_bounds(b, &whole);
  for (uint32_t i = 0; i < a->shape->part_count; i++) {
    cl_bounds one = cl_placed_part_bounds(a, i);
    if (!cl_bounds_touch(one, whole)) continue;
    cl_convex_place(a, i, origin, &p);
    for (uint32_t k = 0; k < b->shape->part_count; k++) {
      if (!cl_bounds_touch(one, cl_placed_part_bounds(b, k))) continue;
      cl_convex_place(b, k, origin, &q);
      if (cl_convex_overlap(&p, &q, touching, &h)) take_pair(f, &p, &q, i, k, &h);
    }
  }
}

bool cl_parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  found f = {.best = {0, 0, -DBL_MAX}};
  find_pairs(a, b, touching, &f);
  if (!f.any && !touching && ((a->shape->flags | b->shape->flags) & CL_SHAPE_THIN)) {
    find_pairs(a, b, true, &f);
    if (f.any && !cl_outline_crosses(a, b)) return false;
  }
  if (!f.any) return false;
  if (f.stuck || !f.shortest) {
    double room = CL_MEET * (a->shape->reach + b->shape->reach);
    cl_outline_exit(a, b, f.least, f.stuck ? DBL_MAX : f.best.depth - room, &f.best);
  }
  *out = f.best;
  return true;
}
