// collide, MIT licence (see LICENSE)
//
// Queries: the boxes give the actors that may be answers, and these are tested. If there are many
// queries, trees of the boxes or the ray grid are used. Actors that were added or refreshed since
// the boxes were placed are tested one by one; if there are many of them, all are placed again.
// Layer: world.

#include "world/state.h"

#include "base/alloc.h"
#include "narrow/members.h"

// Steps of work to test one actor in a query.
enum { STEPS_TO_ASK = 10 };

// Makes the proxies current, and room for every actor to be an answer.
static cl_status begin(cl_world *world) {
  cl_status status = cl_trees_begin(world);
  if (status != CL_OK) return status;
  return CL_RESERVE(&world->alloc, world->answer, world->answer_cap, world->actors.live);
}

// The ray grid is made once there are enough rays, and keeps the boxes of that time. It is used
// while few actors have been moved since; these are tested one by one. With more, or once boxes
// have changed, the trees are used.
static cl_status need_ray_grid(cl_world *world, bool *serves) {
  cl_proxies *proxies = &world->proxies;
  if (world->actors.moved_count > CL_FEW_DIRTY) cl_trees_follow(world);
  bool wanted = proxies->ray_demand.many || cl_trees_want_ray_grid(proxies);
  *serves = !proxies->ray_grid_passed && (wanted || proxies->ray_grid_tried);
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

// The order of casts with the same t: first those that begin inside, then by the normal.
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

// A search among actors. The first `count` answers of the world are its results so far: for the
// nearest, the `most` best as a heap with the worst on top; for a cast without `all`, the best.
typedef struct search {
  cl_world *world;
  cl_filter filter;
  const cl_placed *shape; // what actors have to touch
  const cl_path *path;    // of a cast
  cl_vec point;
  bool all;
  double reach; // nearest: it looks for actors up to this far away
  size_t most, count;
  uint32_t coarse; // boxes that a cast has tried
} search;

// Tests one actor. Returns how far the search still has to go; before it was `most`.
typedef double ask(search *s, const cl_placed *actor, uint32_t slot, double most);

// Tests the actor of a proxy, if it can be an answer and is at the proxy's place.
CL_INLINE double ask_number(search *s, uint32_t number, double most, ask *test) {
  cl_world *world = s->world;
  uint32_t slot = world->proxies.slot[number];
  if (!cl_is_asked_for(world, slot, s->filter) || world->actors.dirty[slot]) return most;
  cl_placed placed = cl_proxy_placed(world, number);
  CL_WORK(STEPS_TO_ASK);
  return test(s, &placed, slot, most);
}

// Tests the actors in a list of slots.
static double ask_listed(search *s, const uint32_t *list, uint32_t count, double most, ask *test) {
  for (uint32_t k = 0; k < count; k++) {
    if (!cl_is_asked_for(s->world, list[k], s->filter)) continue;
    cl_placed placed = cl_actor_place(&s->world->actors, list[k]);
    CL_WORK(STEPS_TO_ASK);
    most = test(s, &placed, list[k], most);
  }
  return most;
}

// Tests the actors that are in no tree.
static double ask_dirty(search *s, double most, ask *test) {
  const cl_actors *actors = &s->world->actors;
  return ask_listed(s, actors->dirty_slots, actors->dirty_count, most, test);
}

// ---- which actors are somewhere

static double ask_point(search *s, const cl_placed *actor, uint32_t slot, double most) {
  s->world->answer[s->count].slot = slot;
  s->count += cl_placed_contains(actor, s->point.x, s->point.y);
  return most;
}

static double ask_shape(search *s, const cl_placed *actor, uint32_t slot, double most) {
  s->world->answer[s->count].slot = slot;
  s->count += cl_overlaps(s->shape, actor, true);
  return most;
}

// Tests all actors that touch `box`.
static cl_status ask_within(search *s, cl_bounds box, ask *test, cl_answers *out) {
  cl_world *world = s->world;
  cl_status status = begin(world);
  if (status == CL_OK) status = cl_trees_make(world, s->filter.groups, false);
  if (status == CL_OK) status = cl_trees_query(world, box, s->filter.groups);
  if (status != CL_OK) return status;
  for (size_t i = 0; i < world->touched.count; i++) ask_number(s, world->touched.at[i], 0, test);
  ask_dirty(s, 0, test);
  return answer(world, s->count, by_slot, out);
}

cl_status cl_world_query_point(cl_world *world, double x, double y, cl_filter filter,
                               cl_answers *out) {
  search s = {.world = world, .filter = filter, .point = {x, y}};
  return ask_within(&s, (cl_bounds){x, y, x, y}, ask_point, out);
}

cl_status cl_world_query_shape(cl_world *world, const cl_placed *with, cl_filter filter,
                               cl_answers *out) {
  search s = {.world = world, .filter = filter, .shape = with};
  return ask_within(&s, cl_placed_bounds(with), ask_shape, out);
}

cl_status cl_world_query_bounds(cl_world *world, cl_bounds box, cl_filter filter, cl_answers *out) {
  cl_status status = begin(world);
  if (status == CL_OK) status = cl_trees_near(world, box, &filter);
  if (status != CL_OK) return status;
  for (size_t i = 0; i < world->touched.count; i++) world->answer[i].slot = world->touched.at[i];
  *out = (cl_answers){world->answer, world->touched.count};
  return CL_OK;
}

// ---- the nearest

static double ask_near(search *s, const cl_placed *actor, uint32_t slot, double most) {
  cl_answer *heap = s->world->answer;
  cl_answer found = {.slot = slot, .distance = cl_distance_point(actor, s->point.x, s->point.y)};
  bool is = found.distance < INFINITY; // tiles may have no solid cell
  if (is && s->count < s->most) {
    heap[s->count] = found;
    cl_heap_rise(heap, s->count++, sizeof *heap, by_distance);
  } else if (is && by_distance(&found, &heap[0]) < 0) {
    heap[0] = found;
    cl_heap_sink(heap, 0, s->count, sizeof *heap, by_distance);
  }
  return s->count < s->most ? most : cl_min(heap[0].distance, most);
}

static double near_number(void *user, uint32_t number, double most) {
  return ask_number(user, number, most, ask_near);
}

// Looks for the nearest within reach; returns whether there are enough.
static bool look_near(search *s) {
  const cl_proxies *proxies = &s->world->proxies;
  const cl_answer *worst = s->world->answer;
  s->count = 0;
  ask_dirty(s, s->reach, ask_near);
  for (int t = 0; t < CL_TREES; t++) {
    if (!(proxies->tree[t].groups & s->filter.groups)) continue;
    double far = s->count == s->most ? cl_min(s->reach, worst->distance) : s->reach;
    cl_bvh_near(&proxies->tree[t].bvh, s->point, far, near_number, s);
  }
  return s->count == s->most && worst->distance <= s->reach;
}

// The distance from a point to the farthest corner of a box: the actor in it is no farther away.
static double farthest(cl_bounds b, cl_vec p) {
  double x = cl_max(p.x - b.l, b.r - p.x), y = cl_max(p.y - b.t, b.b - p.y);
  return sqrt(x * x + y * y);
}

// A distance within which there are probably `most` actors, if they are as dense as those in the
// box `few`.
static double likely_reach(cl_bounds few, size_t most) {
  double w = few.r - few.l, h = few.b - few.t, area = cl_max(w * h, (w + h) * (w + h) / 16);
  return 0.75 * sqrt(area * (double)most / 4);
}

// A distance within which there are probably more than `most` actors, if they are as dense as those
// of a tree were.
static double usual_reach(const cl_bvh *bvh, size_t most) {
  cl_fbox b = bvh->bounds;
  double area = ((double)b.x1 - b.x0) * ((double)b.y1 - b.y0);
  return bvh->count > 0 ? sqrt(area * ((double)most + 1) / bvh->count) : 0;
}

// With so many boxes within reach, and so many for each actor, trees are faster.
enum { MOST_BOXES = 64, BOXES_EACH = 8 };

// Looks for the nearest without trees, if there are none. Writes whether it has found enough.
static cl_status look_in_boxes(search *s, bool *enough) {
  cl_world *world = s->world;
  cl_status status = cl_trees_make(world, s->filter.groups, false);
  bool made = true;
  *enough = false;
  for (int t = 0; t < CL_TREES; t++) {
    const cl_proxy_tree *tree = &world->proxies.tree[t];
    if (!(tree->groups & s->filter.groups)) continue;
    made &= tree->made;
    s->reach = cl_min(s->reach, usual_reach(&tree->bvh, s->most));
  }
  if (status != CL_OK || made || s->most >= world->actors.live) return status;
  cl_bounds box =
      cl_bounds_grown((cl_bounds){s->point.x, s->point.y, s->point.x, s->point.y}, s->reach);
  status = cl_trees_query(world, box, s->filter.groups);
  const cl_found *found = &world->touched;
  if (status != CL_OK || found->count > MOST_BOXES + BOXES_EACH * s->most) return status;
  ask_dirty(s, s->reach, ask_near);
  for (size_t i = 0; i < found->count; i++) ask_number(s, found->at[i], s->reach, ask_near);
  *enough = s->count == s->most && world->answer->distance <= s->reach;
  return CL_OK;
}

// The factor by which it looks farther each time, and how often before it looks everywhere.
enum { FARTHER = 2, LOOKS = 5 };

// Looks as far as there are probably enough actors, then farther and farther. Each time it has
// looked at few actors, or found enough, so boxes that reach from near to far away cost no more.
cl_status cl_world_nearest(cl_world *world, double x, double y, size_t most, cl_filter filter,
                           cl_answers *out) {
  cl_status status = begin(world);
  if (status != CL_OK) return status;
  if (most == 0) return answer(world, 0, by_distance, out);
  search s = {.world = world, .filter = filter, .point = {x, y}, .reach = INFINITY, .most = most};
  bool enough;
  status = look_in_boxes(&s, &enough);
  if (status == CL_OK && enough) return answer(world, s.count, by_distance, out);
  if (status == CL_OK) status = cl_trees_make(world, filter.groups, true);
  if (status != CL_OK) return status;
  s.reach = INFINITY;
  double then = INFINITY, all = 0, farther = FARTHER; // as far as those few; everywhere
  for (int t = 0; t < CL_TREES; t++) {
    const cl_proxy_tree *tree = &world->proxies.tree[t];
    if (!(tree->groups & filter.groups)) continue;
    cl_bounds few = cl_bvh_some_near(&tree->bvh, s.point);
    cl_fbox box = tree->bvh.bounds;
    s.reach = cl_min(s.reach, likely_reach(few, most));
    then = cl_min(then, farthest(few, s.point));
    all = cl_max(all, farthest((cl_bounds){box.x0, box.y0, box.x1, box.y1}, s.point));
  }
  for (int looks = 0; !look_near(&s) && s.reach < INFINITY; looks++) {
    s.reach = cl_max(farther * s.reach, then);
    if (looks == LOOKS || s.reach >= all) s.reach = INFINITY;
    farther *= farther;
  }
  return answer(world, s.count, by_distance, out);
}

// ---- rays and casts

// Whether the best answer so far begins inside its actor: then only an actor with a smaller slot
// can go before it.
static bool is_settled(const search *s, uint32_t slot) {
  const cl_answer *best = s->world->answer;
  if (s->all || s->count == 0 || best->slot > slot) return false;
  return best->cast.t == 0 && best->cast.nx == 0 && best->cast.ny == 0;
}

static bool cast_at(const cl_path *p, const cl_placed *actor, cl_cast *out) {
  if (!p->mover) return cl_cast_ray(p->x1, p->y1, p->x2, p->y2, actor, out);
  return cl_cast_shape(p->mover, (cl_vec){p->x2 - p->x1, p->y2 - p->y1}, actor, out);
}

static double ask_cast(search *s, const cl_placed *actor, uint32_t slot, double most) {
  cl_answer found = {.slot = slot};
  cl_answer *best = s->world->answer;
  if (!cast_at(s->path, actor, &found.cast)) return most;
  if (s->all) {
    best[s->count++] = found;
    return most;
  }
  if (s->count == 0 || compare(&found, best, true) < 0) {
    *best = found;
    s->count = 1;
  }
  return best->cast.t < most ? best->cast.t : most;
}

static double cast_number(void *user, uint32_t number, double most) {
  search *s = user;
  const cl_proxies *proxies = &s->world->proxies;
  s->coarse += cl_fbox_is_coarse(proxies->box[number]);
  if (is_settled(s, proxies->slot[number])) return most;
  return ask_number(s, number, most, ask_cast);
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

// Up to this many actors are tested one by one: testing a ray against an actor is as fast as
// against the actor's bounds.
enum { FEW_ACTORS = 4 };

// Tests the actors of proxies on the way before `most`.
static cl_status cast_placed(search *s, double most) {
  cl_world *world = s->world;
  cl_proxies *proxies = &world->proxies;
  bool ray = !s->path->mover;
  if (ray && proxies->count <= FEW_ACTORS) {
    cl_trees_follow(world);
    for (uint32_t k = 0; k < proxies->count; k++) most = cast_number(s, k, most);
    return CL_OK;
  }
  cl_way way = way_of(s->path);
  // The grid may visit a box more than once, so it serves only for one answer.
  bool by_grid = ray && !s->all;
  cl_status status = by_grid ? need_ray_grid(world, &by_grid) : CL_OK;
  if (status == CL_OK && by_grid && cl_ray_grid_takes(&proxies->ray_grid, &way)) {
    most = ask_listed(s, world->actors.moved_slots, world->actors.moved_count, most, ask_cast);
    cl_ray_grid_walk(&proxies->ray_grid, &way, most, cast_number, s);
    return CL_OK;
  }
  if (status == CL_OK) status = cl_trees_make(world, s->filter.groups, false);
  for (int t = 0; t < CL_TREES && status == CL_OK; t++) {
    if (!(proxies->tree[t].groups & s->filter.groups)) continue;
    if (s->count > 0 && !s->all) most = cl_min(most, world->answer->cast.t);
    status = cl_trees_walk(world, t, &way, most, cast_number, s);
  }
  return status;
}

cl_status cl_world_cast(cl_world *world, const cl_path *path, bool all, cl_filter filter,
                        cl_answers *out) {
  cl_status status = begin(world);
  if (status != CL_OK) return status;
  search s = {.world = world, .filter = filter, .path = path, .all = all};
  status = cast_placed(&s, ask_dirty(&s, 1, ask_cast));
  cl_trees_note(&world->proxies, s.coarse);
  return status == CL_OK ? answer(world, s.count, by_time, out) : status;
}

cl_name cl_world_member_name(const cl_world *world, uint32_t slot, uint32_t member) {
  return cl_shape_member_name(world->actors.shape[slot], member);
}

uint32_t cl_world_cast_member(cl_world *world, const cl_path *path, const cl_answer *answer) {
  if (!cl_shape_has_members(world->actors.shape[answer->slot])) return 0;
  cl_placed actor = cl_actor_place(&world->actors, answer->slot);
  cl_vec way = {path->x2 - path->x1, path->y2 - path->y1};
  return cl_cast_member(path->mover, way, &actor, &answer->cast);
}
