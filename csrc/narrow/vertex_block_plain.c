// collide, MIT licence (see LICENSE)
//
// Placing small convex parts with the vectors that are always there. Layer: narrow.

#define BLOCK_PLACING cl_block_placing_plain
#include "narrow/vertex_block_place.h"
