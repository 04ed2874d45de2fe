// collide, MIT licence (see LICENSE)
//
// What a call of the core that can fail returns. Layer: base.

#ifndef CL_BASE_STATUS_H
#define CL_BASE_STATUS_H

#include "base/config.h"

/// CL_OK, or why nothing was done: a call that returns anything else has left
/// all of its arguments as they were.
typedef enum cl_status {
  CL_OK = 0,
  CL_NOMEM,   ///< the allocator returned NULL
  CL_INVALID, ///< an argument is outside what the function's comment allows
} cl_status;

#endif
