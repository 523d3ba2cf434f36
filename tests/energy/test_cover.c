/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "energy/cover.h"

#define NONE SL_COVER_NO_PARENT

/* Of a table's rows, those marked must be chosen and all others told why. */
struct row {
	const char *id;
	size_t parent;
	const char *overlap;
	unsigned meter;
	enum sl_quality quality;
	enum sl_scope scope;
	bool unusable;
	const char *aside; /**< NULL: chosen */
};

static void check(const struct row *rows, size_t count)
{
	struct sl_cover_item items[16];

	assert_true(count <= 16);
	for (size_t at = 0; at < count; at++)
		items[at] = (struct sl_cover_item){
			.meter = rows[at].meter,
			.id = rows[at].id,
			.overlap = rows[at].overlap,
			.parent = rows[at].parent,
			.quality = rows[at].quality ? rows[at].quality
						    : SL_QUALITY_ON_DIE,
			.scope =
				rows[at].scope ? rows[at].scope : SL_SCOPE_PART,
			.usable = !rows[at].unusable,
		};
	sl_cover_choose(items, count);
	for (size_t at = 0; at < count; at++) {
		if (items[at].chosen != !rows[at].aside)
			print_error("%s\n", rows[at].id);
		assert_int_equal(items[at].chosen, !rows[at].aside);
		assert_string_equal(items[at].aside,
				    rows[at].aside ? rows[at].aside : "");
	}
}

#define CHECK(rows) check((rows), sizeof(rows) / sizeof((rows)[0]))

static void a_package_holds_cores_and_not_the_memory(void **unused)
{
	static const struct row rows[] = {
		{ "0", NONE, "package-0", .aside = NULL },
		{ "0:0", 0, "package-0 core", .aside = "inside 0" },
		{ "0:1", 0, "package-0 uncore", .aside = "inside 0" },
		{ "0:2", NONE, "package-0 dram", .aside = NULL },
		{ "1", NONE, "package-1", .aside = NULL },
		{ "1:0", 4, "package-1 core", .aside = "inside 1" },
		{ "2", NONE, "psys", .scope = SL_SCOPE_PLATFORM,
		  .aside = "the platform, which holds all" },
	};

	(void)unused;
	CHECK(rows);
}

static void a_twin_is_counted_once(void **unused)
{
	static const struct row rows[] = {
		{ "intel-rapl:0", NONE, "package-0", .aside = NULL },
		{ "intel-rapl-mmio:0", NONE, "package-0",
		  .aside = "overlaps intel-rapl:0" },
	};
	static const struct row original_unreadable[] = {
		{ "intel-rapl:0", NONE, "package-0", .unusable = true,
		  .aside = "it cannot be used" },
		{ "intel-rapl:0:0", 0, "package-0 core", .unusable = true,
		  .aside = "it cannot be used" },
		{ "intel-rapl-mmio:0", NONE, "package-0", .aside = NULL },
	};

	(void)unused;
	CHECK(rows);
	CHECK(original_unreadable);
}

static void what_a_package_holds_stands_in_for_it(void **unused)
{
	static const struct row rows[] = {
		{ "0", NONE, "package-0", .unusable = true,
		  .aside = "it cannot be used" },
		{ "0:0", 0, "package-0 core", .aside = NULL },
		{ "0:1", 0, "package-0 uncore", .aside = NULL },
		/* holds both of them */
		{ "mmio:0", NONE, "package-0", .aside = "overlaps 0:0" },
	};

	(void)unused;
	CHECK(rows);
}

static void sockets_and_cores_of_amd_overlap(void **unused)
{
	static const struct row rows[] = {
		{ "socket0", NONE, "package-0", .aside = NULL },
		{ "core0", 0, .aside = "inside socket0" },
		{ "core1", 0, .aside = "inside socket0" },
	};
	static const struct row socket_unreadable[] = {
		{ "socket0", NONE, "package-0", .unusable = true,
		  .aside = "it cannot be used" },
		{ "core0", 0, .aside = NULL },
		{ "core1", 0, .aside = NULL },
	};

	(void)unused;
	CHECK(rows);
	CHECK(socket_unreadable);
}

static void two_meters_of_one_socket_are_counted_once(void **unused)
{
	static const struct row rows[] = {
		{ "intel-rapl:0", NONE, "package-0", .meter = 0,
		  .aside = NULL },
		{ "Esocket0", NONE, "package-0", .meter = 1,
		  .aside = "overlaps intel-rapl:0" },
		{ "Ecore0", 1, .meter = 1, .aside = "overlaps intel-rapl:0" },
	};

	(void)unused;
	CHECK(rows);
}

static void one_channel_of_a_chip_is_counted(void **unused)
{
	static const struct row rows[] = {
		{ "power1", NONE, "hwmon0", .aside = NULL },
		{ "power2", NONE, "hwmon0", .aside = "overlaps power1" },
		{ "other", NONE, "hwmon1", .aside = NULL },
	};

	(void)unused;
	CHECK(rows);
}

static void parts_go_before_the_platform_and_meters_before_models(void **unused)
{
	static const struct row rows[] = {
		{ "cpu", NONE, .meter = 0, .quality = SL_QUALITY_MODEL,
		  .aside = "a model, and there are meters" },
		{ "BAT0", NONE, "battery BAT0", .meter = 1,
		  .scope = SL_SCOPE_PLATFORM,
		  .aside = "the platform, which holds all" },
		{ "package", NONE, "package-0", .meter = 2, .aside = NULL },
	};

	(void)unused;
	CHECK(rows);
}

static void batteries_of_one_machine_add_up(void **unused)
{
	static const struct row rows[] = {
		{ "BAT0/power", NONE, "battery BAT0", .meter = 0,
		  .scope = SL_SCOPE_PLATFORM, .aside = NULL },
		{ "BAT0/energy", NONE, "battery BAT0", .meter = 0,
		  .scope = SL_SCOPE_PLATFORM, .aside = "overlaps BAT0/power" },
		{ "BAT1/power", NONE, "battery BAT1", .meter = 0,
		  .scope = SL_SCOPE_PLATFORM, .aside = NULL },
		{ "plug", NONE, .meter = 1, .scope = SL_SCOPE_PLATFORM,
		  .aside = "overlaps BAT0/power" },
		{ "cpu", NONE, .meter = 2, .quality = SL_QUALITY_MODEL,
		  .aside = "a model, and there are meters" },
	};

	(void)unused;
	CHECK(rows);
}

static void a_model_alone_is_counted(void **unused)
{
	static const struct row rows[] = {
		{ "cpu", NONE, .quality = SL_QUALITY_MODEL, .aside = NULL },
		{ "0", NONE, "package-0", .unusable = true,
		  .aside = "it cannot be used" },
	};

	(void)unused;
	CHECK(rows);
}

static void what_the_sum_lacks_is_known(void **unused)
{
	struct sl_cover_item items[] = {
		{ .id = "0",
		  .parent = NONE,
		  .overlap = "package-0",
		  .quality = SL_QUALITY_ON_DIE,
		  .scope = SL_SCOPE_PART,
		  .usable = true },
		{ .id = "0:0",
		  .parent = 0,
		  .quality = SL_QUALITY_ON_DIE,
		  .scope = SL_SCOPE_PART },
		{ .id = "1",
		  .parent = NONE,
		  .overlap = "package-1",
		  .quality = SL_QUALITY_ON_DIE,
		  .scope = SL_SCOPE_PART },
		{ .id = "psys",
		  .parent = NONE,
		  .quality = SL_QUALITY_ON_DIE,
		  .scope = SL_SCOPE_PLATFORM },
	};

	(void)unused;
	sl_cover_choose(items, 4);
	assert_false(items[0].missing);
	assert_false(items[1].missing);
	assert_true(items[2].missing);
	assert_false(items[3].missing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_package_holds_cores_and_not_the_memory),
		cmocka_unit_test(a_twin_is_counted_once),
		cmocka_unit_test(what_a_package_holds_stands_in_for_it),
		cmocka_unit_test(sockets_and_cores_of_amd_overlap),
		cmocka_unit_test(two_meters_of_one_socket_are_counted_once),
		cmocka_unit_test(one_channel_of_a_chip_is_counted),
		cmocka_unit_test(
			parts_go_before_the_platform_and_meters_before_models),
		cmocka_unit_test(batteries_of_one_machine_add_up),
		cmocka_unit_test(a_model_alone_is_counted),
		cmocka_unit_test(what_the_sum_lacks_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
