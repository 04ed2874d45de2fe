// collide, MIT licence (see LICENSE)
//
// The sieve with the vectors that are always there. Layer: bullets.

#define SIFT cl_sift_plain
#include "bullets/sieve_fours.h"
