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

// The hits so far, and their pairs. What comes to be no hit is overwritten by the next.
typedef struct hits {
  const cl_world *world;
  const cl_placing *placing;
  cl_pair *pair;
  cl_hit *hit;
  size_t count;
  bool touching;
} hits;

static void add_hit(hits *h, cl_pair pair, bool is) {
  h->pair[h->count] = pair;
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
    if (near) hit = cl_overlap_circles_near(a, b, h->touching, out);
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

// Tests the candidates and returns how many hit.
static size_t test_all(cl_world *world) {
  const cl_pairs *candidates = &world->found_candidates;
  const cl_placing *placing = &world->placing;
  hits h = {world, placing, world->found.at, world->hit.at, 0, world->touching};
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

// Where pairs are few among many actors, they are sorted by keys; else by counting, which
// takes a look at every actor and less memory.
static bool is_counted(const cl_world *world) {
  return world->found_candidates.count >= world->placing.count / 8;
}

static cl_status reserve_sorting(cl_world *world, size_t most) {
  const cl_alloc *alloc = &world->alloc;
  if (!is_counted(world)) return cl_sorter_reserve(alloc, &world->sorter, most);
  size_t starts = (size_t)world->placing.count + 1;
  cl_status status = CL_RESERVE(alloc, world->second_start, world->second_start_cap, starts);
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, world->by_second, world->by_second_cap, most);
}

// Nothing of the last step is lost, though lists that are made when asked for may be.
static cl_status reserve_found(cl_world *world) {
  const cl_alloc *alloc = &world->alloc;
  size_t most = world->found_candidates.count;
  if (most > UINT32_MAX) return CL_NOMEM;
  cl_status status = reserve_sorting(world, most);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, world->found.at, world->found.cap, most);
  if (status == CL_OK) status = CL_RESERVE_NEAR(alloc, world->order, world->order_cap, most);
  if (status != CL_OK) return status;
  return CL_RESERVE_NEAR(alloc, world->hit.at, world->hit.cap, most);
}

static void sum_up(uint32_t *start, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) start[i + 1] += start[i];
}

// Two counting sorts, the second one stable: by second, then by first number.
static void sort_by_counting(cl_world *world) {
  const cl_pair *pair = world->found.at;
  size_t pairs = world->found.count;
  uint32_t count = world->placing.count, *start = world->second_start;
  size_t size = ((size_t)count + 1) * sizeof *start;
  memset(start, 0, size);
  for (size_t i = 0; i < pairs; i++) start[pair[i].b + 1]++;
  sum_up(start, count);
  for (size_t i = 0; i < pairs; i++) world->by_second[start[pair[i].b]++] = (uint32_t)i;
  memset(start, 0, size);
  for (size_t i = 0; i < pairs; i++) start[pair[i].a + 1]++;
  sum_up(start, count);
  for (size_t k = 0; k < pairs; k++) {
    uint32_t i = world->by_second[k];
    world->order[start[pair[i].a]++] = i;
  }
}

static void sort_by_keys(cl_world *world) {
  const cl_pair *pair = world->found.at;
  size_t count = world->found.count;
  unsigned bits = cl_bit_length(world->placing.count);
  for (size_t i = 0; i < count; i++) {
    world->sorter.item[i] = (cl_keyed){(uint64_t)pair[i].a << bits | pair[i].b, (uint32_t)i};
  }
  const cl_keyed *sorted = cl_sort(&world->sorter, count, 2 * bits);
  for (size_t i = 0; i < count; i++) world->order[i] = sorted[i].value;
}

cl_status cl_find_candidates(cl_world *world) {
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
  return reserve_found(world);
}

void cl_find_hits(cl_world *world) {
  const uint32_t *slot = world->placing.slot;
  cl_pairs *candidates = &world->found_candidates;
  world->pairs.count = world->found.count = test_all(world);
  if (world->found.count > 0) {
    if (is_counted(world)) sort_by_counting(world);
    else sort_by_keys(world);
  }
  for (size_t i = 0; i < world->found.count; i++) {
    cl_pair pair = world->found.at[world->order[i]];
    world->pairs.at[i] = (cl_tie){slot[pair.a], slot[pair.b], 0, 0};
  }
  for (size_t i = 0; i < candidates->count; i++) {
    cl_pair *pair = &candidates->at[i];
    *pair = (cl_pair){slot[pair->a], slot[pair->b]};
  }
}
