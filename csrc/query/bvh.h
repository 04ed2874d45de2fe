// collide, MIT licence (see LICENSE)
//
// The tree of boxes, four to a node, that queries and casts walk, whichever broad
// phase finds the pairs. Boxes are sorted along a Morton curve. Every four
// neighbours share a node and every four nodes a parent, so children are found by
// index arithmetic, and a node is one cache line. Where many boxes lie in one cell of the curve,
// that cell gets a curve of its own, so the tree does well on any spread of places, and is built in
// time linear in the number of boxes. Where floats are too coarse, a tree is also given the boxes
// in doubles, and tests those after the floats. Source: packed trees by a space-filling curve,
// Kamel and Faloutsos (1993); four boxes a test, Dammertz, Hanika and Keller (2008). Layer: query.

#ifndef CL_QUERY_BVH_H
#define CL_QUERY_BVH_H

#include "base/sort.h"
#include "query/slabs.h"

/// Four boxes, lane by lane; the far corners negated, so that a test for
/// touching compares four times the same way. Empty lanes touch nothing.
typedef struct cl_bvh_node {
  float x0[4], y0[4], minus_x1[4], minus_y1[4];
} cl_bvh_node;

/// 4^16 boxes are more than there are slots.
enum { CL_BVH_LEVELS = 17 };

/// All zeros is an empty tree. Level l begins at node[from[l]]. The lanes of
/// level 0 are the boxes themselves; `id` has their numbers.
typedef struct cl_bvh {
  cl_bvh_node *node;
  uint32_t *id;
  cl_bounds *fine; ///< by lane of any level, if `is_fine`
  bool is_fine;
  size_t node_cap, id_cap, fine_cap;
  cl_sorter sorter;
  uint32_t from[CL_BVH_LEVELS + 1];
  unsigned levels;
  uint32_t count;
  cl_fbox bounds;
} cl_bvh;

/// Builds the tree of `count` boxes; the array is not kept. On CL_NOMEM the tree is empty.
cl_status cl_bvh_build(cl_bvh *bvh, const cl_alloc *alloc, const cl_fbox *box, uint32_t count);

/// The same for the `count` boxes whose numbers are in `list`, or, when it is NULL, the first
/// `count`. `fine`, if not NULL, has the same boxes in doubles.
cl_status cl_bvh_build_of(cl_bvh *bvh, const cl_alloc *alloc, const cl_fbox *box,
                          const cl_bounds *fine, const uint32_t *list, uint32_t count);

/// Replaces the box in a lane of level 0. The nodes above grow with it, and never shrink: if many
/// boxes have moved far, a new tree is faster. `fine` is ignored by a tree of floats alone.
void cl_bvh_move(cl_bvh *bvh, uint32_t lane, cl_fbox box, cl_bounds fine);
void cl_bvh_free(cl_bvh *bvh, const cl_alloc *alloc);

/// Whether it is a tree of these boxes: each box is in one lane, the other lanes are empty, and a
/// node's bounds are within its lane of the level above.
bool cl_bvh_is_valid(const cl_bvh *bvh, const cl_fbox *box, uint32_t count);

/// Numbers of boxes, owned by the caller.
typedef struct cl_found {
  uint32_t *at;
  size_t count, cap;
} cl_found;

/// Appends the numbers of all boxes that share a point with `box`, in no particular order.
cl_status cl_bvh_query(const cl_bvh *bvh, const cl_alloc *alloc, cl_bounds box, cl_found *found);

/// Calls visit(user, number, most) for the boxes that the mover may touch at a share of the way
/// between 0 and `most`, near ones before far ones, except within a node. It returns the new
/// `most`, no larger than the old one. Rounding never leaves out a box that is touched.
typedef double cl_bvh_visit(void *user, uint32_t number, double most);
void cl_bvh_walk(const cl_bvh *bvh, const cl_way *way, double most, cl_bvh_visit *visit,
                 void *user);

/// The same for the boxes that are no farther than `most` from a point, in world units.
void cl_bvh_near(const cl_bvh *bvh, cl_vec point, double most, cl_bvh_visit *visit, void *user);

/// The bounds of a few boxes that lie near a point; the tree is not empty.
cl_bounds cl_bvh_some_near(const cl_bvh *bvh, cl_vec point);

#endif
