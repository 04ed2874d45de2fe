// collide, MIT licence (see LICENSE)
//
// The data of a bitmap, and the bits of its rows. Layer: bitmap. Source: an experiment on hits in
// shooters: paint one group, look the other up.

#ifndef CL_BITMAP_BITMAP_H
#define CL_BITMAP_BITMAP_H

#include "base/alloc.h"

struct cl_bitmap {
  cl_alloc alloc;
  int32_t w, h;
  int32_t stride; ///< words of bits in a row
  int32_t samples;
  double cell;
  uint64_t *bits;  ///< h rows: bit c % 64 of word c / 64 says that cell c is painted
  uint32_t *dirty; ///< indices of the words that are not 0, in the order of painting; room for all
  size_t dirty_count;
  double *value; ///< h rows of w: the coverage of painted cells; NULL if conservative
  double *edge;  ///< scratch, for the rims of shapes; w
};

#endif
