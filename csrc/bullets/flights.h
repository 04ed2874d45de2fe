// collide, MIT licence (see LICENSE)
//
// The bullets of a step, which others may meet on the rest of their ways. Layer: bullets.

#ifndef CL_BULLETS_FLIGHTS_H
#define CL_BULLETS_FLIGHTS_H

#include "bullets/state.h"

void cl_flights_free(cl_flights *flights, const cl_alloc *alloc);

/// Makes the list, if this step has none yet. On CL_NOMEM there is none.
cl_status cl_flights_need(cl_pools *pools);

/// The flight of a bullet; NULL if there is no list, or the bullet is not in it.
cl_flight *cl_flights_of(cl_pools *pools, uint32_t pool, uint64_t number);

/// When the first remaining hit of a bullet will end it, unless a callback's answer saves it;
/// INFINITY: none.
double cl_flights_end_of(const cl_pools *pools, const cl_bullets *pool, uint64_t number);

/// Called when a bullet has bounced off the target of a shot, and continues from there.
void cl_flights_turn(cl_pools *pools, cl_flight *flight, const cl_shot *shot, cl_vec from,
                     cl_vec to);

/// Called when a bullet has been moved by `set`: no other meets it in the rest of this step.
void cl_flights_lose(cl_pools *pools, uint32_t pool, uint64_t number);

/// Removes pool `gone`; later ones move up.
void cl_flights_drop_pool(cl_flights *flights, uint32_t gone);

/// The box of its last leg.
cl_bounds cl_flight_box(const cl_flight *flight);

/// Calls `visit` for all flights that may touch a box, and perhaps for others; on CL_NOMEM, for
/// some or none.
typedef cl_status cl_flight_visit(void *user, const cl_flight *flight);
cl_status cl_flights_query(cl_pools *pools, cl_bounds box, cl_flight_visit *visit, void *user);

#endif
