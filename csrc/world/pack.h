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

/// Appends a snapshot: the same bytes for the same state, whatever its slots. `order` has the
/// numbers of the `groups` groups that are to be told apart, the others being alike; `number` as of
/// cl_snapshot_number.
/// `*hash` is what cl_world_hash is the end of, and `end` says how many bytes there are after each
/// part. CL_NOMEM beside the writer's own status: no memory
/// for something else.
cl_status cl_snapshot_write(const cl_snapshot *snapshot, unsigned groups, const uint8_t *order,
                            const uint32_t *number, cl_writer *w, uint64_t *hash,
                            size_t end[CL_PACK_PARTS]);

/// The groups, of the first `named`, that have a member or rules that no group without a name has:
/// bit g for group g.
uint64_t cl_snapshot_groups(const cl_snapshot *snapshot, unsigned named, const uint32_t *number);

/// Reads one, whose slots are the numbers then, and whose actors have no shapes yet.
/// CL_INVALID: that are no such bytes, and there is nothing in it.
cl_status cl_snapshot_read(cl_reader *r, unsigned groups, cl_snapshot *into);

/// Which group of a world, below CL_MAX_GROUPS, stands for each of the `groups` that are named in a
/// snapshot that has been read; once.
void cl_snapshot_set_groups(cl_snapshot *snapshot, unsigned groups, const uint8_t *group);

/// Gives the actors of a snapshot that has been read their shapes, by slot, to which it takes
/// references. CL_INVALID: the bounds or cells of that in `*slot` are not those that were written;
/// CL_NOMEM. Then it has none of them.
cl_status cl_snapshot_set_shapes(cl_snapshot *snapshot, cl_shape *const *shape, uint32_t *slot);

/// Whether its world was one in which sharing only a boundary is a hit.
bool cl_snapshot_touching(const cl_snapshot *snapshot);

/// How a slot of a snapshot is: CL_LIVE and the like; 0 for one that has been removed.
cl_roster_entry cl_snapshot_entry(const cl_snapshot *snapshot, uint32_t slot);

#endif
