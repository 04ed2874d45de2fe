// collide, MIT licence (see LICENSE)
//
// What a host does with pools beyond collide.h: snapshots as bytes and their differences, and where
// a pool has its fields. Layer: bullets.

#ifndef CL_BULLETS_SAVE_H
#define CL_BULLETS_SAVE_H

#include "base/alloc.h"
#include "base/bytes.h"

/// The numbers of actors in the bytes: `number` by slot, CL_NOBODY for those left out; `live`, by
/// number, whether the actor still exists.
typedef struct cl_pack_actors {
  const uint32_t *number;
  const uint8_t *live;
  uint32_t count;
} cl_pack_actors;

/// Appends a snapshot. The world has the hash that cl_world_hash finishes. Records about removed
/// actors are left out.
void cl_bullets_snapshot_write(cl_bullets_snapshot *snapshot, uint64_t hash,
                               const cl_pack_actors *actors, cl_writer *w);

/// Reads a snapshot. CL_INVALID: the bytes are not those of a snapshot, and it is left empty.
cl_status cl_bullets_snapshot_read(cl_reader *r, const cl_pack_actors *actors,
                                   cl_bullets_snapshot *into);

/// Makes the lasers of a snapshot that has been read, for pools made like `def`, as many as it has.
/// Their capacity and radius are those of the snapshot, and either both have a lifetime or none.
/// CL_INVALID: that is not so, or such a laser is impossible; CL_NOMEM.
cl_status cl_bullets_snapshot_set_pool(cl_bullets_snapshot *snapshot, uint32_t i,
                                       const cl_bullets_def *def);

/// A difference: number `name` of a bullet has these values in two snapshots. "alive": one of
/// `values` is 1 and the other 0, because only one snapshot has the bullet.
typedef struct cl_bullet_difference {
  uint32_t pool;
  double bullet;
  const char *name;
  double values[2];
} cl_bullet_difference;

/// Whether there is such a bullet; writes the first, by pool and number.
bool cl_bullets_snapshot_differ(const cl_bullets_snapshot *a, const cl_bullets_snapshot *b,
                                cl_bullet_difference *out);

/// The fields of a pool that a host accesses through pointers.
extern const cl_field cl_bullets_layout[];

#endif
