// collide, MIT licence (see LICENSE)
//
// The parts of a shape that has many, in a tree of boxes: made once with the
// shape, in its frame. Layer: geom.
//
// Nodes are in preorder: the first child of an inner node comes right after it, the second where
// the nodes of the first end (`skip`). A leaf has some parts, whose numbers are consecutive in the
// shape's `order`. Shapes of up to CL_FEW_PARTS have no tree; their parts are tested one by one.

#ifndef CL_GEOM_PART_BVH_H
#define CL_GEOM_PART_BVH_H

#include "geom/shape.h"

enum { CL_FEW_PARTS = 8 };

struct cl_part_node {
  cl_bounds bounds;      ///< of all parts below, radii included
  uint32_t skip;         ///< the first node that is not below this one
  uint32_t first, count; ///< a leaf's parts in `order`; count is 0 in an inner node
};

/// How many nodes the tree of so many parts has; 0 for up to CL_FEW_PARTS.
uint32_t cl_part_bvh_size(uint32_t parts);

/// Fills `nodes` (cl_part_bvh_size of them) and `order` (one for each part); does nothing for up to
/// CL_FEW_PARTS. Splits at the median along the longer side, down to leaves of four.
void cl_part_bvh_build(const cl_part *parts, uint32_t count, cl_part_node *nodes, uint32_t *order);

/// Parts whose bounds (in the shape's frame) touch a box, one by one:
///   cl_within at = cl_within_box(shape, box);
///   while (cl_within_next(&at, &part)) …
typedef struct cl_within {
  const cl_shape *shape;
  cl_bounds box;
  uint32_t node, at, end;
} cl_within;

cl_within cl_within_box(const cl_shape *shape, cl_bounds box);
bool cl_within_next(cl_within *w, uint32_t *part);

#endif
