/* SPDX-License-Identifier: MIT */
/* Words of prioritize, the class of a packet, and the order of classes. */
#include "plugins/prioritize/classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/chunk.h"
#include "sluice/random.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define FORM "it must be a protocol's name, udp/PORT, tcp/PORT or dscp/VALUE"

static void a_word_is_a_name_a_port_or_a_dscp(void **unused)
{
	static const struct {
		const char *text;
		enum match_kind kind;
		uint16_t number;
	} rows[] = {
		{ "sip", MATCH_NAME, 0 },
		{ "udp", MATCH_NAME, 0 },
		{ "123456789012345", MATCH_NAME, 0 },
		{ "udp/5060", MATCH_UDP, 5060 },
		{ "udp/65535", MATCH_UDP, 65535 },
		{ "tcp/80", MATCH_TCP, 80 },
		{ "dscp/46", MATCH_DSCP, 46 },
		{ "dscp/0", MATCH_DSCP, 0 },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct match match;

		assert_null(match_parse(rows[at].text, &match));
		assert_int_equal(match.kind, rows[at].kind);
		assert_int_equal(match.number, rows[at].number);
	}
}

static void a_word_that_is_none_says_why(void **unused)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "a protocol's name must not be empty" },
		{ "1234567890123456",
		  "a protocol's name has at most 15 characters" },
		{ "real time", "a protocol's name has no blanks" },
		{ "udp/70000", "a port is 1 to 65535" },
		{ "udp/0", "a port is 1 to 65535" },
		{ "udp/", "a port is 1 to 65535" },
		{ "tcp/-1", "a port is 1 to 65535" },
		{ "tcp/http", "a port is 1 to 65535" },
		{ "tcp/4294967376", "a port is 1 to 65535" },
		{ "dscp/99", "a DSCP is 0 to 63" },
		{ "dscp/64", "a DSCP is 0 to 63" },
		{ "sctp/80", FORM },
		{ "/80", FORM },
		{ "UDP/80", FORM },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct match match;

		assert_string_equal(match_parse(rows[at].text, &match),
				    rows[at].why);
	}
}

static void words_are_the_same_if_they_match_the_same(void **unused)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} rows[] = {
		{ "sip", "sip", true },
		{ "sip", "rtp", false },
		{ "udp/5060", "udp/05060", true },
		{ "udp/5060", "tcp/5060", false },
		{ "dscp/46", "udp/46", false },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct match a, b;

		assert_null(match_parse(rows[at].a, &a));
		assert_null(match_parse(rows[at].b, &b));
		assert_int_equal(match_equal(&a, &b), rows[at].equal);
	}
}

static void add(struct classes *classes, const char *text, uint16_t name,
		uint8_t class_index)
{
	struct match match;

	assert_null(match_parse(text, &match));
	assert_int_equal(classes_add(classes, &match, name, class_index, NULL),
			 SL_OK);
}

static void the_first_class_that_fits_wins(void **unused)
{
	enum { SIP = 5, HTTP = 9, OTHER = 60000 };
	static const struct {
		uint16_t application, sport, dport;
		uint8_t transport, dscp, class_index;
	} rows[] = {
		{ SIP, 1, 2, 17, 0, 1 },
		{ HTTP, 1, 2, 6, 0, 2 },
		{ OTHER, 1, 2, 6, 0, 4 },
		{ 0, 1, 2, 0, 0, 4 },
		{ OTHER, 5060, 2, 17, 0, 3 }, /* source port */
		{ OTHER, 2, 5060, 17, 0, 3 }, /* destination port */
		{ OTHER, 2, 5060, 6, 0, 4 }, /* another transport */
		{ OTHER, 80, 2, 6, 0, 0 },
		{ SIP, 80, 2, 6, 0, 0 }, /* a port before a name */
		{ SIP, 5060, 2, 17, 0, 1 }, /* a name before a port */
		{ OTHER, 1, 2, 6, 46, 2 },
		{ SIP, 1, 2, 6, 46, 1 },
		{ OTHER, 5060, 80, 0, 63, 4 },
	};
	struct classes classes;

	(void)unused;
	classes_init(&classes, 4);
	add(&classes, "tcp/80", 0, 0);
	add(&classes, "sip", SIP, 1);
	add(&classes, "http", HTTP, 2);
	add(&classes, "dscp/46", 0, 2);
	add(&classes, "udp/5060", 0, 3);
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct sl_packet packet = {
			.application = rows[at].application,
			.sport = rows[at].sport,
			.dport = rows[at].dport,
			.transport = rows[at].transport,
			.dscp = rows[at].dscp,
		};

		assert_int_equal(classes_of(&classes, &packet),
				 rows[at].class_index);
	}
	classes_finish(&classes);
}

static void a_fragment_is_classified_without_ports(void **unused)
{
	static const struct {
		uint32_t flags;
		uint8_t dscp, class_index;
	} rows[] = {
		{ 0, 0, 0 },
		{ SL_PACKET_FRAGMENT, 0, 2 }, /* the first, with its ports */
		{ SL_PACKET_FRAGMENT | SL_PACKET_LATER_FRAGMENT, 0, 2 },
		{ SL_PACKET_FRAGMENT, 46, 1 },
		{ SL_PACKET_FRAGMENT | SL_PACKET_LATER_FRAGMENT, 46, 1 },
		{ SL_PACKET_ICMP_ERROR, 0, 0 }, /* another flag */
	};
	struct classes classes;

	(void)unused;
	classes_init(&classes, 2);
	add(&classes, "udp/5060", 0, 0);
	add(&classes, "dscp/46", 0, 1);
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct sl_packet packet = {
			.sport = 5060,
			.dport = 5060,
			.transport = SL_TRANSPORT_UDP,
			.flags = rows[at].flags,
			.dscp = rows[at].dscp,
		};

		assert_int_equal(classes_of(&classes, &packet),
				 rows[at].class_index);
	}
	classes_finish(&classes);
}

static void without_words_all_is_the_rest(void **unused)
{
	struct sl_packet packet = { .application = 3, .transport = 17 };
	struct classes classes;

	(void)unused;
	classes_init(&classes, 0);
	assert_int_equal(classes_of(&classes, &packet), 0);
	classes_finish(&classes);
}

static void packets_of_one_class_keep_their_order(void **unused)
{
	static const uint8_t class_at[] = { 2, 0, 1, 2, 0, 3, 1, 0, 2 };
	static const uint16_t expected[] = {
		11, 14, 17, 12, 16, 10, 13, 18, 15
	};
	uint16_t order[] = { 10, 11, 12, 13, 14, 15, 16, 17, 18 };
	uint16_t sorted[COUNT(order)];

	(void)unused;
	classes_sort(order, class_at, COUNT(order), 3, sorted);
	assert_memory_equal(order, expected, sizeof(expected));
}

static void nothing_and_one_packet_are_sorted(void **unused)
{
	static const uint8_t class_at[] = { 255 };
	uint16_t order[] = { 7 };
	uint16_t sorted[1];

	(void)unused;
	classes_sort(order, class_at, 0, 255, sorted);
	classes_sort(order, class_at, 1, 255, sorted);
	assert_int_equal(order[0], 7);
}

static void a_full_chunk_of_all_classes_is_sorted_stably(void **unused)
{
	static uint8_t class_at[SL_CHUNK_PACKETS_MAX];
	static uint8_t class_of[SL_CHUNK_PACKETS_MAX];
	static uint16_t order[SL_CHUNK_PACKETS_MAX];
	static uint16_t sorted[SL_CHUNK_PACKETS_MAX];

	(void)unused;
	for (uint32_t at = 0; at < SL_CHUNK_PACKETS_MAX; at++) {
		class_at[at] = (uint8_t)sl_random_at(1, at);
		class_of[at] = class_at[at];
		order[at] = (uint16_t)at;
	}
	classes_sort(order, class_at, SL_CHUNK_PACKETS_MAX, 255, sorted);
	for (uint32_t at = 1; at < SL_CHUNK_PACKETS_MAX; at++) {
		uint8_t before = class_of[order[at - 1]];
		uint8_t here = class_of[order[at]];

		assert_true(before < here ||
			    (before == here && order[at - 1] < order[at]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_is_a_name_a_port_or_a_dscp),
		cmocka_unit_test(a_word_that_is_none_says_why),
		cmocka_unit_test(words_are_the_same_if_they_match_the_same),
		cmocka_unit_test(the_first_class_that_fits_wins),
		cmocka_unit_test(a_fragment_is_classified_without_ports),
		cmocka_unit_test(without_words_all_is_the_rest),
		cmocka_unit_test(packets_of_one_class_keep_their_order),
		cmocka_unit_test(nothing_and_one_packet_are_sorted),
		cmocka_unit_test(a_full_chunk_of_all_classes_is_sorted_stably),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
