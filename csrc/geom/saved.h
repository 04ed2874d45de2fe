// collide, MIT licence (see LICENSE)
//
// Shapes as bytes. Layer: geom.

#ifndef CL_GEOM_SAVED_H
#define CL_GEOM_SAVED_H

#include "base/bytes.h"
#include "geom/shape.h"

/// Writes a shape, or reads one, with a reference for the caller; NULL if the archive has failed.
/// Tiles that are read are those of `grid` if it has their size, or of a new one, of at most `most`
/// cells, which are 0.
void cl_shape_archive(cl_archive *a, cl_shape **shape, cl_grid *grid, double most);

#endif
