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
#include "narrow/pairing.h"

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

static bool both_lead(const search *s, int i, int k, cl_vec n) {
  return cl_outline_vertex(s->a->placed, s->i, i, n) &&
         cl_outline_vertex(s->b->placed, s->k, k, (cl_vec){-n.x, -n.y});
}

// Circles about one point: all directions are equal, so -x for the first is taken,
// else +x, -y, +y, and none where all of these are covered.
static void search_concentric(search *s) {
  static const cl_vec ways[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}; // b's
  for (int i = 0; i < 4; i++) {
    if (!both_lead(s, 0, 0, ways[i])) continue;
    s->best = (cl_hit){ways[i].x, ways[i].y, s->a->r + s->b->r};
    return;
  }
}

// The direction between two vertices, when those are the closest of round parts.
static void search_corner(search *s) {
  double r = s->a->r + s->b->r;
  if (r == 0) return;
  cl_axis axis = cl_convex_axis(s->a, s->b, r);
  if (axis.separation <= 0 && s->a->n + s->b->n > 2) return;
  cl_closest c = cl_convex_closest(s->a, s->b, &axis);
  if (!c.corner || !(r - c.distance < s->best.depth)) return;
  if (c.distance == 0 && s->a->n + s->b->n == 2) search_concentric(s);
  if (c.distance == 0 || !both_lead(s, c.i, c.k, c.normal)) return;
  s->best = (cl_hit){c.normal.x, c.normal.y, r - c.distance};
}

// What has been found over all pairs: the deepest, and whether its way is also
// the shortest of its pair; whether any pair has no way of its own.
typedef struct found {
  const cl_placed *a, *b;
  cl_hit best;
  double least; // the greatest of the pairs' own depths: no way out is shorter
  bool any, shortest, stuck;
  cl_hit touch; // a pair's shortest way, if possible one that leads out
  bool touch_leads;
} found;

static void take_pair(found *f, const cl_convex *a, const cl_convex *b, uint32_t i, uint32_t k,
                      const cl_hit *least) {
  search s = {a, b, i, k, {0, 0, DBL_MAX}};
  search_edges(&s, false);
  search_edges(&s, true);
  search_corner(&s);
  bool stuck = s.best.depth == DBL_MAX;
  if (stuck) s.best = *least;
  s.best.depth = cl_max(s.best.depth, 0);
  double room = CL_MEET * (least->depth + a->r + b->r) + cl_convex_error(a, b);
  bool shortest = s.best.depth <= least->depth + room;
  bool deeper = s.best.depth > f->best.depth + room;
  if (!f->any || (shortest && !stuck && !f->touch_leads)) {
    f->touch = shortest ? s.best : *least;
    f->touch_leads = shortest && !stuck;
  }
  f->any = true;
  f->stuck = f->stuck || stuck;
  f->least = cl_max(f->least, least->depth);
  // Of equals one that is its pair's shortest way is certain to be no detour.
  if (deeper || (s.best.depth > f->best.depth - room && shortest && !f->shortest)) {
    f->best = s.best;
    f->shortest = shortest;
  }
}

static void find_pairs(found *f, bool touching) {
  cl_vec origin = {f->a->x, f->a->y};
  cl_convex p, q;
  cl_hit h;
  cl_pairing at;
  uint32_t placed = UINT32_MAX;
  cl_pairing_begin(&at, f->a, f->b, (cl_bounds){0, 0, 0, 0}, false);
  while (cl_pairing_next(&at)) {
    if (placed != at.i) cl_convex_place(f->a, placed = at.i, origin, &p);
    cl_convex_place(f->b, at.k, origin, &q);
    if (cl_convex_overlap(&p, &q, touching, &h)) take_pair(f, &p, &q, at.i, at.k, &h);
  }
}

// Overlaps that no pair of parts shows, and touching, which counts only where
// nothing overlaps. Returns 1 for the former, 0 for the latter, -1 for neither.
static int find_touching(found *f) {
  find_pairs(f, true);
  if (!f->any) return -1;
  bool thin = (f->a->shape->flags | f->b->shape->flags) & CL_SHAPE_THIN;
  return thin && cl_outline_crosses(f->a, f->b);
}

bool cl_parts_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  found f = {.a = a, .b = b, .best = {0, 0, -DBL_MAX}};
  find_pairs(&f, false);
  if (!f.any) {
    bool thin = (a->shape->flags | b->shape->flags) & CL_SHAPE_THIN;
    int how = touching || thin ? find_touching(&f) : -1;
    if (how < 0 || (how == 0 && !touching)) return false;
    if (how == 0) {
      *out = (cl_hit){f.touch.nx, f.touch.ny, 0};
      return true;
    }
  }
  if (f.stuck || !f.shortest) {
    double room = CL_MEET * (a->shape->reach + b->shape->reach);
    cl_outline_exit(a, b, f.least, f.stuck ? DBL_MAX : f.best.depth - room, &f.best);
  }
  *out = f.best;
  return true;
}
