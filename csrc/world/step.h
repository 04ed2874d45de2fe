// collide, MIT licence (see LICENSE)
//
// The parts of a step, in their order: place the proxies, find pairs, put the candidates in
// order, make contacts of them, and compare those with the last step's. Layer: world.

#ifndef CL_WORLD_STEP_H
#define CL_WORLD_STEP_H

#include "world/state.h"

/// Gives up a step after its first half: it has not begun.
void cl_world_cancel_step(cl_world *world);

/// Places all live actors, at their present or at their next places.
cl_status cl_proxies_place_present(cl_world *world);
cl_status cl_proxies_place_next(cl_world *world);

/// The input of the broad phase.
cl_broad_input cl_proxies_input(const cl_world *world);

/// The box of a proxy in doubles, large enough for roundings.
cl_bounds cl_proxy_bounds(const cl_world *world, uint32_t number);

/// The proxies are at the present places, and every actor has one.
void cl_proxies_set_current(cl_world *world);

/// Finds what could hit at the next places. After that, and once its memory is reserved,
/// cl_pairs_sort cannot fail: it makes the found pairs into `candidates`.
cl_status cl_pairs_find(cl_world *world);
cl_status cl_pairs_reserve(cl_world *world);
void cl_pairs_sort(cl_world *world);
void cl_pairs_free(cl_world *world);

/// Makes room for testing candidates of mixed forms, if there are any.
cl_status cl_contacts_reserve(cl_world *world);
void cl_contacts_free(cl_world *world);

/// Tests the candidates and makes contacts of those that hit, in their order: writes to the pairs
/// of `to`, which has room, and to `contacts.hit`.
void cl_contacts_make(cl_world *world, cl_links *to);

#endif
