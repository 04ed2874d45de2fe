// collide, MIT licence (see LICENSE)
//
// The dispatch of events, and which of them each actor has got. A pair has two directions, a about
// b and b about a. Each gets `enter` once when the two meet and `leave` once when they part, even
// if a dispatch ends early: by an error, a coroutine that is never resumed, or the next step.
// Actors may be removed during it. The host only counts the calls that it begins. The next step
// works out the rest from that count and from the counts at which actors were removed.
// Layer: world.

#include "world/pair_key.h"
#include "world/step.h"

// The ended contacts, then the present ones, are the records of a step in the order of dispatch;
// only some of them may be events. Each has this many calls: leave a, leave b or enter a, enter b,
// hit a, hit b. Calls are numbered so that the first present contact begins at 0.
enum { CALLS = 4 };

static double first_call(double contact) { return CALLS * contact; }

static double first_leave(const cl_world *world, size_t ended) {
  return first_call((double)ended - (double)world->contacts.ended.count);
}

// Converts `dispatched`, the count of begun calls of events, to a number of records' calls: those
// with smaller numbers have begun. A call that no actor asks for counts as dispatched when its
// number has passed.
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
  size_t most = world->found.count, open = contacts->now.count + contacts->ended.count;
  cl_status status = cl_links_reserve(alloc, &contacts->ended, most);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, contacts->hit, contacts->hit_cap, most);
  if (status == CL_OK && world->actors.swept > 0) {
    status = CL_RESERVE_NEAR(alloc, contacts->time, contacts->time_cap, most);
  }
  if (status == CL_OK && !cl_dispatch_is_over(world, dispatched)) {
    status = cl_links_reserve(alloc, &contacts->spare, open);
  }
  if (status == CL_OK && world->rules.one_sided) {
    status = CL_RESERVE_NEAR(alloc, contacts->muted, contacts->muted_cap, most);
  }
  if (status != CL_OK) return status;
  size_t leaves = contacts->leaves_wanted ? open : 0;
  return CL_RESERVE_NEAR(alloc, contacts->event, contacts->event_cap, most + leaves);
}

// The calls of a contact: they are numbered from `first`, and those with numbers below `progress`
// have begun.
typedef struct call_range {
  double first, progress;
} call_range;

// Whether `enter` to the `nth` of the pair has begun or, if the actor does not ask for it, would
// have. Pairs that came up after one of them was removed were skipped; one removed during a pair's
// own calls gets no more.
static bool entered(call_range t, int nth, double removed_self, double removed_other) {
  double call = t.first + nth;
  return call < t.progress && call < removed_self && t.first < removed_self &&
         t.first < removed_other;
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

// The open contacts. For each pair the bits of CL_NOTIFIED say which actors got `enter` and no
// `leave`; the same bits two places down say which have yet to get the `leave` of an earlier
// contact.
enum { PENDING = 2 };

static uint64_t key_at(const cl_links *links, size_t i) {
  return i < links->count ? cl_pair_key(links->pair[i]) : UINT64_MAX;
}

// After a dispatch that was cut short. A pair can be in both lists, one direction in each, if it
// met again before both actors had got the `leave` of the earlier contact.
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

// Merges the open and the new contacts, without a branch: whether the next pair stays, begins or
// ends is not predictable. Open pairs that are no contacts any more, or had ended before, overwrite
// the list that they come from.
static void compare(cl_links *open, cl_links *now) {
  // Local copies, because to the compiler the writes may change anything.
  cl_pair *pairs = open->pair;
  const cl_pair *found = now->pair;
  uint8_t *bits = open->bits, *notified = now->bits;
  size_t i = 0, j = 0, ended = 0, count = open->count, all = now->count;
  while (i < count && j < all) {
    uint64_t was = cl_pair_key(pairs[i]), is = cl_pair_key(found[j]);
    unsigned old = was <= is, fresh = is <= was, met = bits[i]; // masks of them are -old, -fresh
    unsigned pending = (met << PENDING | (met & (fresh - 1))) & CL_NOTIFIED;
    notified[j] = (uint8_t)(met & CL_NOTIFIED & (0 - (old & fresh)));
    pairs[ended] = cl_pair_of(was);
    bits[ended] = (uint8_t)(met ^ ((met ^ pending) & (0 - old))); // this may be its own place
    ended += old & (pending != 0);
    i += old;
    j += fresh;
  }
  for (; i < count; i++) {
    pairs[ended] = pairs[i];
    bits[ended++] = (uint8_t)((bits[i] | bits[i] << PENDING) & CL_NOTIFIED);
  }
  if (j < all) memset(notified + j, 0, all - j);
  open->count = ended;
}

// Whether the comparison can wait, because no actor wants enter or leave.
static bool may_wait(const cl_world *world) {
  const cl_contact_list *contacts = &world->contacts;
  const cl_actors *actors = &world->actors;
  return !contacts->enters_wanted && !contacts->leaves_wanted && actors->live == actors->count;
}

// For a dispatch that is over, if some actors get no events.
static void mark_notified(cl_contact_list *contacts) {
  cl_links *now = &contacts->now;
  for (size_t i = 0; i < now->count; i++) now->bits[i] = CL_NOTIFIED & ~contacts->muted[i];
}

// Which of two actors get no events about the other by the rules of their groups: CL_NOTIFIED_
// bits.
static unsigned muted_of(const cl_world *world, cl_pair pair) {
  unsigned a = world->actors.group[pair.a], b = world->actors.group[pair.b];
  return (world->rules.notifies[a] >> b & 1 ? 0 : CL_NOTIFIED_A) |
         (world->rules.notifies[b] >> a & 1 ? 0 : CL_NOTIFIED_B);
}

// For an actor that gets no more events about the other, the contact has ended, though they still
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

// As cl_dispatch_advance, if in this step or the last some actor gets no events of a contact.
static void advance_one_sided(cl_world *world, double dispatched, bool all) {
  cl_contact_list *contacts = &world->contacts;
  if (all && contacts->any_muted) mark_notified(contacts);
  else if (all && contacts->now.count > 0)
    memset(contacts->now.bits, CL_NOTIFIED, contacts->now.count);
  settle(world, dispatched, all);
  cl_contacts_make(world, &contacts->now);
  contacts->any_muted = world->rules.one_sided;
  if (contacts->any_muted) {
    end_for_muted(world, &contacts->ended);
    list_muted(world);
  }
  compare(&contacts->ended, &contacts->now);
}

void cl_dispatch_advance(cl_world *world, double dispatched) {
  cl_contact_list *contacts = &world->contacts;
  bool all = cl_dispatch_is_over(world, dispatched);
  if (!all) cl_contact_list_compare(contacts);
  contacts->uncompared = false;
  if (contacts->any_muted || world->rules.one_sided) {
    advance_one_sided(world, dispatched, all);
    return;
  }
  settle(world, dispatched, all);
  cl_contacts_make(world, &contacts->now);
  if (contacts->now.count > 0) memset(contacts->now.bits, 0, contacts->now.count);
  contacts->uncompared = all;
  if (!all) compare(&contacts->ended, &contacts->now);
  else if (!may_wait(world)) cl_contact_list_compare(contacts);
}

// The bits of calls to the first of a pair are those of calls to the second, shifted up by one. An
// event mask has the bits of the calls that it asks for to the first; CL_NOTIFIED has its bits in
// the same order. So no branch is needed to find which calls a pair asks for.
_Static_assert((int)CL_EVENT_LEAVE == (int)CL_CALL_LEAVE_A &&
                   (int)CL_EVENT_ENTER == (int)CL_CALL_ENTER_A &&
                   (int)CL_EVENT_HIT == (int)CL_CALL_HIT_A,
               "masks are calls to the first");
_Static_assert(CL_CALL_LEAVE_A == CL_CALL_LEAVE_B << 1 && CL_CALL_ENTER_A == CL_CALL_ENTER_B << 1 &&
                   CL_CALL_HIT_A == CL_CALL_HIT_B << 1,
               "calls to the second are one place down");
enum { LEAVES = 2, ENTERS = 4 }; // the distance down from CL_NOTIFIED
_Static_assert(CL_NOTIFIED >> LEAVES == (CL_CALL_LEAVE_A | CL_CALL_LEAVE_B) &&
                   CL_NOTIFIED >> ENTERS == (CL_CALL_ENTER_A | CL_CALL_ENTER_B),
               "CL_NOTIFIED has the bits of leaves and enters");

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

static uint32_t list_meetings(const uint8_t *event_mask, const cl_links *now, uint32_t *event) {
  const cl_pair *pair = now->pair;
  uint8_t *bits = now->bits;
  uint32_t n = 0;
  for (uint32_t i = 0, count = (uint32_t)now->count; i < count; i++) {
    unsigned notified = bits[i],
             calls = asked_for(event_mask, pair[i]) & MEET & ~(notified >> ENTERS);
    bits[i] = (uint8_t)(notified | calls);
    event[n] = i;
    n += calls != 0;
  }
  return n;
}

// The same if all actors ask for the same calls, and for hits: then all contacts are events.
static uint32_t list_alike(unsigned calls, const cl_links *now, uint32_t *event) {
  uint32_t count = (uint32_t)now->count;
  uint8_t *bits = now->bits;
  for (uint32_t i = 0; i < count; i++) {
    bits[i] = (uint8_t)(bits[i] | (calls & ~(unsigned)(bits[i] >> ENTERS)));
    event[i] = i;
  }
  return count;
}

static uint32_t list_contacts(const cl_world *world, uint32_t *event) {
  const uint8_t *event_mask = world->actors.event_mask;
  const cl_links *now = &world->contacts.now;
  uint32_t count = world->actors.count;
  if (now->count == 0) return 0;
  if ((event_mask[0] & CL_EVENT_HIT) && memcmp(event_mask, event_mask + 1, count - 1) == 0) {
    return list_alike(asked_for(event_mask, (cl_pair){0, 0}) & MEET, now, event);
  }
  return list_meetings(event_mask, now, event);
}

enum { HITS = 6 }; // the distance down from CL_NOTIFIED
_Static_assert(CL_NOTIFIED >> HITS == (CL_CALL_HIT_A | CL_CALL_HIT_B),
               "CL_NOTIFIED has the bits of hits");

// As list_meetings, without the calls to muted actors.
static uint32_t list_one_sided(const uint8_t *event_mask, const cl_contact_list *contacts,
                               uint32_t *event) {
  const cl_links *now = &contacts->now;
  uint32_t n = 0;
  for (uint32_t i = 0; i < now->count; i++) {
    unsigned notified = now->bits[i], muted = contacts->muted[i];
    unsigned calls =
        asked_for(event_mask, now->pair[i]) &
        ((CL_NOTIFIED & ~notified & ~muted) >> ENTERS | (CL_NOTIFIED & ~muted) >> HITS);
    now->bits[i] = (uint8_t)(notified | calls);
    event[n] = i;
    n += calls != 0;
  }
  return n;
}

void cl_dispatch_list(cl_world *world) {
  const uint8_t *event_mask = world->actors.event_mask;
  cl_contact_list *contacts = &world->contacts;
  uint32_t leaves = 0;
  if (contacts->leaves_wanted) leaves = list_leaves(event_mask, &contacts->ended, contacts->event);
  contacts->leaves = leaves;
  uint32_t *event = CL_AT(contacts->event, leaves);
  contacts->events = leaves + (contacts->any_muted ? list_one_sided(event_mask, contacts, event)
                                                   : list_contacts(world, event));
}
