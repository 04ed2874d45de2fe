// collide, MIT licence (see LICENSE)
//
// Which pending shots are the other side of a meeting of two bullets: found by both numbers, since
// one bullet may have as many shots as there are bullets. Layer: bullets.

#include "bullets/shots.h"
#include "base/sort.h"

static int order(const cl_back *a, const cl_back *b) {
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return (a->at > b->at) - (a->at < b->at);
}

static int in_order(const void *a, const void *b) { return order(a, b); }

void cl_pools_link_backs(cl_pools *pools) {
  const cl_shots *shots = &pools->shots;
  size_t n = 0;
  for (size_t i = pools->cursor; i < shots->count; i++) {
    const cl_shot *shot = &shots->at[i];
    if (shot->kind != CL_SHOT_HIT || shot->actor != CL_SHOT_BULLET) continue;
    pools->back[n++] = (cl_back){shot->number, shot->other, i};
  }
  pools->back_count = n;
  cl_sort_by(pools->back, n, sizeof *pools->back, in_order);
}

// The index of the first shot that has not been dispatched, if there is one.
static size_t first_of(const cl_pools *pools, uint64_t number, uint64_t other) {
  const cl_back key = {number, other, pools->cursor};
  size_t low = 0, high = pools->back_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (order(&pools->back[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_of(const cl_pools *pools, size_t i, uint64_t number, uint64_t other) {
  return i < pools->back_count && pools->back[i].number == number && pools->back[i].other == other;
}

const cl_shot *cl_pools_find_back(const cl_pools *pools, uint64_t number, uint64_t other) {
  size_t i = first_of(pools, number, other);
  return is_of(pools, i, number, other) ? &pools->shots.at[pools->back[i].at] : NULL;
}

bool cl_pools_assure_back(cl_pools *pools, const cl_shot *shot) {
  size_t first = first_of(pools, shot->other, shot->number), i = first;
  for (; is_of(pools, i, shot->other, shot->number); i++) {
    pools->work++;
    pools->shots.at[pools->back[i].at].sure = true;
  }
  return i > first;
}
