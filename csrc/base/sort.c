// collide, MIT licence (see LICENSE)
//
// Radix sort. Layer: base.

#include "base/sort.h"

#include <string.h>

// 2^11 counters of four bytes fill a quarter of a 32 KB first-level cache, which leaves room for
// the items being scattered.
enum { MAX_DIGIT = 11 };

cl_status cl_sorter_reserve(const cl_alloc *alloc, cl_sorter *sorter, size_t count) {
  return CL_RESERVE(alloc, sorter->item, sorter->cap, 2 * count);
}

void cl_sorter_free(const cl_alloc *alloc, cl_sorter *sorter) {
  CL_FREE(alloc, sorter->item, sorter->cap);
  *sorter = (cl_sorter){0};
}

static void sort_by_digit(const cl_keyed *from, cl_keyed *to, size_t count, unsigned shift,
                          unsigned digit) {
  uint32_t start[1 << MAX_DIGIT];
  size_t buckets = (size_t)1 << digit;
  uint64_t mask = buckets - 1;
  memset(start, 0, buckets * sizeof *start);
  for (size_t i = 0; i < count; i++) start[(from[i].key >> shift) & mask]++;
  uint32_t sum = 0;
  for (size_t b = 0; b < buckets; b++) {
    uint32_t n = start[b];
    start[b] = sum;
    sum += n;
  }
  for (size_t i = 0; i < count; i++) to[start[(from[i].key >> shift) & mask]++] = from[i];
}

cl_keyed *cl_sort(cl_sorter *sorter, size_t count, unsigned bits) {
  assert(bits <= 64 && 2 * count <= sorter->cap);
  cl_keyed *from = sorter->item, *to = CL_AT(sorter->item, count);
  unsigned passes = (bits + MAX_DIGIT - 1) / MAX_DIGIT;
  for (unsigned pass = 0, done = 0; pass < passes; pass++) {
    unsigned digit = (bits - done + (passes - pass) - 1) / (passes - pass);
    sort_by_digit(from, to, count, done, digit);
    done += digit;
    cl_keyed *swap = from;
    from = to;
    to = swap;
  }
  return from;
}

// Four at a time: only one addition in four waits for the numbers before.
void cl_sum_up(uint32_t *number, size_t count) {
  uint32_t sum = 0;
  size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    uint32_t a = number[k], b = a + number[k + 1], c = number[k + 2], d = c + number[k + 3];
    number[k] = sum + a;
    number[k + 1] = sum + b;
    number[k + 2] = sum + (b + c);
    number[k + 3] = sum += b + d;
  }
  for (; k < count; k++) number[k] = sum += number[k];
}
