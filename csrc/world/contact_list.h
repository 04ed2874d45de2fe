// collide, MIT licence (see LICENSE)
//
// What two actors know of each other, from step to step: lists of contacts. Layer: world.

#ifndef CL_WORLD_CONTACT_LIST_H
#define CL_WORLD_CONTACT_LIST_H

#include "base/alloc.h"

/// Bits beside CL_CALLS: which actors of a pair got `enter` before the calls of this
/// step. Of a contact that has ended: which have yet to get `leave`.
enum { CL_NOTIFIED_A = 128, CL_NOTIFIED_B = 64, CL_NOTIFIED = CL_NOTIFIED_A | CL_NOTIFIED_B };

/// Pairs of slots, ascending, and bits that go with them.
typedef struct cl_links {
  cl_pair *pair;
  uint8_t *bits;
  size_t count, pair_cap, bits_cap;
} cl_links;

/// What two actors know of each other: the contacts of the last step, with their hits, and
/// those that have ended but not for both actors; then which of them are events. As long as
/// nobody has asked for enter or leave events, `ended` may have all contacts of the step
/// before, and the CL_NOTIFIED bits of `now` are not set: cl_contact_list_compare sees to it. See
/// dispatch.c.
typedef struct cl_contact_list {
  cl_links now, ended;
  cl_links spare; ///< memory for what is open after a dispatch that was cut short
  cl_hit *hit;    ///< of `now`
  size_t hit_cap;
  double *time; ///< of `now`, if `any_time`: as in cl_io
  size_t time_cap;
  uint32_t *event; ///< as in cl_io
  size_t event_cap;
  uint8_t *muted; ///< of `now`, if `any_muted`: CL_NOTIFIED_ bits of the actors that get no event
  size_t muted_cap;
  bool any_muted, any_time;
  bool cut;           ///< an actor was removed before the dispatch was over
  bool leaves_wanted; ///< some actor has, or has had, `leave`
  bool enters_wanted; ///< the same of `enter`
  bool uncompared;    ///< all that is said above of `ended` and `now` is so
} cl_contact_list;

/// Brings `ended` and the CL_NOTIFIED bits of `now` up to date: which contacts began and which
/// ended.
void cl_contact_list_compare(cl_contact_list *contacts);

void cl_contact_list_free(cl_contact_list *contacts, const cl_alloc *alloc);

#endif
