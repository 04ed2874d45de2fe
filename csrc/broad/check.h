// collide, MIT licence (see LICENSE)
//
// A broad phase's answer against all pairs: checked builds (CL_CHECK) assert after each
// find that it is right, and that the structure it came from is in order. Layer: broad.

#ifndef CL_BROAD_CHECK_H
#define CL_BROAD_CHECK_H

#include "broad/broad.h"

/// Whether there are as many boxes as there may be, all of them finite, with l <= r and
/// t <= b.
bool cl_broad_input_is_valid(const cl_broad_input *in);

/// Whether the pairs from number `from` on are the pairs of these boxes, each once. For more than
/// a few hundred boxes it only checks that they are pairs.
bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from);

#endif
