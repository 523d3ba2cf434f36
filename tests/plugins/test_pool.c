/* SPDX-License-Identifier: MIT */
/* The list of external addresses, and sets of ports. */
#include "plugins/nat/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/random.h"

static void addresses_keep_the_order_in_which_they_were_given(void **unused)
{
	static const uint32_t order[] = { 9, 2, 3, 4, 20, 1, 5 };
	struct pool pool;

	(void)unused;
	memset(&pool, 0, sizeof(pool));
	assert_true(pool_add(&pool, 9, 9));
	assert_true(pool_add(&pool, 2, 4));
	assert_true(pool_add(&pool, 20, 20));
	assert_true(pool_add(&pool, 1, 5));
	assert_int_equal(pool.count, 7);
	for (int at = 0; at < 7; at++) {
		assert_int_equal(pool.addresses[at], order[at]);
		assert_int_equal(pool_find(&pool, order[at]), at);
	}
	for (uint32_t address = 0; address < 30; address++) {
		int found = pool_find(&pool, address);

		if (found >= 0)
			assert_int_equal(pool.addresses[found], address);
	}
	assert_int_equal(pool_find(&pool, 0), -1);
	assert_int_equal(pool_find(&pool, 6), -1);
	assert_int_equal(pool_find(&pool, 19), -1);
	assert_int_equal(pool_find(&pool, 21), -1);
	assert_int_equal(pool_find(&pool, UINT32_MAX), -1);
}

static void a_prefix_and_one_of_its_addresses_first_are_one_run(void **unused)
{
	struct pool pool;

	(void)unused;
	memset(&pool, 0, sizeof(pool));
	assert_true(pool_add(&pool, 0xcb007100, 0xcb007100));
	assert_true(pool_add(&pool, 0xcb007100, 0xcb00710f));
	assert_int_equal(pool.count, 16);
	assert_int_equal(pool.run_count, 1);
	assert_int_equal(pool_find(&pool, 0xcb00710f), 15);
}

static void there_are_256_addresses_at_most(void **unused)
{
	struct pool pool;

	(void)unused;
	memset(&pool, 0, sizeof(pool));
	assert_true(pool_add(&pool, 5, 5));
	assert_true(pool_add(&pool, 0, 255));
	assert_true(pool_add(&pool, 17, 99));
	assert_false(pool_add(&pool, 256, 256));
	memset(&pool, 0, sizeof(pool));
	assert_false(pool_add(&pool, 0, UINT32_MAX));
	memset(&pool, 0, sizeof(pool));
	assert_true(pool_add(&pool, UINT32_MAX - 255, UINT32_MAX));
	assert_int_equal(pool_find(&pool, UINT32_MAX), 255);
	assert_int_equal(pool_find(&pool, 0), -1);
}

/* The model is an array of flags, searched from end to end. */
static uint16_t model_first(const bool *members, uint32_t from, int parity)
{
	for (; from < 65536; from++) {
		if (members[from] && (parity == 2 || (int)from % 2 == parity))
			return (uint16_t)from;
	}
	return 0;
}

static void a_set_of_ports_agrees_with_an_array(void **unused)
{
	static struct port_set set;
	static bool members[65536];

	(void)unused;
	for (uint64_t round = 0; round < 20000; round++) {
		uint64_t dice = sl_random_at(11, round);
		uint16_t port = (uint16_t)(dice >> 8);
		uint16_t from = (uint16_t)(dice >> 24);

		if (!port)
			continue;
		/* few members, so that searches go far */
		members[port] = (dice & 255) < 40;
		if (members[port])
			port_set_add(&set, port);
		else
			port_set_remove(&set, port);
		assert_int_equal(port_set_has(&set, port), members[port]);
		if (round % 16)
			continue;
		assert_int_equal(port_set_first(&set, from),
				 model_first(members, from, 2));
		assert_int_equal(port_set_first_like(&set, from, 4),
				 model_first(members, from, 0));
		assert_int_equal(port_set_first_like(&set, from, 7),
				 model_first(members, from, 1));
	}
}

static void the_first_and_the_last_port_are_found(void **unused)
{
	static struct port_set set;

	(void)unused;
	port_set_add(&set, 1);
	port_set_add(&set, 65534);
	port_set_add(&set, 65535);
	assert_int_equal(port_set_first(&set, 0), 1);
	assert_int_equal(port_set_first(&set, 2), 65534);
	assert_int_equal(port_set_first(&set, 65535), 65535);
	assert_int_equal(port_set_first_like(&set, 65535, 0), 0);
	assert_int_equal(port_set_first_like(&set, 65535, 1), 65535);
	port_set_remove(&set, 65535);
	assert_int_equal(port_set_first(&set, 65535), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			addresses_keep_the_order_in_which_they_were_given),
		cmocka_unit_test(
			a_prefix_and_one_of_its_addresses_first_are_one_run),
		cmocka_unit_test(there_are_256_addresses_at_most),
		cmocka_unit_test(a_set_of_ports_agrees_with_an_array),
		cmocka_unit_test(the_first_and_the_last_port_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
