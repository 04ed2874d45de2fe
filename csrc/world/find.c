// collide, MIT licence (see LICENSE)
//
// From placed actors to hits: the broad phase's candidates, those that the groups
// let through, and of these the pairs that do overlap, sorted. Layer: world.

#include <string.h>

#include "world/state.h"

// Drops the candidates that no rule lets hit.
static void filter(cl_world *world) {
  const uint32_t *slot = world->placing.slot;
  const uint8_t *group = world->actors.group;
  cl_pairs *candidates = &world->found_candidates;
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair pair = candidates->at[i];
    candidates->at[n] = pair;
    n += world->hits_with[group[slot[pair.a]]] >> group[slot[pair.b]] & 1;
  }
  candidates->count = n;
}

static bool test_circles(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *hit) {
  cl_vec p = cl_placed_vertex(a, 0), q = cl_placed_vertex(b, 0);
  return cl_overlap_circles(p.x, p.y, a->shape->radius, q.x, q.y, b->shape->radius, touching, hit);
}

static bool test(const cl_placing *placing, cl_pair pair, bool touching, cl_hit *hit) {
  uint8_t a = placing->form[pair.a], b = placing->form[pair.b];
  if (a == CL_FORM_BOX && b == CL_FORM_BOX) {
    return cl_overlap_boxes(placing->bounds[pair.a], placing->bounds[pair.b], touching, hit);
  }
  const cl_placed *p = &placing->placed[pair.a], *q = &placing->placed[pair.b];
  if (a == CL_FORM_CIRCLE && b == CL_FORM_CIRCLE) return test_circles(p, q, touching, hit);
  return cl_overlap(p, q, touching, hit);
}

// Tests the candidates, and leaves a key for each hit in the sorter and the hits
// in the second half of `found_hit`, both in the candidates' order.
static size_t test_all(cl_world *world, unsigned bits) {
  const cl_pairs *candidates = &world->found_candidates;
  cl_hit *tested = world->found_hit.at + candidates->count;
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair pair = candidates->at[i];
    if (!test(&world->placing, pair, world->touching, &tested[n])) continue;
    world->sorter.item[n] = (cl_keyed){(uint64_t)pair.a << bits | pair.b, (uint32_t)n};
    n++;
  }
  return n;
}

static cl_status reserve_found(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t most = world->found_candidates.count;
  if (most > UINT32_MAX) return CL_NOMEM;
  cl_status status = cl_sorter_reserve(alloc, &world->sorter, most);
  if (status == CL_OK) status = CL_RESERVE(alloc, world->found.at, world->found.cap, most);
  // Twice: as tested, and sorted.
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, world->found_hit.at, world->found_hit.cap, 2 * most);
  }
  return status;
}

static void sort_found(cl_world *world, size_t count, unsigned bits) {
  world->found.count = count;
  if (count == 0) return;
  const cl_keyed *sorted = cl_sort(&world->sorter, count, 2 * bits);
  const uint32_t *slot = world->placing.slot;
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  const cl_hit *tested = world->found_hit.at + world->found_candidates.count;
  for (size_t i = 0; i < count; i++) {
    uint32_t a = slot[sorted[i].key >> bits], b = slot[sorted[i].key & mask];
    world->found.at[i] = (cl_tie){a, b, 0, 0};
    world->found_hit.at[i] = tested[sorted[i].value];
  }
}

cl_status cl_find(cl_world *world) {
  cl_status status = cl_place_next(world);
  if (status != CL_OK) return status;
  const cl_placing *placing = &world->placing;
  cl_broad_input in = {placing->box, placing->fixed, placing->count};
  cl_pairs *candidates = &world->found_candidates;
  candidates->count = 0;
  status = world->broad->class->find(world->broad, &in, candidates);
  if (status != CL_OK) return status;
  filter(world);
  status = reserve_found(world);
  if (status != CL_OK) return status;
  unsigned bits = cl_bit_length(placing->count);
  sort_found(world, test_all(world, bits), bits);
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair *pair = &candidates->at[i];
    *pair = (cl_pair){placing->slot[pair->a], placing->slot[pair->b]};
  }
  return CL_OK;
}
