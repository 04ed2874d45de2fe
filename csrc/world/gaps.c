// collide, MIT licence (see LICENSE)
//
// Closing the gaps that removed actors leave. Layer: world.

#include "world/gaps.h"

#include <string.h>

#include "world/move.h"
#include "world/targets.h"

// Gaps are closed when there are this many and they are a quarter of all slots: often enough that a
// walk over the slots costs little more than one over the actors, seldom enough that removing stays
// cheap.
enum { FEWEST_GAPS = 32, SLOTS_PER_GAP = 4 };

static void mark_named(cl_actors *actors, const cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    actors->named[links->pair[i].a] = 1;
    actors->named[links->pair[i].b] = 1;
  }
}

void cl_contacts_name(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (world->named_of == world->steps || actors->count == 0) return;
  memset(actors->named, 0, actors->count);
  cl_contact_list_compare(&world->contacts);
  mark_named(actors, &world->contacts.now);
  mark_named(actors, &world->contacts.ended);
  world->named_of = world->steps;
}

static void rename_links(const int32_t *moved, cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    cl_pair pair = links->pair[i];
    links->pair[i] = (cl_pair){(uint32_t)moved[pair.a], (uint32_t)moved[pair.b]};
  }
}

// Candidates with a removed actor are dropped, too.
static void rename_candidates(const int32_t *moved, cl_pairs *candidates) {
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    int32_t a = moved[candidates->at[i].a], b = moved[candidates->at[i].b];
    candidates->at[n] = (cl_pair){(uint32_t)a, (uint32_t)b};
    n += a != CL_NOWHERE && b != CL_NOWHERE;
  }
  candidates->count = n;
}

// Everything else that refers to slots. The proxies and the lists of dirty and moved slots are not
// renumbered: the next query places all.
static void rename_all(cl_world *world) {
  cl_actors *actors = &world->actors;
  rename_links(world->moves.moved, &world->contacts.now);
  rename_links(world->moves.moved, &world->contacts.ended);
  rename_candidates(world->moves.moved, &world->candidates);
  cl_movement_forget_all(world->movement, &world->alloc);
  world->proxies.current = false;
  world->proxies.order = 0;
  memset(actors->dirty, 0, actors->count);
  actors->dirty_count = actors->moved_count = 0;
}

static bool is_gap(const cl_actors *actors, uint32_t slot) {
  return !(actors->state[slot] & CL_LIVE) && !actors->named[slot];
}

static bool is_worth_closing(const cl_actors *actors, uint32_t gaps) {
  return gaps >= FEWEST_GAPS && gaps >= actors->count / SLOTS_PER_GAP;
}

static void move_down(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint32_t to = 0;
  actors->edits++;
  for (uint32_t from = 0; from < actors->count; from++) {
    world->moves.moved[from] = CL_NOWHERE;
    if (is_gap(actors, from)) continue;
    world->moves.moved[from] = (int32_t)to;
#define COPY(type, name) actors->name[to] = actors->name[from];
    CL_ACTOR_FIELDS(COPY)
    if (actors->angle) {
      CL_ROTATION_FIELDS(COPY)
    }
    if (actors->moved_after) {
      CL_MOVED_FIELDS(COPY)
    }
#undef COPY
    to++;
  }
  world->moves.moved_count = actors->count;
  actors->count = to;
  cl_world_show(world);
}

cl_status cl_actors_reserve_moving(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t count = world->actors.count;
  if (world->actors.live == count) return CL_OK;
  cl_status status = CL_RESERVE(alloc, world->moves.moved, world->moves.moved_cap, count);
  if (status != CL_OK) return status;
  return CL_RESERVE(alloc, world->moves.released, world->moves.released_cap, count);
}

// Lets the host forget the removed actors that no event will name any more, and counts the gaps.
static uint32_t release_unnamed(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint32_t gaps = 0;
  world->moves.released_count = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!is_gap(actors, slot)) continue;
    gaps++;
    if (!actors->kept[slot]) continue;
    actors->kept[slot] = 0;
    actors->edits++;
    world->moves.released[world->moves.released_count++] = slot;
  }
  return gaps;
}

void cl_actors_close_gaps(cl_world *world) {
  cl_actors *actors = &world->actors;
  world->moves.moved_count = world->moves.released_count = 0;
  if (actors->live == actors->count) return;
  memset(actors->named, 0, actors->count);
  mark_named(actors, &world->contacts.ended);
  uint32_t gaps = release_unnamed(world);
  if (!is_worth_closing(actors, gaps)) return;
  world->moves.released_count = 0;
  move_down(world);
  rename_all(world);
}

bool cl_world_reclaim(cl_world *world) {
  cl_actors *actors = &world->actors;
  assert(!world->begun);
  if (actors->count < actors->cap || !is_worth_closing(actors, actors->count - actors->live)) {
    return false;
  }
  if (cl_actors_reserve_moving(world) != CL_OK) return false; // then the arrays grow instead
  cl_contacts_name(world);
  uint32_t gaps = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) gaps += is_gap(actors, slot);
  if (!is_worth_closing(actors, gaps)) return false;
  world->changes++;
  cl_world_hash_begin(world); // the old slots of actors are lost from here on
  world->moves.released_count = 0;
  move_down(world);
  rename_all(world);
  world->hit_index.step = 0;
  return true;
}
