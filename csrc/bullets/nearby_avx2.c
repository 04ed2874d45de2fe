// collide, MIT licence (see LICENSE)
//
// The sieve for processors that have AVX2. Layer: bullets.

#define CL_FOR_AVX2 1
#include "base/simd.h"

#if CL_HAS_AVX2
#include "bullets/state.h"
#include "bullets/nearby_kernels.h"
#endif
