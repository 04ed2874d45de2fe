// collide, MIT licence (see LICENSE)
//
// The actors as arrays by slot: growing them, and marks of what has changed. Layer: world.

#ifndef CL_WORLD_ACTORS_H
#define CL_WORLD_ACTORS_H

#include "geom/shape.h"
#include "world/kinds.h"

/// The arrays by slot, in one list, so that the code to grow, move and free them covers all.
/// place: the present place. For an actor removed since the last step, place.x is the progress of
/// the dispatch, see cl_dispatch_progress.
/// next: written by the host; a step makes it the present place. Between steps it is the place
/// before the last step; for statics both are the same.
/// form: that of the kind, or of the shape as it was last rotated.
/// unread: the CL_EVENT_ bits that the host has not set yet.
/// named: see gaps.h. kept: the actor was removed, but the host keeps it for its contacts.
/// rank: scratch of the hash. dirty: CL_DIRTY_ bits, if the proxy differs from the actor as it is
/// now.
#define CL_ACTOR_FIELDS(FIELD)                                                                     \
  FIELD(cl_vec, place)                                                                             \
  FIELD(cl_vec, next)                                                                              \
  FIELD(cl_shape *, shape)                                                                         \
  FIELD(uint32_t, kind)                                                                            \
  FIELD(uint32_t, rank)                                                                            \
  FIELD(uint8_t, state)                                                                            \
  FIELD(uint8_t, form)                                                                             \
  FIELD(uint8_t, group)                                                                            \
  FIELD(uint8_t, event_mask)                                                                       \
  FIELD(uint8_t, unread)                                                                           \
  FIELD(uint8_t, named)                                                                            \
  FIELD(uint8_t, kept)                                                                             \
  FIELD(uint8_t, dirty)

/// The same for worlds in which some actor has an angle, else NULL: the angles, like the places,
/// and the rotation by `rot_angle`, kept because it is expensive to compute and most angles stay
/// the same.
#define CL_ROTATION_FIELDS(FIELD)                                                                  \
  FIELD(double, angle)                                                                             \
  FIELD(double, next_angle)                                                                        \
  FIELD(double, rot_angle)                                                                         \
  FIELD(cl_rot, rot)

/// The same for worlds in which some actor has been moved, else NULL: the place from which a move
/// between two steps took the actor. `moved_after` is 1 + the number of steps before that interval;
/// 0: not moved, or it has jumped since. `moved_slots` is a list.
#define CL_MOVED_FIELDS(FIELD)                                                                     \
  FIELD(cl_vec, from)                                                                              \
  FIELD(double, from_angle)                                                                        \
  FIELD(uint32_t, moved_after)                                                                     \
  FIELD(uint32_t, moved_slots)

/// What is wrong with a proxy: all of it, or only the place.
enum { CL_DIRTY_CHANGED = 1, CL_DIRTY_MOVED = 2 };

/// `swept` is the number of live swept actors. `dirty_slots` lists the slots that have
/// CL_DIRTY_CHANGED, in no order, up to its capacity, which is more than a query accepts.
/// `moved_slots` lists those that have CL_DIRTY_MOVED.
typedef struct cl_actors {
  uint32_t count; ///< slots in use, dead ones included
  uint32_t live, swept;
  uint32_t unread_events, unread_updates; ///< actors with those bits unread
  uint32_t dirty_count, dirty_cap, moved_count;
  uint32_t *dirty_slots;
  uint64_t order, static_version; ///< as in cl_broad_input, never 0
  uint64_t edits;                 ///< counts changes to the data in a roster
  size_t cap;
  void *block; ///< one allocation for all arrays
  cl_kinds kinds;
#define CL_DECLARE(type, name) type *name;
  CL_ACTOR_FIELDS(CL_DECLARE)
  CL_ROTATION_FIELDS(CL_DECLARE)
  CL_MOVED_FIELDS(CL_DECLARE)
#undef CL_DECLARE
} cl_actors;

/// How many dirty proxies a query accepts: so many, and one more for each so many actors.
enum { CL_FEW_DIRTY = 16, CL_ACTORS_PER_DIRTY = 16 };

/// Releases all shapes, and frees the arrays.
void cl_actors_free(cl_actors *actors, const cl_alloc *alloc);

/// Room for `count` slots. On CL_NOMEM nothing has changed; else the arrays may have moved, and the
/// caller calls cl_world_show.
cl_status cl_actors_reserve(cl_actors *actors, const cl_alloc *alloc, size_t count);

/// Makes the arrays of angles, in the same way.
cl_status cl_actors_use_angles(cl_actors *actors, const cl_alloc *alloc);

/// Makes the arrays of moves, in the same way.
cl_status cl_actors_use_moves(cl_actors *actors, const cl_alloc *alloc);

/// Whether a move has taken an actor from `from` in the interval after `steps` steps.
static inline bool cl_actor_was_moved(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  return actors->moved_after && actors->moved_after[slot] == (uint32_t)steps + 1;
}

/// Where an actor's way begins, in the interval after `steps` steps; it ends at `next`.
static inline cl_vec cl_actor_way_from(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  bool moved = cl_actor_was_moved(actors, slot, steps);
  return moved ? actors->from[slot] : actors->place[slot];
}

/// Marks the events in `mask`: the host has to find out again whether the actor asks for them.
void cl_actors_mark_unread(cl_actors *actors, uint32_t slot, uint8_t mask);

/// The actor has changed: its proxy is out of date.
void cl_actors_mark_dirty(cl_actors *actors, uint32_t slot);

/// The actor has moved away from its proxy.
void cl_actors_mark_moved(cl_actors *actors, uint32_t slot);

/// All proxies are up to date.
void cl_actors_clear_dirty(cl_actors *actors);

/// An actor of this state was added or removed. Static ones are placed and sorted only once, so
/// their changes are counted.
void cl_actors_note_change(cl_actors *actors, uint8_t state);

/// One live actor at its present place.
cl_placed cl_actor_place(cl_actors *actors, uint32_t slot);

/// Whether an actor's angle affects the area that it covers.
static inline bool cl_actor_is_rotated(const cl_actors *actors, const double *angle,
                                       uint32_t slot) {
  return angle && angle[slot] != 0 && actors->kinds.at[actors->kind[slot]].rotates;
}

/// An actor for which the rotation by its present or next angle is known.
static inline cl_placed cl_actor_placed(const cl_actors *actors, uint32_t slot, bool present) {
  cl_vec at = present ? actors->place[slot] : actors->next[slot];
  const double *angle = present ? actors->angle : actors->next_angle;
  bool rotated = cl_actor_is_rotated(actors, angle, slot);
  return (cl_placed){actors->shape[slot], at.x, at.y, rotated ? actors->rot[slot] : (cl_rot){1, 0}};
}

#endif
