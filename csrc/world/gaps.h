// collide, MIT licence (see LICENSE)
//
// Slots of removed actors: which ones events still name, and closing the gaps. Layer: world.

#ifndef CL_WORLD_GAPS_H
#define CL_WORLD_GAPS_H

#include "world/state.h"

/// cl_actors_close_gaps moves live actors down over dead ones that no event will name any more, if
/// there are enough of these, and renumbers slots everywhere. It cannot fail, because
/// cl_actors_reserve_moving has reserved the memory.
cl_status cl_actors_reserve_moving(cl_world *world);
void cl_actors_close_gaps(cl_world *world);

/// Sets `named` for the slots in the last step's contacts, ended ones included, unless that was
/// done already: it is needed after few steps.
void cl_contacts_name(cl_world *world);

#endif
