// collide, MIT licence (see LICENSE)
//
// The random source of the C tests, for fuzz targets: numbers are read from the bytes of an input,
// so that the bytes decide a random game. A number takes as few bytes as it needs. When the bytes
// run out, pseudo-random numbers follow, the same for the same input, so that loops that wait for a
// certain number end; a game ends there.

#ifndef CL_SPEC_FUZZ_INPUT_H
#define CL_SPEC_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const uint8_t *input_at;
static size_t input_left;
static uint64_t input_beyond; // the state of the random source after the end

static inline void input_begin(const uint8_t *at, size_t count) {
  input_at = at;
  input_left = count;
  input_beyond = count;
}

static inline bool input_is_over(void) { return input_left == 0; }

// A number of this many bytes, at most 8.
static inline uint64_t input_bytes(int count) {
  uint64_t number = 0;
  if (input_is_over()) { // splitmix64
    uint64_t z = (input_beyond += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> (64 - 8 * count);
  }
  for (; count > 0 && input_left > 0; count--, input_left--) number = number << 8 | *input_at++;
  return number;
}

static inline uint64_t test_bits(void) { return input_bytes(8); }

static inline int test_int(int a, int b) {
  uint64_t most = (uint64_t)((int64_t)b - a);
  int count = most == 0 ? 0 : most < 1 << 8 ? 1 : most < 1 << 16 ? 2 : 5;
  return (int)(a + (int64_t)(count == 0 ? 0 : input_bytes(count) % (most + 1)));
}

// Usually one of 2^16 values, sometimes any.
static inline double test_uniform(double a, double b) {
  double share = (double)input_bytes(2) * 0x1p-16;
  if (test_int(0, 7) == 0) share = (double)(input_bytes(7) >> 3) * 0x1p-53;
  return a + (b - a) * share;
}

#endif
