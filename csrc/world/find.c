// collide, MIT licence (see LICENSE)
//
// From placed actors to hits: the broad phase's candidates, those that the groups
// let through, and of these the pairs that do overlap, sorted. Layer: world.

#include <string.h>

#include "world/state.h"

// Drops the candidates that no rule lets hit.
static void filter(cl_world *world) {
  const uint32_t *slot = world->placing.slot;
  const uint8_t *group = world->actors.group;
  cl_pairs *candidates = &world->found_candidates;
  size_t n = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair pair = candidates->at[i];
    candidates->at[n] = pair;
    n += world->hits_with[group[slot[pair.a]]] >> group[slot[pair.b]] & 1;
  }
  candidates->count = n;
}

// The candidates' tests go by forms: one loop after the other over some candidates, so
// that no branch hangs on which of them come together.
enum { TOGETHER = 256 };

enum {
  TEST_BOXES,
  TEST_CIRCLES,
  TEST_BOX_CIRCLE,
  TEST_CIRCLE_BOX,
  TEST_ANY,
  TEST_CORNERS,
  TESTS = TEST_CORNERS + CL_NONE_FEW + 1
};

static const uint8_t test_for[CL_FORMS][CL_FORMS] = {
    {TEST_BOXES, TEST_BOX_CIRCLE, TEST_ANY, TEST_ANY, TEST_ANY},
    {TEST_CIRCLE_BOX, TEST_CIRCLES, TEST_ANY, TEST_ANY, TEST_ANY},
    {TEST_ANY, TEST_ANY, TEST_CORNERS + CL_BOTH_FEW, TEST_CORNERS + CL_A_FEW, TEST_ANY},
    {TEST_ANY, TEST_ANY, TEST_CORNERS + CL_B_FEW, TEST_CORNERS + CL_NONE_FEW, TEST_ANY},
    {TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY, TEST_ANY},
};

// Pairs for one test.
typedef struct batch {
  uint32_t count;
  cl_pair pair[TOGETHER];
} batch;

// The hits so far: each leaves a key in the sorter, and the hit itself in the second half
// of `found_hit`, in the same order. What comes to be no hit is overwritten by the next.
typedef struct hits {
  const cl_world *world;
  const cl_placing *placing;
  cl_keyed *key;
  cl_hit *hit;
  size_t count;
  unsigned bits;
  bool touching;
} hits;

static void add_hit(hits *h, cl_pair pair, bool is) {
  h->key[h->count] = (cl_keyed){(uint64_t)pair.a << h->bits | pair.b, (uint32_t)h->count};
  h->count += is;
}

static void test_boxes(hits *h, const cl_pair *pair, size_t count) {
  const cl_extent *extent = h->placing->extent;
  for (size_t i = 0; i < count; i++) {
    cl_bounds a = extent[pair[i].a].box, b = extent[pair[i].b].box;
    add_hit(h, pair[i], cl_overlap_boxes(a, b, h->touching, &h->hit[h->count]));
  }
}

static void test_circles(hits *h, const cl_pair *pair, size_t count) {
  const cl_extent *extent = h->placing->extent;
  for (size_t i = 0; i < count; i++) {
    cl_disc a = extent[pair[i].a].circle, b = extent[pair[i].b].circle;
    cl_hit *out = &h->hit[h->count];
    bool near, hit = cl_overlap_discs(a, b, &near, out);
    if (near) hit = cl_overlap_circles_near(a.x, a.y, a.r, b.x, b.y, b.r, h->touching, out);
    add_hit(h, pair[i], hit);
  }
}

static void test_any(hits *h, const cl_pair *pair, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cl_placed a = cl_placing_actor(h->world, pair[i].a), b = cl_placing_actor(h->world, pair[i].b);
    add_hit(h, pair[i], cl_overlap(&a, &b, h->touching, &h->hit[h->count]));
  }
}

// With `back` the second of each pair is the box.
static void test_box_circle(hits *h, const cl_pair *pair, size_t count, bool back) {
  const cl_placing *placing = h->placing;
  const double *x = h->world->actors.next_x, *y = h->world->actors.next_y;
  double sign = back ? -1 : 1;
  for (size_t i = 0; i < count; i++) {
    uint32_t box = back ? pair[i].b : pair[i].a, circle = back ? pair[i].a : pair[i].b;
    uint32_t p = placing->slot[box], q = placing->slot[circle];
    cl_hit *out = &h->hit[h->count];
    bool near, hit;
    hit = cl_overlap_box_disc(placing->extent[box].box, placing->extent[circle].circle,
                              (cl_vec){x[p], y[p]}, (cl_vec){x[q], y[q]}, &near, out);
    out->nx = out->nx * sign + 0.0, out->ny = out->ny * sign + 0.0;
    if (near) test_any(h, &pair[i], 1);
    else add_hit(h, pair[i], hit);
  }
}

static void test_corners(hits *h, const batch *b, cl_rooms rooms, bool wide) {
  const cl_placing *placing = h->placing;
  bool a_few = rooms == CL_BOTH_FEW || rooms == CL_A_FEW;
  bool b_few = rooms == CL_BOTH_FEW || rooms == CL_B_FEW;
  const double *as = a_few ? placing->few : placing->corners;
  const double *bs = b_few ? placing->few : placing->corners;
  size_t a_size = CL_BLOCK(a_few ? CL_FEW : CL_AXES), b_size = CL_BLOCK(b_few ? CL_FEW : CL_AXES);
  cl_couple couple[TOGETHER];
  uint32_t which[TOGETHER], doubt[TOGETHER];
  cl_verdicts found = {h->hit + h->count, which, doubt, 0, 0};
  for (uint32_t i = 0; i < b->count; i++) {
    couple[i] = (cl_couple){as + placing->corner[b->pair[i].a] * a_size,
                            bs + placing->corner[b->pair[i].b] * b_size};
  }
  cl_corners_overlap(couple, b->count, rooms, wide, &found);
  for (uint32_t i = 0; i < found.hits; i++) add_hit(h, b->pair[which[i]], true);
  for (uint32_t i = 0; i < found.doubts; i++) test_any(h, &b->pair[doubt[i]], 1);
}

static void sort_into(batch *b, const uint8_t *form, const cl_pair *pair, size_t count) {
  for (int t = 0; t < TESTS; t++) b[t].count = 0;
  for (size_t i = 0; i < count; i++) {
    batch *to = &b[test_for[form[pair[i].a]][form[pair[i].b]]];
    to->pair[to->count++] = pair[i];
  }
}

// Tests the candidates and returns how many hit. The keys bring them into order.
static size_t test_all(cl_world *world, unsigned bits) {
  const cl_pairs *candidates = &world->found_candidates;
  const cl_placing *placing = &world->placing;
  cl_hit *hit = world->found_hit.at + candidates->count;
  hits h = {world, placing, world->sorter.item, hit, 0, bits, world->touching};
  if (placing->forms == 1u << CL_FORM_BOX) {
    test_boxes(&h, candidates->at, candidates->count);
    return h.count;
  }
  batch b[TESTS];
  bool wide = cl_has_avx2();
  for (size_t from = 0; from < candidates->count; from += TOGETHER) {
    size_t left = candidates->count - from;
    sort_into(b, placing->form, candidates->at + from, left < TOGETHER ? left : TOGETHER);
    test_boxes(&h, b[TEST_BOXES].pair, b[TEST_BOXES].count);
    test_circles(&h, b[TEST_CIRCLES].pair, b[TEST_CIRCLES].count);
    test_box_circle(&h, b[TEST_BOX_CIRCLE].pair, b[TEST_BOX_CIRCLE].count, false);
    test_box_circle(&h, b[TEST_CIRCLE_BOX].pair, b[TEST_CIRCLE_BOX].count, true);
    test_any(&h, b[TEST_ANY].pair, b[TEST_ANY].count);
    for (cl_rooms r = CL_BOTH_FEW; r <= CL_NONE_FEW; r++) {
      test_corners(&h, &b[TEST_CORNERS + r], r, wide);
    }
  }
  return h.count;
}

static cl_status reserve_found(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t most = world->found_candidates.count;
  if (most > UINT32_MAX) return CL_NOMEM;
  cl_status status = cl_sorter_reserve(alloc, &world->sorter, most);
  if (status == CL_OK) status = CL_RESERVE(alloc, world->found.at, world->found.cap, most);
  // Twice: as tested, and sorted.
  if (status == CL_OK) {
    status = CL_RESERVE(alloc, world->found_hit.at, world->found_hit.cap, 2 * most);
  }
  return status;
}

static void sort_found(cl_world *world, size_t count, unsigned bits) {
  world->found.count = count;
  if (count == 0) return;
  const cl_keyed *sorted = cl_sort(&world->sorter, count, 2 * bits);
  const uint32_t *slot = world->placing.slot;
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  const cl_hit *tested = world->found_hit.at + world->found_candidates.count;
  for (size_t i = 0; i < count; i++) {
    uint32_t a = slot[sorted[i].key >> bits], b = slot[sorted[i].key & mask];
    world->found.at[i] = (cl_tie){a, b, 0, 0};
    world->found_hit.at[i] = tested[sorted[i].value];
  }
}

cl_status cl_find(cl_world *world) {
  cl_status status = cl_place_next(world);
  if (status != CL_OK) return status;
  const cl_placing *placing = &world->placing;
  cl_broad_input in = {
      .box = placing->box,
      .fixed = placing->movers < placing->count ? placing->fixed : NULL,
      .count = placing->count,
      .order = placing->order,
      .still = placing->still,
  };
  cl_pairs *candidates = &world->found_candidates;
  candidates->count = 0;
  status = world->broad->class->find(world->broad, &in, candidates);
  if (status != CL_OK) return status;
  filter(world);
  status = reserve_found(world);
  if (status != CL_OK) return status;
  unsigned bits = cl_bit_length(placing->count);
  sort_found(world, test_all(world, bits), bits);
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair *pair = &candidates->at[i];
    *pair = (cl_pair){placing->slot[pair->a], placing->slot[pair->b]};
  }
  return CL_OK;
}
