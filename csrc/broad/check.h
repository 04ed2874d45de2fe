// collide, MIT licence (see LICENSE)
//
// Checks of a broad phase's answer. After each find, checked builds (CL_CHECK) assert that the
// answer is right and that the structure it came from is valid. Layer: broad.

#ifndef CL_BROAD_CHECK_H
#define CL_BROAD_CHECK_H

#include "broad/broad.h"

/// Whether the number of boxes is in range and all are finite, with l <= r and t <= b.
bool cl_broad_input_is_valid(const cl_broad_input *in);

/// Whether the pairs from index `from` on are all pairs of these boxes, each once. With many boxes
/// it only checks that each is a pair, also if there are enough.
bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from);

#endif
