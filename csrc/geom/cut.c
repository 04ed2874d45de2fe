// collide, MIT licence (see LICENSE)
//
// Cuts a simple polygon into few convex parts: clips ears, then removes every cut that neither of
// its ends needs, which leaves at most four times the fewest possible parts (usually the fewest or
// one more).
// Layer: geom.
// Source: Hertel and Mehlhorn 1983; O'Rourke, Computational Geometry in C, 2.5.

#include "geom/build.h"
#include "geom/strip.h"

// Half-edges: 0 … n - 1 are the outline's, then two for each cut. The face of a
// half-edge lies to its left; `twin` is the other half of a cut.
typedef struct mesh {
  const cl_vec *p;
  uint32_t n, edges;
  uint32_t *origin, *next, *prev, *twin;
  // The rest of the polygon while ears are clipped: a linked list of the vertices still in it, the
  // half-edge from each to the next, which vertices are reflex or straight, and a tree of boxes
  // over those.
  uint32_t *after, *before, *edge;
  uint8_t *reflex;
  cl_strip bends;
  // A tournament tree that finds the candidate with the smallest key: `keys` leaves, a power of
  // two, and node 1 the root. Candidates are first the ears, by vertex; then the cuts.
  double *key;
  uint32_t keys;
} mesh;

#define NEVER INFINITY

static double orient(const mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  return cl_orient_vec(m->p[a], m->p[b], m->p[c]);
}

static double square(const mesh *m, uint32_t a, uint32_t b) {
  cl_vec d = cl_vec_sub(m->p[b], m->p[a]);
  return cl_vec_dot(d, d);
}

static void forget_keys(mesh *m) {
  for (uint32_t i = 0; i < 2 * m->keys; i++) m->key[i] = NEVER;
}

static void set_key(mesh *m, uint32_t i, double key) {
  uint32_t node = m->keys + i;
  m->key[node] = key;
  while (node /= 2) m->key[node] = cl_min(m->key[2 * node], m->key[2 * node + 1]);
}

// The first candidate from `from` on with the smallest key.
static uint32_t smallest_key(const mesh *m, uint32_t from) {
  uint32_t found = m->keys + from;
  for (uint32_t node = found; node > 1; node /= 2)
    if (!(node & 1) && m->key[node + 1] < m->key[found]) found = node + 1;
  while (found < m->keys) {
    found *= 2;
    if (m->key[found + 1] < m->key[found]) found++;
  }
  return found - m->keys;
}

// The box of a leaf's vertices that are reflex.
static cl_bounds box_of_bends(const mesh *m, uint32_t leaf) {
  cl_bounds b = cl_strip_nothing();
  uint32_t from = leaf * CL_STRIP_LEAF;
  for (uint32_t v = from; v < from + CL_STRIP_LEAF && v < m->n; v++)
    if (m->reflex[v])
      b = cl_bounds_join(b, (cl_bounds){m->p[v].x, m->p[v].y, m->p[v].x, m->p[v].y});
  return b;
}

static bool bends_in(const mesh *m, uint32_t v) {
  return orient(m, m->before[v], v, m->after[v]) <= 0;
}

static void note_bends(mesh *m) {
  for (uint32_t v = 0; v < m->n; v++) m->reflex[v] = bends_in(m, v);
  for (uint32_t leaf = 0; leaf < m->bends.leaves; leaf++)
    m->bends.box[m->bends.leaves + leaf] = box_of_bends(m, leaf);
  cl_strip_fill(&m->bends);
}

static void note_bend(mesh *m, uint32_t v) {
  bool reflex = bends_in(m, v);
  if (reflex == m->reflex[v]) return;
  uint32_t leaf = v / CL_STRIP_LEAF;
  m->reflex[v] = reflex;
  m->bends.box[m->bends.leaves + leaf] = box_of_bends(m, leaf);
  cl_strip_update(&m->bends, leaf);
}

// Whether a reflex vertex of a leaf other than a and b lies in the closed triangle a, v, b, whose
// box is `box`.
static bool any_inside(const mesh *m, uint32_t leaf, uint32_t a, uint32_t v, uint32_t b,
                       cl_bounds box) {
  uint32_t from = leaf * CL_STRIP_LEAF;
  for (uint32_t i = from; i < from + CL_STRIP_LEAF && i < m->n; i++) {
    cl_vec c = m->p[i];
    if (!m->reflex[i] || c.x < box.l || c.x > box.r || c.y < box.t || c.y > box.b) continue;
    if (i == a || i == b) continue;
    if (orient(m, a, v, i) >= 0 && orient(m, v, b, i) >= 0 && orient(m, b, a, i) >= 0) return true;
  }
  return false;
}

// Whether cutting vertex v off leaves a polygon: it must be convex, with no other
// vertex in the closed triangle. Testing the reflex vertices is enough.
static bool is_ear(const mesh *m, uint32_t v) {
  uint32_t a = m->before[v], b = m->after[v];
  if (m->reflex[v]) return false;
  cl_vec p = m->p[a], q = m->p[v], r = m->p[b];
  cl_bounds box = {cl_min(cl_min(p.x, q.x), r.x), cl_min(cl_min(p.y, q.y), r.y),
                   cl_max(cl_max(p.x, q.x), r.x), cl_max(cl_max(p.y, q.y), r.y)};
  uint32_t leaf = cl_strip_next(&m->bends, 0, box);
  for (; leaf < m->bends.leaves; leaf = cl_strip_next(&m->bends, leaf + 1, box))
    if (any_inside(m, leaf, a, v, b, box)) return false;
  return true;
}

// Orders ears by the length of their cuts, the shortest first: long slivers make more parts in the
// end.
static void note_ear(mesh *m, uint32_t v) {
  set_key(m, v, is_ear(m, v) ? square(m, m->before[v], m->after[v]) : NEVER);
}

static void link_edges(mesh *m, uint32_t a, uint32_t b) {
  m->next[a] = b;
  m->prev[b] = a;
}

static uint32_t new_edge(mesh *m, uint32_t origin) {
  m->origin[m->edges] = origin;
  return m->edges++;
}

// Cuts off the ear at v: its triangle becomes a face, and the other half of the
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
  set_key(m, v, NEVER);
  note_bend(m, a);
  note_bend(m, b);
  note_ear(m, a);
  note_ear(m, b);
}

// The best ear; among equals, the first at or after `from`, going round.
static bool best_ear(const mesh *m, uint32_t from, uint32_t *out) {
  uint32_t first = smallest_key(m, 0), next = smallest_key(m, from);
  *out = m->key[m->keys + next] <= m->key[m->keys + first] ? next : first;
  return m->key[m->keys + *out] < NEVER;
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
  forget_keys(m);
  note_bends(m);
  for (uint32_t i = 0; i < n; i++) note_ear(m, i);
  for (uint32_t left = n; left > 3; left--) {
    if (!best_ear(m, from, &v)) return false;
    from = m->after[v];
    clip(m, v);
  }
  uint32_t a = from, b = m->after[a], c = m->after[b];
  link_edges(m, m->edge[a], m->edge[b]);
  link_edges(m, m->edge[b], m->edge[c]);
  link_edges(m, m->edge[c], m->edge[a]);
  return orient(m, a, b, c) > 0;
}

// Whether the corner at the start of cut h stays convex without h.
static bool free_end(const mesh *m, uint32_t h) {
  uint32_t t = m->twin[h];
  uint32_t a = m->origin[m->prev[h]], v = m->origin[h], b = m->origin[m->next[m->next[t]]];
  return orient(m, a, v, b) >= 0;
}

// Orders needless cuts by their length, the longest first. `h` is either half of a cut, or an edge
// of the outline, which is ignored.
static void note_cut(mesh *m, uint32_t h) {
  if (h < m->n) return;
  uint32_t cut = (h - m->n) / 2, i = m->n + 2 * cut, t = m->twin[i];
  bool needless = t != i && free_end(m, i) && free_end(m, t);
  set_key(m, cut, needless ? -square(m, m->origin[i], m->origin[t]) : NEVER);
}

// Removes needless cuts. Removing one can only make those beside it needed.
static void merge(mesh *m) {
  forget_keys(m);
  for (uint32_t i = m->n; i < m->edges; i += 2) note_cut(m, i);
  for (;;) {
    uint32_t cut = smallest_key(m, 0);
    if (!(m->key[m->keys + cut] < NEVER)) return;
    uint32_t h = m->n + 2 * cut, t = m->twin[h];
    const uint32_t beside[4] = {m->prev[h], m->next[h], m->prev[t], m->next[t]};
    link_edges(m, m->prev[h], m->next[t]);
    link_edges(m, m->prev[t], m->next[h]);
    m->twin[h] = h;
    m->twin[t] = t;
    set_key(m, cut, NEVER);
    for (int i = 0; i < 4; i++) note_cut(m, beside[i]);
  }
}

// Writes the faces to `out` and clears their `next`.
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
    if (orient(m, i, (i + 1) % m->n, (i + 2) % m->n) < 0) return false;
  return true;
}

cl_status cl_cut_polygon(const cl_alloc *alloc, const cl_vec *outline, uint32_t count,
                         cl_cut *out) {
  size_t n = count, edges = 3 * n, size = 0; // n and two for each of n - 3 cuts
  mesh m = {.p = outline, .n = count, .keys = 1, .bends = {cl_strip_leaves(count), NULL}};
  while (m.keys < count) m.keys *= 2;
  if (!cl_add_size(&size, edges, sizeof(cl_vec) + 4 * sizeof(uint32_t) + 1) ||
      !cl_add_size(&size, 2 * (uint64_t)m.keys, sizeof(double)) ||
      !cl_add_size(&size, cl_strip_boxes(m.bends.leaves), sizeof(cl_bounds)) ||
      !cl_add_size(&size, n, 4 * sizeof(uint32_t) + 1))
    return CL_NOMEM;
  unsigned char *at = cl_new(alloc, size);
  if (!at) return CL_NOMEM;
  *out = (cl_cut){.memory = at, .size = size, .points = (cl_vec *)at};
  m.key = (double *)(out->points + edges);
  m.bends.box = (cl_bounds *)(m.key + 2 * (size_t)m.keys);
  m.origin = (uint32_t *)(m.bends.box + cl_strip_boxes(m.bends.leaves));
  m.next = m.origin + edges, m.prev = m.next + edges, m.twin = m.prev + edges;
  m.after = m.twin + edges, m.before = m.after + n, m.edge = m.before + n;
  out->sizes = m.edge + n;
  out->inner = (uint8_t *)(out->sizes + n), m.reflex = out->inner + edges;
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
