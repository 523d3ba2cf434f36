/* SPDX-License-Identifier: MIT */
/* The meters hwmon, battery, cpu_model and replay on trees that the test
 * changes as it goes. */
#include <stdio.h>
#include <string.h>

#include "energy/files.h"
#include "energy/meters.h"

#define HWMON "sys/class/hwmon/hwmon0/"

static void a_power_that_vanishes_leaves_a_gap(void **state)
{
	struct meters meters;

	put(*state, HWMON "name", "amdgpu\n");
	put(*state, HWMON "power1_average", "118000000\n");
	meters = open_meter("hwmon", *state, "");
	mark_from(&meters);
	mark_to(&meters);
	expect_raw(&meters, "amdgpu/hwmon0/power1", 118);
	assert_near(span_of(&meters, "amdgpu/hwmon0/power1").watts, 118, 0.1);
	take_away(*state, HWMON "power1_average");
	mark_to(&meters);
	expect_no_energy(&meters, "amdgpu/hwmon0/power1",
			 HWMON "power1_average: No such file or directory");
	put(*state, HWMON "power1_average", "100000000\n");
	mark_to(&meters);
	expect_no_energy(&meters, "amdgpu/hwmon0/power1",
			 "the epoch changed: " HWMON
			 "power1_average: No such file or directory");
	close_meters(&meters);
}

static void a_current_that_flows_back_is_no_energy(void **state)
{
	struct meters meters;

	put(*state, HWMON "name", "ina226\n");
	put(*state, HWMON "in1_input", "12000\n");
	put(*state, HWMON "curr1_input", "5000\n");
	meters = open_meter("hwmon", *state, "");
	mark_from(&meters);
	put(*state, HWMON "curr1_input", "-5000\n");
	mark_to(&meters);
	expect_no_energy(&meters, "ina226/hwmon0/rail1",
			 "it says what cannot be");
	close_meters(&meters);
}

static void currents_are_paired_as_the_chip_pairs_them(void **state)
{
	struct meters meters;

	put(*state, HWMON "name", "ltc2992\n");
	put(*state, HWMON "in0_input", "12000\n");
	put(*state, HWMON "in1_input", "7\n");
	put(*state, HWMON "in2_input", "5000\n");
	put(*state, HWMON "curr1_input", "1000\n");
	put(*state, HWMON "curr2_input", "3000\n");
	put(*state, "sys/class/hwmon/hwmon1/name", "nct6775\n");
	put(*state, "sys/class/hwmon/hwmon1/in1_input", "12000\n");
	put(*state, "sys/class/hwmon/hwmon1/curr1_input", "12000\n");
	meters = open_meter("hwmon", *state, "rails=separate");
	mark_to(&meters);
	assert_int_equal(sl_energy_domain_count(meters.energy), 3);
	expect_raw(&meters, "ltc2992/hwmon0/rail0", 12);
	expect_raw(&meters, "ltc2992/hwmon0/rail2", 15);
	assert_true(domain_of(&meters, "ltc2992/hwmon0/rail2")->in_sum);
	assert_string_equal(
		domain_of(&meters, "nct6775/hwmon1/rail1")->unusable,
		"which current belongs to this voltage is not known of the "
		"chip \"nct6775\"");
	close_meters(&meters);
}

static void put_amd(const char *root, int number, const char *label)
{
	char path[128];

	put(root, HWMON "name", "amd_energy\n");
	snprintf(path, sizeof(path), HWMON "energy%d_label", number);
	put(root, path, label);
	snprintf(path, sizeof(path), HWMON "energy%d_input", number);
	put(root, path, "12345678\n");
}

static void cores_of_amd_lie_in_their_socket(void **state)
{
	struct meters meters;

	put_amd(*state, 1, "Ecore000\n");
	put_amd(*state, 2, "Ecore001\n");
	put_amd(*state, 3, "Esocket0\n");
	meters = open_meter("hwmon", *state, "");
	assert_true(domain_of(&meters, "amd_energy/hwmon0/energy3")->in_sum);
	assert_string_equal(
		domain_of(&meters, "amd_energy/hwmon0/energy1")->aside,
		"inside amd_energy/hwmon0/energy3");
	close_meters(&meters);
	put_amd(*state, 4, "Esocket1\n");
	meters = open_meter("hwmon", *state, "");
	assert_true(domain_of(&meters, "amd_energy/hwmon0/energy4")->in_sum);
	assert_string_equal(
		domain_of(&meters, "amd_energy/hwmon0/energy1")->unusable,
		"which socket a core belongs to is not told; read the "
		"sockets");
	close_meters(&meters);
}

static void a_chip_says_how_often_it_renews(void **state)
{
	struct meters meters;

	put(*state, HWMON "name", "power_meter\n");
	put(*state, HWMON "power1_average", "350000000\n");
	put(*state, HWMON "update_interval", "1500\n");
	meters = open_meter("hwmon", *state, "");
	assert_near(domain_of(&meters, "power_meter/hwmon0/power1")->update_s,
		    1.5, 0);
	assert_int_equal(domain_of(&meters, "power_meter/hwmon0/power1")->scope,
			 SL_SCOPE_PLATFORM);
	close_meters(&meters);
}

static void without_chips_there_is_no_meter(void **state)
{
	expect_refused("hwmon", *state, "",
		       "meter \"hwmon\": sys/class/hwmon: No such file or "
		       "directory");
	put(*state, HWMON "temp1_input", "40000\n");
	expect_refused("hwmon", *state, "",
		       "meter \"hwmon\": sys/class/hwmon: no chip tells energy "
		       "or power");
}

#define BAT "sys/class/power_supply/BAT0/"

static void a_battery_that_starts_charging_gives_no_figure(void **state)
{
	static const char charging[] =
		"BAT0 is not discharging (Charging): it does not tell what the "
		"machine uses";
	struct meters meters;

	put(*state, BAT "type", "Battery\n");
	put(*state, BAT "status", "Discharging\n");
	put(*state, BAT "energy_now", "49450000\n");
	put(*state, BAT "power_now", "4830000\n");
	meters = open_meter("battery", *state, "");
	assert_true(domain_of(&meters, "BAT0/power")->in_sum);
	assert_string_equal(domain_of(&meters, "BAT0/energy")->aside,
			    "overlaps BAT0/power");
	mark_from(&meters);
	put(*state, BAT "energy_now", "49440000\n");
	mark_to(&meters);
	expect_energy(&meters, "BAT0/energy", 36);
	assert_near(span_of(&meters, "BAT0/power").watts, 4.83, 0.01);
	put(*state, BAT "status", "Charging\n");
	put(*state, BAT "energy_now", "49460000\n");
	mark_to(&meters);
	expect_no_energy(&meters, "BAT0/energy", charging);
	expect_no_energy(&meters, "BAT0/power", charging);
	put(*state, BAT "status", "Discharging\n");
	put(*state, BAT "energy_now", "49430000\n");
	mark_to(&meters);
	assert_false(span_of(&meters, "BAT0/energy").valid);
	close_meters(&meters);
}

static void a_charge_is_worth_its_voltage(void **state)
{
	struct meters meters;

	put(*state, BAT "type", "Battery\n");
	put(*state, BAT "status", "Discharging\n");
	put(*state, BAT "charge_now", "4000000\n");
	put(*state, BAT "voltage_now", "12500000\n");
	put(*state, BAT "current_now", "-2000000\n");
	meters = open_meter("battery", *state, "use=energy");
	assert_true(domain_of(&meters, "BAT0/energy")->in_sum);
	mark_from(&meters);
	put(*state, BAT "charge_now", "3990000\n");
	put(*state, BAT "voltage_now", "12100000\n");
	mark_to(&meters);
	expect_energy(&meters, "BAT0/energy", 442.8); /* 10 mAh, 12.3 V */
	expect_raw(&meters, "BAT0/power", 24.2);
	close_meters(&meters);
}

static void a_battery_is_not_empty_at_once(void **state)
{
	struct meters meters;

	put(*state, BAT "type", "Battery\n");
	put(*state, BAT "status", "Discharging\n");
	put(*state, BAT "energy_now", "49450000\n");
	put(*state, BAT "power_now", "1000000000\n");
	meters = open_meter("battery", *state, "");
	mark_from(&meters);
	put(*state, BAT "energy_now", "0\n");
	put(*state, BAT "power_now", "1000000001\n");
	mark_to(&meters);
	expect_no_energy(&meters, "BAT0/energy",
			 "the epoch changed: the counter jumped by more than "
			 "can flow in the time");
	expect_no_energy(&meters, "BAT0/power", "it says what cannot be");
	close_meters(&meters);
}

static void only_batteries_of_the_machine_count(void **state)
{
	put(*state, "sys/class/power_supply/AC/type", "Mains\n");
	put(*state, "sys/class/power_supply/mouse/type", "Battery\n");
	put(*state, "sys/class/power_supply/mouse/scope", "Device\n");
	put(*state, "sys/class/power_supply/mouse/energy_now", "1\n");
	expect_refused("battery", *state, "",
		       "meter \"battery\": sys/class/power_supply: no battery "
		       "of this machine is there");
}

#define STAT "proc/stat"

static void a_load_becomes_watts(void **state)
{
	struct meters meters;

	put(*state, STAT, "cpu  9 0 0 9\ncpu0 100 0 0 900 0 0 0 0 0 0\n");
	meters = open_meter("cpu_model", *state,
			    "idle=10.0,busy=50.0,exponent=2.0");
	assert_int_equal(domain_of(&meters, "cpu")->quality, SL_QUALITY_MODEL);
	assert_near(domain_of(&meters, "cpu")->relative, 0.3, 0);
	mark_from(&meters);
	/* half of 20 ticks */
	put(*state, STAT, "cpu0 110 0 0 910 0 0 0 0 0 0\n");
	mark_to(&meters);
	expect_raw(&meters, "cpu", 20);
	assert_true(span_of(&meters, "cpu").estimate);
	assert_near(span_of(&meters, "cpu").watts, 20, 0.1);
	close_meters(&meters);
}

static void too_few_ticks_are_no_news(void **state)
{
	struct meters meters;

	put(*state, STAT, "cpu0 100 0 0 900\n");
	meters = open_meter("cpu_model", *state, "idle=10.0,busy=50.0");
	mark_from(&meters);
	put(*state, STAT, "cpu0 109 0 0 900\n");
	mark_to(&meters);
	assert_int_equal(meters.to.readings[0].before_ns,
			 meters.from.readings[0].before_ns);
	expect_no_energy(&meters, "cpu", "no time passed between the readings");
	close_meters(&meters);
}

static void a_calibration_replaces_the_options(void **state)
{
	char options[4200];
	struct meters meters;

	put(*state, STAT, "cpu0 100 0 0 900\n");
	put(*state, "cal",
	    "# by hand\nidle = 2.5\n busy=12.5\r\n\n"
	    "exponent = 0.5\nrelative = 0.12\n");
	snprintf(options, sizeof(options), "busy=99.0,calibration=\"%s\"",
		 path_of(*state, "cal"));
	meters = open_meter("cpu_model", *state, options);
	assert_near(domain_of(&meters, "cpu")->relative, 0.12, 0);
	mark_from(&meters);
	put(*state, STAT, "cpu0 125 0 0 975\n");
	mark_to(&meters);
	expect_raw(&meters, "cpu", 7.5);
	close_meters(&meters);
}

/* Of a machine that did nothing more is not known than that. */
static void no_tick_is_no_certain_zero(void **state)
{
	struct sl_energy_span span;
	struct meters meters;

	put(*state, STAT, "cpu0 100 0 0 900\ncpu1 100 0 0 900\n");
	meters = open_meter("cpu_model", *state, "idle=0.0,busy=20.0");
	mark_from(&meters);
	put(*state, STAT, "cpu0 100 0 0 1000\ncpu1 100 0 0 1000\n");
	mark_to(&meters);
	span = span_of(&meters, "cpu");
	assert_near(span.energy_j, 0, 0);
	assert_true(span.half_j > 0);
	close_meters(&meters);
}

static void a_model_without_powers_is_refused(void **state)
{
	static const struct {
		const char *calibration, *message;
	} cases[] = {
		{ "idle = 3\n", "no power is known: it gives no busy" },
		{ "idle = 3\nbusy = 2\n",
		  "busy (2 W) is less than idle (3 W)" },
		{ "busy = 2\nexponent = 11\n",
		  "an exponent is from 0.1 to 10, an uncertainty from 0.01 to "
		  "1" },
	};
	char options[4200], message[4300];

	put(*state, STAT, "cpu0 100 0 0 900\n");
	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		put(*state, "cal", cases[at].calibration);
		snprintf(options, sizeof(options), "calibration=\"%s\"",
			 path_of(*state, "cal"));
		snprintf(message, sizeof(message),
			 "meter \"cpu_model\": %s: %s", path_of(*state, "cal"),
			 cases[at].message);
		expect_refused("cpu_model", *state, options, message);
	}
	expect_refused("cpu_model", *state, "idle=3.0,busy=2.0",
		       "meter \"cpu_model\": busy (2 W) is less than idle "
		       "(3 W)");
	expect_refused("cpu_model", *state, "",
		       "meter \"cpu_model\": no power is known: give idle and "
		       "busy, or a calibration file");
	take_away(*state, STAT);
	expect_refused("cpu_model", *state, "busy=3.0",
		       "meter \"cpu_model\": proc/stat: No such file or "
		       "directory");
}

/* replay takes a file, not a root: ROOT is what surrounds the option. */
static struct meters replay(const char *root, const char *text,
			    const char *options)
{
	struct meters meters = { 0 };
	struct sl_error error = { .message = "" };
	char meter[4200];

	put(root, "r.csv", text);
	snprintf(meter, sizeof(meter), "replay:file=\"%s\"%s%s",
		 path_of(root, "r.csv"), *options ? "," : "", options);
	assert_int_equal(sl_energy_create(&meters.energy, NULL, NULL), SL_OK);
	if (sl_energy_open(meters.energy, meter, &error) != SL_OK)
		fail_msg("%s", error.message);
	return meters;
}

static void a_recording_is_played(void **state)
{
	struct meters meters =
		replay(*state,
		       "time_s,pkg_joules,gpu_watts,note\n0,5,30.5,x\n"
		       "3600,7,31,y\n",
		       "");

	assert_int_equal(sl_energy_domain_count(meters.energy), 2);
	mark_to(&meters);
	expect_raw(&meters, "pkg_joules", 5);
	expect_raw(&meters, "gpu_watts", 30.5);
	assert_near(domain_of(&meters, "gpu_watts")->update_s, 3600, 0);
	close_meters(&meters);
}

static void a_recording_has_an_end(void **state)
{
	struct meters meters = replay(*state, "t,w\n0,1\n0.000000001,2\n",
				      "time=t,watts=(\"w\"),speed=1000.0");

	mark_from(&meters);
	mark_to(&meters);
	expect_no_energy(&meters, "w",
			 "the recording ended at 1e-09 s of its time");
	close_meters(&meters);
}

static void a_cell_that_is_empty_is_no_zero(void **state)
{
	struct meters meters =
		replay(*state, "time_s,watts\n0,\n10000,5\n", "");

	mark_from(&meters);
	mark_to(&meters);
	expect_no_energy(&meters, "watts", "nothing was recorded at 0 s");
	close_meters(&meters);
}

static void two_meters_of_one_kind_can_be_open(void **state)
{
	struct meters meters = replay(
		*state, "time_s,a_joules,b_joules\n0,5,6\n9000,7,8\n", "");
	struct sl_error error;

	put(*state, STAT, "cpu0 100 0 0 900\n");
	assert_int_equal(sl_energy_open(meters.energy, "nosuch", &error),
			 SL_EPLUGIN);
	assert_int_equal(sl_energy_open(meters.energy, "", &error), SL_EINVAL);
	assert_int_equal(sl_energy_domain_count(meters.energy), 2);
	put(*state, "s.csv", "time_s,watts\n0,4\n");
	{
		char meter[4200];

		snprintf(meter, sizeof(meter), "replay:file=%s,scope=platform",
			 path_of(*state, "s.csv"));
		assert_int_equal(sl_energy_open(meters.energy, meter, &error),
				 SL_OK);
	}
	assert_int_equal(sl_energy_domain_count(meters.energy), 3);
	assert_true(domain_of(&meters, "a_joules")->in_sum);
	assert_true(domain_of(&meters, "b_joules")->in_sum);
	assert_false(domain_of(&meters, "watts")->in_sum);
	close_meters(&meters);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		test(a_power_that_vanishes_leaves_a_gap),
		test(a_current_that_flows_back_is_no_energy),
		test(currents_are_paired_as_the_chip_pairs_them),
		test(cores_of_amd_lie_in_their_socket),
		test(a_chip_says_how_often_it_renews),
		test(without_chips_there_is_no_meter),
		test(a_battery_that_starts_charging_gives_no_figure),
		test(a_charge_is_worth_its_voltage),
		test(a_battery_is_not_empty_at_once),
		test(only_batteries_of_the_machine_count),
		test(a_load_becomes_watts),
		test(too_few_ticks_are_no_news),
		test(a_calibration_replaces_the_options),
		test(no_tick_is_no_certain_zero),
		test(a_model_without_powers_is_refused),
		test(a_recording_is_played),
		test(a_recording_has_an_end),
		test(a_cell_that_is_empty_is_no_zero),
		test(two_meters_of_one_kind_can_be_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
