// collide, MIT licence (see LICENSE)
//
// The parts of a move in progress; private to the files move*.c. Layer: world.

#ifndef CL_WORLD_MOVE_H
#define CL_WORLD_MOVE_H

#include "narrow/sweep.h"
#include "world/state.h"

/// An actor on its way: the mover itself, or one that it pushes.
typedef struct cl_move_body {
  uint32_t slot;
  bool is_box;       ///< an upright rectangle
  cl_bounds local;   ///< that rectangle, if it is one
  double reach;      ///< the largest coordinate of its bounds at both ends of the way
  cl_placed placed;  ///< where it is now
  cl_vec start, way; ///< its place at the start, and its whole way
  cl_vec left;       ///< the rest of the way
  double done;       ///< the share of the time that has passed
  int turns, surfaces;
  bool begun;  ///< it overlaps nothing that stops it
  bool looked; ///< `near` has all that it may meet within `near_box`
  bool found;  ///< and `near_box` contains the rest of its way
} cl_move_body;

/// Most cells of tiles that are obstacles of their own.
enum { CL_MOVE_CELLS = 64 };

/// An obstacle that the mover may meet: an upright rectangle if the mover is one, too, or a full
/// cell of tiles if these are few; else any shape, with its bounds.
typedef struct cl_obstacle {
  uint32_t slot;
  bool is_box;
  int32_t column, row, value; ///< of a cell, else -1
  double touch;               ///< a smaller distance counts as touching
  cl_bounds bounds;
} cl_obstacle;

/// What one other actor does to a mover; for tiles, for each value.
typedef struct cl_move_known {
  uint32_t mover, other;
  int32_t value;
  uint8_t response;
  bool reported; ///< that it was crossed, or pushed
} cl_move_known;

/// An actor that stops the mover and overlaps it, the mover's way out and the distance that counts
/// as touching. `hit.depth` is below 0 if there is none.
typedef struct cl_overlapped {
  cl_hit hit;
  uint32_t slot;
  int32_t value;
  double touch;
} cl_overlapped;

/// A part of an obstacle that the mover touches: near[`near`], with the response of its actor if
/// that is `known`, and whether it was `pushed` already. `entered`: the way leads into it, if only
/// along one of its faces; `forced`: a sweep has met it, whatever the faces say.
typedef struct cl_move_touch {
  cl_touch touch;
  uint32_t slot;
  size_t near;
  uint8_t response;
  bool known, pushed, entered, forced;
} cl_move_touch;

/// The first obstacle that a mover meets on the rest of its way, near[`near`]. Without one, `other`
/// is CL_NOBODY, and the way is free as far as `sweep.t`, or as a whole.
typedef struct cl_meeting {
  cl_sweep sweep;
  uint32_t other;
  size_t near;
  double touch;
} cl_meeting;

/// A face of what the obstacles are together, as a cl_move_touch.
typedef struct cl_surface {
  cl_vec normal, point;
  double lift;
  uint32_t slot;
  size_t near;
  int32_t column, row, value;
  uint8_t response;
  bool pushed;
} cl_surface;

/// What a mover responds to: nothing, a surface, or the two of a corner. `slides`: it can go along
/// the first; `along`: and it came along one that bends into that. `lone`: it touches nothing else.
/// `grazes`: it only has to be lifted off the first.
typedef struct cl_surfaces {
  cl_surface at[2];
  int count;
  bool slides, along, lone, grazes;
} cl_surfaces;

/// The cosine of one degree.
#define CL_MOVE_ONE_DEGREE 0.9998476951563913

/// Whether an overlap is deeper than another; of equal ones the first by the direction out.
static inline bool cl_move_is_deeper(const cl_overlapped *a, const cl_overlapped *b) {
  if (a->hit.depth != b->hit.depth) return a->hit.depth > b->hit.depth;
  if (a->hit.nx == b->hit.nx && a->hit.ny == b->hit.ny) return a->touch > b->touch;
  return cl_vec_goes_first((cl_vec){a->hit.nx, a->hit.ny}, (cl_vec){b->hit.nx, b->hit.ny});
}

/// Limits of the work, in steps of narrow/sweep.h and narrow/overlap.h: of the pairs of parts
/// compared and the steps for one way out; and of the steps of a move for each actor that it may
/// meet. A mover that reaches the limit stops where it is.
enum { CL_MOVE_PAIRS = 512, CL_MOVE_WAY_OUT = 375000, CL_MOVE_WORK = 500000 };

/// After this share of the steps, a mover that starts inside others asks no more questions about
/// cells and tries no more straight ways.
#define CL_MOVE_INSIDE_SHARE 0.375

/// What a mover remembers that was crushed; see move_crushed.c.
typedef struct cl_crushed cl_crushed;

/// The last move of a world.
typedef struct cl_movement {
  cl_move_def def;
  cl_move_body mover[CL_MOVE_CHAIN];
  int movers;
  cl_move_known *known;
  size_t knowns, known_cap;
  cl_move_hit *hit;
  size_t hits, hit_cap;
  cl_moved *moved; ///< the mover, then the actors it has pushed so far
  size_t moves, moved_cap;
  cl_obstacle *near; ///< what the present mover may meet within `near_box`, slots ascending
  size_t nears, near_cap;
  cl_bounds near_box;
  long spent;            ///< steps of work so far
  bool gave_up;          ///< a search for cells took too long: no place counts as free any more
  size_t most;           ///< actors found nearby at once
  cl_overlapped *inside; ///< those that the present mover overlaps at its start
  size_t insides, inside_cap;
  cl_move_touch *touched; ///< what the present mover touches where it was stopped
  size_t touches, touched_cap;
  cl_move_ask *ask;   ///< where the present call puts a question
  cl_move_ask unsure; ///< a question that matters to what is covered; CL_NOBODY if there is none
  cl_pushed *pushed;  ///< the last answer of cl_world_in_the_way
  size_t pushed_cap;
  cl_crushed **crushed; ///< of movers that their last move left crushed, slots ascending
  size_t crusheds, crushed_cap;
} cl_movement;

/// The world's movement, made when first needed; NULL when out of memory.
cl_movement *cl_movement_of(cl_world *world);
void cl_movement_free(cl_movement *movement, const cl_alloc *alloc);

/// Drops what crushed movers remember, of one slot or of all. No answer changes. `movement` may be
/// NULL.
void cl_movement_forget(cl_movement *movement, const cl_alloc *alloc, uint32_t slot);
void cl_movement_forget_all(cl_movement *movement, const cl_alloc *alloc);

/// Whether what crushed movers remember is in order. For checks.
bool cl_movement_is_valid(const cl_world *world);

/// The outcome of a part of a move: it continues, it has asked a question, or there is no memory.
typedef enum cl_going { CL_GO, CL_ASKED, CL_STUCK } cl_going;

/// Leaves the slots of the actors that may be within a box in `touched` of the world, ascending,
/// except the mover and those that the filter excludes.
cl_going cl_move_list(cl_world *world, const cl_move_body *mover, cl_bounds box);

/// Finds the actors that may be within a box, except the mover and those that the filter excludes.
cl_going cl_move_find(cl_world *world, const cl_move_body *mover, cl_bounds box);

/// The same for the rest of the way, unless that is known.
cl_going cl_move_find_ahead(cl_world *world, cl_move_body *mover);

/// The bounds of the mover at its present place.
static inline cl_bounds cl_move_body_bounds(const cl_move_body *m) {
  return m->is_box ? cl_bounds_moved(m->local, (cl_vec){m->placed.x, m->placed.y})
                   : cl_placed_bounds(&m->placed);
}

/// Whether a place is within ±CL_MAX_COORD, where a move has to end.
static inline bool cl_move_is_in_range(cl_vec at) {
  return fabs(at.x) <= CL_MAX_COORD && fabs(at.y) <= CL_MAX_COORD;
}

/// The way from `at`, which is in range, as far as it stays in range.
cl_vec cl_move_cut_to_range(cl_vec at, cl_vec way);
static inline cl_vec cl_move_in_range(cl_vec at, cl_vec way) {
  return cl_move_is_in_range(cl_vec_add(at, way)) ? way : cl_move_cut_to_range(at, way);
}

/// The end of the run of obstacles with the slot of the one at `from`.
static inline size_t cl_move_run_end(const cl_movement *m, size_t from) {
  size_t to = from + 1;
  while (to < m->nears && m->near[to].slot == m->near[from].slot) to++;
  return to;
}

/// The box of all that the mover may touch on the rest of its way.
cl_bounds cl_move_bounds(const cl_move_body *mover);

/// The box that is searched at first: a bit more, so that it contains the rest of the way after a
/// slide.
cl_bounds cl_move_ahead(const cl_move_body *mover);

/// Whether the filter of the move, or the rules of groups, select an actor that is not a mover.
bool cl_move_is_meant(const cl_world *world, uint32_t mover, uint32_t slot);

/// The actors that they select for a mover.
cl_filter cl_move_filter(const cl_world *world, uint32_t mover);

/// Whether no actor at all is on the way of the first mover.
cl_going cl_move_is_clear(cl_world *world, const cl_placed *placed, bool *clear);

/// Whether an actor takes part in the move: is on its way, or was pushed.
bool cl_move_has_moved(const cl_movement *movement, uint32_t slot);

/// An actor at its place now.
cl_placed cl_move_placed(cl_world *world, uint32_t slot);

/// What another actor does; asks a question if that is not known. The pointer is valid until the
/// next call.
cl_going cl_move_know(cl_world *world, const cl_move_ask *about, cl_move_known **known);

/// Asks the question that what a sweep has found depends on, if there is one.
cl_going cl_move_make_sure(cl_world *world);

/// A question about a mover and another actor, without a surface and a cell.
cl_move_ask cl_move_about(const cl_move_body *mover, uint32_t other);

/// Whether it is known that another actor is neither in the way nor to be reported; for tiles also
/// which values are, with `passes` NULL if none can be.
bool cl_move_passes(cl_world *world, const cl_move_body *mover, uint32_t other, cl_values *values,
                    const cl_values **passes);

/// As cl_sweep_way_out, within the steps that are left, which are counted. Ways out from `enough`
/// on need not be the shortest.
bool cl_move_way_out(cl_world *world, const cl_placed *placed, const cl_placed *other,
                     const cl_values *passes, double enough, cl_hit *out, int32_t *value);

/// The rule of a one-way actor for a mover, and what it needs; NULL for others.
typedef struct cl_move_rule {
  cl_one_way rule;
  cl_world *world;
  const cl_move_body *mover;
  const cl_obstacle *of;
  cl_placed start;
} cl_move_rule;
const cl_one_way *cl_move_one_way(cl_world *world, const cl_move_body *mover,
                                  const cl_placed *other, const cl_obstacle *o, cl_move_rule *rule);

/// The steps that the move may take.
static inline double cl_move_limit(const cl_movement *m) {
  return CL_MOVE_WORK * (double)(m->most > 0 ? m->most : 1);
}

/// Whether the move has used up this share of its steps.
static inline bool cl_move_is_tired(const cl_movement *m, double share) {
  return m->gave_up || (double)m->spent > share * cl_move_limit(m);
}

/// Of the actors nearby that stop the mover and overlap it at `at`: the deepest.
cl_going cl_move_overlapped(cl_world *world, const cl_move_body *mover, cl_vec at,
                            cl_overlapped *out);

/// The same for one other actor, with its run of obstacles from `from`, and the mover placed
/// somewhere; writes `deepest` if it is deeper.
cl_going cl_move_overlap(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                         size_t from, cl_overlapped *deepest);

/// Whether one other actor, with its run of obstacles from `from`, whose bounds the mover overlaps,
/// stops the mover placed somewhere.
cl_going cl_move_blocks(cl_world *world, const cl_move_body *mover, const cl_placed *placed,
                        size_t from, bool *answer);

/// Whether one other actor, the run of obstacles from `from` to `to`, may overlap a mover with
/// these bounds; for boxes, whether it does.
bool cl_move_may_overlap(const cl_movement *m, cl_bounds box, size_t from, size_t to);

/// Whether a mover that is placed somewhere overlaps the whole of another actor; counts the work.
bool cl_move_touches(cl_world *world, const cl_placed *placed, const cl_placed *other);

/// Goes to `to`, or as near to it as possible without an overlap: beside it, or back on the way
/// there, which starts at a free place. `touched`: what is touched there is known; else NULL. Then
/// `blocked` is what it would overlap farther on; `blocked->hit.depth` is below 0 if it is at `to`,
/// or if the search was given up.
cl_going cl_move_settle(cl_world *world, cl_move_body *mover, cl_vec to, const cl_vec *touched,
                        cl_overlapped *blocked);

/// The first obstacle on the rest of the way, as far as the responses are known.
void cl_move_find_first(cl_world *world, const cl_move_body *mover, cl_meeting *first);

/// Fills in what is known of the response to the actor of a touch.
void cl_move_foretell(const cl_world *world, uint32_t mover, cl_move_touch *touch);

/// Finds all that may stop the mover and that it touches when it is placed at `at`: `touched`.
cl_going cl_move_find_touched(cl_world *world, const cl_move_body *mover, cl_vec at);

/// The surfaces that a mover, placed at `at`, responds to if it has `way` left and a sweep has met
/// `met`: none if nothing stops it after all. Asks for responses that are not known.
cl_going cl_move_surfaces(cl_world *world, const cl_move_body *mover, cl_vec at, cl_vec way,
                          const cl_meeting *met, cl_surfaces *out);

/// Whether another actor can be pushed, and was not in this move.
bool cl_move_can_push(const cl_world *world, uint32_t slot);

/// Frees the mover from overlaps at its start.
cl_going cl_move_begin(cl_world *world, cl_move_body *mover);

/// The first mover could not be freed: it remembers the hits so far, until what is in `box`
/// changes.
void cl_move_remember(cl_world *world, const cl_move_body *mover, cl_bounds box);

/// Answers the move of the first mover, which has not begun, if it remembers the answer: then it is
/// `done`. Otherwise it forgets.
cl_going cl_move_recall(cl_world *world, bool *done);

/// Appends a hit of the mover, unless it is one that is pushed.
cl_going cl_move_report(cl_world *world, const cl_move_body *mover, const cl_move_hit *hit);

/// Whether a response stops the mover.
static inline bool cl_move_stops(uint8_t response) {
  return response != CL_RESPONSE_NONE && response != CL_RESPONSE_CROSS;
}

#endif
