// collide, MIT licence (see LICENSE)
//
// The data of pools of bullets, and what the files of this layer share. Layer: bullets.
//
// A step of the bullets, between the two halves of the world's:
//   move    computes the next places of all bullets beside the present ones; finds those that may
//           meet a target, leave the bounds or end their life (meet.c)
//   find    tests those against the targets near them, exactly (meet.c)
//           -> fresh shots, fresh memories
// and after the world's second half:
//   end     next places become present; merges the pending and the fresh shots;
//           bullets that end without an event die (step.c)
// All memory is reserved in the first half. Then the host dispatches one shot after another
// (step.c); a bullet that bounces goes the rest of its way among the targets that the step has kept
// (bounce.c).
//
// Each file calls only earlier ones in this order: nearby.c, plan.c, pool.c, steer.c, meet.c,
// bounce.c, save.c, step.c.

#ifndef CL_BULLETS_STATE_H
#define CL_BULLETS_STATE_H

#include "base/simd.h"
#include "world/state.h"
#include "query/bvh.h"

struct cl_plan {
  cl_alloc alloc;
  uint32_t references, count;
  uint32_t sets; ///< what any of its entries sets
  uint32_t mark; ///< while a pack is written: its number there
  uint64_t hash; ///< of its entries
  cl_plan_entry entry[];
};

/// The index of the first of `count` sorted elements of `size` bytes that does not come before the
/// key; or `count`. The search goes up from `hint`, or from 0 if `hint` is past the key.
CL_INLINE size_t cl_lower_bound(const void *at, size_t count, size_t size, const void *key,
                                cl_order *order, size_t hint) {
  const char *first = at;
  size_t low = hint, step = 1;
  if (low >= count || order(first + low * size, key) > 0) low = 0;
  while (step < count - low && order(first + (low + step) * size, key) < 0) {
    low += step;
    step *= 2;
  }
  size_t high = step < count - low ? low + step : count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (order(first + middle * size, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ---- nearby.c: which of many boxes are near something

/// A tree of boxes, made when it is first needed; `found` is its last answer.
typedef struct cl_box_finder {
  cl_fbox *box;
  cl_bounds *fine;
  size_t box_cap, fine_cap;
  cl_bvh bvh;
  cl_found found;
  bool made;
} cl_box_finder;

void cl_box_finder_free(cl_box_finder *finder, const cl_alloc *alloc);

/// Lists in `found` which of `count` boxes may touch a box (all, if there are few). `box_of`
/// returns box i.
typedef cl_bounds cl_box_of(const void *user, uint32_t i);
cl_status cl_box_finder_find(cl_box_finder *finder, const cl_alloc *alloc, uint32_t count,
                             cl_box_of *box_of, const void *user, cl_bounds box);

typedef struct cl_nearby {
  double x, y;           ///< left, top
  double scale;          ///< cells per unit
  double last_x, last_y; ///< the outermost cell
  uint32_t columns, rows;
  uint8_t *occupied; ///< by cell: its list is not empty
  uint32_t *start;   ///< by cell: where its list begins; one more for the end
  uint32_t *item;    ///< numbers of boxes, ascending in each list
  size_t occupied_cap, start_cap, item_cap;
  bool crowded;       ///< the tree answers
  cl_box_finder tree; ///< of the boxes as they are
  double reach;
  cl_alloc alloc;
} cl_nearby;

/// The boxes of a map: `count` of them, `stride` bytes apart, all grown by `reach`. Boxes that do
/// not touch `within` then are left out; NULL leaves out none.
typedef struct cl_nearby_boxes {
  const cl_bounds *box;
  size_t stride;
  uint32_t count;
  double reach;
  const cl_bounds *within;
} cl_nearby_boxes;

/// Builds the map for `points` points. Cells are no smaller than `least`. After CL_NOMEM the map
/// must not be used until it has been built.
cl_status cl_nearby_build(cl_nearby *field, const cl_alloc *alloc, const cl_nearby_boxes *boxes,
                          uint32_t points, double least);
void cl_nearby_free(cl_nearby *field, const cl_alloc *alloc);

/// The box of a straight way.
static inline cl_bounds cl_way_box(cl_vec from, cl_vec to) {
  return (cl_bounds){cl_min(from.x, to.x), cl_min(from.y, to.y), cl_max(from.x, to.x),
                     cl_max(from.y, to.y)};
}

/// The column of x and the row of y: monotone in them.
static inline int32_t cl_nearby_column(const cl_nearby *f, double x) {
  return (int32_t)cl_min(cl_max((x - f->x) * f->scale, 0), f->last_x);
}
static inline int32_t cl_nearby_row(const cl_nearby *f, double y) {
  return (int32_t)cl_min(cl_max((y - f->y) * f->scale, 0), f->last_y);
}

/// Whether a way needs only the list of the cell where it starts, if the map is not crowded; writes
/// that cell.
static inline bool cl_nearby_is_short(const cl_nearby *f, cl_vec from, cl_vec to, uint32_t *cell) {
  int32_t column = cl_nearby_column(f, from.x), row = cl_nearby_row(f, from.y);
  uint32_t right = (uint32_t)(cl_nearby_column(f, to.x) - column + 1);
  uint32_t down = (uint32_t)(cl_nearby_row(f, to.y) - row + 1);
  *cell = (uint32_t)row * f->columns + (uint32_t)column;
  return (right <= 2) & (down <= 2);
}

/// Calls `visit` with the list of each cell that a point may need on its way. Boxes may come more
/// than once. Most ways are short.
typedef void cl_nearby_visit(void *user, const uint32_t *item, uint32_t count);
void cl_nearby_walk_far(cl_nearby *field, cl_vec from, cl_vec to, cl_nearby_visit *visit,
                        void *user);
static inline void cl_nearby_list(const cl_nearby *f, uint32_t cell, cl_nearby_visit *visit,
                                  void *user) {
  uint32_t start = f->start[cell], end = f->start[cell + 1];
  if (start < end) visit(user, f->item + start, end - start);
}
static inline void cl_nearby_walk(cl_nearby *f, cl_vec from, cl_vec to, cl_nearby_visit *visit,
                                  void *user) {
  uint32_t cell;
  bool near = !f->crowded && cl_nearby_is_short(f, from, to, &cell);
  if (near) cl_nearby_list(f, cell, visit, user);
  else cl_nearby_walk_far(f, from, to, visit, user);
}

/// The same with the lists of all cells under a box, and returns their number; if there are more
/// than `most`, it calls nothing and returns 0.
uint64_t cl_nearby_under(cl_nearby *field, cl_bounds box, uint64_t most, cl_nearby_visit *visit,
                         void *user);

/// Points on their ways, which are compared with the boxes of a map, and with bounds.
typedef struct cl_sieve {
  const double *x, *y, *next_x, *next_y;
  const cl_nearby *nearby;
  cl_bounds bounds;
} cl_sieve;

/// Writes to `out` which points, from `from` to `to` (not included), are near a box, move farther
/// than a cell's list covers, or end outside the bounds; returns how many. `out` has room for one
/// more than all of them.
CL_KERNEL_PAIR(uint32_t, cl_nearby_sift,
               (const cl_sieve *s, uint32_t from, uint32_t to, uint32_t *out));

/// The work of building it: how many entries were read and written.
static inline uint64_t cl_nearby_work(const cl_nearby *f) {
  size_t cells = (size_t)f->columns * f->rows;
  return cells + f->start[cells];
}

// ---- the data of pools

/// The arrays of a pool's round bullets, in the order of spawning. Dead ones stay until gaps are
/// closed. `next_x` and `next_y` are the next places during a step, and the previous ones after it:
/// see `flown`.
#define CL_BULLET_FIELDS(FIELD)                                                                    \
  FIELD(double, x)                                                                                 \
  FIELD(double, y)                                                                                 \
  FIELD(double, vx)                                                                                \
  FIELD(double, vy)                                                                                \
  FIELD(double, ax)                                                                                \
  FIELD(double, ay)                                                                                \
  FIELD(double, radius)                                                                            \
  FIELD(double, age)                                                                               \
  FIELD(double, tag)                                                                               \
  FIELD(double, number)                                                                            \
  FIELD(double, next_x)                                                                            \
  FIELD(double, next_y)                                                                            \
  FIELD(uint8_t, dead)                                                                             \
  FIELD(uint8_t, survived)

/// Scratch arrays of a step: `gone` has the `gone_count` indices of bullets that die without an
/// event; `ended` when an actor or another bullet ends a bullet, for pools that may hit others'
/// bullets. `survived` has the bits below, which are never cleared.
#define CL_BULLET_STEP_FIELDS(FIELD)                                                               \
  FIELD(double, ended)                                                                             \
  FIELD(uint32_t, gone)

/// How a bullet steers, as cl_steering. `home` is CL_SHOT_NOBODY if it is gone; `next_v` its
/// velocity after the step in progress.
typedef struct cl_course {
  double turn_rate, min_speed, max_speed;
  cl_vec next_v;
  uint32_t home;
} cl_course;

/// The plan of a bullet, or NULL, and the entry that comes next.
typedef struct cl_plot {
  cl_plan *plan;
  uint32_t stage;
} cl_plot;

/// The body of a bullet, which touches others: a circle about its place, or with a tail a capsule
/// from there backwards along its heading, a unit vector. A tail of 0 or less is none.
typedef struct cl_bullet_body {
  double radius, tail;
  cl_vec heading;
} cl_bullet_body;

static inline double cl_bullet_body_reach(const cl_bullet_body *b) {
  return b->radius + cl_max(b->tail, 0);
}

/// The length of a bullet, 0 for a round one; its present tail, which starts again at minus the
/// radius after a bounce; the tail `was` at the start of the last step; and the last heading.
typedef struct cl_needle {
  double length, tail, was;
  cl_vec heading;
} cl_needle;

/// The state of a bullet at a moment of a step, those parts that a plan can change. On a leg, the
/// body has the heading of the leg's end.
typedef struct cl_flying {
  cl_vec at, v, a;
  cl_course course;
  cl_bullet_body body;
  double tag;
  uint32_t stage;
  uint8_t steers;
} cl_flying;

/// A piece of the way of a bullet whose plan cuts the step: from `begins` to `ends`, shares of the
/// step. `flying` is its state at the start, before the entries at `ends`; `before` its body before
/// the entries at `begins`. `bounced`: it begins with a bounce. `age` is its age when the step
/// began, `dt` the step's length.
typedef struct cl_leg {
  uint64_t number;
  uint32_t pool;
  bool bounced;
  double begins, ends, age, dt;
  cl_bullet_body before;
  cl_flying flying;
  cl_vec to;
} cl_leg;

/// Legs, by pool and number, those of a bullet in order; but the last `fresh` ones belong to a
/// bullet that bounces, until they replace its old ones.
typedef struct cl_legs {
  cl_leg *at;
  size_t count, cap, fresh;
} cl_legs;

/// A bullet whose step is cut, its legs, and its state at the end.
typedef struct cl_cut {
  uint32_t index;
  size_t first, count;
  cl_flying end;
} cl_cut;

/// Bits of `steers`.
enum { CL_STEERS = 1, CL_HOMES = 2 };

/// How a bullet has survived hits, from the answers of callbacks.
enum { CL_PASSED = 1, CL_BOUNCED = 2 };

/// A dead laser has no shape; it stays until dead ones outnumber live ones.
typedef struct cl_laser {
  double number;
  cl_bullet at;
  double next_x, next_y;
  double warmup, lifetime;
  cl_shape *shape, *graze; ///< relative to its place; graze is NULL if it does not graze
} cl_laser;

/// A lifetime is over when no more than this fraction of it is left: sums of times are rounded.
#define CL_LIFETIME_ERROR 1e-9

/// The arrays come first: lua/collide/ffi/frame.lua reads them, and compares its layout with
/// cl_bullets_layout. `age` is the age in a pool with a lifetime, else the clock when the bullet
/// was spawned.
struct cl_bullets {
#define CL_DECLARE(type, name) type *name;
  CL_BULLET_FIELDS(CL_DECLARE)
  uint32_t used, live; ///< array entries, dead ones included; live bullets
  uint32_t cap;        ///< of the arrays
  uint32_t most;       ///< the most live ones: the capacity minus the lasers
  double radius_new;   ///< of a new bullet
  double *last;        ///< the last number given
  double flown;        ///< for bullets and lasers up to this number, the next places are those
                       ///< before the last step: `next_x` is NaN if they have been set elsewhere
                       ///< since, `next_y` if they have bounced
  double clock;        ///< seconds since the pool was made, if there is no lifetime; else 0
  bool accelerates;    ///< some bullet has had an acceleration: ax, ay are in use
  bool survives;       ///< some bullet has survived a hit: `survived` is in use
  bool ages;           ///< there is a lifetime
  bool courses;        ///< some bullet has steered: `steers` and `course` are in use
  bool plans;          ///< some bullet has had a plan: `plot` and `due` are in use
  bool needles;        ///< some bullet has had a length: `needle` is in use
  bool meets;          ///< its bullets may meet other pools' in this step, or might in the last

  CL_BULLET_STEP_FIELDS(CL_DECLARE)
  uint8_t *steers; ///< arrays like those above, made when the first bullet steers: whether it does,
  cl_course *course; ///< and how
  cl_plot *plot;     ///< the same for plans
  double *due;       ///< the age when the next entry of a plan is due; INFINITY: there is none
  cl_needle *needle; ///< and for lengths
  size_t steers_cap, course_cap, plot_cap, due_cap, needle_cap;
#define CL_DECLARE_CAP(type, name) size_t name##_cap;
  CL_BULLET_FIELDS(CL_DECLARE_CAP) ///< in a snapshot; a live pool has one block
#undef CL_DECLARE
#undef CL_DECLARE_CAP
  cl_pools *pools;
  uint32_t index; ///< among the pools
  cl_bullets_def def;
  uint8_t event_mask;
  uint32_t *ignored; ///< slots of actors, ascending
  size_t ignored_count, ignored_cap;
  size_t cut_from, cut_to; ///< its cuts in the step in progress
  double largest;          ///< the farthest that any bullet reaches from its place
  uint32_t gone_count;
  uint32_t hint;                 ///< the index found last
  uint64_t hits, grazes;         ///< found in the last step, for the hash
  uint64_t new_hits, new_grazes; ///< in the step in progress
  void *block;                   ///< one allocation for all arrays
  cl_laser *laser;               ///< in the order of spawning
  uint32_t lasers, laser_used;   ///< live ones; entries, dead ones included
  size_t laser_cap;
};

/// Bits of cl_met.flags.
enum { CL_GRAZED = 1, CL_INSIDE = 2, CL_WAS_INSIDE = 4, CL_MET = 8 };

/// A bullet and what it has met: an actor's slot, or CL_OTHER_BULLET plus another bullet's number.
/// CL_GRAZED: the graze has been reported. CL_INSIDE: at the end of the last step a bullet that
/// stays was inside it or touched it; CL_WAS_INSIDE: the same at the end of the step before.
/// CL_MET: two bullets met in the last step, one of them on the rest of its way.
typedef struct cl_met {
  uint64_t number, other;
  uint32_t pool;
  uint32_t flags;
} cl_met;

#define CL_OTHER_BULLET ((uint64_t)1 << 63)

typedef struct cl_mets {
  cl_met *at;
  size_t count, cap;
} cl_mets;

typedef struct cl_shots {
  cl_shot *at;
  size_t count, cap;
} cl_shots;

/// The index of a shot: bullet `number` has hit bullet `other`.
typedef struct cl_back {
  uint64_t number, other;
  size_t at;
} cl_back;

/// A bullet that bullets of another pool may hit in this step, like cl_target; `index` is its index
/// in the arrays of `pool`.
typedef struct cl_opponent {
  cl_bounds box;
  cl_vec motion;
  uint32_t index, pool;
  const cl_leg *leg; ///< NULL unless it is a piece of the way of a bullet
} cl_opponent;

/// The flight of a bullet in the last step, which others may meet on the rest of their ways: its
/// way from `begins` on, a fraction of the step, or since its last bounce. If the way is `cut`, its
/// legs say where it is. `turn`: when it bounced. `ended`: when its next hit with an event will end
/// it; INFINITY: none. `ends` and `before` are those of a leg.
typedef struct cl_flight {
  uint64_t number;
  uint32_t pool;
  uint8_t bounces;
  bool searched; ///< the meetings on this leg are known
  bool cut;
  cl_bullet_body body, before;
  double begins, ends, ended;
  cl_vec from, to;
  uint64_t off; ///< the target of its last bounce, as cl_met.other
  double turn[CL_MOST_BOUNCES];
} cl_flight;

/// Flights, by pool and number. The finder has a box for each, of all places that it may reach in
/// the step.
typedef struct cl_flights {
  cl_flight *at;
  uint32_t count;
  size_t cap;
  bool made;
  cl_box_finder finder;
} cl_flights;

/// In a shot or target: an actor that was removed.
#define CL_SHOT_NOBODY (UINT32_MAX - 1)

/// The actors as of the last step, for bullets that bounce: shapes are retained. A target's slot is
/// CL_SHOT_NOBODY if the actor was removed.
typedef struct cl_scene {
  cl_target *target;
  uint32_t count;
  size_t cap;
  cl_box_finder finder;
} cl_scene;

/// The bullet whose hit is being dispatched, and its state at the end of the step. `set`: the
/// CL_BULLET_ bits of the fields set meanwhile, whose values here are out of date.
typedef struct cl_moment {
  bool active;
  uint32_t pool, set;
  uint64_t number;
  double x, y, vx, vy;
  double left; ///< seconds until the end of the step
} cl_moment;

/// The bullet of the last event: how often it has bounced in this step, and what it has met.
typedef struct cl_bouncer {
  uint64_t number;
  uint32_t bounces;
  uint64_t *reported; ///< as cl_met.other
  size_t reported_count, reported_cap;
} cl_bouncer;

/// The place of a bullet or laser that has been killed or set since the end of the last dispatch.
typedef struct cl_bullet_note {
  double number, x, y;
  size_t nth;    ///< index among the notes
  uint32_t list; ///< twice the index of its pool, and 1 more for a laser
} cl_bullet_note;

/// The input of the hash, when the dispatch of the step is `over`: bullets up to number `last` of
/// the first `pools` pools. If a bullet is noted twice, the first note counts. `known`: the hash
/// has been computed; nothing is noted then. `changes`: how many places have changed, noted or not;
/// `many`: more than `most` after the step before.
typedef struct cl_bullets_log {
  cl_bullet_note *note;
  size_t count, cap, most, changes;
  uint32_t pools;
  double last;
  bool over, known, many;
  uint64_t hash;
} cl_bullets_log;

struct cl_pools {
  cl_alloc alloc;
  cl_world *world;
  cl_bullets **at;
  uint32_t count;
  size_t cap;
  bool stepping; ///< a step has begun but not ended
  /// Of the step or answer in progress: CL_NOMEM once memory has run out. Then nothing more is
  /// appended, and in the end the step or answer fails.
  cl_status status;
  double last;   ///< number spawned last
  double dt;     ///< of the step in progress
  uint64_t work; ///< steps of work so far: tests measure growth by it

  // Of the step in progress.
  cl_target *target;
  cl_opponent *opponent;
  uint32_t target_count, opponent_count;
  size_t target_cap, opponent_cap;
  uint64_t aimed_at; ///< the groups of the actors among the targets
  uint32_t *seen;    ///< for each target or opponent: the search that met it last
  size_t seen_cap;
  uint32_t searches;
  double ending; ///< the bullet that ends with the event being dispatched; 0: none
  cl_nearby nearby;
  cl_cut *cut; ///< of all pools
  size_t cut_count, cut_cap;
  cl_shots fresh;
  cl_mets fresh_met;
  cl_bullets **rank; ///< those that may hit each other, the largest first
  size_t rank_cap;
  uint32_t rank_count;

  // The remaining events of the last step: `shots` from `cursor` on, merged with `rest`, a heap of
  // those found since. `current` is the one being dispatched; after it `echo`, if there is one, is
  // added to `rest`.
  cl_shots shots, merged, rest;
  size_t cursor;
  bool dispatching, echoes;
  cl_shot echo;
  cl_shot current;
  cl_moment moment;
  cl_bouncer bouncer;
  cl_scene scene;
  cl_flights flights;
  cl_legs legs;      ///< of the last step, while its events are dispatched
  double last_moved; ///< the last number spawned before the last step
  cl_bullets_log log;
  cl_back *back; ///< by number, other and place: for the shots that have hit bullets
  size_t back_count, back_cap;
  cl_mets met, merged_met;
  size_t met_hint; ///< the contact found last
  size_t met_kept; ///< the number of contacts when dead ones were last dropped
};

/// Pools without a world, and without data of a step in progress: they have no gaps, and no `dead`.
/// `made`: pools with memory.
struct cl_bullets_snapshot {
  cl_pools kept;
  uint32_t made;
};

/// Notes a failure of the step or answer in progress. Returns whether there was none.
static inline bool cl_pools_check(cl_pools *pools, cl_status status) {
  if (status != CL_OK) pools->status = status;
  return pools->status == CL_OK;
}

/// Makes room in an array, as CL_RESERVE, for the step or answer in progress. Returns whether that
/// can go on.
#define CL_ROOM(pools, p, cap, need)                                                               \
  cl_pools_check((pools), CL_RESERVE(&(pools)->alloc, (p), (cap), (need)))

// ---- plan.c

/// How many entries two plans have in common, from the first on; whether all are equal.
uint32_t cl_plan_common(const cl_plan *a, const cl_plan *b);
bool cl_plan_equals(const cl_plan *a, const cl_plan *b);

/// The age at which an entry of a plan is due; INFINITY: there is no such entry.
double cl_plan_due(const cl_plan *plan, uint32_t stage);

// ---- pool.c: one pool

/// Frees its memory.
void cl_bullets_release(cl_bullets *pool);
/// Removes dead bullets from the arrays, which changes indices.
void cl_bullets_close_gaps(cl_bullets *pool);
/// Whether its gaps should be closed.
bool cl_bullets_has_gaps(const cl_bullets *pool);

/// The index of a live round bullet, or the end of the arrays; a live laser, or NULL.
uint32_t cl_bullets_index(cl_bullets *pool, uint64_t number);
cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number);
bool cl_bullets_alive(cl_bullets *pool, uint64_t number);
void cl_bullets_kill_index(cl_bullets *pool, uint32_t index);
void cl_bullets_kill_lasers(cl_bullets *pool);
/// Releases the plans of all its bullets.
void cl_bullets_drop_plans(cl_bullets *pool);
void cl_bullets_use_accelerations(cl_bullets *pool);

/// The shape of a body at 0, 0; the squared distance of the centre lines of two bodies.
void cl_bullet_body_shape(cl_stack_shape *temp, const cl_bullet_body *body);
double cl_bullet_bodies_apart(const cl_bullet_body *a, cl_vec at, const cl_bullet_body *b,
                              cl_vec to);
/// The direction of a velocity, or `kept` without one.
static inline cl_vec cl_heading(cl_vec v, cl_vec kept) {
  return cl_vec_normalise(&v) > 0 && isfinite(v.x + v.y) ? v : kept;
}
/// The body of bullet i with the heading of a velocity, or without speed the last heading. Its tail
/// grows by its way in `dt` seconds.
cl_bullet_body cl_bullets_body(const cl_bullets *pool, uint32_t i, cl_vec v);
double cl_tail_grown(double tail, double length, cl_vec way);
/// How far it reaches from its place.
static inline double cl_bullets_reach(const cl_bullets *pool, uint32_t i) {
  return pool->radius[i] + (pool->needles ? pool->needle[i].length : 0);
}

/// Makes a shape of the capsules along the points of a laser.
cl_status cl_laser_make_shape(const cl_alloc *alloc, const cl_laser_def *def, double radius,
                              cl_shape **out);
/// A copy of a laser, with references of its own to the shapes.
cl_laser cl_laser_copy(const cl_laser *laser);
/// Releases the shapes, if any.
void cl_laser_release_shapes(cl_laser *laser);

/// Whether a shot has an actor or another bullet as its target.
static inline bool cl_shot_has_target(const cl_shot *shot) { return shot->kind <= CL_SHOT_HIT; }
/// Whether a shot ends its bullet, unless a callback's answer saves it.
bool cl_shot_ends(const cl_pools *pools, const cl_shot *shot);

/// Notes how a bullet has survived a hit: CL_PASSED or CL_BOUNCED.
void cl_bullets_mark(cl_bullets *pool, uint32_t index, uint8_t how);
static inline uint8_t cl_bullets_survived(const cl_bullets *pool, uint32_t index) {
  return pool->survives ? pool->survived[index] : 0;
}

/// Whether a bullet at this place at the end of a step, with this age, is out of the bounds or too
/// old.
bool cl_bullets_ends(const cl_bullets *pool, cl_vec at, double age);

/// Called when the dispatch of a step has ended: the hash covers the bullets alive now.
void cl_pools_begin_log(cl_pools *pools);
/// Call this before many bullets change, or a pool is removed: computes the hash.
void cl_pools_end_log(cl_pools *pools);

/// The hash of live or saved pools; `hash` is the world's number to continue from.
uint64_t cl_pools_hash_from(cl_pools *pools, uint64_t hash);

// ---- pool.c: lists of shots, the events of bullets

/// cl_shots_add appends to a list. cl_pools_add_end appends the end of a bullet, which is out of
/// the bounds or too old when the step ends, to the fresh shots.
void cl_shots_add(cl_pools *pools, cl_shots *to, const cl_shot *shot);
void cl_pools_add_end(cl_pools *pools, const cl_bullets *pool, uint64_t number);

/// The target of a hit or graze, as cl_met.other.
static inline uint64_t cl_shot_target(const cl_shot *shot) {
  return shot->actor == CL_SHOT_BULLET ? CL_OTHER_BULLET | shot->other : shot->actor;
}
/// The same hit of two bullets from the side of the other one, which is at the place `at` then.
cl_shot cl_shot_mirrored(const cl_shot *shot, cl_vec at);

/// Below 0, 0 or above 0: the order of dispatch of two shots.
int cl_shot_order(const cl_shot *a, const cl_shot *b);
/// The order of their bullets alone, for sorting and searching.
int cl_shot_by_bullet(const void *a, const void *b);
/// Sorts shots into the order of dispatch.
void cl_shots_sort(cl_shots *shots);
/// The index of the first of sorted shots, from `from` on, of a bullet or of a later one.
size_t cl_shots_of(const cl_shots *shots, size_t from, uint32_t pool, uint64_t number);

/// A heap of shots. cl_rest_push needs reserved room. cl_rest_pop takes out the first in the order
/// of dispatch, and leaves it behind the heap's end until the next push; cl_rest_unpop puts it
/// back.
void cl_rest_push(cl_shots *rest, const cl_shot *shot);
cl_shot *cl_rest_pop(cl_shots *rest);
void cl_rest_unpop(cl_shots *rest);

/// Indexes the pending shots that have hit bullets; room was reserved.
void cl_pools_link_backs(cl_pools *pools);
/// If two bullets hit each other, the second gets its event even if the first has died. Sets `sure`
/// in the shots of the second; returns whether there are any.
bool cl_pools_assure_back(cl_pools *pools, const cl_shot *shot);
/// The first pending shot of a bullet that has hit this other one; NULL if there is none.
const cl_shot *cl_pools_find_back(const cl_pools *pools, uint64_t number, uint64_t other);

// ---- steer.c

/// Cuts the step for the bullets of a pool whose plans have entries in it: they get cuts and legs.
/// Call it between the halves of the world's step.
void cl_bullets_cut(cl_bullets *pool, double dt);
/// Flies bullet i from a fraction of the step to the step's end, following its plan. Appends its
/// legs, and appends timers to the fresh shots. `heads`: it turns first. `leg` has its number,
/// pool, age and dt.
void cl_bullets_fly(cl_bullets *pool, uint32_t i, cl_flying *s, const cl_leg *leg, double begins,
                    bool heads);
/// The number of the leg that a bullet is on at t, before the plan's entries at t but after
/// bounces; or the end.
size_t cl_pools_leg_at(const cl_pools *pools, uint32_t pool, uint64_t number, double t);
/// The velocity at t of a leg.
cl_vec cl_leg_velocity(const cl_leg *leg, double t);
static inline cl_vec cl_leg_place(const cl_leg *leg, double t) {
  if (t <= leg->begins) return leg->flying.at;
  if (t >= leg->ends) return leg->to;
  double share = (t - leg->begins) / (leg->ends - leg->begins);
  return cl_vec_add(leg->flying.at, cl_vec_mul(cl_vec_sub(leg->to, leg->flying.at), share));
}
/// Gives bullet i a state, except its place.
void cl_bullets_put_flying(cl_bullets *pool, uint32_t i, const cl_flying *s);
/// The cut of bullet i in the step in progress, or NULL; the first of a pool's cuts, which are in
/// the order of their bullets, from bullet i on.
const cl_cut *cl_bullets_cut_of(const cl_bullets *pool, uint32_t i);
size_t cl_bullets_first_cut(const cl_bullets *pool, uint32_t i);

/// The body of bullet i in the step in progress, of `dt` seconds, which is not cut: with the
/// heading of the step's end. The second function gives the body at the end of the step.
cl_bullet_body cl_bullets_body_in(const cl_bullets *pool, uint32_t i, double dt);
void cl_bullets_end_needles(cl_bullets *pool);

/// The way of bullet i in `dt` seconds from its place, with velocity v, already turned; and the
/// velocity `after` it.
cl_vec cl_bullets_way(const cl_bullets *pool, uint32_t i, cl_vec v, double dt, cl_vec *after);
/// Fills in the next places of those of bullets `from` to `to` that steer. Call it between the
/// halves of the world's step.
void cl_bullets_steer_all(const cl_bullets *pool, uint32_t from, uint32_t to, double dt);
/// At the end of a step: the velocities of bullets that steer.
void cl_bullets_end_steering(cl_bullets *pool);
static inline bool cl_bullets_is_limited(const cl_bullets *pool, uint32_t i) {
  if (!pool->courses || !pool->steers[i]) return false;
  return pool->course[i].min_speed > 0 || pool->course[i].max_speed < INFINITY;
}

// ---- meet.c: the memories of bullets, what they have grazed, and what they are inside

/// Appends to the fresh memories.
void cl_pools_add_met(cl_pools *pools, const cl_met *met);
/// The flags that a bullet remembers about a target, as of the last step; 0 for none.
uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other);
/// Whether a bullet remembers that the graze of a shot has been reported.
void cl_pools_set_grazed(cl_pools *pools, const cl_shot *shot, bool grazed);
/// Clears a flag in all memories of a bullet.
void cl_pools_forget_all(cl_pools *pools, uint32_t pool, uint64_t number, uint32_t flag);
/// At the end of a step the fresh memories join the others, and the others fade. Memory was
/// reserved.
void cl_pools_merge_mets(cl_pools *pools);
/// During the dispatch of a step: adds the fresh memories without fading the others.
void cl_pools_insert_mets(cl_pools *pools);
/// Whether a bullet has had an event with another, as cl_met.other, in this step.
bool cl_pools_was_reported(const cl_pools *pools, uint64_t number, uint64_t other);

// ---- meet.c: what a bullet or laser meets on its way, with time and normal

/// A shape on its way through a step; the shape's own place is (0, 0).
typedef struct cl_mover {
  cl_bullets *pool;
  uint64_t number;
  cl_bullet_body body;
  const cl_shape *shape, *graze; ///< of the body, or of a laser; graze NULL: it does not graze
  cl_vec from, to;
  cl_bounds box, graze_box; ///< of the whole way: of `shape`, and of `graze` or else `shape`
  double begins;            ///< when, as a fraction of the step
  double left;              ///< seconds until the step ends
  double ends;              ///< the fraction of the step where `to` is, if `cut`
  bool cut, later;          ///< it is a piece of a way; not the first one
  cl_bullet_body before;    ///< the body on the piece before
  size_t first_met;         ///< if later, the first fresh memory of its bullet
  bool stays;               ///< no hit ends it, or none has ended it: it remembers the targets it
                            ///< is inside
  bool late;                ///< only its end counts
  bool bounced;             ///< it has bounced at some time: see cl_circle_entry
  bool rest;                ///< it has bounced in this step, and this is the rest of its way
} cl_mover;

/// Whether a mover touches a target that moves by `motion` in a step to the place `at`. Writes when
/// and where it first does, and the way out nx, ny. `*inside`: it is inside from the start.
/// `reported`: it had an event with this target in this step, see cl_circle_entry.
bool cl_mover_hits(const cl_mover *m, cl_vec motion, const cl_placed *at, bool reported,
                   cl_shot *out, bool *inside);
/// Whether it touches the target at the end; if it has bounced, whether it is inside.
bool cl_mover_inside(const cl_mover *m, const cl_placed *at);

/// Computes the boxes of a mover's way.
void cl_mover_box(cl_mover *m);

/// Tests one target, unless the pool ignores it: appends to the fresh shots and memories.
void cl_mover_meet(cl_pools *pools, const cl_mover *m, const cl_target *target);

/// A touch before this fraction of the way continues a touch from the last step.
#define CL_STILL_INSIDE 1e-6

/// Whether bullets of two pools may meet.
bool cl_bullets_may_meet(const cl_bullets *a, const cl_bullets *b);

/// Finds what all bullets and lasers meet: the fresh shots, sorted, and memories.
void cl_pools_search(cl_pools *pools);

// ---- bounce.c

/// Keeps the targets of all pools that may bounce, if anything was found. Call it between the
/// halves of the world's step.
void cl_scene_keep(cl_pools *pools);
/// Drops the targets.
void cl_scene_forget(cl_scene *scene);

/// Finds again when the first remaining hit of a bullet will end it.
void cl_flights_update_end(cl_pools *pools, uint32_t pool, uint64_t number);
/// Marks the flights of bullets that have been set elsewhere as lost: the next step, which may
/// fail, overwrites the places before the last one.
void cl_flights_note_lost(cl_pools *pools);
/// Removes pool `gone`; later ones move down.
void cl_flights_drop_pool(cl_flights *flights, uint32_t gone);

/// When one bullet of a meeting is dispatched, notes the event of the other as `echo`. The caller
/// has reserved room.
void cl_pools_report_other(cl_pools *pools, const cl_shot *shot);
/// Whether the other bullet of a hit is still where the two were found to meet.
bool cl_pools_still_meets(cl_pools *pools, const cl_shot *shot);

/// cl_pools_bounce reflects the bullet of the present hit and moves it the rest of its way.
/// cl_pools_pass lets it fly on.
void cl_pools_bounce(cl_pools *pools);
void cl_pools_pass(cl_pools *pools);

// ---- save.c

/// How slots and pools have changed. `moved` has the new slots, or CL_NOWHERE; NULL: no change.
/// `actors`: if not NULL, only the actors of this snapshot are left. Pools above number `gone`, a
/// removed one, move down.
typedef struct cl_renaming {
  const int32_t *moved;
  const cl_snapshot *actors;
  uint32_t gone;
} cl_renaming;

/// Updates live or saved pools: lists keep their order, and entries about gone actors and pools are
/// dropped. For live pools, call cl_pools_link_backs next.
void cl_pools_rename(cl_pools *pools, const cl_renaming *r);

// ---- step.c

/// How much work the pools have done so far: a count that is the same on every machine, for tests
/// of growth.
uint64_t cl_pools_work(const cl_pools *pools);

/// As cl_pools_are_valid, for one pool.
bool cl_pool_is_valid(const cl_bullets *pool);

#endif
