// collide, MIT licence (see LICENSE)
//
// Makes shapes of all kinds from an input, on a lattice or anywhere, including invalid ones.

#ifndef CL_SPEC_FUZZ_ANY_SHAPE_H
#define CL_SPEC_FUZZ_ANY_SHAPE_H

#include "geom/shape.h"
#include "geom/tiles.h"

// The range of coordinates: a lattice of ones or of quarters, anywhere nearby, or any doubles.
typedef enum lattice { ONES, QUARTERS, NEARBY, EXTREME, LATTICES } lattice;

static inline double any_double(void) {
  uint64_t bits = test_bits();
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static inline double any_coord(lattice on) {
  switch (on) {
  case ONES: return test_int(-8, 8);
  case QUARTERS: return test_int(-32, 32) / 4.0;
  case NEARBY: return test_uniform(-100, 100);
  default: return test_int(0, 3) ? test_int(-8, 8) : any_double();
  }
}

static inline double any_size(lattice on) {
  return on == EXTREME ? any_double() : fabs(any_coord(on)) + 0.25;
}

// A shape for a cell of side 1: usually convex and inside the cell, sometimes neither.
static inline cl_shape *any_look(const cl_alloc *alloc) {
  double xy[16];
  int n = test_int(3, 8);
  cl_fault fault;
  cl_shape *s = NULL;
  for (int i = 0; i < 2 * n; i++) xy[i] = test_int(0, 8) / 8.0;
  return cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s) == CL_OK ? s : NULL;
}

static inline cl_status any_tiles(const cl_alloc *alloc, lattice on, cl_shape **out) {
  const int64_t size[3] = {test_int(1, 6), test_int(1, 6), 1};
  const double origin[3] = {any_coord(on), any_coord(on), 0};
  cl_tile_look looks[2] = {{.value = 2, .shape = any_look(alloc)},
                           {.value = 3, .shape = any_look(alloc)}};
  cl_grid *grid = NULL;
  cl_status status = CL_INVALID;
  double cell = any_size(on);
  if (cell > 0 && cell <= CL_MAX_COORD && fabs(origin[0]) <= CL_MAX_COORD &&
      fabs(origin[1]) <= CL_MAX_COORD)
    status = cl_grid_new(alloc, 2, size, (double[]){cell, cell}, origin, &grid);
  if (status == CL_OK) {
    for (int64_t i = 0; i < size[0] * size[1]; i++)
      cl_grid_set(grid, (int64_t[3]){i % size[0], i / size[0], 0}, (uint8_t)test_int(0, 3));
    status = cl_shape_tiles(alloc, grid, looks, (uint32_t)test_int(0, 2), out);
    cl_grid_release(grid);
  }
  for (int i = 0; i < 2; i++)
    if (looks[i].shape) cl_shape_release((cl_shape *)(uintptr_t)looks[i].shape);
  return status;
}

// Double the area of an outline.
static inline double area_of(const double *xy, int n) {
  double area = 0;
  for (int i = 0; i < n; i++) {
    int k = (i + 1) % n;
    area += xy[2 * i] * xy[2 * k + 1] - xy[2 * k] * xy[2 * i + 1];
  }
  return fabs(area);
}

static inline cl_status any_polygon(const cl_alloc *alloc, lattice on, cl_shape **out) {
  double xy[48];
  int n = test_int(0, 24);
  cl_fault fault = {CL_FAULT_NONE, 0, 0};
  for (int i = 0; i < 2 * n; i++) xy[i] = any_coord(on);
  cl_status status = cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, out);
  CHECK((status == CL_OK) == (fault.kind == CL_FAULT_NONE));
  CHECK(status == CL_OK || fault.kind == CL_FAULT_FEW || (fault.i < (uint32_t)n));
  // The parts have the area of the whole shape: on a lattice only quotients are rounded.
  if (status == CL_OK && on <= QUARTERS)
    CHECK_MSG(fabs(2 * cl_shape_area(*out) - area_of(xy, n)) <= 1e-9, "area %g of %g",
              cl_shape_area(*out), area_of(xy, n) / 2);
  return status;
}

static inline cl_status any_chain(const cl_alloc *alloc, lattice on, cl_shape **out) {
  double xy[24];
  int n = test_int(0, 12);
  cl_fault fault;
  for (int i = 0; i < 2 * n; i++) xy[i] = any_coord(on);
  return cl_shape_chain(alloc, xy, (uint32_t)n, test_int(0, 1), &fault, out);
}

static inline cl_shape *any_shape(const cl_alloc *alloc, lattice on, int levels);

static inline cl_status any_compound(const cl_alloc *alloc, lattice on, int levels,
                                     cl_shape **out) {
  cl_shape *members[3];
  int n = test_int(0, 3);
  for (int i = 0; i < n; i++) members[i] = any_shape(alloc, on, levels - 1);
  cl_status status = n ? cl_shape_compound(alloc, members, (uint32_t)n, out) : CL_INVALID;
  for (int i = 0; i < n; i++) cl_shape_release(members[i]);
  return status;
}

static inline cl_status any_change(cl_shape *of, lattice on, cl_shape **out) {
  double x = any_coord(on), y = any_coord(on);
  switch (test_int(0, 5)) {
  case 0: return cl_shape_translated(of, x, y, out);
  case 1: return cl_shape_rotated(of, on == EXTREME ? 1 : x, out);
  case 2: return cl_shape_scaled(of, x, y, out);
  case 3: return cl_shape_scaled(of, x, x, out);
  case 4: return cl_shape_centered(of, out);
  default: return cl_shape_upright(of, out);
  }
}

// A valid shape from any bytes. The caller releases it.
static inline cl_shape *any_shape(const cl_alloc *alloc, lattice on, int levels) {
  cl_shape *s = NULL, *changed = NULL;
  cl_status status;
  double x = any_coord(on), y = any_coord(on), w = any_size(on), h = any_size(on);
  switch (test_int(0, levels > 0 ? 8 : 6)) {
  case 0: status = cl_shape_rectangle(alloc, x, y, w, h, &s); break;
  case 1: status = cl_shape_circle(alloc, x, y, w, &s); break;
  case 2: status = cl_shape_capsule(alloc, x, y, w, h, any_size(on), &s); break;
  case 3: status = cl_shape_segment(alloc, x, y, w, h, &s); break;
  case 4: status = any_chain(alloc, on, &s); break;
  case 5:
  case 6: status = any_polygon(alloc, on, &s); break;
  case 7: status = any_compound(alloc, on, levels, &s); break;
  default: status = any_tiles(alloc, on, &s); break;
  }
  if (status != CL_OK && cl_shape_rectangle(alloc, -1, -1, 2, 2, &s) != CL_OK) abort();
  CHECK(cl_shape_is_valid(s));
  if (test_int(0, 4) || any_change(s, on, &changed) != CL_OK) return s;
  CHECK(cl_shape_is_valid(changed));
  cl_shape_release(s);
  return changed;
}

#endif
