// collide, MIT licence (see LICENSE)
//
// Placing small convex parts with the vector instructions that every processor has. Layer: narrow.

#define BLOCK_PLACING cl_block_placing_plain
#include "narrow/vertex_block_place.h"
