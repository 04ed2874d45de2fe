// collide, MIT licence (see LICENSE)
//
// Memory of shapes, and the constructors that need no geometry. Layer: geom.

#include "geom/shape.h"

#include <string.h>

#include "base/tol.h"
#include "cells/grid.h"
#include "geom/build.h"
#include "geom/tree.h"

#define PI 3.141592653589793

// Arrays in the block are multiples of this long.
enum { ALIGN = 8 };

// Takes `bytes` of the block at `*at`.
static void *take(unsigned char **at, size_t bytes) {
  unsigned char *p = *at;
  *at += (bytes + ALIGN - 1) / ALIGN * ALIGN;
  return p;
}

// The same for the sum of bytes; false beyond what can be.
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
  size_t nodes = cl_tree_size((uint32_t)parts), ordered = nodes > 0 ? (size_t)parts : 0;
  size_t size = 0, v = (size_t)vertices;
  bool fits = add(&size, 1, sizeof(cl_shape)) && add(&size, parts, sizeof(cl_part)) &&
              add(&size, v, 4 * sizeof(double)) && add(&size, outline, sizeof(cl_vec)) &&
              add(&size, members, sizeof(cl_shape *)) && add(&size, nodes, sizeof(cl_node)) &&
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
  s->outline = build.outline = take(&at, (size_t)outline * sizeof(cl_vec));
  s->members = take(&at, (size_t)members * sizeof(cl_shape *));
  s->nodes = build.nodes = take(&at, nodes * sizeof(cl_node));
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

// Unit normal to the right of the way from a to b, which lies outside when the
// order is positive.
static cl_vec edge_normal(cl_vec a, cl_vec b) {
  cl_vec e = cl_vec_sub(b, a);
  cl_vec_normalise(&e);
  return (cl_vec){e.y, -e.x};
}

void cl_build_part(cl_build *build, const cl_vec *vertices, uint32_t count, double radius,
                   const uint8_t *inner) {
  cl_part *part = &build->parts[build->next_part++];
  uint32_t first = build->next_vertex, room = cl_build_room(count);
  *part = (cl_part){.first = first, .count = count, .radius = radius};
  cl_vec v = vertices[0];
  cl_bounds b = {v.x, v.y, v.x, v.y};
  for (uint32_t i = 0; i < room; i++) {
    uint32_t k = i < count ? i : count - 1; // padding repeats the last
    v = vertices[k];
    cl_vec n = edge_normal(v, vertices[(k + 1) % count]);
    build->vx[first + i] = v.x;
    build->vy[first + i] = v.y;
    build->nx[first + i] = n.x;
    build->ny[first + i] = n.y;
    build->inner[first + i] = inner ? inner[k] : 0;
    b = cl_bounds_join(b, (cl_bounds){v.x, v.y, v.x, v.y});
    part->reach = cl_max(part->reach, fabs(v.x) + fabs(v.y));
  }
  part->bounds = cl_bounds_grown(b, radius);
  build->next_vertex += room;
}

// Its polygon, a strip of the radius along the way round, and a full circle.
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
  uint32_t at = build->next_vertex, room = cl_build_room(part->count);
  size_t bytes = room * sizeof(double);
  memcpy(build->vx + at, from->vx + part->first, bytes);
  memcpy(build->vy + at, from->vy + part->first, bytes);
  memcpy(build->nx + at, from->nx + part->first, bytes);
  memcpy(build->ny + at, from->ny + part->first, bytes);
  memcpy(build->inner + at, from->inner + part->first, room);
  assert(index < from->part_count);
  build->parts[build->next_part] = *part;
  build->parts[build->next_part++].first = at;
  build->next_vertex += room;
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
  cl_tree_build(s->parts, s->part_count, build->nodes, build->order);
}

cl_status cl_shape_rectangle(const cl_alloc *alloc, double x, double y, double w, double h,
                             cl_shape **out) {
  if (!cl_point_ok((cl_vec){x, y}) || !cl_point_ok((cl_vec){w, h})) return CL_INVALID;
  double r = x + w, b = y + h;
  if (!(w > 0 && h > 0 && r > x && b > y)) return CL_INVALID;
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
  if (!cl_point_ok((cl_vec){x, y}) || !cl_coord_ok(r) || !(r > 0)) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_CIRCLE, 0, 1, 4, 1, 0);
  if (!build.shape) return CL_NOMEM;
  cl_vec v = {x, y};
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
  bool point = v[0].x == v[1].x && v[0].y == v[1].y; // then it is a circle in all but name
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
  cl_vec v[2] = {{x1, y1}, {x2, y2}};
  if (!cl_point_ok(v[0]) || !cl_point_ok(v[1]) || !cl_coord_ok(r) || !(r > 0)) return CL_INVALID;
  return two_points(alloc, CL_CAPSULE, v, r, out);
}

cl_status cl_shape_segment(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           cl_shape **out) {
  cl_vec v[2] = {{x1, y1}, {x2, y2}};
  if (!cl_point_ok(v[0]) || !cl_point_ok(v[1]) || (x1 == x2 && y1 == y2)) return CL_INVALID;
  return two_points(alloc, CL_SEGMENT, v, 0, out);
}

void cl_shape_retain(cl_shape *shape) { shape->references++; }

void cl_shape_release(cl_shape *shape) {
  if (--shape->references > 0) return;
  for (uint32_t i = 0; i < shape->member_count; i++) cl_shape_release(shape->members[i]);
  if (shape->grid) cl_grid_release(shape->grid);
  cl_alloc alloc = shape->alloc;
  cl_free(&alloc, shape, shape->size);
}

uint64_t cl_shape_point_count(const cl_shape *shape) {
  uint64_t n = shape->outline_count;
  for (uint32_t i = 0; i < shape->member_count; i++) n += cl_shape_point_count(shape->members[i]);
  return n;
}

cl_vec cl_shape_point(const cl_shape *shape, uint64_t index) {
  for (uint32_t i = 0; i < shape->member_count; i++) {
    uint64_t n = cl_shape_point_count(shape->members[i]);
    if (index < n) return cl_shape_point(shape->members[i], index);
    index -= n;
  }
  return shape->outline[index];
}
