// collide, MIT licence (see LICENSE)
//
// The sieve: picks the few bullets that need exact tests from many, four at a time. Layer: bullets.

#ifndef CL_BULLETS_NEARBY_KERNELS_H
#define CL_BULLETS_NEARBY_KERNELS_H

#include "base/simd.h"

static uint32_t sift_one_by_one(const cl_sieve *s, uint32_t from, uint32_t to, uint32_t *out) {
  const cl_nearby *f = s->nearby;
  cl_bounds bounds = s->bounds;
  uint32_t n = 0;
  for (uint32_t i = from; i < to; i++) {
    cl_vec p = {s->x[i], s->y[i]}, q = {s->next_x[i], s->next_y[i]};
    uint32_t cell;
    bool is_short = cl_nearby_is_short(f, p, q, &cell);
    unsigned inside = (q.x >= bounds.l) & (q.x <= bounds.r) & (q.y >= bounds.t) & (q.y <= bounds.b);
    out[n] = i;
    n += (f->occupied[cell] | !is_short | !inside) != 0;
  }
  return n;
}

// Cells along one axis, as in cl_nearby_column: a maximum or minimum with NaN is the second operand
// there and here.
CL_WIDE CL_INLINE void four_cells(cl_f64x4 p, double start, double scale, double last,
                                  uint32_t out[4]) {
  cl_f64x4 cell = cl_f64x4_mul(cl_f64x4_sub(p, cl_f64x4_all(start)), cl_f64x4_all(scale));
  cell = cl_f64x4_max(cell, cl_f64x4_all(0));
  cl_f64x4_to_u32(cl_f64x4_min(cell, cl_f64x4_all(last)), out);
}

CL_WIDE CL_INLINE unsigned within(cl_f64x4 p, double low, double high) {
  return cl_f64x4_le_bits(cl_f64x4_all(low), p) & cl_f64x4_le_bits(p, cl_f64x4_all(high));
}

CL_WIDE uint32_t CL_KERNEL(cl_nearby_sift)(const cl_sieve *s, uint32_t from, uint32_t to,
                                           uint32_t *out) {
  const cl_nearby *f = s->nearby;
  uint32_t n = 0, i = from;
  for (; i + 4 <= to; i += 4) {
    cl_f64x4 u = cl_f64x4_load(s->next_x + i), v = cl_f64x4_load(s->next_y + i);
    uint32_t column[4], row[4], to_column[4], to_row[4];
    four_cells(cl_f64x4_load(s->x + i), f->x, f->scale, f->last_x, column);
    four_cells(cl_f64x4_load(s->y + i), f->y, f->scale, f->last_y, row);
    four_cells(u, f->x, f->scale, f->last_x, to_column);
    four_cells(v, f->y, f->scale, f->last_y, to_row);
    unsigned inside = within(u, s->bounds.l, s->bounds.r) & within(v, s->bounds.t, s->bounds.b);
    // Separate loops, which compilers can vectorise.
    uint32_t cell[4], far[4];
    for (uint32_t k = 0; k < 4; k++) cell[k] = row[k] * f->columns + column[k];
    for (uint32_t k = 0; k < 4; k++) {
      far[k] = (to_column[k] - column[k] + 1 > 2) | (to_row[k] - row[k] + 1 > 2);
    }
    for (uint32_t k = 0; k < 4; k++) {
      out[n] = i + k;
      n += (f->occupied[cell[k]] | far[k] | (~inside >> k & 1)) != 0;
    }
  }
  return n + sift_one_by_one(s, i, to, out + n);
}

#endif
