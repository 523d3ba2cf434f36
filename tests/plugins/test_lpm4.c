/* SPDX-License-Identifier: MIT */
/* Longest prefix match: what few routes say, and random ones against a search
 * through all of them. */
#include "plugins/route/lpm4.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "sluice/random.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define IP(a, b, c, d) \
	((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

struct route {
	uint32_t address;
	uint16_t next_hop;
	uint8_t length;
};

static struct lpm4 *create(const struct route *rows, size_t count)
{
	struct routes routes;
	struct lpm4 *lpm;

	routes_init(&routes, 4);
	for (size_t at = 0; at < count; at++) {
		const struct sl_prefix prefix = {
			.address = sl_address_from_v4(rows[at].address),
			.version = 4,
			.length = rows[at].length,
		};

		assert_true(routes_add(&routes, &prefix, rows[at].next_hop, 1));
	}
	assert_true(routes_sort(&routes));
	lpm = lpm4_create(&routes);
	assert_non_null(lpm);
	routes_finish(&routes);
	return lpm;
}

static int compare_routes(const void *left, const void *right)
{
	const struct route *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->length - b->length;
}

struct row {
	uint32_t address;
	uint16_t next_hop;
};

static void expect(const struct route *routes, size_t route_count,
		   const struct row *rows, size_t row_count)
{
	struct lpm4 *lpm = create(routes, route_count);

	for (size_t at = 0; at < row_count; at++) {
		uint16_t next_hop = 99;

		assert_int_equal(lpm4_lookup(lpm, rows[at].address),
				 rows[at].next_hop);
		lpm4_lookup_bulk(lpm, &rows[at].address, &next_hop, 1);
		assert_int_equal(next_hop, rows[at].next_hop);
	}
	lpm4_destroy(lpm);
}

static void without_routes_there_is_no_next_hop(void **unused)
{
	static const struct row rows[] = {
		{ 0, 0 },
		{ IP(10, 0, 0, 1), 0 },
		{ UINT32_MAX, 0 },
	};

	(void)unused;
	expect(NULL, 0, rows, COUNT(rows));
}

static void the_default_route_holds_every_address(void **unused)
{
	static const struct route routes[] = { { 0, 7, 0 } };
	static const struct row rows[] = {
		{ 0, 7 },
		{ IP(10, 0, 0, 1), 7 },
		{ UINT32_MAX, 7 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

static void the_longest_of_nested_prefixes_wins(void **unused)
{
	static const struct route routes[] = {
		{ 0, 1, 0 },
		{ IP(10, 0, 0, 0), 2, 8 },
		{ IP(10, 231, 0, 0), 3, 16 },
		{ IP(10, 231, 0, 0), 4, 17 },
		{ IP(10, 231, 30, 0), 5, 24 },
		{ IP(10, 231, 30, 128), 6, 25 },
		{ IP(10, 231, 30, 255), 7, 32 },
	};
	static const struct row rows[] = {
		{ IP(9, 255, 255, 255), 1 },   { IP(10, 0, 0, 0), 2 },
		{ IP(10, 230, 255, 255), 2 },  { IP(10, 231, 128, 0), 3 },
		{ IP(10, 231, 255, 255), 3 },  { IP(10, 231, 0, 0), 4 },
		{ IP(10, 231, 127, 255), 4 },  { IP(10, 231, 30, 0), 5 },
		{ IP(10, 231, 30, 127), 5 },   { IP(10, 231, 30, 128), 6 },
		{ IP(10, 231, 30, 254), 6 },   { IP(10, 231, 30, 255), 7 },
		{ IP(10, 231, 31, 0), 4 },     { IP(10, 232, 0, 0), 2 },
		{ IP(10, 255, 255, 255), 2 },  { IP(11, 0, 0, 0), 1 },
		{ IP(255, 255, 255, 255), 1 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

static void a_host_route_stands_alone(void **unused)
{
	static const struct route routes[] = {
		{ 0, 1, 32 },
		{ IP(192, 168, 0, 1), 2, 32 },
		{ UINT32_MAX, 3, 32 },
	};
	static const struct row rows[] = {
		{ 0, 1 },
		{ 1, 0 },
		{ IP(192, 168, 0, 0), 0 },
		{ IP(192, 168, 0, 1), 2 },
		{ IP(192, 168, 0, 2), 0 },
		{ UINT32_MAX - 1, 0 },
		{ UINT32_MAX, 3 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

static void
a_longer_prefix_with_the_same_next_hop_changes_nothing(void **unused)
{
	static const struct route routes[] = {
		{ IP(10, 0, 0, 0), 2, 8 },
		{ IP(10, 1, 2, 0), 2, 24 },
		{ IP(10, 1, 2, 3), 2, 32 },
	};
	static const struct row rows[] = {
		{ IP(10, 1, 2, 3), 2 },
		{ IP(10, 1, 2, 4), 2 },
		{ IP(10, 1, 3, 3), 2 },
		{ IP(11, 1, 2, 3), 0 },
	};

	(void)unused;
	expect(routes, COUNT(routes), rows, COUNT(rows));
}

static void a_node_of_256_ranges_is_as_good_as_one_of_two(void **unused)
{
	static struct route routes[256];
	static struct row rows[256];

	(void)unused;
	for (uint16_t byte = 0; byte < 256; byte++) {
		routes[byte].address = IP(10, 1, 2, 0) + byte;
		routes[byte].next_hop = (uint16_t)(byte + 1);
		routes[byte].length = 32;
		rows[byte].address = routes[byte].address;
		rows[byte].next_hop = (uint16_t)(byte + 1);
	}
	expect(routes, 256, rows, 256);
}

/* Random prefixes of [shortest, longest] within 10.0.0.0/@p bits, so that
 * they overlap; sorted, each once. */
static size_t random_routes(struct route *routes, size_t count, unsigned bits,
			    unsigned shortest, unsigned longest, uint64_t seed)
{
	size_t kept = 0;

	for (size_t at = 0; at < count; at++) {
		uint64_t chance = sl_random_at(seed, at);
		unsigned length = shortest + (unsigned)(chance >> 48) %
						     (longest - shortest + 1);
		uint64_t mask = UINT64_C(0xffffffff00000000) >> length;
		uint64_t address = (uint32_t)chance;

		if (bits > 0)
			address = IP(10, 0, 0, 0) | address >> bits;
		routes[at].address = (uint32_t)(address & mask);
		routes[at].length = (uint8_t)length;
		routes[at].next_hop =
			(uint16_t)(1 + (chance >> 32) % (at % 2 ? 4 : 60000));
	}
	qsort(routes, count, sizeof(*routes), compare_routes);
	for (size_t at = 0; at < count; at++) {
		if (kept == 0 ||
		    compare_routes(&routes[kept - 1], &routes[at]) != 0)
			routes[kept++] = routes[at];
	}
	return kept;
}

static uint16_t scan(const struct route *routes, size_t count, uint32_t address)
{
	uint16_t next_hop = 0;
	int longest = -1;

	for (size_t at = 0; at < count; at++) {
		uint64_t mask =
			UINT64_C(0xffffffff00000000) >> routes[at].length;

		if ((address & mask) == routes[at].address &&
		    routes[at].length > longest) {
			longest = routes[at].length;
			next_hop = routes[at].next_hop;
		}
	}
	return next_hop;
}

static void random_routes_agree_with_a_search_through_all(void **unused)
{
	static const struct {
		unsigned bits, shortest, longest;
	} rows[] = {
		{ 0, 0, 32 },   { 0, 8, 28 },   { 8, 8, 32 },   { 16, 16, 32 },
		{ 20, 20, 32 }, { 24, 24, 32 }, { 14, 14, 24 }, { 8, 12, 17 },
	};
	static struct route routes[3000];
	static uint32_t addresses[5000];
	static uint16_t next_hops[5000];

	(void)unused;
	for (size_t row = 0; row < COUNT(rows); row++) {
		size_t count = random_routes(routes, COUNT(routes),
					     rows[row].bits, rows[row].shortest,
					     rows[row].longest, row);
		struct lpm4 *lpm = create(routes, count);

		for (size_t at = 0; at < COUNT(addresses); at++) {
			uint64_t chance = sl_random_at(1000 + row, at);
			uint32_t near = routes[(chance >> 32) % count].address;

			/* far, at or around the edge of a route */
			addresses[at] = (uint32_t)chance;
			if (at % 3 == 1)
				addresses[at] = near + (uint32_t)(at % 4) - 1;
			else if (at % 3 == 2)
				addresses[at] =
					near ^ (uint32_t)(chance % 4096);
		}
		lpm4_lookup_bulk(lpm, addresses, next_hops, COUNT(addresses));
		for (size_t at = 0; at < COUNT(addresses); at++) {
			uint16_t expected = scan(routes, count, addresses[at]);

			assert_int_equal(lpm4_lookup(lpm, addresses[at]),
					 expected);
			assert_int_equal(next_hops[at], expected);
		}
		lpm4_destroy(lpm);
	}
}

static void a_hundred_thousand_routes_take_less_than_16_mib(void **unused)
{
	size_t count = 100000;
	struct route *routes = calloc(count, sizeof(*routes));
	struct lpm4 *lpm;

	(void)unused;
	assert_non_null(routes);
	count = random_routes(routes, count, 0, 16, 28, 5);
	assert_true(count > 80000);
	lpm = create(routes, count);
	assert_in_range(lpm4_bytes(lpm), 1 << 20, 16 << 20);
	lpm4_destroy(lpm);
	free(routes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_routes_there_is_no_next_hop),
		cmocka_unit_test(the_default_route_holds_every_address),
		cmocka_unit_test(the_longest_of_nested_prefixes_wins),
		cmocka_unit_test(a_host_route_stands_alone),
		cmocka_unit_test(
			a_longer_prefix_with_the_same_next_hop_changes_nothing),
		cmocka_unit_test(a_node_of_256_ranges_is_as_good_as_one_of_two),
		cmocka_unit_test(random_routes_agree_with_a_search_through_all),
		cmocka_unit_test(
			a_hundred_thousand_routes_take_less_than_16_mib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
