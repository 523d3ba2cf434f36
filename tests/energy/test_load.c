/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "energy/near.h"
#include "plugins/cpu_model/load.h"

static struct load parsed(const char *text)
{
	struct load load = { 0 };
	struct sl_error error = { .message = "" };

	if (load_parse(&load, text, &error) != SL_OK)
		fail_msg("%s", error.message);
	return load;
}

static void expect_share(const char *from, const char *to, double share)
{
	struct load before = parsed(from), now = parsed(to);
	double got = -1;

	assert_int_equal(load_between(&before, &now, &got), share >= 0);
	if (share >= 0)
		assert_near(got, share, 1e-12);
	load_finish(&before);
	load_finish(&now);
}

static void busy_is_what_ran_here(void **unused)
{
	(void)unused;
	/* user 10, nice 20, system 30, idle 40, iowait 50, irq 60, softirq 70,
	 * steal 80 and guests, which are in user and nice: 190 of 360 */
	expect_share("cpu0 0 0 0 0 0 0 0 0 0 0\n",
		     "cpu0 10 20 30 40 50 60 70 80 10 20\n", 190.0 / 360);
}

static void a_field_that_falls_counts_as_nothing(void **unused)
{
	(void)unused;
	/* iowait of cpu0 and idle of cpu1 fall, as they may */
	expect_share("cpu0 0 0 0 100 900 0 0 0\ncpu1 0 0 0 500 0 0 0 0\n",
		     "cpu0 50 0 0 150 100 0 0 0\ncpu1 0 0 0 400 0 0 0 0\n",
		     0.5);
}

static void cpus_that_come_and_go_are_left_out(void **unused)
{
	(void)unused;
	expect_share("cpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu7 1 0 0 1\n",
		     "cpu0 10 0 0 30\ncpu2 900 0 0 0\ncpu7 1 0 0 41\n", 0.125);
	expect_share("cpu0 0 0 0 0\n", "cpu1 99 0 0 99\n", -1);
}

static void the_sum_of_all_stands_in_for_missing_lines(void **unused)
{
	(void)unused;
	expect_share("cpu  100 0 0 100 0 0 0 0 0 0\n",
		     "cpu  130 0 0 110 0 0 0 0 0 0\n", 0.75);
}

static void ten_ticks_a_cpu_are_the_least(void **unused)
{
	(void)unused;
	expect_share("cpu0 0 0 0 0\ncpu1 0 0 0 0\n",
		     "cpu0 10 0 0 0\ncpu1 9 0 0 0\n", -1);
	expect_share("cpu0 0 0 0 0\ncpu1 0 0 0 0\n",
		     "cpu0 10 0 0 0\ncpu1 0 0 0 10\n", 0.5);
}

static void what_is_no_line_of_a_cpu_is_refused(void **unused)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "proc/stat: no CPU stands in it" },
		{ "intr 5\n", "proc/stat: no CPU stands in it" },
		{ "cpu0 1 2 3\n",
		  "proc/stat: \"cpu0 1 2 3\" is no line of a CPU" },
		{ "cpu0 1 2 3 x\n",
		  "proc/stat: \"cpu0 1 2 3 x\" is no line of a CPU" },
		{ "cpu0 1 2 3 -4\n",
		  "proc/stat: \"cpu0 1 2 3 -4\" is no line of a CPU" },
		{ "cpu0 1 2 3 4x\n",
		  "proc/stat: \"cpu0 1 2 3 4x\" is no line of a CPU" },
		{ "cpu0", "proc/stat: \"cpu0\" is no line of a CPU" },
		{ "cpufreq 1 2 3 4\n",
		  "proc/stat: \"cpufreq 1 2 3 4\" is no line of a CPU" },
		{ "cpu0 18446744073709551616 2 3 4\n",
		  "proc/stat: \"cpu0 18446744073709551616 2 3 4\" is no line "
		  "of a CPU" },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct load load = { 0 };
		struct sl_error error = { .message = "" };

		assert_int_equal(load_parse(&load, cases[at].text, &error),
				 SL_EINVAL);
		assert_string_equal(error.message, cases[at].message);
		load_finish(&load);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(busy_is_what_ran_here),
		cmocka_unit_test(a_field_that_falls_counts_as_nothing),
		cmocka_unit_test(cpus_that_come_and_go_are_left_out),
		cmocka_unit_test(the_sum_of_all_stands_in_for_missing_lines),
		cmocka_unit_test(ten_ticks_a_cpu_are_the_least),
		cmocka_unit_test(what_is_no_line_of_a_cpu_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
