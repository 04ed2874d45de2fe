// collide, MIT licence (see LICENSE)
//
// The data of a snapshot of pools; private to the files snapshot*.c. Layer: bullets.

#ifndef CL_BULLETS_SNAPSHOT_H
#define CL_BULLETS_SNAPSHOT_H

#include "bullets/state.h"

/// The arrays of numbers that are kept for round bullets; ax and ay only for a pool that
/// accelerates.
enum {
  CL_KEPT_X,
  CL_KEPT_Y,
  CL_KEPT_VX,
  CL_KEPT_VY,
  CL_KEPT_RADIUS,
  CL_KEPT_AGE,
  CL_KEPT_TAG,
  CL_KEPT_NUMBER,
  CL_KEPT_AX,
  CL_KEPT_AY,
  CL_KEPT_FIELDS,
};

/// A pool: its live bullets without gaps, as one array of `count` numbers after another, and its
/// live lasers, with references to their shapes. The shapes are NULL for lasers that are not made
/// yet.
typedef struct cl_kept_pool {
  cl_bullets_def def;
  double clock, largest;
  uint64_t hits, grazes;
  bool accelerates, survives;
  uint32_t count;
  double *number;
  uint8_t *survived;
  cl_laser *laser;
  uint32_t lasers;
  size_t number_cap, survived_cap, laser_cap;
} cl_kept_pool;

/// `shots` and `rest` are the remaining shots; `begun`, `current` and `moment` belong to the one
/// that is being dispatched.
struct cl_bullets_snapshot {
  cl_alloc alloc;
  cl_kept_pool *pool;
  uint32_t pools, pools_used; ///< pools in the snapshot; entries with memory
  size_t pool_cap;
  double last;
  cl_shots shots, rest;
  cl_mets met;
  size_t met_kept;
  bool begun;
  cl_shot current;
  cl_moment moment;
  cl_bullets_log log;
};

/// How many arrays of numbers a pool has.
static inline int cl_kept_fields(const cl_kept_pool *kept) {
  return kept->accelerates ? CL_KEPT_FIELDS : CL_KEPT_AX;
}

/// The arrays of numbers of a pool, in the order in which they are kept.
static inline void cl_kept_arrays(const cl_bullets *pool, double *at[CL_KEPT_FIELDS]) {
  double *const arrays[CL_KEPT_FIELDS] = {pool->x,      pool->y,   pool->vx,  pool->vy,
                                          pool->radius, pool->age, pool->tag, pool->number,
                                          pool->ax,     pool->ay};
  memcpy(at, arrays, sizeof arrays);
}

/// Copies notes to one that has room for them.
void cl_bullets_log_copy(cl_bullets_log *to, const cl_bullets_log *from);

/// Room for this many pools; a new one has no memory of its own.
cl_status cl_bullets_snapshot_reserve_pools(cl_bullets_snapshot *snapshot, uint32_t pools);

/// Empties it; it keeps its memory.
void cl_bullets_snapshot_clear(cl_bullets_snapshot *snapshot);

#endif
