/* SPDX-License-Identifier: MIT */
/* Routes as text: single ones, files of them, and what is wrong with some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/route/route_text.h"
#include "plugins/route/routes.h"
#include "sluice/random.h"

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
		{ "255.255.255.255/32 eth0", 0xffffffff, 32, "eth0" },
		{ "128.0.0.0/1 eth0", 0x80000000, 1, "eth0" },
		{ "010.231.030.000/024 eth1", 0x0ae71e00, 24, "eth1" },
		{ "10.230.30.03 eth3", 0x0ae61e03, 32, "eth3" },
		{ "\t 10.0.0.0/8\t\tenp0s31f6.100 \r", 0x0a000000, 8,
		  "enp0s31f6.100" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct route_text route;
		char why[ROUTE_WHY];

		assert_null(route_text_parse(
			rows[at].text, strlen(rows[at].text), &route, why));
		assert_int_equal(route.prefix.version, 4);
		assert_int_equal(route.prefix.address.v4, rows[at].address);
		assert_int_equal(route.prefix.length, rows[at].length);
		assert_int_equal(route.nic_length, strlen(rows[at].nic));
		assert_memory_equal(route.nic, rows[at].nic, route.nic_length);
	}
}

static void a_route_may_be_of_version_6(void **unused)
{
	static const char text[] = "2001:db8:7::/48 eth6";
	static const uint8_t address[16] = {
		0x20, 0x01, 0x0d, 0xb8, 0x00, 0x07
	};
	struct route_text route;
	char why[ROUTE_WHY];

	(void)unused;
	assert_null(route_text_parse(text, sizeof(text) - 1, &route, why));
	assert_int_equal(route.prefix.version, 6);
	assert_int_equal(route.prefix.length, 48);
	assert_memory_equal(route.prefix.address.bytes, address, 16);
	assert_int_equal(route.nic_length, 4);
	assert_memory_equal(route.nic, "eth6", 4);
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
		{ "10.0.0.0/33 eth0", "the length is not 0 to 32" },
		{ "10.0.0.0/1000 eth0", "the length is not 0 to 32" },
		{ "10.0.0.0/ eth0", "the length is not 0 to 32" },
		{ "10.0.0/8 eth0", "no IP address stands before the '/'" },
		{ "10.0.0.0.0/8 eth0", "no IP address stands before the '/'" },
		{ "10.0.0.256/32 eth0", "no IP address stands before the '/'" },
		{ "10.0.0.0010 eth0", "no IP address or prefix" },
		{ "10.0.0.1/31 eth0", "host bits are set (10.0.0.0/31?)" },
		{ "0.0.0.1/0 eth0", "host bits are set (0.0.0.0/0?)" },
		{ "2001:db8::/129 eth0", "the length is not 0 to 128" },
		{ "2001:db8::1/64 eth0", "host bits are set (2001:db8::/64?)" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct route_text route;
		char why[ROUTE_WHY];

		assert_string_equal(route_text_parse(rows[at].text,
						     strlen(rows[at].text),
						     &route, why),
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
		struct route_text route;
		char why[ROUTE_WHY];
		const char *wrong = route_text_parse(
			texts[at], strlen(texts[at]), &route, why);

		assert_non_null(wrong);
		assert_true(strlen(wrong) > 5);
	}
}

static void a_nul_byte_in_a_route_does_not_hide_the_rest(void **unused)
{
	struct route_text route;
	char why[ROUTE_WHY];

	(void)unused;
	assert_non_null(route_text_parse("10.0.0.0/8\0 eth0", 16, &route, why));
	assert_string_equal(
		route_text_parse("10.0.0.0/8 eth0\0x", 17, &route, why),
		"an interface's name is printable ASCII");
}

static void add(struct routes *routes, uint32_t v4, uint8_t length,
		int32_t place)
{
	const struct sl_prefix prefix = {
		.address = sl_address_from_v4(v4),
		.version = 4,
		.length = length,
	};

	assert_true(routes_add(routes, &prefix, 1, place));
}

static void routes_sort_by_address_and_length_and_then_stay(void **unused)
{
	static const struct {
		uint32_t v4;
		uint8_t length;
		int32_t place;
	} given[] = {
		{ 0x14000000, 8, 1 },  { 0x0a000000, 9, 2 },
		{ 0x0a000000, 8, -1 }, { 0x0a000000, 8, 4 },
		{ 0x0a000100, 24, 7 }, { 0xc0000000, 2, 8 },
		{ 0x0a000000, 8, 3 },  { 0x01000000, 8, 9 },
	};
	static const int32_t places[] = { 9, -1, 4, 3, 2, 7, 1, 8 };
	struct routes routes;

	(void)unused;
	routes_init(&routes, 4);
	for (size_t at = 0; at < COUNT(given); at++)
		add(&routes, given[at].v4, given[at].length, given[at].place);
	assert_true(routes_sort(&routes));
	assert_int_equal(routes.count, COUNT(given));
	for (size_t at = 0; at < COUNT(places); at++)
		assert_int_equal(routes_tail(&routes, at)->place, places[at]);
	assert_true(routes_same_prefix(&routes, 1, 3));
	assert_false(routes_same_prefix(&routes, 3, 4)); /* another length */
	assert_int_equal(routes_prefix(&routes, 7).address.v4, 0xc0000000);
	assert_int_equal(routes_prefix(&routes, 7).length, 2);
	routes_finish(&routes);
}

static void random_routes_sort_as_their_bytes_do(void **unused)
{
	(void)unused;
	for (unsigned version = 4; version <= 6; version += 2) {
		struct routes routes;

		routes_init(&routes, version);
		for (uint64_t at = 0; at < 5000; at++) {
			struct sl_prefix prefix = {
				.version = (uint8_t)version,
				.length = (uint8_t)(sl_random_at(2, at) % 33),
			};

			prefix.address.words[0] = sl_random_at(1, at / 3);
			if (version == 4)
				prefix.address =
					sl_address_from_v4(prefix.address.v4);
			assert_true(routes_add(&routes, &prefix, 1,
					       (int32_t)at + 1));
		}
		assert_true(routes_sort(&routes));
		assert_int_equal(routes.count, 5000);
		for (size_t at = 1; at < routes.count; at++) {
			int order = memcmp(routes_address(&routes, at - 1),
					   routes_address(&routes, at),
					   routes.address_size + 1u);

			assert_true(order <= 0);
			if (order == 0)
				assert_true(
					routes_tail(&routes, at - 1)->place <
					routes_tail(&routes, at)->place);
		}
		routes_finish(&routes);
	}
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
	assert_int_equal(route_file_open(&file, path, &error), SL_OK);
	for (size_t at = 0; at < COUNT(rows); at++) {
		assert_int_equal(route_file_next(&file, &line, &length, &error),
				 SL_OK);
		assert_int_equal(file.line, rows[at].line);
		assert_int_equal(length, strlen(rows[at].text));
		assert_memory_equal(line, rows[at].text, length);
	}
	assert_int_equal(route_file_next(&file, &line, &length, &error),
			 SL_END);
	assert_int_equal(unlink(path), 0);
	route_file_finish(&file);
	assert_int_equal(file.fd, -1);
}

/* Lines that lie across what is read at once. */
static void a_long_file_has_all_its_lines(void **unused)
{
	enum { LINES = 60000 };
	struct route_file file = { .fd = -1 };
	struct sl_error error;
	char path[32] = "/tmp/routes-XXXXXX", expected[40];
	int fd = mkstemp(path);
	FILE *written = fd < 0 ? NULL : fdopen(fd, "w");
	const char *line;
	size_t length;

	(void)unused;
	assert_non_null(written);
	for (int at = 0; at < LINES; at++)
		assert_true(fprintf(written, "10.0.%d.%d eth%d\n", at / 256,
				    at % 256, at) > 0);
	assert_int_equal(fclose(written), 0);
	assert_int_equal(route_file_open(&file, path, &error), SL_OK);
	for (int at = 0; at < LINES; at++) {
		assert_int_equal(route_file_next(&file, &line, &length, &error),
				 SL_OK);
		(void)snprintf(expected, sizeof(expected), "10.0.%d.%d eth%d",
			       at / 256, at % 256, at);
		assert_int_equal(file.line, at + 1);
		assert_int_equal(length, strlen(expected));
		assert_memory_equal(line, expected, length);
	}
	assert_int_equal(route_file_next(&file, &line, &length, &error),
			 SL_END);
	assert_int_equal(unlink(path), 0);
	route_file_finish(&file);
}

static void an_empty_file_has_no_lines(void **unused)
{
	struct route_file file = { .fd = -1 };
	const char *line;
	size_t length;

	(void)unused;
	assert_int_equal(route_file_open(&file, "/dev/null", NULL), SL_OK);
	assert_int_equal(route_file_next(&file, &line, &length, NULL), SL_END);
	route_file_finish(&file);
}

static void a_file_that_cannot_be_read_says_why(void **unused)
{
	struct route_file file = { .fd = -1 };
	struct sl_error error;
	const char *line;
	size_t length;

	(void)unused;
	assert_int_equal(route_file_open(&file, "/no/such/file", &error),
			 SL_EIO);
	assert_string_equal(
		error.message,
		"cannot open \"/no/such/file\": No such file or directory");
	route_file_finish(&file);
	assert_int_equal(route_file_open(&file, "/tmp", &error), SL_OK);
	assert_int_equal(route_file_next(&file, &line, &length, &error),
			 SL_EIO);
	assert_string_equal(error.message,
			    "cannot read \"/tmp\": Is a directory");
	route_file_finish(&file);
}

static void a_line_without_end_is_given_up(void **unused)
{
	struct route_file file = { .fd = -1 };
	struct sl_error error;
	const char *line;
	size_t length;

	(void)unused;
	assert_int_equal(route_file_open(&file, "/dev/zero", &error), SL_OK);
	assert_int_equal(route_file_next(&file, &line, &length, &error),
			 SL_ENOSPC);
	assert_string_equal(error.message,
			    "\"/dev/zero\": line 1 is longer than 256 KiB");
	route_file_finish(&file);
}

static void a_file_without_end_is_given_up(void **unused)
{
	struct route_file file = { .fd = -1 };
	struct sl_error error;
	const char *line;
	size_t length;
	enum sl_code code;
	char path[32], *text = malloc(64 << 10);
	int fd;

	(void)unused;
	assert_non_null(text);
	memset(text, '\n', 64 << 10);
	write_file(path, text, 64 << 10);
	free(text);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	/* A hole is a line of zeros, so each ends before it is too long. */
	for (off_t at = 128 << 10; at < (off_t)300 << 20; at += 128 << 10)
		assert_int_equal(pwrite(fd, "\n", 1, at), 1);
	assert_int_equal(close(fd), 0);
	assert_int_equal(route_file_open(&file, path, &error), SL_OK);
	do
		code = route_file_next(&file, &line, &length, &error);
	while (code == SL_OK);
	assert_int_equal(code, SL_ENOSPC);
	assert_non_null(strstr(error.message, "is longer than 256 MiB"));
	assert_int_equal(unlink(path), 0);
	route_file_finish(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_is_a_prefix_and_an_interface),
		cmocka_unit_test(a_route_may_be_of_version_6),
		cmocka_unit_test(a_route_that_is_none_says_why),
		cmocka_unit_test(a_bad_prefix_is_explained_by_its_parser),
		cmocka_unit_test(a_nul_byte_in_a_route_does_not_hide_the_rest),
		cmocka_unit_test(
			routes_sort_by_address_and_length_and_then_stay),
		cmocka_unit_test(random_routes_sort_as_their_bytes_do),
		cmocka_unit_test(
			comments_and_blank_lines_of_a_file_are_skipped),
		cmocka_unit_test(a_long_file_has_all_its_lines),
		cmocka_unit_test(an_empty_file_has_no_lines),
		cmocka_unit_test(a_file_that_cannot_be_read_says_why),
		cmocka_unit_test(a_line_without_end_is_given_up),
		cmocka_unit_test(a_file_without_end_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
