// collide, MIT licence (see LICENSE)
//
// From candidates to contacts, in one pass in their order. If all actors are boxes or all are
// circles, candidates are tested one by one. If forms are mixed, candidates are taken in batches:
// those with the same kind of test are tested together, and each hit is then put in its place.
// Layer: world.

#include "world/state.h"

#include "base/simd.h"
#include "narrow/motion.h"
#include "narrow/primitives.h"

// How many candidates of mixed forms are in a batch.
enum { TOGETHER = 256 };

// How many doubles a cache line has.
enum { LINE = 8 };

enum {
  TEST_BOXES,
  TEST_CIRCLES,
  TEST_BOX_CIRCLE,
  TEST_FEW_CIRCLE,
  TEST_MANY_CIRCLE,
  TEST_ANY,
  TEST_SAT,
  TESTS = TEST_SAT + CL_NONE_FEW + 1
};

// Against a polygon, a box is a part of few vertices.
enum {
  BOTH_FEW = TEST_SAT + CL_BOTH_FEW,
  A_FEW = TEST_SAT + CL_A_FEW,
  B_FEW = TEST_SAT + CL_B_FEW,
  NONE_FEW = TEST_SAT + CL_NONE_FEW
};

static const uint8_t test_for[CL_FORMS][CL_FORMS] = {
    {TEST_BOXES, TEST_BOX_CIRCLE, BOTH_FEW, A_FEW, TEST_ANY},
    {TEST_BOX_CIRCLE, TEST_CIRCLES, TEST_FEW_CIRCLE, TEST_MANY_CIRCLE, TEST_ANY},
    {BOTH_FEW, TEST_FEW_CIRCLE, BOTH_FEW, A_FEW, TEST_ANY},
    {B_FEW, TEST_MANY_CIRCLE, B_FEW, NONE_FEW, TEST_ANY},
    {TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY},
};

// The arrays that the tests read, as local copies, so that the compiler keeps them in registers.
typedef struct scene {
  const cl_world *world;
  const cl_vec *at;
  const uint32_t *kind;
  const uint8_t *form;
  const cl_kind *kinds;
  const double *angle;   // NULL if no actor has one
  const uint32_t *block; // of the actors with an angle
  bool touching;
} scene;

static scene scene_of(const cl_world *world) {
  const cl_actors *actors = &world->actors;
  return (scene){.world = world,
                 .at = actors->next,
                 .kind = actors->kind,
                 .form = actors->form,
                 .kinds = actors->kinds.at,
                 .angle = actors->next_angle,
                 .block = world->proxies.block,
                 .touching = world->touching};
}

typedef struct edges {
  cl_f64x2 lt, rb;
} edges;

CL_INLINE edges edges_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  cl_f64x2 at = cl_f64x2_load(&s->at[slot].x);
  return (edges){cl_f64x2_add(at, cl_f64x2_load(kind->lt)),
                 cl_f64x2_add(at, cl_f64x2_load(kind->rb))};
}

static cl_bounds bounds_of(edges e) {
  cl_bounds b;
  cl_f64x2_store(&b.l, e.lt);
  cl_f64x2_store(&b.r, e.rb);
  return b;
}

// The same bits as cl_overlap_boxes gives: doubles differ by more than 0 if and only if one is
// larger.
CL_INLINE bool test_box(const scene *s, cl_pair pair, cl_hit *out) {
  edges a = edges_of(s, pair.a), b = edges_of(s, pair.b);
  cl_f64x2 back = cl_f64x2_sub(a.rb, b.lt), on = cl_f64x2_sub(b.rb, a.lt);
  cl_f64x2 least = cl_f64x2_min(back, on), y = cl_f64x2_seconds(least, least);
  // First set in both lanes if the way out is along x; then only in the lane of its axis.
  cl_mask64x2 axis = cl_f64x2_le(cl_f64x2_firsts(least, least), y);
  axis = cl_mask64x2_not_second(axis);
  cl_f64x2 unit = cl_f64x2_neg_where(cl_f64x2_le(back, on), cl_f64x2_all(1));
  cl_f64x2_store(&out->nx, cl_f64x2_where(axis, unit));
  if (cl_mask64x2_bits(cl_f64x2_eq(back, on)) & cl_mask64x2_bits(axis)) // both ways tie
    return cl_overlap_boxes(bounds_of(a), bounds_of(b), s->touching, out);
  out->depth = cl_f64x2_first(cl_f64x2_min(least, y));
  return s->touching ? out->depth >= 0 : out->depth > 0;
}

// In its own frame.
CL_INLINE cl_bounds box_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  return (cl_bounds){kind->lt[0], kind->lt[1], kind->rb[0], kind->rb[1]};
}

CL_INLINE cl_disc disc_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  cl_vec at = s->at[slot];
  return (cl_disc){at.x + kind->o[0], at.y + kind->o[1], kind->rb[0]};
}

CL_INLINE bool test_circle(const scene *s, cl_pair pair, cl_hit *out) {
  cl_disc a = disc_of(s, pair.a), b = disc_of(s, pair.b);
  bool near, hit = cl_overlap_discs(a, b, &near, out);
  return near ? cl_overlap_circles_near(a, b, s->touching, out) : hit;
}

static bool test_any(const scene *s, cl_pair pair, cl_hit *out) {
  const cl_actors *actors = &s->world->actors;
  cl_placed a = cl_actor_placed(actors, pair.a, false), b = cl_actor_placed(actors, pair.b, false);
  bool maps = cl_placed_is_tiles(&a) && cl_placed_is_tiles(&b); // two never hit each other
  return !maps && cl_overlap(&a, &b, s->touching, out);
}

// For pairs of a circle and another form: whether the circle is the first.
CL_INLINE bool is_circle_first(const scene *s, cl_pair pair) {
  return s->form[pair.a] == CL_FORM_CIRCLE;
}

// With `back`, turns the way out of the second of a pair into that of the first.
CL_INLINE void turn(cl_hit *hit, bool back) {
  double sign = back ? -1 : 1;
  hit->nx = hit->nx * sign + 0.0, hit->ny = hit->ny * sign + 0.0;
}

CL_INLINE bool test_box_circle(const scene *s, cl_pair pair, cl_hit *out) {
  bool back = is_circle_first(s, pair);
  uint32_t box = back ? pair.b : pair.a, circle = back ? pair.a : pair.b;
  cl_bounds bounds = box_of(s, box);
  cl_disc disc = disc_of(s, circle);
  bool near, hit = cl_overlap_box_disc(&bounds, &disc, &s->at[box], &s->at[circle], &near, out);
  turn(out, back);
  return near ? test_any(s, pair, out) : hit;
}

// How far a shape of a kind reaches from its place, in |x| + |y|.
CL_INLINE double reach_of(const cl_kind *kind) {
  return cl_max(-kind->lt[0], kind->rb[0]) + cl_max(-kind->lt[1], kind->rb[1]);
}

// Whether an actor has a block of its own, because its angle affects the area that it covers.
CL_INLINE bool is_turned(const scene *s, uint32_t slot) {
  return s->angle && s->angle[slot] != 0 && s->block[slot] != CL_NO_BLOCK;
}

CL_INLINE const double *turned_block(const scene *s, uint32_t slot) {
  return s->world->proxies.turned + s->block[slot];
}

CL_INLINE void ask_for(const double *block, int count) {
  for (int i = 0; i < count; i += LINE) CL_WILL_READ(block + i);
  CL_WILL_READ(block + count - 1);
}

// The vertex block of an actor that is neither box nor circle: its own if it is turned, or its
// kind's. The latter is prefetched, because other blocks are read before it.
CL_INLINE cl_block_at block_of(const scene *s, uint32_t slot, int room) {
  if (is_turned(s, slot)) {
    const double *block = turned_block(s, slot);
    return cl_block_placed(block + CL_BLOCK_HEAD, s->at[slot], block[0]);
  }
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  ask_for(kind->block, CL_BLOCK(room));
  return cl_block_placed(kind->block, s->at[slot], reach_of(kind));
}

// Prefetches the data of an actor that the tests read: with many actors it is not in a cache.
CL_INLINE void ask_for_actor(const scene *s, uint32_t slot) {
  CL_WILL_READ(&s->at[slot]);
  if (!is_turned(s, slot)) {
    CL_WILL_READ(&s->kinds[s->kind[slot]]);
  } else if (s->form[slot] == CL_FORM_FEW) {
    ask_for(turned_block(s, slot), CL_BLOCK(CL_BLOCK_FEW) + CL_BLOCK_HEAD);
  } else {
    ask_for(turned_block(s, slot), CL_BLOCK(CL_BLOCK_MANY) + CL_BLOCK_HEAD);
  }
}

// The contacts so far. A pair that proves not to hit is overwritten by the next. `time` is NULL if
// no actor is swept.
typedef struct writer {
  cl_pair *pair;
  cl_hit *hit;
  double *time;
  size_t count;
} writer;

// The loop works on copies, because to the compiler the writes may change anything.
CL_INLINE void make_alike(const scene *of, const cl_pairs *candidates, writer *w, bool boxes) {
  const scene s = *of;
  const cl_pair *candidate = candidates->at;
  cl_pair *to = w->pair;
  cl_hit *hit = w->hit;
  size_t n = 0;
  for (size_t i = 0, count = candidates->count; i < count; i++) {
    cl_pair pair = candidate[i];
    to[n] = pair;
    n += boxes ? test_box(&s, pair, &hit[n]) : test_circle(&s, pair, &hit[n]);
  }
  w->count = n;
}

// What the circles of a batch are tested with.
typedef struct circles {
  cl_block_at block[TOGETHER];
  cl_disc_at circle[TOGETHER];
  cl_disc_edge edge[TOGETHER];
  uint32_t open[TOGETHER];
  bool back[TOGETHER];
} circles;

// The same for polygons and boxes.
typedef struct couples {
  cl_couple couple[TOGETHER];
  double own[TOGETHER][CL_BLOCK(CL_BLOCK_FEW)]; // a couple has at most one box
  cl_hit hit[TOGETHER];
  uint32_t which[TOGETHER], doubt[TOGETHER];
} couples;

// A batch of candidates, sorted by their tests, and the results. It is too large for the stack of a
// thread, so it is part of the world.
typedef struct cl_contact_batch {
  const cl_pair *pair;
  uint32_t count, counts[TESTS];
  uint8_t numbers[TESTS][TOGETHER];
  bool is[TOGETHER];
  cl_hit hit[TOGETHER];
  double time[TOGETHER];
  union {
    circles circles;
    couples couples;
  } with;
} batch;

_Static_assert(TOGETHER <= UINT8_MAX + 1, "numbers in a batch are bytes");

static void sort_by_test(const scene *s, batch *b) {
  for (int t = 0; t < TESTS; t++) b->counts[t] = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    cl_pair pair = b->pair[i];
    unsigned t = test_for[s->form[pair.a]][s->form[pair.b]];
    ask_for_actor(s, pair.a);
    ask_for_actor(s, pair.b);
    b->numbers[t][b->counts[t]++] = (uint8_t)i;
  }
}

typedef bool test(const scene *s, cl_pair pair, cl_hit *out);

// Tests those of the batch that have test `t`, one by one.
CL_INLINE void test_each(const scene *s, batch *b, unsigned t, test *is) {
  for (uint32_t k = 0; k < b->counts[t]; k++) {
    uint32_t i = b->numbers[t][k];
    b->is[i] = is(s, b->pair[i], &b->hit[i]);
  }
}

// The block of a box, in the order of its shape.
static cl_block_at block_of_box(const scene *s, uint32_t slot, double *own) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  double l = kind->lt[0], t = kind->lt[1], r = kind->rb[0], b = kind->rb[1];
  const double block[CL_BLOCK(CL_BLOCK_FEW)] = {l, r,  r,  l, t, t, b,  b, 0, 1,
                                                0, -1, -1, 0, 1, 0, -t, r, b, -l};
  memcpy(own, block, sizeof block);
  return cl_block_placed(own, s->at[slot], reach_of(kind));
}

CL_INLINE cl_block_at block_of_any(const scene *s, uint32_t slot, int room, double *own) {
  bool box = s->form[slot] == CL_FORM_BOX;
  return box ? block_of_box(s, slot, own) : block_of(s, slot, room);
}

// Tests circles against blocks with room for this many: first along edges, then those near a
// corner.
CL_INLINE void test_circles_and(const scene *s, batch *b, unsigned t, int room) {
  uint32_t count = b->counts[t], open_count = 0;
  const uint8_t *number = b->numbers[t];
  cl_block_at *block = b->with.circles.block;
  cl_disc_at *circle = b->with.circles.circle;
  cl_disc_edge *edge = b->with.circles.edge;
  uint32_t *open = b->with.circles.open;
  bool *back = b->with.circles.back, near;
  for (uint32_t k = 0; k < count; k++) {
    cl_pair pair = b->pair[number[k]];
    back[k] = !is_circle_first(s, pair);
    uint32_t slot = back[k] ? pair.b : pair.a;
    block[k] = block_of(s, back[k] ? pair.a : pair.b, room);
    circle[k] = (cl_disc_at){disc_of(s, slot), s->at[slot]};
  }
  for (uint32_t k = 0; k < count; k++) {
    uint32_t i = number[k];
    b->is[i] = cl_overlap_disc_block(&circle[k], &block[k], room, &near, &edge[k], &b->hit[i]);
    turn(&b->hit[i], back[k]);
    open[open_count] = k;
    open_count += near;
  }
  for (uint32_t n = 0; n < open_count; n++) {
    uint32_t k = open[n], i = number[k];
    cl_hit *hit = &b->hit[i];
    b->is[i] = cl_overlap_disc_corner(circle[k].disc.r, &block[k], room, &edge[k], &near, hit);
    turn(hit, back[k]);
    if (near) b->is[i] = test_any(s, b->pair[i], hit);
  }
}

static void test_sat(const scene *s, batch *b, cl_rooms rooms) {
  uint32_t count = b->counts[TEST_SAT + rooms];
  const uint8_t *number = b->numbers[TEST_SAT + rooms];
  int a_room = rooms == CL_BOTH_FEW || rooms == CL_A_FEW ? CL_BLOCK_FEW : CL_BLOCK_MANY;
  int b_room = rooms == CL_BOTH_FEW || rooms == CL_B_FEW ? CL_BLOCK_FEW : CL_BLOCK_MANY;
  couples *c = &b->with.couples;
  cl_verdicts found = {c->hit, c->which, c->doubt, 0, 0};
  for (uint32_t k = 0; k < count; k++) {
    cl_pair pair = b->pair[number[k]];
    c->couple[k] = (cl_couple){
        {block_of_any(s, pair.a, a_room, c->own[k]), block_of_any(s, pair.b, b_room, c->own[k])}};
    b->is[number[k]] = false;
  }
  CL_BEST(cl_test_couples)(c->couple, count, rooms, &found);
  for (uint32_t k = 0; k < found.hits; k++) {
    b->hit[number[c->which[k]]] = c->hit[k];
    b->is[number[c->which[k]]] = true;
  }
  for (uint32_t k = 0; k < found.doubts; k++) {
    uint32_t i = number[c->doubt[k]];
    b->is[i] = test_any(s, b->pair[i], &b->hit[i]);
  }
}

static void test_batch(const scene *s, batch *b) {
  test_each(s, b, TEST_BOXES, test_box);
  test_each(s, b, TEST_CIRCLES, test_circle);
  test_each(s, b, TEST_BOX_CIRCLE, test_box_circle);
  test_circles_and(s, b, TEST_FEW_CIRCLE, CL_BLOCK_FEW);
  test_circles_and(s, b, TEST_MANY_CIRCLE, CL_BLOCK_MANY);
  test_each(s, b, TEST_ANY, test_any);
  for (cl_rooms r = CL_BOTH_FEW; r <= CL_NONE_FEW; r++) {
    if (b->counts[TEST_SAT + r] > 0) test_sat(s, b, r);
  }
}

// ---- the ways of swept actors

// Whether two actors meet on their way to the places `to`, in the interval after `steps` steps.
static bool meet(const cl_world *world, cl_pair pair, const cl_placed to[2], uint64_t steps,
                 cl_hit *hit, double *t) {
  const cl_actors *actors = &world->actors;
  if (!((actors->state[pair.a] | actors->state[pair.b]) & CL_SWEPT)) return false;
  cl_vec p = cl_actor_way_from(actors, pair.a, steps), q = cl_actor_way_from(actors, pair.b, steps);
  cl_vec way = {to[0].x - p.x, to[0].y - p.y}, other_way = {to[1].x - q.x, to[1].y - q.y};
  cl_placed a = {to[0].shape, p.x, p.y, to[0].rot}, b = {to[1].shape, q.x, q.y, to[1].rot};
  cl_cast met;
  if (!cl_swept_overlap(&a, cl_vec_sub(way, other_way), &b, world->touching, &met)) return false;
  *hit = (cl_hit){met.nx, met.ny, 0};
  *t = met.t;
  return true;
}

// Whether two actors that do not overlap at the end, one of them swept, have overlapped on their
// way. Writes when, and the way out of the first then, with depth 0.
static bool meet_on_way(const cl_world *world, cl_pair pair, cl_hit *hit, double *t) {
  const cl_actors *actors = &world->actors;
  const cl_placed to[2] = {cl_actor_placed(actors, pair.a, false),
                           cl_actor_placed(actors, pair.b, false)};
  return meet(world, pair, to, world->steps - 1, hit, t); // this step counts already
}

bool cl_world_would_meet(const cl_world *world, cl_pair pair, const cl_placed to[2], cl_hit *hit,
                         double *t) {
  assert(!world->begun && cl_world_has(world, pair.a) && cl_world_has(world, pair.b));
  return meet(world, pair, to, world->steps, hit, t);
}

// Finds pairs of the batch that have met on their way but do not overlap at its end; returns
// whether there are any.
static bool meet_on_ways(const scene *s, batch *b) {
  bool any = false;
  for (uint32_t i = 0; i < b->count; i++) {
    b->time[i] = -1;
    if (b->is[i]) continue;
    b->is[i] = meet_on_way(s->world, b->pair[i], &b->hit[i], &b->time[i]);
    any |= b->is[i];
  }
  return any;
}

// Appends the batch's hits, in order.
static void put_hits(const batch *b, writer *w) {
  size_t n = w->count;
  for (uint32_t i = 0, count = b->count; i < count; i++) {
    w->pair[n] = b->pair[i];
    w->hit[n] = b->hit[i];
    if (w->time) w->time[n] = b->time[i];
    n += b->is[i];
  }
  w->count = n;
}

// Returns whether any have met only on their way.
static bool make_mixed(const scene *s, const cl_pairs *candidates, writer *w) {
  batch *b = s->world->batch;
  bool met = false;
  for (size_t from = 0; from < candidates->count; from += TOGETHER) {
    size_t left = candidates->count - from;
    b->pair = candidates->at + from;
    b->count = (uint32_t)(left < TOGETHER ? left : TOGETHER);
    sort_by_test(s, b);
    test_batch(s, b);
    if (w->time) met |= meet_on_ways(s, b);
    put_hits(b, w);
  }
  return met;
}

// Whether all actors have the one form `form`, which is tested without a batch.
static bool are_all(const cl_actors *actors, int form) {
  return !actors->swept && !actors->angle && actors->kinds.form[form] == actors->live;
}

cl_status cl_contacts_reserve(cl_world *world) {
  const cl_actors *actors = &world->actors;
  if (world->batch || world->found.count == 0) return CL_OK;
  if (are_all(actors, CL_FORM_BOX) || are_all(actors, CL_FORM_CIRCLE)) return CL_OK;
  world->batch = cl_new(&world->alloc, sizeof *world->batch);
  return world->batch ? CL_OK : CL_NOMEM;
}

void cl_contacts_free(cl_world *world) {
  if (world->batch) cl_free(&world->alloc, world->batch, sizeof *world->batch);
}

void cl_contacts_make(cl_world *world, cl_links *to) {
  const cl_actors *actors = &world->actors;
  cl_contact_list *contacts = &world->contacts;
  bool swept = actors->swept > 0;
  scene s = scene_of(world);
  writer w = {to->pair, contacts->hit, swept ? contacts->time : NULL, 0};
  contacts->any_time = false;
  if (are_all(actors, CL_FORM_BOX)) make_alike(&s, &world->candidates, &w, true);
  else if (are_all(actors, CL_FORM_CIRCLE)) make_alike(&s, &world->candidates, &w, false);
  else contacts->any_time = make_mixed(&s, &world->candidates, &w);
  to->count = w.count;
}
