/* SPDX-License-Identifier: MIT */
/* Which external port an inside endpoint gets and keeps;
 * test_mapping_timeouts.c: when it loses it. */
#include "mapping_support.h"

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
	assert_int_equal(out(*table, OTHER, 0, 5003), 1000);
	assert_int_equal(in(*table, TCP, 1001), NONE);
	assert_int_equal(in(*table, UDP, 1001), INSIDE(0, 5004));
	assert_int_equal(in(*table, ICMP, 1000), NONE);
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

static void a_forward_leads_inside_without_a_packet_from_there(void **table)
{
	fix(*table, UDP, 2004, 0, 5003);
	assert_int_equal(in(*table, UDP, 2004), INSIDE(0, 5003));
	assert_int_equal(in(*table, TCP, 2004), NONE);
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
	assert_int_equal(try_fix(*table, UDP, 2004, 0, 5004), SL_EINVAL);
	assert_int_equal(try_fix(*table, UDP, 0, 0, 5004), SL_EINVAL);
	fix(*table, TCP, 2004, 0, 5003);
}

static void all_65535_ports_can_be_handed_out(void **unused)
{
	struct mapping_rules rules = rules_of(1, 65535, 1, SECOND);
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

/* Unoptimised they take a minute, so that there are fewer then. */
#ifdef __OPTIMIZE__
#define FLOWS 10000000u
#else
#define FLOWS 1000000u
#endif

static void ten_million_flows_take_no_more_than_their_ports(void **unused)
{
	struct mapping_rules rules = rules_of(1024, 65535, 1, SECOND);
	struct mapping_table *table = mapping_table_create(&rules);

	(void)unused;
	assert_non_null(table);
	for (uint32_t flow = 0; flow < FLOWS; flow++) {
		mapping_table_advance(table, flow * (SECOND / 50000));
		/* 50,000 ports at once; each flow finds the next one free */
		assert_int_equal(out(table, UDP, flow, 0), 1024 + flow % 64512);
	}
	assert_int_equal(table->spaces[UDP]->slots_used, 50000);
	assert_int_equal(table->spaces[UDP]->slot_mask + 1, 131072);
	mapping_table_destroy(table);
}

/* ---- parity ------------------------------------------------------------- */

static int given_parity(void **state)
{
	struct mapping_rules rules = rules_of(1000, 1009, 1, 10 * SECOND);

	rules.parity = true;
	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static void an_odd_port_gets_an_odd_one_while_there_is_one(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1001);
	assert_int_equal(out(*table, UDP, 0, 5005), 1003);
	assert_int_equal(out(*table, UDP, 0, 5004), 1004);
	assert_int_equal(out(*table, UDP, 0, 5007), 1005);
	assert_int_equal(out(*table, UDP, 0, 5009), 1007);
	assert_int_equal(out(*table, UDP, 0, 5011), 1009);
	assert_int_equal(out(*table, UDP, 0, 5013), 1000);
	assert_int_equal(out(*table, UDP, 0, 5015), 1002);
	assert_int_equal(out(*table, UDP, 0, 5017), 1006);
	assert_int_equal(out(*table, UDP, 0, 5019), 1008);
	assert_int_equal(out(*table, UDP, 0, 5021), NONE);
}

static void only_udp_keeps_parity(void **table)
{
	assert_int_equal(out(*table, TCP, 0, 5003), 1000);
	assert_int_equal(out(*table, ICMP, 0, 5003), 1000);
}

/* ---- a pool -------------------------------------------------------------- */

#define ON(address, port) ((address) << 16 | (port))
/* HOST is 3 modulo 4; so that host 1 is at home on address 0. */

/* Four addresses with ports 1000-1002. */
static int given_a_pool(void **state)
{
	struct mapping_rules rules = rules_of(1000, 1002, 4, 10 * SECOND);

	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static void hosts_are_paired_with_addresses(void **table)
{
	for (uint16_t port = 1000; port < 1003; port++) {
		assert_int_equal(out(*table, UDP, 0, port), ON(3, port));
		assert_int_equal(out(*table, UDP, 1, port), ON(0, port));
		assert_int_equal(out(*table, UDP, 2, port), ON(1, port));
		assert_int_equal(out(*table, TCP, 2, port), ON(1, port));
	}
	assert_int_equal(in(*table, UDP, ON(0, 1000)), INSIDE(1, 1000));
	assert_int_equal(in(*table, UDP, ON(1, 1000)), INSIDE(2, 1000));
	assert_int_equal(in(*table, UDP, ON(2, 1000)), NONE);
	assert_int_equal(in(*table, UDP, ON(3, 1000)), INSIDE(0, 1000));
}

static void a_full_address_sends_its_hosts_to_the_next(void **table)
{
	for (uint16_t port = 0; port < 3; port++)
		assert_int_equal(out(*table, UDP, 0, port), ON(3, 1000 + port));
	assert_int_equal(out(*table, UDP, 0, 1001), ON(0, 1001));
	assert_int_equal(out(*table, UDP, 0, 1001), ON(0, 1001));
	assert_int_equal(in(*table, UDP, ON(0, 1001)), INSIDE(0, 1001));
	assert_int_equal(out(*table, UDP, 0, 3), ON(0, 1000));
	assert_int_equal(out(*table, UDP, 1, 3), ON(0, 1002));
	assert_int_equal(out(*table, UDP, 0, 4), ON(1, 1000));
	for (uint16_t port = 5; port < 10; port++)
		assert_int_not_equal(out(*table, UDP, 0, port), NONE);
	assert_int_equal(out(*table, UDP, 0, 10), NONE);
	assert_int_equal(out(*table, UDP, 1, 10), NONE);
	assert_int_equal(out(*table, UDP, 0, 4), ON(1, 1000));
}

static void who_was_sent_away_comes_home_after_its_end(void **table)
{
	for (uint16_t port = 0; port < 4; port++)
		(void)out(*table, UDP, 0, port);
	assert_int_equal(out(*table, UDP, 0, 3), ON(0, 1000));
	mapping_table_advance(*table, 9 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 3), ON(0, 1000));
	mapping_table_advance(*table, 19 * SECOND - 1);
	assert_int_equal(out(*table, UDP, 0, 4), ON(3, 1000));
	assert_int_equal(out(*table, UDP, 0, 3), ON(0, 1000));
	mapping_table_advance(*table, 40 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 3), ON(3, 1001));
	assert_int_equal(in(*table, UDP, ON(0, 1000)), NONE);
}

static void the_endpoint_of_all_zeros_stays_at_home(void **table)
{
	struct mapping_place place;

	for (uint16_t port = 0; port < 3; port++)
		(void)out(*table, UDP, 1, port);
	assert_int_equal(mapping_outbound(*table, MAPPING_UDP, 0, 7,
					  TCP_NOTHING, &place),
			 SL_ENOSPC);
}

static void a_forward_on_any_address_is_found_from_home(void **table)
{
	fix(*table, UDP, ON(2, 80), 0, 5003);
	assert_int_equal(out(*table, UDP, 0, 5003), ON(2, 80));
	assert_int_equal(in(*table, UDP, ON(2, 80)), INSIDE(0, 5003));
	assert_int_equal(in(*table, UDP, ON(3, 80)), NONE);
	mapping_table_advance(*table, 1000 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), ON(2, 80));
}

static void of_two_forwards_in_a_pool_the_first_answers(void **table)
{
	fix(*table, UDP, ON(2, 80), 0, 5003);
	fix(*table, UDP, ON(3, 80), 0, 5003);
	fix(*table, UDP, ON(0, 80), 0, 5003);
	assert_int_equal(out(*table, UDP, 0, 5003), ON(2, 80));
	assert_int_equal(in(*table, UDP, ON(0, 80)), INSIDE(0, 5003));
	assert_int_equal(try_fix(*table, UDP, ON(0, 80), 1, 1), SL_EINVAL);
}

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
		SPEC(a_forward_leads_inside_without_a_packet_from_there),
		SPEC(the_port_of_a_forward_is_never_free),
		SPEC(the_target_of_a_forward_answers_from_its_port),
		SPEC(of_two_forwards_to_one_endpoint_the_first_answers),
		SPEC(a_port_is_forwarded_once),
		GIVEN(given_parity,
		      an_odd_port_gets_an_odd_one_while_there_is_one),
		GIVEN(given_parity, only_udp_keeps_parity),
		GIVEN(given_a_pool, hosts_are_paired_with_addresses),
		GIVEN(given_a_pool, a_full_address_sends_its_hosts_to_the_next),
		GIVEN(given_a_pool, who_was_sent_away_comes_home_after_its_end),
		GIVEN(given_a_pool, the_endpoint_of_all_zeros_stays_at_home),
		GIVEN(given_a_pool,
		      a_forward_on_any_address_is_found_from_home),
		GIVEN(given_a_pool,
		      of_two_forwards_in_a_pool_the_first_answers),
		cmocka_unit_test(all_65535_ports_can_be_handed_out),
		cmocka_unit_test(
			ten_million_flows_take_no_more_than_their_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
