// collide, MIT licence (see LICENSE)
//
// Making, filling and placing grids of bytes. Layer: cells.

#include "cells/grid.h"

#include "cells/ray.h"

// The size of `filled`, in bytes.
static size_t blocks_size(const cl_grid *grid) {
  int64_t count = grid->blocks[0] * grid->blocks[1] * grid->blocks[2];
  return (size_t)count * sizeof *grid->filled;
}

// Called before the bytes change: the copy keeps the old ones, and the change is counted.
static void part_from_copy(cl_grid *grid) {
  if (grid->copy) cl_grid_copy_release(grid->copy);
  grid->copy = NULL;
  grid->changes++;
}

static void free_all(cl_grid *grid) {
  cl_alloc alloc = grid->alloc;
  part_from_copy(grid);
  if (grid->filled) cl_free(&alloc, grid->filled, blocks_size(grid));
  if (grid->bytes) cl_free(&alloc, grid->bytes, cl_grid_count(grid));
  cl_free(&alloc, grid, sizeof *grid);
}

cl_status cl_grid_new(const cl_alloc *alloc, int dims, const int64_t size[], const double cell[],
                      const double origin[], cl_grid **out) {
  assert(dims == 2 || dims == 3);
  int64_t most = CL_GRID_MOST;
  for (int a = 0; a < dims; a++) {
    if (size[a] < 1 || size[a] > most || !(cell[a] > 0)) return CL_INVALID;
    most /= size[a];
  }
  cl_grid *grid = cl_new(alloc, sizeof *grid);
  if (!grid) return CL_NOMEM;
  *grid = (cl_grid){.alloc = *alloc, .references = 1, .dims = dims, .size = {1, 1, 1}};
  for (int a = 0; a < dims; a++) {
    grid->size[a] = size[a];
    grid->cell[a] = cell[a];
    grid->origin[a] = origin[a];
  }
  for (int a = 0; a < 3; a++) grid->blocks[a] = (grid->size[a] + CL_GRID_BLOCK - 1) / CL_GRID_BLOCK;
  grid->bytes = cl_new(alloc, cl_grid_count(grid));
  if (grid->bytes && dims == 3) grid->filled = cl_new(alloc, blocks_size(grid));
  if (!grid->bytes || (dims == 3 && !grid->filled)) {
    free_all(grid);
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
  assert(grid->references > 0);
  if (--grid->references == 0) free_all(grid);
}

int cl_grid_size(const cl_grid *grid, int64_t size[3]) {
  for (int a = 0; a < 3; a++) size[a] = grid->size[a];
  return grid->dims;
}

uint8_t cl_grid_get(const cl_grid *grid, const int64_t cell[3]) {
  assert(cl_grid_has(grid, cell));
  return *cl_grid_at(grid, cell);
}

void cl_grid_set(cl_grid *grid, const int64_t cell[3], uint8_t value) {
  assert(cl_grid_has(grid, cell));
  uint8_t *byte = cl_grid_at(grid, cell);
  part_from_copy(grid);
  if (grid->filled) {
    uint16_t *filled = cl_grid_block(grid, cell);
    *filled = (uint16_t)(*filled + (value != 0) - (*byte != 0));
  }
  *byte = value;
}

// How many cells are not 0 in the block of a cell.
static uint16_t count_block(const cl_grid *grid, const int64_t cell[3]) {
  int64_t low[3], end[3];
  int filled = 0;
  for (int a = 0; a < 3; a++) {
    low[a] = cell[a] / CL_GRID_BLOCK * CL_GRID_BLOCK;
    end[a] = low[a] + CL_GRID_BLOCK < grid->size[a] ? low[a] + CL_GRID_BLOCK : grid->size[a];
  }
  for (int64_t z = low[2]; z < end[2]; z++) {
    for (int64_t y = low[1]; y < end[1]; y++) {
      const uint8_t *row = cl_grid_at(grid, (const int64_t[3]){low[0], y, z});
      for (int64_t x = 0; x < end[0] - low[0]; x++) filled += row[x] != 0;
    }
  }
  return (uint16_t)filled;
}

// Moves `cell` to the next block of those that reach into a box of cells, x first, from the box's
// lowest corner on; false after the last.
static bool next_block(int64_t cell[3], const int64_t low[3], const int64_t size[3]) {
  for (int a = 0; a < 3; a++) {
    cell[a] = (cell[a] / CL_GRID_BLOCK + 1) * CL_GRID_BLOCK;
    if (cell[a] < low[a] + size[a]) return true;
    cell[a] = low[a];
  }
  return false;
}

static void count_blocks(cl_grid *grid, const int64_t low[3], const int64_t size[3]) {
  if (!grid->filled || size[0] == 0 || size[1] == 0 || size[2] == 0) return;
  int64_t cell[3] = {low[0], low[1], low[2]};
  do *cl_grid_block(grid, cell) = count_block(grid, cell);
  while (next_block(cell, low, size));
}

void cl_grid_fill(cl_grid *grid, const int64_t low[3], const int64_t size[3], uint8_t value) {
  for (int a = 0; a < 3; a++)
    assert(low[a] >= 0 && size[a] >= 0 && low[a] <= grid->size[a] - size[a]);
  part_from_copy(grid);
  for (int64_t z = low[2]; z < low[2] + size[2]; z++) {
    for (int64_t y = low[1]; y < low[1] + size[1]; y++) {
      memset(cl_grid_at(grid, (const int64_t[3]){low[0], y, z}), value, (size_t)size[0]);
    }
  }
  count_blocks(grid, low, size);
  CL_CHECK(cl_grid_is_valid(grid));
}

static const int64_t first_cell[3] = {0, 0, 0};

void cl_grid_load(cl_grid *grid, const void *bytes) {
  part_from_copy(grid);
  memcpy(grid->bytes, bytes, cl_grid_count(grid));
  count_blocks(grid, first_cell, grid->size);
}

cl_grid_copy *cl_grid_copy_new(const cl_alloc *alloc, const void *bytes, size_t size) {
  cl_grid_copy *copy = cl_new(alloc, sizeof *copy + size);
  if (!copy) return NULL;
  *copy = (cl_grid_copy){.alloc = *alloc, .references = 1, .size = size};
  memcpy(copy->bytes, bytes, size);
  return copy;
}

cl_grid_copy *cl_grid_copy_retain(cl_grid_copy *copy) {
  copy->references++;
  return copy;
}

void cl_grid_copy_release(cl_grid_copy *copy) {
  assert(copy->references > 0);
  if (--copy->references > 0) return;
  cl_alloc alloc = copy->alloc;
  cl_free(&alloc, copy, sizeof *copy + copy->size);
}

cl_grid_copy *cl_grid_keep(cl_grid *grid) {
  if (!grid->copy) grid->copy = cl_grid_copy_new(&grid->alloc, grid->bytes, cl_grid_count(grid));
  return grid->copy ? cl_grid_copy_retain(grid->copy) : NULL;
}

void cl_grid_put_back(cl_grid *grid, cl_grid_copy *copy) {
  assert(copy->size == cl_grid_count(grid));
  if (grid->copy == copy) return;
  cl_grid_load(grid, copy->bytes);
  grid->copy = cl_grid_copy_retain(copy);
}

bool cl_grid_is_valid(const cl_grid *grid) {
  if (!grid->filled) return grid->dims == 2;
  int64_t cell[3] = {0, 0, 0};
  do {
    if (*cl_grid_block(grid, cell) != count_block(grid, cell)) return false;
  } while (next_block(cell, first_cell, grid->size));
  return true;
}

double cl_grid_to_cells(const cl_grid *grid, int axis, double v) {
  assert(axis >= 0 && axis < 3);
  cl_two offset = cl_two_diff(v, grid->origin[axis]);
  double cell = grid->cell[axis];
  if (cell == 1) return offset.hi;
  double cells = offset.hi / cell;
  if (!(fabs(cells) <= 2 * CL_MAX_CELL)) return cells; // too far out, whatever the rest is
  // Dividing the remainder too gives the part of the quotient below its last place.
  cl_two product = cl_two_product(cells, cell);
  double rest = ((offset.hi - product.hi) - product.lo) + offset.lo;
  return cells + rest / cell;
}
