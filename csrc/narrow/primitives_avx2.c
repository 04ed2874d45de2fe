// collide, MIT licence (see LICENSE)
//
// Small convex parts on processors that have AVX2. Layer: narrow.

#define CL_FOR_AVX2 1
#include "base/simd.h"

#if CL_HAS_AVX2
#include "narrow/primitives.h"
#include "narrow/primitives_kernels.h"
#endif
