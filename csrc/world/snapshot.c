// collide, MIT licence (see LICENSE)
//
// Takes snapshots: copies all state that later steps depend on. Derived data, such as proxies,
// kinds and indices, is rebuilt when needed. Layer: world.

#include "world/snapshot.h"

#include "world/step.h"

cl_snapshot *cl_snapshot_new(const cl_alloc *alloc) {
  cl_snapshot *snapshot = cl_new(alloc, sizeof *snapshot);
  if (snapshot) snapshot->alloc = *alloc;
  return snapshot;
}

static void release_copies(cl_snapshot *s) {
  for (uint32_t i = 0; i < s->copies; i++) cl_grid_copy_release(s->copy[i]);
  s->copies = 0;
}

void cl_snapshot_clear(cl_snapshot *s) {
  if (s->roster) cl_roster_release(s->roster);
  s->roster = NULL;
  s->motions = s->hash.count = s->now.count = s->ended.count = 0;
  s->events = s->leaves = 0;
  release_copies(s);
}

void cl_snapshot_free(cl_snapshot *s) {
  cl_alloc alloc = s->alloc;
  cl_snapshot_clear(s);
  CL_FREE(&alloc, s->place, s->place_cap);
  CL_FREE(&alloc, s->before, s->before_cap);
  CL_FREE(&alloc, s->angle, s->angle_cap);
  CL_FREE(&alloc, s->angle_before, s->angle_before_cap);
  CL_FREE(&alloc, s->motion, s->motion_cap);
  CL_FREE(&alloc, s->hash.note, s->hash.cap);
  CL_FREE(&alloc, s->now.pair, s->now.pair_cap);
  CL_FREE(&alloc, s->now.bits, s->now.bits_cap);
  CL_FREE(&alloc, s->ended.pair, s->ended.pair_cap);
  CL_FREE(&alloc, s->ended.bits, s->ended.bits_cap);
  CL_FREE(&alloc, s->hit, s->hit_cap);
  CL_FREE(&alloc, s->time, s->time_cap);
  CL_FREE(&alloc, s->muted, s->muted_cap);
  CL_FREE(&alloc, s->event, s->event_cap);
  CL_FREE(&alloc, s->copy, s->copy_cap);
  CL_FREE(&alloc, s->bounds, s->bounds_cap);
  cl_free(&alloc, s, sizeof *s);
}

// When the dispatch is over, the bits of contacts have no meaning.
static cl_status reserve_links(const cl_alloc *alloc, cl_links *links, size_t count, bool bits) {
  cl_status status = CL_RESERVE_NEAR(alloc, links->pair, links->pair_cap, count);
  if (status != CL_OK || !bits) return status;
  return CL_RESERVE_NEAR(alloc, links->bits, links->bits_cap, count);
}

cl_status cl_snapshot_reserve(cl_snapshot *s, const cl_snapshot_sizes *z) {
  const cl_alloc *alloc = &s->alloc;
  cl_status status = CL_RESERVE_NEAR(alloc, s->place, s->place_cap, z->slots);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->before, s->before_cap, z->slots);
  if (status == CL_OK && z->turned) {
    status = CL_RESERVE_NEAR(alloc, s->angle, s->angle_cap, z->slots);
    if (status == CL_OK) {
      status = CL_RESERVE_NEAR(alloc, s->angle_before, s->angle_before_cap, z->slots);
    }
  }
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->motion, s->motion_cap, z->motions);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->hash.note, s->hash.cap, z->notes);
  if (status == CL_OK) status = reserve_links(alloc, &s->now, z->now, !z->over);
  if (status == CL_OK) status = reserve_links(alloc, &s->ended, z->ended, true);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, s->hit, s->hit_cap, z->now);
  if (status == CL_OK && z->any_time) {
    status = CL_RESERVE_NEAR(alloc, s->time, s->time_cap, z->now);
  }
  if (status == CL_OK && z->any_muted) {
    status = CL_RESERVE_NEAR(alloc, s->muted, s->muted_cap, z->now);
  }
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, s->event, s->event_cap, z->events);
}

// Whether a move of this interval, or of the one before the last step, has taken an actor from a
// place.
static bool was_moved(const cl_world *world, uint32_t slot) {
  return cl_actor_was_moved(&world->actors, slot, world->steps) ||
         cl_actor_was_moved(&world->actors, slot, world->steps - 1);
}

static size_t count_motions(const cl_world *world) {
  size_t count = 0;
  if (!world->actors.moved_after) return 0;
  for (uint32_t slot = 0; slot < world->actors.count; slot++) count += was_moved(world, slot);
  return count;
}

static cl_snapshot_sizes sizes_of(const cl_world *world, bool over) {
  const cl_contact_list *contacts = &world->contacts;
  return (cl_snapshot_sizes){
      .slots = world->actors.count,
      .motions = count_motions(world),
      .notes = world->hash.count,
      .now = contacts->now.count,
      .ended = over ? 0 : contacts->ended.count,
      .events = over ? 0 : world->io->events,
      .turned = world->actors.angle != NULL,
      .over = over,
      .any_muted = contacts->any_muted,
      .any_time = contacts->any_time,
  };
}

static void take_actors(cl_snapshot *s, const cl_world *world) {
  const cl_actors *actors = &world->actors;
  CL_COPY(s->place, actors->place, actors->count);
  CL_COPY(s->before, actors->next, actors->count);
  s->turned = actors->angle != NULL;
  if (s->turned) {
    CL_COPY(s->angle, actors->angle, actors->count);
    CL_COPY(s->angle_before, actors->next_angle, actors->count);
  }
  s->motions = 0;
  for (uint32_t slot = 0; actors->moved_after && slot < actors->count; slot++) {
    if (!was_moved(world, slot)) continue;
    s->motion[s->motions++] =
        (cl_snapshot_motion){actors->from[slot], actors->from_angle[slot], slot,
                             !cl_actor_was_moved(actors, slot, world->steps)};
  }
}

static void take_contacts(cl_snapshot *s, const cl_world *world, const cl_snapshot_sizes *z) {
  const cl_contact_list *contacts = &world->contacts;
  s->over = z->over;
  s->cut = contacts->cut;
  s->any_muted = contacts->any_muted;
  s->any_time = contacts->any_time;
  s->enters_wanted = contacts->enters_wanted;
  s->leaves_wanted = contacts->leaves_wanted;
  s->now.count = z->now;
  s->ended.count = z->ended;
  s->events = (uint32_t)z->events;
  s->leaves = z->over ? 0 : world->io->leaves;
  CL_COPY(s->now.pair, contacts->now.pair, z->now);
  CL_COPY(s->hit, contacts->hit, z->now);
  if (s->any_time) CL_COPY(s->time, contacts->time, z->now);
  if (s->any_muted) CL_COPY(s->muted, contacts->muted, z->now);
  if (z->over) return;
  CL_COPY(s->now.bits, contacts->now.bits, z->now);
  CL_COPY(s->ended.pair, contacts->ended.pair, z->ended);
  CL_COPY(s->ended.bits, contacts->ended.bits, z->ended);
  CL_COPY(s->event, contacts->event, z->events);
}

void cl_hash_log_copy(cl_hash_log *to, const cl_hash_log *from) {
  to->count = from->count;
  to->slots = from->slots;
  to->known = from->known;
  to->hash = from->hash;
  CL_COPY(to->note, from->note, from->count);
}

// Copies a grid's cells, unless there is a copy.
static cl_status keep_grid(cl_grid *grid) {
  cl_grid_copy *copy = cl_grid_keep(grid);
  if (copy) cl_grid_copy_release(copy);
  return copy ? CL_OK : CL_NOMEM;
}

// The same for the grids of all tiles, and room for the copies.
static cl_status keep_grids(cl_snapshot *s, const cl_world *world) {
  const cl_roster *roster = cl_roster_current(world);
  size_t grids = 0;
  cl_status status = CL_OK;
  for (uint32_t i = 0; roster && i < roster->grids && status == CL_OK; i++, grids++) {
    status = keep_grid(roster->grid[i]);
  }
  for (uint32_t slot = 0; !roster && slot < world->actors.count && status == CL_OK; slot++) {
    const cl_shape *shape = world->actors.shape[slot];
    if (!shape || !shape->grid) continue;
    status = keep_grid(shape->grid);
    grids++;
  }
  return status == CL_OK ? CL_RESERVE(&s->alloc, s->copy, s->copy_cap, grids) : status;
}

static void take_grids(cl_snapshot *s) {
  release_copies(s);
  while (s->copies < s->roster->grids) {
    s->copy[s->copies] = cl_grid_keep(s->roster->grid[s->copies]);
    s->copies++;
  }
}

cl_status cl_world_snapshot(cl_world *world, double dispatched, cl_snapshot *into) {
  assert(!world->begun);
  cl_contact_list_compare(&world->contacts);
  cl_snapshot_sizes z = sizes_of(world, cl_dispatch_is_over(world, dispatched));
  cl_status status = cl_snapshot_reserve(into, &z);
  if (status == CL_OK) status = keep_grids(into, world);
  if (status == CL_OK) status = cl_roster_update(world, &into->roster);
  if (status != CL_OK) return status;
  take_grids(into);
  take_actors(into, world);
  take_contacts(into, world, &z);
  cl_hash_log_copy(&into->hash, &world->hash);
  into->dispatched = z.over ? CL_ALL_DISPATCHED : dispatched;
  into->touching = world->touching;
  into->one_sided = world->one_sided;
  memcpy(into->hits_with, world->hits_with, sizeof into->hits_with);
  memcpy(into->notifies, world->notifies, sizeof into->notifies);
  return CL_OK;
}

const cl_vec *cl_snapshot_places(const cl_snapshot *s, const double **angle, uint32_t *count) {
  *angle = s->turned ? s->angle : NULL;
  *count = s->roster ? s->roster->count : 0;
  return s->place;
}
