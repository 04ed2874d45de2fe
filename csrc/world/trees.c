// collide, MIT licence (see LICENSE)
//
// The trees of static and of moving actors. Layer: world.

#include "world/trees.h"
#include "base/sort.h"

#include "geom/box.h"
#include "world/step.h"

// How many moves leave a tree good enough: this many for each moving actor, and this many more.
enum { MOVES_PER_ACTOR = 4, FEW_MOVES = 64 };

// If a query finds more boxes than this that are too coarse, trees have boxes in doubles, from the
// next query on and for so many steps.
enum { MANY_COARSE = 64, FINE_FOR = 64 };

cl_status cl_trees_begin(cl_world *world) {
  assert(!world->begun);
  world->changes++;
  uint32_t bearable = CL_FEW_DIRTY + world->proxies.count / CL_ACTORS_PER_DIRTY;
  bool current = world->proxies.current && world->actors.dirty_count <= bearable;
  return current ? CL_OK : cl_proxies_place_present(world);
}

static uint64_t groups_of(const cl_world *world, const uint32_t *list, uint32_t count) {
  const cl_proxies *proxies = &world->proxies;
  uint64_t groups = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = list ? list[i] : i;
    groups |= UINT64_C(1) << world->actors.group[proxies->slot[number]];
  }
  return groups;
}

// The box of a proxy at its actor's present place, in doubles.
static cl_bounds fine_box(cl_world *world, uint32_t number) {
  cl_placed placed = cl_actor_place(&world->actors, world->proxies.slot[number]);
  cl_bounds b = cl_placed_bounds(&placed);
  return cl_bounds_grown(b, 4 * CL_ROUND * cl_bounds_largest(b));
}

// The boxes that a tree is made of, in doubles too if that is necessary. Without a list all are
// meant.
static cl_status build(cl_world *world, cl_bvh *tree, const uint32_t *list, uint32_t count) {
  const cl_proxies *proxies = &world->proxies;
  const cl_bounds *fine = NULL;
  if (proxies->is_fine) {
    cl_status status = CL_RESERVE(&world->alloc, world->fine, world->fine_cap, proxies->count);
    if (status != CL_OK) return status;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t number = list ? list[i] : i;
      world->fine[number] = fine_box(world, number);
    }
    fine = world->fine;
  }
  return cl_bvh_build_of(tree, &world->alloc, proxies->box, fine, list, count);
}

static cl_status make_fixed(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  uint32_t count = proxies->count - proxies->movers;
  bool is_made = proxies->fixed_made && proxies->fixed_order == proxies->order &&
                 proxies->fixed_version == proxies->static_version &&
                 proxies->fixed_fine >= proxies->is_fine;
  if (is_made) return CL_OK;
  const uint32_t *list = count > 0 ? proxies->listed + proxies->movers : NULL;
  cl_status status = build(world, &proxies->fixed_tree, list, count);
  proxies->fixed_made = status == CL_OK;
  proxies->fixed_fine = proxies->is_fine;
  proxies->fixed_order = proxies->order;
  proxies->fixed_version = proxies->static_version;
  return status;
}

static cl_status make_moving(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  if (proxies->moving_made) return CL_OK;
  const uint32_t *list = proxies->movers < proxies->count ? proxies->listed : NULL;
  cl_bvh *tree = &proxies->moving_tree;
  cl_status status = CL_RESERVE(&world->alloc, proxies->lane, proxies->lane_cap, proxies->count);
  if (status == CL_OK) status = build(world, tree, list, proxies->movers);
  if (status != CL_OK) return status;
  for (uint32_t i = 0; i < tree->count; i++) proxies->lane[tree->id[i]] = i;
  proxies->moving_made = true;
  proxies->moves = 0;
  return CL_OK;
}

static void note_groups(cl_world *world) {
  cl_proxies *proxies = &world->proxies;
  uint32_t fixed = proxies->count - proxies->movers;
  const uint32_t *list = fixed > 0 ? proxies->listed : NULL;
  proxies->moving_groups = groups_of(world, list, proxies->movers);
  proxies->fixed_groups = list ? groups_of(world, list + proxies->movers, fixed) : 0;
  proxies->groups_known = true;
}

// The number of a slot's proxy, which exists.
static uint32_t number_of(const cl_proxies *proxies, uint32_t slot) {
  if (slot < proxies->count && proxies->slot[slot] == slot) return slot;
  uint32_t low = 0, high = proxies->count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (proxies->slot[middle] < slot) low = middle + 1;
    else high = middle;
  }
  assert(proxies->slot[low] == slot);
  return low;
}

static cl_fbox box_of(cl_world *world, uint32_t slot) {
  cl_actors *actors = &world->actors;
  const cl_kind *kind = &actors->kinds.at[actors->kind[slot]];
  bool rotated = cl_actor_is_rotated(actors, actors->angle, slot);
  cl_fbox box;
  if (kind->bounded && !rotated) {
    cl_kind_box(kind, &actors->place[slot], &box);
    return box;
  }
  cl_placed placed = cl_actor_place(actors, slot);
  cl_bounds b = cl_placed_bounds(&placed);
  return cl_fbox_of(b.l, b.t, b.r, b.b);
}

void cl_trees_follow(cl_world *world) {
  cl_actors *actors = &world->actors;
  cl_proxies *proxies = &world->proxies;
  for (uint32_t i = 0; i < actors->moved_count; i++) {
    uint32_t slot = actors->moved_slots[i];
    actors->dirty[slot] &= (uint8_t)~CL_DIRTY_MOVED;
    if (!(actors->state[slot] & CL_LIVE) || actors->dirty[slot]) continue;
    uint32_t number = number_of(proxies, slot);
    proxies->box[number] = box_of(world, slot);
    if (!proxies->moving_made) continue;
    cl_bounds fine = {0, 0, 0, 0};
    if (proxies->moving_tree.is_fine) fine = fine_box(world, number);
    cl_bvh_move(&proxies->moving_tree, proxies->lane[number], proxies->box[number], fine);
  }
  proxies->moves += actors->moved_count;
  proxies->ray_grid_passed |= proxies->ray_grid_tried && actors->moved_count > 0;
  actors->moved_count = 0;
  if (proxies->moves > MOVES_PER_ACTOR * proxies->movers + FEW_MOVES) proxies->moving_made = false;
}

void cl_trees_note(cl_proxies *proxies, uint32_t coarse) {
  if (coarse <= MANY_COARSE || proxies->is_fine) return;
  proxies->fine_for = FINE_FOR;
  proxies->is_fine = true;
  proxies->moving_made = proxies->groups_known = false;
}

cl_status cl_trees_make(cl_world *world, uint64_t groups) {
  const cl_proxies *proxies = &world->proxies;
  if (!proxies->groups_known) {
    cl_status status = make_fixed(world);
    if (status != CL_OK) return status;
    note_groups(world);
  }
  if (!(proxies->moving_groups & groups)) return CL_OK;
  cl_trees_follow(world);
  return make_moving(world);
}

static void note_found(cl_world *world) {
  const cl_found *found = &world->touched;
  uint32_t coarse = 0;
  for (size_t i = 0; i < found->count; i++) {
    coarse += cl_fbox_is_coarse(world->proxies.box[found->at[i]]);
  }
  cl_trees_note(&world->proxies, coarse);
}

cl_status cl_trees_query(cl_world *world, cl_bounds box, uint64_t groups) {
  const cl_proxies *proxies = &world->proxies;
  cl_status status = CL_OK;
  world->touched.count = 0;
  if (proxies->fixed_groups & groups)
    status = cl_bvh_query(&proxies->fixed_tree, &world->alloc, box, &world->touched);
  if (status == CL_OK && proxies->moving_groups & groups)
    status = cl_bvh_query(&proxies->moving_tree, &world->alloc, box, &world->touched);
  if (world->touched.count > MANY_COARSE) note_found(world);
  return status;
}

bool cl_is_ignored(cl_filter filter, uint32_t slot) {
  size_t low = 0, high = filter.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (filter.ignored[middle] < slot) low = middle + 1;
    else high = middle;
  }
  return low < filter.count && filter.ignored[low] == slot;
}

// Inserts a slot among those found before, the last of which may be larger.
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
  cl_fbox reach = cl_fbox_of(box.l, box.t, box.r, box.b);
  cl_status status = cl_trees_begin(world);
  if (status == CL_OK) status = cl_trees_make(world, filter->groups);
  if (status == CL_OK) status = cl_trees_query(world, box, filter->groups);
  if (status != CL_OK) return status;
  cl_actors *actors = &world->actors;
  cl_found *found = &world->touched;
  status = CL_RESERVE(&world->alloc, found->at, found->cap, found->count + actors->dirty_count);
  if (status != CL_OK) return status;
  size_t all = found->count, n = 0;
  bool few = all + actors->dirty_count <= FEW_FOUND;
  for (size_t i = 0; i < all; i++) {
    uint32_t slot = world->proxies.slot[found->at[i]];
    if (actors->dirty[slot] & CL_DIRTY_CHANGED || !cl_is_asked_for(world, slot, *filter)) continue;
    if (few) insert(found->at, &n, slot);
    else found->at[n++] = slot;
  }
  for (uint32_t k = 0; k < actors->dirty_count; k++) {
    uint32_t slot = actors->dirty_slots[k];
    if (!cl_is_asked_for(world, slot, *filter) || !cl_fbox_touch(box_of(world, slot), reach))
      continue;
    if (few) insert(found->at, &n, slot);
    else found->at[n++] = slot;
  }
  if (!few) cl_sort_by(found->at, n, sizeof *found->at, ascending);
  found->count = n;
  return CL_OK;
}
