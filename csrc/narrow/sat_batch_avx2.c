// collide, MIT licence (see LICENSE)
//
// Separating axes on processors that have AVX2. Layer: narrow.

#define CL_FOR_AVX2 1
#include "narrow/sat_batch.h"

#if CL_HAS_AVX2
#define SAT_BATCH cl_sat_batch_avx2
#include "narrow/sat_batch_axes.h"
#endif
