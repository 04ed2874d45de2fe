// collide, MIT licence (see LICENSE)
//
// The data of a snapshot; private to the files snapshot*.c. Layer: world.

#ifndef CL_WORLD_SNAPSHOT_H
#define CL_WORLD_SNAPSHOT_H

#include "world/roster.h"

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
/// `turned`. Contacts are as in cl_contact_list after cl_contact_list_compare. When the dispatch is
/// `over`, the bits of `now`, the ended contacts and the events are not needed, and are left out.
struct cl_snapshot {
  cl_alloc alloc;
  cl_roster *roster; ///< NULL: the snapshot is empty
  cl_vec *place, *before;
  double *angle, *angle_before;
  bool turned;
  cl_snapshot_motion *motion;
  size_t motions;
  cl_hash_log hash;
  uint64_t hits_with[CL_MAX_GROUPS], notifies[CL_MAX_GROUPS];
  bool one_sided;
  bool touching;
  bool over, cut, any_muted, any_time, enters_wanted, leaves_wanted;
  double dispatched;
  cl_links now, ended;
  cl_hit *hit;
  double *time;
  uint8_t *muted;
  uint32_t *event;
  uint32_t events, leaves;
  cl_grid_copy **copy; ///< for each of the roster's grids
  uint32_t copies;
  cl_bounds *bounds; ///< by slot, of shapes that are not known yet; see cl_snapshot_read
  size_t place_cap, before_cap, angle_cap, angle_before_cap, motion_cap, hit_cap, time_cap;
  size_t muted_cap, event_cap, copy_cap, bounds_cap;
};

/// Reserves room for these numbers of slots, contacts and so on, none of which is in use yet.
/// CL_NOMEM: its contents are unchanged.
typedef struct cl_snapshot_sizes {
  size_t slots, motions, notes, now, ended, events;
  bool turned, over, any_muted, any_time;
} cl_snapshot_sizes;
cl_status cl_snapshot_reserve(cl_snapshot *snapshot, const cl_snapshot_sizes *sizes);

/// Copies an array, which may be NULL.
#define CL_COPY(to, from, count)                                                                   \
  do {                                                                                             \
    if ((count) > 0) memcpy((to), (from), (count) * sizeof *(to));                                 \
  } while (0)

/// Copies notes to one that has room for them.
void cl_hash_log_copy(cl_hash_log *to, const cl_hash_log *from);

/// Empties it; it keeps its memory.
void cl_snapshot_clear(cl_snapshot *snapshot);

#endif
