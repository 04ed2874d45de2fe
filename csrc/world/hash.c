// collide, MIT licence (see LICENSE)
//
// One number for all that a world answers. Layer: world.

#include "base/hash.h"
#include "world/state.h"
#include "world/targets.h"

uint64_t cl_world_hash_begin(cl_world *world) {
  cl_actors *actors = &world->actors;
  uint64_t hash = CL_HASH_BEGIN;
  // Actors are named by how many live ones come before them, since slots hang
  // on when gaps were closed.
  uint32_t rank = 0;
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (!(actors->state[slot] & CL_LIVE)) continue;
    actors->rank[slot] = rank++;
    hash = cl_hash_number(hash, actors->place[slot].x);
    hash = cl_hash_number(hash, actors->place[slot].y);
    hash = cl_hash_number(hash, actors->angle ? actors->angle[slot] : 0);
  }
  for (size_t k = 0; k < world->contacts.now.count; k++) {
    cl_pair pair;
    cl_hit hit;
    if (!cl_world_hit(world, k, &pair, &hit)) continue;
    hash = cl_hash_word(cl_hash_word(hash, actors->rank[pair.a]), actors->rank[pair.b]);
    hash = cl_hash_number(hash, hit.nx);
    hash = cl_hash_number(hash, hit.ny);
    hash = cl_hash_number(hash, hit.depth);
  }
  return hash;
}

uint64_t cl_world_hash(cl_world *world) { return cl_hash_end(cl_world_hash_begin(world)); }
