/* SPDX-License-Identifier: MIT */
/** @file
 * Numbers as instruments and JSON write them, "12.345E-03", taken exactly: a
 * whole number of digits and a power of ten. strtod() would ask the locale
 * where the point is, and round.
 *
 * Pure functions in a header: no locale, no allocation, thread-safe.
 */
#ifndef SLUICE_DECIMAL_H
#define SLUICE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** (-) digits x 10^exponent; what the last digit is worth is 10^exponent:
 * "12.340" is 12340 x 10^-3. Frozen layout. */
struct sl_decimal {
	uint64_t digits;
	int exponent;
	bool negative;
};

/** Where an exponent is cut; no figure of a device comes near. */
#define SL_DECIMAL_EXPONENT_MAX 9999

static inline bool sl_decimal_is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Digits beyond the nineteenth are counted, not kept. @return how many bytes.
 */
static inline size_t sl_decimal_digits(const char *text, size_t length,
				       bool is_fraction,
				       struct sl_decimal *decimal)
{
	size_t at = 0;

	for (; at < length && sl_decimal_is_digit(text[at]); at++) {
		bool fits = decimal->digits < UINT64_C(1000000000000000000);

		if (fits)
			decimal->digits = 10 * decimal->digits +
					  (uint64_t)(text[at] - '0');
		/* What is left out before the point makes the rest worth more.
		 */
		if (fits && is_fraction &&
		    decimal->exponent > -SL_DECIMAL_EXPONENT_MAX)
			decimal->exponent--;
		else if (!fits && !is_fraction &&
			 decimal->exponent < SL_DECIMAL_EXPONENT_MAX)
			decimal->exponent++;
	}
	return at;
}

/** Take the whole of @p text, @p length bytes: a sign, digits, a point and
 * digits, an exponent; digits before the point or behind it must be there.
 * Those beyond the nineteenth are cut. @return false: it is no such number. */
static inline bool sl_decimal_parse(const char *text, size_t length,
				    struct sl_decimal *decimal)
{
	size_t at = 0, count;
	bool negative = false;
	int power = 0;

	decimal->digits = 0;
	decimal->exponent = 0;
	decimal->negative = false;
	if (length && (text[0] == '-' || text[0] == '+'))
		decimal->negative = text[at++] == '-';
	count = sl_decimal_digits(text + at, length - at, false, decimal);
	at += count;
	if (at < length && text[at] == '.') {
		size_t behind = sl_decimal_digits(
			text + at + 1, length - at - 1, true, decimal);

		at += 1 + behind;
		count += behind;
	}
	if (!count || at == length)
		return count && at == length;
	if (text[at] != 'e' && text[at] != 'E')
		return false;
	if (++at < length && (text[at] == '-' || text[at] == '+'))
		negative = text[at++] == '-';
	if (at == length)
		return false;
	for (; at < length && sl_decimal_is_digit(text[at]); at++)
		if (power <= SL_DECIMAL_EXPONENT_MAX)
			power = 10 * power + (text[at] - '0');
	decimal->exponent += negative ? -power : power;
	return at == length;
}

/** How many 10^@p unit_exponent it is, rounded to the nearest. @return false:
 * negative, or more than 64 bits hold. */
static inline bool sl_decimal_count(const struct sl_decimal *decimal,
				    int unit_exponent, uint64_t *count)
{
	int shift = decimal->exponent - unit_exponent;
	uint64_t value = decimal->digits, divisor = 1;

	*count = 0;
	if (value == 0)
		return true;
	if (decimal->negative)
		return false;
	for (; shift > 0; shift--) {
		if (value > UINT64_MAX / 10)
			return false;
		value *= 10;
	}
	if (shift < -19)
		return true;
	for (; shift < 0; shift++)
		divisor *= 10;
	*count = value / divisor +
		 (divisor > 1 && value % divisor >= divisor / 2);
	return true;
}

/** As a double: the nearest one for up to 15 digits and powers of ten up to 22,
 * a few units in the last place off beyond; infinite where it is too large. */
static inline double sl_decimal_value(const struct sl_decimal *decimal)
{
	double value = (double)decimal->digits;
	int left = decimal->exponent;

	/* Powers of ten up to 10^22 are doubles themselves. */
	while (left != 0 && value != 0 && value <= 1.7e308) {
		int step = left > 22 ? 22 : left < -22 ? -22 : left;
		double scale = 1;

		for (int at = 0; at < (step < 0 ? -step : step); at++)
			scale *= 10;
		value = step < 0 ? value / scale : value * scale;
		left -= step;
	}
	return decimal->negative ? -value : value;
}

#endif
