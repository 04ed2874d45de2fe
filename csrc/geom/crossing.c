// collide, MIT licence (see LICENSE)
//
// Whether the edges of a polygon cross or touch, decided exactly. Edges that follow each other lie
// near each other, so a tree of boxes over ever longer pieces of the outline finds the few edges
// worth testing. Layer: geom.

#include "geom/build.h"
#include "geom/strip.h"

static int sign(double x) { return (x > 0) - (x < 0); }

// Whether c, collinear with a and b, lies between them, ends included.
static bool between(cl_vec a, cl_vec b, cl_vec c) {
  return cl_min(a.x, b.x) <= c.x && c.x <= cl_max(a.x, b.x) && cl_min(a.y, b.y) <= c.y &&
         c.y <= cl_max(a.y, b.y);
}

// Whether the closed segments, whose boxes touch, share a point.
static bool meet(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  int s = sign(cl_orient_vec(a, b, c)), t = sign(cl_orient_vec(a, b, d));
  int u = sign(cl_orient_vec(c, d, a)), v = sign(cl_orient_vec(c, d, b));
  if (s * t < 0 && u * v < 0) return true;
  return (s == 0 && between(a, b, c)) || (t == 0 && between(a, b, d)) ||
         (u == 0 && between(c, d, a)) || (v == 0 && between(c, d, b));
}

typedef struct outline {
  const cl_vec *p;
  uint32_t n;
  cl_strip strip; // of the edges
} outline;

static cl_bounds edge_box(const outline *o, uint32_t k) {
  cl_vec a = o->p[k], b = o->p[(k + 1) % o->n];
  return (cl_bounds){cl_min(a.x, b.x), cl_min(a.y, b.y), cl_max(a.x, b.x), cl_max(a.y, b.y)};
}

static void fill(outline *o) {
  cl_strip *s = &o->strip;
  for (uint32_t i = 0; i < s->leaves; i++) s->box[s->leaves + i] = cl_strip_nothing();
  for (uint32_t k = 0; k < o->n; k++) {
    cl_bounds *box = &s->box[s->leaves + k / CL_STRIP_LEAF];
    *box = cl_bounds_join(*box, edge_box(o, k));
  }
  cl_strip_fill(s);
}

// The first edge from `from` on and before `end` that meets edge i; `end` if there is
// none.
static uint32_t search(const outline *o, uint32_t i, uint32_t from, uint32_t end) {
  const cl_strip *s = &o->strip;
  cl_bounds box = edge_box(o, i);
  cl_vec a = o->p[i], b = o->p[(i + 1) % o->n];
  uint32_t leaf = cl_strip_next(s, from / CL_STRIP_LEAF, box);
  for (; leaf < s->leaves; leaf = cl_strip_next(s, leaf + 1, box)) {
    uint32_t k = leaf * CL_STRIP_LEAF, last = k + CL_STRIP_LEAF < end ? k + CL_STRIP_LEAF : end;
    for (k = k > from ? k : from; k < last; k++) {
      if (!cl_bounds_touch(box, edge_box(o, k))) continue;
      if (meet(a, b, o->p[k], o->p[(k + 1) % o->n])) return k;
    }
  }
  return end;
}

cl_status cl_find_crossing(const cl_alloc *alloc, const cl_vec *points, uint32_t count, uint32_t *i,
                           uint32_t *j) {
  outline o = {points, count, {cl_strip_leaves(count), NULL}};
  uint64_t boxes = cl_strip_boxes(o.strip.leaves);
  o.strip.box = cl_new_array(alloc, boxes, sizeof *o.strip.box);
  if (!o.strip.box) return CL_NOMEM;
  fill(&o);
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < count && status == CL_OK; k++) {
    cl_vec a = points[k], b = points[(k + 1) % count], c = points[(k + 2) % count];
    uint32_t end = count - (k == 0); // the last edge is the first one's neighbour
    bool back = cl_orient_vec(a, b, c) == 0 && cl_dot_vec(a, b, c) < 0;
    uint32_t other = back ? (k + 1) % count : k + 2 < end ? search(&o, k, k + 2, end) : end;
    if (!back && other == end) continue;
    *i = k;
    *j = other;
    status = CL_INVALID;
  }
  CL_FREE(alloc, o.strip.box, (size_t)boxes);
  return status;
}
