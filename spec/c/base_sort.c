// collide, MIT licence (see LICENSE)
//
// base/sort against the C library's sort, made stable.

#include "checked_alloc.h"

#include "base/alloc.h"

#include <limits.h>

// Values are indices in the unsorted list, so ties in their order are those of a stable sort.
static long compared;
static int by_key_then_place(const void *p, const void *q) {
  compared++;
  const cl_keyed *a = p, *b = q;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->value > b->value) - (a->value < b->value);
}

typedef enum order { RANDOM, FEW, RISING, FALLING, EXTREME, ORDERS } order;

static uint64_t key_of(order how, uint32_t i, uint32_t count, unsigned bits) {
  uint64_t most = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
  switch (how) {
  case FEW: return test_bits() & most & UINT64_C(0x8000000100000801);
  case RISING: return i <= most ? i : most;
  case FALLING: return count - i <= most ? count - i : most;
  case EXTREME: return test_int(0, 1) ? most - (test_bits() & 1 & most) : test_bits() & 1 & most;
  default: return test_bits() & most;
  }
}

static void compare(cl_sorter *sorter, const cl_alloc *alloc, order how, uint32_t count,
                    unsigned bits) {
  REQUIRE(cl_sorter_reserve(alloc, sorter, count) == CL_OK);
  cl_keyed *expected = malloc((count + 1) * sizeof *expected);
  cl_keyed *own = malloc((count + 1) * sizeof *own);
  REQUIRE(expected && own);
  for (uint32_t i = 0; i < count; i++) {
    own[i] = expected[i] = sorter->item[i] = (cl_keyed){key_of(how, i, count, bits), i};
  }
  qsort(expected, count, sizeof *expected, by_key_then_place);
  compared = 0;
  cl_sort_by(own, count, sizeof *own, by_key_then_place);
  double most = 30 + 4.0 * count * log2(count + 1.0);
  CHECK_MSG((double)compared <= most, "%ld comparisons of %u, order %d", compared, count, (int)how);
  const cl_keyed *sorted = cl_sort(sorter, count, bits);
  CHECK(count == 0 || (sorted >= sorter->item && sorted + count <= sorter->item + sorter->cap));
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < count; i++) {
    wrong += sorted[i].key != expected[i].key || sorted[i].value != expected[i].value;
    wrong += own[i].key != expected[i].key || own[i].value != expected[i].value;
  }
  CHECK_MSG(wrong == 0, "%u of %u at the wrong place, %u bits, order %d", wrong, count, bits,
            (int)how);
  free(expected);
  free(own);
}

// An order that is decided during the comparisons, so that each pivot is among the lowest (McIlroy,
// A Killer Adversary for Quicksort, 1999): it must not take more than n log n comparisons either.
enum { GAS = INT_MAX };
static int *value_of, solid, candidate;
static int by_adversary(const void *p, const void *q) {
  int x = *(const int *)p, y = *(const int *)q;
  compared++;
  if (value_of[x] == GAS && value_of[y] == GAS) value_of[x == candidate ? x : y] = solid++;
  if (value_of[x] == GAS) candidate = x;
  else if (value_of[y] == GAS) candidate = y;
  return (value_of[x] > value_of[y]) - (value_of[x] < value_of[y]);
}

static void worst_order(void) {
  enum { COUNT = 20000 };
  int *item = malloc(COUNT * sizeof *item);
  value_of = malloc(COUNT * sizeof *value_of);
  REQUIRE(item && value_of);
  for (int i = 0; i < COUNT; i++) item[i] = i, value_of[i] = GAS;
  compared = solid = candidate = 0;
  cl_sort_by(item, COUNT, sizeof *item, by_adversary);
  CHECK_MSG((double)compared < 6 * COUNT * log2(COUNT), "%ld comparisons", compared);
  for (int i = 1; i < COUNT; i++) CHECK(value_of[item[i - 1]] <= value_of[item[i]]);
  free(item);
  free(value_of);
}

// One sorter for all: the contents left from an earlier use must not matter.
static void every_width_and_size(void) {
  static const uint32_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 31, 100, 1000, 2047, 2048, 2049};
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_sorter sorter = {0};
  for (unsigned bits = 0; bits <= 64; bits++) {
    for (int how = 0; how < ORDERS; how++) {
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        compare(&sorter, &alloc, (order)how, sizes[s], bits);
      }
    }
  }
  cl_sorter_free(&alloc, &sorter);
  CHECK(!sorter.item && sorter.cap == 0);
  CHECK_HEAP_EMPTY(h);
}

static void large_lists(void) {
  cl_alloc alloc = cl_alloc_default();
  cl_sorter sorter = {0};
  for (long i = test_rounds(40); i > 0; i--) {
    uint32_t count = (uint32_t)test_int(0, 100000);
    compare(&sorter, &alloc, (order)test_int(0, ORDERS - 1), count, (unsigned)test_int(0, 64));
  }
  for (unsigned bits = 0; bits <= 64; bits += 8) compare(&sorter, &alloc, RANDOM, 100000, bits);
  cl_sorter_free(&alloc, &sorter);
}

// If there is no memory for more room, the sorter keeps its contents.
static void out_of_memory(void) {
  heap h = heap_new();
  cl_alloc alloc = heap_alloc(&h);
  cl_sorter sorter = {0};
  h.allowed = 0;
  CHECK(cl_sorter_reserve(&alloc, &sorter, 5) == CL_NOMEM && !sorter.item && sorter.cap == 0);
  h.allowed = -1;
  REQUIRE(cl_sorter_reserve(&alloc, &sorter, 5) == CL_OK);
  for (uint32_t i = 0; i < 5; i++) sorter.item[i] = (cl_keyed){5 - i, i};
  h.allowed = 0;
  CHECK(cl_sorter_reserve(&alloc, &sorter, 5000) == CL_NOMEM);
  const cl_keyed *sorted = cl_sort(&sorter, 5, 3);
  for (uint32_t i = 0; i < 5; i++) CHECK(sorted[i].key == i + 1 && sorted[i].value == 4 - i);
  cl_sorter_free(&alloc, &sorter);
  CHECK_HEAP_EMPTY(h);
}

static void bit_lengths(void) {
  CHECK(cl_bit_length(0) == 0);
  for (unsigned n = 1; n <= 64; n++) {
    uint64_t top = UINT64_C(1) << (n - 1);
    CHECK(cl_bit_length(top) == n && cl_bit_length(top | (top - 1)) == n);
    for (int i = 0; i < 20; i++) CHECK(cl_bit_length(top | (test_bits() & (top - 1))) == n);
  }
}

int main(void) {
  RUN(every_width_and_size);
  RUN(large_lists);
  RUN(worst_order);
  RUN(out_of_memory);
  RUN(bit_lengths);
  return test_end();
}
