// collide, MIT licence (see LICENSE)
//
// The bullets of a step as others meet them on the rest of their ways. Layer: bullets.

#ifndef CL_BULLETS_FLIGHTS_H
#define CL_BULLETS_FLIGHTS_H

#include "bullets/state.h"

void cl_flights_free(cl_flights *flights, const cl_alloc *alloc);

/// Makes the list, where that has not been done in this step. On CL_NOMEM there is none.
cl_status cl_flights_need(cl_pools *pools);

/// That of a bullet; NULL where there is no list or it is not in it.
cl_flight *cl_flights_of(cl_pools *pools, uint32_t pool, uint64_t number);

/// When the first hit that a bullet is still to be told of will end it, unless that is answered
/// for; INFINITY: none.
double cl_flights_end_of(const cl_pools *pools, const cl_bullets *pool, uint64_t number);

/// A bullet has bounced off what a shot tells of, and goes on from there.
void cl_flights_turn(cl_pools *pools, cl_flight *flight, const cl_shot *shot, cl_vec from,
                     cl_vec to);

/// A bullet has been set elsewhere: nobody meets it any more in this step.
void cl_flights_lose(cl_pools *pools, uint32_t pool, uint64_t number);

/// Pool `gone` is removed, and later ones move up.
void cl_flights_drop_pool(cl_flights *flights, uint32_t gone);

/// The box of its last leg.
cl_bounds cl_flight_box(const cl_flight *flight);

/// Calls `visit` for all that may touch a box, and others. On CL_NOMEM for some or none.
typedef cl_status cl_flight_visit(void *user, const cl_flight *flight);
cl_status cl_flights_query(cl_pools *pools, cl_bounds box, cl_flight_visit *visit, void *user);

#endif
