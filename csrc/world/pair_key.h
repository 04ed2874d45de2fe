// collide, MIT licence (see LICENSE)
//
// Pairs in order. Layer: world.

#ifndef CL_WORLD_PAIR_KEY_H
#define CL_WORLD_PAIR_KEY_H

#include "broad/broad.h"

/// A pair as a number, which gives the order of pairs, and back.
static inline uint64_t cl_pair_key(cl_pair pair) {
#if CL_LITTLE_ENDIAN // one load and a rotation instead of two loads
  uint64_t word;
  memcpy(&word, &pair, sizeof word);
  return word << 32 | word >> 32;
#else
  return (uint64_t)pair.a << 32 | pair.b;
#endif
}

static inline cl_pair cl_pair_of(uint64_t key) {
#if CL_LITTLE_ENDIAN
  cl_pair pair;
  key = key << 32 | key >> 32;
  memcpy(&pair, &key, sizeof pair);
  return pair;
#else
  return (cl_pair){(uint32_t)(key >> 32), (uint32_t)key};
#endif
}

#endif
