// collide, MIT licence (see LICENSE)
//
// Candidates: the pairs of the broad phase that the groups allow, in their final order, so that
// everything made of them is made once. Layer: world.

#include "base/work.h"
#include "world/pair_key.h"
#include "world/step.h"
#include "world/swept.h"

// A counting sort by the first of each pair leaves runs with the same first in no order. Runs up to
// this length are put in order by insertion; with longer ones, pairs are first sorted by the
// second.
enum { SHORT_RUN = 16 };

// With so many pairs for each actor that moves, and so many more, boxes may have been rounded to
// floats that are too coarse.
enum { PAIRS_A_MOVER = 8, FREE_PAIRS = 1024 };

// Whether the rules of groups allow all pairs.
static bool all_hit_all(const cl_world *world) {
  uint64_t common = UINT64_MAX;
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) common &= world->rules.hits_with[g];
  return common == UINT64_MAX;
}

// Turns pairs so that the smaller number comes first, drops those that no rule allows, and counts
// them by the first, two places up. With `swept` it also drops pairs that only overlap by their
// ways if neither of the two is swept. Returns the bits of all counts.
CL_INLINE uint32_t count_by_first(cl_world *world, bool filtered, bool swept) {
  const uint32_t *slot = world->proxies.slot;
  const uint8_t *group = world->actors.group;
  cl_pair *pair = world->found.at;
  uint32_t *first = world->first, seen = 0;
  size_t count = world->found.count, n = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t p = pair[i].a, q = pair[i].b, a = p < q ? p : q, b = p < q ? q : p;
    uint32_t hit = 1;
    if (filtered) hit = world->rules.hits_with[group[slot[a]]] >> group[slot[b]] & 1;
    if (swept) hit &= cl_swept_counts(world, a, b);
    pair[n] = (cl_pair){a, b};
    n += hit;
    seen |= first[a + 2] += hit;
  }
  world->found.count = n;
  return seen;
}

static cl_status reserve_first(cl_world *world) {
  size_t count = (size_t)world->proxies.count + 2;
  cl_status status = CL_RESERVE(&world->alloc, world->first, world->first_cap, count);
  if (status == CL_OK) memset(world->first, 0, count * sizeof *world->first);
  return status;
}

// Finds the pairs of the same boxes in doubles.
static cl_status find_fine(cl_world *world, cl_broad_input *in) {
  cl_status status = CL_RESERVE(&world->alloc, world->fine, world->fine_cap, in->count);
  if (status != CL_OK) return status;
  for (uint32_t n = 0; n < in->count; n++) {
    uint32_t slot = world->proxies.slot[n];
    world->fine[n] = cl_proxy_bounds(world, n);
    if (world->actors.swept > 0)
      cl_swept_way(world, slot, world->actors.next[slot], &world->fine[n]);
  }
  CL_WORK(3 * (uint64_t)in->count);
  size_t enough = in->enough;
  in->fine = world->fine;
  in->enough = 0; // these are all that there are
  world->found.count = 0;
  return cl_closer_find(&world->closer, world->broad, in, enough, &world->found);
}

cl_status cl_pairs_find(cl_world *world) {
  cl_broad_input in = cl_proxies_input(world);
  cl_pairs *found = &world->found;
  in.either_way = true;
  in.enough = FREE_PAIRS + (size_t)PAIRS_A_MOVER * world->proxies.movers;
  found->count = 0;
  cl_status status = CL_OK;
  bool coarse = cl_are_mostly_coarse(&in);
  world->closer.used = false;
  if (!coarse) status = world->broad->class->find(world->broad, &in, found);
  coarse = coarse || (status == CL_OK && cl_broad_has_enough(&in, found->count));
  if (coarse) status = find_fine(world, &in);
  return status == CL_OK && found->count > UINT32_MAX ? CL_NOMEM : status;
}

cl_status cl_pairs_reserve(cl_world *world) {
  cl_status status = reserve_first(world);
  if (status != CL_OK) return status;
  uint32_t seen;
  if (world->actors.swept > 0) seen = count_by_first(world, true, true);
  else if (all_hit_all(world)) seen = count_by_first(world, false, false);
  else seen = count_by_first(world, true, false);
  world->long_runs = seen >= SHORT_RUN;
  cl_pairs *candidates = &world->candidates;
  return CL_RESERVE_NEAR(&world->alloc, candidates->at, candidates->cap, world->found.count);
}

// Puts each pair at the next free place of its first; as slots, if proxies have other numbers.
CL_INLINE void put(const cl_world *world, const cl_pair *from, cl_pair *to, bool named) {
  const uint32_t *slot = world->proxies.slot;
  uint32_t *first = world->first + 1;
  for (size_t i = 0, count = world->found.count; i < count; i++) {
    cl_pair pair = from[i];
    to[first[pair.a]++] = named ? (cl_pair){slot[pair.a], slot[pair.b]} : pair;
  }
}

// Sorts the pairs by their second, stably, into the array of candidates, which changes places with
// `found`. Then counts them by their first again.
static void sort_by_second(cl_world *world) {
  uint32_t *start = world->first, count = world->proxies.count;
  size_t pairs = world->found.count;
  const cl_pair *from = world->found.at;
  cl_pair *to = world->candidates.at;
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (size_t i = 0; i < pairs; i++) start[from[i].b + 2]++;
  cl_sum_up(start, (size_t)count + 2);
  for (size_t i = 0; i < pairs; i++) to[start[from[i].b + 1]++] = from[i];
  memset(start, 0, ((size_t)count + 2) * sizeof *start);
  for (size_t i = 0; i < pairs; i++) start[to[i].a + 2]++;
  cl_pairs sorted = world->candidates;
  world->candidates = world->found;
  world->found = sorted;
  world->found.count = pairs;
}

// The largest keys that two passes have met and not yet written, and the last key written.
typedef struct passes {
  uint64_t first, second, last;
} passes;

// Advances by a key; returns the one that comes out of both passes.
CL_INLINE uint64_t go_on(passes *p, uint64_t key) {
  uint64_t between = key < p->first ? key : p->first;
  p->first = key < p->first ? p->first : key;
  uint64_t out = between < p->second ? between : p->second;
  p->second = between < p->second ? p->second : between;
  return out;
}

// Two passes rarely leave more to do, except in longer runs.
CL_INLINE void put_down(passes *p, cl_pair *pair, size_t at, uint64_t key) {
  if (key < p->last) {
    for (; at > 0 && cl_pair_key(pair[at - 1]) > key; at--) pair[at] = pair[at - 1];
  } else {
    p->last = key;
  }
  pair[at] = cl_pair_of(key);
}

// Does two passes of exchanging neighbours at once, without a branch, since half of all neighbours
// in a run are in the wrong order.
static void order_runs(cl_pair *pair, size_t count) {
  if (count < 2) return;
  passes p = {cl_pair_key(pair[0]), 0, 0};
  go_on(&p, cl_pair_key(pair[1]));
  for (size_t i = 2; i < count; i++) put_down(&p, pair, i - 2, go_on(&p, cl_pair_key(pair[i])));
  put_down(&p, pair, count - 2, go_on(&p, UINT64_MAX));
  put_down(&p, pair, count - 1, go_on(&p, UINT64_MAX));
}

void cl_pairs_sort(cl_world *world) {
  CL_WORK(3 * (uint64_t)world->found.count);
  if (world->long_runs) sort_by_second(world);
  cl_sum_up(world->first, (size_t)world->proxies.count + 2);
  cl_pairs *found = &world->found, *candidates = &world->candidates;
  bool named = world->actors.live < world->actors.count;
  if (named) put(world, found->at, candidates->at, true);
  else put(world, found->at, candidates->at, false);
  candidates->count = found->count;
  if (!world->long_runs) order_runs(candidates->at, candidates->count);
}

void cl_pairs_free(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  CL_FREE(alloc, world->found.at, world->found.cap);
  CL_FREE(alloc, world->fine, world->fine_cap);
  cl_closer_free(&world->closer, alloc);
  CL_FREE(alloc, world->first, world->first_cap);
  CL_FREE(alloc, world->candidates.at, world->candidates.cap);
}
