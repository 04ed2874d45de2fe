// collide, MIT licence (see LICENSE)
//
// Queries: what the tree of boxes, or the ray grid, says may be meant, and of that
// what is. Actors that came or were refreshed since the two were built are looked at one
// by one; when they have become many, all are placed and both built anew. Layer: world.

#include <string.h>

#include "world/step.h"

// The slot of nobody.
#define NOBODY UINT32_MAX

// Placing that is current enough, and room for every actor to be an answer.
static cl_status begin(cl_world *world) {
  assert(!world->begun);
  world->changes++;
  uint32_t bearable = CL_FEW_DIRTY + world->proxies.count / CL_ACTORS_PER_DIRTY;
  bool current = world->proxies.current && world->actors.dirty_count <= bearable;
  cl_status status = current ? CL_OK : cl_proxies_place_present(world);
  if (status != CL_OK) return status;
  return CL_RESERVE(&world->alloc, world->answer, world->answer_cap, world->actors.live);
}

static cl_status need_bvh(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  if (proxies->bvh_made) return CL_OK;
  cl_status status = cl_bvh_build(&world->proxies.bvh, &world->alloc, proxies->box, proxies->count);
  proxies->bvh_made = status == CL_OK;
  return status;
}

static cl_status need_ray_grid(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  if (proxies->ray_grid_tried) return CL_OK;
  cl_status status =
      cl_ray_grid_build(&world->proxies.ray_grid, &world->alloc, proxies->box, proxies->count);
  proxies->ray_grid_tried = status == CL_OK;
  return status;
}

static bool is_ignored(cl_filter filter, uint32_t slot) {
  size_t low = 0, high = filter.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (filter.ignored[middle] < slot) low = middle + 1;
    else high = middle;
  }
  return low < filter.count && filter.ignored[low] == slot;
}

static bool is_asked_for(const cl_world *world, uint32_t slot, cl_filter filter) {
  const cl_actors *actors = &world->actors;
  return actors->state[slot] & CL_LIVE && filter.groups >> actors->group[slot] & 1 &&
         !is_ignored(filter, slot);
}

// The slot of a proxy, when that can be an answer and is where the actor
// stands; else NOBODY.
static uint32_t placed_slot(const cl_world *world, uint32_t number, cl_filter filter) {
  uint32_t slot = world->proxies.slot[number];
  bool counts = is_asked_for(world, slot, filter) && !world->actors.dirty[slot];
  return counts ? slot : NOBODY;
}

static cl_placed placed_dirty(cl_world *world, uint32_t k, cl_filter filter, uint32_t *slot) {
  *slot = world->actors.dirty_slots[k];
  if (!is_asked_for(world, *slot, filter)) *slot = NOBODY;
  return *slot == NOBODY ? (cl_placed){0} : cl_actor_place(&world->actors, *slot);
}

// What a query is after: the answer for one placed actor, if it is one.
typedef bool ask(const void *question, const cl_placed *actor, cl_answer *out);

// Asks everybody who touches `box`; the answers are in no order.
static cl_status ask_within(cl_world *world, cl_bounds box, cl_filter filter, ask *is,
                            const void *question, size_t *count) {
  cl_fbox reach = cl_fbox_of(box.l, box.t, box.r, box.b);
  world->touched.count = 0;
  cl_status status = cl_bvh_query(&world->proxies.bvh, &world->alloc, reach, &world->touched);
  if (status != CL_OK) return status;
  size_t n = 0;
  for (size_t i = 0; i < world->touched.count; i++) {
    uint32_t number = world->touched.at[i];
    uint32_t slot = placed_slot(world, number, filter);
    if (slot == NOBODY) continue;
    world->answer[n].slot = slot;
    cl_placed placed = cl_proxy_placed(world, number);
    n += is(question, &placed, &world->answer[n]);
  }
  for (uint32_t k = 0; k < world->actors.dirty_count; k++) {
    uint32_t slot;
    cl_placed placed = placed_dirty(world, k, filter, &slot);
    if (slot == NOBODY) continue;
    world->answer[n].slot = slot;
    n += is(question, &placed, &world->answer[n]);
  }
  *count = n;
  return CL_OK;
}

// Doubles from 0 up, in the order of these numbers.
static uint64_t order_of(double v) {
  uint64_t bits;
  v += 0.0; // -0 would be the last
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static int compare(const cl_answer *a, const cl_answer *b, bool casts) {
  uint64_t x = casts ? order_of(a->cast.t) : order_of(a->distance);
  uint64_t y = casts ? order_of(b->cast.t) : order_of(b->distance);
  if (x != y) return x < y ? -1 : 1;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

static int by_distance(const void *a, const void *b) { return compare(a, b, false); }
static int by_time(const void *a, const void *b) { return compare(a, b, true); }

static int by_slot(const void *a, const void *b) {
  uint32_t x = ((const cl_answer *)a)->slot, y = ((const cl_answer *)b)->slot;
  return (x > y) - (x < y);
}

static cl_status answer(cl_world *world, size_t count, int (*order)(const void *, const void *),
                        cl_answers *out) {
  if (count > 1) qsort(world->answer, count, sizeof *world->answer, order);
  *out = (cl_answers){world->answer, count};
  return CL_OK;
}

static bool holds_point(const void *question, const cl_placed *actor, cl_answer *out) {
  const cl_vec *point = question;
  (void)out;
  return cl_placed_contains(actor, point->x, point->y);
}

cl_status cl_world_query_point(cl_world *world, double x, double y, cl_filter filter,
                               cl_answers *out) {
  size_t count = 0;
  cl_status status = begin(world);
  if (status == CL_OK) status = need_bvh(world);
  if (status != CL_OK) return status;
  status = ask_within(world, (cl_bounds){x, y, x, y}, filter, holds_point, &(cl_vec){x, y}, &count);
  return status == CL_OK ? answer(world, count, by_slot, out) : status;
}

static bool touches(const void *question, const cl_placed *actor, cl_answer *out) {
  (void)out;
  return cl_overlaps(question, actor, true);
}

cl_status cl_world_query_shape(cl_world *world, const cl_placed *with, cl_filter filter,
                               cl_answers *out) {
  size_t count = 0;
  cl_bounds box;
  cl_status status = begin(world);
  if (status == CL_OK) status = need_bvh(world);
  if (status != CL_OK) return status;
  box = cl_placed_bounds(with);
  status = ask_within(world, box, filter, touches, with, &count);
  return status == CL_OK ? answer(world, count, by_slot, out) : status;
}

// As coarsely for whoever stands beside the tree as for those in it.
static bool may_touch(const void *question, const cl_placed *actor, cl_answer *out) {
  const cl_fbox *reach = question;
  cl_bounds box = cl_placed_bounds(actor);
  (void)out;
  return cl_fbox_touch(cl_fbox_of(box.l, box.t, box.r, box.b), *reach);
}

cl_status cl_world_query_bounds(cl_world *world, cl_bounds box, cl_filter filter, cl_answers *out) {
  size_t count = 0;
  cl_status status = begin(world);
  if (status == CL_OK) status = need_bvh(world);
  cl_fbox reach = cl_fbox_of(box.l, box.t, box.r, box.b);
  if (status == CL_OK) status = ask_within(world, box, filter, may_touch, &reach, &count);
  return status == CL_OK ? answer(world, count, by_slot, out) : status;
}

static bool is_near(const void *question, const cl_placed *actor, cl_answer *out) {
  const cl_vec *point = question;
  out->distance = cl_distance_point(actor, point->x, point->y);
  return out->distance < INFINITY; // tiles may have nothing solid
}

static bool covers(cl_bounds box, cl_fbox all) {
  return box.l <= all.x0 && box.t <= all.y0 && box.r >= all.x1 && box.b >= all.y1;
}

// Half the side of a square that holds about `most` actors where they are as
// dense as they are on average.
static double first_reach(const cl_bvh *bvh, size_t most) {
  cl_fbox all = bvh->bounds;
  double area = ((double)all.x1 - all.x0) * ((double)all.y1 - all.y0);
  double reach = bvh->count ? sqrt(area * (double)most / bvh->count) / 2 : 0;
  return reach > 0 ? reach : 1;
}

// Squares around the point, each twice as wide as the one before, until one
// has enough answers that are no farther than its sides: nobody outside of it
// is nearer.
cl_status cl_world_nearest(cl_world *world, double x, double y, size_t most, cl_filter filter,
                           cl_answers *out) {
  cl_status status = begin(world);
  if (status == CL_OK) status = need_bvh(world);
  size_t count = 0;
  double reach = first_reach(&world->proxies.bvh, most);
  for (bool done = false; !done && status == CL_OK; reach *= 2) {
    cl_bounds box = {x - reach, y - reach, x + reach, y + reach};
    status = ask_within(world, box, filter, is_near, &(cl_vec){x, y}, &count);
    size_t within = 0;
    for (size_t i = 0; i < count; i++) within += world->answer[i].distance <= reach;
    done = within >= most || covers(box, world->proxies.bvh.bounds);
  }
  if (status != CL_OK) return status;
  answer(world, count, by_distance, out);
  if (out->count > most) out->count = most;
  return CL_OK;
}

// A cast under way: `first` answers of the world are its finds, or without
// `all` the best so far.
typedef struct cast {
  cl_world *world;
  const cl_path *path;
  cl_filter filter;
  bool all;
  size_t count;
} cast;

static bool cast_at(const cl_path *path, const cl_placed *actor, cl_cast *out) {
  const cl_path *p = path;
  if (!p->mover) return cl_cast_ray(p->x1, p->y1, p->x2, p->y2, actor, out);
  return cl_cast_shape(p->mover, (cl_vec){p->x2 - p->x1, p->y2 - p->y1}, actor, out);
}

// Tries one actor; returns how far the others need to be looked for.
static double try_actor(cast *c, const cl_placed *actor, uint32_t slot, double most) {
  cl_answer found = {.slot = slot};
  cl_answer *best = c->world->answer;
  if (!cast_at(c->path, actor, &found.cast)) return most;
  if (c->all) {
    best[c->count++] = found;
    return most;
  }
  if (c->count == 0 || compare(&found, best, true) < 0) {
    *best = found;
    c->count = 1;
  }
  return best->cast.t < most ? best->cast.t : most;
}

static double try_number(void *user, uint32_t number, double most) {
  cast *c = user;
  uint32_t slot = placed_slot(c->world, number, c->filter);
  if (slot == NOBODY) return most;
  cl_placed placed = cl_proxy_placed(c->world, number);
  return try_actor(c, &placed, slot, most);
}

static cl_way way_of(const cl_path *path) {
  cl_way way = {path->x1, path->y1, path->x2 - path->x1, path->y2 - path->y1, {0, 0, 0, 0}};
  if (!path->mover) return way;
  cl_bounds box;
  box = cl_placed_bounds(path->mover);
  way.x = path->mover->x;
  way.y = path->mover->y;
  way.mover = (cl_bounds){box.l - way.x, box.t - way.y, box.r - way.x, box.b - way.y};
  return way;
}

// So few actors are tried one by one: a ray finds out about one as soon as whether it
// touches its bounds.
enum { FEW_ACTORS = 4 };

// Tries those of the proxies that are on the way before `most`.
static cl_status try_placed(cast *c, double most) {
  cl_world *world = c->world;
  bool ray = !c->path->mover;
  if (ray && world->proxies.count <= FEW_ACTORS) {
    for (uint32_t k = 0; k < world->proxies.count; k++) most = try_number(c, k, most);
    return CL_OK;
  }
  cl_way way = way_of(c->path);
  // Through the grid boxes may be met more than once: for one answer only.
  bool single = ray && !c->all;
  cl_status status = single ? need_ray_grid(world) : CL_OK;
  if (status == CL_OK && single && cl_ray_grid_takes(&world->proxies.ray_grid, &way)) {
    cl_ray_grid_walk(&world->proxies.ray_grid, &way, most, try_number, c);
    return CL_OK;
  }
  if (status == CL_OK) status = need_bvh(world);
  if (status == CL_OK) cl_bvh_walk(&world->proxies.bvh, &way, most, try_number, c);
  return status;
}

cl_status cl_world_cast(cl_world *world, const cl_path *path, bool all, cl_filter filter,
                        cl_answers *out) {
  cl_status status = begin(world);
  if (status != CL_OK) return status;
  cast c = {world, path, filter, all, 0};
  double most = 1;
  for (uint32_t k = 0; k < world->actors.dirty_count; k++) {
    uint32_t slot;
    cl_placed placed = placed_dirty(world, k, filter, &slot);
    if (slot != NOBODY) most = try_actor(&c, &placed, slot, most);
  }
  status = try_placed(&c, most);
  return status == CL_OK ? answer(world, c.count, by_time, out) : status;
}
