// collide, MIT licence (see LICENSE)
//
// Adding, changing, moving and removing actors, and the events that they ask for; closing the gaps
// that removed actors leave among the slots; which actors ignore each other; and the rules of
// groups. Layer: world.

#include "world/move.h"

// The host has to find out again which events in `mask` the actor asks for.
static void mark_unread(cl_actors *actors, uint32_t slot, uint8_t mask) {
  actors->edits++;
  cl_actors_set_state(actors, slot, actors->state[slot], mask);
}

// The actor has changed: its proxy is out of date.
static void mark_dirty(cl_actors *actors, uint32_t slot) {
  if (actors->dirty[slot] & CL_DIRTY_CHANGED) return;
  actors->dirty[slot] |= CL_DIRTY_CHANGED;
  actors->dirty_slots[actors->dirty_count++] = slot;
}

// The actor has moved away from its proxy. Static ones are in a tree of their own, which stays as
// it is.
static void mark_moved(cl_actors *actors, uint32_t slot) {
  if (actors->dirty[slot]) return;
  if (!actors->moved_after || actors->state[slot] & CL_STATIC) {
    mark_dirty(actors, slot);
    return;
  }
  actors->dirty[slot] = CL_DIRTY_MOVED;
  actors->moved_slots[actors->moved_count++] = slot;
}

// An actor of this state was added or removed. Static ones are placed and sorted only once, so
// their changes are counted.
static void note_change(cl_actors *actors, uint8_t state) {
  actors->order++;
  actors->static_version += !!(state & CL_STATIC);
}

static void set(cl_world *world, uint32_t slot, const cl_actor_def *def) {
  cl_actors *actors = &world->actors;
  cl_actors_set_shape(actors, &world->alloc, slot, def->shape);
  actors->place[slot] = actors->next[slot] = (cl_vec){def->x, def->y};
  if (actors->angle) actors->angle[slot] = actors->next_angle[slot] = def->angle;
  if (actors->moved_after) actors->moved_after[slot] = 0;
  actors->group[slot] = def->group;
  if (def->fixed || actors->state[slot] & CL_STATIC) note_change(actors, CL_STATIC);
  cl_vec aim = actors->aim[slot] = (cl_vec){def->one_way.x + 0.0, def->one_way.y + 0.0};
  bool one_way = aim.x != 0 || aim.y != 0, aimed = one_way && (aim.x != 0 || aim.y != -1);
  unsigned state = CL_LIVE | (def->fixed ? CL_STATIC : 0) | (def->sensor ? CL_SENSOR : 0) |
                   (one_way ? CL_ONE_WAY : 0) | (aimed ? CL_AIMED : 0) |
                   (def->swept ? CL_SWEPT : 0) |
                   (def->shape->kind == CL_TILES && !def->fixed ? CL_MAP : 0);
  cl_actors_set_state(actors, slot, (uint8_t)state, CL_EVENT_EVENTS | CL_EVENT_UPDATE);
  actors->edits++;
  mark_dirty(actors, slot);
}

// Preconditions that the host has to check.
static void assert_place(cl_vec at, double angle) {
  assert(cl_place_ok(at) && fabs(angle) <= CL_MAX_ANGLE);
  (void)at, (void)angle;
}

static void assert_def(const cl_actor_def *def) {
  assert(def->shape && def->group < CL_MAX_GROUPS);
  assert(isfinite(def->one_way.x) && isfinite(def->one_way.y));
  assert_place((cl_vec){def->x, def->y}, def->angle);
  (void)def;
}

cl_status cl_world_use_angles(cl_world *world) {
  assert(!world->begun);
  return cl_actors_reserve(world, world->actors.count, CL_WITH_ANGLES);
}

cl_status cl_world_add(cl_world *world, const cl_actor_def *def, uint32_t *slot) {
  cl_actors *actors = &world->actors;
  assert(!world->begun);
  assert_def(def);
  world->changes++;
  unsigned with = def->angle != 0 ? CL_WITH_ANGLES : 0;
  cl_status status = cl_actors_reserve(world, (size_t)actors->count + 1, with);
  if (status != CL_OK) return status;
  *slot = actors->count++;
  cl_actors_begin_slot(actors, *slot);
  note_change(actors, 0);
  set(world, *slot, def);
  cl_world_show(world);
  return CL_OK;
}

void cl_world_refresh(cl_world *world, uint32_t slot, const cl_actor_def *def) {
  assert(!world->begun && cl_world_has(world, slot));
  assert(def->angle == 0 || world->actors.angle);
  assert_def(def);
  world->changes++;
  cl_hash_note_actor(world, slot);
  set(world, slot, def);
}

cl_vec cl_world_place(const cl_world *world, uint32_t slot, double *angle) {
  const cl_actors *actors = &world->actors;
  assert(cl_world_has(world, slot));
  *angle = actors->angle ? actors->angle[slot] : 0;
  return actors->place[slot];
}

void cl_world_put(cl_world *world, uint32_t slot, cl_vec at, double angle) {
  cl_actors *actors = &world->actors;
  assert(!world->begun && cl_world_has(world, slot));
  assert(angle == 0 || actors->angle);
  assert_place(at, angle);
  world->changes++;
  cl_hash_note_actor(world, slot);
  // Both are stored from registers: copying one from the other would wait for the store.
  actors->place[slot] = at;
  actors->next[slot] = at;
  if (actors->angle) actors->angle[slot] = actors->next_angle[slot] = angle;
  if (actors->moved_after) actors->moved_after[slot] = 0;
  if (actors->state[slot] & CL_STATIC) actors->static_version++;
  mark_moved(actors, slot);
}

cl_status cl_world_move_to(cl_world *world, uint32_t slot, cl_vec at, double angle) {
  cl_actors *actors = &world->actors;
  assert(!world->begun && cl_world_has(world, slot));
  assert(angle == 0 || actors->angle);
  assert_place(at, angle);
  if (!actors->moved_after) {
    cl_status status = cl_actors_reserve(world, actors->count, CL_WITH_MOVES);
    if (status != CL_OK) return status;
  }
  bool again = cl_actor_was_moved(actors, slot, world->steps);
  cl_vec from = again ? actors->from[slot] : actors->place[slot];
  double old_angle = actors->angle ? actors->angle[slot] : 0;
  double from_angle = again ? actors->from_angle[slot] : old_angle;
  cl_world_put(world, slot, at, angle);
  actors->from[slot] = from;
  actors->from_angle[slot] = from_angle;
  actors->moved_after[slot] = (uint32_t)world->steps + 1;
  return CL_OK;
}

cl_whereabouts cl_world_whereabouts(const cl_world *world, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  assert(cl_world_has(world, slot));
  cl_whereabouts is = {.at = actors->place[slot], .before = actors->next[slot]};
  if (actors->angle) is.angle = actors->angle[slot], is.angle_before = actors->next_angle[slot];
  if (actors->moved_after && actors->moved_after[slot]) {
    is.from = actors->from[slot];
    is.from_angle = actors->from_angle[slot];
    is.moved_after = actors->moved_after[slot];
  }
  return is;
}

void cl_world_put_back(cl_world *world, uint32_t slot, const cl_whereabouts *was) {
  cl_actors *actors = &world->actors;
  cl_world_put(world, slot, was->at, was->angle);
  actors->next[slot] = was->before;
  if (actors->angle) actors->next_angle[slot] = was->angle_before;
  if (!actors->moved_after) return;
  actors->from[slot] = was->from;
  actors->from_angle[slot] = was->from_angle;
  actors->moved_after[slot] = was->moved_after;
}

cl_motion cl_world_motion(const cl_world *world, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  assert(cl_world_has(world, slot));
  cl_motion motion = {.from = actors->next[slot], .to = actors->place[slot]};
  if (actors->angle) {
    motion.from_angle = actors->next_angle[slot];
    motion.to_angle = actors->angle[slot];
  }
  if (cl_actor_was_moved(actors, slot, world->steps - 1)) { // before the last step
    motion.from = actors->from[slot];
    motion.from_angle = actors->from_angle[slot];
  }
  return motion;
}

cl_actor_def cl_world_actor(const cl_world *world, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  assert(cl_world_has(world, slot));
  return (cl_actor_def){
      .shape = actors->shape[slot],
      .x = actors->place[slot].x,
      .y = actors->place[slot].y,
      .angle = actors->angle ? actors->angle[slot] : 0,
      .group = actors->group[slot],
      .fixed = (actors->state[slot] & CL_STATIC) != 0,
      .sensor = (actors->state[slot] & CL_SENSOR) != 0,
      .swept = (actors->state[slot] & CL_SWEPT) != 0,
      .one_way = cl_one_way_of(actors->state[slot], actors->aim[slot]),
  };
}

uint8_t cl_world_event_mask(const cl_world *world, uint32_t slot, uint8_t *unread) {
  assert(cl_world_has(world, slot));
  *unread = world->actors.unread[slot];
  return world->actors.event_mask[slot];
}

void cl_world_set_event_mask(cl_world *world, uint32_t slot, uint8_t mask, uint8_t events) {
  cl_actors *actors = &world->actors;
  assert(!world->begun && cl_world_has(world, slot));
  assert(!(mask & ~(CL_EVENT_EVENTS | CL_EVENT_UPDATE)));
  actors->event_mask[slot] = (uint8_t)((actors->event_mask[slot] & ~mask) | (events & mask));
  if (events & mask & (CL_EVENT_ENTER | CL_EVENT_LEAVE)) {
    cl_contact_list_compare(&world->contacts);
    world->contacts.enters_wanted |= (events & mask & CL_EVENT_ENTER) != 0;
    world->contacts.leaves_wanted |= (events & mask & CL_EVENT_LEAVE) != 0;
  }
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

bool cl_world_remove(cl_world *world, uint32_t slot, double dispatched) {
  cl_actors *actors = &world->actors;
  assert(!world->begun && cl_world_has(world, slot));
  world->changes++;
  note_change(actors, actors->state[slot]);
  cl_hash_note_actor(world, slot);
  double progress = cl_dispatch_progress(world, dispatched);
  if (progress < CL_ALL_DISPATCHED) world->contacts.cut = true;
  cl_movement_forget(world, slot);
  cl_ignored_drop(world, &slot, 1, true);
  cl_actors_set_state(actors, slot, 0, 0);
  actors->edits++;
  actors->place[slot].x = actors->next[slot].x = progress; // a step swaps the arrays
  cl_actors_set_shape(actors, &world->alloc, slot, NULL);
  cl_contacts_name(world);
  actors->kept[slot] = actors->named[slot];
  return actors->kept[slot];
}

// ---- closing gaps ---------------------------------------------------------------------------

// Gaps are closed when there are this many and they are a quarter of all slots. So a walk over the
// slots costs little more than one over the actors, and removing stays cheap.
enum { FEWEST_GAPS = 32, SLOTS_PER_GAP = 4 };

// Drops those with a removed actor, and returns how many are left.
static size_t rename_pairs(const int32_t *moved, cl_pair *pair, size_t count) {
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t a = moved[pair[i].a], b = moved[pair[i].b];
    pair[n] = (cl_pair){(uint32_t)a, (uint32_t)b};
    n += a != CL_NOWHERE && b != CL_NOWHERE;
  }
  return n;
}

// Renames everything else that refers to slots. All actors of contacts still have slots.
static void rename_all(cl_world *world) {
  const int32_t *moved = world->moves.moved;
  cl_links *now = &world->contacts.now, *ended = &world->contacts.ended;
  cl_pairs *candidates = &world->candidates;
  rename_pairs(moved, now->pair, now->count);
  rename_pairs(moved, ended->pair, ended->count);
  candidates->count = rename_pairs(moved, candidates->at, candidates->count);
  rename_pairs(moved, world->ignored.at, world->ignored.count);
  cl_world_forget_slots(world);
}

static bool is_gap(const cl_actors *actors, uint32_t slot) {
  return !(actors->state[slot] & CL_LIVE) && !actors->named[slot];
}

static bool is_worth_closing(const cl_actors *actors, uint32_t gaps) {
  return gaps >= FEWEST_GAPS && gaps >= actors->count / SLOTS_PER_GAP;
}

CL_INLINE void copy_element(void *array, uint32_t to, uint32_t from, size_t size) {
  if (array) memmove((char *)array + to * size, (char *)array + from * size, size);
}

// Moves the other actors down over the gaps.
static void close_gaps(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint32_t to = 0;
  world->moves.released_count = 0;
  actors->edits++;
  for (uint32_t from = 0; from < actors->count; from++) {
    world->moves.moved[from] = CL_NOWHERE;
    if (is_gap(actors, from)) continue;
    world->moves.moved[from] = (int32_t)to;
#define COPY(type, name, with) copy_element(actors->name, to, from, sizeof(type));
    CL_ACTOR_FIELDS(COPY)
#undef COPY
    to++;
  }
  world->moves.moved_count = actors->count;
  actors->count = to;
  rename_all(world);
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

// Tells the host which removed actors no event will name again, and counts the gaps.
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
  cl_links_name(&world->contacts.ended, actors->named);
  uint32_t gaps = release_unnamed(world);
  if (is_worth_closing(actors, gaps)) close_gaps(world);
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
  close_gaps(world);
  return true;
}

// ---- who ignores whom -----------------------------------------------------------------------

cl_status cl_world_reserve_ignored(cl_world *world, size_t pairs) {
  cl_pairs *ignored = &world->ignored;
  if (pairs > UINT32_MAX - ignored->count) return CL_NOMEM;
  return CL_RESERVE(&world->alloc, ignored->at, ignored->cap, ignored->count + pairs);
}

#ifndef NDEBUG
static bool are_slots_live(const cl_world *world, const uint32_t *slot, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!cl_world_has(world, slot[i]) || (i > 0 && slot[i - 1] >= slot[i])) return false;
  return true;
}

static bool are_pairs_live(const cl_world *world, const cl_pair *pair, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (pair[i].a == pair[i].b) return false;
    if (!cl_world_has(world, pair[i].a) || !cl_world_has(world, pair[i].b)) return false;
  }
  return true;
}
#endif

cl_status cl_world_set_ignored(cl_world *world, const uint32_t *slot, size_t count, cl_pair *pair,
                               size_t pairs) {
  assert(!world->begun && are_slots_live(world, slot, count) && are_pairs_live(world, pair, pairs));
  cl_status status = cl_world_reserve_ignored(world, pairs);
  if (status != CL_OK) return status;
  world->changes++;
  world->actors.edits++;
  cl_movement_forget_all(world);
  cl_ignored_drop(world, slot, count, false);
  cl_ignored_add(world, pair, pairs);
  return CL_OK;
}

// ---- groups ---------------------------------------------------------------------------------

// The set of groups that `group` means.
static uint64_t groups_of(unsigned group) {
  return group == CL_MAX_GROUPS ? UINT64_MAX : (uint64_t)1 << group;
}

// Sets or clears the bits of the second set of groups in the rows of the first.
static void set_bits(uint64_t row[CL_MAX_GROUPS], uint64_t groups, uint64_t others, bool on) {
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    if (!(groups >> g & 1)) continue;
    row[g] = on ? row[g] | others : row[g] & ~others;
  }
}

void cl_world_set_rule(cl_world *world, unsigned a, unsigned b, cl_hits hits) {
  assert(!world->begun && a <= CL_MAX_GROUPS && b <= CL_MAX_GROUPS);
  cl_rules *rules = &world->rules;
  uint64_t first = groups_of(a), second = groups_of(b);
  set_bits(rules->hits_with, first, second, hits != CL_HITS_NONE);
  set_bits(rules->hits_with, second, first, hits != CL_HITS_NONE);
  set_bits(rules->notifies, second, first, hits != CL_HITS_FIRST);
  set_bits(rules->notifies, first, second, true); // last: an actor in both gets events
  cl_rules_note_one_sided(rules);
}

bool cl_world_can_hit(const cl_world *world, unsigned a, unsigned b) {
  assert(a < CL_MAX_GROUPS && b < CL_MAX_GROUPS);
  return world->rules.hits_with[a] >> b & 1;
}

uint64_t cl_world_groups_hit(const cl_world *world, unsigned group) {
  assert(group < CL_MAX_GROUPS);
  return world->rules.hits_with[group];
}

uint64_t cl_world_groups_notified(const cl_world *world, unsigned group) {
  assert(group < CL_MAX_GROUPS);
  return world->rules.hits_with[group] & world->rules.notifies[group];
}

uint8_t cl_world_group(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->actors.group[slot];
}
