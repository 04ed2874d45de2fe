// collide, MIT licence (see LICENSE)
//
// The data of pools of bullets; private to this layer. Layer: bullets.
//
// A step of the bullets, between the two halves of the world's:
//   move    computes the next places of all bullets beside the present ones; finds those that may
//           meet a target, leave the bounds or end their life (move.c)
//   find    tests those against the targets near them, exactly
//           (find.c, pairs.c) -> fresh shots, fresh memories
// and after the world's second half:
//   end     next places become present; merges the pending and the fresh shots;
//           bullets that end without an event die (step.c)
// All memory is reserved in the first half. Then the host dispatches one shot after another
// (dispatch.c); a bullet that bounces goes the rest of its way (bounce.c), among the targets that
// the step has kept for that (scene.c).

#ifndef CL_BULLETS_STATE_H
#define CL_BULLETS_STATE_H

#include "bullets/nearby.h"
#include "world/targets.h"
#include "query/bvh.h"

/// The arrays of a pool's round bullets, in the order of spawning. Dead ones stay until gaps are
/// closed.
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
  FIELD(uint8_t, dead)                                                                             \
  FIELD(uint8_t, survived)

/// Scratch arrays of a step: the next places; `gone`, the `gone_count` indices, ascending, of
/// bullets that die without an event; `ended`, when an actor or another bullet ends a bullet, for
/// pools that may hit others' bullets. `survived` has the bits below, and none is ever cleared.
#define CL_BULLET_STEP_FIELDS(FIELD)                                                               \
  FIELD(double, next_x)                                                                            \
  FIELD(double, next_y)                                                                            \
  FIELD(double, ended)                                                                             \
  FIELD(uint32_t, gone)

/// How a bullet has survived hits, by the answers of callbacks.
enum { CL_PASSED = 1, CL_BOUNCED = 2 };

/// A dead one has no shape; it stays until dead ones outnumber live ones.
typedef struct cl_laser {
  uint64_t number;
  cl_bullet at;
  double next_x, next_y;
  double warmup, lifetime;
  cl_shape *shape, *graze; ///< relative to its place; graze is NULL if it does not graze
} cl_laser;

/// A lifetime is over when no more than this share of it is left: sums of times are rounded.
#define CL_LIFETIME_ERROR 1e-9

/// The first fields, up to `survives`, are also used by lua/collide/ffi/spawn.lua, which does the
/// same as cl_bullets_spawn and compares its layout with cl_bullets_layout. `age` is the age in a
/// pool with a lifetime, else the clock when the bullet was spawned.
struct cl_bullets {
#define CL_DECLARE(type, name) type *name;
  CL_BULLET_FIELDS(CL_DECLARE)
  uint32_t used, live; ///< array entries, dead ones included; live bullets
  uint32_t cap;        ///< of the arrays
  uint32_t most;       ///< the most live ones: the capacity minus the lasers
  double radius_new;   ///< of a new bullet
  double *last;        ///< the last number given
  double clock;        ///< seconds since the pool was made, if there is no lifetime; else 0
  bool accelerates;    ///< some bullet has had an acceleration: ax, ay are in use
  bool survives;       ///< some bullet has survived a hit: `survived` is in use
  bool ages;           ///< there is a lifetime
  bool meets;          ///< its bullets may meet others' in the step, or might in the last one

  CL_BULLET_STEP_FIELDS(CL_DECLARE)
#undef CL_DECLARE
  cl_pools *pools;
  uint32_t index; ///< among the pools
  cl_bullets_def def;
  uint8_t event_mask;
  double largest; ///< no bullet has a larger radius
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
/// CL_MET: two bullets of which one has met the other on the rest of its way in the last step.
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

/// The index in the list of shots of a shot of bullet `number` that has hit bullet `other`.
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
} cl_opponent;

/// A bullet of the last step, which others may meet on the rest of their ways: on the last leg of
/// its own way, from `begins` on, a share of the step, unless it is `lost`: set elsewhere, or
/// outside the world. `turn`: when it has bounced. `ended`: when its next hit with an event will
/// end it; INFINITY: none.
typedef struct cl_flight {
  uint64_t number;
  uint32_t pool;
  uint8_t bounces;
  bool lost;
  bool searched; ///< the meetings on this leg are known
  double radius, begins, ended;
  cl_vec from, to;
  uint64_t off; ///< the target of its last bounce, as cl_met.other
  double turn[CL_MOST_BOUNCES];
} cl_flight;

/// By pool and number. `box`: all places that each may reach in the step.
typedef struct cl_flights {
  cl_flight *at;
  uint32_t count;
  size_t cap;
  cl_fbox *box;
  size_t box_cap;
  cl_bvh bvh;
  cl_found found;
  bool made, bvh_made;
} cl_flights;

/// In a shot or target: an actor that was removed.
#define CL_SHOT_NOBODY (UINT32_MAX - 1)

/// The actors as of the last step, for bullets that bounce: shapes are retained. A target's slot is
/// CL_SHOT_NOBODY if the actor was removed.
typedef struct cl_scene {
  cl_target *target;
  uint32_t count;
  size_t cap;
  cl_fbox *box;
  size_t box_cap;
  cl_bvh bvh;
  cl_found found;
  bool bvh_made;
} cl_scene;

/// The bullet whose hit is being dispatched, and its state at the end of the step. `set`: the
/// CL_BULLET_ bits of the fields that have been set meanwhile, which are not kept here.
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
  size_t nth; ///< index among the notes
  uint32_t pool;
  bool laser;
} cl_bullet_note;

/// The input of the hash, when the dispatch of the step is `over`: bullets up to number `last` of
/// the first `pools` pools. If a bullet is noted twice, the first note counts. `known`: the hash
/// has been computed; nothing is noted then.
typedef struct cl_bullets_log {
  cl_bullet_note *note;
  size_t count, cap, most;
  uint32_t pools;
  double last;
  bool over, known;
  uint64_t hash;
} cl_bullets_log;

struct cl_pools {
  cl_alloc alloc;
  cl_world *world;
  cl_bullets **at;
  uint32_t count;
  size_t cap;
  bool stepping; ///< a step has begun but not ended
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
  uint32_t look; ///< counts the searches
  cl_nearby nearby;
  cl_shots fresh;
  cl_mets fresh_met;
  uint32_t *picked;
  size_t picked_cap;
  cl_bullets **rank; ///< those that may hit each other, the largest first
  size_t rank_cap;
  uint32_t rank_count;

  // The remaining events of the last step: `shots` from `cursor` on, and among them those of
  // `rest`, a heap, which were found since. While one is dispatched, `begun` is true, and `current`
  // is that one; after it, `echo`, if there is one, is added to `rest`.
  cl_shots shots, merged, rest;
  size_t cursor;
  bool begun, echoes;
  cl_shot echo;
  cl_shot current;
  cl_moment moment;
  cl_bouncer bouncer;
  cl_scene scene;
  cl_flights flights;
  double last_moved; ///< the last number spawned before the last step
  cl_bullets_log log;
  cl_back *back; ///< by number, other and place: for the shots that have hit bullets
  size_t back_count, back_cap;
  cl_mets met, merged_met;
  size_t met_hint; ///< the contact found last
  size_t met_kept; ///< the number of contacts when dead ones were last dropped
};

/// Removes dead bullets from the arrays, which changes indices.
void cl_bullets_close_gaps(cl_bullets *pool);
/// Whether its gaps should be closed.
bool cl_bullets_has_gaps(const cl_bullets *pool);

/// The index of a live round bullet, or the end of the arrays; a live laser, or NULL.
uint32_t cl_bullets_index(cl_bullets *pool, uint64_t number);
cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number);
bool cl_bullets_alive(cl_bullets *pool, uint64_t number);
void cl_bullets_kill_index(cl_bullets *pool, uint32_t index);
void cl_bullets_kill_laser(cl_bullets *pool, cl_laser *laser);
/// Makes the shapes of a laser of this pool.
cl_status cl_laser_make_shapes(const cl_alloc *alloc, const cl_bullets_def *pool,
                               const cl_laser_def *def, cl_laser *laser);
/// A copy of a laser, with references of its own to the shapes.
cl_laser cl_laser_copy(const cl_laser *laser);
/// Releases the shapes, if any.
void cl_laser_release_shapes(cl_laser *laser);
void cl_bullets_kill_lasers(cl_bullets *pool);
/// The first index of a laser, dead or not, whose number is at least this.
uint32_t cl_bullets_lower_laser(const cl_bullets *pool, uint64_t number);

/// The number of the bullet that dies when the present dispatch continues; 0: none.
uint64_t cl_pools_doomed(const cl_pools *pools);

/// Fills next_x, next_y of the bullets `from` to `to` (not included) and writes to `out`, in
/// ascending order, those that may meet a box of the map, those that end outside the bounds, and
/// those that are too old, which are the first `old` of the pool. It is fastest for
/// CL_BULLETS_BLOCK at a time: the data is then still in the first cache when it is read again.
enum { CL_BULLETS_BLOCK = 512 };
uint32_t cl_bullets_move(const cl_bullets *pool, double dt, const cl_nearby *nearby, uint32_t from,
                         uint32_t to, uint32_t old, uint32_t *out);
void cl_bullets_move_lasers(cl_bullets *pool, double dt);

/// How many are too old after `dt`: the first ones, since bullets are in the order of spawning and
/// so in descending order of age.
uint32_t cl_bullets_too_old(const cl_bullets *pool, double dt);

/// Of bullets that have been moved, those that may meet a box of the field.
uint32_t cl_bullets_pick(const cl_bullets *pool, const cl_nearby *nearby, uint32_t *out);

/// Whether a bullet at this place at the end of a step, with this age, is out of the bounds or too
/// old.
bool cl_bullets_ends(const cl_bullets *pool, cl_vec at, double age);

/// How far bullets of a pool typically move in this step, on the longer axis.
double cl_bullets_pace(const cl_bullets *pool, double dt);

/// Makes the map of boxes of targets or opponents, for `points` bullets with this pace.
cl_status cl_pools_map(cl_pools *pools, const cl_nearby_boxes *boxes, uint32_t points, double pace);

/// Finds the pools whose bullets may meet others', then the meetings of bullets of different pools:
/// parts of cl_pools_begin_step, before and after cl_pools_search.
cl_status cl_pools_rank(cl_pools *pools);
cl_status cl_pools_find_pairs(cl_pools *pools);

/// A hit has not ended a bullet: CL_PASSED or CL_BOUNCED.
void cl_bullets_mark(cl_bullets *pool, uint32_t index, uint8_t how);
static inline uint8_t cl_bullets_survived(const cl_bullets *pool, uint32_t index) {
  return pool->survives ? pool->survived[index] : 0;
}

static inline bool cl_is_in_world(cl_vec p) {
  return fabs(p.x) <= CL_MAX_COORD && fabs(p.y) <= CL_MAX_COORD;
}

/// Whether an item of the map is met for the first time in this search.
static inline bool cl_pools_see(cl_pools *pools, uint32_t item) {
  bool first = pools->seen[item] != pools->look;
  pools->seen[item] = pools->look;
  return first;
}

/// Finds the actors that the bullets of all pools meet; part of cl_pools_begin_step.
cl_status cl_pools_search(cl_pools *pools, cl_bullets *pool);

/// Ends the dispatch that has begun; its bullet may die.
void cl_pools_finish(cl_pools *pools);
/// Gives the bullet of the moment its state at the end of the step again.
void cl_pools_end_moment(cl_pools *pools);
/// Gives it the state of the moment again.
void cl_pools_exchange_moment(cl_pools *pools);

/// How much work the pools have done so far, as a count that is the same on every machine: tests
/// measure growth by it.
uint64_t cl_pools_work(const cl_pools *pools);

/// As cl_pools_are_valid, for one pool.
bool cl_pool_is_valid(const cl_bullets *pool);

#endif
