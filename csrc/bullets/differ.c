// collide, MIT licence (see LICENSE)
//
// The first difference of two snapshots of pools. Layer: bullets.

#include "bullets/pack.h"

// The first bullet that only one of two pools has, or that differs in a number.
static bool find_in_pool(const cl_kept_pool *a, const cl_kept_pool *b, cl_bullet_difference *out) {
  const double *of_a = CL_AT(a->number, (size_t)CL_KEPT_NUMBER * a->count);
  const double *of_b = CL_AT(b->number, (size_t)CL_KEPT_NUMBER * b->count);
  int fields = cl_kept_fields(a->accelerates ? b : a); // those of both
  for (uint32_t i = 0; i < a->count || i < b->count; i++) {
    double first = i < a->count ? of_a[i] : INFINITY, second = i < b->count ? of_b[i] : INFINITY;
    out->bullet = cl_min(first, second);
    if (first != second) {
      out->field = CL_KEPT_FIELDS;
      out->a = first < second;
      out->b = second < first;
      return true;
    }
    for (int f = 0; f < fields; f++) {
      out->field = f;
      out->a = a->number[(size_t)f * a->count + i];
      out->b = b->number[(size_t)f * b->count + i];
      if (out->a != out->b) return true;
    }
  }
  return false;
}

bool cl_bullets_snapshot_differ(const cl_bullets_snapshot *a, const cl_bullets_snapshot *b,
                                cl_bullet_difference *out) {
  for (uint32_t i = 0; i < a->pools && i < b->pools; i++) {
    out->pool = i;
    if (find_in_pool(&a->pool[i], &b->pool[i], out)) return true;
  }
  return false;
}
