// collide, MIT licence (see LICENSE)
//
// Separating axes with the vectors that are always there. Layer: narrow.

#define SAT_BATCH cl_sat_batch_plain
#include "narrow/sat_batch_axes.h"
