// collide, MIT licence (see LICENSE)
//
// Reads shapes and versions of byte arrays, in the formats of packs and films, from any bytes. A
// shape that is read must be valid, and the same after it is written and read again.

#include "fuzz.h"

#include "base/delta.h"
#include "geom/saved.h"

enum { MOST_CELLS = 4096, VERSIONS = 4 };

static cl_archive writer(void) { return (cl_archive){.alloc = cl_alloc_default()}; }

static cl_archive reader(const uint8_t *at, size_t count) {
  return (cl_archive){.alloc = cl_alloc_default(), .reading = true, .next = at, .left = count};
}

static cl_shape *read_shape(const uint8_t *at, size_t count) {
  cl_archive a = reader(at, count);
  cl_shape *shape;
  cl_shape_archive(&a, &shape, NULL, MOST_CELLS);
  CHECK((a.status == CL_OK) == (shape != NULL));
  return shape;
}

static void shapes(const uint8_t *at, size_t count) {
  cl_shape *shape = read_shape(at, count), *again = NULL;
  if (!shape) return;
  CHECK(cl_shape_is_valid(shape));
  cl_archive first = writer(), second = writer();
  cl_shape_archive(&first, &shape, NULL, MOST_CELLS);
  again = read_shape(first.at, first.count);
  CHECK(again != NULL);
  if (again) {
    cl_shape_archive(&second, &again, NULL, MOST_CELLS);
    CHECK(second.count == first.count && memcmp(second.at, first.at, first.count) == 0);
    cl_placed a = cl_place(shape, 0, 0, 0), b = cl_place(again, 0, 0, 0);
    cl_overlaps(&a, &b, false);
    cl_shape_release(again);
  }
  cl_shape_release(shape);
  CL_FREE(&first.alloc, first.at, first.cap);
  CL_FREE(&second.alloc, second.at, second.cap);
}

static void versions(const uint8_t *at, size_t count) {
  cl_archive in = reader(at, count);
  cl_delta d = {.alloc = cl_alloc_default()};
  for (int i = 0; i < VERSIONS && in.left > 0 && in.status == CL_OK; i++) {
    cl_archive out = writer();
    cl_delta_read(&d, &in, &out);
    CHECK(out.status == in.status);
    CL_FREE(&out.alloc, out.at, out.cap);
  }
  cl_delta_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t count) {
  test_name = "this input";
  shapes(at, count);
  versions(at, count);
  return fuzz_end();
}
