// collide, MIT licence (see LICENSE)
//
// Lists of contacts, kept from step to step. Layer: world.

#ifndef CL_WORLD_CONTACT_LIST_H
#define CL_WORLD_CONTACT_LIST_H

#include "base/alloc.h"

/// Bits beside CL_CALLS: which actors of a pair got `enter` before the calls of this step. For a
/// contact that has ended: which have yet to get `leave`.
enum { CL_NOTIFIED_A = 128, CL_NOTIFIED_B = 64, CL_NOTIFIED = CL_NOTIFIED_A | CL_NOTIFIED_B };

/// Pairs of slots, ascending, with bits for each.
typedef struct cl_links {
  cl_pair *pair;
  uint8_t *bits;
  size_t count, pair_cap, bits_cap;
} cl_links;

/// Makes room for `count` of them.
static inline cl_status cl_links_reserve(const cl_alloc *alloc, cl_links *links, size_t count) {
  cl_status status = CL_RESERVE_NEAR(alloc, links->pair, links->pair_cap, count);
  return status == CL_OK ? CL_RESERVE_NEAR(alloc, links->bits, links->bits_cap, count) : status;
}

/// The contacts of the last step with their hits, and those that have ended but whose `leave` is
/// still to come for some actor; then which of them are events. As long as no actor asks for enter
/// or leave, `ended` may have all contacts of the previous step, and the CL_NOTIFIED bits of `now`
/// are not set: cl_contact_list_compare corrects that. See dispatch.c.
typedef struct cl_contact_list {
  cl_links now, ended;
  cl_links spare; ///< memory for the open contacts after a dispatch that was cut short
  cl_hit *hit;    ///< of `now`
  size_t hit_cap;
  double *time; ///< of `now`, if `any_time`: as in cl_io
  size_t time_cap;
  uint32_t *event; ///< as in cl_io
  size_t event_cap;
  uint8_t *muted; ///< of `now`, if `any_muted`: CL_NOTIFIED_ bits of the actors that get no event
  size_t muted_cap;
  bool any_muted, any_time;
  uint32_t events, leaves; ///< as in cl_io
  bool cut;                ///< an actor was removed before the dispatch was over
  bool leaves_wanted;      ///< some actor has, or has had, `leave`
  bool enters_wanted;      ///< the same for `enter`
  bool uncompared;         ///< `ended` and `now` are not up to date yet, see above
} cl_contact_list;

/// Brings `ended` and the CL_NOTIFIED bits of `now` up to date: which contacts began and which
/// ended.
void cl_contact_list_compare(cl_contact_list *contacts);

/// Whether pairs and events ascend, and all numbers are possible, with so many slots.
bool cl_contact_list_is_valid(const cl_contact_list *contacts, uint32_t slots);

void cl_contact_list_free(cl_contact_list *contacts, const cl_alloc *alloc);

#endif
