// collide, MIT licence (see LICENSE)
//
// Whether a world is valid: a walk over all its data. Layer: world.

#include "geom/box.h"
#include "narrow/sat.h"
#include "world/pair_key.h"
#include "world/mover.h"

static bool is_coordinate(double v) { return fabs(v) <= CL_MAX_COORD; }

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
  if (!is_coordinate(at.x) || !is_coordinate(at.y)) return false;
  if (actors->event_mask[slot] & ~(CL_EVENT_EVENTS | CL_EVENT_UPDATE)) return false;
  bool is_static = actors->state[slot] & CL_STATIC;
  bool stays = at.x == next.x && at.y == next.y &&
               (!actors->angle || actors->angle[slot] == actors->next_angle[slot]);
  return !is_static || stays;
}

static bool are_actors_valid(const cl_actors *actors) {
  uint32_t live = 0, swept = 0, events = 0, updates = 0, dirty = 0, moved = 0;
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
  }
  if (live != actors->live || swept != actors->swept || events != actors->unread_events)
    return false;
  if (updates != actors->unread_updates) return false;
  if (actors->dirty_count <= actors->dirty_cap && dirty != actors->dirty_count) return false;
  for (uint32_t i = 0; i < actors->dirty_count && actors->dirty_count <= actors->dirty_cap; i++) {
    if (!(actors->dirty[actors->dirty_slots[i]] & CL_DIRTY_CHANGED)) return false;
  }
  if (moved != actors->moved_count) return false;
  for (uint32_t i = 0; i < moved; i++) {
    if (!(actors->dirty[actors->moved_slots[i]] & CL_DIRTY_MOVED)) return false;
  }
  return memcmp(form, actors->kinds.form, sizeof form) == 0 && bounded == actors->kinds.bounded;
}

// The proxy of an actor that has not changed since.
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

// Pairs of slots, ascending, each of an actor that is live or is kept for its contacts.
static bool are_pairs_valid(const cl_actors *actors, const cl_pair *pair, size_t count, bool kept) {
  for (size_t i = 0; i < count; i++) {
    cl_pair p = pair[i];
    if (p.a >= p.b || p.b >= actors->count) return false;
    if (i > 0 && cl_pair_key(pair[i - 1]) >= cl_pair_key(p)) return false;
    bool a = actors->state[p.a] & CL_LIVE || actors->kept[p.a];
    bool b = actors->state[p.b] & CL_LIVE || actors->kept[p.b];
    if (kept && !(a && b)) return false;
  }
  return true;
}

static bool are_hits_valid(const cl_contact_list *contacts) {
  for (size_t i = 0; i < contacts->now.count; i++) {
    cl_hit hit = contacts->hit[i];
    if (!(fabs(hit.nx * hit.nx + hit.ny * hit.ny - 1) < 1e-9 && hit.depth >= 0)) return false;
    double t = contacts->any_time ? contacts->time[i] : -1;
    if (t != -1 && !(t >= 0 && t <= 1 && hit.depth == 0)) return false;
  }
  return true;
}

// Each event belongs to a contact, and they are in order.
static bool are_events_valid(const cl_io *io, const cl_contact_list *contacts) {
  if (io->leaves > io->events) return false;
  for (uint32_t e = 0; e < io->events; e++) {
    bool leave = e < io->leaves, first = e == 0 || e == io->leaves;
    size_t count = leave ? contacts->ended.count : contacts->now.count;
    if (io->event[e] >= count || (!first && io->event[e - 1] >= io->event[e])) return false;
    if (cl_event_of(io, e).calls == 0) return false;
  }
  return true;
}

static bool are_groups_valid(const cl_world *world) {
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    for (unsigned h = 0; h < g; h++) {
      if ((world->hits_with[g] >> h & 1) != (world->hits_with[h] >> g & 1)) return false;
    }
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
               io->event == contacts->event &&
               io->time == (contacts->any_time ? contacts->time : NULL);
  return shown && are_actors_valid(actors) && are_proxies_valid(world) &&
         are_pairs_valid(actors, contacts->now.pair, contacts->now.count, true) &&
         are_pairs_valid(actors, contacts->ended.pair, contacts->ended.count, true) &&
         are_pairs_valid(actors, world->candidates.at, world->candidates.count, false) &&
         are_hits_valid(contacts) && are_events_valid(io, contacts) && are_groups_valid(world) &&
         cl_movement_is_valid(world);
}
