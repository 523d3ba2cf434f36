/* SPDX-License-Identifier: MIT */
/* Longest prefix match for IPv6: what few routes say, and random ones against a
 * search through all of them. */
#include "plugins/route/lpm6.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/random.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct row {
	const char *text; /* a prefix, or an address */
	uint16_t next_hop;
};

static struct sl_address address_of(const char *text)
{
	struct sl_ip ip;

	assert_true(sl_ip_parse(text, strlen(text), &ip));
	assert_int_equal(ip.version, 6);
	return ip.address;
}

static void add(struct routes *routes, const char *text, uint16_t next_hop)
{
	struct sl_prefix prefix;
	char why[128];

	assert_null(
		sl_prefix_parse(text, strlen(text), &prefix, why, sizeof(why)));
	assert_true(routes_add(routes, &prefix, next_hop, 1));
}

static void expect(const struct row *prefixes, size_t prefix_count,
		   const struct row *rows, size_t row_count)
{
	struct routes routes;
	struct lpm6 *lpm;

	routes_init(&routes, 6);
	for (size_t at = 0; at < prefix_count; at++)
		add(&routes, prefixes[at].text, prefixes[at].next_hop);
	assert_true(routes_sort(&routes));
	lpm = lpm6_create(&routes);
	assert_non_null(lpm);
	routes_finish(&routes);
	for (size_t at = 0; at < row_count; at++) {
		struct sl_address address = address_of(rows[at].text);
		const struct sl_address *one = &address;
		uint16_t next_hop = 99;

		assert_int_equal(lpm6_lookup(lpm, &address), rows[at].next_hop);
		lpm6_lookup_bulk(lpm, &one, &next_hop, 1);
		assert_int_equal(next_hop, rows[at].next_hop);
	}
	lpm6_destroy(lpm);
}

static void without_routes_there_is_no_next_hop(void **unused)
{
	static const struct row rows[] = { { "::", 0 }, { "2001:db8::1", 0 } };

	(void)unused;
	expect(NULL, 0, rows, COUNT(rows));
}

static void the_default_route_holds_every_address(void **unused)
{
	static const struct row routes[] = { { "::/0", 7 } };
	static const struct row rows[] = {
		{ "::", 7 },
		{ "2001:db8::1", 7 },
		{ "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 7 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

static void the_longest_of_nested_prefixes_wins(void **unused)
{
	static const struct row routes[] = {
		{ "::/0", 1 },
		{ "2000::/3", 2 },
		{ "2001:db8::/32", 3 },
		{ "2001:db8::/33", 4 },
		{ "2001:db8:7::/48", 5 },
		{ "2001:db8:7:1::/64", 6 },
		{ "2001:db8:7:1:8000::/65", 7 },
		{ "2001:db8:7:1::42/128", 8 },
	};
	static const struct row rows[] = {
		{ "1fff:ffff::", 1 },
		{ "4000::", 1 },
		{ "2000::", 2 },
		{ "3fff:ffff::", 2 },
		{ "2001:db7:ffff::", 2 },
		{ "2001:db9::", 2 },
		{ "2001:db8:8000::", 3 },
		{ "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", 3 },
		{ "2001:db8::", 4 },
		{ "2001:db8:6:ffff::", 4 },
		{ "2001:db8:7::", 5 },
		{ "2001:db8:7:2::42", 5 },
		{ "2001:db8:8::", 4 },
		{ "2001:db8:7:1::", 6 },
		{ "2001:db8:7:1::41", 6 },
		{ "2001:db8:7:1::42", 8 },
		{ "2001:db8:7:1::43", 6 },
		{ "2001:db8:7:1:7fff:ffff:ffff:ffff", 6 },
		{ "2001:db8:7:1:8000::", 7 },
		{ "2001:db8:7:1:ffff::42", 7 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

/* Deep below nothing, where the table has chains. */
static void a_lone_prefix_of_any_length_stands_alone(void **unused)
{
	(void)unused;
	for (unsigned length = 1; length <= 128; length++) {
		struct sl_prefix prefix = { .version = 6,
					    .length = (uint8_t)length };
		struct routes routes;
		struct lpm6 *lpm;
		struct sl_address inside, outside;
		uint8_t bit = (uint8_t)(0x80 >> (length - 1) % 8);

		prefix.address =
			address_of("2b01:db8:1234:5678:9abc:def0:1357:9bdf");
		for (unsigned at = length; at < 128; at++)
			prefix.address.bytes[at / 8] &=
				(uint8_t) ~(0x80 >> at % 8);
		routes_init(&routes, 6);
		assert_true(routes_add(&routes, &prefix, 9, 1));
		lpm = lpm6_create(&routes);
		assert_non_null(lpm);
		inside = prefix.address;
		assert_int_equal(lpm6_lookup(lpm, &inside), 9);
		for (unsigned at = length; at < 128; at++)
			inside.bytes[at / 8] |= (uint8_t)(0x80 >> at % 8);
		assert_int_equal(lpm6_lookup(lpm, &inside), 9);
		outside = inside;
		outside.bytes[(length - 1) / 8] ^= bit;
		assert_int_equal(lpm6_lookup(lpm, &outside), 0);
		outside = inside;
		outside.bytes[0] ^= 0x80;
		assert_int_equal(lpm6_lookup(lpm, &outside), 0);
		lpm6_destroy(lpm);
		routes_finish(&routes);
	}
}

static void
a_longer_prefix_with_the_same_next_hop_changes_nothing(void **unused)
{
	static const struct row routes[] = {
		{ "2001:db8::/32", 2 },
		{ "2001:db8:1:2:3::/80", 2 },
		{ "2001:db8:1:2:3:4:5:6/128", 2 },
	};
	static const struct row rows[] = {
		{ "2001:db8:1:2:3:4:5:6", 2 },
		{ "2001:db8:1:2:3:4:5:7", 2 },
		{ "2001:db8::", 2 },
		{ "2001:db9:1:2:3:4:5:6", 0 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

/* ---- against a search through all ------------------------------------- */

/* Random prefixes of [shortest, longest] that share their first @p shared
 * bytes and then have few values a byte, so that they overlap. */
static void random_routes(struct routes *routes, size_t count, unsigned shared,
			  unsigned shortest, unsigned longest, uint64_t seed)
{
	for (uint64_t at = 0; at < count; at++) {
		uint64_t chance = sl_random_at(seed, at);
		struct sl_prefix prefix = { .version = 6 };

		prefix.length =
			(uint8_t)(shortest +
				  (chance >> 48) % (longest - shortest + 1));
		for (unsigned byte = 0; byte < 16; byte++) {
			uint64_t one = sl_random_at(seed + 77 + byte, at);

			if (byte < shared)
				prefix.address.bytes[byte] = 0x20;
			else
				prefix.address.bytes[byte] =
					(uint8_t)(one % 3 * 85 & (one >> 9));
		}
		for (unsigned bit = prefix.length; bit < 128; bit++)
			prefix.address.bytes[bit / 8] &=
				(uint8_t) ~(0x80 >> bit % 8);
		assert_true(routes_add(routes, &prefix,
				       (uint16_t)(1 + (chance >> 32) % 5), 1));
	}
}

static void sort_once_each(struct routes *routes)
{
	size_t kept = 0;

	assert_true(routes_sort(routes));
	for (size_t at = 0; at < routes->count; at++)
		if (kept == 0 || !routes_same_prefix(routes, kept - 1, at))
			routes_copy(routes, kept++, at);
	routes->count = kept;
}

static uint16_t scan(const struct routes *routes,
		     const struct sl_address *address)
{
	uint16_t next_hop = 0;
	int longest = -1;

	for (size_t at = 0; at < routes->count; at++) {
		struct sl_prefix prefix = routes_prefix(routes, at);

		if (prefix.length > longest &&
		    sl_prefix_contains(&prefix, address, 6)) {
			longest = prefix.length;
			next_hop = routes_tail(routes, at)->next_hop;
		}
	}
	return next_hop;
}

static void random_routes_agree_with_a_search_through_all(void **unused)
{
	enum { ADDRESSES = 1500 };
	static const struct {
		unsigned shared, shortest, longest;
		size_t count;
	} rows[] = {
		{ 0, 0, 128, 1000 }, { 2, 16, 48, 1000 },   { 4, 32, 64, 1000 },
		{ 3, 24, 128, 300 }, { 14, 112, 128, 300 }, { 6, 48, 56, 40 },
		{ 8, 1, 128, 12 },   { 1, 8, 20, 500 },
	};
	static struct sl_address addresses[ADDRESSES];
	static const struct sl_address *pointers[ADDRESSES];
	static uint16_t next_hops[ADDRESSES];

	(void)unused;
	for (size_t row = 0; row < COUNT(rows); row++) {
		struct routes routes;
		struct lpm6 *lpm;

		routes_init(&routes, 6);
		random_routes(&routes, rows[row].count, rows[row].shared,
			      rows[row].shortest, rows[row].longest, row);
		sort_once_each(&routes);
		lpm = lpm6_create(&routes);
		assert_non_null(lpm);
		for (size_t at = 0; at < ADDRESSES; at++) {
			uint64_t chance = sl_random_at(1000 + row, at);

			/* far, at, or one bit beside the start of a route */
			addresses[at] =
				routes_prefix(&routes,
					      (chance >> 32) % routes.count)
					.address;
			if (at % 4 == 0)
				addresses[at].words[chance % 2] = chance;
			else if (at % 4 < 3)
				addresses[at].bytes[chance % 16] ^=
					(uint8_t)(1 << at % 8);
			pointers[at] = &addresses[at];
		}
		lpm6_lookup_bulk(lpm, pointers, next_hops, ADDRESSES);
		for (size_t at = 0; at < ADDRESSES; at++) {
			uint16_t expected = scan(&routes, &addresses[at]);

			assert_int_equal(lpm6_lookup(lpm, &addresses[at]),
					 expected);
			assert_int_equal(next_hops[at], expected);
		}
		lpm6_destroy(lpm);
		routes_finish(&routes);
	}
}

static void a_sparse_table_stays_small(void **unused)
{
	enum { PREFIXES = 100000 };
	struct routes routes;
	struct lpm6 *lpm;

	(void)unused;
	routes_init(&routes, 6);
	for (uint64_t at = 0; at < PREFIXES; at++) {
		struct sl_prefix prefix = { .version = 6, .length = 64 };

		prefix.address.words[0] = sl_random_at(5, at);
		prefix.address.bytes[0] = 0x20;
		assert_true(routes_add(&routes, &prefix, (uint16_t)(1 + at % 7),
				       1));
	}
	sort_once_each(&routes);
	lpm = lpm6_create(&routes);
	assert_non_null(lpm);
	assert_in_range(lpm6_bytes(lpm), 1 << 20, 16 << 20);
	lpm6_destroy(lpm);
	routes_finish(&routes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_routes_there_is_no_next_hop),
		cmocka_unit_test(the_default_route_holds_every_address),
		cmocka_unit_test(the_longest_of_nested_prefixes_wins),
		cmocka_unit_test(a_lone_prefix_of_any_length_stands_alone),
		cmocka_unit_test(
			a_longer_prefix_with_the_same_next_hop_changes_nothing),
		cmocka_unit_test(random_routes_agree_with_a_search_through_all),
		cmocka_unit_test(a_sparse_table_stays_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
