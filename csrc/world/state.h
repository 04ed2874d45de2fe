// collide, MIT licence (see LICENSE)
//
// The data of a world; private to this layer. Layer: world.

#ifndef CL_WORLD_STATE_H
#define CL_WORLD_STATE_H

#include "broad/broad.h"
#include "broad/closer.h"
#include "world/actors.h"
#include "world/contact_list.h"
#include "world/hit_index.h"
#include "world/moves.h"
#include "world/proxies.h"

/// The rules of groups. Bit h of entry g of `hits_with`: groups g and h hit; of `notifies`: if they
/// do, actors of g get events about those of h. `one_sided`: for some two groups that hit, one gets
/// no events.
typedef struct cl_rules {
  uint64_t hits_with[CL_MAX_GROUPS], notifies[CL_MAX_GROUPS];
  bool one_sided;
} cl_rules;

static inline void cl_rules_note_one_sided(cl_rules *rules) {
  rules->one_sided = false;
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    rules->one_sided |= (rules->hits_with[g] & ~rules->notifies[g]) != 0;
  }
}

/// Where an actor was in the last step.
typedef struct cl_hash_note {
  cl_vec at;
  double angle;
  uint32_t slot;
} cl_hash_note;

/// What the hash of the last step still needs: the places of actors that have been moved or removed
/// since. The step had the first `slots` slots. If an actor is noted twice, the first note counts.
/// `known`: the hash has been computed, see cl_world_hash_begin; nothing is noted then.
typedef struct cl_hash_log {
  cl_hash_note *note;
  size_t note_cap;
  uint32_t count, slots;
  bool known;
  uint64_t hash;
} cl_hash_log;

struct cl_world {
  cl_alloc alloc;
  cl_io *io;
  bool touching;
  bool begun;        ///< a step has begun but not ended
  double dispatched; ///< of that step
  uint64_t changes;  ///< see cl_world_changes
  uint64_t steps;
  cl_rules rules;
  cl_broad *broad;
  cl_actors actors;
  cl_proxies proxies;

  // For the step in progress: the broad phase's pairs, as numbers of proxies in either order.
  cl_pairs found;
  cl_bounds *fine; ///< the boxes of the proxies in doubles, where floats are too coarse
  size_t fine_cap;
  cl_closer closer;
  uint32_t *first; ///< where each one's pairs begin during sorting
  size_t first_cap;
  bool long_runs;                 ///< some have many pairs
  struct cl_contact_batch *batch; ///< NULL until candidates of mixed forms are tested

  // For the last step: what could hit, as slots, ascending.
  cl_pairs candidates;
  cl_contact_list contacts;
  cl_moves moves;
  cl_hit_index hit_index;
  cl_hash_log hash;
  uint64_t named_of; ///< the step that actors.named belongs to

  struct cl_roster *roster;     ///< the last one made, or NULL,
  uint64_t roster_of;           ///< and its actors.edits
  struct cl_movement *movement; ///< NULL while no actor has been moved; see mover.h

  // For the last query: the results of the tree, and the answer.
  cl_found touched;
  struct cl_answer *answer;
  size_t answer_cap;
};

/// Keeps cl_io's pointers up to date.
void cl_world_show(cl_world *world);

/// Which events have been dispatched, across a step, see dispatch.c. After the reservation neither
/// of the other two fails; between them slots may be moved.
cl_status cl_dispatch_reserve(cl_world *world, double dispatched);
double cl_dispatch_progress(const cl_world *world, double dispatched);
/// The usual case: the dispatch is over.
bool cl_dispatch_is_over(const cl_world *world, double dispatched);
void cl_dispatch_advance(cl_world *world, double dispatched);
void cl_dispatch_list(cl_world *world);

/// The actor of a proxy, at the proxy's place. It may not be removed or dirty.
static inline cl_placed cl_proxy_placed(const cl_world *world, uint32_t number) {
  return cl_actor_placed(&world->actors, world->proxies.slot[number], world->proxies.current);
}

#endif
