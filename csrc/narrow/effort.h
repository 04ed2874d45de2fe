// collide, MIT licence (see LICENSE)
//
// How much work a way out may take. Layer: narrow.

#ifndef CL_NARROW_EFFORT_H
#define CL_NARROW_EFFORT_H

#include "base/config.h"

/// This many pairs of parts that overlap are compared to find the deepest; and the most steps for
/// that and a search for the shortest way out, of which a third is kept for the search: enough for
/// some thousand pairs of parts. A step is one corner of a difference examined.
enum { CL_MTV_MOST = 2048, CL_MTV_WORK = 1500000 };

/// Limits for one way out, and the work done so far for all that were asked for with this.
typedef struct cl_effort {
  int pairs;     ///< as CL_MTV_MOST
  long work;     ///< as CL_MTV_WORK
  double enough; ///< if no way out is as short as this, any depth above it will do
  long spent;    ///< steps so far
  long search;   ///< of cells one by one: the most steps before one that overlaps is found
  bool given_up; ///< none was found in these steps
} cl_effort;

/// The effort of cl_overlap.
static inline cl_effort cl_full_effort(void) {
  return (cl_effort){.pairs = CL_MTV_MOST, .work = CL_MTV_WORK, .enough = INFINITY};
}

#endif
