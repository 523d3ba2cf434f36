/* SPDX-License-Identifier: MIT */
/* Which external port an inside endpoint gets, keeps and loses. */
#include "plugins/nat/mapping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TCP = 6, UDP = 17, NONE = -1 };

#define SECOND INT64_C(1000000000)
#define HOST 0x0ae61e03u /* 10.230.30.3 */

/* Ports 1000-1009, 10 s. */
static int given_ten_ports(void **state)
{
	const struct mapping_rules rules = { 1000, 1009, 10 * SECOND, 42 };

	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static int drop(void **state)
{
	mapping_table_destroy(*state);
	return 0;
}

/* The port that host HOST + @p host gets for @p port; NONE: no port is free. */
static int out(struct mapping_table *table, uint8_t transport, uint32_t host,
	       uint16_t port)
{
	mapping_endpoint inside = mapping_endpoint_of(HOST + host, port);
	uint16_t external = 0;
	enum sl_code code = mapping_outbound(
		table, transport, inside, mapping_hash(&table->rules, inside),
		&external);

	if (code == SL_ENOSPC)
		return NONE;
	assert_int_equal(code, SL_OK);
	return external;
}

/* Whom @p port leads to, as ADDRESS << 16 | PORT relative to HOST; NONE. */
static int64_t in(struct mapping_table *table, uint8_t transport, uint16_t port)
{
	mapping_endpoint inside;

	if (!mapping_inbound(table, transport, port, &inside))
		return NONE;
	return (int64_t)(inside - ((uint64_t)HOST << 16));
}

#define INSIDE(host, port) ((int64_t)(host) << 16 | (port))

static void fix(struct mapping_table *table, uint8_t transport, uint16_t port,
		uint32_t host, uint16_t inside_port)
{
	assert_int_equal(
		mapping_fix(table, transport, port,
			    mapping_endpoint_of(HOST + host, inside_port)),
		SL_OK);
}

static void an_inside_port_that_is_free_and_in_range_is_kept(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 1007), 1007);
	assert_int_equal(out(*table, UDP, 1, 1000), 1000);
	assert_int_equal(out(*table, UDP, 2, 1009), 1009);
}

static void an_endpoint_keeps_its_port(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 1, 5003), 1001);
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 1, 5003), 1001);
}

static void a_port_out_of_range_is_replaced_from_the_cursor_on(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 999), 1000);
	assert_int_equal(out(*table, UDP, 0, 1010), 1001);
	assert_int_equal(out(*table, UDP, 0, 0), 1002);
	assert_int_equal(out(*table, UDP, 0, 65535), 1003);
}

static void a_kept_port_leaves_the_cursor_alone(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 1005), 1005);
	assert_int_equal(out(*table, UDP, 0, 1), 1000);
	assert_int_equal(out(*table, UDP, 0, 1001), 1001);
	assert_int_equal(out(*table, UDP, 0, 2), 1002);
}

static void the_cursor_skips_ports_in_use(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 1000), 1000);
	assert_int_equal(out(*table, UDP, 0, 1001), 1001);
	assert_int_equal(out(*table, UDP, 1, 1000), 1002);
	assert_int_equal(out(*table, UDP, 1, 1001), 1003);
}

static void the_cursor_wraps_within_the_range(void **table)
{
	for (uint16_t port = 1; port <= 8; port++)
		assert_int_equal(out(*table, UDP, 0, port), 999 + port);
	mapping_table_advance(*table, 5 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 9), 1008);
	assert_int_equal(out(*table, UDP, 0, 3), 1002); /* used again */
	mapping_table_advance(*table, 10 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 10), 1009);
	assert_int_equal(out(*table, UDP, 0, 11), 1000);
	assert_int_equal(out(*table, UDP, 0, 12), 1001);
	assert_int_equal(out(*table, UDP, 0, 13), 1003);
}

static void when_all_ports_are_taken_there_is_none(void **table)
{
	for (uint16_t port = 1; port <= 10; port++)
		assert_int_equal(out(*table, UDP, 0, port), 999 + port);
	assert_int_equal(out(*table, UDP, 0, 11), NONE);
	assert_int_equal(out(*table, UDP, 0, 1004), NONE);
	assert_int_equal(out(*table, UDP, 0, 5), 1004); /* it has one */
}

static void a_refused_endpoint_leaves_no_trace(void **table)
{
	for (uint16_t port = 1; port <= 10; port++)
		assert_int_equal(out(*table, UDP, 0, port), 999 + port);
	mapping_table_advance(*table, 5 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 11), NONE);
	mapping_table_advance(*table, 10 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 11), 1000);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 11));
}

static void each_transport_has_ports_and_a_cursor_of_its_own(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 0, 5004), 1001);
	assert_int_equal(out(*table, TCP, 0, 5003), 1000);
	assert_int_equal(out(*table, 0, 0, 5003), 1000);
	assert_int_equal(in(*table, TCP, 1001), NONE);
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
	assert_int_equal(in(*table, 255, 1000), NONE);
}

static void what_comes_back_goes_to_the_endpoint(void **table)
{
	assert_int_equal(in(*table, UDP, 1000), NONE);
	assert_int_equal(out(*table, UDP, 7, 5003), 1000);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(7, 5003));
	assert_int_equal(in(*table, UDP, 1001), NONE);
	assert_int_equal(in(*table, UDP, 5003), NONE);
	assert_int_equal(in(*table, UDP, 0), NONE);
}

static void a_mapping_is_gone_exactly_at_the_timeout(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	mapping_table_advance(*table, 10 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 5003));
	mapping_table_advance(*table, 20 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1000), NONE);
}

static void both_directions_keep_a_mapping_alive(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 0, 5004), 1001);
	assert_int_equal(out(*table, UDP, 0, 5005), 1002);
	mapping_table_advance(*table, 9 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
	mapping_table_advance(*table, 18 * SECOND);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 5003));
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
	assert_int_equal(in(*table, UDP, 1002), NONE);
}

static void a_gone_mapping_gives_its_port_back(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 1004), 1004);
	mapping_table_advance(*table, 10 * SECOND);
	assert_int_equal(out(*table, UDP, 1, 1004), 1004);
	assert_int_equal(in(*table, UDP, 1004), INSIDE(1, 1004));
	assert_int_equal(out(*table, UDP, 0, 1004), 1000);
}

static void time_never_goes_back(void **table)
{
	mapping_table_advance(*table, 20 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	mapping_table_advance(*table, 0);
	mapping_table_advance(*table, -5);
	assert_int_equal(out(*table, UDP, 0, 5004), 1001);
	mapping_table_advance(*table, 30 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
	mapping_table_advance(*table, 40 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1000), NONE);
	assert_int_equal(in(*table, UDP, 1001), NONE);
}

static void without_time_nothing_expires(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	for (unsigned packet = 0; packet < 100000; packet++)
		mapping_table_advance(*table, 0);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 5003));
}

static void times_may_be_as_large_as_they_come(void **table)
{
	mapping_table_advance(*table, INT64_MAX - 10 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	mapping_table_advance(*table, INT64_MAX - 1);
	assert_int_equal(out(*table, UDP, 0, 5004), 1001);
	mapping_table_advance(*table, INT64_MAX);
	assert_int_equal(in(*table, UDP, 1000), NONE);
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
}

static void a_forward_leads_inside_without_a_packet_from_there(void **table)
{
	fix(*table, UDP, 2004, 0, 5003);
	assert_int_equal(in(*table, UDP, 2004), INSIDE(0, 5003));
	assert_int_equal(in(*table, TCP, 2004), NONE);
}

static void a_forward_never_expires(void **table)
{
	fix(*table, UDP, 1003, 0, 5003);
	mapping_table_advance(*table, 3600 * SECOND);
	assert_int_equal(in(*table, UDP, 1003), INSIDE(0, 5003));
	mapping_table_advance(*table, 7200 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), 1003);
}

static void the_port_of_a_forward_is_never_free(void **table)
{
	fix(*table, UDP, 1000, 0, 5003);
	fix(*table, UDP, 1001, 0, 5004);
	assert_int_equal(out(*table, UDP, 1, 1000), 1002);
	assert_int_equal(out(*table, UDP, 1, 1), 1003);
	assert_int_equal(out(*table, TCP, 1, 1000), 1000);
}

static void the_target_of_a_forward_answers_from_its_port(void **table)
{
	fix(*table, UDP, 2004, 0, 5003);
	assert_int_equal(out(*table, UDP, 0, 5003), 2004);
	assert_int_equal(out(*table, TCP, 0, 5003), 1000);
}

static void of_two_forwards_to_one_endpoint_the_first_answers(void **table)
{
	fix(*table, UDP, 2005, 0, 5003);
	fix(*table, UDP, 2004, 0, 5003);
	assert_int_equal(in(*table, UDP, 2004), INSIDE(0, 5003));
	assert_int_equal(in(*table, UDP, 2005), INSIDE(0, 5003));
	assert_int_equal(out(*table, UDP, 0, 5003), 2005);
}

static void a_port_is_forwarded_once(void **table)
{
	fix(*table, UDP, 2004, 0, 5003);
	assert_int_equal(
		mapping_fix(*table, UDP, 2004, mapping_endpoint_of(HOST, 5004)),
		SL_EINVAL);
	assert_int_equal(
		mapping_fix(*table, UDP, 0, mapping_endpoint_of(HOST, 5004)),
		SL_EINVAL);
	fix(*table, TCP, 2004, 0, 5003);
}

static void all_65535_ports_can_be_handed_out(void **unused)
{
	const struct mapping_rules rules = { 1, 65535, SECOND, 7 };
	struct mapping_table *table = mapping_table_create(&rules);

	(void)unused;
	assert_non_null(table);
	for (uint32_t host = 1; host <= 65535; host++)
		assert_int_equal(out(table, UDP, host, 0), host);
	assert_int_equal(out(table, UDP, 0, 0), NONE);
	for (uint32_t host = 1; host <= 65535; host++)
		assert_int_equal(in(table, UDP, (uint16_t)host),
				 INSIDE(host, 0));
	mapping_table_destroy(table);
}

static void ten_million_flows_take_no_more_than_their_ports(void **unused)
{
	const struct mapping_rules rules = { 1024, 65535, SECOND, 7 };
	struct mapping_table *table = mapping_table_create(&rules);

	(void)unused;
	assert_non_null(table);
	for (uint32_t flow = 0; flow < 10000000; flow++) {
		mapping_table_advance(table, flow * (SECOND / 50000));
		/* 50,000 ports at once; each flow finds the next one free */
		assert_int_equal(out(table, UDP, flow, 0), 1024 + flow % 64512);
	}
	assert_int_equal(table->spaces[UDP]->slots_used, 50000);
	assert_int_equal(table->spaces[UDP]->slot_mask + 1, 131072);
	mapping_table_destroy(table);
}

#define SPEC(test) cmocka_unit_test_setup_teardown(test, given_ten_ports, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(an_inside_port_that_is_free_and_in_range_is_kept),
		SPEC(an_endpoint_keeps_its_port),
		SPEC(a_port_out_of_range_is_replaced_from_the_cursor_on),
		SPEC(a_kept_port_leaves_the_cursor_alone),
		SPEC(the_cursor_skips_ports_in_use),
		SPEC(the_cursor_wraps_within_the_range),
		SPEC(when_all_ports_are_taken_there_is_none),
		SPEC(a_refused_endpoint_leaves_no_trace),
		SPEC(each_transport_has_ports_and_a_cursor_of_its_own),
		SPEC(what_comes_back_goes_to_the_endpoint),
		SPEC(a_mapping_is_gone_exactly_at_the_timeout),
		SPEC(both_directions_keep_a_mapping_alive),
		SPEC(a_gone_mapping_gives_its_port_back),
		SPEC(time_never_goes_back),
		SPEC(without_time_nothing_expires),
		SPEC(times_may_be_as_large_as_they_come),
		SPEC(a_forward_leads_inside_without_a_packet_from_there),
		SPEC(a_forward_never_expires),
		SPEC(the_port_of_a_forward_is_never_free),
		SPEC(the_target_of_a_forward_answers_from_its_port),
		SPEC(of_two_forwards_to_one_endpoint_the_first_answers),
		SPEC(a_port_is_forwarded_once),
		cmocka_unit_test(all_65535_ports_can_be_handed_out),
		cmocka_unit_test(
			ten_million_flows_take_no_more_than_their_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
