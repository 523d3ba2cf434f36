/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "energy/files.h"
#include "energy/near.h"
#include "sluice/temperature.h"

/** What a sensor must say. */
struct row {
	const char *id, *label;
	double celsius;
	const char *reason; /**< "": it is valid */
};

static void expect(const char *root, const struct row *rows, size_t count)
{
	struct sl_temperatures list = { 0 };

	assert_int_equal(sl_temperatures_read(root, &list, NULL), SL_OK);
	assert_int_equal(list.count, count);
	for (size_t at = 0; at < count; at++) {
		assert_string_equal(list.sensors[at].id, rows[at].id);
		assert_string_equal(list.sensors[at].label, rows[at].label);
		assert_string_equal(list.sensors[at].reason, rows[at].reason);
		assert_int_equal(list.sensors[at].valid,
				 rows[at].reason[0] == '\0');
		assert_near(list.sensors[at].celsius, rows[at].celsius, 1e-9);
	}
	sl_temperatures_finish(&list);
}

static void zones_and_chips_tell_temperatures(void **state)
{
	static const struct row rows[] = {
		{ "thermal_zone0", "acpitz", 27.8, "" },
		{ "thermal_zone10", "", -12, "" },
		{ "hwmon0/temp1", "k10temp Tctl", 61.375, "" },
		{ "hwmon0/temp3", "k10temp", 0,
		  "sys/class/hwmon/hwmon0/temp3_input: \"x\" is no number that "
		  "fits" },
	};

	put(*state, "sys/class/thermal/thermal_zone10/temp", "-12000\n");
	put(*state, "sys/class/thermal/thermal_zone0/temp", "27800\n");
	put(*state, "sys/class/thermal/thermal_zone0/type", "acpitz\n");
	put(*state, "sys/class/thermal/cooling_device0/cur_state", "0\n");
	put(*state, "sys/class/hwmon/hwmon0/name", "k10temp\n");
	put(*state, "sys/class/hwmon/hwmon0/temp1_input", "61375\n");
	put(*state, "sys/class/hwmon/hwmon0/temp1_label", "Tctl\n");
	put(*state, "sys/class/hwmon/hwmon0/temp1_max", "90000\n");
	put(*state, "sys/class/hwmon/hwmon0/temp3_input", "x\n");
	expect(*state, rows, 4);
}

static void a_machine_without_sensors_has_an_empty_list(void **state)
{
	expect(*state, NULL, 0);
}

static void the_zones_of_prometheus(void **unused)
{
	static const struct row rows[] = {
		{ "thermal_zone0", "bcm2835_thermal", 49.925, "" },
		{ "thermal_zone1", "acpitz", -44, "" },
	};
	const char *corpus = getenv("SLUICE_CORPUS");

	(void)unused;
	if (!corpus || !*corpus) {
		print_message("SLUICE_CORPUS is not set\n");
		skip();
	}
	expect(path_of(corpus, "prometheus-procfs/unpacked/fixtures"), rows, 2);
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		test(zones_and_chips_tell_temperatures),
		test(a_machine_without_sensors_has_an_empty_list),
		test(the_zones_of_prometheus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
