// collide, MIT licence (see LICENSE)
//
// Which vector instructions a loop may use. Every such loop gives the same bits
// in plain C, with SSE2 and with AVX2, so the choice shows only in time.
// Layer: base.
//
// SSE2 is known when compiling; AVX2 is asked for when running, and code for it
// stands in functions marked CL_AVX2, so a build without any flags has it. Files
// that name AVX2's instructions include base/avx2.h.
// Building with -DCL_SIMD_MOST=0 gives plain C, with 1 no more than SSE2: by
// this the ways are compared.

#ifndef CL_BASE_SIMD_H
#define CL_BASE_SIMD_H

#include "base/config.h"

#ifndef CL_SIMD_MOST
#define CL_SIMD_MOST 2
#endif

#if defined(__GNUC__)
/// Before what stands in innermost loops, which has to be part of its caller whatever
/// the compiler thinks of its size: there a call costs more than its work.
#define CL_INLINE static inline __attribute__((always_inline))
/// Before what is called too seldom to be part of its caller.
#define CL_SELDOM __attribute__((noinline))
/// Asks for the memory at `p`, soon to be read, or written. Any address will do.
#define CL_WILL_READ(p) __builtin_prefetch(p)
#define CL_WILL_WRITE(p) __builtin_prefetch((p), 1)
#else
#define CL_INLINE static inline
#define CL_SELDOM
#define CL_WILL_READ(p) ((void)(p))
#define CL_WILL_WRITE(p) ((void)(p))
#endif

#if CL_SIMD_MOST >= 1 && (defined(__SSE2__) || defined(_M_X64))
#define CL_HAS_SSE2 1
#include <emmintrin.h>
#else
#define CL_HAS_SSE2 0
#endif

#if CL_SIMD_MOST >= 2 && CL_HAS_SSE2 && defined(__GNUC__) && defined(__x86_64__)
#define CL_HAS_AVX2 1

/// Before a function that uses AVX2, or counts bits, as every processor with it can; it
/// brings no fused multiplication along.
#define CL_AVX2 __attribute__((target("avx2,popcnt")))

/// Whether this processor, and the system it runs, have AVX2: one load and a
/// test, since the compiler's own runtime asks the processor when the program
/// starts.
static inline bool cl_has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
#define CL_HAS_AVX2 0
static inline bool cl_has_avx2(void) { return false; }
#endif

#endif
