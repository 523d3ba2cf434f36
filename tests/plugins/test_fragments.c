/* SPDX-License-Identifier: MIT */
/* What is remembered of datagrams in fragments, and for how long. */
#include "plugins/nat/fragments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY 7000
#define TIMEOUT 30

static int given_a_table(void **state)
{
	*state = fragments_create(MEMORY, TIMEOUT, 5);
	return *state == NULL;
}

static int drop(void **state)
{
	fragments_destroy(*state);
	return 0;
}

static struct datagram_key key_of(uint16_t id)
{
	return (struct datagram_key){ 0x0a000002, 0xc6336407, id, 17, false };
}

static struct datagram *begin(struct fragments *fragments, uint16_t id,
			      uint64_t now)
{
	struct datagram_key key = key_of(id);
	struct datagram *datagram;

	assert_null(fragments_find(fragments, &key));
	datagram = fragments_add(fragments, &key, now);
	assert_non_null(datagram);
	assert_ptr_equal(fragments_find(fragments, &key), datagram);
	return datagram;
}

static void hold(struct fragments *fragments, struct datagram *datagram,
		 uint8_t mark, uint32_t size)
{
	uint8_t bytes[1500];
	struct sl_packet packet = { .sport = mark };
	struct sl_packet_info info = { .frame = bytes, .captured = size };

	memset(bytes, mark, sizeof(bytes));
	assert_true(fragments_hold(fragments, datagram, &packet, &info));
	memset(bytes, 0, sizeof(bytes));
}

static void what_is_held_is_a_copy_and_comes_in_order(void **fragments)
{
	struct datagram *datagram = begin(*fragments, 1, 0);
	struct held *held;

	for (uint8_t mark = 1; mark <= 3; mark++)
		hold(*fragments, datagram, mark, mark * 10u);
	held = fragments_release(*fragments, datagram);
	for (uint8_t mark = 1; mark <= 3; mark++) {
		struct held *next = held->next;

		assert_int_equal(held->packet.sport, mark);
		assert_int_equal(held->info.captured, mark * 10);
		assert_int_equal(held->info.frame[mark * 10 - 1], mark);
		held_destroy(held);
		held = next;
	}
	assert_null(held);
	assert_null(fragments_release(*fragments, datagram));
}

static void every_part_of_the_key_counts(void **fragments)
{
	struct datagram_key key = key_of(1), other;

	(void)begin(*fragments, 1, 0);
	other = key;
	other.src++;
	assert_null(fragments_find(*fragments, &other));
	other = key;
	other.dst++;
	assert_null(fragments_find(*fragments, &other));
	other = key;
	other.id++;
	assert_null(fragments_find(*fragments, &other));
	other = key;
	other.protocol++;
	assert_null(fragments_find(*fragments, &other));
	other = key;
	other.outside = true;
	assert_null(fragments_find(*fragments, &other));
}

static void a_datagram_is_over_at_the_timeout(void **fragments)
{
	struct datagram *one = begin(*fragments, 1, 100);
	struct datagram *two = begin(*fragments, 2, 110);
	struct datagram_key key = key_of(1);

	assert_null(fragments_over(*fragments, 129));
	assert_ptr_equal(fragments_over(*fragments, 130), one);
	fragments_renew(*fragments, one, 120);
	assert_null(fragments_over(*fragments, 139));
	assert_ptr_equal(fragments_over(*fragments, 140), two);
	fragments_forget(*fragments, two);
	assert_null(fragments_over(*fragments, 149));
	assert_ptr_equal(fragments_over(*fragments, 150), one);
	fragments_forget(*fragments, one);
	assert_null(fragments_find(*fragments, &key));
	assert_null(fragments_over(*fragments, UINT64_MAX));
}

static void the_oldest_is_the_one_too_many(void **fragments)
{
	struct datagram *oldest = begin(*fragments, 1, 0);
	struct datagram *newest = begin(*fragments, 2, 0);

	for (int at = 0; at < 4; at++)
		hold(*fragments, newest, 7, 1400);
	assert_null(fragments_excess(*fragments));
	hold(*fragments, newest, 7, 1400);
	assert_ptr_equal(fragments_excess(*fragments), oldest);
	fragments_forget(*fragments, oldest);
	assert_ptr_equal(fragments_excess(*fragments), newest);
	fragments_forget(*fragments, newest);
	assert_null(fragments_excess(*fragments));
}

static void many_datagrams_are_all_found_and_forgotten(void **fragments)
{
	struct datagram_key key;

	for (uint16_t id = 0; id < 5000; id++)
		(void)begin(*fragments, id, id);
	for (uint16_t id = 0; id < 5000; id += 2) {
		key = key_of(id);
		fragments_forget(*fragments, fragments_find(*fragments, &key));
	}
	for (uint16_t id = 0; id < 5000; id++) {
		key = key_of(id);
		if (id % 2)
			assert_non_null(fragments_find(*fragments, &key));
		else
			assert_null(fragments_find(*fragments, &key));
	}
}

#define SPEC(test) cmocka_unit_test_setup_teardown(test, given_a_table, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(what_is_held_is_a_copy_and_comes_in_order),
		SPEC(every_part_of_the_key_counts),
		SPEC(a_datagram_is_over_at_the_timeout),
		SPEC(the_oldest_is_the_one_too_many),
		SPEC(many_datagrams_are_all_found_and_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
