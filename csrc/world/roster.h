// collide, MIT licence (see LICENSE)
//
// A roster: the actors of a world, slot by slot, as they were added or refreshed. It is the part of
// a snapshot that stays the same from step to step, so snapshots share it. Layer: world.

#ifndef CL_WORLD_ROSTER_H
#define CL_WORLD_ROSTER_H

#include "cells/grid.h"
#include "world/state.h"

/// The data of a slot, as in cl_actors.
typedef struct cl_roster_entry {
  uint8_t state, group, event_mask, unread, kept;
} cl_roster_entry;

/// `shape` has a reference to the shape of each live actor, and NULL for a dead slot, or for one
/// whose shape is not known yet. `grid` has the grids of the tiles among the shapes, each once, in
/// the order of slots; the shapes keep them alive. Shared by counting references.
typedef struct cl_roster {
  cl_alloc alloc;
  uint32_t references;
  uint32_t count, live; ///< slots; live ones among them
  cl_shape **shape;
  cl_roster_entry *entry;
  cl_grid **grid;
  uint32_t grids;
  size_t shape_cap, entry_cap, grid_cap;
} cl_roster;

/// Replaces `*roster`, a reference or NULL, by a reference to the roster of the world as it is. A
/// roster that nothing else refers to is refilled. CL_NOMEM: `*roster` is unchanged.
cl_status cl_roster_update(cl_world *world, cl_roster **roster);

/// The roster of the world as it is, if there is one already; NULL otherwise.
static inline cl_roster *cl_roster_current(const cl_world *world) {
  return world->roster_of == world->actors.edits ? world->roster : NULL;
}

/// An empty roster with one reference and room for `slots` slots; NULL when out of memory.
cl_roster *cl_roster_new(const cl_alloc *alloc, uint32_t slots);
/// Gives a roster without shapes its shapes: by slot, NULL for dead ones. It takes references. On
/// CL_NOMEM it has none.
cl_status cl_roster_set_shapes(cl_roster *roster, cl_shape *const *shape);
void cl_roster_drop_shapes(cl_roster *roster);

/// The first slot whose tiles show a grid, which must be one of the roster's.
uint32_t cl_roster_slot_of(const cl_roster *roster, const cl_grid *grid);
cl_roster *cl_roster_retain(cl_roster *roster);
void cl_roster_release(cl_roster *roster);

#endif
