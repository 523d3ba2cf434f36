/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "power/sleep.h"

static void nothing(int number)
{
	(void)number;
}

static void a_signal_does_not_shorten_a_sleep(void **state)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval often = { { 0, 5000 }, { 0, 5000 } },
			       never = { { 0, 0 }, { 0, 0 } };
	int64_t before_ns = sl_clock_ns();
	struct sigaction old;

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_int_equal(sl_sleep(0.05, -1, NULL), SL_OK);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_true(sl_clock_ns() - before_ns >= 50000000);
	assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
}

static void a_sleep_is_cancelled(void **state)
{
	struct sl_error error;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(sl_sleep(3600, ends[0], &error), SL_ESTOPPED);
	close(ends[0]);
	close(ends[1]);
}

static void no_time_is_over_at_once(void **state)
{
	(void)state;
	assert_int_equal(sl_sleep(0, -1, NULL), SL_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_does_not_shorten_a_sleep),
		cmocka_unit_test(a_sleep_is_cancelled),
		cmocka_unit_test(no_time_is_over_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
