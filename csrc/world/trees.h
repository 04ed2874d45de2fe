// collide, MIT licence (see LICENSE)
//
// The trees of boxes that queries and moves go through: one of what is static, which stays as long
// as that does, and one of what moves. An actor that is moved between two steps is moved in the
// tree at the next query. Layer: world.

#ifndef CL_WORLD_TREES_H
#define CL_WORLD_TREES_H

#include "world/state.h"

/// Proxies that are current enough to ask: besides them only few actors have to be looked at one
/// by one, which `dirty_slots` lists.
cl_status cl_trees_begin(cl_world *world);

/// Makes the trees of those groups that are asked for, after cl_trees_begin.
cl_status cl_trees_make(cl_world *world, uint64_t groups);

/// Updates the proxies of actors that were moved, and their boxes in the tree.
void cl_trees_follow(cl_world *world);

/// The box that holds both trees, and how many boxes are in them.
cl_fbox cl_trees_bounds(const cl_proxies *proxies, uint32_t *count);

/// Leaves the numbers of the proxies that touch a box in `touched`, in no order; of those in groups
/// that were not asked for perhaps not all.
cl_status cl_trees_query(cl_world *world, cl_bounds box, uint64_t groups);

/// Whether a filter ignores an actor.
bool cl_is_ignored(cl_filter filter, uint32_t slot);

/// Whether a filter lets an actor through.
static inline bool cl_is_asked_for(const cl_world *world, uint32_t slot, cl_filter filter) {
  const cl_actors *actors = &world->actors;
  return actors->state[slot] & CL_LIVE && filter.groups >> actors->group[slot] & 1 &&
         !(filter.count > 0 && cl_is_ignored(filter, slot));
}

/// Leaves the slots of the actors whose bounds touch a box in `touched`, ascending.
cl_status cl_trees_near(cl_world *world, cl_bounds box, cl_filter filter);

#endif
