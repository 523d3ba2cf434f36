/* SPDX-License-Identifier: MIT */
/** @file
 * Random numbers that do not depend on who asks first.
 *
 * A pipeline gives the same output for every number of workers, so chance
 * must come from the packet: from a seed and its index in the input.
 */
#ifndef SLUICE_RANDOM_H
#define SLUICE_RANDOM_H

#include <stdint.h>

/** 64 uniform bits of (seed, index): the finalizer of SplitMix64 (Steele,
 * Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), applied
 * to the index-th member of the seed's sequence. Thread-safe. */
static inline uint64_t sl_random_at(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif
