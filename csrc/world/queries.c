// collide, MIT licence (see LICENSE)
//
// Queries: the trees of boxes, or the ray grid, give the actors that may be answers, and these are
// tested. Actors that were added or refreshed since the trees were built are tested one by one; if
// there are many of them, all are placed and everything is rebuilt. Layer: world.

#include "world/state.h"

#include "base/alloc.h"

// Steps of work to compare an actor with what is asked.
enum { STEPS_TO_ASK = 10 };

// Makes the proxies current, and room for every actor to be an answer.
static cl_status begin(cl_world *world) {
  cl_status status = cl_trees_begin(world);
  if (status != CL_OK) return status;
  return CL_RESERVE(&world->alloc, world->answer, world->answer_cap, world->actors.live);
}

// The ray grid keeps the boxes of the time when it was made. It is used while few actors have been
// moved since; these are tested one by one. With more, or once boxes have changed, the trees are
// used.
static cl_status need_ray_grid(cl_world *world, bool *serves) {
  cl_proxies *proxies = &world->proxies;
  if (world->actors.moved_count > CL_FEW_DIRTY) cl_trees_follow(world);
  *serves = !proxies->ray_grid_passed;
  if (!*serves || proxies->ray_grid_tried) return CL_OK;
  cl_status status =
      cl_ray_grid_build(&proxies->ray_grid, &world->alloc, proxies->box, proxies->count);
  proxies->ray_grid_tried = status == CL_OK;
  return status;
}

// Maps doubles from 0 up to integers in the same order.
static uint64_t order_of(double v) {
  uint64_t bits;
  v += 0.0; // -0 would come last
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

// Of casts that end together: those that begin inside first, then by the normal.
static int compare_normals(const cl_cast *a, const cl_cast *b) {
  cl_vec n = {a->nx, a->ny}, m = {b->nx, b->ny};
  if (n.x == m.x && n.y == m.y) return 0;
  bool inside = n.x == 0 && n.y == 0, other = m.x == 0 && m.y == 0;
  if (inside || other) return inside ? -1 : 1;
  return cl_vec_goes_first(n, m) ? -1 : 1;
}

static int compare(const cl_answer *a, const cl_answer *b, bool casts) {
  uint64_t x = casts ? order_of(a->cast.t) : order_of(a->distance);
  uint64_t y = casts ? order_of(b->cast.t) : order_of(b->distance);
  if (x != y) return x < y ? -1 : 1;
  int order = casts ? compare_normals(&a->cast, &b->cast) : 0;
  if (order != 0) return order;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

static int by_distance(const void *a, const void *b) { return compare(a, b, false); }
static int by_time(const void *a, const void *b) { return compare(a, b, true); }

static int by_slot(const void *a, const void *b) {
  uint32_t x = ((const cl_answer *)a)->slot, y = ((const cl_answer *)b)->slot;
  return (x > y) - (x < y);
}

static cl_status answer(cl_world *world, size_t count, cl_order *order, cl_answers *out) {
  cl_sort_by(world->answer, count, sizeof *world->answer, order);
  *out = (cl_answers){world->answer, count};
  return CL_OK;
}

// The slot of a proxy, if that can be an answer and is at the actor's place; else CL_NOBODY.
static uint32_t placed_slot(const cl_world *world, uint32_t number, cl_filter filter) {
  uint32_t slot = world->proxies.slot[number];
  bool counts = cl_is_asked_for(world, slot, filter) && !world->actors.dirty[slot];
  return counts ? slot : CL_NOBODY;
}

// The test of a query: whether a placed actor is an answer.
typedef bool ask(const void *question, const cl_placed *actor);

// Tests all actors that touch `box`.
static cl_status ask_within(cl_world *world, cl_bounds box, cl_filter filter, ask *is,
                            const void *question, cl_answers *out) {
  cl_status status = begin(world);
  if (status == CL_OK) status = cl_trees_make(world, filter.groups);
  if (status == CL_OK) status = cl_trees_query(world, box, filter.groups);
  if (status != CL_OK) return status;
  cl_actors *actors = &world->actors;
  size_t n = 0;
  for (size_t i = 0; i < world->touched.count; i++) {
    uint32_t number = world->touched.at[i], slot = placed_slot(world, number, filter);
    if (slot == CL_NOBODY) continue;
    cl_placed placed = cl_proxy_placed(world, number);
    CL_WORK(STEPS_TO_ASK);
    world->answer[n].slot = slot;
    n += is(question, &placed);
  }
  for (uint32_t k = 0; k < actors->dirty_count; k++) {
    uint32_t slot = actors->dirty_slots[k];
    if (!cl_is_asked_for(world, slot, filter)) continue;
    cl_placed placed = cl_actor_place(actors, slot);
    world->answer[n].slot = slot;
    n += is(question, &placed);
  }
  return answer(world, n, by_slot, out);
}

static bool holds_point(const void *question, const cl_placed *actor) {
  const cl_vec *point = question;
  return cl_placed_contains(actor, point->x, point->y);
}

cl_status cl_world_query_point(cl_world *world, double x, double y, cl_filter filter,
                               cl_answers *out) {
  const cl_vec point = {x, y};
  return ask_within(world, (cl_bounds){x, y, x, y}, filter, holds_point, &point, out);
}

static bool touches(const void *question, const cl_placed *actor) {
  return cl_overlaps(question, actor, true);
}

cl_status cl_world_query_shape(cl_world *world, const cl_placed *with, cl_filter filter,
                               cl_answers *out) {
  return ask_within(world, cl_placed_bounds(with), filter, touches, with, out);
}

cl_status cl_world_query_bounds(cl_world *world, cl_bounds box, cl_filter filter, cl_answers *out) {
  cl_status status = begin(world);
  if (status == CL_OK) status = cl_trees_near(world, box, &filter);
  if (status != CL_OK) return status;
  for (size_t i = 0; i < world->touched.count; i++) world->answer[i].slot = world->touched.at[i];
  *out = (cl_answers){world->answer, world->touched.count};
  return CL_OK;
}

// The search for the nearest actors: the first `count` answers of the world are the `most` nearest
// so far, as a heap, the farthest first.
typedef struct near {
  cl_world *world;
  cl_vec point;
  size_t most, count;
  cl_filter filter;
  double reach; // it looks for actors up to this far away
} near;

static cl_answer answer_at(const near *n, const cl_placed *actor, uint32_t slot) {
  CL_WORK(STEPS_TO_ASK);
  return (cl_answer){.slot = slot, .distance = cl_distance_point(actor, n->point.x, n->point.y)};
}

// Takes an answer, if it is one; returns how far the search still has to go.
static double approach(near *n, cl_answer found) {
  cl_answer *heap = n->world->answer;
  bool is = found.distance < INFINITY; // tiles may have no solid cell
  if (is && n->count < n->most) {
    heap[n->count] = found;
    cl_heap_rise(heap, n->count++, sizeof *heap, by_distance);
  } else if (is && by_distance(&found, &heap[0]) < 0) {
    heap[0] = found;
    cl_heap_sink(heap, 0, n->count, sizeof *heap, by_distance);
  }
  return n->count < n->most ? n->reach : cl_min(heap[0].distance, n->reach);
}

// The distance from a point to the farthest corner of a box: the actor in it is no farther away.
static double farthest(cl_bounds b, cl_vec p) {
  double x = cl_max(p.x - b.l, b.r - p.x), y = cl_max(p.y - b.t, b.b - p.y);
  return sqrt(x * x + y * y);
}

static double near_number(void *user, uint32_t number, double most) {
  near *n = user;
  uint32_t slot = placed_slot(n->world, number, n->filter);
  if (slot == CL_NOBODY) return most;
  cl_placed placed = cl_proxy_placed(n->world, number);
  return approach(n, answer_at(n, &placed, slot));
}

// Looks for the nearest within reach; returns whether there are enough.
static bool look_near(near *n) {
  cl_world *world = n->world;
  const cl_proxies *proxies = &world->proxies;
  double far = n->reach;
  n->count = 0;
  for (uint32_t k = 0; k < world->actors.dirty_count; k++) {
    uint32_t slot = world->actors.dirty_slots[k];
    if (!cl_is_asked_for(world, slot, n->filter)) continue;
    cl_placed placed = cl_actor_place(&world->actors, slot);
    far = approach(n, answer_at(n, &placed, slot));
  }
  if (proxies->fixed_groups & n->filter.groups)
    cl_bvh_near(&proxies->fixed_tree, n->point, far, near_number, n);
  if (n->count == n->most) far = cl_min(n->reach, world->answer->distance);
  if (proxies->moving_groups & n->filter.groups)
    cl_bvh_near(&proxies->moving_tree, n->point, far, near_number, n);
  return n->count == n->most && world->answer->distance <= n->reach;
}

// How far away there are probably `most` actors, if they are as dense as the few in a box.
static double likely_reach(cl_bounds few, size_t most) {
  double w = few.r - few.l, h = few.b - few.t, area = cl_max(w * h, (w + h) * (w + h) / 16);
  return 0.75 * sqrt(area * (double)most / 4);
}

// How far to look: first, then as far as the few boxes that told this, and at most.
typedef struct reaches {
  double first, then, all;
} reaches;

static void add_reaches(const near *n, const cl_bvh *tree, uint64_t groups, reaches *r) {
  if (!(groups & n->filter.groups)) return;
  cl_bounds few = cl_bvh_some_near(tree, n->point);
  cl_fbox all = tree->bounds;
  r->first = cl_min(r->first, likely_reach(few, n->most));
  r->then = cl_min(r->then, farthest(few, n->point));
  r->all = cl_max(r->all, farthest((cl_bounds){all.x0, all.y0, all.x1, all.y1}, n->point));
}

// How much farther it looks each time, and how often before it looks everywhere.
enum { FARTHER = 2, LOOKS = 5 };

// It looks as far as there probably are enough, then farther and farther. Each time it has looked
// at few actors, or found enough: so boxes that reach from near to far away cost no more.
cl_status cl_world_nearest(cl_world *world, double x, double y, size_t most, cl_filter filter,
                           cl_answers *out) {
  cl_status status = begin(world);
  if (status == CL_OK) status = cl_trees_make(world, filter.groups);
  if (status != CL_OK) return status;
  if (most == 0) return answer(world, 0, by_distance, out);
  const cl_proxies *p = &world->proxies;
  near n = {world, {x, y}, most, 0, filter, 0};
  reaches r = {INFINITY, INFINITY, 0};
  add_reaches(&n, &p->fixed_tree, p->fixed_groups, &r);
  add_reaches(&n, &p->moving_tree, p->moving_groups, &r);
  double farther = FARTHER;
  n.reach = r.first;
  for (int looks = 0; !look_near(&n) && n.reach < INFINITY; looks++) {
    n.reach = cl_max(farther * n.reach, r.then);
    if (looks == LOOKS || n.reach >= r.all) n.reach = INFINITY;
    farther *= farther;
  }
  return answer(world, n.count, by_distance, out);
}

// A cast in progress: the first `count` answers of the world are its results; without `all`, that
// is the best so far.
typedef struct cast {
  cl_world *world;
  const cl_path *path;
  cl_filter filter;
  bool all;
  size_t count;
  uint32_t coarse; // boxes that it has tried
} cast;

static bool cast_at(const cl_path *path, const cl_placed *actor, cl_cast *out) {
  const cl_path *p = path;
  if (!p->mover) return cl_cast_ray(p->x1, p->y1, p->x2, p->y2, actor, out);
  return cl_cast_shape(p->mover, (cl_vec){p->x2 - p->x1, p->y2 - p->y1}, actor, out);
}

// Whether the best answer begins inside of its actor: only one with a smaller slot goes before it.
static bool is_settled(const cast *c, uint32_t slot) {
  const cl_answer *best = c->world->answer;
  if (c->all || c->count == 0 || best->slot > slot) return false;
  return best->cast.t == 0 && best->cast.nx == 0 && best->cast.ny == 0;
}

// Tests one actor; returns how far the search still has to go.
static double try_actor(cast *c, const cl_placed *actor, uint32_t slot, double most) {
  cl_answer found = {.slot = slot};
  cl_answer *best = c->world->answer;
  CL_WORK(STEPS_TO_ASK);
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
  c->coarse += cl_fbox_is_coarse(c->world->proxies.box[number]);
  if (slot == CL_NOBODY || is_settled(c, slot)) return most;
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

// Up to this many actors are tested one by one: a ray is as fast at testing an actor as at testing
// whether it touches the actor's bounds.
enum { FEW_ACTORS = 4 };

// Tests the actors in a list of slots.
static double try_listed(cast *c, const uint32_t *list, uint32_t count, double most) {
  for (uint32_t k = 0; k < count; k++) {
    if (!cl_is_asked_for(c->world, list[k], c->filter)) continue;
    cl_placed placed = cl_actor_place(&c->world->actors, list[k]);
    most = try_actor(c, &placed, list[k], most);
  }
  return most;
}

// Tests the proxies on the way before `most`.
static cl_status try_placed(cast *c, double most) {
  cl_world *world = c->world;
  cl_proxies *proxies = &world->proxies;
  bool ray = !c->path->mover;
  if (ray && proxies->count <= FEW_ACTORS) {
    cl_trees_follow(world);
    for (uint32_t k = 0; k < proxies->count; k++) most = try_number(c, k, most);
    return CL_OK;
  }
  cl_way way = way_of(c->path);
  // In the grid boxes may be met more than once, so it serves only for one answer.
  bool by_grid = ray && !c->all;
  cl_status status = by_grid ? need_ray_grid(world, &by_grid) : CL_OK;
  if (status == CL_OK && by_grid && cl_ray_grid_takes(&proxies->ray_grid, &way)) {
    most = try_listed(c, world->actors.moved_slots, world->actors.moved_count, most);
    cl_ray_grid_walk(&proxies->ray_grid, &way, most, try_number, c);
    return CL_OK;
  }
  if (status == CL_OK) status = cl_trees_make(world, c->filter.groups);
  if (status != CL_OK) return status;
  if (proxies->fixed_groups & c->filter.groups)
    cl_bvh_walk(&proxies->fixed_tree, &way, most, try_number, c);
  if (c->count > 0 && !c->all) most = cl_min(most, world->answer->cast.t);
  if (proxies->moving_groups & c->filter.groups)
    cl_bvh_walk(&proxies->moving_tree, &way, most, try_number, c);
  return CL_OK;
}

cl_status cl_world_cast(cl_world *world, const cl_path *path, bool all, cl_filter filter,
                        cl_answers *out) {
  cl_status status = begin(world);
  if (status != CL_OK) return status;
  cast c = {world, path, filter, all, 0, 0};
  double most = try_listed(&c, world->actors.dirty_slots, world->actors.dirty_count, 1);
  status = try_placed(&c, most);
  cl_trees_note(&world->proxies, c.coarse);
  return status == CL_OK ? answer(world, c.count, by_time, out) : status;
}
