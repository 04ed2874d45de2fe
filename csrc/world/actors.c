// collide, MIT licence (see LICENSE)
//
// The arrays by slot: growing them, adding and removing, and closing the gaps
// that removed actors leave. Layer: world.

#include <assert.h>
#include <string.h>

#include "world/state.h"

// Gaps are closed when there are this many and they are a quarter of all slots:
// often enough that a walk over the slots costs little more than one over the
// actors, seldom enough that removing stays cheap.
enum { FEWEST_GAPS = 32, SLOTS_PER_GAP = 4 };

// Every array starts at a multiple of this, so that any type fits and vectors
// load well.
enum { ALIGN = 64 };

static size_t padded(size_t size) { return (size + ALIGN - 1) / ALIGN * ALIGN; }

// A query puts up with no more dirty proxies than there are places in their list.
static size_t dirty_cap(size_t cap) { return CL_FEW_DIRTY + cap / CL_ACTORS_PER_DIRTY + 1; }

static size_t block_size(size_t cap, bool angles) {
  size_t size = padded(dirty_cap(cap) * sizeof(uint32_t));
#define ADD(type, name) size += padded(cap * sizeof(type));
  CL_ACTOR_FIELDS(ADD)
  if (angles) {
    CL_ROTATION_FIELDS(ADD)
  }
#undef ADD
  return size;
}

static size_t size_of(const cl_actors *actors) {
  return actors->block ? block_size(actors->cap, actors->angle != NULL) : 0;
}

// The part of a block for an array of `cap` elements of `size` bytes, with those it has had.
static void *move_array(char **at, const void *from, size_t count, size_t cap, size_t size) {
  void *to = *at;
  if (from && count > 0) memcpy(to, from, count * size);
  *at += padded(cap * size);
  return to;
}

// Gives all arrays room for `cap` slots in a new block. Nobody has an angle before there are
// arrays to say so: zeroed memory says that, but for the rotations.
static cl_status move_all(cl_world *world, size_t cap, bool angles) {
  cl_actors *actors = &world->actors;
  char *block = cl_new(&world->alloc, block_size(cap, angles));
  if (!block) return CL_NOMEM;
  char *at = block;
  size_t old = size_of(actors), had = actors->dirty_cap, room = dirty_cap(cap);
  size_t listed = actors->dirty_count < had ? actors->dirty_count : had;
  actors->dirty_slots =
      move_array(&at, actors->dirty_slots, listed, room, sizeof *actors->dirty_slots);
#define MOVE(type, name)                                                                           \
  actors->name = move_array(&at, actors->name, actors->count, cap, sizeof *actors->name);
  CL_ACTOR_FIELDS(MOVE)
  if (angles) {
    bool first = !actors->angle;
    CL_ROTATION_FIELDS(MOVE)
    for (uint32_t slot = 0; first && slot < actors->count; slot++) actors->rot[slot].c = 1;
  }
#undef MOVE
  cl_free(&world->alloc, actors->block, old);
  // What the old list had no room for is not in the new one: whoever asks places all.
  if (actors->dirty_count > had) actors->dirty_count = UINT32_MAX;
  actors->dirty_cap = (uint32_t)room;
  actors->block = block;
  actors->cap = cap;
  cl_world_show(world);
  return CL_OK;
}

cl_status cl_actors_reserve(cl_world *world, size_t count) {
  cl_actors *actors = &world->actors;
  if (count <= actors->cap) return CL_OK;
  if (count > INT32_MAX) return CL_NOMEM;
  size_t cap = actors->cap + actors->cap / 4;
  if (cap < count) cap = count;
  if (cap < 16) cap = 16;
  return move_all(world, cap, actors->angle != NULL);
}

cl_status cl_world_use_angles(cl_world *world) {
  if (world->actors.angle) return CL_OK;
  size_t cap = world->actors.cap;
  return move_all(world, cap < 16 ? 16 : cap, true);
}

void cl_actors_free(cl_world *world) {
  cl_actors *actors = &world->actors;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (actors->shape[slot]) cl_shape_release(actors->shape[slot]);
  }
  cl_kinds_free(&actors->kinds, &world->alloc);
  cl_free(&world->alloc, actors->block, size_of(actors));
}

static void mark_unread(cl_actors *actors, uint32_t slot, uint8_t mask) {
  uint8_t before = actors->unread[slot];
  actors->unread_events += !!(mask & CL_EVENT_EVENTS);
  actors->unread_events -= !!(before & CL_EVENT_EVENTS);
  actors->unread_updates += !!(mask & CL_EVENT_UPDATE);
  actors->unread_updates -= !!(before & CL_EVENT_UPDATE);
  actors->unread[slot] = mask;
}

// The actor's proxy is no longer where the actor stands. When there is no room to list it,
// there are too many for a query anyway.
static void mark_dirty(cl_actors *actors, uint32_t slot) {
  if (actors->dirty[slot]) return;
  actors->dirty[slot] = 1;
  if (actors->dirty_count == UINT32_MAX) return;
  if (actors->dirty_count < actors->dirty_cap) actors->dirty_slots[actors->dirty_count] = slot;
  actors->dirty_count++;
}

// Static actors are placed and laid out but once, so the world has to know when
// they change: an actor of this state has come or gone.
static void note_change(cl_actors *actors, uint8_t state) {
  actors->order++;
  actors->static_version += !!(state & CL_STATIC);
}

static void set(cl_world *world, uint32_t slot, const cl_actor_def *def) {
  cl_actors *actors = &world->actors;
  cl_shape_retain(def->shape);
  if (actors->shape[slot]) {
    cl_shape_release(actors->shape[slot]);
    cl_kinds_drop(&actors->kinds, actors->kind[slot]);
  }
  actors->shape[slot] = def->shape;
  actors->kind[slot] = cl_kinds_take(&actors->kinds, &world->alloc, def->shape);
  actors->form[slot] = actors->kinds.at[actors->kind[slot]].form;
  actors->place[slot] = actors->next[slot] = (cl_vec){def->x, def->y};
  if (actors->angle) actors->angle[slot] = actors->next_angle[slot] = def->angle;
  actors->group[slot] = def->group;
  if (def->fixed || actors->state[slot] & CL_STATIC) note_change(actors, CL_STATIC);
  actors->state[slot] = (uint8_t)(CL_LIVE | (def->fixed ? CL_STATIC : 0));
  mark_unread(actors, slot, CL_EVENT_EVENTS | CL_EVENT_UPDATE);
  mark_dirty(actors, slot);
}

cl_status cl_world_add(cl_world *world, const cl_actor_def *def, uint32_t *slot) {
  cl_actors *actors = &world->actors;
  world->changes++;
  cl_status status = cl_actors_reserve(world, (size_t)actors->count + 1);
  if (status == CL_OK) status = cl_kinds_open(&actors->kinds, &world->alloc);
  if (status == CL_OK && def->angle != 0) status = cl_world_use_angles(world);
  if (status != CL_OK) return status;
  *slot = actors->count++;
  actors->live++;
  actors->state[*slot] = 0;
  note_change(actors, 0);
  actors->shape[*slot] = NULL;
  if (actors->angle) {
    actors->rot_angle[*slot] = 0;
    actors->rot[*slot] = cl_rot_of(0);
  }
  actors->event_mask[*slot] = actors->unread[*slot] = 0;
  actors->named[*slot] = actors->kept[*slot] = actors->dirty[*slot] = 0;
  set(world, *slot, def);
  cl_world_show(world);
  return CL_OK;
}

void cl_world_refresh(cl_world *world, uint32_t slot, const cl_actor_def *def) {
  assert(def->angle == 0 || world->actors.angle);
  world->changes++;
  set(world, slot, def);
}

void cl_world_set_event_mask(cl_world *world, uint32_t slot, uint8_t mask, uint8_t events) {
  cl_actors *actors = &world->actors;
  actors->event_mask[slot] = (uint8_t)((actors->event_mask[slot] & ~mask) | (events & mask));
  if (events & mask & CL_EVENT_LEAVE) world->contacts.leaves_wanted = true;
  mark_unread(actors, slot, (uint8_t)(actors->unread[slot] & ~mask));
}

uint32_t cl_world_next_with_event(const cl_world *world, uint32_t from, uint8_t events) {
  const cl_actors *actors = &world->actors;
  while (from < actors->count &&
         !(actors->state[from] & CL_LIVE && actors->event_mask[from] & events)) {
    from++;
  }
  return from;
}

uint32_t cl_world_next_unread(const cl_world *world, uint32_t from, uint8_t mask) {
  const cl_actors *actors = &world->actors;
  bool any = (mask & CL_EVENT_EVENTS && actors->unread_events) ||
             (mask & CL_EVENT_UPDATE && actors->unread_updates);
  if (!any) return actors->count;
  while (from < actors->count && !(actors->unread[from] & mask)) from++;
  return from;
}

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
  mark_named(actors, &world->contacts.now);
  mark_named(actors, &world->contacts.ended);
  world->named_of = world->steps;
}

bool cl_world_remove(cl_world *world, uint32_t slot, double told) {
  cl_actors *actors = &world->actors;
  world->changes++;
  note_change(actors, actors->state[slot]);
  double progress = cl_told_progress(world, told);
  if (progress < CL_ALL_TOLD) world->contacts.cut = true;
  actors->state[slot] = 0;
  actors->place[slot].x = progress;
  actors->live--;
  mark_unread(actors, slot, 0);
  cl_shape_release(actors->shape[slot]);
  actors->shape[slot] = NULL;
  cl_kinds_drop(&actors->kinds, actors->kind[slot]);
  cl_contacts_name(world);
  actors->kept[slot] = actors->named[slot];
  return actors->kept[slot];
}

static void rename_links(const int32_t *moved, cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    cl_pair pair = links->pair[i];
    links->pair[i] = (cl_pair){(uint32_t)moved[pair.a], (uint32_t)moved[pair.b]};
  }
}

// Candidates of which one is gone go, too.
static void rename_candidates(const int32_t *moved, cl_pairs *candidates) {
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    int32_t a = moved[candidates->at[i].a], b = moved[candidates->at[i].b];
    candidates->at[n] = (cl_pair){(uint32_t)a, (uint32_t)b};
    n += a != CL_NOWHERE && b != CL_NOWHERE;
  }
  candidates->count = n;
}

// Whatever else names slots. The list of dirty slots lies in arrays that are moved, and so do
// the corners of statics: whoever asks next places all.
static void rename_all(cl_world *world) {
  cl_actors *actors = &world->actors;
  rename_links(world->moved, &world->contacts.now);
  rename_links(world->moved, &world->contacts.ended);
  rename_candidates(world->moved, &world->candidates);
  cl_pools_rename(world);
  world->proxies.current = false;
  world->proxies.order = 0;
  memset(actors->dirty, 0, actors->count);
  actors->dirty_count = 0;
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
  for (uint32_t from = 0; from < actors->count; from++) {
    world->moved[from] = CL_NOWHERE;
    if (is_gap(actors, from)) continue;
    world->moved[from] = (int32_t)to;
#define COPY(type, name) actors->name[to] = actors->name[from];
    CL_ACTOR_FIELDS(COPY)
    if (actors->angle) {
      CL_ROTATION_FIELDS(COPY)
    }
#undef COPY
    to++;
  }
  world->moved_count = actors->count;
  actors->count = to;
  cl_world_show(world);
}

cl_status cl_actors_reserve_moving(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t count = world->actors.count;
  if (world->actors.live == count) return CL_OK;
  cl_status status = CL_RESERVE(alloc, world->moved, world->moved_cap, count);
  if (status != CL_OK) return status;
  return CL_RESERVE(alloc, world->released, world->released_cap, count);
}

// Lets the host forget the removed actors of whom nobody is to be told any more, and
// counts the gaps.
static uint32_t release_unnamed(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint32_t gaps = 0;
  world->released_count = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!is_gap(actors, slot)) continue;
    gaps++;
    if (!actors->kept[slot]) continue;
    actors->kept[slot] = 0;
    world->released[world->released_count++] = slot;
  }
  return gaps;
}

void cl_actors_close_gaps(cl_world *world) {
  cl_actors *actors = &world->actors;
  world->moved_count = world->released_count = 0;
  if (actors->live == actors->count) return;
  memset(actors->named, 0, actors->count);
  mark_named(actors, &world->contacts.ended);
  uint32_t gaps = release_unnamed(world);
  if (!is_worth_closing(actors, gaps)) return;
  world->released_count = 0;
  move_down(world);
  rename_all(world);
}

bool cl_world_reclaim(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (actors->count < actors->cap || !is_worth_closing(actors, actors->count - actors->live)) {
    return false;
  }
  if (cl_actors_reserve_moving(world) != CL_OK) return false; // then it has to do with what is
  cl_contacts_name(world);
  uint32_t gaps = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) gaps += is_gap(actors, slot);
  if (!is_worth_closing(actors, gaps)) return false;
  world->changes++;
  world->released_count = 0;
  move_down(world);
  rename_all(world);
  world->by_second_of = 0;
  return true;
}
