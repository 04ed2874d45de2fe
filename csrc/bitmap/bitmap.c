// collide, MIT licence (see LICENSE)
//
// The life of a bitmap, and looking at its cells. Layer: bitmap.

#include "bitmap/bitmap.h"

#include "bitmap/span.h"

static size_t word_count(const cl_bitmap *bitmap) {
  return (size_t)bitmap->h * (size_t)bitmap->stride;
}

static size_t cell_count(const cl_bitmap *bitmap) { return (size_t)bitmap->h * (size_t)bitmap->w; }

cl_bitmap *cl_bitmap_new(const cl_bitmap_def *def) {
  cl_bitmap *bitmap = cl_new(&def->alloc, sizeof *bitmap);
  if (!bitmap) return NULL;
  bitmap->alloc = def->alloc;
  bitmap->w = def->w;
  bitmap->h = def->h;
  bitmap->stride = (def->w + 63) / 64;
  bitmap->samples = def->samples;
  bitmap->cell = def->cell;
  bool fits = cell_count(bitmap) <= SIZE_MAX / sizeof *bitmap->value;
  if (fits) bitmap->bits = cl_new(&def->alloc, word_count(bitmap) * sizeof *bitmap->bits);
  if (fits) bitmap->dirty = cl_new(&def->alloc, word_count(bitmap) * sizeof *bitmap->dirty);
  bool complete = bitmap->bits && bitmap->dirty;
  if (complete && !def->conservative) {
    bitmap->value = cl_new(&def->alloc, cell_count(bitmap) * sizeof *bitmap->value);
    bitmap->edge = cl_new(&def->alloc, (size_t)def->w * sizeof *bitmap->edge);
    complete = bitmap->value && bitmap->edge;
  }
  if (complete) return bitmap;
  cl_bitmap_free(bitmap);
  return NULL;
}

void cl_bitmap_free(cl_bitmap *bitmap) {
  cl_alloc alloc = bitmap->alloc;
  CL_FREE(&alloc, bitmap->edge, (size_t)bitmap->w);
  CL_FREE(&alloc, bitmap->value, cell_count(bitmap));
  CL_FREE(&alloc, bitmap->dirty, word_count(bitmap));
  CL_FREE(&alloc, bitmap->bits, word_count(bitmap));
  cl_free(&alloc, bitmap, sizeof *bitmap);
}

cl_bitmap_def cl_bitmap_measures(const cl_bitmap *bitmap) {
  return (cl_bitmap_def){
      .alloc = bitmap->alloc,
      .w = bitmap->w,
      .h = bitmap->h,
      .cell = bitmap->cell,
      .samples = bitmap->samples,
      .conservative = !bitmap->value,
  };
}

void cl_bitmap_clear(cl_bitmap *bitmap) {
  for (size_t i = 0; i < bitmap->dirty_count; i++) bitmap->bits[bitmap->dirty[i]] = 0;
  bitmap->dirty_count = 0;
}

double cl_bitmap_coverage(const cl_bitmap *bitmap, int32_t col, int32_t row) {
  assert(col >= 0 && col < bitmap->w && row >= 0 && row < bitmap->h);
  if (!cl_bits_any(bitmap, row, col, col)) return 0;
  return bitmap->value ? bitmap->value[(size_t)row * (size_t)bitmap->w + (size_t)col] : 1;
}
