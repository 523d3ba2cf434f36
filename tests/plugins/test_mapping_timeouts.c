/* SPDX-License-Identifier: MIT */
/* When a mapping is gone: exactly, to the end of a span, or never. */
#include "mapping_support.h"

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

static void a_forward_never_expires(void **table)
{
	fix(*table, UDP, 1003, 0, 5003);
	mapping_table_advance(*table, 3600 * SECOND);
	assert_int_equal(in(*table, UDP, 1003), INSIDE(0, 5003));
	mapping_table_advance(*table, 7200 * SECOND);
	assert_int_equal(out(*table, UDP, 0, 5003), 1003);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		SPEC(one_that_was_used_once_is_gone_exactly_at_the_timeout),
		SPEC(a_later_use_counts_to_the_end_of_its_span),
		SPEC(and_no_longer),
		SPEC(both_directions_keep_a_mapping_alive),
		SPEC(a_gone_mapping_gives_its_port_back),
		SPEC(time_never_goes_back),
		SPEC(without_time_nothing_expires),
		SPEC(times_may_be_as_large_as_they_come),
		SPEC(a_forward_never_expires),
		GIVEN(given_rfc_timeouts, each_protocol_has_its_timeout),
		GIVEN(given_rfc_timeouts,
		      a_mapping_of_tcp_lives_as_long_as_its_state_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
