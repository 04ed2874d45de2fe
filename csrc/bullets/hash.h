// collide, MIT licence (see LICENSE)
//
// Keeps the hash of the last step while bullets change. Layer: bullets.

#ifndef CL_BULLETS_HASH_H
#define CL_BULLETS_HASH_H

#include "bullets/state.h"

/// Called when the dispatch of a step has ended: the hash covers the bullets alive now.
void cl_pools_begin_log(cl_pools *pools);
/// Call this before a live bullet, by its index, or laser is killed or moved by `set`. Without room
/// for a note it computes the hash.
void cl_bullets_note(cl_bullets *pool, uint32_t index);
void cl_bullets_note_laser(cl_bullets *pool, const cl_laser *laser);
/// Call this before many bullets change, or a pool is removed: computes the hash.
void cl_pools_end_log(cl_pools *pools);
/// The input of the hash: `dead` is NULL if all bullets are alive, `hash` is the world's number to
/// continue from, and `at` returns the data of pool `index` of `count`.
typedef struct cl_hashed_pool {
  const double *number, *x, *y;
  const uint8_t *dead;
  uint32_t used;
  const cl_laser *laser;
  uint32_t laser_used;
  uint64_t hits, grazes;
} cl_hashed_pool;
typedef cl_hashed_pool cl_hashed_pool_at(const void *of, uint32_t index);
uint64_t cl_hash_of_pools(uint64_t hash, cl_bullets_log *log, uint32_t count, cl_hashed_pool_at *at,
                          const void *of);

#endif
