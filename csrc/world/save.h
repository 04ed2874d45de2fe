// collide, MIT licence (see LICENSE)
//
// Snapshots of worlds: what they hold, as bytes, and how two differ. The functions of collide.h are
// in save.c, too. Layer: world.

#ifndef CL_WORLD_SAVE_H
#define CL_WORLD_SAVE_H

#include "base/record.h"
#include "world/state.h"

/// An actor that a move has taken from a place: in the interval before the next step, or in the one
/// `before` the last step.
typedef struct cl_snapshot_motion {
  cl_vec from;
  double from_angle;
  uint32_t slot;
  bool before;
} cl_snapshot_motion;

/// By slot, as in cl_actors: the places of actors now, and before the last step. For a dead slot,
/// `place` has the progress of the dispatch, and `before` is unused. The angles are in use if
/// `turned`. Contacts are as after cl_contact_list_compare. When the dispatch is `over`, the bits
/// of the contacts are CL_NOTIFIED, and there are no ended ones and no events.
struct cl_snapshot {
  cl_alloc alloc;
  cl_roster *roster; ///< NULL: the snapshot is empty
  cl_vec *place, *before;
  double *angle, *angle_before;
  bool turned;
  cl_bounds *bounds; ///< by slot, of shapes that are not known yet; see cl_snapshot_read
  cl_snapshot_motion *motion;
  uint32_t motions;
  cl_hash_log hash;
  cl_rules rules;
  bool touching, over;
  double dispatched;
  cl_contact_list contacts;
  cl_grid_copy **copy; ///< for each of the roster's grids
  uint32_t copies;
  size_t place_cap, before_cap, angle_cap, angle_before_cap, bounds_cap, motion_cap, copy_cap;
};

/// The parts of a snapshot's bytes, in their order.
typedef enum cl_pack_part {
  CL_PACK_ACTORS,
  CL_PACK_RULES,
  CL_PACK_CONTACTS,
  CL_PACK_CELLS,
  CL_PACK_PARTS,
} cl_pack_part;

/// Appends a snapshot: the same bytes for the same state, with any slots. `order` has the numbers
/// of the `groups` groups to distinguish, the others being alike; the writer's `number` is from
/// cl_snapshot_number. `*hash` is the number that cl_world_hash finishes, and `end` gets the number
/// of bytes up to the end of each part. CL_NOMEM, besides the writer's own status: no memory for
/// something else.
cl_status cl_snapshot_write(const cl_snapshot *snapshot, unsigned groups, const uint8_t *order,
                            cl_writer *w, uint64_t *hash, size_t end[CL_PACK_PARTS]);

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

/// A hit that differs in two snapshots: its number `name` has these values in them. "hit": one of
/// `values` is 1 and the other 0, because only one snapshot has it. The pair is of slots of the
/// first snapshot, or, if only the second one has the hit, of the second.
typedef struct cl_hit_difference {
  cl_pair pair;
  const char *name;
  double values[2];
} cl_hit_difference;

/// Whether hits of the last step differ; writes the first. `number_a` and `number_b` as in
/// cl_snapshot_number.
bool cl_snapshot_differing_hit(const cl_snapshot *a, const uint32_t *number_a, const cl_snapshot *b,
                               const uint32_t *number_b, cl_hit_difference *out);

/// The values of a cell of the tiles that are the actor's in `slot` of the first snapshot.
typedef struct cl_cell_difference {
  uint32_t slot;
  int64_t column, row;
  uint8_t values[2];
} cl_cell_difference;

/// Whether a cell of tiles differs in two snapshots with the same actors; writes the first.
bool cl_snapshot_differing_cell(const cl_snapshot *a, const cl_snapshot *b,
                                cl_cell_difference *out);

/// Whether of each two groups both hit or none. Part of cl_world_is_valid.
bool cl_rules_are_valid(const cl_rules *rules);

/// Called after a step.
void cl_hash_begin_log(cl_world *world);

/// Call this before a live actor is moved or removed. Without room for a note, or with so many
/// notes that computing the hash is no more work, it computes the hash instead.
void cl_hash_note_actor(cl_world *world, uint32_t slot);
void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc);

#endif
