// collide, MIT licence (see LICENSE)
//
// Every broad phase against a loop over all pairs.

#include "broad_scenes.h"

#include "broad/broad.h"

static void check_find(cl_broad *broad, const char *name, scene *s, cl_pairs *pairs,
                       const cl_broad_def *def) {
  const cl_pair before = {77, 99};
  REQUIRE(CL_RESERVE(&def->alloc, pairs->at, pairs->cap, 1) == CL_OK);
  pairs->at[0] = before;
  pairs->count = 1;
  cl_broad_input in = scene_input(s);
  cl_status status = broad->class->find(broad, &in, pairs);
  CHECK(status == CL_OK && pairs->at[0].a == before.a && pairs->at[0].b == before.b);
  const char *wrong = scene_differs(s, pairs->at + 1, pairs->count - 1);
  CHECK_MSG(!wrong, "%s of %zu: %s; kind %d, %u boxes, depth %u, field %g %g %g %g%s", wrong,
            s->pairs, name, (int)s->kind, s->count, def->depth, (double)def->field.x0,
            (double)def->field.y0, (double)def->field.x1, (double)def->field.y1,
            def->bounded ? "" : " not given");
}

static scene *new_scene(void) { return malloc(sizeof(scene)); }

// Each broad phase finds the pairs of all these scenes, several times with more and with fewer
// boxes.
static void play_all(const uint32_t *sizes, size_t size_count, const unsigned *depths,
                     size_t depth_count, int field_step) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = new_scene();
  REQUIRE(s);
  cl_broad *broad[BROADS][FIELDS][CL_BROAD_MAX_DEPTH + 1] = {0};
  for (int k = 0; k < KINDS; k++) {
    for (size_t n = 0; n < size_count; n++) {
      if (k >= EQUAL && sizes[n] > 500) continue;
      if (sizes[n] >= 500 && !test_chosen(k * (long)size_count + (long)n)) continue;
      scene_make(s, (kind)k, sizes[n]);
      for (int at = 0; at < BROADS * FIELDS * (int)depth_count; at++) {
        int b = at % BROADS, field = at / BROADS % FIELDS;
        unsigned depth = depths[at / BROADS / FIELDS];
        if (b == 0 && field > 0) continue;
        if ((b == 0 || b >= TREES) && depth > depths[0]) continue; // this matters only for trees
        if ((field + k + (int)n) % field_step != 0 && b > 0) continue;
        cl_broad_def def = field_def(alloc, field, depth);
        cl_broad **mine = &broad[b][field][depth];
        if (!*mine) *mine = open_broad(b, def);
        REQUIRE(*mine);
        check_find(*mine, broad_names[b], s, &pairs, &def);
      }
    }
  }
  for (int at = 0; at < BROADS * FIELDS * (CL_BROAD_MAX_DEPTH + 1); at++) {
    cl_broad *mine = broad[at % BROADS][at / BROADS % FIELDS][at / BROADS / FIELDS];
    if (mine) mine->class->close(mine);
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  CHECK_HEAP_EMPTY(h);
}

static void few_boxes(void) {
  static const uint32_t sizes[] = {0, 1, 2, 3, 33, 31, 0, 32, 4};
  static const unsigned depths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  for (long i = test_rounds(4); i > 0; i--) play_all(sizes, 9, depths, 17, 1);
}

static void a_thousand_boxes(void) {
  static const uint32_t sizes[] = {1000, 500, 2};
  static const unsigned depths[] = {0, 1, 2, 5, 9, 15, 16};
  for (long i = test_rounds(1); i > 0; i--) play_all(sizes, 3, depths, 7, 2);
}

// Boxes in doubles: at 0, where floats are exact, and where floats cannot tell them apart.
static void boxes_in_doubles(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = new_scene();
  REQUIRE(s);
  for (long i = test_rounds(400); i > 0; i--) {
    cl_broad_def def = field_def(alloc, test_int(0, FIELDS - 1), 0);
    scene_make(s, (kind)test_int(0, KINDS - 1), (uint32_t)test_int(0, test_int(0, 500)));
    scene_move_far(s, test_int(0, 1) ? 0 : 1e12);
    scene_find(s);
    for (int b = 0; b < BROADS; b++) {
      cl_broad *broad = open_broad(b, def);
      check_find(broad, broad_names[b], s, &pairs, &def);
      broad->class->close(broad);
    }
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  CHECK_HEAP_EMPTY(h);
}

// Moves each box to one of a few places, up to 1e12 apart.
static void scatter(scene *s) {
  double at[9][2];
  int places = test_int(1, 9);
  for (int k = 0; k < places; k++) {
    for (int d = 0; d < 2; d++) at[k][d] = test_int(-9, 9) * (test_int(0, 1) ? 1e11 : 1e4);
  }
  scene_move_far(s, 0);
  for (uint32_t i = 0; i < s->count; i++) {
    const double *to = at[test_int(0, places - 1)];
    cl_bounds *b = &s->fine[i];
    *b = cl_bounds_moved(*b, (cl_vec){to[0], to[1]});
    s->box[i] = cl_fbox_of(b->l, b->t, b->r, b->b);
  }
  scene_find(s);
}

// Boxes in doubles, found by the same broad phases again and again.
static void boxes_far_away(void) {
  static cl_fbox near[MAX_BOXES];
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = new_scene();
  REQUIRE(s);
  cl_broad *broad[BROADS];
  for (int b = 0; b < BROADS; b++) broad[b] = open_broad(b, field_def(alloc, 0, 0));
  for (long i = test_rounds(400); i > 0; i--) {
    scene_make(s, (kind)test_int(0, KINDS - 1), (uint32_t)test_int(0, test_int(0, 500)));
    scatter(s);
    cl_broad_input in = scene_input(s);
    in.enough = test_int(0, 1) ? 0 : 100;
    for (int b = 0; b < BROADS; b++) {
      pairs.count = 0;
      CHECK(cl_broad_find_fine(broad[b], &in, near, &pairs) == CL_OK);
      const char *wrong = scene_differs(s, pairs.at, pairs.count);
      CHECK_MSG(!wrong, "%s of %zu: %s; kind %d, %u boxes", wrong, s->pairs, broad_names[b],
                (int)s->kind, s->count);
    }
  }
  for (int b = 0; b < BROADS; b++) broad[b]->class->close(broad[b]);
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  CHECK_HEAP_EMPTY(h);
}

static void thousands_of_boxes(void) {
  static const uint32_t sizes[] = {4096, 4095, 4097};
  static const unsigned depths[] = {0, 3, 16};
  for (long i = test_rounds(1); i > 0; i--) play_all(sizes, 3, depths, 3, 9);
}

// Any two kinds of boxes together, in any field; each scene has a seed of its own.
static void small_scenes(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = new_scene();
  REQUIRE(s);
  for (long i = test_rounds(15000); i > 0; i--) {
    uint64_t seed = test_bits();
    test_state = seed;
    long errors = test_errors;
    cl_broad_def def =
        field_def(alloc, test_int(0, FIELDS - 1), (unsigned)test_int(0, CL_BROAD_MAX_DEPTH));
    cl_broad *broad[BROADS];
    for (int b = 0; b < BROADS; b++) broad[b] = open_broad(b, def);
    for (int round = 0; round < 3; round++) {
      scene_make(s, (kind)test_int(0, KINDS - 1), (uint32_t)test_int(0, 40));
      kind other = (kind)test_int(0, KINDS - 1);
      for (uint32_t n = 0; n < s->count / 2; n++) s->box[n] = random_box(other, s->seed);
      scene_find(s);
      for (int b = 0; b < BROADS; b++) check_find(broad[b], broad_names[b], s, &pairs, &def);
    }
    for (int b = 0; b < BROADS; b++) broad[b]->class->close(broad[b]);
    CHECK_MSG(test_errors == errors, "the scene's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
  CHECK_HEAP_EMPTY(h);
}

static int by_pair(const void *a, const void *b) {
  const cl_pair *p = a, *q = b;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

// Too many for a loop over all pairs: all broad phases find what the quadtree finds.
static void very_many_boxes(void) {
  enum { COUNT = 130000 };
  cl_alloc alloc = cl_alloc_default();
  cl_pairs want = {0}, got = {0};
  cl_fbox *box = malloc(COUNT * sizeof *box);
  uint8_t *fixed = malloc(COUNT);
  REQUIRE(box && fixed);
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < COUNT; i++) {
      double size = round == 1 ? size_between(2, 200) : 10;
      box[i] = box_at(test_uniform(0, 9000), test_uniform(0, 9000), size / (round + 1), size / 2);
      fixed[i] = round == 2 && test_int(0, 9) > 0;
    }
    cl_broad_input in = {.box = box, .fixed = fixed, .count = COUNT};
    for (int b = 1; b < BROADS; b++) {
      cl_broad *broad = open_broad(b, field_def(alloc, FIELDS - 1, 0));
      got.count = 0;
      CHECK(broad->class->find(broad, &in, &got) == CL_OK);
      qsort(got.at, got.count, sizeof *got.at, by_pair);
      bool same = got.count == want.count &&
                  (b == 1 || memcmp(got.at, want.at, got.count * sizeof *got.at) == 0);
      CHECK_MSG(b == 1 || same, "%s: %zu pairs, not %zu", broad_names[b], got.count, want.count);
      if (b == 1) {
        cl_pairs other = want;
        want = got;
        got = other;
        CHECK(want.count > COUNT / 100);
      }
      broad->class->close(broad);
    }
  }
  cl_free(&alloc, want.at, want.cap * sizeof *want.at);
  cl_free(&alloc, got.at, got.cap * sizeof *got.at);
  free(box);
  free(fixed);
}

// Boxes that touch at a side or a corner are pairs, exact to the last bit.
static void touching(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_pairs pairs = {0};
  scene *s = new_scene();
  REQUIRE(s);
  const float past = nextafterf(20, 30), none = 10;
  const cl_fbox others[] = {{20, 10, 30, 20},   {0, 10, 10, 20},    {10, 20, 20, 30},
                            {10, 0, 20, 10},    {20, 20, 30, 30},   {0, 0, 10, 10},
                            {past, 10, 30, 20}, {10, past, 20, 30}, {none, none, none, none}};
  for (int b = 0; b < BROADS; b++) {
    for (int field = 0; field < FIELDS; field++) {
      cl_broad_def def = field_def(alloc, field, 0);
      cl_broad *broad = open_broad(b, def);
      for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        scene_make(s, UNIFORM, 2);
        s->some_fixed = false;
        s->box[0] = (cl_fbox){10, 10, 20, 20};
        s->box[1] = others[i];
        scene_find(s);
        CHECK(s->pairs == (i == 6 || i == 7 ? 0 : 1));
        check_find(broad, broad_names[b], s, &pairs, &def);
      }
      broad->class->close(broad);
    }
  }
  cl_free(&alloc, pairs.at, pairs.cap * sizeof *pairs.at);
  free(s);
}

int main(void) {
  RUN(few_boxes);
  RUN(a_thousand_boxes);
  RUN(thousands_of_boxes);
  RUN(boxes_in_doubles);
  RUN(boxes_far_away);
  RUN(small_scenes);
  RUN(very_many_boxes);
  RUN(touching);
  return test_end();
}
