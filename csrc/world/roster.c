// collide, MIT licence (see LICENSE)
//
// Rosters. Layer: world.

#include "world/roster.h"

cl_roster *cl_roster_new(const cl_alloc *alloc, uint32_t slots) {
  cl_roster *roster = cl_new(alloc, sizeof *roster);
  if (!roster) return NULL;
  roster->alloc = *alloc;
  roster->references = 1;
  cl_status status = CL_RESERVE(alloc, roster->shape, roster->shape_cap, slots);
  if (status == CL_OK) status = CL_RESERVE(alloc, roster->entry, roster->entry_cap, slots);
  if (status == CL_OK) return roster;
  cl_roster_release(roster);
  return NULL;
}

uint32_t cl_roster_slot_of(const cl_roster *roster, const cl_grid *grid) {
  uint32_t slot = 0;
  while (!roster->shape[slot] || roster->shape[slot]->grid != grid) slot++;
  return slot;
}

cl_roster *cl_roster_retain(cl_roster *roster) {
  roster->references++;
  return roster;
}

static void release_shapes(cl_roster *roster) {
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    if (roster->shape[slot]) cl_shape_release(roster->shape[slot]);
  }
  roster->count = roster->live = roster->grids = 0;
}

void cl_roster_release(cl_roster *roster) {
  assert(roster->references > 0);
  if (--roster->references > 0) return;
  cl_alloc alloc = roster->alloc;
  release_shapes(roster);
  CL_FREE(&alloc, roster->shape, roster->shape_cap);
  CL_FREE(&alloc, roster->entry, roster->entry_cap);
  CL_FREE(&alloc, roster->grid, roster->grid_cap);
  cl_free(&alloc, roster, sizeof *roster);
}

static bool lists(const cl_roster *roster, const cl_grid *grid) {
  for (uint32_t i = 0; i < roster->grids; i++) {
    if (roster->grid[i] == grid) return true;
  }
  return false;
}

// Room for `count` slots, and for the grids among their shapes.
static cl_status reserve(cl_roster *roster, cl_shape *const *shape, uint32_t count) {
  size_t tiles = 0;
  for (uint32_t slot = 0; slot < count; slot++) tiles += shape[slot] && shape[slot]->grid;
  cl_status status = CL_RESERVE(&roster->alloc, roster->shape, roster->shape_cap, count);
  if (status == CL_OK) status = CL_RESERVE(&roster->alloc, roster->entry, roster->entry_cap, count);
  if (status == CL_OK && tiles > 0) {
    status = CL_RESERVE(&roster->alloc, roster->grid, roster->grid_cap, tiles);
  }
  return status;
}

// Room for them was reserved.
static void list_grids(cl_roster *roster) {
  roster->grids = 0;
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    cl_grid *grid = roster->shape[slot] ? roster->shape[slot]->grid : NULL;
    if (grid && !lists(roster, grid)) roster->grid[roster->grids++] = grid;
  }
}

static void fill(cl_roster *roster, const cl_actors *actors) {
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    cl_shape *shape = actors->shape[slot];
    roster->shape[slot] = shape ? cl_shape_retain(shape) : NULL;
    roster->entry[slot] =
        (cl_roster_entry){actors->state[slot], actors->group[slot], actors->event_mask[slot],
                          actors->unread[slot], actors->kept[slot]};
  }
  roster->count = actors->count;
  roster->live = actors->live;
}

// A roster to be filled, with room: the given one, if nothing else refers to it.
static cl_roster *writable(cl_world *world, cl_roster *given) {
  const cl_actors *actors = &world->actors;
  bool own = given && given->references == 1;
  cl_roster *roster = own ? given : cl_roster_new(&world->alloc, actors->count);
  if (!roster || reserve(roster, actors->shape, actors->count) == CL_OK) return roster;
  if (!own) cl_roster_release(roster);
  return NULL;
}

cl_status cl_roster_update(cl_world *world, cl_roster **roster) {
  if (world->roster && !cl_roster_current(world)) {
    cl_roster_release(world->roster);
    world->roster = NULL;
  }
  cl_roster *old = *roster;
  if (!world->roster) {
    cl_roster *fresh = writable(world, old);
    if (!fresh) return CL_NOMEM;
    release_shapes(fresh);
    fill(fresh, &world->actors);
    list_grids(fresh);
    world->roster = fresh == old ? cl_roster_retain(fresh) : fresh;
    world->roster_of = world->actors.edits;
  }
  if (old == world->roster) return CL_OK;
  *roster = cl_roster_retain(world->roster);
  if (old) cl_roster_release(old);
  return CL_OK;
}

cl_status cl_roster_set_shapes(cl_roster *roster, cl_shape *const *shape) {
  cl_status status = reserve(roster, shape, roster->count);
  if (status != CL_OK) return status;
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    roster->shape[slot] = shape[slot] ? cl_shape_retain(shape[slot]) : NULL;
  }
  list_grids(roster);
  return CL_OK;
}

void cl_roster_drop_shapes(cl_roster *roster) {
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    if (roster->shape[slot]) cl_shape_release(roster->shape[slot]);
    roster->shape[slot] = NULL;
  }
  roster->grids = 0;
}
