// collide, MIT licence (see LICENSE)
//
// Slots of removed actors: who is yet to be told of, and closing the gaps. Layer: world.

#ifndef CL_WORLD_GAPS_H
#define CL_WORLD_GAPS_H

#include "world/state.h"

/// Moves live actors down over dead ones whom nobody is yet to be told of, when
/// enough have gathered, and renames slots everywhere. Cannot fail: memory was
/// reserved by cl_actors_reserve_moving.
cl_status cl_actors_reserve_moving(cl_world *world);
void cl_actors_close_gaps(cl_world *world);

/// Sets `named` of the slots that the last step's contacts name, ended ones included,
/// unless that has been done since: few steps are asked.
void cl_contacts_name(cl_world *world);

#endif
