// collide, MIT licence (see LICENSE)
//
// Placing small convex parts on processors that have AVX2. Layer: narrow.

#define CL_FOR_AVX2 1
#include "narrow/vertex_block.h"

#if CL_HAS_AVX2
#define BLOCK_PLACING cl_block_placing_avx2
#include "narrow/vertex_block_place.h"
#endif
