// collide, MIT licence (see LICENSE)
//
// Which groups hit each other. Layer: world.

#include "world/state.h"

// The set of groups that `group` means.
static uint64_t groups_of(unsigned group) {
  return group == CL_MAX_GROUPS ? UINT64_MAX : (uint64_t)1 << group;
}

// Sets or clears the bits of the second set of groups in the rows of the first.
static void set_bits(uint64_t row[CL_MAX_GROUPS], uint64_t groups, uint64_t others, bool on) {
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    if (!(groups >> g & 1)) continue;
    row[g] = on ? row[g] | others : row[g] & ~others;
  }
}

void cl_world_set_hits(cl_world *world, unsigned a, unsigned b, cl_hits hits) {
  assert(!world->begun && a <= CL_MAX_GROUPS && b <= CL_MAX_GROUPS);
  cl_rules *rules = &world->rules;
  uint64_t first = groups_of(a), second = groups_of(b);
  set_bits(rules->hits_with, first, second, hits != CL_HITS_NONE);
  set_bits(rules->hits_with, second, first, hits != CL_HITS_NONE);
  set_bits(rules->notifies, second, first, hits != CL_HITS_FIRST);
  set_bits(rules->notifies, first, second, true); // last: an actor in both gets events
  cl_rules_note_one_sided(rules);
}

bool cl_world_can_hit(const cl_world *world, unsigned a, unsigned b) {
  assert(a < CL_MAX_GROUPS && b < CL_MAX_GROUPS);
  return world->rules.hits_with[a] >> b & 1;
}

uint64_t cl_world_groups_hit(const cl_world *world, unsigned group) {
  assert(group < CL_MAX_GROUPS);
  return world->rules.hits_with[group];
}

uint64_t cl_world_groups_notified(const cl_world *world, unsigned group) {
  assert(group < CL_MAX_GROUPS);
  return world->rules.hits_with[group] & world->rules.notifies[group];
}

uint8_t cl_world_group(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->actors.group[slot];
}
