/* SPDX-License-Identifier: MIT */
/* What nat's forwards and ports may say. */
#include "plugins/nat/forward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sluice/packet.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define FORM \
	"it must read \"TRANSPORT PORT ADDRESS:PORT\", like \"udp 2004 " \
	"10.230.30.3:5003\""

static void a_forward_names_transport_port_and_endpoint(void **unused)
{
	static const struct {
		const char *text;
		struct forward forward;
	} rows[] = {
		{ "udp 2004 10.230.30.3:5003",
		  { SL_TRANSPORT_UDP, 2004, 0, 0x0ae61e03, 5003 } },
		{ "tcp 80 10.231.30.014:8080",
		  { SL_TRANSPORT_TCP, 80, 0, 0x0ae71e0e, 8080 } },
		{ "  tcp\t65535  192.168.0.1:1  ",
		  { SL_TRANSPORT_TCP, 65535, 0, 0xc0a80001, 1 } },
		{ "udp 203.0.113.9:2004 10.230.30.3:5003",
		  { SL_TRANSPORT_UDP, 2004, 0xcb007109, 0x0ae61e03, 5003 } },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct forward forward;

		assert_null(forward_parse(rows[at].text, &forward));
		assert_int_equal(forward.transport, rows[at].forward.transport);
		assert_int_equal(forward.port, rows[at].forward.port);
		assert_int_equal(forward.external, rows[at].forward.external);
		assert_int_equal(forward.address, rows[at].forward.address);
		assert_int_equal(forward.inside_port,
				 rows[at].forward.inside_port);
	}
}

static void a_forward_that_is_none_says_why(void **unused)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", FORM },
		{ "udp", FORM },
		{ "udp 2004", FORM },
		{ "udp 2004 10.0.0.1:1 more", FORM },
		{ "sctp 2004 10.0.0.1:1", "the transport must be udp or tcp" },
		{ "UDP 2004 10.0.0.1:1", "the transport must be udp or tcp" },
		{ "udp 0 10.0.0.1:1", "the external port must be 1 to 65535" },
		{ "udp 65536 10.0.0.1:1",
		  "the external port must be 1 to 65535" },
		{ "udp -1 10.0.0.1:1", "the external port must be 1 to 65535" },
		{ "udp 4294967297 10.0.0.1:1",
		  "the external port must be 1 to 65535" },
		{ "udp 203.0.113.9:0 10.0.0.1:1",
		  "the external port must be 1 to 65535" },
		{ "udp ::1:5 10.0.0.1:1",
		  "the external address must be an IPv4 address" },
		{ "udp :5 10.0.0.1:1",
		  "the external address must be an IPv4 address" },
		{ "udp 1 10.0.0.1", "an inside ADDRESS:PORT must come last" },
		{ "udp 1 10.0.0.300:1",
		  "the inside address must be an IPv4 address" },
		{ "udp 1 ::1:1", "the inside address must be an IPv4 address" },
		{ "udp 1 :1", "the inside address must be an IPv4 address" },
		{ "udp 1 10.0.0.1:", "the inside port must be 1 to 65535" },
		{ "udp 1 10.0.0.1:0", "the inside port must be 1 to 65535" },
		{ "udp 1 10.0.0.1:1x", "the inside port must be 1 to 65535" },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		struct forward forward;

		assert_string_equal(forward_parse(rows[at].text, &forward),
				    rows[at].why);
	}
}

static void a_range_of_ports_is_two_ports_or_one(void **unused)
{
	static const struct {
		const char *text;
		uint16_t first, last;
	} rows[] = {
		{ "1024-65535", 1024, 65535 },
		{ "1-1", 1, 1 },
		{ "4000", 4000, 4000 },
	};

	(void)unused;
	for (size_t at = 0; at < COUNT(rows); at++) {
		uint16_t first, last;

		assert_null(port_range_parse(rows[at].text, &first, &last));
		assert_int_equal(first, rows[at].first);
		assert_int_equal(last, rows[at].last);
	}
}

static void a_range_that_is_none_is_refused(void **unused)
{
	static const char *const texts[] = { "",        "-",       "1024-",
					     "-1024",   "0-1024",  "1024-65536",
					     "a-b",     "1 - 2",   "1024-2048-",
					     "1024:20", "100000-1" };
	uint16_t first, last;

	(void)unused;
	for (size_t at = 0; at < COUNT(texts); at++)
		assert_string_equal(
			port_range_parse(texts[at], &first, &last),
			"it must read \"FIRST-LAST\", ports from 1 to 65535");
	assert_string_equal(port_range_parse("2048-1024", &first, &last),
			    "the first port is above the last");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forward_names_transport_port_and_endpoint),
		cmocka_unit_test(a_forward_that_is_none_says_why),
		cmocka_unit_test(a_range_of_ports_is_two_ports_or_one),
		cmocka_unit_test(a_range_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
