/* SPDX-License-Identifier: MIT */
/* Looking at a machine twice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "energy/files.h"
#include "energy/near.h"
#include "power/look.h"
#include "power/processes.h"

#define IDLE "sys/devices/system/cpu/cpu0/cpuidle/"
#define SECOND INT64_C(1000000000)

static struct sl_look look(const char *root, int64_t at_s)
{
	struct sl_look taken = { 0 };

	assert_int_equal(sl_look_take(&taken, root, NULL), SL_OK);
	taken.at_ns = at_s * SECOND;
	return taken;
}

static struct sl_idle between(struct sl_look *from, struct sl_look *to)
{
	struct sl_idle idle;

	sl_look_between(from, to, &idle);
	sl_look_finish(from);
	sl_look_finish(to);
	return idle;
}

static void put_state(const char *root, const char *number, const char *name,
		      const char *time, const char *usage)
{
	char path[128];

	snprintf(path, sizeof(path), IDLE "state%s/name", number);
	put(root, path, name);
	snprintf(path, sizeof(path), IDLE "state%s/time", number);
	put(root, path, time);
	snprintf(path, sizeof(path), IDLE "state%s/usage", number);
	put(root, path, usage);
}

static void states_from_c3_on_are_low_power(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put_state(root, "0", "POLL", "0", "0");
	put_state(root, "1", "C1E", "0", "10");
	put_state(root, "2", "C3_ACPI", "1000", "20");
	put_state(root, "3", "C10", "5000", "30");
	from = look(root, 10);
	put_state(root, "1", "C1E", "900000", "110");
	put_state(root, "2", "C3_ACPI", "501000", "120");
	put_state(root, "3", "C10", "505000", "130");
	to = look(root, 12);
	idle = between(&from, &to);
	assert_near(idle.low_power, 50, 1e-9);
	assert_near(idle.wakeups_s, 150, 1e-9);
	assert_string_equal(idle.states, "C3_ACPI C10");
}

static void without_such_a_state_the_deepest_counts(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put_state(root, "0", "WFI", "0", "0");
	put_state(root, "1", "cpu-sleep-0", "0", "0");
	from = look(root, 0);
	put_state(root, "0", "WFI", "700000", "0");
	put_state(root, "1", "cpu-sleep-0", "250000", "0");
	to = look(root, 1);
	idle = between(&from, &to);
	assert_near(idle.low_power, 25, 1e-9);
	assert_string_equal(idle.states, "cpu-sleep-0");
}

static void counters_that_fall_are_unknown_and_say_so(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put_state(root, "3", "C6", "5000", "30");
	put(root, "proc/interrupts", "LOC: 500 x\n");
	put(root, "proc/stat", "cpu0 1 2 3 4\n");
	from = look(root, 0);
	put_state(root, "3", "C6", "4000", "30");
	put(root, "proc/interrupts", "LOC: 400 x\n");
	to = look(root, 1);
	idle = between(&from, &to);
	assert_true(isnan(idle.low_power) && isnan(idle.wakeups_s));
	assert_true(isnan(idle.timer_ms) && isnan(idle.busy));
	assert_string_equal(idle.why_timer,
			    "proc/interrupts: the timer's count fell");
	assert_true(strstr(idle.why_idle, "fell") != NULL);
}

static void the_timers_period_is_of_each_cpu(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put(root, "proc/stat", "cpu0 1 2 3 4\ncpu1 1 2 3 4\n");
	put(root, "proc/interrupts", "LOC: 500 700 Local timer 99\n");
	from = look(root, 0);
	put(root, "proc/interrupts", "LOC: 750 950 Local timer 99\n");
	to = look(root, 1);
	idle = between(&from, &to);
	assert_near(idle.timer_ms, 4, 1e-9);
}

static void a_share_of_nonsense_is_a_share(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put(root, "proc/stat", "cpu0 0 0 0 0\n");
	from = look(root, 0);
	put(root, "proc/stat",
	    "cpu0 18446744073709551615 9 0 18446744073709551615\n");
	to = look(root, 1);
	idle = between(&from, &to);
	assert_near(idle.busy, 0.5, 1e-9);
}

static void a_name_that_ends_like_the_timers_row_is_none(void **state)
{
	const char *root = *state;
	struct sl_look taken;

	put(root, "proc/interrupts",
	    "  CPU0\n 7: 40 BLOC: 5 10\nXLOC: 9\n LOC: 500 timer\n");
	taken = look(root, 1);
	assert_true(taken.has_timer);
	assert_int_equal(taken.timer, 500);
	sl_look_finish(&taken);
	put(root, "proc/interrupts", "  CPU0\n 7: 40 BLOC: 5 10\n");
	taken = look(root, 1);
	assert_false(taken.has_timer);
	assert_string_equal(taken.why_timer, "proc/interrupts: no row LOC");
	sl_look_finish(&taken);
}

static void a_state_whose_name_is_part_of_anothers_is_told(void **state)
{
	const char *root = *state;
	struct sl_look taken;

	put_state(root, "1", "C3_ACPI", "0", "0");
	put_state(root, "2", "C6S", "0", "0");
	put(root, "sys/devices/system/cpu/cpu1/cpuidle/state0/name", "C3");
	put(root, "sys/devices/system/cpu/cpu1/cpuidle/state0/time", "0");
	put(root, "sys/devices/system/cpu/cpu1/cpuidle/state0/usage", "0");
	taken = look(root, 1);
	assert_string_equal(taken.states, "C3_ACPI C6S C3");
	sl_look_finish(&taken);
}

static void between_looks_at_one_time_everything_has_a_reason(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put_state(root, "3", "C6", "5000", "30");
	put(root, "proc/interrupts", "LOC: 500 x\n");
	put(root, "proc/stat", "cpu0 1 2 3 4\n");
	from = look(root, 1);
	to = look(root, 1);
	idle = between(&from, &to);
	assert_true(isnan(idle.busy) && isnan(idle.low_power));
	assert_true(idle.why_cpu[0] && idle.why_idle[0] && idle.why_timer[0]);
}

static void iowait_that_falls_and_stolen_time_are_not_busy(void **state)
{
	const char *root = *state;
	struct sl_look from, to;
	struct sl_idle idle;

	put(root, "proc/stat",
	    "cpu  0 0 0 0\n"
	    "cpu0 100 0 0 100 50 0 0 0 70 0\n");
	from = look(root, 0);
	put(root, "proc/stat",
	    "cpu  0 0 0 0\n"
	    "cpu0 125 0 0 150 10 0 0 25 99 0\n");
	to = look(root, 1);
	idle = between(&from, &to);
	assert_near(idle.busy, 0.25, 1e-9);
}

static void processes_have_names_with_anything_in_them(void **state)
{
	const char *root = *state;
	struct sl_processes from = { 0 }, to = { 0 };
	struct sl_activity active[2];

	put(root, "proc/5/stat",
	    "5 (a) b (c)) S 1 5 5 0 0 0 0 0 0 0 100 50 0 "
	    "0 20 0 1 0 77 0 0");
	put(root, "proc/5/task/5/status", "x\nvoluntary_ctxt_switches:\t9\n");
	put(root, "proc/5/task/6/status", "x\nvoluntary_ctxt_switches:\t1\n");
	put(root, "proc/6/stat",
	    "6 (old) S 1 5 5 0 0 0 0 0 0 0 9 9 0 0 20 0 "
	    "1 0 77 0 0");
	put(root, "proc/6/status", "x\nvoluntary_ctxt_switches:\t0\n");
	assert_int_equal(sl_processes_read(root, &from, NULL), SL_OK);
	put(root, "proc/5/stat",
	    "5 (a) b (c)) S 1 5 5 0 0 0 0 0 0 0 150 50 0 "
	    "0 20 0 1 0 77 0 0");
	put(root, "proc/5/task/6/status", "x\nvoluntary_ctxt_switches:\t21\n");
	/* the same id, another process */
	put(root, "proc/6/stat",
	    "6 (new) S 1 5 5 0 0 0 0 0 0 0 4 1 0 0 20 0 "
	    "1 0 99 0 0");
	assert_int_equal(sl_processes_read(root, &to, NULL), SL_OK);
	from.at_ns = 1 * SECOND;
	to.at_ns = 3 * SECOND;
	assert_int_equal(
		sl_processes_active(&from, &to, SL_BY_CPU, 0, active, 2), 2);
	assert_string_equal(active[0].name, "a) b (c)");
	assert_near(active[0].cpu, 0.25, 1e-9);
	assert_near(active[0].wakeups_s, 10, 1e-9);
	assert_string_equal(active[1].name, "new");
	assert_near(active[1].cpu, 0.025, 1e-9);
	assert_near(sl_processes_wakeups(&from, &to, 5, false), 10, 1e-9);
	assert_true(isnan(sl_processes_wakeups(&from, &to, 7, false)));
	sl_processes_finish(&from);
	sl_processes_finish(&to);
}

/* A process of group 5 with so many ticks; "" for a status without switches. */
static void put_process(const char *root, const char *pid, const char *ticks,
			const char *status)
{
	char path[64], text[160];

	snprintf(path, sizeof(path), "proc/%s/stat", pid);
	snprintf(text, sizeof(text),
		 "%s (app) S 1 5 5 0 -1 0 0 0 0 0 %s 0 0 0 20 0 1 0 77 0 0",
		 pid, ticks);
	put(root, path, text);
	snprintf(path, sizeof(path), "proc/%s/status", pid);
	put(root, path, status);
}

static void wakeups_that_cannot_be_read_are_unknown_and_not_none(void **state)
{
	const char *root = *state;
	struct sl_processes from = { 0 }, to = { 0 };
	struct sl_activity active[2];

	put_process(root, "5", "0", "x\nvoluntary_ctxt_switches:\t9\n");
	put_process(root, "6", "0", "Name: app\n");
	assert_int_equal(sl_processes_read(root, &from, NULL), SL_OK);
	put_process(root, "5", "9", "x\nvoluntary_ctxt_switches:\t29\n");
	put_process(root, "6", "5", "x\nvoluntary_ctxt_switches:\tmany\n");
	assert_int_equal(sl_processes_read(root, &to, NULL), SL_OK);
	from.at_ns = 1 * SECOND;
	to.at_ns = 2 * SECOND;
	assert_near(sl_processes_wakeups(&from, &to, 5, true), 20, 1e-9);
	assert_true(isnan(sl_processes_wakeups(&from, &to, 6, true)));
	/* of the group the sum is unknown then, too */
	assert_true(isnan(sl_processes_wakeups(&from, &to, 5, false)));
	assert_int_equal(
		sl_processes_active(&from, &to, SL_BY_WAKEUPS, 0, active, 2),
		1);
	assert_int_equal(
		sl_processes_active(&from, &to, SL_BY_CPU, 0, active, 2), 2);
	assert_int_equal(active[1].pid, 6);
	assert_true(isnan(active[1].wakeups_s));
	sl_processes_finish(&from);
	sl_processes_finish(&to);
}

static void without_a_first_look_nothing_is_known_of_processes(void **state)
{
	const char *root = *state;
	struct sl_processes from = { 0 }, to = { 0 };

	put_process(root, "5", "9", "x\nvoluntary_ctxt_switches:\t9\n");
	assert_int_equal(sl_processes_read(root, &to, NULL), SL_OK);
	assert_true(isnan(sl_processes_wakeups(&from, &to, 5, true)));
	sl_processes_finish(&to);
}

static void rows_of_processes_that_hold_no_numbers_are_left_out(void **state)
{
	const char *root = *state;
	struct sl_processes all = { 0 };

	put_process(root, "5", "many", "x\n");
	put(root, "proc/6/stat", "6 (x) S 1 5");
	put(root, "proc/7/stat", "7 x S 1");
	put(root, "proc/8/stat", "");
	put_process(root, "9x", "5", "x\n");
	put_process(root, "4294967305", "5", "x\n");
	assert_int_equal(sl_processes_read(root, &all, NULL), SL_OK);
	assert_int_equal(all.count, 0);
	sl_processes_finish(&all);
}

int main(void)
{
#define ON_TREE(test) \
	cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		ON_TREE(states_from_c3_on_are_low_power),
		ON_TREE(without_such_a_state_the_deepest_counts),
		ON_TREE(counters_that_fall_are_unknown_and_say_so),
		ON_TREE(the_timers_period_is_of_each_cpu),
		ON_TREE(a_share_of_nonsense_is_a_share),
		ON_TREE(a_name_that_ends_like_the_timers_row_is_none),
		ON_TREE(a_state_whose_name_is_part_of_anothers_is_told),
		ON_TREE(between_looks_at_one_time_everything_has_a_reason),
		ON_TREE(iowait_that_falls_and_stolen_time_are_not_busy),
		ON_TREE(processes_have_names_with_anything_in_them),
		ON_TREE(wakeups_that_cannot_be_read_are_unknown_and_not_none),
		ON_TREE(without_a_first_look_nothing_is_known_of_processes),
		ON_TREE(rows_of_processes_that_hold_no_numbers_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
