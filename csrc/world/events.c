// collide, MIT licence (see LICENSE)
//
// From contacts to events: which contacts begin, stay and end from step to step, which calls each
// actor has got, and the contacts of each actor. A pair has two directions, a about b and b about
// a. Each direction gets `enter` once when the two meet and `leave` once when they part, even if a
// dispatch ends early: by an error, a coroutine that is never resumed, or another step. Actors may
// be removed during a dispatch. The host only counts the calls that it begins. The next step works
// out the rest from that count and from the counts at which actors were removed. Layer: world.

#include "world/state.h"

#include <float.h>

// ---- the list of contacts, in a world and in snapshots --------------------------------------

enum { HAS_BITS = 1, HAS_MUTED = 2, HAS_TIMES = 4 };

static const cl_saved link_fields[] = {
    {"a", CL_SLOT, CL_COLUMN(cl_links, pair), offsetof(cl_pair, a), 0, 0, 0},
    {"b", CL_SLOT, CL_COLUMN(cl_links, pair), offsetof(cl_pair, b), 0, 0, 0},
    {"bits", CL_U8, CL_COLUMN(cl_links, bits), 0, 0, UINT8_MAX, HAS_BITS},
    {0},
};

#define HIT(name) CL_COLUMN(cl_contact_list, hit), offsetof(cl_hit, name)
static const cl_saved hit_fields[] = {
    {"nx", CL_F64, HIT(nx), -2, 2, 0},
    {"ny", CL_F64, HIT(ny), -2, 2, 0},
    {"depth", CL_F64, HIT(depth), 0, DBL_MAX, 0},
    {"muted", CL_BITS, CL_COLUMN(cl_contact_list, muted), 0, 0, CL_NOTIFIED, HAS_MUTED},
    {"t", CL_F64, CL_COLUMN(cl_contact_list, time), 0, -1, 1, HAS_TIMES},
    {0},
};

#define FLAG(name) CL_BOOL, CL_OWN, offsetof(cl_contact_list, name), 0, 0, 0
static const cl_saved flag_fields[] = {
    {"cut", FLAG(cut)},
    {"any_muted", FLAG(any_muted)},
    {"any_time", FLAG(any_time)},
    {"enters_wanted", FLAG(enters_wanted)},
    {"leaves_wanted", FLAG(leaves_wanted)},
    {0},
};

static const cl_saved event_fields[] = {
    {"event", CL_U32, CL_COLUMN(cl_contact_list, event), 0, 0, UINT32_MAX, 0},
    {0},
};

static unsigned parts_of(const cl_contact_list *contacts) {
  return (contacts->any_muted ? HAS_MUTED : 0) | (contacts->any_time ? HAS_TIMES : 0);
}

void cl_contact_list_free(cl_contact_list *contacts, const cl_alloc *alloc) {
  cl_rows_free(link_fields, alloc, &contacts->now);
  cl_rows_free(link_fields, alloc, &contacts->ended);
  cl_rows_free(link_fields, alloc, &contacts->spare);
  cl_rows_free(hit_fields, alloc, contacts);
  cl_rows_free(event_fields, alloc, contacts);
}

size_t cl_contact_list_bytes(const cl_contact_list *contacts) {
  return cl_rows_bytes(link_fields, &contacts->now) + cl_rows_bytes(link_fields, &contacts->ended) +
         cl_rows_bytes(link_fields, &contacts->spare) + cl_rows_bytes(hit_fields, contacts) +
         cl_rows_bytes(event_fields, contacts);
}

cl_status cl_contact_list_reserve(const cl_alloc *alloc, cl_contact_list *to,
                                  const cl_contact_list *from, bool over) {
  size_t now = from->now.count, ended = over ? 0 : from->ended.count;
  cl_status status = cl_rows_reserve(link_fields, HAS_BITS, alloc, &to->now, now);
  if (status == CL_OK) status = cl_rows_reserve(link_fields, HAS_BITS, alloc, &to->ended, ended);
  if (status == CL_OK) status = cl_rows_reserve(hit_fields, parts_of(from), alloc, to, now);
  if (status != CL_OK) return status;
  return cl_rows_reserve(event_fields, 0, alloc, to, over ? 0 : from->events);
}

void cl_contact_list_copy(cl_contact_list *to, const cl_contact_list *from, bool over) {
  size_t now = to->now.count = from->now.count;
  to->ended.count = over ? 0 : from->ended.count;
  to->events = over ? 0 : from->events;
  to->leaves = over ? 0 : from->leaves;
  to->uncompared = false;
  cl_rows_copy(flag_fields, 0, to, from, 0);
  cl_rows_copy(hit_fields, parts_of(from), to, from, now);
  cl_rows_copy(link_fields, over ? 0 : HAS_BITS, &to->now, &from->now, now);
  cl_rows_copy(link_fields, HAS_BITS, &to->ended, &from->ended, to->ended.count);
  cl_rows_copy(event_fields, 0, to, from, to->events);
  if (over && now > 0) memset(to->now.bits, CL_NOTIFIED, now);
}

bool cl_are_pairs_valid(const cl_pair *pair, size_t count, uint32_t slots) {
  for (size_t i = 0; i < count; i++) {
    if (pair[i].a >= pair[i].b || pair[i].b >= slots) return false;
    if (i > 0 && cl_pair_key(pair[i - 1]) >= cl_pair_key(pair[i])) return false;
  }
  return true;
}

static bool are_hits_valid(const cl_contact_list *contacts) {
  for (size_t i = 0; i < contacts->now.count; i++) {
    cl_hit hit = contacts->hit[i];
    double t = contacts->any_time ? contacts->time[i] : -1;
    if (!cl_row_is_valid(hit_fields, parts_of(contacts), contacts, i)) return false;
    if (!(fabs(hit.nx * hit.nx + hit.ny * hit.ny - 1) < 1e-9)) return false;
    if (t != -1 && !(t >= 0 && hit.depth == 0)) return false;
  }
  return true;
}

enum { LEAVE_CALLS = CL_CALL_LEAVE_A | CL_CALL_LEAVE_B };

// Whether each event belongs to a contact that asks for calls, and events are in order.
static bool are_events_valid(const cl_contact_list *contacts) {
  if (contacts->leaves > contacts->events) return false;
  for (uint32_t e = 0; e < contacts->events; e++) {
    bool leave = e < contacts->leaves, first = e == 0 || e == contacts->leaves;
    const cl_links *links = leave ? &contacts->ended : &contacts->now;
    uint32_t i = contacts->event[e];
    if (i >= links->count || (!first && contacts->event[e - 1] >= i)) return false;
    unsigned calls = links->bits[i] & CL_CALLS;
    if (calls == 0 || calls & (leave ? CL_CALLS & ~LEAVE_CALLS : LEAVE_CALLS)) return false;
  }
  return true;
}

bool cl_contact_list_is_valid(const cl_contact_list *contacts, uint32_t slots) {
  const cl_links *now = &contacts->now, *ended = &contacts->ended;
  return cl_are_pairs_valid(now->pair, now->count, slots) &&
         cl_are_pairs_valid(ended->pair, ended->count, slots) && are_hits_valid(contacts) &&
         are_events_valid(contacts);
}

static void archive_links(cl_archive *a, cl_links *links, unsigned has) {
  uint32_t count = cl_rows_begin(link_fields, has, links, (uint32_t)links->count, a);
  for (uint32_t i = 0; i < count; i++) {
    if (a->taped) cl_archive_pair_key(a, CL_HITS, links->pair[i].a, links->pair[i].b);
    cl_row_archive(link_fields, has, links, i, a);
  }
  links->count = count;
  if (a->reading && !has && count > 0) memset(links->bits, CL_NOTIFIED, count);
}

void cl_contact_list_archive(cl_archive *a, cl_contact_list *contacts, bool over,
                             double *dispatched) {
  cl_row_archive(flag_fields, 0, contacts, 0, a);
  archive_links(a, &contacts->now, over ? 0 : HAS_BITS);
  uint32_t now = (uint32_t)contacts->now.count;
  if (a->reading) cl_rows_make(hit_fields, contacts, now, a);
  if (a->reading && a->status != CL_OK) return;
  for (uint32_t i = 0; i < now; i++) {
    cl_pair pair = contacts->now.pair[i];
    bool derived = a->derived && a->derived[i];
    if (a->taped) cl_archive_pair_key(a, CL_DEPTHS, pair.a, pair.b);
    if (a->brief) cl_archive_bool(a, &derived);
    if (a->reading && derived) contacts->hit[i].depth = NAN;
    if (derived) continue;
    cl_row_archive(hit_fields, parts_of(contacts), contacts, i, a);
  }
  cl_archive_key(a, CL_ENDED, CL_HITS);
  if (over) {
    cl_archive_check(a, !contacts->cut);
    return;
  }
  cl_archive_f64(a, dispatched);
  cl_archive_check(a, *dispatched >= 0 && *dispatched <= CL_ALL_DISPATCHED &&
                          *dispatched == floor(*dispatched));
  archive_links(a, &contacts->ended, HAS_BITS);
  cl_archive_u32(a, &contacts->leaves);
  contacts->events = cl_rows_archive(event_fields, 0, contacts, contacts->events, a);
}

bool cl_contact_list_differ(const cl_contact_list *a, const cl_contact_list *b, size_t i,
                            cl_difference *out) {
  unsigned has = parts_of(a) & parts_of(b) & HAS_TIMES;
  return cl_row_differ(hit_fields, has, (cl_row){a, i, NULL}, (cl_row){b, i, NULL}, out);
}

// ---- the dispatch ---------------------------------------------------------------------------

// The ended contacts, then the present ones, are the records of a step in the order of dispatch;
// only some of them may be events. Each has this many calls: leave a, leave b or enter a, enter b,
// hit a, hit b. Calls are numbered so that the first present contact begins at 0.
enum { CALLS = 4 };

static double first_call(double contact) { return CALLS * contact; }

static double first_leave(const cl_world *world, size_t ended) {
  return first_call((double)ended - (double)world->contacts.ended.count);
}

// Converts `dispatched`, the count of begun calls of events, to a number in the calls of records:
// calls with smaller numbers have begun. A call that no actor asks for counts as dispatched when
// its number has passed.
double cl_dispatch_progress(const cl_world *world, double dispatched) {
  if (dispatched <= 0) return -INFINITY;
  double event = floor((dispatched - 1) / CL_CALL_NUMBERS);
  if (event >= world->contacts.events) return CL_ALL_DISPATCHED;
  uint32_t e = (uint32_t)event, i = world->contacts.event[e];
  double first = e < world->contacts.leaves ? first_leave(world, i) : first_call(i);
  return first + (dispatched - event * CL_CALL_NUMBERS);
}

bool cl_dispatch_is_over(const cl_world *world, double dispatched) {
  return cl_dispatch_progress(world, dispatched) >= CL_ALL_DISPATCHED && !world->contacts.cut;
}

// The new contacts, at most as many as candidates, overwrite the ended ones; the newly ended ones
// overwrite the old contacts, of which there are at least as many.
cl_status cl_dispatch_reserve(cl_world *world, double dispatched) {
  const cl_alloc *alloc = &world->alloc;
  cl_contact_list *contacts = &world->contacts;
  bool over = cl_dispatch_is_over(world, dispatched);
  size_t most = world->found.count, open = contacts->now.count + contacts->ended.count;
  size_t leaves = contacts->leaves_wanted ? open : 0;
  unsigned has =
      (world->actors.swept > 0 ? HAS_TIMES : 0) | (world->rules.one_sided ? HAS_MUTED : 0);
  cl_status status = cl_rows_reserve(link_fields, HAS_BITS, alloc, &contacts->ended, most);
  if (status == CL_OK) status = cl_rows_reserve(hit_fields, has, alloc, contacts, most);
  if (status == CL_OK && !over) {
    status = cl_rows_reserve(link_fields, HAS_BITS, alloc, &contacts->spare, open);
  }
  return status == CL_OK ? cl_rows_reserve(event_fields, 0, alloc, contacts, most + leaves)
                         : status;
}

// The calls of a contact: they are numbered from `first`, and those with numbers below `progress`
// have begun.
typedef struct call_range {
  double first, progress;
} call_range;

// Whether the dispatch has reached `enter` of the `nth` actor of the pair, with or without such a
// method. The dispatch skips a pair if one of its actors was already removed. An actor that is
// removed during the calls of its pair gets no further call.
static bool entered(call_range t, int nth, double removed_self, double removed_other) {
  double call = t.first + nth;
  return call < t.progress && call < removed_self && t.first < removed_other;
}

static double removed_at(const cl_actors *actors, uint32_t slot) {
  return actors->state[slot] & CL_LIVE ? CL_ALL_DISPATCHED : actors->place[slot].x;
}

static uint8_t notified_of_contact(const cl_world *world, size_t i, double progress) {
  const cl_links *now = &world->contacts.now;
  call_range t = {first_call((double)i), progress};
  double a = removed_at(&world->actors, now->pair[i].a);
  double b = removed_at(&world->actors, now->pair[i].b);
  uint8_t bits = now->bits[i] & CL_NOTIFIED;
  if (entered(t, 0, a, b)) bits |= CL_NOTIFIED_A;
  if (entered(t, 1, b, a)) bits |= CL_NOTIFIED_B;
  return world->contacts.any_muted ? bits & (uint8_t)~world->contacts.muted[i] : bits;
}

// Which actors have yet to get the `leave` of a contact that has ended.
static uint8_t pending_of_ended(const cl_world *world, size_t i, double progress) {
  double first = first_leave(world, i);
  uint8_t bits = world->contacts.ended.bits[i] & CL_NOTIFIED;
  if (first < progress) bits &= (uint8_t)~CL_NOTIFIED_A;
  if (first + 1 < progress) bits &= (uint8_t)~CL_NOTIFIED_B;
  return bits;
}

// In the open contacts, the CL_NOTIFIED bits of a pair say which actors got `enter` and no `leave`;
// the same bits two places down say which have yet to get the `leave` of an earlier contact.
enum { PENDING = 2 };

static uint64_t key_at(const cl_links *links, size_t i) {
  return i < links->count ? cl_pair_key(links->pair[i]) : UINT64_MAX;
}

// Collects the open contacts after a dispatch that was cut short. A pair can be in both lists, one
// direction in each, if it met again before both actors had got the `leave` of the earlier contact.
static void gather_open(cl_world *world, double progress) {
  cl_contact_list *contacts = &world->contacts;
  cl_links *open = &contacts->spare;
  size_t i = 0, j = 0;
  open->count = 0;
  while (i < contacts->now.count || j < contacts->ended.count) {
    uint64_t now = key_at(&contacts->now, i), ended = key_at(&contacts->ended, j);
    unsigned notified = 0, pending = 0;
    if (now <= ended) notified = notified_of_contact(world, i++, progress);
    if (ended <= now) pending = pending_of_ended(world, j++, progress);
    open->pair[open->count] = cl_pair_of(now < ended ? now : ended);
    open->bits[open->count] = (uint8_t)(notified | pending >> PENDING);
    open->count += (notified | pending) != 0;
  }
}

// Leaves the open contacts in `ended`, and in `now` a list with room for the new contacts. `all`:
// the dispatch is over and no actor is muted. Then all open contacts have CL_NOTIFIED, and the bits
// are not written.
static void settle(cl_world *world, double dispatched, bool all) {
  cl_contact_list *contacts = &world->contacts;
  cl_links ended = contacts->ended;
  if (all) {
    contacts->ended = contacts->now;
  } else {
    gather_open(world, cl_dispatch_progress(world, dispatched));
    contacts->ended = contacts->spare;
    contacts->spare = contacts->now;
  }
  contacts->now = ended;
  contacts->cut = false;
}

// Merges the open and the new contacts without a branch, since whether the next pair stays, begins
// or ends is unpredictable. Open pairs that are no longer contacts, or had ended before, overwrite
// the list that they come from. `plain`: all open contacts have CL_NOTIFIED, and their bits are not
// written yet.
CL_INLINE void merge(cl_links *open, cl_links *now, bool plain) {
  // Local copies, because to the compiler the writes may change anything.
  cl_pair *pairs = open->pair;
  const cl_pair *found = now->pair;
  uint8_t *bits = open->bits, *notified = now->bits;
  size_t i = 0, j = 0, ended = 0, count = open->count, all = now->count;
  while (i < count && j < all) {
    uint64_t was = cl_pair_key(pairs[i]), is = cl_pair_key(found[j]);
    unsigned old = was <= is, fresh = is <= was; // masks of them are -old, -fresh
    unsigned met = plain ? CL_NOTIFIED : bits[i];
    unsigned pending = (met << PENDING | (met & (fresh - 1))) & CL_NOTIFIED;
    notified[j] |= (uint8_t)(met & CL_NOTIFIED & (0 - (old & fresh)));
    pairs[ended] = cl_pair_of(was);
    if (!plain) bits[ended] = (uint8_t)(met ^ ((met ^ pending) & (0 - old))); // may be its own
    ended += old & (pending != 0);
    i += old;
    j += fresh;
  }
  if (i < count) memmove(pairs + ended, pairs + i, (count - i) * sizeof *pairs);
  for (size_t k = i; !plain && k < count; k++) {
    bits[ended + (k - i)] = (uint8_t)((bits[k] | bits[k] << PENDING) & CL_NOTIFIED);
  }
  open->count = ended + (count - i);
  if (plain && open->count > 0) memset(bits, CL_NOTIFIED, open->count);
}

void cl_contact_list_compare(cl_contact_list *contacts) {
  if (contacts->uncompared) merge(&contacts->ended, &contacts->now, true);
  contacts->uncompared = false;
}

// Whether the comparison can be put off, because no actor wants enter or leave.
static bool may_wait(const cl_world *world) {
  const cl_contact_list *contacts = &world->contacts;
  const cl_actors *actors = &world->actors;
  return !contacts->enters_wanted && !contacts->leaves_wanted && actors->live == actors->count;
}

// Sets the CL_NOTIFIED bits after a complete dispatch, if some actors get or got no events.
static void mark_notified(cl_contact_list *contacts) {
  cl_links *now = &contacts->now;
  for (size_t i = 0; i < now->count; i++) {
    unsigned muted = contacts->any_muted ? contacts->muted[i] : 0;
    now->bits[i] = (uint8_t)(CL_NOTIFIED & ~muted);
  }
}

// Which of two actors get no events about the other by the rules of their groups: CL_NOTIFIED_
// bits.
static unsigned muted_of(const cl_world *world, cl_pair pair) {
  unsigned a = world->actors.group[pair.a], b = world->actors.group[pair.b];
  return (world->rules.notifies[a] >> b & 1 ? 0 : CL_NOTIFIED_A) |
         (world->rules.notifies[b] >> a & 1 ? 0 : CL_NOTIFIED_B);
}

// Ends contacts for actors that no longer get events about the other actor, though the two still
// meet.
static void end_for_muted(const cl_world *world, cl_links *open) {
  for (size_t i = 0; i < open->count; i++) {
    unsigned ends = open->bits[i] & muted_of(world, open->pair[i]);
    open->bits[i] = (uint8_t)((open->bits[i] & ~ends) | ends >> PENDING);
  }
}

static void list_muted(cl_world *world) {
  cl_contact_list *contacts = &world->contacts;
  for (size_t i = 0; i < contacts->now.count; i++) {
    contacts->muted[i] = (uint8_t)muted_of(world, contacts->now.pair[i]);
  }
}

void cl_dispatch_advance(cl_world *world, double dispatched) {
  cl_contact_list *contacts = &world->contacts;
  cl_links *now = &contacts->now;
  bool all = cl_dispatch_is_over(world, dispatched);
  bool plain = all && !contacts->any_muted && !world->rules.one_sided;
  if (!all) cl_contact_list_compare(contacts);
  else if (!plain) mark_notified(contacts);
  settle(world, dispatched, all);
  cl_contacts_make(world, now);
  if (now->count > 0) memset(now->bits, 0, now->count);
  contacts->any_muted = world->rules.one_sided;
  if (contacts->any_muted) {
    end_for_muted(world, &contacts->ended);
    list_muted(world);
  }
  contacts->uncompared = plain;
  if (!plain) merge(&contacts->ended, now, false);
  else if (!may_wait(world)) cl_contact_list_compare(contacts);
}

// The bits of calls to the first of a pair are those of calls to the second, shifted up by one. An
// event mask has the bits of calls to the first; CL_NOTIFIED has its bits in the same order. So
// finding which calls a pair asks for needs no branch.
_Static_assert((int)CL_EVENT_LEAVE == (int)CL_CALL_LEAVE_A &&
                   (int)CL_EVENT_ENTER == (int)CL_CALL_ENTER_A &&
                   (int)CL_EVENT_HIT == (int)CL_CALL_HIT_A,
               "masks are calls to the first");
_Static_assert(CL_CALL_LEAVE_A == CL_CALL_LEAVE_B << 1 && CL_CALL_ENTER_A == CL_CALL_ENTER_B << 1 &&
                   CL_CALL_HIT_A == CL_CALL_HIT_B << 1,
               "calls to the second are one place down");
enum { LEAVES = 2, ENTERS = 4, HITS = 6 }; // the distance down from CL_NOTIFIED
_Static_assert(CL_NOTIFIED >> LEAVES == (CL_CALL_LEAVE_A | CL_CALL_LEAVE_B) &&
                   CL_NOTIFIED >> ENTERS == (CL_CALL_ENTER_A | CL_CALL_ENTER_B) &&
                   CL_NOTIFIED >> HITS == (CL_CALL_HIT_A | CL_CALL_HIT_B),
               "CL_NOTIFIED has the bits of all calls");

static unsigned asked_for(const uint8_t *event_mask, cl_pair pair) {
  return event_mask[pair.a] | (unsigned)event_mask[pair.b] >> 1;
}

static uint32_t list_leaves(const uint8_t *event_mask, const cl_links *ended, uint32_t *event) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < ended->count; i++) {
    unsigned pending = ended->bits[i];
    unsigned calls = asked_for(event_mask, ended->pair[i]) & (pending & CL_NOTIFIED) >> LEAVES;
    ended->bits[i] = (uint8_t)(pending | calls);
    event[n] = i;
    n += calls != 0;
  }
  return n;
}

enum { MEET = CL_CALL_ENTER_A | CL_CALL_ENTER_B | CL_CALL_HIT_A | CL_CALL_HIT_B };

// The events among the contacts. With `muted`, some actors get no calls.
CL_INLINE uint32_t list_meetings(const uint8_t *event_mask, const cl_contact_list *contacts,
                                 uint32_t *event, bool muted) {
  const cl_pair *pair = contacts->now.pair;
  uint8_t *bits = contacts->now.bits;
  uint32_t n = 0;
  for (uint32_t i = 0, count = (uint32_t)contacts->now.count; i < count; i++) {
    unsigned notified = bits[i], none = muted ? contacts->muted[i] : 0;
    unsigned calls =
        asked_for(event_mask, pair[i]) & MEET & ~((notified | none) >> ENTERS) & ~(none >> HITS);
    bits[i] = (uint8_t)(notified | calls);
    event[n] = i;
    n += calls != 0;
  }
  return n;
}

void cl_dispatch_list(cl_world *world) {
  cl_contact_list *contacts = &world->contacts;
  const uint8_t *event_mask = world->actors.event_mask;
  bool leaves = contacts->leaves_wanted;
  contacts->leaves = leaves ? list_leaves(event_mask, &contacts->ended, contacts->event) : 0;
  uint32_t *event = CL_AT(contacts->event, contacts->leaves);
  contacts->events = contacts->leaves;
  if (contacts->any_muted) contacts->events += list_meetings(event_mask, contacts, event, true);
  else contacts->events += list_meetings(event_mask, contacts, event, false);
}

// ---- what a host asks after a step ----------------------------------------------------------

cl_counts cl_world_counts(const cl_world *world) {
  return (cl_counts){world->actors.live, world->candidates.count, world->contacts.now.count,
                     world->broad->name};
}

bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit) {
  assert(k < world->contacts.now.count);
  *pair = world->contacts.now.pair[k];
  *hit = world->contacts.hit[k];
  return world->actors.state[pair->a] & world->actors.state[pair->b] & CL_LIVE;
}

void cl_links_name(const cl_links *links, uint8_t *named) {
  for (size_t i = 0; i < links->count; i++) {
    named[links->pair[i].a] = named[links->pair[i].b] = 1;
  }
}

void cl_contacts_name(cl_world *world) {
  cl_actors *actors = &world->actors;
  if (world->named_of == world->steps || actors->count == 0) return;
  memset(actors->named, 0, actors->count);
  cl_contact_list_compare(&world->contacts);
  cl_links_name(&world->contacts.now, actors->named);
  cl_links_name(&world->contacts.ended, actors->named);
  world->named_of = world->steps;
}

// The first contact with its first actor at or after `slot`.
static size_t first_contact(const cl_world *world, uint32_t slot) {
  const cl_links *contacts = &world->contacts.now;
  size_t low = 0, high = contacts->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (contacts->pair[middle].a < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Makes the index of contacts by their second actor, by a counting sort. It is stable, so each
// actor's contacts stay in the order of their first actors.
static cl_status make_index(cl_world *world) {
  cl_hit_index *index = &world->hit_index;
  const cl_links *contacts = &world->contacts.now;
  size_t count = contacts->count, slots = (size_t)world->actors.count + 2;
  cl_status status = CL_RESERVE(&world->alloc, index->second_start, index->second_start_cap, slots);
  if (status == CL_OK) {
    status = CL_RESERVE(&world->alloc, index->by_second, index->by_second_cap, count);
  }
  if (status != CL_OK) return status;
  uint32_t *start = index->second_start;
  memset(start, 0, slots * sizeof *start);
  for (size_t k = 0; k < count; k++) start[contacts->pair[k].b + 2]++;
  cl_sum_up(start, slots);
  for (size_t k = 0; k < count; k++) {
    index->by_second[start[contacts->pair[k].b + 1]++] = (uint32_t)k;
  }
  index->step = world->steps;
  return CL_OK;
}

// How many contacts have `slot` as their second actor.
static size_t count_second(const cl_hit_index *index, uint32_t slot) {
  return index->second_start[slot + 1] - index->second_start[slot];
}

cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count) {
  assert(slot < world->actors.count);
  cl_hit_index *index = &world->hit_index;
  cl_contacts_name(world);
  if (!world->actors.named[slot]) { // also for actors added since, which the index lacks
    *count = 0;
    return CL_OK;
  }
  cl_status status = index->step == world->steps ? CL_OK : make_index(world);
  if (status != CL_OK) return status;
  *count = count_second(index, slot) + first_contact(world, slot + 1) - first_contact(world, slot);
  return CL_OK;
}

size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k) {
  const cl_hit_index *index = &world->hit_index;
  assert(slot < world->actors.count && index->step == world->steps);
  size_t second = count_second(index, slot);
  if (k < second) return index->by_second[index->second_start[slot] + k];
  return first_contact(world, slot) + (k - second);
}

void cl_world_candidates(const cl_world *world, const cl_pair **pairs, size_t *count) {
  *pairs = world->candidates.at;
  *count = world->candidates.count;
}

size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t cap) {
  return world->broad->class->cells(world->broad, out, cap);
}
