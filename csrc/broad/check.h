// collide, MIT licence (see LICENSE)
//
// Checks that look at whole structures. They take longer than what they check, so
// only a build with -DCL_CHECKED=1 has them (`make asan`): a broad phase then
// asserts after each find that it is in order, and that the pairs are right.
// Layer: broad.

#ifndef CL_BROAD_CHECK_H
#define CL_BROAD_CHECK_H

#ifndef CL_CHECKED
#define CL_CHECKED 0
#endif

#if CL_CHECKED

#include "broad/hgrid.h"
#include "broad/tree.h"

#define CL_CHECK(what) assert(what)

/// Whether the pairs from number `from` on are those of these boxes, each once. Of
/// more than a few hundred boxes nothing is said but that those are pairs.
bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from);

/// Whether each box is there once and in its cell, cells are as large as their
/// boxes, and tables follow each other.
bool cl_hgrid_is_valid(const cl_hgrid *grid, const cl_hgrid_source *from);

/// Whether each box is there once and in a cell that holds it, which in a loose
/// tree reaches one further; whether cells hold boxes, and come before those below
/// them.
bool cl_tree_is_valid(const cl_tree *tree, const cl_broad_input *in, bool loose);

#else
#define CL_CHECK(what) ((void)0)
#endif

#endif
