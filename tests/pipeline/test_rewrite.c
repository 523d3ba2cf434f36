/* SPDX-License-Identifier: MIT */
/* A rewritten endpoint leaves a frame whose checksums are those of a sum over
 * the whole, and the special cases of UDP as they must be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sluice/chunk.h"

static const uint32_t OUTSIDE = 0xcb007101; /* 203.0.113.1 */

static uint8_t frame[64];
static struct sl_packet packet;
static struct sl_packet_info info;

static void given(const char *hex, uint8_t transport)
{
	size_t length = strlen(hex) / 2;

	for (size_t at = 0; at < length; at++) {
		const char digits[3] = { hex[2 * at], hex[2 * at + 1], 0 };

		frame[at] = (uint8_t)strtoul(digits, NULL, 16);
	}
	memset(&packet, 0, sizeof(packet));
	memset(&info, 0, sizeof(info));
	info.frame = frame;
	info.captured = info.original = (uint32_t)length;
	info.l4 = (uint16_t)(4 * (frame[0] & 15));
	packet.ip_version = 4;
	packet.transport = transport;
	packet.src.v4 = 0x0a000002;
	packet.sport = 5000;
	packet.dst.v4 = 0xc6336407;
	packet.dport = 53;
}

static void rewrite_source(uint16_t port)
{
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);

	sl_frame_set_endpoint(&packet, &info, &outside, port, true);
}

static uint32_t sum_of(const uint8_t *bytes, size_t length)
{
	uint32_t sum = 0;

	for (size_t at = 0; at < length; at++)
		sum += (uint32_t)bytes[at] << (at % 2 ? 0 : 8);
	return sum;
}

/* @return what is left when everything is summed up: ffff if it is right. */
static uint32_t folded(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static uint32_t transport_sum(void)
{
	size_t length = info.captured - info.l4;

	return folded(sum_of(frame + 12, 8) + packet.transport +
		      (uint32_t)length + sum_of(frame + info.l4, length));
}

static void the_header_and_udp_checksums_stay_right(void **state)
{
	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a567e6162",
	      SL_TRANSPORT_UDP);
	assert_int_equal(transport_sum(), 0xffff);
	rewrite_source(1024);
	assert_memory_equal(frame + 12, "\xcb\x00\x71\x01", 4);
	assert_memory_equal(frame + 20, "\x04\x00\x00\x35", 4);
	assert_int_equal(folded(sum_of(frame, 20)), 0xffff);
	assert_int_equal(transport_sum(), 0xffff);
}

static void a_udp_checksum_of_zero_says_there_is_none_and_stays(void **state)
{
	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a00006162",
	      SL_TRANSPORT_UDP);
	rewrite_source(1024);
	assert_memory_equal(frame + 26, "\0\0", 2);
	assert_int_equal(folded(sum_of(frame, 20)), 0xffff);
}

static void a_udp_checksum_that_becomes_zero_is_sent_as_ffff(void **state)
{
	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a22789568",
	      SL_TRANSPORT_UDP);
	rewrite_source(1024);
	assert_memory_equal(frame + 26, "\xff\xff", 2);
}

static void options_in_the_header_are_stepped_over(void **state)
{
	(void)state;
	given("46000022000100004011438d0a000002c63364070101010013880035000a"
	      "567e6162",
	      SL_TRANSPORT_UDP);
	rewrite_source(1024);
	assert_memory_equal(frame + 24, "\x04\x00\x00\x35", 4);
	assert_int_equal(folded(sum_of(frame, 24)), 0xffff);
}

static void a_wrong_checksum_stays_wrong_by_the_same_amount(void **state)
{
	uint32_t before;

	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a567f6162",
	      SL_TRANSPORT_UDP);
	before = transport_sum();
	assert_int_not_equal(before, 0xffff);
	rewrite_source(1024);
	assert_int_equal(transport_sum(), before);
}

static void
a_frame_cut_in_the_transport_header_is_rewritten_as_far_as_it_goes(void **state)
{
	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a00006162",
	      SL_TRANSPORT_UDP);
	info.captured = 22; /* half the ports */
	rewrite_source(1024);
	assert_memory_equal(frame + 20, "\x13\x88", 2);
	assert_int_equal(folded(sum_of(frame, 20)), 0xffff);
}

static void the_destination_is_rewritten_in_its_own_place(void **state)
{
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);

	(void)state;
	given("4500001e00010000401146920a000002c633640713880035000a567e6162",
	      SL_TRANSPORT_UDP);
	sl_frame_set_endpoint(&packet, &info, &outside, 1024, false);
	assert_memory_equal(frame + 16, "\xcb\x00\x71\x01", 4);
	assert_memory_equal(frame + 20, "\x13\x88\x04\x00", 4);
	assert_int_equal(transport_sum(), 0xffff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_and_udp_checksums_stay_right),
		cmocka_unit_test(
			a_udp_checksum_of_zero_says_there_is_none_and_stays),
		cmocka_unit_test(
			a_udp_checksum_that_becomes_zero_is_sent_as_ffff),
		cmocka_unit_test(options_in_the_header_are_stepped_over),
		cmocka_unit_test(
			a_wrong_checksum_stays_wrong_by_the_same_amount),
		cmocka_unit_test(
			a_frame_cut_in_the_transport_header_is_rewritten_as_far_as_it_goes),
		cmocka_unit_test(the_destination_is_rewritten_in_its_own_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
