// collide, MIT licence (see LICENSE)
//
// The constructors of shapes of one part that need no geometry. Layer: geom.

#include "geom/build.h"

cl_status cl_shape_rectangle(const cl_alloc *alloc, double x, double y, double w, double h,
                             cl_shape **out) {
  if (!cl_point_ok((cl_vec){x, y}) || !cl_size_ok(w) || !cl_size_ok(h)) return CL_INVALID;
  x = cl_coord_kept(x), y = cl_coord_kept(y);
  double r = cl_coord_kept(x + w), b = cl_coord_kept(y + h);
  if (!(r > x && b > y)) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_RECTANGLE, 0, 1, 4, 4, 0);
  if (!build.shape) return CL_NOMEM;
  cl_vec v[4] = {{x, y}, {r, y}, {r, b}, {x, b}};
  cl_build_part(&build, v, 4, 0, NULL);
  build.parts[0].flags = CL_PART_BOX;
  memcpy(build.outline, v, sizeof v);
  build.shape->area = w * h;
  cl_build_finish(&build);
  build.shape->w = w;
  build.shape->h = h;
  *out = build.shape;
  return CL_OK;
}

cl_status cl_shape_circle(const cl_alloc *alloc, double x, double y, double r, cl_shape **out) {
  if (!cl_point_ok((cl_vec){x, y}) || !cl_size_ok(r)) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_CIRCLE, 0, 1, 4, 1, 0);
  if (!build.shape) return CL_NOMEM;
  cl_vec v = cl_point_kept((cl_vec){x, y});
  cl_build_part(&build, &v, 1, r, NULL);
  build.outline[0] = v;
  build.shape->radius = r;
  build.shape->area = cl_area_convex(&v, 1, r);
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

static cl_status two_points(const cl_alloc *alloc, cl_shape_kind kind, const cl_vec v[2], double r,
                            cl_shape **out) {
  cl_build build = cl_build_new(alloc, kind, 0, 1, 4, 2, 0);
  if (!build.shape) return CL_NOMEM;
  bool point = v[0].x == v[1].x && v[0].y == v[1].y; // then the part is that of a circle
  cl_build_part(&build, v, point ? 1 : 2, r, NULL);
  memcpy(build.outline, v, 2 * sizeof *v);
  build.shape->radius = r;
  build.shape->area = cl_area_convex(v, 2, r);
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

cl_status cl_shape_capsule(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           double r, cl_shape **out) {
  const cl_vec v[2] = {cl_point_kept((cl_vec){x1, y1}), cl_point_kept((cl_vec){x2, y2})};
  if (!cl_point_ok(v[0]) || !cl_point_ok(v[1]) || !cl_size_ok(r)) return CL_INVALID;
  return two_points(alloc, CL_CAPSULE, v, r, out);
}

cl_status cl_shape_segment(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           cl_shape **out) {
  const cl_vec v[2] = {cl_point_kept((cl_vec){x1, y1}), cl_point_kept((cl_vec){x2, y2})};
  if (!cl_point_ok(v[0]) || !cl_point_ok(v[1])) return CL_INVALID;
  if (v[0].x == v[1].x && v[0].y == v[1].y) return CL_INVALID;
  return two_points(alloc, CL_SEGMENT, v, 0, out);
}
