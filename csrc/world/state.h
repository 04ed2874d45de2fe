// collide, MIT licence (see LICENSE)
//
// A world: its data, and what the files of this layer share. Layer: world.
//
// An actor has a slot, its index in all arrays; slots ascend in the order of adding. A step takes
// the actors to their next places (actors.c, edit.c), places their boxes, the proxies (trees.c),
// finds the pairs of these that overlap, as candidates (step.c), tests those for contacts
// (contacts.c), and compares these with the last step's, which gives the events (events.c). Between
// steps queries (queries.c) and moves (move*.c) see the world through trees of the proxies. save.c
// takes and restores snapshots.

#ifndef CL_WORLD_STATE_H
#define CL_WORLD_STATE_H

#include "base/record.h"
#include "broad/broad.h"
#include "cells/grid.h"
#include "geom/box.h"
#include "geom/shape.h"
#include "query/bvh.h"

// ---- kinds of shapes ------------------------------------------------------------------------

/// The form of an actor, known without reading its shape: an upright rectangle, a circle, a shape
/// with a block (cl_has_block) of few or many vertices, or anything else.
enum { CL_FORM_BOX, CL_FORM_CIRCLE, CL_FORM_FEW, CL_FORM_MANY, CL_FORM_OTHER, CL_FORMS };

/// Shapes that are placed alike share a number. If `bounded`, a shape at (x, y) has its centre at
/// (x, y) + o, and its bounds follow from there, with the same bits as in the narrow phase, unless
/// it has an angle and `rotates`: the angle affects the area covered. `block` is the shape's vertex
/// block, if it has one: each such shape is a kind of its own.
typedef struct cl_kind {
  double o[2], lt[2], rb[2];
  const double *block;
  uint8_t form;
  bool rotates, bounded;
} cl_kind;

/// The table's data of a kind: how many actors are of this kind, and the next kind in its list.
typedef struct cl_kind_link {
  uint32_t uses, next;
} cl_kind_link;

/// The kinds for any shape: such shapes are read each time, because there was no memory for a kind
/// of their own. They exist once there is an actor.
enum { CL_KIND_ANY, CL_KIND_ANY_UPRIGHT, CL_KINDS_ANY };

/// All kinds. Unused ones are in a list, linked like a bucket.
typedef struct cl_kinds {
  cl_kind *at;
  cl_kind_link *link;
  uint32_t *bucket;
  size_t cap, link_cap, bucket_cap;
  uint32_t count, buckets, spare;
  uint32_t form[CL_FORMS]; ///< how many actors have each form
  uint32_t bounded;        ///< how many are of bounded kinds
} cl_kinds;

// ---- actors ---------------------------------------------------------------------------------

/// The arrays by slot, in one list, so that the code to grow, move and free them covers all. Some
/// are NULL until they are needed: CL_WITH_ bits.
/// place: the present place. For a removed actor, place.x and next.x are the progress of the
/// dispatch in which it was removed, see cl_dispatch_progress.
/// next: written by the host; a step makes it the present place. Between steps it is the place
/// before the last step; for statics both are the same.
/// aim: of CL_AIMED, where it looks, as given.
/// form: that of the kind, or of the shape as it was last rotated.
/// unread: the CL_EVENT_ bits that the host has not set yet.
/// named: see cl_contacts_name. kept: the actor was removed, but the host keeps it for its
/// contacts. rank: scratch of the hash. dirty: CL_DIRTY_ bits, if the proxy differs from the actor
/// as it is now. dirty_slots is a list of those that have CL_DIRTY_CHANGED, in no order;
/// moved_slots of those that have CL_DIRTY_MOVED. ignoring: how many pairs of cl_world.ignored it
/// is in. angle, next_angle: like the places, for worlds in which some actor has an angle. rot is
/// the rotation by rot_angle, kept because it is expensive to compute and most angles stay the
/// same. from, from_angle: for worlds in which some actor has been moved, the place from which a
/// move between two steps took the actor. moved_after is 1 + the number of steps before that
/// interval; 0: not moved, or it has jumped since.
#define CL_ACTOR_FIELDS(FIELD)                                                                     \
  FIELD(cl_vec, place, 0)                                                                          \
  FIELD(cl_vec, next, 0)                                                                           \
  FIELD(cl_vec, aim, 0)                                                                            \
  FIELD(cl_shape *, shape, 0)                                                                      \
  FIELD(uint32_t, kind, 0)                                                                         \
  FIELD(uint32_t, rank, 0)                                                                         \
  FIELD(uint8_t, state, 0)                                                                         \
  FIELD(uint8_t, form, 0)                                                                          \
  FIELD(uint8_t, group, 0)                                                                         \
  FIELD(uint8_t, event_mask, 0)                                                                    \
  FIELD(uint8_t, unread, 0)                                                                        \
  FIELD(uint8_t, named, 0)                                                                         \
  FIELD(uint8_t, kept, 0)                                                                          \
  FIELD(uint8_t, dirty, 0)                                                                         \
  FIELD(uint32_t, dirty_slots, 0)                                                                  \
  FIELD(uint32_t, ignoring, 0)                                                                     \
  FIELD(double, angle, CL_WITH_ANGLES)                                                             \
  FIELD(double, next_angle, CL_WITH_ANGLES)                                                        \
  FIELD(double, rot_angle, CL_WITH_ANGLES)                                                         \
  FIELD(cl_rot, rot, CL_WITH_ANGLES)                                                               \
  FIELD(cl_vec, from, CL_WITH_MOVES)                                                               \
  FIELD(double, from_angle, CL_WITH_MOVES)                                                         \
  FIELD(uint32_t, moved_after, CL_WITH_MOVES)                                                      \
  FIELD(uint32_t, moved_slots, CL_WITH_MOVES)

enum { CL_WITH_ANGLES = 1, CL_WITH_MOVES = 2 };

/// What is out of date in a proxy: everything, or only the place.
enum { CL_DIRTY_CHANGED = 1, CL_DIRTY_MOVED = 2 };

typedef struct cl_actors {
  uint32_t count;                         ///< slots in use, dead ones included
  uint32_t live, swept, maps;             ///< live ones; of these swept, and CL_MAP
  uint32_t unread_events, unread_updates; ///< actors with those bits unread
  uint32_t dirty_count, moved_count;
  uint64_t order, static_version; ///< as in cl_broad_input, never 0
  uint64_t edits;                 ///< counts changes to the data in a roster
  size_t cap;
  void *block; ///< one allocation for all arrays
  cl_kinds kinds;
#define CL_DECLARE(type, name, with) type *name;
  CL_ACTOR_FIELDS(CL_DECLARE)
#undef CL_DECLARE
} cl_actors;

/// Where an actor of a state looks, by its own frame; 0, 0 if it is not one-way.
static inline cl_vec cl_one_way_of(uint8_t state, cl_vec aim) {
  if (!(state & CL_AIMED)) aim = (cl_vec){0, state & CL_ONE_WAY ? -1 : 0};
  return aim;
}

/// How many dirty proxies a query accepts: so many, and one more for each so many actors.
enum { CL_FEW_DIRTY = 16, CL_ACTORS_PER_DIRTY = 16 };

/// Releases all shapes, and frees the arrays.
void cl_actors_free(cl_actors *actors, const cl_alloc *alloc);

/// Room for `count` slots, and the optional arrays `with`, which stay. On CL_NOMEM nothing has
/// changed, except that arrays may have moved.
cl_status cl_actors_reserve(cl_world *world, size_t count, unsigned with);

/// Makes an empty slot, of no actor. Room for it was reserved.
void cl_actors_begin_slot(cl_actors *actors, uint32_t slot);

/// Gives a slot a shape, by a reference of its own, or NULL. Without memory for its kind it gets
/// one of those for any shape.
void cl_actors_set_shape(cl_actors *actors, const cl_alloc *alloc, uint32_t slot, cl_shape *shape);

/// Whether a move has taken an actor from `from` in the interval after `steps` steps.
static inline bool cl_actor_was_moved(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  return actors->moved_after && actors->moved_after[slot] == (uint32_t)steps + 1;
}

/// Where an actor's way begins, in the interval after `steps` steps; it ends at `next`.
static inline cl_vec cl_actor_way_from(const cl_actors *actors, uint32_t slot, uint64_t steps) {
  bool moved = cl_actor_was_moved(actors, slot, steps);
  return moved ? actors->from[slot] : actors->place[slot];
}

/// Sets the state of an actor and which of its events are unread, and keeps the counts of both.
void cl_actors_set_state(cl_actors *actors, uint32_t slot, uint8_t state, uint8_t unread);

/// One live actor at its present place.
cl_placed cl_actor_place(cl_actors *actors, uint32_t slot);

/// Whether an actor's angle affects the area that it covers.
static inline bool cl_actor_is_rotated(const cl_actors *actors, const double *angle,
                                       uint32_t slot) {
  return angle && angle[slot] != 0 && actors->kinds.at[actors->kind[slot]].rotates;
}

/// An actor for which the rotation by its present or next angle is known.
static inline cl_placed cl_actor_placed(const cl_actors *actors, uint32_t slot, bool present) {
  cl_vec at = present ? actors->place[slot] : actors->next[slot];
  const double *angle = present ? actors->angle : actors->next_angle;
  bool rotated = cl_actor_is_rotated(actors, angle, slot);
  return (cl_placed){actors->shape[slot], at.x, at.y, rotated ? actors->rot[slot] : (cl_rot){1, 0}};
}

/// The direction, a unit vector, in which a one-way actor looks that is placed somewhere.
cl_vec cl_actor_looks(const cl_actors *actors, uint32_t slot, const cl_placed *placed);

// ---- who ignores whom -----------------------------------------------------------------------

/// Pairs of live actors, of which the first names the second: none twice, in the order of the one
/// added later, then of the other. So those of an actor that has just been added come last.
/// Whether they are so, of `slots` slots.
bool cl_are_ignored_valid(const cl_pairs *ignored, uint32_t slots);

/// Drops the world's pairs whose first is in a list of slots, which ascend; with `both`, also those
/// whose second is.
void cl_ignored_drop(cl_world *world, const uint32_t *slot, size_t count, bool both);

/// Adds pairs, in any order, and puts them in another. There is room for them.
void cl_ignored_add(cl_world *world, cl_pair *pair, size_t count);

/// Counts again how many pairs each actor is in.
void cl_ignored_count(cl_world *world);

// ---- rosters --------------------------------------------------------------------------------

/// The data of a slot, as in cl_actors.
typedef struct cl_roster_entry {
  cl_vec aim;
  uint8_t state, group, event_mask, unread, kept;
} cl_roster_entry;

/// `shape` has a reference to the shape of each live actor, and NULL for a dead slot, or for one
/// whose shape is not known yet. `grid` has the grids of the tiles among the shapes, each once, in
/// the order of slots; the shapes keep them alive. `ignored` is that of the world. Shared by
/// counting references.
typedef struct cl_roster {
  cl_alloc alloc;
  uint32_t references;
  uint32_t count, live; ///< slots; live ones among them
  cl_shape **shape;
  cl_roster_entry *entry;
  cl_grid **grid;
  uint32_t grids;
  cl_pairs ignored;
  size_t shape_cap, entry_cap, grid_cap;
} cl_roster;

/// Replaces `*roster`, a reference or NULL, by a reference to the roster of the world as it is. A
/// roster that nothing else refers to is refilled. CL_NOMEM: `*roster` is unchanged.
cl_status cl_roster_update(cl_world *world, cl_roster **roster);

/// An empty roster with one reference and room for `slots` slots; NULL when out of memory.
cl_roster *cl_roster_new(const cl_alloc *alloc, uint32_t slots);
/// Gives a roster without shapes its shapes: by slot, NULL for dead ones. It takes references. On
/// CL_NOMEM it has none.
cl_status cl_roster_set_shapes(cl_roster *roster, cl_shape *const *shape);
void cl_roster_drop_shapes(cl_roster *roster);

/// The first slot whose tiles show a grid, which must be one of the roster's.
uint32_t cl_roster_slot_of(const cl_roster *roster, const cl_grid *grid);
cl_roster *cl_roster_retain(cl_roster *roster);
void cl_roster_release(cl_roster *roster);

// ---- proxies --------------------------------------------------------------------------------

/// Decides whether to build a structure that makes queries faster. `looks`: how many boxes queries
/// would have looked at without it, since it was last out of date. `many`: it pays; `before`: it
/// did the last time.
typedef struct cl_demand {
  uint64_t looks;
  bool many, before;
} cl_demand;

/// One tree has the static actors, and stays while they do not change; the other has those that
/// move. `made`: the tree exists; otherwise queries look at all boxes. `groups`: a bit for each
/// group with an actor in the tree.
typedef struct cl_proxy_tree {
  cl_bvh bvh;
  uint64_t groups;
  cl_demand demand;
  bool made;
} cl_proxy_tree;

enum { CL_STATICS, CL_MOVERS, CL_TREES };

enum { CL_BLOCK_HEAD = 2 };
#define CL_NO_BLOCK UINT32_MAX

/// An actor's angle when its block was made, and the bounds of that, relative to its place.
typedef struct cl_turned {
  cl_bounds bounds;
  double angle;
} cl_turned;

/// The proxies of the live actors, without gaps: at their next places during a step, at their
/// present ones after it. If an actor is added, refreshed or removed later, only its proxy is out
/// of date, as `dirty` or `state` say. `turned` has the vertex blocks of turned shapes, one after
/// another, each after CL_BLOCK_HEAD doubles, the first of which is its reach. `block`, by slot, is
/// where the block begins, or CL_NO_BLOCK if the angle does not affect the area covered; `by`, by
/// slot, is what it was made for. As long as only places and angles change (`turned_known`), an
/// actor keeps its block. `order` and `static_version` are those of the actors when all
/// were placed last, or 0; as long as they are the same, the static part stays as it is. If any
/// actor is static, `listed` has the numbers of the `movers` that are not, followed by the static
/// ones in reverse. `way` is set while some actor is swept: boxes that contain `box` on the whole
/// way of a step. `with_ways`: it was set when the statics were placed; `static_ways`: one of these
/// had a way. `is_fine`: for `fine_for` more steps, trees also have the boxes in doubles, because
/// some are very small for their places. Once a query uses the tree of movers, boxes follow actors
/// that are moved between two steps: `moves` times since it was made. `lane` has the positions of
/// all in their trees.
typedef struct cl_proxies {
  bool current;         ///< at the present places
  bool ray_grid_tried;  ///< `ray_grid` has been tried on all boxes
  bool ray_grid_passed; ///< and some boxes have changed since
  bool with_ways, static_ways;
  bool is_fine;
  uint32_t fine_for;
  uint32_t count;
  uint32_t *slot;
  uint8_t *fixed;
  cl_fbox *box, *way;
  uint32_t *block;
  cl_turned *by;
  double *turned;
  uint64_t order, static_version;
  uint32_t *listed;
  uint32_t movers;
  size_t fixed_used, turned_used; ///< the length of the static blocks, and of all
  bool turned_known;
  size_t slot_cap, fixed_cap, box_cap, way_cap, block_cap, by_cap;
  size_t turned_cap, listed_cap;
  cl_proxy_tree tree[CL_TREES];
  bool groups_known;
  uint64_t edits; ///< the actors.edits when all were placed last
  uint32_t *lane, moves;
  size_t lane_cap;
  cl_ray_grid ray_grid;
  cl_demand ray_demand;
} cl_proxies;

// ---- contacts -------------------------------------------------------------------------------

/// Converts a pair to a number, whose order is that of pairs, and back.
static inline uint64_t cl_pair_key(cl_pair pair) {
#if CL_LITTLE_ENDIAN // one load and a rotation instead of two loads
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

/// Bits beside CL_CALLS: which actors of a pair got `enter` before the calls of this step. For an
/// ended contact: which have yet to get `leave`.
enum { CL_NOTIFIED_A = 128, CL_NOTIFIED_B = 64, CL_NOTIFIED = CL_NOTIFIED_A | CL_NOTIFIED_B };

/// Pairs of slots, ascending, with bits for each.
typedef struct cl_links {
  cl_pair *pair;
  uint8_t *bits;
  size_t count, pair_cap, bits_cap;
} cl_links;

/// The contacts of the last step with their hits, and the ended contacts for which some actor has
/// yet to get `leave`; then which of them are events. As long as no actor asks for enter or leave,
/// `ended` may have all contacts of the previous step, and the CL_NOTIFIED bits of `now` are not
/// set: cl_contact_list_compare corrects both. See events.c.
typedef struct cl_contact_list {
  cl_links now, ended;
  cl_links spare; ///< memory for the open contacts after a dispatch that was cut short
  cl_hit *hit;    ///< of `now`
  size_t hit_cap;
  double *time; ///< of `now`, if `any_time`: as in cl_io
  size_t time_cap;
  uint32_t *event; ///< as in cl_io
  size_t event_cap;
  uint8_t *muted; ///< of `now`, if `any_muted`: CL_NOTIFIED_ bits of the actors that get no event
  size_t muted_cap;
  bool any_muted, any_time;
  uint32_t events, leaves; ///< as in cl_io
  bool cut;                ///< an actor was removed before the dispatch was over
  bool leaves_wanted;      ///< some actor asks, or has asked, for `leave`
  bool enters_wanted;      ///< the same for `enter`
  bool uncompared;         ///< `ended` and `now` are not up to date yet, see above
} cl_contact_list;

/// Brings `ended` and the CL_NOTIFIED bits of `now` up to date: which contacts began and which
/// ended.
void cl_contact_list_compare(cl_contact_list *contacts);

/// Whether the slots of pairs are below `slots` and in order, and the pairs ascend.
bool cl_are_pairs_valid(const cl_pair *pair, size_t count, uint32_t slots);

/// Whether pairs and events ascend, and all numbers are possible with this many slots.
bool cl_contact_list_is_valid(const cl_contact_list *contacts, uint32_t slots);

void cl_contact_list_free(cl_contact_list *contacts, const cl_alloc *alloc);
/// How many bytes its arrays take.
size_t cl_contact_list_bytes(const cl_contact_list *contacts);

/// Makes room in one list for a copy of another, and copies it; if the dispatch is `over`, without
/// the data about it.
cl_status cl_contact_list_reserve(const cl_alloc *alloc, cl_contact_list *to,
                                  const cl_contact_list *from, bool over);
void cl_contact_list_copy(cl_contact_list *to, const cl_contact_list *from, bool over);

/// Packs or reads a list, and also `dispatched` unless the dispatch is over. The caller validates a
/// list that was read.
void cl_contact_list_archive(cl_archive *a, cl_contact_list *contacts, bool over,
                             double *dispatched);

/// Whether hit `i` differs in two lists.
bool cl_contact_list_differ(const cl_contact_list *a, const cl_contact_list *b, size_t i,
                            cl_difference *out);

/// An index of the contacts by their second actor; those with the same first actor are adjacent
/// anyway. Made when first needed; `step` is the number of the step that it belongs to, 0 for none.
typedef struct cl_hit_index {
  uint32_t *by_second, *second_start;
  size_t by_second_cap, second_start_cap;
  uint64_t step;
} cl_hit_index;

// ---- a world --------------------------------------------------------------------------------

/// `moved`: the new slot of each of `moved_count` old ones; the count is 0 if no slot has moved.
/// `released`: slots of removed actors that no event will name again.
typedef struct cl_moves {
  int32_t *moved;
  size_t moved_cap;
  uint32_t moved_count;
  uint32_t *released;
  size_t released_cap;
  uint32_t released_count;
} cl_moves;

/// The rules of groups. Bit h of entry g of `hits_with`: groups g and h hit; of `notifies`: if they
/// do, actors of g get events about those of h. `one_sided`: for some two groups that hit, one gets
/// no events.
typedef struct cl_rules {
  uint64_t hits_with[CL_MAX_GROUPS], notifies[CL_MAX_GROUPS];
  bool one_sided;
} cl_rules;

static inline void cl_rules_note_one_sided(cl_rules *rules) {
  rules->one_sided = false;
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    rules->one_sided |= (rules->hits_with[g] & ~rules->notifies[g]) != 0;
  }
}

/// Where an actor was in the last step.
typedef struct cl_hash_note {
  cl_vec at;
  double angle;
  uint32_t slot;
} cl_hash_note;

/// Data that the hash of the last step still needs: the places of actors that have been moved or
/// removed since. The step had the first `slots` slots. If an actor is noted twice, the first note
/// counts. `all`: there were so many notes that all actors were noted. `known`: the hash has been
/// computed, see cl_world_hash_begin. In both cases nothing more is noted.
typedef struct cl_hash_log {
  cl_hash_note *note;
  size_t note_cap;
  uint32_t count, slots;
  bool all, known;
  uint64_t hash;
} cl_hash_log;

struct cl_world {
  cl_alloc alloc;
  cl_io *io;
  bool touching;
  bool begun;        ///< a step has begun but not ended
  double dispatched; ///< of that step
  uint64_t changes;  ///< see cl_world_changes
  uint64_t steps;
  cl_rules rules;
  cl_broad *broad;
  cl_actors actors;
  cl_pairs ignored; ///< which actors name others to be ignored
  cl_proxies proxies;

  // For the step in progress: the broad phase's pairs of proxy numbers, in either order.
  cl_pairs found;
  cl_bounds *fine; ///< the boxes of the proxies in doubles, where floats are too coarse
  cl_fbox *near;   ///< and in floats, around the middle of all
  size_t fine_cap, near_cap;
  uint32_t *first; ///< where each one's pairs begin during sorting
  size_t first_cap;
  bool long_runs;                 ///< some proxies have many pairs
  struct cl_contact_batch *batch; ///< NULL until candidates of mixed forms are tested

  // For the last step: the pairs of slots that could hit, ascending.
  cl_pairs candidates;
  cl_contact_list contacts;
  cl_moves moves;
  cl_hit_index hit_index;
  cl_hash_log hash;
  uint64_t named_of; ///< the step that actors.named belongs to

  struct cl_roster *roster;     ///< the last one made, or NULL,
  uint64_t roster_of;           ///< and its actors.edits
  struct cl_movement *movement; ///< NULL while no actor has been moved; see move.h
  struct cl_movement *turning;  ///< the same for turns, during which others are moved

  // For the last query: the results of the tree, and the answer.
  cl_found touched;
  struct cl_answer *answer;
  size_t answer_cap;
};

/// As cl_world_ignores: the one test of whether two actors never meet, whatever their groups.
static inline bool cl_ignores(const cl_world *world, uint32_t a, uint32_t b) {
  return world->actors.ignoring[a] > 0 && cl_world_ignores(world, a, b);
}

/// The roster of the world as it is, if there is one already; NULL otherwise.
static inline cl_roster *cl_roster_current(const cl_world *world) {
  return world->roster_of == world->actors.edits ? world->roster : NULL;
}

/// Slots have changed: drops everything that refers to them and can be rebuilt.
void cl_world_forget_slots(cl_world *world);

/// Keeps cl_io's pointers up to date.
void cl_world_show(cl_world *world);

/// The actor of a proxy, at the proxy's place. It may not be removed or dirty.
static inline cl_placed cl_proxy_placed(const cl_world *world, uint32_t number) {
  return cl_actor_placed(&world->actors, world->proxies.slot[number], world->proxies.current);
}

/// The input of the broad phase.
cl_broad_input cl_proxies_input(const cl_world *world);

/// The box of a proxy in doubles, large enough for roundings.
cl_bounds cl_proxy_bounds(const cl_world *world, uint32_t number);

/// The proxies are at the present places, and every actor has one.
void cl_proxies_set_current(cl_world *world);

/// Grows the box of an actor that is at a place in this step to the box of its way; false if it has
/// no way.
bool cl_swept_way(const cl_world *world, uint32_t slot, cl_vec at, cl_bounds *box);

/// Places all live actors at their next places.
cl_status cl_proxies_place_next(cl_world *world);
void cl_proxies_free(cl_proxies *proxies, const cl_alloc *alloc);

/// Makes the proxies current enough for queries: apart from them, only the few actors in
/// `dirty_slots` have to be tested one by one.
cl_status cl_trees_begin(cl_world *world);

/// Makes the boxes of the given groups current, after cl_trees_begin, and builds trees of them if
/// that pays, or `anyway`.
cl_status cl_trees_make(cl_world *world, uint64_t groups, bool anyway);

/// Updates the proxies of actors that were moved, and their boxes in the tree.
void cl_trees_follow(cl_world *world);

/// Leaves the numbers of the proxies that touch a box in `touched`, unordered; proxies of other
/// groups may be missing.
cl_status cl_trees_query(cl_world *world, cl_bounds box, uint64_t groups);

/// As cl_bvh_walk, for the boxes of one tree, whether it exists or not.
cl_status cl_trees_walk(cl_world *world, int tree, const cl_way *way, double most,
                        cl_bvh_visit *visit, void *user);

/// Whether a ray grid pays, with one more ray.
bool cl_trees_want_ray_grid(cl_proxies *proxies);

/// Notes how many boxes found by a query are too coarse: if there are many, trees get doubles.
void cl_trees_note(cl_proxies *proxies, uint32_t coarse);

/// Whether a filter ignores an actor.
bool cl_is_ignored(cl_filter filter, uint32_t slot);

/// Whether a filter accepts an actor.
static inline bool cl_is_asked_for(const cl_world *world, uint32_t slot, cl_filter filter) {
  const cl_actors *actors = &world->actors;
  return actors->state[slot] & CL_LIVE && filter.groups >> actors->group[slot] & 1 &&
         !(filter.count > 0 && cl_is_ignored(filter, slot));
}

/// Leaves the slots of the actors whose bounds touch a box in `touched`, ascending.
cl_status cl_trees_near(cl_world *world, cl_bounds box, const cl_filter *filter);

/// Makes room for testing candidates of mixed forms, if there are any.
cl_status cl_contacts_reserve(cl_world *world);
void cl_contacts_free(cl_world *world);

/// Tests the candidates and makes contacts of those that hit, in their order: writes to the pairs
/// of `to`, which has room, and to `contacts.hit`.
void cl_contacts_make(cl_world *world, cl_links *to);

/// Carries over which events have been dispatched from step to step; see events.c. After the
/// reservation neither of the other two fails; slots may be moved between them.
cl_status cl_dispatch_reserve(cl_world *world, double dispatched);
double cl_dispatch_progress(const cl_world *world, double dispatched);
/// The usual case: the dispatch is over.
bool cl_dispatch_is_over(const cl_world *world, double dispatched);
void cl_dispatch_advance(cl_world *world, double dispatched);
void cl_dispatch_list(cl_world *world);

/// Sets `named` for the slots in the last step's contacts, ended ones included, unless that was
/// already done: few steps need it. cl_links_name sets it for those in a list.
void cl_contacts_name(cl_world *world);
void cl_links_name(const cl_links *links, uint8_t *named);

/// cl_actors_close_gaps moves live actors down over dead ones that no event will name again, if
/// there are enough of these, and renumbers slots everywhere. It cannot fail, because
/// cl_actors_reserve_moving has reserved the memory.
cl_status cl_actors_reserve_moving(cl_world *world);
void cl_actors_close_gaps(cl_world *world);

// ---- snapshots: the functions of collide.h are in save.c, too ---------------------------------

/// An actor that was moved, and its place before: moved in the present interval, or in the one
/// `before` the last step.
typedef struct cl_snapshot_motion {
  cl_vec from;
  double from_angle;
  uint32_t slot;
  bool before;
} cl_snapshot_motion;

/// By slot, as in cl_actors: the places of actors now, and before the last step. For a dead slot,
/// place.x and before.x are the progress of the dispatch when the actor was removed. The angles are
/// in use if `turned`. Contacts are as after cl_contact_list_compare. When the dispatch is `over`,
/// the bits of the contacts are CL_NOTIFIED, and there are no ended ones and no events.
struct cl_snapshot {
  cl_alloc alloc;
  cl_roster *roster; ///< NULL: the snapshot is empty
  cl_vec *place, *before;
  double *angle, *angle_before;
  bool turned;
  cl_bounds *bounds; ///< by slot, of shapes that are not known yet; see cl_snapshot_archive
  cl_snapshot_motion *motion;
  uint32_t motions;
  cl_hash_log hash;
  cl_rules rules;
  bool touching, over;
  double dispatched;
  cl_contact_list contacts;
  cl_grid_copy **copy; ///< for each of the roster's grids
  uint32_t copies;
  size_t place_cap, before_cap, angle_cap, angle_before_cap, bounds_cap, motion_cap, copy_cap;
};

/// The parts of a snapshot's bytes, in their order.
typedef enum cl_pack_part {
  CL_PACK_ACTORS,
  CL_PACK_RULES,
  CL_PACK_CONTACTS,
  CL_PACK_CELLS,
  CL_PACK_PARTS,
} cl_pack_part;

/// Appends a snapshot, or reads one. The same state gives the same bytes, whatever the slots.
/// `order` has the numbers of the `groups` groups to distinguish; the others are alike. The
/// archive's `number` is from cl_snapshot_number. A brief archive leaves out hits that follow from
/// the places of their actors; cl_snapshot_set_shapes computes them. `end` gets the number of bytes
/// up to the end of each part. When reading, the numbers become slots, the actors have no shapes
/// yet, and `order` and `end` are unused. Returns the archive's status; if reading fails, the
/// snapshot is empty.
cl_status cl_snapshot_archive(cl_archive *a, cl_snapshot *s, unsigned groups, const uint8_t *order,
                              size_t end[CL_PACK_PARTS]);

/// Those of the first `named` groups that have a member, or rules that no unnamed group has: bit g
/// for group g.
uint64_t cl_snapshot_groups(const cl_snapshot *snapshot, unsigned named, const uint32_t *number);

/// Sets the group of a world, below CL_MAX_GROUPS, for each of the `groups` named groups of a
/// snapshot that has been read. Call it once.
void cl_snapshot_set_groups(cl_snapshot *snapshot, unsigned groups, const uint8_t *group);

/// Gives the actors of a snapshot that has been read their shapes, by slot, and takes references to
/// them. CL_INVALID: the shape for `*slot` does not have the bounds or cells that were written, or
/// if that is CL_NOBODY, the shapes have fewer grids; CL_NOMEM: no memory. In both cases the
/// snapshot has none of the shapes.
cl_status cl_snapshot_set_shapes(cl_snapshot *snapshot, cl_shape *const *shape, uint32_t *slot);

/// How many bytes it takes, without data that snapshots share: rosters and the cells of tiles.
size_t cl_snapshot_bytes(const cl_snapshot *snapshot);

/// Whether it has an actor with this slot that was not removed.
bool cl_snapshot_has(const cl_snapshot *snapshot, uint64_t slot);

/// The state of a slot in a snapshot: CL_LIVE and the like; 0 if it was removed.
cl_roster_entry cl_snapshot_entry(const cl_snapshot *snapshot, uint32_t slot);

/// Whether hits of the last step differ; writes the first difference, by the slots of its actors.
/// "hit": one of the values is 1 and the other 0, because only one snapshot has this hit; the slots
/// are of that snapshot. `number_a` and `number_b` as in cl_snapshot_number.
bool cl_snapshot_differing_hit(const cl_snapshot *a, const uint32_t *number_a, const cl_snapshot *b,
                               const uint32_t *number_b, cl_difference *out);

/// Whether a cell of tiles differs in two snapshots with the same actors; writes the first such
/// cell, by the slot of the tiles in the first snapshot, column and row.
bool cl_snapshot_differing_cell(const cl_snapshot *a, const cl_snapshot *b, cl_difference *out);

/// Whether the rules are symmetric: g hits h if and only if h hits g. Part of cl_world_is_valid.
bool cl_rules_are_valid(const cl_rules *rules);

/// Called after a step.
void cl_hash_begin_log(cl_world *world);

/// Notes a live actor, or all. If there is no room, it computes the hash instead.
void cl_hash_add_notes(cl_world *world, uint32_t slot);

/// Call this before a live actor is moved or removed.
static inline void cl_hash_note_actor(cl_world *world, uint32_t slot) {
  const cl_hash_log *log = &world->hash;
  if (!log->known && !log->all && slot < log->slots) cl_hash_add_notes(world, slot);
}

void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc);

// ---- for pools of bullets: between the two halves of a step ---------------------------------

/// An actor in the step in progress. `box` contains it on the whole of its straight way by `motion`
/// (world units), including rounding; `at` is the end of the way, with its rotation there. The
/// shape is the world's.
typedef struct cl_target {
  cl_bounds box;
  cl_vec motion;
  cl_placed at;
  cl_shape *shape; ///< that of `at`
  uint32_t slot;
  uint8_t group;
} cl_target;

/// The largest possible number of targets.
uint32_t cl_world_target_count(const cl_world *world);

/// Writes the actors of some groups, bit g of `groups` for group g, ascending by slot, and returns
/// how many. Call it between the two halves of a step.
uint32_t cl_world_targets(const cl_world *world, uint64_t groups, cl_target *out);

/// Undoes the first half of a step: the step has not begun.
void cl_world_cancel_step(cl_world *world);

/// The number that cl_world_hash finishes, for callers that add more to it. It is the same until
/// the next step.
uint64_t cl_world_hash_begin(cl_world *world);

/// How much rounding may add to the bounds of something that moves among coordinates as large as
/// those of `box`, in world units.
static inline double cl_motion_slack(cl_bounds b) {
  double x = cl_max(fabs(b.l), fabs(b.r)), y = cl_max(fabs(b.t), fabs(b.b));
  return 4 * CL_CAST_ERROR * (x + y);
}

#endif
