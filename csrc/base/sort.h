// collide, MIT licence (see LICENSE)
//
// Sorting by integer keys in linear time. Layer: base.

#ifndef CL_BASE_SORT_H
#define CL_BASE_SORT_H

#include "base/alloc.h"

/// A key and what it stands for, an index into the caller's arrays.
typedef struct cl_keyed {
  uint64_t key;
  uint32_t value;
} cl_keyed;

/// `cap` items, twice as many as are sorted: the items themselves and where they
/// are moved to. Owned by the caller; all zeros is an empty one.
typedef struct cl_sorter {
  cl_keyed *item;
  size_t cap;
} cl_sorter;

/// Reserves room to sort `count` items.
cl_status cl_sorter_reserve(const cl_alloc *alloc, cl_sorter *sorter, size_t count);
void cl_sorter_free(const cl_alloc *alloc, cl_sorter *sorter);

/// Sorts the first `count` items ascending by key, stably; only the lowest
/// `bits` bits of any key may be set. Returns the sorted items, which lie
/// inside `sorter` and stay there until its next use.
/// Source: least significant digit radix sort (Knuth, TAOCP 3, 5.2.5).
cl_keyed *cl_sort(cl_sorter *sorter, size_t count, unsigned bits);

/// The C library's qsort, which may take memory and more stack: not stable, in n log n comparisons.
/// The order is below 0 if the first comes before the second, and no more than that is asked.
/// Source: Musser, Introspective Sorting and Selection Algorithms (1997).
typedef int cl_order(const void *, const void *);
void cl_sort_by(void *at, size_t count, size_t size, cl_order *order);

/// A heap: the last in the order comes first. Element `i` of `count` was replaced by one that comes
/// earlier, and is moved down; or it was added, and is moved up.
void cl_heap_sink(void *at, size_t i, size_t count, size_t size, cl_order *order);
void cl_heap_rise(void *at, size_t i, size_t size, cl_order *order);

/// The index of the first of `count` ascending numbers that is at least `least`, or `count`.
static inline size_t cl_first_from(const uint32_t *number, size_t count, uint32_t least) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (number[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// Replaces each of `count` numbers by the sum of all numbers up to and including it.
void cl_sum_up(uint32_t *number, size_t count);

#endif
