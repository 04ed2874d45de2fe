// collide, MIT licence (see LICENSE)
//
// Moving one actor against others: it stops at, slides along, bounces off, pushes or crosses
// what it meets, and ends where it overlaps nothing that stopped it. Layer: world.
//
// A move is computed first and committed afterwards, so one that is given up has changed
// nothing. Where the host has a say in what others do to the mover, the move stops and asks:
//   status = cl_world_move(world, &def, &ask);
//   while (status == CL_OK && ask.other != CL_NOBODY)
//     status = cl_world_move_answer(world, response, &ask);
//   then cl_world_move_result, cl_world_move_commit
// Between a question and its answer the host may ask the world, but not change it.
// Source: iterated sweeps and projections, Fauerby, Improved collision detection and response
// (2003); the corner rule as Quake's SV_FlyMove has it.

#ifndef CL_WORLD_MOVE_H
#define CL_WORLD_MOVE_H

#include "base/config.h"

/// In place of a slot.
#define CL_NOBODY UINT32_MAX

/// What is left of a way where it meets something.
typedef enum cl_response {
  CL_RESPONSE_NONE,   ///< passes, unseen
  CL_RESPONSE_SLIDE,  ///< goes on along the surface
  CL_RESPONSE_TOUCH,  ///< stops
  CL_RESPONSE_BOUNCE, ///< goes on as if mirrored by the surface
  CL_RESPONSE_CROSS,  ///< passes, and is reported
  CL_RESPONSE_PUSH,   ///< moves the other out of the way, then slides
  CL_RESPONSES,
} cl_response;

/// Limits of a move: turns of more than one degree, surfaces met, pushes out of what it
/// starts in, movers in a chain of pushes.
enum { CL_MOVE_TURNS = 8, CL_MOVE_SURFACES = 64, CL_MOVE_PUSHES = 8, CL_MOVE_CHAIN = 8 };

/// `by_rules`: who stops a mover follows from the rules of groups, and `filter` counts only
/// for whom it ignores. `asks`: the host says what each other does; otherwise all do
/// `response`, and sensors CL_RESPONSE_CROSS. With `asks_sensors` about these, too.
typedef struct cl_move_def {
  uint32_t slot;
  double x, y, angle; ///< where the mover stands now
  double dx, dy;      ///< world units
  cl_filter filter;
  bool by_rules, asks, asks_sensors;
  cl_response response;
} cl_move_def;

/// A question: what `other` does to `mover`, that meets it with the normal nx, ny (0, 0 where
/// it starts inside); of tiles, cells of this value, else -1. `other` is CL_NOBODY where the
/// move is done.
typedef struct cl_move_ask {
  uint32_t mover, other;
  double nx, ny;
  int32_t value;
  bool sensor;
} cl_move_ask;

/// What the first mover met, in that order: the normal of the surface, where the mover stood,
/// the point touched, the share t of the time. `inside`: it started inside; `crushed`: and was
/// not freed. Of tiles the cell and its value, else -1.
typedef struct cl_move_hit {
  uint32_t slot;
  cl_vec normal, at, point;
  double t;
  int32_t column, row, value;
  uint8_t response;
  bool inside, crushed;
} cl_move_hit;

/// Where somebody gets to.
typedef struct cl_moved {
  uint32_t slot;
  cl_vec to;
} cl_moved;

/// Of the last move that is done; the arrays belong to the world, until its next move. The
/// first of `moved` is the mover, then come those that it pushed.
typedef struct cl_move_result {
  const cl_move_hit *hit;
  const cl_moved *moved;
  size_t hits, moves;
} cl_move_result;

/// Begins a move of a live actor, whose shape is no tiles. CL_NOMEM: nothing has changed.
cl_status cl_world_move(cl_world *world, const cl_move_def *def, cl_move_ask *ask);
cl_status cl_world_move_answer(cl_world *world, cl_response response, cl_move_ask *ask);
cl_move_result cl_world_move_result(const cl_world *world);

/// Puts everybody who was moved where they got to, at once. CL_NOMEM: nobody.
cl_status cl_world_move_commit(cl_world *world);

/// Puts a live actor in another place, at once. An angle other than 0 needs
/// cl_world_use_angles first.
void cl_world_put(cl_world *world, uint32_t slot, cl_vec at, double angle);

/// The first actor, in the order of adding and from slot `from` on, that `placed` would
/// overlap; CL_NOBODY where it fits. Sensors do not count; touching fits.
cl_status cl_world_fits(cl_world *world, const cl_placed *placed, cl_filter filter, uint32_t from,
                        uint32_t *other);

/// The groups that the rules let an actor hit, bit g for group g.
uint64_t cl_world_hit_groups(const cl_world *world, uint32_t slot);

#endif
