// collide, MIT licence (see LICENSE)
//
// Tiles with shapes by value, for the tests of narrow: slopes, halves, round shapes, any convex
// polygon; and single cells, by the definition.

#ifndef CL_SPEC_TILE_SETS_H
#define CL_SPEC_TILE_SETS_H

#include "random_shapes.h"

#include "geom/tiles.h"

enum { TILE_FORMS = 14 };

static const struct {
  int n;
  double xy[16];
} tile_forms[TILE_FORMS] = {
    {3, {0, 1, 1, 0, 1, 1}},
    {3, {0, 0, 1, 1, 0, 1}}, // slopes on the floor
    {3, {0, 0, 1, 0, 1, 1}},
    {3, {0, 0, 1, 0, 0, 1}}, // and at the ceiling
    {3, {0, 1, 1, 0.5, 1, 1}},
    {4, {0, 0.5, 1, 0, 1, 1, 0, 1}}, // a gentle one in two
    {4, {0, 0, 1, 0.5, 1, 1, 0, 1}},
    {3, {0, 0.5, 1, 1, 0, 1}}, // and down again
    {4, {0, 0.5, 1, 0.5, 1, 1, 0, 1}},
    {4, {0, 0, 1, 0, 1, 0.5, 0, 0.5}}, // halves
    {4, {0, 0, 0.5, 0, 0.5, 1, 0, 1}},
    {4, {0.5, 0, 1, 0, 1, 1, 0.5, 1}},
    {4, {0.5, 0, 1, 0.5, 0.5, 1, 0, 0.5}}, // a diamond
    {4, {0.25, 0.25, 0.75, 0.25, 0.75, 0.75, 0.25, 0.75}},
};

// A shape of a cell of side 1. The caller releases it.
static inline cl_shape *tile_form(const cl_alloc *alloc, bool sharp) {
  cl_shape *s = NULL;
  cl_fault fault;
  int which = test_int(0, TILE_FORMS + (sharp ? 1 : 3));
  if (which == TILE_FORMS + 3) { // any capsule
    double r = test_int(1, 3) / 8.0;
    if (cl_shape_capsule(alloc, r, r, test_int(0, 1) ? 1 - r : r, 1 - r, r, &s) != CL_OK) abort();
  } else if (which == TILE_FORMS + 2) {
    if (cl_shape_circle(alloc, 0.5, 0.5, test_int(1, 4) / 8.0, &s) != CL_OK) abort();
  } else if (which < TILE_FORMS) {
    const double *xy = tile_forms[which].xy;
    bool box = which >= 8 && which != 12;
    cl_status status =
        box ? cl_shape_rectangle(alloc, xy[0], xy[1], xy[4] - xy[0], xy[5] - xy[1], &s)
            : cl_shape_polygon(alloc, xy, (uint32_t)tile_forms[which].n, &fault, &s);
    if (status != CL_OK) abort();
  }
  while (!s) { // corners on an ellipse about the middle, some of them on the sides
    double angles[12], xy[24];
    int n = test_int(3, 12);
    sorted_angles(angles, n);
    for (int i = 0; i < n; i++) {
      double sine, cosine;
      cl_sincos(angles[i], &sine, &cosine);
      xy[2 * i] = cl_min(cl_max(0.5 + 0.6 * cosine, 0), 1);
      xy[2 * i + 1] = cl_min(cl_max(0.5 + 0.6 * sine, 0), 1);
    }
    if (cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s) != CL_OK) s = NULL;
    if (s && s->part_count != 1) cl_shape_release(s), s = NULL;
  }
  return s;
}

// Tiles of random cells, about `share` of them not empty: values 1 and 2 are full, 3 is empty, and
// those from 4 on have shapes. Cells are squares; if there are no round shapes, they may be half or
// twice as high. The caller releases the tiles.
static inline cl_shape *shaped_tiles(const cl_alloc *alloc, const int64_t size[3], double cell,
                                     const double origin[3], double share, bool sharp) {
  cl_grid *grid;
  cl_shape *s;
  int parts = test_int(1, 6);
  double height = sharp ? cell * ldexp(1, test_int(-1, 1)) : cell;
  if (cl_grid_new(alloc, 2, size, (double[]){cell, height}, origin, &grid) != CL_OK) abort();
  for (int64_t i = 0; i < size[0] * size[1]; i++) {
    bool in = test_uniform(0, 1) < share;
    grid->bytes[i] = (uint8_t)(!in              ? 3 * test_int(0, 1)
                               : test_int(0, 2) ? test_int(4, 3 + parts)
                                                : test_int(1, 2));
  }
  cl_tile_look looks[8] = {{.value = 3}};
  cl_shape *shapes[8];
  for (int i = 0; i < parts; i++)
    looks[1 + i] =
        (cl_tile_look){.value = (uint8_t)(4 + i), .shape = shapes[i] = tile_form(alloc, sharp)};
  if (cl_shape_tiles(alloc, grid, looks, (uint32_t)parts + 1, &s) != CL_OK) abort();
  for (int i = 0; i < parts; i++) cl_shape_release(shapes[i]);
  cl_grid_release(grid);
  return s;
}

// The corners of a cell in the frame of the tiles, and its radius; 0 corners if it is empty.
static inline int cell_corners(const cl_shape *tiles, int column, int row, double xy[32],
                               double *radius) {
  static const double full[8] = {0, 0, 1, 0, 1, 1, 0, 1};
  uint8_t value = cl_tiles_value(tiles, column, row);
  const cl_tile_set *set = tiles->set;
  int kind = set ? set->kind[value] : value != 0;
  *radius = 0;
  if (kind == CL_TILE_EMPTY) return 0;
  const cl_tile_part *part = kind == CL_TILE_PART ? &set->part[set->index[value]] : NULL;
  int n = part ? (int)part->count : 4;
  for (int i = 0; i < n; i++) {
    double u = part ? part->corner[i].x : full[2 * i],
           v = part ? part->corner[i].y : full[2 * i + 1];
    xy[2 * i] = tiles->bounds.l + (column + u) * tiles->cell.x;
    xy[2 * i + 1] = tiles->bounds.t + (row + v) * tiles->cell.y;
  }
  if (part) *radius = part->radius * tiles->cell.x;
  return n;
}

// A cell as a separate shape; NULL if it is empty. The caller releases it.
static inline cl_shape *cell_shape(const cl_alloc *alloc, const cl_shape *tiles, int column,
                                   int row) {
  double xy[32], r;
  cl_shape *s = NULL;
  cl_fault fault;
  cl_status status = CL_OK;
  int n = cell_corners(tiles, column, row, xy, &r);
  if (n == 0) return NULL;
  if (n == 1) status = cl_shape_circle(alloc, xy[0], xy[1], r, &s);
  else if (n == 2) status = cl_shape_capsule(alloc, xy[0], xy[1], xy[2], xy[3], r, &s);
  else status = cl_shape_polygon(alloc, xy, (uint32_t)n, &fault, &s);
  if (status != CL_OK || s->part_count != 1) abort();
  return s;
}

#endif
