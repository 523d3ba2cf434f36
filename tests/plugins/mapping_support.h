/* SPDX-License-Identifier: MIT */
/* What the tests of nat's table of mappings share: tables of ten ports, packets
 * that leave and come, and what each must agree with. */
#ifndef TESTS_PLUGINS_MAPPING_SUPPORT_H
#define TESTS_PLUGINS_MAPPING_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plugins/nat/mapping.h"

enum {
	OTHER = MAPPING_OTHER,
	ICMP = MAPPING_ICMP,
	UDP = MAPPING_UDP,
	TCP = MAPPING_TCP,
	NONE = -1,
};

#define SECOND INT64_C(1000000000)
#define HOST 0x0ae61e03u /* 10.230.30.3 */

static inline struct mapping_rules rules_of(uint16_t first_port,
					    uint16_t last_port,
					    uint16_t addresses,
					    int64_t timeout_ns)
{
	struct mapping_rules rules = { .first_port = first_port,
				       .last_port = last_port,
				       .addresses = addresses,
				       .seed = 42 };

	for (unsigned protocol = 0; protocol < MAPPING_PROTOCOLS; protocol++) {
		rules.timeouts_ns[protocol][0] = timeout_ns;
		rules.timeouts_ns[protocol][1] = timeout_ns;
	}
	return rules;
}

/* Ports 1000-1009, 10 s. */
static inline int given_ten_ports(void **state)
{
	struct mapping_rules rules = rules_of(1000, 1009, 1, 10 * SECOND);

	*state = mapping_table_create(&rules);
	return *state == NULL;
}

static inline int drop(void **state)
{
	mapping_table_destroy(*state);
	return 0;
}

/* The address and port that host HOST + @p host gets for @p port; an address
 * of 0 is the first. NONE: no port is free. */
static inline int out_saying(struct mapping_table *table, unsigned protocol,
			     uint32_t host, uint16_t port, uint8_t event)
{
	mapping_endpoint inside = mapping_endpoint_of(HOST + host, port);
	struct mapping_place place = { 0, 0 }, found = { 0, 0 };
	unsigned home = mapping_home(&table->rules, HOST + host, protocol);
	enum sl_code code = mapping_outbound(
		table, home, inside, mapping_hash(&table->rules, inside), event,
		&place);

	if (code == SL_ENOSPC) {
		assert_false(mapping_find_place(table, home, inside, &found));
		return NONE;
	}
	assert_int_equal(code, SL_OK);
	assert_true(mapping_find_place(table, home, inside, &found));
	assert_int_equal(found.space, place.space);
	assert_int_equal(found.port, place.port);
	assert_int_equal(place.space % MAPPING_PROTOCOLS, protocol);
	return (int)(mapping_place_address(place) << 16 | place.port);
}

static inline int out(struct mapping_table *table, unsigned protocol,
		      uint32_t host, uint16_t port)
{
	return out_saying(table, protocol, host, port, TCP_NOTHING);
}

/* Whom @p port of an address leads to, as ADDRESS << 16 | PORT relative to
 * HOST; NONE. */
static inline int64_t in_saying(struct mapping_table *table, unsigned protocol,
				unsigned place, uint8_t event)
{
	struct mapping_place there = { (uint16_t)mapping_space_of(place >> 16,
								  protocol),
				       (uint16_t)place };
	mapping_endpoint inside, found;

	if (!mapping_inbound(table, there, event, &inside)) {
		assert_false(mapping_find_inside(table, there, &found));
		return NONE;
	}
	assert_true(mapping_find_inside(table, there, &found));
	assert_int_equal(found, inside);
	return (int64_t)(inside - ((uint64_t)HOST << 16));
}

static inline int64_t in(struct mapping_table *table, unsigned protocol,
			 unsigned place)
{
	return in_saying(table, protocol, place, TCP_NOTHING);
}

#define INSIDE(host, port) ((int64_t)(host) << 16 | (port))

static inline enum sl_code try_fix(struct mapping_table *table,
				   unsigned protocol, unsigned place,
				   uint32_t host, uint16_t inside_port)
{
	struct mapping_place there = { (uint16_t)mapping_space_of(place >> 16,
								  protocol),
				       (uint16_t)place };

	return mapping_fix(table, there,
			   mapping_endpoint_of(HOST + host, inside_port));
}

static inline void fix(struct mapping_table *table, unsigned protocol,
		       unsigned place, uint32_t host, uint16_t inside_port)
{
	assert_int_equal(try_fix(table, protocol, place, host, inside_port),
			 SL_OK);
}

#define GIVEN(setup, test) cmocka_unit_test_setup_teardown(test, setup, drop)
#define SPEC(test) GIVEN(given_ten_ports, test)

#endif
