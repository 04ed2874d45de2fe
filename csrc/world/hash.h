// collide, MIT licence (see LICENSE)
//
// Keeps the hash of the last step while actors change. Layer: world.

#ifndef CL_WORLD_HASH_H
#define CL_WORLD_HASH_H

#include "world/state.h"

/// Called after a step.
void cl_hash_begin_log(cl_world *world);
/// The input of the hash of a step: arrays by slot, of which `state` has an element every `stride`
/// bytes and `rank` is scratch, and the hits.
typedef struct cl_hashed_step {
  const cl_vec *place;
  const double *angle;
  const uint8_t *state;
  size_t stride;
  uint32_t *rank;
  size_t hits;
  const cl_pair *pair;
  const cl_hit *hit;
  const double *time; ///< NULL if no two have met only on their way
  const cl_hash_log *log;
} cl_hashed_step;
uint64_t cl_hash_of_step(const cl_hashed_step *step);

void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc);

/// Call this before a live actor is moved or removed. Without room for a note, or with so many
/// notes that computing the hash is no more work, it computes the hash instead.
void cl_hash_note_actor(cl_world *world, uint32_t slot);

#endif
