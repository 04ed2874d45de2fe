// collide, MIT licence (see LICENSE)
//
// Shapes at a place, including tiles: bounds, parts near a box, and whether they contain a point;
// and new shapes made from old ones by moving all points. Layer: geom.

#include "base/exact.h"
#include "geom/tiles.h"

cl_placed cl_place(const cl_shape *shape, double x, double y, double angle) {
  assert(shape && fabs(angle) <= CL_MAX_ANGLE);
  cl_rot none = {1, 0};
  bool turns = !(shape->flags & CL_SHAPE_UPRIGHT) && angle != 0;
  return (cl_placed){shape, x, y, turns ? cl_rot_of(angle) : none};
}

cl_bounds cl_placed_part_bounds(const cl_placed *p, uint32_t index) {
  assert(index < p->shape->part_count);
  const cl_part *part = &p->shape->parts[index];
  if (cl_rot_is_none(p->rot) && part->radius == 0) {
    const cl_bounds *b = &part->bounds; // rounding keeps order: the extreme vertices stay extreme
    return (cl_bounds){p->x + b->l, p->y + b->t, p->x + b->r, p->y + b->b};
  }
  cl_vec v = cl_placed_vertex(p, part->first);
  cl_bounds b = {v.x, v.y, v.x, v.y};
  for (uint32_t i = 1; i < part->count; i++) {
    v = cl_placed_vertex(p, part->first + i);
    b = cl_bounds_join(b, (cl_bounds){v.x, v.y, v.x, v.y});
  }
  return cl_bounds_grown(b, part->radius);
}

// The bounds of a box whose middle has come to `m`, turned either way, and grown by `error`.
static cl_bounds turned(const cl_placed *p, const cl_bounds *box, cl_vec m, double error) {
  double c = fabs(p->rot.c), s = fabs(p->rot.s);
  double w = (box->r - box->l) / 2, h = (box->b - box->t) / 2;
  double u = c * w + s * h + error, v = s * w + c * h + error;
  return (cl_bounds){m.x - u, m.y - v, m.x + u, m.y + v};
}

cl_bounds cl_placed_box(const cl_placed *p, const cl_bounds *box, double error) {
  cl_vec middle = {(box->l + box->r) / 2, (box->t + box->b) / 2};
  return turned(p, box, cl_placed_point(p, middle), error);
}

cl_within cl_within_placed(const cl_placed *p, cl_bounds box) {
  cl_vec m = {(box.l + box.r) / 2 - p->x, (box.t + box.b) / 2 - p->y};
  return cl_within_box(p->shape, turned(p, &box, cl_rot_undo(p->rot, m), cl_placed_error(p)));
}

// --- bounds ---

// Only parts near the sides matter: a node inside the bounds so far is skipped.
static cl_bounds bounds_of_many(const cl_placed *p) {
  const cl_shape *s = p->shape;
  double error = cl_placed_error(p);
  cl_bounds b = cl_placed_part_bounds(p, 0);
  for (uint32_t i = 0; i < s->nodes[0].skip;) {
    const cl_part_node *n = &s->nodes[i];
    bool skip = cl_bounds_cover(b, cl_placed_box(p, &n->bounds, error));
    for (uint32_t k = n->first; !skip && k < n->first + n->count; k++)
      b = cl_bounds_join(b, cl_placed_part_bounds(p, s->order[k]));
    i = skip ? n->skip : i + 1;
  }
  return b;
}

cl_bounds cl_placed_bounds(const cl_placed *p) {
  const cl_shape *s = p->shape;
  if (s->kind == CL_TILES) {
    cl_cell_rect all = cl_tiles_all(s);
    return (cl_bounds){cl_tiles_x(p, 0), cl_tiles_y(p, 0), cl_tiles_x(p, all.right + 1),
                       cl_tiles_y(p, all.bottom + 1)};
  }
  if (s->part_count > CL_FEW_PARTS) return bounds_of_many(p);
  cl_bounds b = cl_placed_part_bounds(p, 0);
  for (uint32_t i = 1; i < s->part_count; i++) b = cl_bounds_join(b, cl_placed_part_bounds(p, i));
  return b;
}

// --- points ---

// Whether the hull of three or more placed vertices contains a point. Placing rounds vertices, so
// the outline may not be convex. A point outside the outline is outside the hull if some line
// through it, a tangent of the hull, has no vertex to its right.
static bool hull_contains(const cl_placed *p, const cl_part *part, cl_vec q) {
  bool inside = true;
  cl_vec a = cl_placed_vertex(p, part->first + part->count - 1), tangent = a;
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec b = cl_placed_vertex(p, part->first + i);
    inside = inside && cl_orient(a, b, q) >= 0;
    if (cl_orient(q, tangent, b) < 0) tangent = b;
    a = b;
  }
  for (uint32_t i = 0; !inside && i < part->count; i++) {
    cl_vec b = cl_placed_vertex(p, part->first + i);
    double side = cl_orient(q, tangent, b);
    inside = side < 0 || (side == 0 && cl_dot(q, tangent, q, b) <= 0);
  }
  return inside;
}

// A round or thin part contains the points within its radius of its one or two vertices.
static bool part_contains(const cl_placed *p, const cl_part *part, cl_vec q) {
  assert(part->count < 3 || part->radius == 0);
  if (part->count > 2) return hull_contains(p, part, q);
  cl_vec a = cl_placed_vertex(p, part->first);
  cl_vec b = cl_placed_vertex(p, part->first + part->count - 1);
  return cl_compare_segment(q, a, b, part->radius, 0) <= 0;
}

// A full cell contains all points that it touches, any other cell those of its part.
static bool tiles_contain(const cl_placed *p, double x, double y) {
  const cl_bounds at = {x, y, x, y};
  if (cl_tiles_any(p->shape, cl_tiles_under(p, at, false), CL_TILES_FULL)) return true;
  if (!cl_tiles_has_parts(p->shape)) return false;
  cl_cell_rect near = cl_tiles_near(p, at);
  for (int32_t row = near.top; row <= near.bottom; row++)
    for (int32_t column = near.left; column <= near.right; column++) {
      cl_cell_block block;
      cl_cell_rect cell = {column, row, column, row};
      if (!cl_tiles_is(p->shape, column, row, CL_TILES_PART)) continue;
      cl_cell_block_fill(&block, p->shape, cell);
      cl_placed one = {&block.shape, p->x, p->y, {1, 0}};
      if (cl_placed_contains(&one, x, y)) return true;
    }
  return false;
}

bool cl_placed_contains(const cl_placed *p, double x, double y) {
  if (cl_placed_is_tiles(p)) return tiles_contain(p, x, y);
  cl_within at = cl_within_placed(p, (cl_bounds){x, y, x, y});
  for (uint32_t i = 0; cl_within_next(&at, &i);) {
    if (!cl_bounds_hold(cl_placed_part_bounds(p, i), (cl_vec){x, y})) continue;
    if (cl_placed_part_is_box(p, i)) return true;
    if (part_contains(p, &p->shape->parts[i], (cl_vec){x, y})) return true;
  }
  return false;
}

// --- new shapes made from old ones ---

// A shape is built again from its mapped points, so the result has passed the same checks as a
// user's points. p → (a b; c d) p + (x, y), and by what it multiplies lengths (0 when that
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
  if (status == CL_OK) status = cl_shape_compound_named(&s->alloc, members, s->names, n, out);
  for (uint32_t i = 0; i < n; i++) cl_shape_release(members[i]);
  CL_FREE(&s->alloc, members, s->member_count);
  return status;
}

// Cells keep their form, upright and in their order.
static cl_status map_tiles(cl_shape *s, const map *m, cl_shape **out) {
  if (m->turns || !(m->a > 0 && m->a == m->d)) return CL_INVALID;
  cl_vec p = apply(m, s->outline[0]);
  return cl_tiles_moved(s, p, cl_vec_mul(s->cell, m->a), out);
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
