/* SPDX-License-Identifier: MIT */
/** @file
 * Compiler attributes and the few macros that C and C++ spell differently.
 * The only header that names a compiler extension.
 */
#ifndef SLUICE_DEFS_H
#define SLUICE_DEFS_H

#ifdef __cplusplus
#define SL_EXTERN_C_BEGIN extern "C" {
#define SL_EXTERN_C_END }
#define SL_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define SL_EXTERN_C_BEGIN
#define SL_EXTERN_C_END
#define SL_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/** What stands between these two is exported, with C linkage; all else is
 * hidden. */
#define SL_BEGIN_DECLS SL_EXTERN_C_BEGIN _Pragma("GCC visibility push(default)")
#define SL_END_DECLS _Pragma("GCC visibility pop") SL_EXTERN_C_END

#define SL_MUST_CHECK __attribute__((warn_unused_result))
#define SL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define SL_CLEANUP(fn) __attribute__((cleanup(fn)))
#define SL_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define SL_LIKELY(x) __builtin_expect(!!(x), 1)
#define SL_UNLIKELY(x) __builtin_expect(!!(x), 0)
/** Fetch a cache line that will be read soon. The empty statement is there for
 * GCC 12: a function that does nothing but fetch counts as one without an
 * effect, and unless it is inlined its calls vanish. */
#define SL_PREFETCH(address) \
	do { \
		__builtin_prefetch(address); \
		__asm__ volatile(""); \
	} while (0)
#define SL_ALWAYS_INLINE inline __attribute__((always_inline))
/** For a function that uses instructions which not every CPU has; whoever calls
 * it has asked. */
#define SL_TARGET(features) __attribute__((target(features)))
#define SL_CACHE_LINE 64

/** The number of the lowest bit that is set; @p x is not 0. */
#define SL_LOWEST_BIT(x) ((unsigned)__builtin_ctzll(x))
/** The number of the highest bit that is set; @p x is not 0. */
#define SL_HIGHEST_BIT(x) (63 - (unsigned)__builtin_clzll(x))

/** A number in network order, as it lies in memory, from this machine's, and
 * the other way round. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SL_NETWORK_16(x) (x)
#define SL_NETWORK_32(x) (x)
#else
#define SL_NETWORK_16(x) __builtin_bswap16(x)
#define SL_NETWORK_32(x) __builtin_bswap32(x)
#endif

/** A 32- or 64-bit number whose first byte in memory is the lowest, as this
 * machine has it. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define SL_LITTLE_32(x) __builtin_bswap32(x)
#define SL_LITTLE_64(x) __builtin_bswap64(x)
#else
#define SL_LITTLE_32(x) (x)
#define SL_LITTLE_64(x) (x)
#endif

/** Make the compiler forget what it knows about the integer @p x, so that a
 * computation from it can be neither hoisted nor dropped. */
#define SL_OPAQUE(x) __asm__ volatile("" : "+r"(x))

#endif
