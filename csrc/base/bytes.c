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

static void write_number(cl_writer *w, uint64_t v, size_t size) {
  uint8_t bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(v >> 8 * i);
  cl_write_bytes(w, bytes, size);
}

void cl_write_u8(cl_writer *w, unsigned v) { write_number(w, v, 1); }
void cl_write_u32(cl_writer *w, uint32_t v) { write_number(w, v, 4); }
void cl_write_u64(cl_writer *w, uint64_t v) { write_number(w, v, 8); }

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

static uint64_t read_number(cl_reader *r, size_t size) {
  const uint8_t *bytes = cl_read_bytes(r, size);
  uint64_t v = 0;
  for (size_t i = 0; bytes && i < size; i++) v |= (uint64_t)bytes[i] << 8 * i;
  return v;
}

uint8_t cl_read_u8(cl_reader *r) { return (uint8_t)read_number(r, 1); }
uint32_t cl_read_u32(cl_reader *r) { return (uint32_t)read_number(r, 4); }
uint64_t cl_read_u64(cl_reader *r) { return read_number(r, 8); }

double cl_read_f64(cl_reader *r) {
  uint64_t word = read_number(r, 8);
  double v;
  memcpy(&v, &word, sizeof v);
  return v;
}

uint32_t cl_read_count(cl_reader *r, size_t size) {
  uint32_t count = cl_read_u32(r);
  return cl_read_check(r, count <= r->left / size) ? count : 0;
}
