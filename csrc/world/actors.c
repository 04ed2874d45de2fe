// collide, MIT licence (see LICENSE)
//
// The arrays by slot: growing them, adding and removing, and closing the gaps
// that removed actors leave. Layer: world.

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

static size_t block_size(size_t cap) {
  size_t size = 0;
#define ADD(type, name) size += padded(cap * sizeof(type));
  CL_ACTOR_FIELDS(ADD)
#undef ADD
  return size;
}

cl_status cl_actors_reserve(cl_world *world, size_t count) {
  cl_actors *actors = &world->actors;
  if (count <= actors->cap) return CL_OK;
  if (count > INT32_MAX) return CL_NOMEM;
  size_t cap = actors->cap + actors->cap / 2;
  if (cap < count) cap = count;
  if (cap < 16) cap = 16;
  char *block = cl_new(&world->alloc, block_size(cap));
  if (!block) return CL_NOMEM;
  char *at = block;
#define MOVE(type, name)                                                                           \
  if (actors->count) memcpy(at, actors->name, actors->count * sizeof *actors->name);               \
  actors->name = (type *)(void *)at;                                                               \
  at += padded(cap * sizeof(type));
  CL_ACTOR_FIELDS(MOVE)
#undef MOVE
  cl_free(&world->alloc, actors->block, block_size(actors->cap));
  actors->block = block;
  actors->cap = cap;
  cl_world_show(world);
  return CL_OK;
}

void cl_actors_free(cl_world *world) {
  cl_actors *actors = &world->actors;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (actors->shape[slot]) cl_shape_release(actors->shape[slot]);
  }
  cl_free(&world->alloc, actors->block, block_size(actors->cap));
}

static void mark_unheard(cl_actors *actors, uint32_t slot, uint8_t mask) {
  uint8_t before = actors->unheard[slot];
  actors->unheard_events += !!(mask & CL_HEARS_EVENTS);
  actors->unheard_events -= !!(before & CL_HEARS_EVENTS);
  actors->unheard_updates += !!(mask & CL_HEARS_UPDATE);
  actors->unheard_updates -= !!(before & CL_HEARS_UPDATE);
  actors->unheard[slot] = mask;
}

// The placing no longer has this actor as it stands.
static void mark_stray(cl_actors *actors, uint32_t slot) {
  if (actors->stray[slot]) return;
  actors->stray[slot] = 1;
  actors->strays[actors->stray_count++] = slot;
}

// Static actors are placed and laid out but once, so the world has to know when
// they change: an actor of this state has come or gone.
static void note_change(cl_actors *actors, uint8_t state) {
  actors->order++;
  actors->still += !!(state & CL_STATIC);
}

static void set(cl_actors *actors, uint32_t slot, const cl_actor_def *def) {
  cl_shape_retain(def->shape);
  if (actors->shape[slot]) cl_shape_release(actors->shape[slot]);
  actors->shape[slot] = def->shape;
  actors->x[slot] = actors->next_x[slot] = def->x;
  actors->y[slot] = actors->next_y[slot] = def->y;
  actors->angle[slot] = actors->next_angle[slot] = def->angle;
  actors->group[slot] = def->group;
  if (def->fixed || actors->state[slot] & CL_STATIC) note_change(actors, CL_STATIC);
  actors->state[slot] = (uint8_t)(CL_LIVE | (def->fixed ? CL_STATIC : 0));
  mark_unheard(actors, slot, CL_HEARS_EVENTS | CL_HEARS_UPDATE);
  mark_stray(actors, slot);
}

cl_status cl_world_add(cl_world *world, const cl_actor_def *def, uint32_t *slot) {
  cl_actors *actors = &world->actors;
  world->changes++;
  cl_status status = cl_actors_reserve(world, (size_t)actors->count + 1);
  if (status != CL_OK) return status;
  *slot = actors->count++;
  actors->live++;
  actors->state[*slot] = 0;
  note_change(actors, 0);
  actors->shape[*slot] = NULL;
  actors->turned[*slot] = 0;
  actors->rot[*slot] = cl_rot_of(0);
  actors->removed[*slot] = CL_ALL_TOLD;
  actors->hears[*slot] = actors->unheard[*slot] = 0;
  actors->tied[*slot] = actors->kept[*slot] = actors->stray[*slot] = 0;
  set(actors, *slot, def);
  cl_world_show(world);
  return CL_OK;
}

void cl_world_refresh(cl_world *world, uint32_t slot, const cl_actor_def *def) {
  world->changes++;
  set(&world->actors, slot, def);
}

void cl_world_listen(cl_world *world, uint32_t slot, uint8_t mask, uint8_t hears) {
  cl_actors *actors = &world->actors;
  actors->hears[slot] = (uint8_t)((actors->hears[slot] & ~mask) | (hears & mask));
  if (hears & mask & (CL_HEARS_ENTER | CL_HEARS_LEAVE)) world->meetings_heard = true;
  mark_unheard(actors, slot, (uint8_t)(actors->unheard[slot] & ~mask));
}

uint32_t cl_world_next_listener(const cl_world *world, uint32_t from, uint8_t hears) {
  const cl_actors *actors = &world->actors;
  while (from < actors->count && !(actors->state[from] & CL_LIVE && actors->hears[from] & hears)) {
    from++;
  }
  return from;
}

uint32_t cl_world_next_unheard(const cl_world *world, uint32_t from, uint8_t mask) {
  const cl_actors *actors = &world->actors;
  bool any = (mask & CL_HEARS_EVENTS && actors->unheard_events) ||
             (mask & CL_HEARS_UPDATE && actors->unheard_updates);
  if (!any) return actors->count;
  while (from < actors->count && !(actors->unheard[from] & mask)) from++;
  return from;
}

static void mark_tied(cl_actors *actors, const cl_ties *ties) {
  for (size_t i = 0; i < ties->count; i++) {
    actors->tied[ties->at[i].a] = 1;
    actors->tied[ties->at[i].b] = 1;
  }
}

void cl_actors_need_tied(cl_world *world) {
  if (world->tied_made || world->actors.count == 0) return;
  cl_told_join(world);
  memset(world->actors.tied, 0, world->actors.count);
  mark_tied(&world->actors, &world->pairs);
  mark_tied(&world->actors, &world->parted);
  world->tied_made = true;
}

bool cl_world_remove(cl_world *world, uint32_t slot, double told) {
  cl_actors *actors = &world->actors;
  world->changes++;
  world->removed = true;
  cl_told_join(world);
  note_change(actors, actors->state[slot]);
  actors->state[slot] = 0;
  actors->removed[slot] = cl_told_progress(world, told);
  actors->live--;
  mark_unheard(actors, slot, 0);
  cl_shape_release(actors->shape[slot]);
  actors->shape[slot] = NULL;
  cl_actors_need_tied(world);
  actors->kept[slot] = actors->tied[slot];
  return actors->kept[slot];
}

static void rename_ties(const int32_t *moved, cl_ties *ties) {
  for (size_t i = 0; i < ties->count; i++) {
    ties->at[i].a = (uint32_t)moved[ties->at[i].a];
    ties->at[i].b = (uint32_t)moved[ties->at[i].b];
  }
}

static bool is_gap(const cl_actors *actors, uint32_t slot) {
  return !(actors->state[slot] & CL_LIVE) && !actors->tied[slot];
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
  cl_status status = CL_RESERVE(alloc, world->moved, world->moved_cap, count);
  if (status != CL_OK) return status;
  return CL_RESERVE(alloc, world->released, world->released_cap, count);
}

// Lets the host forget the removed actors that are owed nothing any more, and
// counts the gaps.
static uint32_t release_untied(cl_world *world) {
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
  memset(actors->tied, 0, actors->count);
  mark_tied(actors, &world->open);
  uint32_t gaps = release_untied(world);
  if (!is_worth_closing(actors, gaps)) return;
  world->released_count = 0;
  move_down(world);
  rename_ties(world->moved, &world->open);
  rename_ties(world->moved, &world->pairs);
  cl_pools_rename(world);
  cl_placing *placing = &world->placing;
  for (uint32_t i = 0; i < placing->count; i++) {
    placing->slot[i] = (uint32_t)world->moved[placing->slot[i]];
  }
  for (size_t i = 0; i < world->found_candidates.count; i++) {
    cl_pair *pair = &world->found_candidates.at[i];
    *pair = (cl_pair){(uint32_t)world->moved[pair->a], (uint32_t)world->moved[pair->b]};
  }
}

// What names slots between steps. Candidates are not among the ties: those of which
// one is gone go too.
static void rename_all(cl_world *world) {
  const int32_t *moved = world->moved;
  rename_ties(moved, &world->pairs);
  rename_ties(moved, &world->parted);
  cl_pools_rename(world);
  for (uint32_t e = 0; e < world->io->events; e++) {
    world->event[e].a = (uint32_t)moved[world->event[e].a];
    world->event[e].b = (uint32_t)moved[world->event[e].b];
  }
  cl_pairs *candidates = &world->candidates;
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    int32_t a = moved[candidates->at[i].a], b = moved[candidates->at[i].b];
    candidates->at[n] = (cl_pair){(uint32_t)a, (uint32_t)b};
    n += a != CL_NOWHERE && b != CL_NOWHERE;
  }
  candidates->count = n;
}

bool cl_world_reclaim(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (actors->count < actors->cap || !is_worth_closing(actors, actors->count - actors->live)) {
    return false;
  }
  if (cl_actors_reserve_moving(world) != CL_OK) return false; // then it has to do with what is
  cl_actors_need_tied(world);
  uint32_t gaps = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) gaps += is_gap(actors, slot);
  if (!is_worth_closing(actors, gaps)) return false;
  world->changes++;
  world->released_count = 0;
  // The list of strays lies in arrays that are moved: whoever asks next places all.
  world->placing.current = false;
  world->placing.order = 0;
  memset(actors->stray, 0, actors->count);
  actors->stray_count = 0;
  move_down(world);
  rename_all(world);
  world->by_second_made = false;
  return true;
}
