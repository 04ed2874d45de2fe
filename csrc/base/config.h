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

#include "base/compiler.h"

// The public header, with its symbols hidden too. No other file of the core includes it.
#include "collide.h"

#endif
