// collide, MIT licence (see LICENSE)
//
// Bounds of whole placed shapes, tiles included, and whether they contain a point.
// Layer: geom.

#include "base/exact.h"
#include "geom/cell_block.h"

// How far a box reaches to one side: left, up, right, down.
static double reach(cl_bounds b, int side) {
  return side == 0 ? -b.l : side == 1 ? -b.t : side == 2 ? b.r : b.b;
}

// The bounds of the leaf reached by taking, at every node, the child that reaches farther to a
// side.
static cl_bounds outermost(const cl_placed *p, int side, double error) {
  const cl_part_node *nodes = p->shape->nodes;
  uint32_t i = 0;
  while (nodes[i].count == 0) {
    uint32_t first = i + 1, second = nodes[first].skip;
    cl_bounds b = cl_placed_box(p, &nodes[first].bounds, error);
    cl_bounds c = cl_placed_box(p, &nodes[second].bounds, error);
    i = reach(b, side) >= reach(c, side) ? first : second;
  }
  cl_bounds b = cl_placed_part_bounds(p, p->shape->order[nodes[i].first]);
  for (uint32_t k = 1; k < nodes[i].count; k++)
    b = cl_bounds_join(b, cl_placed_part_bounds(p, p->shape->order[nodes[i].first + k]));
  return b;
}

// Only parts near the sides matter: a node inside the bounds so far is skipped.
static cl_bounds bounds_of_many(const cl_placed *p) {
  const cl_shape *s = p->shape;
  double error = cl_placed_error(p);
  cl_bounds b = outermost(p, 0, error);
  for (int side = 1; side < 4; side++) b = cl_bounds_join(b, outermost(p, side, error));
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

// Whether the hull of three or more placed vertices contains a point. Placing rounds vertices, so
// the outline may not be convex. A point outside the outline is outside the hull if some line
// through it, a tangent of the hull, has no vertex to its right.
static bool hull_contains(const cl_placed *p, const cl_part *part, const double q[2]) {
  bool inside = true;
  cl_vec last = cl_placed_vertex(p, part->first + part->count - 1);
  double a[2] = {last.x, last.y}, tangent[2] = {last.x, last.y};
  for (uint32_t i = 0; i < part->count; i++) {
    cl_vec v = cl_placed_vertex(p, part->first + i);
    const double b[2] = {v.x, v.y};
    inside = inside && cl_orient(a, b, q) >= 0;
    if (cl_orient(q, tangent, b) < 0) tangent[0] = v.x, tangent[1] = v.y;
    a[0] = v.x, a[1] = v.y;
  }
  for (uint32_t i = 0; !inside && i < part->count; i++) {
    cl_vec v = cl_placed_vertex(p, part->first + i);
    const double b[2] = {v.x, v.y};
    double side = cl_orient(q, tangent, b);
    inside = side < 0 || (side == 0 && cl_dot(q, tangent, q, b) <= 0);
  }
  return inside;
}

// A round or thin part contains the points within its radius of its one or two vertices.
static bool part_contains(const cl_placed *p, const cl_part *part, double x, double y) {
  const double q[2] = {x, y};
  assert(part->count < 3 || part->radius == 0);
  if (part->count > 2) return hull_contains(p, part, q);
  cl_vec v = cl_placed_vertex(p, part->first);
  cl_vec w = cl_placed_vertex(p, part->first + part->count - 1);
  const double a[2] = {v.x, v.y}, b[2] = {w.x, w.y};
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
    cl_bounds b = cl_placed_part_bounds(p, i);
    const cl_part *part = &p->shape->parts[i];
    if (!(x >= b.l && x <= b.r && y >= b.t && y <= b.b)) continue;
    if (cl_placed_part_is_box(p, i)) return true;
    if (part_contains(p, part, x, y)) return true;
  }
  return false;
}
