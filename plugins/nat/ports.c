/* SPDX-License-Identifier: MIT */
#include "ports.h"

/* The bits of @p word from bit @p from on; 64 is beyond all of them. */
static uint64_t bits_from(uint64_t word, unsigned from)
{
	return from < 64 ? word & ~UINT64_C(0) << from : 0;
}

void port_set_add(struct port_set *set, uint16_t port)
{
	struct port_half *half = &set->halves[port & 1];
	unsigned at = port / 2u, word = at / 64, group = word / 64;

	half->members[word] |= UINT64_C(1) << at % 64;
	half->groups[group] |= UINT64_C(1) << word % 64;
	half->top |= UINT64_C(1) << group;
}

/* Whole words between the ends. */
static void add_half(struct port_set *set, unsigned parity, unsigned first,
		     unsigned last)
{
	struct port_half *half = &set->halves[parity];

	for (unsigned at = first; at <= last;) {
		unsigned end = at | 63;
		uint64_t bits = ~UINT64_C(0) << at % 64;

		if (end > last) {
			end = last;
			bits &= ~UINT64_C(0) >> (63 - last % 64);
		}
		half->members[at / 64] |= bits;
		half->groups[at / 64 / 64] |= UINT64_C(1) << at / 64 % 64;
		half->top |= UINT64_C(1) << at / 64 / 64;
		at = end + 1;
	}
}

void port_set_add_range(struct port_set *set, uint16_t first, uint16_t last)
{
	for (unsigned parity = 0; parity < 2; parity++) {
		unsigned from = (first + 1u - parity) / 2;

		/* The last one of this parity, if there is one. */
		if (last >= parity && (last - parity) / 2u >= from)
			add_half(set, parity, from, (last - parity) / 2u);
	}
}

void port_set_remove(struct port_set *set, uint16_t port)
{
	struct port_half *half = &set->halves[port & 1];
	unsigned at = port / 2u, word = at / 64, group = word / 64;

	half->members[word] &= ~(UINT64_C(1) << at % 64);
	if (!half->members[word])
		half->groups[group] &= ~(UINT64_C(1) << word % 64);
	if (!half->groups[group])
		half->top &= ~(UINT64_C(1) << group);
}

uint16_t port_set_first_like(const struct port_set *set, uint16_t from,
			     uint16_t like)
{
	unsigned odd = like & 1;
	const struct port_half *half = &set->halves[odd];
	unsigned at = (from + (odd ? 0u : 1u)) / 2, word = at / 64;
	unsigned group = word / 64;
	uint64_t bits;

	if (at >= PORTS_HALF)
		return 0;
	bits = bits_from(half->members[word], at % 64);
	if (!bits) {
		uint64_t words = bits_from(half->groups[group], word % 64 + 1);

		if (!words) {
			uint64_t groups = bits_from(half->top, group + 1);

			if (!groups)
				return 0;
			group = SL_LOWEST_BIT(groups);
			words = half->groups[group];
		}
		word = group * 64 + SL_LOWEST_BIT(words);
		bits = half->members[word];
	}
	return (uint16_t)((word * 64 + SL_LOWEST_BIT(bits)) * 2 + odd);
}

uint16_t port_set_first(const struct port_set *set, uint16_t from)
{
	uint16_t even = port_set_first_like(set, from, 0);
	uint16_t odd = port_set_first_like(set, from, 1);

	if (!even || !odd)
		return even ? even : odd;
	return even < odd ? even : odd;
}
