// collide, MIT licence (see LICENSE)
//
// Polygons and chains: checking what the user gave, and building the shape. Whether a
// vertex bends in, and whether edges cross, is decided exactly. Layer: geom.

#include "geom/build.h"

// The points without repetitions, and the index of each among the given ones.
typedef struct ring {
  cl_vec *p;
  uint32_t *given;
  uint32_t n;
  size_t memory;
} ring;

static bool same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

// Whether the outline goes round once without bending in. Then no edges cross.
static bool convex(const ring *r) {
  int left = 0; // how often the outline changes between leftward and rightward
  for (uint32_t i = 0; i < r->n; i++) {
    cl_vec a = r->p[i], b = r->p[(i + 1) % r->n], c = r->p[(i + 2) % r->n];
    double t = cl_orient_vec(a, b, c);
    if (t < 0 || (t == 0 && cl_dot_vec(a, b, c) < 0)) return false;
    bool first = a.x < b.x || (a.x == b.x && a.y < b.y);
    bool second = b.x < c.x || (b.x == c.x && b.y < c.y);
    left += first != second;
  }
  return left == 2;
}

static bool flat(const ring *r) {
  for (uint32_t i = 2; i < r->n; i++)
    if (cl_orient_vec(r->p[0], r->p[1], r->p[i]) != 0) return false;
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
  return cl_orient_vec(r->p[(k + n - 1) % n], r->p[k], r->p[(k + 1) % n]) > 0;
}

static void reverse(ring *r) {
  for (uint32_t i = 0, k = r->n - 1; i < k; i++, k--) {
    cl_vec p = r->p[i];
    uint32_t g = r->given[i];
    r->p[i] = r->p[k], r->given[i] = r->given[k];
    r->p[k] = p, r->given[k] = g;
  }
}

static cl_status build_polygon(const cl_alloc *alloc, const ring *r, const cl_cut *cut, double area,
                               cl_shape **out) {
  uint64_t padded = 0;
  for (uint32_t i = 0; i < cut->parts; i++) padded += cl_build_padded(cut->sizes[i]);
  cl_build build = cl_build_new(alloc, CL_POLYGON, 0, cut->parts, padded, r->n, 0);
  if (!build.shape) return CL_NOMEM;
  for (uint32_t i = 0, at = 0; i < cut->parts; at += cut->sizes[i++])
    cl_build_part(&build, cut->points + at, cut->sizes[i], 0, cut->inner + at);
  memcpy(build.outline, r->p, r->n * sizeof *r->p);
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
  uint32_t n = cl_straighten(r->p, r->n, CL_FLAT * reach, corners);
  cl_cut cut;
  cl_status status = cl_cut_polygon(alloc, corners, n, &cut);
  if (status == CL_INVALID) { // straightening made edges touch: drop only exactly collinear points
    n = cl_straighten(r->p, r->n, 0, corners);
    status = cl_cut_polygon(alloc, corners, n, &cut);
  }
  if (status != CL_OK) return status;
  if (turned) reverse(r);
  status = build_polygon(alloc, r, &cut, area, out);
  cl_cut_free(alloc, &cut);
  return status;
}

static cl_status check_polygon(const cl_alloc *alloc, const ring *r, cl_fault *fault) {
  uint32_t i, j;
  if (r->n < 3) *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  else if (flat(r)) *fault = (cl_fault){CL_FAULT_FLAT, 0, 0};
  if (fault->kind != CL_FAULT_NONE) return CL_INVALID;
  if (convex(r)) return CL_OK;
  cl_status status = cl_find_crossing(alloc, r->p, r->n, &i, &j);
  if (status == CL_INVALID) *fault = (cl_fault){CL_FAULT_CROSS, r->given[i], r->given[j]};
  return status;
}

// Fills the ring. Drops a point equal to the one before it, and, in a closed
// outline, last points equal to the first.
static cl_fault fill(ring *r, const double *xy, uint32_t count, bool closed) {
  for (uint32_t i = 0; i < count; i++) {
    cl_vec p = {xy[2 * (size_t)i], xy[2 * (size_t)i + 1]};
    if (!cl_point_ok(p)) return (cl_fault){CL_FAULT_NUMBER, i, 0};
    p = cl_point_kept(p);
    if (r->n > 0 && same(p, r->p[r->n - 1])) continue;
    r->given[r->n] = i;
    r->p[r->n++] = p;
  }
  while (closed && r->n > 1 && same(r->p[r->n - 1], r->p[0])) r->n--;
  return (cl_fault){CL_FAULT_NONE, 0, 0};
}

// Room for `copies` times `count` points, the first `count` being the ring's.
static cl_status open_ring(ring *r, const cl_alloc *alloc, uint32_t count, size_t copies) {
  size_t each = copies * sizeof(cl_vec) + sizeof(uint32_t);
  r->p = count <= CL_SHAPE_MOST ? cl_new_array(alloc, count, each) : NULL;
  if (!r->p) return CL_NOMEM;
  r->given = (uint32_t *)(r->p + copies * count);
  r->memory = each * count;
  r->n = 0;
  return CL_OK;
}

static void close_ring(ring *r, const cl_alloc *alloc) { cl_free(alloc, r->p, r->memory); }

cl_status cl_shape_polygon(const cl_alloc *alloc, const double *xy, uint32_t count, cl_fault *fault,
                           cl_shape **out) {
  ring r;
  *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  if (count < 3) return CL_INVALID;
  cl_status status = open_ring(&r, alloc, count, 3);
  if (status != CL_OK) return status;
  *fault = fill(&r, xy, count, true);
  status = fault->kind == CL_FAULT_NONE ? check_polygon(alloc, &r, fault) : CL_INVALID;
  if (status == CL_OK) status = make_polygon(alloc, &r, r.p + count, out);
  close_ring(&r, alloc);
  return status;
}

static cl_status build_chain(const cl_alloc *alloc, const ring *r, bool closed, cl_shape **out) {
  assert(r->n >= 2);
  uint32_t parts = closed ? r->n : r->n - 1;
  cl_build build = cl_build_new(alloc, CL_CHAIN, 0, parts, 4 * (uint64_t)parts, r->n, 0);
  if (!build.shape) return CL_NOMEM;
  for (uint32_t i = 0; i < parts; i++)
    cl_build_part(&build, (cl_vec[]){r->p[i], r->p[(i + 1) % r->n]}, 2, 0, NULL);
  memcpy(build.outline, r->p, r->n * sizeof *r->p);
  build.shape->closed = closed;
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

cl_status cl_shape_chain(const cl_alloc *alloc, const double *xy, uint32_t count, bool closed,
                         cl_fault *fault, cl_shape **out) {
  ring r;
  *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  if (count < 2) return CL_INVALID;
  cl_status status = open_ring(&r, alloc, count, 1);
  if (status != CL_OK) return status;
  *fault = fill(&r, xy, count, closed);
  if (fault->kind == CL_FAULT_NONE && r.n < (closed ? 3u : 2u)) fault->kind = CL_FAULT_FEW;
  status = fault->kind == CL_FAULT_NONE ? build_chain(alloc, &r, closed, out) : CL_INVALID;
  close_ring(&r, alloc);
  return status;
}
