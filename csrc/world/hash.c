// collide, MIT licence (see LICENSE)
//
// One number for all that a world answers. Layer: world.

#include <string.h>

#include "world/state.h"

static uint64_t add(uint64_t hash, uint64_t word) {
  return (hash ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t add_number(uint64_t hash, double v) {
  v += 0.0; // -0 becomes 0
  uint64_t word;
  memcpy(&word, &v, sizeof word);
  // High bits, where a double differs most, would never reach the low ones.
  return add(add(hash, word >> 32), word & UINT32_MAX);
}

static uint64_t mix(uint64_t hash) {
  hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
  hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 33;
}

uint64_t cl_world_hash(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  // Actors are named by how many live ones come before them, since slots hang
  // on when gaps were closed.
  uint32_t rank = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    actors->rank[slot] = rank++;
    hash = add_number(hash, actors->place[slot].x);
    hash = add_number(hash, actors->place[slot].y);
    hash = add_number(hash, actors->angle ? actors->angle[slot] : 0);
  }
  for (size_t k = 0; k < world->contacts.now.count; k++) {
    cl_pair pair;
    cl_hit hit;
    if (!cl_world_hit(world, k, &pair, &hit)) continue;
    hash = add(add(hash, actors->rank[pair.a]), actors->rank[pair.b]);
    hash = add_number(hash, hit.nx);
    hash = add_number(hash, hit.ny);
    hash = add_number(hash, hit.depth);
  }
  return mix(cl_pools_hash(world, hash, add_number));
}
