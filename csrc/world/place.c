// collide, MIT licence (see LICENSE)
//
// Placing: the bounds of every live actor at its place. They usually come from its kind alone; a
// rotated shape needs more work. In a step the broad phase reads the bounds while they are in the
// processor's first cache. Layer: world.

#include "base/work.h"
#include "geom/box.h"
#include "narrow/sat.h"
#include "world/step.h"
#include "world/swept.h"

// The places of actors: arrays by slot. The angles are NULL in worlds where no actor has one.
typedef struct places {
  const cl_vec *at;
  const double *angle;
} places;

// How many actors are placed before they are handed on.
enum { TOGETHER = 64 };

// A shape is one block of memory; with few vertices it is no larger than this.
enum { SMALL_SHAPE = sizeof(cl_shape) + sizeof(cl_part) + 4 * CL_BLOCK_MANY * sizeof(double) };

// Whether the kinds have the bounds of all actors.
static bool is_simple(const cl_actors *actors) {
  return !actors->angle && actors->kinds.bounded == actors->live;
}

static cl_status reserve(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  cl_proxies *proxies = &world->proxies;
  const cl_actors *actors = &world->actors;
  cl_status status = CL_RESERVE(alloc, proxies->slot, proxies->slot_cap, actors->live);
  if (status == CL_OK) status = CL_RESERVE(alloc, proxies->fixed, proxies->fixed_cap, actors->live);
  if (status == CL_OK) status = CL_RESERVE(alloc, proxies->box, proxies->box_cap, actors->live);
  if (status == CL_OK && actors->swept > 0) {
    status = CL_RESERVE(alloc, proxies->way, proxies->way_cap, actors->live);
  }
  if (status != CL_OK || is_simple(actors)) return status;
  return CL_RESERVE(alloc, proxies->block, proxies->block_cap, actors->count);
}

// Prefetches shapes: placing one reads all of it.
static void ask_for_shapes(const cl_actors *actors, const uint32_t *slots, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    const char *shape = (const char *)actors->shape[slots[k]];
    for (size_t i = 0; i < SMALL_SHAPE; i += 64) CL_WILL_READ(shape + i);
  }
}

// Computes the rotations by angles that have changed, many at once.
static void update_rotations(cl_actors *actors, const double *angle, const uint32_t *slots,
                             uint32_t count) {
  uint32_t slot[TOGETHER] = {0}, n = 0;
  double angles[TOGETHER] = {0}, sine[TOGETHER], cosine[TOGETHER];
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = slots[k];
    slot[n] = i;
    angles[n] = angle[i];
    n += angle[i] != actors->rot_angle[i];
  }
  cl_sincos_all(angles, n, sine, cosine);
  for (uint32_t k = 0; k < n; k++) {
    actors->rot_angle[slot[k]] = angles[k];
    actors->rot[slot[k]] = (cl_rot){cosine[k], sine[k]};
  }
}

// A rotated rectangle is placed by its vertices; a circle that turns about its actor is read each
// time that it is tested.
static uint8_t form_of(const cl_placed *placed) {
  const cl_shape *shape = placed->shape;
  if (cl_placed_is_one_box(placed)) return CL_FORM_BOX;
  if (!cl_has_block(shape)) return CL_FORM_OTHER;
  return cl_has_few(shape) ? CL_FORM_FEW : CL_FORM_MANY;
}

// A block for one more shape: `size` doubles after a head that has the reach. NULL when out of
// memory.
static double *next_block(cl_world *world, double **blocks, size_t *cap, uint32_t *used,
                          double reach, size_t size) {
  size += CL_BLOCK_HEAD;
  size_t from = *used * size;
  if (from + size > *cap && CL_RESERVE(&world->alloc, *blocks, *cap, from + size) != CL_OK) {
    return NULL;
  }
  (*used)++;
  (*blocks)[from] = reach;
  return *blocks + from + CL_BLOCK_HEAD;
}

// Places the vertices of a shape as the next block of its form.
static cl_status place_few(cl_world *world, uint32_t slot, const cl_placed *placed, cl_used *used,
                           cl_bounds *bounds) {
  cl_proxies *proxies = &world->proxies;
  proxies->block[slot] = used->few;
  double *block = next_block(world, &proxies->few, &proxies->few_cap, &used->few,
                             placed->shape->parts->reach, CL_BLOCK(CL_BLOCK_FEW));
  if (!block) return CL_NOMEM;
  CL_BEST(cl_place_block)(placed, CL_BLOCK_FEW, block, bounds);
  return CL_OK;
}

static cl_status place_many(cl_world *world, uint32_t slot, const cl_placed *placed, cl_used *used,
                            cl_bounds *bounds) {
  cl_proxies *proxies = &world->proxies;
  proxies->block[slot] = used->many;
  double *block = next_block(world, &proxies->many, &proxies->many_cap, &used->many,
                             placed->shape->parts->reach, CL_BLOCK(CL_BLOCK_MANY));
  if (!block) return CL_NOMEM;
  CL_BEST(cl_place_block)(placed, CL_BLOCK_MANY, block, bounds);
  return CL_OK;
}

static cl_status place_one(cl_world *world, places to, uint32_t slot, cl_used *used, cl_fbox *box) {
  cl_actors *actors = &world->actors;
  cl_placed placed = cl_actor_placed(actors, slot, to.at == actors->place);
  cl_status status = CL_OK;
  cl_bounds bounds;
  uint8_t form = actors->kind[slot] < CL_KINDS_ANY ? CL_FORM_OTHER : form_of(&placed);
  switch (form) {
  case CL_FORM_FEW: status = place_few(world, slot, &placed, used, &bounds); break;
  case CL_FORM_MANY: status = place_many(world, slot, &placed, used, &bounds); break;
  default: bounds = cl_placed_bounds(&placed);
  }
  if (status != CL_OK) return status;
  actors->form[slot] = form;
  *box = cl_fbox_of(bounds.l, bounds.t, bounds.r, bounds.b);
  return CL_OK;
}

// Places those with the numbers `from` to `to` (not included), of a list if there is one.
CL_INLINE void place_run(const cl_world *world, const cl_vec *at, const uint32_t *list,
                         const uint32_t *slot, uint32_t from, uint32_t to) {
  const cl_kind *kinds = world->actors.kinds.at;
  const uint32_t *kind = world->actors.kind;
  cl_fbox *box = world->proxies.box;
  for (uint32_t k = from; k < to; k++) {
    uint32_t n = list ? list[k] : k, s = slot ? slot[n] : n;
    cl_kind_box(&kinds[kind[s]], &at[s], &box[n]);
  }
}

// Usually all actors move, and numbers are slots.
static void place_all_simple(const cl_world *world, const cl_vec *at, const uint32_t *list,
                             uint32_t from, uint32_t to) {
  const uint32_t *slot = world->proxies.slot;
  if (list) place_run(world, at, list, slot, from, to);
  else if (world->actors.live < world->actors.count) place_run(world, at, NULL, slot, from, to);
  else place_run(world, at, NULL, NULL, from, to);
}

// First those with bounds known by their kinds, then the others, so that no branch depends on the
// next actor.
static cl_status place_mixed(cl_world *world, places to, const uint32_t *list, uint32_t from,
                             uint32_t end, cl_used *used) {
  cl_actors *actors = &world->actors;
  const cl_proxies *proxies = &world->proxies;
  const cl_kind *kinds = actors->kinds.at;
  uint32_t simple[TOGETHER], other[TOGETHER], other_slot[TOGETHER], simples = 0, others = 0;
  for (uint32_t k = from; k < end; k++) {
    uint32_t n = list ? list[k] : k, slot = proxies->slot[n];
    const cl_kind *kind = &kinds[actors->kind[slot]];
    bool rotated = to.angle && ((to.angle[slot] != 0) & kind->rotates);
    bool is = kind->bounded & !rotated;
    actors->form[slot] = kind->form;
    proxies->block[slot] = CL_NO_BLOCK;
    simple[simples] = n;
    simples += is;
    other[others] = n;
    other_slot[others] = slot;
    others += !is;
  }
  ask_for_shapes(actors, other_slot, others);
  for (uint32_t i = 0; i < simples; i++) {
    uint32_t n = simple[i], slot = proxies->slot[n];
    cl_kind_box(&kinds[actors->kind[slot]], &to.at[slot], &proxies->box[n]);
  }
  if (to.angle) update_rotations(actors, to.angle, other_slot, others);
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < others && status == CL_OK; i++) {
    status = place_one(world, to, other_slot[i], used, &proxies->box[other[i]]);
  }
  return status;
}

static cl_status place_some(cl_world *world, places to, const uint32_t *list, uint32_t from,
                            uint32_t end, cl_used *used) {
  cl_status status = CL_OK;
  if (is_simple(&world->actors)) place_all_simple(world, to.at, list, from, end);
  else status = place_mixed(world, to, list, from, end, used);
  if (status == CL_OK && world->actors.swept > 0) cl_swept_place(world, to.at, list, from, end);
  return status;
}

static cl_status list_movers(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  uint32_t fixed = 0, movers = 0, last = proxies->count;
  for (uint32_t n = 0; n < proxies->count; n++) fixed += proxies->fixed[n];
  proxies->movers = proxies->count - fixed;
  if (fixed == 0) return CL_OK;
  cl_status status =
      CL_RESERVE(&world->alloc, proxies->listed, proxies->listed_cap, proxies->count);
  if (status != CL_OK) return status;
  for (uint32_t n = 0; n < proxies->count; n++) {
    if (proxies->fixed[n]) proxies->listed[--last] = n;
    else proxies->listed[movers++] = n;
  }
  return CL_OK;
}

// Lists the actors to place, and which of them move.
static cl_status list_all(cl_world *world) {
  cl_actors *actors = &world->actors;
  cl_proxies *proxies = &world->proxies;
  uint32_t n = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    proxies->slot[n] = slot;
    proxies->fixed[n++] = (actors->state[slot] & CL_STATIC) != 0;
  }
  proxies->count = n;
  return list_movers(world);
}

static cl_status place_fixed(cl_world *world, places to) {
  cl_proxies *proxies = &world->proxies;
  cl_status status = CL_OK;
  proxies->fixed_used = (cl_used){0, 0};
  for (uint32_t k = proxies->movers; k < proxies->count && status == CL_OK; k += TOGETHER) {
    uint32_t end = proxies->count - k < TOGETHER ? proxies->count : k + TOGETHER;
    status = place_some(world, to, proxies->listed, k, end, &proxies->fixed_used);
  }
  return status;
}

cl_broad_input cl_proxies_input(const cl_world *world) {
  const cl_proxies *proxies = &world->proxies;
  return (cl_broad_input){
      .box = world->actors.swept > 0 ? proxies->way : proxies->box,
      .fixed = proxies->movers < proxies->count ? proxies->fixed : NULL,
      .count = proxies->count,
      .order = proxies->order,
      .static_version = proxies->static_version,
  };
}

cl_bounds cl_proxy_bounds(const cl_world *world, uint32_t number) {
  const cl_actors *actors = &world->actors;
  uint32_t slot = world->proxies.slot[number];
  const cl_kind *kind = &actors->kinds.at[actors->kind[slot]];
  cl_placed placed = cl_proxy_placed(world, number);
  cl_bounds b;
  if (kind->bounded && cl_rot_is_none(placed.rot)) {
    double x = placed.x + kind->o[0], y = placed.y + kind->o[1];
    b = (cl_bounds){x + kind->lt[0], y + kind->lt[1], x + kind->rb[0], y + kind->rb[1]};
  } else {
    b = cl_placed_bounds(&placed);
  }
  return cl_bounds_grown(b, 4 * CL_ROUND * cl_bounds_largest(b));
}

// With `broad`, the broad phase takes the boxes while they are placed.
static cl_status place_movers(cl_world *world, places to, bool broad) {
  cl_proxies *proxies = &world->proxies;
  const cl_broad_class *class = world->broad->class;
  const uint32_t *list = proxies->movers < proxies->count ? proxies->listed : NULL;
  cl_broad_input in = cl_proxies_input(world);
  cl_used used = proxies->fixed_used;
  cl_status status = broad ? class->begin(world->broad, &in) : CL_OK;
  CL_WORK(5 * (uint64_t)proxies->movers);
  for (uint32_t k = 0; k < proxies->movers && status == CL_OK; k += TOGETHER) {
    uint32_t end = proxies->movers - k < TOGETHER ? proxies->movers : k + TOGETHER;
    status = place_some(world, to, list, k, end, &used);
    if (broad && status == CL_OK) class->take(world->broad, &in, k, end);
  }
  return status;
}

static cl_status place_all(cl_world *world, places to, bool broad) {
  cl_proxies *proxies = &world->proxies;
  cl_swept_note_statics(world);
  uint64_t order = world->actors.order, static_version = world->actors.static_version;
  proxies->current = proxies->moving_made = proxies->groups_known = false;
  proxies->ray_grid_tried = proxies->ray_grid_passed = false;
  proxies->is_fine = proxies->fine_for > 0;
  proxies->fine_for -= proxies->is_fine;
  cl_status status = reserve(world);
  if (status != CL_OK) return status;
  bool ways = world->actors.swept > 0;
  if (proxies->order != order || proxies->static_version != static_version ||
      proxies->with_ways != ways) {
    proxies->order = 0;
    status = list_all(world);
    if (status == CL_OK) status = place_fixed(world, to);
    if (status != CL_OK) return status;
    proxies->order = order;
    proxies->static_version = static_version;
    proxies->with_ways = ways;
  }
  return place_movers(world, to, broad);
}

cl_status cl_proxies_place_next(cl_world *world) {
  const cl_actors *actors = &world->actors;
  bool broad = world->broad->class->begin != NULL;
  return place_all(world, (places){actors->next, actors->next_angle}, broad);
}

cl_status cl_proxies_place_present(cl_world *world) {
  const cl_actors *actors = &world->actors;
  cl_status status = place_all(world, (places){actors->place, actors->angle}, false);
  if (status == CL_OK) cl_proxies_set_current(world);
  return status;
}

void cl_proxies_set_current(cl_world *world) {
  cl_actors_clear_dirty(&world->actors);
  world->proxies.current = true;
}
