// collide, MIT licence (see LICENSE)
//
// The overlap of placed shapes: chooses the test for two shapes. Layer: narrow.

#include "narrow/overlap.h"

#include "narrow/canonical_order.h"
#include "narrow/parts_overlap.h"
#include "narrow/tiles_overlap.h"

static bool any_tiles(const cl_placed *a, const cl_placed *b) {
  return cl_placed_is_tiles(a) || cl_placed_is_tiles(b);
}

// Of two tiles, the first in canonical order counts as the tiles.
static bool is_second(const cl_placed *a, const cl_placed *b) {
  return !cl_placed_is_tiles(a) || (cl_placed_is_tiles(b) && !cl_comes_first(a, b));
}

bool cl_overlap_within(const cl_placed *a, const cl_placed *b, bool touching, cl_effort *effort,
                       cl_hit *out) {
  if (!any_tiles(a, b)) return cl_parts_overlap(a, b, touching, effort, out);
  bool back = is_second(a, b);
  cl_hit h;
  if (!cl_tiles_overlap(back ? b : a, back ? a : b, touching, effort, &h)) return false;
  *out = back ? h : (cl_hit){0.0 - h.nx, 0.0 - h.ny, h.depth}; // in the direction the caller wants
  return true;
}

bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out) {
  cl_effort effort = cl_full_effort();
  return cl_overlap_within(a, b, touching, &effort, out);
}

bool cl_overlaps(const cl_placed *a, const cl_placed *b, bool touching) {
  if (!any_tiles(a, b)) return cl_parts_meet(a, b, touching);
  bool back = is_second(a, b);
  return cl_tiles_meet(back ? b : a, back ? a : b, touching);
}
