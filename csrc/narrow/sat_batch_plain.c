// collide, MIT licence (see LICENSE)
//
// Separating axes with the vector instructions that every processor has. Layer: narrow.

#define SAT_BATCH cl_sat_batch_plain
#include "narrow/sat_batch_axes.h"
