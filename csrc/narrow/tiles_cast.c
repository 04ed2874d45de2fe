// collide, MIT licence (see LICENSE)
//
// Casts against tiles: shapes a piece of their way at a time, rays cell by cell.
// Layer: narrow.

#include "narrow/tiles_cast.h"

#include "base/tol.h"
#include "cells/grid.h"
#include "narrow/cell_blocks.h"
#include "narrow/ray_box.h"

// More cells than this are looked at in squares of this side.
enum { MANY = 512, SQUARE = 8 };

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

static cl_bounds bounds_of(const cl_placed *tiles, cl_cell_rect s, double margin) {
  cl_bounds box = {cl_tiles_x(tiles, s.left), cl_tiles_y(tiles, s.top),
                   cl_tiles_x(tiles, s.right + 1), cl_tiles_y(tiles, s.bottom + 1)};
  return cl_bounds_grown(box, margin);
}

// Whether a shape with bounds `box` may meet these cells, before the best so far.
static bool may_meet(const cl_parts_cast *m, const cl_placed *tiles, cl_bounds box,
                     cl_cell_rect cells, const cl_cast *best) {
  double in, out;
  cl_box_pass(box, bounds_of(tiles, cells, m->margin), m->pair.d, &in, &out);
  return in <= out && in <= cl_min(best->t, m->limit);
}

// Meets the cells of a rectangle, block by block in the order of rows.
static bool meet_cells(cl_parts_cast *m, const cl_placed *tiles, cl_bounds box, cl_cell_rect cells,
                       cl_cast *best) {
  cl_cell_blocks w;
  bool any = false;
  cl_cell_blocks_begin(&w, tiles, cells, false);
  m->pair.b = &w.placed;
  while (cl_cell_blocks_seek(&w)) {
    if (!may_meet(m, tiles, box, w.here, best) || !cl_cell_blocks_fill(&w)) continue;
    any = cl_parts_cast_meet(m, best) || any;
  }
  m->pair.b = tiles;
  return any;
}

// The same square by square, those where the motion comes from first: once something is met, what
// lies behind it is passed over.
static bool meet_in_squares(cl_parts_cast *m, const cl_placed *tiles, cl_bounds box,
                            cl_cell_rect cells, cl_cast *best) {
  int32_t columns = (cells.right - cells.left) / SQUARE, rows = (cells.bottom - cells.top) / SQUARE;
  bool any = false;
  for (int32_t i = 0; i <= rows; i++) {
    int32_t top = cells.top + SQUARE * (m->pair.d.y < 0 ? rows - i : i);
    for (int32_t k = 0; k <= columns; k++) {
      int32_t left = cells.left + SQUARE * (m->pair.d.x < 0 ? columns - k : k);
      cl_cell_rect s = {left, top, left + SQUARE - 1, top + SQUARE - 1};
      if (s.right > cells.right) s.right = cells.right;
      if (s.bottom > cells.bottom) s.bottom = cells.bottom;
      if (may_meet(m, tiles, box, s, best)) any = meet_cells(m, tiles, box, s, best) || any;
    }
  }
  return any;
}

static bool are_many(cl_cell_rect s) {
  return (int64_t)(s.right - s.left + 1) * (s.bottom - s.top + 1) > MANY;
}

// Of many cells, those met first are found in the order of the motion. Then only cells that are met
// no later are left for the order of rows, which decides between cells met at once.
static bool meet_piece(cl_parts_cast *m, const cl_placed *tiles, cl_bounds box, cl_cell_rect cells,
                       cl_cast *best) {
  if (!are_many(cells)) return meet_cells(m, tiles, box, cells, best);
  cl_cast first = *best;
  bool clean = m->clean;
  if (!meet_in_squares(m, tiles, box, cells, &first)) return false;
  m->clean = clean;
  m->limit = first.t;
  bool any = meet_cells(m, tiles, box, cells, best);
  m->limit = 1;
  return any;
}

// Tiles, for one piece of the motion after another: a hit in one piece comes before all hits in
// later ones.
bool cl_tiles_cast_meet(cl_parts_cast *m, cl_cast *best) {
  const cl_placed *tiles = m->pair.b;
  cl_bounds box, all;
  bool any = false;
  double in, out;
  box = cl_placed_bounds(m->pair.a);
  all = cl_placed_bounds(tiles);
  box = cl_bounds_grown(box, m->margin);
  cl_box_pass(box, all, m->pair.d, &in, &out);
  if (m->pair.ray) in = cl_max(in, ray_starts(m, tiles));
  double pieces = in > out ? 0 : cl_cell_blocks_pieces(tiles, box, m->pair.d, out - in);
  for (double k = 0; k < pieces && !(any && best->t <= in + (out - in) * (k / pieces)); k++) {
    cl_vec p = cl_vec_mul(m->pair.d, in + (out - in) * (k / pieces));
    cl_vec q = cl_vec_mul(m->pair.d, in + (out - in) * ((k + 1) / pieces));
    cl_bounds swept = {box.l + cl_min(p.x, q.x), box.t + cl_min(p.y, q.y), box.r + cl_max(p.x, q.x),
                       box.b + cl_max(p.y, q.y)};
    any = meet_piece(m, tiles, box, cl_tiles_near(tiles, swept), best) || any;
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
