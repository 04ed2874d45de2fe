// collide, MIT licence (see LICENSE)
//
// Sine and cosine that have the same bits on every machine. Layer: base.

#ifndef CL_BASE_TRIG_H
#define CL_BASE_TRIG_H

#include "base/config.h"

/// Sine and cosine of `a` (radians, |a| <= CL_MAX_ANGLE), each within 0.8 units
/// in the last place of the true value, even next to the multiples of pi/2. Only
/// + - * are used, so compilers, C libraries and processors all agree to the last
/// bit. cl_sincos(0) is exactly 0 and 1; sine is odd, cosine even.
void cl_sincos(double a, double *sine, double *cosine);

/// The same for `count` angles at once.
void cl_sincos_all(const double *a, size_t count, double *sine, double *cosine);

#endif
