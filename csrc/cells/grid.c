// collide, MIT licence (see LICENSE)
//
// Making, filling and placing grids of bytes. Layer: cells.

#include "cells/grid.h"

#include "cells/ray.h"

cl_status cl_grid_new(const cl_alloc *alloc, int dims, const int64_t size[], double cell,
                      const double origin[], cl_grid **out) {
  int64_t room = CL_GRID_MOST;
  for (int a = 0; a < dims; a++) {
    if (size[a] < 1 || size[a] > room || !(cell > 0)) return CL_INVALID;
    room /= size[a];
  }
  cl_grid *grid = cl_new(alloc, sizeof *grid);
  if (!grid) return CL_NOMEM;
  *grid =
      (cl_grid){.alloc = *alloc, .references = 1, .dims = dims, .size = {1, 1, 1}, .cell = cell};
  for (int a = 0; a < dims; a++) {
    grid->size[a] = size[a];
    grid->origin[a] = origin[a];
  }
  grid->bytes = cl_new(alloc, cl_grid_count(grid));
  if (!grid->bytes) {
    cl_free(alloc, grid, sizeof *grid);
    return CL_NOMEM;
  }
  *out = grid;
  return CL_OK;
}

cl_grid *cl_grid_retain(cl_grid *grid) {
  grid->references++;
  return grid;
}

void cl_grid_release(cl_grid *grid) {
  if (--grid->references > 0) return;
  cl_alloc alloc = grid->alloc;
  cl_free(&alloc, grid->bytes, cl_grid_count(grid));
  cl_free(&alloc, grid, sizeof *grid);
}

void cl_grid_fill(cl_grid *grid, const int64_t low[3], const int64_t size[3], uint8_t value) {
  for (int64_t z = low[2]; z < low[2] + size[2]; z++) {
    for (int64_t y = low[1]; y < low[1] + size[1]; y++) {
      memset(cl_grid_at(grid, (int64_t[3]){low[0], y, z}), value, (size_t)size[0]);
    }
  }
}

double cl_grid_to_cells(const cl_grid *grid, int axis, double v) {
  cl_two offset = cl_two_diff(v, grid->origin[axis]);
  if (grid->cell == 1) return offset.hi;
  double cells = offset.hi / grid->cell;
  if (!(fabs(cells) <= 2 * CL_MAX_CELL)) return cells; // too far out whatever the rest
  // What the quotient left over, divided in turn, is below its last place.
  cl_two product = cl_two_product(cells, grid->cell);
  double rest = ((offset.hi - product.hi) - product.lo) + offset.lo;
  return cells + rest / grid->cell;
}
