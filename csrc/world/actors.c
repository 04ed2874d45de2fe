// collide, MIT licence (see LICENSE)
//
// The arrays by slot. Layer: world.

#include "world/actors.h"

#include <string.h>

// A query accepts at most this many dirty proxies, which is the size of their list.
static size_t dirty_cap(size_t cap) { return CL_FEW_DIRTY + cap / CL_ACTORS_PER_DIRTY + 1; }

// The optional arrays.
typedef struct arrays {
  bool angles, moves;
} arrays;

static arrays arrays_of(const cl_actors *actors) {
  return (arrays){actors->angle != NULL, actors->moved_after != NULL};
}

static size_t block_size(size_t cap, arrays with) {
  size_t size = cl_padded(dirty_cap(cap) * sizeof(uint32_t));
#define ADD(type, name) size += cl_padded(cap * sizeof(type));
  CL_ACTOR_FIELDS(ADD)
  if (with.angles) {
    CL_ROTATION_FIELDS(ADD)
  }
  if (with.moves) {
    CL_MOVED_FIELDS(ADD)
  }
#undef ADD
  return size;
}

static size_t size_of(const cl_actors *actors) {
  return actors->block ? block_size(actors->cap, arrays_of(actors)) : 0;
}

// The part of a block for an array of `cap` elements of `size` bytes; it also copies the present
// elements.
static void *move_array(char **at, const void *from, size_t count, size_t cap, size_t size) {
  void *to = *at;
  if (from && count > 0) memcpy(to, from, count * size);
  *at += cl_padded(cap * size);
  return to;
}

// Gives all arrays room for `cap` slots in a new block. New arrays mean that no actor has an angle
// or was moved: zeroed memory says that, except for the rotations.
static cl_status move_all(cl_actors *actors, const cl_alloc *alloc, size_t cap, arrays with) {
  char *block = cl_new(alloc, block_size(cap, with));
  if (!block) return CL_NOMEM;
  char *at = block;
  size_t old = size_of(actors), had = actors->dirty_cap, room = dirty_cap(cap);
  size_t listed = actors->dirty_count < had ? actors->dirty_count : had;
  actors->dirty_slots =
      move_array(&at, actors->dirty_slots, listed, room, sizeof *actors->dirty_slots);
#define MOVE(type, name)                                                                           \
  actors->name = move_array(&at, actors->name, actors->count, cap, sizeof *actors->name);
  CL_ACTOR_FIELDS(MOVE)
  if (with.angles) {
    bool first = !actors->angle;
    CL_ROTATION_FIELDS(MOVE)
    for (uint32_t slot = 0; first && slot < actors->count; slot++) actors->rot[slot].c = 1;
  }
  if (with.moves) {
    CL_MOVED_FIELDS(MOVE)
  }
#undef MOVE
  cl_free(alloc, actors->block, old);
  // The new list lacks what did not fit into the old one: a query then places all.
  if (actors->dirty_count > had) actors->dirty_count = UINT32_MAX;
  actors->dirty_cap = (uint32_t)room;
  actors->block = block;
  actors->cap = cap;
  return CL_OK;
}

cl_status cl_actors_reserve(cl_actors *actors, const cl_alloc *alloc, size_t count) {
  if (count <= actors->cap) return CL_OK;
  if (count > INT32_MAX) return CL_NOMEM;
  size_t cap = actors->cap + actors->cap / 4;
  if (cap < count) cap = count;
  if (cap < 16) cap = 16;
  return move_all(actors, alloc, cap, arrays_of(actors));
}

cl_status cl_actors_use_angles(cl_actors *actors, const cl_alloc *alloc) {
  if (actors->angle) return CL_OK;
  arrays with = {true, actors->moved_after != NULL};
  return move_all(actors, alloc, actors->cap < 16 ? 16 : actors->cap, with);
}

cl_status cl_actors_use_moves(cl_actors *actors, const cl_alloc *alloc) {
  if (actors->moved_after) return CL_OK;
  arrays with = {actors->angle != NULL, true};
  return move_all(actors, alloc, actors->cap < 16 ? 16 : actors->cap, with);
}

void cl_actors_free(cl_actors *actors, const cl_alloc *alloc) {
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (actors->shape[slot]) cl_shape_release(actors->shape[slot]);
  }
  cl_kinds_free(&actors->kinds, alloc);
  cl_free(alloc, actors->block, size_of(actors));
}

void cl_actors_mark_unread(cl_actors *actors, uint32_t slot, uint8_t mask) {
  uint8_t before = actors->unread[slot];
  actors->edits++;
  actors->unread_events += !!(mask & CL_EVENT_EVENTS);
  actors->unread_events -= !!(before & CL_EVENT_EVENTS);
  actors->unread_updates += !!(mask & CL_EVENT_UPDATE);
  actors->unread_updates -= !!(before & CL_EVENT_UPDATE);
  actors->unread[slot] = mask;
}

// Without room in the list there are too many for a query anyway.
void cl_actors_mark_dirty(cl_actors *actors, uint32_t slot) {
  if (actors->dirty[slot] & CL_DIRTY_CHANGED) return;
  actors->dirty[slot] |= CL_DIRTY_CHANGED;
  if (actors->dirty_count == UINT32_MAX) return;
  if (actors->dirty_count < actors->dirty_cap) actors->dirty_slots[actors->dirty_count] = slot;
  actors->dirty_count++;
}

// Static actors are in a tree of their own, which stays as it is.
void cl_actors_mark_moved(cl_actors *actors, uint32_t slot) {
  if (actors->dirty[slot]) return;
  if (!actors->moved_after || actors->state[slot] & CL_STATIC) {
    cl_actors_mark_dirty(actors, slot);
    return;
  }
  actors->dirty[slot] = CL_DIRTY_MOVED;
  actors->moved_slots[actors->moved_count++] = slot;
}

void cl_actors_note_change(cl_actors *actors, uint8_t state) {
  actors->order++;
  actors->static_version += !!(state & CL_STATIC);
}

void cl_actors_clear_dirty(cl_actors *actors) {
  if (actors->dirty_count > actors->dirty_cap) memset(actors->dirty, 0, actors->count);
  else
    for (uint32_t i = 0; i < actors->dirty_count; i++) actors->dirty[actors->dirty_slots[i]] = 0;
  for (uint32_t i = 0; i < actors->moved_count; i++) actors->dirty[actors->moved_slots[i]] = 0;
  actors->dirty_count = actors->moved_count = 0;
}

cl_placed cl_actor_place(cl_actors *actors, uint32_t slot) {
  if (cl_actor_is_rotated(actors, actors->angle, slot) &&
      actors->angle[slot] != actors->rot_angle[slot]) {
    actors->rot_angle[slot] = actors->angle[slot];
    actors->rot[slot] = cl_rot_of(actors->rot_angle[slot]);
  }
  return cl_actor_placed(actors, slot, true);
}
