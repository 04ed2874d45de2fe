// collide, MIT licence (see LICENSE)
//
// What a host does with pools beyond collide.h: snapshots as bytes and their differences, and where
// a pool has its fields. Layer: bullets.

#ifndef CL_BULLETS_SAVE_H
#define CL_BULLETS_SAVE_H

#include "base/alloc.h"
#include "base/bytes.h"

/// Appends a snapshot to that of its world's actors, or reads one after that. What is about removed
/// actors is dropped before, also from the snapshot. Returns the archive's status; if reading
/// fails, the snapshot is empty.
cl_status cl_bullets_snapshot_archive(cl_archive *a, cl_bullets_snapshot *snapshot,
                                      const cl_snapshot *actors);

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
