// collide, MIT licence (see LICENSE)
//
// A grid of bytes, 2D or 3D, and rays through it. Layer: cells.

#ifndef CL_CELLS_GRID_H
#define CL_CELLS_GRID_H

#include "base/alloc.h"

/// The most cells of a grid: 2^31 bytes.
#define CL_GRID_MOST INT64_C(2147483648)

/// Edge of the blocks, in cells, for which a grid in three dimensions knows whether they
/// are empty. So a ray through empty space reads a number for each of them, not a byte
/// for each cell, most of which are in no cache.
enum { CL_GRID_BLOCK = 8 };

/// Shared by counting references: whoever keeps one retains it. Sizes and place never
/// change. The bytes may at any time, in place, by cl_grid_set, _fill and _load, which
/// keep the blocks true; they are read as they are.
typedef struct cl_grid {
  cl_alloc alloc;
  int references;
  int dims;
  int64_t size[3];   ///< in cells; size[2] is 1 in 2D
  double cell;       ///< edge of a cell in world units
  double origin[3];  ///< of the lowest corner of cell 0, 0, 0, in world units
  uint8_t *bytes;    ///< x fastest: bytes[x + size[0] * (y + size[1] * z)]
  int64_t blocks[3]; ///< along each axis, the last ones perhaps of fewer cells
  uint16_t *filled;  ///< in 3D: how many cells of a block, x fastest, are not 0; else NULL
} cl_grid;

/// A grid of zeros with one reference. `size` has `dims` (2 or 3) numbers from 1, of
/// a product up to CL_GRID_MOST; `cell` is above 0. CL_INVALID for other sizes;
/// `out` is written only on CL_OK.
cl_status cl_grid_new(const cl_alloc *alloc, int dims, const int64_t size[], double cell,
                      const double origin[], cl_grid **out);
cl_grid *cl_grid_retain(cl_grid *grid);
void cl_grid_release(cl_grid *grid);

static inline size_t cl_grid_count(const cl_grid *grid) {
  return (size_t)(grid->size[0] * grid->size[1] * grid->size[2]);
}

static inline bool cl_grid_has(const cl_grid *grid, const int64_t cell[3]) {
  return cell[0] >= 0 && cell[0] < grid->size[0] && cell[1] >= 0 && cell[1] < grid->size[1] &&
         cell[2] >= 0 && cell[2] < grid->size[2];
}

/// The byte of a cell that the grid has.
static inline const uint8_t *cl_grid_at(const cl_grid *grid, const int64_t cell[3]) {
  return &grid->bytes[cell[0] + grid->size[0] * (cell[1] + grid->size[1] * cell[2])];
}

/// Whether the block of a cell that a grid in 3D has is empty.
static inline bool cl_grid_empty(const cl_grid *grid, const int64_t cell[3]) {
  int64_t row = cell[1] / CL_GRID_BLOCK + grid->blocks[1] * (cell[2] / CL_GRID_BLOCK);
  return grid->filled[cell[0] / CL_GRID_BLOCK + grid->blocks[0] * row] == 0;
}

/// Sets a cell that the grid has.
void cl_grid_set(cl_grid *grid, const int64_t cell[3], uint8_t value);

/// Sets all cells from `low` on, `size` of them along each axis (in 2D 1 along z).
/// All of them are in the grid.
void cl_grid_fill(cl_grid *grid, const int64_t low[3], const int64_t size[3], uint8_t value);

/// Sets all cells, a byte for each.
void cl_grid_load(cl_grid *grid, const void *bytes);

/// Whether each block in 3D counts its cells that are not 0.
bool cl_grid_is_valid(const cl_grid *grid);

/// A world coordinate of one axis in cells: (v - origin) / cell, rounded once.
double cl_grid_to_cells(const cl_grid *grid, int axis, double v);

/// Where a ray meets the first cell of a value that stops it.
typedef struct cl_grid_hit {
  int64_t cell[3];
  double normal[3]; ///< unit vector out of the face, edge or corner; 0 at the start
  double t;         ///< 0 … 1
  uint8_t value;
} cl_grid_hit;

/// Whether the segment between two points, in cells and within ±CL_MAX_CELL, meets a
/// cell of the grid whose value `stops` (256 of them) says so: the first as cl_walk
/// gives them, in a corner the first in its order. Outside of the grid nothing stops.
bool cl_grid_cast(const cl_grid *grid, const double from[], const double to[],
                  const bool stops[256], cl_grid_hit *hit);

#endif
