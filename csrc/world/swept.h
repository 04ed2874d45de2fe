// collide, MIT licence (see LICENSE)
//
// Swept actors: in a step they meet others on the straight way between the places of two steps,
// too, while these go their own. While no actor is swept none of this is called, except
// cl_swept_note_statics. Layer: world.

#ifndef CL_WORLD_SWEPT_H
#define CL_WORLD_SWEPT_H

#include "world/state.h"

/// The boxes of the ways of actors that have just been placed at `at`, by slot: those with the
/// numbers `from` to `end` (not included), by `list` where there is one.
void cl_swept_place(cl_world *world, const cl_vec *at, const uint32_t *list, uint32_t from,
                    uint32_t end);

/// Before all are placed: a static that was moved has a way in one step alone, so it has changed
/// for the broad phase once more.
void cl_swept_note_statics(cl_world *world);

/// Whether a pair of proxies whose ways overlap, given by their numbers, is one for the narrow
/// phase: where neither is swept their boxes have to.
static inline bool cl_swept_counts(const cl_world *world, uint32_t a, uint32_t b) {
  const cl_proxies *proxies = &world->proxies;
  const uint8_t *state = world->actors.state;
  unsigned either = state[proxies->slot[a]] | state[proxies->slot[b]];
  return (either & CL_SWEPT) != 0 || cl_fbox_touch(proxies->box[a], proxies->box[b]);
}

/// Whether two actors of which one is swept, and that do not overlap in the end, have on their
/// way: when, and the way the first got free then, with depth 0. In the second half of a step.
bool cl_swept_meet(const cl_world *world, cl_pair pair, cl_hit *hit, double *t);

#endif
