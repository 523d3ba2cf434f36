/* SPDX-License-Identifier: MIT */
/* The meter rapl on a tree that the test changes as it goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "energy/files.h"
#include "energy/meters.h"

#define RANGE "262143328850\n"
/* Time between two marks is microseconds here: powers are allowed that let a
 * few joules flow in one update, and a wrap only in many seconds. */
#define OPTIONS "max_power=10000.0"

static void put_zone(const char *root, const char *zone, const char *name,
		     const char *energy)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/class/powercap/%s/name", zone);
	put(root, path, name);
	snprintf(path, sizeof(path),
		 "sys/class/powercap/%s/max_energy_range_uj", zone);
	put(root, path, RANGE);
	snprintf(path, sizeof(path), "sys/class/powercap/%s/energy_uj", zone);
	put(root, path, energy);
}

#define ENERGY "sys/class/powercap/intel-rapl:0/energy_uj"

static struct meters open_package(const char *root, const char *energy)
{
	struct meters meters;

	put_zone(root, "intel-rapl:0", "package-0\n", energy);
	meters = open_meter("rapl", root, OPTIONS);
	mark_from(&meters);
	return meters;
}

static void a_counter_gives_joules(void **state)
{
	struct meters meters = open_package(*state, "240422366267\n");

	put(*state, ENERGY, "240425866267\n");
	mark_to(&meters);
	expect_energy(&meters, "intel-rapl:0", 3.5);
	expect_raw(&meters, "intel-rapl:0", 240425.866267);
	close_meters(&meters);
}

static void a_wrap_is_not_lost(void **state)
{
	struct meters meters = open_package(*state, "262142328850\n");

	/* one joule to the end of the range, one count, two joules */
	put(*state, ENERGY, "2000000\n");
	mark_to(&meters);
	expect_energy(&meters, "intel-rapl:0", 3.000061);
	close_meters(&meters);
}

static void a_reset_is_no_energy(void **state)
{
	struct meters meters = open_package(*state, "100000000000\n");

	put(*state, ENERGY, "0\n");
	mark_to(&meters);
	expect_no_energy(&meters, "intel-rapl:0",
			 "the epoch changed: the counter was reset: it fell, "
			 "and no wrap explains that");
	close_meters(&meters);
}

static void a_tremble_is_no_energy_and_no_reset(void **state)
{
	struct meters meters = open_package(*state, "100000000000\n");

	put(*state, ENERGY, "99999999939\n");
	mark_to(&meters);
	expect_energy(&meters, "intel-rapl:0", 0);
	put(*state, ENERGY, "100001000000\n");
	mark_to(&meters);
	expect_energy(&meters, "intel-rapl:0", 1);
	close_meters(&meters);
}

static void what_a_file_can_become_while_it_runs(void **state)
{
	static const struct {
		const char *text; /**< NULL: it is gone */
		const char *reason;
	} cases[] = {
		{ NULL, ENERGY ": No such file or directory" },
		{ "", ENERGY ": empty" },
		{ "garbage\n", ENERGY ": \"garbage\" is no number that fits" },
		{ "-1\n", ENERGY ": \"-1\" is no number that fits" },
		{ "18446744073709551616\n",
		  ENERGY ": \"18446744073709551616\" is no number that fits" },
		{ "262143328911\n",
		  "the counter shows a value beyond its range" },
	};

	for (size_t at = 0; at < sizeof(cases) / sizeof(cases[0]); at++) {
		struct meters meters = open_package(*state, "1000000\n");

		if (cases[at].text)
			put(*state, ENERGY, cases[at].text);
		else
			take_away(*state, ENERGY);
		mark_to(&meters);
		expect_no_energy(&meters, "intel-rapl:0", cases[at].reason);
		/* It comes back, and goes on where nothing was lost. */
		put(*state, ENERGY, "3000000\n");
		mark_to(&meters);
		if (at < 5)
			expect_energy(&meters, "intel-rapl:0", 2);
		else
			assert_false(span_of(&meters, "intel-rapl:0").valid);
		close_meters(&meters);
	}
}

static void a_link_to_a_folder_is_an_error(void **state)
{
	struct meters meters = open_package(*state, "1000000\n");

	take_away(*state, ENERGY);
	put(*state, ENERGY "/inner", "1");
	mark_to(&meters);
	expect_no_energy(&meters, "intel-rapl:0", ENERGY ": Is a directory");
	close_meters(&meters);
}

static void every_domain_of_a_large_machine_has_its_place(void **state)
{
	static const struct {
		const char *zone, *name, *label, *aside;
	} cases[] = {
		{ "intel-rapl:0", "package-0-die-0\n", "package-0-die-0",
		  NULL },
		{ "intel-rapl:0:0", "core\n", "package-0-die-0 core",
		  "inside intel-rapl:0" },
		{ "intel-rapl:0:1", "uncore\n", "package-0-die-0 uncore",
		  "inside intel-rapl:0" },
		{ "intel-rapl:0:2", "dram\n", "package-0-die-0 dram", NULL },
		{ "intel-rapl:1", "package-0-die-1\n", "package-0-die-1",
		  NULL },
		{ "intel-rapl:2", "package-1-die-0\n", "package-1-die-0",
		  NULL },
		{ "intel-rapl:3", "psys\n", "psys",
		  "the platform, which holds all" },
		{ "intel-rapl:a", "package-10\n", "package-10", NULL },
		{ "intel-rapl-mmio:0", "package-0-die-0\n", "package-0-die-0",
		  "overlaps intel-rapl:0" },
		{ "intel-rapl-mmio:0:0", "dram\n", "package-0-die-0 dram",
		  "overlaps intel-rapl:0:2" },
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);
	struct meters meters;
	struct sl_energy_span sum;

	put(*state, "sys/class/powercap/intel-rapl/enabled", "1\n");
	put(*state, "sys/class/powercap/intel-rapl-mmio/enabled", "1\n");
	for (size_t at = 0; at < count; at++)
		put_zone(*state, cases[at].zone, cases[at].name, "1000000\n");
	meters = open_meter("rapl", *state, OPTIONS);
	assert_int_equal(sl_energy_domain_count(meters.energy), count);
	for (size_t at = 0; at < count; at++) {
		const struct sl_energy_domain *domain =
			sl_energy_domain(meters.energy, at);

		assert_string_equal(domain->id, cases[at].zone);
		assert_string_equal(domain->label, cases[at].label);
		assert_true(domain->usable);
		assert_int_equal(domain->in_sum, !cases[at].aside);
		if (cases[at].aside)
			assert_string_equal(domain->aside, cases[at].aside);
	}
	mark_from(&meters);
	for (size_t at = 0; at < count; at++)
		put_zone(*state, cases[at].zone, cases[at].name, "2000000\n");
	mark_to(&meters);
	assert_int_equal(sl_energy_sum(meters.energy, &meters.from, &meters.to,
				       &sum, NULL),
			 SL_OK);
	assert_true(sum.valid);
	assert_int_equal(sum.domains, 5);
	assert_near(sum.energy_j, 5, 1e-9);
	close_meters(&meters);
}

static void a_zone_without_a_range_cannot_be_used(void **state)
{
	struct meters meters;

	put_zone(*state, "intel-rapl:0", "package-0\n", "1\n");
	take_away(*state,
		  "sys/class/powercap/intel-rapl:0/max_energy_range_uj");
	put_zone(*state, "intel-rapl:1", "package-1\n", "1\n");
	put(*state, "sys/class/powercap/intel-rapl:1/max_energy_range_uj",
	    "0\n");
	meters = open_meter("rapl", *state, "");
	assert_string_equal(domain_of(&meters, "intel-rapl:0")->unusable,
			    "sys/class/powercap/intel-rapl:0/"
			    "max_energy_range_uj: No such file or directory");
	assert_string_equal(domain_of(&meters, "intel-rapl:1")->unusable,
			    "sys/class/powercap/intel-rapl:1/"
			    "max_energy_range_uj: no range");
	close_meters(&meters);
}

/* @return 0: as one who may not read the counter it is listed, with the
 * reason. Runs in a process of its own, since root may read all. */
static int try_as_nobody(const char *root)
{
	struct meters meters;
	struct sl_energy_span sum;

	if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
		return 2;
	meters = open_meter("rapl", root, "");
	if (strcmp(domain_of(&meters, "intel-rapl:0")->unusable,
		   ENERGY ": Permission denied") != 0)
		return 3;
	mark_from(&meters);
	mark_to(&meters);
	if (sl_energy_sum(meters.energy, &meters.from, &meters.to, &sum,
			  NULL) != SL_OK ||
	    sum.valid ||
	    strcmp(sum.reason, "no domain can be used; intel-rapl:0: " ENERGY
			       ": Permission denied") != 0)
		return 4;
	close_meters(&meters);
	return 0;
}

static void a_counter_for_root_alone_is_listed_with_the_reason(void **state)
{
	int status;
	pid_t child;

	put_zone(*state, "intel-rapl:0", "package-0\n", "1\n");
	assert_int_equal(chmod(*state, 0755), 0);
	assert_int_equal(chmod(path_of(*state, ENERGY), 0), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_Exit(try_as_nobody(*state));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void without_zones_there_is_no_meter(void **state)
{
	expect_refused("rapl", *state, "",
		       "meter \"rapl\": sys/class/powercap: No such file or "
		       "directory");
	put(*state, "sys/class/powercap/dtpm/enabled", "0\n");
	expect_refused("rapl", *state, "",
		       "meter \"rapl\": sys/class/powercap: no intel-rapl zone "
		       "is there");
}

static void what_options_may_be_is_said(void **state)
{
	expect_refused("rapl", *state, "rot=3",
		       "meter \"rapl\": unknown option \"rot\" (did you mean "
		       "\"root\"?)");
	expect_refused("rapl", *state, "max_power=x",
		       "meter \"rapl\": option \"max_power\": \"x\" is no "
		       "number");
	expect_refused("rapl", *state, "max_power",
		       "meter \"rapl\": \"max_power\" is no OPTION=VALUE");
}

int main(void)
{
#define test(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)
	const struct CMUnitTest tests[] = {
		test(a_counter_gives_joules),
		test(a_wrap_is_not_lost),
		test(a_reset_is_no_energy),
		test(a_tremble_is_no_energy_and_no_reset),
		test(what_a_file_can_become_while_it_runs),
		test(a_link_to_a_folder_is_an_error),
		test(every_domain_of_a_large_machine_has_its_place),
		test(a_zone_without_a_range_cannot_be_used),
		test(a_counter_for_root_alone_is_listed_with_the_reason),
		test(without_zones_there_is_no_meter),
		test(what_options_may_be_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
