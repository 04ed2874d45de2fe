// collide, MIT licence (see LICENSE)
//
// The sieve on processors that have AVX2. Layer: bullets.

#define CL_FOR_AVX2 1
#include "bullets/sieve.h"

#if CL_HAS_AVX2
#define SIFT cl_sift_avx2
#include "bullets/sieve_fours.h"
#endif
