// collide, MIT licence (see LICENSE)
//
// A tree of boxes over items in a row, such as the edges or corners of an outline: neighbours in
// the row are near each other, so few boxes are near any one place.
// Layer: geom.

#ifndef CL_GEOM_STRIP_H
#define CL_GEOM_STRIP_H

#include "base/alloc.h"
#include "geom/box.h"

/// Things in one leaf.
enum { CL_STRIP_LEAF = 8 };

/// Node 1 is the root, 2 i and 2 i + 1 are the halves of i; the last `leaves`, a power of
/// two, are the leaves.
typedef struct cl_strip {
  uint32_t leaves;
  cl_bounds *box;
} cl_strip;

/// How many leaves `count` things take, and how many boxes that is.
uint32_t cl_strip_leaves(uint32_t count);
static inline uint64_t cl_strip_boxes(uint32_t leaves) { return 2 * (uint64_t)leaves; }

/// The box of nothing, which touches none.
cl_bounds cl_strip_nothing(void);

/// Makes all boxes from the leaves' boxes; or only the ones above one leaf.
void cl_strip_fill(cl_strip *strip);
void cl_strip_update(cl_strip *strip, uint32_t leaf);

/// The first leaf from `leaf` on whose box touches this one; `leaves` when there is none.
uint32_t cl_strip_next(const cl_strip *strip, uint32_t leaf, cl_bounds box);

#endif
