// collide, MIT licence (see LICENSE)
//
// Cutting a simple polygon into few convex parts: ears are clipped, then every
// cut that both its ends can do without is taken out again, which leaves at most
// four times the fewest possible parts (as a rule the fewest or one more).
// Layer: geom.
// Source: Hertel and Mehlhorn 1983; O'Rourke, Computational Geometry in C, 2.5.

#include "base/exact.h"
#include "geom/build.h"

// Half-edges: 0 … n - 1 are the outline's, then two for each cut. The face of a
// half-edge lies to its left; `twin` is the other half of a cut.
typedef struct mesh {
  const cl_vec *p;
  uint32_t n, edges;
  uint32_t *origin, *next, *prev, *twin;
  // The rest of the polygon while ears are clipped: the vertices still in it
  // (linked), the half-edge from each to the next, and whether it is an ear.
  uint32_t *after, *before, *edge;
  uint8_t *ear;
} mesh;

static double turn(const mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  const double p[2] = {m->p[a].x, m->p[a].y}, q[2] = {m->p[b].x, m->p[b].y};
  const double r[2] = {m->p[c].x, m->p[c].y};
  return cl_orient(p, q, r);
}

// Whether cutting vertex v off leaves a polygon: it must bend out, with no other
// vertex in the closed triangle. Only one that bends in can be the first there.
static bool is_ear(const mesh *m, uint32_t v) {
  uint32_t a = m->before[v], b = m->after[v];
  if (turn(m, a, v, b) <= 0) return false;
  for (uint32_t i = m->after[b]; i != a; i = m->after[i])
    if (turn(m, m->before[i], i, m->after[i]) <= 0 && turn(m, a, v, i) >= 0 &&
        turn(m, v, b, i) >= 0 && turn(m, b, a, i) >= 0)
      return false;
  return true;
}

static void link_edges(mesh *m, uint32_t a, uint32_t b) {
  m->next[a] = b;
  m->prev[b] = a;
}

static uint32_t new_edge(mesh *m, uint32_t origin) {
  m->origin[m->edges] = origin;
  return m->edges++;
}

// Cuts the ear at v off: its triangle becomes a face, and the other half of the
// cut an edge of the rest.
static void clip(mesh *m, uint32_t v) {
  uint32_t a = m->before[v], b = m->after[v];
  uint32_t in = new_edge(m, b), out = new_edge(m, a);
  m->twin[in] = out;
  m->twin[out] = in;
  link_edges(m, m->edge[a], m->edge[v]);
  link_edges(m, m->edge[v], in);
  link_edges(m, in, m->edge[a]);
  m->edge[a] = out;
  m->after[a] = b;
  m->before[b] = a;
  m->ear[a] = is_ear(m, a);
  m->ear[b] = is_ear(m, b);
}

// The ear with the shortest cut: long slivers make more parts in the end.
static bool best_ear(const mesh *m, uint32_t from, uint32_t *out) {
  double best = INFINITY;
  uint32_t v = from;
  do {
    if (m->ear[v]) {
      cl_vec d = cl_vec_sub(m->p[m->after[v]], m->p[m->before[v]]);
      double length = cl_vec_dot(d, d);
      if (length < best) best = length, *out = v;
    }
    v = m->after[v];
  } while (v != from);
  return best < INFINITY;
}

// False when the polygon turns out not to be simple.
static bool triangulate(mesh *m) {
  uint32_t n = m->n, from = 0, v = 0;
  for (uint32_t i = 0; i < n; i++) {
    m->origin[i] = m->edge[i] = i;
    m->after[i] = (i + 1) % n;
    m->before[i] = (i + n - 1) % n;
  }
  m->edges = n;
  for (uint32_t i = 0; i < n; i++) m->ear[i] = is_ear(m, i);
  for (uint32_t left = n; left > 3; left--) {
    if (!best_ear(m, from, &v)) return false;
    from = m->after[v];
    clip(m, v);
  }
  uint32_t a = from, b = m->after[a], c = m->after[b];
  link_edges(m, m->edge[a], m->edge[b]);
  link_edges(m, m->edge[b], m->edge[c]);
  link_edges(m, m->edge[c], m->edge[a]);
  return turn(m, a, b, c) > 0;
}

// Whether the corner at the start of cut h stays convex without h.
static bool free_end(const mesh *m, uint32_t h) {
  uint32_t t = m->twin[h];
  uint32_t a = m->origin[m->prev[h]], v = m->origin[h], b = m->origin[m->next[m->next[t]]];
  return turn(m, a, v, b) >= 0;
}

// Takes needless cuts out, the longest first: it is chosen again each time, since
// n is small and this keeps the memory one block.
static void merge(mesh *m) {
  for (;;) {
    double best = 0;
    uint32_t h = 0;
    for (uint32_t i = m->n; i < m->edges; i += 2) {
      uint32_t t = m->twin[i];
      if (t == i) continue; // taken out
      cl_vec d = cl_vec_sub(m->p[m->origin[t]], m->p[m->origin[i]]);
      double length = cl_vec_dot(d, d);
      if (length > best && free_end(m, i) && free_end(m, t)) best = length, h = i;
    }
    if (best == 0) return;
    uint32_t t = m->twin[h];
    link_edges(m, m->prev[h], m->next[t]);
    link_edges(m, m->prev[t], m->next[h]);
    m->twin[h] = h;
    m->twin[t] = t;
  }
}

// Writes the faces out and leaves `next` without them.
static void collect(mesh *m, cl_cut *out) {
  for (uint32_t i = 0; i < m->edges; i++) {
    if (m->next[i] == UINT32_MAX || (i >= m->n && m->twin[i] == i)) continue;
    uint32_t size = 0;
    for (uint32_t h = i; m->next[h] != UINT32_MAX; size++) {
      out->points[out->total] = m->p[m->origin[h]];
      out->inner[out->total++] = h >= m->n;
      uint32_t next = m->next[h];
      m->next[h] = UINT32_MAX;
      h = next;
    }
    out->sizes[out->parts++] = size;
  }
}

static bool convex(const mesh *m) {
  for (uint32_t i = 0; i < m->n; i++)
    if (turn(m, i, (i + 1) % m->n, (i + 2) % m->n) < 0) return false;
  return true;
}

cl_status cl_cut_polygon(const cl_alloc *alloc, const cl_vec *outline, uint32_t count,
                         cl_cut *out) {
  size_t n = count, edges = 3 * n; // n and two for each of n - 3 cuts
  size_t size =
      edges * (sizeof(cl_vec) + 4 * sizeof(uint32_t) + 1) + n * (4 * sizeof(uint32_t) + 1);
  unsigned char *at = cl_new(alloc, size);
  if (!at) return CL_NOMEM;
  *out = (cl_cut){.memory = at, .size = size, .points = (cl_vec *)at};
  uint32_t *words = (uint32_t *)(out->points + edges);
  mesh m = {.p = outline, .n = count, .origin = words};
  m.next = m.origin + edges, m.prev = m.next + edges, m.twin = m.prev + edges;
  m.after = m.twin + edges, m.before = m.after + n, m.edge = m.before + n;
  out->sizes = m.edge + n;
  out->inner = (uint8_t *)(out->sizes + n), m.ear = out->inner + edges;
  if (convex(&m)) { // nothing to cut: the outline is the one face
    m.edges = count;
    for (uint32_t i = 0; i < count; i++) m.origin[i] = i, m.next[i] = (i + 1) % count;
  } else if (triangulate(&m)) {
    merge(&m);
  } else {
    cl_cut_free(alloc, out);
    return CL_INVALID;
  }
  collect(&m, out);
  return CL_OK;
}

void cl_cut_free(const cl_alloc *alloc, cl_cut *cut) { cl_free(alloc, cut->memory, cut->size); }
