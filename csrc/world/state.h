// collide, MIT licence (see LICENSE)
//
// What a world is made of; private to this layer. Layer: world.

#ifndef CL_WORLD_STATE_H
#define CL_WORLD_STATE_H

#include "base/sort.h"
#include "query/bvh.h"
#include "query/ray_grid.h"
#include "world/bullets_state.h"
#include "narrow/axes.h"
#include "world/queries.h"
#include "world/world.h"

/// The arrays by slot. One list, so that growing, moving and freeing them
/// forgets none:
/// x, y, angle are the present place; next_… is what the host writes, which a
/// step makes the present one (so that between steps it holds the place before,
/// but for statics, where both are the same). rot is the rotation by `turned`,
/// kept since computing it is dear and most angles stay. removed is how far the
/// telling was when the actor was removed, as cl_told_progress has it. unheard
/// has the CL_HEARS_ bits that the host has yet to give. tied: some pair or
/// parting of the last step names this slot, see cl_actors_need_tied. kept:
/// removed, and the host was told to keep the actor for that. rank is the hash's
/// own. stray: the placing does not have the actor as it stands now; strays is a
/// list of all such slots, in no order.
#define CL_ACTOR_FIELDS(FIELD)                                                                     \
  FIELD(double, x)                                                                                 \
  FIELD(double, y)                                                                                 \
  FIELD(double, angle)                                                                             \
  FIELD(double, next_x)                                                                            \
  FIELD(double, next_y)                                                                            \
  FIELD(double, next_angle)                                                                        \
  FIELD(double, turned)                                                                            \
  FIELD(cl_rot, rot)                                                                               \
  FIELD(double, removed)                                                                           \
  FIELD(cl_shape *, shape)                                                                         \
  FIELD(uint8_t, state)                                                                            \
  FIELD(uint8_t, group)                                                                            \
  FIELD(uint8_t, hears)                                                                            \
  FIELD(uint8_t, unheard)                                                                          \
  FIELD(uint8_t, tied)                                                                             \
  FIELD(uint8_t, kept)                                                                             \
  FIELD(uint8_t, stray)                                                                            \
  FIELD(uint32_t, strays)                                                                          \
  FIELD(uint32_t, rank)

typedef struct cl_actors {
  uint32_t count; ///< slots given, dead ones included
  uint32_t live;
  uint32_t unheard_events, unheard_updates; ///< actors with those bits unheard
  uint32_t stray_count;
  uint64_t order, still; ///< as cl_broad_input has them, never 0
  size_t cap;
  void *block; ///< one allocation for all arrays
#define CL_DECLARE(type, name) type *name;
  CL_ACTOR_FIELDS(CL_DECLARE)
#undef CL_DECLARE
} cl_actors;

/// Which of a pair: bits of cl_tie.
enum { CL_TOLD_A = 1, CL_TOLD_B = 2 };

/// A pair of slots, a < b. `told`: who has been told that they met and not yet
/// that they parted. `owed`: the same from an earlier meeting, where they have
/// met again since.
typedef struct cl_tie {
  uint32_t a, b;
  uint8_t told, owed;
} cl_tie;

/// Ties ascending by (a, b).
typedef struct cl_ties {
  cl_tie *at;
  size_t count, cap;
} cl_ties;

/// Hits, in any order.
typedef struct cl_hits {
  cl_hit *at;
  size_t cap;
} cl_hits;

/// What the narrow phase can tell about a placed shape without looking at it: an upright
/// rectangle, a circle, what cl_has_corners, of these few or more, anything else.
enum { CL_FORM_BOX, CL_FORM_CIRCLE, CL_FORM_FEW, CL_FORM_CORNERS, CL_FORM_OTHER, CL_FORMS };

/// Where a box or a circle is, world units.
typedef union cl_extent {
  cl_bounds box;
  cl_disc circle;
} cl_extent;

/// How many blocks of either size are in use.
typedef struct cl_used {
  uint32_t few, corners;
} cl_used;

/// The live actors without gaps: at their next places while a step is made, at
/// their present ones after it. Actors that were added, refreshed or removed
/// since then make it stale only where `stray` or `state` say so. `extent` is for boxes
/// and circles; `few` and `corners` are blocks of corners.h, one after the other, of those
/// forms, and `corner` says which block of its form.
/// `order` and `still` are those of the actors when all were placed last, or 0; as long
/// as they are the same, what is static stays as it is. `listed` has the numbers of the
/// `movers` that are not static, and after them, last first, those that are.
typedef struct cl_placing {
  bool current;        ///< at the present places
  bool bvh_made;       ///< `bvh` holds the boxes
  bool ray_grid_tried; ///< `ray_grid` has been tried on them
  uint32_t count;
  uint32_t *slot;
  uint8_t *form;
  uint8_t *fixed;
  cl_fbox *box;
  cl_extent *extent;
  uint32_t *corner;
  double *few, *corners;
  unsigned forms; ///< bit f is set when there is one of form f
  uint64_t order, still;
  uint32_t *listed;
  uint32_t movers;
  cl_used fixed_used; ///< how many blocks and which forms are static
  unsigned fixed_forms;
  size_t slot_cap, form_cap, fixed_cap, box_cap, extent_cap, corner_cap;
  size_t few_cap, corners_cap, listed_cap;
} cl_placing;

struct cl_world {
  cl_alloc alloc;
  cl_io *io;
  bool touching;
  bool meetings_heard; ///< some actor has, or has had, `enter` or `leave`
  uint64_t changes;    ///< see cl_world_changes
  cl_actors actors;
  uint64_t hits_with[CL_MAX_GROUPS]; ///< bit h of entry g: groups g and h hit
  cl_broad *broad;

  cl_placing placing;
  cl_bvh bvh;
  cl_ray_grid ray_grid;

  // Of the step being made.
  cl_sorter sorter;
  cl_pairs found_candidates;
  cl_pairs found; ///< numbers in the placing of those that overlap, as tested
  cl_ties open;   ///< told and not ended, before this step; gone once `parted` is made of it

  // Of the last step.
  cl_pairs candidates; ///< sorted only when asked for
  bool candidates_sorted;
  cl_ties pairs;
  cl_hits hit;     ///< as tested
  uint32_t *order; ///< which of the hits goes with each of the pairs
  size_t order_cap;
  bool tied_made; ///< actors.tied is of this step
  bool removed;   ///< somebody has been removed since
  cl_ties parted; ///< no longer overlapping, with those yet to be told so
  bool joined;    ///< pairs' told and parted have been made from `open`
  cl_event *event;
  size_t event_cap;
  int32_t *moved;
  size_t moved_cap;
  uint32_t moved_count; ///< 0: none
  uint32_t *released;
  size_t released_cap;
  uint32_t released_count;

  // Of the last query: what the tree gave, and the answer.
  cl_found touched;
  cl_answer *answer;
  size_t answer_cap;

  cl_pools pools; ///< of bullets

  // Hits by their second actor, made when first asked for; a step sorts in the same memory.
  uint32_t *by_second, *second_start;
  size_t by_second_cap, second_start_cap;
  bool by_second_made;
};

/// Room for `count` slots. On CL_NOMEM nothing has changed.
cl_status cl_actors_reserve(cl_world *world, size_t count);
void cl_actors_free(cl_world *world);

/// Moves live actors down over dead ones that no tie of `open` names, when
/// enough have gathered, and renames slots everywhere. Cannot fail: memory was
/// reserved by cl_actors_reserve_moving.
cl_status cl_actors_reserve_moving(cl_world *world);
void cl_actors_close_gaps(cl_world *world);

/// Marks the slots that the last step's pairs and partings name, unless that has
/// been done since: few steps are asked.
void cl_actors_need_tied(cl_world *world);

/// Keeps cl_io's pointers right.
void cl_world_show(cl_world *world);

/// Places all live actors, at their present or at their next places.
cl_status cl_place_present(cl_world *world);
cl_status cl_place_next(cl_world *world);

/// The placing is at the present places, and has everybody.
void cl_place_settled(cl_world *world);

/// One live actor at its present place.
cl_placed cl_place_actor(cl_world *world, uint32_t slot);

/// An actor of the placing where that has it. Its shape and place are not kept there,
/// since the arrays by slot hold the same; only the few tests that do not go by form
/// ask for it. It may neither be gone nor a stray.
static inline cl_placed cl_placing_actor(const cl_world *world, uint32_t number) {
  const cl_actors *actors = &world->actors;
  bool present = world->placing.current;
  const double *x = present ? actors->x : actors->next_x;
  const double *y = present ? actors->y : actors->next_y;
  const double *angle = present ? actors->angle : actors->next_angle;
  uint32_t slot = world->placing.slot[number];
  const cl_shape *shape = actors->shape[slot];
  bool upright = angle[slot] == 0 || (shape->flags & CL_SHAPE_UPRIGHT);
  return (cl_placed){shape, x[slot], y[slot], upright ? (cl_rot){1, 0} : actors->rot[slot]};
}

/// Finds all candidates at the next places, and reserves what the second, which
/// cannot fail, then needs to make `pairs` and their hits of them. cl_told_settle has
/// to come between the two: until then `pairs` are the last step's.
cl_status cl_find_candidates(cl_world *world);
void cl_find_hits(cl_world *world);

/// The told-state across a step, see told.c. After the reservation neither
/// fails.
cl_status cl_told_reserve(cl_world *world, double told);
double cl_told_progress(const cl_world *world, double told);
void cl_told_settle(cl_world *world, double told);
void cl_told_merge(cl_world *world);

/// Who was told what before is found by going through the old and the new pairs
/// side by side, which costs as much as all the rest of telling. So it is left
/// until somebody listens to `enter` or `leave`, is removed, or a telling ends
/// early: before any of the three, this makes up for it.
void cl_told_join(cl_world *world);

#endif
