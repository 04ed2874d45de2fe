// collide, MIT licence (see LICENSE)
//
// Numbers as bytes, lowest first, the same on every machine: written to a buffer that grows, and
// read back, never beyond the end. Layer: base.

#ifndef CL_BASE_BYTES_H
#define CL_BASE_BYTES_H

#include "base/alloc.h"

/// Bytes that are written or read: the same calls do both, so one function packs and unpacks.
/// Written bytes are appended at `at`; the owner frees them with CL_FREE and `cap`. When reading,
/// the `left` bytes from `next` on are read. After the first failure, which `status` keeps, nothing
/// is written, and all numbers are read as 0: CL_NOMEM, or CL_INVALID for bytes that are wrong. An
/// archive for writing has only `alloc`, and one for reading `reading`, `next` and `left`.
typedef struct cl_archive {
  cl_alloc alloc; ///< of `at`; when reading, of the arrays that are made (record.h)
  bool reading;
  bool loose; ///< -0 is written as 0, for bytes that are compared
  cl_status status;
  uint8_t *at;
  size_t count, cap;
  const uint8_t *next;
  size_t left;
  const uint32_t *number; ///< by slot: for CL_SLOT, see record.h
  bool brief;             ///< leaves out hits that follow from the rest, see cl_snapshot_archive
  const bool *derived;    ///< if brief: which hits follow from the places of their actors
  bool taped;             ///< `tape` gets the sizes and keys of the `words` that are written
  struct cl_taped *tape;  ///< freed with CL_FREE and `tape_cap`
  size_t words, tape_cap;
  uint64_t key;             ///< of the next word, see cl_archive_key
  const uint32_t *identity; ///< by slot, for the keys of data about an actor
  const double *rows;       ///< by row, for those of columns, see record.h
} cl_archive;

/// Write a number in its size, or read it.
void cl_archive_u8(cl_archive *a, uint8_t *v);
void cl_archive_bool(cl_archive *a, bool *v); ///< a byte, 0 or 1
void cl_archive_u32(cl_archive *a, uint32_t *v);
void cl_archive_u64(cl_archive *a, uint64_t *v);
void cl_archive_f64(cl_archive *a, double *v); ///< writes every NaN with the same bits

/// Write a count of items that take at least `size` bytes each, and return it; or read it: 0, and
/// invalid, when too few bytes are left for so many.
uint32_t cl_archive_count(cl_archive *a, uint32_t count, size_t size);

/// What these functions do: write or read a number of 1, 4 or 8 bytes, a double as cl_archive_word.
void cl_write_bits(cl_archive *a, uint64_t v, size_t size);
uint64_t cl_read_bits(cl_archive *a, size_t size);
static inline uint64_t cl_archive_word(const cl_archive *a, double v) {
  uint64_t word = UINT64_C(0x7ff8000000000000);
  if (a->loose) v += 0.0;
  if (v == v) memcpy(&word, &v, sizeof word);
  return word;
}

void cl_write_bytes(cl_archive *a, const void *bytes, size_t count);
/// The next bytes, which still belong to the archive's owner; NULL when fewer are left.
const uint8_t *cl_read_bytes(cl_archive *a, size_t count);

/// For base/delta.h, which compares written words with those of the previous version: the words
/// from here to the next such call belong to the thing with this key, in this section. Keys are
/// below 2^56.
typedef enum cl_section {
  CL_ENDED, ///< words without a key
  CL_ROLES,
  CL_ACTORS,
  CL_HITS,
  CL_DEPTHS,
  CL_BULLETS,
  CL_VALUES,
} cl_section;
typedef struct cl_taped {
  uint64_t key; ///< 0 for all words but the first of a thing
  uint8_t size;
} cl_taped;
static inline void cl_archive_key(cl_archive *a, cl_section section, uint64_t key) {
  a->key = ((uint64_t)section + 1) << 56 | key;
}
/// The same for data about a pair of actors, given by slots.
static inline void cl_archive_pair_key(cl_archive *a, cl_section section, uint32_t s, uint32_t t) {
  cl_archive_key(a, section, (uint64_t)a->identity[s] << 28 ^ a->identity[t]);
}

/// Notes a failure, unless there was one before. Returns whether there was none.
static inline bool cl_archive_note(cl_archive *a, cl_status status) {
  if (a->status == CL_OK) a->status = status;
  return a->status == CL_OK;
}
/// Fails the archive with CL_INVALID if `right` is false.
static inline bool cl_archive_check(cl_archive *a, bool right) {
  return cl_archive_note(a, right ? CL_OK : CL_INVALID);
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
