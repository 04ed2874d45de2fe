// collide, MIT licence (see LICENSE)
//
// Proxies, the bounds of every live actor at its place, and the trees of these for queries and
// moves. Bounds usually come from an actor's kind alone; a rotated shape needs more work. Between
// steps there are two trees: one of static actors, which stays while they do not change, and one of
// moving ones, in which boxes follow their actors at the next query. The first queries after a
// change look at all boxes: a tree is built when they have cost as much as building it. Actors that
// were added or refreshed since are tested one by one; if there are many of them, all are placed
// again. Layer: world.

#include "world/state.h"

#include "base/alloc.h"
#include "narrow/primitives.h"

// ---- placing --------------------------------------------------------------------------------

// The actors to place: those with the numbers in a list, or all, at places by slot. The angles are
// NULL in worlds where no actor has one. `used`: the doubles of all blocks so far. `known`: the
// blocks of the last time are still valid.
typedef struct placing {
  const cl_vec *at;
  const double *angle;
  const uint32_t *list;
  size_t used;
  bool known;
} placing;

// How many actors are placed in one run.
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
  size_t ways = actors->swept > 0 ? actors->live : 0,
         blocks = is_simple(actors) ? 0 : actors->count;
  if (status == CL_OK) status = CL_RESERVE(alloc, proxies->way, proxies->way_cap, ways);
  if (status == CL_OK) status = CL_RESERVE(alloc, proxies->by, proxies->by_cap, blocks);
  return status == CL_OK ? CL_RESERVE(alloc, proxies->block, proxies->block_cap, blocks) : status;
}

// Prefetches shapes: placing a shape reads all of it.
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

// A rotated rectangle is placed by its vertices; a circle that turns about its actor is read for
// each test.
static uint8_t turned_form(const cl_placed *placed) {
  const cl_shape *shape = placed->shape;
  if (cl_placed_is_one_box(placed)) return CL_FORM_BOX;
  if (!cl_has_block(shape)) return CL_FORM_OTHER;
  return cl_has_few(shape) ? CL_FORM_FEW : CL_FORM_MANY;
}

// The box of an actor with a block.
CL_INLINE void put_turned_box(const cl_turned *by, const cl_vec *at, cl_fbox *box) {
  cl_f64x2 o = cl_f64x2_load(&at->x);
  cl_fbox_put(box, cl_f64x2_add(o, cl_f64x2_load(&by->bounds.l)),
              cl_f64x2_add(o, cl_f64x2_load(&by->bounds.r)));
}

// Places the vertices of a shape in its block, or in a new one behind the `used` doubles of the
// others.
static cl_status place_block(cl_world *world, placing *to, uint32_t slot, const cl_placed *placed,
                             int room) {
  cl_proxies *proxies = &world->proxies;
  cl_turned *by = &proxies->by[slot];
  if (proxies->block[slot] == CL_NO_BLOCK) {
    size_t end = to->used + CL_BLOCK_HEAD + (size_t)CL_BLOCK(room);
    cl_status status = CL_RESERVE(&world->alloc, proxies->turned, proxies->turned_cap, end);
    if (status != CL_OK || end > UINT32_MAX) return CL_NOMEM;
    proxies->block[slot] = (uint32_t)to->used;
    to->used = end;
  }
  double *block = proxies->turned + proxies->block[slot];
  block[0] = placed->shape->parts->reach;
  by->angle = to->angle[slot];
  CL_BEST(cl_place_block)(placed, room, block + CL_BLOCK_HEAD, &by->bounds);
  return CL_OK;
}

static cl_status place_one(cl_world *world, placing *to, uint32_t slot, cl_fbox *box) {
  cl_actors *actors = &world->actors;
  cl_placed placed = cl_actor_placed(actors, slot, to->at == actors->place);
  uint8_t form = actors->kind[slot] < CL_KINDS_ANY ? CL_FORM_OTHER : turned_form(&placed);
  actors->form[slot] = form;
  if (form == CL_FORM_OTHER || form == CL_FORM_BOX) {
    cl_bounds bounds = cl_placed_bounds(&placed);
    *box = cl_fbox_of(bounds.l, bounds.t, bounds.r, bounds.b);
    return CL_OK;
  }
  int room = form == CL_FORM_FEW ? CL_BLOCK_FEW : CL_BLOCK_MANY;
  cl_status status = place_block(world, to, slot, &placed, room);
  if (status == CL_OK) put_turned_box(&world->proxies.by[slot], &to->at[slot], box);
  return status;
}

// The bounds of an actor at that place, of a kind that is bounded and not rotated.
CL_INLINE void put_box(const cl_kind *kind, const cl_vec *at, cl_fbox *box) {
  cl_f64x2 o = cl_f64x2_add(cl_f64x2_load(&at->x), cl_f64x2_load(kind->o));
  cl_f64x2 lt = cl_f64x2_add(o, cl_f64x2_load(kind->lt));
  cl_f64x2 rb = cl_f64x2_add(o, cl_f64x2_load(kind->rb));
  cl_fbox_put(box, lt, rb);
}

// Places actors number `from` to `to` (not included), of the list if there is one.
CL_INLINE void place_run(const cl_world *world, const cl_vec *at, const uint32_t *list,
                         const uint32_t *slot, uint32_t from, uint32_t to) {
  const cl_kind *kinds = world->actors.kinds.at;
  const uint32_t *kind = world->actors.kind;
  cl_fbox *box = world->proxies.box;
  for (uint32_t k = from; k < to; k++) {
    uint32_t n = list ? list[k] : k, s = slot ? slot[n] : n;
    put_box(&kinds[kind[s]], &at[s], &box[n]);
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

// The numbers of actors that are placed together: those whose bounds follow from their kinds, those
// with blocks for their angles, and all others, with their slots.
typedef struct mixed {
  uint32_t simple[TOGETHER], turned[TOGETHER], other[TOGETHER], other_slot[TOGETHER];
  uint32_t simples, turneds, others;
} mixed;

// Branch-free: the kind of the next actor is unpredictable.
static void sort_mixed(const cl_world *world, const placing *to, uint32_t from, uint32_t end,
                       mixed *m) {
  const cl_actors *actors = &world->actors;
  const cl_proxies *proxies = &world->proxies;
  uint32_t simples = 0, turneds = 0, others = 0;
  for (uint32_t k = from; k < end; k++) {
    uint32_t n = to->list ? to->list[k] : k, slot = proxies->slot[n];
    const cl_kind *kind = &actors->kinds.at[actors->kind[slot]];
    double angle = to->angle ? to->angle[slot] : 0;
    bool rotated = (angle != 0) & kind->rotates;
    bool is = kind->bounded & !rotated;
    if (!to->known) proxies->block[slot] = CL_NO_BLOCK, proxies->by[slot].angle = NAN;
    bool is_turned = rotated & (proxies->by[slot].angle == angle);
    actors->form[slot] = (is_turned & (kind->form == CL_FORM_BOX)) ? CL_FORM_FEW : kind->form;
    m->simple[simples] = n;
    simples += is;
    m->turned[turneds] = n;
    turneds += is_turned;
    m->other[others] = n;
    m->other_slot[others] = slot;
    others += !is & !is_turned;
  }
  m->simples = simples, m->turneds = turneds, m->others = others;
}

static cl_status place_mixed(cl_world *world, placing *to, uint32_t from, uint32_t end) {
  cl_actors *actors = &world->actors;
  const cl_proxies *proxies = &world->proxies;
  mixed m;
  sort_mixed(world, to, from, end, &m);
  ask_for_shapes(actors, m.other_slot, m.others);
  for (uint32_t i = 0; i < m.simples; i++) {
    uint32_t n = m.simple[i], slot = proxies->slot[n];
    put_box(&actors->kinds.at[actors->kind[slot]], &to->at[slot], &proxies->box[n]);
  }
  for (uint32_t i = 0; i < m.turneds; i++) {
    uint32_t n = m.turned[i], slot = proxies->slot[n];
    put_turned_box(&proxies->by[slot], &to->at[slot], &proxies->box[n]);
  }
  if (to->angle) update_rotations(actors, to->angle, m.other_slot, m.others);
  cl_status status = CL_OK;
  for (uint32_t i = 0; i < m.others && status == CL_OK; i++) {
    status = place_one(world, to, m.other_slot[i], &proxies->box[m.other[i]]);
  }
  return status;
}

bool cl_swept_way(const cl_world *world, uint32_t slot, cl_vec at, cl_bounds *b) {
  cl_vec d = cl_vec_sub(at, cl_actor_way_from(&world->actors, slot, world->steps));
  if (d.x == 0 && d.y == 0) return false;
  *b = cl_bounds_join(*b, cl_bounds_moved(*b, (cl_vec){-d.x, -d.y}));
  *b = cl_bounds_grown(*b, cl_motion_slack(*b));
  return true;
}

// Makes the boxes of the ways of actors that have just been placed.
static void place_ways(cl_world *world, const placing *to, uint32_t from, uint32_t end) {
  cl_proxies *proxies = &world->proxies;
  for (uint32_t k = from; k < end; k++) {
    uint32_t n = to->list ? to->list[k] : k, slot = proxies->slot[n];
    cl_fbox f = proxies->box[n];
    cl_bounds b = {f.x0, f.y0, f.x1, f.y1};
    if (cl_swept_way(world, slot, to->at[slot], &b)) {
      f = cl_fbox_of(b.l, b.t, b.r, b.b);
      proxies->static_ways |= proxies->fixed[n];
    }
    proxies->way[n] = f;
  }
}

// Places actors number `from` to `end` (not included) in runs.
static cl_status place_runs(cl_world *world, placing *to, uint32_t from, uint32_t end) {
  cl_status status = CL_OK;
  for (uint32_t k = from; k < end && status == CL_OK; k += TOGETHER) {
    uint32_t last = end - k < TOGETHER ? end : k + TOGETHER;
    if (is_simple(&world->actors)) place_all_simple(world, to->at, to->list, k, last);
    else status = place_mixed(world, to, k, last);
    if (status == CL_OK && world->actors.swept > 0) place_ways(world, to, k, last);
  }
  return status;
}

// Lists the actors to place, and which of them move.
static cl_status list_all(cl_world *world) {
  const cl_actors *actors = &world->actors;
  cl_proxies *proxies = &world->proxies;
  uint32_t n = 0, movers = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    proxies->slot[n] = slot;
    proxies->fixed[n] = (actors->state[slot] & CL_STATIC) != 0;
    movers += !proxies->fixed[n++];
  }
  proxies->count = n;
  proxies->movers = movers;
  if (movers == n) return CL_OK;
  cl_status status = CL_RESERVE(&world->alloc, proxies->listed, proxies->listed_cap, n);
  if (status != CL_OK) return status;
  for (uint32_t k = 0, first = 0, last = n; k < n; k++) {
    proxies->listed[proxies->fixed[k] ? --last : first++] = k;
  }
  return CL_OK;
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

// The bounds of an actor that has been placed, in doubles, large enough for roundings.
static cl_bounds fine_bounds(const cl_world *world, uint32_t slot, const cl_placed *placed) {
  const cl_kind *kind = &world->actors.kinds.at[world->actors.kind[slot]];
  cl_bounds b;
  if (kind->bounded && cl_rot_is_none(placed->rot)) {
    double x = placed->x + kind->o[0], y = placed->y + kind->o[1];
    b = (cl_bounds){x + kind->lt[0], y + kind->lt[1], x + kind->rb[0], y + kind->rb[1]};
  } else {
    b = cl_placed_bounds(placed);
  }
  return cl_bounds_grown(b, 4 * CL_ROUND * cl_bounds_largest(b));
}

cl_bounds cl_proxy_bounds(const cl_world *world, uint32_t number) {
  cl_placed placed = cl_proxy_placed(world, number);
  return fine_bounds(world, world->proxies.slot[number], &placed);
}

// Starts counting again, if there was any query.
static void renew(cl_demand *demand) {
  if (demand->looks > 0) *demand = (cl_demand){.before = demand->many};
}

static void forget_tree(cl_proxy_tree *tree) {
  tree->made = false;
  renew(&tree->demand);
}

// Places all live actors, at their `present` or at their next places.
static cl_status place_all(cl_world *world, bool present) {
  cl_actors *actors = &world->actors;
  cl_proxies *proxies = &world->proxies;
  placing to = {present ? actors->place : actors->next,
                present ? actors->angle : actors->next_angle, NULL, 0, false};
  bool known = proxies->turned_known && proxies->edits == actors->edits;
  bool ways = actors->swept > 0;
  // A static actor that was moved has a way in one step only, so it has changed again for the broad
  // phase.
  actors->static_version += proxies->static_ways;
  proxies->static_ways = false;
  proxies->current = proxies->ray_grid_tried = proxies->ray_grid_passed = false;
  forget_tree(&proxies->tree[CL_MOVERS]);
  renew(&proxies->ray_demand);
  proxies->turned_known = false;
  proxies->groups_known &= proxies->edits == actors->edits;
  proxies->edits = actors->edits;
  proxies->is_fine = proxies->fine_for > 0;
  proxies->fine_for -= proxies->is_fine;
  uint64_t order = actors->order, static_version = actors->static_version;
  cl_status status = reserve(world);
  if (status != CL_OK) return status;
  if (proxies->order != order || proxies->static_version != static_version ||
      proxies->with_ways != ways) {
    proxies->order = 0;
    proxies->fixed_used = 0;
    forget_tree(&proxies->tree[CL_STATICS]);
    known = false;
    status = list_all(world);
    if (status == CL_OK) {
      to.list = proxies->listed;
      status = place_runs(world, &to, proxies->movers, proxies->count);
      proxies->fixed_used = to.used;
    }
    if (status != CL_OK) return status;
    proxies->order = order;
    proxies->static_version = static_version;
    proxies->with_ways = ways;
  }
  to.list = proxies->movers < proxies->count ? proxies->listed : NULL;
  to.known = known;
  to.used = known ? proxies->turned_used : proxies->fixed_used;
  CL_WORK(5 * (uint64_t)proxies->movers);
  status = place_runs(world, &to, 0, proxies->movers);
  proxies->turned_used = to.used;
  proxies->turned_known = status == CL_OK && !is_simple(actors);
  return status;
}

cl_status cl_proxies_place_next(cl_world *world) { return place_all(world, false); }

void cl_proxies_set_current(cl_world *world) {
  cl_actors *actors = &world->actors;
  for (uint32_t i = 0; i < actors->dirty_count; i++) actors->dirty[actors->dirty_slots[i]] = 0;
  for (uint32_t i = 0; i < actors->moved_count; i++) actors->dirty[actors->moved_slots[i]] = 0;
  actors->dirty_count = actors->moved_count = 0;
  world->proxies.current = true;
}

// ---- trees ----------------------------------------------------------------------------------

// After this many moves for each moving actor, and this many more, a tree is built again.
enum { MOVES_PER_ACTOR = 4, FEW_MOVES = 64 };

// If a query finds more too coarse boxes than this, trees have boxes in doubles, from the next
// query on and for this many steps.
enum { MANY_COARSE = 64, FINE_FOR = 64 };

cl_status cl_trees_begin(cl_world *world) {
  assert(!world->begun);
  world->changes++;
  uint32_t bearable = CL_FEW_DIRTY + world->proxies.count / CL_ACTORS_PER_DIRTY;
  if (world->proxies.current && world->actors.dirty_count <= bearable) return CL_OK;
  cl_status status = place_all(world, true);
  if (status == CL_OK) cl_proxies_set_current(world);
  return status;
}

// The box of a proxy at its actor's present place, in doubles. A removed actor has no place any
// more.
static cl_bounds fine_box(cl_world *world, uint32_t number) {
  cl_fbox f = world->proxies.box[number];
  uint32_t slot = world->proxies.slot[number];
  if (!(world->actors.state[slot] & CL_LIVE)) return (cl_bounds){f.x0, f.y0, f.x1, f.y1};
  cl_placed placed = cl_actor_place(&world->actors, slot);
  return fine_bounds(world, slot, &placed);
}

// The numbers of the proxies in a tree; NULL if they are simply the first ones.
static const uint32_t *listed_in(const cl_proxies *proxies, int tree, uint32_t *count) {
  uint32_t movers = proxies->movers, all = proxies->count;
  *count = tree == CL_MOVERS ? movers : all - movers;
  if (movers == all) return NULL;
  return tree == CL_MOVERS ? proxies->listed : proxies->listed + movers;
}

static void note_groups(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  for (int t = 0; t < CL_TREES; t++) {
    uint32_t count;
    const uint32_t *list = listed_in(proxies, t, &count);
    proxies->tree[t].groups = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t slot = proxies->slot[list ? list[i] : i];
      proxies->tree[t].groups |= UINT64_C(1) << world->actors.group[slot];
    }
  }
  proxies->groups_known = true;
}

// Looking at all boxes this often takes as long as building a tree or grid of them. A walk through
// a tree takes as long as looking at this many boxes.
enum { LOOKS_A_BUILD = 32, LOOKS_A_WALK = 256 };

// Whether building a structure of `count` boxes pays, if a query has to look at `looks` of them
// without it. It pays when it costs no more than the queries so far.
static bool pays(cl_demand *demand, uint64_t looks, uint32_t count) {
  demand->looks += looks;
  demand->many |= demand->looks > LOOKS_A_BUILD * (uint64_t)count;
  return demand->before || demand->many;
}

bool cl_trees_want_ray_grid(cl_proxies *proxies) {
  uint64_t looks = 0;
  for (int t = 0; t < CL_TREES; t++) {
    uint32_t count;
    listed_in(proxies, t, &count);
    looks += proxies->tree[t].made && count > LOOKS_A_WALK ? LOOKS_A_WALK : count;
  }
  return pays(&proxies->ray_demand, looks, proxies->count);
}

// Whether a tree exists, with boxes in doubles if these are necessary.
static bool is_made(const cl_proxies *proxies, int which) {
  const cl_proxy_tree *tree = &proxies->tree[which];
  return tree->made && tree->bvh.is_fine >= proxies->is_fine;
}

// Builds a tree of the boxes, unless it exists.
static cl_status make_tree(cl_world *world, int which) {
  cl_proxies *proxies = &world->proxies;
  cl_proxy_tree *tree = &proxies->tree[which];
  cl_bvh *bvh = &tree->bvh;
  uint32_t count;
  const uint32_t *list = listed_in(proxies, which, &count);
  if (is_made(proxies, which)) return CL_OK;
  cl_status status = CL_RESERVE(&world->alloc, proxies->lane, proxies->lane_cap, proxies->count);
  if (status == CL_OK && proxies->is_fine) {
    status = CL_RESERVE(&world->alloc, world->fine, world->fine_cap, proxies->count);
  }
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < count && proxies->is_fine; i++) {
    uint32_t number = list ? list[i] : i;
    world->fine[number] = fine_box(world, number);
  }
  const cl_bounds *fine = proxies->is_fine ? world->fine : NULL;
  status = cl_bvh_build(bvh, &world->alloc, proxies->box, fine, list, count);
  for (uint32_t i = 0; i < bvh->count; i++) proxies->lane[bvh->id[i]] = i;
  tree->made = status == CL_OK;
  if (which == CL_MOVERS) proxies->moves = 0;
  return status;
}

// The number of a slot's proxy, which exists.
static uint32_t number_of(const cl_proxies *proxies, uint32_t slot) {
  if (slot < proxies->count && proxies->slot[slot] == slot) return slot;
  uint32_t number = (uint32_t)cl_first_from(proxies->slot, proxies->count, slot);
  assert(number < proxies->count && proxies->slot[number] == slot);
  return number;
}

static cl_fbox box_of(cl_world *world, uint32_t slot) {
  cl_actors *actors = &world->actors;
  const cl_kind *kind = &actors->kinds.at[actors->kind[slot]];
  bool rotated = cl_actor_is_rotated(actors, actors->angle, slot);
  cl_fbox box;
  if (kind->bounded && !rotated) {
    put_box(kind, &actors->place[slot], &box);
    return box;
  }
  cl_placed placed = cl_actor_place(actors, slot);
  cl_bounds b = cl_placed_bounds(&placed);
  return cl_fbox_of(b.l, b.t, b.r, b.b);
}

void cl_trees_follow(cl_world *world) {
  cl_actors *actors = &world->actors;
  cl_proxies *proxies = &world->proxies;
  cl_proxy_tree *tree = &proxies->tree[CL_MOVERS];
  for (uint32_t i = 0; i < actors->moved_count; i++) {
    uint32_t slot = actors->moved_slots[i];
    actors->dirty[slot] &= (uint8_t)~CL_DIRTY_MOVED;
    if (!(actors->state[slot] & CL_LIVE) || actors->dirty[slot]) continue;
    uint32_t number = number_of(proxies, slot);
    proxies->box[number] = box_of(world, slot);
    if (!tree->made) continue;
    cl_bounds fine = {0, 0, 0, 0};
    if (tree->bvh.is_fine) fine = fine_box(world, number);
    cl_bvh_move(&tree->bvh, proxies->lane[number], proxies->box[number], fine);
  }
  proxies->moves += actors->moved_count;
  proxies->ray_grid_passed |= proxies->ray_grid_tried && actors->moved_count > 0;
  actors->moved_count = 0;
  tree->made &= proxies->moves <= MOVES_PER_ACTOR * proxies->movers + FEW_MOVES;
}

void cl_trees_note(cl_proxies *proxies, uint32_t coarse) {
  if (coarse <= MANY_COARSE || proxies->is_fine) return;
  proxies->fine_for = FINE_FOR;
  proxies->is_fine = true;
}

cl_status cl_trees_make(cl_world *world, uint64_t groups, bool anyway) {
  cl_proxies *proxies = &world->proxies;
  if (!proxies->groups_known) note_groups(world);
  if (world->actors.moved_count > 0 && proxies->tree[CL_MOVERS].groups & groups)
    cl_trees_follow(world);
  cl_status status = CL_OK;
  for (int t = 0; t < CL_TREES && status == CL_OK; t++) {
    cl_proxy_tree *tree = &proxies->tree[t];
    uint32_t count;
    if (!(tree->groups & groups)) continue;
    listed_in(proxies, t, &count);
    if (pays(&tree->demand, count, count) || anyway || proxies->is_fine)
      status = make_tree(world, t);
  }
  return status;
}

static void note_found(cl_world *world) {
  const cl_found *found = &world->touched;
  uint32_t coarse = 0;
  for (size_t i = 0; i < found->count; i++) {
    coarse += cl_fbox_is_coarse(world->proxies.box[found->at[i]]);
  }
  cl_trees_note(&world->proxies, coarse);
}

static cl_status query_tree(cl_world *world, int which, cl_bounds box) {
  const cl_proxies *proxies = &world->proxies;
  const cl_proxy_tree *tree = &proxies->tree[which];
  if (tree->made) return cl_bvh_query(&tree->bvh, &world->alloc, box, &world->touched);
  uint32_t count;
  const uint32_t *list = listed_in(proxies, which, &count);
  return cl_boxes_query(proxies->box, list, count, &world->alloc, box, &world->touched);
}

cl_status cl_trees_query(cl_world *world, cl_bounds box, uint64_t groups) {
  cl_status status = CL_OK;
  world->touched.count = 0;
  for (int t = 0; t < CL_TREES && status == CL_OK; t++)
    if (world->proxies.tree[t].groups & groups) status = query_tree(world, t, box);
  if (world->touched.count > MANY_COARSE) note_found(world);
  return status;
}

// A box that contains everything that a way may touch, with no less slack than cl_slabs_of adds.
static cl_bounds way_bounds(const cl_way *way) {
  cl_bounds b = cl_bounds_moved(way->mover, (cl_vec){way->x, way->y});
  b = cl_bounds_swept(b, (cl_vec){way->dx, way->dy});
  return cl_bounds_grown(b, cl_slabs_slack(0, 0, b));
}

cl_status cl_trees_walk(cl_world *world, int which, const cl_way *way, double most,
                        cl_bvh_visit *visit, void *user) {
  const cl_proxy_tree *tree = &world->proxies.tree[which];
  if (!tree->made) {
    world->touched.count = 0;
    cl_status status = query_tree(world, which, way_bounds(way));
    if (status != CL_OK) return status;
    if (cl_boxes_walk(world->proxies.box, &world->touched, way, most, visit, user)) return CL_OK;
    status = make_tree(world, which);
    if (status != CL_OK) return status;
  }
  cl_bvh_walk(&tree->bvh, way, most, visit, user);
  return CL_OK;
}

bool cl_is_ignored(cl_filter filter, uint32_t slot) {
  size_t at = cl_first_from(filter.ignored, filter.count, slot);
  return at < filter.count && filter.ignored[at] == slot;
}

// Inserts a slot among those found before, in order.
static void insert(uint32_t *slots, size_t *count, uint32_t slot) {
  size_t at = (*count)++;
  for (; at > 0 && slots[at - 1] > slot; at--) slots[at] = slots[at - 1];
  slots[at] = slot;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

// Beyond this many, sorting is faster than inserting one after the other.
enum { FEW_FOUND = 32 };

cl_status cl_trees_near(cl_world *world, cl_bounds box, const cl_filter *filter) {
  cl_status status = cl_trees_begin(world);
  if (status == CL_OK) status = cl_trees_make(world, filter->groups, false);
  if (status == CL_OK) status = cl_trees_query(world, box, filter->groups);
  if (status != CL_OK) return status;
  cl_actors *actors = &world->actors;
  cl_found *found = &world->touched;
  size_t boxes = found->count, all = boxes + actors->dirty_count, n = 0;
  status = CL_RESERVE(&world->alloc, found->at, found->cap, all);
  if (status != CL_OK) return status;
  cl_fbox reach;
  if (actors->dirty_count > 0) reach = cl_fbox_of(box.l, box.t, box.r, box.b);
  for (size_t i = 0; i < all; i++) {
    bool boxed = i < boxes;
    uint32_t slot = boxed ? world->proxies.slot[found->at[i]] : actors->dirty_slots[i - boxes];
    if (!cl_is_asked_for(world, slot, *filter)) continue;
    if (boxed ? actors->dirty[slot] & CL_DIRTY_CHANGED : !cl_fbox_touch(box_of(world, slot), reach))
      continue;
    if (all <= FEW_FOUND) insert(found->at, &n, slot);
    else found->at[n++] = slot;
  }
  if (all > FEW_FOUND) cl_sort_by(found->at, n, sizeof *found->at, ascending);
  found->count = n;
  return CL_OK;
}

void cl_proxies_free(cl_proxies *proxies, const cl_alloc *alloc) {
  CL_FREE(alloc, proxies->slot, proxies->slot_cap);
  CL_FREE(alloc, proxies->fixed, proxies->fixed_cap);
  CL_FREE(alloc, proxies->box, proxies->box_cap);
  CL_FREE(alloc, proxies->way, proxies->way_cap);
  CL_FREE(alloc, proxies->block, proxies->block_cap);
  CL_FREE(alloc, proxies->by, proxies->by_cap);
  CL_FREE(alloc, proxies->turned, proxies->turned_cap);
  CL_FREE(alloc, proxies->listed, proxies->listed_cap);
  CL_FREE(alloc, proxies->lane, proxies->lane_cap);
  for (int t = 0; t < CL_TREES; t++) cl_bvh_free(&proxies->tree[t].bvh, alloc);
  cl_ray_grid_free(&proxies->ray_grid, alloc);
}
