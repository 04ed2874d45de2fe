// collide, MIT licence (see LICENSE)
//
// Snapshots of worlds as bytes, and back. Layer: world.

#ifndef CL_WORLD_PACK_H
#define CL_WORLD_PACK_H

#include "base/bytes.h"
#include "world/snapshot.h"

/// The parts of a snapshot's bytes, in their order.
typedef enum cl_pack_part {
  CL_PACK_ACTORS,
  CL_PACK_RULES,
  CL_PACK_CONTACTS,
  CL_PACK_CELLS,
  CL_PACK_PARTS,
} cl_pack_part;

/// Appends a snapshot: the same bytes for the same state, with any slots. `order` has the numbers
/// of the `groups` groups to distinguish, the others being alike; `number` as in
/// cl_snapshot_number. `*hash` is the number that cl_world_hash finishes, and `end` gets the number
/// of bytes up to the end of each part. CL_NOMEM, besides the writer's own status: no memory for
/// something else.
cl_status cl_snapshot_write(const cl_snapshot *snapshot, unsigned groups, const uint8_t *order,
                            const uint32_t *number, cl_writer *w, uint64_t *hash,
                            size_t end[CL_PACK_PARTS]);

/// Of the first `named` groups, those that have a member or rules that no group without a name has:
/// bit g for group g.
uint64_t cl_snapshot_groups(const cl_snapshot *snapshot, unsigned named, const uint32_t *number);

/// Reads a snapshot. Its slots are then the numbers, and its actors have no shapes yet. CL_INVALID:
/// the bytes are no snapshot, and `into` is empty.
cl_status cl_snapshot_read(cl_reader *r, unsigned groups, cl_snapshot *into);

/// Sets the group of a world, below CL_MAX_GROUPS, for each of the `groups` named groups of a
/// snapshot that has been read. Call it once.
void cl_snapshot_set_groups(cl_snapshot *snapshot, unsigned groups, const uint8_t *group);

/// Gives the actors of a snapshot that has been read their shapes, by slot, and takes references to
/// them. CL_INVALID: the shape for `*slot` does not have the bounds or cells that were written, or
/// for CL_NOBODY, they have fewer grids; CL_NOMEM: no memory. In both cases the snapshot has none
/// of the shapes.
cl_status cl_snapshot_set_shapes(cl_snapshot *snapshot, cl_shape *const *shape, uint32_t *slot);

/// Whether its world treats touching as a hit.
bool cl_snapshot_touching(const cl_snapshot *snapshot);

/// The state of a slot in a snapshot: CL_LIVE and the like; 0 if it was removed.
cl_roster_entry cl_snapshot_entry(const cl_snapshot *snapshot, uint32_t slot);

#endif
