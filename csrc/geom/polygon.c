// collide, MIT licence (see LICENSE)
//
// Polygons and chains. A polygon is checked: no two edges may cross or touch. Points that lie in a
// line with their neighbours are left out, and the rest is cut into convex parts. Whether a vertex
// bends in, and whether edges cross, is decided exactly. Layer: geom.

#include "base/exact.h"
#include "geom/shape.h"

// (b - a) . (c - b): above 0 when the path a, b, c goes on at b, below 0 when it goes back.
static double ahead(cl_vec a, cl_vec b, cl_vec c) { return cl_dot(a, b, b, c); }

static bool points_equal(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

// Whether the outline goes round once without bending in. Then no edges cross.
static bool is_outline_convex(const cl_vec *p, uint32_t n) {
  int left = 0; // how often the outline changes between leftward and rightward
  for (uint32_t i = 0; i < n; i++) {
    cl_vec a = p[i], b = p[(i + 1) % n], c = p[(i + 2) % n];
    double t = cl_orient(a, b, c);
    if (t < 0 || (t == 0 && ahead(a, b, c) < 0)) return false;
    bool first = a.x < b.x || (a.x == b.x && a.y < b.y);
    bool second = b.x < c.x || (b.x == c.x && b.y < c.y);
    left += first != second;
  }
  return left == 2;
}

// --- edges that cross ---

static int sign(double x) { return (x > 0) - (x < 0); }

// Whether c, collinear with a and b, lies between them, ends included.
static bool is_between(cl_vec a, cl_vec b, cl_vec c) {
  return cl_min(a.x, b.x) <= c.x && c.x <= cl_max(a.x, b.x) && cl_min(a.y, b.y) <= c.y &&
         c.y <= cl_max(a.y, b.y);
}

// Whether the closed segments, whose boxes touch, share a point.
static bool edges_meet(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  int s = sign(cl_orient(a, b, c)), t = sign(cl_orient(a, b, d));
  int u = sign(cl_orient(c, d, a)), v = sign(cl_orient(c, d, b));
  if (s * t < 0 && u * v < 0) return true;
  return (s == 0 && is_between(a, b, c)) || (t == 0 && is_between(a, b, d)) ||
         (u == 0 && is_between(c, d, a)) || (v == 0 && is_between(c, d, b));
}

static cl_bounds box_of_edge(cl_vec a, cl_vec b) {
  return (cl_bounds){cl_min(a.x, b.x), cl_min(a.y, b.y), cl_max(a.x, b.x), cl_max(a.y, b.y)};
}

// Looks for two edges of a closed polygon that share more than the corner between neighbours. Edge
// k goes from point k to the next. True if there are two: edges `i` and `j`, with the smallest i,
// then the smallest j.
static bool find_crossing(const cl_vec *p, uint32_t count, uint32_t *i, uint32_t *j) {
  for (uint32_t k = 0; k < count; k++) {
    cl_vec a = p[k], b = p[(k + 1) % count], c = p[(k + 2) % count];
    cl_bounds box = box_of_edge(a, b);
    uint32_t end = count - (k == 0); // the last edge is the first one's neighbour
    *i = k;
    *j = k + 1;
    if (cl_orient(a, b, c) == 0 && ahead(a, b, c) < 0) {
      *j %= count;
      return true;
    }
    for (*j += 1; *j < end; *j += 1) {
      cl_vec from = p[*j], to = p[(*j + 1) % count];
      if (cl_bounds_touch(box, box_of_edge(from, to)) && edges_meet(a, b, from, to)) return true;
    }
  }
  return false;
}

// --- points in a line ---

// The directions in which a line from a point passes all points seen so far within a distance. It
// is only a quick test: the distance is reduced by far more than rounding adds, so what it accepts
// is certain, and what it rejects is tested point by point. Source: Williams, An Efficient
// Algorithm for the Piecewise Linear Approximation of Planar Curves (1978).
typedef struct cone {
  cl_vec low, high;
  bool open; // all directions
  bool lost; // some point lies in the opposite direction
} cone;

static const cone all_directions = {{0, 0}, {0, 0}, true, false};

static void narrow(cone *c, cl_vec d, double distance) {
  double length = cl_vec_length(d);
  if (length <= distance) return;
  double s = distance / length, k = sqrt(1 - s * s);
  cl_vec low = {d.x * k + d.y * s, d.y * k - d.x * s};
  cl_vec high = {d.x * k - d.y * s, d.y * k + d.x * s};
  if (c->open) {
    *c = (cone){low, high, false, false};
    return;
  }
  if (!(cl_vec_dot(c->low, d) > 0 && cl_vec_dot(c->high, d) > 0)) c->lost = true;
  if (cl_vec_cross(c->low, low) > 0) c->low = low;
  if (cl_vec_cross(high, c->high) > 0) c->high = high;
}

static bool holds(const cone *c, cl_vec d) {
  if (c->open || c->lost) return c->open;
  return cl_vec_dot(c->low, d) > 0 && cl_vec_cross(c->low, d) >= 0 && cl_vec_cross(d, c->high) >= 0;
}

// Whether no point after `last` up to `at` is farther than the tolerance from the line
// from `last` to c.
static bool is_near_line(const cl_vec *p, uint32_t count, uint32_t last, uint32_t at, cl_vec c,
                         double tolerance) {
  cl_vec a = p[last];
  double limit = tolerance * cl_vec_length(cl_vec_sub(c, a));
  for (uint32_t i = last; i != at;) {
    i = (i + 1) % count;
    if (!(fabs(cl_orient(a, p[i], c)) <= limit)) return false;
  }
  return true;
}

// One pass. Without a tolerance the points dropped so far lie in a line with the last of them, so
// testing that one is enough.
static uint32_t drop_flat(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = 0, start = 0;
  while (cl_orient(p[(start + count - 1) % count], p[start], p[(start + 1) % count]) <= 0) start++;
  uint32_t last = start; // a corner, which stays; the last point kept
  cone ways = all_directions;
  out[n++] = p[start];
  for (uint32_t k = 1; k < count; k++) {
    uint32_t at = (start + k) % count;
    cl_vec a = p[last], c = p[(at + 1) % count];
    double bend = cl_orient(a, p[at], c);
    bool drop;
    if (tolerance > 0) {
      narrow(&ways, cl_vec_sub(p[at], a), tolerance * 0.875);
      drop = bend <= 0 &&
             (holds(&ways, cl_vec_sub(c, a)) || is_near_line(p, count, last, at, c, tolerance));
    } else {
      drop = bend == 0;
    }
    if (drop) continue;
    out[n++] = p[last = at];
    ways = all_directions;
  }
  return n;
}

// Drops the points of a simple polygon in the positive order that lie in a line with those kept
// before and after them, or bend in by less than the tolerance (local units): they would only make
// needless cuts. `out` has room for 2 * count points. Returns how many were kept, at the start of
// `out`. Dropping a point may leave its neighbour bent in by as little, so passes are repeated
// until nothing changes.
static uint32_t straighten(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = drop_flat(p, count, tolerance, out), m;
  while ((m = drop_flat(out, n, tolerance, out + count)) < n) {
    memcpy(out, out + count, m * sizeof *out);
    n = m;
  }
  return n;
}

// --- cuts ---

// A simple polygon (`count` >= 3 points in the positive order) cut into few convex parts without
// new points.
typedef struct pieces {
  cl_vec *points;  // `total` points, one part after the other
  uint8_t *inner;  // per edge: 1 when it is a cut
  uint32_t *sizes; // per part: how many points
  uint32_t parts, total;
  void *memory;
  size_t size;
} pieces;

// Clips ears, then removes every cut that neither of its ends needs, which leaves at most four
// times the fewest possible parts (usually the fewest or one more). Source: Hertel and Mehlhorn
// 1983; O'Rourke, Computational Geometry in C, 2.5.
//
// Half-edges: 0 … n - 1 are the outline's, then two for each cut. The face of a
// half-edge lies to its left; `twin` is the other half of a cut.
typedef struct mesh {
  const cl_vec *p;
  uint32_t n, edges;
  uint32_t *origin, *next, *prev, *twin;
  // The rest of the polygon while ears are clipped: a linked list of the vertices still in it, the
  // half-edge from each to the next, and which vertices are reflex or straight.
  uint32_t *after, *before, *edge;
  uint8_t *reflex;
  double *key; // of each ear by its vertex, later of each cut: the smallest is next, NEVER is none
} mesh;

#define NEVER INFINITY

static double turn_at(const mesh *m, uint32_t a, uint32_t b, uint32_t c) {
  return cl_orient(m->p[a], m->p[b], m->p[c]);
}

static double square(const mesh *m, uint32_t a, uint32_t b) {
  cl_vec d = cl_vec_sub(m->p[b], m->p[a]);
  return cl_vec_dot(d, d);
}

static void note_bend(mesh *m, uint32_t v) {
  m->reflex[v] = turn_at(m, m->before[v], v, m->after[v]) <= 0;
}

// Whether cutting vertex v off leaves a polygon: it must be convex, with no other
// vertex in the closed triangle. Testing the reflex vertices is enough.
static bool is_ear(const mesh *m, uint32_t v) {
  uint32_t a = m->before[v], b = m->after[v];
  if (m->reflex[v]) return false;
  cl_vec p = m->p[a], q = m->p[v], r = m->p[b];
  cl_bounds box = {cl_min(cl_min(p.x, q.x), r.x), cl_min(cl_min(p.y, q.y), r.y),
                   cl_max(cl_max(p.x, q.x), r.x), cl_max(cl_max(p.y, q.y), r.y)};
  for (uint32_t i = m->after[b]; i != a; i = m->after[i]) {
    if (!m->reflex[i] || !cl_bounds_hold(box, m->p[i])) continue;
    if (turn_at(m, a, v, i) >= 0 && turn_at(m, v, b, i) >= 0 && turn_at(m, b, a, i) >= 0)
      return false;
  }
  return true;
}

// Orders ears by the length of their cuts, the shortest first: long slivers make more parts in the
// end.
static void note_ear(mesh *m, uint32_t v) {
  m->key[v] = is_ear(m, v) ? square(m, m->before[v], m->after[v]) : NEVER;
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
static void clip_ear(mesh *m, uint32_t v) {
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
  note_bend(m, a);
  note_bend(m, b);
  note_ear(m, a);
  note_ear(m, b);
}

// The best ear; among equals, the first at or after `from`, going round.
static bool best_ear(const mesh *m, uint32_t from, uint32_t *out) {
  *out = from;
  for (uint32_t v = m->after[from]; v != from; v = m->after[v])
    if (m->key[v] < m->key[*out]) *out = v;
  return m->key[*out] < NEVER;
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
  for (uint32_t i = 0; i < n; i++) note_bend(m, i);
  for (uint32_t i = 0; i < n; i++) note_ear(m, i);
  for (uint32_t left = n; left > 3; left--) {
    if (!best_ear(m, from, &v)) return false;
    from = m->after[v];
    clip_ear(m, v);
  }
  uint32_t a = from, b = m->after[a], c = m->after[b];
  link_edges(m, m->edge[a], m->edge[b]);
  link_edges(m, m->edge[b], m->edge[c]);
  link_edges(m, m->edge[c], m->edge[a]);
  return turn_at(m, a, b, c) > 0;
}

// Whether the corner at the start of cut h stays convex without h.
static bool free_end(const mesh *m, uint32_t h) {
  uint32_t t = m->twin[h];
  uint32_t a = m->origin[m->prev[h]], v = m->origin[h], b = m->origin[m->next[m->next[t]]];
  return turn_at(m, a, v, b) >= 0;
}

// Orders needless cuts by their length, the longest first. `h` is either half of a cut, or an edge
// of the outline, which is ignored.
static void note_cut(mesh *m, uint32_t h) {
  if (h < m->n) return;
  uint32_t cut = (h - m->n) / 2, i = m->n + 2 * cut, t = m->twin[i];
  bool needless = t != i && free_end(m, i) && free_end(m, t);
  m->key[cut] = needless ? -square(m, m->origin[i], m->origin[t]) : NEVER;
}

// The needless cut that goes first.
static bool best_cut(const mesh *m, uint32_t *cut) {
  *cut = 0;
  for (uint32_t i = 1; i < (m->edges - m->n) / 2; i++)
    if (m->key[i] < m->key[*cut]) *cut = i;
  return m->key[*cut] < NEVER;
}

// Removes needless cuts. Removing one can only make those beside it needed.
static void merge_faces(mesh *m) {
  uint32_t cut;
  for (uint32_t i = m->n; i < m->edges; i += 2) note_cut(m, i);
  while (m->edges > m->n && best_cut(m, &cut)) {
    uint32_t h = m->n + 2 * cut, t = m->twin[h];
    const uint32_t beside[4] = {m->prev[h], m->next[h], m->prev[t], m->next[t]};
    link_edges(m, m->prev[h], m->next[t]);
    link_edges(m, m->prev[t], m->next[h]);
    m->twin[h] = h;
    m->twin[t] = t;
    m->key[cut] = NEVER;
    for (int i = 0; i < 4; i++) note_cut(m, beside[i]);
  }
}

// Writes the faces to `out` and clears their `next`.
static void collect_faces(mesh *m, pieces *out) {
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

static void free_cut(const cl_alloc *alloc, pieces *c) { cl_free(alloc, c->memory, c->size); }

// CL_INVALID when the outline is not simple. Free with free_cut after CL_OK.
static cl_status cut_polygon(const cl_alloc *alloc, const cl_vec *outline, uint32_t count,
                             pieces *out) {
  size_t n = count, edges = 3 * n; // n and two for each of n - 3 cuts
  mesh m = {.p = outline, .n = count};
  uint64_t size = (uint64_t)edges * (sizeof(cl_vec) + 4 * sizeof(uint32_t) + 1) +
                  (uint64_t)n * (sizeof(double) + 4 * sizeof(uint32_t) + 1);
  unsigned char *at = cl_new_array(alloc, size, 1);
  if (!at) return CL_NOMEM;
  *out = (pieces){.memory = at, .size = (size_t)size, .points = (cl_vec *)at};
  m.key = (double *)(out->points + edges);
  m.origin = (uint32_t *)(m.key + n);
  m.next = m.origin + edges, m.prev = m.next + edges, m.twin = m.prev + edges;
  m.after = m.twin + edges, m.before = m.after + n, m.edge = m.before + n;
  out->sizes = m.edge + n;
  out->inner = (uint8_t *)(out->sizes + n), m.reflex = out->inner + edges;
  if (is_outline_convex(outline, count)) { // nothing to cut: the outline is the one face
    m.edges = count;
    for (uint32_t i = 0; i < count; i++) m.origin[i] = i, m.next[i] = (i + 1) % count;
  } else if (triangulate(&m)) {
    merge_faces(&m);
  } else {
    free_cut(alloc, out);
    return CL_INVALID;
  }
  collect_faces(&m, out);
  return CL_OK;
}

// --- polygons ---

// The points without repetitions, and the index of each among the given ones.
typedef struct ring {
  cl_vec *p;
  uint32_t *given;
  uint32_t n;
} ring;

static bool flat(const ring *r) {
  for (uint32_t i = 2; i < r->n; i++)
    if (cl_orient(r->p[0], r->p[1], r->p[i]) != 0) return false;
  return true;
}

// Twice the area, signed, about the first point.
static double double_area(const ring *r) {
  double sum = 0;
  for (uint32_t i = 2; i < r->n; i++)
    sum += cl_vec_cross(cl_vec_sub(r->p[i - 1], r->p[0]), cl_vec_sub(r->p[i], r->p[0]));
  return sum;
}

// A simple polygon turns the way that its leftmost corner does.
static bool positive(const ring *r) {
  uint32_t k = 0, n = r->n;
  assert(n >= 3);
  for (uint32_t i = 1; i < n; i++)
    if (r->p[i].x < r->p[k].x || (r->p[i].x == r->p[k].x && r->p[i].y < r->p[k].y)) k = i;
  return cl_orient(r->p[(k + n - 1) % n], r->p[k], r->p[(k + 1) % n]) > 0;
}

static void reverse(ring *r) {
  for (uint32_t i = 0, k = r->n - 1; i < k; i++, k--) {
    cl_vec p = r->p[i];
    r->p[i] = r->p[k];
    r->p[k] = p;
  }
}

static cl_status build_polygon(const cl_alloc *alloc, const ring *r, const pieces *c, double area,
                               cl_shape **out) {
  cl_build_size size = {.parts = c->parts, .outline = r->n};
  for (uint32_t i = 0; i < c->parts; i++) size.vertices += cl_build_padded(c->sizes[i]);
  cl_build build = cl_build_new(alloc, CL_POLYGON, 0, size);
  if (!build.shape) return CL_NOMEM;
  for (uint32_t i = 0, at = 0; i < c->parts; at += c->sizes[i++])
    cl_build_part(&build, c->points + at, c->sizes[i], 0, c->inner + at);
  memcpy(build.shape->outline, r->p, r->n * sizeof *r->p);
  build.shape->area = area;
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

// Cuts and builds a polygon that is known to be simple.
static cl_status make_polygon(const cl_alloc *alloc, ring *r, cl_vec *corners, cl_shape **out) {
  double reach = 0, area = fabs(double_area(r)) / 2;
  for (uint32_t i = 0; i < r->n; i++)
    reach = cl_max(reach, cl_max(fabs(r->p[i].x), fabs(r->p[i].y)));
  bool turned = !positive(r);
  if (turned) reverse(r);
  uint32_t n = straighten(r->p, r->n, CL_FLAT * reach, corners);
  pieces c;
  cl_status status = cut_polygon(alloc, corners, n, &c);
  if (status == CL_INVALID) { // straightening made edges touch: drop only exactly collinear points
    n = straighten(r->p, r->n, 0, corners);
    status = cut_polygon(alloc, corners, n, &c);
  }
  if (status != CL_OK) return status;
  if (turned) reverse(r);
  status = build_polygon(alloc, r, &c, area, out);
  free_cut(alloc, &c);
  return status;
}

static cl_fault fault_of(const ring *r) {
  uint32_t i, j;
  if (flat(r)) return (cl_fault){CL_FAULT_FLAT, 0, 0};
  if (!is_outline_convex(r->p, r->n) && find_crossing(r->p, r->n, &i, &j))
    return (cl_fault){CL_FAULT_CROSS, r->given[i], r->given[j]};
  return (cl_fault){CL_FAULT_NONE, 0, 0};
}

// Fills the ring. Drops a point equal to the one before it, and, in a closed
// outline, last points equal to the first.
static cl_fault fill_ring(ring *r, const double *xy, uint32_t count, bool closed) {
  for (uint32_t i = 0; i < count; i++) {
    cl_vec p = {xy[2 * (size_t)i], xy[2 * (size_t)i + 1]};
    if (!cl_place_ok(p)) return (cl_fault){CL_FAULT_NUMBER, i, 0};
    p = (cl_vec){cl_coord_kept(p.x), cl_coord_kept(p.y)};
    if (r->n > 0 && points_equal(p, r->p[r->n - 1])) continue;
    r->given[r->n] = i;
    r->p[r->n++] = p;
  }
  while (closed && r->n > 1 && points_equal(r->p[r->n - 1], r->p[0])) r->n--;
  return (cl_fault){CL_FAULT_NONE, 0, 0};
}

static cl_status build_chain(const cl_alloc *alloc, const ring *r, bool closed, cl_shape **out) {
  assert(r->n >= 2);
  uint32_t parts = closed ? r->n : r->n - 1;
  const cl_build_size size = {.parts = parts, .vertices = 4 * (uint64_t)parts, .outline = r->n};
  cl_build build = cl_build_new(alloc, CL_CHAIN, 0, size);
  if (!build.shape) return CL_NOMEM;
  for (uint32_t i = 0; i < parts; i++)
    cl_build_part(&build, (cl_vec[]){r->p[i], r->p[(i + 1) % r->n]}, 2, 0, NULL);
  memcpy(build.shape->outline, r->p, r->n * sizeof *r->p);
  build.shape->closed = closed;
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

// The points that the user gave, x and y in turn, of a polygon or a chain.
typedef struct given {
  const double *xy;
  uint32_t count;
  bool chain, closed;
} given;

// A polygon also needs room for two copies of its points.
static cl_status make_outline(const cl_alloc *alloc, const given *g, cl_fault *fault,
                              cl_shape **out) {
  size_t copies = g->chain ? 1 : 3, each = copies * sizeof(cl_vec) + sizeof(uint32_t);
  *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  if (g->count < (g->chain ? 2 : 3)) return CL_INVALID;
  ring r = {.p = g->count <= CL_SHAPE_MOST ? cl_new_array(alloc, g->count, each) : NULL};
  if (!r.p) return CL_NOMEM;
  r.given = (uint32_t *)(r.p + copies * g->count);
  cl_status status = CL_INVALID;
  *fault = fill_ring(&r, g->xy, g->count, g->closed);
  if (fault->kind == CL_FAULT_NONE && r.n < (g->closed ? 3 : 2)) fault->kind = CL_FAULT_FEW;
  if (fault->kind == CL_FAULT_NONE && !g->chain) *fault = fault_of(&r);
  if (fault->kind == CL_FAULT_NONE)
    status = g->chain ? build_chain(alloc, &r, g->closed, out)
                      : make_polygon(alloc, &r, r.p + g->count, out);
  cl_free(alloc, r.p, each * g->count);
  return status;
}

cl_status cl_shape_polygon(const cl_alloc *alloc, const double *xy, uint32_t count, cl_fault *fault,
                           cl_shape **out) {
  return make_outline(alloc, &(given){xy, count, false, true}, fault, out);
}

cl_status cl_shape_chain(const cl_alloc *alloc, const double *xy, uint32_t count, bool closed,
                         cl_fault *fault, cl_shape **out) {
  return make_outline(alloc, &(given){xy, count, true, closed}, fault, out);
}
