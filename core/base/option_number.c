/* SPDX-License-Identifier: MIT */
/* Options that are numbers: booleans too, for they are written alike. */
#include "base/option_given.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* "99 is out of range 1 to 16 queens"; a NULL bound is none. */
static bool out_of_range(const struct sl_given *given, const char *low,
			 const char *high, const char *unit)
{
	char shown[SL_GIVEN_SHOWN];
	const char *value = sl_given_show(given, shown),
		   *blank = unit[0] ? " " : "";

	if (!high)
		return SL_COMPLAIN(given, "%s is out of range: at least %s%s%s",
				   value, low, blank, unit);
	if (!low)
		return SL_COMPLAIN(given, "%s is out of range: at most %s%s%s",
				   value, high, blank, unit);
	return SL_COMPLAIN(given, "%s is out of range %s to %s%s%s", value, low,
			   high, blank, unit);
}

static void format_bound(enum sl_option_type type, int64_t bound,
			 char text[SL_UNITS_TEXT])
{
	if (type == SL_DURATION)
		sl_duration_format(bound, text);
	else if (type == SL_SIZE)
		sl_size_format(bound < 0 ? 0 : (uint64_t)bound, text);
	else
		snprintf(text, SL_UNITS_TEXT, "%" PRId64, bound);
}

static bool check_range(const struct sl_given *given, enum sl_option_type type,
			int64_t value)
{
	const struct sl_option *option = given->context->option;
	char low[SL_UNITS_TEXT], high[SL_UNITS_TEXT];
	const char *unit = type == SL_INT && option->unit ? option->unit : "";

	if ((option->min == 0 && option->max == 0) ||
	    (value >= option->min && value <= option->max))
		return true;
	format_bound(type, option->min, low);
	format_bound(type, option->max, high);
	return out_of_range(given, option->min == INT64_MIN ? NULL : low,
			    option->max == INT64_MAX ? NULL : high, unit);
}

/* Decimal or 0x, with or without libconfig's L. @return whether all of
 * @p text is an integer of 64 bits. */
static bool parse_integer(const char *text, int64_t *value)
{
	const char *digits = text + (*text == '-' || *text == '+');
	bool hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
	char *end;
	long long parsed;

	if (*digits < '0' || *digits > '9')
		return false;
	errno = 0;
	parsed = strtoll(text, &end, hex ? 16 : 10);
	if (errno == ERANGE)
		return false;
	for (int letters = 0; letters < 2 && *end == 'L'; letters++)
		end++;
	*value = parsed;
	return *end == '\0';
}

/* strtod() takes the point from the locale; a configuration's is '.'. */
static double c_strtod(const char *text, char **end)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t old = c ? uselocale(c) : (locale_t)0;
	double value = strtod(text, end);

	if (c) {
		uselocale(old);
		freelocale(c);
	}
	return value;
}

/* @return whether all of @p text is a decimal number. */
static bool parse_real(const char *text, double *value)
{
	char *end;

	/* strtod() would also take "inf", "nan", "0x1p3" and blanks */
	if (!text[0] || text[strspn(text, "+-.0123456789eE")])
		return false;
	*value = c_strtod(text, &end);
	return end != text && *end == '\0';
}

bool sl_read_bool(const struct sl_given *given, struct sl_value *value)
{
	char shown[SL_GIVEN_SHOWN];

	if (given->kind == SL_GIVEN_BOOL)
		value->boolean = given->boolean;
	else if (given->kind != SL_GIVEN_TEXT)
		return sl_given_wrong_type(given, "a boolean");
	else if (strcmp(given->text, "true") == 0)
		value->boolean = true;
	else if (strcmp(given->text, "false") == 0)
		value->boolean = false;
	else
		return SL_COMPLAIN(given, "%s is neither true nor false",
				   sl_given_show(given, shown));
	return true;
}

bool sl_read_int(const struct sl_given *given, struct sl_value *value)
{
	struct sl_given number = *given;
	char shown[SL_GIVEN_SHOWN];

	if (given->kind == SL_GIVEN_TEXT) {
		if (!parse_integer(given->text, &number.integer))
			return SL_COMPLAIN(given, "%s is no integer of 64 bits",
					   sl_given_show(given, shown));
		number.kind = SL_GIVEN_INT;
	}
	if (number.kind != SL_GIVEN_INT)
		return sl_given_wrong_type(given, "an integer");
	value->integer = number.integer;
	return check_range(&number, SL_INT, number.integer);
}

static bool check_float_range(const struct sl_given *given, double value)
{
	const struct sl_option *option = given->context->option;
	char low[SL_UNITS_TEXT], high[SL_UNITS_TEXT];
	double min = option->float_min, max = option->float_max;

	if (!(min < 0 || min > 0 || max < 0 || max > 0) ||
	    (value >= min && value <= max))
		return true;
	snprintf(low, sizeof(low), "%g", min);
	snprintf(high, sizeof(high), "%g", max);
	return out_of_range(given, min <= -DBL_MAX ? NULL : low,
			    max >= DBL_MAX ? NULL : high,
			    option->unit ? option->unit : "");
}

bool sl_read_float(const struct sl_given *given, struct sl_value *value)
{
	struct sl_given number = *given;
	char shown[SL_GIVEN_SHOWN];

	if (given->kind == SL_GIVEN_TEXT) {
		if (!parse_real(given->text, &number.real))
			return SL_COMPLAIN(given, "%s is no number",
					   sl_given_show(given, shown));
		number.kind = SL_GIVEN_FLOAT;
	} else if (given->kind == SL_GIVEN_INT) {
		number.real = (double)given->integer;
		number.kind = SL_GIVEN_FLOAT;
	} else if (given->kind != SL_GIVEN_FLOAT) {
		return sl_given_wrong_type(given, "a float");
	}
	if (!isfinite(number.real))
		return SL_COMPLAIN(given, "the number is too large");
	value->real = number.real;
	return check_float_range(&number, number.real);
}

bool sl_read_size(const struct sl_given *given, struct sl_value *value)
{
	char shown[SL_GIVEN_SHOWN];
	bool is_size = given->kind == SL_GIVEN_INT && given->integer >= 0;

	if (is_size)
		value->size = (uint64_t)given->integer;
	else if (given->kind == SL_GIVEN_STRING || given->kind == SL_GIVEN_TEXT)
		is_size = sl_size_parse(given->text, &value->size);
	else if (given->kind != SL_GIVEN_INT)
		return sl_given_wrong_type(given,
					   "a size (like 512, \"64 KiB\", "
					   "\"2 GB\")");
	if (!is_size)
		return SL_COMPLAIN(given,
				   "%s is no size (like 512, 64 KiB, 2 GB)",
				   sl_given_show(given, shown));
	/* more than any bound can say is as the largest bound */
	return check_range(given, SL_SIZE,
			   value->size > INT64_MAX ? INT64_MAX
						   : (int64_t)value->size);
}

bool sl_read_duration(const struct sl_given *given, struct sl_value *value)
{
	char shown[SL_GIVEN_SHOWN];
	bool is_duration = given->kind == SL_GIVEN_INT && given->integer == 0;

	value->integer = 0;
	if (given->kind == SL_GIVEN_STRING || given->kind == SL_GIVEN_TEXT)
		is_duration = sl_duration_parse(given->text, &value->integer);
	else if (given->kind != SL_GIVEN_INT)
		return sl_given_wrong_type(
			given, "a duration (like \"10ms\", \"5 s\", "
			       "\"2 min\")");
	if (!is_duration)
		return SL_COMPLAIN(given,
				   "%s is no duration (like 10ms, 5 s, 2 min)",
				   sl_given_show(given, shown));
	return check_range(given, SL_DURATION, value->integer);
}
