// collide, MIT licence (see LICENSE)
//
// The userdata of a search. bump.c makes it; the fronts of bump_front.c search with it, too.
// Layer: lua.

#ifndef CL_LUA_BUMP_H
#define CL_LUA_BUMP_H

#include "lua/binding.h"

#include "bump/bump.h"

/// The class of searches.
#define CLL_BUMP_SEARCH "collide.core.bumpSearch"

/// The functions of a search; the accelerator calls them, too. They return numbers below 0 for a
/// bad argument or when out of memory.
/// - look_now: how many were found; meet_all_now: as first_now
/// - candidate_now: the slot of the i-th item found, from 1 on; or 0
/// - meet_now: its index in `hit`, from 1 on, if it is met first; minus its index if later; or 0
/// - first_now: the index of the first hit, which counts as met from then on; or 0
/// - rank_now: the number of hits
/// - reserve_now: the slot that add_now will give to an item; add_now: that slot
/// - all_now, query_now (a point if w is 0), segment_now: how many were found
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

/// The userdata of a search. The accelerator reads the results of its functions.
typedef struct cll_search cll_search;
struct cll_search {
#define MEMBER(name, type, takes) type(*name) takes;
  CLL_BUMP_CALLS(MEMBER)
#undef MEMBER
  const cl_bump_found *found;
  const cl_bump_hit *hit;
  const uint32_t *changes; ///< of the world
  uint32_t seen;           ///< their number before a search
  cl_bump_search *search;
  int32_t asked, to_ask; ///< of a front: how many items a filter was asked about; were found
  bool projects;         ///< for World:project: all hits count
  size_t cols;           ///< and the collisions,
  uint32_t began;        ///< the changes of the world when
  double own;            ///< the item had this slot, and was where its move began
};

/// A function that begins or continues a way: look_now or meet_all_now.
typedef int32_t cll_look(cll_search *, double own, int goes_on, double x, double y, double w,
                         double h, double goal_x, double goal_y);

/// The rectangle of the four numbers from `index` on.
static inline cl_rect cll_to_rect(lua_State *L, int index) {
  return (cl_rect){lua_tonumber(L, index), lua_tonumber(L, index + 1), lua_tonumber(L, index + 2),
                   lua_tonumber(L, index + 3)};
}

/// Pushes a list of the `count` items found, from the list by slot at index `items`, and the count.
int cll_push_found(lua_State *L, const cll_search *io, int items, int32_t count);

#endif
