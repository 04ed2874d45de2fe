// collide, MIT licence (see LICENSE)
//
// The sieve with the vector instructions that every processor has. Layer: bullets.

#define SIFT cl_sift_plain
#include "bullets/sieve_fours.h"
