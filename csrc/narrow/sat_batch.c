// collide, MIT licence (see LICENSE)
//
// The separating axes of a single pair. Layer: narrow.

#include "narrow/sat_batch.h"

cl_verdict cl_sat_verdict(const cl_placed *a, const cl_placed *b, cl_hit *out) {
  const cl_block_placing *placing = cl_block_placing_best();
  double block[2][CL_BLOCK(CL_BLOCK_MANY)];
  cl_hit hit;
  uint32_t which, doubt;
  cl_verdicts found = {&hit, &which, &doubt, 0, 0};
  placing->many(a, block[0], NULL);
  placing->many(b, block[1], NULL);
  const cl_couple couple = {
      cl_block_placed(block[0], (cl_vec){a->x, a->y}, a->shape->parts->reach),
      cl_block_placed(block[1], (cl_vec){b->x, b->y}, b->shape->parts->reach)};
  cl_sat_batch_best()(&couple, 1, CL_NONE_FEW, &found);
  if (found.hits) *out = hit;
  return found.hits ? CL_HIT : found.doubts ? CL_DOUBT : CL_APART;
}
