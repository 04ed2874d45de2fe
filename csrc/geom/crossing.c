// collide, MIT licence (see LICENSE)
//
// Whether the edges of a polygon cross or touch, decided exactly. Edges that follow each
// other lie near each other, so a tree of boxes over ever longer stretches of the outline
// says which few are worth a look. Layer: geom.

#include "geom/build.h"

// Edges of a leaf.
enum { LEAF = 8 };

static int sign(double x) { return (x > 0) - (x < 0); }

// For c in a line with a and b: whether it lies between them, ends included.
static bool between(cl_vec a, cl_vec b, cl_vec c) {
  return cl_min(a.x, b.x) <= c.x && c.x <= cl_max(a.x, b.x) && cl_min(a.y, b.y) <= c.y &&
         c.y <= cl_max(a.y, b.y);
}

// Whether the closed segments, whose boxes touch, share a point.
static bool meet(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  int s = sign(cl_turn(a, b, c)), t = sign(cl_turn(a, b, d));
  int u = sign(cl_turn(c, d, a)), v = sign(cl_turn(c, d, b));
  if (s * t < 0 && u * v < 0) return true;
  return (s == 0 && between(a, b, c)) || (t == 0 && between(a, b, d)) ||
         (u == 0 && between(c, d, a)) || (v == 0 && between(c, d, b));
}

// Node 1 is the root, 2 i and 2 i + 1 are the halves of i; `leaves`, a power of two, of
// LEAF edges each are the last ones.
typedef struct outline {
  const cl_vec *p;
  uint32_t n, leaves;
  cl_bounds *box;
} outline;

static cl_bounds edge_box(const outline *o, uint32_t k) {
  cl_vec a = o->p[k], b = o->p[(k + 1) % o->n];
  return (cl_bounds){cl_min(a.x, b.x), cl_min(a.y, b.y), cl_max(a.x, b.x), cl_max(a.y, b.y)};
}

static void fill(outline *o) {
  const cl_bounds nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < o->leaves; i++) {
    cl_bounds b = nothing;
    for (uint32_t k = LEAF * i; k < LEAF * (i + 1) && k < o->n; k++)
      b = cl_bounds_join(b, edge_box(o, k));
    o->box[o->leaves + i] = b;
  }
  for (uint32_t i = o->leaves; --i > 0;)
    o->box[i] = cl_bounds_join(o->box[2 * i], o->box[2 * i + 1]);
}

// The first edge from `from` on and before `end` of a leaf that meets edge i; `end` if
// there is none.
static uint32_t search_leaf(const outline *o, uint32_t i, cl_bounds box, uint32_t from,
                            uint32_t end) {
  for (uint32_t k = from; k < end; k++)
    if (cl_bounds_touch(box, edge_box(o, k)) &&
        meet(o->p[i], o->p[(i + 1) % o->n], o->p[k], o->p[(k + 1) % o->n]))
      return k;
  return end;
}

// The same for all edges from `from` to before `end`. Goes through the nodes in the order
// of the outline: down into the first half, and on to what follows a node that is done.
static uint32_t search(const outline *o, uint32_t i, uint32_t from, uint32_t end) {
  cl_bounds box = edge_box(o, i);
  uint32_t node = o->leaves + from / LEAF;
  for (;;) {
    if (cl_bounds_touch(o->box[node], box)) {
      if (node < o->leaves) {
        node *= 2;
        continue;
      }
      uint32_t first = (node - o->leaves) * LEAF, last = first + LEAF < end ? first + LEAF : end;
      uint32_t k = search_leaf(o, i, box, first > from ? first : from, last);
      if (k < last) return k;
    }
    while (node & 1) node /= 2; // a second half: its whole is done
    if (node == 0) return end;
    node++;
  }
}

cl_status cl_find_crossing(const cl_alloc *alloc, const cl_vec *points, uint32_t count, uint32_t *i,
                           uint32_t *j) {
  outline o = {points, count, 1, NULL};
  while ((uint64_t)o.leaves * LEAF < count) o.leaves *= 2;
  o.box = cl_new_array(alloc, 2 * (uint64_t)o.leaves, sizeof *o.box);
  if (!o.box) return CL_NOMEM;
  fill(&o);
  cl_status status = CL_OK;
  for (uint32_t k = 0; k < count && status == CL_OK; k++) {
    cl_vec a = points[k], b = points[(k + 1) % count], c = points[(k + 2) % count];
    uint32_t end = count - (k == 0); // the last edge is the first one's neighbour
    bool back = cl_turn(a, b, c) == 0 && cl_along(a, b, c) < 0;
    uint32_t other = back ? (k + 1) % count : k + 2 < end ? search(&o, k, k + 2, end) : end;
    if (!back && other == end) continue;
    *i = k;
    *j = other;
    status = CL_INVALID;
  }
  CL_FREE(alloc, o.box, 2 * (size_t)o.leaves);
  return status;
}
