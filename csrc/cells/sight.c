// collide, MIT licence (see LICENSE)
//
// The cells in the way of a circle, row by row. Layer: cells.
//
// What the circle sweeps is a capsule. It overlaps a cell when an end is nearer to the cell than
// the radius, when a corner of the cell is nearer to the way than the radius, or when the way
// crosses the cell.

#include "base/exact.h"
#include "base/tol.h"
#include "base/vec.h"
#include "cells/ray.h"
#include "cells/grid.h"

// Lengths below SHORTEST, in scaled units, would be lost to underflow in products of four lengths.
// Beyond FARTHEST all lines of a grid are the same double.
#define SHORTEST 1e-60
#define FARTHEST 1e60

// The capsule and the grid's lines, scaled by the power of two that brings the side of a cell into
// 1 … 2, which loses no bit.
typedef struct sight {
  const cl_grid *grid;
  double a[2], b[2], r;
  double origin[2], cell;
  double more; // the radius, and more than rounding can add to the results below
} sight;

static double length(double v) { return fabs(v) < SHORTEST ? 0 : v; }

// False when the grid is so far out that doubles cannot separate its lines.
static bool set(sight *s, const cl_grid *grid, const double from[2], const double to[2], double r) {
  int exponent;
  double cell = 2 * frexp(grid->cell, &exponent), size = 0;
  *s = (sight){.grid = grid, .r = cl_max(ldexp(r, 1 - exponent), SHORTEST), .cell = cell};
  for (int i = 0; i < 2; i++) {
    s->a[i] = length(ldexp(from[i], 1 - exponent));
    s->b[i] = length(ldexp(to[i], 1 - exponent));
    s->origin[i] = length(ldexp(grid->origin[i], 1 - exponent));
    if (!(fabs(s->origin[i]) <= FARTHEST)) return false;
    size += fabs(s->a[i]) + fabs(s->b[i]) + fabs(s->origin[i]) + (double)grid->size[i] * cell;
  }
  s->more = s->r + 64 * CL_ROUND * (size + s->r);
  return true;
}

// Line i between columns, or between rows, at the same place as in tiles.
static double line(const sight *s, int axis, int64_t i) {
  return s->origin[axis] + (double)i * s->cell;
}

// The cells of the grid between two places along an axis; none when `*to` is below `*from`.
static void find_cells(const sight *s, int axis, double low, double high, int64_t *from,
                       int64_t *to) {
  double first = floor((low - s->origin[axis]) / s->cell);
  double last = floor((high - s->origin[axis]) / s->cell), count = (double)s->grid->size[axis];
  *from = first > 0 ? (int64_t)cl_min(first, count) : 0;
  *to = last >= 0 ? (int64_t)cl_min(last, count - 1) : -1;
}

// The columns of a row that the capsule may overlap.
static void find_columns(const sight *s, int64_t row, int64_t *from, int64_t *to) {
  double in = 0, out = 1, way = s->b[1] - s->a[1];
  if (way != 0) {
    double t = (line(s, 1, row) - s->more - s->a[1]) / way;
    double u = (line(s, 1, row + 1) + s->more - s->a[1]) / way;
    in = cl_max(in, cl_min(t, u));
    out = cl_min(out, cl_max(t, u));
  }
  double x = s->a[0] + in * (s->b[0] - s->a[0]), y = s->a[0] + out * (s->b[0] - s->a[0]);
  find_cells(s, 0, cl_min(x, y) - s->more, cl_max(x, y) + s->more, from, to);
  if (in > out) *to = -1;
}

// Whether a point is nearer to a cell than `r`.
static bool end_meets(const double p[2], double r, const double low[2], const double high[2]) {
  const double nearest[2] = {cl_max(low[0], cl_min(p[0], high[0])),
                             cl_max(low[1], cl_min(p[1], high[1]))};
  return cl_compare_points(p, nearest, r, 0) < 0;
}

static bool overlaps(const sight *s, int64_t column, int64_t row) {
  const double low[2] = {line(s, 0, column), line(s, 1, row)};
  const double high[2] = {line(s, 0, column + 1), line(s, 1, row + 1)};
  if (low[0] == high[0] || low[1] == high[1]) return false; // nothing is inside
  if (end_meets(s->a, s->r, low, high) || end_meets(s->b, s->r, low, high)) return true;
  bool left = false, right = false;
  for (int i = 0; i < 4; i++) {
    const double corner[2] = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1]};
    if (cl_compare_segment(corner, s->a, s->b, s->r, 0) < 0) return true;
    double side = cl_orient(s->a, s->b, corner);
    left |= side >= 0;
    right |= side <= 0;
  }
  // No axis parts the way from the cell: neither x, nor y, nor the way's own normal.
  for (int i = 0; i < 2; i++) {
    if (cl_max(s->a[i], s->b[i]) < low[i] || cl_min(s->a[i], s->b[i]) > high[i]) return false;
  }
  return left && right;
}

bool cl_grid_is_clear(const cl_grid *grid, const double from[2], const double to[2],
                      double radius) {
  assert(grid->dims == 2 && radius > 0 && radius <= CL_MAX_CELL * grid->cell);
  for (int i = 0; i < 2; i++) {
    assert(fabs(cl_grid_to_cells(grid, i, from[i])) <= CL_MAX_CELL);
    assert(fabs(cl_grid_to_cells(grid, i, to[i])) <= CL_MAX_CELL);
  }
  sight s;
  if (!set(&s, grid, from, to, radius)) return true;
  int64_t row, last;
  find_cells(&s, 1, cl_min(s.a[1], s.b[1]) - s.more, cl_max(s.a[1], s.b[1]) + s.more, &row, &last);
  for (; row <= last; row++) {
    int64_t column, end;
    find_columns(&s, row, &column, &end);
    const uint8_t *bytes = grid->bytes + row * grid->size[0];
    for (; column <= end; column++) {
      if (bytes[column] != 0 && overlaps(&s, column, row)) return false;
    }
  }
  return true;
}
