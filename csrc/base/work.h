// collide, MIT licence (see LICENSE)
//
// Counts steps of work in checked builds, so that tests can bound the work of a call without a
// clock. Layer: base.

#ifndef CL_BASE_WORK_H
#define CL_BASE_WORK_H

#include "base/config.h"

#if CL_CHECKED
/// Steps so far in this process; a test sets it to 0 and reads it. Not thread-safe.
extern uint64_t cl_work_done;
#define CL_WORK(steps) (cl_work_done += (uint64_t)(steps))
#else
#define CL_WORK(steps) ((void)0)
#endif

#endif
