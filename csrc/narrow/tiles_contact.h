// collide, MIT licence (see LICENSE)
//
// The faces of tiles that another shape has met. Layer: narrow.

#ifndef CL_NARROW_TILES_CONTACT_H
#define CL_NARROW_TILES_CONTACT_H

#include "geom/shape.h"

/// Writes an entry for each face of a cell that `b` overlaps, or with `touching` touches, up to
/// `most`, ordered by rows, then columns; returns how many. A face is a side of a cell, except
/// where neighbours cover it. If the same part of b is in several faces, only the one with the
/// shortest way out counts. The vectors are how the OTHER gets free.
int cl_tiles_contacts(const cl_placed *tiles, const cl_placed *b, bool touching, int most,
                      cl_contact *out);

#endif
