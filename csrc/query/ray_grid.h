// collide, MIT licence (see LICENSE)
//
// A grid of equal cells, each with the boxes that reach into it: the fastest
// structure for rays as long as boxes are of similar size and evenly spread. When
// they are not, `fits` is false, and the tree (query/bvh.h) takes the ray.
// Layer: query.
//
// A box is listed in every cell that it reaches into after its edges are moved out by a small share
// of a cell. The walk of a ray from cell to cell is rounded, but strays by less than that share. So
// it finds all boxes that the ray touches. Boxes of a cell are tested four at a time.

#ifndef CL_QUERY_RAY_GRID_H
#define CL_QUERY_RAY_GRID_H

#include "query/bvh.h"

/// All zeros is an empty grid, which does not fit. The boxes of cell k are the entries from
/// start[k] up to, not including, start[k + 1]. `number` has their numbers. `edge` has their edges
/// in four arrays, `stride` apart: x0, y0, -x1 and -y1.
typedef struct cl_ray_grid {
  uint32_t columns, rows;
  double left, top, per_x, per_y; ///< the grid's corner; cells per unit of length
  double size;                    ///< how far from 0 the boxes reach
  uint32_t *start, *number;
  float *edge;
  size_t stride;
  size_t start_cap, number_cap, edge_cap;
  bool fits;
} cl_ray_grid;

/// Lays the cells over `count` boxes; the array is not kept. On CL_NOMEM the grid
/// does not fit.
cl_status cl_ray_grid_build(cl_ray_grid *grid, const cl_alloc *alloc, const cl_fbox *box,
                            uint32_t count);
void cl_ray_grid_free(cl_ray_grid *grid, const cl_alloc *alloc);

/// Whether each of these boxes is an entry of every cell that it reaches into, once, and
/// of no other.
bool cl_ray_grid_is_valid(const cl_ray_grid *grid, const cl_fbox *box, uint32_t count);

/// Whether the grid can take a ray: it fits, and the ray does not start so far away that rounding
/// would move it by cells. `way->mover` is ignored.
bool cl_ray_grid_takes(const cl_ray_grid *grid, const cl_way *way);

/// As cl_bvh_walk, for a ray that cl_ray_grid_takes. A box may be visited more than once.
void cl_ray_grid_walk(const cl_ray_grid *grid, const cl_way *way, double most, cl_bvh_visit *visit,
                      void *user);

#endif
