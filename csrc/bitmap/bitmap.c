// collide, MIT licence (see LICENSE)
//
// The life of a bitmap, and looking at its cells. Layer: bitmap.

#include "bitmap/bitmap.h"

#include "base/tol.h"

static size_t word_count(const cl_bitmap *bitmap) {
  return (size_t)bitmap->h * (size_t)bitmap->stride;
}

static size_t cell_count(const cl_bitmap *bitmap) { return (size_t)bitmap->h * (size_t)bitmap->w; }

cl_bitmap *cl_bitmap_new(const cl_bitmap_def *def) {
  assert(def->w >= 1 && def->w <= CL_BITMAP_MAX_SIDE && def->h >= 1 &&
         def->h <= CL_BITMAP_MAX_SIDE && (int64_t)def->w * def->h <= CL_BITMAP_MAX_CELLS);
  assert(def->cell >= CL_BITMAP_MIN_CELL && def->cell <= CL_MAX_COORD);
  assert(def->samples >= 1 && def->samples <= CL_BITMAP_MAX_SAMPLES);
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

bool cl_bits_any(const cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi) {
  const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
  uint64_t any = 0;
  for (int32_t i = lo >> 6; i <= hi >> 6; i++) any |= words[i] & cl_bits_mask(i, lo, hi);
  return any != 0;
}

void cl_bits_set(cl_bitmap *bitmap, int32_t row, int32_t lo, int32_t hi) {
  size_t start = (size_t)row * (size_t)bitmap->stride;
  for (int32_t i = lo >> 6; i <= hi >> 6; i++) {
    uint64_t *word = &bitmap->bits[start + (size_t)i];
    if (*word == 0) bitmap->dirty[bitmap->dirty_count++] = (uint32_t)(start + (size_t)i);
    *word |= cl_bits_mask(i, lo, hi);
  }
}

double cl_bitmap_coverage(const cl_bitmap *bitmap, int32_t col, int32_t row) {
  assert(col >= 0 && col < bitmap->w && row >= 0 && row < bitmap->h);
  if (!cl_bits_any(bitmap, row, col, col)) return 0;
  return bitmap->value ? bitmap->value[(size_t)row * (size_t)bitmap->w + (size_t)col] : 1;
}

// Spreads the indices of words over 64 bits, so that a sum of them identifies the set.
static uint64_t spread(size_t i) { return (i + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 16; }

// Whether the list holds each word that is not 0 once, in whatever order.
static bool are_words_listed(const cl_bitmap *bitmap) {
  size_t words = word_count(bitmap), filled = 0;
  uint64_t sum = 0;
  for (size_t i = 0; i < words; i++) {
    if (bitmap->bits[i] == 0) continue;
    filled++;
    sum += spread(i);
  }
  if (filled != bitmap->dirty_count) return false;
  for (size_t i = 0; i < filled; i++) {
    if (bitmap->dirty[i] >= words || bitmap->bits[bitmap->dirty[i]] == 0) return false;
    sum -= spread(bitmap->dirty[i]);
  }
  return sum == 0;
}

bool cl_bitmap_is_valid(const cl_bitmap *bitmap) {
  if (!are_words_listed(bitmap)) return false;
  for (int32_t row = 0; row < bitmap->h; row++) {
    const uint64_t *words = bitmap->bits + (size_t)row * (size_t)bitmap->stride;
    if (bitmap->w & 63 && words[bitmap->stride - 1] >> (bitmap->w & 63)) return false;
    for (int32_t col = 0; col < bitmap->w; col++) {
      double v = cl_bitmap_coverage(bitmap, col, row);
      if (!(v >= 0 && v <= 1)) return false;
    }
  }
  return true;
}
