// collide, MIT licence (see LICENSE)
//
// Circles so close to touching that squares of doubles cannot decide, and the loops of
// primitives_kernels.h without AVX2. Layer: narrow.

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
