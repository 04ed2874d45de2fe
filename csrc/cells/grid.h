// collide, MIT licence (see LICENSE)
//
// The data of a grid of bytes, 2D or 3D. Layer: cells.

#ifndef CL_CELLS_GRID_H
#define CL_CELLS_GRID_H

#include "base/alloc.h"

/// Side of a block, in cells. A 3D grid counts the cells of each block that are not 0, so a ray
/// through empty space reads one number for a block instead of a byte for each cell, most of which
/// are not in a cache.
enum { CL_GRID_BLOCK = 8 };

/// Sizes and place never change. cl_grid_set, cl_grid_fill and cl_grid_load change the bytes in
/// place, at any time, and keep the counts of the blocks right.
struct cl_grid {
  cl_alloc alloc;
  int references;
  int dims;
  int64_t size[3];   ///< in cells; size[2] is 1 in 2D
  double cell[3];    ///< edges of a cell in world units
  double origin[3];  ///< of the lowest corner of cell 0, 0, 0, in world units
  uint8_t *bytes;    ///< x fastest: bytes[x + size[0] * (y + size[1] * z)]
  int64_t blocks[3]; ///< along each axis; the last may have fewer cells
  uint16_t *filled;  ///< in 3D: of each block, x fastest, how many cells are not 0; in 2D NULL
  uint64_t changes;  ///< rises whenever bytes may have changed
  struct cl_grid_copy *copy; ///< a reference to a copy of the present bytes, or NULL
};

/// The bytes of a grid at one moment. It never changes and is reference-counted: until a cell
/// changes, all copies of a grid are the same one.
typedef struct cl_grid_copy {
  cl_alloc alloc;
  uint32_t references;
  size_t size;
  uint8_t bytes[];
} cl_grid_copy;

/// A copy of a grid as it is, with a reference for the caller; NULL when out of memory.
cl_grid_copy *cl_grid_keep(cl_grid *grid);
cl_grid_copy *cl_grid_copy_retain(cl_grid_copy *copy);
void cl_grid_copy_release(cl_grid_copy *copy);

/// A copy of these bytes, with a reference for the caller; NULL when out of memory.
cl_grid_copy *cl_grid_copy_new(const cl_alloc *alloc, const void *bytes, size_t size);

/// Gives a grid the bytes of a copy of the same size. Cannot fail.
void cl_grid_put_back(cl_grid *grid, cl_grid_copy *copy);

static inline size_t cl_grid_count(const cl_grid *grid) {
  return (size_t)(grid->size[0] * grid->size[1] * grid->size[2]);
}

static inline bool cl_grid_has(const cl_grid *grid, const int64_t cell[3]) {
  return cell[0] >= 0 && cell[0] < grid->size[0] && cell[1] >= 0 && cell[1] < grid->size[1] &&
         cell[2] >= 0 && cell[2] < grid->size[2];
}

/// The byte of a cell inside the grid.
static inline uint8_t *cl_grid_at(const cl_grid *grid, const int64_t cell[3]) {
  return &grid->bytes[cell[0] + grid->size[0] * (cell[1] + grid->size[1] * cell[2])];
}

/// How many cells are not 0 in the block of a cell inside a 3D grid.
static inline uint16_t *cl_grid_block(const cl_grid *grid, const int64_t cell[3]) {
  int64_t row = cell[1] / CL_GRID_BLOCK + grid->blocks[1] * (cell[2] / CL_GRID_BLOCK);
  return &grid->filled[cell[0] / CL_GRID_BLOCK + grid->blocks[0] * row];
}

/// Whether the counts of the blocks are right; always true in 2D. For checks.
bool cl_grid_is_valid(const cl_grid *grid);

// The first cell that stops a ray whose ends are only approximately known. In the world each line
// between tiles is rounded separately, so a straight ray there is not exactly straight in cells.
// Away from the corners of cells it still crosses the same sides. Near a corner the order matters
// only if one of the cells there stops the ray.

typedef enum cl_near {
  CL_NEAR_NONE,   ///< it touches no cell that stops it, nor a side of one
  CL_NEAR_INSIDE, ///< it begins inside one
  CL_NEAR_CELL,   ///< it enters one, or ends or leaves the grid there, and touches none before
  CL_NEAR_UNSURE, ///< only the exact ray can decide
} cl_near;

/// Casts a ray in a 2D grid. Its ends are in cells, each off by at most `blur` cells along an axis.
/// All values but 0 stop it when `stops` is NULL; otherwise those whose entry is not 0, where
/// stops[0] is 0. `cell` gets the cell for CL_NEAR_CELL and CL_NEAR_INSIDE.
cl_near cl_grid_near(const cl_grid *grid, const uint8_t stops[256], const double from[2],
                     const double to[2], double blur, int64_t cell[2]);

#endif
