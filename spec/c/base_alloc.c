// collide, MIT licence (see LICENSE)
//
// base/alloc: new memory, growth, and failures, which must change nothing.

#include "checked_alloc.h"

static void default_allocator(void) {
  cl_alloc alloc = cl_alloc_default();
  unsigned char *p = alloc.resize(alloc.user, NULL, 0, 10);
  REQUIRE(p);
  for (unsigned char i = 0; i < 10; i++) p[i] = i;
  p = alloc.resize(alloc.user, p, 10, 100000);
  REQUIRE(p);
  for (unsigned char i = 0; i < 10; i++) CHECK(p[i] == i);
  p = alloc.resize(alloc.user, p, 100000, 5);
  REQUIRE(p);
  for (unsigned char i = 0; i < 5; i++) CHECK(p[i] == i);
  CHECK(alloc.resize(alloc.user, p, 5, 0) == NULL);
}

static void new_memory_is_zeroed(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  for (size_t size = 1; size < 3000; size += 97) {
    unsigned char *p = cl_new(&alloc, size);
    REQUIRE(p);
    size_t set = 0;
    for (size_t i = 0; i < size; i++) set += p[i] != 0;
    CHECK_MSG(set == 0, "%zu of %zu bytes are set", set, size);
    CHECK(h.bytes == size && h.blocks == 1);
    cl_free(&alloc, p, size);
  }
  h.allowed = 0;
  CHECK(cl_new(&alloc, 8) == NULL);
  CHECK_HEAP_EMPTY(h);
}

static void freeing_nothing(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_free(&alloc, NULL, 0);
  cl_free(&alloc, NULL, 100);
  CHECK(h.requests == 0);
  CHECK_HEAP_EMPTY(h);
}

// As an array of 32-bit numbers grows by one at a time, each number keeps its value, and the array
// rarely moves.
static void growth_by_appending(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  uint32_t *list = NULL;
  size_t cap = 0;
  for (uint32_t n = 0; n < 100000; n++) {
    size_t before = cap;
    long requests = h.requests;
    REQUIRE(CL_RESERVE(&alloc, list, cap, n + 1) == CL_OK);
    CHECK(cap > n && (before > n ? cap == before && h.requests == requests : cap > before));
    CHECK(cap <= 8 || cap <= n + 1 + n / 2);
    list[n] = n * 2654435761u;
  }
  for (uint32_t n = 0; n < 100000; n++) CHECK(list[n] == n * 2654435761u);
  CHECK_MSG(h.requests < 40, "%ld requests", h.requests);
  CHECK(h.bytes == cap * sizeof *list && h.blocks == 1);
  cl_free(&alloc, list, cap * sizeof *list);
  CHECK_HEAP_EMPTY(h);
}

static void room_that_is_there_is_not_asked_for(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  double *list = NULL;
  size_t cap = 0;
  CHECK(CL_RESERVE(&alloc, list, cap, 0) == CL_OK && !list && cap == 0 && h.requests == 0);
  REQUIRE(CL_RESERVE(&alloc, list, cap, 1000) == CL_OK);
  double *at = list;
  size_t room = cap;
  h.allowed = 0; // so it cannot fail
  for (size_t need = 0; need <= room; need++) {
    CHECK(CL_RESERVE(&alloc, list, cap, need) == CL_OK && list == at && cap == room);
  }
  cl_free(&alloc, list, cap * sizeof *list);
  CHECK_HEAP_EMPTY(h);
}

typedef struct odd {
  char c[7];
} odd;

static void failure_changes_nothing(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  odd *list = NULL;
  size_t cap = 0, n = 0;
  h.one_in = 3;
  for (long i = test_rounds(20000); i > 0; i--) {
    size_t need = n + (size_t)test_int(0, 9), before = cap;
    odd *at = list;
    cl_status status = CL_RESERVE(&alloc, list, cap, need);
    CHECK(status == CL_OK ? cap >= need : status == CL_NOMEM && list == at && cap == before);
    if (status != CL_OK) continue;
    for (; n < need; n++) memset(list[n].c, (int)(n % 251), sizeof list[n].c);
    if (need < 5000) continue;
    for (size_t k = 0; k < n; k++) CHECK(list[k].c[6] == (char)(k % 251));
    cl_free(&alloc, list, cap * sizeof *list);
    list = NULL;
    cap = n = 0;
  }
  CHECK(h.refused > 0);
  cl_free(&alloc, list, cap * sizeof *list);
  CHECK_HEAP_EMPTY(h);
}

// Does not request more bytes than a size_t can hold.
static void sizes_beyond_all_memory(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  uint64_t *list = NULL;
  size_t cap = 0;
  const size_t needs[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / sizeof *list + 1};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    CHECK(CL_RESERVE(&alloc, list, cap, needs[i]) == CL_NOMEM && !list && cap == 0);
  }
  CHECK(h.requests == 0);
  REQUIRE(CL_RESERVE(&alloc, list, cap, 1) == CL_OK);
  size_t room = cap;
  CHECK(CL_RESERVE(&alloc, list, cap, SIZE_MAX) == CL_NOMEM && cap == room);
  cl_free(&alloc, list, cap * sizeof *list);
  CHECK_HEAP_EMPTY(h);
}

static void the_version_is_that_of_the_header(void) { CHECK(!strcmp(cl_version(), CL_VERSION)); }

int main(void) {
  RUN(the_version_is_that_of_the_header);
  RUN(default_allocator);
  RUN(new_memory_is_zeroed);
  RUN(freeing_nothing);
  RUN(growth_by_appending);
  RUN(room_that_is_there_is_not_asked_for);
  RUN(failure_changes_nothing);
  RUN(sizes_beyond_all_memory);
  return test_end();
}
