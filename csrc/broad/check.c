// collide, MIT licence (see LICENSE)
//
// Whether pairs are right. Layer: broad.

#include "broad/check.h"
#include "geom/box.h"

bool cl_broad_input_is_valid(const cl_broad_input *in) {
  for (uint32_t i = 0; i < in->count; i++) {
    cl_fbox b = in->box[i];
    if (!(b.x0 >= -FLT_MAX && b.x0 <= b.x1 && b.x1 <= FLT_MAX)) return false;
    if (!(b.y0 >= -FLT_MAX && b.y0 <= b.y1 && b.y1 <= FLT_MAX)) return false;
  }
  return in->count <= INT32_MAX;
}

static bool is_pair(const cl_broad_input *in, uint32_t a, uint32_t b) {
  if (in->fixed && in->fixed[a] && in->fixed[b]) return false;
  if (in->fine) return cl_bounds_touch(in->fine[a], in->fine[b]);
  return cl_fbox_touch(in->box[a], in->box[b]);
}

enum { MOST_BOXES = 256 };

// Marks pair (a, b); false if it was marked already.
static bool mark(uint64_t marks[MOST_BOXES * MOST_BOXES / 64], cl_pair pair) {
  uint32_t bit = pair.a * MOST_BOXES + pair.b;
  bool was = marks[bit / 64] >> bit % 64 & 1;
  marks[bit / 64] |= UINT64_C(1) << bit % 64;
  return !was;
}

bool cl_pairs_are_right(const cl_broad_input *in, const cl_pairs *out, size_t from) {
  uint64_t marks[MOST_BOXES * MOST_BOXES / 64] = {0};
  for (size_t i = from; i < out->count; i++) {
    cl_pair pair = out->at[i];
    if (in->either_way && pair.a > pair.b) pair = (cl_pair){pair.b, pair.a};
    if (pair.a >= pair.b || pair.b >= in->count) return false;
    if (!is_pair(in, pair.a, pair.b)) return false;
    if (in->count <= MOST_BOXES && !mark(marks, pair)) return false;
  }
  if (in->count > MOST_BOXES || cl_broad_has_enough(in, out->count - from)) return true;
  for (uint32_t a = 0; a < in->count; a++) {
    for (uint32_t b = a + 1; b < in->count; b++) {
      if (!is_pair(in, a, b)) continue;
      if (mark(marks, (cl_pair){a, b})) return false;
    }
  }
  return true;
}
