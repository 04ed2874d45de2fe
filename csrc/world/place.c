// collide, MIT licence (see LICENSE)
//
// Placing: every live actor's shape where it stands, with its bounds. Layer: world.

#include "world/state.h"

// Where actors are: arrays by slot.
typedef struct places {
  const double *x, *y, *angle;
} places;

static places present(const cl_actors *actors) {
  return (places){actors->x, actors->y, actors->angle};
}

static cl_status reserve(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  cl_placing *placing = &world->placing;
  size_t live = world->actors.live;
  cl_status status = CL_RESERVE(alloc, placing->slot, placing->slot_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->form, placing->form_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->fixed, placing->fixed_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->box, placing->box_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->bounds, placing->bounds_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->placed, placing->placed_cap, live);
  return status;
}

static cl_rot rotation(cl_actors *actors, uint32_t slot, double angle) {
  const cl_rot none = {1, 0};
  if (angle == 0 || actors->shape[slot]->flags & CL_SHAPE_UPRIGHT) return none;
  if (angle != actors->turned[slot]) {
    actors->turned[slot] = angle;
    actors->rot[slot] = cl_rot_of(angle);
  }
  return actors->rot[slot];
}

static cl_placed place(cl_actors *actors, places at, uint32_t slot) {
  cl_rot rot = rotation(actors, slot, at.angle[slot]);
  return (cl_placed){actors->shape[slot], at.x[slot], at.y[slot], rot};
}

static uint8_t form_of(const cl_placed *placed) {
  if (placed->shape->kind == CL_CIRCLE) return CL_FORM_CIRCLE;
  bool box = placed->shape->kind == CL_RECTANGLE && cl_rot_is_none(placed->rot);
  return box ? CL_FORM_BOX : CL_FORM_OTHER;
}

// An upright rectangle's bounds are sums, anything else's take some looking.
static cl_bounds bounds_of(const cl_placed *placed, uint8_t form) {
  cl_bounds bounds = placed->shape->bounds;
  if (form == CL_FORM_BOX) {
    return (cl_bounds){placed->x + bounds.l, placed->y + bounds.t, placed->x + bounds.r,
                       placed->y + bounds.b};
  }
  cl_placed_bounds(placed, &bounds);
  return bounds;
}

static cl_status place_all(cl_world *world, places at) {
  cl_actors *actors = &world->actors;
  cl_placing *placing = &world->placing;
  placing->current = placing->indexed = placing->latticed = false;
  cl_status status = reserve(world);
  if (status != CL_OK) return status;
  uint32_t n = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    cl_placed placed = place(actors, at, slot);
    uint8_t form = form_of(&placed);
    cl_bounds bounds = bounds_of(&placed, form);
    placing->slot[n] = slot;
    placing->fixed[n] = (actors->state[slot] & CL_STATIC) != 0;
    placing->form[n] = form;
    placing->box[n] = cl_fbox_of(bounds.l, bounds.t, bounds.r, bounds.b);
    placing->bounds[n] = bounds;
    placing->placed[n] = placed;
    n++;
  }
  placing->count = n;
  return CL_OK;
}

cl_status cl_place_next(cl_world *world) {
  cl_actors *actors = &world->actors;
  return place_all(world, (places){actors->next_x, actors->next_y, actors->next_angle});
}

cl_status cl_place_present(cl_world *world) {
  cl_status status = place_all(world, present(&world->actors));
  if (status == CL_OK) cl_place_settled(world);
  return status;
}

void cl_place_settled(cl_world *world) {
  cl_actors *actors = &world->actors;
  for (uint32_t i = 0; i < actors->stray_count; i++) actors->stray[actors->strays[i]] = 0;
  actors->stray_count = 0;
  world->placing.current = true;
}

cl_placed cl_place_actor(cl_world *world, uint32_t slot) {
  return place(&world->actors, present(&world->actors), slot);
}
