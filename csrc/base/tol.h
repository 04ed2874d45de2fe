// collide, MIT licence (see LICENSE)
//
// Every tolerance of the engine, with its unit and its reason; collide.h has the limits.
// Layer: base.
//
// Decisions (overlap or not, touching or not, in front or behind) have no
// tolerance: they are made on the doubles given. Where rounding could turn a
// sign, the floating-point value decides only when it is larger than its own
// error bound; otherwise exact arithmetic (base/exact.h) decides.

#ifndef CL_BASE_TOL_H
#define CL_BASE_TOL_H

#include "base/config.h"

/// Unit roundoff of double, 2^-53: one rounding is off by at most this share.
#define CL_ROUND 1.1102230246251565e-16

/// Error bound of a separation measured by the narrow phase, as a multiple of
/// the coordinates that went into it (|position| + reach of both shapes, in
/// world units): 32 roundings. Placing a vertex takes 4, turning a unit normal
/// 5, the projections and their difference 8; the rest is margin. Usual value:
/// 4e-12 at coordinates of 1000. Within it exact arithmetic decides.
#define CL_SEPARATION_ERROR (32 * CL_ROUND)

/// Error bound of a squared distance against a squared radius, as a fraction of
/// the two: differences, squares and sums make 6 roundings; the rest is margin.
#define CL_SQUARE_ERROR (16 * CL_ROUND)

/// Squared distances below this have lost bits to underflow, world units squared:
/// vectors that short are scaled up before they are normalised.
#define CL_SQUARE_LEAST 1e-280

/// A polygon's corner that bends in by less than this fraction of its largest
/// coordinate counts as a point on a straight edge: 1e-12, far below a pixel, far
/// above the rounding of coordinates that were computed to lie in a line.
#define CL_FLAT 1e-12

/// Two parts of one shape that are no farther apart than this fraction of its reach
/// count as meeting, where the directions that lead out of the whole shape are
/// found: 1e-9, far above the rounding of rotated and scaled shapes, far below a
/// pixel.
#define CL_MEET 1e-9

/// How far apart, or how deep in each other, shapes may be at the time when a
/// cast says that they touch, as a fraction of the coordinates and the length of the
/// way: 64 roundings, for the separation, its rate and the place at t. Usual
/// value: 1e-11 at 1000.
#define CL_CAST_ERROR (64 * CL_ROUND)

#endif
