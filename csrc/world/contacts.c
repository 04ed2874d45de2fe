// collide, MIT licence (see LICENSE)
//
// From candidates to contacts, in one pass in their order. Boxes, and circles, are tested as
// they come; where forms are mixed, those of one kind of test together, some candidates at a
// time, and each hit is then put where it belongs. Layer: world.

#include "narrow/axes.h"
#include "world/step.h"

// So many candidates of mixed forms at a time.
enum { TOGETHER = 128 };

enum {
  TEST_BOXES,
  TEST_CIRCLES,
  TEST_BOX_CIRCLE,
  TEST_CIRCLE_BOX,
  TEST_ANY,
  TEST_CORNERS,
  TESTS = TEST_CORNERS + CL_NONE_FEW + 1
};

// Against what has corners, a box has few.
enum {
  BOTH_FEW = TEST_CORNERS + CL_BOTH_FEW,
  A_FEW = TEST_CORNERS + CL_A_FEW,
  B_FEW = TEST_CORNERS + CL_B_FEW,
  NONE_FEW = TEST_CORNERS + CL_NONE_FEW
};

static const uint8_t test_for[CL_FORMS][CL_FORMS] = {
    {TEST_BOXES, TEST_BOX_CIRCLE, BOTH_FEW, A_FEW, TEST_ANY},
    {TEST_CIRCLE_BOX, TEST_CIRCLES, TEST_ANY, TEST_ANY, TEST_ANY},
    {BOTH_FEW, TEST_ANY, BOTH_FEW, A_FEW, TEST_ANY},
    {B_FEW, TEST_ANY, B_FEW, NONE_FEW, TEST_ANY},
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

// To the bit cl_overlap_boxes: doubles differ by more than 0 if and only if one is larger.
#if CL_HAS_SSE2
typedef struct edges {
  __m128d lt, rb;
} edges;

CL_INLINE edges edges_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  __m128d at = _mm_loadu_pd(&s->at[slot].x);
  return (edges){_mm_add_pd(at, _mm_loadu_pd(kind->lt)), _mm_add_pd(at, _mm_loadu_pd(kind->rb))};
}

CL_INLINE bool test_box(const scene *s, cl_pair pair, cl_hit *out) {
  edges a = edges_of(s, pair.a), b = edges_of(s, pair.b);
  __m128d back = _mm_sub_pd(a.rb, b.lt), on = _mm_sub_pd(b.rb, a.lt);
  __m128d least = _mm_min_pd(back, on), other = _mm_unpackhi_pd(least, least);
  __m128d depth = _mm_min_sd(least, other);
  // All ones in both lanes where the way out is along x; then in that one of the two.
  __m128d across = _mm_cmple_pd(_mm_unpacklo_pd(least, least), other);
  __m128d axis = _mm_xor_pd(across, _mm_castsi128_pd(_mm_setr_epi32(0, 0, -1, -1)));
  __m128d sign = _mm_and_pd(_mm_cmple_pd(back, on), _mm_set1_pd(-0.0));
  _mm_storeu_pd(&out->nx, _mm_and_pd(axis, _mm_or_pd(_mm_set1_pd(1), sign)));
  _mm_store_sd(&out->depth, depth);
  return s->touching ? _mm_comige_sd(depth, _mm_setzero_pd())
                     : _mm_comigt_sd(depth, _mm_setzero_pd());
}
#else
CL_INLINE cl_bounds edges_of(const scene *s, uint32_t slot) {
  const cl_kind *kind = &s->kinds[s->kind[slot]];
  cl_vec at = s->at[slot];
  return (cl_bounds){at.x + kind->lt[0], at.y + kind->lt[1], at.x + kind->rb[0],
                     at.y + kind->rb[1]};
}

CL_INLINE bool test_box(const scene *s, cl_pair pair, cl_hit *out) {
  return cl_overlap_boxes(edges_of(s, pair.a), edges_of(s, pair.b), s->touching, out);
}
#endif

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

// The contacts so far. What comes to be no hit is overwritten by the next.
typedef struct writer {
  cl_pair *pair;
  cl_hit *hit;
  size_t count;
} writer;

// Both loops work on copies, since what is written may be anything as far as the compiler
// knows.
static void make_boxes(const scene *of, const cl_pairs *candidates, writer *w) {
  const scene s = *of;
  const cl_pair *candidate = candidates->at;
  cl_pair *to = w->pair;
  cl_hit *hit = w->hit;
  size_t n = 0;
  for (size_t i = 0, count = candidates->count; i < count; i++) {
    cl_pair pair = candidate[i];
    to[n] = pair;
    n += test_box(&s, pair, &hit[n]);
  }
  w->count = n;
}

static void make_circles(const scene *of, const cl_pairs *candidates, writer *w) {
  const scene s = *of;
  const cl_pair *candidate = candidates->at;
  cl_pair *to = w->pair;
  cl_hit *hit = w->hit;
  size_t n = 0;
  for (size_t i = 0, count = candidates->count; i < count; i++) {
    cl_pair pair = candidate[i];
    to[n] = pair;
    n += test_circle(&s, pair, &hit[n]);
  }
  w->count = n;
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

// The block of an actor's corners; a box gets one for this test, in `own`.
static const double *block_of(const scene *s, uint32_t slot, bool few, bool wide, double *own) {
  const cl_actors *actors = &s->world->actors;
  const cl_proxies *proxies = &s->world->proxies;
  if (actors->form[slot] == CL_FORM_BOX) {
    cl_placed box = cl_actor_placed(actors, slot, false);
    cl_corners_place_few(&box, wide, own, NULL);
    return own;
  }
  size_t size = CL_BLOCK(few ? CL_FEW : CL_AXES);
  return (few ? proxies->few : proxies->corners) + proxies->corner[slot] * size;
}

static void test_corners(const scene *s, batch *b, cl_rooms rooms, bool wide) {
  uint32_t count = b->counts[TEST_CORNERS + rooms];
  const uint8_t *number = b->numbers[TEST_CORNERS + rooms];
  bool a_few = rooms == CL_BOTH_FEW || rooms == CL_A_FEW;
  bool b_few = rooms == CL_BOTH_FEW || rooms == CL_B_FEW;
  cl_couple couple[TOGETHER];
  double own[TOGETHER][CL_BLOCK(CL_FEW)]; // two boxes are no couple
  cl_hit hit[TOGETHER];
  uint32_t which[TOGETHER], doubt[TOGETHER];
  cl_verdicts found = {hit, which, doubt, 0, 0};
  for (uint32_t k = 0; k < count; k++) {
    cl_pair pair = b->pair[number[k]];
    couple[k] = (cl_couple){block_of(s, pair.a, a_few, wide, own[k]),
                            block_of(s, pair.b, b_few, wide, own[k])};
    b->is[number[k]] = false;
  }
  cl_corners_overlap(couple, count, rooms, wide, &found);
  for (uint32_t k = 0; k < found.hits; k++) {
    b->hit[number[which[k]]] = hit[k];
    b->is[number[which[k]]] = true;
  }
  for (uint32_t k = 0; k < found.doubts; k++) {
    uint32_t i = number[doubt[k]];
    b->is[i] = test_any(s, b->pair[i], &b->hit[i]);
  }
}

static void test_batch(const scene *s, batch *b, bool wide) {
  TEST_ALL(TEST_BOXES, test_box, &b->hit[i])
  TEST_ALL(TEST_CIRCLES, test_circle, &b->hit[i])
  TEST_ALL(TEST_BOX_CIRCLE, test_box_circle, false, &b->hit[i])
  TEST_ALL(TEST_CIRCLE_BOX, test_box_circle, true, &b->hit[i])
  TEST_ALL(TEST_ANY, test_any, &b->hit[i])
  for (cl_rooms r = CL_BOTH_FEW; r <= CL_NONE_FEW; r++) {
    if (b->counts[TEST_CORNERS + r] > 0) test_corners(s, b, r, wide);
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
  bool wide = cl_has_avx2();
  for (size_t from = 0; from < candidates->count; from += TOGETHER) {
    size_t left = candidates->count - from;
    b.pair = candidates->at + from;
    b.count = (uint32_t)(left < TOGETHER ? left : TOGETHER);
    sort_by_test(&b, s->world->actors.form);
    test_batch(s, &b, wide);
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
