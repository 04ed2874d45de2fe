// collide, MIT licence (see LICENSE)
//
// Numbers as bytes, lowest first, the same on every machine: written to a buffer that grows, and
// read back by a reader that never looks beyond its end. Layer: base.

#ifndef CL_BASE_BYTES_H
#define CL_BASE_BYTES_H

#include "base/alloc.h"

/// A buffer being written. It is empty when all fields but `alloc` are zero. `status` stays CL_OK
/// until memory runs out. With `loose`, -0 is written as 0, for bytes that are compared. `number`
/// is for CL_SLOT, see record.h. The owner frees `at` with CL_FREE and `cap`.
typedef struct cl_writer {
  cl_alloc alloc;
  uint8_t *at;
  size_t count, cap;
  cl_status status;
  bool loose;
  const uint32_t *number; ///< by slot
} cl_writer;

/// Append bytes, or a number in its size. They do nothing after `status` is CL_NOMEM.
void cl_write_bytes(cl_writer *w, const void *bytes, size_t count);
void cl_write_bits(cl_writer *w, uint64_t v, size_t size); ///< 1, 4 or 8 bytes
void cl_write_u8(cl_writer *w, unsigned v);
void cl_write_u32(cl_writer *w, uint32_t v);
void cl_write_u64(cl_writer *w, uint64_t v);
/// Writes every NaN with the same bits.
void cl_write_f64(cl_writer *w, double v);

/// The bytes still to read. `bad` is set by a read beyond the end; numbers are read as 0 from then
/// on.
typedef struct cl_reader {
  const uint8_t *at;
  size_t left;
  bool bad;
} cl_reader;

/// The next bytes; NULL when fewer are left.
const uint8_t *cl_read_bytes(cl_reader *r, size_t count);
uint64_t cl_read_bits(cl_reader *r, size_t size);
uint8_t cl_read_u8(cl_reader *r);
bool cl_read_bool(cl_reader *r); ///< sets `bad` if it is neither 0 nor 1
uint32_t cl_read_u32(cl_reader *r);
uint64_t cl_read_u64(cl_reader *r);
double cl_read_f64(cl_reader *r);

/// A count of items that take at least `size` bytes each; sets `bad` and returns 0 when too few
/// bytes are left for them.
uint32_t cl_read_count(cl_reader *r, size_t size);

/// Sets `bad` unless `right`. Returns true while the reader is not bad.
static inline bool cl_read_check(cl_reader *r, bool right) {
  r->bad = r->bad || !right;
  return !r->bad;
}

// ---- A hash of numbers, the same to the bit on every machine. Source: FNV-1a, 64 bits, over 32
// bits at a time; the final mix is that of MurmurHash3.

/// The initial hash.
#define CL_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/// Adds a word of at most 32 bits.
static inline uint64_t cl_hash_word(uint64_t hash, uint64_t word) {
  return (hash ^ word) * UINT64_C(0x100000001b3);
}

/// Adds a number, -0 as 0.
static inline uint64_t cl_hash_number(uint64_t hash, double v) {
  v += 0.0; // -0 becomes 0
  uint64_t word;
  memcpy(&word, &v, sizeof word);
  // In halves: multiplication moves bits only upward, so the high half, where doubles differ most,
  // would never reach the low bits of the hash.
  return cl_hash_word(cl_hash_word(hash, word >> 32), word & UINT32_MAX);
}

/// The hash of all that was added.
static inline uint64_t cl_hash_end(uint64_t hash) {
  hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
  hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ hash >> 33;
}

#endif
