/* SPDX-License-Identifier: MIT */
/* Trees and logs that other projects recorded, read to the figures that these
 * projects themselves expect of them (docs/meters.md has the table). They are
 * looked for in $SLUICE_CORPUS; without it the tests are skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "energy/files.h"
#include "energy/meters.h"
#include "energy/recordings.h"

#define KEPLER "sustainable-computing-io-kepler/internal/device/testdata"
#define PROCFS "prometheus-procfs/unpacked/fixtures"
#define POWERTOP "fenrus75-powertop/tests/devices/data"
#define CODECARBON \
	"mlco2-codecarbon/codecarbon/data/hardware/cpu_load_profiling"

/** What a domain of a recorded tree must read. */
struct expected {
	const char *id;
	double raw; /**< joules or watts */
	const char *unusable; /**< or why there is no figure */
};

static void check(struct meters *meters, const struct expected *rows,
		  size_t count)
{
	mark_to(meters);
	assert_int_equal(sl_energy_domain_count(meters->energy), count);
	for (size_t at = 0; at < count; at++) {
		const struct sl_energy_domain *domain =
			domain_of(meters, rows[at].id);

		if (!rows[at].unusable) {
			expect_raw(meters, rows[at].id, rows[at].raw);
			continue;
		}
		assert_false(domain->usable);
		assert_string_equal(domain->unusable, rows[at].unusable);
	}
}

#define CHECK(meters, rows) \
	check((meters), (rows), sizeof(rows) / sizeof((rows)[0]))

static void powercap_of_prometheus(void **unused)
{
	static const struct expected rows[] = {
		{ "intel-rapl:0", 240422.366267, NULL },
		{ "intel-rapl:0:0", 118821.284256, NULL },
		{ "intel-rapl:a", 240422.366267, NULL },
	};
	struct meters meters;

	(void)unused;
	meters = open_meter("rapl", recording(PROCFS), "");
	CHECK(&meters, rows);
	assert_string_equal(domain_of(&meters, "intel-rapl:a")->label,
			    "package-10");
	assert_near(domain_of(&meters, "intel-rapl:0")->wrap_j, 262143.328911,
		    1e-9);
	assert_false(domain_of(&meters, "intel-rapl:0:0")->in_sum);
	close_meters(&meters);
}

static void powercap_of_kepler(void **unused)
{
	static const struct expected rows[] = {
		{ "intel-rapl:a", 240422.366267, NULL },
	};
	struct meters meters;

	(void)unused;
	meters = open_meter("rapl", recording(KEPLER), "");
	CHECK(&meters, rows);
	close_meters(&meters);
}

static void a_tree_without_meters_of_kepler(void **unused)
{
	(void)unused;
	expect_refused("rapl", recording(KEPLER "/bad_sysfs"), "",
		       "meter \"rapl\": sys/class/powercap: No such file or "
		       "directory");
	expect_refused("hwmon", recording(KEPLER "/bad_sysfs"), "",
		       "meter \"hwmon\": sys/class/hwmon: No such file or "
		       "directory");
}

static void hwmon_of_kepler(void **unused)
{
	static const struct expected rows[] = {
		{ "k10temp/hwmon0/power1", 45, NULL },
		{ "k10temp/hwmon0/power2", 15, NULL },
		{ "amdgpu/hwmon1/power1", 118, NULL }, /* the average */
		{ "multi_sensor/hwmon_aggregate/power1", 50, NULL },
		{ "multi_sensor/hwmon_aggregate/power2", 30, NULL },
		{ "hwmon_device_path/hwmon_device_path/power1", 25, NULL },
		{ "ina3221/hwmon_disabled_channel/rail1", 12, NULL },
		{ "ina3221/hwmon_disabled_channel/rail2", 10, NULL },
		{ "ina3221/hwmon_disabled_channel/rail3", 0,
		  "switched off: in3_enable is 0" },
		{ "test_power_chip/hwmon_disabled_power/power1", 45, NULL },
		{ "test_power_chip/hwmon_disabled_power/power2", 15, NULL },
		{ "test_power_chip/hwmon_disabled_power/power3", 0,
		  "switched off: power3_enable is 0" },
		{ "energy_with_enable/hwmon_energy_disabled/energy1", 500,
		  NULL },
		{ "energy_with_enable/hwmon_energy_disabled/energy2", 200,
		  NULL },
		{ "energy_with_enable/hwmon_energy_disabled/energy3", 0,
		  "switched off: energy3_enable is 0" },
		{ "ina226/hwmon_ina226/rail1", 60, NULL },
		{ "ina3221/hwmon_ina3221/rail1", 12, NULL },
		{ "ina3221/hwmon_ina3221/rail2", 2.5, NULL },
		{ "ina3221/hwmon_ina3221/rail3", 0.66, NULL },
		{ "ina3221/hwmon_voltage_current/rail1", 60, NULL },
		{ "ina3221/hwmon_voltage_current_multi/rail1", 60, NULL },
		{ "ina3221/hwmon_voltage_current_multi/rail2", 33, NULL },
	};
	struct meters meters;

	(void)unused;
	meters = open_meter("hwmon", recording(KEPLER), "");
	CHECK(&meters, rows);
	close_meters(&meters);
}

static void the_battery_of_prometheus(void **state)
{
	static const struct expected rows[] = {
		{ "BAT0/power", 4.83, NULL },
		{ "BAT0/energy", 178020, NULL }, /* 49.45 Wh */
	};
	struct meters meters;

	put_link(*state, "sys/class/power_supply/BAT0",
		 recording(PROCFS
			   "/sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0A08:00/"
			   "device:00/PNP0C09:00/PNP0C0A:00/power_supply/"
			   "BAT0"));
	put_link(*state, "sys/class/power_supply/AC",
		 recording(PROCFS
			   "/sys/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0A08:00/"
			   "device:00/PNP0C09:00/ACPI0003:00/power_supply/"
			   "AC"));
	meters = open_meter("battery", *state, "");
	CHECK(&meters, rows);
	close_meters(&meters);
}

static void the_processors_of_prometheus_and_kepler(void **state)
{
	struct meters meters;

	/* Loads since the start, which a first reading does not tell. */
	meters = open_meter("cpu_model", recording(PROCFS),
			    "idle=10.0,busy=50.0");
	mark_to(&meters);
	expect_raw(&meters, "cpu", 10);
	close_meters(&meters);
	put_link(*state, "proc",
		 recording("sustainable-computing-io-kepler/internal/resource/"
			   "testdata/procfs"));
	meters = open_meter("cpu_model", *state, "idle=10.0,busy=50.0");
	mark_to(&meters);
	expect_raw(&meters, "cpu", 10);
	close_meters(&meters);
}

/* ---- powertop's recordings ---------------------------------------------- */

static void batteries_of_powertop(void **state)
{
	struct meters meters;

	play_all(*state, POWERTOP "/acpi_discharging_power_now.ptrecord");
	meters = open_meter("battery", *state, "");
	mark_to(&meters);
	expect_raw(&meters, "BAT0/power", 15);
	close_meters(&meters);
}

static void a_battery_without_power_of_powertop(void **state)
{
	struct meters meters;

	play_all(*state, POWERTOP "/acpi_discharging_fallback.ptrecord");
	meters = open_meter("battery", *state, "");
	mark_to(&meters);
	expect_raw(&meters, "BAT0/power", 24); /* 2 A at 12 V */
	close_meters(&meters);
}

static void a_charging_battery_of_powertop(void **state)
{
	struct meters meters;

	play_all(*state, POWERTOP "/acpi_charging.ptrecord");
	meters = open_meter("battery", *state, "");
	assert_string_equal(domain_of(&meters, "BAT0/power")->unusable,
			    "BAT0 shows neither energy nor power");
	close_meters(&meters);
}

#define CARD "sys/class/drm/card0/device/hwmon/hwmon0"

static void link_card(const char *root)
{
	put_link(root, "sys/class/hwmon/hwmon0", path_of(root, CARD));
}

static void a_graphics_card_of_powertop(void **state)
{
	struct player player;
	struct meters meters;

	player = play(recording(POWERTOP "/xe_gpu_measurement.ptrecord"));
	assert_true(play_until(&player, *state, "energy1_input", 1));
	link_card(*state);
	meters = open_meter("hwmon", *state, "");
	mark_from(&meters);
	assert_true(play_until(&player, *state, "energy1_input", 1));
	mark_to(&meters);
	expect_raw(&meters, "xe/hwmon0/energy1", 1.5);
	expect_energy(&meters, "xe/hwmon0/energy1", 0.5);
	assert_true(play_until(&player, *state, "energy1_input", 1));
	mark_to(&meters);
	expect_energy(&meters, "xe/hwmon0/energy1", 1);
	close_meters(&meters);
	fclose(player.file);
}

static void an_idle_graphics_card_of_powertop(void **state)
{
	struct player player;
	struct meters meters;

	player = play(recording(POWERTOP "/xe_gpu_zero_delta.ptrecord"));
	assert_true(play_until(&player, *state, "energy1_input", 1));
	link_card(*state);
	meters = open_meter("hwmon", *state, "");
	mark_from(&meters);
	/* Two updates later, so that it is no 0 of the same reading. */
	nanosleep(&(struct timespec){ .tv_nsec = 250000000 }, NULL);
	assert_true(play_until(&player, *state, "energy1_input", 1));
	mark_to(&meters);
	expect_energy(&meters, "xe/hwmon0/energy1", 0);
	close_meters(&meters);
	fclose(player.file);
}

static void a_graphics_card_without_energy_of_powertop(void **state)
{
	play_all(*state, POWERTOP "/xe_gpu_no_energy_ch.ptrecord");
	link_card(*state);
	expect_refused("hwmon", *state, "",
		       "meter \"hwmon\": sys/class/hwmon: no chip tells energy "
		       "or power");
}

/* The first line of each: RAPL's power as its authors measured it. */
static void recordings_of_codecarbon(void **unused)
{
	static const struct {
		const char *path;
		double watts, plug_watts;
	} cases[] = {
		{ CODECARBON "/AMD_Threadripper/compare_cpu_load_and_RAPL-"
			     "all_cores-AMD_Ryzen_Threadripper_1950X_16-"
			     "Core_Processor-2025-01-14.csv",
		  1.376693725703893, 115 },
		{ CODECARBON "/E5-2620/compare_cpu_load_and_RAPL-all_cores-"
			     "Intel(R)_Xeon(R)_CPU_E5-2620_v3_@_2.40GHz-2025-"
			     "01-14.csv",
		  0.5133866472185064, 0 },
		{ CODECARBON "/AMD_EPYC_8024P_8C/compare_cpu_load_and_RAPL-"
			     "all_cores-AMD_EPYC_8024P_8-Core_Processor-2025-"
			     "01-14.csv",
		  0.5890910446092622, 0 },
	};

	(void)unused;
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct meters meters = { 0 };
		char meter[4200];

		snprintf(meter, sizeof(meter),
			 "replay:file=\"%s\",time=timestamp,"
			 "watts=(\"rapl_power\",\"tapo_power\")",
			 recording(cases[at].path));
		assert_int_equal(sl_energy_create(&meters.energy, NULL, NULL),
				 SL_OK);
		assert_int_equal(sl_energy_open(meters.energy, meter, NULL),
				 SL_OK);
		mark_to(&meters);
		expect_raw(&meters, "rapl_power", cases[at].watts);
		expect_raw(&meters, "tapo_power", cases[at].plug_watts);
		close_meters(&meters);
	}
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		test(powercap_of_prometheus),
		test(powercap_of_kepler),
		test(a_tree_without_meters_of_kepler),
		test(hwmon_of_kepler),
		test(the_battery_of_prometheus),
		test(the_processors_of_prometheus_and_kepler),
		test(batteries_of_powertop),
		test(a_battery_without_power_of_powertop),
		test(a_charging_battery_of_powertop),
		test(a_graphics_card_of_powertop),
		test(an_idle_graphics_card_of_powertop),
		test(a_graphics_card_without_energy_of_powertop),
		test(recordings_of_codecarbon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
