// collide, MIT licence (see LICENSE)
//
// A hash of numbers, the same to the bit on every machine. Source: FNV-1a, 64 bits, over 32 bits at
// a time; the final mix is that of MurmurHash3. Layer: base.

#ifndef CL_BASE_HASH_H
#define CL_BASE_HASH_H

#include "base/config.h"

/// The initial hash.
#define CL_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/// Adds a word of at most 32 bits.
static inline uint64_t cl_hash_word(uint64_t hash, uint64_t word) {
  return (hash ^ word) * UINT64_C(0x100000001b3);
}

/// Adds a number, -0 as 0.
static inline uint64_t cl_hash_number(uint64_t hash, double v) {
  v += 0.0; // -0 becomes 0
  uint64_t word;
  memcpy(&word, &v, sizeof word);
  // In halves: multiplication moves bits only upward, so the high half, where doubles differ most,
  // would never reach the low bits of the hash.
  return cl_hash_word(cl_hash_word(hash, word >> 32), word & UINT32_MAX);
}

/// The hash of all that was added.
static inline uint64_t cl_hash_end(uint64_t hash) {
  hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
  hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 33;
}

#endif
