// collide, MIT licence (see LICENSE)
//
// Which vector instructions the build and the processor have. The vectors themselves are in
// base/f64x2.h and base/f32x4.h. Every loop gives the same bits in plain C, with SSE2, NEON and
// AVX2, so the choice shows only in time. Layer: base.
//
// SSE2 and NEON are chosen when compiling, AVX2 when running, so a build without any flags has it.
// The loops of a module X for which AVX2 pays are in X_kernels.h, which two files include after
// X.h: X.c, and X_avx2.c, which defines CL_FOR_AVX2 before it includes anything. Its functions are
// declared in X.h with CL_KERNEL_PAIR, defined with CL_KERNEL, and called with CL_BEST. Building
// with -DCL_SIMD_MOST=0 gives plain C, with 1 no more than SSE2 or NEON, so that they can be
// compared.

#ifndef CL_BASE_SIMD_H
#define CL_BASE_SIMD_H

#include "base/config.h"

#ifndef CL_SIMD_MOST
#define CL_SIMD_MOST 2
#endif

#if CL_SIMD_MOST >= 1 && (defined(__SSE2__) || defined(_M_X64))
#define CL_HAS_SSE2 1
#else
#define CL_HAS_SSE2 0
#endif

#if CL_SIMD_MOST >= 1 && defined(__aarch64__) && defined(__ARM_NEON)
#define CL_HAS_NEON 1
#else
#define CL_HAS_NEON 0
#endif

#if CL_SIMD_MOST >= 2 && CL_HAS_SSE2 && defined(__GNUC__) && defined(__x86_64__)
#define CL_HAS_AVX2 1

/// Before a function that uses AVX2, or popcnt, which every processor with AVX2 has. It does not
/// allow fused multiplication and addition.
#define CL_AVX2 CL_FOR_PROCESSOR("avx2,popcnt")
#else
#define CL_HAS_AVX2 0
#endif

/// CL_WIDE comes before a function that uses cl_f64x4. CL_KERNEL is the name of this file's
/// version of a function that is compiled twice.
#if CL_HAS_AVX2 && defined(CL_FOR_AVX2)
#define CL_WIDE CL_AVX2
#define CL_KERNEL(name) name##_avx2
#else
#define CL_WIDE
#define CL_KERNEL(name) name##_plain
#endif

/// Declares both versions of a function: its type, name, and parameters in parentheses. They give
/// the same bits.
#define CL_KERNEL_PAIR(type, name, parameters)                                                     \
  type name##_plain parameters;                                                                    \
  type name##_avx2 parameters

/// The version of a function for this processor: CL_BEST(name)(arguments).
#if CL_HAS_AVX2
#define CL_BEST(name) (CL_PROCESSOR_HAS("avx2") ? name##_avx2 : name##_plain)
#else
#define CL_BEST(name) name##_plain
#endif

#endif
