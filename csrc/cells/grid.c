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

cl_status cl_grid_new(const cl_alloc *alloc, int dims, const int64_t size[], double cell,
                      const double origin[], cl_grid **out) {
  assert(dims == 2 || dims == 3);
  int64_t most = CL_GRID_MOST;
  for (int a = 0; a < dims; a++) {
    if (size[a] < 1 || size[a] > most || !(cell > 0)) return CL_INVALID;
    most /= size[a];
  }
  cl_grid *grid = cl_new(alloc, sizeof *grid);
  if (!grid) return CL_NOMEM;
  *grid =
      (cl_grid){.alloc = *alloc, .references = 1, .dims = dims, .size = {1, 1, 1}, .cell = cell};
  for (int a = 0; a < dims; a++) {
    grid->size[a] = size[a];
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

static uint8_t *byte_of(cl_grid *grid, int64_t x, int64_t y, int64_t z) {
  return &grid->bytes[x + grid->size[0] * (y + grid->size[1] * z)];
}

static uint16_t *block_of(cl_grid *grid, int64_t x, int64_t y, int64_t z) {
  const int64_t *blocks = grid->blocks;
  int64_t row = y / CL_GRID_BLOCK + blocks[1] * (z / CL_GRID_BLOCK);
  return &grid->filled[x / CL_GRID_BLOCK + blocks[0] * row];
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
  uint8_t *byte = byte_of(grid, cell[0], cell[1], cell[2]);
  part_from_copy(grid);
  if (grid->filled) {
    uint16_t *filled = block_of(grid, cell[0], cell[1], cell[2]);
    *filled = (uint16_t)(*filled + (value != 0) - (*byte != 0));
  }
  *byte = value;
}

static int count_filled(const uint8_t *bytes, int64_t count) {
  int filled = 0;
  for (int64_t i = 0; i < count; i++) filled += bytes[i] != 0;
  return filled;
}

// The x at which the block of `x` ends, or `end` if that comes first.
static int64_t block_end(int64_t x, int64_t end) {
  int64_t next = (x / CL_GRID_BLOCK + 1) * CL_GRID_BLOCK;
  return next < end ? next : end;
}

// Adds the cells of a row, as they are now, to the counts of their blocks, or subtracts them.
static void count_row(cl_grid *grid, int64_t x, int64_t end, int64_t y, int64_t z, int sign) {
  for (int64_t next; x < end; x = next) {
    next = block_end(x, end);
    uint16_t *filled = block_of(grid, x, y, z);
    *filled = (uint16_t)(*filled + sign * count_filled(byte_of(grid, x, y, z), next - x));
  }
}

void cl_grid_fill(cl_grid *grid, const int64_t low[3], const int64_t size[3], uint8_t value) {
  for (int a = 0; a < 3; a++)
    assert(low[a] >= 0 && size[a] >= 0 && low[a] <= grid->size[a] - size[a]);
  int64_t end = low[0] + size[0];
  part_from_copy(grid);
  for (int64_t z = low[2]; z < low[2] + size[2]; z++) {
    for (int64_t y = low[1]; y < low[1] + size[1]; y++) {
      if (grid->filled) count_row(grid, low[0], end, y, z, -1);
      memset(byte_of(grid, low[0], y, z), value, (size_t)size[0]);
      if (grid->filled) count_row(grid, low[0], end, y, z, 1);
    }
  }
  CL_CHECK(cl_grid_is_valid(grid));
}

void cl_grid_load(cl_grid *grid, const void *bytes) {
  part_from_copy(grid);
  memcpy(grid->bytes, bytes, cl_grid_count(grid));
  if (!grid->filled) return;
  memset(grid->filled, 0, blocks_size(grid));
  for (int64_t z = 0; z < grid->size[2]; z++) {
    for (int64_t y = 0; y < grid->size[1]; y++) count_row(grid, 0, grid->size[0], y, z, 1);
  }
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

static int count_block(const cl_grid *grid, int64_t x, int64_t y, int64_t z) {
  int filled = 0;
  for (int64_t k = z; k < block_end(z, grid->size[2]); k++) {
    for (int64_t j = y; j < block_end(y, grid->size[1]); j++) {
      const uint8_t *row = cl_grid_at(grid, (const int64_t[3]){x, j, k});
      filled += count_filled(row, block_end(x, grid->size[0]) - x);
    }
  }
  return filled;
}

bool cl_grid_is_valid(const cl_grid *grid) {
  const uint16_t *filled = grid->filled;
  if (!filled) return grid->dims == 2;
  for (int64_t z = 0; z < grid->size[2]; z += CL_GRID_BLOCK) {
    for (int64_t y = 0; y < grid->size[1]; y += CL_GRID_BLOCK) {
      for (int64_t x = 0; x < grid->size[0]; x += CL_GRID_BLOCK) {
        if (*filled++ != count_block(grid, x, y, z)) return false;
      }
    }
  }
  return true;
}

double cl_grid_to_cells(const cl_grid *grid, int axis, double v) {
  assert(axis >= 0 && axis < 3);
  cl_two offset = cl_two_diff(v, grid->origin[axis]);
  if (grid->cell == 1) return offset.hi;
  double cells = offset.hi / grid->cell;
  if (!(fabs(cells) <= 2 * CL_MAX_CELL)) return cells; // too far out, whatever the rest is
  // Dividing the remainder too gives the part of the quotient below its last place.
  cl_two product = cl_two_product(cells, grid->cell);
  double rest = ((offset.hi - product.hi) - product.lo) + offset.lo;
  return cells + rest / grid->cell;
}
