// collide, MIT licence (see LICENSE)
//
// Shapes while they are made: one allocation, filled part by part. Layer: geom.

#include "geom/build.h"

#include <string.h>

#include "geom/extent.h"
#include "geom/part_bvh.h"
#include "geom/shape_check.h"

#define PI 3.141592653589793

// The sizes of arrays in the block are rounded up to multiples of this.
enum { ALIGN = 8 };

// Takes `bytes` from the block at `*at`.
static void *take(unsigned char **at, size_t bytes) {
  unsigned char *p = *at;
  *at += (bytes + ALIGN - 1) / ALIGN * ALIGN;
  return p;
}

// Adds the size of such an array to a sum; false when it overflows.
static bool add(size_t *total, uint64_t count, size_t size) {
  if (!cl_add_size(total, count, size)) return false;
  size_t over = *total % ALIGN;
  return over == 0 || cl_add_size(total, ALIGN - over, 1);
}

cl_build cl_build_new(const cl_alloc *alloc, cl_shape_kind kind, uint32_t flags, uint64_t parts,
                      uint64_t vertices, uint64_t outline, uint64_t members) {
  cl_build build = {0};
  if (parts > CL_SHAPE_MOST || vertices > CL_SHAPE_MOST || outline > CL_SHAPE_MOST ||
      members > CL_SHAPE_MOST)
    return build;
  size_t nodes = cl_part_bvh_size((uint32_t)parts), ordered = nodes > 0 ? (size_t)parts : 0;
  size_t size = 0, v = (size_t)vertices;
  bool fits = add(&size, 1, sizeof(cl_shape)) && add(&size, parts, sizeof(cl_part)) &&
              add(&size, v, 5 * sizeof(double)) && add(&size, outline, sizeof(cl_vec)) &&
              add(&size, members, sizeof(cl_shape *)) && add(&size, nodes, sizeof(cl_part_node)) &&
              add(&size, ordered, sizeof(uint32_t)) && add(&size, v, 1);
  cl_shape *s = fits ? cl_new(alloc, size) : NULL;
  if (!s) return build;
  unsigned char *at = (unsigned char *)s;
  take(&at, sizeof *s);
  build.shape = s;
  s->parts = build.parts = take(&at, (size_t)parts * sizeof(cl_part));
  s->vx = build.vx = take(&at, v * sizeof(double));
  s->vy = build.vy = take(&at, v * sizeof(double));
  s->nx = build.nx = take(&at, v * sizeof(double));
  s->ny = build.ny = take(&at, v * sizeof(double));
  s->line = build.line = take(&at, v * sizeof(double));
  s->outline = build.outline = take(&at, (size_t)outline * sizeof(cl_vec));
  s->members = take(&at, (size_t)members * sizeof(cl_shape *));
  s->nodes = build.nodes = take(&at, nodes * sizeof(cl_part_node));
  s->order = build.order = take(&at, ordered * sizeof(uint32_t));
  s->inner = build.inner = take(&at, v);
  s->kind = kind;
  s->flags = flags;
  s->references = 1;
  s->part_count = (uint32_t)parts;
  s->outline_count = (uint32_t)outline;
  s->member_count = (uint32_t)members;
  s->alloc = *alloc;
  s->size = size;
  return build;
}

// Unit normal to the right of the edge from a to b, which points outward when the
// order is positive.
static cl_vec edge_normal(cl_vec a, cl_vec b) {
  cl_vec e = cl_vec_sub(b, a);
  cl_vec_normalise(&e);
  return (cl_vec){e.y, -e.x};
}

void cl_build_part(cl_build *build, const cl_vec *vertices, uint32_t count, double radius,
                   const uint8_t *inner) {
  cl_part *part = &build->parts[build->next_part++];
  uint32_t first = build->next_vertex, padded = cl_build_padded(count);
  *part = (cl_part){.first = first, .count = count, .radius = radius};
  cl_extent extent = cl_extent_empty();
  for (uint32_t i = 0; i < count; i++) {
    cl_vec v = vertices[i], w = vertices[i + 1 < count ? i + 1 : 0], n = edge_normal(v, w);
    build->vx[first + i] = v.x;
    build->vy[first + i] = v.y;
    build->nx[first + i] = n.x;
    build->ny[first + i] = n.y;
    build->line[first + i] = cl_max(cl_vec_dot(n, v), cl_vec_dot(n, w));
    build->inner[first + i] = inner ? inner[i] : 0;
    cl_extent_add(&extent, v);
    part->reach = cl_max(part->reach, fabs(v.x) + fabs(v.y));
  }
  for (uint32_t i = first + count; i < first + padded; i++) { // padding repeats the last
    build->vx[i] = build->vx[i - 1];
    build->vy[i] = build->vy[i - 1];
    build->nx[i] = build->nx[i - 1];
    build->ny[i] = build->ny[i - 1];
    build->line[i] = build->line[i - 1];
    build->inner[i] = build->inner[i - 1];
  }
  part->bounds = cl_bounds_grown(cl_extent_bounds(&extent), radius);
  build->next_vertex += padded;
}

// The area of the polygon, of a strip as wide as the radius along its edges, and of a full circle.
double cl_area_convex(const cl_vec *v, uint32_t count, double radius) {
  double twice = 0, round = 0;
  for (uint32_t i = 0; i < count; i++) {
    cl_vec a = cl_vec_sub(v[i], v[0]), b = cl_vec_sub(v[(i + 1) % count], v[0]);
    twice += cl_vec_cross(a, b);
    round += cl_vec_length(cl_vec_sub(b, a));
  }
  return twice / 2 + radius * (round + PI * radius);
}

void cl_build_copy(cl_build *build, const cl_shape *from, uint32_t index) {
  const cl_part *part = &from->parts[index];
  uint32_t at = build->next_vertex, padded = cl_build_padded(part->count);
  size_t bytes = padded * sizeof(double);
  memcpy(build->vx + at, from->vx + part->first, bytes);
  memcpy(build->vy + at, from->vy + part->first, bytes);
  memcpy(build->nx + at, from->nx + part->first, bytes);
  memcpy(build->ny + at, from->ny + part->first, bytes);
  memcpy(build->line + at, from->line + part->first, bytes);
  memcpy(build->inner + at, from->inner + part->first, padded);
  assert(index < from->part_count);
  build->parts[build->next_part] = *part;
  build->parts[build->next_part++].first = at;
  build->next_vertex += padded;
}

void cl_build_finish(cl_build *build) {
  cl_shape *s = build->shape;
  assert(s->part_count > 0);
  s->bounds = s->parts[0].bounds;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *p = &s->parts[i];
    s->bounds = cl_bounds_join(s->bounds, p->bounds);
    s->reach = cl_max(s->reach, p->reach + p->radius);
    if (p->radius > 0) s->flags |= CL_SHAPE_ROUND;
    else if (p->count <= 2) s->flags |= CL_SHAPE_THIN;
  }
  s->w = s->bounds.r - s->bounds.l;
  s->h = s->bounds.b - s->bounds.t;
  cl_part_bvh_build(s->parts, s->part_count, build->nodes, build->order);
  CL_CHECK(cl_shape_is_valid(s));
}
