/* SPDX-License-Identifier: MIT */
/* Durations and sizes, exact or refused. */
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/options.h"

static void a_duration_is_exact_or_refused(void **unused)
{
	static const struct {
		const char *text;
		int64_t ns; /* -1: refused */
	} rows[] = {
		{ "0", 0 },
		{ "10ms", 10000000 },
		{ "1.5 s", 1500000000 },
		{ "1.1 s", 1100000000 },
		{ "10 us", 10000 },
		{ "7ns", 7 },
		{ "2 min", INT64_C(120000000000) },
		{ "1 h", INT64_C(3600000000000) },
		{ "0.001 us", 1 },
		{ "0.5 ns", -1 },
		{ "5", -1 },
		{ "", -1 },
		{ "s", -1 },
		{ "-5ms", -1 },
		{ "5 S", -1 },
		{ "5 ms ", -1 },
		{ " 5ms", -1 },
		{ "1.s", -1 },
		{ ".5s", -1 },
		{ "1e3s", -1 },
		{ "5 sec", -1 },
		{ "2562047 h", INT64_C(9223369200000000000) },
		{ "2562048 h", -1 },
		{ "99999999999999999999 s", -1 },
		{ "0.0000000000000000000001 s", -1 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		int64_t ns = -1;

		assert_int_equal(sl_duration_parse(rows[at].text, &ns),
				 rows[at].ns >= 0);
		assert_int_equal(ns, rows[at].ns);
	}
}

static void a_size_is_exact_or_refused(void **unused)
{
	static const struct {
		const char *text;
		uint64_t bytes; /* 77: refused */
	} rows[] = {
		{ "512", 512 },
		{ "0", 0 },
		{ "64KiB", 65536 },
		{ "1 MiB", 1048576 },
		{ "1.5 MiB", 1572864 },
		{ "2GB", 2000000000 },
		{ "3 kB", 3000 },
		{ "3 KB", 3000 },
		{ "1 TiB", UINT64_C(1) << 40 },
		{ "12 B", 12 },
		{ "12 bytes", 12 },
		{ "18446744073709551615", UINT64_MAX },
		{ "18446744073709551616", 77 },
		{ "16777216 TiB", 77 },
		{ "1.3 KiB", 77 },
		{ "64K", 77 },
		{ "-1", 77 },
		{ "", 77 },
		{ "KiB", 77 },
		{ "1 kib", 77 },
		{ "1.5", 77 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		uint64_t bytes = 77;

		assert_int_equal(sl_size_parse(rows[at].text, &bytes),
				 rows[at].bytes != 77);
		assert_int_equal(bytes, rows[at].bytes);
	}
}

static void they_are_written_without_a_fraction(void **unused)
{
	static const struct {
		int64_t ns;
		const char *text;
	} durations[] = {
		{ 0, "0" },
		{ 1500000, "1500 us" },
		{ INT64_C(90000000000), "90 s" },
		{ INT64_C(-120000000000), "-2 min" },
		{ INT64_MIN, "-9223372036854775808 ns" },
	};
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {
		{ 0, "0" },
		{ 65536, "64 KiB" },
		{ 1000, "1000 bytes" },
		{ UINT64_C(1) << 50, "1024 TiB" },
	};
	char text[SL_UNITS_TEXT];

	(void)unused;
	for (size_t at = 0; at < sizeof(durations) / sizeof(durations[0]);
	     at++) {
		sl_duration_format(durations[at].ns, text);
		assert_string_equal(text, durations[at].text);
	}
	for (size_t at = 0; at < sizeof(sizes) / sizeof(sizes[0]); at++) {
		sl_size_format(sizes[at].bytes, text);
		assert_string_equal(text, sizes[at].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_duration_is_exact_or_refused),
		cmocka_unit_test(a_size_is_exact_or_refused),
		cmocka_unit_test(they_are_written_without_a_fraction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
