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
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->extent, placing->extent_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->corner, placing->corner_cap, live);
  if (status == CL_OK) status = CL_RESERVE(alloc, placing->listed, placing->listed_cap, live);
  return status;
}

// So many actors are turned, then placed.
enum { TOGETHER = 64 };

// A shape is one block of memory; one of few vertices is no larger than this.
enum { SMALL_SHAPE = sizeof(cl_shape) + sizeof(cl_part) + 4 * CL_AXES * sizeof(double) };

// Works out the rotations by angles that have changed, many at once, and asks for the
// shapes that turn: to place one takes all that it is made of.
static void turn(cl_actors *actors, const double *angle, const cl_placing *placing,
                 const uint32_t *number, uint32_t count) {
  uint32_t slot[TOGETHER], n = 0;
  double turned[TOGETHER] = {0}, sine[TOGETHER], cosine[TOGETHER];
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = placing->slot[number[k]];
    slot[n] = i;
    turned[n] = angle[i];
    n += angle[i] != actors->turned[i];
  }
  for (uint32_t k = 0; k < n; k++) {
    const char *shape = (const char *)actors->shape[slot[k]];
    for (size_t i = 0; i < SMALL_SHAPE; i += 64) CL_WILL_READ(shape + i);
  }
  cl_sincos_all(turned, n, sine, cosine);
  for (uint32_t k = 0; k < n; k++) {
    actors->turned[slot[k]] = turned[k];
    actors->rot[slot[k]] = (cl_rot){cosine[k], sine[k]};
  }
}

// The rotation must be that of the angle.
static void place(const cl_actors *actors, places at, uint32_t slot, cl_placed *out) {
  out->shape = actors->shape[slot];
  out->x = at.x[slot];
  out->y = at.y[slot];
  bool upright = at.angle[slot] == 0 || (out->shape->flags & CL_SHAPE_UPRIGHT);
  out->rot = upright ? (cl_rot){1, 0} : actors->rot[slot];
}

static uint8_t form_of(const cl_placed *placed) {
  const cl_shape *shape = placed->shape;
  if (shape->kind == CL_CIRCLE) return CL_FORM_CIRCLE;
  if (shape->kind == CL_RECTANGLE && cl_rot_is_none(placed->rot)) return CL_FORM_BOX;
  if (!cl_has_corners(shape)) return CL_FORM_OTHER;
  return cl_has_few(shape) ? CL_FORM_FEW : CL_FORM_CORNERS;
}

// A block for one shape more, few or many doubles; NULL without memory.
static double *next_block(cl_world *world, double **blocks, size_t *cap, uint32_t *used,
                          size_t size) {
  size_t from = *used * size;
  if (from + size > *cap && CL_RESERVE(&world->alloc, *blocks, *cap, from + size) != CL_OK) {
    return NULL;
  }
  (*used)++;
  return *blocks + from;
}

// Places the corners of the n-th shape as the next block of its form.
static cl_status place_few(cl_world *world, uint32_t n, const cl_placed *placed, cl_used *used,
                           cl_bounds *bounds) {
  cl_placing *placing = &world->placing;
  placing->corner[n] = used->few;
  double *block = next_block(world, &placing->few, &placing->few_cap, &used->few, CL_BLOCK(CL_FEW));
  if (!block) return CL_NOMEM;
  cl_corners_place_few(placed, cl_has_avx2(), block, bounds);
  return CL_OK;
}

static cl_status place_corners(cl_world *world, uint32_t n, const cl_placed *placed, cl_used *used,
                               cl_bounds *bounds) {
  cl_placing *placing = &world->placing;
  placing->corner[n] = used->corners;
  double *block = next_block(world, &placing->corners, &placing->corners_cap, &used->corners,
                             CL_BLOCK(CL_AXES));
  if (!block) return CL_NOMEM;
  cl_corners_place(placed, cl_has_avx2(), block, bounds);
  return CL_OK;
}

// The bounds of a box or circle, and where it is for the tests.
static cl_bounds box_bounds(const cl_placed *p, cl_extent *extent) {
  const cl_bounds *b = &p->shape->bounds;
  return extent->box = (cl_bounds){p->x + b->l, p->y + b->t, p->x + b->r, p->y + b->b};
}

static cl_bounds circle_bounds(const cl_placed *p, cl_extent *extent) {
  cl_vec v = cl_placed_vertex(p, 0);
  double r = p->shape->radius;
  extent->circle = (cl_disc){v.x, v.y, r};
  return (cl_bounds){v.x - r, v.y - r, v.x + r, v.y + r};
}

static cl_status place_one(cl_world *world, places at, uint32_t n, cl_used *used) {
  cl_placing *placing = &world->placing;
  cl_placed placed;
  cl_status status = CL_OK;
  cl_bounds bounds;
  place(&world->actors, at, placing->slot[n], &placed);
  uint8_t form = form_of(&placed);
  switch (form) {
  case CL_FORM_BOX: bounds = box_bounds(&placed, &placing->extent[n]); break;
  case CL_FORM_CIRCLE: bounds = circle_bounds(&placed, &placing->extent[n]); break;
  case CL_FORM_FEW: status = place_few(world, n, &placed, used, &bounds); break;
  case CL_FORM_CORNERS: status = place_corners(world, n, &placed, used, &bounds); break;
  default: cl_placed_bounds(&placed, &bounds);
  }
  if (status != CL_OK) return status;
  placing->form[n] = form;
  placing->forms |= 1u << form;
  placing->box[n] = cl_fbox_of(bounds.l, bounds.t, bounds.r, bounds.b);
  return CL_OK;
}

// Places those with the numbers `from` to `to` (not included) in the list.
static cl_status place_listed(cl_world *world, places at, uint32_t from, uint32_t to,
                              cl_used *used) {
  const uint32_t *listed = world->placing.listed;
  for (uint32_t k = from; k < to; k++) {
    if ((k - from) % TOGETHER == 0) {
      uint32_t left = to - k;
      turn(&world->actors, at.angle, &world->placing, listed + k,
           left < TOGETHER ? left : TOGETHER);
    }
    cl_status status = place_one(world, at, listed[k], used);
    if (status != CL_OK) return status;
  }
  return CL_OK;
}

// Who is to be placed, and which of them move.
static void list_all(cl_world *world) {
  cl_actors *actors = &world->actors;
  cl_placing *placing = &world->placing;
  uint32_t n = 0, movers = 0, last = actors->live;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    bool fixed = (actors->state[slot] & CL_STATIC) != 0;
    placing->slot[n] = slot;
    placing->fixed[n] = fixed;
    if (fixed) placing->listed[--last] = n++;
    else placing->listed[movers++] = n++;
  }
  placing->count = n;
  placing->movers = movers;
}

static cl_status place_all(cl_world *world, places at) {
  cl_placing *placing = &world->placing;
  uint64_t order = world->actors.order, still = world->actors.still;
  placing->current = placing->bvh_made = placing->ray_grid_tried = false;
  cl_status status = reserve(world);
  if (status != CL_OK) return status;
  if (placing->order != order || placing->still != still) {
    placing->order = 0;
    placing->fixed_used = (cl_used){0, 0};
    placing->forms = 0;
    list_all(world);
    status = place_listed(world, at, placing->movers, placing->count, &placing->fixed_used);
    if (status != CL_OK) return status;
    placing->fixed_forms = placing->forms;
    placing->order = order;
    placing->still = still;
  }
  cl_used used = placing->fixed_used;
  placing->forms = placing->fixed_forms;
  return place_listed(world, at, 0, placing->movers, &used);
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
  cl_actors *actors = &world->actors;
  double angle = actors->angle[slot];
  cl_placed placed;
  if (angle != actors->turned[slot]) {
    actors->turned[slot] = angle;
    actors->rot[slot] = cl_rot_of(angle);
  }
  place(actors, present(actors), slot, &placed);
  return placed;
}
