// collide, MIT licence (see LICENSE)
//
// A world: actors with a shape and a place, stepped by a host. The host writes
// the places into arrays, calls cl_world_step, and reads from other arrays what
// it has to tell the actors. The core never calls the host. Layer: world.
//
// An actor is known by its slot, an index into all arrays below. Slots are
// given in ascending order, so their order is the order of adding. A removed
// actor's slot stays dead until a step moves the later ones down over it,
// keeping their order; see cl_world_moved.

#ifndef CL_WORLD_WORLD_H
#define CL_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "broad/broad.h"
#include "geom/shape.h"
#include "narrow/overlap.h"

enum {
  CL_MAX_GROUPS = 64,
  CL_NOWHERE = -1, ///< in cl_world_moved: this slot is gone
};

/// Bits of an actor's state, in cl_io.state.
enum {
  CL_LIVE = 1,   ///< in the world, not removed
  CL_STATIC = 2, ///< does not move by itself: the host does not write its place
  CL_SENSOR = 4, ///< stops no mover
};

/// What an actor wants to be told, and whether the host has yet to say so.
enum {
  CL_EVENT_ENTER = 1,
  CL_EVENT_HIT = 2,
  CL_EVENT_LEAVE = 4,
  CL_EVENT_UPDATE = 8, ///< not used by the core: kept for the host
  CL_EVENT_EVENTS = CL_EVENT_ENTER | CL_EVENT_HIT | CL_EVENT_LEAVE,
};

/// The calls that an event asks for, in the order in which they are to be made.
/// The first of the pair, a, is the one added earlier.
enum {
  CL_CALL_LEAVE_A = 32,
  CL_CALL_LEAVE_B = 16,
  CL_CALL_ENTER_A = 8,
  CL_CALL_ENTER_B = 4,
  CL_CALL_HIT_A = 2,
  CL_CALL_HIT_B = 1,
};

/// A pair of actors and what to tell them. (nx, ny) is the unit vector along
/// which `a` gets free by `depth` world units; it and depth are 0 in a leave.
typedef struct cl_event {
  double nx, ny, depth;
  uint32_t a, b; // slots
  uint32_t calls;
} cl_event;

/// A host says how far it has got with the events by the number of the last
/// call that it began, counted from 1: event e (from 0) has the numbers from
/// e * CL_CALL_NUMBERS + 1 on, leave a, leave b or else enter a, enter b, hit a,
/// hit b, whether they are asked for or not. 0: none yet.
enum { CL_CALL_NUMBERS = 4 };

/// All calls of all events have been made.
#define CL_ALL_TOLD 9007199254740992.0 // 2^53

/// In cl_io.calls and cl_io.ended_calls: the bits of CL_CALL_, the others being the core's own.
enum { CL_CALLS = 63 };

/// The arrays through which a host and a world speak. All belong to the world
/// and may move whenever an actor is added or the world is stepped; this
/// struct, which belongs to the host, always holds where they are.
typedef struct cl_io {
  // By slot; places in world units and radians. What the host writes for every
  // actor that is live and not static before each cl_world_step. `angle` is NULL as long
  // as nobody has an angle: see cl_world_use_angles.
  cl_vec *place;
  double *angle;
  const uint8_t *state;
  uint32_t slots; // how many have been given, dead ones included

  // What the last step has to tell, in the order of telling: of the first `leaves` events
  // the numbers among the contacts that have ended, of the others those among the contacts.
  // cl_event_of puts one together.
  const uint32_t *event;
  uint32_t events, leaves;

  // The contacts, ascending, and those that have ended: pairs of slots, the first of which
  // gets free as `hit` says, and the calls.
  const cl_pair *contact, *ended;
  const cl_hit *hit;
  const uint8_t *calls, *ended_calls;
} cl_io;

/// Event number `e`, counted from 0.
static inline cl_event cl_event_of(const cl_io *io, uint32_t e) {
  uint32_t i = io->event[e];
  if (e < io->leaves) {
    cl_pair pair = io->ended[i];
    return (cl_event){0, 0, 0, pair.a, pair.b, io->ended_calls[i] & CL_CALLS};
  }
  cl_pair pair = io->contact[i];
  cl_hit hit = io->hit[i];
  return (cl_event){hit.nx, hit.ny, hit.depth, pair.a, pair.b, io->calls[i] & CL_CALLS};
}

typedef struct cl_world_def {
  cl_alloc alloc;
  double width, height; ///< hint for the broad phase; 0 when not known
  const cl_broad_class *broad;
  unsigned depth; ///< of a tree; 0 lets it follow the number of actors
  bool touching;  ///< whether sharing only a boundary is a hit
  bool listed;    ///< no two groups hit until cl_world_set_hits says so
} cl_world_def;

/// What an actor is made of. The world keeps a reference to the shape.
typedef struct cl_actor_def {
  cl_shape *shape;
  double x, y, angle;
  uint8_t group;
  bool fixed;  ///< static
  bool sensor; ///< stops no mover
} cl_actor_def;

/// Sizes of the last step.
typedef struct cl_counts {
  uint32_t actors;
  size_t candidates, hits;
  const char *broad; ///< name of the broad phase that was used
} cl_counts;

typedef struct cl_world cl_world;

/// A new world that keeps `io` up to date until it is freed. NULL when there is
/// no memory.
cl_world *cl_world_new(const cl_world_def *def, cl_io *io);
void cl_world_free(cl_world *world);

/// Where the next cl_world_add would need a larger array: closes the gaps that
/// removed actors have left, as a step does, when there are many. So a world that
/// is never stepped does not grow for ever. Returns whether slots have moved, also
/// those in cl_io.event: cl_world_moved says how.
bool cl_world_reclaim(cl_world *world);

/// Makes cl_io.angle, all 0 at first. Adding an actor that has an angle does it, too.
cl_status cl_world_use_angles(cl_world *world);

/// Adds an actor and writes its slot to `slot`.
cl_status cl_world_add(cl_world *world, const cl_actor_def *def, uint32_t *slot);

/// Gives a live actor a new shape, place, group. A jump: its place before this
/// step's is forgotten. An angle other than 0 needs cl_world_use_angles first.
void cl_world_refresh(cl_world *world, uint32_t slot, const cl_actor_def *def);

/// Removes a live actor. `told` is as in cl_world_step: how far the host has
/// got in telling the last step's events. Returns whether the actor may yet
/// have to be told that a contact has ended: then its slot is live in events
/// of the next step, though not in cl_io.state.
bool cl_world_remove(cl_world *world, uint32_t slot, double told);

/// Which methods a live actor has: CL_HEARS_ bits, of those in `mask`.
void cl_world_set_event_mask(cl_world *world, uint32_t slot, uint8_t mask, uint8_t events);

/// The slot of the first live actor at or after `from` whose event mask has any of
/// `events`, or the number of slots.
uint32_t cl_world_next_with_event(const cl_world *world, uint32_t from, uint8_t events);

/// The slot of the first live actor at or after `from` for which the host has
/// not set the event mask as far as `mask` goes since it was added or refreshed, or the
/// number of slots.
uint32_t cl_world_next_unread(const cl_world *world, uint32_t from, uint8_t mask);

/// Whether actors of two groups hit each other. A group of CL_MAX_GROUPS means
/// all of them, those not yet in use included.
void cl_world_set_hits(cl_world *world, unsigned a, unsigned b, bool hit);
bool cl_world_can_hit(const cl_world *world, unsigned a, unsigned b);
uint8_t cl_world_group(const cl_world *world, uint32_t slot);

/// The groups that `group` hits: bit g for group g.
uint64_t cl_world_groups_hit(const cl_world *world, unsigned group);

/// Whether a slot's actor is in the world, not removed; how many slots there are.
bool cl_world_has(const cl_world *world, uint32_t slot);
uint32_t cl_world_slots(const cl_world *world);

/// Makes the places in cl_io the present ones, finds all hits, and fills in
/// cl_io.event. `told` says how far the host got with the last step's events;
/// what it did not get to is told again. On CL_NOMEM the step has not begun.
cl_status cl_world_step(cl_world *world, double told);

/// A step in two halves, so that what flies among the actors can be stepped with them. The
/// first finds what the second, which cannot fail, makes so; between the two nothing of the
/// world may change. On CL_NOMEM the step has not begun, and it may be begun again instead
/// of being ended.
cl_status cl_world_begin_step(cl_world *world, double told);
void cl_world_end_step(cl_world *world);

/// What the last step, or reclaiming since, did to the slots: NULL when they are as they were,
/// otherwise an array with the new slot of each of `count` old ones, never
/// above the old one, or CL_NOWHERE.
const int32_t *cl_world_moved(const cl_world *world, uint32_t *count);

/// Removed actors that nothing refers to any more since the last step, by the
/// slots they have after it: the host can let go of them.
const uint32_t *cl_world_released(const cl_world *world, uint32_t *count);

cl_counts cl_world_counts(const cl_world *world);

/// Counts adding, removing, refreshing, stepping and asking: as long as it has not
/// risen, lists that the world has answered with are as they were.
uint64_t cl_world_changes(const cl_world *world);

/// The k-th hit of the last step, ascending by (first, second): slots and the
/// way the first gets free. False when one of the two has been removed since.
bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit);

/// The same for one actor's hits, in the order of the others; `*count` is how
/// many there are. On CL_NOMEM it is not written.
cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count);
size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k);

/// The broad phase's pairs of the last step, ascending, as slots; but for those of
/// which a slot has been reclaimed since.
void cl_world_candidates(const cl_world *world, const cl_pair **pairs, size_t *count);

/// The broad phase's cells, as cl_broad_class.cells.
size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t cap);

/// A number made from the places (-0 as 0) of all actors and from the hits of
/// the last step, to the bit: see base/hash.h. The other is the same without the end, for
/// whoever has more to add.
uint64_t cl_world_hash(cl_world *world);
uint64_t cl_world_hash_begin(cl_world *world);

/// Whether everything is in order: slots, marks and counts agree, proxies are where their
/// actors are, contacts ascend. Looks at all there is; checked builds assert it after each
/// step. Not between the halves of a step.
bool cl_world_is_valid(const cl_world *world);

#endif
