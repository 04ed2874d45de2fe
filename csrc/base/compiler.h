// collide, MIT licence (see LICENSE)
//
// Compiler extensions. All those of gcc and clang are here, each with a fallback, so the rest of
// the code is plain C11.
// Layer: base.

#ifndef CL_BASE_COMPILER_H
#define CL_BASE_COMPILER_H

#include <stdint.h>

#if defined(__GNUC__)
/// Before what the module exports.
#define CL_EXPORT __attribute__((visibility("default")))
/// For functions in innermost loops, inlined at any size: a call there costs more than its work.
#define CL_INLINE static inline __attribute__((always_inline))
/// For functions that are called too seldom to be inlined.
#define CL_SELDOM __attribute__((noinline))
/// Unrolls a loop of a few rounds whose number is known at compile time.
#define CL_UNROLL _Pragma("GCC unroll 8")
/// Prefetches the memory at `p` for reading or for writing. Any address is allowed.
#define CL_WILL_READ(p) __builtin_prefetch(p)
#define CL_WILL_WRITE(p) __builtin_prefetch((p), 1)
/// CL_FOR_PROCESSOR, before a function, lets it use instructions that the rest of the build does
/// not. CL_PROCESSOR_HAS tells whether this processor and operating system support them: one load
/// and a test, since the compiler's runtime asks the processor when the program starts.
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

/// The index of the lowest set bit. `bits` must not be 0.
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
