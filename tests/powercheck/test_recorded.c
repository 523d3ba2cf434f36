/* SPDX-License-Identifier: MIT */
/* What powercheck reads of machines that other projects recorded, held against
 * what the tests of these projects state (docs/powercheck.md has the table). */
#include <math.h>
#include <string.h>

#include "energy/files.h"
#include "energy/near.h"
#include "energy/recordings.h"
#include "power/conditions.h"
#include "power/look.h"
#include "power/processes.h"

#define ARCHIVE "prometheus-procfs/testdata/fixtures.ttar"
#define POWERTOP "fenrus75-powertop/tests/base/data"
#define KEPLER "sustainable-computing-io-kepler/internal/resource/testdata"
#define SECOND INT64_C(1000000000)

static struct sl_look look(const char *root, int64_t at_s)
{
	struct sl_look taken = { 0 };

	assert_int_equal(sl_look_take(&taken, root, NULL), SL_OK);
	taken.at_ns = at_s * SECOND;
	return taken;
}

static void loads_and_timers_of_prometheus(void **state)
{
	enum { USER = 0, SOFT_INTERRUPTS = 6 };
	struct sl_look taken;

	unpack(*state, ARCHIVE, "proc/stat");
	unpack(*state, ARCHIVE, "proc/interrupts");
	taken = look(*state, 1);
	assert_int_equal(taken.cpus.count, 8);
	assert_int_equal(taken.cpus.cpus[7].ticks[SOFT_INTERRUPTS], 31);
	assert_int_equal(taken.cpus.cpus[0].ticks[USER], 44490);
	assert_int_equal(taken.timer, 10196 + 7429 + 8542 + 8229);
	assert_false(taken.has_idle);
	sl_look_finish(&taken);
}

static void processes_of_prometheus(void **state)
{
	struct sl_processes all = { 0 };
	const struct sl_process *one;

	unpack(*state, ARCHIVE, "proc/26231/");
	unpack(*state, ARCHIVE, "proc/26232/");
	unpack(*state, ARCHIVE, "proc/584/");
	assert_int_equal(sl_processes_read(*state, &all, NULL), SL_OK);
	one = sl_processes_find(&all, 26231);
	assert_non_null(one);
	assert_string_equal(one->name, "vim");
	assert_int_equal(one->parent, 5392);
	assert_int_equal(one->group, 7446);
	assert_int_equal(one->state, 'R');
	assert_int_equal(one->ticks, 1677 + 44);
	assert_int_equal(one->started, 82375);
	assert_true(one->has_wakeups);
	assert_int_equal(one->wakeups, 4742839);
	one = sl_processes_find(&all, 584);
	assert_non_null(one);
	assert_string_equal(one->name, "(a b ) ( c d) ");
	assert_false(one->has_wakeups);
	/* whose times of children are as small and as large as can be */
	one = sl_processes_find(&all, 26232);
	assert_non_null(one);
	assert_string_equal(one->name, "ata_sff");
	assert_int_equal(one->ticks, 0);
	sl_processes_finish(&all);
}

static void processes_of_kepler(void **state)
{
	struct sl_processes all = { 0 };
	const struct sl_process *one;

	put_link(*state, "proc", recording(KEPLER "/procfs"));
	assert_int_equal(sl_processes_read(*state, &all, NULL), SL_OK);
	assert_int_equal(all.count, 6);
	one = sl_processes_find(&all, 3456208);
	assert_non_null(one);
	assert_string_equal(one->name, "prometheus");
	assert_int_equal(one->ticks, 572479 + 27124);
	sl_processes_finish(&all);
}

static void conditions_of_prometheus(void **state)
{
	struct sl_conditions has;

	unpack(*state, ARCHIVE, "proc/cpuinfo");
	unpack(*state, ARCHIVE, "sys/devices/system/cpu/");
	unpack(*state, ARCHIVE, "sys/class/power_supply/");
	unpack(*state, ARCHIVE, "sys/devices/LNXSYSTM:00/");
	sl_conditions_read(*state, &has);
	assert_int_equal(has.cpus, 8);
	assert_string_equal(has.cpu_model,
			    "Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz");
	assert_string_equal(has.governor, "powersave");
	/* of the one CPU that says it */
	assert_near(has.mhz, 1219.917, 1e-9);
	assert_string_equal(has.power_source, "battery");
	assert_string_equal(has.turbo, "unknown");
	assert_string_equal(has.smt, "unknown");
}

/* 100 entries and half a second in C1 within a second. */
static void idle_states_of_powertop(void **state)
{
	static const char path[] = POWERTOP "/cpu_linux_cycle.ptrecord";
	struct sl_look from, to;
	struct sl_idle idle;

	play_turn(*state, path, 1);
	from = look(*state, 1000);
	play_turn(*state, path, 2);
	to = look(*state, 1001);
	sl_look_between(&from, &to, &idle);
	assert_near(idle.wakeups_s, 100, 1e-9);
	assert_near(idle.low_power, 50, 1e-9);
	assert_string_equal(idle.states, "C1");
	sl_look_finish(&from);
	sl_look_finish(&to);
}

int main(void)
{
#define ON_TREE(test) \
	cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		ON_TREE(loads_and_timers_of_prometheus),
		ON_TREE(processes_of_prometheus),
		ON_TREE(processes_of_kepler),
		ON_TREE(conditions_of_prometheus),
		ON_TREE(idle_states_of_powertop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
