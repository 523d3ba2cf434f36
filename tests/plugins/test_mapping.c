/* SPDX-License-Identifier: MIT */
/* Which external port an inside endpoint gets, keeps and loses. */
#include "plugins/nat/mapping.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
	OTHER = MAPPING_OTHER,
	ICMP = MAPPING_ICMP,
	UDP = MAPPING_UDP,
	TCP = MAPPING_TCP,
	NONE = -1,
};

#define SECOND INT64_C(1000000000)
#define HOST 0x0ae61e03u /* 10.230.30.3 */

static struct mapping_rules rules_of(uint16_t first_port, uint16_t last_port,
				     uint16_t addresses, int64_t timeout_ns)
{
	struct mapping_rules rules = { .first_port = first_port,
				       .last_port = last_port,
				       .addresses = addresses,
				       .seed = 42 };

	for (unsigned protocol = 0; protocol < MAPPING_PROTOCOLS; protocol++) {
		rules.timeouts_ns[protocol][0] = timeout_ns;
		rules.timeouts_ns[protocol][1] = timeout_ns;
	}
	return rules;
}

/* Ports 1000-1009, 10 s. */
static int given_ten_ports(void **state)
{
	struct mapping_rules rules = rules_of(1000, 1009, 1, 10 * SECOND);

	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static int drop(void **state)
{
	mapping_table_destroy(*state);
	return 0;
}

/* The address and port that host HOST + @p host gets for @p port; an address
 * of 0 is the first. NONE: no port is free. */
static int out_saying(struct mapping_table *table, unsigned protocol,
		      uint32_t host, uint16_t port, uint8_t event)
{
	mapping_endpoint inside = mapping_endpoint_of(HOST + host, port);
	struct mapping_place place = { 0, 0 }, found = { 0, 0 };
	unsigned home = mapping_home(&table->rules, HOST + host, protocol);
	enum sl_code code = mapping_outbound(
		table, home, inside, mapping_hash(&table->rules, inside), event,
		&place);

	if (code == SL_ENOSPC) {
		assert_false(mapping_find_place(table, home, inside, &found));
		return NONE;
	}
	assert_int_equal(code, SL_OK);
	assert_true(mapping_find_place(table, home, inside, &found));
	assert_int_equal(found.space, place.space);
	assert_int_equal(found.port, place.port);
	assert_int_equal(place.space % MAPPING_PROTOCOLS, protocol);
	return (int)(mapping_place_address(place) << 16 | place.port);
}

static int out(struct mapping_table *table, unsigned protocol, uint32_t host,
	       uint16_t port)
{
	return out_saying(table, protocol, host, port, TCP_NOTHING);
}

/* Whom @p port of an address leads to, as ADDRESS << 16 | PORT relative to
 * HOST; NONE. */
static int64_t in_saying(struct mapping_table *table, unsigned protocol,
			 unsigned place, uint8_t event)
{
	struct mapping_place there = { (uint16_t)mapping_space_of(place >> 16,
								  protocol),
				       (uint16_t)place };
	mapping_endpoint inside, found;

	if (!mapping_inbound(table, there, event, &inside)) {
		assert_false(mapping_find_inside(table, there, &found));
		return NONE;
	}
	assert_true(mapping_find_inside(table, there, &found));
	assert_int_equal(found, inside);
	return (int64_t)(inside - ((uint64_t)HOST << 16));
}

static int64_t in(struct mapping_table *table, unsigned protocol,
		  unsigned place)
{
	return in_saying(table, protocol, place, TCP_NOTHING);
}

#define INSIDE(host, port) ((int64_t)(host) << 16 | (port))

static enum sl_code try_fix(struct mapping_table *table, unsigned protocol,
			    unsigned place, uint32_t host, uint16_t inside_port)
{
	struct mapping_place there = { (uint16_t)mapping_space_of(place >> 16,
								  protocol),
				       (uint16_t)place };

	return mapping_fix(table, there,
			   mapping_endpoint_of(HOST + host, inside_port));
}

static void fix(struct mapping_table *table, unsigned protocol, unsigned place,
		uint32_t host, uint16_t inside_port)
{
	assert_int_equal(try_fix(table, protocol, place, host, inside_port),
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

static void one_that_was_used_once_is_gone_exactly_at_the_timeout(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 0, 5004), 1001);
	mapping_table_advance(*table, 10 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 5003));
	mapping_table_advance(*table, 10 * SECOND);
	assert_int_equal(in(*table, UDP, 1001), NONE);
}

/* The end of the span of a use; a 1024th of 10 s is more than 2^23 ns. */
static int64_t span_end(int64_t used_ns, unsigned bits)
{
	int64_t span = INT64_C(1) << bits;

	return (used_ns + 1) / span * span + span - 2;
}

static void a_later_use_counts_to_the_end_of_its_span(void **table)
{
	const int64_t used[] = { 10 * SECOND - 1, span_end(14 * SECOND, 23),
				 span_end(14 * SECOND, 23) + 1 };

	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	for (size_t at = 0; at < 3; at++) {
		mapping_table_advance(*table, used[at]);
		if (at % 2)
			assert_int_equal(in(*table, UDP, 1000),
					 INSIDE(0, 5003));
		else
			assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	}
	assert_true(span_end(used[1], 23) == used[1]);
	assert_true(span_end(used[2], 23) == used[1] + (1 << 23));
	mapping_table_advance(*table, span_end(used[2], 23) + 10 * SECOND - 1);
	assert_int_equal(in(*table, UDP, 1000), INSIDE(0, 5003));
}

static void and_no_longer(void **table)
{
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	assert_int_equal(out(*table, UDP, 0, 5003), 1000);
	mapping_table_advance(*table, span_end(0, 23) + 10 * SECOND);
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
	mapping_table_advance(*table, 41 * SECOND);
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

/* ---- timeouts ------------------------------------------------------------ */

/* 60 s, and for TCP 240 s, established 7440 s. */
static int given_rfc_timeouts(void **state)
{
	struct mapping_rules rules = rules_of(1000, 1009, 1, 300 * SECOND);

	rules.timeouts_ns[MAPPING_ICMP][0] = 60 * SECOND;
	rules.timeouts_ns[MAPPING_ICMP][1] = 60 * SECOND;
	rules.timeouts_ns[MAPPING_TCP][0] = 240 * SECOND;
	rules.timeouts_ns[MAPPING_TCP][1] = 7440 * SECOND;
	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static void each_protocol_has_its_timeout(void **table)
{
	assert_int_equal(out(*table, ICMP, 0, 1000), 1000);
	assert_int_equal(out(*table, UDP, 0, 1000), 1000);
	assert_int_equal(out_saying(*table, TCP, 0, 1000, TCP_SYN), 1000);
	assert_int_equal(out_saying(*table, TCP, 0, 1001, TCP_SYN), 1001);
	assert_int_equal(in_saying(*table, TCP, 1001, TCP_SYN),
			 INSIDE(0, 1001));
	mapping_table_advance(*table, 60 * SECOND - 1);
	assert_int_equal(out(*table, ICMP, 1, 1000), 1001);
	mapping_table_advance(*table, 60 * SECOND);
	assert_int_equal(out(*table, ICMP, 2, 1000), 1000);
	mapping_table_advance(*table, 240 * SECOND - 1);
	assert_int_equal(out_saying(*table, TCP, 1, 1000, TCP_SYN), 1002);
	mapping_table_advance(*table, 240 * SECOND);
	assert_int_equal(out_saying(*table, TCP, 2, 1000, TCP_SYN), 1000);
	mapping_table_advance(*table, 300 * SECOND - 1);
	assert_int_equal(out(*table, UDP, 1, 1000), 1001);
	mapping_table_advance(*table, 300 * SECOND);
	assert_int_equal(out(*table, UDP, 2, 1000), 1000);
	assert_int_equal(out_saying(*table, TCP, 3, 1001, TCP_SYN), 1003);
}

/* A moment of a connection, and for how long the mapping lives from it on. */
struct moment {
	int64_t after_s; /* of the moment before */
	bool outside; /* where the packet came from */
	uint8_t event;
	int64_t lives_s;
};

#define MOMENTS_MAX 8
static const struct {
	const char *what;
	struct moment moments[MOMENTS_MAX];
} connections[] = {
	{ "a SYN without an answer", { { 0, false, TCP_SYN, 240 } } },
	{ "a handshake",
	  { { 0, false, TCP_SYN, 240 },
	    { 239, true, TCP_SYN, 7440 },
	    { 7439, false, TCP_BARE, 7440 } } },
	{ "one that was open when the capture began",
	  { { 0, false, TCP_DATA, 240 }, { 1, true, TCP_BARE, 7440 } } },
	{ "an orderly end",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 0, false, TCP_FIN, 7440 },
	    { 7000, true, TCP_DATA, 7440 },
	    { 7000, true, TCP_FIN, 240 },
	    { 1, false, TCP_BARE, 240 } } },
	{ "an end that the outside begins",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 0, true, TCP_FIN, 7440 },
	    { 7000, false, TCP_FIN, 240 },
	    { 239, true, TCP_BARE, 240 } } },
	{ "another connection of the mapping after both FINs",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 0, false, TCP_FIN, 7440 },
	    { 0, true, TCP_FIN, 240 },
	    { 100, false, TCP_DATA, 7440 } } },
	{ "a new connection after both FINs",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 0, false, TCP_FIN, 7440 },
	    { 0, true, TCP_FIN, 240 },
	    { 100, false, TCP_SYN, 240 },
	    { 100, true, TCP_SYN, 7440 } } },
	{ "a reset",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 7000, true, TCP_RST, 240 },
	    { 100, false, TCP_RST, 240 } } },
	{ "a reset that was not obeyed",
	  { { 0, false, TCP_SYN, 240 },
	    { 0, true, TCP_SYN, 7440 },
	    { 0, true, TCP_RST, 240 },
	    { 239, false, TCP_BARE, 7440 } } },
};

static void play(struct mapping_table *table, const struct moment *moments,
		 unsigned count, int64_t *now_s)
{
	for (unsigned at = 0; at < count; at++) {
		*now_s += moments[at].after_s;
		mapping_table_advance(table, *now_s * SECOND);
		if (moments[at].outside)
			assert_int_equal(
				in_saying(table, TCP, 1000, moments[at].event),
				INSIDE(0, 1000));
		else
			assert_int_equal(out_saying(table, TCP, 0, 1000,
						    moments[at].event),
					 1000);
	}
}

/* Every beginning of every connection, alone in a table and among others. */
static void a_mapping_of_tcp_lives_as_long_as_its_state_says(void **state)
{
	mapping_table_destroy(*state);
	for (size_t row = 0; row < sizeof(connections) / sizeof(connections[0]);
	     row++) {
		for (unsigned count = 1; count <= MOMENTS_MAX; count++) {
			const struct moment *moments = connections[row].moments;
			struct mapping_table *table;
			mapping_endpoint inside;
			struct mapping_place place = { MAPPING_TCP, 1000 };
			int64_t now_s = 0, end_ns;

			if (!moments[count - 1].lives_s)
				break;
			assert_int_equal(given_rfc_timeouts(state), 0);
			table = *state;
			play(table, moments, count, &now_s);
			end_ns = now_s * SECOND;
			if (count > 1) /* a 1024th of 240 s */
				end_ns = span_end(end_ns, 27);
			end_ns += moments[count - 1].lives_s * SECOND;
			mapping_table_advance(table, end_ns - 1);
			if (!mapping_find_inside(table, place, &inside))
				fail_msg("%s: gone too soon after %u",
					 connections[row].what, count);
			mapping_table_advance(table, end_ns);
			if (mapping_find_inside(table, place, &inside))
				fail_msg("%s: there too long after %u",
					 connections[row].what, count);
			mapping_table_destroy(table);
		}
	}
	assert_int_equal(given_rfc_timeouts(state), 0);
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

#define GIVEN(setup, test) cmocka_unit_test_setup_teardown(test, setup, drop)
#define SPEC(test) GIVEN(given_ten_ports, test)

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
		SPEC(one_that_was_used_once_is_gone_exactly_at_the_timeout),
		SPEC(a_later_use_counts_to_the_end_of_its_span),
		SPEC(and_no_longer),
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
		GIVEN(given_parity,
		      an_odd_port_gets_an_odd_one_while_there_is_one),
		GIVEN(given_parity, only_udp_keeps_parity),
		GIVEN(given_rfc_timeouts, each_protocol_has_its_timeout),
		GIVEN(given_rfc_timeouts,
		      a_mapping_of_tcp_lives_as_long_as_its_state_says),
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
