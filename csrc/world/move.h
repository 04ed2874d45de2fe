// collide, MIT licence (see LICENSE)
//
// A move in progress; private to the files move*.c. Layer: world.
//
// The host is asked for the response to an actor when it matters for the first time. The answer may
// change results found before, and the host may have written to the cells of maps. So the move is
// halted then: all functions return soon, without a result, and the move goes on from the mover's
// present place, with the answer. A halted move asks and reports nothing, and nothing blocks its
// mover.

#ifndef CL_WORLD_MOVE_H
#define CL_WORLD_MOVE_H

#include "geom/tiles.h"
#include "narrow/motion.h"
#include "world/state.h"

/// An actor on its way: the one that is moved, or one that it pushes.
typedef struct cl_body {
  uint32_t slot;
  bool is_box;      ///< an upright rectangle
  bool is_round;    ///< a circle, or a capsule along an axis
  bool is_free;     ///< it overlaps nothing that stops it
  bool is_ahead;    ///< the list of what is around it covers the rest of its way
  cl_bounds local;  ///< that rectangle, or the point or line at the core of a round one
  double radius;    ///< of a round one, else 0
  double reach;     ///< the largest coordinate of its bounds at both ends of the way
  cl_placed placed; ///< where it is now
  cl_vec start;     ///< its place at the start
  cl_vec left;      ///< the rest of the way
  double done;      ///< the fraction of the time that has passed
  int turns, surfaces;
} cl_body;

/// Most cells of tiles that are obstacles of their own.
enum { CL_MOVE_CELLS = 64 };

/// An obstacle that the mover may meet: `is_box`, an upright rectangle, or a full cell of tiles if
/// these are few, for a mover that is a rectangle or plain; else any shape, with its bounds. `view`
/// is a view of a map with layers, else CL_NO_VIEW. `is` has the bits CL_SENSOR and CL_ONE_WAY.
typedef struct cl_obstacle {
  uint32_t slot; // this and the fields to `is_box` are the same in a run of obstacles
  uint16_t view;
  uint8_t is;
  bool is_box;
  int32_t column, row, value; ///< of a cell, else -1
  double touch;               ///< smaller distances count as touching
  cl_bounds bounds;
} cl_obstacle;

/// The response of a mover to one other actor; for tiles, to each value if the host is asked.
typedef struct cl_known {
  uint32_t mover, other;
  int32_t value;
  uint8_t response; ///< what the mover does
  uint8_t said;     ///< the response that is reported
  bool reported;    ///< the crossing, or push, was reported
} cl_known;

/// The same without asking the host: the response if it is `known`, and whether the actor was
/// `pushed` already.
typedef struct cl_foretold {
  uint8_t response;
  bool known, pushed;
} cl_foretold;

/// An actor that stops the mover and overlaps it, the mover's way out, and the distance that counts
/// as touching. `hit.depth` is below 0 if there is no such actor.
typedef struct cl_overlapped {
  cl_hit hit;
  uint32_t slot;
  uint8_t is;
  uint16_t view;
  int32_t value;
  double touch;
} cl_overlapped;

/// The first obstacle that a mover meets on the rest of its way, near[`near`]. Without one, `other`
/// is CL_NOBODY, and the way is free as far as `sweep.t`, or as a whole.
typedef struct cl_meeting {
  cl_sweep sweep;
  uint32_t other;
  size_t near;
} cl_meeting;

/// A part of the obstacle near[`near`] that the mover touches. `entered`: the way leads into it,
/// perhaps only along one of its faces; `forced`: a sweep met it, so it stops the mover whatever
/// its faces say.
typedef struct cl_move_touch {
  cl_touch touch;
  cl_foretold told;
  uint32_t slot;
  size_t near;
  bool entered, forced;
} cl_move_touch;

/// A face of the union of the obstacles: `hit` without `at` and `t`; how far the mover has to be
/// lifted off it; its obstacle, near[`near`], and whether that was `pushed` already.
typedef struct cl_surface {
  cl_move_hit hit;
  double lift;
  size_t near;
  bool pushed;
} cl_surface;

/// The surfaces that a mover responds to: none, one, or the two of a corner. `slides`: it can go
/// along the first; `along`: and it came along a surface that bends into the first. `lone`: it
/// touches nothing else. `grazes`: it only has to be lifted off the first.
typedef struct cl_surfaces {
  cl_surface at[2];
  int count;
  bool slides, along, lone, grazes;
} cl_surfaces;

/// The cosine of one degree.
#define CL_MOVE_ONE_DEGREE 0.9998476951563913

/// Limits of the work, in steps of narrow/motion.h and narrow/overlap.h: the pairs of parts
/// compared and the steps for one way out; the steps of a move for each actor that it may meet. A
/// mover that reaches the limit stops where it is.
enum { CL_MOVE_PAIRS = 512, CL_MOVE_WAY_OUT = 375000, CL_MOVE_WORK = 500000 };

/// After this fraction of the steps, a mover that starts inside others asks no more questions about
/// cells and tries no more straight ways.
#define CL_MOVE_INSIDE_SHARE 0.375

/// What a crushed mover remembers; see move_inside.c.
typedef struct cl_crushed cl_crushed;

/// What is around a mover; see move_around.c.
typedef struct cl_around cl_around;

/// Another actor near the turning one. The search for their first overlap has come from `from` to
/// `at`, radians, and goes on with a stretch of `step`; `is_met`: an overlap comes just after `at`,
/// or the search was given up. Cells of the values `passed` do not count; `gone`: the whole actor
/// does not. `changes`: how often the cells of tiles had changed.
typedef struct cl_turn_met {
  cl_move_hit hit; ///< all but what a report adds
  uint32_t slot;
  uint16_t view; ///< of a map with layers, else CL_NO_VIEW
  cl_vec place;
  double from, at, step;
  long spent; ///< steps of work
  cl_values passed;
  uint64_t changes;
  bool is_met, given_up, gone, passes, pushed, is_sensor;
} cl_turn_met;

/// The state of a turn: by up to `most` radians to one side (1 or -1), and so far by `at`. `pushed`
/// has to move by `way`; then the turn may go on at `trial`; see turn.c. The last `together` pushes
/// were for one piece of the turn, which began at `before`.
typedef struct cl_turning {
  double side, most, at, trial, before;
  cl_vec way;
  uint32_t pushed;
  int pushes, together, put_back, surprises;
} cl_turning;

/// The last move of a world, or its last turn.
typedef struct cl_movement {
  cl_world *world;
  cl_move_def def;
  cl_move_ask unsure; ///< a question that matters to what is covered; CL_NOBODY if there is none
  bool halted;        ///< the host was asked, or there is no memory: see above
  bool waits;         ///< the host has not answered yet
  cl_move_ask asked;  ///< the last question, and how often the cells of `map` had changed
  uint64_t changes;
  cl_status status; ///< CL_NOMEM, if that is why
  cl_known nobody;  ///< the response to any actor in a halted move: it is passed
  cl_body mover[CL_MOVE_CHAIN];
  int movers;
  cl_known *known;
  size_t knowns, known_cap;
  cl_move_hit *hit;
  size_t hits, hit_cap;
  cl_moved *moved; ///< the mover, then the actors it has pushed so far
  size_t moves, moved_cap;
  cl_obstacle *near; ///< what the present mover may meet within `near_box`, slots ascending
  size_t nears, near_cap;
  cl_bounds near_box;
  uint32_t *map; ///< the maps near the mover, listed only if there is a responder
  size_t maps, map_cap;
  bool is_near_known;    ///< else `near` has to be found again before the mover goes on
  bool is_plain;         ///< all of `near` is plain, so move_plain.c may decide
  bool was_plain;        ///< it was, but move_plain.c has left the mover to the other files
  bool is_recalled;      ///< `near` comes from a list of move_around.c
  long spent;            ///< steps of work so far
  bool gave_up;          ///< a search for cells took too long: no place counts as free from now on
  size_t most;           ///< actors found nearby at once
  cl_overlapped *inside; ///< those that the present mover overlaps at its start
  size_t insides, inside_cap;
  cl_move_touch *touched; ///< what the present mover touches where it was stopped
  size_t touches, touched_cap;
  cl_turning turn;
  cl_turn_met *met; ///< what may stop a turn, slots ascending
  size_t mets, met_cap;
  cl_around *around; ///< see move_around.c: a table of `arounds` lists
  size_t arounds;
  cl_crushed **crushed; ///< of movers that their last move left crushed, slots ascending
  size_t crusheds, crushed_cap;
} cl_movement;

void cl_movement_free(cl_world *world);

/// Drops the memory of one crushed mover, or of all. No answer changes.
void cl_movement_forget(cl_world *world, uint32_t slot);
void cl_movement_forget_all(cl_world *world);

/// Whether the memories of crushed movers are valid. For checks.
bool cl_movement_is_valid(const cl_world *world);

// ---- small things

static inline cl_vec cl_body_place(const cl_body *m) { return (cl_vec){m->placed.x, m->placed.y}; }

/// Its bounds at its present place.
static inline cl_bounds cl_body_bounds(const cl_body *m) {
  if (!m->is_box && !m->is_round) return cl_placed_bounds(&m->placed);
  cl_bounds core = cl_bounds_moved(m->local, cl_body_place(m));
  return m->is_box ? core : cl_bounds_grown(core, m->radius);
}

/// The mover at some place, and its bounds there.
static inline cl_bounds cl_body_at(const cl_body *m, cl_vec at, cl_placed *placed) {
  *placed = m->placed;
  placed->x = at.x, placed->y = at.y;
  if (!m->is_box && !m->is_round) return cl_placed_bounds(placed);
  return cl_bounds_grown(cl_bounds_moved(m->local, at), m->radius);
}

/// Whether an actor can be carried or pushed at all.
static inline bool cl_is_loose(const cl_actors *actors, uint32_t slot) {
  return !(actors->state[slot] & (CL_STATIC | CL_SENSOR)) && actors->shape[slot]->kind != CL_TILES;
}

/// Whether a response stops the mover.
static inline bool cl_move_stops(uint8_t response) {
  return response != CL_RESPONSE_NONE && response != CL_RESPONSE_CROSS;
}

/// The steps that the move may take; whether it has used up a fraction of these.
static inline double cl_move_limit(const cl_movement *m) {
  return CL_MOVE_WORK * (double)(m->most > 0 ? m->most : 1);
}
static inline bool cl_move_is_over(const cl_movement *m, double share) {
  return m->halted || m->gave_up || (double)m->spent > share * cl_move_limit(m);
}

/// Whether the status is CL_OK. If not, the move keeps it, is halted, and ends.
static inline bool cl_move_check(cl_movement *m, cl_status status) {
  if (status != CL_OK) m->status = status, m->halted = true;
  return status == CL_OK;
}

/// What a mover does if the response is this.
static inline uint8_t cl_move_done_if(const cl_movement *m, uint8_t said) {
  return m->def.instead && cl_move_stops(said) ? (uint8_t)m->def.instead : said;
}

/// Whether moves of this mover are plain, if everything near is.
static inline bool cl_move_may_be_plain(const cl_movement *m, const cl_body *mover) {
  if (m->def.responder) return mover->is_box;
  uint8_t response = cl_move_done_if(m, (uint8_t)m->def.response);
  return (mover->is_box || (mover->is_round && !m->was_plain)) && cl_move_stops(response) &&
         response != CL_RESPONSE_PUSH;
}

/// Whether an actor, or the cells of a value in a map with layers, is a sensor.
static inline bool cl_move_is_sensor(const cl_movement *m, uint32_t slot, int32_t value) {
  const cl_actors *actors = &m->world->actors;
  return actors->state[slot] & CL_SENSOR || cl_tiles_are_sensors(actors->shape[slot], value);
}

// ---- move_near.c

/// An actor at its place now.
cl_placed cl_move_placed(const cl_movement *m, uint32_t slot);

/// An actor, or the view of it that an obstacle has as its `view`.
static inline cl_placed cl_move_seen(const cl_movement *m, uint32_t slot, uint32_t view) {
  cl_placed placed = cl_move_placed(m, slot);
  return cl_placed_view(&placed, view);
}

/// A way from `at`, cut so that it stays within ±CL_MAX_COORD, where `at` is.
cl_vec cl_move_in_range(cl_vec at, cl_vec way);

/// The actors that the move's filter, or the rules of groups, select for a mover.
cl_filter cl_move_filter(const cl_movement *m, uint32_t mover);

/// Leaves the slots of the actors that may be within a box in `touched` of the world, ascending.
void cl_move_list(cl_movement *m, const cl_body *mover, cl_bounds box);

/// Finds the obstacles that may be within a box.
void cl_move_find(cl_movement *m, const cl_body *mover, cl_bounds box);

/// The box to search for the rest of the way: larger than what the mover may touch, by this share
/// of the mover's reach, so that it also contains the rest of the way after a slide.
cl_bounds cl_move_ahead(const cl_body *mover);
#define CL_MOVE_MARGIN (4 * CL_TOUCH_SHARE)

/// The obstacles of one actor, or of one view of it: near[from] to near[to - 1]. Two loops visit
/// all runs, and those that may overlap a mover with some bounds; for boxes, those that do:
///   for (cl_move_run r = {0}; cl_move_next(m, &r);) …
typedef struct cl_move_run {
  size_t from, to;
} cl_move_run;
static inline bool cl_move_next(const cl_movement *m, cl_move_run *r) {
  r->from = r->to;
  if (r->from == m->nears) return false;
  const cl_obstacle *o = &m->near[r->from];
  do r->to++;
  while (r->to < m->nears && memcmp(&m->near[r->to], o, offsetof(cl_obstacle, column)) == 0);
  return true;
}
bool cl_move_next_at(const cl_movement *m, cl_bounds box, cl_move_run *r);
bool cl_move_may_overlap(const cl_movement *m, cl_bounds box, cl_move_run r);

/// The response to another actor. The host may be asked; the pointer is valid until the next call.
/// The second function is for an actor that is not met at a surface; the third does not ask.
cl_known *cl_move_know(cl_movement *m, const cl_move_ask *about);
cl_known *cl_move_know_of(cl_movement *m, const cl_body *mover, uint32_t other, int32_t value);
cl_foretold cl_move_foretell(const cl_movement *m, uint32_t mover, uint32_t other, int32_t value);

/// The response of a mover to an obstacle that is no sensor, in a move with a responder:
/// CL_MOVE_ASKS if it is not known, CL_RESPONSE_NONE for a crossing that was already reported,
/// CL_RESPONSE_PUSH also for an actor that was already pushed.
enum { CL_MOVE_ASKS = CL_RESPONSES };
uint8_t cl_move_does(const cl_movement *m, const cl_body *mover, const cl_obstacle *o);

/// Resumes the move after a question if the list of near actors is still valid. Returns whether it
/// did. Call it only where nothing found so far depends on the answer.
bool cl_move_resume(cl_movement *m);

/// The answer to the last question.
void cl_move_hear(cl_movement *m, uint8_t said);

/// Asks, and halts the move, since the results just found depend on the answer. The second asks the
/// question that was put off, if there is one.
void cl_move_ask_now(cl_movement *m, const cl_move_ask *about);
void cl_move_make_sure(cl_movement *m);

/// The values of a map that neither stop the mover nor are reported; NULL if there can be none.
typedef struct cl_passed {
  const cl_values *values;
  cl_values room;
} cl_passed;

/// Whether this is known of the whole obstacle; else writes the values.
bool cl_move_passes(const cl_movement *m, const cl_body *mover, const cl_obstacle *o,
                    cl_passed *out);

/// How an obstacle of any shape stops the mover, with the data that sweeps need.
typedef struct cl_stopping {
  cl_stopper how;
  cl_one_way one_way;
  cl_movement *movement;
  const cl_body *mover;
  cl_placed start, other;
} cl_stopping;
void cl_move_stopping(cl_movement *m, const cl_body *mover, const cl_obstacle *o,
                      const cl_values *passes, cl_stopping *out);

/// The first obstacle on the rest of the way, as far as the responses are known.
void cl_move_find_first(cl_movement *m, const cl_body *mover, cl_meeting *first);

/// Appends a hit, unless the mover is a pushed one.
void cl_move_report(cl_movement *m, const cl_body *mover, const cl_move_hit *hit);

// ---- move_faces.c

/// The surfaces that a mover, placed at `at`, responds to with `way` left, after a sweep has met
/// `met`: none if nothing stops it after all.
void cl_move_surfaces(cl_movement *m, const cl_body *mover, cl_vec at, cl_vec way,
                      const cl_meeting *met, cl_surfaces *out);

/// Goes to `to`, or as near to it as possible without an overlap: beside it, or back on the way
/// there, which starts at a free place. `touched`: the place for which m->touched is known; else
/// NULL. Returns what it would overlap farther on; its `hit.depth` is below 0 if it is at `to`, or
/// if the search was given up.
cl_overlapped cl_move_settle(cl_movement *m, cl_body *mover, cl_vec to, const cl_vec *touched);

/// How movers see an actor: a map with layers as several views, one after another; else as one.
///   for (cl_layer l = cl_layers(actors, slot, &placed); cl_layer_next(&l);) …
typedef struct cl_layer {
  cl_placed placed; ///< the view
  uint16_t view;    ///< CL_NO_VIEW without layers
  uint8_t is;       ///< of CL_SENSOR and CL_ONE_WAY
  // Private:
  const cl_placed *whole;
  uint8_t state;
  uint16_t next;
} cl_layer;
cl_layer cl_layers(const cl_actors *actors, uint32_t slot, const cl_placed *placed);
bool cl_layer_next(cl_layer *l);

/// The direction in which a one-way actor, or a one-way view of it, looks: a unit vector.
cl_vec cl_move_looks(const cl_actors *actors, uint32_t slot, uint32_t view,
                     const cl_placed *placed);

// ---- move_plain.c

/// Notes whether a mover is a box or round.
void cl_move_note_form(cl_body *mover);

/// Whether a plain mover overlaps nothing where it is.
bool cl_move_is_clear(const cl_movement *m, const cl_body *mover);

/// Where a plain mover ends its way, or is stopped: at share t of it, at the place `at`, by
/// near[`near`] with the outward normal n, which it touches at `point`; `does` is its response. If
/// that is CL_MOVE_ASKS, only `near` and n are known. `near` is CL_MOVE_ENDS if nothing stops it.
typedef struct cl_plain_stop {
  double t;
  cl_vec at, n, point;
  size_t near;
  uint8_t does;
} cl_plain_stop;
#define CL_MOVE_ENDS SIZE_MAX

/// Finds where a plain mover is stopped, or the end of its way; false, with nothing done, if this
/// file cannot decide.
bool cl_move_go_plain(const cl_movement *m, const cl_body *mover, cl_plain_stop *out);

/// Whether sweep `a` comes before `b`: earlier, or at the same time with a normal that faces the
/// motion more directly.
static inline bool cl_move_is_sooner(const cl_sweep *a, const cl_sweep *b, cl_vec way) {
  if (a->t != b->t) return a->t < b->t;
  cl_vec n = {a->nx, a->ny}, other = {b->nx, b->ny};
  double into = cl_vec_dot(n, way), most = cl_vec_dot(other, way);
  return into != most ? into < most : cl_vec_goes_first(n, other);
}

/// Where a box touches another with the outward normal n, along an axis: the place within rounding
/// of `at` where their sides are flush.
cl_vec cl_move_flush(const cl_bounds *a, const cl_bounds *b, cl_vec n, cl_vec at);

// ---- move_around.c

/// As cl_move_find, for the rest of the way, unless the obstacles near it are known.
void cl_move_look_ahead(cl_movement *m, cl_body *mover);
static inline void cl_move_find_ahead(cl_movement *m, cl_body *mover) {
  if (!m->is_near_known || !mover->is_ahead) cl_move_look_ahead(m, mover);
}

/// The same for a mover that was plain, when the other files go on with it.
void cl_move_leave_plain(cl_movement *m, cl_body *mover);

/// Drops all lists, for slots that have changed; frees the table.
void cl_arounds_forget(cl_movement *m);
void cl_arounds_free(cl_movement *m, const cl_alloc *alloc);

// ---- move_inside.c

/// Whether one other actor stops the mover, placed somewhere.
bool cl_move_blocks(cl_movement *m, const cl_body *mover, const cl_placed *placed, size_t near);

/// The deepest of all actors nearby that stop the mover and overlap it at `at`. With `list`, all of
/// them are listed in `inside`.
cl_overlapped cl_move_overlapped(cl_movement *m, const cl_body *mover, cl_vec at, bool list);

/// If the first mover remembers the answer to this move, gives it and returns true; otherwise
/// forgets.
bool cl_move_recall(cl_movement *m);

/// Frees the mover from overlaps at its start.
void cl_move_begin(cl_movement *m, cl_body *mover);

#endif
