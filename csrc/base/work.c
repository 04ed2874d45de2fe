// collide, MIT licence (see LICENSE)
//
// The counter of checked builds. Layer: base.

#include "base/work.h"

#if CL_CHECKED
uint64_t cl_work_done = 0;
#else
// ISO C does not allow an empty file.
typedef int cl_work_is_not_counted;
#endif
