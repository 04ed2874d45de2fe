// collide, MIT licence (see LICENSE)
//
// A tree of boxes over items in a row, such as the edges or corners of an outline: neighbours in
// the row are close together, so only few boxes are near any one place.
// Layer: geom.

#ifndef CL_GEOM_STRIP_H
#define CL_GEOM_STRIP_H

#include "base/alloc.h"
#include "geom/box.h"

/// Items in one leaf.
enum { CL_STRIP_LEAF = 8 };

/// Node 1 is the root, 2 i and 2 i + 1 are the halves of i; the last `leaves`, a power of
/// two, are the leaves.
typedef struct cl_strip {
  uint32_t leaves;
  cl_bounds *box;
} cl_strip;

/// The number of leaves for `count` items, and of boxes for so many leaves.
uint32_t cl_strip_leaves(uint32_t count);
static inline uint64_t cl_strip_boxes(uint32_t leaves) { return 2 * (uint64_t)leaves; }

/// The empty box, which touches no other.
cl_bounds cl_strip_nothing(void);

/// Computes all inner boxes from the leaves' boxes, or only those above one leaf.
void cl_strip_fill(cl_strip *strip);
void cl_strip_update(cl_strip *strip, uint32_t leaf);

/// The first leaf from `leaf` on whose box touches `box`; `leaves` when there is none.
uint32_t cl_strip_next(const cl_strip *strip, uint32_t leaf, cl_bounds box);

#endif
