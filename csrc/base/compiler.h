// collide, MIT licence (see LICENSE)
//
// What compilers are told beyond the C standard. All extensions of gcc and clang stand here, each
// with what takes its place where there are none, so that the rest is C11 for any compiler.
// Layer: base.

#ifndef CL_BASE_COMPILER_H
#define CL_BASE_COMPILER_H

#include <stdint.h>

#if defined(__GNUC__)
/// Before what the module exports.
#define CL_EXPORT __attribute__((visibility("default")))
/// For functions in innermost loops, which must be inlined at any size: there a call costs more
/// than its work.
#define CL_INLINE static inline __attribute__((always_inline))
/// For functions that are called too seldom to be inlined.
#define CL_SELDOM __attribute__((noinline))
/// For a loop of a few rounds, whose number is known at compile time: unrolls it.
#define CL_UNROLL _Pragma("GCC unroll 8")
/// Asks for the memory at `p`, soon to be read, or written. Any address will do.
#define CL_WILL_READ(p) __builtin_prefetch(p)
#define CL_WILL_WRITE(p) __builtin_prefetch((p), 1)
/// Before a function that uses instructions which the build as a whole doesn't; whether this
/// processor, and the system it runs, have them: one load and a test, since the compiler's own
/// runtime asks the processor when the program starts.
#define CL_FOR_PROCESSOR(features) __attribute__((target(features)))
#define CL_PROCESSOR_HAS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#if defined(_WIN32)
#define CL_EXPORT __declspec(dllexport)
#else
#define CL_EXPORT
#endif
#define CL_INLINE static inline
#define CL_SELDOM
#define CL_UNROLL
#define CL_WILL_READ(p) ((void)(p))
#define CL_WILL_WRITE(p) ((void)(p))
#endif

/// The number of the lowest bit set; of none there is none.
static inline unsigned cl_first_bit(unsigned bits) {
#if defined(__GNUC__)
  return (unsigned)__builtin_ctz(bits);
#else
  unsigned i = 0;
  while (!(bits >> i & 1)) i++;
  return i;
#endif
}

/// How many bits it takes to write `x`; 0 for 0.
static inline unsigned cl_bit_length(uint64_t x) {
#if defined(__GNUC__)
  return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
#else
  unsigned n = 0;
  for (; x; x >>= 1) n++;
  return n;
#endif
}

#endif
