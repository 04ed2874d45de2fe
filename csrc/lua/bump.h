// collide, MIT licence (see LICENSE)
//
// The userdata of a search, which bump.c makes, and by which the fronts of bump_front.c look for
// items, too. Layer: lua.

#ifndef CL_LUA_BUMP_H
#define CL_LUA_BUMP_H

#include "lua/binding.h"

#include "bump/bump.h"

/// The class of searches.
#define CLL_BUMP_SEARCH "collide.core.bumpSearch"

/// The functions of a search, which the accelerator calls, too. They return numbers below 0 for a
/// bad argument or when out of memory.
/// - look_now: how many were found; meet_all_now: as first_now
/// - candidate_now: the slot of the i-th that was found, from 1 on; or 0
/// - meet_now: its index in `hit`, from 1 on, if it is met first; minus its index if later; or 0
/// - first_now: the index of the hit that is the first, met from then on; or 0
/// - rank_now: the number of hits
/// - reserve_now: the slot that add_now gives to an item; add_now: the same
/// - all_now, query_now, a point if w is 0, and segment_now: how many were found
#define CLL_BUMP_CALLS(X)                                                                          \
  X(look_now, int32_t,                                                                             \
    (cll_search *, double own, int goes_on, double x, double y, double w, double h, double goal_x, \
     double goal_y))                                                                               \
  X(meet_all_now, int32_t,                                                                         \
    (cll_search *, double own, int goes_on, double x, double y, double w, double h, double goal_x, \
     double goal_y))                                                                               \
  X(candidate_now, int32_t, (cll_search *, double i))                                              \
  X(meet_now, int32_t, (cll_search *, double i))                                                   \
  X(first_now, int32_t, (cll_search *))                                                            \
  X(rank_now, int32_t, (cll_search *))                                                             \
  X(set_met_now, int32_t, (cll_search *, double slot))                                             \
  X(was_met_now, bool, (cll_search *, double slot))                                                \
  X(reserve_now, int32_t, (cll_search *))                                                          \
  X(add_now, int32_t, (cll_search *, double x, double y, double w, double h))                      \
  X(remove_now, int32_t, (cll_search *, double slot))                                              \
  X(place_now, int32_t, (cll_search *, double slot, double x, double y, double w, double h))       \
  X(all_now, int32_t, (cll_search *))                                                              \
  X(query_now, int32_t, (cll_search *, double x, double y, double w, double h))                    \
  X(segment_now, int32_t, (cll_search *, double x1, double y1, double x2, double y2))

/// The userdata of a search. The accelerator reads what its functions have found.
typedef struct cll_search cll_search;
struct cll_search {
#define MEMBER(name, type, takes) type(*name) takes;
  CLL_BUMP_CALLS(MEMBER)
#undef MEMBER
  const cl_bump_found *found;
  const cl_bump_hit *hit;
  const uint32_t *changes; ///< of the world
  uint32_t seen;           ///< how many there were before a look
  cl_bump_search *search;
  int32_t asked, to_ask; ///< of a front: how many a filter was asked about, and how many are found
  bool projects;         ///< for World:project, so all that is met counts
  size_t cols;           ///< and the collisions,
  uint32_t began;        ///< the changes of the world when
  double own;            ///< the item had this slot, and was where its move began
};

/// A function that begins or goes on with a way: look_now or meet_all_now.
typedef int32_t cll_look(cll_search *, double own, int goes_on, double x, double y, double w,
                         double h, double goal_x, double goal_y);

/// The rectangle of the four numbers from `index` on.
static inline cl_rect cll_to_rect(lua_State *L, int index) {
  return (cl_rect){lua_tonumber(L, index), lua_tonumber(L, index + 1), lua_tonumber(L, index + 2),
                   lua_tonumber(L, index + 3)};
}

/// Pushes a list of the `count` that were found, of the items by slot at an index, and the count.
int cll_push_found(lua_State *L, const cll_search *io, int items, int32_t count);

#endif
