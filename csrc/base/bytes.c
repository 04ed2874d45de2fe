// collide, MIT licence (see LICENSE)
//
// Numbers as bytes. Layer: base.

#include "base/bytes.h"

#include <string.h>

void cl_write_bytes(cl_writer *w, const void *bytes, size_t count) {
  if (w->status == CL_OK) w->status = CL_RESERVE(&w->alloc, w->at, w->cap, w->count + count);
  if (w->status != CL_OK || count == 0) return;
  memcpy(w->at + w->count, bytes, count);
  w->count += count;
}

// Words of 32 bits in bytes; compilers make one access of each.
static void put_word(uint8_t *at, uint32_t v) {
  at[0] = (uint8_t)v, at[1] = (uint8_t)(v >> 8), at[2] = (uint8_t)(v >> 16);
  at[3] = (uint8_t)(v >> 24);
}

static uint32_t word_at(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void cl_write_bits(cl_writer *w, uint64_t v, size_t size) {
  if (w->status == CL_OK) w->status = CL_RESERVE(&w->alloc, w->at, w->cap, w->count + size);
  if (w->status != CL_OK) return;
  uint8_t *at = w->at + w->count;
  w->count += size;
  if (size == 1) *at = (uint8_t)v;
  else put_word(at, (uint32_t)v);
  if (size == 8) put_word(at + 4, (uint32_t)(v >> 32));
}

void cl_write_u8(cl_writer *w, unsigned v) { cl_write_bits(w, v, 1); }
void cl_write_u32(cl_writer *w, uint32_t v) { cl_write_bits(w, v, 4); }
void cl_write_u64(cl_writer *w, uint64_t v) { cl_write_bits(w, v, 8); }

void cl_write_f64(cl_writer *w, double v) {
  uint64_t word = UINT64_C(0x7ff8000000000000);
  if (w->loose) v += 0.0;
  if (v == v) memcpy(&word, &v, sizeof word);
  cl_write_u64(w, word);
}

const uint8_t *cl_read_bytes(cl_reader *r, size_t count) {
  if (!cl_read_check(r, count <= r->left)) return NULL;
  const uint8_t *bytes = r->at;
  r->at += count;
  r->left -= count;
  return bytes;
}

uint64_t cl_read_bits(cl_reader *r, size_t size) {
  const uint8_t *at = cl_read_bytes(r, size);
  if (!at || size == 1) return at ? *at : 0;
  return word_at(at) | (size == 8 ? (uint64_t)word_at(at + 4) << 32 : 0);
}

uint8_t cl_read_u8(cl_reader *r) { return (uint8_t)cl_read_bits(r, 1); }

bool cl_read_bool(cl_reader *r) {
  uint8_t v = cl_read_u8(r);
  cl_read_check(r, v <= 1);
  return v;
}

uint32_t cl_read_u32(cl_reader *r) { return (uint32_t)cl_read_bits(r, 4); }
uint64_t cl_read_u64(cl_reader *r) { return cl_read_bits(r, 8); }

double cl_read_f64(cl_reader *r) {
  uint64_t word = cl_read_bits(r, 8);
  double v;
  memcpy(&v, &word, sizeof v);
  return v;
}

uint32_t cl_read_count(cl_reader *r, size_t size) {
  uint32_t count = cl_read_u32(r);
  return cl_read_check(r, count <= r->left / size) ? count : 0;
}
