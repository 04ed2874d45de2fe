// collide, MIT licence (see LICENSE)
//
// Functions that walk records by lists of their fields. Layer: base.

#include "base/record.h"

#include <limits.h>

static bool is_there(const cl_saved *f, unsigned has) { return !f->has || f->has & has; }

// Whether a field is the first of its array: operations on whole arrays are done once for each.
static bool begins_array(const cl_saved *fields, const cl_saved *f) {
  return f->stride > 0 && (f == fields || f[-1].stride == 0 || f[-1].at != f->at);
}

// Pointers are copied, since a pointer to T* may not be read as one to another pointer.
static char *array_of(const cl_saved *f, const void *of) {
  char *array;
  memcpy(&array, (const char *)of + f->at, sizeof array);
  return array;
}

static size_t *cap_of(const cl_saved *f, void *of) {
  return (size_t *)(void *)((char *)of + f->cap);
}

cl_status cl_rows_reserve(const cl_saved *fields, unsigned has, const cl_alloc *alloc, void *of,
                          size_t count) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (!begins_array(fields, f) || !is_there(f, has)) continue;
    cl_status status = cl_reserve_near(alloc, (char *)of + f->at, cap_of(f, of), count, f->stride);
    if (status != CL_OK) return status;
  }
  return CL_OK;
}

void cl_rows_free(const cl_saved *fields, const cl_alloc *alloc, void *of) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (begins_array(fields, f)) cl_free(alloc, array_of(f, of), *cap_of(f, of) * f->stride);
  }
}

size_t cl_rows_bytes(const cl_saved *fields, const void *of) {
  size_t bytes = 0;
  for (const cl_saved *f = fields; f->name; f++) {
    if (!begins_array(fields, f)) continue;
    size_t cap;
    memcpy(&cap, (const char *)of + f->cap, sizeof cap);
    bytes += cap * f->stride;
  }
  return bytes;
}

// How many bytes a field takes in memory, and packed.
CL_INLINE size_t size_of(const cl_saved *f) {
  static const uint8_t size[] = {
      [CL_BITS] = 1, [CL_BOOL] = 1, [CL_U8] = 1, [CL_ENUM] = 4, [CL_SLOT] = 4, [CL_U32] = 4};
  return f->kind < sizeof size ? size[f->kind] : 8;
}

static size_t packed_size_of(const cl_saved *f) { return f->kind == CL_ENUM ? 1 : size_of(f); }

// Where the field of a row is.
static void *place_of(const cl_saved *f, const void *of, size_t i) {
  uintptr_t row = (uintptr_t)of;
  if (f->stride > 0) row = (uintptr_t)array_of(f, of) + i * f->stride;
  return (void *)(row + f->offset);
}

// The value of a field, as a whole number or as the bits of a double.
CL_INLINE uint64_t load(const cl_saved *f, const void *of, size_t i) {
  const void *at = place_of(f, of, i);
  uint8_t byte;
  uint32_t word;
  uint64_t bits;
  switch (size_of(f)) {
  case sizeof byte: return memcpy(&byte, at, sizeof byte), byte;
  case sizeof word: return memcpy(&word, at, sizeof word), word;
  default: return memcpy(&bits, at, sizeof bits), bits;
  }
}

CL_INLINE void store(const cl_saved *f, void *of, size_t i, uint64_t bits) {
  void *at = place_of(f, of, i);
  uint8_t byte = (uint8_t)bits;
  uint32_t word = (uint32_t)bits;
  switch (size_of(f)) {
  case sizeof byte: memcpy(at, &byte, sizeof byte); break;
  case sizeof word: memcpy(at, &word, sizeof word); break;
  default: memcpy(at, &bits, sizeof bits);
  }
}

void cl_rows_copy(const cl_saved *fields, unsigned has, void *to, const void *from, size_t count) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (!is_there(f, has)) continue;
    if (f->stride == 0) store(f, to, 0, load(f, from, 0));
    else if (count > 0 && begins_array(fields, f)) {
      memcpy(array_of(f, to), array_of(f, from), count * f->stride);
    }
  }
}

CL_INLINE double number_of(const cl_saved *f, uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return f->kind >= CL_F64 ? number : (double)bits;
}

CL_INLINE bool is_in_range(const cl_saved *f, double v) {
  if (f->kind == CL_ANY_F64) return true;
  return v >= f->least && v <= f->most && (f->kind != CL_WHOLE || v == floor(v));
}

static bool is_right(const cl_saved *f, uint64_t bits) {
  switch (f->kind) {
  case CL_BITS: return !(bits & ~(uint64_t)f->most);
  case CL_BOOL: return bits <= 1;
  case CL_SLOT:
  case CL_SLOT_64: return true;
  default: return is_in_range(f, number_of(f, bits));
  }
}

size_t cl_row_size(const cl_saved *fields, unsigned has) {
  size_t size = 0;
  for (const cl_saved *f = fields; f->name; f++) size += is_there(f, has) ? packed_size_of(f) : 0;
  return size;
}

// Whether it is the slot of an actor; above those are the values for none.
CL_INLINE bool is_slot(const cl_saved *f, uint64_t bits) {
  return (f->kind == CL_SLOT || f->kind == CL_SLOT_64) && bits <= INT32_MAX;
}

CL_INLINE void write_field(const cl_saved *f, const void *of, size_t i, cl_archive *a) {
  uint64_t bits = load(f, of, i);
  if (f->kind >= CL_F64) { // most are
    cl_write_bits(a, cl_archive_word(a, number_of(f, bits)), sizeof bits);
    return;
  }
  if (is_slot(f, bits)) bits = a->number[bits];
  cl_write_bits(a, bits, packed_size_of(f));
}

CL_INLINE void read_field(const cl_saved *f, void *of, size_t i, cl_archive *a) {
  if (f->kind >= CL_F64) {
    uint64_t bits = cl_read_bits(a, sizeof bits);
    if (!cl_archive_check(a, is_in_range(f, number_of(f, bits)))) bits = 0;
    memcpy(place_of(f, of, i), &bits, sizeof bits);
    return;
  }
  uint64_t bits = cl_read_bits(a, packed_size_of(f));
  store(f, of, i, cl_archive_check(a, is_right(f, bits)) ? bits : 0);
}

void cl_row_archive(const cl_saved *fields, unsigned has, void *of, size_t i, cl_archive *a) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (!is_there(f, has)) continue;
    if (a->reading) read_field(f, of, i, a);
    else write_field(f, of, i, a);
  }
}

void cl_columns_archive(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                        cl_archive *a) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (!is_there(f, has)) continue;
    for (uint32_t i = 0; i < count && a->reading; i++) read_field(f, of, i, a);
    for (uint32_t i = 0; i < count && !a->reading; i++) {
      uint64_t column = (uint64_t)(f - fields) << 48;
      if (a->taped) cl_archive_key(a, CL_BULLETS, column ^ (uint64_t)a->rows[i]);
      write_field(f, of, i, a);
    }
  }
}

void cl_rows_make(const cl_saved *fields, void *of, uint32_t count, cl_archive *a) {
  if (count == 0 || !cl_archive_note(a, cl_rows_reserve(fields, UINT_MAX, &a->alloc, of, count)))
    return;
  for (const cl_saved *f = fields; f->name; f++) {
    if (begins_array(fields, f)) memset(array_of(f, of), 0, count * f->stride);
  }
}

uint32_t cl_rows_begin(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                       cl_archive *a) {
  count = cl_archive_count(a, count, cl_row_size(fields, has));
  if (a->reading) cl_rows_make(fields, of, count, a);
  return a->reading && a->status != CL_OK ? 0 : count;
}

uint32_t cl_rows_archive(const cl_saved *fields, unsigned has, void *of, uint32_t count,
                         cl_archive *a) {
  count = cl_rows_begin(fields, has, of, count, a);
  for (uint32_t i = 0; i < count; i++) cl_row_archive(fields, has, of, i, a);
  return count;
}

bool cl_row_is_valid(const cl_saved *fields, unsigned has, const void *of, size_t i) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (is_there(f, has) && !is_right(f, load(f, of, i))) return false;
  }
  return true;
}

// The number that stands for a field in comparisons.
static double compared(const cl_saved *f, cl_row row) {
  uint64_t bits = load(f, row.of, row.i);
  return row.number && is_slot(f, bits) ? row.number[bits] : number_of(f, bits);
}

bool cl_row_differ(const cl_saved *fields, unsigned has, cl_row a, cl_row b, cl_difference *out) {
  for (const cl_saved *f = fields; f->name; f++) {
    if (!is_there(f, has) || compared(f, a) == compared(f, b)) continue;
    out->name = f->name;
    out->values[0] = number_of(f, load(f, a.of, a.i));
    out->values[1] = number_of(f, load(f, b.of, b.i));
    return true;
  }
  return false;
}
