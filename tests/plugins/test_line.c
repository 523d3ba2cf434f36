/* SPDX-License-Identifier: MIT */
/* trace_text's way to read many lines at once: what it reads, and what it
 * leaves to the way that reads one. */
#include "plugins/trace_text/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/names.h"
#include "plugins/trace_text/words.h"
#include "sluice/chunk.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define ROOM 8

static const struct fields default_order = {
	{ FIELD_NIC, FIELD_DST, FIELD_SRC, FIELD_DPORT, FIELD_SPORT,
	  FIELD_PROTOCOL },
	6,
};

struct bench {
	struct sl_names *nics, *applications;
	struct word_cache nic_cache, application_cache;
	struct line_forms forms;
	struct line_reader reader;
	line_batch *batch;
	uint8_t bytes[SL_CHUNK_SLACK + 1024 + SL_CHUNK_SLACK];
	struct sl_packet packets[ROOM];
};

/* Read a line the other way, so that its names are known. */
static void meet(struct bench *bench, const char *line)
{
	uint8_t *text = bench->bytes + SL_CHUNK_SLACK;
	struct sl_packet packet;
	const uint8_t *end;
	struct sl_error error;

	memset(&packet, 0, sizeof(packet));
	memcpy(text, line, strlen(line));
	assert_int_equal(line_parse(&bench->reader, text, text + strlen(line),
				    &end, &packet, &error),
			 LINE_GOOD);
}

static int make_bench(void **state)
{
	static const char *const names[] = { "eth0", "e", "longest" };
	struct bench *bench = aligned_alloc(
		SL_CACHE_LINE, (sizeof(*bench) + SL_CACHE_LINE - 1) /
				       SL_CACHE_LINE * SL_CACHE_LINE);
	uint16_t id;

	assert_non_null(bench);
	memset(bench, 0, sizeof(*bench));
	bench->nics = sl_names_create();
	bench->applications = sl_names_create();
	assert_int_equal(words_intern(bench->applications, NULL), SL_OK);
	for (size_t at = 0; at < COUNT(names); at++)
		assert_int_equal(sl_names_intern(bench->nics, names[at],
						 strlen(names[at]), &id, NULL),
				 SL_OK);
	line_forms_init(&bench->forms);
	bench->reader.fields = &default_order;
	bench->reader.nics = bench->nics;
	bench->reader.applications = bench->applications;
	bench->reader.nic_cache = &bench->nic_cache;
	bench->reader.application_cache = &bench->application_cache;
	bench->reader.forms = &bench->forms;
	bench->reader.default_order = true;
	bench->batch = line_batch_choose();
	meet(bench, "eth0 1.1.1.1 1.1.1.1 1 1 ftp\n");
	meet(bench, "e 1.1.1.1 1.1.1.1 1 1 rtp\n");
	meet(bench, "longest 1.1.1.1 1.1.1.1 1 1 syslog\n");
	*state = bench;
	return 0;
}

static int free_bench(void **state)
{
	struct bench *bench = *state;

	sl_names_destroy(bench->nics);
	sl_names_destroy(bench->applications);
	free(bench);
	return 0;
}

/* @return how many of the lines in @p text were read before the first that was
 * not; *behind is how many bytes they have. */
static uint32_t read_text(struct bench *bench, const char *text, size_t length,
			  uint32_t room, size_t *behind)
{
	uint8_t *start = bench->bytes + SL_CHUNK_SLACK;
	const uint8_t *at = start;
	uint32_t count;

	assert_true(length <= 1024);
	memset(bench->bytes, '7', sizeof(bench->bytes));
	memset(bench->packets, 0xa5, sizeof(bench->packets));
	memcpy(start, text, length);
	count = bench->batch(&bench->reader, &at, start + length,
			     bench->packets, room);
	*behind = (size_t)(at - start);
	return count;
}

static void need_batch(const struct bench *bench)
{
	if (!bench->batch)
		skip();
}

static void many_lines_become_packets(void **state)
{
	static const char text[] = "eth0 1.2.3.4 255.255.255.255 65535 0 ftp\n"
				   "e 0.0.0.0 10.230.30.3 5003 4003 rtp\n"
				   "longest 01.02.003.0 9.8.7.6 00080 1 syslog"
				   "\n";
	struct bench *bench = *state;
	const struct sl_packet *packets = bench->packets;
	struct sl_packet wanted;
	size_t behind;

	need_batch(bench);
	assert_int_equal(
		read_text(bench, text, sizeof(text) - 1, ROOM, &behind), 3);
	assert_int_equal(behind, sizeof(text) - 1);

	memset(&wanted, 0, sizeof(wanted));
	wanted.ip_version = 4;
	wanted.dst.v4 = 0x01020304;
	wanted.src.v4 = 0xffffffff;
	wanted.dport = 65535;
	wanted.sport = 0;
	wanted.nic_in = sl_names_find(bench->nics, "eth0", 4);
	wanted.application = sl_names_find(bench->applications, "ftp", 3);
	wanted.transport = SL_TRANSPORT_TCP;
	assert_memory_equal(&packets[0], &wanted, sizeof(wanted));

	wanted.dst.v4 = 0;
	wanted.src.v4 = 0x0ae61e03;
	wanted.dport = 5003;
	wanted.sport = 4003;
	wanted.nic_in = sl_names_find(bench->nics, "e", 1);
	wanted.application = sl_names_find(bench->applications, "rtp", 3);
	wanted.transport = SL_TRANSPORT_UDP;
	assert_memory_equal(&packets[1], &wanted, sizeof(wanted));

	wanted.dst.v4 = 0x01020300;
	wanted.src.v4 = 0x09080706;
	wanted.dport = 80;
	wanted.sport = 1;
	wanted.nic_in = sl_names_find(bench->nics, "longest", 7);
	wanted.application = sl_names_find(bench->applications, "syslog", 6);
	assert_memory_equal(&packets[2], &wanted, sizeof(wanted));
}

static void it_stops_where_there_is_no_more_room(void **state)
{
	static const char text[] = "e 1.2.3.4 5.6.7.8 1 2 rtp\n"
				   "e 1.2.3.4 5.6.7.8 1 2 rtp\n";
	struct bench *bench = *state;
	size_t behind;

	need_batch(bench);
	assert_int_equal(read_text(bench, text, sizeof(text) - 1, 1, &behind),
			 1);
	assert_int_equal(behind, 26);
	assert_int_equal(read_text(bench, text, sizeof(text) - 1, 0, &behind),
			 0);
	assert_int_equal(behind, 0);
}

static void every_form_of_an_address_is_read(void **state)
{
	static const char *const octets[] = { "7", "42", "203" };
	static const uint32_t values[] = { 7, 42, 203 };
	struct bench *bench = *state;

	need_batch(bench);
	for (unsigned form = 0; form < 81; form++) {
		unsigned a = form / 27, b = form / 9 % 3, c = form / 3 % 3,
			 d = form % 3;
		char text[128];
		size_t behind;

		snprintf(text, sizeof(text),
			 "eth0 %s.%s.%s.%s %s.%s.%s.%s 1 2 ftp\n", octets[a],
			 octets[b], octets[c], octets[d], octets[d], octets[a],
			 octets[b], octets[c]);
		assert_int_equal(
			read_text(bench, text, strlen(text), ROOM, &behind), 1);
		assert_int_equal(bench->packets[0].dst.v4,
				 values[a] << 24 | values[b] << 16 |
					 values[c] << 8 | values[d]);
		assert_int_equal(bench->packets[0].src.v4,
				 values[d] << 24 | values[a] << 16 |
					 values[b] << 8 | values[c]);
	}
}

static void ports_of_every_length_are_read(void **state)
{
	static const char *const ports[] = { "9",      "80",    "443",
					     "8080",   "65535", "065535",
					     "0065535" };
	static const uint16_t values[] = {
		9, 80, 443, 8080, 65535, 65535, 65535
	};
	struct bench *bench = *state;

	need_batch(bench);
	for (size_t at = 0; at < COUNT(ports) * COUNT(ports); at++) {
		size_t d = at / COUNT(ports), s = at % COUNT(ports);
		char text[128];
		size_t behind;

		snprintf(text, sizeof(text), "e 1.2.3.4 5.6.7.8 %s %s rtp\n",
			 ports[d], ports[s]);
		assert_int_equal(
			read_text(bench, text, strlen(text), ROOM, &behind), 1);
		assert_int_equal(bench->packets[0].dport, values[d]);
		assert_int_equal(bench->packets[0].sport, values[s]);
	}
}

static void the_longest_line_has_64_bytes(void **state)
{
	static const char text[] =
		"longest 255.255.255.255 255.255.255.255 0065535 0065535 "
		"syslog7\n";
	struct bench *bench = *state;
	size_t behind;
	uint16_t id;

	need_batch(bench);
	assert_int_equal(
		sl_names_intern(bench->applications, "syslog7", 7, &id, NULL),
		SL_OK);
	meet(bench, "e 1.1.1.1 1.1.1.1 1 1 syslog7\n");
	assert_int_equal(
		read_text(bench, text, sizeof(text) - 1, ROOM, &behind), 1);
	assert_int_equal(behind, 64);
}

static void what_is_unusual_is_left(void **state)
{
#define LINE(text) \
	{ \
		text, sizeof(text) - 1 \
	}
	static const struct {
		const char *text;
		size_t length;
	} rows[] = {
		LINE("\n"),
		LINE("eth0\n"),
		LINE(" eth0 1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0  1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2  ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 ftp \n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 ftp\r\n"),
		LINE("eth0\t1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1\t2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 \n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 ftp x\n"),
		LINE("eth0 1.2.3.4 5.6.7.8  2 ftp\n"),
		LINE("eth0 1.2.3.4  1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 gopher\n"),
		LINE("eth0\0 1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 ftp\0\n"),
		LINE("eth9 1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth 1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth00 1.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 256.2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.256 1 2 ftp\n"),
		LINE("eth0 1.999.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.0004 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3. 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 .2.3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1..3.4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4.5 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8.9 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8. 1 2 ftp\n"),
		LINE("eth0 1.2.3.x 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7./ 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.: 1 2 ftp\n"),
		LINE("eth0 1.2.3.\xb4 5.6.7.8 1 2 ftp\n"),
		LINE("eth0 ::1 ::2 1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 65536 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 99999 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 9999999 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 00000001 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 -1 2 ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2a ftp\n"),
		LINE("eth0 1.2.3.4 5.6.7.8 1 2 "
		     "protocols-may-be-long-but-this-one-ends-behind-64\n"),
	};
#undef LINE
	struct bench *bench = *state;

	need_batch(bench);
	for (size_t at = 0; at < COUNT(rows); at++) {
		size_t behind;

		if (read_text(bench, rows[at].text, rows[at].length, ROOM,
			      &behind) ||
		    behind)
			fail_msg("row %zu was read: %s", at, rows[at].text);
	}
}

/* A CR ends the line or belongs to a name, as what follows says. */
static void a_name_that_ends_in_cr_is_not_taken_for_another(void **state)
{
	static const char text[] = "e 1.1.1.1 1.1.1.1 1 1 rtp\r\n";
	struct bench *bench = *state;
	size_t behind;
	uint16_t id;

	need_batch(bench);
	assert_int_equal(
		sl_names_intern(bench->applications, "rtp\r", 4, &id, NULL),
		SL_OK);
	meet(bench, "e 1.1.1.1 1.1.1.1 1 1 rtp\r\r\n");
	assert_int_equal(
		read_text(bench, text, sizeof(text) - 1, ROOM, &behind), 0);
}

static void what_comes_before_an_unusual_line_is_read(void **state)
{
	static const char text[] = "e 1.2.3.4 5.6.7.8 1 2 rtp\n"
				   "e 1.2.3.4 5.6.7.9 1 2 rtp\n"
				   "# a comment\n"
				   "e 1.2.3.4 5.6.7.8 1 2 rtp\n";
	struct bench *bench = *state;
	size_t behind;

	need_batch(bench);
	assert_int_equal(
		read_text(bench, text, sizeof(text) - 1, ROOM, &behind), 2);
	assert_int_equal(behind, 52);
	assert_int_equal(bench->packets[1].src.v4, 0x05060709);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, free_bench)
	const struct CMUnitTest tests[] = {
		TEST(many_lines_become_packets),
		TEST(it_stops_where_there_is_no_more_room),
		TEST(every_form_of_an_address_is_read),
		TEST(ports_of_every_length_are_read),
		TEST(the_longest_line_has_64_bytes),
		TEST(what_is_unusual_is_left),
		TEST(a_name_that_ends_in_cr_is_not_taken_for_another),
		TEST(what_comes_before_an_unusual_line_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
