// collide, MIT licence (see LICENSE)
//
// The instructions of AVX2, for functions marked CL_AVX2. Apart from base/simd.h, since
// a compiler reads the header that declares them for longer than most of our files.
// Layer: base.

#ifndef CL_BASE_AVX2_H
#define CL_BASE_AVX2_H

#include "base/simd.h"

#if CL_HAS_AVX2
#include <immintrin.h>
#endif

#endif
