// collide, MIT licence (see LICENSE)
//
// The data of a world; private to this layer. Layer: world.

#ifndef CL_WORLD_STATE_H
#define CL_WORLD_STATE_H

#include "broad/broad.h"
#include "broad/closer.h"
#include "world/actors.h"
#include "world/contact_list.h"
#include "world/hash_log.h"
#include "world/hit_index.h"
#include "world/moves.h"
#include "world/proxies.h"

struct cl_world {
  cl_alloc alloc;
  cl_io *io;
  bool touching;
  bool begun;        ///< a step has begun but not ended
  double dispatched; ///< of that step
  uint64_t changes;  ///< see cl_world_changes
  uint64_t steps;
  uint64_t hits_with[CL_MAX_GROUPS]; ///< bit h of entry g: groups g and h hit
  uint64_t notifies[CL_MAX_GROUPS];  ///< the same: if they hit, actors of g get events about those
                                     ///< of h
  bool one_sided;                    ///< for some two groups that hit, one gets no events
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
  struct cl_movement *movement; ///< NULL while no actor has been moved; see move.h

  // For the last query: the results of the tree, and the answer.
  cl_found touched;
  struct cl_answer *answer;
  size_t answer_cap;
};

/// Keeps cl_io's pointers up to date.
void cl_world_show(cl_world *world);

/// The actor of a proxy, at the proxy's place. It may not be removed or dirty.
static inline cl_placed cl_proxy_placed(const cl_world *world, uint32_t number) {
  return cl_actor_placed(&world->actors, world->proxies.slot[number], world->proxies.current);
}

#endif
