// collide, MIT licence (see LICENSE)
//
// New shapes made from old ones. A shape is built again from its mapped points,
// so the result has passed the same checks as a user's points.
// Layer: geom.

#include "base/tol.h"
#include "geom/build.h"
#include "geom/tiles.h"

// p → (a b; c d) p + (x, y), and by what it multiplies lengths (0 when that
// depends on the direction).
typedef struct map {
  double a, b, c, d, x, y, scale;
  bool turns;
} map;

static cl_vec apply(const map *m, cl_vec p) {
  return (cl_vec){m->a * p.x + m->b * p.y + m->x, m->c * p.x + m->d * p.y + m->y};
}

static cl_status map_rectangle(cl_shape *s, const map *m, cl_shape **out) {
  cl_vec p = apply(m, s->outline[0]);
  double w = m->a * s->w, h = m->d * s->h;
  // Mirrored, the given corner is on the other side.
  if (w < 0) p.x = m->a * s->bounds.r + m->x, w = -w;
  if (h < 0) p.y = m->d * s->bounds.b + m->y, h = -h;
  return cl_shape_rectangle(&s->alloc, p.x, p.y, w, h, out);
}

static cl_status map_points(cl_shape *s, const map *m, cl_shape **out) {
  cl_vec *points = cl_new_array(&s->alloc, s->outline_count, sizeof *points);
  if (!points) return CL_NOMEM;
  for (uint32_t i = 0; i < s->outline_count; i++) points[i] = apply(m, s->outline[i]);
  cl_fault fault;
  cl_status status =
      s->kind == CL_CHAIN
          ? cl_shape_chain(&s->alloc, &points->x, s->outline_count, s->closed, &fault, out)
          : cl_shape_polygon(&s->alloc, &points->x, s->outline_count, &fault, out);
  CL_FREE(&s->alloc, points, s->outline_count);
  return status;
}

static cl_status map_shape(cl_shape *s, const map *m, cl_shape **out);

static cl_status map_members(cl_shape *s, const map *m, cl_shape **out) {
  uint32_t n = 0;
  cl_shape **members = cl_new_array(&s->alloc, s->member_count, sizeof *members);
  cl_status status = members ? CL_OK : CL_NOMEM;
  for (; status == CL_OK && n < s->member_count; n++) {
    status = map_shape(s->members[n], m, &members[n]);
    if (status != CL_OK) break;
  }
  if (status == CL_OK) status = cl_shape_compound(&s->alloc, members, n, out);
  for (uint32_t i = 0; i < n; i++) cl_shape_release(members[i]);
  CL_FREE(&s->alloc, members, s->member_count);
  return status;
}

// Cells stay squares, upright and in their order.
static cl_status map_tiles(cl_shape *s, const map *m, cl_shape **out) {
  if (m->turns || !(m->a > 0 && m->a == m->d)) return CL_INVALID;
  cl_vec p = apply(m, s->outline[0]);
  return cl_tiles_moved(s, p.x, p.y, s->cell * m->a, out);
}

static cl_status map_shape(cl_shape *s, const map *m, cl_shape **out) {
  if ((s->flags & CL_SHAPE_ROUND) && !(m->scale > 0)) return CL_INVALID;
  const cl_vec none = {0, 0};
  cl_vec p = s->outline_count > 0 ? apply(m, s->outline[0]) : none;
  cl_vec q = s->outline_count > 1 ? apply(m, s->outline[1]) : none;
  cl_status status = CL_INVALID;
  switch (s->kind) {
  case CL_RECTANGLE: status = (m->turns ? map_points : map_rectangle)(s, m, out); break;
  case CL_CIRCLE: status = cl_shape_circle(&s->alloc, p.x, p.y, s->radius * m->scale, out); break;
  case CL_CAPSULE:
    status = cl_shape_capsule(&s->alloc, p.x, p.y, q.x, q.y, s->radius * m->scale, out);
    break;
  case CL_SEGMENT: status = cl_shape_segment(&s->alloc, p.x, p.y, q.x, q.y, out); break;
  case CL_POLYGON:
  case CL_CHAIN: status = map_points(s, m, out); break;
  case CL_COMPOUND: status = map_members(s, m, out); break;
  case CL_TILES: status = map_tiles(s, m, out); break;
  }
  if (status == CL_OK) (*out)->flags |= s->flags & CL_SHAPE_UPRIGHT;
  return status;
}

cl_status cl_shape_translated(cl_shape *shape, double dx, double dy, cl_shape **out) {
  map m = {1, 0, 0, 1, dx, dy, 1, false};
  return map_shape(shape, &m, out);
}

cl_status cl_shape_rotated(cl_shape *shape, double angle, cl_shape **out) {
  if (!(fabs(angle) <= CL_MAX_ANGLE)) return CL_INVALID;
  cl_rot r = cl_rot_of(angle);
  map m = {r.c, -r.s, r.s, r.c, 0, 0, 1, angle != 0};
  return map_shape(shape, &m, out);
}

cl_status cl_shape_scaled(cl_shape *shape, double sx, double sy, cl_shape **out) {
  if (!cl_coord_ok(sx) || !cl_coord_ok(sy) || sx == 0 || sy == 0) return CL_INVALID;
  map m = {sx, 0, 0, sy, 0, 0, fabs(sx) == fabs(sy) ? fabs(sx) : 0, false};
  return map_shape(shape, &m, out);
}

cl_status cl_shape_centered(cl_shape *shape, cl_shape **out) {
  const cl_bounds *b = &shape->bounds;
  return cl_shape_translated(shape, -(b->l + b->r) / 2, -(b->t + b->b) / 2, out);
}

// For a new shape, whose members have no other owner.
static void set_upright(cl_shape *s) {
  s->flags |= CL_SHAPE_UPRIGHT;
  for (uint32_t i = 0; i < s->member_count; i++) set_upright(s->members[i]);
}

cl_status cl_shape_upright(cl_shape *shape, cl_shape **out) {
  cl_status status = cl_shape_translated(shape, 0, 0, out);
  if (status == CL_OK) set_upright(*out);
  return status;
}
