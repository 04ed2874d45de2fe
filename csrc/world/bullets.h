// collide, MIT licence (see LICENSE)
//
// Pools of bullets: circles that fly straight or accelerate evenly, and lasers,
// polylines with a width. They belong to a world, are moved and tested by its
// step, and are no actors. Layer: world.
//
// A bullet is known by its number. Numbers count the spawns of a world from 1, so
// that a number is never used again, their order is the order of spawning, and one
// of a dead bullet, or of another pool, is known as such.

#ifndef CL_WORLD_BULLETS_H
#define CL_WORLD_BULLETS_H

#include "base/layout.h"
#include "world/world.h"

/// Largest capacity of a pool.
enum { CL_MAX_BULLETS = 1 << 24 };

/// What a host may know of a pool beyond this file.
extern const cl_field cl_bullets_layout[];

typedef struct cl_bullets cl_bullets;

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

/// A new pool, which lives as long as the world. CL_NOMEM, or CL_OK.
cl_status cl_bullets_new(cl_world *world, const cl_bullets_def *def, cl_bullets **out);

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

/// The same for all pools of a world.
void cl_world_clear_bullets(cl_world *world);

uint32_t cl_bullets_count(const cl_bullets *pool);

/// The first live bullet with a number above `after`; 0 when there is none.
uint64_t cl_bullets_next(cl_bullets *pool, uint64_t after);

/// The number that a world spawned last.
uint64_t cl_bullets_last(const cl_bullets *pool);

/// Closes the gaps that dead bullets have left, and says where the others are.
cl_bullets_io cl_bullets_show(cl_bullets *pool);

/// The next step of the world moves all bullets by `dt` seconds, once.
void cl_world_move_bullets(cl_world *world, double dt);

/// How much the pools have had to look at so far, as a count that is the same on every
/// machine: what a test sees growth by.
uint64_t cl_world_bullets_work(const cl_world *world);

typedef enum cl_shot_kind {
  CL_SHOT_GRAZE,
  CL_SHOT_HIT,
  CL_SHOT_EXPIRED,
} cl_shot_kind;

/// What happened to a bullet. It is alive while this is told and, but for a graze
/// or if it pierces, dies when the next one is asked for.
typedef struct cl_shot {
  uint64_t number;
  uint32_t pool;  ///< counts the world's pools from 0
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
bool cl_world_next_shot(cl_world *world, cl_shot *out);

#endif
