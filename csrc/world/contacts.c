// collide, MIT licence (see LICENSE)
//
// From candidates to contacts, in one pass in their order. Boxes, and circles, are tested as
// they come; where forms are mixed, those of one kind of test together, some candidates at a
// time, and each hit is then put where it belongs. Layer: world.

#include "base/f64x2.h"
#include "narrow/circle_block.h"
#include "narrow/sat_batch.h"
#include "world/step.h"
#include "narrow/primitives.h"

// So many candidates of mixed forms at a time.
enum { TOGETHER = 128 };

enum {
  TEST_BOXES,
  TEST_CIRCLES,
  TEST_BOX_CIRCLE,
  TEST_CIRCLE_BOX,
  TEST_FEW_CIRCLE,
  TEST_CIRCLE_FEW,
  TEST_MANY_CIRCLE,
  TEST_CIRCLE_MANY,
  TEST_ANY,
  TEST_SAT,
  TESTS = TEST_SAT + CL_NONE_FEW + 1
};

// Against a polygon, a box has few vertices.
enum {
  BOTH_FEW = TEST_SAT + CL_BOTH_FEW,
  A_FEW = TEST_SAT + CL_A_FEW,
  B_FEW = TEST_SAT + CL_B_FEW,
  NONE_FEW = TEST_SAT + CL_NONE_FEW
};

static const uint8_t test_for[CL_FORMS][CL_FORMS] = {
    {TEST_BOXES, TEST_BOX_CIRCLE, BOTH_FEW, A_FEW, TEST_ANY},
    {TEST_CIRCLE_BOX, TEST_CIRCLES, TEST_CIRCLE_FEW, TEST_CIRCLE_MANY, TEST_ANY},
    {BOTH_FEW, TEST_FEW_CIRCLE, BOTH_FEW, A_FEW, TEST_ANY},
    {B_FEW, TEST_MANY_CIRCLE, B_FEW, NONE_FEW, TEST_ANY},
    {TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY},
};

// What the tests read, in registers: no array that is written can be one of these.
typedef struct scene {
  const cl_world *world;
  const cl_vec *at;
  const uint32_t *kind;
  const cl_kind *kinds;
  bool touching;
} scene;

static scene scene_of(const cl_world *world) {
  const cl_actors *actors = &world->actors;
  return (scene){world, actors->next, actors->kind, actors->kinds.at, world->touching};
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

// To the bit cl_overlap_boxes: doubles differ by more than 0 if and only if one is larger.
CL_INLINE bool test_box(const scene *s, cl_pair pair, cl_hit *out) {
  edges a = edges_of(s, pair.a), b = edges_of(s, pair.b);
  cl_f64x2 back = cl_f64x2_sub(a.rb, b.lt), on = cl_f64x2_sub(b.rb, a.lt);
  cl_f64x2 least = cl_f64x2_min(back, on), y = cl_f64x2_second_twice(least);
  // Set in both lanes where the way out is along x; then in the lane of that axis.
  cl_mask64x2 axis = cl_f64x2_le(cl_f64x2_first_twice(least), y);
  axis = cl_mask64x2_not_second(axis);
  cl_f64x2 unit = cl_f64x2_neg_where(cl_f64x2_le(back, on), cl_f64x2_all(1));
  cl_f64x2_store(&out->nx, cl_f64x2_where(axis, unit));
  out->depth = cl_f64x2_first(cl_f64x2_min(least, y));
  return s->touching ? out->depth >= 0 : out->depth > 0;
}

CL_INLINE cl_bounds box_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  cl_vec at = s->at[slot];
  return (cl_bounds){at.x + kind->lt[0], at.y + kind->lt[1], at.x + kind->rb[0],
                     at.y + kind->rb[1]};
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
  return cl_overlap(&a, &b, s->touching, out);
}

// With `back` the second of the pair is the box.
CL_INLINE bool test_box_circle(const scene *s, cl_pair pair, bool back, cl_hit *out) {
  uint32_t box = back ? pair.b : pair.a, circle = back ? pair.a : pair.b;
  double sign = back ? -1 : 1;
  bool near;
  bool hit = cl_overlap_box_disc(box_of(s, box), disc_of(s, circle), s->at[box], s->at[circle],
                                 &near, out);
  out->nx = out->nx * sign + 0.0, out->ny = out->ny * sign + 0.0;
  return near ? test_any(s, pair, out) : hit;
}

// With `back` the second of the pair is the polygon.
CL_INLINE bool test_block_circle(const scene *s, cl_pair pair, int room, bool back, cl_hit *out) {
  const cl_proxies *proxies = &s->world->proxies;
  uint32_t polygon = back ? pair.b : pair.a, circle = back ? pair.a : pair.b;
  const double *blocks = room == CL_BLOCK_FEW ? proxies->few : proxies->many;
  double sign = back ? 1 : -1;
  bool near;
  bool hit = cl_overlap_disc_block(disc_of(s, circle), s->at[circle],
                                   blocks + (size_t)proxies->block[polygon] * CL_BLOCK(room), room,
                                   &near, out);
  out->nx = out->nx * sign + 0.0, out->ny = out->ny * sign + 0.0;
  return near ? test_any(s, pair, out) : hit;
}

// The contacts so far. What comes to be no hit is overwritten by the next.
typedef struct writer {
  cl_pair *pair;
  cl_hit *hit;
  size_t count;
} writer;

// The loop works on copies, since what is written may be anything as far as the compiler
// knows.
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

static void make_boxes(const scene *of, const cl_pairs *candidates, writer *w) {
  make_alike(of, candidates, w, true);
}

static void make_circles(const scene *of, const cl_pairs *candidates, writer *w) {
  make_alike(of, candidates, w, false);
}

// Some candidates, sorted by their tests, and what these found.
typedef struct batch {
  const cl_pair *pair;
  uint32_t count, counts[TESTS];
  uint8_t numbers[TESTS][TOGETHER];
  bool is[TOGETHER];
  cl_hit hit[TOGETHER];
} batch;

_Static_assert(TOGETHER <= UINT8_MAX + 1, "numbers in a batch are bytes");

static void sort_by_test(batch *b, const uint8_t *form) {
  for (int t = 0; t < TESTS; t++) b->counts[t] = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    unsigned t = test_for[form[b->pair[i].a]][form[b->pair[i].b]];
    b->numbers[t][b->counts[t]++] = (uint8_t)i;
  }
}

// Calls `test`, the arguments of which follow, for all of the batch that are to have test `t`.
#define TEST_ALL(t, test, ...)                                                                     \
  for (uint32_t k = 0; k < b->counts[t]; k++) {                                                    \
    uint32_t i = b->numbers[t][k];                                                                 \
    b->is[i] = test(s, b->pair[i], __VA_ARGS__);                                                   \
  }

// The vertex block of an actor; a box gets one for this test, in `own`.
static const double *block_of(const scene *s, uint32_t slot, bool few, double *own) {
  const cl_actors *actors = &s->world->actors;
  const cl_proxies *proxies = &s->world->proxies;
  if (actors->form[slot] == CL_FORM_BOX) {
    cl_placed box = cl_actor_placed(actors, slot, false);
    cl_block_placing_best()->few(&box, own, NULL);
    return own;
  }
  size_t size = CL_BLOCK(few ? CL_BLOCK_FEW : CL_BLOCK_MANY);
  return (few ? proxies->few : proxies->many) + proxies->block[slot] * size;
}

static void test_sat(const scene *s, batch *b, cl_rooms rooms) {
  uint32_t count = b->counts[TEST_SAT + rooms];
  const uint8_t *number = b->numbers[TEST_SAT + rooms];
  bool a_few = rooms == CL_BOTH_FEW || rooms == CL_A_FEW;
  bool b_few = rooms == CL_BOTH_FEW || rooms == CL_B_FEW;
  cl_couple couple[TOGETHER];
  double own[TOGETHER][CL_BLOCK(CL_BLOCK_FEW)]; // two boxes are no couple
  cl_hit hit[TOGETHER];
  uint32_t which[TOGETHER], doubt[TOGETHER];
  cl_verdicts found = {hit, which, doubt, 0, 0};
  for (uint32_t k = 0; k < count; k++) {
    cl_pair pair = b->pair[number[k]];
    couple[k] = (cl_couple){block_of(s, pair.a, a_few, own[k]), block_of(s, pair.b, b_few, own[k])};
    b->is[number[k]] = false;
  }
  cl_sat_batch_best()(couple, count, rooms, &found);
  for (uint32_t k = 0; k < found.hits; k++) {
    b->hit[number[which[k]]] = hit[k];
    b->is[number[which[k]]] = true;
  }
  for (uint32_t k = 0; k < found.doubts; k++) {
    uint32_t i = number[doubt[k]];
    b->is[i] = test_any(s, b->pair[i], &b->hit[i]);
  }
}

static void test_batch(const scene *s, batch *b) {
  TEST_ALL(TEST_BOXES, test_box, &b->hit[i])
  TEST_ALL(TEST_CIRCLES, test_circle, &b->hit[i])
  TEST_ALL(TEST_BOX_CIRCLE, test_box_circle, false, &b->hit[i])
  TEST_ALL(TEST_CIRCLE_BOX, test_box_circle, true, &b->hit[i])
  TEST_ALL(TEST_FEW_CIRCLE, test_block_circle, CL_BLOCK_FEW, false, &b->hit[i])
  TEST_ALL(TEST_CIRCLE_FEW, test_block_circle, CL_BLOCK_FEW, true, &b->hit[i])
  TEST_ALL(TEST_MANY_CIRCLE, test_block_circle, CL_BLOCK_MANY, false, &b->hit[i])
  TEST_ALL(TEST_CIRCLE_MANY, test_block_circle, CL_BLOCK_MANY, true, &b->hit[i])
  TEST_ALL(TEST_ANY, test_any, &b->hit[i])
  for (cl_rooms r = CL_BOTH_FEW; r <= CL_NONE_FEW; r++) {
    if (b->counts[TEST_SAT + r] > 0) test_sat(s, b, r);
  }
}

// Appends the batch's hits, in order.
static size_t put_hits(const batch *b, cl_pair *pair, cl_hit *hit, size_t n) {
  for (uint32_t i = 0, count = b->count; i < count; i++) {
    pair[n] = b->pair[i];
    hit[n] = b->hit[i];
    n += b->is[i];
  }
  return n;
}

static void make_mixed(const scene *s, const cl_pairs *candidates, writer *w) {
  batch b;
  for (size_t from = 0; from < candidates->count; from += TOGETHER) {
    size_t left = candidates->count - from;
    b.pair = candidates->at + from;
    b.count = (uint32_t)(left < TOGETHER ? left : TOGETHER);
    sort_by_test(&b, s->world->actors.form);
    test_batch(s, &b);
    w->count = put_hits(&b, w->pair, w->hit, w->count);
  }
}

void cl_contacts_make(cl_world *world, cl_links *to) {
  const cl_actors *actors = &world->actors;
  const uint32_t *form = actors->kinds.form;
  scene s = scene_of(world);
  writer w = {to->pair, world->contacts.hit, 0};
  if (form[CL_FORM_BOX] == actors->live && !actors->angle) {
    make_boxes(&s, &world->candidates, &w);
  } else if (form[CL_FORM_CIRCLE] == actors->live && !actors->angle) {
    make_circles(&s, &world->candidates, &w);
  } else {
    make_mixed(&s, &world->candidates, &w);
  }
  to->count = w.count;
}
