// collide, MIT licence (see LICENSE)
//
// Memory from an owner's cl_alloc, arrays that grow, and how they are sorted. Layer: base.

#ifndef CL_BASE_ALLOC_H
#define CL_BASE_ALLOC_H

#include "base/config.h"

/// New zeroed memory, or NULL. Free it with cl_free and the same size.
void *cl_new(const cl_alloc *alloc, size_t size);
void cl_free(const cl_alloc *alloc, void *p, size_t size);

/// The same for `count` elements of `size` bytes; NULL also when their sum overflows a size_t. Free
/// it with CL_FREE.
void *cl_new_array(const cl_alloc *alloc, uint64_t count, size_t size);

/// Adds the bytes of `count` elements of `size` to a sum. False, with the sum unchanged, when a
/// size_t cannot hold it.
bool cl_add_size(size_t *total, uint64_t count, size_t size);

/// A size in bytes, rounded up so that an array behind it starts at a multiple of 64: that aligns
/// any type and suits vector loads.
static inline size_t cl_padded(size_t size) { return (size + 63) / 64 * 64; }

/// Makes room for `need` elements of `size` bytes in an array of capacity
/// `*cap`; `array` points to the pointer to it. Growth is by half, so that
/// appending costs constant time. New elements are not initialised. On
/// CL_NOMEM nothing has changed.
cl_status cl_grow(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size);
static inline cl_status cl_reserve(const cl_alloc *alloc, void *array, size_t *cap, size_t need,
                                   size_t size) {
  return need <= *cap ? CL_OK : cl_grow(alloc, array, cap, need, size);
}

/// The same for an array that is refilled each time with about as many elements as before: it
/// grows by an eighth.
cl_status cl_grow_near(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size);
static inline cl_status cl_reserve_near(const cl_alloc *alloc, void *array, size_t *cap,
                                        size_t need, size_t size) {
  return need <= *cap ? CL_OK : cl_grow_near(alloc, array, cap, need, size);
}

/// cl_reserve for a typed pointer and its capacity.
#define CL_RESERVE(alloc, p, cap, need) cl_reserve((alloc), &(p), &(cap), (need), sizeof *(p))
#define CL_RESERVE_NEAR(alloc, p, cap, need)                                                       \
  cl_reserve_near((alloc), &(p), &(cap), (need), sizeof *(p))

/// A pointer to element `i` of an array that may be NULL while empty: adding even 0 to NULL is
/// undefined in C.
#define CL_AT(p, i) ((p) ? (p) + (i) : (p))

/// Frees an array of capacity `cap`, from CL_RESERVE or cl_new_array.
#define CL_FREE(alloc, p, cap) cl_free((alloc), (p), (cap) * sizeof *(p))

// ---- Where structs have their fields, for a host that reads them through pointers: it declares
// them by these lists

/// A field of a struct: its name for the host, its type as C writes it, and its offset in bytes.
/// Lists end with a field whose name is NULL.
typedef struct cl_field {
  const char *name, *type;
  size_t at;
} cl_field;

/// The field at `path` of a struct. A wrong type does not compile.
#define CL_FIELD(structure, path, name, type)                                                      \
  {                                                                                                \
    name, #type,                                                                                   \
        offsetof(structure, path) +                                                                \
            0 * sizeof(char[_Generic(((structure *)0)->path, type : 1, default                     \
                                     : -1)])                                                       \
  }

// ---- Sorting

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

/// In place of the C library's qsort, which may take memory and more stack: not stable, in n log n
/// comparisons. The order is below 0 if the first comes before the second, and no more than that is
/// asked. Source: Musser, Introspective Sorting and Selection Algorithms (1997).
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
