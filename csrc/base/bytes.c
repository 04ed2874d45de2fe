// collide, MIT licence (see LICENSE)
//
// Numbers as bytes. Layer: base.

#include "base/bytes.h"

#include <string.h>

// Where the next bytes are written; NULL after a failure.
static uint8_t *append(cl_archive *a, size_t count) {
  if (a->status == CL_OK) a->status = CL_RESERVE(&a->alloc, a->at, a->cap, a->count + count);
  if (a->status != CL_OK) return NULL;
  a->count += count;
  return a->at + a->count - count;
}

// Notes `count` words of a size.
static void note_words(cl_archive *a, uint8_t size, size_t count) {
  size_t words = a->words + count;
  if (!cl_archive_note(a, CL_RESERVE(&a->alloc, a->tape, a->tape_cap, words))) return;
  for (; a->words < words; a->key = 0) a->tape[a->words++] = (cl_taped){a->key, size};
}

void cl_write_bytes(cl_archive *a, const void *bytes, size_t count) {
  uint8_t *at = count > 0 ? append(a, count) : NULL;
  if (at) memcpy(at, bytes, count);
  if (at && a->taped) note_words(a, 1, count);
}

const uint8_t *cl_read_bytes(cl_archive *a, size_t count) {
  if (!cl_archive_check(a, count <= a->left)) return NULL;
  const uint8_t *bytes = a->next;
  a->next += count;
  a->left -= count;
  return bytes;
}

// Words of 32 bits in bytes; compilers make one access of each.
static void put_word(uint8_t *at, uint32_t v) {
  at[0] = (uint8_t)v, at[1] = (uint8_t)(v >> 8), at[2] = (uint8_t)(v >> 16);
  at[3] = (uint8_t)(v >> 24);
}

static uint32_t word_at(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void cl_write_bits(cl_archive *a, uint64_t v, size_t size) {
  uint8_t *at = append(a, size);
  if (!at) return;
  if (size == 1) *at = (uint8_t)v;
  else put_word(at, (uint32_t)v);
  if (size == 8) put_word(at + 4, (uint32_t)(v >> 32));
  if (a->taped) note_words(a, (uint8_t)size, 1);
}

uint64_t cl_read_bits(cl_archive *a, size_t size) {
  const uint8_t *at = cl_read_bytes(a, size);
  if (!at || size == 1) return at ? *at : 0;
  return word_at(at) | (size == 8 ? (uint64_t)word_at(at + 4) << 32 : 0);
}

void cl_archive_u8(cl_archive *a, uint8_t *v) {
  if (a->reading) *v = (uint8_t)cl_read_bits(a, 1);
  else cl_write_bits(a, *v, 1);
}

void cl_archive_bool(cl_archive *a, bool *v) {
  uint8_t byte = *v;
  cl_archive_u8(a, &byte);
  cl_archive_check(a, byte <= 1);
  *v = byte;
}

void cl_archive_u32(cl_archive *a, uint32_t *v) {
  if (a->reading) *v = (uint32_t)cl_read_bits(a, 4);
  else cl_write_bits(a, *v, 4);
}

void cl_archive_u64(cl_archive *a, uint64_t *v) {
  if (a->reading) *v = cl_read_bits(a, 8);
  else cl_write_bits(a, *v, 8);
}

void cl_archive_f64(cl_archive *a, double *v) {
  uint64_t word = a->reading ? 0 : cl_archive_word(a, *v);
  cl_archive_u64(a, &word);
  if (a->reading) memcpy(v, &word, sizeof word);
}

uint32_t cl_archive_count(cl_archive *a, uint32_t count, size_t size) {
  cl_archive_u32(a, &count);
  if (!a->reading) return count;
  return cl_archive_check(a, count <= a->left / size) ? count : 0;
}
