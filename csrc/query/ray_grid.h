// collide, MIT licence (see LICENSE)
//
// A grid of equal cells, each with the boxes that reach into it: the fastest
// thing for a ray as long as boxes are of similar size and evenly spread. Where
// they are not it says so, and the tree (query/bvh.h) takes the ray.
// Layer: query.
//
// A box is in the cells of its edges moved out by a small share of a cell. So a ray that
// goes from cell to cell as quickly as rounding allows, and stays nearer to the true one
// than that, finds all boxes that are touched; which those are is tested four at a time.

#ifndef CL_QUERY_RAY_GRID_H
#define CL_QUERY_RAY_GRID_H

#include "query/bvh.h"

/// All zero is an empty one, which does not fit. The boxes of cell k are the entries
/// start[k] to start[k + 1], which is not one of them: `number` has theirs, and
/// `edge` their edges x0, then y0, -x1 and -y1, `stride` entries further on each.
typedef struct cl_ray_grid {
  uint32_t columns, rows;
  double left, top, per_x, per_y; ///< of all; cells to a unit of length
  double size;                    ///< how far from 0 the boxes reach
  uint32_t *start, *number;
  float *edge;
  size_t stride;
  size_t start_cap, number_cap, edge_cap;
  bool fits;
} cl_ray_grid;

/// Lays the cells over `count` boxes; the array is not kept. On CL_NOMEM it does
/// not fit.
cl_status cl_ray_grid_build(cl_ray_grid *grid, const cl_alloc *alloc, const cl_fbox *box,
                            uint32_t count);
void cl_ray_grid_free(cl_ray_grid *grid, const cl_alloc *alloc);

/// Whether each of these boxes is an entry of every cell that it reaches into, once, and
/// of no other.
bool cl_ray_grid_is_valid(const cl_ray_grid *grid, const cl_fbox *box, uint32_t count);

/// Whether it can find what a ray (`way->mover` is not looked at) touches: it fits, and
/// the ray does not come from so far that rounding would move it by cells.
bool cl_ray_grid_takes(const cl_ray_grid *grid, const cl_way *way);

/// As cl_bvh_walk, for a ray that suits the grid. A box may be visited more than once.
void cl_ray_grid_walk(const cl_ray_grid *grid, const cl_way *way, double most, cl_bvh_visit *visit,
                      void *user);

#endif
