// collide, MIT licence (see LICENSE)
//
// What the hash of the last step still needs: the places of actors that have been moved or removed
// since. Layer: world.

#ifndef CL_WORLD_HASH_LOG_H
#define CL_WORLD_HASH_LOG_H

#include "world/actors.h"

/// Where an actor was in the last step.
typedef struct cl_hash_note {
  cl_vec at;
  double angle;
  uint32_t slot;
} cl_hash_note;

/// The last step had the first `slots` slots. If an actor is noted twice, the first note counts.
/// `known`: the hash has been computed, see cl_world_hash_begin; nothing is noted then.
typedef struct cl_hash_log {
  cl_hash_note *note;
  size_t count, cap;
  uint32_t slots;
  bool known;
  uint64_t hash;
} cl_hash_log;

#endif
