// collide, MIT licence (see LICENSE)
//
// Separating axes: the version for every processor, and single pairs. Layer: narrow.

#include "narrow/sat.h"

#include "narrow/sat_kernels.h"

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
