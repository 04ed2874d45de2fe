// collide, MIT licence (see LICENSE)
//
// Separating axes for processors that have AVX2. Layer: narrow.

#define CL_FOR_AVX2 1
#include "base/simd.h"

#if CL_HAS_AVX2
#include "narrow/sat.h"
#include "narrow/sat_kernels.h"
#endif
