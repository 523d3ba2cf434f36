/* SPDX-License-Identifier: MIT */
/* What a TCP segment says, and that each state and event has a next state. */
#include "plugins/nat/tcp_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

static void a_reset_counts_before_a_syn_and_that_before_a_fin(void **unused)
{
	(void)unused;
	assert_int_equal(tcp_event_of(RST | SYN | FIN, true), TCP_RST);
	assert_int_equal(tcp_event_of(SYN | FIN, true), TCP_SYN);
	assert_int_equal(tcp_event_of(FIN | ACK | PSH, true), TCP_FIN);
	assert_int_equal(tcp_event_of(ACK | PSH, true), TCP_DATA);
	assert_int_equal(tcp_event_of(ACK | PSH, false), TCP_BARE);
	assert_int_equal(tcp_event_of(0, false), TCP_BARE);
}

static void what_says_nothing_changes_nothing(void **unused)
{
	(void)unused;
	for (unsigned state = 0; state < TCP_STATES; state++) {
		assert_int_equal(tcp_next_state[state][TCP_NOTHING], state);
		assert_int_equal(tcp_next_state[state][TCP_FROM_OUTSIDE],
				 state);
		for (unsigned event = 0; event < TCP_EVENTS; event++)
			assert_true(tcp_next_state[state][event] < TCP_STATES);
	}
}

static void a_reset_ends_every_state(void **unused)
{
	(void)unused;
	for (unsigned state = 0; state < TCP_STATES; state++) {
		assert_int_equal(tcp_next_state[state][TCP_RST], TCP_RESET);
		assert_int_equal(
			tcp_next_state[state][TCP_RST | TCP_FROM_OUTSIDE],
			TCP_RESET);
	}
}

static void the_lasting_states_are_those_of_a_connection(void **unused)
{
	(void)unused;
	assert_false(TCP_OPENING & TCP_LASTING);
	assert_false(TCP_CALLED & TCP_LASTING);
	assert_false(TCP_CLOSED & TCP_LASTING);
	assert_false(TCP_RESET & TCP_LASTING);
	assert_true(TCP_ESTABLISHED & TCP_LASTING);
	assert_true(TCP_FIN_OUT & TCP_LASTING);
	assert_true(TCP_FIN_IN & TCP_LASTING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_reset_counts_before_a_syn_and_that_before_a_fin),
		cmocka_unit_test(what_says_nothing_changes_nothing),
		cmocka_unit_test(a_reset_ends_every_state),
		cmocka_unit_test(the_lasting_states_are_those_of_a_connection),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
