// collide, MIT licence (see LICENSE)
//
// The actors as arrays by slot: growing them, and marks of what has changed. Layer: world.

#ifndef CL_WORLD_ACTORS_H
#define CL_WORLD_ACTORS_H

#include "geom/placed.h"
#include "world/kinds.h"

/// The arrays by slot. One list, so that growing, moving and freeing them forgets none: place is
/// the present one; next is what the host writes, which a step makes the present one (so that
/// between steps it holds the place before, but for statics, where both are the same). Of an actor
/// that was removed since the last step, place.x is how far the dispatch was, as
/// cl_dispatch_progress has it. form is that of the kind, or of the shape as it was last rotated.
/// unread has the CL_EVENT_ bits that the host has yet to give. named: see gaps.h. kept: removed,
/// and the host was told to keep the actor for its contacts. rank is the hash's own. dirty:
/// CL_DIRTY_ bits, where the proxy is not that of the actor as it stands now.
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

/// The same for worlds in which somebody has an angle, else NULL: angles as places are, and the
/// rotation by `rot_angle`, kept because it is expensive to compute and most angles stay.
#define CL_ROTATION_FIELDS(FIELD)                                                                  \
  FIELD(double, angle)                                                                             \
  FIELD(double, next_angle)                                                                        \
  FIELD(double, rot_angle)                                                                         \
  FIELD(cl_rot, rot)

/// The same for worlds in which somebody has been moved, else NULL: where a move between two
/// steps has taken an actor from, in the interval after so many steps and one, as `moved_after`
/// has it; 0: none, or it has jumped since. `moved_slots` is a list.
#define CL_MOVED_FIELDS(FIELD)                                                                     \
  FIELD(cl_vec, from)                                                                              \
  FIELD(double, from_angle)                                                                        \
  FIELD(uint32_t, moved_after)                                                                     \
  FIELD(uint32_t, moved_slots)

/// What is wrong with a proxy: all of it, or no more than that the actor is in another place.
enum { CL_DIRTY_CHANGED = 1, CL_DIRTY_MOVED = 2 };

/// `swept` is how many live actors are. `dirty_slots` lists all slots that have CL_DIRTY_CHANGED,
/// in no order, as far as there is room: that is for more than a query puts up with. `moved_slots`
/// lists those that have CL_DIRTY_MOVED.
typedef struct cl_actors {
  uint32_t count; ///< slots given, dead ones included
  uint32_t live, swept;
  uint32_t unread_events, unread_updates; ///< actors with those bits unread
  uint32_t dirty_count, dirty_cap, moved_count;
  uint32_t *dirty_slots;
  uint64_t order, static_version; ///< as cl_broad_input has them, never 0
  uint64_t edits;                 ///< counts changes to what a roster has
  size_t cap;
  void *block; ///< one allocation for all arrays
  cl_kinds kinds;
#define CL_DECLARE(type, name) type *name;
  CL_ACTOR_FIELDS(CL_DECLARE)
  CL_ROTATION_FIELDS(CL_DECLARE)
  CL_MOVED_FIELDS(CL_DECLARE)
#undef CL_DECLARE
} cl_actors;

/// Dirty proxies that a query puts up with, and so many more for each actor.
enum { CL_FEW_DIRTY = 16, CL_ACTORS_PER_DIRTY = 16 };

/// Releases all shapes, and frees the arrays.
void cl_actors_free(cl_actors *actors, const cl_alloc *alloc);

/// Room for `count` slots. On CL_NOMEM nothing has changed; else the arrays may have moved,
/// of which cl_world_show has to tell.
cl_status cl_actors_reserve(cl_actors *actors, const cl_alloc *alloc, size_t count);

/// Makes the arrays of angles; likewise.
cl_status cl_actors_use_angles(cl_actors *actors, const cl_alloc *alloc);

/// Makes the arrays of moves; likewise.
cl_status cl_actors_use_moves(cl_actors *actors, const cl_alloc *alloc);

/// Whether a move has taken an actor from `from` in the interval after so many steps.
static inline bool cl_actor_was_moved(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  return actors->moved_after && actors->moved_after[slot] == (uint32_t)steps + 1;
}

/// Where an actor's way begins, in the interval after so many steps; it ends at `next`.
static inline cl_vec cl_actor_way_from(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  bool moved = cl_actor_was_moved(actors, slot, steps);
  return moved ? actors->from[slot] : actors->place[slot];
}

/// Which events the host has yet to say whether an actor asks for.
void cl_actors_mark_unread(cl_actors *actors, uint32_t slot, uint8_t mask);

/// The actor's proxy is no longer that of the actor.
void cl_actors_mark_dirty(cl_actors *actors, uint32_t slot);

/// The actor is no longer where its proxy is.
void cl_actors_mark_moved(cl_actors *actors, uint32_t slot);

/// Everybody's proxy is where the actor stands.
void cl_actors_clear_dirty(cl_actors *actors);

/// An actor of this state has come or gone: static ones are placed and laid out but once,
/// so it has to be known when they change.
void cl_actors_note_change(cl_actors *actors, uint8_t state);

/// One live actor at its present place.
cl_placed cl_actor_place(cl_actors *actors, uint32_t slot);

/// Whether an actor's angle has a part in where it is.
static inline bool cl_actor_is_rotated(const cl_actors *actors, const double *angle,
                                       uint32_t slot) {
  return angle && angle[slot] != 0 && actors->kinds.at[actors->kind[slot]].rotates;
}

/// An actor of which the rotation by its present or next angle is known.
static inline cl_placed cl_actor_placed(const cl_actors *actors, uint32_t slot, bool present) {
  cl_vec at = present ? actors->place[slot] : actors->next[slot];
  const double *angle = present ? actors->angle : actors->next_angle;
  bool rotated = cl_actor_is_rotated(actors, angle, slot);
  return (cl_placed){actors->shape[slot], at.x, at.y, rotated ? actors->rot[slot] : (cl_rot){1, 0}};
}

#endif
