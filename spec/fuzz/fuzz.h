// collide, MIT licence (see LICENSE)
//
// The base of every fuzz target: libFuzzer's entry, and the checks and helpers of the C tests, with
// random numbers from the input. An input fails if a check does.
//
//   static void play(void) { CHECK(test_int(0, 9) < 10); }
//   FUZZ(play)

#ifndef CL_SPEC_FUZZ_H
#define CL_SPEC_FUZZ_H

#include "../c/test.h"

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t count);

static inline int fuzz_end(void) {
  if (test_errors == 0) return 0;
  fflush(stdout);
  abort(); // which libFuzzer reports, and keeps the input
}

#define FUZZ(play)                                                                                 \
  int LLVMFuzzerTestOneInput(const uint8_t *at, size_t count) {                                    \
    test_name = "this input";                                                                      \
    input_begin(at, count);                                                                        \
    play();                                                                                        \
    return fuzz_end();                                                                             \
  }

#endif
