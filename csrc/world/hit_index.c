// collide, MIT licence (see LICENSE)
//
// The index of contacts by their second actor. Layer: world.

#include "world/hit_index.h"

#include <string.h>

// A counting sort by the second actor. It is stable, so each actor's contacts stay in the order of
// their first actors.
cl_status cl_hit_index_make(cl_hit_index *index, const cl_alloc *alloc, const cl_links *contacts,
                            size_t slots) {
  size_t count = contacts->count;
  cl_status status = CL_RESERVE(alloc, index->second_start, index->second_start_cap, slots + 2);
  if (status == CL_OK) status = CL_RESERVE(alloc, index->by_second, index->by_second_cap, count);
  if (status != CL_OK) return status;
  uint32_t *start = index->second_start;
  memset(start, 0, (slots + 2) * sizeof *start);
  for (size_t k = 0; k < count; k++) start[contacts->pair[k].b + 2]++;
  for (size_t s = 2; s < slots + 2; s++) start[s] += start[s - 1];
  for (size_t k = 0; k < count; k++) {
    index->by_second[start[contacts->pair[k].b + 1]++] = (uint32_t)k;
  }
  return CL_OK;
}

void cl_hit_index_free(cl_hit_index *index, const cl_alloc *alloc) {
  CL_FREE(alloc, index->by_second, index->by_second_cap);
  CL_FREE(alloc, index->second_start, index->second_start_cap);
}
