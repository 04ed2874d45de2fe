// collide, MIT licence (see LICENSE)
//
// Restores a world from a snapshot. Layer: world.

#include "world/move.h"
#include "world/snapshot.h"
#include "world/step.h"

static cl_status reserve(cl_world *world, const cl_snapshot *s) {
  const cl_alloc *alloc = &world->alloc;
  cl_actors *actors = &world->actors;
  cl_contact_list *contacts = &world->contacts;
  cl_status status = cl_actors_reserve(actors, alloc, s->roster->count);
  if (status == CL_OK) status = cl_kinds_open(&actors->kinds, alloc);
  if (status == CL_OK && s->turned) status = cl_actors_use_angles(actors, alloc);
  if (status == CL_OK && s->motions > 0) status = cl_actors_use_moves(actors, alloc);
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, world->hash.note, world->hash.cap, s->hash.count);
  }
  if (status == CL_OK) status = cl_links_reserve(alloc, &contacts->now, s->now.count);
  if (status == CL_OK) status = cl_links_reserve(alloc, &contacts->ended, s->ended.count);
  if (status == CL_OK) {
    status = CL_RESERVE_NEAR(alloc, contacts->hit, contacts->hit_cap, s->now.count);
  }
  if (status == CL_OK && s->any_time) {
    status = CL_RESERVE_NEAR(alloc, contacts->time, contacts->time_cap, s->now.count);
  }
  if (status == CL_OK && s->any_muted) {
    status = CL_RESERVE_NEAR(alloc, contacts->muted, contacts->muted_cap, s->now.count);
  }
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, contacts->event, contacts->event_cap, s->events);
}

// Gives a slot a shape, or none. Without memory for its kind it gets the kind of any shape.
static void set_shape(cl_world *world, uint32_t slot, cl_shape *shape) {
  cl_actors *actors = &world->actors;
  cl_shape *had = slot < actors->count ? actors->shape[slot] : NULL;
  if (shape == had && had) return;
  uint32_t old = had ? actors->kind[slot] : 0;
  actors->shape[slot] = shape;
  if (shape) {
    cl_shape_retain(shape);
    actors->kind[slot] = cl_kinds_take(&actors->kinds, &world->alloc, shape);
    actors->form[slot] = actors->kinds.at[actors->kind[slot]].form;
  }
  if (!had) return;
  cl_kinds_drop(&actors->kinds, old);
  cl_shape_release(had);
}

static void set_entry(cl_actors *actors, uint32_t slot, const cl_roster_entry *entry) {
  actors->state[slot] = entry->state;
  actors->group[slot] = entry->group;
  actors->event_mask[slot] = entry->event_mask;
  actors->unread[slot] = entry->unread;
  actors->kept[slot] = entry->kept;
  actors->unread_events += !!(entry->unread & CL_EVENT_EVENTS);
  actors->unread_updates += !!(entry->unread & CL_EVENT_UPDATE);
  actors->swept += !!(entry->state & CL_SWEPT);
}

static void set_roster(cl_world *world, cl_roster *roster) {
  cl_actors *actors = &world->actors;
  uint32_t old = actors->count;
  actors->unread_events = actors->unread_updates = actors->swept = 0;
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    set_shape(world, slot, roster->shape[slot]);
    set_entry(actors, slot, &roster->entry[slot]);
    if (slot < old || !actors->angle) continue;
    actors->rot_angle[slot] = 0;
    actors->rot[slot] = (cl_rot){1, 0};
  }
  for (uint32_t slot = roster->count; slot < old; slot++) set_shape(world, slot, NULL);
  actors->count = roster->count;
  actors->live = roster->live;
  actors->edits++;
  if (world->roster) cl_roster_release(world->roster);
  world->roster = cl_roster_retain(roster);
  world->roster_of = actors->edits;
}

// Proxies are rebuilt when they are needed, and the broad phase's lists are no longer valid.
static void forget_derived(cl_world *world) {
  cl_actors *actors = &world->actors;
  actors->order++;
  actors->static_version++;
  if (actors->count > 0) memset(actors->dirty, 0, actors->count);
  actors->dirty_count = actors->moved_count = 0;
  world->proxies.current = false;
  world->proxies.order = 0;
  world->candidates.count = 0;
  world->moves.moved_count = world->moves.released_count = 0;
  world->hit_index.step = 0;
  world->named_of = 0;
  cl_movement_forget_all(world->movement, &world->alloc);
}

static void put_angles(cl_actors *actors, const cl_snapshot *s) {
  size_t size = actors->count * sizeof *actors->angle;
  if (!actors->angle || size == 0) return;
  if (s->turned) {
    memcpy(actors->angle, s->angle, size);
    memcpy(actors->next_angle, s->angle_before, size);
  } else {
    memset(actors->angle, 0, size);
    memset(actors->next_angle, 0, size);
  }
}

static void put_motions(cl_world *world, const cl_snapshot *s) {
  cl_actors *actors = &world->actors;
  if (!actors->moved_after || actors->count == 0) return;
  memset(actors->moved_after, 0, actors->count * sizeof *actors->moved_after);
  for (size_t i = 0; i < s->motions; i++) {
    const cl_snapshot_motion *motion = &s->motion[i];
    actors->from[motion->slot] = motion->from;
    actors->from_angle[motion->slot] = motion->from_angle;
    actors->moved_after[motion->slot] = (uint32_t)world->steps + !motion->before;
  }
}

static void put_contacts(cl_world *world, const cl_snapshot *s) {
  cl_contact_list *contacts = &world->contacts;
  contacts->now.count = s->now.count;
  contacts->ended.count = s->ended.count;
  contacts->cut = s->cut;
  contacts->any_muted = s->any_muted;
  contacts->any_time = s->any_time;
  contacts->enters_wanted = s->enters_wanted;
  contacts->leaves_wanted = s->leaves_wanted;
  contacts->uncompared = false;
  CL_COPY(contacts->now.pair, s->now.pair, s->now.count);
  CL_COPY(contacts->hit, s->hit, s->now.count);
  if (s->any_time) CL_COPY(contacts->time, s->time, s->now.count);
  if (s->any_muted) CL_COPY(contacts->muted, s->muted, s->now.count);
  world->io->events = s->events;
  world->io->leaves = s->leaves;
  if (s->over) {
    if (s->now.count > 0) memset(contacts->now.bits, CL_NOTIFIED, s->now.count);
    return;
  }
  CL_COPY(contacts->now.bits, s->now.bits, s->now.count);
  CL_COPY(contacts->ended.pair, s->ended.pair, s->ended.count);
  CL_COPY(contacts->ended.bits, s->ended.bits, s->ended.count);
  CL_COPY(contacts->event, s->event, s->events);
}

cl_status cl_world_restore(cl_world *world, const cl_snapshot *from, double *dispatched) {
  assert(!world->begun && from->roster && from->touching == world->touching);
  cl_status status = reserve(world, from);
  cl_world_show(world); // the arrays may have moved
  if (status != CL_OK) return status;
  if (cl_roster_current(world) != from->roster) set_roster(world, from->roster);
  forget_derived(world);
  world->changes++;
  world->steps++; // no earlier note can have this number
  cl_actors *actors = &world->actors;
  CL_COPY(actors->place, from->place, actors->count);
  CL_COPY(actors->next, from->before, actors->count);
  put_angles(actors, from);
  put_motions(world, from);
  put_contacts(world, from);
  cl_hash_log_copy(&world->hash, &from->hash);
  memcpy(world->hits_with, from->hits_with, sizeof from->hits_with);
  memcpy(world->notifies, from->notifies, sizeof from->notifies);
  world->one_sided = from->one_sided;
  for (uint32_t i = 0; i < from->copies; i++) {
    cl_grid_put_back(from->roster->grid[i], from->copy[i]);
  }
  *dispatched = from->dispatched;
  cl_world_show(world);
  CL_CHECK(cl_world_is_valid(world));
  return CL_OK;
}
