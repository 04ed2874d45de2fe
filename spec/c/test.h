// collide, MIT licence (see LICENSE)
//
// The tools of a C test: checks that report where and with which seed they failed, a seeded random
// source, and a closing line that CI counts.
//
//   static void adds(void) { CHECK(1 + 1 == 2); }
//   int main(void) {
//     RUN(adds);
//     return test_end();
//   }
//
// COLLIDE_SEED sets the seed (1), COLLIDE_ROUNDS multiplies the random cases.

#ifndef CL_SPEC_TEST_H
#define CL_SPEC_TEST_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"

static uint64_t test_seed, test_state;
static long test_passed, test_failed, test_errors;
static const char *test_name = "";

static inline uint64_t test_setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

// The number of rounds in place of the usual `n`, at least 1.
static inline long test_rounds(long n) {
  const char *text = getenv("COLLIDE_ROUNDS");
  return text && *text ? (long)ceil((double)n * strtod(text, NULL)) : n;
}

// Whether to try case i of a list, of which COLLIDE_ROUNDS below 1 selects an evenly spread part.
static inline bool test_chosen(long i) {
  const char *text = getenv("COLLIDE_ROUNDS");
  double share = text && *text ? strtod(text, NULL) : 1;
  return share >= 1 || ceil((double)(i + 1) * share) > ceil((double)i * share);
}

#ifdef CL_SPEC_FUZZ
#include "../fuzz/input.h"
#else
// 64 random bits (splitmix64); every test begins with the seed again.
static inline uint64_t test_bits(void) {
  uint64_t z = (test_state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// A double in [a, b).
static inline double test_uniform(double a, double b) {
  return a + (b - a) * ((double)(test_bits() >> 11) * 0x1p-53);
}

// A whole number in a … b.
static inline int test_int(int a, int b) {
  return a + (int)(test_bits() % ((uint64_t)(b - a) + 1));
}
#endif

// A hash of bytes (FNV-1a, 64 bits). The bytes of a double are added from the lowest on, whatever
// the byte order of the machine.
#define TEST_HASH_BEGIN UINT64_C(14695981039346656037)

static inline uint64_t test_hash_byte(uint64_t hash, uint64_t byte) {
  return (hash ^ byte) * UINT64_C(1099511628211);
}

static inline uint64_t test_hash_double(uint64_t hash, double v) {
  uint64_t word;
  memcpy(&word, &v, sizeof word);
  for (int i = 0; i < 8; i++) hash = test_hash_byte(hash, word >> 8 * i & 255);
  return hash;
}

// Prints only the first few failures of a test: a broken property fails 10^5 times.
static inline bool test_fail(const char *file, int line, const char *what) {
  if (++test_errors > 10) return false;
  printf("%s:%d: %s: failed: %s (seed %llu)\n", file, line, test_name, what,
         (unsigned long long)test_seed);
  return true;
}

#define CHECK(cond) ((void)((cond) || test_fail(__FILE__, __LINE__, #cond)))

#define CHECK_MSG(cond, ...)                                                                       \
  do {                                                                                             \
    if (!(cond) && test_fail(__FILE__, __LINE__, #cond)) {                                         \
      printf("    ");                                                                              \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
    }                                                                                              \
  } while (0)

// Breaks one value for a moment: `valid` is true before and after, and false meanwhile.
#define BREAKS(valid, what, broken)                                                                \
  do {                                                                                             \
    __typeof__(what) unbroken = (what);                                                            \
    CHECK(valid);                                                                                  \
    (what) = (broken);                                                                             \
    CHECK(!(valid));                                                                               \
    (what) = unbroken;                                                                             \
    CHECK(valid);                                                                                  \
  } while (0)

// Ends a test that cannot continue.
#define REQUIRE(cond)                                                                              \
  do {                                                                                             \
    if (!(cond)) {                                                                                 \
      test_fail(__FILE__, __LINE__, #cond);                                                        \
      return;                                                                                      \
    }                                                                                              \
  } while (0)

static inline void test_run(const char *name, void (*test)(void)) {
  if (test_seed == 0) test_seed = test_setting("COLLIDE_SEED", 1);
  test_name = name;
  test_state = test_seed;
  test_errors = 0;
  test();
  if (test_errors > 0) {
    test_failed++;
    printf("%s: %ld checks failed\n", name, test_errors);
  } else {
    test_passed++;
  }
}

#define RUN(test) test_run(#test, test)

static inline int test_end(void) {
  printf("seed %llu\n", (unsigned long long)test_seed);
  printf("%ld passed, %ld failed\n", test_passed, test_failed);
  return test_failed != 0;
}

#endif
