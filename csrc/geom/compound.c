// collide, MIT licence (see LICENSE)
//
// Shapes made of shapes, and parts as shapes of their own. Layer: geom.

#include "geom/build.h"

cl_status cl_shape_compound(const cl_alloc *alloc, cl_shape *const *members, uint32_t count,
                            cl_shape **out) {
  if (count == 0) return CL_INVALID;
  uint64_t parts = 0, vertices = 0;
  uint32_t levels = 0, upright = members[0]->flags & CL_SHAPE_UPRIGHT;
  for (uint32_t i = 0; i < count; i++) {
    if (members[i]->kind == CL_TILES) return CL_INVALID;
    if ((members[i]->flags & CL_SHAPE_UPRIGHT) != upright) return CL_INVALID;
    if (members[i]->levels > levels) levels = members[i]->levels;
    parts += members[i]->part_count;
    for (uint32_t k = 0; k < members[i]->part_count; k++)
      vertices += cl_build_padded(members[i]->parts[k].count);
  }
  if (levels >= CL_SHAPE_LEVELS) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_COMPOUND, 0, parts, vertices, 0, count);
  if (!build.shape) return CL_NOMEM;
  build.shape->levels = levels + 1;
  build.shape->flags |= upright;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < members[i]->part_count; k++) cl_build_copy(&build, members[i], k);
    build.shape->area += members[i]->area;
    build.shape->members[i] = cl_shape_retain(members[i]);
  }
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

// The kind of shape that a convex part is on its own.
static cl_shape_kind kind_of(const cl_part *part) {
  if (part->flags & CL_PART_BOX) return CL_RECTANGLE;
  if (part->count == 1) return CL_CIRCLE;
  if (part->count == 2) return part->radius > 0 ? CL_CAPSULE : CL_SEGMENT;
  return CL_POLYGON;
}

cl_status cl_shape_part(cl_shape *shape, uint32_t index, cl_shape **out) {
  if (index >= shape->part_count) return CL_INVALID;
  if (shape->part_count == 1 && shape->kind != CL_COMPOUND && shape->kind != CL_CHAIN) {
    *out = cl_shape_retain(shape);
    return CL_OK;
  }
  const cl_part *part = &shape->parts[index];
  uint32_t n = part->count, upright = shape->flags & CL_SHAPE_UPRIGHT;
  cl_build build = cl_build_new(&shape->alloc, kind_of(part), upright, 1, cl_build_padded(n), n, 0);
  if (!build.shape) return CL_NOMEM;
  cl_build_copy(&build, shape, index);
  for (uint32_t i = 0; i < build.next_vertex; i++) build.inner[i] = 0;
  for (uint32_t i = 0; i < n; i++) build.outline[i] = (cl_vec){build.vx[i], build.vy[i]};
  cl_build_finish(&build);
  build.shape->radius = part->radius;
  build.shape->area = cl_area_convex(build.outline, n, part->radius);
  *out = build.shape;
  return CL_OK;
}
