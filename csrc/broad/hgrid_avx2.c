// collide, MIT licence (see LICENSE)
//
// The grid's loops for processors that have AVX2. Layer: broad.

#define CL_FOR_AVX2 1
#include "base/simd.h"

#if CL_HAS_AVX2
#include "broad/hgrid_kernels.h"
#endif
