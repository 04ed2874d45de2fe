// collide, MIT licence (see LICENSE)
//
// A world's life, its steps, and the check of all its data. The first half of a step places the
// proxies, finds the pairs of these that overlap, and reserves memory; it may fail. The second half
// cannot fail: it puts the pairs that the groups allow in their final order, so that everything
// derived from them is already in order, tests these candidates for contacts, and lists the events.
// Layer: world.

#include "world/state.h"

#include "base/simd.h"
#include "narrow/primitives.h"
#include "world/move.h"

cl_world *cl_world_new(const cl_world_def *def, cl_io *io) {
  assert(def->broad && def->depth <= CL_BROAD_MAX_DEPTH);
  assert(def->width >= 0 && def->width <= CL_MAX_COORD);
  assert(def->height >= 0 && def->height <= CL_MAX_COORD);
  cl_world *world = cl_new(&def->alloc, sizeof *world);
  if (!world) return NULL;
  world->alloc = def->alloc;
  world->io = io;
  world->actors.order = world->actors.static_version = world->steps = 1;
  world->touching = def->touching;
  cl_broad_def broad = {
      .alloc = def->alloc,
      .field = cl_fbox_of(0, 0, def->width, def->height),
      .bounded = def->width > 0 && def->height > 0,
      .depth = def->depth,
  };
  world->broad = def->broad->open(def->broad, &broad);
  if (!world->broad) {
    cl_free(&world->alloc, world, sizeof *world);
    return NULL;
  }
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    world->rules.hits_with[g] = def->listed ? 0 : UINT64_MAX;
    world->rules.notifies[g] = UINT64_MAX;
  }
  *io = (cl_io){0};
  return world;
}

void cl_world_free(cl_world *world) {
  cl_alloc alloc = world->alloc;
  if (world->roster) cl_roster_release(world->roster);
  cl_actors_free(&world->actors, &alloc);
  world->broad->class->close(world->broad);
  cl_proxies_free(&world->proxies, &alloc);
  CL_FREE(&alloc, world->found.at, world->found.cap);
  CL_FREE(&alloc, world->fine, world->fine_cap);
  CL_FREE(&alloc, world->near, world->near_cap);
  CL_FREE(&alloc, world->first, world->first_cap);
  CL_FREE(&alloc, world->candidates.at, world->candidates.cap);
  CL_FREE(&alloc, world->ignored.at, world->ignored.cap);
  cl_contacts_free(world);
  cl_contact_list_free(&world->contacts, &alloc);
  CL_FREE(&alloc, world->moves.moved, world->moves.moved_cap);
  CL_FREE(&alloc, world->moves.released, world->moves.released_cap);
  CL_FREE(&alloc, world->hit_index.by_second, world->hit_index.by_second_cap);
  CL_FREE(&alloc, world->hit_index.second_start, world->hit_index.second_start_cap);
  cl_hash_free(&world->hash, &alloc);
  cl_movement_free(world);
  CL_FREE(&alloc, world->touched.at, world->touched.cap);
  CL_FREE(&alloc, world->answer, world->answer_cap);
  *world->io = (cl_io){0};
  cl_free(&alloc, world, sizeof *world);
}

// ---- candidates -----------------------------------------------------------------------------

// A counting sort by the first of each pair leaves runs with the same first in no order. Runs up to
// this length are put in order by insertion; with longer ones, pairs are first sorted by the
// second.
enum { SHORT_RUN = 16 };

// With more than this many pairs for each actor that moves, and this many more in all, floats may
// be too coarse for the boxes.
enum { PAIRS_A_MOVER = 8, FREE_PAIRS = 1024 };

// Whether the rules of groups allow all pairs.
static bool all_hit_all(const cl_world *world) {
  uint64_t common = UINT64_MAX;
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) common &= world->rules.hits_with[g];
  return common == UINT64_MAX;
}

// Whether a pair of proxies (numbers) with overlapping ways needs the narrow phase: if neither is
// swept, their boxes must overlap.
CL_INLINE bool swept_counts(const cl_world *world, uint32_t a, uint32_t b) {
  const cl_proxies *proxies = &world->proxies;
  const uint8_t *state = world->actors.state;
  unsigned either = state[proxies->slot[a]] | state[proxies->slot[b]];
  return (either & CL_SWEPT) != 0 || cl_fbox_touch(proxies->box[a], proxies->box[b]);
}

// Turns pairs so that the smaller number comes first, drops those that no rule allows, and counts
// them by the first, two places up. With `swept` it also drops pairs of which only the ways overlap
// if neither of the two is swept. Returns all counts, or-ed together.
CL_INLINE uint32_t count_by_first(cl_world *world, bool filtered, bool swept) {
  const uint32_t *slot = world->proxies.slot;
  const uint8_t *group = world->actors.group;
  cl_pair *pair = world->found.at;
  uint32_t *first = world->first, seen = 0;
  size_t count = world->found.count, n = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t p = pair[i].a, q = pair[i].b, a = p < q ? p : q, b = p < q ? q : p;
    uint32_t hit = 1;
    if (filtered) hit = world->rules.hits_with[group[slot[a]]] >> group[slot[b]] & 1;
    if (swept) hit &= swept_counts(world, a, b);
    pair[n] = (cl_pair){a, b};
    n += hit;
    seen |= first[a + 2] += hit;
  }
  world->found.count = n;
  return seen;
}

// Drops the pairs of actors that ignore each other.
static void drop_ignored(cl_world *world) {
  const uint32_t *slot = world->proxies.slot;
  cl_pairs *found = &world->found;
  size_t n = 0;
  for (size_t i = 0; i < found->count; i++) {
    cl_pair pair = found->at[i];
    found->at[n] = pair;
    n += !cl_ignores(world, slot[pair.a], slot[pair.b]);
  }
  found->count = n;
}

// Finds the pairs again with the boxes in doubles.
static cl_status find_fine(cl_world *world, cl_broad_input *in) {
  cl_status status = CL_RESERVE(&world->alloc, world->fine, world->fine_cap, in->count);
  if (status == CL_OK) status = CL_RESERVE(&world->alloc, world->near, world->near_cap, in->count);
  if (status != CL_OK) return status;
  for (uint32_t n = 0; n < in->count; n++) {
    uint32_t slot = world->proxies.slot[n];
    world->fine[n] = cl_proxy_bounds(world, n);
    if (world->actors.swept > 0)
      cl_swept_way(world, slot, world->actors.next[slot], &world->fine[n]);
  }
  CL_WORK(3 * (uint64_t)in->count);
  in->fine = world->fine;
  world->found.count = 0;
  return cl_broad_find_fine(world->broad, in, world->near, &world->found);
}

static cl_status find_pairs(cl_world *world) {
  cl_broad_input in = cl_proxies_input(world);
  cl_pairs *found = &world->found;
  in.either_way = true;
  in.enough = FREE_PAIRS + (size_t)PAIRS_A_MOVER * world->proxies.movers;
  found->count = 0;
  cl_status status = CL_OK;
  bool coarse = cl_are_mostly_coarse(&in);
  if (!coarse) status = world->broad->class->find(world->broad, &in, found);
  coarse = coarse || (status == CL_OK && cl_broad_has_enough(&in, found->count));
  if (coarse) status = find_fine(world, &in);
  return status == CL_OK && found->count > UINT32_MAX ? CL_NOMEM : status;
}

static cl_status reserve_candidates(cl_world *world) {
  size_t count = (size_t)world->proxies.count + 2;
  cl_status status = CL_RESERVE(&world->alloc, world->first, world->first_cap, count);
  if (status != CL_OK) return status;
  memset(world->first, 0, count * sizeof *world->first);
  if (world->ignored.count > 0) drop_ignored(world);
  uint32_t seen;
  if (world->actors.swept > 0) seen = count_by_first(world, true, true);
  else if (all_hit_all(world)) seen = count_by_first(world, false, false);
  else seen = count_by_first(world, true, false);
  world->long_runs = seen >= SHORT_RUN;
  cl_pairs *candidates = &world->candidates;
  return CL_RESERVE_NEAR(&world->alloc, candidates->at, candidates->cap, world->found.count);
}

// Puts each pair at the next free place of its first proxy; converts numbers to slots if they
// differ.
CL_INLINE void put(const cl_world *world, const cl_pair *from, cl_pair *to, bool named) {
  const uint32_t *slot = world->proxies.slot;
  uint32_t *first = world->first + 1;
  for (size_t i = 0, count = world->found.count; i < count; i++) {
    cl_pair pair = from[i];
    to[first[pair.a]++] = named ? (cl_pair){slot[pair.a], slot[pair.b]} : pair;
  }
}

// Sorts the pairs by their second, stably, into the array of candidates, and swaps it with `found`.
// Then counts them by their first again.
static void sort_by_second(cl_world *world) {
  uint32_t *start = world->first, count = world->proxies.count;
  size_t pairs = world->found.count;
  const cl_pair *from = world->found.at;
  cl_pair *to = world->candidates.at;
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (size_t i = 0; i < pairs; i++) start[from[i].b + 2]++;
  cl_sum_up(start, (size_t)count + 2);
  for (size_t i = 0; i < pairs; i++) to[start[from[i].b + 1]++] = from[i];
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (size_t i = 0; i < pairs; i++) start[to[i].a + 2]++;
  cl_pairs sorted = world->candidates;
  world->candidates = world->found;
  world->found = sorted;
  world->found.count = pairs;
}

// The largest keys that two passes carry, not yet written, and the last key written.
typedef struct passes {
  uint64_t first, second, last;
} passes;

// Advances by a key; returns the one that comes out of both passes.
CL_INLINE uint64_t go_on(passes *p, uint64_t key) {
  uint64_t between = key < p->first ? key : p->first;
  p->first = key < p->first ? p->first : key;
  uint64_t out = between < p->second ? between : p->second;
  p->second = between < p->second ? p->second : between;
  return out;
}

// Two passes rarely leave more to do, except in longer runs.
CL_INLINE void put_down(passes *p, cl_pair *pair, size_t at, uint64_t key) {
  if (key < p->last) {
    for (; at > 0 && cl_pair_key(pair[at - 1]) > key; at--) pair[at] = pair[at - 1];
  } else {
    p->last = key;
  }
  pair[at] = cl_pair_of(key);
}

// Does two passes of bubble sort at once, without a branch, since half of all neighbours in a run
// are in the wrong order.
static void order_runs(cl_pair *pair, size_t count) {
  if (count < 2) return;
  passes p = {cl_pair_key(pair[0]), 0, 0};
  go_on(&p, cl_pair_key(pair[1]));
  for (size_t i = 2; i < count; i++) put_down(&p, pair, i - 2, go_on(&p, cl_pair_key(pair[i])));
  put_down(&p, pair, count - 2, go_on(&p, UINT64_MAX));
  put_down(&p, pair, count - 1, go_on(&p, UINT64_MAX));
}

static void make_candidates(cl_world *world) {
  CL_WORK(3 * (uint64_t)world->found.count);
  if (world->long_runs) sort_by_second(world);
  cl_sum_up(world->first, (size_t)world->proxies.count + 2);
  cl_pairs *found = &world->found, *candidates = &world->candidates;
  bool named = world->actors.live < world->actors.count;
  if (named) put(world, found->at, candidates->at, true);
  else put(world, found->at, candidates->at, false);
  candidates->count = found->count;
  if (!world->long_runs) order_runs(candidates->at, candidates->count);
}

// ---- steps ----------------------------------------------------------------------------------

// The next places become the present ones.
static void move(cl_actors *actors) {
  cl_vec *place = actors->place;
  double *angle = actors->angle;
  actors->place = actors->next;
  actors->next = place;
  actors->angle = actors->next_angle;
  actors->next_angle = angle;
}

#ifndef NDEBUG
// Whether the host has written valid places. The quick test comes first; removed actors may have
// any place.
static bool are_places_valid(const cl_actors *actors) {
  const cl_vec *next = actors->next;
  const double *angle = actors->next_angle;
  const cl_f64x2 most = cl_f64x2_all(CL_MAX_COORD);
  unsigned right = 3;
  for (uint32_t i = 0, count = actors->count; i < count; i++)
    right &= cl_mask64x2_bits(cl_f64x2_le(cl_f64x2_abs(cl_f64x2_load(&next[i].x)), most));
  for (uint32_t i = 0; angle && i < actors->count; i++)
    right &= fabs(angle[i]) <= CL_MAX_ANGLE ? 3 : 0;
  for (uint32_t i = 0; right != 3 && i < actors->count; i++) {
    if (!(actors->state[i] & CL_LIVE)) continue;
    if (!cl_place_ok(next[i])) return false;
    if (angle && !(fabs(angle[i]) <= CL_MAX_ANGLE)) return false;
  }
  return true;
}
#endif

cl_status cl_world_begin_step(cl_world *world, double dispatched) {
  assert(!world->begun && dispatched >= 0 && dispatched <= CL_ALL_DISPATCHED);
  assert(are_places_valid(&world->actors));
  world->changes++;
  world->dispatched = dispatched;
  cl_status status = cl_proxies_place_next(world);
  if (status == CL_OK) status = find_pairs(world);
  if (status == CL_OK) status = reserve_candidates(world);
  if (status == CL_OK) status = cl_contacts_reserve(world);
  if (status == CL_OK) status = cl_dispatch_reserve(world, dispatched);
  if (status == CL_OK) status = cl_actors_reserve_moving(world);
  cl_world_show(world); // the events are the last step's, but may have moved
  world->begun = status == CL_OK;
  return status;
}

// All memory is reserved: nothing fails.
void cl_world_end_step(cl_world *world) {
  assert(world->begun);
  world->begun = false;
  world->steps++;
  make_candidates(world);
  cl_dispatch_advance(world, world->dispatched);
  move(&world->actors);
  cl_proxies_set_current(world);
  cl_actors_close_gaps(world);
  cl_dispatch_list(world);
  cl_hash_begin_log(world);
  cl_world_show(world);
  CL_CHECK(cl_world_is_valid(world));
}

void cl_world_cancel_step(cl_world *world) { world->begun = false; }

cl_status cl_world_step(cl_world *world, double dispatched) {
  cl_status status = cl_world_begin_step(world, dispatched);
  if (status == CL_OK) cl_world_end_step(world);
  return status;
}

uint32_t cl_world_target_count(const cl_world *world) { return world->proxies.count; }

uint32_t cl_world_targets(const cl_world *world, uint64_t groups, cl_target *out) {
  const cl_proxies *proxies = &world->proxies;
  const cl_actors *actors = &world->actors;
  uint32_t n = 0;
  assert(world->begun);
  for (uint32_t i = 0; i < proxies->count; i++) {
    uint32_t slot = proxies->slot[i];
    if (!(groups >> actors->group[slot] & 1)) continue;
    cl_fbox f = proxies->box[i]; // rounded outward, which does no harm unless it is far away
    cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
    if (cl_fbox_is_coarse(f)) b = cl_proxy_bounds(world, i);
    cl_vec d = cl_vec_sub(actors->next[slot], cl_actor_way_from(actors, slot, world->steps));
    b = cl_bounds_join(b, (cl_bounds){b.l - d.x, b.t - d.y, b.r - d.x, b.b - d.y});
    b = cl_bounds_grown(b, cl_motion_slack(b));
    out[n++] = (cl_target){
        b, d, cl_actor_placed(actors, slot, false), actors->shape[slot], slot, actors->group[slot]};
  }
  return n;
}

uint64_t cl_world_changes(const cl_world *world) { return world->changes; }

uint64_t cl_world_edits(const cl_world *world) { return world->actors.edits; }

const int32_t *cl_world_moved(const cl_world *world, uint32_t *count) {
  *count = world->moves.moved_count;
  return *count ? world->moves.moved : NULL;
}

const uint32_t *cl_world_released(const cl_world *world, uint32_t *count) {
  *count = world->moves.released_count;
  return world->moves.released;
}

// ---- validity -------------------------------------------------------------------------------

// Whether a kind with a vertex block has that of this shape.
static bool is_kind_of(const cl_kind *kind, const cl_shape *shape) {
  return !kind->block || (cl_has_block(shape) && kind->block == cl_own_block(shape));
}

static bool is_live_slot_valid(const cl_actors *actors, uint32_t slot) {
  const cl_kinds *kinds = &actors->kinds;
  cl_vec at = actors->place[slot], next = actors->next[slot];
  if (!actors->shape[slot] || actors->kind[slot] >= kinds->count) return false;
  if (kinds->link[actors->kind[slot]].uses == 0 || actors->group[slot] >= CL_MAX_GROUPS)
    return false;
  if (!is_kind_of(&kinds->at[actors->kind[slot]], actors->shape[slot])) return false;
  if (!cl_place_ok(at)) return false;
  if (actors->event_mask[slot] & ~(CL_EVENT_EVENTS | CL_EVENT_UPDATE)) return false;
  bool is_static = actors->state[slot] & CL_STATIC, map = actors->state[slot] & CL_MAP;
  if (map != (!is_static && actors->shape[slot]->kind == CL_TILES)) return false;
  bool stays = at.x == next.x && at.y == next.y &&
               (!actors->angle || actors->angle[slot] == actors->next_angle[slot]);
  return !is_static || stays;
}

// Whether all actors that ignore others are live, and `ignoring` counts their pairs.
static bool are_ignored_valid(const cl_world *world) {
  const cl_actors *actors = &world->actors;
  uint64_t counted = 0;
  if (!cl_are_ignored_valid(&world->ignored, actors->count)) return false;
  for (size_t i = 0; i < world->ignored.count; i++) {
    cl_pair p = world->ignored.at[i];
    if (!(actors->state[p.a] & actors->state[p.b] & CL_LIVE)) return false;
    if (actors->ignoring[p.a] == 0 || actors->ignoring[p.b] == 0) return false;
  }
  for (uint32_t slot = 0; slot < actors->count; slot++) counted += actors->ignoring[slot];
  return counted == 2 * (uint64_t)world->ignored.count;
}

static bool are_actors_valid(const cl_actors *actors) {
  uint32_t live = 0, swept = 0, maps = 0, events = 0, updates = 0, dirty = 0, moved = 0;
  uint32_t form[CL_FORMS] = {0}, bounded = 0;
  if (actors->count > actors->cap) return false;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    uint8_t unread = actors->unread[slot];
    events += !!(unread & CL_EVENT_EVENTS);
    updates += !!(unread & CL_EVENT_UPDATE);
    dirty += !!(actors->dirty[slot] & CL_DIRTY_CHANGED);
    moved += !!(actors->dirty[slot] & CL_DIRTY_MOVED);
    if (!(actors->state[slot] & CL_LIVE)) {
      if (actors->state[slot] || actors->shape[slot] || unread) return false;
      continue;
    }
    if (!is_live_slot_valid(actors, slot)) return false;
    form[actors->kinds.at[actors->kind[slot]].form]++;
    bounded += actors->kinds.at[actors->kind[slot]].bounded;
    live++;
    swept += !!(actors->state[slot] & CL_SWEPT);
    maps += !!(actors->state[slot] & CL_MAP);
  }
  if (maps != actors->maps) return false;
  if (live != actors->live || swept != actors->swept || events != actors->unread_events)
    return false;
  if (updates != actors->unread_updates) return false;
  if (dirty != actors->dirty_count || moved != actors->moved_count) return false;
  for (uint32_t i = 0; i < dirty; i++) {
    if (!(actors->dirty[actors->dirty_slots[i]] & CL_DIRTY_CHANGED)) return false;
  }
  for (uint32_t i = 0; i < moved; i++) {
    if (!(actors->dirty[actors->moved_slots[i]] & CL_DIRTY_MOVED)) return false;
  }
  return memcmp(form, actors->kinds.form, sizeof form) == 0 && bounded == actors->kinds.bounded;
}

// Whether the proxy of an unchanged actor is valid.
static bool is_proxy_valid(const cl_world *world, uint32_t number) {
  const cl_proxies *proxies = &world->proxies;
  uint32_t slot = proxies->slot[number];
  cl_placed placed = cl_proxy_placed(world, number);
  cl_bounds b = cl_placed_bounds(&placed);
  cl_fbox box = cl_fbox_of(b.l, b.t, b.r, b.b), have = proxies->box[number];
  return box.x0 == have.x0 && box.y0 == have.y0 && box.x1 == have.x1 && box.y1 == have.y1 &&
         proxies->fixed[number] == !!(world->actors.state[slot] & CL_STATIC);
}

static bool are_proxies_valid(const cl_world *world) {
  const cl_proxies *proxies = &world->proxies;
  const cl_actors *actors = &world->actors;
  uint32_t clean = 0, found = 0;
  if (!proxies->current) return true; // they are rebuilt before use
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    clean += (actors->state[slot] & CL_LIVE) && !actors->dirty[slot];
  }
  for (uint32_t n = 0; n < proxies->count; n++) {
    uint32_t slot = proxies->slot[n];
    if (slot >= actors->count || (n > 0 && proxies->slot[n - 1] >= slot)) return false;
    if (!(actors->state[slot] & CL_LIVE) || actors->dirty[slot]) continue;
    if (!is_proxy_valid(world, n)) return false;
    found++;
  }
  return found == clean;
}

// Whether each actor of a contact is live or is kept for it.
static bool are_kept(const cl_actors *actors, const cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    cl_pair p = links->pair[i];
    bool a = actors->state[p.a] & CL_LIVE || actors->kept[p.a];
    bool b = actors->state[p.b] & CL_LIVE || actors->kept[p.b];
    if (!(a && b)) return false;
  }
  return true;
}

bool cl_world_is_valid(const cl_world *world) {
  const cl_actors *actors = &world->actors;
  const cl_contact_list *contacts = &world->contacts;
  const cl_io *io = world->io;
  bool shown = io->place == actors->next && io->angle == actors->next_angle &&
               io->state == actors->state && io->slots == actors->count &&
               io->contact == contacts->now.pair && io->ended == contacts->ended.pair &&
               io->event == contacts->event && io->events == contacts->events &&
               io->leaves == contacts->leaves &&
               io->time == (contacts->any_time ? contacts->time : NULL);
  return shown && are_actors_valid(actors) && are_proxies_valid(world) &&
         cl_contact_list_is_valid(contacts, actors->count) && are_kept(actors, &contacts->now) &&
         are_kept(actors, &contacts->ended) &&
         cl_are_pairs_valid(world->candidates.at, world->candidates.count, actors->count) &&
         cl_rules_are_valid(&world->rules) && are_ignored_valid(world) &&
         cl_movement_is_valid(world);
}
