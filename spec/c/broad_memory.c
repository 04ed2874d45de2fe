// collide, MIT licence (see LICENSE)
//
// The broad phases without memory: a find fails or is correct, the same call is correct once there
// is memory again, and no memory leaks.

#include "broad_scenes.h"

// A find with the memory that the heap allows now. The pairs that a failed find has already
// appended are correct, too.
static cl_status find(cl_broad *broad, const char *name, scene *s, cl_pairs *pairs) {
  cl_broad_input in = scene_input(s);
  pairs->count = 0;
  cl_status status = broad->class->find(broad, &in, pairs);
  CHECK(status == CL_OK || status == CL_NOMEM);
  const char *wrong = status == CL_OK ? scene_differs(s, pairs->at, pairs->count)
                                      : scene_wrong(s, pairs->at, pairs->count);
  CHECK_MSG(!wrong, "%s of %zu: %s, status %d, kind %d, %u boxes", wrong, s->pairs, name,
            (int)status, (int)s->kind, s->count);
  return status;
}

static void free_pairs(const cl_alloc *alloc, cl_pairs *pairs) {
  cl_free(alloc, pairs->at, pairs->cap * sizeof *pairs->at);
  *pairs = (cl_pairs){0};
}

static void one_request_in_three_fails(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  REQUIRE(s);
  long failed = 0, opened = 0;
  for (long i = test_rounds(3000); i > 0; i--) {
    uint64_t seed = test_bits();
    test_state = seed;
    long errors = test_errors;
    h.state = seed;
    h.one_in = 3;
    cl_broad_def def =
        field_def(alloc, test_int(0, FIELDS - 1), (unsigned)test_int(0, CL_BROAD_MAX_DEPTH));
    int b = test_int(0, BROADS - 1);
    cl_broad *broad = open_broad(b, def);
    if (!broad) CHECK(h.blocks == 0 && h.bytes == 0);
    for (int n = broad ? 4 : 0; n > 0; n--) {
      scene_make(s, (kind)test_int(0, KINDS - 1), (uint32_t)test_int(0, test_int(0, 200)));
      while (find(broad, broad_names[b], s, &pairs) != CL_OK) {
        failed++;
        if (test_int(0, 3)) continue;
        h.one_in = 0;
        CHECK(find(broad, broad_names[b], s, &pairs) == CL_OK);
        h.one_in = 3;
        break;
      }
    }
    if (broad) opened++, broad->class->close(broad);
    free_pairs(&alloc, &pairs);
    CHECK_HEAP_EMPTY(h);
    CHECK_MSG(test_errors == errors, "the scene's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  CHECK_MSG(failed > opened, "only %ld of %ld finds failed", failed, opened);
  free(s);
}

// A new broad phase's first find, with every request in turn the first to fail.
static void each_request_fails(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_pairs pairs = {0};
  scene *s = malloc(sizeof *s);
  REQUIRE(s);
  for (int b = 0; b < BROADS; b++) {
    for (int k = 0; k < KINDS; k++) {
      scene_make(s, (kind)k, 150);
      cl_status status = CL_NOMEM;
      for (long allowed = 0; status != CL_OK && allowed < 1000; allowed++) {
        cl_broad_def def = field_def(alloc, k % FIELDS, 0);
        h.allowed = allowed;
        cl_broad *broad = open_broad(b, def);
        if (broad) {
          status = find(broad, broad_names[b], s, &pairs);
          h.allowed = -1;
          CHECK(find(broad, broad_names[b], s, &pairs) == CL_OK);
          // Room that was reserved once needs no more memory.
          h.allowed = 0;
          CHECK(find(broad, broad_names[b], s, &pairs) == CL_OK);
          broad->class->close(broad);
        }
        free_pairs(&alloc, &pairs);
        CHECK_HEAP_EMPTY(h);
      }
      CHECK(status == CL_OK);
    }
  }
  free(s);
}

// Whatever room the list has at first, pairs are written only into it.
static void any_room(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  scene *s = malloc(sizeof *s);
  REQUIRE(s);
  for (int at = 0; at < BROADS * KINDS; at++) {
    int b = at % BROADS;
    scene_make(s, (kind)(at / BROADS), 40);
    cl_broad_def def = field_def(alloc, 0, 0);
    cl_broad *broad = open_broad(b, def);
    for (size_t room = 1; room <= s->pairs + 40; room++) {
      cl_pairs pairs = {alloc.resize(alloc.user, NULL, 0, room * sizeof *pairs.at), 0, room};
      CHECK(find(broad, broad_names[b], s, &pairs) == CL_OK && pairs.cap >= pairs.count);
      free_pairs(&alloc, &pairs);
    }
    broad->class->close(broad);
  }
  free(s);
  CHECK_HEAP_EMPTY(h);
}

int main(void) {
  RUN(one_request_in_three_fails);
  RUN(each_request_fails);
  RUN(any_room);
  return test_end();
}
