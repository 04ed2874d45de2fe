// collide, MIT licence (see LICENSE)
//
// What can be asked of a world after a step. Layer: world.

#include <string.h>

#include "world/state.h"

cl_counts cl_world_counts(const cl_world *world) {
  return (cl_counts){world->actors.live, world->candidates.count, world->pairs.count,
                     world->broad->name};
}

static bool both_live(const cl_world *world, uint32_t a, uint32_t b) {
  return world->actors.state[a] & world->actors.state[b] & CL_LIVE;
}

bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit) {
  const cl_tie *tie = &world->pairs.at[k];
  *pair = (cl_pair){tie->a, tie->b};
  *hit = world->hit.at[world->order[k]];
  return both_live(world, tie->a, tie->b);
}

// Counting sort of the hits by their second actor; a stable one, so that each
// actor's come in the order of the first ones.
static cl_status make_by_second(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t slots = world->actors.count, hits = world->pairs.count;
  cl_status status = CL_RESERVE(alloc, world->second_start, world->second_start_cap, slots + 2);
  if (status == CL_OK) status = CL_RESERVE(alloc, world->by_second, world->by_second_cap, hits);
  if (status != CL_OK) return status;
  uint32_t *start = world->second_start;
  memset(start, 0, (slots + 2) * sizeof *start);
  for (size_t k = 0; k < hits; k++) start[world->pairs.at[k].b + 2]++;
  for (size_t s = 2; s < slots + 2; s++) start[s] += start[s - 1];
  for (size_t k = 0; k < hits; k++) {
    world->by_second[start[world->pairs.at[k].b + 1]++] = (uint32_t)k;
  }
  world->by_second_made = true;
  return CL_OK;
}

// The first hit whose first actor is at or after `slot`.
static size_t first_hit(const cl_world *world, uint32_t slot) {
  size_t low = 0, high = world->pairs.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (world->pairs.at[middle].a < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static size_t as_second(const cl_world *world, uint32_t slot) {
  return world->second_start[slot + 1] - world->second_start[slot];
}

cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count) {
  cl_actors_need_tied(world);
  if (!world->actors.tied[slot]) { // so too those added since, which the index lacks
    *count = 0;
    return CL_OK;
  }
  if (!world->by_second_made) {
    cl_status status = make_by_second(world);
    if (status != CL_OK) return status;
  }
  *count = as_second(world, slot) + first_hit(world, slot + 1) - first_hit(world, slot);
  return CL_OK;
}

size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k) {
  size_t second = as_second(world, slot);
  if (k < second) return world->by_second[world->second_start[slot] + k];
  return first_hit(world, slot) + (k - second);
}

cl_status cl_world_candidates(cl_world *world, const cl_pair **pairs, size_t *count) {
  cl_pairs *candidates = &world->candidates;
  if (!world->candidates_sorted) {
    cl_status status = cl_sorter_reserve(&world->alloc, &world->sorter, candidates->count);
    if (status != CL_OK) return status;
    unsigned bits = cl_bit_length(world->actors.count);
    for (size_t i = 0; i < candidates->count; i++) {
      cl_pair pair = candidates->at[i];
      world->sorter.item[i] = (cl_keyed){(uint64_t)pair.a << bits | pair.b, 0};
    }
    const cl_keyed *sorted = cl_sort(&world->sorter, candidates->count, 2 * bits);
    for (size_t i = 0; i < candidates->count; i++) {
      uint64_t key = sorted[i].key;
      candidates->at[i] =
          (cl_pair){(uint32_t)(key >> bits), (uint32_t)(key & (((uint64_t)1 << bits) - 1))};
    }
    world->candidates_sorted = true;
  }
  *pairs = candidates->at;
  *count = candidates->count;
  return CL_OK;
}

size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t room) {
  return world->broad->class->cells(world->broad, out, room);
}
