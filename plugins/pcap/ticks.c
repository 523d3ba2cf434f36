/* SPDX-License-Identifier: MIT */
/* From ticks of any resolution to ns. */
#include "ticks.h"

#define NS_A_SECOND UINT64_C(1000000000)

enum { POWER_OF_TWO = 0x80, NANO = 9, TEN_DIGITS = 19 };

static uint64_t power_of_ten(unsigned exponent)
{
	uint64_t power = 1;

	while (exponent--)
		power *= 10;
	return power;
}

struct ticks ticks_of(uint8_t resolution, int64_t offset)
{
	struct ticks clock = { .resolution = resolution, .offset = offset };

	if (resolution <= NANO && offset == 0) {
		clock.scale = power_of_ten(NANO - resolution);
		clock.quick = INT64_MAX / clock.scale + 1;
	}
	return clock;
}

/* The fraction of a second that @p part / 10^exponent is. */
static uint64_t decimal_ns(uint64_t part, unsigned exponent)
{
	if (exponent <= NANO)
		return part * power_of_ten(NANO - exponent);
	if (exponent - NANO > TEN_DIGITS)
		return 0;
	return part / power_of_ten(exponent - NANO);
}

/* @p part * 10^9 / 2^exponent: the product has up to 94 bits. */
static uint64_t binary_ns(uint64_t part, unsigned exponent)
{
	uint64_t high = (part >> 32) * NS_A_SECOND;
	uint64_t low = (part & UINT32_MAX) * NS_A_SECOND;

	if (exponent < 32) /* so high is 0 */
		return low >> exponent;
	high += low >> 32;
	exponent -= 32;
	return exponent < 64 ? high >> exponent : 0;
}

static int64_t clamped_add(int64_t a, int64_t b)
{
	if (b > 0 && a > INT64_MAX - b)
		return INT64_MAX;
	if (b < 0 && a < INT64_MIN - b)
		return INT64_MIN;
	return a + b;
}

/* @p ns is below a second. */
static int64_t clamped_time(int64_t seconds, int64_t ns)
{
	const int64_t most = INT64_MAX / (int64_t)NS_A_SECOND;

	if (seconds < 0) { /* so that both have one sign */
		seconds++;
		ns -= (int64_t)NS_A_SECOND;
	}
	if (seconds > most)
		return INT64_MAX;
	if (seconds < -most)
		return INT64_MIN;
	return clamped_add(seconds * (int64_t)NS_A_SECOND, ns);
}

int64_t ticks_ns_slowly(const struct ticks *clock, uint64_t count)
{
	unsigned exponent = clock->resolution & ~(unsigned)POWER_OF_TWO;
	uint64_t seconds = 0, part = count, ns;

	if (clock->resolution & POWER_OF_TWO) {
		if (exponent < 64) {
			seconds = count >> exponent;
			part = count - (seconds << exponent);
		}
		ns = binary_ns(part, exponent);
	} else {
		if (exponent <= TEN_DIGITS) {
			seconds = count / power_of_ten(exponent);
			part = count % power_of_ten(exponent);
		}
		ns = decimal_ns(part, exponent);
	}
	if (seconds > INT64_MAX)
		seconds = INT64_MAX;
	return clamped_time(clamped_add((int64_t)seconds, clock->offset),
			    (int64_t)ns);
}
