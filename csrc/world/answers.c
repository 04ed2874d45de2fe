// collide, MIT licence (see LICENSE)
//
// What can be asked of a world after a step. Layer: world.

#include <string.h>

#include "world/state.h"

cl_counts cl_world_counts(const cl_world *world) {
  return (cl_counts){world->actors.live, world->candidates.count, world->contacts.now.count,
                     world->broad->name};
}

static bool both_live(const cl_world *world, uint32_t a, uint32_t b) {
  return world->actors.state[a] & world->actors.state[b] & CL_LIVE;
}

bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit) {
  *pair = world->contacts.now.pair[k];
  *hit = world->contacts.hit[k];
  return both_live(world, pair->a, pair->b);
}

// Counting sort of the contacts by their second actor; a stable one, so that each
// actor's come in the order of the first ones.
static cl_status make_by_second(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  const cl_links *contacts = &world->contacts.now;
  size_t slots = world->actors.count, count = contacts->count;
  cl_status status = CL_RESERVE(alloc, world->second_start, world->second_start_cap, slots + 2);
  if (status == CL_OK) status = CL_RESERVE(alloc, world->by_second, world->by_second_cap, count);
  if (status != CL_OK) return status;
  uint32_t *start = world->second_start;
  memset(start, 0, (slots + 2) * sizeof *start);
  for (size_t k = 0; k < count; k++) start[contacts->pair[k].b + 2]++;
  for (size_t s = 2; s < slots + 2; s++) start[s] += start[s - 1];
  for (size_t k = 0; k < count; k++) {
    world->by_second[start[contacts->pair[k].b + 1]++] = (uint32_t)k;
  }
  world->by_second_of = world->steps;
  return CL_OK;
}

// The first contact whose first actor is at or after `slot`.
static size_t first_contact(const cl_world *world, uint32_t slot) {
  const cl_links *contacts = &world->contacts.now;
  size_t low = 0, high = contacts->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (contacts->pair[middle].a < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static size_t as_second(const cl_world *world, uint32_t slot) {
  return world->second_start[slot + 1] - world->second_start[slot];
}

cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count) {
  cl_contacts_name(world);
  if (!world->actors.named[slot]) { // so too those added since, which the index lacks
    *count = 0;
    return CL_OK;
  }
  if (world->by_second_of != world->steps) {
    cl_status status = make_by_second(world);
    if (status != CL_OK) return status;
  }
  *count = as_second(world, slot) + first_contact(world, slot + 1) - first_contact(world, slot);
  return CL_OK;
}

size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k) {
  size_t second = as_second(world, slot);
  if (k < second) return world->by_second[world->second_start[slot] + k];
  return first_contact(world, slot) + (k - second);
}

void cl_world_candidates(const cl_world *world, const cl_pair **pairs, size_t *count) {
  *pairs = world->candidates.at;
  *count = world->candidates.count;
}

size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t cap) {
  return world->broad->class->cells(world->broad, out, cap);
}
