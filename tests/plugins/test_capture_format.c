/* SPDX-License-Identifier: MIT */
/* The bytes of a capture that is written, and the numbers of its interfaces. */
#include "plugins/pcap/sink_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "plugins/pcap/sink_numbers.h"

static void expect(const char *got, size_t size, const char *hex)
{
	assert_int_equal(size, strlen(hex) / 2);
	for (size_t at = 0; at < size; at++) {
		static const char digits[] = "0123456789abcdef";
		uint8_t byte = (uint8_t)got[at];

		assert_int_equal(digits[byte >> 4], hex[2 * at]);
		assert_int_equal(digits[byte & 15], hex[2 * at + 1]);
	}
}

static void a_pcapng_file_starts_with_a_section_of_unsaid_length(void **unused)
{
	char bytes[FORMAT_HEADER_MAX];

	(void)unused;
	expect(bytes, format_header(FORMAT_PCAPNG, bytes, 1),
	       "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000");
}

static void a_pcap_file_says_nanoseconds_and_its_link_type(void **unused)
{
	char bytes[FORMAT_HEADER_MAX];

	(void)unused;
	expect(bytes, format_header(FORMAT_PCAP, bytes, 276),
	       "4d3cb2a1020004000000000000000000"
	       "0000040014010000");
}

static void an_interface_has_its_name_and_nanoseconds(void **unused)
{
	static const struct {
		const char *name, *hex;
		uint16_t link_type;
	} rows[] = {
		{ "eth0",
		  "010000002800000001000000000000000200040065746830"
		  "09000100090000000000000028000000",
		  1 },
		{ "br-lan",
		  "010000002c0000006500000000000000020006006272"
		  "2d6c616e000009000100090000000000"
		  "00002c000000",
		  101 },
		{ "a12345678901234",
		  "0100000034000000010000000000000002000f00613132333435"
		  "3637383930313233340009000100090000000000000034000000",
		  1 },
		{ "",
		  "01000000200000000100000000000000"
		  "09000100090000000000000020000000",
		  1 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(rows) / sizeof(rows[0]); at++) {
		char bytes[FORMAT_INTERFACE_MAX];

		expect(bytes,
		       format_interface(bytes, rows[at].link_type,
					rows[at].name, strlen(rows[at].name)),
		       rows[at].hex);
	}
}

/* All of a record, as the sink puts it together. */
static size_t record(enum format format, char *bytes, const char *frame,
		     struct sl_packet_info info)
{
	char *to = format_record_header(format, bytes, &info, 7);

	memcpy(to, frame, info.captured);
	to = format_record_end(format, to + info.captured, info.captured);
	assert_int_equal(to - bytes, format_record_size(format, info.captured));
	return (size_t)(to - bytes);
}

static void a_packet_keeps_its_time_and_both_lengths(void **unused)
{
	const struct sl_packet_info info = {
		.time_ns = INT64_C(1700000000123456789),
		.captured = 3,
		.original = 1514,
	};
	char bytes[64];

	(void)unused;
	expect(bytes, record(FORMAT_PCAPNG, bytes, "abc", info),
	       "060000002400000007000000fe9c971715cd853d"
	       "03000000ea050000"
	       "6162630024000000");
	expect(bytes, record(FORMAT_PCAP, bytes, "abc", info),
	       "00f1536515cd5b0703000000ea050000616263");
}

static void a_block_is_padded_to_four_bytes(void **unused)
{
	static const uint32_t sizes[] = { 32, 36, 36, 36, 36, 40 };

	(void)unused;
	for (uint32_t captured = 0; captured < 6; captured++) {
		const struct sl_packet_info info = { .captured = captured };
		char bytes[64];
		uint32_t said;

		assert_int_equal(record(FORMAT_PCAPNG, bytes, "abcde", info),
				 sizes[captured]);
		memcpy(&said, bytes + sizes[captured] - 4, sizeof(said));
		assert_int_equal(SL_LITTLE_32(said), sizes[captured]);
	}
}

static void the_last_time_of_pcap_is_in_2106(void **unused)
{
	const struct sl_packet_info info = { .time_ns = FORMAT_PCAP_TIME_MAX };
	char bytes[64];

	(void)unused;
	expect(bytes, record(FORMAT_PCAP, bytes, "", info),
	       "ffffffffffc99a3b0000000000000000");
}

static void interfaces_are_numbered_as_they_come(void **unused)
{
	struct numbers numbers = { .count = 0 };
	struct sl_error error;

	(void)unused;
	assert_int_equal(numbers_init(&numbers, &error), SL_OK);
	assert_int_equal(numbers_find(&numbers, number_key(0, 0)),
			 NUMBER_UNKNOWN);
	for (uint32_t at = 0; at < 70000; at++) {
		uint32_t key =
			number_key((uint16_t)at, (uint16_t)(1 + at / 65536));

		assert_int_equal(numbers_find(&numbers, key), NUMBER_UNKNOWN);
		assert_int_equal(numbers_add(&numbers, key, &error), SL_OK);
		assert_int_equal(numbers_find(&numbers, key), at);
	}
	for (uint32_t at = 0; at < 70000; at++)
		assert_int_equal(
			numbers_find(&numbers,
				     number_key((uint16_t)at,
						(uint16_t)(1 + at / 65536))),
			at);
	assert_int_equal(numbers_find(&numbers, number_key(1, 9)),
			 NUMBER_UNKNOWN);
	numbers_finish(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_pcapng_file_starts_with_a_section_of_unsaid_length),
		cmocka_unit_test(
			a_pcap_file_says_nanoseconds_and_its_link_type),
		cmocka_unit_test(an_interface_has_its_name_and_nanoseconds),
		cmocka_unit_test(a_packet_keeps_its_time_and_both_lengths),
		cmocka_unit_test(a_block_is_padded_to_four_bytes),
		cmocka_unit_test(the_last_time_of_pcap_is_in_2106),
		cmocka_unit_test(interfaces_are_numbered_as_they_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
