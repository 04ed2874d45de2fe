// collide, MIT licence (see LICENSE)
//
// The actors: their arrays by slot, which grow as one block, and marks of changes; the kinds of
// their shapes, in a hash table; and rosters, the lists of actors that snapshots share.
// Layer: world.

#include "world/state.h"

#include "narrow/primitives.h"

// ---- kinds of shapes ------------------------------------------------------------------------

enum { NONE = CL_KIND_ANY, FIRST_BUCKETS = 8 };

static uint8_t form_of(const cl_shape *shape) {
  if (shape->kind == CL_CIRCLE) return CL_FORM_CIRCLE;
  if (cl_shape_is_box(shape)) return CL_FORM_BOX;
  if (!cl_has_block(shape)) return CL_FORM_OTHER;
  return cl_has_few(shape) ? CL_FORM_FEW : CL_FORM_MANY;
}

// Rounding keeps order, so the outermost vertices stay outermost at any place. A radius is added
// after placing, and tiles are placed differently: these are not bounded.
static cl_kind kind_of(const cl_shape *shape) {
  cl_kind kind = {.form = form_of(shape), .rotates = !(shape->flags & CL_SHAPE_UPRIGHT)};
  kind.bounded =
      kind.form == CL_FORM_CIRCLE || (!(shape->flags & CL_SHAPE_ROUND) && shape->kind != CL_TILES);
  if (kind.form == CL_FORM_CIRCLE) {
    cl_vec o = cl_rot_apply((cl_rot){1, 0}, (cl_vec){shape->vx[0], shape->vy[0]});
    kind.o[0] = o.x, kind.o[1] = o.y;
    kind.lt[0] = kind.lt[1] = -shape->radius;
    kind.rb[0] = kind.rb[1] = shape->radius;
    kind.rotates = kind.rotates && (o.x != 0 || o.y != 0);
  } else if (kind.bounded) {
    cl_bounds b = shape->bounds;
    kind.o[0] = kind.o[1] = -0.0; // adding it changes nothing
    kind.lt[0] = b.l, kind.lt[1] = b.t;
    kind.rb[0] = b.r, kind.rb[1] = b.b;
    if (cl_has_block(shape) && kind.form != CL_FORM_BOX) kind.block = cl_own_block(shape);
  }
  return kind;
}

enum { NUMBERS = 7 };

static bool is_same_kind(const cl_kind *a, const cl_kind *b) {
  return a->form == b->form && a->rotates == b->rotates && a->bounded == b->bounded &&
         a->block == b->block && memcmp(a->o, b->o, sizeof a->o) == 0 &&
         memcmp(a->lt, b->lt, sizeof a->lt) == 0 && memcmp(a->rb, b->rb, sizeof a->rb) == 0;
}

static uint32_t hash_of_kind(const cl_kind *kind) {
  uint64_t word[NUMBERS], hash = kind->form * 4u + kind->rotates * 2u + kind->bounded;
  memcpy(word, kind->o, sizeof kind->o);
  memcpy(word + 2, kind->lt, sizeof kind->lt);
  memcpy(word + 4, kind->rb, sizeof kind->rb);
  word[6] = (uintptr_t)kind->block;
  for (int i = 0; i < NUMBERS; i++) {
    hash = (hash ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash >> 16);
}

static uint32_t *bucket_of(const cl_kinds *kinds, const cl_kind *kind) {
  return &kinds->bucket[hash_of_kind(kind) & (kinds->buckets - 1)];
}

static void link_all(cl_kinds *kinds, uint32_t buckets) {
  kinds->buckets = buckets;
  memset(kinds->bucket, 0, buckets * sizeof *kinds->bucket);
  for (uint32_t k = CL_KINDS_ANY; k < kinds->count; k++) {
    if (kinds->link[k].uses == 0) continue;
    uint32_t *bucket = bucket_of(kinds, &kinds->at[k]);
    kinds->link[k].next = *bucket;
    *bucket = k;
  }
}

static cl_status reserve_kinds(cl_kinds *kinds, const cl_alloc *alloc, size_t count) {
  cl_status status = CL_RESERVE(alloc, kinds->at, kinds->cap, count);
  return status == CL_OK ? CL_RESERVE(alloc, kinds->link, kinds->link_cap, count) : status;
}

// Makes the kinds for any shape, unless they exist.
static cl_status open_kinds(cl_kinds *kinds, const cl_alloc *alloc) {
  if (kinds->count > 0) return CL_OK;
  cl_status status = CL_RESERVE(alloc, kinds->bucket, kinds->bucket_cap, FIRST_BUCKETS);
  if (status == CL_OK) status = reserve_kinds(kinds, alloc, CL_KINDS_ANY);
  if (status != CL_OK) return status;
  kinds->link[CL_KIND_ANY] = kinds->link[CL_KIND_ANY_UPRIGHT] = (cl_kind_link){0, NONE};
  kinds->at[CL_KIND_ANY] = (cl_kind){.form = CL_FORM_OTHER, .rotates = true};
  kinds->at[CL_KIND_ANY_UPRIGHT] = (cl_kind){.form = CL_FORM_OTHER};
  kinds->count = CL_KINDS_ANY;
  link_all(kinds, FIRST_BUCKETS);
  return CL_OK;
}

static void free_kinds(cl_kinds *kinds, const cl_alloc *alloc) {
  CL_FREE(alloc, kinds->at, kinds->cap);
  CL_FREE(alloc, kinds->link, kinds->link_cap);
  CL_FREE(alloc, kinds->bucket, kinds->bucket_cap);
}

// A number for a new kind; NONE when out of memory.
static uint32_t new_number(cl_kinds *kinds, const cl_alloc *alloc) {
  uint32_t k = kinds->spare;
  if (k != NONE) {
    kinds->spare = kinds->link[k].next;
    return k;
  }
  if (reserve_kinds(kinds, alloc, (size_t)kinds->count + 1) != CL_OK) return NONE;
  if (kinds->count >= kinds->buckets) {
    size_t twice = 2 * (size_t)kinds->buckets;
    if (CL_RESERVE(alloc, kinds->bucket, kinds->bucket_cap, twice) != CL_OK) return NONE;
    link_all(kinds, (uint32_t)twice);
  }
  return kinds->count++;
}

// The kind of a shape, with one more actor; a kind for any shape if there is no memory for a new
// one.
static uint32_t take_kind(cl_kinds *kinds, const cl_alloc *alloc, const cl_shape *shape) {
  cl_kind kind = kind_of(shape);
  uint32_t k = *bucket_of(kinds, &kind);
  while (k != NONE && !is_same_kind(&kinds->at[k], &kind)) k = kinds->link[k].next;
  if (k == NONE && (k = new_number(kinds, alloc)) != NONE) {
    uint32_t *bucket = bucket_of(kinds, &kind);
    kinds->at[k] = kind;
    kinds->link[k] = (cl_kind_link){0, *bucket};
    *bucket = k;
  }
  if (k == NONE) k = shape->flags & CL_SHAPE_UPRIGHT ? CL_KIND_ANY_UPRIGHT : CL_KIND_ANY;
  kinds->link[k].uses++;
  kinds->form[kinds->at[k].form]++;
  kinds->bounded += kinds->at[k].bounded;
  return k;
}

// Takes an actor from a kind. The number of a kind without actors is reused.
static void drop_kind(cl_kinds *kinds, uint32_t k) {
  cl_kind *kind = &kinds->at[k];
  kinds->form[kind->form]--;
  kinds->bounded -= kind->bounded;
  if (--kinds->link[k].uses > 0 || k < CL_KINDS_ANY) return;
  uint32_t *link = bucket_of(kinds, kind);
  while (*link != k) link = &kinds->link[*link].next;
  *link = kinds->link[k].next;
  kinds->link[k].next = kinds->spare;
  kinds->spare = k;
}

// ---- the arrays -----------------------------------------------------------------------------

// Which optional arrays there are: CL_WITH_ bits.
static unsigned arrays_of(const cl_actors *actors) {
  return (actors->angle ? CL_WITH_ANGLES : 0) | (actors->moved_after ? CL_WITH_MOVES : 0);
}

static size_t block_size(size_t cap, unsigned with) {
  size_t size = 0;
#define ADD(type, name, bit) size += (bit) & ~with ? 0 : cl_padded(cap * sizeof(type));
  CL_ACTOR_FIELDS(ADD)
#undef ADD
  return size;
}

static size_t present_size(const cl_actors *actors) {
  return actors->block ? block_size(actors->cap, arrays_of(actors)) : 0;
}

// Takes the next part of a block for an array of `cap` elements of `size` bytes and copies the
// present elements; NULL if the array is not needed.
static void *move_array(bool is, char **at, const void *from, size_t count, size_t cap,
                        size_t size) {
  char *to = *at;
  if (!is) return NULL;
  if (from && count > 0) memcpy(to, from, count * size);
  *at += cl_padded(cap * size);
  return to;
}

// Gives all arrays room for `cap` slots in a new block. In new arrays no actor has an angle or was
// moved: zeroed memory says that, except for the rotations.
static cl_status move_all(cl_actors *actors, const cl_alloc *alloc, size_t cap, unsigned with) {
  char *block = cl_new(alloc, block_size(cap, with));
  if (!block) return CL_NOMEM;
  char *at = block;
  size_t old = present_size(actors);
  bool first = with & CL_WITH_ANGLES && !actors->angle;
#define MOVE(type, name, bit)                                                                      \
  actors->name = move_array(!((bit) & ~with), &at, actors->name, actors->count, cap, sizeof(type));
  CL_ACTOR_FIELDS(MOVE)
#undef MOVE
  for (uint32_t slot = 0; first && slot < actors->count; slot++) actors->rot[slot].c = 1;
  cl_free(alloc, actors->block, old);
  actors->block = block;
  actors->cap = cap;
  return CL_OK;
}

static cl_status reserve_slots(cl_actors *actors, const cl_alloc *alloc, size_t count,
                               unsigned with) {
  unsigned has = arrays_of(actors);
  if (count <= actors->cap && !(with & ~has)) return CL_OK;
  if (count > INT32_MAX) return CL_NOMEM;
  size_t cap = actors->cap;
  if (count > cap) cap += cap / 4;
  if (cap < count) cap = count;
  return move_all(actors, alloc, cap < 16 ? 16 : cap, has | with);
}

cl_status cl_actors_reserve(cl_world *world, size_t count, unsigned with) {
  cl_status status = open_kinds(&world->actors.kinds, &world->alloc);
  if (status == CL_OK) status = reserve_slots(&world->actors, &world->alloc, count, with);
  cl_world_show(world); // the arrays may have moved
  return status;
}

void cl_actors_begin_slot(cl_actors *actors, uint32_t slot) {
  actors->state[slot] = actors->event_mask[slot] = actors->unread[slot] = 0;
  actors->named[slot] = actors->kept[slot] = actors->dirty[slot] = 0;
  actors->aim[slot] = (cl_vec){0, 0};
  actors->ignoring[slot] = 0;
  actors->shape[slot] = NULL;
  if (!actors->angle) return;
  actors->rot_angle[slot] = 0;
  actors->rot[slot] = (cl_rot){1, 0};
}

void cl_actors_set_shape(cl_actors *actors, const cl_alloc *alloc, uint32_t slot, cl_shape *shape) {
  cl_shape *had = actors->shape[slot];
  uint32_t old = actors->kind[slot];
  if (shape == had) return;
  actors->shape[slot] = shape;
  if (shape) {
    cl_shape_retain(shape);
    actors->kind[slot] = take_kind(&actors->kinds, alloc, shape);
    actors->form[slot] = actors->kinds.at[actors->kind[slot]].form;
  }
  if (!had) return;
  drop_kind(&actors->kinds, old);
  cl_shape_release(had);
}

void cl_actors_free(cl_actors *actors, const cl_alloc *alloc) {
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    if (actors->shape[slot]) cl_shape_release(actors->shape[slot]);
  }
  free_kinds(&actors->kinds, alloc);
  cl_free(alloc, actors->block, present_size(actors));
}

void cl_actors_set_state(cl_actors *actors, uint32_t slot, uint8_t state, uint8_t unread) {
  uint8_t was = actors->state[slot], before = actors->unread[slot];
  actors->live += !!(state & CL_LIVE);
  actors->live -= !!(was & CL_LIVE);
  actors->swept += !!(state & CL_SWEPT);
  actors->swept -= !!(was & CL_SWEPT);
  actors->maps += !!(state & CL_MAP);
  actors->maps -= !!(was & CL_MAP);
  actors->unread_events += !!(unread & CL_EVENT_EVENTS);
  actors->unread_events -= !!(before & CL_EVENT_EVENTS);
  actors->unread_updates += !!(unread & CL_EVENT_UPDATE);
  actors->unread_updates -= !!(before & CL_EVENT_UPDATE);
  actors->state[slot] = state;
  actors->unread[slot] = unread;
}

cl_placed cl_actor_place(cl_actors *actors, uint32_t slot) {
  if (cl_actor_is_rotated(actors, actors->angle, slot) &&
      actors->angle[slot] != actors->rot_angle[slot]) {
    actors->rot_angle[slot] = actors->angle[slot];
    actors->rot[slot] = cl_rot_of(actors->rot_angle[slot]);
  }
  return cl_actor_placed(actors, slot, true);
}

// A shape that looks the same at each angle, such as a circle, is placed without one.
cl_vec cl_actor_looks(const cl_actors *actors, uint32_t slot, const cl_placed *placed) {
  cl_vec aim = cl_one_way_of(actors->state[slot], actors->aim[slot]);
  double angle = actors->angle ? actors->angle[slot] : 0;
  bool turns = angle != 0 && !(placed->shape->flags & CL_SHAPE_UPRIGHT);
  if (actors->state[slot] & CL_AIMED) cl_vec_normalise(&aim);
  return cl_rot_apply(turns && cl_rot_is_none(placed->rot) ? cl_rot_of(angle) : placed->rot, aim);
}

uint32_t cl_world_turned_map(const cl_world *world) {
  const cl_actors *actors = &world->actors;
  if (actors->maps == 0 || !actors->next_angle) return CL_NOBODY;
  uint32_t slot = 0;
  while (slot < actors->count && !(actors->state[slot] & CL_MAP && actors->next_angle[slot] != 0))
    slot++;
  return slot < actors->count ? slot : CL_NOBODY;
}

uint32_t cl_world_slots(const cl_world *world) { return world->actors.count; }

bool cl_world_has(const cl_world *world, uint32_t slot) {
  assert(slot < world->actors.count);
  return world->actors.state[slot] & CL_LIVE;
}

void cl_world_show(cl_world *world) {
  cl_io *io = world->io;
  const cl_contact_list *contacts = &world->contacts;
  io->place = world->actors.next;
  io->angle = world->actors.next_angle;
  io->state = world->actors.state;
  io->slots = world->actors.count;
  io->event = contacts->event;
  io->events = contacts->events;
  io->leaves = contacts->leaves;
  io->contact = contacts->now.pair;
  io->hit = contacts->hit;
  io->calls = contacts->now.bits;
  io->ended = contacts->ended.pair;
  io->ended_calls = contacts->ended.bits;
  io->time = contacts->any_time ? contacts->time : NULL;
}

bool cl_world_can_move(const cl_world *world, uint32_t slot) {
  const cl_actors *actors = &world->actors;
  return slot < actors->count && actors->state[slot] & CL_LIVE &&
         actors->shape[slot]->kind != CL_TILES;
}

// ---- who ignores whom -----------------------------------------------------------------------

// The sort key of a pair. Its lowest bit says which of the two names the other: slots are below
// 2^31.
static uint64_t ignored_key(cl_pair p) {
  uint64_t later = p.a > p.b ? p.a : p.b, earlier = p.a > p.b ? p.b : p.a;
  return later << 33 | earlier << 1 | (p.a > p.b);
}

static int by_ignored_key(const void *a, const void *b) {
  uint64_t x = ignored_key(*(const cl_pair *)a), y = ignored_key(*(const cl_pair *)b);
  return (x > y) - (x < y);
}

// The index of the first pair with this key or a greater one.
static size_t first_ignored(const cl_pairs *ignored, uint64_t key) {
  size_t low = 0, high = ignored->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ignored_key(ignored->at[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool cl_world_ignores(const cl_world *world, uint32_t a, uint32_t b) {
  const cl_pairs *ignored = &world->ignored;
  assert(a < world->actors.count && b < world->actors.count);
  if (world->actors.ignoring[a] == 0 || world->actors.ignoring[b] == 0) return false;
  uint64_t key = ignored_key((cl_pair){a < b ? a : b, a < b ? b : a});
  size_t at = first_ignored(ignored, key);
  return at < ignored->count && ignored_key(ignored->at[at]) <= (key | 1);
}

bool cl_are_ignored_valid(const cl_pairs *ignored, uint32_t slots) {
  for (size_t i = 0; i < ignored->count; i++) {
    const cl_pair *p = &ignored->at[i];
    if (p->a == p->b || p->a >= slots || p->b >= slots) return false;
    if (i > 0 && by_ignored_key(p - 1, p) >= 0) return false;
  }
  return true;
}

void cl_ignored_count(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (actors->count > 0) memset(actors->ignoring, 0, actors->count * sizeof *actors->ignoring);
  for (size_t i = 0; i < world->ignored.count; i++) {
    actors->ignoring[world->ignored.at[i].a]++;
    actors->ignoring[world->ignored.at[i].b]++;
  }
}

static bool is_listed(const uint32_t *slot, size_t count, uint32_t one) {
  size_t at = cl_first_from(slot, count, one);
  return at < count && slot[at] == one;
}

// Pairs with the first listed slot begin at its pair with slot 0; after those of the last listed
// slot nothing is dropped.
void cl_ignored_drop(cl_world *world, const uint32_t *slot, size_t count, bool both) {
  uint32_t *ignoring = world->actors.ignoring;
  cl_pairs *ignored = &world->ignored;
  uint64_t left = 0;
  for (size_t k = 0; k < count; k++) left += ignoring[slot[k]];
  if (left == 0) return;
  size_t i = first_ignored(ignored, (uint64_t)slot[0] << 33), n = i;
  for (; i < ignored->count && left > 0; i++) {
    cl_pair p = ignored->at[i];
    bool first = is_listed(slot, count, p.a), second = is_listed(slot, count, p.b);
    bool drop = first || (both && second);
    left -= (uint64_t)first + second;
    ignoring[p.a] -= drop;
    ignoring[p.b] -= drop;
    ignored->at[n] = p;
    n += !drop;
  }
  memmove(&ignored->at[n], &ignored->at[i], (ignored->count - i) * sizeof *ignored->at);
  ignored->count -= i - n;
}

void cl_ignored_add(cl_world *world, cl_pair *pair, size_t count) {
  uint32_t *ignoring = world->actors.ignoring;
  cl_pairs *ignored = &world->ignored;
  size_t n = 0, old = ignored->count;
  cl_sort_by(pair, count, sizeof *pair, by_ignored_key);
  for (size_t i = 0; i < count; i++) {
    size_t at = first_ignored(ignored, ignored_key(pair[i]));
    bool had = at < old && by_ignored_key(&ignored->at[at], &pair[i]) == 0;
    if (had || (n > 0 && by_ignored_key(&pair[n - 1], &pair[i]) == 0)) continue;
    ignoring[pair[i].a]++;
    ignoring[pair[i].b]++;
    pair[n++] = pair[i];
  }
  ignored->count += n;
  for (cl_pair *to = CL_AT(ignored->at, ignored->count); n > 0;) {
    bool later = old > 0 && by_ignored_key(&ignored->at[old - 1], &pair[n - 1]) > 0;
    *--to = later ? ignored->at[--old] : pair[--n];
  }
}

// ---- rosters --------------------------------------------------------------------------------

cl_roster *cl_roster_retain(cl_roster *roster) {
  roster->references++;
  return roster;
}

void cl_roster_drop_shapes(cl_roster *roster) {
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    if (roster->shape[slot]) cl_shape_release(roster->shape[slot]);
    roster->shape[slot] = NULL;
  }
  roster->grids = 0;
}

void cl_roster_release(cl_roster *roster) {
  assert(roster->references > 0);
  if (--roster->references > 0) return;
  cl_alloc alloc = roster->alloc;
  cl_roster_drop_shapes(roster);
  CL_FREE(&alloc, roster->shape, roster->shape_cap);
  CL_FREE(&alloc, roster->entry, roster->entry_cap);
  CL_FREE(&alloc, roster->grid, roster->grid_cap);
  CL_FREE(&alloc, roster->ignored.at, roster->ignored.cap);
  cl_free(&alloc, roster, sizeof *roster);
}

// Room for `count` slots and, if the shapes are known, for the grids among them.
static cl_status reserve_roster(cl_roster *roster, cl_shape *const *shape, uint32_t count) {
  size_t tiles = 0;
  for (uint32_t slot = 0; shape && slot < count; slot++) tiles += shape[slot] && shape[slot]->grid;
  cl_status status = CL_RESERVE(&roster->alloc, roster->shape, roster->shape_cap, count);
  if (status == CL_OK) status = CL_RESERVE(&roster->alloc, roster->entry, roster->entry_cap, count);
  if (status != CL_OK || tiles == 0) return status;
  return CL_RESERVE(&roster->alloc, roster->grid, roster->grid_cap, tiles);
}

cl_roster *cl_roster_new(const cl_alloc *alloc, uint32_t slots) {
  cl_roster *roster = cl_new(alloc, sizeof *roster);
  if (!roster) return NULL;
  roster->alloc = *alloc;
  roster->references = 1;
  if (reserve_roster(roster, NULL, slots) == CL_OK) return roster;
  cl_roster_release(roster);
  return NULL;
}

static bool lists(const cl_roster *roster, const cl_grid *grid) {
  for (uint32_t i = 0; i < roster->grids; i++) {
    if (roster->grid[i] == grid) return true;
  }
  return false;
}

// Room for them was reserved.
static void take_shapes(cl_roster *roster, cl_shape *const *shape) {
  roster->grids = 0;
  for (uint32_t slot = 0; slot < roster->count; slot++) {
    roster->shape[slot] = shape[slot] ? cl_shape_retain(shape[slot]) : NULL;
    cl_grid *grid = shape[slot] ? shape[slot]->grid : NULL;
    if (grid && !lists(roster, grid)) roster->grid[roster->grids++] = grid;
  }
}

cl_status cl_roster_set_shapes(cl_roster *roster, cl_shape *const *shape) {
  cl_status status = reserve_roster(roster, shape, roster->count);
  if (status == CL_OK) take_shapes(roster, shape);
  return status;
}

// Makes a roster of the actors; reuses the given one if nothing else refers to it.
static cl_roster *roster_of(cl_world *world, cl_roster *given) {
  const cl_actors *actors = &world->actors;
  bool own = given && given->references == 1;
  cl_roster *roster = own ? given : cl_roster_new(&world->alloc, actors->count);
  if (!roster) return NULL;
  const cl_pairs *ignored = &world->ignored;
  cl_pairs *kept = &roster->ignored;
  cl_status status = reserve_roster(roster, actors->shape, actors->count);
  if (status == CL_OK) status = CL_RESERVE(&roster->alloc, kept->at, kept->cap, ignored->count);
  if (status != CL_OK) {
    if (!own) cl_roster_release(roster);
    return NULL;
  }
  cl_roster_drop_shapes(roster);
  kept->count = ignored->count;
  if (kept->count > 0) memcpy(kept->at, ignored->at, kept->count * sizeof *kept->at);
  roster->count = actors->count;
  roster->live = actors->live;
  take_shapes(roster, actors->shape);
  for (uint32_t slot = 0; slot < actors->count; slot++) {
    roster->entry[slot] =
        (cl_roster_entry){actors->aim[slot],        actors->state[slot],  actors->group[slot],
                          actors->event_mask[slot], actors->unread[slot], actors->kept[slot]};
  }
  return roster;
}

cl_status cl_roster_update(cl_world *world, cl_roster **roster) {
  if (world->roster && !cl_roster_current(world)) {
    cl_roster_release(world->roster);
    world->roster = NULL;
  }
  cl_roster *old = *roster;
  if (!world->roster) {
    cl_roster *fresh = roster_of(world, old);
    if (!fresh) return CL_NOMEM;
    world->roster = fresh == old ? cl_roster_retain(fresh) : fresh;
    world->roster_of = world->actors.edits;
  }
  if (old == world->roster) return CL_OK;
  *roster = cl_roster_retain(world->roster);
  if (old) cl_roster_release(old);
  return CL_OK;
}

uint32_t cl_roster_slot_of(const cl_roster *roster, const cl_grid *grid) {
  uint32_t slot = 0;
  while (!roster->shape[slot] || roster->shape[slot]->grid != grid) slot++;
  return slot;
}
