// collide, MIT licence (see LICENSE)
//
// Which of the shots that are to be told are the other side of a meeting of two
// bullets: found by both numbers, since one bullet may have as many shots as there are
// bullets. Layer: bullets.

#include "bullets/shots.h"

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
  if (n > 1) qsort(pools->back, n, sizeof *pools->back, in_order);
}

bool cl_pools_assure_back(cl_pools *pools, const cl_shot *shot) {
  const cl_back key = {shot->other, shot->number, pools->cursor};
  size_t low = 0, high = pools->back_count;
  bool any = false;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (order(&pools->back[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  for (; low < pools->back_count; low++) {
    const cl_back *back = &pools->back[low];
    pools->work++;
    if (back->number != key.number || back->other != key.other) break;
    pools->shots.at[back->at].sure = any = true;
  }
  return any;
}
