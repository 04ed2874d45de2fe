// collide, MIT licence (see LICENSE)
//
// The trees of boxes for queries and moves: one of static actors, which stays while they do, and
// one of moving ones. An actor that is moved between two steps is moved in the tree at the next
// query. Layer: world.

#ifndef CL_WORLD_TREES_H
#define CL_WORLD_TREES_H

#include "world/state.h"

/// Makes the proxies current enough for queries: apart from them, only the few actors in
/// `dirty_slots` have to be tested one by one.
cl_status cl_trees_begin(cl_world *world);

/// Makes the trees of the given groups, after cl_trees_begin.
cl_status cl_trees_make(cl_world *world, uint64_t groups);

/// Updates the proxies of actors that were moved, and their boxes in the tree.
void cl_trees_follow(cl_world *world);

/// Leaves the numbers of the proxies that touch a box in `touched`, in no order; for groups that
/// were not asked for, possibly not all.
cl_status cl_trees_query(cl_world *world, cl_bounds box, uint64_t groups);

/// Notes how many boxes a query has found that are too coarse: with many, trees are made of
/// doubles.
void cl_trees_note(cl_proxies *proxies, uint32_t coarse);

/// Whether a filter ignores an actor.
bool cl_is_ignored(cl_filter filter, uint32_t slot);

/// Whether a filter accepts an actor.
static inline bool cl_is_asked_for(const cl_world *world, uint32_t slot, cl_filter filter) {
  const cl_actors *actors = &world->actors;
  return actors->state[slot] & CL_LIVE && filter.groups >> actors->group[slot] & 1 &&
         !(filter.count > 0 && cl_is_ignored(filter, slot));
}

/// Leaves the slots of the actors whose bounds touch a box in `touched`, ascending.
cl_status cl_trees_near(cl_world *world, cl_bounds box, const cl_filter *filter);

#endif
