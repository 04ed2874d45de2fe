// collide, MIT licence (see LICENSE)
//
// Contact points of placed shapes. Layer: narrow.

#include "geom/placed.h"

#include "narrow/manifold.h"

int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *hit,
                cl_contact out[2]) {
  return cl_overlap(a, b, touching, hit) ? cl_manifold(a, b, hit, out) : 0;
}
