// collide, MIT licence (see LICENSE)
//
// Snapshots. One holds all state that later steps depend on: the roster of actors, which snapshots
// share, their places, the rules of groups, the contacts of the last step, and copies of the cells
// of tiles. Derived data, such as proxies, kinds and indices, is rebuilt when it is needed.
//
// The lists of fields below, and those of contacts in events.c, say what is kept. The functions of
// base/record.h walk these lists to pack and unpack, compare and check, and copy from a world to a
// snapshot and back; places, which have other names in a world, and rosters are copied separately.
// The functions that pack also unpack. A pack has, in this order: the live actors and those that
// events still name, whose numbers in the pack become their slots; which actors ignore each other;
// the motions; the rules of the named groups, and once for all others; the contacts, with what is
// left of their dispatch; the cells; and the hash of the last step. Bytes may hold anything: every
// number is checked, so that what was read can always be restored.
//
// `world:hash`, of places, angles and hits of the last step, is computed when it is asked for,
// which is rare. Until then, places that change after the step are noted. (`snapshot:hash` is that
// of the packed bytes.) Layer: world.

#include "world/move.h"

enum {
  STATES = CL_LIVE | CL_STATIC | CL_SENSOR | CL_ONE_WAY | CL_SWEPT | CL_AIMED | CL_MAP,
  EVENTS = CL_EVENT_EVENTS | CL_EVENT_UPDATE,
};

// ---- what is kept ---------------------------------------------------------------------------

enum { HAS_ANGLES = 1 };

#define ENTRY(name) CL_OWN, offsetof(cl_roster_entry, name)
static const cl_saved entry_fields[] = {
    {"state", CL_BITS, ENTRY(state), 0, STATES, 0},
    {"group", CL_U8, ENTRY(group), 0, CL_MAX_GROUPS - 1, 0},
    {"event_mask", CL_BITS, ENTRY(event_mask), 0, EVENTS, 0},
    {"unread", CL_BITS, ENTRY(unread), 0, EVENTS, 0},
    {0},
};

// Of an actor that is CL_AIMED.
static const cl_saved aim_fields[] = {
    {"aim x", CL_F64, ENTRY(aim.x), -DBL_MAX, DBL_MAX, 0},
    {"aim y", CL_F64, ENTRY(aim.y), -DBL_MAX, DBL_MAX, 0},
    {0},
};

#define IGNORED(name)                                                                              \
#name, CL_SLOT, offsetof(cl_pairs, at), offsetof(cl_pairs, cap), sizeof(cl_pair),                \
      offsetof(cl_pair, name), 0, 0, 0
static const cl_saved ignored_fields[] = {{IGNORED(a)}, {IGNORED(b)}, {0}};

// Of a removed actor, the progress of the dispatch when it was removed.
static const cl_saved removed_fields[] = {
    {"progress", CL_F64, CL_COLUMN(cl_snapshot, place), offsetof(cl_vec, x), -INFINITY,
     CL_ALL_DISPATCHED, 0},
    {0},
};

#define COORD(array, axis)                                                                         \
  CL_COLUMN(cl_snapshot, array), offsetof(cl_vec, axis), -CL_MAX_COORD, CL_MAX_COORD, 0
#define ANGLE(array) CL_COLUMN(cl_snapshot, array), 0, -CL_MAX_ANGLE, CL_MAX_ANGLE, HAS_ANGLES
static const cl_saved place_fields[] = {
    {"x", CL_F64, COORD(place, x)},
    {"y", CL_F64, COORD(place, y)},
    {"x before", CL_F64, COORD(before, x)},
    {"y before", CL_F64, COORD(before, y)},
    {"angle", CL_F64, ANGLE(angle)},
    {"angle before", CL_F64, ANGLE(angle_before)},
    {0},
};

#define BOUND(name) CL_ANY_F64, CL_OWN, offsetof(cl_bounds, name), 0, 0, 0
static const cl_saved bounds_fields[] = {
    {"l", BOUND(l)}, {"t", BOUND(t)}, {"r", BOUND(r)}, {"b", BOUND(b)}, {0},
};

#define MOTION(name) CL_COLUMN(cl_snapshot, motion), offsetof(cl_snapshot_motion, name)
static const cl_saved motion_fields[] = {
    {"slot", CL_SLOT, MOTION(slot), 0, 0, 0},
    {"before", CL_BOOL, MOTION(before), 0, 0, 0},
    {"x", CL_F64, MOTION(from.x), -CL_MAX_COORD, CL_MAX_COORD, 0},
    {"y", CL_F64, MOTION(from.y), -CL_MAX_COORD, CL_MAX_COORD, 0},
    {"angle", CL_F64, MOTION(from_angle), -CL_MAX_ANGLE, CL_MAX_ANGLE, 0},
    {0},
};

// Only copied, never packed: so without ranges, and `slot` stands for the whole note.
#define NOTE(name) CL_COLUMN(cl_hash_log, note), offsetof(cl_hash_note, name)
static const cl_saved log_fields[] = {
    {"slot", CL_SLOT, NOTE(slot), 0, 0, 0},
    {"slots", CL_U32, CL_OWN, offsetof(cl_hash_log, slots), 0, 0, 0},
    {"notes", CL_U32, CL_OWN, offsetof(cl_hash_log, count), 0, 0, 0},
    {"known", CL_BOOL, CL_OWN, offsetof(cl_hash_log, known), 0, 0, 0},
    {"hash", CL_U64, CL_OWN, offsetof(cl_hash_log, hash), 0, 0, 0},
    {0},
};

// ---- taking ---------------------------------------------------------------------------------

cl_snapshot *cl_snapshot_new(const cl_alloc *alloc) {
  cl_snapshot *snapshot = cl_new(alloc, sizeof *snapshot);
  if (snapshot) snapshot->alloc = *alloc;
  return snapshot;
}

static void release_copies(cl_snapshot *s) {
  for (uint32_t i = 0; i < s->copies; i++) cl_grid_copy_release(s->copy[i]);
  s->copies = 0;
}

// Empties it; it keeps its memory.
static void clear(cl_snapshot *s) {
  if (s->roster) cl_roster_release(s->roster);
  s->roster = NULL;
  s->motions = s->hash.count = s->contacts.events = s->contacts.leaves = 0;
  s->contacts.now.count = s->contacts.ended.count = 0;
  release_copies(s);
}

void cl_snapshot_free(cl_snapshot *s) {
  cl_alloc alloc = s->alloc;
  clear(s);
  cl_rows_free(place_fields, &alloc, s);
  CL_FREE(&alloc, s->bounds, s->bounds_cap);
  cl_rows_free(motion_fields, &alloc, s);
  cl_hash_free(&s->hash, &alloc);
  cl_contact_list_free(&s->contacts, &alloc);
  CL_FREE(&alloc, s->copy, s->copy_cap);
  cl_free(&alloc, s, sizeof *s);
}

// Whether a live actor was moved in this interval, or in the one before the last step.
static bool was_moved(const cl_world *world, uint32_t slot) {
  return world->actors.state[slot] & CL_LIVE &&
         (cl_actor_was_moved(&world->actors, slot, world->steps) ||
          cl_actor_was_moved(&world->actors, slot, world->steps - 1));
}

static size_t count_motions(const cl_world *world) {
  size_t count = 0;
  if (!world->actors.moved_after) return 0;
  for (uint32_t slot = 0; slot < world->actors.count; slot++) count += was_moved(world, slot);
  return count;
}

// The arrays of places of a world or of a snapshot; the angles are NULL if there are none.
typedef struct places {
  cl_vec *place, *before;
  double *angle, *angle_before;
} places;

static places places_in(const cl_snapshot *s) {
  if (!s->turned) return (places){s->place, s->before, NULL, NULL};
  return (places){s->place, s->before, s->angle, s->angle_before};
}

static places places_of(const cl_actors *actors) {
  return (places){actors->place, actors->next, actors->angle, actors->next_angle};
}

static void copy_places(places to, places from, uint32_t count) {
  if (count == 0) return;
  memcpy(to.place, from.place, count * sizeof *to.place);
  memcpy(to.before, from.before, count * sizeof *to.before);
  if (to.angle && from.angle) {
    memcpy(to.angle, from.angle, count * sizeof *to.angle);
    memcpy(to.angle_before, from.angle_before, count * sizeof *to.angle_before);
  } else if (to.angle) {
    memset(to.angle, 0, count * sizeof *to.angle);
    memset(to.angle_before, 0, count * sizeof *to.angle_before);
  }
}

static void take_motions(cl_snapshot *s, const cl_world *world) {
  const cl_actors *actors = &world->actors;
  s->motions = 0;
  for (uint32_t slot = 0; actors->moved_after && slot < actors->count; slot++) {
    if (!was_moved(world, slot)) continue;
    s->motion[s->motions++] =
        (cl_snapshot_motion){actors->from[slot], actors->from_angle[slot], slot,
                             !cl_actor_was_moved(actors, slot, world->steps)};
  }
}

// Copies a grid's cells, unless there already is a copy.
static cl_status keep_grid(cl_grid *grid) {
  cl_grid_copy *copy = cl_grid_keep(grid);
  if (copy) cl_grid_copy_release(copy);
  return copy ? CL_OK : CL_NOMEM;
}

// The same for the grids of all tiles, and room for the copies.
static cl_status keep_grids(cl_snapshot *s, const cl_world *world) {
  const cl_roster *roster = cl_roster_current(world);
  size_t grids = 0;
  cl_status status = CL_OK;
  for (uint32_t i = 0; roster && i < roster->grids && status == CL_OK; i++, grids++) {
    status = keep_grid(roster->grid[i]);
  }
  for (uint32_t slot = 0; !roster && slot < world->actors.count && status == CL_OK; slot++) {
    const cl_shape *shape = world->actors.shape[slot];
    if (!shape || !shape->grid) continue;
    status = keep_grid(shape->grid);
    grids++;
  }
  return status == CL_OK ? CL_RESERVE(&s->alloc, s->copy, s->copy_cap, grids) : status;
}

static void take_grids(cl_snapshot *s) {
  release_copies(s);
  while (s->copies < s->roster->grids) {
    s->copy[s->copies] = cl_grid_keep(s->roster->grid[s->copies]);
    s->copies++;
  }
}

static cl_status reserve_snapshot(cl_snapshot *s, const cl_world *world, bool over) {
  const cl_alloc *alloc = &s->alloc;
  const cl_actors *actors = &world->actors;
  unsigned has = actors->angle ? HAS_ANGLES : 0;
  cl_status status = cl_rows_reserve(place_fields, has, alloc, s, actors->count);
  if (status == CL_OK) {
    status = cl_rows_reserve(motion_fields, 0, alloc, s, count_motions(world));
  }
  if (status == CL_OK) {
    status = cl_rows_reserve(log_fields, 0, alloc, &s->hash, world->hash.count);
  }
  if (status == CL_OK)
    status = cl_contact_list_reserve(alloc, &s->contacts, &world->contacts, over);
  return status == CL_OK ? keep_grids(s, world) : status;
}

cl_status cl_world_snapshot(cl_world *world, double dispatched, cl_snapshot *into) {
  assert(!world->begun);
  cl_contact_list_compare(&world->contacts);
  if (world->hash.all) cl_world_hash_begin(world); // it is smaller than the notes
  bool over = cl_dispatch_is_over(world, dispatched);
  cl_status status = reserve_snapshot(into, world, over);
  if (status == CL_OK) status = cl_roster_update(world, &into->roster);
  if (status != CL_OK) return status;
  take_grids(into);
  into->turned = world->actors.angle != NULL;
  copy_places(places_in(into), places_of(&world->actors), world->actors.count);
  take_motions(into, world);
  cl_contact_list_copy(&into->contacts, &world->contacts, over);
  cl_rows_copy(log_fields, 0, &into->hash, &world->hash, world->hash.count);
  into->over = over;
  into->dispatched = over ? CL_ALL_DISPATCHED : dispatched;
  into->touching = world->touching;
  into->rules = world->rules;
  return CL_OK;
}

size_t cl_snapshot_bytes(const cl_snapshot *s) {
  return sizeof *s + cl_rows_bytes(place_fields, s) + s->bounds_cap * sizeof *s->bounds +
         cl_rows_bytes(motion_fields, s) + cl_rows_bytes(log_fields, &s->hash) +
         cl_contact_list_bytes(&s->contacts) + s->copy_cap * sizeof *s->copy;
}

const cl_vec *cl_snapshot_places(const cl_snapshot *s, const double **angle, uint32_t *count) {
  *angle = s->turned ? s->angle : NULL;
  *count = s->roster ? s->roster->count : 0;
  return s->place;
}

bool cl_snapshot_has(const cl_snapshot *s, uint64_t slot) {
  return slot < s->roster->count && s->roster->entry[slot].state & CL_LIVE;
}

cl_roster_entry cl_snapshot_entry(const cl_snapshot *s, uint32_t slot) {
  return s->roster->entry[slot];
}

// ---- restoring ------------------------------------------------------------------------------

static cl_status reserve_world(cl_world *world, const cl_snapshot *s) {
  const cl_alloc *alloc = &world->alloc;
  unsigned with = (s->turned ? CL_WITH_ANGLES : 0) | (s->motions > 0 ? CL_WITH_MOVES : 0);
  cl_status status = cl_actors_reserve(world, s->roster->count, with);
  if (status == CL_OK) {
    status = cl_rows_reserve(ignored_fields, 0, alloc, &world->ignored, s->roster->ignored.count);
  }
  if (status == CL_OK) status = cl_rows_reserve(log_fields, 0, alloc, &world->hash, s->hash.count);
  return status == CL_OK ? cl_contact_list_reserve(alloc, &world->contacts, &s->contacts, false)
                         : status;
}

static void set_roster(cl_world *world, cl_roster *roster) {
  cl_actors *actors = &world->actors;
  while (actors->count < roster->count) cl_actors_begin_slot(actors, actors->count++);
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    bool is = slot < roster->count;
    const cl_roster_entry entry = is ? roster->entry[slot] : (cl_roster_entry){0};
    cl_actors_set_shape(actors, &world->alloc, slot, is ? roster->shape[slot] : NULL);
    cl_actors_set_state(actors, slot, entry.state, entry.unread);
    actors->group[slot] = entry.group;
    actors->event_mask[slot] = entry.event_mask;
    actors->aim[slot] = entry.aim;
    actors->kept[slot] = entry.kept;
  }
  actors->count = roster->count;
  actors->edits++;
  world->ignored.count = roster->ignored.count;
  cl_rows_copy(ignored_fields, 0, &world->ignored, &roster->ignored, roster->ignored.count);
  cl_ignored_count(world);
  if (world->roster) cl_roster_release(world->roster);
  world->roster = cl_roster_retain(roster);
  world->roster_of = actors->edits;
}

void cl_world_forget_slots(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (actors->count > 0) memset(actors->dirty, 0, actors->count);
  actors->dirty_count = actors->moved_count = 0;
  world->proxies.current = false;
  world->proxies.order = 0;
  world->hit_index.step = 0;
  cl_movement_forget_all(world);
}

static void put_motions(cl_world *world, const cl_snapshot *s) {
  cl_actors *actors = &world->actors;
  if (!actors->moved_after || actors->count == 0) return;
  memset(actors->moved_after, 0, actors->count * sizeof *actors->moved_after);
  for (uint32_t i = 0; i < s->motions; i++) {
    const cl_snapshot_motion *motion = &s->motion[i];
    actors->from[motion->slot] = motion->from;
    actors->from_angle[motion->slot] = motion->from_angle;
    actors->moved_after[motion->slot] = (uint32_t)world->steps + !motion->before;
  }
}

cl_status cl_world_restore(cl_world *world, const cl_snapshot *from, double *dispatched) {
  assert(!world->begun && from->roster && from->touching == world->touching);
  cl_status status = reserve_world(world, from);
  cl_world_show(world); // the arrays may have moved
  if (status != CL_OK) return status;
  if (cl_roster_current(world) != from->roster) set_roster(world, from->roster);
  cl_world_forget_slots(world);
  world->candidates.count = 0;
  world->moves.moved_count = world->moves.released_count = 0;
  world->named_of = 0;
  world->actors.order++;
  world->actors.static_version++;
  world->changes++;
  world->steps++; // no earlier note can have this number
  copy_places(places_of(&world->actors), places_in(from), world->actors.count);
  put_motions(world, from);
  cl_contact_list_copy(&world->contacts, &from->contacts, from->over);
  cl_rows_copy(log_fields, 0, &world->hash, &from->hash, from->hash.count);
  world->hash.all = false;
  world->rules = from->rules;
  for (uint32_t i = 0; i < from->copies; i++) {
    cl_grid_put_back(from->roster->grid[i], from->copy[i]);
  }
  *dispatched = from->dispatched;
  cl_world_show(world);
  CL_CHECK(cl_world_is_valid(world));
  return CL_OK;
}

// ---- the hash -------------------------------------------------------------------------------

// The most notes that are made one by one: this many, and one more for each SLOTS_PER_NOTE slots.
// With more, all actors are noted, which is less work than computing the hash.
enum { FEW_NOTES = 16, SLOTS_PER_NOTE = 16 };

#define NO_NOTE UINT32_MAX

void cl_hash_begin_log(cl_world *world) {
  cl_hash_log *log = &world->hash;
  log->count = 0;
  log->slots = world->actors.count;
  log->all = log->known = false;
}

void cl_hash_free(cl_hash_log *log, const cl_alloc *alloc) { cl_rows_free(log_fields, alloc, log); }

void cl_hash_add_notes(cl_world *world, uint32_t slot) {
  cl_hash_log *log = &world->hash;
  const cl_actors *actors = &world->actors;
  if (log->count > 0 && log->note[log->count - 1].slot == slot) return;
  bool all = log->count >= FEW_NOTES + log->slots / SLOTS_PER_NOTE;
  size_t more = all ? actors->live + 1 : 1; // a dead actor after the last one is overwritten
  if (CL_RESERVE(&world->alloc, log->note, log->note_cap, log->count + more) != CL_OK) {
    cl_world_hash_begin(world);
    return;
  }
  uint32_t n = log->count;
  for (uint32_t i = all ? 0 : slot, end = all ? log->slots : slot + 1; i < end; i++) {
    double angle = actors->angle ? actors->angle[i] : 0;
    log->note[n] = (cl_hash_note){actors->place[i], angle, i};
    n += actors->state[i] & CL_LIVE;
  }
  log->count = n;
  log->all = all;
}

// What a step left: arrays by slot, of which `state` has an element every `stride` bytes and
// `rank` is scratch, and the contacts.
typedef struct hashed {
  places at;
  const uint8_t *state;
  size_t stride;
  uint32_t *rank;
  const cl_contact_list *contacts;
  const cl_hash_log *log;
} hashed;

// Adds the places of the actors. Hits refer to an actor by its rank among them, because its slot
// depends on when gaps were closed.
static uint64_t add_places(uint64_t hash, const hashed *step) {
  const cl_hash_log *log = step->log;
  uint32_t *note = step->rank, rank = 0;
  for (uint32_t slot = 0; slot < log->slots; slot++) note[slot] = NO_NOTE;
  for (uint32_t k = log->count; k-- > 0;) note[log->note[k].slot] = k;
  for (uint32_t slot = 0; slot < log->slots; slot++) {
    bool noted = note[slot] != NO_NOTE;
    if (!noted && !(step->state[slot * step->stride] & CL_LIVE)) continue;
    cl_vec at = noted ? log->note[note[slot]].at : step->at.place[slot];
    double angle = step->at.angle ? step->at.angle[slot] : 0;
    if (noted) angle = log->note[note[slot]].angle;
    step->rank[slot] = rank++;
    hash = cl_hash_number(hash, at.x);
    hash = cl_hash_number(hash, at.y);
    hash = cl_hash_number(hash, angle);
  }
  return hash;
}

static uint64_t hash_of_step(const hashed *step) {
  const cl_contact_list *contacts = step->contacts;
  if (step->log->known) return step->log->hash;
  uint64_t hash = add_places(CL_HASH_BEGIN, step);
  for (size_t k = 0; k < contacts->now.count; k++) {
    cl_pair pair = contacts->now.pair[k];
    hash = cl_hash_word(cl_hash_word(hash, step->rank[pair.a]), step->rank[pair.b]);
    hash = cl_hash_number(cl_hash_number(hash, contacts->hit[k].nx), contacts->hit[k].ny);
    hash = cl_hash_number(hash, contacts->hit[k].depth);
    bool met = contacts->any_time && contacts->time[k] >= 0;
    if (met) hash = cl_hash_number(hash, contacts->time[k]);
  }
  return hash;
}

uint64_t cl_world_hash_begin(cl_world *world) {
  cl_actors *actors = &world->actors;
  cl_hash_log *log = &world->hash;
  const hashed step = {places_of(actors), actors->state, 1, actors->rank, &world->contacts, log};
  log->hash = hash_of_step(&step);
  log->known = true;
  log->count = 0;
  return log->hash;
}

uint64_t cl_world_hash(cl_world *world) { return cl_hash_end(cl_world_hash_begin(world)); }

// ---- packing --------------------------------------------------------------------------------

static void mark(uint32_t *number, const cl_links *links) {
  for (size_t i = 0; i < links->count; i++) {
    number[links->pair[i].a] = number[links->pair[i].b] = 0;
  }
}

uint32_t cl_snapshot_number(const cl_snapshot *s, uint32_t *number) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    number[slot] = cl_snapshot_has(s, slot) ? 0 : CL_NOBODY;
  }
  mark(number, &s->contacts.now);
  mark(number, &s->contacts.ended);
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    if (number[slot] != CL_NOBODY) number[slot] = count++;
  }
  return count;
}

// Room for the actors that are read.
static void make_actors(cl_archive *a, cl_snapshot *s, uint32_t count) {
  s->turned = false;
  cl_rows_make(place_fields, s, count, a);
  if (!cl_archive_note(a, CL_RESERVE(&s->alloc, s->bounds, s->bounds_cap, count))) return;
  s->roster = cl_roster_new(&s->alloc, count);
  if (s->roster) s->roster->count = count;
  else a->status = CL_NOMEM;
}

static void archive_place(cl_archive *a, cl_snapshot *s, uint32_t slot) {
  const cl_shape *shape = s->roster->shape[slot];
  bool angles = s->turned || a->reading;
  double none = 0;
  cl_bounds b = {0};
  cl_row_archive(place_fields, angles ? HAS_ANGLES : 0, s, slot, a);
  for (int i = 0; i < 2 && !angles; i++) cl_archive_f64(a, &none);
  if (!a->reading) b = shape ? shape->bounds : s->bounds[slot];
  cl_row_archive(bounds_fields, 0, &b, 0, a);
  if (!a->reading) return;
  s->bounds[slot] = b;
  s->turned |= s->angle[slot] != 0 || s->angle_before[slot] != 0;
}

static bool stays(const cl_snapshot *s, uint32_t slot) {
  cl_vec at = s->place[slot], before = s->before[slot];
  return at.x == before.x && at.y == before.y && s->angle[slot] == s->angle_before[slot];
}

// `place` has the number of each group in the pack.
static void archive_actor(cl_archive *a, cl_snapshot *s, uint32_t slot, const uint8_t *place) {
  cl_roster_entry entry = {0};
  if (!a->reading) {
    entry = s->roster->entry[slot];
    entry.group = place[entry.group];
  }
  if (a->taped) cl_archive_key(a, CL_ACTORS, a->identity[slot]);
  cl_row_archive(entry_fields, 0, &entry, 0, a);
  if (entry.state & CL_AIMED) {
    cl_row_archive(aim_fields, 0, &entry, 0, a);
    cl_archive_check(a, entry.state & CL_ONE_WAY && (entry.aim.x != 0 || entry.aim.y != 0));
  }
  bool live = entry.state & CL_LIVE;
  if (a->reading) {
    entry.kept = !live;
    s->roster->shape[slot] = NULL;
    s->roster->entry[slot] = entry;
    s->roster->live += live;
  }
  if (live) archive_place(a, s, slot);
  else cl_row_archive(removed_fields, 0, s, slot, a);
  if (!a->reading) return;
  if (!live) s->before[slot].x = s->place[slot].x;
  if (live) cl_archive_check(a, stays(s, slot) || !(entry.state & CL_STATIC));
  else cl_archive_check(a, entry.state == 0 && entry.unread == 0);
}

static void archive_ignored(cl_archive *a, cl_snapshot *s) {
  cl_pairs *ignored = &s->roster->ignored;
  ignored->count = cl_rows_archive(ignored_fields, 0, ignored, (uint32_t)ignored->count, a);
  if (!a->reading) return;
  cl_archive_check(a, cl_are_ignored_valid(ignored, s->roster->count));
  for (size_t i = 0; i < ignored->count; i++) {
    cl_archive_check(a,
                     cl_snapshot_has(s, ignored->at[i].a) && cl_snapshot_has(s, ignored->at[i].b));
  }
}

static void archive_actors(cl_archive *a, cl_snapshot *s, unsigned groups, const uint8_t *order) {
  uint8_t place[CL_MAX_GROUPS] = {0};
  uint32_t count = 0, slots = a->reading ? 0 : s->roster->count;
  for (unsigned i = 0; i < groups && !a->reading; i++) place[order[i]] = (uint8_t)i;
  for (uint32_t slot = 0; slot < slots; slot++) count += a->number[slot] != CL_NOBODY;
  count = cl_archive_count(a, count, cl_row_size(entry_fields, 0) + cl_row_size(removed_fields, 0));
  if (a->reading) make_actors(a, s, slots = count);
  if (!s->roster) return;
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (a->reading || a->number[slot] != CL_NOBODY) archive_actor(a, s, slot, place);
  }
  cl_archive_key(a, CL_ENDED, CL_ACTORS);
  archive_ignored(a, s);
  s->motions = cl_rows_archive(motion_fields, 0, s, s->motions, a);
  for (uint32_t slot = 0; slot < slots && a->reading; slot++) {
    cl_archive_check(a, s->roster->entry[slot].group < groups);
  }
  for (uint32_t i = 0; i < s->motions && a->reading; i++) {
    uint32_t slot = s->motion[i].slot;
    bool after = i == 0 || s->motion[i - 1].slot < slot;
    cl_archive_check(a, after && cl_snapshot_has(s, slot));
  }
}

// The rules of `count` groups with new numbers: group g is the old group row[g].
static cl_rules renumber_rules(const cl_rules *from, const uint8_t *row, unsigned count) {
  cl_rules to = {.one_sided = false};
  for (unsigned g = 0; g < count; g++) {
    for (unsigned h = 0; h < count; h++) {
      to.hits_with[g] |= (from->hits_with[row[g]] >> row[h] & 1) << h;
      to.notifies[g] |= (from->notifies[row[g]] >> row[h] & 1) << h;
    }
  }
  return to;
}

// The number of groups whose rules are in a pack: the named ones and, if there can be others, one
// that stands for these.
static unsigned rows_of(unsigned groups) { return groups < CL_MAX_GROUPS ? groups + 1 : groups; }

bool cl_rules_are_valid(const cl_rules *rules) {
  for (unsigned g = 0; g < CL_MAX_GROUPS; g++) {
    for (unsigned h = 0; h < g; h++) {
      if ((rules->hits_with[g] >> h & 1) != (rules->hits_with[h] >> g & 1)) return false;
    }
  }
  return true;
}

// The rules of the groups in `order`, and of the first group that is not in it.
static cl_rules named_rules(const cl_rules *all, unsigned groups, const uint8_t *order) {
  uint8_t row[CL_MAX_GROUPS] = {0};
  uint64_t named = 0;
  for (unsigned i = 0; i < groups; i++) {
    row[i] = order[i];
    named |= (uint64_t)1 << order[i];
  }
  for (uint8_t g = CL_MAX_GROUPS; g-- > 0;) {
    if (!(named >> g & 1)) row[groups] = g;
  }
  return renumber_rules(all, row, rows_of(groups));
}

static void archive_rules(cl_archive *a, cl_rules *all, unsigned groups, const uint8_t *order) {
  cl_rules rules = {.one_sided = false};
  if (!a->reading) rules = named_rules(all, groups, order);
  for (unsigned g = 0; g < rows_of(groups); g++) {
    for (unsigned h = 0; h < rows_of(groups); h++) {
      uint8_t rule = (uint8_t)((rules.hits_with[g] >> h & 1) | (rules.notifies[g] >> h & 1) << 1);
      cl_archive_u8(a, &rule);
      cl_archive_check(a, rule <= 3);
      rules.hits_with[g] |= (uint64_t)(rule & 1) << h;
      rules.notifies[g] |= (uint64_t)(rule >> 1 & 1) << h;
    }
  }
  if (!a->reading) return;
  cl_archive_check(a, cl_rules_are_valid(&rules));
  *all = rules;
}

// Whether some group gets events of `g` but not of `other`, or the reverse.
static bool is_column_other(const cl_rules *rules, unsigned g, unsigned other) {
  for (unsigned h = 0; h < CL_MAX_GROUPS; h++) {
    if ((rules->notifies[h] >> g ^ rules->notifies[h] >> other) & 1) return true;
  }
  return false;
}

uint64_t cl_snapshot_groups(const cl_snapshot *s, unsigned named, const uint32_t *number) {
  const cl_rules *rules = &s->rules;
  uint64_t used = 0;
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    if (number[slot] != CL_NOBODY) used |= (uint64_t)1 << s->roster->entry[slot].group;
  }
  for (unsigned g = 0; g < named; g++) {
    bool other = named == CL_MAX_GROUPS || rules->hits_with[g] != rules->hits_with[named] ||
                 rules->notifies[g] != rules->notifies[named] || is_column_other(rules, g, named);
    if (other) used |= (uint64_t)1 << g;
  }
  return used;
}

static void archive_grids(cl_archive *a, cl_snapshot *s) {
  uint32_t count = cl_archive_count(a, s->copies, sizeof(uint32_t));
  if (a->reading) cl_archive_note(a, CL_RESERVE(&s->alloc, s->copy, s->copy_cap, count));
  for (uint32_t i = 0; i < count && a->status == CL_OK; i++) {
    uint32_t size = a->reading ? 0 : (uint32_t)s->copy[i]->size;
    cl_archive_u32(a, &size);
    const uint8_t *bytes = a->reading ? cl_read_bytes(a, size) : s->copy[i]->bytes;
    if (!a->reading) cl_write_bytes(a, bytes, size);
    if (!a->reading || !bytes) continue;
    s->copy[i] = cl_grid_copy_new(&s->alloc, bytes, size);
    if (cl_archive_note(a, s->copy[i] ? CL_OK : CL_NOMEM)) s->copies++;
  }
}

// Computes the hash, unless it is known.
static cl_status finish_hash(cl_snapshot *s) {
  const cl_roster_entry *entry = s->roster->entry;
  size_t room = (size_t)s->hash.slots + 1;
  uint32_t *rank = cl_new_array(&s->alloc, room, sizeof *rank);
  if (!rank) return CL_NOMEM;
  const hashed step = {
      places_in(s), entry ? &entry->state : NULL, sizeof *entry, rank, &s->contacts, &s->hash};
  s->hash.hash = hash_of_step(&step);
  CL_FREE(&s->alloc, rank, room);
  return CL_OK;
}

static void archive_hash(cl_archive *a, cl_snapshot *s) {
  if (a->reading) s->hash.slots = 0;
  else if (!s->hash.known) cl_archive_note(a, finish_hash(s));
  cl_archive_u64(a, &s->hash.hash);
  s->hash.known |= a->status == CL_OK;
}

// Computes the hit of two actors at their places; false if they do not overlap, and for tiles,
// whose cells may have changed since.
static bool derive_hit(const cl_snapshot *s, size_t i, cl_hit *hit) {
  cl_pair pair = s->contacts.now.pair[i];
  const cl_shape *a = s->roster->shape[pair.a], *b = s->roster->shape[pair.b];
  if (!a || !b || s->contacts.any_time || s->contacts.any_muted) return false;
  if (a->grid || b->grid) return false;
  cl_vec p = s->place[pair.a], q = s->place[pair.b];
  cl_placed one = cl_place(a, p.x, p.y, s->turned ? s->angle[pair.a] : 0);
  cl_placed other = cl_place(b, q.x, q.y, s->turned ? s->angle[pair.b] : 0);
  return cl_overlap(&one, &other, s->touching, hit);
}

// Lists which hits follow from the places, to the bit.
static bool *list_derived(const cl_snapshot *s, const cl_alloc *alloc) {
  size_t count = s->contacts.now.count;
  bool *derived = cl_new_array(alloc, count + 1, sizeof *derived);
  for (size_t i = 0; derived && i < count; i++) {
    cl_hit hit, is = s->contacts.hit[i];
    derived[i] = derive_hit(s, i, &hit) && memcmp(&hit, &is, sizeof hit) == 0;
  }
  return derived;
}

static void archive_contacts(cl_archive *a, cl_snapshot *s) {
  bool *derived = a->brief && !a->reading ? list_derived(s, &a->alloc) : NULL;
  if (a->brief && !a->reading) cl_archive_note(a, derived ? CL_OK : CL_NOMEM);
  size_t count = s->contacts.now.count + 1;
  a->derived = derived;
  cl_archive_bool(a, &s->over);
  cl_contact_list_archive(a, &s->contacts, s->over, &s->dispatched);
  a->derived = NULL;
  if (derived) CL_FREE(&a->alloc, derived, count);
  if (s->over) s->dispatched = CL_ALL_DISPATCHED;
  if (!a->reading || a->status != CL_OK) return;
  const cl_links *now = &s->contacts.now;
  cl_archive_check(a, a->brief ? cl_are_pairs_valid(now->pair, now->count, s->roster->count)
                               : cl_contact_list_is_valid(&s->contacts, s->roster->count));
}

cl_status cl_snapshot_archive(cl_archive *a, cl_snapshot *s, unsigned groups, const uint8_t *order,
                              size_t end[CL_PACK_PARTS]) {
  assert(groups <= CL_MAX_GROUPS && (a->reading || s->roster));
  if (a->reading) {
    clear(s);
    a->alloc = s->alloc;
  }
  cl_archive_bool(a, &s->touching);
  archive_actors(a, s, groups, order);
  end[CL_PACK_ACTORS] = a->count;
  archive_rules(a, &s->rules, groups, order);
  end[CL_PACK_RULES] = a->count;
  archive_contacts(a, s);
  end[CL_PACK_CONTACTS] = a->count;
  archive_grids(a, s);
  end[CL_PACK_CELLS] = a->count;
  archive_hash(a, s);
  if (a->reading && a->status != CL_OK) clear(s);
  return a->status;
}

// ---- what a world adds to a snapshot that was read ------------------------------------------

void cl_snapshot_set_groups(cl_snapshot *s, unsigned groups, const uint8_t *group) {
  uint8_t row[CL_MAX_GROUPS]; // of each group of the world, its row in what was read
  memset(row, groups < CL_MAX_GROUPS ? (int)groups : 0, sizeof row);
  for (unsigned g = 0; g < groups; g++) row[group[g]] = (uint8_t)g;
  s->rules = renumber_rules(&s->rules, row, CL_MAX_GROUPS);
  cl_rules_note_one_sided(&s->rules);
  for (uint32_t slot = 0; slot < s->roster->count; slot++) {
    s->roster->entry[slot].group = group[s->roster->entry[slot].group];
  }
}

// Tiles are not turned.
static bool fits(const cl_snapshot *s, uint32_t slot, const cl_shape *shape) {
  cl_bounds a = shape->bounds, b = s->bounds[slot];
  if (!(a.l == b.l && a.t == b.t && a.r == b.r && a.b == b.b)) return false;
  uint8_t state = s->roster->entry[slot].state;
  if (!shape->grid) return !(state & CL_MAP);
  return !(state & CL_STATIC) == !!(state & CL_MAP) && s->angle[slot] == 0;
}

// Computes the hits that were left out when it was packed. Returns the first that it cannot.
static size_t derive_hits(cl_snapshot *s) {
  cl_hit *hit = s->contacts.hit;
  size_t i = 0, count = s->contacts.now.count;
  while (i < count && (!isnan(hit[i].depth) || derive_hit(s, i, &hit[i]))) i++;
  return i < count || cl_contact_list_is_valid(&s->contacts, s->roster->count) ? i : 0;
}

cl_status cl_snapshot_set_shapes(cl_snapshot *s, cl_shape *const *shape, uint32_t *slot) {
  cl_roster *roster = s->roster;
  for (*slot = 0; *slot < roster->count; ++*slot) {
    if (cl_snapshot_has(s, *slot) && !fits(s, *slot, shape[*slot])) return CL_INVALID;
  }
  cl_status status = cl_roster_set_shapes(roster, shape);
  if (status != CL_OK) return status;
  uint32_t fit = 0;
  while (fit < roster->grids && fit < s->copies &&
         cl_grid_count(roster->grid[fit]) == s->copy[fit]->size) {
    fit++;
  }
  bool fits_all = fit == roster->grids && fit == s->copies;
  size_t count = s->contacts.now.count, at = fits_all ? derive_hits(s) : 0;
  if (fits_all && at == count) return CL_OK;
  if (fits_all) *slot = count > 0 ? s->contacts.now.pair[at].a : 0;
  else *slot = fit < roster->grids ? cl_roster_slot_of(roster, roster->grid[fit]) : CL_NOBODY;
  cl_roster_drop_shapes(roster);
  return CL_INVALID;
}

// ---- differences ----------------------------------------------------------------------------

// The numbers of the actors of a hit; past the last hit, numbers above all others.
static cl_pair numbers_of(const cl_snapshot *s, const uint32_t *number, size_t hit) {
  if (hit >= s->contacts.now.count) return (cl_pair){CL_NOBODY, CL_NOBODY};
  cl_pair pair = s->contacts.now.pair[hit];
  return (cl_pair){number[pair.a], number[pair.b]};
}

bool cl_snapshot_differing_hit(const cl_snapshot *a, const uint32_t *number_a, const cl_snapshot *b,
                               const uint32_t *number_b, cl_difference *out) {
  const cl_contact_list *first = &a->contacts, *second = &b->contacts;
  for (size_t i = 0; i < first->now.count || i < second->now.count; i++) {
    uint64_t p = cl_pair_key(numbers_of(a, number_a, i));
    uint64_t q = cl_pair_key(numbers_of(b, number_b, i));
    cl_pair pair = p <= q ? first->now.pair[i] : second->now.pair[i];
    *out = (cl_difference){{pair.a, pair.b}, "hit", {p < q, q < p}};
    if (p != q) return true;
    if (cl_contact_list_differ(first, second, i, out)) return true;
  }
  return false;
}

bool cl_snapshot_differing_cell(const cl_snapshot *a, const cl_snapshot *b, cl_difference *out) {
  for (uint32_t i = 0; i < a->copies && i < b->copies; i++) {
    const cl_grid_copy *first = a->copy[i], *second = b->copy[i];
    const cl_grid *grid = a->roster->grid[i];
    size_t at = 0, size = first->size < second->size ? first->size : second->size;
    while (at < size && first->bytes[at] == second->bytes[at]) at++;
    if (at == size) continue;
    size_t width = (size_t)grid->size[0];
    double slot = cl_roster_slot_of(a->roster, grid);
    *out = (cl_difference){{slot, (double)(at % width), (double)(at / width)},
                           "cell",
                           {first->bytes[at], second->bytes[at]}};
    return true;
  }
  return false;
}
