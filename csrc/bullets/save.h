// collide, MIT licence (see LICENSE)
//
// What a host does with pools beyond collide.h: snapshots as bytes and their differences, and where
// a pool has its fields. Layer: bullets.

#ifndef CL_BULLETS_SAVE_H
#define CL_BULLETS_SAVE_H

#include "base/record.h"

/// How many bytes a snapshot takes, without the shapes of lasers, which are shared.
size_t cl_bullets_snapshot_bytes(const cl_bullets_snapshot *snapshot);

/// Appends a snapshot after that of its world's actors, or reads one. First it drops data about
/// removed actors from the snapshot. Returns the archive's status; if reading fails, the snapshot
/// is empty.
cl_status cl_bullets_snapshot_archive(cl_archive *a, cl_bullets_snapshot *snapshot,
                                      const cl_snapshot *actors);

/// Makes the lasers of a snapshot that has been read, for pools made like `def`, as many as it has.
/// Their capacity and radius must be those of the snapshot, and either both have a lifetime or
/// none. CL_INVALID otherwise, or if such a laser is impossible; CL_NOMEM.
cl_status cl_bullets_snapshot_set_pool(cl_bullets_snapshot *snapshot, uint32_t i,
                                       const cl_bullets_def *def);

/// Whether a bullet differs; writes the first difference, by the index of its pool and its number.
/// "alive": one of the values is 1 and the other 0, because only one snapshot has the bullet.
/// "home": the values are slots, whose actors have different numbers.
bool cl_bullets_snapshot_differ(const cl_bullets_snapshot *a, const uint32_t *number_a,
                                const cl_bullets_snapshot *b, const uint32_t *number_b,
                                cl_difference *out);

/// The fields of a pool that a host accesses through pointers.
extern const cl_field cl_bullets_layout[];

#endif
