/* SPDX-License-Identifier: MIT */
/* Dropping, holding, emitting and failing change a chunk's order and nothing
 * else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/chunk.h"

enum { CAPACITY = 4, TALLY = SL_TALLY_DROPS + 1 };

static struct sl_parcel parcel;
static struct sl_chunk *const chunk = &parcel.chunk;
static const struct sl_host host = { .who = "stage \"test\"" };

/* Packets 0, 1, 2 with the input indices 10, 11, 12. */
static int three_packets(void **state)
{
	const struct sl_parcel_shape shape = {
		.packets = CAPACITY,
		.scratch_size = 8,
		.tally_size = TALLY,
	};

	(void)state;
	if (sl_parcel_init(&parcel, &shape, NULL) != SL_OK)
		return 1;
	parcel.host.running = &host;
	parcel.host.ordered = true;
	chunk->drop_count = 1;
	chunk->drops = parcel.host.tally + SL_TALLY_DROPS;
	for (uint16_t at = 0; at < 3; at++) {
		uint16_t index = sl_chunk_append(chunk);

		chunk->packets[index].sport = (uint16_t)(100 + at);
		chunk->infos[index].index = 10u + at;
	}
	return 0;
}

static int finish(void **state)
{
	(void)state;
	sl_parcel_finish(&parcel);
	return 0;
}

static void emit(uint32_t at, uint16_t sport)
{
	struct sl_packet packet = { .sport = sport };
	struct sl_packet_info info = { .index = 10 };

	assert_int_equal(sl_emit(chunk, at, &packet, &info, NULL), SL_OK);
}

#define assert_sports(...) \
	do { \
		const uint16_t sports[] = { __VA_ARGS__ }; \
\
		assert_int_equal(chunk->count, \
				 sizeof(sports) / sizeof(sports[0])); \
		for (uint32_t at_ = 0; at_ < chunk->count; at_++) \
			assert_int_equal(sl_chunk_packet(chunk, at_)->sport, \
					 sports[at_]); \
	} while (0)

static void packets_stand_in_the_order_in_which_they_were_appended(void **state)
{
	(void)state;
	assert_sports(100, 101, 102);
}

static void packets_that_a_parser_filled_are_appended_together(void **state)
{
	(void)state;
	chunk->packets[3].sport = 103;
	chunk->infos[3].index = 13;
	sl_chunk_append_filled(chunk, 1);
	assert_sports(100, 101, 102, 103);
	assert_int_equal(chunk->used, 4);
	assert_int_equal(sl_chunk_info(chunk, 3)->index, 13);
	sl_chunk_append_filled(chunk, 0);
	assert_int_equal(chunk->count, 4);
}

static void a_full_chunk_takes_no_more(void **state)
{
	(void)state;
	assert_int_not_equal(sl_chunk_append(chunk), SL_GONE);
	assert_int_equal(sl_chunk_append(chunk), SL_GONE);
}

static void a_dropped_packet_is_counted_and_leaves(void **state)
{
	(void)state;
	sl_drop(chunk, 1, 0);
	assert_true(sl_is_gone(chunk, 1));
	sl_chunk_compact(chunk);
	assert_sports(100, 102);
	assert_int_equal(chunk->packets[1].drop, 1);
	assert_int_equal(parcel.host.tally[SL_TALLY_DROPS], 1);
}

static void a_drop_for_no_declared_reason_is_a_failure(void **state)
{
	(void)state;
	sl_drop(chunk, 1, 1);
	assert_int_equal(parcel.host.failed_at, 10);
	assert_string_equal(parcel.host.error.message,
			    "drops for reason 1, but declares 1");
	assert_int_equal(parcel.host.tally[SL_TALLY_DROPS], 0);
}

static void holding_and_emitting_out_of_order_are_failures(void **state)
{
	struct sl_packet packet = { .sport = 7 };
	struct sl_packet_info info = { .index = 10 };

	(void)state;
	parcel.host.ordered = false;
	assert_int_equal(sl_emit(chunk, 0, &packet, &info, NULL), SL_EINVAL);
	sl_hold(chunk, 1);
	assert_int_equal(parcel.host.failed_at, 10);
	assert_int_equal(parcel.host.tally[SL_TALLY_HELD], 0);
}

static void while_flushing_a_packet_goes_to_the_end(void **state)
{
	(void)state;
	parcel.host.flushing = true;
	emit(0, 1);
	emit(2, 2);
	parcel.host.flushing = false;
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_sports(100, 101, 102, 1, 2);
}

static void emitting_leaves_the_chunk_s_arrays_in_place(void **state)
{
	const struct sl_packet *before = sl_chunk_packet(chunk, 0);

	(void)state;
	for (uint16_t at = 0; at < 100; at++)
		emit(0, at);
	assert_ptr_equal(sl_chunk_packet(chunk, 0), before);
}

static void
of_two_failures_at_one_index_the_first_in_the_order_counts(void **state)
{
	struct sl_error late = { .message = "late" };
	struct sl_error early = { .message = "early" };

	(void)state;
	sl_chunk_note_failure(chunk, 11, 7, &host, &late);
	sl_chunk_note_failure(chunk, 11, 3, &host, &early);
	sl_chunk_note_failure(chunk, 11, 9, &host, &late);
	assert_string_equal(parcel.host.error.message, "early");
}

static void a_held_packet_is_no_drop(void **state)
{
	(void)state;
	sl_hold(chunk, 0);
	sl_chunk_compact(chunk);
	assert_sports(101, 102);
	assert_int_equal(parcel.host.tally[SL_TALLY_HELD], 1);
	assert_int_equal(parcel.host.tally[SL_TALLY_DROPS], 0);
}

static void emitted_packets_join_behind_their_position(void **state)
{
	(void)state;
	emit(0, 1);
	emit(0, 2);
	emit(2, 3);
	assert_sports(100, 101, 102);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_sports(100, 1, 2, 101, 102, 3);
	assert_int_equal(parcel.host.tally[SL_TALLY_EMITTED], 3);
}

static void
emissions_keep_their_place_when_packets_around_them_leave(void **state)
{
	(void)state;
	emit(1, 1);
	sl_drop(chunk, 0, 0);
	sl_drop(chunk, 1, 0);
	sl_chunk_compact(chunk);
	assert_sports(102);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_sports(1, 102);
}

static void emissions_out_of_order_are_sorted_by_position(void **state)
{
	(void)state;
	emit(2, 3);
	emit(0, 1);
	emit(2, 4);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_sports(100, 1, 101, 102, 3, 4);
}

static void a_position_behind_the_end_is_the_end(void **state)
{
	(void)state;
	emit(UINT32_MAX, 1);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_sports(100, 101, 102, 1);
}

static void
a_chunk_grows_for_what_is_emitted_and_no_further_than_its_indices(void **state)
{
	struct sl_packet packet = { .sport = 7 };
	struct sl_packet_info info = { .index = 10 };

	(void)state;
	for (uint32_t at = 3; at < SL_CHUNK_PACKETS_MAX; at++)
		assert_int_equal(sl_emit(chunk, 2, &packet, &info, NULL),
				 SL_OK);
	assert_int_equal(sl_emit(chunk, 2, &packet, &info, NULL), SL_ENOSPC);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_int_equal(chunk->count, SL_CHUNK_PACKETS_MAX);
	assert_int_equal(sl_chunk_packet(chunk, 2)->sport, 102);
	assert_int_equal(sl_chunk_packet(chunk, 65534)->sport, 7);
}

static void an_emitted_frame_is_a_copy(void **state)
{
	uint8_t frame[3] = { 1, 2, 3 };
	struct sl_packet packet = { .sport = 7 };
	struct sl_packet_info info = { .frame = frame, .captured = 3 };

	(void)state;
	assert_int_equal(sl_emit(chunk, 2, &packet, &info, NULL), SL_OK);
	memset(frame, 0, sizeof(frame));
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_memory_equal(chunk->infos[3].frame, "\1\2\3", 3);
}

static void only_the_first_failure_in_input_order_counts(void **state)
{
	(void)state;
	SL_FAIL_PACKET(chunk, 2, "third");
	SL_FAIL_PACKET(chunk, 1, "second");
	SL_FAIL_PACKET(chunk, 2, "third again");
	assert_int_equal(parcel.host.failed_at, 11);
	assert_string_equal(parcel.host.error.message, "second");
	assert_ptr_equal(parcel.host.failed_by, &host);
}

static void truncation_removes_by_input_index_in_whatever_order(void **state)
{
	(void)state;
	chunk->order[0] = 2;
	chunk->order[1] = 0;
	chunk->order[2] = 1;
	sl_chunk_truncate(chunk, 11);
	assert_sports(100);
}

static void a_reset_chunk_is_as_new(void **state)
{
	(void)state;
	emit(0, 1);
	sl_drop(chunk, 0, 0);
	SL_FAIL_PACKET(chunk, 1, "bad");
	sl_parcel_reset(&parcel, TALLY);
	assert_int_equal(chunk->count + chunk->used + chunk->gone, 0);
	assert_true(parcel.host.failed_at == SL_NEVER);
	assert_int_equal(parcel.host.tally[SL_TALLY_DROPS], 0);
	assert_int_equal(sl_chunk_join_emissions(chunk, NULL), SL_OK);
	assert_int_equal(chunk->count, 0);
}

#define WITH_THREE(test) \
	cmocka_unit_test_setup_teardown(test, three_packets, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_THREE(
			packets_stand_in_the_order_in_which_they_were_appended),
		WITH_THREE(packets_that_a_parser_filled_are_appended_together),
		WITH_THREE(a_full_chunk_takes_no_more),
		WITH_THREE(a_dropped_packet_is_counted_and_leaves),
		WITH_THREE(a_drop_for_no_declared_reason_is_a_failure),
		WITH_THREE(holding_and_emitting_out_of_order_are_failures),
		WITH_THREE(while_flushing_a_packet_goes_to_the_end),
		WITH_THREE(emitting_leaves_the_chunk_s_arrays_in_place),
		WITH_THREE(
			of_two_failures_at_one_index_the_first_in_the_order_counts),
		WITH_THREE(a_held_packet_is_no_drop),
		WITH_THREE(emitted_packets_join_behind_their_position),
		WITH_THREE(
			emissions_keep_their_place_when_packets_around_them_leave),
		WITH_THREE(emissions_out_of_order_are_sorted_by_position),
		WITH_THREE(a_position_behind_the_end_is_the_end),
		WITH_THREE(
			a_chunk_grows_for_what_is_emitted_and_no_further_than_its_indices),
		WITH_THREE(an_emitted_frame_is_a_copy),
		WITH_THREE(only_the_first_failure_in_input_order_counts),
		WITH_THREE(truncation_removes_by_input_index_in_whatever_order),
		WITH_THREE(a_reset_chunk_is_as_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
