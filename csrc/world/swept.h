// collide, MIT licence (see LICENSE)
//
// Swept actors: in a step they also meet others on the straight way between the places of two
// steps, while these move on theirs. While no actor is swept none of this is called, except
// cl_swept_note_statics. Layer: world.

#ifndef CL_WORLD_SWEPT_H
#define CL_WORLD_SWEPT_H

#include "geom/box.h"
#include "world/state.h"

/// Grows the box of an actor that is at a place in this step to that of its way; false if it has
/// none.
bool cl_swept_way(const cl_world *world, uint32_t slot, cl_vec at, cl_bounds *box);

/// Makes the boxes of the ways of actors that have just been placed at `at`, by slot: those with
/// the numbers `from` to `end` (not included), of `list` if there is one.
void cl_swept_place(cl_world *world, const cl_vec *at, const uint32_t *list, uint32_t from,
                    uint32_t end);

/// Called before all are placed. A static that was moved has a way in one step only, so it has
/// changed for the broad phase once more.
void cl_swept_note_statics(cl_world *world);

/// Whether a pair of proxies with overlapping ways, given by their numbers, is one for the narrow
/// phase: if neither is swept their boxes must overlap.
static inline bool cl_swept_counts(const cl_world *world, uint32_t a, uint32_t b) {
  const cl_proxies *proxies = &world->proxies;
  const uint8_t *state = world->actors.state;
  unsigned either = state[proxies->slot[a]] | state[proxies->slot[b]];
  return (either & CL_SWEPT) != 0 || cl_fbox_touch(proxies->box[a], proxies->box[b]);
}

/// Whether two actors, of which one is swept and which do not overlap at the end, have overlapped
/// on their way. Writes when, and how the first got free then, with depth 0. For the second half of
/// a step.
bool cl_swept_meet(const cl_world *world, cl_pair pair, cl_hit *hit, double *t);

#endif
