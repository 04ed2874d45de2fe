// collide, MIT licence (see LICENSE)
//
// What pools of bullets are made of; private to this layer. Layer: bullets.
//
// A step of the bullets, between the two halves of the world's:
//   move    next places of all bullets beside the present ones; who may meet a
//           target, leave the bounds or end its life is told (move.c)
//   find    those against the targets near them, exactly
//           (find.c, pairs.c) -> fresh shots, fresh contacts
// and after the world's second half:
//   end     next places become present; pending shots and the fresh ones are merged;
//           deaths that nobody asks for happen (shots.c)
// All memory is reserved in the first half.

#ifndef CL_BULLETS_STATE_H
#define CL_BULLETS_STATE_H

#include "bullets/nearby.h"
#include "world/targets.h"

/// The arrays of a pool's round bullets, in the order of spawning. Dead ones stay until
/// gaps are closed.
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
  FIELD(uint8_t, dead)

/// Those that a step needs for itself: where it takes each; `gone_count` indices,
/// ascending, of those that die untold; when an actor or another bullet ends it, of
/// pools that may hit others' bullets.
#define CL_BULLET_STEP_FIELDS(FIELD)                                                               \
  FIELD(double, next_x)                                                                            \
  FIELD(double, next_y)                                                                            \
  FIELD(double, ended)                                                                             \
  FIELD(uint32_t, gone)

/// A dead one has no shape; it stays until dead ones are more than live ones.
typedef struct cl_laser {
  uint64_t number;
  cl_bullet at;
  double next_x, next_y;
  double age, warmup, lifetime;
  cl_shape *shape, *graze; ///< local to its place; graze NULL when nobody is grazed
} cl_laser;

/// A lifetime is over when all but this share of it is: sums of times are rounded.
#define CL_LIFETIME_ERROR 1e-9

/// What comes first, up to `ages`, is known to lua/collide/spawn.lua too, which does
/// what cl_bullets_spawn does and compares itself with cl_bullets_layout.
struct cl_bullets {
#define CL_DECLARE(type, name) type *name;
  CL_BULLET_FIELDS(CL_DECLARE)
  uint32_t used, live; ///< of the arrays; dead ones included and not
  uint32_t cap;        ///< of the arrays
  uint32_t most;       ///< live ones there may be: what lasers leave of the capacity
  double radius_new;   ///< of a bullet when it is spawned
  double *last;        ///< the number that was given last
  bool accelerates;    ///< some bullet has had an acceleration: ax, ay are in use
  bool ages;           ///< there is a lifetime: age is in use

  CL_BULLET_STEP_FIELDS(CL_DECLARE)
#undef CL_DECLARE
  cl_pools *pools;
  uint32_t index; ///< among the pools
  cl_bullets_def def;
  uint8_t event_mask;
  double largest; ///< no bullet has a larger radius
  uint32_t gone_count;
  uint32_t hint;                 ///< the index that was found last
  uint64_t hits, grazes;         ///< found in the last step, for the hash
  uint64_t new_hits, new_grazes; ///< in the step being made
  void *block;                   ///< one allocation for all arrays
  cl_laser *laser;               ///< in the order of spawning
  uint32_t lasers, laser_used;   ///< live ones; dead ones included
  size_t laser_cap;
};

/// Bits of cl_met.flags.
enum { CL_GRAZED = 1, CL_INSIDE = 2 };

/// A bullet and what it has met: an actor's slot, or CL_OTHER_BULLET plus another
/// bullet's number. CL_GRAZED: it has been reported. CL_INSIDE: at the end of the
/// last step a bullet that stays was in it or touched it.
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

/// Where in the list of shots is one of bullet `number` that has hit bullet `other`.
typedef struct cl_back {
  uint64_t number, other;
  size_t at;
} cl_back;

/// A bullet that bullets of another pool may hit in this step, as cl_target; `index` is that
/// of the arrays of `pool`.
typedef struct cl_opponent {
  cl_bounds box;
  cl_vec motion;
  uint32_t index, pool;
} cl_opponent;

struct cl_pools {
  cl_alloc alloc;
  const cl_world *world;
  cl_bullets **at;
  uint32_t count;
  size_t cap;
  double last;   ///< number spawned last
  double dt;     ///< of the step being made
  uint64_t work; ///< steps of work so far: tests see by it how work grows

  // Of the step being made.
  cl_target *target;
  cl_opponent *opponent;
  uint32_t target_count, opponent_count;
  size_t target_cap, opponent_cap;
  uint64_t aimed_at; ///< the groups whose actors the targets are
  uint32_t *seen;    ///< of each target or opponent: the look around that it was met in last
  size_t seen_cap;
  uint32_t look; ///< counts the looks around
  cl_nearby nearby;
  cl_shots fresh;
  cl_mets fresh_met;
  uint32_t *picked;
  size_t picked_cap;
  cl_bullets **rank; ///< those that may hit each other, the largest first
  size_t rank_cap;

  // What the last step has to tell, from `cursor` on; the one before it, if
  // `begun`, is being told.
  cl_shots shots, merged;
  size_t cursor;
  bool begun;
  cl_back *back; ///< by number, other and place: of the shots that have hit bullets
  size_t back_count, back_cap;
  cl_mets met, merged_met;
  size_t met_hint; ///< the contact that was found last
  size_t met_kept; ///< how many contacts there were when dead ones were last left out
};

void cl_bullets_close_gaps(cl_bullets *pool);
/// Whether closing them is due.
bool cl_bullets_has_gaps(const cl_bullets *pool);

/// The index of a live round bullet, or its arrays' end; a live laser, or NULL.
uint32_t cl_bullets_index(cl_bullets *pool, uint64_t number);
cl_laser *cl_bullets_laser(const cl_bullets *pool, uint64_t number);
bool cl_bullets_alive(cl_bullets *pool, uint64_t number);
void cl_bullets_kill_index(cl_bullets *pool, uint32_t index);
void cl_bullets_kill_laser(cl_bullets *pool, cl_laser *laser);
void cl_bullets_kill_lasers(cl_bullets *pool);
/// The first index of a laser, dead or not, whose number is at least this.
uint32_t cl_bullets_lower_laser(const cl_bullets *pool, uint64_t number);

/// The number of the bullet that dies when the present telling goes on; 0: none.
uint64_t cl_pools_doomed(const cl_pools *pools);

/// Fills next_x, next_y of the bullets `from` to `to` and writes to `out`, in ascending
/// order, who may meet what the map holds, and who ends outside of the bounds or is
/// too old: that are the first `old` of the pool. Best done for so many at a time that
/// what is written is still in the first cache when it is read.
enum { CL_BULLETS_BLOCK = 512 };
uint32_t cl_bullets_move(const cl_bullets *pool, double dt, const cl_nearby *nearby, uint32_t from,
                         uint32_t to, uint32_t old, uint32_t *out);
void cl_bullets_move_lasers(cl_bullets *pool, double dt);

/// How many are too old after `dt`: the first ones, since ages are in descending order
/// as the bullets are in that of spawning.
uint32_t cl_bullets_too_old(const cl_bullets *pool, double dt);

/// Of bullets that have been moved, those that may meet what the field holds.
uint32_t cl_bullets_pick(const cl_bullets *pool, const cl_nearby *nearby, uint32_t *out);

/// Whether one ends outside of the bounds or too old.
bool cl_bullets_expires(const cl_bullets *pool, uint32_t index, double dt);

/// How far bullets of a pool move in this step, as a rule, on the longer axis.
double cl_bullets_pace(const cl_bullets *pool, double dt);

/// Makes the map of `count` boxes, those of targets or opponents `stride` bytes apart, for
/// `points` bullets that reach so far and go so far.
cl_status cl_pools_map(cl_pools *pools, const cl_bounds *box, size_t stride, uint32_t count,
                       double reach, uint32_t points, double pace);

/// What bullets of different pools meet; part of cl_pools_begin_step.
cl_status cl_pools_find_pairs(cl_pools *pools);

/// A shape on its way through a step; its own place is (0, 0) of the shape.
typedef struct cl_mover {
  cl_bullets *pool;
  uint64_t number;
  const cl_shape *shape, *graze; ///< graze NULL: it grazes nobody
  cl_vec from, to;
  cl_bounds box, graze_box; ///< of the whole way: of `shape`, and of `graze` if it has one
  bool stays;               ///< a hit does not end it
  bool late;                ///< only where it ends counts
} cl_mover;

/// When `shape` of a mover first touches a target that goes by `motion` to where
/// `at` is, and the way it then gets free: t, nx, ny of `out`.
bool cl_mover_cast(const cl_mover *m, const cl_shape *shape, cl_vec motion, const cl_placed *at,
                   cl_shot *out);
/// Whether it touches it at the end.
bool cl_mover_inside(const cl_mover *m, const cl_placed *at);

/// A touch at the start of a step goes on with one from the last step, if it comes
/// before this share of the way.
#define CL_STILL_INSIDE 1e-6

/// Whether an item of the map is met for the first time in this look around.
static inline bool cl_pools_see(cl_pools *pools, uint32_t item) {
  bool first = pools->seen[item] != pools->look;
  pools->seen[item] = pools->look;
  return first;
}

/// Appends to the fresh shots and contacts.
cl_status cl_pools_add_shot(cl_pools *pools, const cl_shot *shot);
cl_status cl_pools_add_met(cl_pools *pools, const cl_met *met);
/// The flags of a contact, as of the last step.
uint32_t cl_pools_met(cl_pools *pools, uint32_t pool, uint64_t number, uint64_t other);

/// Lists which of the pending shots have hit bullets; room for that
/// was reserved.
void cl_pools_link_backs(cl_pools *pools);
/// Two bullets that hit each other are both told: the first's death is no reason to
/// pass the second over. Makes those of the second sure.
void cl_pools_assure_back(cl_pools *pools, const cl_shot *shot);

/// Puts shots into the order of telling.
void cl_shots_sort(cl_shots *shots);
/// The first of sorted shots, from `from` on, that is of a bullet or of a later one.
size_t cl_shots_of(const cl_shots *shots, size_t from, uint32_t pool, uint64_t number);

/// Room for cl_pools_end_step.
cl_status cl_pools_reserve(cl_pools *pools);

/// How much the pools have had to look at so far, as a count that is the same on every
/// machine: what a test sees growth by.
uint64_t cl_pools_work(const cl_pools *pools);

/// As cl_pools_are_valid, of one pool.
bool cl_pool_is_valid(const cl_bullets *pool);

#endif
