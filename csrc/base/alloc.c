// collide, MIT licence (see LICENSE)
//
// Allocation, and the version of all this. Layer: base.

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *cl_version(void) { return CL_VERSION; }

static void *resize_default(void *user, void *p, size_t old, size_t size) {
  (void)user;
  (void)old;
  if (size == 0) {
    free(p);
    return NULL;
  }
  return realloc(p, size);
}

cl_alloc cl_alloc_default(void) { return (cl_alloc){resize_default, NULL}; }

void *cl_new(const cl_alloc *alloc, size_t size) {
  void *p = alloc->resize(alloc->user, NULL, 0, size);
  if (p) memset(p, 0, size);
  return p;
}

bool cl_add_size(size_t *total, uint64_t count, size_t size) {
  if (count > (SIZE_MAX - *total) / size) return false;
  *total += (size_t)count * size;
  return true;
}

void *cl_new_array(const cl_alloc *alloc, uint64_t count, size_t size) {
  size_t bytes = 0;
  return cl_add_size(&bytes, count, size) ? cl_new(alloc, bytes) : NULL;
}

void cl_free(const cl_alloc *alloc, void *p, size_t size) {
  if (p) alloc->resize(alloc->user, p, size, 0);
}

static cl_status grow(const cl_alloc *alloc, void *array, size_t *cap, size_t count, size_t size) {
  if (count < 8) count = 8;
  if (count > SIZE_MAX / size) return CL_NOMEM;
  void *p; // copied, since a pointer to T* may not be read as a void **
  memcpy(&p, array, sizeof p);
  p = alloc->resize(alloc->user, p, *cap * size, count * size);
  if (!p) return CL_NOMEM;
  memcpy(array, &p, sizeof p);
  *cap = count;
  return CL_OK;
}

cl_status cl_grow(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size) {
  size_t count = *cap + *cap / 2;
  return grow(alloc, array, cap, count < need ? need : count, size);
}

cl_status cl_grow_near(const cl_alloc *alloc, void *array, size_t *cap, size_t need, size_t size) {
  size_t count = *cap + *cap / 8;
  return grow(alloc, array, cap, count < need ? need : count, size);
}
