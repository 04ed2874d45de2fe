// collide, MIT licence (see LICENSE)
//
// Who has been told what. A pair has two directions, a about b and b about a;
// each is told `enter` once when the two meet and `leave` once when they part,
// whatever happens to the telling in between: it may end early by an error, by
// a coroutine that is never resumed, or by the next step, and actors may be
// removed in the middle of it. The host only counts the calls that it begins;
// from that count and from the count at which an actor was removed all else
// follows here, at the next step. Layer: world.

#include <math.h>

#include "world/state.h"

// The pairs that have parted and after them those that overlap are the records
// of a step, in the order of telling; few of them may be events. Each has this
// many calls: leave a, leave b or enter a, enter b, hit a, hit b.
enum { CALLS = 4 };

// How many calls of all records have begun, when of the events' `told` have:
// what nobody hears counts as told when its turn has passed.
double cl_told_progress(const cl_world *world, double told) {
  if (told <= 0 || told >= CL_ALL_TOLD) return told;
  double event = floor((told - 1) / CL_CALL_NUMBERS);
  if (event >= world->io->events) return CL_ALL_TOLD;
  double calls = told - event * CL_CALL_NUMBERS;
  return CALLS * (double)world->event[(uint32_t)event].record + calls;
}

// The usual case: everything has been told, to everybody.
static bool is_all_told(const cl_world *world, double told) {
  return cl_told_progress(world, told) >= CL_ALL_TOLD && !world->removed;
}

// Settling leaves what is open in one list and the other free for the pairs to be found,
// of which there are no more than candidates. Usually the lists change places.
cl_status cl_told_reserve(cl_world *world, double told) {
  const cl_alloc *alloc = &world->alloc;
  size_t most = world->found_candidates.count, open = world->pairs.count, room = most;
  cl_status status = CL_OK;
  if (!is_all_told(world, told)) {
    cl_told_join(world);
    open += world->parted.count;
    if (room < open) room = open;
    status = CL_RESERVE_NEAR(alloc, world->pairs.at, world->pairs.cap, most);
  }
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, world->open.at, world->open.cap, room);
  if (status != CL_OK) return status;
  size_t events = world->meetings_heard ? open + most : most;
  return CL_RESERVE_NEAR(alloc, world->event, world->event_cap, events);
}

// A pair's turn: its calls are numbered from `first`, and those of numbers
// below `progress` have begun.
typedef struct turn {
  double first, progress;
} turn;

// Whether `enter` to the `nth` of the pair has begun or, since nobody hears
// it, would have. Pairs that came up after one of them had been removed were
// passed over; one removed in the middle of a pair's own calls gets no more.
static bool entered(turn t, int nth, double removed_self, double removed_other) {
  double call = t.first + nth;
  return call < t.progress && call < removed_self && t.first < removed_self &&
         t.first < removed_other;
}

static uint8_t told_of_pair(const cl_world *world, size_t p, double progress) {
  const cl_tie *tie = &world->pairs.at[p];
  turn t = {(double)(CALLS * (world->parted.count + p)), progress};
  double a = world->actors.removed[tie->a], b = world->actors.removed[tie->b];
  uint8_t bits = tie->told;
  if (entered(t, 0, a, b)) bits |= CL_TOLD_A;
  if (entered(t, 1, b, a)) bits |= CL_TOLD_B;
  return bits;
}

static uint8_t owed_of_parted(const cl_world *world, size_t p, double progress) {
  double first = (double)(CALLS * p);
  uint8_t bits = world->parted.at[p].owed;
  if (first < progress) bits &= (uint8_t)~CL_TOLD_A;
  if (first + 1 < progress) bits &= (uint8_t)~CL_TOLD_B;
  return bits;
}

// Ties are sorted by this.
static uint64_t key(const cl_tie *tie) { return (uint64_t)tie->a << 32 | tie->b; }

static void settle_all_told(cl_world *world) {
  cl_ties ties = world->open;
  world->open = world->pairs;
  world->pairs = ties;
  for (size_t i = 0; i < world->open.count; i++) {
    world->open.at[i].told = CL_TOLD_A | CL_TOLD_B;
    world->open.at[i].owed = 0;
  }
}

// Gathers in `open` every direction that has been told `enter` and not `leave`.
// A pair can stand in both lists, one direction in each, when it met again
// before its parting had been told in full.
void cl_told_settle(cl_world *world, double told) {
  if (is_all_told(world, told)) {
    settle_all_told(world);
    return;
  }
  cl_told_join(world);
  double progress = cl_told_progress(world, told);
  const cl_ties *pairs = &world->pairs, *parted = &world->parted;
  cl_ties *open = &world->open;
  open->count = 0;
  for (size_t i = 0, j = 0; i < pairs->count || j < parted->count;) {
    uint64_t pair = i < pairs->count ? key(&pairs->at[i]) : UINT64_MAX;
    uint64_t part = j < parted->count ? key(&parted->at[j]) : UINT64_MAX;
    cl_tie tie = pair <= part ? pairs->at[i] : parted->at[j];
    uint8_t bits = 0, owed = 0;
    if (pair <= part) bits = told_of_pair(world, i++, progress);
    if (part <= pair) owed = owed_of_parted(world, j++, progress);
    if (bits | owed) open->at[open->count++] = (cl_tie){tie.a, tie.b, bits, owed};
  }
}

// Which calls of `leave` a parting asks for.
static uint32_t leaves_of(const cl_actors *actors, const cl_tie *tie) {
  uint32_t calls = 0;
  if (tie->owed & CL_TOLD_A && actors->hears[tie->a] & CL_HEARS_LEAVE) calls |= CL_CALL_LEAVE_A;
  if (tie->owed & CL_TOLD_B && actors->hears[tie->b] & CL_HEARS_LEAVE) calls |= CL_CALL_LEAVE_B;
  return calls;
}

// Carries what is open over to the pairs found now; what has no pair any more,
// or had parted already, is to be told `leave`. The partings are never more than what
// was open, which nobody needs after this: they take its place.
static void carry_over(cl_world *world) {
  cl_ties *open = &world->open;
  cl_ties *pairs = &world->pairs;
  size_t p = 0, parted = 0;
  for (size_t i = 0; i < open->count; i++) {
    cl_tie tie = open->at[i];
    while (p < pairs->count && key(&pairs->at[p]) < key(&tie)) p++;
    bool meets = p < pairs->count && key(&pairs->at[p]) == key(&tie);
    if (meets) pairs->at[p].told = tie.told;
    uint8_t owed = meets ? tie.owed : tie.told | tie.owed;
    open->at[parted] = (cl_tie){tie.a, tie.b, 0, owed};
    parted += owed != 0;
  }
  cl_ties spare = world->parted;
  world->parted = *open;
  world->parted.count = parted;
  *open = spare;
  open->count = 0;
}

void cl_told_join(cl_world *world) {
  if (world->joined) return;
  world->joined = true;
  carry_over(world);
  for (uint32_t e = 0; e < world->io->events; e++) {
    world->event[e].record += (uint32_t)world->parted.count;
  }
}

static uint32_t tell_partings(const cl_world *world, cl_event *event) {
  uint32_t n = 0;
  for (size_t p = 0; p < world->parted.count; p++) {
    const cl_tie *tie = &world->parted.at[p];
    uint32_t calls = leaves_of(&world->actors, tie);
    if (!calls) continue;
    event[n++] = (cl_event){.a = tie->a, .b = tie->b, .calls = calls, .record = (uint32_t)p};
  }
  return n;
}

// Which calls a pair asks for. The bits lie such that it takes no branch.
static uint32_t calls_of(const uint8_t *hears, const cl_tie *tie) {
  uint32_t a = hears[tie->a], b = hears[tie->b], told = tie->told;
  uint32_t calls = (a & CL_HEARS_HIT) | (b & CL_HEARS_HIT) >> 1;
  calls |= (a & ~told & CL_HEARS_ENTER) << 3;
  return calls | (b & ~(told >> 1) & CL_HEARS_ENTER) << 2;
}

_Static_assert(CL_HEARS_ENTER == 1 && CL_TOLD_A == 1 && CL_TOLD_B == 2, "see calls_of");
_Static_assert(CL_CALL_ENTER_A == 8 && CL_CALL_ENTER_B == 4, "see calls_of");
_Static_assert(CL_HEARS_HIT == 2 && CL_CALL_HIT_A == 2 && CL_CALL_HIT_B == 1, "see calls_of");

static uint32_t tell_pairs(const cl_world *world, cl_event *event) {
  const uint8_t *hears = world->actors.hears;
  uint32_t n = 0, record = (uint32_t)world->parted.count;
  for (size_t p = 0; p < world->pairs.count; p++) {
    const cl_tie *tie = &world->pairs.at[p];
    const cl_hit *hit = &world->hit.at[world->order[p]];
    uint32_t calls = calls_of(hears, tie);
    event[n] = (cl_event){hit->nx, hit->ny, hit->depth, tie->a, tie->b, calls, record++};
    n += calls != 0;
  }
  return n;
}

void cl_told_merge(cl_world *world) {
  cl_pairs pairs = world->candidates;
  world->candidates = world->found_candidates;
  world->found_candidates = pairs;
  world->candidates_sorted = false;
  world->parted.count = 0;
  world->joined = world->meetings_heard;
  if (world->joined) carry_over(world);
  uint32_t leaves = tell_partings(world, world->event);
  world->io->events = leaves + tell_pairs(world, world->event + leaves);
}
