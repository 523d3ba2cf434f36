/* SPDX-License-Identifier: MIT */
/* A gate lets numbers through one at a time and in order, whoever brings them
 * and in whatever order they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "pipeline/gate.h"

static void the_first_number_may_enter_at_once(void **state)
{
	struct sl_gate gate;
	int parcel;

	(void)state;
	assert_true(sl_gate_init(&gate, 4));
	assert_true(sl_gate_enter(&gate, 0, &parcel));
	assert_null(sl_gate_leave(&gate, 0));
	sl_gate_finish(&gate);
}

static void
a_number_that_is_early_is_parked_until_its_predecessor_leaves(void **state)
{
	struct sl_gate gate;
	int first, second;

	(void)state;
	assert_true(sl_gate_init(&gate, 4));
	assert_false(sl_gate_enter(&gate, 1, &second));
	assert_true(sl_gate_enter(&gate, 0, &first));
	assert_ptr_equal(sl_gate_leave(&gate, 0), &second);
	assert_null(sl_gate_leave(&gate, 1));
	sl_gate_finish(&gate);
}

static void the_ring_serves_any_number_of_rounds(void **state)
{
	struct sl_gate gate;
	int parcel;

	(void)state;
	assert_true(sl_gate_init(&gate, 2));
	for (uint64_t number = 0; number < 1000; number++) {
		assert_true(sl_gate_enter(&gate, number, &parcel));
		assert_null(sl_gate_leave(&gate, number));
	}
	sl_gate_finish(&gate);
}

/* Threads take numbers and bring them to a gate; at most IN_FLIGHT numbers are
 * under way, as tokens see to in the engine. */
enum { THREADS = 8, NUMBERS = 200000, IN_FLIGHT = 16 };

static struct {
	struct sl_gate gate;
	pthread_mutex_t lock;
	pthread_cond_t room;
	uint64_t next, through;
	uint64_t parcels[IN_FLIGHT];
	/* Guarded by the gate alone: a race would show here. */
	uint64_t expected;
	unsigned out_of_order;
} race;

static void pass(uint64_t number)
{
	while (number != UINT64_MAX) {
		uint64_t *next;

		race.out_of_order += race.expected != number;
		race.expected = number + 1;
		next = sl_gate_leave(&race.gate, number);
		pthread_mutex_lock(&race.lock);
		race.through++;
		pthread_cond_signal(&race.room);
		pthread_mutex_unlock(&race.lock);
		number = next ? *next : UINT64_MAX;
	}
}

static void *bring_numbers(void *unused)
{
	(void)unused;
	for (;;) {
		uint64_t number;

		pthread_mutex_lock(&race.lock);
		while (race.next < NUMBERS &&
		       race.next - race.through >= IN_FLIGHT)
			pthread_cond_wait(&race.room, &race.lock);
		number = race.next < NUMBERS ? race.next++ : UINT64_MAX;
		if (number != UINT64_MAX)
			race.parcels[number % IN_FLIGHT] = number;
		pthread_cond_signal(&race.room);
		pthread_mutex_unlock(&race.lock);
		if (number == UINT64_MAX)
			return NULL;
		if (sl_gate_enter(&race.gate, number,
				  &race.parcels[number % IN_FLIGHT]))
			pass(number);
	}
}

static void many_threads_pass_in_order_and_one_at_a_time(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	pthread_mutex_init(&race.lock, NULL);
	pthread_cond_init(&race.room, NULL);
	assert_true(sl_gate_init(&race.gate, IN_FLIGHT));
	for (int at = 0; at < THREADS; at++)
		assert_int_equal(
			pthread_create(&threads[at], NULL, bring_numbers, NULL),
			0);
	for (int at = 0; at < THREADS; at++)
		pthread_join(threads[at], NULL);
	assert_int_equal(race.out_of_order, 0);
	assert_int_equal(race.expected, NUMBERS);
	sl_gate_finish(&race.gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_number_may_enter_at_once),
		cmocka_unit_test(
			a_number_that_is_early_is_parked_until_its_predecessor_leaves),
		cmocka_unit_test(the_ring_serves_any_number_of_rounds),
		cmocka_unit_test(many_threads_pass_in_order_and_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
