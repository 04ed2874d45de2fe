// collide, MIT licence (see LICENSE)
//
// Which faces of tiles another shape has met. Layer: narrow.

#ifndef CL_NARROW_TILES_CONTACT_H
#define CL_NARROW_TILES_CONTACT_H

#include "geom/placed.h"

/// Writes an entry for each face of a cell that `b` overlaps, or with `touching` touches, up to
/// `most`, in the order of rows, then columns; returns how many. A face is what of a cell no
/// neighbour covers; of several that the same part of b is in, the one that it leaves by the
/// shortest way. The vectors are the ways the OTHER gets free.
int cl_tiles_contacts(const cl_placed *tiles, const cl_placed *b, bool touching, int most,
                      cl_contact *out);

#endif
