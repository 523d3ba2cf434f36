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
#include "sluice/random.h"

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

	sl_frame_set_source(&packet, &info, outside, port);
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
	sl_frame_set_destination(&packet, &info, outside, 1024);
	assert_memory_equal(frame + 16, "\xcb\x00\x71\x01", 4);
	assert_memory_equal(frame + 20, "\x13\x88\x04\x00", 4);
	assert_int_equal(transport_sum(), 0xffff);
}

/* ---- any packet, against one that was built with the new endpoint ------- */

#define ROUNDS 3000
#define BUILT_MAX 256

struct shape {
	uint32_t l3, options, payload; /* bytes */
	uint8_t transport, icmp_type;
	bool without_checksum; /* UDP */
	uint32_t src, dst;
	uint16_t sport, dport;
	uint64_t filling; /* a seed */
};

static void put16(uint8_t *bytes, uint32_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

static void put32(uint8_t *bytes, uint32_t value)
{
	put16(bytes, value >> 16);
	put16(bytes + 2, value);
}

static uint32_t header_size(uint8_t transport)
{
	return transport == SL_TRANSPORT_TCP ? 20 : 8;
}

static uint32_t checksum_offset(uint8_t transport)
{
	return transport == SL_TRANSPORT_TCP   ? 16
	       : transport == SL_TRANSPORT_UDP ? 6
					       : 2;
}

/* @return its length. */
static uint32_t build(const struct shape *shape, uint8_t *bytes)
{
	uint8_t *ip = bytes + shape->l3, *l4 = ip + 20 + shape->options;
	uint32_t size = header_size(shape->transport) + shape->payload;
	uint32_t total = 20 + shape->options + size;
	uint8_t *checksum = l4 + checksum_offset(shape->transport);
	uint32_t sum;

	for (uint32_t at = 0; at < shape->l3 + total; at++)
		bytes[at] = (uint8_t)sl_random_at(shape->filling, at);
	ip[0] = (uint8_t)(0x45 + shape->options / 4);
	put16(ip + 2, total);
	ip[9] = shape->transport;
	put32(ip + 12, shape->src);
	put32(ip + 16, shape->dst);
	put16(ip + 10, 0);
	put16(ip + 10, ~folded(sum_of(ip, 20 + shape->options)) & 0xffff);
	if (shape->transport == SL_TRANSPORT_ICMP) {
		l4[0] = shape->icmp_type;
		if (sl_icmp_has_id(shape->icmp_type))
			put16(l4 + 4, shape->sport);
	} else {
		put16(l4, shape->sport);
		put16(l4 + 2, shape->dport);
	}
	put16(checksum, 0);
	if (shape->without_checksum)
		return shape->l3 + total;
	sum = sum_of(l4, size);
	if (shape->transport != SL_TRANSPORT_ICMP)
		sum += sum_of(ip + 12, 8) + shape->transport + size;
	sum = ~folded(sum) & 0xffff;
	if (!sum && shape->transport == SL_TRANSPORT_UDP)
		sum = 0xffff;
	put16(checksum, sum);
	return shape->l3 + total;
}

static void set_metadata(const struct shape *shape, uint32_t length)
{
	memset(&packet, 0, sizeof(packet));
	memset(&info, 0, sizeof(info));
	info.l3 = (uint16_t)shape->l3;
	info.l4 = (uint16_t)(shape->l3 + 20 + shape->options);
	info.captured = info.original = length;
	packet.ip_version = 4;
	packet.transport = shape->transport;
	packet.src.v4 = shape->src;
	packet.dst.v4 = shape->dst;
	packet.sport = shape->sport;
	packet.dport = shape->dport;
}

static struct shape random_shape(uint64_t round)
{
	static const uint8_t transports[] = { 6, 17, 17, 1 };
	static const uint8_t types[] = { 0,  8, 13, 14, 15, 16, 17,
					 18, 3, 5,  9,  11, 12, 40 };
	static const uint32_t links[] = { 0, 14, 16, 18, 22 };
	struct shape shape = { .filling = sl_random_at(1, round) };
	uint64_t dice = sl_random_at(2, round);

	shape.l3 = links[dice % 5];
	shape.options = dice >> 8 & 1 ? 0 : (uint32_t)(dice >> 16 & 7) * 4;
	shape.payload = (uint32_t)(dice >> 24) % 50;
	shape.transport = transports[dice >> 32 & 3];
	shape.icmp_type = types[(dice >> 36) % 14];
	shape.without_checksum =
		shape.transport == SL_TRANSPORT_UDP && !(dice >> 40 & 3);
	shape.src = (uint32_t)sl_random_at(3, round);
	shape.dst = (uint32_t)sl_random_at(4, round);
	shape.sport = (uint16_t)(dice >> 44);
	shape.dport = (uint16_t)sl_random_at(5, round);
	if (shape.transport == SL_TRANSPORT_ICMP)
		shape.dport = shape.sport =
			sl_icmp_has_id(shape.icmp_type) ? shape.sport : 0;
	return shape;
}

/* Another endpoint on one side, as the packet should have it then. */
static struct shape moved(struct shape shape, uint32_t address, uint16_t port,
			  bool source)
{
	if (source)
		shape.src = address;
	else
		shape.dst = address;
	if (shape.transport != SL_TRANSPORT_ICMP)
		*(source ? &shape.sport : &shape.dport) = port;
	else if (sl_icmp_has_id(shape.icmp_type))
		shape.sport = shape.dport = port;
	return shape;
}

static void assert_metadata(const struct shape *shape)
{
	assert_int_equal(packet.src.v4, shape->src);
	assert_int_equal(packet.dst.v4, shape->dst);
	assert_int_equal(packet.sport, shape->sport);
	assert_int_equal(packet.dport, shape->dport);
}

static void any_packet_is_as_if_it_was_made_with_the_new_endpoint(void **state)
{
	uint8_t bytes[BUILT_MAX], wanted[BUILT_MAX];

	(void)state;
	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct shape before = random_shape(round);
		struct sl_address address =
			sl_address_from_v4((uint32_t)sl_random_at(6, round));
		uint16_t port = (uint16_t)sl_random_at(7, round);
		bool source = round & 1;
		struct shape after = moved(before, address.v4, port, source);
		uint32_t length = build(&before, bytes);

		build(&after, wanted);
		set_metadata(&before, length);
		info.frame = bytes;
		(source ? sl_frame_set_source : sl_frame_set_destination)(
			&packet, &info, address, port);
		assert_memory_equal(bytes, wanted, length);
		assert_metadata(&after);
	}
}

/* What the capture cut off is not there to change; of what is there, ports
 * change when they are there whole, and so do checksums. */
static void a_cut_frame_is_changed_as_far_as_it_reaches(void **state)
{
	uint8_t bytes[BUILT_MAX], wanted[BUILT_MAX], whole[BUILT_MAX];
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);

	(void)state;
	for (uint64_t round = 0; round < 60; round++) {
		struct shape before = random_shape(round);
		uint32_t l4 = before.l3 + 20 + before.options;
		uint32_t ports = before.transport == SL_TRANSPORT_ICMP ? 6 : 4;
		uint32_t sum = checksum_offset(before.transport);
		uint32_t length = build(&before, whole);

		for (uint32_t cut = before.l3 + 20; cut <= length; cut++) {
			struct shape after = moved(before, OUTSIDE, 1024, true);
			bool has_ports = cut >= l4 + ports;

			build(&after, wanted);
			memcpy(bytes, whole, length);
			if (!has_ports)
				memcpy(wanted + l4, whole + l4, length - l4);
			if (cut < l4 + sum + 2)
				memcpy(wanted + l4 + sum, whole + l4 + sum, 2);
			memcpy(wanted + cut, whole + cut, length - cut);
			set_metadata(&before, length);
			info.frame = bytes;
			info.captured = cut;
			if (!has_ports)
				info.l4 = 0;
			sl_frame_set_source(&packet, &info, outside, 1024);
			assert_memory_equal(bytes, wanted, length);
			if (!has_ports) {
				after.sport = before.sport;
				after.dport = before.dport;
			}
			assert_metadata(&after);
		}
	}
}

static void a_later_fragment_changes_its_address_alone(void **state)
{
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);

	(void)state;
	given("4500001c000700014011468d0a000002c63364071388003500100000",
	      SL_TRANSPORT_UDP);
	info.l4 = packet.sport = packet.dport = 0;
	packet.flags = SL_PACKET_FRAGMENT | SL_PACKET_LATER_FRAGMENT;
	sl_frame_set_source(&packet, &info, outside, 1024);
	assert_memory_equal(frame + 12, "\xcb\x00\x71\x01", 4);
	assert_memory_equal(frame + 20, "\x13\x88\x00\x35\x00\x10\x00\x00", 8);
	assert_int_equal(folded(sum_of(frame, 20)), 0xffff);
	assert_int_equal(packet.sport, 0);
}

/* A first fragment may have the ports, and TCP's checksum may not be in it. */
static void padding_is_not_taken_for_a_checksum(void **state)
{
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);

	(void)state;
	given("4500001c00012000400600000a000002c6336407138800350000000100000000"
	      "00000000aaaaaaaa",
	      SL_TRANSPORT_TCP);
	sl_frame_set_source(&packet, &info, outside, 1024);
	assert_memory_equal(frame + 20, "\x04\x00\x00\x35", 4);
	assert_memory_equal(frame + 36, "\xaa\xaa\xaa\xaa", 4);
}

static void ipv6_stays_as_it_is(void **state)
{
	const struct sl_address outside = sl_address_from_v4(OUTSIDE);
	uint8_t before[64];

	(void)state;
	given("600000000008114020010db800000000000000000000000120010db800000000"
	      "0000000000000002138800350008ffff",
	      SL_TRANSPORT_UDP);
	memcpy(before, frame, sizeof(before));
	packet.ip_version = 6;
	sl_frame_set_source(&packet, &info, outside, 1024);
	assert_memory_equal(frame, before, sizeof(before));
	assert_int_equal(packet.src.v4, 0x0a000002);
	assert_int_equal(packet.sport, 5000);
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
		cmocka_unit_test(
			any_packet_is_as_if_it_was_made_with_the_new_endpoint),
		cmocka_unit_test(a_cut_frame_is_changed_as_far_as_it_reaches),
		cmocka_unit_test(a_later_fragment_changes_its_address_alone),
		cmocka_unit_test(padding_is_not_taken_for_a_checksum),
		cmocka_unit_test(ipv6_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
