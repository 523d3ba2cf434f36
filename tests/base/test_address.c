/* SPDX-License-Identifier: MIT */
/* Addresses and prefixes: what is one, what is none, and how each is
 * written. */
#include "sluice/address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void
an_address_is_parsed_and_written_in_its_canonical_form(void **unused)
{
	static const struct {
		const char *text;
		uint8_t version;
		const char *canonical;
	} rows[] = {
		{ "10.230.30.03", 4, "10.230.30.3" },
		{ "010.008.009.077", 4, "10.8.9.77" },
		{ "0.0.0.0", 4, "0.0.0.0" },
		{ "255.255.255.255", 4, "255.255.255.255" },
		{ "100.20.3.0", 4, "100.20.3.0" },
		{ "::", 6, "::" },
		{ "::1", 6, "::1" },
		{ "1::", 6, "1::" },
		{ "2001:DB8::1", 6, "2001:db8::1" },
		{ "2001:0db8:0000:0000:0000:0000:0002:0001", 6,
		  "2001:db8::2:1" },
		/* RFC 5952, 4.2.2: one zero word is not shortened */
		{ "2001:db8:0:1:1:1:1:1", 6, "2001:db8:0:1:1:1:1:1" },
		/* 4.2.3: the longest run, the first of equals */
		{ "2001:0:0:1:0:0:0:1", 6, "2001:0:0:1::1" },
		{ "2001:db8:0:0:1:0:0:1", 6, "2001:db8::1:0:0:1" },
		{ "0:0:1:1:1:1:0:0", 6, "::1:1:1:1:0:0" },
		{ "1:1:1:1:1:1:0:0", 6, "1:1:1:1:1:1::" },
		/* 5: dotted behind a well-known prefix */
		{ "::ffff:c000:201", 6, "::ffff:192.0.2.1" },
		{ "::192.0.2.1", 6, "::c000:201" },
		{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 6,
		  "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		char text[SL_ADDRESS_TEXT];
		struct sl_ip ip;

		assert_true(
			sl_ip_parse(rows[at].text, strlen(rows[at].text), &ip));
		assert_int_equal(ip.version, rows[at].version);
		assert_int_equal(
			sl_address_format(&ip.address, ip.version, text),
			strlen(rows[at].canonical));
		assert_string_equal(text, rows[at].canonical);
	}
}

static void an_ipv4_address_is_a_number_in_host_order(void **unused)
{
	struct sl_ip ip;

	(void)unused;
	memset(&ip, 0xff, sizeof(ip));
	assert_true(sl_ip_parse("1.2.3.4", 7, &ip));
	assert_int_equal(ip.address.v4, 0x01020304);
	assert_int_equal(ip.address.words[1], 0);
}

static void only_the_length_given_is_read(void **unused)
{
	struct sl_ip ip;

	(void)unused;
	assert_true(sl_ip_parse("10.0.0.12 junk", 9, &ip));
	assert_int_equal(ip.address.v4, 0x0a00000c);
	assert_true(sl_ip_parse("10.0.0.12", 8, &ip));
	assert_int_equal(ip.address.v4, 0x0a000001);
}

static void what_is_no_address_is_refused_and_nothing_is_touched(void **unused)
{
	static const char *const rows[] = {
		"",
		".",
		"1",
		"1.2.3",
		"1.2.3.",
		"1.2.3.4.",
		"1.2.3.4.5",
		"1..3.4",
		".1.2.3",
		"256.1.1.1",
		"1.1.1.999",
		"0001.2.3.4",
		"1.2.3.4 ",
		" 1.2.3.4",
		"1.2.3.-4",
		"+1.2.3.4",
		"0x1.2.3.4",
		"1.2.3.4/8",
		":",
		":::",
		"1:2:3:4:5:6:7",
		"::1::",
		"1:2:3:4:5:6:7:8:9",
		"12345::",
		"fe80::1%eth0",
		"::g",
		"::256.1.1.1",
		"localhost",
		"::1 ",
		"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000",
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct sl_ip ip = { .version = 77 };

		assert_false(sl_ip_parse(rows[at], strlen(rows[at]), &ip));
		assert_int_equal(ip.version, 77);
	}
	assert_false(sl_ip_parse("::1\0", 4, &(struct sl_ip){ 0 }));
}

static void a_prefix_is_parsed_or_it_says_why_not(void **unused)
{
	static const struct {
		const char *text, *canonical, *why;
	} rows[] = {
		{ "10.0.0.0/8", "10.0.0.0/8", NULL },
		{ "010.230.0.0/16", "10.230.0.0/16", NULL },
		{ "0.0.0.0/0", "0.0.0.0/0", NULL },
		{ "10.0.0.1", "10.0.0.1/32", NULL },
		{ "10.0.0.1/32", "10.0.0.1/32", NULL },
		{ "::/0", "::/0", NULL },
		{ "2001:db8::/33", "2001:db8::/33", NULL },
		{ "2001:db8::1", "2001:db8::1/128", NULL },
		{ "10.0.0.1/8", NULL, "host bits are set (10.0.0.0/8?)" },
		{ "10.0.0.1/0", NULL, "host bits are set (0.0.0.0/0?)" },
		{ "10.0.0.255/31", NULL, "host bits are set (10.0.0.254/31?)" },
		{ "2001:db8:ffff::/33", NULL,
		  "host bits are set (2001:db8:8000::/33?)" },
		{ "::1/0", NULL, "host bits are set (::/0?)" },
		{ "10.0.0.0/33", NULL, "the length is not 0 to 32" },
		{ "::/129", NULL, "the length is not 0 to 128" },
		{ "10.0.0.0/", NULL, "the length is not 0 to 32" },
		{ "10.0.0.0/-1", NULL, "the length is not 0 to 32" },
		{ "10.0.0.0/8 ", NULL, "the length is not 0 to 32" },
		{ "10.0.0.0/0008", NULL, "the length is not 0 to 32" },
		{ "10.0.0.0/8/8", NULL, "the length is not 0 to 32" },
		{ "10/8", NULL, "no IP address stands before the '/'" },
		{ "/8", NULL, "no IP address stands before the '/'" },
		{ "", NULL, "no IP address or prefix" },
		{ "ten", NULL, "no IP address or prefix" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct sl_prefix prefix = { .version = 77 };
		char room[96], text[SL_ADDRESS_TEXT];
		const char *why =
			sl_prefix_parse(rows[at].text, strlen(rows[at].text),
					&prefix, room, sizeof(room));

		if (rows[at].why) {
			assert_non_null(why);
			assert_string_equal(why, rows[at].why);
			assert_int_equal(prefix.version, 77);
			continue;
		}
		assert_null(why);
		sl_prefix_format(&prefix, text);
		assert_string_equal(text, rows[at].canonical);
	}
}

static void the_longest_texts_fit(void **unused)
{
	struct sl_prefix prefix = { .version = 6, .length = 128 };
	char text[SL_ADDRESS_TEXT];

	(void)unused;
	memset(&prefix.address, 0xff, sizeof(prefix.address));
	assert_int_equal(sl_prefix_format(&prefix, text), 43);
	assert_string_equal(text,
			    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128");
}

static void a_prefix_contains_what_shares_its_bits(void **unused)
{
	static const struct {
		const char *prefix, *address;
		bool contained;
	} rows[] = {
		{ "10.0.0.0/8", "10.255.255.255", true },
		{ "10.0.0.0/8", "11.0.0.0", false },
		{ "10.0.0.0/8", "9.255.255.255", false },
		{ "0.0.0.0/0", "255.1.2.3", true },
		{ "0.0.0.0/0", "::1", false },
		{ "10.0.0.1/32", "10.0.0.1", true },
		{ "10.0.0.1/32", "10.0.0.0", false },
		{ "10.0.0.128/25", "10.0.0.127", false },
		{ "::/0", "ffff::", true },
		{ "2001:db8:8000::/33", "2001:db8:ffff::1", true },
		{ "2001:db8:8000::/33", "2001:db8:7fff::1", false },
		{ "::1/128", "::1", true },
		{ "::1/128", "::2", false },
		{ "::/96", "10.0.0.1", false },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct sl_prefix prefix;
		struct sl_ip ip;
		char why[96];

		assert_null(sl_prefix_parse(rows[at].prefix,
					    strlen(rows[at].prefix), &prefix,
					    why, sizeof(why)));
		assert_true(sl_ip_parse(rows[at].address,
					strlen(rows[at].address), &ip));
		assert_int_equal(
			sl_prefix_contains(&prefix, &ip.address, ip.version),
			rows[at].contained);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			an_address_is_parsed_and_written_in_its_canonical_form),
		cmocka_unit_test(an_ipv4_address_is_a_number_in_host_order),
		cmocka_unit_test(only_the_length_given_is_read),
		cmocka_unit_test(
			what_is_no_address_is_refused_and_nothing_is_touched),
		cmocka_unit_test(a_prefix_is_parsed_or_it_says_why_not),
		cmocka_unit_test(the_longest_texts_fit),
		cmocka_unit_test(a_prefix_contains_what_shares_its_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
