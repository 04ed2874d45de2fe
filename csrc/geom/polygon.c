// collide, MIT licence (see LICENSE)
//
// Polygons: checking what the user gave, and building the shape. Whether a
// vertex bends in, and whether edges cross, is decided exactly. Layer: geom.

#include <string.h>

#include "base/exact.h"
#include "base/tol.h"
#include "geom/build.h"

// The points without repetitions, and which of the given ones each was.
typedef struct ring {
  cl_vec *p;
  uint32_t *given;
  uint32_t n;
} ring;

static double turn(cl_vec a, cl_vec b, cl_vec c) {
  const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
  return cl_orient(p, q, r);
}

static double along(cl_vec a, cl_vec b, cl_vec c) {
  const double p[2] = {a.x, a.y}, q[2] = {b.x, b.y}, r[2] = {c.x, c.y};
  return cl_dot(p, q, q, r);
}

static bool same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

static int sign(double x) { return (x > 0) - (x < 0); }

// For c in a line with a and b: whether it lies between them, ends included.
static bool between(cl_vec a, cl_vec b, cl_vec c) {
  return cl_min(a.x, b.x) <= c.x && c.x <= cl_max(a.x, b.x) && cl_min(a.y, b.y) <= c.y &&
         c.y <= cl_max(a.y, b.y);
}

// Whether the closed segments share a point.
static bool meet(cl_vec a, cl_vec b, cl_vec c, cl_vec d) {
  if (cl_max(a.x, b.x) < cl_min(c.x, d.x) || cl_max(c.x, d.x) < cl_min(a.x, b.x)) return false;
  if (cl_max(a.y, b.y) < cl_min(c.y, d.y) || cl_max(c.y, d.y) < cl_min(a.y, b.y)) return false;
  int s = sign(turn(a, b, c)), t = sign(turn(a, b, d));
  int u = sign(turn(c, d, a)), v = sign(turn(c, d, b));
  if (s * t < 0 && u * v < 0) return true;
  return (s == 0 && between(a, b, c)) || (t == 0 && between(a, b, d)) ||
         (u == 0 && between(c, d, a)) || (v == 0 && between(c, d, b));
}

// Whether it goes round once without bending in: then no edges can cross.
static bool convex(const ring *r) {
  int left = 0; // how often the way turns between leftward and rightward
  for (uint32_t i = 0; i < r->n; i++) {
    cl_vec a = r->p[i], b = r->p[(i + 1) % r->n], c = r->p[(i + 2) % r->n];
    double t = turn(a, b, c);
    if (t < 0 || (t == 0 && along(a, b, c) < 0)) return false;
    bool first = a.x < b.x || (a.x == b.x && a.y < b.y);
    bool second = b.x < c.x || (b.x == c.x && b.y < c.y);
    left += first != second;
  }
  return left == 2;
}

// The first two edges that share more than the corner between neighbours.
static cl_fault find_crossing(const ring *r) {
  for (uint32_t i = 0; i < r->n; i++) {
    cl_vec a = r->p[i], b = r->p[(i + 1) % r->n], c = r->p[(i + 2) % r->n];
    if (turn(a, b, c) == 0 && along(a, b, c) < 0)
      return (cl_fault){CL_FAULT_CROSS, r->given[i], r->given[(i + 1) % r->n]};
    for (uint32_t k = i + 2; k < r->n - (i == 0); k++)
      if (meet(a, b, r->p[k], r->p[(k + 1) % r->n]))
        return (cl_fault){CL_FAULT_CROSS, r->given[i], r->given[k]};
  }
  return (cl_fault){CL_FAULT_NONE, 0, 0};
}

static bool flat(const ring *r) {
  for (uint32_t i = 2; i < r->n; i++)
    if (turn(r->p[0], r->p[1], r->p[i]) != 0) return false;
  return true;
}

// Twice the area, signed, about the first point.
static double double_area(const ring *r) {
  double sum = 0;
  for (uint32_t i = 2; i < r->n; i++)
    sum += cl_vec_cross(cl_vec_sub(r->p[i - 1], r->p[0]), cl_vec_sub(r->p[i], r->p[0]));
  return sum;
}

// The direction of a simple polygon is that of its lowest leftmost corner.
static bool positive(const ring *r) {
  uint32_t k = 0, n = r->n;
  for (uint32_t i = 1; i < n; i++)
    if (r->p[i].x < r->p[k].x || (r->p[i].x == r->p[k].x && r->p[i].y < r->p[k].y)) k = i;
  return turn(r->p[(k + n - 1) % n], r->p[k], r->p[(k + 1) % n]) > 0;
}

static void reverse(ring *r) {
  for (uint32_t i = 0, k = r->n - 1; i < k; i++, k--) {
    cl_vec p = r->p[i];
    uint32_t g = r->given[i];
    r->p[i] = r->p[k], r->given[i] = r->given[k];
    r->p[k] = p, r->given[k] = g;
  }
}

// One pass of straighten.
static uint32_t drop_flat(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = 0, start = 0;
  while (turn(p[(start + count - 1) % count], p[start], p[(start + 1) % count]) <= 0) start++;
  uint32_t last = start; // a corner, which stays; the last point kept
  out[n++] = p[start];
  for (uint32_t k = 1; k < count; k++) {
    uint32_t at = (start + k) % count;
    cl_vec a = p[last], c = p[(at + 1) % count];
    double room = tolerance * cl_vec_length(cl_vec_sub(c, a));
    bool drop = turn(a, p[at], c) <= 0;
    for (uint32_t i = last; drop && i != at;) {
      i = (i + 1) % count;
      drop = fabs(turn(a, p[i], c)) <= room;
    }
    if (!drop) out[n++] = p[last = at];
  }
  return n;
}

// Drops the points between kept ones that lie in a line with them, or bend in by
// less than the tolerance: they would only make needless cuts. A drop may leave
// its neighbour bent in by as little, so it is done until nothing changes. The
// result is in the first `count` of the 2 * count points of `out`.
static uint32_t straighten(const cl_vec *p, uint32_t count, double tolerance, cl_vec *out) {
  uint32_t n = drop_flat(p, count, tolerance, out), m;
  while ((m = drop_flat(out, n, tolerance, out + count)) < n) {
    memcpy(out, out + count, m * sizeof *out);
    n = m;
  }
  return n;
}

static cl_status build_polygon(const cl_alloc *alloc, const ring *r, const cl_cut *cut, double area,
                               cl_shape **out) {
  uint32_t room = 0;
  for (uint32_t i = 0; i < cut->parts; i++) room += cl_build_room(cut->sizes[i]);
  cl_build build = cl_build_new(alloc, CL_POLYGON, 0, cut->parts, room, r->n, 0);
  if (!build.shape) return CL_NOMEM;
  for (uint32_t i = 0, at = 0; i < cut->parts; at += cut->sizes[i++])
    cl_build_part(&build, cut->points + at, cut->sizes[i], 0, cut->inner + at);
  memcpy(build.outline, r->p, r->n * sizeof *r->p);
  build.shape->area = area;
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

// Cuts and builds what has been found to be a simple polygon.
static cl_status make_polygon(const cl_alloc *alloc, ring *r, cl_vec *corners, cl_shape **out) {
  double reach = 0, area = fabs(double_area(r)) / 2;
  for (uint32_t i = 0; i < r->n; i++)
    reach = cl_max(reach, cl_max(fabs(r->p[i].x), fabs(r->p[i].y)));
  bool turned = !positive(r);
  if (turned) reverse(r);
  uint32_t n = straighten(r->p, r->n, CL_FLAT * reach, corners);
  cl_cut cut;
  cl_status status = cl_cut_polygon(alloc, corners, n, &cut);
  if (status == CL_INVALID) { // straightening made edges touch: leave out what is exactly in line
    n = straighten(r->p, r->n, 0, corners);
    status = cl_cut_polygon(alloc, corners, n, &cut);
  }
  if (status != CL_OK) return status;
  if (turned) reverse(r);
  status = build_polygon(alloc, r, &cut, area, out);
  cl_cut_free(alloc, &cut);
  return status;
}

static cl_fault check_polygon(const ring *r) {
  if (r->n < 3) return (cl_fault){CL_FAULT_FEW, 0, 0};
  if (flat(r)) return (cl_fault){CL_FAULT_FLAT, 0, 0};
  if (convex(r)) return (cl_fault){CL_FAULT_NONE, 0, 0};
  return find_crossing(r);
}

// Fills the ring; a point equal to the one before is dropped, as is a last one
// equal to the first of a closed outline.
static cl_fault fill(ring *r, const double *xy, uint32_t count, bool closed) {
  for (uint32_t i = 0; i < count; i++) {
    cl_vec p = {xy[2 * i], xy[2 * i + 1]};
    if (!cl_point_ok(p)) return (cl_fault){CL_FAULT_NUMBER, i, 0};
    if (r->n > 0 && same(p, r->p[r->n - 1])) continue;
    r->given[r->n] = i;
    r->p[r->n++] = p;
  }
  while (closed && r->n > 1 && same(r->p[r->n - 1], r->p[0])) r->n--;
  return (cl_fault){CL_FAULT_NONE, 0, 0};
}

cl_status cl_shape_polygon(const cl_alloc *alloc, const double *xy, uint32_t count, cl_fault *fault,
                           cl_shape **out) {
  *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  if (count < 3) return CL_INVALID;
  size_t size = count * (3 * sizeof(cl_vec) + sizeof(uint32_t));
  cl_vec *points = cl_new(alloc, size);
  if (!points) return CL_NOMEM;
  ring r = {points, (uint32_t *)(points + 3 * (size_t)count), 0};
  *fault = fill(&r, xy, count, true);
  if (fault->kind == CL_FAULT_NONE) *fault = check_polygon(&r);
  cl_status status =
      fault->kind != CL_FAULT_NONE ? CL_INVALID : make_polygon(alloc, &r, points + count, out);
  cl_free(alloc, points, size);
  return status;
}

cl_status cl_shape_chain(const cl_alloc *alloc, const double *xy, uint32_t count, bool closed,
                         cl_fault *fault, cl_shape **out) {
  *fault = (cl_fault){CL_FAULT_FEW, 0, 0};
  if (count < 2) return CL_INVALID;
  size_t size = count * (sizeof(cl_vec) + sizeof(uint32_t));
  cl_vec *points = cl_new(alloc, size);
  if (!points) return CL_NOMEM;
  ring r = {points, (uint32_t *)(points + count), 0};
  *fault = fill(&r, xy, count, closed);
  if (fault->kind == CL_FAULT_NONE && r.n < (closed ? 3u : 2u)) fault->kind = CL_FAULT_FEW;
  cl_status status = CL_INVALID;
  if (fault->kind == CL_FAULT_NONE) {
    uint32_t parts = closed ? r.n : r.n - 1;
    cl_build build = cl_build_new(alloc, CL_CHAIN, 0, parts, 4 * parts, r.n, 0);
    status = build.shape ? CL_OK : CL_NOMEM;
    for (uint32_t i = 0; build.shape && i < parts; i++)
      cl_build_part(&build, (cl_vec[]){r.p[i], r.p[(i + 1) % r.n]}, 2, 0, NULL);
    if (build.shape) {
      memcpy(build.outline, r.p, r.n * sizeof *r.p);
      build.shape->closed = closed;
      cl_build_finish(&build);
      *out = build.shape;
    }
  }
  cl_free(alloc, points, size);
  return status;
}
