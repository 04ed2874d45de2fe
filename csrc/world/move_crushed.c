// collide, MIT licence (see LICENSE)
//
// What a mover that could not be freed remembers, so that its next move needs no search while
// nothing near it has changed. An answer depends on what is compared here and on nothing else, so
// it is the same whether it is remembered or found again. Layer: world.

#include "cells/grid.h"
#include "world/mover.h"

// Another actor near the mover, with all of it that matters.
typedef struct seen {
  cl_shape *shape;  // a reference
  double at[4];     // its place and rotation
  uint64_t changes; // of the grid, for tiles
  uint32_t slot;
  uint8_t state;
} seen;

// `limited`: the limits of work may have decided; they are counted from `most`, which belongs to
// this `way`. Otherwise the way matters only by its reach, and that only beyond `least`.
struct cl_crushed {
  uint32_t slot;
  cl_shape *shape; // a reference
  double at[3];    // its place and angle
  cl_vec way;
  double reach, least;
  uint64_t groups;
  cl_response response;
  bool by_rules, limited;
  size_t most;
  cl_bounds box; // all that matters is in there
  size_t count, hits;
  cl_move_hit *hit; // behind `near`
  seen near[];
};

static size_t size_of(size_t count, size_t hits) {
  return sizeof(cl_crushed) + count * sizeof(seen) + hits * sizeof(cl_move_hit);
}

static void release(cl_crushed *c, const cl_alloc *alloc) {
  cl_shape_release(c->shape);
  for (size_t i = 0; i < c->count; i++) cl_shape_release(c->near[i].shape);
  cl_free(alloc, c, size_of(c->count, c->hits));
}

// The first memory with this slot or a later one.
static size_t find(const cl_movement *m, uint32_t slot) {
  size_t low = 0, high = m->crusheds;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (m->crushed[middle]->slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_at(const cl_movement *m, size_t at, uint32_t slot) {
  return at < m->crusheds && m->crushed[at]->slot == slot;
}

void cl_movement_forget_all(cl_movement *m, const cl_alloc *alloc) {
  if (!m) return;
  for (size_t i = 0; i < m->crusheds; i++) release(m->crushed[i], alloc);
  CL_FREE(alloc, m->crushed, m->crushed_cap);
  m->crushed = NULL;
  m->crusheds = m->crushed_cap = 0;
}

void cl_movement_forget(cl_movement *m, const cl_alloc *alloc, uint32_t slot) {
  size_t at = m ? find(m, slot) : 0;
  if (!m || !is_at(m, at, slot)) return;
  if (m->crusheds == 1) {
    cl_movement_forget_all(m, alloc);
    return;
  }
  release(m->crushed[at], alloc);
  m->crusheds--;
  memmove(&m->crushed[at], &m->crushed[at + 1], (m->crusheds - at) * sizeof *m->crushed);
}

// An actor as it is now, without a reference to its shape.
static seen see(cl_world *world, uint32_t slot) {
  cl_placed p = cl_actor_place(&world->actors, slot);
  cl_shape *shape = world->actors.shape[slot];
  return (seen){.shape = shape,
                .at = {p.x, p.y, p.rot.c, p.rot.s},
                .changes = shape->grid ? shape->grid->changes : 0,
                .slot = slot,
                .state = world->actors.state[slot]};
}

static bool is_same(const seen *a, const seen *b) {
  return a->slot == b->slot && a->state == b->state && a->shape == b->shape &&
         a->changes == b->changes && memcmp(a->at, b->at, sizeof a->at) == 0;
}

// Whether the mover, and what it asks for, are the same.
static bool is_same_move(const cl_world *world, const cl_crushed *c) {
  const cl_movement *m = world->movement;
  const cl_move_def *def = &m->def;
  const double at[3] = {def->x, def->y, def->angle}, reach = m->mover->reach;
  bool same_way = c->way.x == def->dx && c->way.y == def->dy;
  bool same_reach = reach == c->reach || (reach < c->least && c->reach < c->least);
  return !def->asks && !def->asks_sensors && def->response == c->response &&
         def->by_rules == c->by_rules && cl_move_filter(world, def->slot).groups == c->groups &&
         world->actors.shape[def->slot] == c->shape && memcmp(at, c->at, sizeof at) == 0 &&
         same_reach && (same_way || !c->limited);
}

// Whether everything near it is the same.
static cl_going are_same_near(cl_world *world, const cl_crushed *c, bool *same) {
  const cl_move_body *mover = world->movement->mover;
  const cl_found *found = &world->touched;
  *same = false;
  size_t most = 0;
  if (c->limited) {
    if (cl_move_list(world, mover, cl_move_ahead(mover)) != CL_GO) return CL_STUCK;
    most = found->count;
  }
  if (cl_move_list(world, mover, c->box) != CL_GO) return CL_STUCK;
  if (found->count > most) most = found->count;
  if (found->count != c->count || (c->limited && most != c->most)) return CL_GO;
  for (size_t i = 0; i < c->count; i++) {
    seen now = see(world, found->at[i]);
    if (!is_same(&now, &c->near[i])) return CL_GO;
  }
  *same = true;
  return CL_GO;
}

cl_going cl_move_recall(cl_world *world, bool *done) {
  cl_movement *m = world->movement;
  size_t at = find(m, m->def.slot);
  *done = false;
  if (!is_at(m, at, m->def.slot)) return CL_GO;
  const cl_crushed *c = m->crushed[at];
  bool same = is_same_move(world, c);
  if (same && are_same_near(world, c, &same) != CL_GO) return CL_STUCK;
  if (!same) {
    cl_movement_forget(m, &world->alloc, m->def.slot);
    return CL_GO;
  }
  if (CL_RESERVE(&world->alloc, m->hit, m->hit_cap, c->hits) != CL_OK) return CL_STUCK;
  memcpy(m->hit, c->hit, c->hits * sizeof *m->hit);
  m->hits = c->hits;
  m->moved[0] = (cl_moved){c->slot, {m->def.x, m->def.y}};
  *done = true;
  return CL_GO;
}

// Beyond rounding the smallest of the largest coordinates of what was found: a mover that reaches
// less far does not decide what counts as touching.
static double least_of(const cl_movement *m) {
  double least = INFINITY;
  for (size_t i = 0; i < m->nears; i++) least = cl_min(least, cl_bounds_largest(m->near[i].bounds));
  return least * (1 - 0x1p-40);
}

// Without memory nothing is remembered.
void cl_move_remember(cl_world *world, const cl_move_body *mover, cl_bounds box) {
  cl_movement *m = world->movement;
  const cl_move_def *def = &m->def;
  const cl_alloc *alloc = &world->alloc;
  if (mover != m->mover || def->asks || def->asks_sensors) return;
  cl_movement_forget(m, alloc, mover->slot);
  size_t most = m->most;
  if (CL_RESERVE(alloc, m->crushed, m->crushed_cap, m->crusheds + 1) != CL_OK) return;
  if (cl_move_list(world, mover, box) != CL_GO) return;
  const cl_found *found = &world->touched;
  cl_crushed *c = cl_new(alloc, size_of(found->count, m->hits));
  if (!c) return;
  *c = (cl_crushed){
      .slot = mover->slot,
      .shape = cl_shape_retain(world->actors.shape[mover->slot]),
      .at = {def->x, def->y, def->angle},
      .way = mover->way,
      .reach = mover->reach,
      .least = least_of(m),
      .groups = cl_move_filter(world, mover->slot).groups,
      .response = def->response,
      .by_rules = def->by_rules,
      .limited = m->gave_up || (double)m->spent > CL_MOVE_INSIDE_SHARE * CL_MOVE_WORK,
      .most = most,
      .box = box,
      .count = found->count,
      .hits = m->hits,
  };
  for (size_t i = 0; i < c->count; i++) {
    c->near[i] = see(world, found->at[i]);
    cl_shape_retain(c->near[i].shape);
  }
  c->hit = (cl_move_hit *)(void *)&c->near[c->count];
  memcpy(c->hit, m->hit, m->hits * sizeof *m->hit);
  size_t at = find(m, c->slot);
  memmove(&m->crushed[at + 1], &m->crushed[at], (m->crusheds - at) * sizeof *m->crushed);
  m->crushed[at] = c;
  m->crusheds++;
}

bool cl_movement_is_valid(const cl_world *world) {
  const cl_movement *m = world->movement;
  for (size_t i = 0; m && i < m->crusheds; i++) {
    const cl_crushed *c = m->crushed[i];
    bool ascends = i == 0 || m->crushed[i - 1]->slot < c->slot;
    if (!ascends || !cl_world_can_move(world, c->slot)) return false;
    if (c->hits == 0 || c->shape->references == 0) return false;
  }
  return true;
}
