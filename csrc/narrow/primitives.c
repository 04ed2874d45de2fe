// collide, MIT licence (see LICENSE)
//
// Overlap of the most common pairs: circles so close to touching that squares of doubles cannot
// decide, and single pairs of small convex parts. Layer: narrow.

#include "narrow/primitives.h"

#include "base/exact.h"
#include "narrow/primitives_kernels.h"

bool cl_overlap_circles_near(cl_disc a, cl_disc b, bool touching, cl_hit *out) {
  int sign = cl_compare_points((cl_vec){a.x, a.y}, (cl_vec){b.x, b.y}, a.r, b.r);
  if (sign > 0 || (sign == 0 && !touching)) return false;
  double x = a.x - b.x, y = a.y - b.y;
  if (x == 0 && y == 0) {
    *out = (cl_hit){a.r <= b.r ? -1 : 1, 0, a.r + b.r}; // the smaller goes left
    return true;
  }
  double m = cl_max(fabs(x), fabs(y)), u = x / m, v = y / m, d = sqrt(u * u + v * v);
  *out = (cl_hit){u / d, v / d, sign == 0 ? 0 : cl_max((a.r + b.r) - m * d, 0)};
  return true;
}

cl_verdict cl_sat_verdict(const cl_placed *a, const cl_placed *b, cl_hit *out) {
  double block[2][CL_BLOCK(CL_BLOCK_MANY)];
  cl_hit hit;
  uint32_t which, doubt;
  cl_verdicts found = {&hit, &which, &doubt, 0, 0};
  CL_BEST(cl_place_block)(a, CL_BLOCK_MANY, block[0], NULL);
  CL_BEST(cl_place_block)(b, CL_BLOCK_MANY, block[1], NULL);
  const cl_couple couple = {
      cl_block_placed(block[0], (cl_vec){a->x, a->y}, a->shape->parts->reach),
      cl_block_placed(block[1], (cl_vec){b->x, b->y}, b->shape->parts->reach)};
  CL_BEST(cl_test_couples)(&couple, 1, CL_NONE_FEW, &found);
  if (found.hits) *out = hit;
  return found.hits ? CL_HIT : found.doubts ? CL_DOUBT : CL_APART;
}
