// collide, MIT licence (see LICENSE)
//
// A lattice of equal cells, each with the boxes that reach into it: the fastest
// thing for a ray as long as boxes are of similar size and evenly spread. Where
// they are not it says so, and the tree (broad/index.h) takes the ray.
// Layer: broad.

#ifndef CL_BROAD_LATTICE_H
#define CL_BROAD_LATTICE_H

#include "broad/index.h"

/// All zero is an empty one, which does not fit. The boxes of cell k are those
/// with the numbers number[start[k]] to number[start[k + 1]], which is not one.
typedef struct cl_lattice {
  uint32_t columns, rows;
  double left, top, width, height; ///< of all, and of one cell
  uint32_t *start, *number;
  size_t start_cap, number_cap;
  bool fits;
} cl_lattice;

/// Lays a lattice over `count` boxes; the array is not kept. On CL_NOMEM it does
/// not fit.
cl_status cl_lattice_build(cl_lattice *lattice, const cl_alloc *alloc, const cl_fbox *box,
                           uint32_t count);
void cl_lattice_free(cl_lattice *lattice, const cl_alloc *alloc);

/// As cl_index_walk, for a ray (`way->mover` is not looked at) among the boxes it
/// was built from. A box may be visited more than once.
void cl_lattice_walk(const cl_lattice *lattice, const cl_fbox *box, const cl_way *way, double most,
                     cl_index_visit *visit, void *user);

#endif
