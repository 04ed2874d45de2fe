// collide, MIT licence (see LICENSE)
//
// Memory from an owner's cl_alloc, and arrays that grow. Layer: base.

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

#endif
