// collide, MIT licence (see LICENSE)
//
// The grid's loops for processors that have AVX2. Layer: broad.

#include "base/simd.h"

#if CL_HAS_AVX2
#define SWEEP_AVX2
#include "broad/hgrid_sweep.h"
#endif
