// collide, MIT licence (see LICENSE)
//
// What is around movers. A game moves the same actors each frame, by little, among static ones. So
// the rectangles found in a box larger than a mover's way are kept for its next moves, as long as
// these stay in that box and nothing static has changed. Layer: world.
//
// A list is made only if a mover moves again: its first move after a change is noted, and only the
// second one looks around. The lists are in a table by slots, in which a mover may lose its place
// to another. No answer depends on any of this.

#include "world/move.h"

// Most rectangles in a list, and most lists in a table, which begins with fewer.
enum { MOST = 8, LISTS = 1024, FIRST_LISTS = 64 };

// How much larger the box is than the way's box, as a fraction of the larger side of the latter.
static const double MARGIN = 1;

// What is known: only that there was a move, a list, or that no list is possible for the box.
typedef enum knowing { ASKED, LISTED, UNLISTED } knowing;

// The static actors of some groups in a box. `map` is the slot of the one map near the box, or
// CL_NOBODY, and `changes` counts those of its grid. `touch` of a rectangle does not include the
// mover's reach.
struct cl_around {
  uint32_t slot, map;
  uint64_t groups, static_version, changes, steps;
  cl_bounds box;
  knowing is;
  uint32_t count;
  cl_obstacle at[MOST];
};

void cl_arounds_free(cl_movement *m, const cl_alloc *alloc) {
  CL_FREE(alloc, m->around, m->arounds);
  m->around = NULL;
  m->arounds = 0;
}

void cl_arounds_forget(cl_movement *m) {
  for (size_t i = 0; i < m->arounds; i++) m->around[i].slot = CL_NOBODY;
}

static bool make_table(cl_movement *m, size_t count) {
  const cl_alloc *alloc = &m->world->alloc;
  cl_around *table = cl_new_array(alloc, count, sizeof *table);
  if (!table) return false;
  cl_arounds_free(m, alloc);
  m->around = table;
  m->arounds = count;
  cl_arounds_forget(m);
  return true;
}

// The entry of a mover in the table. NULL if another mover uses it and the table cannot grow.
static cl_around *place_of(cl_movement *m, uint32_t slot) {
  const cl_world *world = m->world;
  if (m->arounds == 0 && !make_table(m, FIRST_LISTS)) return NULL;
  cl_around *a = &m->around[slot & (m->arounds - 1)];
  bool in_use = a->slot != slot && a->slot != CL_NOBODY &&
                a->static_version == world->actors.static_version && a->steps + 1 >= world->steps;
  if (in_use && (m->arounds == LISTS || !make_table(m, 2 * m->arounds))) return NULL;
  return in_use ? place_of(m, slot) : a;
}

// Whether the mover is the only one, only static actors with valid proxies may be near it, and it
// ignores none of them.
static bool is_among_statics(const cl_movement *m, const cl_body *mover, uint64_t groups) {
  const cl_actors *actors = &m->world->actors;
  const cl_proxies *proxies = &m->world->proxies;
  return proxies->current && actors->dirty_count == 0 && proxies->groups_known &&
         !(proxies->tree[CL_MOVERS].groups & groups) && m->movers == 1 && m->moves == 1 &&
         m->def.filter.count == 0 && m->def.through == 0 && actors->ignoring[mover->slot] == 0 &&
         !(actors->state[mover->slot] & CL_STATIC);
}

static uint64_t changes_of(const cl_movement *m, uint32_t map) {
  return map == CL_NOBODY ? 0 : m->world->actors.shape[map]->grid->changes;
}

// Whether the conditions of a list still hold; otherwise makes it an empty list with the present
// ones.
static bool is_same(const cl_movement *m, cl_around *a, uint32_t slot, uint64_t groups) {
  uint64_t version = m->world->actors.static_version;
  a->steps = m->world->steps;
  if (a->slot == slot && a->groups == groups && a->static_version == version &&
      (a->is == ASKED || a->changes == changes_of(m, a->map)))
    return true;
  a->slot = slot, a->groups = groups, a->static_version = version;
  a->is = ASKED;
  return false;
}

// Lists what is around a box, if that is a few rectangles.
static void look_around(cl_movement *m, const cl_body *mover, cl_bounds box, cl_around *a) {
  const cl_actors *actors = &m->world->actors;
  const cl_found *found = &m->world->touched;
  size_t most = m->most;
  uint32_t maps = 0;
  cl_body nowhere = *mover;
  nowhere.reach = 0;
  a->box = cl_bounds_grown(box, MARGIN * cl_max(box.r - box.l, box.b - box.t));
  cl_move_find(m, &nowhere, a->box);
  m->most = most;
  a->map = CL_NOBODY;
  for (size_t i = 0; i < found->count; i++)
    if (actors->shape[found->at[i]]->kind == CL_TILES) a->map = found->at[i], maps++;
  a->changes = changes_of(m, a->map);
  a->is = !m->halted && m->is_plain && m->nears <= MOST && maps <= 1 ? LISTED : UNLISTED;
  a->count = a->is == LISTED ? (uint32_t)m->nears : 0;
  for (uint32_t i = 0; i < a->count; i++) a->at[i] = m->near[i];
}

// Notes the map there, if the host may write to its cells.
static bool note_map(cl_movement *m, uint32_t map) {
  m->maps = 0;
  if (!m->def.responder || map == CL_NOBODY) return true;
  if (!cl_move_check(m, CL_RESERVE(&m->world->alloc, m->map, m->map_cap, 1))) return false;
  m->map[m->maps++] = map;
  return true;
}

// Lists what is near, as cl_move_find does, if it is known from before; otherwise returns false.
static bool recall_near(cl_movement *m, const cl_body *mover, cl_bounds box) {
  uint64_t groups = cl_move_filter(m, mover->slot).groups;
  if (m->was_plain || !cl_move_may_be_plain(m, mover)) return false;
  if (!is_among_statics(m, mover, groups)) return false;
  cl_around *a = place_of(m, mover->slot);
  if (!a || !is_same(m, a, mover->slot, groups)) return false;
  if (a->is == ASKED || !cl_bounds_cover(a->box, box)) look_around(m, mover, box, a);
  if (a->is == UNLISTED || m->halted) return false;
  cl_status status = CL_RESERVE(&m->world->alloc, m->near, m->near_cap, MOST);
  if (!cl_move_check(m, status) || !note_map(m, a->map)) return false;
  double touch = CL_TOUCH_SHARE * mover->reach;
  m->near_box = box;
  m->nears = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!cl_bounds_touch(a->at[i].bounds, box)) continue;
    cl_obstacle *o = &m->near[m->nears++];
    *o = a->at[i];
    o->touch = cl_max(o->touch, touch);
  }
  if (m->most == 0) m->most = 1;
  m->world->changes++;
  m->is_plain = m->is_recalled = true;
  return true;
}

void cl_move_look_ahead(cl_movement *m, cl_body *mover) {
  cl_bounds bounds = cl_sweep_bounds(cl_body_bounds(mover), mover->left);
  mover->is_ahead = true;
  if (m->is_near_known && cl_bounds_cover(m->near_box, bounds)) return;
  cl_bounds box = cl_bounds_grown(bounds, CL_MOVE_MARGIN * mover->reach);
  if (!recall_near(m, mover, box)) cl_move_find(m, mover, box);
  m->is_near_known = true;
}

void cl_move_leave_plain(cl_movement *m, cl_body *mover) {
  if (!m->is_plain || (mover->is_box && !m->is_recalled)) return;
  m->was_plain = true;
  m->is_near_known = false;
  cl_move_find_ahead(m, mover);
}
