/* SPDX-License-Identifier: MIT */
/* Routes as text: single ones, files of them, and what is wrong with some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/route/routes.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void a_route_is_a_prefix_and_an_interface(void **unused)
{
	static const struct {
		const char *text;
		uint32_t address;
		uint8_t length;
		const char *nic;
	} rows[] = {
		{ "10.231.30.0/24 eth1", 0x0ae71e00, 24, "eth1" },
		{ "0.0.0.0/0 eth0", 0, 0, "eth0" },
		{ "10.230.30.03 eth3", 0x0ae61e03, 32, "eth3" },
		{ "\t 10.0.0.0/8\t\tenp0s31f6.100 \r", 0x0a000000, 8,
		  "enp0s31f6.100" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct route_entry entry = { 0 };
		char why[ROUTE_WHY];

		assert_null(route_entry_parse(
			rows[at].text, strlen(rows[at].text), &entry, why));
		assert_int_equal(entry.address, rows[at].address);
		assert_int_equal(entry.length, rows[at].length);
		assert_int_equal(entry.nic_length, strlen(rows[at].nic));
		assert_memory_equal(entry.nic, rows[at].nic, entry.nic_length);
	}
}

static void a_route_that_is_none_says_why(void **unused)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "a route reads PREFIX NIC" },
		{ "10.0.0.0/8", "the interface is missing (PREFIX NIC)" },
		{ "10.0.0.0/8 eth0 eth1",
		  "there is more behind the interface (PREFIX NIC)" },
		{ "10.0.0.0/8 a123456789012345",
		  "an interface's name has at most 15 characters" },
		{ "10.0.0.0/8 eth\x01",
		  "an interface's name is printable ASCII" },
		{ "2001:db8::/32 eth0", "an IPv4 prefix is wanted: packets of "
					"version 6 are not routed" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct route_entry entry = { 0 };
		char why[ROUTE_WHY];

		assert_string_equal(route_entry_parse(rows[at].text,
						      strlen(rows[at].text),
						      &entry, why),
				    rows[at].why);
	}
}

static void a_bad_prefix_is_explained_by_its_parser(void **unused)
{
	static const char *const texts[] = { "10.0.0.1/8 eth0",
					     "10.0.0.0/33 eth0",
					     "10.0.0.300/32 eth0",
					     "eth0 10.0.0.0/8" };

	(void)unused;
	for (size_t at = 0; at < COUNT(texts); at++) {
		struct route_entry entry = { 0 };
		char why[ROUTE_WHY];
		const char *wrong = route_entry_parse(
			texts[at], strlen(texts[at]), &entry, why);

		assert_non_null(wrong);
		assert_true(strlen(wrong) > 5);
	}
}

static void a_nul_byte_in_a_route_does_not_hide_the_rest(void **unused)
{
	struct route_entry entry = { 0 };
	char why[ROUTE_WHY];

	(void)unused;
	assert_non_null(
		route_entry_parse("10.0.0.0/8\0 eth0", 16, &entry, why));
	assert_string_equal(
		route_entry_parse("10.0.0.0/8 eth0\0x", 17, &entry, why),
		"an interface's name is printable ASCII");
}

static void routes_sort_by_address_length_and_place(void **unused)
{
	static const struct route_entry given[] = {
		{ .address = 20, .length = 8, .line = 1 },
		{ .address = 10, .length = 9, .line = 2 },
		{ .address = 10, .length = 8, .line = 4 },
		{ .address = 10, .length = 8, .line = 3 },
		{ .address = 10, .length = 8, .line = 0 },
	};
	static const int lines[] = { 0, 3, 4, 2, 1 };
	struct route_entries entries = { 0 };

	(void)unused;
	for (size_t at = 0; at < COUNT(given); at++)
		assert_true(route_entries_add(&entries, &given[at]));
	route_entries_sort(&entries);
	assert_int_equal(entries.count, 5);
	for (size_t at = 0; at < COUNT(lines); at++)
		assert_int_equal(entries.rows[at].line, lines[at]);
	route_entries_finish(&entries);
}

static void write_file(char path[32], const char *text, size_t length)
{
	int fd;

	memcpy(path, "/tmp/routes-XXXXXX", 19);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), length);
	assert_int_equal(close(fd), 0);
}

static void comments_and_blank_lines_of_a_file_are_skipped(void **unused)
{
	static const char text[] = "# routes\r\n"
				   "\n"
				   "10.0.0.0/8 eth1\r\n"
				   "  \t \n"
				   "0.0.0.0/0 eth0 # the rest\n"
				   "#\n"
				   "  10.1.0.0/16 eth2";
	static const struct {
		int line;
		const char *text;
	} rows[] = {
		{ 3, "10.0.0.0/8 eth1" },
		{ 5, "0.0.0.0/0 eth0" },
		{ 7, "10.1.0.0/16 eth2" },
	};
	struct route_file file = { .fd = -1 };
	struct sl_error error;
	char path[32];
	const char *line;
	size_t length;

	(void)unused;
	write_file(path, text, sizeof(text) - 1);
	assert_int_equal(route_file_read(&file, path, &error), SL_OK);
	for (size_t at = 0; at < COUNT(rows); at++) {
		assert_true(route_file_next(&file, &line, &length));
		assert_int_equal(file.line, rows[at].line);
		assert_int_equal(length, strlen(rows[at].text));
		assert_memory_equal(line, rows[at].text, length);
	}
	assert_false(route_file_next(&file, &line, &length));
	assert_int_equal(unlink(path), 0);
	route_file_finish(&file);
	assert_int_equal(file.fd, -1);
}

static void an_empty_file_has_no_lines(void **unused)
{
	struct route_file file = { .fd = -1 };
	const char *line;
	size_t length;

	(void)unused;
	assert_int_equal(route_file_read(&file, "/dev/null", NULL), SL_OK);
	assert_false(route_file_next(&file, &line, &length));
	route_file_finish(&file);
}

static void a_file_that_cannot_be_read_says_why(void **unused)
{
	struct route_file file = { .fd = -1 };
	struct sl_error error;

	(void)unused;
	assert_int_equal(route_file_read(&file, "/no/such/file", &error),
			 SL_EIO);
	assert_string_equal(
		error.message,
		"cannot open \"/no/such/file\": No such file or directory");
	route_file_finish(&file);
	assert_int_equal(route_file_read(&file, "/tmp", &error), SL_EIO);
	assert_string_equal(error.message,
			    "cannot read \"/tmp\": Is a directory");
	route_file_finish(&file);
}

static void a_file_without_end_is_given_up(void **unused)
{
	struct route_file file = { .fd = -1 };
	struct sl_error error;

	(void)unused;
	assert_int_equal(route_file_read(&file, "/dev/zero", &error),
			 SL_ENOSPC);
	assert_string_equal(error.message,
			    "\"/dev/zero\" is longer than 256 MiB");
	route_file_finish(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_is_a_prefix_and_an_interface),
		cmocka_unit_test(a_route_that_is_none_says_why),
		cmocka_unit_test(a_bad_prefix_is_explained_by_its_parser),
		cmocka_unit_test(a_nul_byte_in_a_route_does_not_hide_the_rest),
		cmocka_unit_test(routes_sort_by_address_length_and_place),
		cmocka_unit_test(
			comments_and_blank_lines_of_a_file_are_skipped),
		cmocka_unit_test(an_empty_file_has_no_lines),
		cmocka_unit_test(a_file_that_cannot_be_read_says_why),
		cmocka_unit_test(a_file_without_end_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
