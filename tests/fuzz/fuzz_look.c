/* SPDX-License-Identifier: MIT */
/* What powercheck reads of a machine: loads, timer, idle states, conditions,
 * temperatures. Whatever the files, a share is a share, and what is unknown has
 * a reason. */
#include <math.h>
#include <string.h>

#include "power/conditions.h"
#include "power/look.h"
#include "sluice/temperature.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

#define CPU "sys/devices/system/cpu/"
#define IDLE(cpu, state) CPU "cpu" #cpu "/cpuidle/state" #state "/"
#define SUPPLY "sys/class/power_supply/"

static const char *const paths[] = {
	"proc/stat", /* a */
	"proc/interrupts", /* b */
	IDLE(0, 0) "name", /* c */
	IDLE(0, 0) "time", /* d */
	IDLE(0, 0) "usage", /* e */
	IDLE(0, 1) "name", /* f */
	IDLE(0, 1) "time", /* g */
	IDLE(0, 1) "usage", /* h */
	IDLE(1, 0) "name", /* i */
	IDLE(1, 0) "time", /* j */
	IDLE(1, 0) "usage", /* k */
	"proc/cpuinfo", /* l */
	CPU "cpu0/cpufreq/scaling_governor", /* m */
	CPU "cpu1/cpufreq/scaling_governor", /* n */
	CPU "cpu0/cpufreq/scaling_cur_freq", /* o */
	CPU "intel_pstate/no_turbo", /* p */
	CPU "cpufreq/boost", /* q */
	CPU "smt/control", /* r */
	"proc/sys/kernel/osrelease", /* s */
	SUPPLY "AC/type", /* t */
	SUPPLY "AC/online", /* u */
	SUPPLY "BAT0/type", /* v */
	SUPPLY "BAT0/status", /* w */
	"sys/class/thermal/thermal_zone0/temp", /* x */
	"sys/class/thermal/thermal_zone0/type", /* y */
};

static void in(double value, double low, double high, const char *why)
{
	fuzz_require(isnan(value) ? why[0] != '\0'
				  : value >= low && value <= high);
	fuzz_require_flat(why);
}

static void check_between(struct sl_look *from, struct sl_look *to)
{
	struct sl_idle idle;

	to->at_ns = from->at_ns + INT64_C(1000000000);
	sl_look_between(from, to, &idle);
	in(idle.busy, 0, 1, idle.why_cpu);
	in(idle.low_power, 0, 100, idle.why_idle);
	in(idle.wakeups_s, 0, INFINITY, idle.why_idle);
	in(idle.timer_ms, 0, INFINITY, idle.why_timer);
	fuzz_require_flat(idle.states);
	for (size_t at = 0; at < to->cpus.count; at++)
		fuzz_require(sl_cpus_busy(&from->cpus, &to->cpus, at) <= 1);
}

static void check_conditions(const char *root)
{
	struct sl_conditions has;
	char differ[2048];

	sl_conditions_read(root, &has);
	fuzz_require_flat(has.cpu_model);
	fuzz_require_flat(has.governor);
	fuzz_require_flat(has.smt);
	fuzz_require_flat(has.kernel);
	fuzz_require(isnan(has.mhz) || has.mhz > 0);
	fuzz_require(!sl_conditions_differ(&has, &has, differ, sizeof(differ)));
}

static void check_temperatures(const char *root)
{
	struct sl_temperatures found = { .sensors = NULL };

	if (sl_temperatures_read(root, &found, NULL) == SL_OK)
		for (size_t at = 0; at < found.count; at++) {
			fuzz_require_flat(found.sensors[at].label);
			fuzz_require(!found.sensors[at].valid ||
				     isfinite(found.sensors[at].celsius));
		}
	sl_temperatures_finish(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sl_look from = { 0 }, to = { 0 };
	struct fuzz_tree tree;

	fuzz_tree_make(&tree, paths, sizeof(paths) / sizeof(paths[0]), data,
		       size);
	fuzz_require(sl_look_take(&from, tree.root, NULL) == SL_OK);
	fuzz_tree_go_on(&tree);
	fuzz_require(sl_look_take(&to, tree.root, NULL) == SL_OK);
	check_between(&from, &to);
	check_conditions(tree.root);
	check_temperatures(tree.root);
	sl_look_finish(&from);
	sl_look_finish(&to);
	fuzz_tree_finish(&tree);
	return 0;
}
