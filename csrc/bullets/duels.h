// collide, MIT licence (see LICENSE)
//
// Bullets that meet others on the rest of their ways. Layer: bullets.

#ifndef CL_BULLETS_DUELS_H
#define CL_BULLETS_DUELS_H

#include "bullets/flights.h"
#include "bullets/shots.h"

/// A bullet that has survived a hit at `after`, a share of the step, at the place `from`; it ends
/// at `to`. `bounced`: it survived by bouncing, which began a new leg; `has_bounced`: it has
/// bounced at some time. `ends`: when its next known hit ends it, unless a callback's answer saves
/// it.
typedef struct cl_duel {
  cl_bullets *pool;
  uint64_t number;
  double after, radius, ends;
  cl_vec from, to;
  bool bounced, has_bounced;
} cl_duel;

/// Appends its meetings with other bullets to the fresh shots, and to the fresh memories. The list
/// of flights must exist. On CL_NOMEM only some of them are appended.
cl_status cl_pools_find_duels(cl_pools *pools, const cl_duel *rest);

/// When one bullet of such a meeting is dispatched, the first notes the event of the other, and the
/// second queues it. The caller has reserved the room.
void cl_pools_report_other(cl_pools *pools, const cl_shot *shot);
void cl_pools_push_echo(cl_pools *pools);

/// Adds to the remaining shots; room was reserved.
void cl_pools_push_rest(cl_pools *pools, const cl_shot *shot);

/// Whether the other bullet of a hit is still where the two were found to meet.
bool cl_pools_still_meets(cl_pools *pools, const cl_shot *shot);

#endif
