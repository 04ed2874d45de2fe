// collide, MIT licence (see LICENSE)
//
// What a world is made of; private to this layer. Layer: world.

#ifndef CL_WORLD_STATE_H
#define CL_WORLD_STATE_H

#include "base/sort.h"
#include "query/bvh.h"
#include "query/ray_grid.h"
#include "world/bullets_state.h"
#include "narrow/axes.h"
#include "world/queries.h"
#include "world/world.h"

/// What can be told of an actor without a look at its shape: an upright rectangle, a
/// circle, what cl_has_corners, of these few or more, anything else.
enum { CL_FORM_BOX, CL_FORM_CIRCLE, CL_FORM_FEW, CL_FORM_CORNERS, CL_FORM_OTHER, CL_FORMS };

/// Shapes that are placed alike, known by a number. Where `rotates` does not say that the
/// angle has a part in it, a box or circle at (x, y) has its middle at (x, y) + o, and from
/// there its bounds: to the bit as the narrow phase has them. `uses` counts the actors.
typedef struct cl_kind {
  double o[2], lt[2], rb[2];
  uint32_t uses, next;
  uint8_t form;
  bool rotates;
} cl_kind;

/// All kinds. Number 0 is for shapes that are looked at each time, and always there once
/// there is an actor. Those of no use are in a list, linked by `next` as those of a bucket.
typedef struct cl_kinds {
  cl_kind *at;
  uint32_t *bucket;
  size_t cap, bucket_cap;
  uint32_t count, buckets, spare;
  uint32_t form[CL_FORMS]; ///< how many actors are of which
} cl_kinds;

cl_status cl_kinds_open(cl_kinds *kinds, const cl_alloc *alloc);
void cl_kinds_free(cl_kinds *kinds, const cl_alloc *alloc);
/// The kind of a shape, for one more actor; 0 where there is no memory for a new one.
uint32_t cl_kinds_take(cl_kinds *kinds, const cl_alloc *alloc, const cl_shape *shape);
void cl_kinds_drop(cl_kinds *kinds, uint32_t kind);

/// The arrays by slot. One list, so that growing, moving and freeing them
/// forgets none:
/// place is the present one; next is what the host writes, which a step makes the
/// present one (so that between steps it holds the place before, but for statics,
/// where both are the same). Of an actor that was removed since the last step, place.x is
/// how far the telling was, as cl_told_progress has it. form is that of the kind, or of the
/// shape as it was last rotated. unread has the CL_EVENT_ bits that the host has yet to
/// give. named: see cl_contacts_name. kept: removed, and the host was told to keep the actor
/// for its contacts. rank is the hash's own. dirty: the proxy is not where the actor is as
/// it stands now.
#define CL_ACTOR_FIELDS(FIELD)                                                                     \
  FIELD(cl_vec, place)                                                                             \
  FIELD(cl_vec, next)                                                                              \
  FIELD(cl_shape *, shape)                                                                         \
  FIELD(uint32_t, kind)                                                                            \
  FIELD(uint32_t, rank)                                                                            \
  FIELD(uint8_t, state)                                                                            \
  FIELD(uint8_t, form)                                                                             \
  FIELD(uint8_t, group)                                                                            \
  FIELD(uint8_t, event_mask)                                                                       \
  FIELD(uint8_t, unread)                                                                           \
  FIELD(uint8_t, named)                                                                            \
  FIELD(uint8_t, kept)                                                                             \
  FIELD(uint8_t, dirty)

/// The same for worlds in which somebody has an angle, else NULL: angles as places are, and the
/// rotation by `rot_angle`, kept because it is expensive to compute and most angles stay.
#define CL_ROTATION_FIELDS(FIELD)                                                                  \
  FIELD(double, angle)                                                                             \
  FIELD(double, next_angle)                                                                        \
  FIELD(double, rot_angle)                                                                         \
  FIELD(cl_rot, rot)

/// `dirty_slots` lists all slots whose `dirty` is set, in no order, as far as there is room:
/// that is for more than a query puts up with.
typedef struct cl_actors {
  uint32_t count; ///< slots given, dead ones included
  uint32_t live;
  uint32_t unread_events, unread_updates; ///< actors with those bits unread
  uint32_t dirty_count, dirty_cap;
  uint32_t *dirty_slots;
  uint64_t order, static_version; ///< as cl_broad_input has them, never 0
  size_t cap;
  void *block; ///< one allocation for all arrays
  cl_kinds kinds;
#define CL_DECLARE(type, name) type *name;
  CL_ACTOR_FIELDS(CL_DECLARE)
  CL_ROTATION_FIELDS(CL_DECLARE)
#undef CL_DECLARE
} cl_actors;

/// Strays that a query puts up with, and so many more for each actor.
enum { CL_FEW_DIRTY = 16, CL_ACTORS_PER_DIRTY = 16 };

/// Bits beside CL_CALLS: who of a pair has been told that they met, before the calls of this
/// step. Of a contact that has ended: who is yet to be told that it has.
enum { CL_TOLD_A = 128, CL_TOLD_B = 64, CL_TOLD = CL_TOLD_A | CL_TOLD_B };

/// Pairs of slots, ascending, and bits that go with them.
typedef struct cl_links {
  cl_pair *pair;
  uint8_t *bits;
  size_t count, pair_cap, bits_cap;
} cl_links;

/// What two actors know of each other: the contacts of the last step, with their hits, and
/// those that have ended but not for everybody; then what of it is to be told. See told.c.
typedef struct cl_contacts {
  cl_links now, ended;
  cl_links spare; ///< memory for what is open after a telling that was cut short
  cl_hit *hit;    ///< of `now`
  size_t hit_cap;
  uint32_t *event; ///< as in cl_io
  size_t event_cap;
  bool cut;           ///< an actor was removed before all had been told
  bool leaves_wanted; ///< some actor has, or has had, `leave`
} cl_contacts;

/// How many blocks of either size are in use.
typedef struct cl_used {
  uint32_t few, corners;
} cl_used;

/// The live actors without gaps: at their next places while a step is made, at
/// their present ones after it. Actors that were added, refreshed or removed
/// since then make it stale only where `dirty` or `state` say so. `few` and `corners` are
/// blocks of corners.h, one after the other, of those forms, and `corner`, by slot, says
/// which block of its form.
/// `order` and `static_version` are those of the actors when all were placed last, or 0; as long
/// as they are the same, what is static stays as it is. Where anybody is static, `listed`
/// has the numbers of the `movers` that are not, and after them, last first, those that are.
typedef struct cl_proxies {
  bool current;        ///< at the present places
  bool bvh_made;       ///< `bvh` holds the boxes
  bool ray_grid_tried; ///< `ray_grid` has been tried on them
  uint32_t count;
  uint32_t *slot;
  uint8_t *fixed;
  cl_fbox *box;
  uint32_t *corner;
  double *few, *corners;
  uint64_t order, static_version;
  uint32_t *listed;
  uint32_t movers;
  cl_used fixed_used; ///< how many blocks are static
  size_t slot_cap, fixed_cap, box_cap, corner_cap;
  size_t few_cap, corners_cap, listed_cap;
} cl_proxies;

struct cl_world {
  cl_alloc alloc;
  cl_io *io;
  bool touching;
  uint64_t changes; ///< see cl_world_changes
  cl_actors actors;
  uint64_t hits_with[CL_MAX_GROUPS]; ///< bit h of entry g: groups g and h hit
  cl_broad *broad;

  cl_proxies proxies;
  cl_bvh bvh;
  cl_ray_grid ray_grid;

  // Of the step being made: the broad phase's pairs, numbers of proxies, either first.
  cl_pairs found;
  uint32_t *first; ///< where each one's pairs begin while they are sorted
  size_t first_cap;
  bool long_runs; ///< some have many pairs

  // Of the last step: what could hit, as slots, ascending.
  cl_pairs candidates;
  cl_contacts contacts;
  int32_t *moved;
  size_t moved_cap;
  uint32_t moved_count; ///< 0: none
  uint32_t *released;
  size_t released_cap;
  uint32_t released_count;

  // Of the last query: what the tree gave, and the answer.
  cl_found touched;
  cl_answer *answer;
  size_t answer_cap;

  cl_pools pools; ///< of bullets

  // Made when first asked for, in step number such: the contacts by their second actor,
  // and actors.named.
  uint32_t *by_second, *second_start;
  size_t by_second_cap, second_start_cap;
  uint64_t steps, by_second_of, named_of;
};

/// Room for `count` slots. On CL_NOMEM nothing has changed.
cl_status cl_actors_reserve(cl_world *world, size_t count);
void cl_actors_free(cl_world *world);

/// Moves live actors down over dead ones whom nobody is yet to be told of, when
/// enough have gathered, and renames slots everywhere. Cannot fail: memory was
/// reserved by cl_actors_reserve_moving.
cl_status cl_actors_reserve_moving(cl_world *world);
void cl_actors_close_gaps(cl_world *world);

/// Sets `named` of the slots that the last step's contacts name, ended ones included,
/// unless that has been done since: few steps are asked.
void cl_contacts_name(cl_world *world);

/// Keeps cl_io's pointers right.
void cl_world_show(cl_world *world);

void cl_proxies_free(cl_world *world);
void cl_contacts_free(cl_world *world);

/// Places all live actors, at their present or at their next places.
cl_status cl_proxies_place_present(cl_world *world);
cl_status cl_proxies_place_next(cl_world *world);

/// What the broad phase is to compare.
cl_broad_input cl_proxies_input(const cl_world *world);

/// The proxies are at the present places, and everybody has one.
void cl_proxies_set_current(cl_world *world);

/// One live actor at its present place.
cl_placed cl_actor_place(cl_world *world, uint32_t slot);

/// Whether an actor's angle has a part in where it is.
static inline bool cl_actor_is_rotated(const cl_actors *actors, const double *angle,
                                       uint32_t slot) {
  return angle && angle[slot] != 0 && actors->kinds.at[actors->kind[slot]].rotates;
}

/// An actor of which the rotation by its present or next angle is known.
static inline cl_placed cl_actor_placed(const cl_actors *actors, uint32_t slot, bool present) {
  cl_vec at = present ? actors->place[slot] : actors->next[slot];
  const double *angle = present ? actors->angle : actors->next_angle;
  bool rotated = cl_actor_is_rotated(actors, angle, slot);
  return (cl_placed){actors->shape[slot], at.x, at.y, rotated ? actors->rot[slot] : (cl_rot){1, 0}};
}

/// The actor of a proxy, where that is. It may neither be gone nor dirty.
static inline cl_placed cl_proxy_placed(const cl_world *world, uint32_t number) {
  return cl_actor_placed(&world->actors, world->proxies.slot[number], world->proxies.current);
}

/// A pair as a number, by which pairs are in order, and back.
static inline uint64_t cl_pair_key(cl_pair pair) {
#if CL_LITTLE_ENDIAN // one load and a rotation, where else there would be two loads
  uint64_t word;
  memcpy(&word, &pair, sizeof word);
  return word << 32 | word >> 32;
#else
  return (uint64_t)pair.a << 32 | pair.b;
#endif
}

static inline cl_pair cl_pair_of(uint64_t key) {
#if CL_LITTLE_ENDIAN
  cl_pair pair;
  key = key << 32 | key >> 32;
  memcpy(&pair, &key, sizeof pair);
  return pair;
#else
  return (cl_pair){(uint32_t)(key >> 32), (uint32_t)key};
#endif
}

/// Finds what could hit at the next places. After that, and once its memory is reserved,
/// cl_pairs_sort cannot fail: it makes `candidates` of what was found.
cl_status cl_pairs_find(cl_world *world);
cl_status cl_pairs_reserve(cl_world *world);
void cl_pairs_sort(cl_world *world);

/// Tests the candidates and makes contacts of those that hit, in their order: into the pairs
/// of `to`, which has room, and `contacts.hit`.
void cl_contacts_make(cl_world *world, cl_links *to);

/// The told-state across a step, see told.c. After the reservation neither of the other two
/// fails; between them slots may be moved.
cl_status cl_told_reserve(cl_world *world, double told);
double cl_told_progress(const cl_world *world, double told);
void cl_told_advance(cl_world *world, double told);
void cl_told_list(cl_world *world);

#endif
