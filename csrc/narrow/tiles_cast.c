// collide, MIT licence (see LICENSE)
//
// Casts against tiles: shapes a piece of their way at a time, rays cell by cell.
// Layer: narrow.

#include "narrow/tiles_cast.h"

#include "base/tol.h"
#include "cells/cast.h"
#include "narrow/cell_blocks.h"
#include "narrow/ray_box.h"

// The first cell that stops a ray from p to q.
static cl_near first_cell(const cl_placed *tiles, cl_vec p, cl_vec q, int64_t at[2]) {
  const cl_shape *s = tiles->shape;
  double left = tiles->x + s->bounds.l, top = tiles->y + s->bounds.t, cell = s->cell;
  const double from[2] = {(p.x - left) / cell, (p.y - top) / cell};
  const double to[2] = {(q.x - left) / cell, (q.y - top) / cell};
  // Lines have three roundings each; the walk adds some of its own.
  double size =
      fabs(tiles->x) + fabs(tiles->y) + s->reach + fabs(p.x) + fabs(p.y) + fabs(q.x) + fabs(q.y);
  const uint8_t *stops = s->set ? s->set->kind : NULL;
  return cl_grid_near(s->grid, stops, from, to, 32 * CL_ROUND * (size / cell), at);
}

static bool is_part(const cl_placed *tiles, const int64_t at[2]) {
  return cl_tiles_is(tiles->shape, (int32_t)at[0], (int32_t)at[1], CL_TILES_PART);
}

static cl_bounds cell_bounds(const cl_placed *tiles, const int64_t at[2]) {
  int32_t column = (int32_t)at[0], row = (int32_t)at[1];
  return (cl_bounds){cl_tiles_x(tiles, column), cl_tiles_y(tiles, row),
                     cl_tiles_x(tiles, column + 1), cl_tiles_y(tiles, row + 1)};
}

// The share of its way before which a ray meets nothing; above 1 if it never does.
static double ray_starts(const cl_parts_cast *m, const cl_placed *tiles) {
  const cl_placed *a = m->pair.a;
  cl_vec p = {a->x, a->y}, q = cl_vec_add(p, m->pair.d);
  int64_t at[2];
  double in, out;
  switch (first_cell(tiles, p, q, at)) {
  case CL_NEAR_NONE: return 2;
  case CL_NEAR_CELL:
    cl_box_pass((cl_bounds){p.x, p.y, p.x, p.y}, cell_bounds(tiles, at), m->pair.d, &in, &out);
    return in <= out ? in : 0;
  default: return 0;
  }
}

// Tiles, for one piece of the motion after another: a hit in one piece comes before all hits in
// later ones.
bool cl_tiles_cast_meet(cl_parts_cast *m, cl_cast *best) {
  const cl_placed *tiles = m->pair.b;
  cl_bounds box, all;
  cl_cell_blocks w;
  bool any = false;
  double in, out, margin = cl_parts_cast_way(m).r - cl_max(m->pair.d.x, 0);
  box = cl_placed_bounds(m->pair.a);
  all = cl_placed_bounds(tiles);
  box = cl_bounds_grown(box, margin);
  cl_box_pass(box, all, m->pair.d, &in, &out);
  if (m->pair.ray) in = cl_max(in, ray_starts(m, tiles));
  double pieces = in > out ? 0 : cl_cell_blocks_pieces(tiles, box, m->pair.d, out - in);
  for (double k = 0; k < pieces && !(any && best->t <= in + (out - in) * (k / pieces)); k++) {
    cl_vec p = cl_vec_mul(m->pair.d, in + (out - in) * (k / pieces));
    cl_vec q = cl_vec_mul(m->pair.d, in + (out - in) * ((k + 1) / pieces));
    cl_bounds swept = {box.l + cl_min(p.x, q.x), box.t + cl_min(p.y, q.y), box.r + cl_max(p.x, q.x),
                       box.b + cl_max(p.y, q.y)};
    cl_cell_blocks_begin(&w, tiles, cl_tiles_near(tiles, swept), false);
    m->pair.b = &w.placed;
    while (cl_cell_blocks_next(&w)) any = cl_parts_cast_meet(m, best) || any;
    m->pair.b = tiles;
  }
  return any;
}

int cl_tiles_ray(cl_vec p, cl_vec q, const cl_placed *tiles, cl_cast *out) {
  int64_t at[2];
  switch (first_cell(tiles, p, q, at)) {
  case CL_NEAR_NONE: return -1;
  case CL_NEAR_INSIDE:
    if (is_part(tiles, at)) return 0;
    return cl_ray_inside(p, cl_vec_sub(q, p), out);
  case CL_NEAR_CELL: break;
  default: return 0;
  }
  if (is_part(tiles, at)) return 0;
  return cl_ray_box(p, cl_vec_sub(q, p), cell_bounds(tiles, at), out) > 0;
}
