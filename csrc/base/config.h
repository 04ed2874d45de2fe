// collide, MIT licence (see LICENSE)
//
// What every file of the core includes first. Layer: base.
//
// The answers of this library are the same to the bit with any build flags, so the few compiler
// settings that they depend on are fixed here: no multiplication is fused with an addition, and
// doubles are computed as doubles. Only the symbol that Lua looks up is exported.

#ifndef CL_BASE_CONFIG_H
#define CL_BASE_CONFIG_H

// Products are not fused with sums. gcc's vectoriser fuses a product whose sums alternate with
// differences in spite of fp-contract=off, so on x86 it is refused the instructions themselves;
// those of AVX-512 have no switch of their own. On ARM64 it fuses complex products, of ARMv8.3.
// The C library's headers come after this: what is inlined from them must be for the same
// processor.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#if defined(__x86_64__) || defined(__i386__)
#pragma GCC target("no-fma,no-fma4,no-avx512f")
#elif defined(__aarch64__)
#undef __ARM_ARCH // the next line defines it
#pragma GCC target("arch=armv8-a")
#endif
#endif

// The C library's headers come before the symbols are hidden: what they declare
// is not ours.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "collide is written in C11: give MSVC the option /std:c11, other compilers -std=c11"
#endif
#if defined(__FAST_MATH__)
#error "collide needs IEEE arithmetic: build it without -ffast-math"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "collide needs each type computed as itself: on 32-bit x86 add -msse2 -mfpmath=sse,\
 on s390x -fexcess-precision=fast"
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CL_LITTLE_ENDIAN 1
#else
#define CL_LITTLE_ENDIAN 0 // or unknown: code that asks also has a portable way
#endif

// Checks that walk whole structures, and counts of work. They take longer than the work itself,
// so only a build with -DCL_CHECKED=1 has them (`make asan`, `make test-work`).
#ifndef CL_CHECKED
#define CL_CHECKED 0
#endif
#if CL_CHECKED
#define CL_CHECK(what) assert(what)
#else
#define CL_CHECK(what) ((void)0)
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

// Compiler extensions. All those of gcc and clang are here, each with a fallback, so the rest of
// the code is plain C11.

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

// Counts steps of work, so that tests can bound the work of a call without a clock.
#if CL_CHECKED
/// Steps so far in this process; a test sets it to 0 and reads it. Not thread-safe.
extern uint64_t cl_work_done;
#define CL_WORK(steps) (cl_work_done += (uint64_t)(steps))
#else
#define CL_WORK(steps) ((void)0)
#endif

// The public header, with its symbols hidden too. No other file of the core includes it.
#include "collide.h"

#endif
