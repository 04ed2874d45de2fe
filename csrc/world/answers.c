// collide, MIT licence (see LICENSE)
//
// What a host can ask a world after a step. Layer: world.

#include "world/gaps.h"

cl_counts cl_world_counts(const cl_world *world) {
  return (cl_counts){world->actors.live, world->candidates.count, world->contacts.now.count,
                     world->broad->name};
}

static bool both_live(const cl_world *world, uint32_t a, uint32_t b) {
  return world->actors.state[a] & world->actors.state[b] & CL_LIVE;
}

bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit) {
  assert(k < world->contacts.now.count);
  *pair = world->contacts.now.pair[k];
  *hit = world->contacts.hit[k];
  return both_live(world, pair->a, pair->b);
}

// The first contact with its first actor at or after `slot`.
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

cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count) {
  assert(slot < world->actors.count);
  cl_contacts_name(world);
  if (!world->actors.named[slot]) { // also for actors added since, which the index lacks
    *count = 0;
    return CL_OK;
  }
  cl_hit_index *index = &world->hit_index;
  if (index->step != world->steps) {
    size_t slots = world->actors.count;
    cl_status status = cl_hit_index_make(index, &world->alloc, &world->contacts.now, slots);
    if (status != CL_OK) return status;
    index->step = world->steps;
  }
  *count =
      cl_hit_index_count(index, slot) + first_contact(world, slot + 1) - first_contact(world, slot);
  return CL_OK;
}

size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k) {
  assert(slot < world->actors.count && world->hit_index.step == world->steps);
  size_t second = cl_hit_index_count(&world->hit_index, slot);
  if (k < second) return cl_hit_index_at(&world->hit_index, slot, k);
  return first_contact(world, slot) + (k - second);
}

void cl_world_candidates(const cl_world *world, const cl_pair **pairs, size_t *count) {
  *pairs = world->candidates.at;
  *count = world->candidates.count;
}

size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t cap) {
  if (world->closer.used) return cl_closer_cells(&world->closer, out, cap);
  return world->broad->class->cells(world->broad, out, cap);
}
