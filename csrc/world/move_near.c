// collide, MIT licence (see LICENSE)
//
// Who a mover may meet, what each of them does to it, and where it fits between them.
// Layer: world.

#include <string.h>

#include "world/mover.h"

// Steps of a search back on the way: as many as a double has bits.
enum { HALVINGS = 54 };

cl_move_ask cl_move_about(const cl_move_body *mover, uint32_t other) {
  return (cl_move_ask){.mover = mover->slot, .other = other, .value = -1};
}

cl_placed cl_move_placed(cl_world *world, uint32_t slot) {
  const cl_movement *m = world->movement;
  for (int i = 0; i < m->movers; i++) {
    if (m->mover[i].slot == slot) return m->mover[i].placed;
  }
  cl_placed placed = cl_actor_place(&world->actors, slot);
  for (size_t i = 1; i < m->moves; i++) {
    if (m->moved[i].slot == slot) placed.x = m->moved[i].to.x, placed.y = m->moved[i].to.y;
  }
  return placed;
}

double cl_move_touch(const cl_move_body *mover, const cl_placed *other) {
  cl_placed start = mover->placed;
  start.x = mover->start.x;
  start.y = mover->start.y;
  return cl_touch_distance(&start, mover->way, other);
}

cl_bounds cl_move_bounds(const cl_move_body *m) {
  return cl_sweep_bounds(cl_placed_bounds(&m->placed), m->left);
}

bool cl_move_has_moved(const cl_movement *m, uint32_t slot) {
  for (int i = 0; i < m->movers; i++) {
    if (m->mover[i].slot == slot) return true;
  }
  for (size_t i = 1; i < m->moves; i++) {
    if (m->moved[i].slot == slot) return true;
  }
  return false;
}

static bool is_meant(const cl_world *world, const cl_move_body *mover, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  bool both = actors->state[slot] & actors->state[mover->slot] & CL_STATIC;
  return slot != mover->slot && !(world->movement->def.by_rules && both);
}

static cl_going add_near(cl_world *world, uint32_t slot) {
  cl_movement *m = world->movement;
  if (CL_RESERVE(&world->alloc, m->near, m->near_cap, m->nears + 1) != CL_OK) return CL_STUCK;
  size_t at = m->nears++;
  for (; at > 0 && m->near[at - 1] > slot; at--) m->near[at] = m->near[at - 1];
  m->near[at] = slot;
  return CL_GO;
}

// Whoever is on the way too is looked for where it is by now.
static cl_going add_moved(cl_world *world, const cl_move_body *mover, cl_bounds box, uint32_t slot,
                          uint64_t groups) {
  cl_placed placed = cl_move_placed(world, slot);
  cl_bounds bounds = cl_placed_bounds(&placed);
  bool near = groups >> world->actors.group[slot] & 1 && cl_bounds_touch(bounds, box);
  return near && is_meant(world, mover, slot) ? add_near(world, slot) : CL_GO;
}

cl_going cl_move_find(cl_world *world, const cl_move_body *mover, cl_bounds box) {
  cl_movement *m = world->movement;
  cl_filter filter = m->def.filter;
  if (m->def.by_rules) filter.groups = world->hits_with[world->actors.group[mover->slot]];
  cl_answers found;
  if (cl_world_query_bounds(world, box, filter, &found) != CL_OK) return CL_STUCK;
  if (CL_RESERVE(&world->alloc, m->near, m->near_cap, found.count + 1) != CL_OK) return CL_STUCK;
  m->nears = 0;
  for (size_t i = 0; i < found.count; i++) {
    uint32_t slot = found.at[i].slot;
    bool here = is_meant(world, mover, slot) && !cl_move_has_moved(m, slot);
    m->near[m->nears] = slot;
    m->nears += here;
  }
  cl_going going = CL_GO;
  for (int i = 0; i < m->movers && going == CL_GO; i++) {
    going = add_moved(world, mover, box, m->mover[i].slot, filter.groups);
  }
  for (size_t i = 1; i < m->moves && going == CL_GO; i++) {
    going = add_moved(world, mover, box, m->moved[i].slot, filter.groups);
  }
  return going;
}

static cl_move_known *find_known(const cl_movement *m, uint32_t mover, uint32_t other,
                                 int32_t value) {
  for (size_t i = 0; i < m->knowns; i++) {
    cl_move_known *k = &m->known[i];
    if (k->mover == mover && k->other == other && k->value == value) return k;
  }
  return NULL;
}

cl_going cl_move_know(cl_world *world, const cl_move_ask *about, cl_move_known **known) {
  cl_movement *m = world->movement;
  bool sensor = world->actors.state[about->other] & CL_SENSOR;
  // Where all cells do the same, one entry is for all of them.
  int32_t value = m->def.asks ? about->value : -1;
  *known = find_known(m, about->mover, about->other, value);
  if (*known) return CL_GO;
  if (CL_RESERVE(&world->alloc, m->known, m->known_cap, m->knowns + 1) != CL_OK) return CL_STUCK;
  if (sensor ? m->def.asks_sensors : m->def.asks) {
    *m->ask = *about;
    m->ask->sensor = sensor;
    return CL_ASKED;
  }
  *known = &m->known[m->knowns++];
  **known = (cl_move_known){about->mover, about->other, value,
                            sensor ? CL_RESPONSE_CROSS : (uint8_t)m->def.response, false};
  return CL_GO;
}

static bool is_passed(const cl_move_known *known) {
  return known->response == CL_RESPONSE_NONE ||
         (known->response == CL_RESPONSE_CROSS && known->reported);
}

bool cl_move_passes(cl_world *world, const cl_move_body *mover, uint32_t other, cl_values *values,
                    const cl_values **passes) {
  const cl_movement *m = world->movement;
  bool tiles = world->actors.shape[other]->kind == CL_TILES && m->def.asks;
  *passes = tiles ? values : NULL;
  if (tiles) memset(values, 0, sizeof *values);
  for (size_t i = 0; i < m->knowns; i++) {
    const cl_move_known *known = &m->known[i];
    if (known->mover != mover->slot || known->other != other || !is_passed(known)) continue;
    if (!tiles || known->value < 0) return true;
    cl_values_add(values, (unsigned)known->value);
  }
  return false;
}

const cl_one_way *cl_move_one_way(const cl_world *world, const cl_placed *start,
                                  const cl_placed *other, uint32_t slot, cl_one_way *rule) {
  if (!(world->actors.state[slot] & CL_ONE_WAY)) return NULL;
  *rule = (cl_one_way){cl_rot_apply(other->rot, (cl_vec){0, -1}), start};
  return rule;
}

// What is one-way pushes nobody out but by the skin, upwards.
static bool is_in_the_way(const cl_world *world, const cl_placed *other,
                          const cl_overlapped *found) {
  cl_one_way rule;
  if (!cl_move_one_way(world, NULL, other, found->slot, &rule)) return true;
  return found->hit.depth <= found->touch &&
         found->hit.nx * rule.up.x + found->hit.ny * rule.up.y >= CL_ONE_WAY_COSINE;
}

// Values that are crossed count as passed here, reported or not.
cl_going cl_move_overlap(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                         uint32_t slot, cl_overlapped *deepest) {
  cl_values values;
  const cl_values *passes;
  if (cl_move_passes(world, mover, slot, &values, &passes)) return CL_GO;
  cl_placed other = cl_move_placed(world, slot);
  cl_overlapped found = {.slot = slot, .touch = cl_move_touch(mover, &other)};
  while (cl_sweep_overlaps(placed, &other, passes) &&
         cl_sweep_way_out(placed, &other, passes, &found.hit, &found.value)) {
    cl_move_known *known;
    cl_move_ask about = cl_move_about(mover, slot);
    about.value = found.value;
    cl_going going = cl_move_know(world, &about, &known);
    if (going != CL_GO) return going;
    if (cl_move_stops(known->response)) {
      if (found.hit.depth > deepest->hit.depth && is_in_the_way(world, &other, &found))
        *deepest = found;
      return CL_GO;
    }
    if (!passes || found.value < 0) return CL_GO;
    cl_values_add(&values, (unsigned)found.value);
  }
  return CL_GO;
}

cl_going cl_move_overlapped(cl_world *world, const cl_move_body *mover, cl_vec at,
                            cl_overlapped *out) {
  const cl_movement *m = world->movement;
  cl_placed placed = mover->placed;
  placed.x = at.x;
  placed.y = at.y;
  out->hit.depth = -1;
  cl_going going = CL_GO;
  for (size_t i = 0; i < m->nears && going == CL_GO; i++) {
    going = cl_move_overlap(world, mover, &placed, m->near[i], out);
  }
  return going;
}

// The last free place on the way from where the mover is.
static cl_going search_back(cl_world *world, cl_move_body *mover, cl_vec to) {
  cl_vec from = {mover->placed.x, mover->placed.y}, best = from, way = cl_vec_sub(to, from);
  double low = 0, high = 1;
  for (int i = 0; i < HALVINGS; i++) {
    double t = (low + high) / 2;
    cl_vec at = cl_vec_add(from, cl_vec_mul(way, t));
    cl_overlapped found;
    cl_going going = cl_move_overlapped(world, mover, at, &found);
    if (going != CL_GO) return going;
    if (found.hit.depth >= 0) high = t;
    else low = t, best = at;
  }
  mover->placed.x = best.x;
  mover->placed.y = best.y;
  return CL_GO;
}

// Rounding leaves a place within the skin of where it should be, so as a rule one or two
// pushes of some units in the last place free the mover.
cl_going cl_move_settle(cl_world *world, cl_move_body *mover, cl_vec to) {
  cl_vec at = to;
  for (int i = 0; i < 4 * CL_MOVE_PUSHES; i++) {
    cl_overlapped found;
    cl_going going = cl_move_overlapped(world, mover, at, &found);
    if (going != CL_GO) return going;
    if (found.hit.depth < 0) {
      mover->placed.x = at.x;
      mover->placed.y = at.y;
      return CL_GO;
    }
    double depth = found.hit.depth + i * found.touch / 1024;
    at.x += found.hit.nx * depth;
    at.y += found.hit.ny * depth;
    if (cl_vec_length(cl_vec_sub(at, to)) > found.touch) break;
  }
  return search_back(world, mover, to);
}

cl_going cl_move_report(cl_world *world, const cl_move_body *mover, const cl_move_hit *hit) {
  cl_movement *m = world->movement;
  if (mover != m->mover) return CL_GO;
  if (CL_RESERVE(&world->alloc, m->hit, m->hit_cap, m->hits + 1) != CL_OK) return CL_STUCK;
  m->hit[m->hits++] = *hit;
  return CL_GO;
}
