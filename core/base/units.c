/* SPDX-License-Identifier: MIT */
/* Numbers with a unit behind them, exactly: no binary fraction comes between
 * "1.1 s" and 1,100,000,000 ns. */
#include "base/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"

struct unit {
	const char *name;
	uint64_t factor;
};

/* Ascending, for writing. */
static const struct unit durations[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "min", UINT64_C(60) * 1000000000 },
	{ "h", UINT64_C(3600) * 1000000000 },
};

/* Those that are written come first, ascending. */
static const struct unit sizes[] = {
	{ "bytes", 1 },
	{ "KiB", UINT64_C(1) << 10 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "TiB", UINT64_C(1) << 40 },
	{ "B", 1 },
	{ "kB", 1000 },
	{ "KB", 1000 },
	{ "MB", 1000000 },
	{ "GB", 1000000000 },
	{ "TB", UINT64_C(1000000000000) },
};

enum {
	DURATIONS = sizeof(durations) / sizeof(durations[0]),
	SIZES = sizeof(sizes) / sizeof(sizes[0]),
	SIZES_WRITTEN = 5,
};

/* whole + fraction / scale, read from text. */
struct decimal {
	uint64_t whole, fraction, scale;
};

/* Up to 18 digits behind the point, which is more than any unit needs.
 * @return behind the number; NULL: there is none, or it is too long. */
static const char *read_decimal(const char *text, struct decimal *number)
{
	const char *at = text;

	*number = (struct decimal){ 0, 0, 1 };
	for (; *at >= '0' && *at <= '9'; at++) {
		unsigned digit = (unsigned)(*at - '0');

		if (number->whole > (UINT64_MAX - digit) / 10)
			return NULL;
		number->whole = number->whole * 10 + digit;
	}
	if (at == text)
		return NULL;
	if (*at != '.')
		return at;
	text = ++at;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (at - text == 18)
			return NULL;
		number->fraction =
			number->fraction * 10 + (unsigned)(*at - '0');
		number->scale *= 10;
	}
	return at > text ? at : NULL;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* @return whether the product is a whole number that fits. */
static bool multiply(const struct decimal *number, uint64_t factor,
		     uint64_t *product)
{
	uint64_t common = greatest_divisor(factor, number->scale);
	uint64_t rest = number->scale / common;
	uint64_t part;

	if (number->fraction % rest != 0)
		return false;
	/* fraction < scale, so this is less than factor */
	part = number->fraction / rest * (factor / common);
	if (number->whole > (UINT64_MAX - part) / factor)
		return false;
	*product = number->whole * factor + part;
	return true;
}

/* @return whether all of @p text is a number and one of the units; a bare
 * number has @p bare for its factor. */
static bool parse(const char *text, const struct unit *units, size_t count,
		  uint64_t bare, uint64_t *value)
{
	struct decimal number;
	const char *unit = read_decimal(text, &number);

	if (!unit)
		return false;
	if (*unit == '\0')
		return bare && multiply(&number, bare, value);
	unit += strspn(unit, " ");
	for (size_t at = 0; at < count; at++)
		if (strcmp(unit, units[at].name) == 0)
			return multiply(&number, units[at].factor, value);
	return false;
}

bool sl_duration_parse(const char *text, int64_t *ns)
{
	uint64_t value;

	if (strcmp(text, "0") == 0)
		value = 0;
	else if (!parse(text, durations, DURATIONS, 0, &value))
		return false;
	if (value > INT64_MAX)
		return false;
	*ns = (int64_t)value;
	return true;
}

bool sl_size_parse(const char *text, uint64_t *bytes)
{
	return parse(text, sizes, SIZES, 1, bytes);
}

static void format(uint64_t value, bool negative, const struct unit *units,
		   size_t count, char text[SL_UNITS_TEXT])
{
	size_t at = count - 1;

	while (at > 0 && value % units[at].factor != 0)
		at--;
	if (value == 0)
		snprintf(text, SL_UNITS_TEXT, "0");
	else
		snprintf(text, SL_UNITS_TEXT, "%s%" PRIu64 " %s",
			 negative ? "-" : "", value / units[at].factor,
			 units[at].name);
}

void sl_duration_format(int64_t ns, char text[SL_UNITS_TEXT])
{
	uint64_t value = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	format(value, ns < 0, durations, DURATIONS, text);
}

void sl_size_format(uint64_t bytes, char text[SL_UNITS_TEXT])
{
	format(bytes, false, sizes, SIZES_WRITTEN, text);
}
