// collide, MIT licence (see LICENSE)
//
// The contacts of each actor: those in which it is the first are adjacent anyway; this index finds
// those in which it is the second. Layer: world.

#ifndef CL_WORLD_HIT_INDEX_H
#define CL_WORLD_HIT_INDEX_H

#include "world/contact_list.h"

/// Made when first needed; `step` is the number of the step that it belongs to, 0 for none.
typedef struct cl_hit_index {
  uint32_t *by_second, *second_start;
  size_t by_second_cap, second_start_cap;
  uint64_t step;
} cl_hit_index;

/// Makes the index of contacts among so many slots. On CL_NOMEM it must not be used.
cl_status cl_hit_index_make(cl_hit_index *index, const cl_alloc *alloc, const cl_links *contacts,
                            size_t slots);
void cl_hit_index_free(cl_hit_index *index, const cl_alloc *alloc);

/// How many contacts have `slot` as their second actor; the k-th of them.
static inline size_t cl_hit_index_count(const cl_hit_index *index, uint32_t slot) {
  return index->second_start[slot + 1] - index->second_start[slot];
}
static inline size_t cl_hit_index_at(const cl_hit_index *index, uint32_t slot, size_t k) {
  return index->by_second[index->second_start[slot] + k];
}

#endif
