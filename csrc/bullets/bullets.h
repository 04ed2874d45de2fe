// collide, MIT licence (see LICENSE)
//
// Pools of bullets: circles that fly straight or accelerate evenly, and lasers,
// polylines with a width. They fly among the actors of a world, which knows nothing of
// them: whoever steps the world steps its pools too. Layer: bullets.
//
// A bullet is known by its number. Numbers count the spawns of all pools from 1, so
// that a number is never used again, their order is the order of spawning, and one
// of a dead bullet, or of another pool, is known as such.

#ifndef CL_BULLETS_BULLETS_H
#define CL_BULLETS_BULLETS_H

#include "base/layout.h"
#include "world/targets.h"

/// Largest capacity of a pool.
enum { CL_MAX_BULLETS = 1 << 24 };

/// What a host may know of a pool beyond this file.
extern const cl_field cl_bullets_layout[];

/// All pools of a world, and one of them.
typedef struct cl_pools cl_pools;
typedef struct cl_bullets cl_bullets;

/// No pools yet, for bullets among the actors of `world`, which has to live as long. NULL
/// when there is no memory. Freeing it frees its pools.
cl_pools *cl_pools_new(const cl_alloc *alloc, const cl_world *world);
void cl_pools_free(cl_pools *pools);

/// What a host wants to be told of a pool.
enum { CL_BULLET_EVENT_HIT = 1, CL_BULLET_EVENT_GRAZE = 2, CL_BULLET_EVENT_EXPIRED = 4 };

typedef struct cl_bullets_def {
  uint32_t capacity; ///< 1 … CL_MAX_BULLETS, lasers included
  double radius;     ///< of a bullet when it is spawned, > 0
  double graze;      ///< who is within this of a bullet's centre is grazed; 0: nobody
  uint8_t group;
  cl_bounds bounds; ///< a bullet whose centre is outside expires
  double lifetime;  ///< seconds, to a share of 1e-9; INFINITY: for ever
  bool pierce;      ///< a hit does not end a bullet
  bool bullets;     ///< hits bullets of other pools, too
} cl_bullets_def;

/// A bullet's state, world units and seconds. A laser's place is its first point,
/// its radius half of its width.
typedef struct cl_bullet {
  double x, y, vx, vy, ax, ay, radius, tag;
} cl_bullet;

/// Where the round bullets of a pool are: `count` of them without gaps in the order
/// of spawning, until the pool next changes.
typedef struct cl_bullets_io {
  const double *x, *y, *vx, *vy, *radius, *tag;
  uint32_t count;
} cl_bullets_io;

/// A new pool, which lives as long as `pools`. CL_NOMEM, or CL_OK.
cl_status cl_bullets_new(cl_pools *pools, const cl_bullets_def *def, cl_bullets **out);

/// Which events are told from the next step on: CL_BULLET_EVENT_ bits.
void cl_bullets_set_event_mask(cl_bullets *pool, uint8_t event_mask);

/// The number of a new bullet, or 0 when the pool is full. Needs no memory.
uint64_t cl_bullets_spawn(cl_bullets *pool, double x, double y, double vx, double vy, double tag);

/// A laser along `count` >= 1 points x, y, x, y, …, finite and not too far apart for
/// shapes. It hits when `warmup` seconds of its `lifetime` (INFINITY: for ever) are
/// over. `*number` is 0 when the pool is full. CL_NOMEM, CL_INVALID as of
/// cl_shape_capsule.
typedef struct cl_laser_def {
  const double *xy;
  uint32_t count;
  double width, warmup, lifetime, tag;
} cl_laser_def;
cl_status cl_bullets_spawn_laser(cl_bullets *pool, const cl_laser_def *def, uint64_t *number);

/// False, and nothing done, for what is not alive in this pool.
bool cl_bullets_kill(cl_bullets *pool, uint64_t number);
bool cl_bullets_get(cl_bullets *pool, uint64_t number, cl_bullet *out);

/// Gives a live bullet a new state. Another place is a jump, not a motion. A
/// laser's radius stays. CL_INVALID for what is not alive; CL_NOMEM.
cl_status cl_bullets_set(cl_bullets *pool, uint64_t number, const cl_bullet *to);

/// Kills the round bullets that touch the circle, or all and the lasers too;
/// returns how many.
uint32_t cl_bullets_kill_circle(cl_bullets *pool, double x, double y, double r);
uint32_t cl_bullets_clear(cl_bullets *pool);

/// The same for all pools.
void cl_pools_clear(cl_pools *pools);

uint32_t cl_bullets_count(const cl_bullets *pool);

/// The first live bullet with a number above `after`; 0 when there is none.
uint64_t cl_bullets_next(cl_bullets *pool, uint64_t after);

/// The number that was given last.
uint64_t cl_bullets_last(const cl_bullets *pool);

/// Closes the gaps that dead bullets have left, and says where the others are.
cl_bullets_io cl_bullets_show(cl_bullets *pool);

/// A step of all bullets by `dt` seconds, in two halves, each after that of their world. On
/// CL_NOMEM the first has not begun, and the world's step is not to be ended either; the
/// second cannot fail.
cl_status cl_pools_begin_step(cl_pools *pools, double dt);
void cl_pools_end_step(cl_pools *pools);

/// cl_world_reclaim has moved slots: to be called before anything else.
void cl_pools_follow(cl_pools *pools);

/// Adds all that lives, and how much the last step found, to a hash.
uint64_t cl_pools_hash(const cl_pools *pools, uint64_t hash);

/// How much the pools have had to look at so far, as a count that is the same on every
/// machine: what a test sees growth by.
uint64_t cl_pools_work(const cl_pools *pools);

/// Whether everything is in order, of one pool, or of all and of what there is to tell.
/// Checked builds assert it after each step.
bool cl_pool_is_valid(const cl_bullets *pool);
bool cl_pools_are_valid(const cl_pools *pools);

typedef enum cl_shot_kind {
  CL_SHOT_GRAZE,
  CL_SHOT_HIT,
  CL_SHOT_EXPIRED,
} cl_shot_kind;

/// What happened to a bullet. It is alive while this is told and, but for a graze
/// or if it pierces, dies when the next one is asked for.
typedef struct cl_shot {
  uint64_t number;
  uint32_t pool;  ///< counts the pools from 0
  uint32_t actor; ///< slot; CL_SHOT_BULLET: another bullet was hit
  uint64_t other; ///< that one's number, 0 for none
  uint32_t other_pool;
  cl_shot_kind kind;
  double nx, ny; ///< of a hit: unit vector along which the bullet gets free
  double t;      ///< when, as a share of the step, 0 … 1
  bool told;     ///< its pool asks for such events
  bool sure;     ///< the other has been told of this hit, though it may be dead now
} cl_shot;

#define CL_SHOT_BULLET UINT32_MAX

/// The next event to tell, by pool, bullet and t, the last one being over; false
/// when all has been told. What is not told, the next step's events begin with.
/// Events of bullets and actors that are gone are passed over.
bool cl_pools_next_shot(cl_pools *pools, cl_shot *out);

#endif
